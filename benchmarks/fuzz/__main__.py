"""Run cases by number and say how they ended."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from benchmarks.fuzz.commands import Result, command_case, make_stock, option_case
from benchmarks.fuzz.library import library_case

MAKERS = (command_case, library_case, command_case, library_case, command_case, option_case)
CASES = 1000
LIMIT = 60.0
"""Seconds for one case."""


def run_case(number: int, seed: int, folder: Path, stock: Path, limit: float = LIMIT) -> Result:
    """Make and run the case of that number: of six, three are files, two calls, one an option."""
    rng = Random(f"{seed}:{number}")
    case = folder / f"{number:05d}"
    case.mkdir()
    make = MAKERS[number % len(MAKERS)]
    return make(number, rng, case, stock, limit)


def main() -> int:
    """Run the cases that the arguments name; 1 where one of them shows a defect."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="run this case, and say all that is told")
    chosen = parser.parse_args()
    numbers = (
        [chosen.only]
        if chosen.only is not None
        else range(chosen.first, chosen.first + chosen.cases)
    )
    with tempfile.TemporaryDirectory() as home:
        stock = Path(home) / "stock"
        stock.mkdir()
        make_stock(stock)
        began = time.perf_counter()
        results = []
        for number in numbers:
            results.append(run_case(number, chosen.seed, Path(home), stock))
            _say(results[-1], everything=chosen.only is not None)
        _summary(results, time.perf_counter() - began, chosen.seed)
    return 1 if any(result.complaints for result in results) else 0


def _say(result: Result, *, everything: bool) -> None:
    if everything:
        print(f"{result.what}\n{result.told}\n{result.end} in {result.seconds:.2f} s")
    for complaint in result.complaints:
        print(f"{result.number}: {result.what}: {complaint}", flush=True)


def _summary(results: list[Result], seconds: float, seed: int) -> None:
    print(f"{len(results):,} cases of seed {seed} in {seconds:.0f} s")
    ends = Counter(result.end for result in results)
    subjects = list(
        dict.fromkeys(result.subject for result in sorted(results, key=lambda r: r.subject))
    )
    by = Counter((result.subject, result.end) for result in results)
    width = max(map(len, subjects))
    print(f"  {'':<{width}}  cases  " + "  ".join(ends))
    for subject in subjects:
        n = sum(by[subject, end] for end in ends)
        cells = "  ".join(f"{by[subject, end]:>{len(end)}}" for end in ends)
        print(f"  {subject:<{width}}  {n:>5}  {cells}")
    cells = "  ".join(f"{n:>{len(end)}}" for end, n in ends.items())
    print(f"  {'all':<{width}}  {len(results):>5}  {cells}")
    slowest = max(results, key=lambda result: result.seconds)
    print(f"  the slowest, {slowest.number}, took {slowest.seconds:.1f} s: {slowest.what}")


if __name__ == "__main__":
    sys.exit(main())
