"""`ensue mine`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from ensue.cli.inputs import busy_status, check_files
from ensue.cli.messages import finding_messages, tell
from ensue.cli.options import (
    Printing,
    Setting,
    output_options,
    pair_options,
    quiet_option,
    resampling_options,
    settings_option,
)
from ensue.errors import UndefinedError
from ensue.pairs import ReadKeywords, dataset_name

if TYPE_CHECKING:
    from ensue.mining import MinedSources
    from ensue.statistics import Resampling

ERROR_KINDS = ("fn", "fp", "all", "unanswered")
MEASURES = ("suspicion", "cases", "ln-cases", "errors", "ln-errors")
SETTINGS = {
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
@settings_option(SETTINGS)
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
    from ensue.reports import mining_report, mining_tables, suspects_picture

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
    )


def _unmined(mined: MinedSources) -> list[str]:
    """Why some kinds of errors are not mined; an error where there is nothing else."""
    messages = [error.message for error in mined.gaps]
    if not mined.minings:
        raise UndefinedError("; ".join(dict.fromkeys(messages)), hint=mined.gaps[0].hint)
    return messages
