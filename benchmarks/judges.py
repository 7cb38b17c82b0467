"""The joint recognizer and its stages on every set: the tables of `docs/results.md`.

    python -m benchmarks.judges [--write]
    python -m benchmarks.judges --every [--write]    every recognizer on the sets that the joint model did not learn from

Sets that the joint model learned from are judged by ten-fold cross-validation over all of them at
once, pairs with one text never parted; the others by the model that ships. Every choice of stages is judged on the
same answers, so that what a stage is worth is a paired comparison.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.logic import suite_cases
from benchmarks.network import held_out, mixture, stage_columns
from benchmarks.timing import ROOT, data_folder
from benchmarks.traps import traps
from ensue.neural import ORDER
from ensue.pairs import Label, Pair, Verdict, View, read_pairs
from ensue.recognizers import load
from ensue.recognizers.joint import shipped
from ensue.recognizers.joint_model import Columns, JudgingStage, columns_of, fitted_model
from ensue.statistics import mcnemar, softmax, split_folds, stratified_folds

PAGE = ROOT / "docs" / "results.md"
ALL = tuple(JudgingStage)
CHOICES = (
    ALL,
    *(tuple(stage for stage in ALL if stage is not left_out) for left_out in ALL),
    (JudgingStage.NEURAL,),
)
FOLDS = 10
DRAWS = 2000
Rows = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Judgment:
    """What one choice of stages says of one set."""

    right: NDArray[np.bool_]
    """In the view of the gold."""
    right_two_way: NDArray[np.bool_]
    confidence: Rows

    @property
    def cws(self) -> float:
        """The confidence-weighted score."""
        order = np.argsort(-self.confidence, kind="stable")
        return float(np.mean(np.cumsum(self.right[order]) / np.arange(1, len(order) + 1)))

    @property
    def calibration_error(self) -> float:
        """The expected calibration error over ten bins."""
        place = np.minimum((self.confidence * 10).astype(int), 9)
        gaps = np.bincount(place, self.right, 10) - np.bincount(place, self.confidence, 10)
        return float(np.abs(gaps).sum() / len(place))

    @property
    def interval(self) -> tuple[float, float]:
        """Of the accuracy, by bootstrap."""
        rng = np.random.default_rng(0)
        n = len(self.right)
        shares = rng.binomial(n, self.right.mean(), DRAWS) / n
        low, high = np.percentile(shares, [2.5, 97.5])
        return float(low), float(high)


def judgment(chances: Rows, pairs: Sequence[Pair]) -> Judgment:
    """Probabilities beside gold."""
    yes = np.array([pair.gold is Label.ENTAILMENT for pair in pairs])
    labels = np.where(chances[:, 0] > 0.5, 0, 1 + chances[:, 1:].argmax(axis=1))
    two_way = (labels == 0) == yes
    if any(pair.gold is Label.NOT_ENTAILMENT for pair in pairs):
        return Judgment(two_way, two_way, np.where(labels == 0, chances[:, 0], 1 - chances[:, 0]))
    right = np.array([ORDER[i] is pair.gold for i, pair in zip(labels, pairs, strict=True)])
    return Judgment(right, two_way, chances[np.arange(len(pairs)), labels])


def cross_validated(
    columns: Columns, pairs: Sequence[Pair], stages: Sequence[JudgingStage]
) -> Rows:
    """What models that were trained on other pairs say; their strength is that of what ships."""
    columns = columns_of(columns, stages)
    kept = shipped("+".join(stages))
    assert kept is not None
    assert kept.model is not None
    texts = {text: i for i, text in enumerate(dict.fromkeys(pair.text for pair in pairs))}
    groups = np.array([texts[pair.text] for pair in pairs])
    yes = np.array([pair.gold is Label.ENTAILMENT for pair in pairs])
    found = np.zeros((len(pairs), len(ORDER)))
    for train, others in split_folds(stratified_folds(yes, groups, FOLDS, seed=1)):
        part = {name: values[train] for name, values in columns.items()}
        learned_from = [pairs[i] for i in train]
        model = fitted_model(part, learned_from, seed=0, strength=kept.model.strength)
        found[others] = softmax(model.log_odds({k: v[others] for k, v in columns.items()}))
    return found


def untouched() -> Iterator[tuple[str, list[Pair]]]:
    """Sets that no model learned from."""
    folder = data_folder()
    yield "rte1_test", list(read_pairs(folder / "rte" / "rte1_test.xml"))
    yield "sick_trial", list(read_pairs(folder / "sick" / "SICK_trial.txt"))
    yield "fracas", [p for p in read_pairs(folder / "fracas" / "fracas.xml") if p.gold]
    cases = list(suite_cases(101))
    random.Random(0).shuffle(cases)
    yield "suite, seed 101", cases[:1000]
    yield "traps", traps(7)
    for name in ("minimal pairs", "more minimal pairs"):
        yield name, list(read_pairs(ROOT / "benchmarks" / f"{name.replace(' ', '_')}.jsonl"))


def all_judgments() -> Iterator[tuple[str, str, list[Judgment]]]:
    """Each set's name, how it was judged, and a judgment for each choice of stages."""
    pairs = list(mixture())
    columns = stage_columns(pairs)
    rows = [cross_validated(columns, pairs, stages) for stages in CHOICES]
    names = list(dict.fromkeys(str(pair.task) for pair in pairs))
    together = {"RTE dev, all": "rte", "suites": "suite"}
    groups = {n: [each for each in names if each.startswith(p)] for n, p in together.items()}
    groups |= {name: [name] for name in names if not name.startswith("suite")}
    for name, members in groups.items():
        kept = np.array([pair.task in members for pair in pairs])
        own = [pair for pair, is_kept in zip(pairs, kept, strict=True) if is_kept]
        yield name, "cross-validated", [judgment(each[kept], own) for each in rows]
    for name, own in untouched():
        columns = stage_columns(own)
        found = []
        for stages in CHOICES:
            kept_model = shipped("+".join(stages))
            assert kept_model is not None
            assert kept_model.model is not None
            odds = kept_model.model.log_odds(columns_of(columns, stages))
            found.append(judgment(softmax(odds), own))
        yield name, "untouched", found


