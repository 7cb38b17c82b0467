"""`ensue mine`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ensue.cli.parts.findings import tell
from ensue.cli.parts.inputs import check_files, load_gold, load_run, working
from ensue.cli.parts.options import (
    Printing,
    draws_option,
    output_options,
    pair_options,
    plot_option,
    quiet_option,
    report_option,
    seed_option,
)
from ensue.errors import UndefinedError
from ensue.pairs import dataset_name
from ensue.pairs.reading import Reading

if TYPE_CHECKING:
    from ensue.evaluation import Judged
    from ensue.mining import Forms, Mining, Settings, Stopping

ERROR_KINDS = ("fn", "fp", "all", "unanswered")
MEASURES = ("suspicion", "cases", "ln-cases", "errors", "ln-errors")


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
@click.option(
    "--measure",
    type=click.Choice(MEASURES),
    default="ln-errors",
    show_default=True,
    help="Rank by the suspicion rate S, or by S times this number of cases with the form.",
)
@click.option(
    "--top",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    help="Show so many suspects; 0 for all.",
)
@click.option(
    "--cases",
    "n_worst",
    type=click.IntRange(0),
    default=3,
    show_default=True,
    help="Worst cases of each suspect on the page and in JSON, JSONL and CSV.",
)
@click.option(
    "--iterations",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="Of the fixed point.",
)
@click.option("--converge", is_flag=True, help="Iterate until no suspicion rate moves.")
@draws_option()
@click.option(
    "--permutations",
    type=click.IntRange(0),
    default=2000,
    show_default=True,
    help="Permutations of the errors; 0 for no p.",
)
@plot_option("the suspects of the first kind of errors")
@output_options
@report_option
@seed_option
@pair_options
@quiet_option
def mine_command(
    gold: str,
    run: str,
    kinds: tuple[str, ...],
    form_kinds: tuple[str, ...],
    together: int | None,
    against: str | None,
    measure: str,
    top: int,
    n_worst: int,
    iterations: int,
    converge: bool,
    draws: int,
    permutations: int,
    plots: tuple[str, ...],
    printing: Printing,
    report: str | None,
    seed: int,
    quiet: bool,
    reading: Reading,
) -> None:
    """Find what makes RUN fail on GOLD: constructions, words or columns.

    Each error shares its suspicion among the forms of its case, in proportion to how suspicious
    they are elsewhere. Cases without an answer are left out, unless they are what is mined.
    """
    from ensue.mining import CONVERGENCE, Measure, Settings, Stopping, find_forms
    from ensue.reports.contents.mining import mining_report, mining_tables, suspects_picture
    from ensue.reports.page import write_page
    from ensue.reports.pictures import write_picture

    runs = [run, *([against] if against else [])]
    check_files([gold, *runs], [printing.output, report, *plots])
    settings = Settings(
        measure=Measure(measure),
        top=top or None,
        draws=draws,
        permutations=permutations,
        seed=seed,
    )
    with working("mining", quiet):
        judged = _lined_up(gold, runs, reading, quiet)
        forms = find_forms(judged[0].pairs, form_kinds, support=together)
        stopping = CONVERGENCE if converge else Stopping(iterations)
        minings, unmined = _mined(judged, forms, kinds, stopping, settings)
        for plot in plots:
            write_picture(plot, suspects_picture(minings[0]))
        if report:
            page = mining_report(minings, gold=dataset_name(gold), n_worst=n_worst, unmined=unmined)
            write_page(report, page)
    every = printing.for_programs
    printing.write(mining_tables(minings, n_worst=n_worst, every=every, unmined=unmined))


def _lined_up(gold: str, runs: list[str], reading: Reading, quiet: bool) -> tuple[Judged, ...]:
    from ensue.evaluation import line_up

    lined = line_up(load_gold(gold, reading, quiet), [load_run(run, reading) for run in runs])
    tell(lined.findings, quiet)
    return lined.judged


def _mined(
    judged: tuple[Judged, ...],
    forms: Forms,
    kinds: tuple[str, ...],
    stopping: Stopping,
    settings: Settings,
) -> tuple[list[Mining], list[str]]:
    """What there is to mine, and why the other kinds are not; an error where there is nothing."""
    from ensue.mining import ErrorKind, mine

    against = judged[1] if len(judged) > 1 else None
    minings: list[Mining] = []
    gaps: list[UndefinedError] = []
    for kind in dict.fromkeys(map(ErrorKind, kinds)):
        try:
            minings.append(
                mine(judged[0], forms, kind, against=against, stopping=stopping, settings=settings)
            )
        except UndefinedError as error:
            gaps.append(error)
    if not minings:
        message = "; ".join(dict.fromkeys(error.message for error in gaps))
        raise UndefinedError(message, hint=gaps[0].hint)
    return minings, [error.message for error in gaps]
