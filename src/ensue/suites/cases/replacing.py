"""Other cases for those that another suite has: of the same kind, and in no suite yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ensue.pairs import Pair
from ensue.suites.cases.generating import (
    PATIENCE,
    RESTATED,
    SuiteGenerator,
    SuiteSettings,
    case_hash,
)
from ensue.suites.cases.near_misses import NearMiss
from ensue.suites.cases.quotas import quota_forms
from ensue.suites.sentences.repertoire import Repertoire

Types = tuple[str, ...]


class Replacer:
    """Makes groups of cases anew, in the order in which they are asked for.

    There is one stream of random numbers for each combination of subcategorization types.
    """

    def __init__(self, repertoire: Repertoire, settings: SuiteSettings, seed: int) -> None:
        self._repertoire = repertoire
        self._settings = settings
        self._seed = seed
        self._wanted = frozenset(quota.form for quota in settings.quotas)
        self._generators: dict[Types, SuiteGenerator] = {}
        self._exhausted: set[tuple[Types, NearMiss | None]] = set()

    def group(
        self, lost: Sequence[Pair], types: Types, is_free: Callable[[Sequence[int]], bool]
    ) -> list[Pair] | None:
        """Find another group with the name, the near miss and the quotas of one that is lost.

        Args:
            lost: Its cases.
            types: The subcategorization types of its suite.
            is_free: Whether cases of these hashes are in no suite.

        Returns:
            As many cases; None where none were found.
        """
        made = sorted(case.meta["made"] for case in lost)
        kind = next((NearMiss(each) for each in made if each != RESTATED), None)
        if (types, kind) in self._exhausted:
            return None
        needed = self._forms(lost)
        generator = self._generator(types)
        for _ in range(PATIENCE):
            found = generator.group(lost[0].meta["group"], kind)
            if found is None:
                continue
            found = found[: len(lost)]
            if sorted(case.meta["made"] for case in found) != made:
                continue
            hashes = [case_hash(case) for case in found]
            if is_free(hashes) and len(set(hashes)) == len(hashes) and needed <= self._forms(found):
                return found
        self._exhausted.add((types, kind))
        return None

    def _forms(self, cases: Sequence[Pair]) -> frozenset[str]:
        """What they have of what quotas ask for, and how often it is there."""
        if not self._wanted:
            return frozenset()
        return frozenset(
            f"{i} {form}"
            for form in self._wanted
            for i in range(sum(form in set(quota_forms(case)) for case in cases))
        )

    def _generator(self, types: Types) -> SuiteGenerator:
        if types not in self._generators:
            entries = [e for e in self._repertoire.entries if e.subcategorization in types]
            seed = f"{self._seed}/again/{'+'.join(types)}"
            self._generators[types] = SuiteGenerator(
                self._repertoire, entries, self._settings, name="", seed=seed
            )
        return self._generators[types]
