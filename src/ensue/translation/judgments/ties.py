"""How often outputs tie for first place.

Padó et al. (2009, section 2.2) see in WMT 2007 "a tie for best system for almost 30% of
sentences", and set the tie interval of their system-level ranks by it. Of WMT 2007's rankings over
all language pairs, 1,169 of 4,076 (28.7 %) have a tie for best, of those into English 574 of 1,944
(29.5 %); once each output's ranks are averaged over the judges, 628 of 2,408 segments (26.1 %).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ensue.errors import UndefinedError
from ensue.evaluation.measuring.intervals import LEVEL, check_resampling
from ensue.evaluation.measuring.proportions import wilson_interval
from ensue.evaluation.results import Estimate
from ensue.translation.model import Ranking


class TieUnit(StrEnum):
    """What has a tie for first place or not."""

    RANKING = "ranking"
    """One person's ranking."""
    SEGMENT = "segment"
    """All rankings of a segment: each output has the mean of its ranks."""


@dataclass(frozen=True, slots=True)
class TieShare:
    """How often two outputs or more share the first place."""

    unit: TieUnit
    n: int
    """Rankings or segments."""
    n_tied: int
    """Those with a tie for first place."""
    share: Estimate
    """With Wilson's interval."""
    n_left_out: int
    """Rankings or segments with too few outputs."""


def tie_share(
    rankings: Sequence[Ranking],
    unit: TieUnit = TieUnit.SEGMENT,
    *,
    at_least: int = 2,
    level: float = LEVEL,
) -> TieShare:
    """The share of rankings, or of segments, with a tie for first place.

    Args:
        rankings: All, or those of interest.
        unit: What is counted.
        at_least: Rankings or segments with fewer outputs are left out; one output cannot tie.
        level: Of the interval. It takes the units as independent, which rankings of one segment
            are only roughly.

    Raises:
        UndefinedError: no ranking or segment has that many outputs.
    """
    check_resampling(0, level)
    ranks = _mean_ranks(rankings) if unit is TieUnit.SEGMENT else [r.ranks for r in rankings]
    lists = [list(by_system.values()) for by_system in ranks]
    counted = [values for values in lists if len(values) >= at_least]
    if not counted:
        raise UndefinedError(
            f"no {unit.value} has {at_least!r} outputs or more, so there is no share of ties",
            hint="give rankings of several outputs",
        )
    n_tied = sum(values.count(min(values)) > 1 for values in counted)
    return TieShare(
        unit=unit,
        n=len(counted),
        n_tied=n_tied,
        share=Estimate(n_tied / len(counted), *wilson_interval(n_tied, len(counted), level)),
        n_left_out=len(lists) - len(counted),
    )


def _mean_ranks(rankings: Iterable[Ranking]) -> list[dict[str, float]]:
    """For each segment, each system's mean rank.

    Equal means are equal to the last bit: sums are whole numbers, and a division is rounded once.
    """
    given: dict[tuple[str, str], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for ranking in rankings:
        for system, rank in ranking.ranks.items():
            given[ranking.language_pair, ranking.segment][system].append(rank)
    return [
        {system: sum(ranks) / len(ranks) for system, ranks in by_system.items()}
        for by_system in given.values()
    ]
