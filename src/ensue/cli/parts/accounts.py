"""What a run came to, said on standard error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ensue.cli.parts.findings import tell
from ensue.cli.parts.seeing import Seeing

if TYPE_CHECKING:
    from ensue.engine.runs.accounts import RunAccount

_SHOWN = 5
"""Items that failed and are named."""


def tell_account(account: RunAccount, did: str, items: str, seeing: Seeing) -> None:
    """Say what a run came to.

    Args:
        account: What it came to.
        did: What was done with how many, e.g. `measured 12 pairs`.
        items: What the items are called.
        seeing: How much is said.
    """
    tell(account.findings, seeing.quiet)
    if not seeing.quiet:
        for line in _lines(account, did, items, seeing.verbose):
            click.echo(line, err=True)


def has_more_to_tell(account: RunAccount, seeing: Seeing) -> bool:
    """Whether a run was not as usual, or everything is to be told."""
    unusual = account.n_resumed or account.deaths or account.failures or account.findings
    return bool(unusual or seeing.verbose)


def _lines(account: RunAccount, did: str, items: str, verbose: bool) -> Iterator[str]:
    resumed = f", {account.n_resumed:,} {items} of them before" if account.n_resumed else ""
    timed = f" in {account.seconds:.1f} s" if verbose else ""
    yield f"{did}{resumed}{',' * bool(resumed and timed)}{timed}"
    yield from told_lines(account, items, verbose)


def told_lines(account: RunAccount, items: str, verbose: bool) -> Iterator[str]:
    """What is to be known of any run: analyses, where all is told, deaths and failures."""
    figures = account.figures
    if verbose and figures["texts"]:
        remembered = figures["texts"] - figures["analyzed"] - figures["found"]
        yield (
            f"texts: {figures['analyzed']:,} analyzed, {figures['found']:,} from the cache,"
            f" {remembered:,} again in one process"
        )
    if account.deaths == 1:
        yield "1 process died and was started again"
    elif account.deaths:
        yield f"{account.deaths:,} processes died and were started again"
    for key, reason in account.failures[:_SHOWN]:
        yield f"{key!r} failed: {reason}"
    if len(account.failures) > _SHOWN:
        yield f"and {len(account.failures) - _SHOWN:,} {items} more"
