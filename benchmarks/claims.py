"""Claims against sources: how many are decided rightly, arithmetic, false alarms, speed; and training.

    python -m benchmarks.claims [accuracy|pairs|alarms|speed …] [--write]
    python -m benchmarks.claims train -o FILE

`accuracy` cross-validates the decision by document, and takes it from the other sets; it and `train`
read the claims in `../shared/data`, or where `ENSUE_DATA` says. `--write` puts the tables into
`docs/checking.md`. What the recognizer says is kept in a cache (`--cache FILE`) where one is named.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import pickle
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ensue
from benchmarks.timing import data_folder
from ensue.claims import (
    KIND_COLUMNS,
    ClaimModel,
    ClaimRow,
    ClaimText,
    KindGate,
    PassageRanking,
    SourceText,
    check_documents,
    claim_columns,
    claim_evidence,
    kind_shape,
    probability_bounds,
    read_documents,
)
from ensue.features import FeatureReader, find_mismatches, open_reader
from ensue.pairs import Pair, Verdict
from ensue.recognizers import Recognizer
from ensue.recognizers.joint import JOINT
from ensue.statistics import (
    LinearModel,
    Numbers,
    Resampling,
    fit_logistic,
    fit_multinomial,
    ratio,
    standardization,
    stratified_folds,
)

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "checking.md"
MINIMAL = HERE / "minimal_claims.jsonl"
PUBLISHED = HERE / "claims_published.json"
SETS = {
    "wice_dev": "article",
    "summedits_dev": "summary",
    "qags_sentences_dev": "sentence of a summary",
    "fever_symmetric_dev": "evidence",
    "fever_symmetric_dev, exchanged": "evidence",
    "wice_dev, cut": "evidence",
}
"""The sets, and the kind of claims that each is learned for.

