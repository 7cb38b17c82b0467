"""What it takes to import `ensue` and to ask for help, over a Python that does nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.timing import best_seconds


def main() -> None:
    """Print seconds, and how often a bare Python fits in."""
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


def _run(command: list[str]) -> None:
    subprocess.run(command, capture_output=True, check=True)
