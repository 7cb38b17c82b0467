"""The progress, the status and the estimated cost of runs, as lines and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ensue.cli import shown_size
from ensue.engine import RunState, Snapshot
from ensue.reports.model import Cell, Column, Table, on_a_line

if TYPE_CHECKING:
    from ensue.engine import Cost, RunEstimate, RunSample, RunStatus

_SIZES = (10**6, 10**7, 10**8, 10**9)
_WORKERS = (1, 2, 4, 8, 16, 32, 64)
_FEW = 10
"""A rate below it is shown with a decimal."""
_IDLE = 0.8
"""A worker that computes less of its time is worth a note."""
_LONG = 1.0
"""Seconds of measuring, below which it says little."""


def shown_duration(seconds: float) -> str:
    """A time as people read it.

    >>> shown_duration(4.25), shown_duration(90), shown_duration(9000), shown_duration(1e6)
    ('4.2 s', '1.5 min', '2.5 h', '11.6 days')
    """
    for unit, name in ((86_400, "days"), (3600, "h"), (60, "min")):
        if seconds >= unit * (2 if name == "days" else 1):
            return f"{seconds / unit:.1f} {name}"
    return f"{seconds:.1f} s"


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
        + (f", {_deaths(each.deaths)}" if each.deaths else "")
        for each in snapshot.workers
    ]


def status_tables(standing: RunStatus) -> list[Table]:
    """Where a run stands: what is known of it, and its workers where they work."""
    rows = [[name, on_a_line(value)] for name, value in _facts(standing.snapshot)]
    notes = [standing.hint] if standing.hint else []
    columns = [Column("fact", "run"), Column("value", "")]
    tables = [Table("status", on_a_line(standing.place), columns, rows, notes)]
    if standing.state is RunState.RUNNING and standing.snapshot.workers:
        tables.append(_workers_table(standing.snapshot))
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
            each.deaths,
        ]
        for each in snapshot.workers
    ]
    return Table("workers", "Workers", columns, rows)


def estimate_tables(estimate: RunEstimate) -> list[Table]:
    """What a sample showed, what the whole takes, and what more workers change."""
    return [_sample_table(estimate), _whole_table(estimate), _scaling_table(estimate)]


def _sample_table(estimate: RunEstimate) -> Table:
    sample = estimate.sample
    rows: list[list[Cell]] = [
        ["sample", f"{sample.n_items:,} pairs from {sample.n_places} places"],
        ["start of a worker", shown_duration(sample.start)],
        ["time for a pair", _spread(sample)],
        ["memory of a worker", _worker_memory(estimate)],
        ["memory of the driver", shown_size(sample.driver_memory)],
        ["output for a pair", f"{sample.output:,.1f} bytes"],
    ]
    if sample.feeding:
        rows.insert(3, ["the driver reads a pair in", _shown_short(sample.feeding)])
    if sample.texts:
        shown = f"{sample.texts:.2f} asked for, {sample.analyzed:.2f} analyzed"
        rows.append(["texts for a pair", shown])
        rows.append(["analyses for a pair", f"{sample.cache:,.1f} bytes"])
    notes = []
    if sample.busy < _IDLE and sample.n_items * sample.item > _LONG:
        notes.append(
            f"the worker computed in {sample.busy:.0%} of its time: where it waited for a busy"
            " machine, and not for a program or a disk, the whole takes less when that is idle"
        )
    columns = [Column("measure", "measured"), Column("value", "")]
    return Table("sample", f"A sample of {on_a_line(estimate.what)}", columns, rows, notes)


def _worker_memory(estimate: RunEstimate) -> str:
    sample = estimate.sample
    more = f"{sample.item_memory / 1000:.1f} kB for each pair more"
    return f"{shown_size(sample.worker_memory)} for {sample.n_in_memory:,} pairs, {more}"


def _whole_table(estimate: RunEstimate) -> Table:
    """What it takes with the workers that were asked for."""
    costs = [estimate.cost(n) for n in _sizes(estimate)]
    columns = [
        Column("pairs"),
        Column("time"),
        Column("low"),
        Column("high"),
        Column("memory"),
        Column("output"),
    ]
    rows = [_whole_row(each) for each in costs]
    if estimate.is_joined:
        columns.append(Column("working", "while it is joined"))
        for row, each in zip(rows, costs, strict=True):
            row.append(shown_size(each.working))
    if estimate.sample.texts:
        columns.append(Column("cache", "analyses, at most"))
        for row, each in zip(rows, costs, strict=True):
            row.append(shown_size(each.cache))
    notes = ["low, high: by the faster and the slower half of the sample"]
    if not estimate.is_counted:
        notes.append("the number of pairs of this input is a guess by the size of its files")
    if estimate.sample.texts:
        notes.append("as if no text had been analyzed before; texts that come again take less")
    title = f"The whole, with {_workers(estimate.workers)} (first this input)"
    return Table("whole", title, columns, rows, notes)


def _whole_row(cost: Cost) -> list[Cell]:
    return [
        f"{cost.n_items:,}",
        shown_duration(cost.seconds),
        shown_duration(cost.low),
        shown_duration(cost.high),
        shown_size(cost.memory),
        shown_size(cost.output),
    ]


def _scaling_table(estimate: RunEstimate) -> Table:
    sizes = _sizes(estimate)
    columns = [Column("workers"), Column("memory", "memory for this input")]
    columns += [Column(f"pairs_{n}", f"{n:,} pairs") for n in sizes]
    rows: list[list[Cell]] = []
    for workers in sorted({*_WORKERS, estimate.workers}):
        times = [shown_duration(estimate.cost(n, workers).seconds) for n in sizes]
        rows.append([workers, shown_size(estimate.cost(None, workers).memory), *times])
    notes = ["with as many cores of this kind as workers, on this machine or on many"]
    return Table("scaling", "Time by workers", columns, rows, notes)


def _sizes(estimate: RunEstimate) -> list[int]:
    return [estimate.n_items, *(n for n in _SIZES if n != estimate.n_items)]


def _spread(sample: RunSample) -> str:
    low, high = _shown_short(sample.low), _shown_short(sample.high)
    return f"{_shown_short(sample.item)} ({low} to {high})"


def _shown_short(seconds: float) -> str:
    """A time of less than a few seconds."""
    for unit, name in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds / 1e-6:.3g} µs"


def _workers(n: int) -> str:
    return "one worker" if n == 1 else f"{n:,} workers"


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
