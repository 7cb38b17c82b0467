"""How findings are told on standard error: a few of each kind, and how many more there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import click

from ensue.pairs import Finding

AS_OFTEN = 3
"""How many findings of one kind are told."""


@contextmanager
def telling(quiet: bool) -> Iterator[Callable[[Finding], None]]:
    """Give a function that says findings: `warning: file:line: message [code]`."""
    told: Counter[str] = Counter()

    def tell_one(finding: Finding) -> None:
        told[finding.code] += 1
        if not quiet and told[finding.code] <= AS_OFTEN:
            place = f"{finding.place}: " if finding.place else ""
            click.echo(f"{finding.severity}: {place}{finding.message} [{finding.code}]", err=True)

    try:
        yield tell_one
    finally:
        for code, n in told.items():
            if not quiet and n > AS_OFTEN:
                click.echo(f"and {n - AS_OFTEN:,} more [{code}]", err=True)


def tell(findings: Iterable[Finding], quiet: bool) -> None:
    """Say findings that are all there."""
    with telling(quiet) as tell_one:
        for finding in findings:
            tell_one(finding)
