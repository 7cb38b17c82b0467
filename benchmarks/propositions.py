"""Propositions against sentences cut by hand, and statements of real texts to be read.

    python -m benchmarks.propositions [rte DIR [SEED]]

Without an argument it compares with `propositions.jsonl`: sixty sentences with their statements and
attitudes, half of them (`kept`) not looked at while the rules were written. With `rte` and the folder
of the RTE development sets it prints a hundred statements of texts that the rules were not written
with: those whose SHA-256 begins with an odd byte.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ensue import propositions, read_pairs
from ensue.claims import Proposition

GOLD = Path(__file__).with_suffix(".jsonl")
PARTS = ("rules", "kept")
"""The sentences that the rules were written with, and those that they were not."""
_SETS = ("rte1_dev.xml", "rte2_dev.xml", "rte3_dev.xml")
_READ = 100
"""Statements that are printed."""
_SEED = 57
"""Of the order of the texts."""


@dataclass(frozen=True)
class CutSentence:
    """A sentence with its statements, and the attitudes of each."""

    part: str
    text: str
    statements: dict[str, frozenset[str]]


@dataclass(frozen=True)
class CutScore:
    """How many statements are found, of how many."""

    n_gold: int
    n_found: int
    n_alike: int
    n_put_alike: int
    """Of those that are alike, how many have the same attitudes."""

    @property
    def precision(self) -> float:
        """Of the statements that were found, those of the gold."""
        return self.n_alike / self.n_found

    @property
    def recall(self) -> float:
        """Of those of the gold, the ones that were found."""
        return self.n_alike / self.n_gold


def normalized(statement: str) -> str:
    """The words of a statement, in lower case and without punctuation."""
    return " ".join(re.findall(r"[\w'’]+", statement.lower()))


def read_gold(part: str | None = None) -> list[CutSentence]:
    """The sentences that were cut by hand, or those of a part."""
    rows = [json.loads(line) for line in GOLD.read_text("utf-8").splitlines()]
    return [
        CutSentence(
            row["part"],
            row["text"],
            {normalized(words): frozenset(how) for words, how in row["statements"]},
        )
        for row in rows
        if part in (None, row["part"])
    ]


def score(
    sentences: Iterable[CutSentence], cut: Callable[[str], Sequence[Proposition]]
) -> CutScore:
    """Compare what a function makes of the sentences with what was cut by hand."""
    n_gold = n_found = n_alike = n_put_alike = 0
    for sentence in sentences:
        found = {
            normalized(each.statement): {why.attitude.value for why in each.embedding}
            for each in cut(sentence.text)
        }
        alike = sentence.statements.keys() & found.keys()
        n_gold += len(sentence.statements)
        n_found += len(found)
        n_alike += len(alike)
        n_put_alike += sum(sentence.statements[each] == found[each] for each in alike)
    return CutScore(n_gold, n_found, n_alike, n_put_alike)


def scores_table() -> Iterator[str]:
    """The rows of the table in `docs/propositions.md`."""
    yield "| sentences | statements by hand | found | the same | precision | recall | put alike |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for part in PARTS:
        some = read_gold(part)
        found = score(some, propositions)
        yield (
            f"| {len(some)}, {part} | {found.n_gold} | {found.n_found} | {found.n_alike}"
            f" | {found.precision:.1%} | {found.recall:.1%} | {found.n_put_alike} |"
        )


def unseen_texts(folder: Path) -> list[str]:
    """Texts of the development sets that the rules were not written with."""
    texts = {pair.text for name in _SETS for pair in read_pairs(str(folder / name))}
    return [each for each in sorted(texts) if hashlib.sha256(each.encode()).digest()[0] % 2]


def statements_to_read(folder: Path, seed: int) -> Iterator[str]:
    """A hundred statements, each text above its own."""
    texts = unseen_texts(folder)
    random.Random(seed).shuffle(texts)
    number = 0
    for text in texts:
        yield f"\n{text}"
        for each in propositions(text):
            number += 1
            if number > _READ:
                return
            how = ", ".join(f"{why.attitude.value}: {why.word}" for why in each.embedding)
            yield f"  {number}. {each.statement}{f' ({how})' if how else ''}"


def main(arguments: Sequence[str]) -> None:
    """Print what is asked for."""
    if arguments[:1] == ["rte"]:
        seed = int(arguments[2]) if len(arguments) > 2 else _SEED
        print(*statements_to_read(Path(arguments[1]), seed), sep="\n")
    else:
        print(*scores_table(), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
