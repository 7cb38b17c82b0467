"""`ensue list`."""

from __future__ import annotations

import click

from ensue.cli.parts.options import Printing, output_options

KINDS = {
    "recognizers": "recognizer",
    "formats": "format",
    "measures": "measure",
    "metrics": "metric",
    "qualities": "quality",
    "diversities": "diversity",
    "tokenizers": "tokenizer",
    "reproductions": "reproduction",
}
"""What can be listed, and the kind of component that it is."""


@click.command("list", epilog="Example: ensue list recognizers")
@click.argument("what", type=click.Choice(list(KINDS)), nargs=-1)
@output_options
def list_command(what: tuple[str, ...], printing: Printing) -> None:
    """List the installed components, with a line on each; all kinds where none is named.

    A package that declares an entry point in the group ensue.recognizers (or formats, measures,
    metrics, qualities, diversities, tokenizers, reproductions) adds to the list.
    """
    from ensue.reports.contents.components import components_table

    chosen = dict.fromkeys(what or KINDS)
    printing.write([components_table(KINDS[name], name) for name in chosen])
