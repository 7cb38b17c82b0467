"""What a run came to, whatever was done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ensue.engine.model import ShardAccount
from ensue.engine.running import Outcome
from ensue.pairs import Finding, Severity


@dataclass(frozen=True, slots=True)
class RunAccount:
    """What a run over items came to."""

    n_items: int
    n_rows: int
    """Of the output."""
    n_resumed: int
    """Items that an earlier, unfinished run had done."""
    seconds: float
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict, hash=False)
    """Results by kinds."""
    figures: Counter[str] = field(default_factory=Counter, hash=False)
    """Texts asked for, analyzed, and found on disk."""
    deaths: int = 0
    """Processes that died and were started again."""
    failures: tuple[tuple[str, str], ...] = ()
    """Items that ended their process, or raised an exception, with the reason."""
    findings: tuple[Finding, ...] = ()
    """What is wrong with the input."""
    is_finished_before: bool = False
    """Whether the output was there, and there was nothing to do."""


def run_account(outcome: Outcome) -> RunAccount:
    """What an outcome says to people."""
    accounts, last = outcome.accounts, outcome.last
    return RunAccount(
        n_items=sum(each.n_items for each in accounts),
        n_rows=sum(each.n_rows for each in accounts),
        n_resumed=outcome.n_resumed,
        seconds=outcome.seconds,
        counts=last.counts,
        figures=Counter(last.figures),
        deaths=last.deaths,
        failures=tuple(each for account in accounts for each in account.blamed),
        findings=told_findings(accounts),
    )


def told_findings(accounts: Sequence[ShardAccount]) -> tuple[Finding, ...]:
    """What workers found when they read, and how much of it is not told."""
    found = [finding for account in accounts for finding in account.findings]
    left = sum(account.n_findings for account in accounts) - len(found)
    if left:
        found.append(Finding("more", Severity.NOTE, f"{left:,} more findings like these"))
    return tuple(found)


def run_cost(outcome: Outcome, items: str) -> dict[str, Any]:
    """What a run took since it was begun or last resumed.

    Args:
        outcome: What it came to.
        items: What its items are called, e.g. `pairs`.
    """
    now = [each for each in outcome.accounts if each.number not in outcome.done_before]
    done, seconds = sum(each.n_items for each in now), outcome.seconds
    figures: Counter[str] = Counter()
    for each in now:
        figures.update(each.figures)
    return {
        items: done,
        "seconds": round(seconds, 3),
        f"{items}_per_second": round(done / seconds, 1) if seconds > 0 else None,
        "worker_seconds": round(sum(each.seconds for each in now), 3),
        "engine": outcome.last.engine,
        "deaths": outcome.last.deaths,
        **figures,
    }
