"""Many threads that judge with one recognizer: errors, verdicts and speed beside one thread's.

Threads first share out pairs that nobody has analyzed, then each judges all of them, one at a time, in an
order of its own; where that is over within a second, again and again. Between their blocks one thread does
the same, with other pairs where they are to be new. What the verdicts have to be is said by another process,
with one thread and a cache of its own. A function that compares words in plain Python shows what the
interpreter and the scheduler lose or gain by threads; `cpu` is the processor time of a judging by threads
over that of one by one thread.

`python -m benchmarks.threads 100 logic` has each thread judge 100 pairs, with `logic` alone.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import ensue
from benchmarks.timing import ROOT
from ensue import registry
from ensue.language import cache_file
from ensue.pairs import Label, Pair, Verdict, load_pairs

THREADS, JUDGINGS, BLOCKS = 64, 1_000, 4
ALONE = 8
"""How many threads' judgings one thread does of what is known."""
LEAST = 1.0
"""Seconds that a block of what is known takes at least."""
SLOW = 1_000
"""New pairs a second that one thread judges at most, for threads to be worth timing on them."""
_PLAIN = "plain Python"


class PlainWords:
    """What a program would write that knows nothing of ours."""

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Whether most words of the hypothesis are in the text."""
        said = []
        for pair in pairs:
            text, words = set(pair.text.lower().split()), pair.hypothesis.lower().split()
            share = sum(word in text for word in words) / max(len(words), 1)
            label = Label.ENTAILMENT if share > 0.6 else Label.NOT_ENTAILMENT
            said.append(Verdict(pair.id, label, share))
        return said


@dataclass(slots=True)
class Work:
    """Judgings, the seconds they took, and what became of them."""

    n: int = 0
    seconds: float = 0.0
    processor: float = 0.0
    """Seconds of all cores."""
    said: list[Verdict | Exception] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Judgings a second."""
        return self.n / self.seconds


def main() -> None:
    """Print a row for each recognizer."""
    n = int(sys.argv[1]) if sys.argv[1:2] and sys.argv[1].isdigit() else JUDGINGS
    names = [*registry.names("recognizer"), _PLAIN]
    asked = [name for name in sys.argv[1:] if name in names]
    print(f"{THREADS} threads × {n:,} judgings, one pair at a time; judgings a second")
    print(f"  {'':<14}{'':>9}{'other':>9}{'new pairs':>36}{'known pairs':>36}")
    columns = ("errors", "verdicts", *("one", "threads", "ratio", "cpu") * 2)
    print("  " + f"{'':<14}" + "".join(f"{name:>9}" for name in columns))
    os.environ["ENSUE_KERNELS"] = "compiled"
    kernels = cache_file().parent / "kernels"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ENSUE_CACHE"] = _cache(f"{folder}/alone", kernels)
        spawned = get_context("spawn")
        with ProcessPoolExecutor(1, mp_context=spawned) as alone:
            alone.submit(os.getpid).result()  # which spawns it
            os.environ["ENSUE_CACHE"] = _cache(f"{folder}/threads", kernels)
            for name in asked or names:
                _show(name, n, alone)


def _cache(folder: str, kernels: Path) -> str:
    """A cache without analyses, in which kernels are found."""
    Path(folder).mkdir()
    (Path(folder) / "kernels").symlink_to(kernels)
    return folder


def _show(name: str, n: int, alone: ProcessPoolExecutor) -> None:
    recognizer = _ready(name)
    pairs, others = _pairs(n, f"of {name}"), _pairs(n, f"beside {name}")
    with ThreadPoolExecutor(THREADS) as pool:
        new, one_new = _new(recognizer, pairs, others, pool)
        known, one_known = _known(recognizer, pairs, pool)
    right = {each.pair_id: each for each in alone.submit(recognizer.judge, pairs).result()}
    said = [*new.said, *known.said]
    verdicts = [each for each in said if isinstance(each, Verdict)]
    n_other = sum(each != right[each.pair_id] for each in verdicts)
    cells = f"{len(said) - len(verdicts):>9,}{n_other:>9,}"
    cells += _rates(one_new, new) if one_new.rate < SLOW else f"{'':>36}"
    print(f"  {name:<14}{cells}{_rates(one_known, known)}", flush=True)


def _rates(one: Work, many: Work) -> str:
    processor = (many.processor / many.n) / (one.processor / one.n)
    return f"{one.rate:>9,.0f}{many.rate:>9,.0f}{many.rate / one.rate:>9.2f}{processor:>9.2f}"


def _ready(name: str) -> Any:
    """A recognizer that is trained, loaded and compiled."""
    if name == _PLAIN:
        return PlainWords()
    shipped = load_pairs(ROOT / "examples" / "pairs.xml")
    found: Any = ensue.load(name)
    if name == "overlap-tree":
        found = found.fit(shipped, seed=0)
    found.judge(shipped)
    return found


def _pairs(n: int, what: str) -> list[Pair]:
    """The shipped pairs again and again, with another sentence in each text."""
    shipped = load_pairs(ROOT / "examples" / "pairs.xml")
    return [
        replace(pair, id=str(i), text=f"{pair.text} That was report {i} {what}.")
        for i, pair in ((i, shipped[i % len(shipped)]) for i in range(n))
    ]


def _new(
    recognizer: Any, pairs: Sequence[Pair], others: Sequence[Pair], pool: ThreadPoolExecutor
) -> tuple[Work, Work]:
    """What nobody has analyzed: by threads, and by one."""
    many, one = Work(), Work()
    for block, other in zip(_blocks(pairs), _blocks(others), strict=True):
        _timed(many, recognizer, pool, [block[k::THREADS] for k in range(THREADS)])
        _timed(one, recognizer, None, [other])
    return many, one


def _known(recognizer: Any, pairs: Sequence[Pair], pool: ThreadPoolExecutor) -> tuple[Work, Work]:
    """The same pairs again: all by each thread, and some by one."""
    many, one = Work(), Work()
    probe = Work()
    _timed(probe, recognizer, None, [pairs[:100]])
    times = int(LEAST * probe.rate / (THREADS * len(pairs) / BLOCKS)) + 1
    orders = [random.Random(k).sample(pairs, len(pairs)) for k in range(THREADS)]
    for shares in zip(*map(_blocks, orders), strict=True):
        _timed(many, recognizer, pool, [[*share] * times for share in shares])
        _timed(one, recognizer, None, [[*share] * times for share in shares[:ALONE]])
    return many, one


def _blocks(pairs: Sequence[Pair]) -> Iterator[Sequence[Pair]]:
    size = -(-len(pairs) // BLOCKS)
    return (pairs[start : start + size] for start in range(0, len(pairs), size))


def _timed(
    work: Work,
    recognizer: Any,
    pool: ThreadPoolExecutor | None,
    shares: Sequence[Sequence[Pair]],
) -> None:
    """Have each share judged, at once where there is a pool."""

    def judge(share: Sequence[Pair]) -> list[Verdict | Exception]:
        return [_verdict(recognizer, pair) for pair in share]

    began, spent = time.perf_counter(), time.process_time()
    said = list((pool.map if pool else map)(judge, shares))
    work.seconds += time.perf_counter() - began
    work.processor += time.process_time() - spent
    work.n += sum(map(len, said))
    work.said += [each for some in said for each in some]


def _verdict(recognizer: Any, pair: Pair) -> Verdict | Exception:
    try:
        found: Verdict = recognizer.judge([pair])[0]
    except Exception as error:
        return error
    return found


if __name__ == "__main__":
    main()