def table(found: Mapping[str, tuple[str, list[Judgment]]]) -> Iterator[str]:
    """Accuracy with its interval, in the view of the gold and two-way; cws; calibration."""
    yield "| set | pairs | judged | accuracy % | two-way % | cws | calibration error |"
    yield "|---|---|---|---|---|---|---|"
    for name, (how, (joint, *_)) in found.items():
        low, high = joint.interval
        cells = (
            f"{100 * joint.right.mean():.1f} [{100 * low:.1f}, {100 * high:.1f}]",
            f"{100 * joint.right_two_way.mean():.1f}",
            f"{joint.cws:.3f}",
            f"{joint.calibration_error:.3f}",
        )
        yield f"| {name} | {len(joint.right):,} | {how} | {' | '.join(cells)} |"


def ablation(found: Mapping[str, tuple[str, list[Judgment]]]) -> Iterator[str]:
    """The accuracy without each stage, with the p-value of McNemar's test."""
    names = ["all", *(f"without {stage.value}" for stage in ALL), "neural alone"]
    yield f"| set | {' | '.join(names)} |"
    yield "|---" * (len(names) + 1) + "|"
    for name, (_, (joint, *others)) in found.items():
        cells = [f"{100 * joint.right.mean():.1f}"]
        for other in others:
            won = int((joint.right & ~other.right).sum())
            lost = int((other.right & ~joint.right).sum())
            cells.append(f"{100 * other.right.mean():.1f} (p {mcnemar(won, lost):.2g})")
        yield f"| {name} | {' | '.join(cells)} |"


# Every recognizer beside the others, on sets that none of them learned from.

EVERY = (
    "modified-bleu",
    "overlap",
    "semantic-distance",
    "tree-edit",
    "translation-model",
    "propositions",
    "features",
    "logic",
    "neural",
    "joint",
)

CHANCES = ("neural", "joint")
"""Of these, those whose scores are probabilities of the three labels."""


