"""How soon the first answer is there: imports, help, and first verdicts with and without caches.

`python -m benchmarks.startup ENSUE …` measures the commands of other installations, each a path of
an `ensue`, one after the other in each round.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.timing import ROOT, best_seconds

COMMANDS = {
    "explain": ["explain", "A dog barks loudly at night", "An animal barks"],
    "judge": ["judge", str(ROOT / "examples" / "pairs.xml"), "-o", "-"],
    "check": [
        "check",
        "--source",
        str(ROOT / "examples" / "source.txt"),
        "--claims",
        str(ROOT / "examples" / "claims.txt"),
    ],
}
TIMES = 10
"""Runs of a command with the same cache, of which the first, second and last are shown."""
CACHES = ("empty", "warm", "unwritable")

Seconds = tuple[float, float]
"""As they pass, and of a processor: the latter are the same on a busy machine."""


def main() -> None:
    """Print seconds, and how often a bare Python fits in; then first verdicts."""
    ensue = Path(sys.executable).with_name("ensue")
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "python -c 'import ensue'": [sys.executable, "-c", "import ensue"],
        "ensue --help": [str(ensue), "--help"],
    }
    seconds = {
        name: best_seconds(lambda command=command: _run(command), repeats=7)
        for name, command in commands.items()
    }
    bare = seconds["python -c pass"]
    print("Starting up")
    for name, each in seconds.items():
        print(f"  {name:<26}  {each:>6.3f} s  {each / bare:>5.1f} × a bare Python")
    print()
    show_first_verdicts([ensue])


def show_first_verdicts(installations: Sequence[Path], times: int = TIMES) -> None:
    """Print the seconds of the first, second and last run of each command, by cache."""
    print(f"First verdicts: first, second and last of {times} runs, s (of a processor, s)")
    for ensue in installations:
        print(f"  {ensue}")
        for command, cache, seconds in first_verdicts(ensue, times):
            chosen = [seconds[i] for i in sorted({0, min(1, times - 1), times - 1})]
            shown = "  ".join(f"{wall:>7.2f} ({busy:.2f})" for wall, busy in chosen)
            print(f"    {command:<8} {cache:<11} {shown}", flush=True)


def first_verdicts(ensue: Path, times: int = TIMES) -> list[tuple[str, str, list[Seconds]]]:
    """The seconds of each run of each command, with each kind of cache.

    Each command begins with a home of its own that has nothing in it: the empty cache. The same
    command with all that could be compiled ahead is the warm one. The unwritable one has a file in
    the place of each folder that could be written, and a read-only place for numba's own.

    Args:
        ensue: The command, in whatever environment it is installed.
        times: How often each is run.
    """
    found = []
    for command, arguments in COMMANDS.items():
        for cache in CACHES:
            with tempfile.TemporaryDirectory() as folder:
                places = _places(Path(folder), cache)
                if cache == "warm":
                    _timed(ensue, arguments, {**places, "ENSUE_KERNELS": "compiled"})
                seconds = [_timed(ensue, arguments, places) for _ in range(times)]
                found.append((command, cache, seconds))
    return found


def _places(folder: Path, cache: str) -> Mapping[str, str]:
    """Where caches may be; numba's is named, since an installation that can be written has one."""
    if cache == "unwritable":
        (folder / "file").touch()
        home = str(folder / "file" / "home")  # permissions do not keep a superuser out
        return {"HOME": home, "TMPDIR": home, "ENSUE_CACHE": home, "NUMBA_CACHE_DIR": "/proc/none"}
    return {"HOME": str(folder), "NUMBA_CACHE_DIR": str(folder / "numba")}


def _timed(ensue: Path, arguments: Sequence[str], places: Mapping[str, str]) -> Seconds:
    ignored = ("XDG_CACHE_HOME", "ENSUE_CACHE", "ENSUE_KERNELS")
    environment = {name: each for name, each in os.environ.items() if name not in ignored}
    before, began = os.times(), time.perf_counter()
    subprocess.run(
        [str(ensue), *arguments], env={**environment, **places}, capture_output=True, check=False
    )
    seconds, after = time.perf_counter() - began, os.times()
    busy = after.children_user + after.children_system
    return seconds, busy - before.children_user - before.children_system


def _run(command: list[str]) -> None:
    subprocess.run(command, capture_output=True, check=True)


if __name__ == "__main__":
    show_first_verdicts([Path(each) for each in sys.argv[1:]])
