"""Lists scored, put into order and correlated with tasks; how far the judges of patterns agree.

These are the calls behind `ensue paraphrase score`, `rerank` and `correlate`.

A pattern of each list is one thing to judge, also where another list has the same term and
paraphrase. Intervals are by resampling terms, whose lists stay together: patterns of one term were
judged side by side, and repeat each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, compress

import numpy as np

from ensue.errors import UndefinedError
from ensue.files import Finding, OnFinding, ignore_finding
from ensue.paraphrase.correlation import correlate_lists
from ensue.paraphrase.list_scores import (
    ALPHA,
    Correlations,
    ListScores,
    Resampled,
    intrinsic_scores,
    joined_scores,
    performance_scores,
)
from ensue.paraphrase.lists import (
    NO,
    NOT_JUDGED,
    YES,
    Indices,
    Labels,
    Numbers,
    PatternJudgments,
    RankedLists,
    Strictness,
    pattern_numbers,
)
from ensue.paraphrase.recognition.matches import MatchUnit
from ensue.paraphrase.recognition.performance import MOST, recognize
from ensue.paraphrase.recognition.tasks import Task
from ensue.paraphrase.recognition.terms import ALL
from ensue.paraphrase.scores.intervals import ScoreIntervals, curves_over_k, score_intervals
from ensue.paraphrase.scores.measures import (
    DIVERSITY,
    QUALITY,
    ScoredLists,
    found_quality,
    score,
)
from ensue.paraphrase.scores.preparation import ScoreSettings, prepared_lists
from ensue.paraphrase.scores.reranking import MOST_EXACT, Reranked, rerank
from ensue.progress import Stages, unwatched
from ensue.statistics import (
    RESAMPLING,
    Estimate,
    KappaReasons,
    Resampling,
    alpha_estimate,
    alpha_statistics,
    cohen_kappa,
    fleiss_kappa,
    kappa_estimates,
    kappa_statistics,
    numbered,
    ratio,
    summed_by,
)

_ALONE = "there is one judge only"
_ONE_LABEL = "all labels are the same, so that agreement by chance is 1"
_OF_TWO = KappaReasons("no pattern was judged by both", _ONE_LABEL)
_OF_ALL = KappaReasons("no pattern was judged by all", _ONE_LABEL)
_NO_LABEL = "the judge gave no label"
_NOT_AGAIN = "the judge judged no pattern twice"
_NO_LENIENT_YES = "no pattern with a lenient yes was judged strictly"


@dataclass(frozen=True, slots=True)
class TwoJudges:
    """How far two judges agree on what both judged."""

    first: str
    second: str
    n_patterns: int
    """Judged by both."""
    raw: Estimate
    """The share on which they agree."""
    kappa: Estimate
    """Cohen's (1960)."""


@dataclass(frozen=True, slots=True)
class OneJudge:
    """What a judge says, and says again."""

    judge: str
    n_patterns: int
    """Judged by this one."""
    yes: Estimate
    """The share of positive labels."""
    n_repeats: int
    """Every two patterns with the same term and paraphrase, both judged by this one."""
    with_self: Estimate
    """The share of these with the same label twice."""


@dataclass(frozen=True, slots=True)
class StrictnessAgreement:
    """How far all judges agree who gave a label of one strictness."""

    strictness: Strictness
    n_patterns: int
    """Judged by anybody."""
    n_by_all: int
    """Judged by all; raw agreement and Fleiss' kappa are over these."""
    raw: Estimate
    """The share on which all agree."""
    fleiss: Estimate
    """Fleiss' kappa (1971)."""
    alpha: Estimate
    """Krippendorff's, over all patterns that two judged or more."""
    couples: tuple[TwoJudges, ...]
    judges: tuple[OneJudge, ...]


@dataclass(frozen=True, slots=True)
class StrictOfLenient:
    """How strict a judge is."""

    judge: str | None
    """None for all together."""
    n_lenient: int
    """Labels that are a lenient yes, with a strict label beside it."""
    strict: Estimate
    """The share of these that are a strict yes, too."""
    n_strict_only: int
    """Labels that are a strict yes and a lenient no, which should not be."""


@dataclass(frozen=True, slots=True)
class PatternAgreement:
    """How far judges agree."""

    n_terms: int
    """With a label; the intervals resample them. There are none where there is one term only."""
    by_strictness: tuple[StrictnessAgreement, ...]
    strict_of_lenient: tuple[StrictOfLenient, ...]
    """All together, then each judge; empty where judges used one strictness only."""
    resampling: Resampling


