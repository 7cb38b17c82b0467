"""`ensue reproduce`."""

from __future__ import annotations

from pathlib import Path

import click

from ensue import __version__, registry
from ensue.cli.app import EXIT_NO
from ensue.cli.inputs import busy_status, check_files
from ensue.cli.options import Printing, output_options, quiet_option, report_option, seed_option


@click.command("reproduce", epilog="Example: ensue reproduce rte1 --data path/to/rte")
@click.argument("paper")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="The directory of your copy of the data, for papers that have some.",
)
@report_option
@click.option(
    "--strict", is_flag=True, help="Exit 1 where a figure differs from the published one."
)
@output_options
@seed_option
@quiet_option
def reproduce_command(
    paper: str,
    data: Path | None,
    report: str | None,
    strict: bool,
    printing: Printing,
    seed: int,
    quiet: bool,
) -> int:
    """Recompute a paper's published figures on your copy of the data.

    PAPER is one of `ensue list reproductions`. Published and recomputed stand side by side, with
    what does not recompute and why.
    """
    from ensue.reports import reproduction_report, reproduction_tables, write_page
    from ensue.reproduce import files_at_stake

    kind = registry.find("reproduction", paper)
    if kind.needs_data and data is None:
        raise click.UsageError(f"{paper} needs --data DIR, the directory of your copy of the data")
    directory = data or Path()
    check_files(files_at_stake(directory), [printing.output, report])
    with busy_status("recomputing", quiet):
        reproduction = kind.run(directory, seed)
    printing.write(reproduction_tables(reproduction))
    if report:
        given = " --data DIR" if kind.needs_data else ""
        signature = f"ensue reproduce {paper}{given} --seed {seed}|version:{__version__}"
        write_page(report, reproduction_report(reproduction, signature))
    differs = any(figure.agrees is False for figure in reproduction.figures)
    return EXIT_NO if strict and differs else 0
