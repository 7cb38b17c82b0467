"""All that rankings say of the judges: how far they agree, and the bounds that this sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from ensue.errors import UndefinedError
from ensue.statistics import RESAMPLING, Resampling
from ensue.translation.judgments.agreement import (
    PreferenceAgreement,
    TieShare,
    TieUnit,
    agreement_by_language_pair,
    judge_agreement,
    tie_share,
)
from ensue.translation.judgments.bounds import (
    Ceiling,
    Floor,
    FloorPolicy,
    consistency_ceiling,
    consistency_floors,
)
from ensue.translation.judgments.comparisons import (
    PreferenceContradictions,
    contradictions,
    preferences,
)
from ensue.translation.segments import TranslationJudgments

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class JudgeSummary:
    """What judgments say of the judges; None, with the reason, what they do not define."""

    overall: PreferenceAgreement
    by_pair: Mapping[str, PreferenceAgreement] = field(hash=False)
    ceiling: Ceiling
    floors: tuple[Floor, ...]
    """One for each policy; none where people prefer nothing to anything."""
    tie_shares: tuple[TieShare, ...]
    contradictions: PreferenceContradictions
    missing: tuple[str, ...] = ()
    """Why floors or tie shares are not there."""
    resampling: Resampling = RESAMPLING

    @property
    def chance(self) -> float | None:
        """What a random complete ranking reaches where human ties are left out."""
        for floor in self.floors:
            if floor.policy is FloorPolicy.COMPLETE:
                return floor.expected
        return None


def judge_summary(
    judgments: TranslationJudgments, *, resampling: Resampling = RESAMPLING
) -> JudgeSummary | None:
    """All that rankings say of the judges; None where no judge ranks two outputs."""
    compared = preferences(judgments)
    if not len(compared):
        return None
    missing: list[str] = []

    def attempt(make: Callable[[], Sequence[T]]) -> tuple[T, ...]:
        try:
            return tuple(make())
        except UndefinedError as error:
            missing.append(error.message)
            return ()

    return JudgeSummary(
        overall=judge_agreement(compared, resampling=resampling),
        by_pair=agreement_by_language_pair(compared, resampling=resampling),
        ceiling=consistency_ceiling(compared, resampling=resampling),
        floors=attempt(lambda: consistency_floors(compared, seed=resampling.seed)),
        tie_shares=attempt(
            lambda: [
                tie_share(judgments.rankings, unit, level=resampling.level) for unit in TieUnit
            ]
        ),
        contradictions=contradictions(judgments),
        missing=tuple(missing),
        resampling=resampling,
    )
