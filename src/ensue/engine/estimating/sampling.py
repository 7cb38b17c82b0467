"""A sample of a run: done in a process of its own, measured, and thrown away."""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from ensue.engine.careful import Careful
from ensue.engine.engines import n_cores
from ensue.engine.estimating.counting import Count
from ensue.engine.estimating.model import Estimate, Sample
from ensue.engine.folders import LocalFolder
from ensue.engine.hands import Hand
from ensue.engine.model import Input, Job, Shard, ShardAccount, Tell
from ensue.engine.running import Spread, shard_size_for
from ensue.engine.working import begun
from ensue.errors import SettingError
from ensue.pairs import Status

SECONDS = 20.0
"""How long a sample takes, about."""
_PLACES = 8
"""Of the input, from which a sample is taken."""
_GROWTH = 4
"""By which the first, small shards grow until one takes long enough to be measured."""
_TEXTS = ("texts", "analyzed")


def estimate(
    job: Job,
    given: Input,
    spread: Spread,
    *,
    what: str,
    count: Count | None = None,
    is_joined: bool = False,
    surveyed: float = 0.0,
    seconds: float = SECONDS,
    on_sample: Callable[[int], None] = lambda _: None,
) -> Estimate:
    """Do a sample in one process of its own, throw it away, and say what the whole takes.

    Args:
        job: What would be done.
        given: With what.
        spread: How many workers, and how large shards are.
        what: The same in a few words.
        count: How many items there are; what the input itself knows or guesses where it is None.
        is_joined: Whether shards would become one file.
        surveyed: Seconds that it took to look through the input.
        seconds: How long the sample takes, about; less where the input is small.
        on_sample: Is told how many more items of the sample are done.

    Raises:
        SettingError: there is nothing to take a sample of.
        EnsueError: whatever the job raises.
    """
    from ensue.language.analysis.caching import LARGEST_FILE

    workers = spread.workers or n_cores()
    count = count or Count(given.n_estimated, given.n_items is not None)
    n = max(count.n_pairs, 1)
    size = spread.shard_size or shard_size_for(job.sizes, n, workers)
    with (
        tempfile.TemporaryDirectory(prefix="ensue-") as made,
        closing(_Sampler(job, Path(made), seconds, on_sample)) as sampler,
    ):
        n_seen = 0
        for before, shard, feeding in _places(given, size):
            sampler.take(before, shard, feeding)
            n_seen += shard.n_items
        sample = sampler.sample(surveyed / n)
    return Estimate(
        what=what,
        sample=sample,
        n_items=max(n, n_seen),
        is_counted=count.is_exact,
        workers=workers,
        shard_size=spread.shard_size,
        sizes=job.sizes,
        is_joined=is_joined,
        cache_limit=LARGEST_FILE,
    )


def _places(given: Input, size: int) -> Iterator[tuple[Shard | None, Shard, float]]:
    """Shards spread evenly over the input, or its first ones where it has to be read in order.

    Each comes with the one before it, from which its reader goes on in a run, and with the seconds
    that this process took to read it.
    """
    if given.n_items is not None:
        shards = list(given.shards(size))
        n = min(_PLACES, len(shards))
        for i in range(n):
            at = (2 * i + 1) * len(shards) // (2 * n)
            yield shards[at - 1] if at else None, shards[at], 0.0
        return
    stream = given.shards(size)
    clock = time.monotonic()
    for shard in islice(stream, _PLACES):
        yield None, shard, time.monotonic() - clock
        clock = time.monotonic()


@dataclass(frozen=True, slots=True)
class _Place:
    """What was measured in one place of the input."""

    account: ShardAccount
    reading: float
    """A worker's seconds for one item."""
    feeding: float
    """The driver's."""

    @property
    def item(self) -> float:
        """A worker's seconds for one item."""
        return self.reading + self.account.seconds / max(self.account.n_items, 1)


@dataclass(frozen=True, slots=True)
class Peak:
    """The most memory of a worker after a shard."""

    n_items: int
    """Of the shard."""
    n_done: int
    """So far."""
    memory: int
    is_full: bool
    """Whether the shard had all items of a batch."""


