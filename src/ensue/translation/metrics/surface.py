"""BLEU, NIST, TER and word matches as metrics, and the metrics of sacreBLEU."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ensue import __version__
from ensue.errors import SettingError
from ensue.installation import install_extra
from ensue.surface import (
    MTEVAL_13A,
    WHITESPACE,
    BleuScorer,
    EditStatistics,
    Information,
    Mean,
    NgramStatistics,
    NistStatistics,
    count_information,
    edit_statistics,
    nist_statistics,
    segment_statistics,
    tokenize_segments,
)
from ensue.translation.features.word_matches import MatchScorer, MatchStatistics, match_statistics
from ensue.translation.systems import Numbers, Segment

# BLEU, NIST, TER and matches of words as metrics whose statistics sum over segments.

_ORDER = 4
_NIST_ORDER = 5

Texts = tuple[list[str], list[tuple[str, ...]]]
"""Outputs, and the references of each."""


@dataclass(frozen=True, slots=True)
class SurfaceMetric:
    """A metric given by its statistics and what they make."""

    name: str
    recipe: str
    """The settings, for the signature."""
    counted: Callable[[Texts, Information | None], Numbers]
    """A row of statistics for each output."""
    made: Callable[[Numbers], Numbers]
    """The scores that rows of statistics make."""
    needs_information: bool = False
    segment_made: Callable[[Numbers], Numbers] | None = None
    """The scores of single outputs, where they are made otherwise."""
    information: Information | None = field(default=None, compare=False)

    @property
    def signature(self) -> str:
        """The recipe that repeats its scores."""
        return f"{self.name}|{self.recipe}|version:{__version__}"

    def informed(self, references: Iterable[Sequence[str]]) -> SurfaceMetric:
        """The metric with the information of all references, where it needs that."""
        if not self.needs_information:
            return self
        each = (reference for some in references for reference in some)
        counted = count_information(each, MTEVAL_13A, order=_NIST_ORDER, lowercase=False)
        return replace(self, information=counted)

    def statistics(self, segments: Sequence[Segment]) -> Numbers:
        """A row of statistics for each output of each segment, in their order."""
        return self.counted(_texts(segments), self.information)

    def scored(self, statistics: Numbers) -> Numbers:
        """The score that each row of summed statistics makes."""
        return self.made(statistics)

    def scores(self, segments: Sequence[Segment]) -> Numbers:
        """A score for each output of each segment, in their order."""
        return (self.segment_made or self.made)(self.statistics(segments))


@dataclass(frozen=True, slots=True)
class SurfaceKind:
    """What an entry point names."""

    metric: SurfaceMetric
    summary: str

    @property
    def name(self) -> str:
        """The metric's."""
        return self.metric.name

    def build(self) -> SurfaceMetric:
        """The metric."""
        return self.metric


def _texts(segments: Sequence[Segment]) -> Texts:
    outputs = [output for segment in segments for output in segment.outputs.values()]
    return outputs, [segment.told for segment in segments for _ in segment.outputs]


def _bleu_counted(texts: Texts, _: Information | None) -> Numbers:
    segments = tokenize_segments(*texts, MTEVAL_13A, lowercase=False)
    found = segment_statistics(segments, order=_ORDER)
    lengths = np.column_stack([found.test_length, found.reference_length])
    return np.hstack([found.matches, found.totals, lengths]).astype(np.float64)


def _bleu_made(smoothed: bool) -> Callable[[Numbers], Numbers]:
    scorer = BleuScorer(Mean.GEOMETRIC, True, (1 / _ORDER,) * _ORDER, smoothed)

    def made(rows: Numbers) -> Numbers:
        # counts are whole numbers, which floats of this size hold exactly
        counts: Any = rows
        return 100 * scorer.score(
            NgramStatistics(
                counts[:, :_ORDER], counts[:, _ORDER : 2 * _ORDER], counts[:, -2], counts[:, -1]
            )
        )

    return made


