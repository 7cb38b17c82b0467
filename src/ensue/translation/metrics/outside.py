"""sacreBLEU's own metrics (Post 2018), to compare ours with; they come with an optional extra."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ensue.errors import SettingError
from ensue.translation.model import Numbers, Segment

_DIFFERENT = -1
"""How sacreBLEU writes that segments have different numbers of references."""


@dataclass(frozen=True, slots=True)
class SacreMetric:
    """A metric of sacreBLEU, output by output."""

    name: str
    scorer: Any
    sign: float
    """-1 for an error rate, since larger is better here."""
    n_references: int | None = None
    """Of each segment; None where they differ, or nobody has said."""

    @property
    def signature(self) -> str:
        """What sacreBLEU says."""
        # left to itself it tells the references of what it scored last, and fails before that
        self.scorer.num_refs = _DIFFERENT if self.n_references is None else self.n_references
        return f"{self.name}|{self.scorer.get_signature()}"

    def informed(self, references: Iterable[Sequence[str]]) -> SacreMetric:
        """The metric with the number of references, for its signature."""
        counts = {len(some) for some in references}
        return replace(self, n_references=counts.pop() if len(counts) == 1 else None)

    def scores(self, segments: Sequence[Segment]) -> Numbers:
        """The score of each output by itself."""
        found = [
            self.scorer.sentence_score(output, list(segment.told)).score
            for segment in segments
            for output in segment.outputs.values()
        ]
        return self.sign * np.array(found, np.float64) + 0.0  # which makes 0 of -0


@dataclass(frozen=True, slots=True)
class SacreKind:
    """A metric of sacreBLEU by its class and settings."""

    name: str
    summary: str
    scorer: str
    """The class in `sacrebleu.metrics`."""
    settings: dict[str, Any] = field(default_factory=dict, hash=False)
    sign: float = 1.0

    def build(self) -> SacreMetric:
        """The metric.

        Raises:
            SettingError: sacreBLEU is not installed.
        """
        try:
            from sacrebleu import metrics
        except ImportError:
            raise SettingError(
                f"metric {self.name!r} needs sacreBLEU, which is not installed",
                hint="pip install 'ensue[sacrebleu]'",
            ) from None
        return SacreMetric(self.name, getattr(metrics, self.scorer)(**self.settings), self.sign)


SACREBLEU = SacreKind(
    "sacrebleu",
    "sacreBLEU's sentence BLEU, its defaults with effective order",
    "BLEU",
    {"effective_order": True},
)
SACREBLEU_TER = SacreKind(
    "sacrebleu-ter", "sacreBLEU's TER, its defaults, with the sign turned", "TER", sign=-1.0
)
CHRF = SacreKind("chrf", "sacreBLEU's chrF2: character n-grams", "CHRF")
CHRF_WORDS = SacreKind(
    "chrf++",
    "sacreBLEU's chrF2++: character n-grams, words and pairs of words",
    "CHRF",
    {"word_order": 2},
)
