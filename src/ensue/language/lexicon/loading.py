"""The lexicon that the package ships."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ensue.errors import DataError
from ensue.language.lexicon.lexicon import Lexicon
from ensue.language.lexicon.table import HINT, read_table

TABLE = Path(__file__).with_name("wordnet.table")
"""WordNet 3.0, compiled."""

LICENSE = "WORDNET-LICENSE.txt"
"""The name of WordNet's license, which lies beside its table."""

FRAMES = ("frames.senses", "frames.numbers")
"""The arrays of verbs' sentence frames, which came to the table last."""


def read_lexicon(path: Path) -> Lexicon:
    """Map a compiled lexicon into memory.

    Raises:
        DataError: there is none, or it is damaged, or it was compiled without sentence frames.
    """
    table = read_table(path)
    for name in FRAMES:
        if name not in table.arrays:
            raise DataError(
                f"the table is older than the lexicon: it has no {name!r}",
                place=str(path),
                hint=HINT,
            )
    return Lexicon(table)


@cache
def load_lexicon() -> Lexicon:
    """The shipped lexicon, mapped into memory when it is first asked for.

    >>> load_lexicon().lemmas("geese", "noun")
    ('goose',)
    """
    return read_lexicon(TABLE)
