"""Segments, outputs and judgments; scores of systems from those of segments and from preferences.

`basic` and `with-ties` are the two of Padó et al. 2009 ("Textual Entailment Features for Machine
Translation Evaluation", section 2.2); `mean` is what people report today. Each says what a
segment adds to a system (`segment_credits`); a system's score is the mean over the segments that
count for it, so that resampling is written once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, SettingError, UndefinedError
from ensue.statistics import numbered, ratio

# Translations and what people said of them: segments, outputs, judgments, scores.

Numbers = NDArray[np.float64]
Indices = NDArray[np.int64]


class OutputKey(NamedTuple):
    """Which output it is: what one system made of one segment."""

    language_pair: str
    """As in `cs-en`; empty where nothing says it."""
    segment: str
    """The number of the line, from 1, or the id that the data give."""
    system: str


@dataclass(frozen=True, slots=True)
class Segment:
    """A unit of a translation set: references, and what systems wrote."""

    language_pair: str
    id: str
    references: tuple[str, ...]
    """One or more; an empty one says nothing."""
    outputs: Mapping[str, str]
    """By system; a system that has no output for the segment is not there."""
    source: str | None = None

    @property
    def told(self) -> tuple[str, ...]:
        """The references that say something; all of them where none does."""
        return tuple(filter(str.strip, self.references)) or self.references

    def output_keys(self) -> list[OutputKey]:
        """Of the outputs, in their order."""
        return [OutputKey(self.language_pair, self.id, system) for system in self.outputs]


@dataclass(frozen=True, slots=True)
class HumanRanking:
    """One person's order of some outputs of a segment; equal ranks are ties, 1 is best."""

    language_pair: str
    segment: str
    judge: str
    ranks: Mapping[str, int]
    """By system; outputs that were left without a rank are not there."""
    place: str = ""
    """`file:line`."""

    def output_keys(self) -> list[OutputKey]:
        """Of the outputs that were ranked."""
        return [OutputKey(self.language_pair, self.segment, system) for system in self.ranks]


class AssessmentKind(StrEnum):
    """What an absolute score is about."""

    DIRECT = "direct"
    """Direct assessment, usually standardized by judge."""
    ADEQUACY = "adequacy"
    """How much of the meaning is there, from 1 to 5."""
    FLUENCY = "fluency"
    """How good the language is, from 1 to 5."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """One absolute score of one output; larger is better."""

    language_pair: str
    segment: str
    system: str
    judge: str
    """Empty where nothing says who, or where the score is an average."""
    kind: AssessmentKind
    score: float
    place: str = ""

    @property
    def key(self) -> OutputKey:
        """Of the output."""
        return OutputKey(self.language_pair, self.segment, self.system)


@dataclass(frozen=True, slots=True)
class TranslationJudgments:
    """All that people said of a translation set."""

    rankings: tuple[HumanRanking, ...] = ()
    assessments: tuple[Assessment, ...] = ()

    @classmethod
    def joined(cls, parts: Iterable[TranslationJudgments]) -> TranslationJudgments:
        """What people said in several files."""
        some = list(parts)
        return cls(
            tuple(each for part in some for each in part.rankings),
            tuple(each for part in some for each in part.assessments),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Preferences:
    """Comparisons of two outputs of a segment, each by one person; ties are among them.

    A ranking of five outputs is ten comparisons.
    """

    outputs: tuple[OutputKey, ...]
    """Those compared, each once."""
    better: Indices
    """For each comparison, the place in `outputs` of the better one; of a tie, the first."""
    worse: Indices
    is_tie: NDArray[np.bool_]
    judges: tuple[str, ...]
    judge: Indices
    """For each comparison, the place in `judges` of who made it."""

    def __len__(self) -> int:
        return len(self.better)

    def chosen(self, which: NDArray[np.bool_] | Indices) -> Preferences:
        """Some of the comparisons; the outputs stay all."""
        return Preferences(
            self.outputs,
            self.better[which],
            self.worse[which],
            self.is_tie[which],
            self.judges,
            self.judge[which],
        )

    def decided(self) -> Preferences:
        """Without the ties."""
        return self.chosen(~self.is_tie)


@dataclass(frozen=True, slots=True, eq=False)
class MetricScores:
    """What a metric says of outputs; larger is better, always."""

    name: str
    outputs: tuple[OutputKey, ...]
    values: Numbers
    signature: str = ""
    """The recipe that repeats the scores."""
    probability: Callable[[Numbers, Numbers], Numbers] | None = None
    """How likely outputs with some scores are better than those with others, if it says so."""

    def by_output(self) -> dict[OutputKey, float]:
        """Each output's score."""
        return dict(zip(self.outputs, self.values.tolist(), strict=True))


