"""`ensue mt train`, `weights` and `evaluate`, and what all commands on translations share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ensue.cli.inputs import check_files, load_gold_of, shown_stages
from ensue.cli.messages import check_replaced, finding_messages, force_option, tell
from ensue.cli.options import (
    TABLE_FORMATS,
    Printing,
    Setting,
    encoding_of,
    format_option,
    output_options,
    quiet_option,
    read_option,
    report_option,
    resampling_options,
    seed_option,
    settings_option,
    workers_option,
)
from ensue.files import STANDARD
from ensue.pairs import ReadKeywords

if TYPE_CHECKING:
    from ensue.engine import Pool
    from ensue.statistics import Resampling
    from ensue.translation import TranslationJudgments
    from ensue.translation.formats import TranslationSet


F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_METRIC = "pair-comb"
FEATURE_SETS = ("tradmt", "rte", "comb", "tradmt+lexical")
MODELS = ("pair", "abs")


@dataclass(frozen=True, slots=True)
class Sources:
    """What the user named."""

    data: tuple[str, ...]
    references: tuple[str, ...]
    judgments: tuple[str, ...]
    language_pair: str | None
    encoding: str | None

    def check(self, outputs: Sequence[str | None], others: Sequence[str] = ()) -> None:
        """See early that nothing is overwritten that the command reads."""
        check_files([*self.data, *self.references, *self.judgments, *others], outputs)

    def open(self, quiet: bool) -> TranslationSet:
        """Open them, and tell what is found."""
        from ensue.translation.formats import open_set

        with finding_messages(quiet) as tell_one:
            found = open_set(
                self.data,
                references=self.references,
                judgments=self.judgments,
                language_pair=self.language_pair,
                encoding=self.encoding,
                on_finding=tell_one,
            )
        tell_contradictions(found.judgments, quiet)
        return found


_judgments_option = click.option(
    "--judgments",
    multiple=True,
    metavar="FILE",
    help="Human judgments, beside those that DATA hold: WMT's CSV, .rank, rows of scores. May be"
    " repeated.",
)


def feature_set_option(what: str) -> Callable[[F], F]:
    """`--feature-set`, as `feature_set`."""
    return click.option(
        "--feature-set",
        type=click.Choice(FEATURE_SETS),
        default="comb",
        show_default=True,
        help=what,
    )


def translation_options(
    *, needed: bool = True, judged: bool = True
) -> Callable[[Callable[..., Any]], Any]:
    """DATA, `--reference`, `--judgments` and `--read`, as `sources`.

    Args:
        needed: Whether the command makes no sense without data.
        judged: Whether it makes use of judgments.
    """

    def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def sourced_command(
            *arguments: Any,
            data: tuple[str, ...],
            references: tuple[str, ...],
            judgments: tuple[str, ...] = (),
            reading: Mapping[str, str],
            **others: Any,
        ) -> Any:
            encoding = encoding_of(reading, "language-pair")
            language_pair = reading.get("language-pair")
            sources = Sources(data, references, judgments, language_pair, encoding)
            return command(*arguments, sources=sources, **others)

        return _with_options(sourced_command, needed, judged)

    return with_options


def _with_options(command: Callable[..., Any], needed: bool, judged: bool) -> Callable[..., Any]:
    judgments = [_judgments_option] if judged else []
    for option in reversed(
        [
            click.argument("data", nargs=-1, required=needed, metavar="DATA..."),
            click.option(
                "--reference",
                "references",
                multiple=True,
                metavar="FILE",
                help="Reference of plain text; DATA are then files of outputs, one for each"
                " system. May be repeated.",
            ),
            *judgments,
            read_option(
                "encoding=NAME, where it is not UTF-8, and language-pair=XX-YY, where they do not"
                " say it"
            ),
        ]
    ):
        command = option(command)
    return command


def metric_option(*, multiple: bool, default: str | None = DEFAULT_METRIC) -> Callable[[F], F]:
    """`-m`, as `metric`, or `metrics` where it may be repeated."""
    return click.option(
        "-m",
        "--metric",
        "metrics" if multiple else "metric",
        multiple=multiple,
        default=(default,) if multiple and default else default,
        show_default=default is not None,
        metavar="NAME|DIR",
        help="A metric's name (ensue list metrics), or the directory of a trained one."
        + " May be repeated." * multiple,
    )


def tell_contradictions(judgments: TranslationJudgments, quiet: bool) -> None:
    """Say where judges contradict themselves."""
    from ensue.translation.judgments import contradictions

    tell(contradictions(judgments).findings(), quiet)


# `ensue mt train`.


@click.command(
    "train",
    epilog="Example: ensue mt train examples/translation --feature-set tradmt -o metric",
)
@translation_options()
@click.option(
    "--model",
    type=click.Choice(MODELS),
    default="pair",
    show_default=True,
    help="Learn which of two outputs is preferred, or the absolute human score.",
)
@feature_set_option("The features to weigh.")
@click.option("-o", "--output", required=True, metavar="DIR", help="Where the metric goes.")
@force_option
@click.option(
    "--strength",
    type=float,
    metavar="C",
    help="Inverse strength of regularization; chosen by cross-validation where it is not given.",
)
@workers_option
@format_option(*TABLE_FORMATS)
@report_option
@seed_option
@quiet_option
def train_command(
    sources: Sources,
    model: str,
    feature_set: str,
    output: str,
    force: bool,
    strength: float | None,
    pool: Pool | None,
    output_format: str | None,
    report: str | None,
    seed: int,
    quiet: bool,
) -> None:
    """Train a metric on the human judgments of DATA.

    The model pair learns from rankings, and from scores that one judge gave to several outputs of
    a segment; abs from direct assessments, from adequacy and fluency, or from ranks, whichever
    there are, in this order.
    """
    from ensue.reports import write_page
    from ensue.reports.translation import training_report, training_tables
    from ensue.translation import train_metric
    from ensue.translation.features import FeatureSet
    from ensue.translation.metrics import RECORD, ModelKind, check_saved_metric, save_metric

    sources.check([str(Path(output) / RECORD), report])
    check_replaced(force, check_saved_metric, output, ModelKind(model), FeatureSet(feature_set))
    metric = train_metric(
        sources.open(quiet),
        ModelKind(model),
        FeatureSet(feature_set),
        strength=strength,
        seed=seed,
        pool=pool,
        stages=shown_stages(quiet),
    )
    save_metric(metric, output)
    printing = Printing(STANDARD, output_format, None)
    printing.write(training_tables(metric, every=printing.for_programs))
    if report:
        write_page(report, training_report(metric))


# `ensue mt weights`.


@click.command(
    "weights",
    epilog="Example: ensue mt weights examples/translation --draws 20 --table weight-directions",
)
@translation_options()
@click.option(
    "--model",
    type=click.Choice(MODELS),
    default="pair",
    show_default=True,
    help="What is learned: preferences, or absolute scores.",
)
@click.option(
    "--pairs",
    multiple=True,
    metavar="PAIRS",
    help="Gold pairs to train the recognizer 'features' on, which stands beside the metrics. May"
    " be repeated.",
)
@resampling_options(
    "Resamples of the segments, each of which is learned from anew; 0 for no intervals.",
    default=200,
)
@workers_option
@output_options(picture="weights by group", page=True)
@quiet_option
def weights_command(
    sources: Sources,
    model: str,
    pairs: tuple[str, ...],
    resampling: Resampling,
    pool: Pool | None,
    printing: Printing,
    quiet: bool,
) -> None:
    """Show what metrics on entailment features look at, group by group.

    Metrics on the sets rte and comb are trained on the judgments of DATA; their weights stand side
    by side, with those of the recognizer where PAIRS are given, beside the directions that Padó et
    al. (2009) report.
    """
    from ensue.reports.translation import (
        weight_picture,
        weight_tables,
        weights_answer,
        weights_report,
    )
    from ensue.translation import study_weights
    from ensue.translation.metrics import ModelKind

    sources.check(printing.files, pairs)
    found = study_weights(
        sources.open(quiet),
        ModelKind(model),
        pairs=load_gold_of(pairs, ReadKeywords(), quiet)[0],
        resampling=resampling,
        pool=pool,
        stages=shown_stages(quiet),
    )
    printing.write(
        weight_tables(found),
        picture=lambda: weight_picture(found),
        page=lambda: weights_report(found),
        answer=weights_answer(found),
    )


# `ensue mt evaluate`.

SETTINGS = {
    "metric-ties": Setting(
        "what outputs count for that people tell apart and a metric does not",
        "wrong",
        click.Choice(["wrong", "half", "left-out"]),
    ),
    "outputs": Setting(
        "which are scored; with all, system ranks are over all segments",
        "judged",
        click.Choice(["judged", "all"]),
    ),
    "worst": Setting("worst disagreements to show of each metric", 5, click.IntRange(0)),
    "permutations": Setting("of the paired tests", 10_000, click.IntRange(0)),
}
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
@settings_option(SETTINGS)
@resampling_options()
@workers_option
@output_options(picture="agreement with people", page=True)
@quiet_option
def evaluate_command(
    sources: Sources,
    metrics: tuple[str, ...],
    crossed: tuple[str, ...],
    score_files: tuple[str, ...],
    settings: Mapping[str, Any],
    resampling: Resampling,
    pool: Pool | None,
    printing: Printing,
    quiet: bool,
) -> None:
    """Hold metrics against the human judgments of DATA.

    Consistency with preferences, correlations with scores, the order of systems, paired tests; what
    judges agree on themselves, and the bounds that this sets. Scores of other metrics come from
    files; without texts, --judgments and --scores do.
    """
    from ensue.reports.translation import (
        evaluation_picture,
        evaluation_report,
        metric_answer,
        metric_tables,
    )
    from ensue.translation import evaluate
    from ensue.translation.evaluation import EvaluationSettings, TiePolicy
    from ensue.translation.formats import read_all_scores

    all_outputs = settings["outputs"] == "all"
    if crossed and all_outputs:
        raise click.UsageError("--cross scores the judged outputs: leave -s outputs=all out")
    sources.check(printing.files, score_files)
    judged = _judged(sources, metrics, crossed, score_files, quiet)
    encoding = sources.encoding
    scores = [each for path in score_files for each in read_all_scores(path, encoding=encoding)]
    if sources.data and not (metrics or crossed or scores):
        metrics = (DEFAULT_METRIC,)
    chosen = EvaluationSettings(
        policy=TiePolicy(settings["metric-ties"]),
        n_worst=settings["worst"],
        resampling=resampling,
        permutations=settings["permutations"],
    )
    with finding_messages(quiet) as tell_one:
        found = evaluate(
            judged,
            metrics,
            crossed=crossed,
            scores=scores,
            all_outputs=all_outputs,
            settings=chosen,
            name="" if sources.data else ", ".join(sources.judgments),
            with_alignments=printing.report is not None,
            pool=pool,
            on_finding=tell_one,
            stages=shown_stages(quiet),
        )
    shown = (found.metrics, found.judges)
    printing.write(
        metric_tables(*shown, every=printing.for_programs),
        picture=lambda: evaluation_picture(*shown),
        page=lambda: evaluation_report(*shown, judged=found.name, aligned=found.aligned),
        answer=metric_answer(shown[0]),
    )


def _judged(
    sources: Sources,
    metrics: Sequence[str],
    crossed: Sequence[str],
    score_files: Sequence[str],
    quiet: bool,
) -> TranslationSet | TranslationJudgments:
    from ensue.translation import TranslationJudgments
    from ensue.translation.formats import read_judgments

    if sources.data:
        return sources.open(quiet)
    if metrics or crossed:
        raise click.UsageError("metrics need DATA to score")
    if not (sources.judgments and score_files):
        raise click.UsageError("give DATA, or --judgments and --scores")
    with finding_messages(quiet) as tell_one:
        judgments = TranslationJudgments.joined(
            read_judgments(path, encoding=sources.encoding, on_finding=tell_one)
            for path in sources.judgments
        )
    tell_contradictions(judgments, quiet)
    return judgments
