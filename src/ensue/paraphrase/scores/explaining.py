"""Why a list has its scores: each pattern with Q, D, credit and gain, and what was seen before."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ensue.paraphrase.diversities.algorithm import diversity_steps
from ensue.paraphrase.scores.scoring import ScoredLists
from ensue.paraphrase.words import NO_CONTENT


@dataclass(frozen=True, slots=True)
class PatternScore:
    """One pattern of a list."""

    rank: int
    paraphrase: str
    quality: float | None
    """Q; None where it has none."""
    diversity: float | None
    """D; None where it has none."""
    credited: bool
    """Whether its Q counts in EPR."""
    gain: float | None
    """2^(Q·D) − 1."""
    share: float | None
    """The gain as a share of that of a perfect pattern: what DIMPLE is the mean of."""
    content_words: tuple[str, ...]
    seen_words: tuple[str, ...]
    """Content words that Algorithm 1 had met before in the list or the term."""
    seen_stems: tuple[str, ...]
    """The same of stems."""


def explained_list(scored: ScoredLists, i: int) -> list[PatternScore]:
    """The patterns of a list, in their order."""
    lists = scored.lists
    start, end = lists.offsets[i : i + 2].tolist()
    own = scored.settings.no_content
    no_content = NO_CONTENT if own is None else {word.lower() for word in own}
    steps = diversity_steps(lists.keys[i].term, lists.paraphrases[start:end], no_content=no_content)
    return [
        PatternScore(
            rank=rank,
            paraphrase=step.paraphrase,
            quality=_defined(scored.quality[start + rank - 1]),
            diversity=_defined(scored.diversity[start + rank - 1]),
            credited=bool(scored.credited[start + rank - 1]),
            gain=_defined(scored.gains[start + rank - 1]),
            share=_defined(scored.gains[start + rank - 1] / scored.largest_gain),
            content_words=step.words,
            seen_words=step.seen_words,
            seen_stems=step.seen_stems,
        )
        for rank, step in enumerate(steps, 1)
    ]


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
