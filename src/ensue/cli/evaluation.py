"""`ensue evaluate`, `cutoff`, `power`, `reproduce` and `mine`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ensue import __version__, registry
from ensue.cli.app import EXIT_NO
from ensue.cli.inputs import busy_status, check_files, load_cutoffs, observed_runs
from ensue.cli.messages import finding_messages, tell
from ensue.cli.options import (
    Printing,
    Setting,
    output_options,
    pair_options,
    quiet_option,
    resampling_options,
    seed_option,
    settings_option,
)
from ensue.errors import UndefinedError
from ensue.pairs import ReadKeywords, View, dataset_name

if TYPE_CHECKING:
    from ensue.mining import MinedSources
    from ensue.statistics import Resampling

_precision_option = click.option(
    "--precision",
    type=click.FloatRange(0, 1, min_open=True),
    metavar="P",
    help="Show operating points: the cutoffs for best accuracy, best F and this precision.",
)


@click.command(
    "evaluate",
    epilog="Example: ensue evaluate examples/pairs.xml demo/modified-bleu.jsonl",
)
@click.argument("gold")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "--by",
    multiple=True,
    type=click.Choice(["task", "group"]),
    help="Show each task by itself, too; rank the texts of each group (by meta.group or H). May be"
    " repeated.",
)
@output_options(page=True)
@click.option(
    "--prior",
    type=click.FloatRange(0, 1),
    metavar="P",
    help="Show the scores to expect where a share P of the pairs are entailments.",
)
@click.option(
    "--fail-under",
    "gates",
    multiple=True,
    metavar="[MEASURE=]X",
    help="Exit with 1 where a run is below, e.g. accuracy=0.55; may be repeated.",
)
@_precision_option
@click.option(
    "--view",
    type=click.Choice([view.value for view in View]),
    help="The labels to compare in; the finest that all share where it is not given.",
)
@resampling_options()
@pair_options
@quiet_option
def evaluate_command(
    gold: str,
    runs: tuple[str, ...],
    by: tuple[str, ...],
    printing: Printing,
    prior: float | None,
    gates: tuple[str, ...],
    precision: float | None,
    view: str | None,
    resampling: Resampling,
    quiet: bool,
    reading: ReadKeywords,
) -> int:
    """Evaluate RUNs against the labels of GOLD.

    A run is what 'ensue judge' writes, a file or a folder of shards, or lines of the challenge's
    plain format: an id, TRUE or FALSE, and a confidence that may be left out.
    """
    from ensue.evaluation import evaluate_sources, read_gate, shortfalls
    from ensue.reports import (
        EvaluationExtras,
        evaluation_answer,
        evaluation_report,
        evaluation_tables,
    )

    check_files([gold, *runs], printing.files)
    wanted = [read_gate(gate) for gate in gates]
    wishes = EvaluationExtras(precision=precision, groups="group" in by)
    with busy_status("evaluating", quiet):
        with finding_messages(quiet) as tell_one:
            evaluation = evaluate_sources(
                gold,
                runs,
                reading=reading,
                on_finding=tell_one,
                by_task="task" in by,
                resampling=resampling,
                prior=prior,
                view=View(view) if view else None,
                cutoffs=bool(printing.report) or precision is not None,
                groups="group" in by,
            )
        tell(evaluation.findings, quiet)
    printing.write(
        evaluation_tables(evaluation, wishes, every=printing.for_programs),
        page=lambda: evaluation_report(evaluation, gold=dataset_name(gold), wishes=wishes),
        answer=evaluation_answer(evaluation),
    )
    missed = shortfalls(evaluation, wanted)
    for line in missed:
        click.echo(f"fail: {line}", err=True)
    return EXIT_NO if missed else 0


@click.command(
    "cutoff",
    epilog="Example: ensue cutoff examples/pairs.xml demo/modified-bleu.jsonl",
)
@click.argument("gold")
@click.argument("run")
@click.option("--test", nargs=2, metavar="GOLD RUN", help="Try the tuned cutoff on these, too.")
@click.option("--by", type=click.Choice(["task"]), help="Show each task by itself, too.")
@_precision_option
@output_options(picture="accuracy by cutoff", page=True)
@resampling_options()
@pair_options
@quiet_option
def cutoff_command(
    gold: str,
    run: str,
    test: tuple[str, str] | None,
    by: str | None,
    precision: float | None,
    printing: Printing,
    resampling: Resampling,
    quiet: bool,
    reading: ReadKeywords,
) -> None:
    """Show the accuracy of every cutoff of RUN's scores, and the cutoffs to choose.

    A score above the cutoff is a yes. The candidates are minus infinity and every score that
    occurs; JSON, JSONL and CSV hold them all, the text a selection. Of more than 200,000 cutoffs they
    hold 2,000.
    """
    from ensue.reports import (
        CutoffStudy,
        cutoff_answer,
        cutoff_report,
        cutoff_study_picture,
        cutoff_tables,
    )

    check_files([gold, run, *(test or ())], printing.files)
    with busy_status("computing", quiet):
        tasks = by == "task"
        development = load_cutoffs(gold, run, reading, quiet, tasks=tasks)
        tried = load_cutoffs(*test, reading, quiet, tasks=tasks) if test else None
        study = CutoffStudy.of(development, tried, precision=precision)
    picture = cache(lambda: cutoff_study_picture(study, resampling=resampling))
    sources = [f"gold: {gold}, run: {run}", *([f"test: {' '.join(test)}"] if test else [])]
    sources.append(f"seed: {resampling.seed}, draws: {resampling.draws}")
    printing.write(
        cutoff_tables(study, every=printing.for_programs),
        picture=picture,
        page=lambda: cutoff_report(study, picture(), signature=sources),
        answer=cutoff_answer(study),
    )


@click.command(
    "power",
    epilog="Example: ensue power --difference 2 --disagreement 0.2 --size 800",
)
@click.option(
    "--difference",
    type=click.FloatRange(0, 100, min_open=True),
    metavar="D",
    help="Of the two accuracies, in points: 2 is 2 %. With --runs, theirs where it is not given.",
)
@click.option(
    "--disagreement",
    type=click.FloatRange(0, 1, min_open=True),
    metavar="R",
    help="The share of pairs that exactly one of the two runs gets right.",
)
@click.option("--runs", nargs=3, metavar="GOLD RUN RUN", help="Take the disagreement of these.")
@click.option(
    "--level",
    type=click.FloatRange(0, 0.5, min_open=True),
    default=0.05,
    show_default=True,
    help="Two-sided level of the test.",
)
@click.option(
    "--power",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.8,
    show_default=True,
    help="The wanted probability to see the difference.",
)
@click.option("--size", type=click.IntRange(1), metavar="N", help="Say what N pairs show.")
@output_options()
@pair_options
@quiet_option
def power_command(
    difference: float | None,
    disagreement: float | None,
    runs: tuple[str, str, str] | None,
    level: float,
    power: float,
    size: int | None,
    printing: Printing,
    quiet: bool,
    reading: ReadKeywords,
) -> None:
    """Say how many pairs it takes to see a difference between two runs.

    Runs on the same pairs are compared by McNemar's test. What it can see depends on how many
    pairs exactly one of the runs gets right.
    """
    from ensue.reports import power_tables

    if (disagreement is None) == (runs is None):
        raise click.UsageError("give --disagreement or --runs, and not both")
    if difference is None and size is None and runs is None:
        raise click.UsageError("give --difference, --size or both")
    check_files(runs or (), [printing.output])
    share = None if difference is None else difference / 100
    if runs is not None:
        disagreement, observed = observed_runs(runs, reading, quiet)
        if share is None and size is None:
            share = observed or None
    if share is None and size is None:
        raise UndefinedError(
            "two-runs-equally-accurate",
            "the two runs are equally accurate: there is no difference to see",
            hint="say which difference matters, e.g. --difference 2",
        )
    assert disagreement is not None
    printing.write(
        power_tables(disagreement, difference=share, alpha=level, power=power, n_pairs=size)
    )


@click.command("reproduce", epilog="Example: ensue reproduce rte1 --data path/to/rte")
@click.argument("paper")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="The directory of your copy of the data, for papers that have some.",
)
@click.option(
    "--strict", is_flag=True, help="Exit 1 where a figure differs from the published one."
)
@output_options(page=True)
@seed_option
@quiet_option
def reproduce_command(
    paper: str,
    data: Path | None,
    strict: bool,
    printing: Printing,
    seed: int,
    quiet: bool,
) -> int:
    """Recompute a paper's published figures on your copy of the data.

    PAPER is one of `ensue list reproductions`. Published and recomputed stand side by side, with
    what does not recompute and why.
    """
    from ensue.reports import reproduction_report, reproduction_tables
    from ensue.reproduce import files_at_stake

    kind = registry.find("reproduction", paper)
    if kind.needs_data and data is None:
        raise click.UsageError(f"{paper} needs --data DIR, the directory of your copy of the data")
    directory = data or Path()
    check_files(files_at_stake(directory), printing.files)
    with busy_status("recomputing", quiet):
        reproduction = kind.run(directory, seed)
    given = " --data DIR" if kind.needs_data else ""
    signature = f"ensue reproduce {paper}{given} --seed {seed}|version:{__version__}"
    printing.write(
        reproduction_tables(reproduction),
        page=lambda: reproduction_report(reproduction, signature),
    )
    differs = any(figure.agrees is False for figure in reproduction.figures)
    return EXIT_NO if strict and differs else 0


# `ensue mine`.

ERROR_KINDS = ("fn", "fp", "all", "unanswered")
MEASURES = ("suspicion", "cases", "ln-cases", "errors", "ln-errors")
MINING_SETTINGS = {
    "measure": Setting(
        "rank by the suspicion rate S, or by S times this number of cases with the form",
        "ln-errors",
        click.Choice(MEASURES),
    ),
    "permutations": Setting("of the errors; 0 for no p", 2000, click.IntRange(0)),
    "worst": Setting(
        "worst cases of each suspect, on the page and in JSON, JSONL and CSV", 3, click.IntRange(0)
    ),
}


@click.command(
    "mine",
    epilog="Example: ensue mine examples/pairs.xml demo/overlap.jsonl --forms words",
)
@click.argument("gold")
@click.argument("run")
@click.option(
    "--errors",
    "kinds",
    multiple=True,
    type=click.Choice(ERROR_KINDS),
    default=("fn", "fp"),
    show_default=True,
    help="False negatives, false positives, all wrong answers, or cases without an answer; may be"
    " repeated.",
)
@click.option(
    "--forms",
    "form_kinds",
    multiple=True,
    default=("tags",),
    show_default=True,
    metavar="KIND",
    help="What may be to blame: tags, words, lemmas, task, or a column of meta; may be repeated.",
)
@click.option(
    "--together",
    type=click.IntRange(1),
    metavar="N",
    help="Suspect every two forms, too, that occur together in at least N cases.",
)
@click.option("--against", metavar="RUN2", help="Mine only what this run gets right.")
@settings_option(MINING_SETTINGS)
@click.option(
    "--top",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    help="Show so many suspects; 0 for all.",
)
@resampling_options()
@output_options(picture="the suspects of the first kind of errors", page=True)
@pair_options
@quiet_option
def mine_command(
    gold: str,
    run: str,
    kinds: tuple[str, ...],
    form_kinds: tuple[str, ...],
    together: int | None,
    against: str | None,
    settings: Mapping[str, Any],
    top: int,
    resampling: Resampling,
    printing: Printing,
    quiet: bool,
    reading: ReadKeywords,
) -> None:
    """Find what makes RUN fail on GOLD: constructions, words or columns.

    Each error shares its suspicion among the forms of its case, in proportion to how suspicious
    they are elsewhere. Cases without an answer are left out, unless they are what is mined. RUN is
    a file or a folder of shards.
    """
    from ensue.mining import ErrorKind, Settings, SuspicionMeasure, Wanted, mine_sources
    from ensue.reports import mining_answer, mining_report, mining_tables, suspects_picture

    runs = [run, *([against] if against else [])]
    check_files([gold, *runs], printing.files)
    n_worst = settings["worst"]
    chosen = Settings(
        measure=SuspicionMeasure(settings["measure"]),
        top=top or None,
        resampling=resampling,
        permutations=settings["permutations"],
    )
    every = printing.for_programs
    wanted = Wanted(
        kinds=[ErrorKind(kind) for kind in kinds],
        forms=form_kinds,
        support=together,
        n_worst=n_worst if every or printing.report else 0,
        settings=chosen,
    )
    with busy_status("mining", quiet):
        with finding_messages(quiet) as tell_one:
            mined = mine_sources(gold, runs, wanted, reading=reading, on_finding=tell_one)
        tell(mined.findings, quiet)
        unmined = _unmined(mined)
    printing.write(
        mining_tables(mined.minings, n_worst=n_worst, every=every, unmined=unmined),
        picture=lambda: suspects_picture(mined.minings[0]),
        page=lambda: mining_report(
            mined.minings, gold=dataset_name(gold), n_worst=n_worst, unmined=unmined
        ),
        answer=mining_answer(mined.minings),
    )


def _unmined(mined: MinedSources) -> list[str]:
    """Why some kinds of errors are not mined; an error where there is nothing else."""
    messages = [error.message for error in mined.gaps]
    if not mined.minings:
        first = mined.gaps[0]
        raise UndefinedError(first.code, "; ".join(dict.fromkeys(messages)), hint=first.hint)
    return messages