FEVER-Symmetric's claims that do not follow are contradicted. That claims may also go beyond a short text is
learned from two more: its true claims, also beside the evidence of another claim that shares most words with
them; and WiCE's claims, with the few sentences that share most with them for a source.
"""
MOST = 1280
"""Claims of a set, by lot: SummEdits has more, many for each text."""
CUT = ", cut"
EXCHANGED = ", exchanged"
STRENGTH = 0.004
"""The inverse strength of regularization: small, since few claims of WiCE have to tell articles from the rest.
With 0.01 the loss is a hundredth less, SummEdits a point and QAGS four points better, WiCE a point worse."""
FOLDS = 10
GATE_STRENGTH = 1.0
SHARED = 0.5
"""How much more freely what kinds share is learned than what each adds: more is freer."""
FREEDOM = 0.5
BIAS = 2.0
"""Likewise of where yes begins."""
RESAMPLING = Resampling()
N_SENTENCES = 1000
"""Sentences of real sources that are compared with themselves."""
N_CHECKED = 100
"""Of these, how many are checked against the whole text that they are from."""


# The claims, and what is weighed of each.


@dataclass(frozen=True)
class ClaimSet:
    """Claims with gold, and the columns of each."""

    name: str
    kind: str
    tasks: list[str]
    answers: NDArray[np.bool_]
    documents: NDArray[np.int64]
    names: list[str]
    values: Numbers
    bounds: Numbers
    """Between what the probability of each has to lie, whatever the model says."""

    @property
    def shape(self) -> Numbers:
        """The columns by which kinds are told apart."""
        return self.values[:, [self.names.index(name) for name in KIND_COLUMNS]]


class Remembering:
    """A recognizer that keeps what it has said in a file."""

    def __init__(self, inner: Recognizer, path: Path | None) -> None:
        self.inner, self.path = inner, path
        self.signature = inner.signature
        self.known: dict[tuple[str, str], Verdict] = {}
        if path is not None and path.exists():
            self.known = pickle.loads(path.read_bytes())  # our own, of this machine

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """What it said, or says now."""
        new = [each for each in pairs if (each.text, each.hypothesis) not in self.known]
        for pair, verdict in zip(new, self.inner.judge(new), strict=True):
            self.known[pair.text, pair.hypothesis] = verdict
        return [replace(self.known[p.text, p.hypothesis], pair_id=p.id) for p in pairs]

    def explain(self, pair: Pair) -> Any:
        """As the recognizer does."""
        return self.inner.explain(pair)

    def save(self) -> None:
        """Write what is known."""
        if self.path is not None:
            self.path.write_bytes(pickle.dumps(self.known))


def read_rows(name: str, share: float) -> list[dict[str, Any]]:
    """The claims of a set, or a share of them by lot."""
    with gzip.open(data_folder() / "claims" / f"{name}.jsonl.gz") as file:
        rows = [json.loads(line) for line in file]
    random.Random(0).shuffle(rows)
    return rows[: min(round(share * len(rows)), MOST)]


def read_set(name: str, judge: Remembering, reader: FeatureReader, share: float) -> ClaimSet:
    """A set with the columns of its claims."""
    rows = read_rows(name.removesuffix(CUT).removesuffix(EXCHANGED), share)
    if name.endswith(EXCHANGED):
        rows = list(exchanged(rows, reader))
    asked = [_asked(row["text"], row["hypothesis"]) for row in rows]
    if name.endswith(CUT):
        covers = [each.cover for each in claim_evidence(asked, judge, reader)]
        sources = ["" if each is None else each.passage.text for each in covers]
        asked = [_asked(text, row["hypothesis"]) for text, row in zip(sources, rows, strict=True)]
    columns, bounds = [], []
    for i, each in enumerate(claim_evidence(asked, judge, reader), 1):
        columns.append(claim_columns(each))
        bounds.append(probability_bounds(each))
        if i % 128 == 0:
            print(f"{name}: {i} of {len(rows)} claims", file=sys.stderr, flush=True)
            judge.save()
    judge.save()
    numbers: dict[str, int] = {}
    documents = np.array(
        [numbers.setdefault(row.get("own", row["text"]), len(numbers)) for row in rows]
    )
    names = list(columns[0])
    return ClaimSet(
        name,
        SETS[name],
        [row["task"] for row in rows],
        np.array([row["gold"] == "entailment" for row in rows]),
        documents,
        names,
        np.array([[each[name] for name in names] for each in columns]),
        np.array(bounds),
    )


def exchanged(rows: Sequence[dict[str, Any]], reader: FeatureReader) -> Iterator[dict[str, Any]]:
    """The claims that follow, and each again beside another text, whose words are not all of its own."""
    texts = sorted({row["text"] for row in rows})
    words = [frozenset[str]().union(*each.words) for each in read_documents(texts, reader)]
    ranking = PassageRanking(words)
    true = [row for row in rows if row["gold"] == "entailment"]
    claims = read_documents([row["hypothesis"] for row in true], reader)
    for row, claim in zip(true, claims, strict=True):
        asked = frozenset[str]().union(*claim.words)
        near = [*ranking.best(asked, 4), 0, 1]
        other = next(i for i in near if texts[i] != row["text"] and not asked <= words[i])
        yield row
        yield {**row, "text": texts[other], "gold": "not-entailment", "own": row["text"]}


def _asked(source: str, claim: str) -> ClaimRow:
    return [SourceText(source)], [ClaimText(claim, is_one=True)]


# The model: fitted to sets that count alike, and both answers of each.


def evenly(sets: Sequence[ClaimSet]) -> Numbers:
    """How much each claim counts: all sets alike, and both answers in each."""
    weights = []
    for each in sets:
        share = np.where(each.answers, each.answers.mean(), 1 - each.answers.mean())
        weights.append(1 / (2 * share * len(each.answers)))
    found = np.concatenate(weights)
    return np.asarray(found * len(found) / found.sum())


def fitted(sets: Sequence[ClaimSet], strength: float = STRENGTH) -> ClaimModel:
    """The model of some sets: weights that all kinds share, and what each adds to them.

    They are learned together, each claim being of each kind by as much as the gate says, so that what the
    gate takes for another kind is allowed for.
    """
    names = list(dict.fromkeys(each.kind for each in sets))
    known = gate(sets, names)
    values = np.concatenate([each.values for each in sets])
    answers = np.concatenate([each.answers for each in sets])
    means, deviations = standardization(values)
    z = (values - means) / deviations
    shares = known.shares(np.concatenate([each.shape for each in sets]))
    sizes = np.array([sum(len(one.answers) for one in sets if one.kind == name) for name in names])
    freedom = (sizes / sizes.max()) ** FREEDOM  # few claims tell little of how a kind differs
    columns = [SHARED * z]
    for share, free in zip(shares.T, freedom, strict=True):
        columns += [BIAS * share[:, None], free * share[:, None] * z]
    learned = fit_logistic(np.concatenate(columns, axis=1), answers, strength, weights=evenly(sets))
    n = z.shape[1]
    kinds = {}
    for k, name in enumerate(names):
        at = n + k * (n + 1)
        own = freedom[k] * learned[at + 1 : at + 1 + n]
        weights = (SHARED * learned[:n] + own) / deviations
        bias = float(learned[-1] + BIAS * learned[at])
        kinds[name] = LinearModel(tuple(sets[0].names), weights, means, bias, strength)
    return ClaimModel(kinds, known, "")


def gate(sets: Sequence[ClaimSet], kinds: Sequence[str]) -> KindGate:
    """Which kind a claim looks like, all kinds being as likely."""
    shape = kind_shape(np.concatenate([each.shape for each in sets]))
    means, deviations = standardization(shape)
    numbers = [kinds.index(each.kind) for each in sets]
    kind = np.repeat(numbers, [len(each.answers) for each in sets])
    allowed = np.eye(len(kinds), dtype=bool)[kind]
    weights = fit_multinomial((shape - means) / deviations, allowed, GATE_STRENGTH)
    weights[-1] -= np.log(allowed.mean(axis=0))
    return KindGate(means, deviations, weights)


def some_of(each: ClaimSet, rows: NDArray[np.bool_]) -> ClaimSet:
    """Some claims of a set, with what is learned from."""
    return replace(
        each, answers=each.answers[rows], values=each.values[rows], bounds=each.bounds[rows]
    )


def decided(each: ClaimSet, model: ClaimModel) -> Numbers:
    """The probability of each claim by a model, within its bounds."""
    return np.clip(model.probabilities(each.values), *each.bounds.T)


def folds_of(each: ClaimSet, seed: int) -> NDArray[np.int64]:
    """The fold of each claim: those of one document stay together."""
    return np.asarray(stratified_folds(each.answers, each.documents, FOLDS, seed=seed))


def held_out(sets: Sequence[ClaimSet], strength: float = STRENGTH, seed: int = 0) -> list[Numbers]:
    """The probability of each claim by a model that has not seen its document."""
    folds = [folds_of(each, seed) for each in sets]
    found = [np.zeros(len(each.answers)) for each in sets]
    for fold in range(FOLDS):
        rest = [some_of(each, own != fold) for each, own in zip(sets, folds, strict=True)]
        model = fitted(rest, strength)
        for each, own, chances in zip(sets, folds, found, strict=True):
            chances[own == fold] = decided(some_of(each, own == fold), model)
    return found


def log_loss(sets: Sequence[ClaimSet], chances: Sequence[Numbers]) -> float:
    """The loss of probabilities, all sets and answers counting alike."""
    right = [
        np.where(each.answers, some, 1 - some) for each, some in zip(sets, chances, strict=True)
    ]
    return float(np.average(-np.log(np.concatenate(right).clip(1e-9)), weights=evenly(sets)))


def balanced(answers: NDArray[np.bool_], chances: Numbers) -> float:
    """The mean of the shares of both answers that are right."""
    yes = chances > 0.5
    return float((yes[answers].mean() + (~yes[~answers]).mean()) / 2)


def interval(each: ClaimSet, chances: Numbers) -> tuple[float, float]:
    """The 95 % interval of the balanced accuracy, over documents drawn again."""
    yes, gold = chances > 0.5, each.answers
    sums = np.zeros((int(each.documents.max()) + 1, 4))
    for column, said in enumerate((yes & gold, gold, ~yes & ~gold, ~gold)):
        np.add.at(sums[:, column], each.documents, said)
    drawn = RESAMPLING.sums(sums)[1:]
    found = (ratio(drawn[:, 0], drawn[:, 1]) + ratio(drawn[:, 2], drawn[:, 3])) / 2
    low, high = RESAMPLING.interval(found)
    assert low is not None
    assert high is not None
    return low, high


def calibration(sets: Sequence[ClaimSet], chances: Sequence[Numbers]) -> Iterator[str]:
    """How often claims of each probability are supported, sets and answers counting alike."""
    weights, answers = evenly(sets), np.concatenate([each.answers for each in sets])
    every = np.concatenate(list(chances))
    yield "| probability | claims | supported |"
    yield "| --- | --- | --- |"
    for low in (0.0, 0.2, 0.4, 0.6, 0.8):
        rows = (every >= low) & (every < low + 0.2 + (low == 0.8))
        share = np.average(answers[rows], weights=weights[rows])
        yield f"| {low:.1f} to {low + 0.2:.1f} | {rows.sum():,} | {share:.0%} |"


def accuracy(sets: Sequence[ClaimSet]) -> Iterator[str]:
    """The tables of accuracy."""
    own = held_out(sets)
    yield "| claims | number | balanced accuracy, by document | 95 % interval | learned from the other sets |"
    yield "| --- | --- | --- | --- | --- |"
    for each, chances in zip(sets, own, strict=True):
        low, high = interval(each, chances)
        others = [one for one in sets if one.name[:4] != each.name[:4]]
        crossed = decided(each, fitted(others))
        yield (
            f"| {SHOWN[each.name]} | {len(each.answers):,} | {balanced(each.answers, chances):.1%}"
            f" | {low:.1%} to {high:.1%} | {balanced(each.answers, crossed):.1%} |"
        )
        if each.name == "summedits_dev":
            for task in sorted(set(each.tasks)):
                rows = np.array([one == task for one in each.tasks])
                yield (
                    f"| … {task.partition('/')[2].replace('_', ' ')} | {rows.sum()}"
                    f" | {balanced(each.answers[rows], chances[rows]):.1%} | | |"
                )
    yield ""
    yield "Published:"
    yield ""
    yield "| claims | system | balanced accuracy | source |"
    yield "| --- | --- | --- | --- |"
    for row in json.loads(PUBLISHED.read_text("utf-8")):
        yield f"| {row['set']}, {row['on']} | {row['system']} | {row['accuracy']:.1%} | {row['source']} |"
    yield ""
    yield from calibration(sets, own)


SHOWN = {
    "wice_dev": "WiCE, development set",
    "summedits_dev": "SummEdits, of one half",
    "qags_sentences_dev": "QAGS, sentences, one half",
    "fever_symmetric_dev": "FEVER-Symmetric, one half",
    "fever_symmetric_dev, exchanged": "its true claims, and they beside other evidence",
    "wice_dev, cut": "WiCE against a few sentences alone",
}


def trained(sets: Sequence[ClaimSet], recognizer: Recognizer) -> ClaimModel:
    """What ships: learned from all sets."""
    own = held_out(sets)
    about = {
        "claims": {each.name: len(each.answers) for each in sets},
        "balanced accuracy, held out": {
            each.name: round(balanced(each.answers, some), 4)
            for each, some in zip(sets, own, strict=True)
        },
        "loss, held out": round(log_loss(sets, own), 4),
    }
    # its cutoff does not matter: scores are weighed, not labels
    name = str(recognizer.signature).partition("|seconds:")[0]
    return replace(fitted(sets), recognizer=name, about=about)


# Minimal pairs of claims, false alarms, speed.


def minimal_pairs(recognizer: Recognizer, reader: FeatureReader) -> Iterator[str]:
    """How many of the minimal pairs are decided rightly, by what they are about, and which are not."""
    rows = [json.loads(line) for line in MINIMAL.read_text("utf-8").splitlines()]
    asked = [_asked(row["text"], row["hypothesis"]) for row in rows]
    found = [claim for (claim,) in check_documents(asked, recognizer, reader)]
    right = [
        each.supported == (row["gold"] == "entailment")
        for row, each in zip(rows, found, strict=True)
    ]
    both = [one and other for one, other in zip(right[::2], right[1::2], strict=True)]
    yield "| about | claims | right | pairs | both right |"
    yield "| --- | --- | --- | --- | --- |"
    tasks = [row["task"] for row in rows]
    for task in [*dict.fromkeys(tasks), "all"]:
        some = [ok for ok, one in zip(right, tasks, strict=True) if task in (one, "all")]
        pairs = [ok for ok, one in zip(both, tasks[::2], strict=True) if task in (one, "all")]
        yield f"| {task} | {len(some)} | {sum(some)} | {len(pairs)} | {sum(pairs)} |"
    yield ""
    yield f"{np.mean(right):.1%} of the claims and {np.mean(both):.1%} of the pairs are right. What fails:"
    yield ""
    for row, ok, each in zip(rows, right, found, strict=True):
        if not ok:
            told = "follows" if row["gold"] == "entailment" else "does not follow"
            yield f"- *{row['text']}* / *{row['hypothesis']}* {told}, is said to be {each.status.value}"


def real_sentences(n: int, seed: int = 0) -> list[tuple[str, str]]:
    """Sentences of the sources of all sets, each with the stretch of its source around it."""
    names = [name for name in SETS if ", " not in name]
    texts = sorted({row["text"][:4000] for name in names for row in read_rows(name, 1.0)})
    random.Random(seed).shuffle(texts)
    reader = open_reader()
    found = []
    for text in texts[: n // 5]:
        sentences = list(ensue_sentences(text, reader))
        found += [(text, each) for each in sentences if len(each.split()) > 3]
    random.Random(seed).shuffle(found)
    return found[:n]


def ensue_sentences(text: str, reader: FeatureReader) -> Iterator[str]:
    """The sentences of a text as the check reads them."""
    (document,) = read_documents([text], reader)
    yield from (each.text for each in document.passages)


def false_alarms(recognizer: Recognizer, reader: FeatureReader) -> Iterator[str]:
    """How many sentences of sources differ from themselves, or are not supported by their source."""
    sentences = real_sentences(N_SENTENCES)
    compared = reader.compare([(each, each) for _, each in sentences])
    n_differ = sum(bool(find_mismatches(each)) for each in compared)
    asked = [_asked(text, each) for text, each in sentences[:N_CHECKED]]
    checked = [claim for some in check_documents(asked, recognizer, reader) for claim in some]
    n_not = sum(not each.supported for each in checked)
    yield (
        f"Of {len(sentences):,} sentences of real sources, {n_differ} differ from themselves in the mismatch"
        f" report; of {len(asked):,} of them, {n_not} are not supported by the text that they are from."
    )


def speed(recognizer: Recognizer, n_claims: int) -> Iterator[str]:
    """Claims a second of processor time, beside the parse alone."""
    rows = read_rows("fever_symmetric_dev", 1.0) + read_rows("qags_sentences_dev", 1.0)
    words = " ".join(row["text"] for row in read_rows("wice_dev", 1.0)).split()[:5000]
    document = " ".join(words)
    claims = [row["hypothesis"] for row in rows][:n_claims]
    short = list(read_rows("fever_symmetric_dev", 1.0)) * 2
    yield "| | parse alone | check | claims a second | parses |"
    yield "| --- | --- | --- | --- | --- |"
    one = [([SourceText(document)], [ClaimText(each, is_one=True) for each in claims])]
    many = [
        _asked(f"{row['text']} {i}.", row["hypothesis"]) for i, row in enumerate(short[:n_claims])
    ]
    check_documents(many[:8], recognizer, open_reader())  # kernels are there from here on
    kinds = (
        (f"{n_claims:,} claims against one document of 5,000 words", one),
        (f"{n_claims:,} pairs of short documents", many),
    )
    for name, asked in kinds:
        texts = [each.text for some in asked for side in some for each in side]
        with _no_analyses():
            began = time.process_time()
            open_reader().analyze(texts)
            parsed = time.process_time() - began
        with _no_analyses():
            fresh = JOINT.build({}).with_pool(None)
            began = time.process_time()
            n = sum(map(len, check_documents(asked, fresh, open_reader())))
            took = time.process_time() - began
        yield f"| {name} | {parsed:.1f} s | {took:.1f} s | {n / took:.1f} | {took / parsed:.1f} |"


@contextmanager
def _no_analyses() -> Iterator[None]:
    """Readers that are opened here find no text analyzed."""
    before = os.environ.get("ENSUE_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ENSUE_CACHE"] = folder
        try:
            yield
        finally:
            del os.environ["ENSUE_CACHE"]
            if before is not None:
                os.environ["ENSUE_CACHE"] = before


# The command line.

PARTS = ("accuracy", "pairs", "alarms", "speed")


def written(name: str, lines: Sequence[str]) -> None:
    """Put a part into the page, between its marks."""
    page = PAGE.read_text("utf-8")
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    text = "\n".join(lines).strip()
    PAGE.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", "utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, or train."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"train, or of: {', '.join(PARTS)}"
    )
    parser.add_argument("-o", "--output", type=Path, help="where train writes")
    parser.add_argument("--cache", type=Path, help="where what the recognizer says is kept")
    parser.add_argument("--claims", type=int, default=1000, help="whose speed is measured")
    parser.add_argument("--share", type=float, default=1.0, help="of the claims, by lot")
    parser.add_argument("--write", action="store_true", help="put the tables into the page")
    asked = parser.parse_args(arguments)
    judge = Remembering(ensue.load("joint"), asked.cache)
    reader = open_reader()
    if asked.parts == ["train"]:
        sets = [read_set(name, judge, reader, asked.share) for name in SETS]
        model = trained(sets, judge.inner)
        record = json.dumps(model.to_json(), indent=1)
        asked.output.write_text(f"{record}\n", "utf-8")
        return
    for part in asked.parts or PARTS:
        if part == "accuracy":
            lines = list(accuracy([read_set(n, judge, reader, asked.share) for n in SETS]))
        elif part == "pairs":
            lines = list(minimal_pairs(judge.inner, reader))
        elif part == "alarms":
            lines = list(false_alarms(judge.inner, reader))
        else:
            lines = list(speed(judge.inner, asked.claims))
        print(*lines, "", sep="\n", flush=True)
        if asked.write:
            written(part, lines)


if __name__ == "__main__":
    main()
