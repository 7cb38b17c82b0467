"""Recognizers beside each other on the RTE sets: the table of `docs/results.md`.

Everything is judged by recognizers that were trained on other pairs. Within the development sets
that is ten-fold cross-validation, each set alone and all together; pairs with the same text are
never parted. The test set is judged by what was trained on all development sets.
`python -m benchmarks.accuracy --write` puts the table into the page.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.timing import ROOT, data_folder
from ensue.evaluation import Judged, line_up
from ensue.evaluation.measures import ACCURACY, CWS
from ensue.pairs import Pair, Run, Verdict, read_pairs
from ensue.recognizers import Recognizer, Trainable, load
from ensue.recognizers.cross_validation import judge_held_out
from ensue.statistics import mcnemar

RECOGNIZERS = ("modified-bleu", "overlap", "overlap-tree", "features")
OURS = "features"
SETS = ("rte1_dev", "rte2_dev", "rte3_dev")
TEST = "rte1_test"
PAGE = ROOT / "docs" / "results.md"
_PLACE = re.compile(r"(?<=<!-- accuracy -->\n).*?(?=<!-- /accuracy -->)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Figures:
    """How well a recognizer does on some pairs."""

    right: np.ndarray
    accuracy: float
    cws: float

    def __str__(self) -> str:
        return f"{100 * self.accuracy:.1f} / {self.cws:.3f}"


def main() -> None:
    """Print the table, or what is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the table into docs/results.md")
    parser.add_argument("--development", action="store_true", help="leave the test set alone")
    chosen = parser.parse_known_args()[0]
    folder = data_folder() / "rte"
    if not folder.is_dir():
        print(f"Accuracy: skipped, no RTE sets in {folder}; name them with ENSUE_DATA")
        return
    table = "\n".join(_lines(folder, () if chosen.development else (TEST,))) + "\n"
    print(table)
    if chosen.write:
        page = PAGE.read_text("utf-8")
        PAGE.write_text(_PLACE.sub(lambda _: table, page), "utf-8")


def _lines(folder: Path, tests: Sequence[str]) -> list[str]:
    sets = {name: _read(folder, name) for name in (*SETS, *tests)}
    together = [pair for name in SETS for pair in sets[name]]
    found = {name: _figures(name, sets, together) for name in RECOGNIZERS}
    columns = [*(f"{name} alone" for name in SETS), *SETS, "all three", *tests]
    lines = [
        f"| | {' | '.join(columns)} |",
        f"| --- |{' --- |' * len(columns)}",
        *(
            f"| `{name}` | {' | '.join(str(row[column]) for column in columns)} |"
            for name, row in found.items()
        ),
        "",
        f"Accuracy in % / confidence-weighted score. `{OURS}` against each other recognizer, exact"
        " McNemar:",
        "",
    ]
    for column in ("all three", *tests):
        for other in RECOGNIZERS[:-1]:
            lines.append(_compared(column, other, found[OURS][column], found[other][column]))
    return lines


def _read(folder: Path, name: str) -> list[Pair]:
    return [replace(pair, id=f"{name}.{pair.id}") for pair in read_pairs(folder / f"{name}.xml")]


def _figures(
    name: str, sets: dict[str, list[Pair]], together: Sequence[Pair]
) -> dict[str, Figures]:
    recognizer = load(name)
    assert isinstance(recognizer, Trainable)
    found = {
        f"{each} alone": judged(sets[each], judge_held_out(recognizer, sets[each])[0])
        for each in SETS
    }
    verdicts, _ = judge_held_out(recognizer, together)
    found["all three"] = judged(together, verdicts)
    start = 0
    for each in SETS:
        end = start + len(sets[each])
        found[each] = judged(sets[each], verdicts[start:end])
        start = end
    if TEST in sets:
        trained: Recognizer = recognizer.fit(together, seed=0)
        found[TEST] = judged(sets[TEST], trained.judge(sets[TEST]))
    return found


def judged(pairs: Sequence[Pair], verdicts: Sequence[Verdict]) -> Figures:
    """How well verdicts do on the pairs that they are of."""
    run: Judged = line_up(pairs, [Run("run", tuple(verdicts))]).judged[0]
    accuracy, cws = ACCURACY(run), CWS(run)
    assert accuracy is not None
    assert cws is not None
    return Figures(run.right, accuracy, cws)


def _compared(column: str, other: str, ours: Figures, theirs: Figures) -> str:
    only_ours = int((ours.right & ~theirs.right).sum())
    only_theirs = int((theirs.right & ~ours.right).sum())
    p = mcnemar(only_ours, only_theirs)
    difference = 100 * (ours.accuracy - theirs.accuracy)
    return (
        f"- {column}, `{other}`: {difference:+.1f} points; right alone on {only_ours} pairs"
        f" against {only_theirs}, p = {p:.2g}"
    )


if __name__ == "__main__":
    main()
