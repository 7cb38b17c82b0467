"""`ensue mt order`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ensue.cli.parts.options import file_format, quiet_option, rows_options
from ensue.cli.parts.workers import workers_option
from ensue.cli.translation.options import (
    Sources,
    metric_option,
    outputs_bar,
    ready_metric,
    translation_options,
)
from ensue.pairs import open_output

if TYPE_CHECKING:
    from ensue.engine.pool import Pool


@click.command(
    "order", epilog="Example: ensue mt order examples/translation -m pair-tradmt -o orders.csv"
)
@translation_options()
@metric_option(multiple=False)
@rows_options
@workers_option
@quiet_option
def order_command(
    sources: Sources,
    metric: str,
    output: str,
    output_format: str | None,
    pool: Pool | None,
    quiet: bool,
) -> None:
    """Put the outputs of each segment of DATA into their likeliest order.

    A row has the place of an output, its score, the probability that it is better than the one
    below, and the likelihood of the segment's whole order. The metric is a trained one, which says
    probabilities.
    """
    from ensue.translation.metrics import ordered_outputs, scored_batches, write_orders

    sources.check([output])
    written_as = file_format(output, output_format)
    found = sources.open(quiet)
    ready = ready_metric(metric, found, pool)
    with outputs_bar("ordering", found, quiet) as progress, open_output(output) as file:
        scored = scored_batches([ready], found.segments(), progress=progress)
        write_orders(file, ordered_outputs(ready, scored), format=written_as)
