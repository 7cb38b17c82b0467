"""The progress and the status of runs, as lines and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ensue.engine import RunState, Snapshot
from ensue.reports.model import Cell, Column, Table, on_a_line

if TYPE_CHECKING:
    from ensue.engine import RunStatus

_FEW = 10
"""A rate below it is shown with a decimal."""


def shown_duration(seconds: float) -> str:
    """A time as people read it.

    >>> shown_duration(4.25), shown_duration(90), shown_duration(9000), shown_duration(1e6)
    ('4.2 s', '1.5 min', '2.5 h', '11.6 days')
    """
    for unit, name in ((86_400, "days"), (3600, "h"), (60, "min")):
        if seconds >= unit * (2 if name == "days" else 1):
            return f"{seconds / unit:.1f} {name}"
    return f"{seconds:.1f} s"


def shown_size(size: int) -> str:
    """A number of bytes as people read it.

    >>> shown_size(4_200_000), shown_size(812)
    ('4.2 MB', '812 bytes')
    """
    for factor, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size} bytes"


def shown_clock(seconds: float) -> str:
    """A time as clocks show it.

    >>> shown_clock(3725.4)
    '1:02:05'
    """
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02d}:{second:02d}"


def progress_line(snapshot: Snapshot) -> str:
    """Where a run stands, on one line."""
    parts = [_of_all(snapshot.n_done, snapshot.n_items)]
    if snapshot.rate is not None:
        parts.append(f"{_rate(snapshot.rate)}/s")
    if snapshot.remaining is not None:
        parts.append(f"{shown_clock(snapshot.remaining)} left")
    if snapshot.memory:
        parts.append(shown_size(snapshot.memory))
    parts.append(f"{_of_all(snapshot.shards_done, snapshot.n_shards)} shards")
    if snapshot.n_failed:
        parts.append(f"{snapshot.n_failed:,} failed")
    if snapshot.deaths:
        parts.append(_deaths(snapshot.deaths))
    return ", ".join(parts)


def worker_lines(snapshot: Snapshot) -> list[str]:
    """What each worker does, on a line."""
    return [
        on_a_line(each.name)
        + (f" (process {each.process}): " if each.process else " (starting): ")
        + ("between two shards" if each.shard is None else f"shard {each.shard}")
        + f", {each.n_done:,} done, {_rate(each.rate)}/s"
        + (f", {shown_size(each.memory)}" if each.memory else "")
        + (f", {_deaths(each.deaths)}" if each.deaths else "")
        for each in snapshot.workers
    ]


def status_tables(status: RunStatus) -> list[Table]:
    """Where a run stands: what is known of it, and its workers where they work."""
    rows = [[name, on_a_line(value)] for name, value in _facts(status.snapshot)]
    notes = [status.hint] if status.hint else []
    columns = [Column("fact", "run"), Column("value", "")]
    tables = [Table("status", on_a_line(status.place), columns, rows, notes)]
    if status.state is RunState.RUNNING and status.snapshot.workers:
        tables.append(_workers_table(status.snapshot))
    return tables


def _facts(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    yield "what", snapshot.what or "unknown"
    yield "state", snapshot.state.value
    if snapshot.reason:
        reason, _, hint = snapshot.reason.partition("\nhint: ")
        yield "reason", reason
        if hint:
            yield "hint", hint
    share = f" ({snapshot.n_done / snapshot.n_items:.1%})" if snapshot.n_items else ""
    yield "done", _of_all(snapshot.n_done, snapshot.n_items) + share
    if snapshot.n_resumed:
        yield "of them before", f"{snapshot.n_resumed:,}"
    if snapshot.shards_done or snapshot.n_shards:
        yield "shards", _of_all(snapshot.shards_done, snapshot.n_shards)
    if snapshot.rate is not None:
        yield "rate", f"{_rate(snapshot.rate)} a second"
    yield "time", shown_duration(snapshot.seconds)
    if snapshot.remaining is not None and snapshot.state is RunState.RUNNING:
        yield "time left", shown_duration(snapshot.remaining)
    if snapshot.memory and snapshot.state is RunState.RUNNING:
        yield "memory", shown_size(snapshot.memory)
    for kind, counts in snapshot.counts.items():
        yield f"by {kind}", _counted(counts)
    if snapshot.figures.get("texts"):
        yield "texts", analyses_line(snapshot.figures)
    if snapshot.deaths:
        yield "processes died", f"{snapshot.deaths:,}"
    yield "engine", snapshot.engine or "unknown"
    yield "started", snapshot.started or "unknown"
    if snapshot.updated:
        by = f" by process {snapshot.process} on {snapshot.host}" if snapshot.process else ""
        yield "renewed", snapshot.updated + by


def analyses_line(figures: Mapping[str, int]) -> str:
    """What the parser did, and what it was spared."""
    texts, analyzed, found = (figures.get(name, 0) for name in ("texts", "analyzed", "found"))
    return (
        f"{analyzed:,} analyzed, {found:,} from the cache,"
        f" {texts - analyzed - found:,} again in one process"
    )


def _workers_table(snapshot: Snapshot) -> Table:
    columns = [
        Column("worker"),
        Column("process"),
        Column("shard"),
        Column("in_shard", "done of it"),
        Column("done"),
        Column("rate", "a second", digits=1),
        Column("memory"),
        Column("deaths"),
    ]
    rows: list[list[Cell]] = [
        [
            on_a_line(each.name),
            each.process,
            each.shard,
            each.in_shard,
            each.n_done,
            each.rate,
            shown_size(each.memory) if each.memory else None,
            each.deaths,
        ]
        for each in snapshot.workers
    ]
    return Table("workers", "Workers", columns, rows)


def _deaths(n: int) -> str:
    return "1 process died" if n == 1 else f"{n:,} processes died"


def _of_all(n: int, n_all: int | None) -> str:
    return f"{n:,}" if n_all is None else f"{n:,} of {n_all:,}"


def _rate(rate: float) -> str:
    return f"{rate:,.1f}" if rate < _FEW else f"{rate:,.0f}"


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(
        f"{n:,} {name}" for name, n in sorted(counts.items(), key=lambda each: -each[1])
    )