def judge_agreement(lists: RankedLists, *, resampling: Resampling = RESAMPLING) -> PatternAgreement:
    """All agreement of the judges of these lists, with bootstrap intervals over terms.

    Args:
        lists: With judgments.
        resampling: Draws, level and seed of the intervals.

    Raises:
        UndefinedError: nobody judged these lists.
    """
    judgments = lists.judgments
    if judgments is None or not judgments.labels:
        raise UndefinedError(
            "nobody-judged-lists",
            f"nobody judged the lists of {lists.name!r}",
            hint="a judge's labels are in the columns NAME.strict and NAME.lenient",
        )
    terms = _terms(lists, judgments)
    if terms.max(initial=-1) < 0:
        raise UndefinedError("nobody-judged-pattern", f"nobody judged a pattern of {lists.name!r}")
    # of a single term all draws are alike
    bootstrap = _Bootstrap(terms, resampling if terms.max() > 0 else replace(resampling, draws=0))
    numbers = pattern_numbers(lists)
    return PatternAgreement(
        int(terms.max()) + 1,
        tuple(
            _of_strictness(key, judges, labels, numbers, bootstrap)
            for key, judges, labels in _used(judgments)
        ),
        _strict_of_lenient(judgments, bootstrap),
        resampling,
    )


def _terms(lists: RankedLists, judgments: PatternJudgments) -> Indices:
    """For each pattern the number of its term among those with a label; -1 for other terms."""
    from ensue.paraphrase.words import normalized

    judged = np.zeros(lists.n_patterns, np.bool_)
    for labels in judgments.labels.values():
        judged |= (labels != NOT_JUDGED).any(axis=1)
    terms, of_list = numbered(normalized(key.term) for key in lists.keys)
    of_pattern = of_list[lists.list_of]
    used = np.unique(of_pattern[judged])
    renumbered = np.full(len(terms), -1, np.int64)
    renumbered[used] = np.arange(used.size)
    return renumbered[of_pattern]


def _used(judgments: PatternJudgments) -> Iterator[tuple[Strictness, tuple[str, ...], Labels]]:
    """Each strictness that was used, with the judges who did and their labels.

    A judge without any label would leave no pattern that all judged.
    """
    for strictness, labels in judgments.labels.items():
        used = (labels != NOT_JUDGED).any(axis=0)
        if used.any():
            yield strictness, tuple(compress(judgments.judges, used.tolist())), labels[:, used]


@dataclass(frozen=True, slots=True, eq=False)
class _Bootstrap:
    """Sums of statistics over terms, as they are and in every draw."""

    terms: Indices
    resampling: Resampling

    def sums(self, statistics: Sequence[Numbers]) -> Iterator[Numbers]:
        """Of matrices with a row for each pattern; all see the same draws."""
        used = self.terms >= 0
        together = np.hstack(statistics).astype(np.float64)[used]
        by_term = summed_by(self.terms[used], together, int(self.terms.max()) + 1)
        ends = np.cumsum([each.shape[1] for each in statistics])[:-1]
        return iter(np.split(self.resampling.sums(by_term), ends, axis=1))

    def share(self, numerators: Numbers, denominators: Numbers, reason: str) -> Estimate:
        """Of summed columns."""
        return self.resampling.estimate(ratio(numerators, denominators), reason)


def _of_strictness(
    strictness: Strictness,
    judges: tuple[str, ...],
    labels: Labels,
    numbers: Indices,
    bootstrap: _Bootstrap,
) -> StrictnessAgreement:
    couples = list(combinations(range(len(judges)), 2))
    sums = bootstrap.sums(
        [
            kappa_statistics(labels, n_labels=2),
            alpha_statistics(labels, n_labels=2),
            *(kappa_statistics(labels[:, [i, j]], n_labels=2) for i, j in couples),
            *(_statistics_of_one(labels[:, j], numbers) for j in range(len(judges))),
        ]
    )
    together, for_alpha = next(sums), next(sums)
    resampling = bootstrap.resampling
    raw = fleiss = alpha = Estimate(None, reason=_ALONE)
    if len(judges) > 1:
        kappas = fleiss_kappa(together, len(judges))
        raw, fleiss = kappa_estimates(together, kappas, resampling, _OF_ALL)
        alpha = alpha_estimate(for_alpha, resampling)
    return StrictnessAgreement(
        strictness,
        int((labels != NOT_JUDGED).any(axis=1).sum()),
        int(together[0, 0]),
        raw,
        fleiss,
        alpha,
        tuple(_of_two(judges[i], judges[j], next(sums), resampling) for i, j in couples),
        tuple(_of_one(judge, next(sums), bootstrap) for judge in judges),
    )


