"""Places by their several names, and by the words for what or who is from there."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def nations() -> dict[str, tuple[int, bool]]:
    """For each word the number of its place, and whether it is the place's own name."""
    found: dict[str, tuple[int, bool]] = {}
    lines = (files("ensue.alignment") / "nations.tsv").read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    for number, (names, words) in enumerate(rows):
        found |= dict.fromkeys(words.split("|"), (number, False))
        found |= dict.fromkeys(names.split("|"), (number, True))
    return found


def nation_of(lemma: str) -> tuple[int, bool]:
    """The number of the place that a word is of, -1 for none, and whether it is its name.

    >>> nation_of("swedes") == nation_of("swedish") and not nation_of("swedish")[1]
    True
    """
    known = nations()
    plain = lemma.removeprefix("the ")
    if plain in known:
        return known[plain]
    return known.get(plain.removesuffix("s"), (-1, False))
