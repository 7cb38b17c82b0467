"""The forms of cases as arrays: what a case has that may be to blame for an error."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.mining.kernels import occurrences, two_by_two

TOGETHER = " + "
"""Stands between two forms that are mined as one."""

_MOST = 200_000_000
"""So many occurrences of two forms together fit into memory; 16 bytes each, and as many to sort."""


@dataclass(frozen=True, slots=True, eq=False)
class Forms:
    """The forms of many cases; in one case each form occurs once or not at all."""

    names: tuple[str, ...]
    """The forms, by their numbers."""
    offsets: NDArray[np.int64]
    """Where each case's forms begin in `ids`, with the end of the last."""
    ids: NDArray[np.int32]
    """The numbers of all cases' forms, case after case, increasing in each."""

    @property
    def n_cases(self) -> int:
        """Cases, those without a form included."""
        return len(self.offsets) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many forms each case has."""
        return np.diff(self.offsets)

    def of(self, case: int) -> tuple[str, ...]:
        """The forms of one case, by name."""
        found = self.ids[self.offsets[case] : self.offsets[case + 1]]
        return tuple(self.names[i] for i in found)

    def counts(
        self, times: NDArray[np.bool_] | NDArray[np.int64] | None = None
    ) -> NDArray[np.int64]:
        """In how many cases each form occurs, where the i-th case counts `times[i]` times."""
        weights = np.ones(self.n_cases, np.int64) if times is None else times.astype(np.int64)
        return occurrences(self.offsets, self.ids, weights, len(self.names))

    def subset(self, chosen: NDArray[np.bool_]) -> Forms:
        """The same forms on some of the cases."""
        ids = self.ids[np.repeat(chosen, self.sizes)]
        return Forms(self.names, _offsets(self.sizes[chosen]), ids)

    def take(self, cases: NDArray[np.int64]) -> Forms:
        """The same forms on these cases, in this order."""
        sizes = self.sizes[cases]
        offsets = _offsets(sizes)
        places = np.repeat(self.offsets[cases] - offsets[:-1], sizes) + np.arange(offsets[-1])
        return Forms(self.names, offsets, self.ids[places])

    def cases_with(self, form: int) -> NDArray[np.intp]:
        """The cases that have the form."""
        return np.searchsorted(self.offsets, np.flatnonzero(self.ids == form), "right") - 1


def forms_of(cases: Iterable[Iterable[str]]) -> Forms:
    """Number the forms of each case, in the order in which they are first met.

    >>> forms = forms_of([["VP/VA", "N/VA"], [], ["VP/VA", "VP/VA"]])
    >>> forms.names, forms.counts().tolist(), forms.of(2)
    (('VP/VA', 'N/VA'), [2, 1], ('VP/VA',))
    """
    numbers: dict[str, int] = {}
    sizes: list[int] = []
    ids: list[int] = []
    for case in cases:
        found = {numbers.setdefault(name, len(numbers)) for name in case}
        sizes.append(len(found))
        ids.extend(sorted(found))
    return Forms(tuple(numbers), _offsets(np.array(sizes, np.int64)), np.array(ids, np.int32))


def distinct_forms(
    cases: NDArray[np.int64], ids: NDArray[np.int64], names: Sequence[str], n_cases: int
) -> Forms:
    """Forms from occurrences in any order, in which a form may occur in a case many times."""
    return Forms(tuple(names), *distinct_ids(cases, ids, len(names), n_cases))


def distinct_ids(
    cases: NDArray[np.int64], ids: NDArray[np.int64], n_forms: int, n_cases: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The same as offsets and ids, where the forms have no names yet."""
    # sorted by ourselves: where nearly all are different, np.unique takes ten times as long
    keys = np.sort(cases * max(n_forms, 1) + ids)
    occurring = keys[np.append(True, keys[1:] != keys[:-1])] if len(keys) else keys
    in_case, form = np.divmod(occurring, max(n_forms, 1))
    sizes = np.bincount(in_case, minlength=n_cases).astype(np.int64)
    return _offsets(sizes), form.astype(np.int32)


def side_by_side(parts: Sequence[Forms]) -> Forms:
    """Forms of several kinds on the same cases, as one.

    Raises:
        SettingError: two kinds have a form of one name, or there is none.
    """
    if not parts:
        raise no_forms()
    names = [name for part in parts for name in part.names]
    if len(set(names)) < len(names):
        raise same_name()
    starts = np.cumsum([0, *(len(part.names) for part in parts)])
    cases = [np.repeat(np.arange(part.n_cases), part.sizes) for part in parts]
    ids = [part.ids.astype(np.int64) + start for part, start in zip(parts, starts, strict=False)]
    return distinct_forms(np.concatenate(cases), np.concatenate(ids), names, parts[0].n_cases)


def no_forms() -> SettingError:
    """What is said where no kind of forms is named."""
    return SettingError("there are no forms to mine", hint="e.g. tags or words")


def same_name() -> SettingError:
    """What is said where two kinds have a form of one name."""
    return SettingError(
        "two kinds of forms have a form of one name", hint="name each kind of forms once"
    )


def with_pairs_of_forms(
    forms: Forms, support: int, times: NDArray[np.int64] | None = None
) -> Forms:
    """The forms, and every two of them that occur together in at least `support` cases.

    Two forms are named together in alphabetical order.

    Args:
        forms: The forms of each case.
        support: The least number of cases.
        times: How many times each case counts; once, where it is not given.

    Raises:
        SettingError: the support is below 1, or so low that there are too many.
    """
    if support < 1:
        raise SettingError(f"a support of {support!r} makes no sense", hint="at least 1")
    times = np.ones(forms.n_cases, np.int64) if times is None else times
    frequent = _frequent(forms, support, times)
    n_found = int((frequent.sizes * (frequent.sizes - 1) // 2).sum())
    if n_found > _MOST:
        raise SettingError(
            f"{n_found:,} times two forms occur together: too many to count",
            hint=f"ask for more support than {support}",
        )
    cases, first, second = two_by_two(frequent.offsets, frequent.ids, n_found)
    keys = first.astype(np.int64) * max(len(forms.names), 1) + second
    found, ids = np.unique(keys, return_inverse=True)
    kept = np.bincount(ids, times[cases], minlength=len(found)) >= support
    names = [_both(forms, int(key)) for key in found[kept]]
    numbers = np.cumsum(kept) - 1
    chosen = kept[ids]
    pairs = distinct_forms(cases[chosen], numbers[ids[chosen]], names, forms.n_cases)
    return side_by_side([forms, pairs])


def _frequent(forms: Forms, support: int, times: NDArray[np.int64]) -> Forms:
    """The forms with that support: no two occur together more often than either does alone."""
    kept = (forms.counts(times) >= support)[forms.ids]
    cases = np.repeat(np.arange(forms.n_cases), forms.sizes)[kept]
    sizes = np.bincount(cases, minlength=forms.n_cases).astype(np.int64)
    return Forms(forms.names, _offsets(sizes), forms.ids[kept])


def _both(forms: Forms, key: int) -> str:
    """What two forms are called together, whichever of them was met first."""
    return TOGETHER.join(sorted(forms.names[i] for i in divmod(key, len(forms.names))))


def _offsets(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
