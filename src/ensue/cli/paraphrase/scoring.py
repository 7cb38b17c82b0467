"""`ensue paraphrase score`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ensue.cli.paraphrase.options import (
    ListFiles,
    Scoring,
    list_options,
    scoring_options,
)
from ensue.cli.parts.findings import tell
from ensue.cli.parts.inputs import working
from ensue.cli.parts.options import (
    Printing,
    draws_option,
    output_options,
    plot_option,
    quiet_option,
    report_option,
    seed_option,
)

if TYPE_CHECKING:
    from ensue.pairs import Finding


@click.command(
    "score", epilog="Example: ensue paraphrase score examples/paraphrase/lists.tsv -k 1 -k 5"
)
@list_options()
@scoring_options
@click.option("--patterns", is_flag=True, help="Show Q, D and gain of every pattern, and why.")
@draws_option("Resamples of judges and terms; 0 for no intervals.")
@output_options
@plot_option("the measures over k")
@report_option
@seed_option
@quiet_option
def score_command(
    files: ListFiles,
    scoring: Scoring,
    patterns: bool,
    draws: int,
    printing: Printing,
    plots: tuple[str, ...],
    report: str | None,
    seed: int,
    quiet: bool,
) -> None:
    """Score ranked lists of paraphrases by EP, EPR and DIMPLE.

    EP is the mean quality of the first k patterns; EPR gives no credit to patterns that repeat a
    stem; DIMPLE weighs quality by lexical diversity (Shima & Mitamura 2011).
    """
    from ensue.paraphrase.judging import judge_agreement
    from ensue.paraphrase.scores import curves_over_k, score, score_intervals
    from ensue.reports.contents.paraphrase import (
        judge_tables,
        score_picture,
        score_report,
        score_tables,
    )
    from ensue.reports.page import write_page
    from ensue.reports.pictures import write_picture

    settings = scoring.settings(files.encoding)
    files.check([printing.output, report, *plots], scoring.files())
    lists = files.open(quiet)
    found = {}
    findings: list[Finding] = []
    for quality in scoring.qualities_of(lists):
        with working(f"scoring by {quality}", quiet):
            scored = score(lists, settings, quality, scoring.diversity)
            found[quality.removeprefix("judges:")] = score_intervals(scored, draws=draws, seed=seed)
        findings += [each for each in scored.findings if each not in findings]
    tell(findings, quiet)
    with working("looking at every k", quiet):
        curves = curves_over_k(found)
        agreement = judge_agreement(lists, draws=draws, seed=seed) if lists.judgments else None
    tables = score_tables(found, curves, every=printing.for_programs, patterns=patterns)
    judges = judge_tables(agreement, every=printing.for_programs) if agreement else []
    printing.write([*tables, *judges])
    for plot in plots:
        write_picture(plot, score_picture(curves))
    if report:
        write_page(report, score_report(found, curves, judges))
