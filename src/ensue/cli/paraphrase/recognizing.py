"""`ensue paraphrase recognize`."""

from __future__ import annotations

import click

from ensue.cli.paraphrase.options import (
    MOST_PATTERNS,
    ListFiles,
    TaskFiles,
    function_words_option,
    list_options,
    match_option,
    named_terms,
    read_words,
    task_option,
)
from ensue.cli.parts.findings import tell
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

DEFAULT_TERMS = "top:10"


@click.command(
    "recognize",
    epilog="Example: ensue paraphrase recognize examples/paraphrase/lists.tsv"
    " -t examples/paraphrase/pairs.jsonl",
)
@list_options(needed=False, with_pairs=True)
@task_option()
@click.option(
    "--terms",
    metavar="top:N|all|TERM,…",
    help="Whose lists: the N terms in the most positive pairs, all, or those named. Without LISTS,"
    f" the N most frequent verbs of the pairs ({DEFAULT_TERMS}).",
)
@click.option(
    "-k",
    type=click.IntRange(max=MOST_PATTERNS),
    default=10,
    show_default=True,
    help="How many paraphrases of a list count.",
)
@match_option
@function_words_option
@click.option("--pairs", is_flag=True, help="Show what recognizes each pair, too.")
@pair_options
@draws_option("Resamples of the terms, for the means over lists; 0 for no intervals.")
@output_options
@plot_option("performance by method")
@report_option
@seed_option
@quiet_option
def recognize_command(
    files: ListFiles,
    tasks: TaskFiles,
    terms: str | None,
    k: int,
    match: str,
    function_words: str | None,
    pairs: bool,
    draws: int,
    printing: Printing,
    plots: tuple[str, ...],
    report: str | None,
    seed: int,
    reading: Reading,
    quiet: bool,
) -> None:
    """Count how many gold pairs each list of LISTS recognizes.

    A pair is in question for a term that stands on one of its sides. It is recognized if the
    term's stems are on both sides, or the term on one and a paraphrase on the other. Without LISTS
    the most frequent verbs of the pairs are counted, of which paraphrases may be learned.
    """
    from ensue.paraphrase.recognition import recognize
    from ensue.reports.contents.paraphrase import (
        recognition_picture,
        recognition_report,
        recognition_tables,
    )
    from ensue.reports.page import write_page
    from ensue.reports.pictures import write_picture

    others = [*tasks.paths, *([function_words] if function_words else [])]
    files.check([printing.output, report, *plots], others)
    if not files.paths:
        if plots or report or pairs:
            raise click.UsageError("without LISTS there is nothing to recognize with")
        _print_terms(tasks, terms or DEFAULT_TERMS, reading, printing, quiet)
        return
    lists = files.open(quiet)
    no_content = read_words(function_words, files.encoding) if function_words else None
    opened = tasks.open(reading, quiet)
    with working("recognizing", quiet):
        found = recognize(
            lists, opened, k=k, terms=terms or "all", no_content=no_content, match=match
        )
    tell(found.findings, quiet)
    every = printing.for_programs
    printing.write(recognition_tables(found, draws=draws, seed=seed, every=every, pairs=pairs))
    for plot in plots:
        write_picture(plot, recognition_picture(found, draws=draws, seed=seed))
    if report:
        write_page(report, recognition_report(found, name=lists.name, draws=draws, seed=seed))


def _print_terms(
    tasks: TaskFiles, terms: str, reading: Reading, printing: Printing, quiet: bool
) -> None:
    from ensue.paraphrase.recognition import term_counts
    from ensue.reports.contents.paraphrase import term_counts_table

    opened = tasks.open(reading, quiet)
    for task in opened:
        tell(task.findings, quiet)
    if terms == "all":
        raise click.UsageError("without LISTS --terms is top:N, or terms with commas between them")
    chosen = named_terms(terms, opened)
    printing.write([term_counts_table(term_counts(opened, chosen), opened)])
