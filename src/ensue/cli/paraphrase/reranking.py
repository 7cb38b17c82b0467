"""`ensue paraphrase rerank`."""

from __future__ import annotations

import click

from ensue.cli.paraphrase.options import (
    ListFiles,
    list_options,
    list_output_options,
    quality_option,
    read_words,
)
from ensue.cli.parts.inputs import files_of, working
from ensue.cli.parts.options import quiet_option


@click.command(
    "rerank", epilog="Example: ensue paraphrase rerank examples/paraphrase/lists.tsv -k 3"
)
@list_options()
@quality_option(multiple=False)
@click.option("-k", type=int, help="Places that count; all of each list where it is not given.")
@click.option(
    "--most-exact",
    type=int,
    default=10,
    show_default=True,
    help="Lists of up to so many candidates, at most 16, get the best order of all; longer ones the"
    " greedy one, where it is better than theirs.",
)
@click.option(
    "--unjudged",
    type=click.Choice(["error", "wrong"]),
    default="error",
    show_default=True,
    help="A candidate without a quality: refuse it, or take it as wrong.",
)
@click.option(
    "--function-words", metavar="FILE", help="Your own list of words without content, one a line."
)
@click.option("--summary", metavar="FILE", help="Write DIMPLE before and behind here, as CSV.")
@list_output_options
@quiet_option
def rerank_command(
    files: ListFiles,
    quality: str | None,
    k: int | None,
    most_exact: int,
    unjudged: str,
    function_words: str | None,
    summary: str | None,
    output: str,
    output_format: str | None,
    quiet: bool,
) -> None:
    """Put the candidates of LISTS into an order of high DIMPLE, given their qualities.

    Each place goes to the candidate with the largest gain behind those before it, unless the given
    order is better; lists of up to 10 candidates get the best order of all. The lists are written
    with all their columns.
    """
    import numpy as np

    from ensue.paraphrase.reading import write_lists
    from ensue.paraphrase.reranking import rerank
    from ensue.paraphrase.scores import QUALITY, found_quality
    from ensue.reports.contents.paraphrase import reranking_table
    from ensue.reports.tables import write_tables

    chosen = quality or QUALITY
    argument = chosen.partition(":")[2]
    read = [str(each) for each in files_of(argument)] if argument else []
    files.check([output, summary], [*read, *([function_words] if function_words else [])])
    lists = files.open(quiet)
    found = found_quality(chosen)(lists)
    if unjudged == "wrong":
        found = np.where(np.isnan(found), 0.0, found)
    no_content = read_words(function_words) if function_words else None
    with working("reranking", quiet):
        reranked = rerank(lists, found, k=k, most_exact=most_exact, no_content=no_content)
    table = reranking_table(reranked)
    write_lists(output, reranked.lists, output_format)
    if summary:
        write_tables([table], output=summary, format="csv")
    if not quiet:
        click.echo(table.notes[0], err=True)
