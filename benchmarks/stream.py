"""`ensue judge` over more and more pairs: time a pair and the most memory held.

Linear growth is a constant time a pair; constant memory is the same peak whatever the number.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.timing import sentences

SIZES = (10_000, 100_000, 1_000_000)

_CHILD = """
import resource, sys, time
from ensue.cli.app import run
began = time.perf_counter()
code = run(sys.argv[1:])
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(code, time.perf_counter() - began, peak)
"""


def main() -> None:
    """Print, for each size, microseconds a pair and the peak memory of the whole process."""
    outputs, references, source = sentences()
    print(f"ensue judge -r modified-bleu over JSONL ({source}, repeated under new ids)")
    print(f"  {'pairs':>10}  {'seconds':>8}  {'µs a pair':>10}  {'peak MiB':>9}  {'input MiB':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            pairs = Path(folder) / "pairs.jsonl"
            _write(pairs, size, outputs, references)
            seconds, peak = _judged(pairs, Path(folder) / "run.jsonl")
            megabytes = pairs.stat().st_size / 2**20
            each = seconds / size * 1e6
            print(
                f"  {size:>10,}  {seconds:>8.1f}  {each:>10.1f}  {peak:>9.0f}  {megabytes:>10.0f}"
            )


def _write(path: Path, size: int, outputs: list[str], references: list[str]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for i in range(size):
            k = i % len(outputs)
            record = {"id": str(i), "text": references[k], "hypothesis": outputs[k]}
            file.write(json.dumps(record) + "\n")


def _judged(pairs: Path, run: Path) -> tuple[float, float]:
    arguments = ["judge", str(pairs), "-r", "modified-bleu", "-o", str(run), "--quiet"]
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, *arguments], capture_output=True, text=True, check=True
    )
    code, seconds, peak = done.stdout.split()
    assert code == "0", done.stderr
    return float(seconds), float(peak)
