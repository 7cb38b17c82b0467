"""Lists scored, put into a better order, and their scores held against performance in tasks.

These are the calls behind `ensue paraphrase score`, `rerank` and `correlate`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ensue.files import Finding, OnFinding, ignore_finding
from ensue.paraphrase.agreement import PatternAgreement, judge_agreement
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
from ensue.paraphrase.lists import RankedLists
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
from ensue.statistics import RESAMPLING, Resampling


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
