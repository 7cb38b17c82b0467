"""What the prover proves, and how often it is right: the tables of `docs/logic.md`.

Ten suites of a thousand cases, FraCaS by section, SICK, sets about one phenomenon, and RTE's
development sets. `python -m benchmarks.proofs --write` puts the tables into the page; names after it
choose some of them. No test set is looked at.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256

from benchmarks.logic import suite_cases
from benchmarks.timing import ROOT, data_folder
from ensue.pairs import Label, Pair, Status, Verdict, read_pairs
from ensue.recognizers import Recognizer, load

PAGE = ROOT / "docs" / "logic.md"
SUITE_SEEDS = (101, 102, 103)
"""Of suites that nothing was made with."""
AFAZIO = (73.2, 49.6, 0.7, 1.7)
"""Bedaride and Gardent (2010), table of section 3.3: correct, missed, false alarms, no answer."""


def main() -> None:
    """Print the tables that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "tables", nargs="*", help=f"of {', '.join(TABLES)}; all where none is named"
    )
    parser.add_argument("--write", action="store_true", help="put the tables into docs/logic.md")
    chosen = parser.parse_args()
    for name in chosen.tables or TABLES:
        table = "\n".join(TABLES[name]()) + "\n"
        print(f"{table}")
        if chosen.write:
            place = re.compile(rf"(?<=<!-- {name} -->\n).*?(?=<!-- /{name} -->)", re.DOTALL)
            page, n = place.subn(lambda _, table=table: table, PAGE.read_text("utf-8"))
            if n != 1:
                parser.error(f"{PAGE} has no place for the table {name!r}")
            PAGE.write_text(page, "utf-8")


def _suites() -> Iterator[str]:
    """How often the answers on suites are right, beside the paper's system."""
    yield "| suites | correct | entailments missed | false alarms | no answer |"
    yield "|---|---|---|---|---|"
    yield "| Afazio, as published | {} % | {} % | {} % | {} % |".format(*AFAZIO)
    recognizers = (("", "as it comes"), ("knowledge=false", "without word knowledge"))
    for seed in SUITE_SEEDS:
        cases = list(suite_cases(seed))
        for settings, words in recognizers if seed == SUITE_SEEDS[0] else recognizers[:1]:
            verdicts = _logic(settings).judge(cases)
            yield f"| `-r logic`, {words}, seed {seed} | {_suite_row(cases, verdicts)} |"


def _suite_row(cases: Sequence[Pair], verdicts: Sequence[Verdict]) -> str:
    n = Counter(
        (case.gold is Label.ENTAILMENT, verdict.label is Label.ENTAILMENT)
        for case, verdict in zip(cases, verdicts, strict=True)
        if verdict.status is Status.DECIDED
    )
    silent = sum(verdict.status is not Status.DECIDED for verdict in verdicts)
    true = sum(case.gold is Label.ENTAILMENT for case in cases)
    right = n[True, True] + n[False, False]
    figures = (
        right / len(cases),
        n[True, False] / true,
        n[False, True] / (len(cases) - true),
        silent / len(cases),
    )
    return " | ".join(f"{100 * each:.2f} %" for each in figures)


def _logic(settings: str = "") -> Recognizer:
    chosen = dict(each.split("=") for each in settings.split()) if settings else {}
    return load("logic", {name: value == "true" for name, value in chosen.items()})


def _fracas() -> Iterator[str]:
    """FraCaS by section and number of premises."""
    folder = data_folder() / "fracas"
    pairs = [pair for pair in read_pairs(folder / "fracas.xml") if pair.gold is not None]
    verdicts = _logic().judge(pairs)
    rows: dict[str, list[tuple[Pair, Verdict]]] = {}
    for pair, verdict in zip(pairs, verdicts, strict=True):
        n_premises = len(pair.meta.get("premises", [pair.text]))  # type: ignore[arg-type]
        for name in (pair.task or "", "one premise" if n_premises == 1 else "several", "all"):
            rows.setdefault(name, []).append((pair, verdict))
    yield "| section | problems | right | accuracy | always yes | proofs of yes or no | right |"
    yield "|---|---|---|---|---|---|---|"
    last = ("one premise", "several", "all")
    for name in sorted(
        rows, key=lambda each: (each in last, last.index(each) if each in last else 0)
    ):
        yield f"| {name} | {_three_way_row(rows[name])} |"


def _three_way_row(judged: Sequence[tuple[Pair, Verdict]]) -> str:
    right = sum(pair.gold is verdict.label for pair, verdict in judged)
    yes = sum(pair.gold is Label.ENTAILMENT for pair, _ in judged)
    proofs = [
        pair.gold is verdict.label
        for pair, verdict in judged
        if verdict.label in (Label.ENTAILMENT, Label.CONTRADICTION)
    ]
    n = len(judged)
    return f"{n} | {right} | {right / n:.3f} | {yes / n:.3f} | {len(proofs)} | {sum(proofs)}"


