"""Metrics held against human judgments, trained on them, and their weights looked into.

These are the calls behind `ensue mt evaluate`, `ensue mt train` and `ensue mt weights`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ensue.engine import Pool
from ensue.errors import UndefinedError
from ensue.features import open_reader, shared_reader
from ensue.files import Finding, OnFinding, Severity, ignore_finding
from ensue.pairs import Pair
from ensue.progress import Stages, unwatched
from ensue.recognizers import Evidence, FeaturesRecognizer, linked, load, marks
from ensue.statistics import Resampling
from ensue.translation.evaluation.metric_evaluation import (
    EvaluationSettings,
    MetricEvaluation,
    evaluate_metrics,
)
from ensue.translation.features.tables import (
    FeatureSet,
    FeatureTable,
    Meter,
    covering_sets,
    measure,
)
from ensue.translation.formats.sets import TranslationSet
from ensue.translation.judgments.bounds import JudgeSummary, judge_summary
from ensue.translation.judgments.comparisons import judged_outputs, judged_segments
from ensue.translation.metrics.linear_models import (
    REFITS,
    ModelKind,
    metric_weights,
    recognizer_weights,
)
from ensue.translation.metrics.scores import Metric, score_each, scores_among
from ensue.translation.metrics.trained_metrics import (
    WeightedMetric,
    crossed_metric,
    of_set,
    parse_metric_name,
    ready_metric,
    train,
    trained_metric,
)
from ensue.translation.metrics.weights import ModelWeights, WeightStudy
from ensue.translation.systems import MetricScores, OutputKey, TranslationJudgments


def _judged_table(
    found: TranslationSet, feature_set: FeatureSet, pool: Pool | None, stages: Stages
) -> FeatureTable:
    """The features of the outputs that somebody judged."""
    _check_judged(found)
    reader = open_reader(pool=pool) if feature_set.needs_analyzer else None
    meter = Meter(feature_set, reader).informed(found.references())
    with stages("measuring", len(judged_outputs(found.judgments))) as progress:
        judged = judged_segments(found.segments(), found.judgments)
        return measure(meter, judged, progress=progress)


def _check_judged(found: TranslationSet) -> None:
    if not (found.judgments.rankings or found.judgments.assessments):
        raise UndefinedError(
            "nobody-judged-outputs",
            "nobody has judged these outputs",
            hint="name a file of judgments with --judgments",
        )


# Metrics held against judgments: `ensue mt evaluate`.


@dataclass(frozen=True, slots=True)
class AlignedOutput:
    """An output beside its reference, and what in it answers the reference."""

    output: str
    reference: str
    evidence: Evidence = field(default_factory=Evidence, hash=False)
    """Nothing where either has no words."""


@dataclass(frozen=True, slots=True, eq=False)
class MetaEvaluation:
    """What judgments say of metrics, and of those who judged."""

    name: str
    """What the judgments are called."""
    metrics: MetricEvaluation
    judges: JudgeSummary | None
    """None where no judge ranks two outputs."""
    aligned: Mapping[OutputKey, AlignedOutput] = field(default_factory=dict)
    """The outputs of the worst disagreements, where they were asked for and texts are at hand."""


def evaluate(
    judged: TranslationSet | TranslationJudgments,
    metrics: Sequence[str] = (),
    *,
    crossed: Sequence[str] = (),
    scores: Sequence[MetricScores] = (),
    all_outputs: bool = False,
    settings: EvaluationSettings | None = None,
    name: str = "",
    with_alignments: bool = False,
    pool: Pool | None = None,
    on_finding: OnFinding = ignore_finding,
    stages: Stages = unwatched,
) -> MetaEvaluation:
    """Hold metrics against human judgments.

    Args:
        judged: Outputs with their judgments, or judgments alone where all scores are given.
        metrics: Names or directories of metrics that score the outputs.
        crossed: Trained metrics such as `pair-comb`, learned on all language pairs but one, in
            turn, and judged on the one left out.
        scores: Of other metrics.
        all_outputs: Whether all outputs are scored, and systems compared over all segments; only
            the judged ones otherwise.
        settings: How metrics are held against judgments.
        name: What the judgments are called; the name of the set where it is empty.
        with_alignments: Whether the outputs of the worst disagreements are aligned with their
            references.
        pool: Processes that analyze sentences.
        on_finding: Is told of metrics that know these judgments, and of scores left out.
        stages: Is told what is being done.

    Raises:
        UndefinedError: nobody has judged the outputs.
        SettingError, DataError: as of `evaluate_metrics`.
    """
    settings = settings or EvaluationSettings()
    known = list(scores)
    found = judged if isinstance(judged, TranslationSet) else None
    judgments = judged.judgments if isinstance(judged, TranslationSet) else judged
    if found is not None:
        _check_judged(found)
        known += _scores_of_metrics(found, metrics, all_outputs, pool, on_finding, stages)
        known += _renamed(
            _crossed_scores(found, crossed, settings.resampling.seed, pool, stages), known
        )
    known = _on_the_same(known, judgments, found if all_outputs else None, on_finding)
    with stages("evaluating"):
        evaluation = evaluate_metrics(judgments, known, settings)
        judges = judge_summary(judgments, resampling=settings.resampling)
    aligned = _aligned(evaluation, found) if found and with_alignments else {}
    return MetaEvaluation(name or (found.name if found else ""), evaluation, judges, aligned)


def _scores_of_metrics(
    found: TranslationSet,
    names: Sequence[str],
    all_outputs: bool,
    pool: Pool | None,
    on_finding: OnFinding,
    stages: Stages,
) -> list[MetricScores]:
    if not names:
        return []
    ready = [ready_metric(name, found.references(), pool) for name in dict.fromkeys(names)]
    for finding in _trained_on_these(ready, found):
        on_finding(finding)
    total = found.n_outputs if all_outputs else len(judged_outputs(found.judgments))
    segments = found.segments()
    if not all_outputs:
        segments = judged_segments(segments, found.judgments)
    with stages("scoring", total) as progress:
        return score_each(ready, segments, progress=progress)


def _trained_on_these(metrics: Sequence[Metric], found: TranslationSet) -> Iterator[Finding]:
    """Tell which metrics have learned from the judgments that they are held against."""
    at_hand = set(found.name.split("+"))
    for metric in metrics:
        if isinstance(metric, WeightedMetric):
            known = at_hand & set(str(metric.trained_on.get("name", "")).split("+"))
            if known:
                message = (
                    f"{metric.name} was trained on {', '.join(sorted(known))}, and knows these"
                    " judgments; --cross shows what it does on others"
                )
                yield Finding("known-judgments", Severity.WARNING, message)


def _crossed_scores(
    found: TranslationSet, names: Sequence[str], seed: int, pool: Pool | None, stages: Stages
) -> list[MetricScores]:
    wanted = [parse_metric_name(name) for name in dict.fromkeys(names)]
    tables = {
        measured: _judged_table(found, measured, pool, stages)
        for measured in covering_sets([feature_set for _, feature_set in wanted])
    }
    scores = []
    for kind, feature_set in wanted:
        table = next(tables[each] for each in tables if each.covers(feature_set))
        with stages(f"training {kind.value}-{feature_set.value}"):
            scores.append(crossed_metric(table, found.judgments, kind, feature_set, seed=seed))
    return scores


def _renamed(crossed: Sequence[MetricScores], others: Sequence[MetricScores]) -> list[MetricScores]:
    """Crossed metrics with a name of their own, beside one that was not crossed."""
    taken = {each.name for each in others}
    return [
        replace(each, name=f"{each.name} (crossed)") if each.name in taken else each
        for each in crossed
    ]


def _on_the_same(
    scores: Sequence[MetricScores],
    judgments: TranslationJudgments,
    found: TranslationSet | None,
    on_finding: OnFinding,
) -> list[MetricScores]:
    """All scores on the same outputs, over which systems are compared: the judged ones, or all."""
    wanted = judged_outputs(judgments)
    if found is not None:
        wanted |= {key for segment in found.segments() for key in segment.output_keys()}
    kept = []
    for each in scores:
        among = scores_among(each, wanted)
        left = len(each.outputs) - len(among.outputs)
        if left:
            message = (
                f"{each.name}: {left:,} of {len(each.outputs):,} scores are of outputs that are not"
                f" {'in the data' if found else 'judged'}, and are left out"
            )
            on_finding(Finding("unused-scores", Severity.NOTE, message))
        kept.append(among)
    return kept


def _aligned(evaluation: MetricEvaluation, found: TranslationSet) -> dict[OutputKey, AlignedOutput]:
    wanted = {
        key
        for metric in evaluation.metrics
        for each in metric.disagreements or ()
        for key in (each.preferred, each.other)
    }
    return {
        key: _aligned_output(segment.outputs[key.system], segment.references[0])
        for segment in found.segments()
        for key in segment.output_keys()
        if key in wanted
    }


def _aligned_output(output: str, reference: str) -> AlignedOutput:
    if not (output.strip() and reference.strip()):
        return AlignedOutput(output, reference)
    (compared,) = shared_reader().compare([(output, reference)])
    spans, links = linked(compared)
    return AlignedOutput(output, reference, Evidence([*spans, *marks(compared)], links))


# Metrics trained on judgments, and what they look at: `ensue mt train` and `ensue mt weights`.


def train_metric(
    found: TranslationSet,
    kind: ModelKind,
    feature_set: FeatureSet,
    *,
    strength: float | None = None,
    seed: int = 0,
    pool: Pool | None = None,
    stages: Stages = unwatched,
) -> WeightedMetric:
    """Train a metric on the judgments of a set.

    Args:
        found: Outputs with their judgments.
        kind: Whether preferences or absolute scores are learned.
        feature_set: What is weighed.
        strength: Inverse strength of regularization; chosen by cross-validation where it is None.
        seed: Of the folds.
        pool: Processes that analyze sentences.
        stages: Is told what is being done.

    Raises:
        UndefinedError: nobody has judged the outputs, or not so that the model can learn from it.
    """
    table = _judged_table(found, feature_set, pool, stages)
    with stages("training"):
        return trained_metric(
            table,
            found.judgments,
            kind,
            feature_set,
            name=found.name,
            strength=strength,
            seed=seed,
        )


def study_weights(
    found: TranslationSet,
    kind: ModelKind,
    *,
    pairs: Sequence[Pair] = (),
    resampling: Resampling = REFITS,
    pool: Pool | None = None,
    stages: Stages = unwatched,
) -> WeightStudy:
    """Train metrics on `rte` and `comb`, and the recognizer `features`; resample their weights.

    Args:
        found: Outputs with their judgments.
        kind: Whether preferences or absolute scores are learned.
        pairs: Gold pairs to train the recognizer on; none for no recognizer.
        resampling: Draws, level and seed of the intervals.
        pool: Processes that analyze sentences.
        stages: Is told what is being done.

    Raises:
        UndefinedError: nobody has judged the outputs, or not so that the model can learn from it.
    """
    table = _judged_table(found, FeatureSet.COMB, pool, stages)
    learned = []
    for feature_set in (FeatureSet.RTE, FeatureSet.COMB):
        known, title = of_set(table, feature_set), f"{kind.value}-{feature_set.value}"
        with stages(f"training {title}"):
            model, _ = train(known, found.judgments, kind, seed=resampling.seed)
        with stages(f"resampling {title}", resampling.draws) as progress:
            learned.append(
                metric_weights(
                    title, model, known, found.judgments, resampling=resampling, progress=progress
                )
            )
    recognizer = _recognizer_weights(pairs, resampling, pool, stages) if pairs else None
    return WeightStudy.of(learned, recognizer, name=found.name, resampling=resampling)


def _recognizer_weights(
    pairs: Sequence[Pair], resampling: Resampling, pool: Pool | None, stages: Stages
) -> ModelWeights:
    features = load("features")
    assert isinstance(features, FeaturesRecognizer)
    with stages("resampling the recognizer", resampling.draws) as progress:
        return recognizer_weights(
            "recognizer",
            features.with_pool(pool),
            pairs,
            resampling=resampling,
            progress=progress,
        )
