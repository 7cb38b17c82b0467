"""How findings are told on standard error."""

from __future__ import annotations

import click

from ensue.pairs import Finding


def echo_finding(finding: Finding) -> None:
    """Say one finding on standard error: `warning: file:line: message [code]`."""
    place = f"{finding.place}: " if finding.place else ""
    click.echo(f"{finding.severity}: {place}{finding.message} [{finding.code}]", err=True)
