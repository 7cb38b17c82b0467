"""The lexicon that the package ships."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ensue.language.lexicon.lexicon import Lexicon
from ensue.language.lexicon.table import read_table

TABLE = Path(__file__).with_name("wordnet.table")
"""WordNet 3.0, compiled."""

LICENSE = "WORDNET-LICENSE.txt"
"""The name of WordNet's license, which lies beside its table."""


def read_lexicon(path: Path) -> Lexicon:
    """Map a compiled lexicon into memory.

    Raises:
        DataError: there is none, or it is damaged.
    """
    return Lexicon(read_table(path))


@cache
def load_lexicon() -> Lexicon:
    """The shipped lexicon, mapped into memory when it is first asked for.

    >>> load_lexicon().lemmas("geese", "noun")
    ('goose',)
    """
    return read_lexicon(TABLE)
