"""Numbers of lists from where they come: scores, recognition, and files of others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ensue.errors import SettingError
from ensue.paraphrase.correlation.model import ListScores, Variable
from ensue.paraphrase.model import ListKey, Numbers
from ensue.paraphrase.recognition import Recognition
from ensue.paraphrase.scores import MEASURES, ScoredLists


def intrinsic_scores(scored: ScoredLists, quality: str) -> ListScores:
    """EP, EPR and DIMPLE of lists at every k.

    Args:
        scored: The lists.
        quality: What Q is; of `judges:strict` only the strictness is shown.
    """
    shown = quality.removeprefix("judges:")
    found = {
        Variable(measure.value, k, shown): scored.values[:, i, j]
        for i, measure in enumerate(MEASURES)
        for j, k in enumerate(scored.settings.ks)
    }
    return ListScores(scored.lists.keys, found, {})


def performance_scores(recognition: Recognition, *, by_patterns: bool = False) -> ListScores:
    """What lists do in tasks.

    Args:
        recognition: Of the lists.
        by_patterns: Whether only what the patterns add to matching stems counts, which is the same
            for all lists of a term.
    """
    shares = recognition.added if by_patterns else recognition.performances
    found = {task: shares[:, j] for j, task in enumerate(recognition.tasks)}
    return ListScores(recognition.keys, {}, found)


def joined_scores(parts: Sequence[ListScores]) -> ListScores:
    """Put numbers of lists together by term and method; what a list lacks is NaN.

    Raises:
        SettingError: two parts have a column of one name, or no list has numbers of both kinds.
    """
    _refuse_doubles(name for part in parts for name, _ in part.columns())
    scored = {key for part in parts if part.intrinsic for key in part.keys}
    performing = {key for part in parts if part.extrinsic for key in part.keys}
    keys = tuple(dict.fromkeys(key for part in parts for key in part.keys))
    if not scored & performing:
        raise SettingError(
            "no list has both a score and a performance",
            hint="lists are the same where term and method are",
        )
    return ListScores(
        keys,
        {v: _aligned(keys, part.keys, x) for part in parts for v, x in part.intrinsic.items()},
        {t: _aligned(keys, part.keys, x) for part in parts for t, x in part.extrinsic.items()},
    )


def _refuse_doubles(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise SettingError(f"two columns are called {name!r}", hint="give each its own name")
        seen.add(name)


def _aligned(keys: Sequence[ListKey], known: Sequence[ListKey], column: Numbers) -> Numbers:
    numbers = dict(zip(known, column.tolist(), strict=True))
    return np.array([numbers.get(key, np.nan) for key in keys], np.float64)
