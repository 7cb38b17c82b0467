"""The sentences cut by hand, and how many of their statements are found."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

GOLD = Path(__file__).with_name("propositions.jsonl")
PARTS = ("rules", "kept")
"""The sentences that the rules were written with, and those that they were not."""


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
    def precision(self):
        return self.n_alike / self.n_found

    @property
    def recall(self):
        return self.n_alike / self.n_gold


def normalized(statement):
    """The words of a statement, in lower case and without punctuation."""
    return " ".join(re.findall(r"[\w'’]+", statement.lower()))


def read_gold(part=None):
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


def score(sentences, cut):
    """Compare what a function makes of the sentences with what was cut by hand."""
    n_gold = n_found = n_alike = n_put_alike = 0
    for sentence in sentences:
        found = {
            normalized(each.statement): {embedder.attitude.value for embedder in each.embedding}
            for each in cut(sentence.text)
        }
        alike = sentence.statements.keys() & found.keys()
        n_gold += len(sentence.statements)
        n_found += len(found)
        n_alike += len(alike)
        n_put_alike += sum(sentence.statements[each] == found[each] for each in alike)
    return CutScore(n_gold, n_found, n_alike, n_put_alike)