def language_pairs(outputs: Sequence[OutputKey]) -> list[str]:
    """Those that occur, in the order of their first output."""
    return list(dict.fromkeys(key.language_pair for key in outputs))


# Segment scores become system scores, language pair by language pair.

TIED_SHARE = 0.3
"""The share of segments with a tie for first place that Padó et al. saw in WMT 2007."""


class SystemKey(NamedTuple):
    """A system, as it translates between two languages."""

    language_pair: str
    system: str


class SystemMethod(StrEnum):
    """How a system's score comes from its segments'."""

    BASIC = "basic"
    """The share of segments on which the system is ranked best.

    k outputs with exactly the same best score get 1/k each, as if chance chose one of them: a
    segment has one best output, and this method cannot account for ties. On segments that all
    systems have, the scores sum to 1.
    """
    WITH_TIES = "with-ties"
    """The share of segments on which the score is better than, or at most ε below, the best."""
    MEAN = "mean"
    """The mean segment score."""
    CORPUS = "corpus"
    """The score of all its outputs as one text, of metrics whose statistics sum."""


SEGMENT_METHODS = (SystemMethod.BASIC, SystemMethod.WITH_TIES, SystemMethod.MEAN)
"""Those that need no more than segment scores."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """A metric's scores of one language pair."""

    language_pair: str
    segments: tuple[str, ...]
    systems: tuple[str, ...]
    scores: Numbers
    """Segments × systems; NaN where the system has no output."""

    @property
    def is_contested(self) -> NDArray[np.bool_]:
        """For each segment, whether two systems or more have an output."""
        return np.asarray((~np.isnan(self.scores)).sum(axis=1) >= 2)

    def behind(self) -> Numbers:
        """How far each score is below the best of its segment; NaN where there is no contest."""
        best = np.where(np.isnan(self.scores), -np.inf, self.scores).max(axis=1, keepdims=True)
        return np.where(self.is_contested[:, None], best - self.scores, np.nan)

    def gaps(self) -> Numbers:
        """How far the second best is below the best, for each contested segment."""
        behind = self.behind()[self.is_contested]
        filled = np.where(np.isnan(behind), np.inf, behind)
        return np.asarray(np.sort(filled, axis=1)[:, 1:2].ravel())


@dataclass(frozen=True, slots=True)
class TieInterval:
    """How far below the best a score still ties with it."""

    epsilon: float
    share: float
    """The share of segments that were to have a tie for first place."""
    reached: float
    """The share that has one; more than asked where equal scores alone make it so."""
    n_segments: int
    """Segments with two outputs or more."""


def score_tables(scores: MetricScores) -> tuple[ScoreTable, ...]:
    """The scores as a table for each language pair, in the order of their first outputs.

    Raises:
        UndefinedError: there are no scores.
        DataError: a score is no finite number, or an output has two.
    """
    if not scores.outputs:
        raise UndefinedError(
            "no-scores",
            f"{scores.name}: there are no scores",
            hint="score the outputs of one system or more",
        )
    _check_scores(scores)
    pairs, pair = numbered([key.language_pair for key in scores.outputs])
    return tuple(
        _score_table(scores, name, np.flatnonzero(pair == i)) for i, name in enumerate(pairs)
    )


def tie_interval(scores: MetricScores, share: float = TIED_SHARE) -> TieInterval:
    """The smallest ε with which at least this share of the segments has a tie for first place.

    It is the quantile of the gaps between best and second best, over the segments of all language
    pairs together: Padó et al. have one global ε. Segments with a single output do not count.

    Raises:
        SettingError: the share is not in [0, 1].
        UndefinedError: no segment has two outputs.
    """
    if not 0 <= share <= 1:
        raise SettingError(
            "share-not-between", f"share {share!r} is not between 0 and 1", hint="e.g. 0.3"
        )
    gaps = _gaps(scores)
    # 0.3 * 10 may be a little more than 3; no more than 3 segments are needed then
    needed = math.ceil(share * gaps.size - 1e-9)
    epsilon = float(gaps[needed - 1]) if needed else 0.0
    return TieInterval(epsilon, share, float((gaps <= epsilon).mean()), gaps.size)


