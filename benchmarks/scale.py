"""Large runs: what workers gain, what the engine costs, and whether time and memory stay in line.

Every run is a process of its own (`ensue judge`), timed from its start to its end, with one thread
in each worker. The bare loop is what one would write by hand: read, judge in batches, write.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.timing import sentences

REPEATS = 5
PAIRS = 4_000_000
"""For the surface recognizer."""
FEATURE_PAIRS = 4_000
SIZES = (100_000, 1_000_000, 10_000_000)

_ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA", "BLIS")}

_CHILD = """
import resource, sys, time
began = time.perf_counter()
from ensue.cli.app import run
code = run(sys.argv[1:])
seconds = time.perf_counter() - began
own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(code, seconds, own, largest)
"""

_BARE = """
import sys, time
began = time.perf_counter()
import pyarrow as pa
import pyarrow.parquet as pq
import ensue
from itertools import islice
from ensue.pairs import read_pairs
source, name, target = sys.argv[1:]
recognizer = ensue.load(name)
pairs = read_pairs(source)
writer = None
while batch := list(islice(pairs, 256)):
    found = recognizer.judge(batch)
    table = pa.table({
        "pair_id": [each.pair_id for each in found],
        "label": pa.array([each.label.value if each.label else None for each in found], pa.string()),
        "score": pa.array([each.score for each in found], pa.float64()),
        "confidence": pa.array([each.confidence for each in found], pa.float64()),
        "status": [each.status.value for each in found],
        "reason": pa.array([each.reason for each in found], pa.string()),
    })
    writer = writer or pq.ParquetWriter(target, table.schema)
    writer.write_table(table)
writer.close()
print(0, time.perf_counter() - began, 0, 0)
"""


def main() -> None:
    """Print the ratios, each the median of five, and the growth of time and memory."""
    outputs, references, source = sentences()
    print(f"large runs over Parquet ({source}, repeated under new ids)")
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        _surface(folder, outputs, references)
        _features(folder, outputs, references)
        _growth(folder, outputs, references)


def _surface(folder: Path, outputs: list[str], references: list[str]) -> None:
    pairs, name = folder / "pairs.parquet", "modified-bleu"
    _write(pairs, PAIRS, outputs, references)
    target = str(folder / "bare.parquet")
    halves = [folder / f"half-{k}.parquet" for k in range(2)]
    for half in halves:
        _write(half, PAIRS // 2, outputs, references)
    bare, both, one, two, dask = _medians(
        lambda: _child(_BARE, [str(pairs), name, target])[0],
        lambda: _at_once(halves, name),
        lambda: _run(folder, pairs, name, "--workers", "1")[0],
        lambda: _run(folder, pairs, name, "--workers", "2")[0],
        lambda: _run(folder, pairs, name, "--workers", "2", "--engine", "dask")[0],
    )
    print(f"  {name}, {PAIRS:,} pairs")
    print(f"    bare loop                     {bare:>7.1f} s")
    print(
        f"    two bare loops, half of it each {both:>5.1f} s  {bare / both:.2f} times as fast as one,"
        " which is what this machine gives"
    )
    print(f"    embedded engine, one worker   {one:>7.1f} s  {one / bare:.3f} of the bare loop")
    print(f"    embedded engine, two workers  {two:>7.1f} s  {one / two:.2f} times as fast as one")
    print(
        f"    dask, two workers             {dask:>7.1f} s  {dask / two:.2f} of the embedded engine"
    )


def _features(folder: Path, outputs: list[str], references: list[str]) -> None:
    pairs, name = folder / "few.parquet", "features"
    _write(pairs, FEATURE_PAIRS, outputs, references, distinct=True)
    one, two = _medians(
        lambda: _run(folder, pairs, name, "--workers", "1")[0],
        lambda: _run(folder, pairs, name, "--workers", "2")[0],
    )
    print(f"  {name}, {FEATURE_PAIRS:,} pairs, no analysis there before")
    print(f"    embedded engine, one worker   {one:>7.1f} s")
    print(f"    embedded engine, two workers  {two:>7.1f} s  {one / two:.2f} times as fast as one")


def _growth(folder: Path, outputs: list[str], references: list[str]) -> None:
    pairs, name = folder / "growing.parquet", "modified-bleu"
    print(f"  {name}, two workers")
    print(f"  {'pairs':>12}  {'seconds':>8}  {'µs a pair':>9}  {'driver + 2 workers, MiB':>24}")
    for size in SIZES:
        _write(pairs, size, outputs, references)
        seconds, own, largest = _run(folder, pairs, name, "--workers", "2")
        held = f"{own:.0f} + 2 × {largest:.0f}"
        print(f"  {size:>12,}  {seconds:>8.1f}  {seconds / size * 1e6:>9.2f}  {held:>24}")


def _medians(*ways: Callable[[], float]) -> Iterator[float]:
    """The median of each way, the ways taking turns so that all see the same machine."""
    times: list[list[float]] = [[] for _ in ways]
    for _ in range(REPEATS):
        for way, found in zip(ways, times, strict=True):
            found.append(way())
    return map(statistics.median, times)


def _at_once(halves: Sequence[Path], recognizer: str) -> float:
    """How long two bare loops take beside each other."""
    with ThreadPoolExecutor(len(halves)) as threads:
        targets = [str(half.with_suffix(".out")) for half in halves]
        loops = [
            threads.submit(_child, _BARE, [str(half), recognizer, target])
            for half, target in zip(halves, targets, strict=True)
        ]
        return max(loop.result()[0] for loop in loops)


def _run(folder: Path, pairs: Path, recognizer: str, *options: str) -> tuple[float, float, float]:
    target = folder / "run"
    shutil.rmtree(target, ignore_errors=True)
    arguments = ["judge", str(pairs), "-r", recognizer, "-o", f"{target}/", "-q", *options]
    return _child(_CHILD, arguments)


def _child(code: str, arguments: list[str]) -> tuple[float, float, float]:
    with tempfile.TemporaryDirectory() as cache:  # an empty one: every text is analyzed
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            capture_output=True,
            text=True,
            env={**os.environ, **_ONE_THREAD, "ENSUE_CACHE": cache},
        )
    if done.returncode:
        sys.exit(done.stderr)
    exit_code, seconds, own, largest = done.stdout.split()
    assert exit_code == "0", done.stderr
    return float(seconds), float(own), float(largest)


def _write(
    path: Path, size: int, outputs: list[str], references: list[str], *, distinct: bool = False
) -> None:
    """Write pairs; distinct ones by a number in each text, so that no analysis serves twice."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(name, pa.string()) for name in ("id", "text", "hypothesis")])
    with pq.ParquetWriter(path, schema) as writer:
        for start in range(0, size, 100_000):
            numbers = range(start, min(start + 100_000, size))
            ends = [f" (no. {i})" if distinct else "" for i in numbers]
            columns = {
                "id": [f"pair-{i:09d}" for i in numbers],
                "text": [
                    references[i % len(references)] + end
                    for i, end in zip(numbers, ends, strict=True)
                ],
                "hypothesis": [
                    outputs[i % len(outputs)] + end for i, end in zip(numbers, ends, strict=True)
                ],
            }
            writer.write_table(pa.table(columns, schema=schema))
