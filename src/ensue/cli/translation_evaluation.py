"""`ensue mt evaluate`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ensue.cli.inputs import busy_status
from ensue.cli.messages import finding_messages, progress_bar
from ensue.cli.options import (
    Printing,
    draws_option,
    output_options,
    plot_option,
    quiet_option,
    report_option,
    seed_option,
)
from ensue.cli.translation_inputs import (
    DEFAULT_METRIC,
    FEATURE_SETS,
    MODELS,
    Sources,
    check_judged,
    judged_table,
    metric_option,
    n_outputs,
    ready_metric,
    tell_contradictions,
    translation_options,
)
from ensue.cli.workers import workers_option

if TYPE_CHECKING:
    from ensue.engine import Pool
    from ensue.reports import Section
    from ensue.translation import MetricScores, TranslationJudgments
    from ensue.translation.evaluation import MetricEvaluation
    from ensue.translation.formats import TranslationSet
    from ensue.translation.metrics import Metric

CROSSED = tuple(f"{model}-{features}" for model in MODELS for features in FEATURE_SETS)


@click.command(
    "evaluate", epilog="Example: ensue mt evaluate examples/translation -m bleu -m ter --draws 200"
)
@translation_options(needed=False)
@metric_option(multiple=True, default=None)
@click.option(
    "--cross",
    "crossed",
    multiple=True,
    type=click.Choice(CROSSED),
    metavar="MODEL-SET",
    help="Train such a metric on all language pairs but one, in turn, and judge the one left out:"
    " pair or abs, and a set of features. May be repeated.",
)
@click.option(
    "--scores",
    "score_files",
    multiple=True,
    metavar="FILE",
    help="Scores of any metric: columns language_pair, segment, system, score, or WMT's format."
    " May be repeated.",
)
@click.option(
    "--metric-ties",
    "policy",
    type=click.Choice(["wrong", "half", "left-out"]),
    default="wrong",
    show_default=True,
    help="What outputs count for that people tell apart and a metric does not.",
)
@click.option(
    "--all-outputs",
    is_flag=True,
    help="Score all outputs, not only the judged ones: system ranks are then over all segments.",
)
@click.option(
    "--worst",
    "n_worst",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    help="Worst disagreements to show of each metric.",
)
@draws_option()
@click.option(
    "--permutations",
    type=click.IntRange(0),
    default=10_000,
    show_default=True,
    help="Permutations of the paired tests.",
)
@workers_option
@output_options
@plot_option("agreement with people")
@report_option
@seed_option
@quiet_option
def evaluate_command(
    sources: Sources,
    metrics: tuple[str, ...],
    crossed: tuple[str, ...],
    score_files: tuple[str, ...],
    policy: str,
    all_outputs: bool,
    n_worst: int,
    draws: int,
    permutations: int,
    pool: Pool | None,
    printing: Printing,
    plots: tuple[str, ...],
    report: str | None,
    seed: int,
    quiet: bool,
) -> None:
    """Hold metrics against the human judgments of DATA.

    Consistency with preferences, correlations with scores, the order of systems, paired tests; what
    judges agree on themselves, and the bounds that this sets. Scores of other metrics come from
    files; without texts, --judgments and --scores do.
    """
    from ensue.reports import write_page
    from ensue.reports.pictures import write_picture
    from ensue.reports.translation import (
        describe_people,
        evaluation_picture,
        evaluation_report,
        metric_tables,
    )
    from ensue.translation.evaluation import EvaluationSettings, TiePolicy, evaluate_metrics

    if crossed and all_outputs:
        raise click.UsageError("--cross scores the judged outputs: leave --all-outputs out")
    sources.check([printing.output, report, *plots], score_files)
    found = _opened(sources, metrics, crossed, score_files, quiet)
    judgments = found.judgments if found else _judgments_alone(sources, quiet)
    scores = _scores_of_files(score_files, sources.encoding)
    if found is not None:
        named = metrics or (() if crossed or scores else (DEFAULT_METRIC,))
        scores += _scores_of_metrics(found, named, all_outputs, pool, quiet)
        taken = {each.name for each in scores}
        scores += [
            replace(each, name=f"{each.name} (crossed)") if each.name in taken else each
            for each in _crossed_scores(found, crossed, pool, seed, quiet)
        ]
    scores = _on_the_same(scores, judgments, found if all_outputs else None, quiet)
    settings = EvaluationSettings(
        policy=TiePolicy(policy),
        n_worst=n_worst,
        draws=draws,
        permutations=permutations,
        seed=seed,
    )
    with busy_status("evaluating", quiet):
        evaluation = evaluate_metrics(judgments, scores, settings)
        people = describe_people(judgments, draws=draws, seed=seed)
    printing.write(metric_tables(evaluation, people, every=printing.for_programs))
    for plot in plots:
        write_picture(plot, evaluation_picture(evaluation, people))
    if report:
        drawn = _drawn(evaluation, found) if found else []
        name = found.name if found else ", ".join(sources.judgments)
        write_page(report, evaluation_report(evaluation, people, judged=name, disagreements=drawn))


def _opened(
    sources: Sources,
    metrics: Sequence[str],
    crossed: Sequence[str],
    score_files: Sequence[str],
    quiet: bool,
) -> TranslationSet | None:
    if sources.data:
        found = sources.open(quiet)
        check_judged(found)
        return found
    if metrics or crossed:
        raise click.UsageError("metrics need DATA to score")
    if not (sources.judgments and score_files):
        raise click.UsageError("give DATA, or --judgments and --scores")
    return None


def _judgments_alone(sources: Sources, quiet: bool) -> TranslationJudgments:
    from ensue.translation import TranslationJudgments
    from ensue.translation.formats import read_judgments

    with finding_messages(quiet) as tell_one:
        read = [
            read_judgments(path, encoding=sources.encoding, on_finding=tell_one)
            for path in sources.judgments
        ]
    judgments = TranslationJudgments(
        tuple(each for some in read for each in some.rankings),
        tuple(each for some in read for each in some.assessments),
    )
    tell_contradictions(judgments, quiet)
    return judgments


def _scores_of_files(files: Sequence[str], encoding: str | None) -> list[MetricScores]:
    from ensue.translation.formats import read_all_scores

    return [scores for path in files for scores in read_all_scores(path, encoding=encoding)]


def _scores_of_metrics(
    found: TranslationSet, names: Sequence[str], all_outputs: bool, pool: Pool | None, quiet: bool
) -> list[MetricScores]:
    from ensue.translation.judgments import judged_outputs, judged_segments
    from ensue.translation.metrics import score_each

    if not names:
        return []
    ready = [ready_metric(name, found, pool) for name in dict.fromkeys(names)]
    if not quiet:
        _warn_of_trained(ready, found)
    total = n_outputs(found) if all_outputs else len(judged_outputs(found.judgments))
    segments = found.segments()
    if not all_outputs:
        segments = judged_segments(segments, found.judgments)
    with progress_bar("scoring", total=total, quiet=quiet) as progress:
        return score_each(ready, segments, progress=progress)


def _warn_of_trained(metrics: Sequence[Metric], found: TranslationSet) -> None:
    """Say which metrics have learned from the judgments that they are held against."""
    from ensue.translation.metrics import WeightedMetric

    at_hand = set(found.name.split("+"))
    for metric in metrics:
        if isinstance(metric, WeightedMetric):
            known = at_hand & set(str(metric.trained_on.get("name", "")).split("+"))
            if known:
                click.echo(
                    f"warning: {metric.name} was trained on {', '.join(sorted(known))}, and knows"
                    " these judgments; --cross shows what it does on others",
                    err=True,
                )


def _on_the_same(
    scores: Sequence[MetricScores],
    judgments: TranslationJudgments,
    found: TranslationSet | None,
    quiet: bool,
) -> list[MetricScores]:
    """All scores on the same outputs, over which systems are compared: the judged ones, or all."""
    from ensue.translation.judgments import judged_outputs
    from ensue.translation.metrics import scores_among

    wanted = judged_outputs(judgments)
    if found is not None:
        wanted |= {key for segment in found.segments() for key in segment.output_keys()}
    kept = []
    for each in scores:
        among = scores_among(each, wanted)
        left = len(each.outputs) - len(among.outputs)
        if left and not quiet:
            click.echo(
                f"note: {each.name}: {left:,} of {len(each.outputs):,} scores are of outputs that"
                f" are not {'in the data' if found else 'judged'}, and are left out",
                err=True,
            )
        kept.append(among)
    return kept


def _crossed_scores(
    found: TranslationSet, names: Sequence[str], pool: Pool | None, seed: int, quiet: bool
) -> list[MetricScores]:
    from ensue.translation.features import covering_sets
    from ensue.translation.metrics import crossed_metric, parse_metric_name

    if not names:
        return []
    wanted = [parse_metric_name(name) for name in dict.fromkeys(names)]
    tables = {
        measured: judged_table(found, measured, pool, quiet)
        for measured in covering_sets([feature_set for _, feature_set in wanted])
    }
    scores = []
    for kind, feature_set in wanted:
        table = next(tables[each] for each in tables if each.covers(feature_set))
        with busy_status(f"training {kind.value}-{feature_set.value}", quiet):
            scores.append(crossed_metric(table, found.judgments, kind, feature_set, seed=seed))
    return scores


def _drawn(evaluation: MetricEvaluation, found: TranslationSet) -> list[Section]:
    """Sections with the worst disagreements of each metric."""
    from ensue.features import shared_reader
    from ensue.recognizers import Evidence, linked, marks
    from ensue.reports.translation import disagreement_sections

    wanted = {
        key
        for metric in evaluation.metrics
        for each in metric.disagreements or ()
        for key in (each.preferred, each.other)
    }
    texts = {
        key: (segment.outputs[key.system], segment.references[0])
        for segment in found.segments()
        for key in segment.output_keys()
        if key in wanted
    }

    def evidence(output: str, reference: str) -> Evidence:
        (compared,) = shared_reader().compare([(output, reference)])
        spans, links = linked(compared)
        return Evidence([*spans, *marks(compared)], links)

    return [
        section
        for metric in evaluation.metrics
        for section in disagreement_sections(
            metric.disagreements or (), texts, evidence, metric=metric.name
        )
    ]
