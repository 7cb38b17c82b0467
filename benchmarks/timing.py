"""How the benchmarks take time, and the sentences they take it on."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from ensue.pairs import read_pairs

ROOT = Path(__file__).parents[1]


def best_seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """The shortest of several runs: what the work costs when nothing else interferes."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def data_folder() -> Path:
    """Where the data sets are: what ENSUE_DATA names, else `shared/data` beside the checkout."""
    return Path(os.environ.get("ENSUE_DATA", ROOT.parent / "shared" / "data"))


def sentences() -> tuple[list[str], list[str], str]:
    """Translations, their references and where both come from.

    The WMT 2012 outputs into English where the data sets are at hand (ENSUE_DATA, or
    `shared/data` beside the checkout), else the shipped pairs, varied by a number.
    """
    folder = data_folder() / "wmt12"
    if folder.is_dir():
        outputs: list[str] = []
        for file in sorted((folder / "system-outputs").glob("*/*")):
            outputs += file.read_text("utf-8").splitlines()
        references = (folder / "reference.en").read_text("utf-8").splitlines()
        times = len(outputs) // len(references)
        return outputs, references * times, "WMT 2012 outputs into English"
    pairs = list(read_pairs(ROOT / "examples" / "pairs.xml")) * 500
    texts = [f"{pair.text} {i}" for i, pair in enumerate(pairs)]
    return (
        texts,
        [f"{pair.text} {pair.hypothesis}" for pair in pairs],
        "the shipped pairs, repeated",
    )


def show(title: str, rows: list[tuple[str, float, float]], unit: str, ratio: str) -> None:
    """Print rows of name, amount and ratio."""
    width = max(len(name) for name, *_ in rows)
    print(title)
    print(f"  {'':<{width}}  {unit:>12}  {ratio:>12}")
    for name, amount, times in rows:
        print(f"  {name:<{width}}  {amount:>12.2f}  {times:>12.2f}")