def _nist_counted(texts: Texts, information: Information | None) -> Numbers:
    segments = tokenize_segments(*texts, MTEVAL_13A, lowercase=False)
    if information is None:
        raise SettingError(
            "nist-not-know-references",
            "nist does not know the references of the whole set",
            hint="score with metric.informed(references) of all segments",
        )
    found = nist_statistics(segments, information, order=_NIST_ORDER)
    lengths = np.column_stack([found.output_length, found.reference_length])
    return np.hstack([found.gains, found.totals, lengths])


def _nist_made(rows: Numbers) -> Numbers:
    counts: Any = rows
    n = _NIST_ORDER
    return NistStatistics(counts[:, :n], counts[:, n : 2 * n], counts[:, -2], counts[:, -1]).score(
        n
    )


def _ter_counted(texts: Texts, _: Information | None) -> Numbers:
    (found,) = edit_statistics(tokenize_segments(*texts, WHITESPACE))
    return np.column_stack([found.counts(), found.cost, found.reference_length])


def _segment_ter_made(rows: Numbers) -> Numbers:
    """A segment's rate; rates above 100 % are drawn together to end at 101, which is silence.

    TER has no upper bound: a long output without one right word would be worse than none at all.
    Up to 100 % the numbers are sacreBLEU's, and beyond their order is.
    """
    rate = _ter_made(rows)
    above = np.minimum(rate + 100.0, 0.0) / 100.0
    made = np.maximum(rate, -100.0) + np.expm1(above)
    insertions, deletions, substitutions, shifts, _, length = rows.T
    is_silent = (insertions == length) & (deletions + substitutions + shifts == 0) & (length > 0)
    return np.where(is_silent, -101.0, made)


def _ter_made(rows: Numbers) -> Numbers:
    """The rate of a whole text, as sacreBLEU has it."""
    counts: Any = rows
    return 0.0 - 100 * EditStatistics(*counts.T).ter()  # and not -0 for no edits


BLEU = SurfaceKind(
    SurfaceMetric(
        "bleu",
        "13a|case kept|order:4|segments smoothed:add one for n > 1",
        _bleu_counted,
        _bleu_made(False),
        segment_made=_bleu_made(True),
    ),
    "BLEU from 0 to 100; that of a segment is smoothed (Lin & Och 2004)",
)
NIST = SurfaceKind(
    SurfaceMetric(
        "nist", "13a|case kept|order:5", _nist_counted, _nist_made, needs_information=True
    ),
    "NIST as mteval-v13a has it, weighed by the information of all references",
)
TER = SurfaceKind(
    SurfaceMetric(
        "ter",
        "white space|small letters|costs:1|segments:below 101, which is silence",
        _ter_counted,
        _ter_made,
        segment_made=_segment_ter_made,
    ),
    "TER in %, with the sign turned; that of a segment ends at 101, which is silence",
)


_SHAPES = ((2,), (2,), (3, 2), (3, 2), (3,), ())
"""Of a row of each of the matcher's statistics."""


def _matches_counted(texts: Texts, _: Information | None) -> Numbers:
    found = match_statistics(*texts)
    columns = (
        found.output_words,
        found.reference_words,
        found.output_matches,
        found.reference_matches,
        found.covered,
        found.chunks,
    )
    flat = [
        each.reshape(len(found), math.prod(shape))
        for each, shape in zip(columns, _SHAPES, strict=True)
    ]
    return np.hstack(flat).astype(np.float64)


def _matches_made(rows: Numbers) -> Numbers:
    counts: Any = rows
    ends = np.cumsum([math.prod(shape) for shape in _SHAPES])
    parts = np.split(counts, ends[:-1], axis=1)
    restored = [part.reshape(len(rows), *shape) for part, shape in zip(parts, _SHAPES, strict=True)]
    return 100 * MatchScorer().score(MatchStatistics(*restored))


LEXICAL = SurfaceKind(
    SurfaceMetric(
        "lexical",
        MatchScorer().signature.removeprefix("lexical|"),
        _matches_counted,
        _matches_made,
    ),
    "matches of words, exact, by stem and by synonym, as METEOR scores them, from 0 to 100",
)


# sacreBLEU's own metrics (Post 2018), to compare ours with; they come with an optional extra.

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
                "metric-needs-sacrebleu-not",
                f"metric {self.name!r} needs sacreBLEU, which is not installed",
                hint=f"run: {install_extra('sacrebleu')}",
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
