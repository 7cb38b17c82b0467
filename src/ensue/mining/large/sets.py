"""The distinct sets of forms among very many cases, met batch after batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.mining.distinct import DistinctRows
from ensue.mining.finding import form_kind
from ensue.mining.forms import Forms, distinct_ids, no_forms, same_name
from ensue.pairs import Pair

MOST = 5_000_000
"""So many sets of forms, or profiles, are counted, at some 100 bytes each."""

MOST_FORMS = 200_000_000
"""So many forms there may be in all sets together, at 4 bytes each."""

_FEWER = "mine fewer kinds of forms, or such as many cases share: tags or a column, not words"


class FormSets:
    """Numbers the distinct sets of forms as cases come along, and holds each once."""

    def __init__(self, kinds: Sequence[str]) -> None:
        if not kinds:
            raise no_forms()
        self.kinds = tuple(map(form_kind, kinds))
        self._numbers: dict[str, int] = {}
        self._kinds_of: list[int] = []
        self._sets = DistinctRows()
        self._seen = [False] * len(kinds)
        self._columns: set[str] = set()

    def of_pairs(self, pairs: Sequence[Pair]) -> NDArray[np.int64]:
        """The number of each pair's set of forms.

        Raises:
            DataError: as the kinds of forms raise it.
            SettingError: as `add`.
        """
        self.look_at(pairs)
        return self.add([kind.find(pairs) for kind in self.kinds])

    def look_at(self, pairs: Sequence[Pair]) -> None:
        """See whether these pairs have what the forms are made of."""
        for k, kind in enumerate(self.kinds):
            if not self._seen[k]:
                self._seen[k] = any(map(kind.has, pairs))
                self._columns.update(name for pair in pairs for name in pair.meta)

    def saw(self, name: str) -> None:
        """Note that some case has what the forms of that kind are made of."""
        self._seen = [
            seen or kind.name == name for seen, kind in zip(self._seen, self.kinds, strict=True)
        ]

    def add(self, parts: Sequence[Forms]) -> NDArray[np.int64]:
        """The number of each case's set, from its forms of each kind.

        Raises:
            SettingError: two kinds have a form of one name, or there are too many sets.
        """
        n_cases = parts[0].n_cases
        cases = np.concatenate([np.repeat(np.arange(n_cases), part.sizes) for part in parts])
        ids = np.concatenate([self._renumbered(k, part) for k, part in enumerate(parts)])
        found = self._sets.numbers(*distinct_ids(cases, ids, len(self._numbers), n_cases))
        check_number(self._sets.n_rows, MOST, "different sets of forms")
        check_number(self._sets.n_values, MOST_FORMS, "forms in different sets")
        return found

    def forms(self) -> Forms:
        """The sets, by their numbers.

        Raises:
            DataError, UnknownNameError: no case has what the forms of a kind are made of.
        """
        for kind, seen in zip(self.kinds, self._seen, strict=True):
            if kind.missing is not None and not seen:
                raise kind.missing(self._columns)
        return Forms(tuple(self._numbers), self._sets.offsets, self._sets.values)

    def _renumbered(self, k: int, part: Forms) -> NDArray[np.int64]:
        """The numbers that the forms of one kind have here; new ones get the next."""
        known = np.zeros(len(part.names), np.int64)
        for i in np.unique(part.ids).tolist():
            number = self._numbers.setdefault(part.names[i], len(self._numbers))
            if number == len(self._kinds_of):
                self._kinds_of.append(k)
            elif self._kinds_of[number] != k:
                raise same_name()
            known[i] = number
        return known[part.ids]


def check_number(n: int, most: int, what: str) -> None:
    """Refuse more of something than fit into memory.

    Raises:
        SettingError: there are more than `most`.
    """
    if n > most:
        raise SettingError(f"there are more than {most:,} {what}", hint=_FEWER)
