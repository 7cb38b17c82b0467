"""The workbench with a leaderboard of a thousand runs of ten thousand pairs, on SQLite.

Three marks: its page takes no more than twenty times the page of a challenge without runs; a hundred
requests a second for it are answered for a minute, by the server as a process of its own, with the
load generator on the same machine, without an error and without growth of memory; and a run of ten
thousand pairs is scored in no more than 1.2 times what `ensue evaluate` takes for it, with the same
measures and intervals. How the board is filled, `benchmarks.web.filling` says.

`python -m benchmarks.web RUNS PAIRS SECONDS` takes other sizes, for a quick look.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from statistics import median

from benchmarks.web.asking import Asker
from benchmarks.web.filling import Filled, filled, hand_in, made_run, run_lines
from benchmarks.web.serving import Held, held
from ensue.evaluation import evaluate_sources
from ensue.pairs.formats import write_jsonl
from ensue.workbench import Limits, Workbench
from ensue.workbench.challenges import MEASURES
from ensue.workbench.database import models
from ensue.workbench.leaderboards import renew_board, score

N_RUNS = 1000
N_PAIRS = 10_000
RATE = 100
SECONDS = 60
REPEATS = 5
REQUESTS = 31
PAGE_ALLOWED = 20.0
"""Times the page of a challenge without runs."""
SCORING_ALLOWED = 1.2
"""Times `ensue evaluate`."""
GROWTH_ALLOWED = 1.02
"""The server's memory in the last third of the minute, over the first third's."""


def main(n_runs: int = N_RUNS, n_pairs: int = N_PAIRS, seconds: int = SECONDS) -> None:
    """Print what each takes beside what it is held against; end with 1 where a mark is missed."""
    print(f"A leaderboard of {n_runs:,} runs of {n_pairs:,} pairs, on SQLite")
    with tempfile.TemporaryDirectory(prefix="ensue-benchmark-") as name:
        began = time.perf_counter()
        made = filled(Path(name), n_runs=n_runs, n_pairs=n_pairs)
        print(f"  filled in {time.perf_counter() - began:.0f} s")
        missed = [
            *_page(made),
            *_load(Path(name), made, seconds),
            *_scoring(Path(name), made),
        ]
        made.workbench.close()
    if missed:
        sys.exit("\n".join(missed))


def _page(made: Filled) -> Iterator[str]:
    """The page in this process, without a network: asked for, found, and rendered."""
    team, owner = Asker(made.workbench, made.participant), Asker(made.workbench, made.organizer)
    long, empty = f"/challenges/{made.long}", f"/challenges/{made.empty}"
    ways: dict[str, Callable[[], Awaitable[bytes]]] = {
        "a challenge without runs": lambda: team.get(empty),
        "the board, the first after a change": lambda: team.get(long, forgetful=True),
        "the board, every one after that": lambda: team.get(long),
        "the same as JSON": lambda: team.get(f"{long}.json"),
        "the same as CSV": lambda: team.get(f"{long}/board.csv"),
        "its organizer's page, with every run": lambda: owner.get(long),
    }
    milliseconds, sizes = asyncio.run(_timed(ways))
    nothing = milliseconds["a challenge without runs"]
    print(f"  {'a page, medians of ' + str(REQUESTS):<38}  {'ms':>8}  {'× none':>7}  {'KiB':>7}")
    for name, each in milliseconds.items():
        print(f"    {name:<36}  {each:>8.1f}  {each / nothing:>7.1f}  {sizes[name]:>7.0f}")
    worst = max(each for name, each in milliseconds.items() if name.startswith("the board"))
    if worst / nothing > PAGE_ALLOWED:
        yield f"the page takes more than {PAGE_ALLOWED:g} times one without runs"


async def _timed(
    ways: dict[str, Callable[[], Awaitable[bytes]]],
) -> tuple[dict[str, float], dict[str, float]]:
    """Milliseconds and KiB of each way, the ways taking turns so that all see the same machine."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    sizes: dict[str, float] = {}
    for i in range(REQUESTS + 1):
        for name, way in ways.items():
            began = time.perf_counter()
            page = await way()
            if i > 0:  # templates are compiled at the first
                times[name].append((time.perf_counter() - began) * 1000)
            sizes[name] = len(page) / 1024
    return {name: median(each) for name, each in times.items()}, sizes


