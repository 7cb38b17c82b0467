"""`ensue paraphrase validate`."""

from __future__ import annotations

import click

from ensue.cli.paraphrase.judging import COMBINATIONS, GRADES
from ensue.cli.parts.findings import telling
from ensue.cli.parts.inputs import check_files, files_of, working
from ensue.cli.parts.options import (
    DEFAULT_RECOGNIZER,
    Printing,
    draws_option,
    output_options,
    plot_option,
    quiet_option,
    report_option,
    seed_option,
)


@click.command(
    "validate",
    epilog="Example: ensue paraphrase validate examples/paraphrase/instances.csv -r overlap",
)
@click.argument("instances")
@click.option(
    "-r",
    "--recognizer",
    "recognizers",
    multiple=True,
    default=(DEFAULT_RECOGNIZER,),
    show_default=True,
    metavar="NAME|DIR",
    help="What judges. May be repeated.",
)
@click.option("--grade", type=click.Choice(GRADES), help="What a verdict counts.")
@click.option("--combine", type=click.Choice(COMBINATIONS), help="How both ways become one number.")
@click.option("--encoding", metavar="NAME", help="Encoding, where it is not UTF-8.")
@draws_option("Resamples of the rules; 0 for no intervals.")
@output_options
@plot_option("people's judgments by quality")
@report_option
@seed_option
@quiet_option
def validate_command(
    instances: str,
    recognizers: tuple[str, ...],
    grade: str | None,
    combine: str | None,
    encoding: str | None,
    draws: int,
    printing: Printing,
    plots: tuple[str, ...],
    report: str | None,
    seed: int,
    quiet: bool,
) -> None:
    """Tell how far qualities by a recognizer agree with people.

    INSTANCES are applications of rules that people judged: the files of Zeichner et al. (2012) and
    Levy & Dagan (2016), or the columns term, paraphrase, text, hypothesis and judgment. Grade,
    combination and cutoff are chosen on one half of the rules where they are not given; the figures
    are of the other half.
    """
    from ensue.paraphrase.qualities import Combination, Grade, automatic_agreement
    from ensue.paraphrase.reading import read_instances
    from ensue.reports.contents.paraphrase import (
        validation_picture,
        validation_report,
        validation_tables,
    )
    from ensue.reports.page import write_page
    from ensue.reports.pictures import write_picture

    models = [path for name in recognizers for path in files_of(name)]
    check_files([instances, *models], [printing.output, report, *plots])
    with telling(quiet) as tell_one:
        judged = read_instances(instances, encoding=encoding, on_finding=tell_one)
    found = []
    for name in dict.fromkeys(recognizers):
        with working(f"judging by {name}", quiet):
            found.append(
                automatic_agreement(
                    judged,
                    name,
                    grade=Grade(grade) if grade else None,
                    combination=Combination(combine) if combine else None,
                    draws=draws,
                    seed=seed,
                )
            )
    every = printing.for_programs
    printing.write(validation_tables(found, draws=draws, seed=seed, every=every))
    for plot in plots:
        write_picture(plot, validation_picture(found))
    if report:
        write_page(report, validation_report(found, draws=draws, seed=seed))