class _Sampler:
    """Does small shards in a process of its own, and measures them."""

    def __init__(
        self, job: Job, folder: Path, seconds: float, on_sample: Callable[[int], None]
    ) -> None:
        self._job, self._folder = job, folder
        self._seconds = seconds / _PLACES
        self._on_sample = on_sample
        self._hand = Hand()
        self._careful = Careful(
            self._hand,
            job,
            LocalFolder(folder),
            on_batch=lambda _: None,
            on_death=lambda _: None,
            is_stopped=lambda: False,
        )
        self._start = 0.0
        self._computed = 0.0
        """Seconds of a processor in what is measured."""
        self._peaks: list[Peak] = []
        self._rate = 0.0
        """Seconds for an item, as far as is known; 0 before."""
        self._places: list[_Place] = []
        self._tried: list[ShardAccount] = []
        """Also what was done before anything was measured."""

    def close(self) -> None:
        """End the process."""
        self._hand.close()

    def take(self, before: Shard | None, shard: Shard, feeding: float) -> None:
        """Do as much of a shard as there is time for.

        Args:
            before: The one that is read before it, and is none of the sample.
            shard: What is done.
            feeding: This process's seconds for reading it.
        """
        if not shard.n_items:
            return
        clock = time.monotonic()
        self._hand.call(keep_analyses_in, str(self._folder))
        reading, items = self._read(before, shard)
        if not items:
            return
        done = 0
        if not self._start:
            self._do(items[:1])
            self._start = time.monotonic() - clock
            done = 1 + self._warm_up(items[1:])
        rest = items[done:] or items  # so few that they are measured again
        wanted = max(1, int(self._seconds / self._rate)) if self._rate else len(rest)
        before_all = self._hand.call(cpu_seconds, ())
        before_work = self._hand.call(cpu_seconds, rest[:wanted])
        account = self._do(rest[:wanted])
        computed = self._hand.call(cpu_seconds, ()) - before_work
        self._computed += max(computed - (before_work - before_all), 0.0)  # or it began anew
        place = _Place(account, reading, feeding / len(items))
        self._rate = place.item
        self._places.append(place)
        self._see_peak(account.n_items)

    def sample(self, survey: float) -> Sample:
        """All measurements together.

        Raises:
            SettingError: there are none.
        """
        places = self._places
        if not places:
            raise SettingError(
                "there is nothing to take a sample of", hint="name an input with items"
            )
        accounts = [each.account for each in places]
        n = sum(each.n_items for each in accounts)
        halves = places[: (len(places) + 1) // 2], places[len(places) // 2 :]
        texts, analyzed = (sum(each.figures.get(name, 0) for each in accounts) for name in _TEXTS)
        memory = memory_growth(self._peaks, len(places))
        kept = sum(each.stat().st_size for each in self._folder.glob("analyses.sqlite*"))
        n_kept = self._hand.call(n_analyzed, self._job)
        return Sample(
            n_items=n,
            n_places=len(places),
            survey=survey,
            feeding=_mean(places, lambda each: each.feeding),
            start=self._start,
            item=_mean(places, lambda each: each.item),
            low=min(_mean(half, lambda each: each.item) for half in halves),
            high=max(_mean(half, lambda each: each.item) for half in halves),
            busy=min(self._computed / max(sum(each.seconds for each in accounts), 1e-9), 1.0),
            driver_memory=peak_memory(),
            worker_memory=self._peaks[-1].memory,
            n_in_memory=memory[0],
            item_memory=memory[1],
            output=sum(each.n_bytes for each in accounts) / n,
            texts=texts / n,
            analyzed=analyzed / n,
            cache=kept / n_kept * analyzed / n if n_kept else 0.0,
            n_tried=sum(each.n_items for each in self._tried),
            n_failed=sum(map(_n_failed, self._tried)),
            failure=next(filter(None, map(_failure, self._tried)), ""),
        )

    def _read(self, before: Shard | None, shard: Shard) -> tuple[float, Sequence[Any]]:
        """A worker's seconds for reading an item, and the items."""
        if shard.items is not None:
            return 0.0, shard.items
        seconds, items = self._hand.call(read_items, self._job, before, shard)
        return seconds / max(len(items), 1), items

    def _warm_up(self, items: Sequence[Any]) -> int:
        """Do more and more at once until it takes long enough to know the rate; give how many."""
        done, n = 0, 1
        while done + n * _GROWTH <= len(items) // 2:
            n *= _GROWTH
            account = self._do(items[done : done + n])
            done += n
            self._rate = account.seconds / n
            self._see_peak(n)
            if account.seconds * _GROWTH > self._seconds:
                break
        return done

    def _see_peak(self, n_items: int) -> None:
        memory, batch = self._hand.call(memory_and_batch, self._job)
        n_before = self._peaks[-1].n_done if self._peaks else 0
        self._peaks.append(Peak(n_items, n_before + n_items, memory, n_items >= batch))

    def _do(self, items: Sequence[Any]) -> ShardAccount:
        account = self._careful.do(Shard(0, items=tuple(items)))
        self._tried.append(account)
        self._on_sample(account.n_items)
        return account


def memory_growth(peaks: Sequence[Peak], n_places: int) -> tuple[int, float]:
    """How many items took the memory that was seen, and what one more takes.

    A batch in the making takes most, and says nothing of what is kept: where the sample's shards are
    larger than a batch, two of different sizes are compared, else the first and the last of those
    that are measured, which are the last `n_places`.
    """
    last = peaks[-1]
    largest = max(peaks, key=_n_items)
    first = peaks[-n_places]
    small = min((each for each in peaks if each.is_full), default=last, key=_n_items)
    if small.n_items < largest.n_items and small.is_full:  # else it is a batch in the making
        return largest.n_items, _slope(last.memory - small.memory, largest.n_items - small.n_items)
    return last.n_done, _slope(last.memory - first.memory, last.n_done - first.n_done)


def _n_items(peak: Peak) -> int:
    return peak.n_items


def _n_failed(account: ShardAccount) -> int:
    """Those that a job says to have failed; where it says nothing of the kind, those blamed."""
    return account.counts.get("status", {}).get(Status.FAILED.value, len(account.blamed))


def _failure(account: ShardAccount) -> str:
    """What became of items that failed, in the words of the first; empty where none did."""
    found = (each.message for each in account.findings if each.code == Status.FAILED.value)
    return next((reason for _, reason in account.blamed), None) or next(found, "")


def _mean(places: Sequence[_Place], measured: Callable[[_Place], float]) -> float:
    """The mean over items, not over places."""
    n = sum(each.account.n_items for each in places)
    return sum(measured(each) * each.account.n_items for each in places) / n


def read_items(
    job: Job,
    before: Shard | None,
    shard: Shard,
    tell: Tell,  # noqa: ARG001 - as all calls
) -> tuple[float, list[Any]]:
    """The items of a shard, and the seconds that it took to read them after those before."""
    work = begun(job)
    if before is not None:
        work.items(before, lambda _: None)
    clock = time.monotonic()
    items = list(work.items(shard, lambda _: None))
    return time.monotonic() - clock, items


def _slope(rise: float, run: float) -> float:
    return max(rise, 0.0) / run if run else 0.0


def memory_and_batch(job: Job, tell: Tell) -> tuple[int, int]:  # noqa: ARG001 - as all calls
    """The most memory of this process so far, and how many items it does at a time."""
    return peak_memory(), begun(job).batch_size


def cpu_seconds(items: Sequence[Any], tell: Tell) -> float:  # noqa: ARG001 - as all calls
    """How long this thread, which does the work, has computed, the taking in of items included."""
    return time.thread_time()


def n_analyzed(job: Job, tell: Tell) -> int:  # noqa: ARG001 - as all calls
    """How many texts this process has analyzed."""
    return begun(job).figures().get("analyzed", 0)


def keep_analyses_in(folder: str, tell: Tell) -> None:  # noqa: ARG001 - as all calls
    """Keep analyses of this process there; what is known from elsewhere does not count."""
    os.environ["ENSUE_CACHE"] = folder


def peak_memory(tell: Tell | None = None) -> int:  # noqa: ARG001 - as all calls
    """The most memory, in bytes, that this process has held since it was begun."""
    try:
        for line in Path("/proc/self/status").read_text("utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass  # another system than Linux; there, what a parent held may count as well
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