def _load(folder: Path, made: Filled, seconds: int) -> Iterator[str]:
    """The server under load."""
    found = held(folder, made, rate=RATE, seconds=seconds)
    print(f"  {RATE} requests a second for the board, for {seconds} s")
    print(f"    answered           {found.n_answered:>8,} of {RATE * seconds:,}")
    print(f"    a second           {found.rate:>8.1f}")
    for name, q in (("median", 0.5), ("95 %", 0.95), ("99 %", 0.99), ("longest", 1.0)):
        print(f"    {name:<17}  {found.quantile(q) * 1000:>8.1f} ms")
    print(f"    server             {found.cpu / seconds:>8.0%} of a core")
    first, last = found.thirds()
    print(f"    its memory         {first:>8.0f} MiB in the first third, {last:.0f} in the last")
    yield from _shortfalls(found, seconds)


def _shortfalls(found: Held, seconds: int) -> Iterator[str]:
    if found.failures or found.n_answered < RATE * seconds:
        yield f"not every request was answered: {found.failures}"
    if found.rate < 0.99 * RATE:
        yield f"{RATE} requests a second are not held"
    first, last = found.thirds()
    if last > first * GROWTH_ALLOWED:
        yield "the server's memory grows"


def _scoring(folder: Path, made: Filled) -> Iterator[str]:
    """A run as the server scores it after the upload, and as `ensue evaluate` does."""
    gold, run = folder / "gold.jsonl", folder / "run.jsonl"
    with gold.open("wb") as file:
        write_jsonl(made.gold, file)
    run.write_bytes(run_lines(made_run(made.gold, made.next_run)))
    few, many = (_waiting(made, each) for each in (made.empty, made.long))
    seconds = _medians(
        {
            "ensue evaluate, in this process": lambda: _evaluated(gold, run),
            "scored, the only run": lambda: _scored(made.workbench, few),
            "scored, beside all others": lambda: _scored(made.workbench, many),
            "of that, the board alone": lambda: _renewed(made.workbench, made.long),
            "the command, with all measures": lambda: _commanded(gold, run),
        }
    )
    evaluated = seconds["ensue evaluate, in this process"]
    print(f"  {'a run, medians of ' + str(REPEATS):<38}  {'s':>8}  {'× evaluate':>10}")
    for name, each in seconds.items():
        print(f"    {name:<36}  {each:>8.2f}  {each / evaluated:>10.2f}")
    if seconds["scored, the only run"] / evaluated > SCORING_ALLOWED:
        yield f"a run is scored in more than {SCORING_ALLOWED:g} times `ensue evaluate`"


def _medians(ways: dict[str, Callable[[], float]]) -> dict[str, float]:
    """The median of each way, the ways taking turns."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(REPEATS):
        for name, way in ways.items():
            times[name].append(way())
    return {name: median(each) for name, each in times.items()}


def _evaluated(gold: Path, run: Path) -> float:
    began = time.perf_counter()
    (found,) = evaluate_sources(gold, [run], measures=MEASURES, cutoffs=False).runs
    assert found.scores.measures["cws"].low is not None
    return time.perf_counter() - began


def _commanded(gold: Path, run: Path) -> float:
    began = time.perf_counter()
    command = [sys.executable, "-m", "ensue.cli", "evaluate", str(gold), str(run), "-q"]
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - began


def _waiting(made: Filled, challenge: int) -> int:
    """A run that is handed in, and too large to be scored at once."""
    patient = Workbench(made.workbench.database, Limits(at_once=0))
    return hand_in(patient, made.participant, challenge, made.gold, made.next_run)


def _scored(workbench: Workbench, submission: int) -> float:
    """How long it takes to score a run, which is made to wait again first."""
    with workbench.database.writing() as session:
        row = session.get_one(models.Submission, submission)
        row.state, row.attempts, row.claimed = "waiting", 0, None
    began = time.perf_counter()
    assert score(workbench, submission)
    return time.perf_counter() - began


def _renewed(workbench: Workbench, challenge: int) -> float:
    began = time.perf_counter()
    with workbench.database.writing() as session:
        renew_board(session, session.get_one(models.Challenge, challenge))
    return time.perf_counter() - began
