"""Quotas: at least so many cases of a suite with a tag, a tag pair, a change or a near miss."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ensue.errors import SettingError
from ensue.pairs import Pair


@dataclass(frozen=True, slots=True)
class Quota:
    """At least so many cases that have something."""

    form: str
    """A tag pair (`V-P/V-A`, the hypothesis first), a tag of either side, a change, or a near miss."""
    least: int


def quota_forms(case: Pair) -> Iterator[str]:
    """What a quota may ask for that a case has; a form may come several times."""
    yield case.meta["made"]
    yield from case.meta["changes"]
    for entry in case.meta["tags"]:
        yield from entry["text"]
        yield from entry["hypothesis"]
        yield from (f"{h}/{t}" for h in entry["hypothesis"] for t in entry["text"])


class Quotas:
    """What is still to be found, and whether a group of cases leaves room for it."""

    def __init__(self, quotas: Sequence[Quota], size: int) -> None:
        self._lacking: dict[str, int] = {}
        for quota in quotas:
            if quota.form in self._lacking:
                raise SettingError(f"a quota for {quota.form!r} is asked for twice")
            if quota.least > size:
                raise SettingError(
                    f"a quota of {quota.least} for {quota.form!r} is more than the suite's {size}",
                    hint="ask for a larger suite or a smaller quota",
                )
            self._lacking[quota.form] = quota.least
        self._room = size
        self._given_up = False

    def admit(self, cases: Sequence[Pair]) -> bool:
        """Whether cases help a quota, or leave enough room for those that will.

        Room is kept for two cases for each that is lacking, since they come in groups of two.
        """
        lacking = self.lacking
        if not lacking or self._given_up:
            return True
        if self._room - len(cases) >= 2 * sum(lacking.values()):
            return True
        return any(form in lacking for case in cases for form in quota_forms(case))

    def give_up(self) -> bool:
        """Look no longer for what is lacking, and say whether that changes anything."""
        changes = bool(self.lacking) and not self._given_up
        self._given_up = True
        return changes

    def count(self, cases: Sequence[Pair]) -> None:
        """Take note of cases that were admitted."""
        self._room -= len(cases)
        if not self._lacking:
            return
        for case in cases:
            for form in set(quota_forms(case)) & self._lacking.keys():
                self._lacking[form] -= 1

    @property
    def lacking(self) -> dict[str, int]:
        """How many cases each unmet quota still lacks."""
        return {form: n for form, n in self._lacking.items() if n > 0}