def given_interval(scores: MetricScores, epsilon: float) -> TieInterval:
    """The share of segments that has a tie for first place with an ε of one's own.

    Raises:
        SettingError: ε is negative or NaN.
        UndefinedError: no segment has two outputs.
    """
    _check_epsilon(epsilon)
    gaps = _gaps(scores)
    reached = float((gaps <= epsilon).mean())
    return TieInterval(epsilon, reached, reached, gaps.size)


def system_scores(
    scores: MetricScores, method: SystemMethod, *, epsilon: float | None = None
) -> dict[SystemKey, float | None]:
    """Each system's score in each of its language pairs.

    None where no segment counts: `basic` and `with-ties` look only at segments on which another
    system has an output too.

    Args:
        scores: Of the outputs.
        method: How segments become a system's score.
        epsilon: For `with-ties`; None takes that of `tie_interval`. Others do not look at it.

    Raises:
        SettingError: ε is negative or NaN.
        UndefinedError, DataError: as for `score_tables` and `tie_interval`.
    """
    epsilon = settled_epsilon(scores, method, epsilon)
    found: dict[SystemKey, float | None] = {}
    for table in score_tables(scores):
        added = segment_credits(table, method, epsilon)
        (means,) = weighted_means(added, np.ones((1, len(added)))).tolist()
        for system, mean in zip(table.systems, means, strict=True):
            found[SystemKey(table.language_pair, system)] = None if math.isnan(mean) else mean
    return found


def settled_epsilon(scores: MetricScores, method: SystemMethod, epsilon: float | None) -> float:
    """The ε to work with: the one given, or the one that the scores imply.

    Raises:
        SettingError: ε is negative or NaN.
    """
    if epsilon is None:
        return tie_interval(scores).epsilon if method is SystemMethod.WITH_TIES else 0.0
    _check_epsilon(epsilon)
    return epsilon


def segment_credits(table: ScoreTable, method: SystemMethod, epsilon: float = 0.0) -> Numbers:
    """What each segment adds to each system: segments × systems, NaN where it does not count."""
    if method is SystemMethod.CORPUS:
        raise SettingError(
            "corpus-score-not-made",
            "a corpus score is not made of segment scores",
            hint="use basic, with-ties or mean",
        )
    if method is SystemMethod.MEAN:
        return table.scores
    behind = table.behind()
    if method is SystemMethod.WITH_TIES:
        added = (behind <= epsilon).astype(np.float64)
    else:
        is_best = behind == 0
        added = is_best / np.maximum(is_best.sum(axis=1, keepdims=True), 1)
    return np.where(np.isnan(behind), np.nan, added)


def weighted_means(added: Numbers, counts: Numbers | Indices) -> Numbers:
    """Each system's mean for each row of counts: how often each segment is drawn.

    NaN where no segment that counts for the system is drawn.
    """
    drawn = counts.astype(np.float64)
    counted = (~np.isnan(added)).astype(np.float64)
    n_drawn = drawn @ counted
    total = drawn @ np.nan_to_num(added, nan=0.0)
    return ratio(total, n_drawn)


def _check_epsilon(epsilon: float) -> None:
    if not epsilon >= 0:
        raise SettingError(
            "tie-interval-makes-no",
            f"a tie interval of {epsilon!r} makes no sense",
            hint="0 or more; 0 ties equal scores",
        )


def _gaps(scores: MetricScores) -> Numbers:
    """Between the best and the second best of each segment, sorted."""
    gaps = np.sort(np.concatenate([table.gaps() for table in score_tables(scores)]))
    if gaps.size == 0:
        raise UndefinedError(
            "no-segment-outputs-two",
            f"{scores.name}: no segment has outputs of two systems, so that there are no ties",
            hint="score two systems or more on the same segments",
        )
    return gaps


def _check_scores(scores: MetricScores) -> None:
    if scores.values.shape != (len(scores.outputs),):
        raise DataError(
            "outputs-scores-shape",
            f"{scores.name}: {len(scores.outputs)} outputs have scores of shape "
            f"{scores.values.shape!r}",
            hint="one score for each output",
        )
    for i in np.flatnonzero(~np.isfinite(scores.values))[:1].tolist():
        raise DataError(
            "score-is",
            f"{scores.name}: the score of {_shown(scores.outputs[i])} is "
            f"{float(scores.values[i])!r}",
            hint="a score is a finite number; leave out what could not be scored",
        )
    outputs, output = numbered(scores.outputs)
    for i in np.flatnonzero(np.bincount(output) > 1)[:1].tolist():
        raise DataError(
            "two-scores",
            f"{scores.name}: {_shown(outputs[i])} has two scores",
            hint="score each output once",
        )


