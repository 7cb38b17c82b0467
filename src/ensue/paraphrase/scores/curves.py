"""The measures at every k: how much a conclusion hangs on the rank that was chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ensue.paraphrase.scores.intervals import ScoreIntervals, score_intervals
from ensue.paraphrase.scores.scoring import values_at


def curves_over_k(
    scores: Mapping[str, ScoreIntervals], deepest: int | None = None
) -> dict[str, ScoreIntervals]:
    """The same scores at every k from 1 on, with the same draws.

    Args:
        scores: At some ks, by what people call each, e.g. the quality.
        deepest: The last k. Where it is None, the largest of those ks, or the length of the longest
            list, behind which there is nothing to see.

    Raises:
        SettingError: the last k is below 1.
    """
    found = {}
    for name, each in scores.items():
        scored = each.scored
        longest = max(int(np.diff(scored.lists.offsets).max(initial=1)), 1)
        last = min(scored.settings.deepest, longest) if deepest is None else deepest
        ks = tuple(range(1, last + 1)) or (last,)
        settings = replace(scored.settings, ks=ks)
        scored = replace(scored, settings=settings, values=values_at(scored, ks))
        found[name] = score_intervals(scored, draws=each.draws, level=each.level, seed=each.seed)
    return found
