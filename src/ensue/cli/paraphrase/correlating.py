"""`ensue paraphrase correlate`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from ensue.cli.paraphrase.options import (
    MOST_PATTERNS,
    ListFiles,
    Scoring,
    TaskFiles,
    list_options,
    match_option,
    scoring_options,
    task_option,
)
from ensue.cli.parts.findings import tell, telling
from ensue.cli.parts.inputs import working
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
from ensue.pairs.reading import Reading

if TYPE_CHECKING:
    from ensue.pairs import Finding
    from ensue.paraphrase.correlation import ListScores

FIGURES = ("performance", "patterns")


@click.command(
    "correlate",
    epilog="Example: ensue paraphrase correlate examples/paraphrase/lists.tsv"
    " -t examples/paraphrase/pairs.jsonl --draws 200",
)
@list_options(needed=False, with_pairs=True)
@task_option(required=False)
@scoring_options
@click.option(
    "--terms",
    default="all",
    show_default=True,
    metavar="top:N|all|TERM,…",
    help="Whose lists: the N terms in the most positive pairs, all, or those named.",
)
@click.option(
    "--first",
    type=click.IntRange(max=MOST_PATTERNS),
    default=10,
    show_default=True,
    help="How many paraphrases of a list may recognize a pair.",
)
@match_option
@click.option(
    "--figure",
    type=click.Choice(FIGURES),
    default="performance",
    show_default=True,
    help="What is to be predicted: the share of positive pairs recognized, or the share that the"
    " patterns add to matching stems.",
)
@click.option(
    "--scores",
    "score_files",
    multiple=True,
    metavar="FILE",
    help="Other scores of lists: columns term, method, and one for each score. May be repeated.",
)
@click.option(
    "--performance",
    "performance_files",
    multiple=True,
    metavar="FILE",
    help="Performance of lists in other tasks: columns term, method, and one for each task. May be"
    " repeated.",
)
@click.option(
    "--resample",
    type=click.Choice(["terms", "lists"]),
    default="terms",
    show_default=True,
    help="What is drawn for the intervals: whole terms, whose lists share their pairs, or lists.",
)
@click.option(
    "--alpha",
    type=float,
    default=0.01,
    show_default=True,
    help="A correlation is significant where its p is less.",
)
@pair_options
@draws_option("Bootstrap draws; 0 for no intervals.")
@output_options
@plot_option("scatter plots of the first quality at the largest k")
@report_option
@seed_option
@quiet_option
def correlate_command(
    files: ListFiles,
    tasks: TaskFiles,
    scoring: Scoring,
    terms: str,
    first: int,
    match: str,
    figure: str,
    score_files: tuple[str, ...],
    performance_files: tuple[str, ...],
    resample: str,
    alpha: float,
    draws: int,
    printing: Printing,
    plots: tuple[str, ...],
    report: str | None,
    seed: int,
    reading: Reading,
    quiet: bool,
) -> None:
    """Tell whether scores of lists predict how many gold pairs they recognize.

    Pearson's r, Spearman's ρ and Kendall's τ over the lists between each measure and each task, in
    the layout of the paper's Tables 2 and 3, with p, intervals, and tests of the difference between
    two measures. Scores and performance of other origin come from files.
    """
    from ensue.paraphrase.correlation import correlate_lists, joined_scores
    from ensue.reports.contents.paraphrase import (
        correlation_picture,
        correlation_report,
        correlation_tables,
    )
    from ensue.reports.page import write_page
    from ensue.reports.pictures import write_picture

    others = [*scoring.files(), *tasks.paths, *score_files, *performance_files]
    files.check([printing.output, report, *plots], others)
    if not files.paths and not (score_files and performance_files):
        raise click.UsageError("give LISTS and --task PAIRS, or --scores and --performance")
    if tasks.files and not files.paths:
        raise click.UsageError("--task is for LISTS, which recognize its pairs: name some")
    if files.paths and not (tasks.files or performance_files):
        raise click.UsageError("name gold pairs with --task, or a file with --performance")
    with telling(quiet) as tell_one:
        parts = [_read(path, True, files.encoding, tell_one) for path in score_files]
        parts += [_read(path, False, files.encoding, tell_one) for path in performance_files]
    if files.paths:
        parts = [
            *_measured(files, tasks, scoring, terms, first, match, figure, reading, quiet),
            *parts,
        ]
    with working("correlating", quiet):
        found = correlate_lists(
            joined_scores(parts), draws=draws, seed=seed, resample=resample, alpha=alpha
        )
    tell(found.findings, quiet)
    printing.write(correlation_tables(found, every=printing.for_programs))
    for plot in plots:
        write_picture(plot, correlation_picture(found))
    if report:
        write_page(report, correlation_report(found, name=", ".join([*files.paths, *score_files])))


def _read(
    path: str, intrinsic: bool, encoding: str | None, on_finding: Callable[[Finding], None]
) -> ListScores:
    from ensue.paraphrase.correlation import ListScores, Variable
    from ensue.paraphrase.reading import read_list_numbers

    keys, columns = read_list_numbers(path, encoding=encoding, on_finding=on_finding)
    if intrinsic:
        return ListScores(
            keys, {Variable(name, None, ""): each for name, each in columns.items()}, {}
        )
    return ListScores(keys, {}, columns)


def _measured(
    files: ListFiles,
    tasks: TaskFiles,
    scoring: Scoring,
    terms: str,
    first: int,
    match: str,
    figure: str,
    reading: Reading,
    quiet: bool,
) -> Sequence[ListScores]:
    """What the lists score, and what they do in the tasks."""
    from ensue.paraphrase.correlation import intrinsic_scores, performance_scores
    from ensue.paraphrase.recognition import recognize
    from ensue.paraphrase.scores import score

    settings = scoring.settings(files.encoding)
    lists = files.open(quiet)
    found = []
    if tasks.files:
        opened = tasks.open(reading, quiet)
        with working("recognizing", quiet):
            recognition = recognize(
                lists, opened, k=first, terms=terms, no_content=settings.no_content, match=match
            )
        repeats = "repeated-pattern"  # which scoring tells, too
        tell([each for each in recognition.findings if each.code != repeats], quiet)
        found.append(performance_scores(recognition, by_patterns=figure == "patterns"))
        lists = lists.chosen_lists(recognition.which.tolist())
    findings: list[Finding] = []
    for quality in scoring.qualities_of(lists):
        with working(f"scoring by {quality}", quiet):
            scored = score(lists, settings, quality, scoring.diversity)
        findings += [each for each in scored.findings if each not in findings]
        found.append(intrinsic_scores(scored, quality))
    tell(findings, quiet)
    return found