def _score_table(scores: MetricScores, language_pair: str, places: Indices) -> ScoreTable:
    keys = [scores.outputs[i] for i in places.tolist()]
    segments, rows = numbered([key.segment for key in keys])
    systems, columns = numbered([key.system for key in keys])
    table = np.full((len(segments), len(systems)), np.nan)
    table[rows, columns] = scores.values[places]
    return ScoreTable(language_pair, tuple(segments), tuple(systems), table)


def _shown(key: OutputKey) -> str:
    pair = f" ({key.language_pair})" if key.language_pair else ""
    return f"system {key.system!r} on segment {key.segment!r}{pair}"


# System scores from what people said, in the ways of the WMT over the years.


class HumanMethod(StrEnum):
    """How comparisons of outputs become a system's score."""

    BETTER_OR_EQUAL = "better-or-equal"
    """(wins + ties) / (wins + ties + losses): "≥ others" (Callison-Burch et al. 2008)."""
    BETTER = "better"
    """wins / (wins + losses): "> others" (Callison-Burch et al. 2012, after Bojar et al. 2011)."""
    EXPECTED_WIN = "expected-win"
    """The mean, over the systems that it met, of wins / (wins + losses) (Koehn 2012).

    Unlike `better`, it does not depend on how often people happened to see which opponents.
    """


def human_system_scores(
    preferences: Preferences, method: HumanMethod
) -> dict[SystemKey, float | None]:
    """Each system's score in each of its language pairs, in the order of their first outputs.

    None where no comparison counts: the system was compared with none, or, unless ties count,
    tied with all.

    Raises:
        UndefinedError: there are no comparisons.
        DataError: a comparison is of outputs of different segments.
    """
    if len(preferences) == 0:
        raise UndefinedError(
            "no-comparisons-rank-systems",
            "there are no comparisons to rank systems by",
            hint="give judgments of two outputs of a segment or more",
        )
    _check_segments(preferences)
    keys, system = numbered([_system(key) for key in preferences.outputs])
    better, worse = system[preferences.better], system[preferences.worse]
    tied = preferences.is_tie
    wins = _win_table(better[~tied], worse[~tied], len(keys))
    if method is HumanMethod.EXPECTED_WIN:
        values = _expected_wins(wins)
    else:
        ties = _win_table(better[tied], worse[tied], len(keys))
        good, bad = wins.sum(axis=1), wins.sum(axis=0)
        if method is HumanMethod.BETTER_OR_EQUAL:
            good += (ties + ties.T).sum(axis=1)
        values = ratio(good, good + bad)
    return _by_key(keys, values)


def _system(key: OutputKey) -> SystemKey:
    return SystemKey(key.language_pair, key.system)


def _check_segments(preferences: Preferences) -> None:
    _, segment = numbered([(key.language_pair, key.segment) for key in preferences.outputs])
    apart = np.flatnonzero(segment[preferences.better] != segment[preferences.worse])
    for i in apart[:1].tolist():
        one = preferences.outputs[preferences.better[i]]
        other = preferences.outputs[preferences.worse[i]]
        raise DataError(
            "comparison-different-segments",
            f"comparison {i} is of different segments: {tuple(one)!r} and {tuple(other)!r}",
            hint="compare outputs of the same segment",
        )


def _win_table(winners: Indices, losers: Indices, n_systems: int) -> Numbers:
    """How often the system of the row met that of the column, and won."""
    counts = np.bincount(winners * n_systems + losers, minlength=n_systems**2)
    return counts.reshape(n_systems, n_systems).astype(np.float64)


def _expected_wins(wins: Numbers) -> Numbers:
    met = wins + wins.T
    shares = ratio(wins, met)
    return ratio(np.nan_to_num(shares, nan=0.0).sum(axis=1), (met > 0).sum(axis=1))


def _by_key(keys: Sequence[SystemKey], values: Numbers) -> dict[SystemKey, float | None]:
    return {
        key: None if np.isnan(value) else value
        for key, value in zip(keys, values.tolist(), strict=True)
    }