def kept_apart() -> Iterator[tuple[str, list[Pair]]]:
    """Samples of what the network and the joint model did not see, and the untouched sets.

    The joint model learned from other pairs of the held-out tenths, the features from RTE's
    development sets, which are not among these. The table of the translation model is of entailing
    pairs of the same parts of SNLI and MultiNLI.
    """
    folder = data_folder() / "nli"
    seen = {(pair.text, pair.hypothesis) for pair in mixture()}
    for name in ("snli_train", "mnli_train", "phenomena/monotonicity_infer"):
        pairs = held_out(folder / f"{name}.jsonl.gz", 6000)
        yield name, [p for p in pairs if (p.text, p.hypothesis) not in seen][:1000]
    yield from untouched()


def judged(verdicts: Sequence[Verdict], pairs: Sequence[Pair], *, gives_chances: bool) -> Judgment:
    """Verdicts beside gold; one that is not decided is not right."""
    two_way_gold = any(pair.gold is Label.NOT_ENTAILMENT for pair in pairs)
    yes = np.array([pair.gold is Label.ENTAILMENT for pair in pairs])
    said = np.array([each.label is Label.ENTAILMENT for each in verdicts])
    decided = np.array([each.label is not None for each in verdicts])
    two_way = (said == yes) & decided
    same = np.array([v.label is p.gold for v, p in zip(verdicts, pairs, strict=True)])
    confidence = np.array([each.confidence or 0.0 for each in verdicts])
    if two_way_gold and gives_chances:  # a no has all that is left of one
        chances = np.array([each.score or 0.0 for each in verdicts])
        confidence = np.where(said, chances, 1 - chances)
    return Judgment(two_way if two_way_gold else same, two_way, confidence)


def every_recognizer() -> Iterator[str]:
    """Rows of the table: accuracy in the view of the gold, two-way, cws, calibration, speed."""
    yield "| set | recognizer | accuracy % | two-way % | cws | calibration error | pairs a second |"
    yield "|---|---|---|---|---|---|---|"
    recognizers = {name: load(name) for name in EVERY}
    for each in recognizers.values():
        each.judge([Pair("first", "A dog barked.", "An animal barked.")])
    for name, pairs in kept_apart():
        for who, recognizer in recognizers.items():
            began = time.perf_counter()
            found = judged(recognizer.judge(pairs), pairs, gives_chances=who in CHANCES)
            speed = len(pairs) / (time.perf_counter() - began)
            low, high = found.interval
            three = recognizer.signature.view is View.THREE_WAY
            three_way_gold = not any(pair.gold is Label.NOT_ENTAILMENT for pair in pairs)
            own = f"{100 * found.right.mean():.1f} [{100 * low:.1f}, {100 * high:.1f}]"
            cells = (
                own if three or not three_way_gold else "–",
                f"{100 * found.right_two_way.mean():.1f}",
                f"{found.cws:.3f}" if three or not three_way_gold else "–",
                f"{found.calibration_error:.3f}" if who in CHANCES else "–",
                f"{speed:,.0f}",
            )
            yield f"| {name} ({len(pairs):,}) | `{who}` | {' | '.join(cells)} |"


def main() -> None:
    """Print the tables, and put them into the page where asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="put them into docs/results.md")
    parser.add_argument("--every", action="store_true", help="every recognizer, not only joint")
    asked = parser.parse_args()
    if asked.every:
        tables = [("every", every_recognizer())]
    else:
        found = {name: (how, rows) for name, how, rows in all_judgments()}
        tables = [("joint", table(found)), ("stages", ablation(found))]
    for mark, lines in tables:
        text = "\n".join(lines) + "\n"
        print(text)
        if asked.write:
            place = re.compile(rf"(?<=<!-- {mark} -->\n).*?(?=<!-- /{mark} -->)", re.DOTALL)
            page, n = place.subn(lambda _, text=text: text, PAGE.read_text("utf-8"))
            if n != 1:
                parser.error(f"{PAGE} has no place for the table {mark!r}")
            PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