def _sick() -> Iterator[str]:
    """Precision and recall on SICK, for each answer."""
    yield "| set | pairs | accuracy | yes: precision | recall | no: precision | recall | both: precision |"
    yield "|---|---|---|---|---|---|---|---|"
    for name in ("trial", "train"):
        pairs = list(read_pairs(data_folder() / "sick" / f"SICK_{name}.txt"))
        for settings in ("", "knowledge=false"):
            judged = list(zip(pairs, _logic(settings).judge(pairs), strict=True))
            words = f"SICK {name}{', no word knowledge' if settings else ''}"
            yield f"| {words} | {_sick_row(judged)} |"


def _sick_row(judged: Sequence[tuple[Pair, Verdict]]) -> str:
    found = Counter((pair.gold, verdict.label) for pair, verdict in judged)
    cells = [f"{sum(found[each, each] for each in Label) / len(judged):.3f}"]
    hits = answers = 0
    for label in (Label.ENTAILMENT, Label.CONTRADICTION):
        said = sum(n for (_, answer), n in found.items() if answer is label)
        gold = sum(n for (gold_label, _), n in found.items() if gold_label is label)
        hits, answers = hits + found[label, label], answers + said
        cells += [f"{found[label, label] / max(said, 1):.3f}", f"{found[label, label] / gold:.3f}"]
    return f"{len(judged)} | " + " | ".join([*cells, f"{hits / max(answers, 1):.3f}"])


PHENOMENA = (
    *("monotonicity_infer", "quantifier", "counting", "negation", "boolean", "conditional"),
    *("comparative", "lexical", "syntactic_alternation", "temporal"),
)
LARGEST, USUAL = 1000, 300
"""Pairs of the first of these sets, and of the others."""


def _phenomena() -> Iterator[str]:
    """How often answers are right on sets about one phenomenon, on the halves that nobody looked at."""
    yield "| set | pairs | accuracy | yes: precision | recall | no: precision | recall | no answer |"
    yield "|---|---|---|---|---|---|---|---|"
    folder = data_folder() / "nli" / "phenomena"
    for name in PHENOMENA:
        most = LARGEST if name == PHENOMENA[0] else USUAL
        pairs = unseen(read_pairs(folder / f"{name}.jsonl.gz"))[:most]
        judged = list(zip(pairs, _logic().judge(pairs), strict=True))
        yield f"| {name} | {_phenomenon_row(judged)} |"


def unseen(pairs: Iterable[Pair]) -> list[Pair]:
    """The half of a set that is kept for reporting, by the hash of the text, in the order of hashes."""
    kept = [pair for pair in pairs if sha256(pair.text.encode()).digest()[0] % 2]
    return sorted(
        kept,
        key=lambda pair: sha256((pair.id + pair.text + pair.hypothesis).encode()).hexdigest(),
    )


def _phenomenon_row(judged: Sequence[tuple[Pair, Verdict]]) -> str:
    golds = {pair.gold for pair, _ in judged}
    two_way = Label.CONTRADICTION not in golds
    right = sum(
        (pair.gold is Label.ENTAILMENT) == (verdict.label is Label.ENTAILMENT)
        if two_way
        else pair.gold is verdict.label
        for pair, verdict in judged
    )
    cells = [f"{len(judged)}", f"{right / len(judged):.3f}"]
    for label in (Label.ENTAILMENT, Label.CONTRADICTION):
        said = [pair.gold is label for pair, verdict in judged if verdict.label is label]
        gold = [verdict.label is label for pair, verdict in judged if pair.gold is label]
        cells += [f"{sum(each) / len(each):.3f}" if each else "–" for each in (said, gold)]
    silent = sum(verdict.status is not Status.DECIDED for _, verdict in judged)
    return " | ".join([*cells, str(silent)])


def _rte() -> Iterator[str]:
    """Proofs on the development sets, and what they add to features."""
    yield "| set | word knowledge | proofs | right | share of the entailments | ceiling quoted |"
    yield "|---|---|---|---|---|---|"
    folder = data_folder() / "rte"
    for name in ("rte1_dev", "rte2_dev", "rte3_dev"):
        pairs = list(read_pairs(folder / f"{name}.xml"))
        true = sum(pair.gold is Label.ENTAILMENT for pair in pairs)
        for settings, ceiling in (("knowledge=false", "37 %"), ("", "49 %")):
            verdicts = _logic(settings).judge(pairs)
            proofs = [
                pair.gold is Label.ENTAILMENT
                for pair, verdict in zip(pairs, verdicts, strict=True)
                if verdict.label is Label.ENTAILMENT
            ]
            row = f"{len(proofs)} | {sum(proofs)} | {100 * sum(proofs) / true:.1f} %"
            quoted = ceiling if name == "rte1_dev" else "–"
            yield f"| {name} | {'no' if settings else 'yes'} | {row} | {quoted} |"


TABLES: dict[str, Callable[[], Iterator[str]]] = {
    "suites": _suites,
    "fracas": _fracas,
    "sick": _sick,
    "phenomena": _phenomena,
    "rte": _rte,
}

if __name__ == "__main__":
    main()
