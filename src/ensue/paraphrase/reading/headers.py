"""What columns are by their names: which is the term, which a judge's, which something else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum

from ensue.errors import DataError
from ensue.paraphrase.model import Strictness

_JUDGE = re.compile(
    r"(?P<judge>.*\S)\s*[._:]\s*(?P<strictness>strict|lenient)", re.IGNORECASE | re.DOTALL
)


class Role(StrEnum):
    """What a column can be in a file of lists."""

    TERM = "term"
    PARAPHRASE = "paraphrase"
    METHOD = "method"
    RANK = "rank"
    CONFIDENCE = "confidence"
    SENTENCE = "sentence"


_SYNONYMS = {
    **{role.value: role for role in Role},
    "source": Role.TERM,
    "source_term": Role.TERM,
    "pattern": Role.PARAPHRASE,
}
_NEEDED = (Role.TERM, Role.PARAPHRASE)


@dataclass(frozen=True, slots=True)
class Header:
    """The columns of a file by what they are."""

    roles: Mapping[Role, str]
    labels: Mapping[tuple[str, Strictness], str]
    """By judge and strictness."""
    others: tuple[str, ...]


def read_header(columns: Iterable[str], place: str) -> Header:
    """Tell what each column is.

    Names are compared in lower case; blanks and hyphens in them are underscores.

    Raises:
        DataError: there is no term or no paraphrase, or two columns are the same thing.
    """
    roles: dict[Role, str] = {}
    labels: dict[tuple[str, Strictness], str] = {}
    others = []
    for column in columns:
        role = _SYNONYMS.get(re.sub(r"[\s-]", "_", column.strip().lower()))
        judged = judge_and_strictness(column)
        if role:
            _refuse_doubled(roles.setdefault(role, column), column, place)
        elif judged:
            _refuse_doubled(labels.setdefault(judged, column), column, place)
        else:
            others.append(column)
    for role in _NEEDED:
        if role not in roles:
            raise no_column(role.value, others, place)
    return Header(roles, labels, tuple(others))


def judge_and_strictness(column: str) -> tuple[str, Strictness] | None:
    """The judge and the strictness that a column is named after; None where it is another.

    >>> judge_and_strictness("anna.strict"), judge_and_strictness("judge_2_lenient")
    (('anna', <Strictness.STRICT: 'strict'>), ('judge_2', <Strictness.LENIENT: 'lenient'>))
    """
    found = _JUDGE.fullmatch(column.strip())
    return found and (found["judge"], Strictness(found["strictness"].lower()))


def _refuse_doubled(first: str, column: str, place: str) -> None:
    if first != column:
        raise DataError(
            f"the columns {first!r} and {column!r} are the same thing",
            place=place,
            hint="leave one of them out, or give it another name",
        )


def no_column(name: str, columns: Iterable[str], place: str) -> DataError:
    """Say that a column lacks, and suggest the nearest that is there."""
    known = [column for column in columns if column]
    close = get_close_matches(name, known, n=1)
    if close:
        hint = f"did you mean {close[0]!r}?"
    else:
        hint = (
            f"the others are: {', '.join(known)}" if known else "the first line names the columns"
        )
    return DataError(f"no column is called {name!r}", place=place, hint=hint)
