"""Questions and candidate answers as triples `x, relation, y`, after Levy & Dagan (2016)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice

from ensue.errors import DataError
from ensue.paraphrase.reading.tables import CHUNK, Chunk

ORDER = "order"
"""The column that tells how the arguments of both triples stand to each other."""
STRAIGHT, INVERSE, UNDECIDED = "straight", "inverse", "undecided"

_COMMA = re.compile(r"\s*,\s*")
_HINT = "a row is two triples and y or n, with tabs between: x, relation, y"

Triple = tuple[str, str, str]


def is_triples(cells: Sequence[str]) -> bool:
    """Whether a row is one of this layout, and so the file has no header."""
    return len(cells) == 3 and all(_triple(cell) for cell in cells[:2])


def triple_chunks(
    rows: Iterator[tuple[int, list[str]]], name: str, size: int = CHUNK
) -> Iterator[Chunk]:
    """Yield rows of triples under the names of our own columns, with the order of the arguments.

    Raises:
        DataError: a row is of another kind.
    """
    while batch := list(islice(rows, size)):
        lines = [line for line, _ in batch]
        columns: dict[str, list[str]] = {}
        for line, cells in batch:
            for column, value in _columns(cells, f"{name}:{line}").items():
                columns.setdefault(column, []).append(value)
        yield Chunk(name, f"{name}:1", lines, columns)


def _columns(cells: Sequence[str], place: str) -> dict[str, str]:
    """The first triple is the question, which may follow from the second, the answer."""
    question, answer = (_triple(cell) for cell in (*cells[:2], "", "")[:2])
    if len(cells) != 3 or question is None or answer is None:
        raise DataError(f"this is no row of triples: {cells!r}", place=place, hint=_HINT)
    return {
        "term": answer[1],
        "paraphrase": question[1],
        "text": " ".join(answer),
        "hypothesis": " ".join(question),
        "judgment": cells[2],
        ORDER: argument_order(question, answer),
    }


def _triple(cell: str) -> Triple | None:
    parts = _COMMA.split(cell.strip())
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 and all(parts) else None


def argument_order(question: Triple, answer: Triple) -> str:
    """How the arguments of two triples stand to each other.

    The question's first argument is but a type, so that its second decides: whether it is more
    like the answer's second, or like its first. The types are asked where it is like both alike.

    >>> argument_order(("country", "exports", "oil"), ("the oil", "is shipped from", "a port"))
    'inverse'
    """
    straight = likeness(question[2], answer[2]), likeness(question[0], answer[0])
    inverse = likeness(question[2], answer[0]), likeness(question[0], answer[2])
    if straight == inverse:
        return UNDECIDED
    return STRAIGHT if straight > inverse else INVERSE


def likeness(first: str, second: str) -> float:
    """The stems that two arguments share, over all their stems (Jaccard 1901).

    >>> likeness("a virus", "the virus"), likeness("bugs", "little bugs")
    (1.0, 0.5)
    """
    shared = len(_stems(first) & _stems(second))
    return shared / len(_stems(first) | _stems(second)) if shared else 0.0


@cache
def _stems(argument: str) -> frozenset[str]:
    """The stems of the content words; of all words where none is one."""
    # not above: these bring the compiler with them, and other layouts need none of it
    from ensue.paraphrase.words import is_content_word, words_of
    from ensue.surface.stemming import stems

    words = words_of(argument)
    return frozenset(stems([word for word in words if is_content_word(word)] or words))
