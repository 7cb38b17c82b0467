"""`ensue paraphrase rerank`."""

from __future__ import annotations

from dataclasses import replace

import click

from ensue.cli.paraphrase.options import (
    MOST_PATTERNS,
    ListFiles,
    Scoring,
    function_words_option,
    list_options,
    list_output_options,
    quality_option,
    repeated_option,
    unjudged_option,
)
from ensue.cli.parts.findings import tell
from ensue.cli.parts.inputs import working
from ensue.cli.parts.options import quiet_option
from ensue.pairs.files import STANDARD


@click.command(
    "rerank", epilog="Example: ensue paraphrase rerank examples/paraphrase/lists.tsv -k 3"
)
@list_options()
@quality_option(multiple=False)
@click.option(
    "-k",
    type=click.IntRange(max=MOST_PATTERNS),
    help="Places that count; all of each list where it is not given.",
)
@click.option(
    "--most-exact",
    type=int,
    default=10,
    show_default=True,
    help="Lists of up to so many candidates, at most 16, get the best order of all; longer ones the"
    " greedy one, where it is better than theirs.",
)
@repeated_option
@unjudged_option
@function_words_option
@click.option("--summary", metavar="FILE", help="Write DIMPLE before and behind here, as CSV.")
@list_output_options
@quiet_option
def rerank_command(
    files: ListFiles,
    quality: str | None,
    k: int | None,
    most_exact: int,
    repeated: str,
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

    from ensue.pairs import Finding
    from ensue.paraphrase.reading import write_lists
    from ensue.paraphrase.reranking import rerank
    from ensue.paraphrase.scores import QUALITY, found_quality, prepared_lists
    from ensue.reports.contents.paraphrase import reranking_table
    from ensue.reports.tables import write_tables

    if summary == output == STANDARD:
        raise click.UsageError("lists and summary cannot both go to standard output")
    scoring = Scoring((1,), (quality or QUALITY,), "", "wrong", repeated, unjudged, function_words)
    files.check([output, summary], scoring.files())
    lists = files.open(quiet)
    longest = max(int(np.diff(lists.offsets).max(initial=1)), 1)
    settings = replace(scoring.settings(files.encoding), ks=(longest,))
    chosen, findings = quality or QUALITY, list[Finding]()
    with working("reranking", quiet):
        found_by = found_quality(chosen, findings.append)
        ready = prepared_lists(lists, found_by, settings, named=chosen)
        found = rerank(
            ready.lists, ready.quality, k=k, most_exact=most_exact, no_content=settings.no_content
        )
    findings += [each for each in ready.findings if each.code != "short-list"]
    tell(findings, quiet)
    table = reranking_table(found)
    write_lists(output, found.lists, output_format)
    if summary:
        write_tables([table], output=summary, format="csv")
    if not quiet:
        click.echo(table.notes[0], err=True)