def _of_two(first: str, second: str, sums: Numbers, resampling: Resampling) -> TwoJudges:
    found = kappa_estimates(sums, cohen_kappa(sums), resampling, _OF_TWO)
    return TwoJudges(first, second, int(sums[0, 0]), *found)


def _statistics_of_one(labels: Labels, numbers: Indices) -> Numbers:
    """Whether a pattern was judged, and with yes; couples of its repeats that agree, and all."""
    n_numbers = int(numbers.max(initial=-1)) + 1
    counts = [np.bincount(numbers[labels == each], minlength=n_numbers) for each in (YES, NO)]
    repeats = np.zeros((len(labels), 2))
    # the couples are booked on the first of the patterns: all of them are of one term
    _, first = np.unique(numbers, return_index=True)
    repeats[first, 0] = _couples(counts[0]) + _couples(counts[1])
    repeats[first, 1] = _couples(counts[0] + counts[1])
    return np.column_stack([labels != NOT_JUDGED, labels == YES, repeats])


def _couples(n: Indices) -> Indices:
    return n * (n - 1) // 2


def _of_one(judge: str, sums: Numbers, bootstrap: _Bootstrap) -> OneJudge:
    n, n_yes, n_same, n_repeats = sums.T
    return OneJudge(
        judge,
        int(n[0]),
        bootstrap.share(n_yes, n, _NO_LABEL),
        int(n_repeats[0]),
        bootstrap.share(n_same, n_repeats, _NOT_AGAIN),
    )


def _strict_of_lenient(
    judgments: PatternJudgments, bootstrap: _Bootstrap
) -> tuple[StrictOfLenient, ...]:
    if len(judgments.labels) < len(Strictness):
        return ()
    strict = judgments.labels[Strictness.STRICT]
    lenient = judgments.labels[Strictness.LENIENT]
    meant = (lenient == YES) & (strict != NOT_JUDGED)
    of_each = [meant, meant & (strict == YES), (strict == YES) & (lenient == NO)]
    # judges × statistics, with all judges together in front
    found = [np.stack([each.sum(axis=1) for each in of_each], axis=1)]
    found += [np.stack([each[:, j] for each in of_each], axis=1) for j in range(strict.shape[1])]
    sums = bootstrap.sums([each.astype(np.float64) for each in found])
    return tuple(
        StrictOfLenient(
            judge,
            int(each[0, 0]),
            bootstrap.share(each[:, 1], each[:, 0], _NO_LENIENT_YES),
            int(each[0, 2]),
        )
        for judge, each in zip((None, *judgments.judges), sums, strict=True)
    )


@dataclass(frozen=True, slots=True)
class Scoring:
    """What Q and D are, and the policies."""

    qualities: tuple[str, ...] = ()
    """`NAME` or `NAME:ARGUMENT`; one for each strictness of the judges where none is named."""
    diversity: str = DIVERSITY
    settings: ScoreSettings = field(default_factory=ScoreSettings)

    def qualities_of(self, lists: RankedLists) -> tuple[str, ...]:
        """Those that are named, else one for each strictness of the judges."""
        if self.qualities:
            return tuple(dict.fromkeys(self.qualities))
        labels = lists.judgments.labels if lists.judgments else {}
        return tuple(f"judges:{each.value}" for each in labels) or (QUALITY,)


@dataclass(frozen=True, slots=True, eq=False)
class ListEvaluation:
    """The same lists scored by some qualities, and what their judges agree on."""

    scores: Mapping[str, ScoreIntervals]
    """By what people call each quality, e.g. `strict`."""
    curves: Mapping[str, ScoreIntervals]
    """The same at every k."""
    agreement: PatternAgreement | None
    """None where nobody judged the patterns."""


def evaluate_lists(
    lists: RankedLists,
    scoring: Scoring | None = None,
    *,
    resampling: Resampling = RESAMPLING,
    on_finding: OnFinding = ignore_finding,
    stages: Stages = unwatched,
) -> ListEvaluation:
    """Score lists by EP, EPR and DIMPLE with intervals, at some ks and at every k.

    Args:
        lists: As they were read.
        scoring: What Q and D are.
        resampling: Of judges and terms.
        on_finding: Is told of patterns that are dropped, and the like; of each once.
        stages: Is told what is being done.
    """
    found = {
        quality.removeprefix("judges:"): score_intervals(scored, resampling=resampling)
        for quality, scored in _scored(lists, scoring or Scoring(), on_finding, stages).items()
    }
    with stages("looking at every k"):
        curves = curves_over_k(found)
        agreement = judge_agreement(lists, resampling=resampling) if lists.judgments else None
    return ListEvaluation(found, curves, agreement)


def _scored(
    lists: RankedLists, scoring: Scoring, on_finding: OnFinding, stages: Stages
) -> dict[str, ScoredLists]:
    """The lists scored by each quality, and each finding told once."""
    found = {}
    for quality in scoring.qualities_of(lists):
        with stages(f"scoring by {quality}"):
            found[quality] = score(lists, scoring.settings, quality, scoring.diversity)
    told: list[Finding] = []
    for scored in found.values():
        told += [each for each in scored.findings if each not in told]
    for finding in told:
        on_finding(finding)
    return found


def rerank_lists(
    lists: RankedLists,
    quality: str = QUALITY,
    *,
    settings: ScoreSettings | None = None,
    k: int | None = None,
    most_exact: int = MOST_EXACT,
    on_finding: OnFinding = ignore_finding,
) -> Reranked:
    """Put the candidates of lists into an order of high DIMPLE, by qualities found by name.

    Args:
        lists: As they were read.
        quality: `NAME` or `NAME:ARGUMENT` of the registry's kind `quality`.
        settings: Policies for repeated and unjudged patterns, and words without content.
        k: Places that count; all of each list where it is None.
        most_exact: Lists of up to so many candidates get the best order of all.
        on_finding: Is told of patterns that are dropped, and the like.
    """
    longest = max(int(np.diff(lists.offsets).max(initial=1)), 1)
    settings = replace(settings or ScoreSettings(), ks=(longest,))
    ready = prepared_lists(lists, found_quality(quality, on_finding), settings, named=quality)
    for finding in ready.findings:
        if finding.code != "short-list":
            on_finding(finding)
    return rerank(
        ready.lists, ready.quality, k=k, most_exact=most_exact, no_content=settings.no_content
    )


@dataclass(frozen=True, slots=True)
class RecognitionSettings:
    """How lists recognize the pairs of tasks."""

    k: int = MOST
    """How many paraphrases of a list count."""
    terms: str = ALL
    """Whose lists: `all`, `top:N` or names with commas."""
    match: str = MatchUnit.WORDS
    by_patterns: bool = False
    """Whether only what the patterns add to matching stems is to be predicted."""


def correlate(
    lists: RankedLists | None = None,
    tasks: Sequence[Task] = (),
    *,
    scoring: Scoring | None = None,
    recognition: RecognitionSettings | None = None,
    others: Sequence[ListScores] = (),
    resample: Resampled | str = Resampled.TERMS,
    alpha: float = ALPHA,
    resampling: Resampling = RESAMPLING,
    on_finding: OnFinding = ignore_finding,
    stages: Stages = unwatched,
) -> Correlations:
    """Tell whether scores of lists predict how many gold pairs they recognize.

    Args:
        lists: Of paraphrases, to be scored; None where all numbers are given.
        tasks: Gold pairs for the lists to recognize.
        scoring: What Q and D are.
        recognition: How the lists recognize pairs.
        others: Scores and performance of lists from elsewhere.
        resample: Whether whole terms are drawn, or single lists.
        alpha: A correlation is significant where its two-sided p is less.
        resampling: Of terms or lists.
        on_finding: Is told of lists and patterns that are left out.
        stages: Is told what is being done.

    Raises:
        SettingError: no list has both a score and a performance, or a setting makes no sense.
    """
    parts = list(others)
    if lists is not None:
        scoring, recognition = scoring or Scoring(), recognition or RecognitionSettings()
        parts = [*_measured(lists, tasks, scoring, recognition, on_finding, stages), *parts]
    with stages("correlating"):
        found = correlate_lists(
            joined_scores(parts),
            resampling=resampling,
            resample=resample,
            alpha=alpha,
        )
    for finding in found.findings:
        on_finding(finding)
    return found


def _measured(
    lists: RankedLists,
    tasks: Sequence[Task],
    scoring: Scoring,
    recognition: RecognitionSettings,
    on_finding: OnFinding,
    stages: Stages,
) -> list[ListScores]:
    """What the lists do in the tasks, and what they score."""
    found = []
    if tasks:
        with stages("recognizing"):
            recognized = recognize(
                lists,
                tasks,
                k=recognition.k,
                terms=recognition.terms,
                no_content=scoring.settings.no_content,
                match=recognition.match,
            )
        for finding in recognized.findings:
            if finding.code != "repeated-pattern":  # which scoring tells, too
                on_finding(finding)
        found.append(performance_scores(recognized, by_patterns=recognition.by_patterns))
        lists = lists.chosen_lists(recognized.which.tolist())
    scored = _scored(lists, scoring, on_finding, stages)
    return [*found, *(intrinsic_scores(each, quality) for quality, each in scored.items())]
