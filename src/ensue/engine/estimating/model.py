"""What a run takes, by what a sample of it took.

The model, for n items and W workers, with shards of S items (`default_size`, or as given):

    seconds  u·n + t₀ + max(n·s / W, n·f) + ½·S·s   (the last term for W > 1)
    memory   D + 2 kB·n / S + 8·min(n, 10⁷) + W·(H + h·max(S − m, 0))
    disk     n·b for the output, as much again while shards become one file, min(n·c, limit) for
             analyses

u is the driver's time for looking through the input, t₀ the time until a worker has done its first
item, s a worker's time for an item and f the driver's, where it has to read for the workers. Half a
shard is what the others wait for the last worker. D is the driver's memory, with what it keeps of
shards and of items' keys; H a worker's after m items, and h what one more adds until it has done a
shard: by the size of shards where the sample's are larger than a batch, else by all that it did. b
and c are bytes of output and of new analyses for an item. All are measured but the two constants of
the driver. More workers than this machine has cores are taken to be on machines of the same kind.

Where n is a guess (packed files, XML), the low time is for a quarter less of it, though never for
fewer than were sampled, and the high time for a quarter more.

Analyses are made anew for the sample, so that it does not matter what is known from earlier runs: a
run over texts that were analyzed before, or that come again and again, takes less.
"""

from __future__ import annotations

from dataclasses import dataclass

from ensue.engine.model import ShardSizes
from ensue.engine.running import MOST_KEYS, shard_size_for

_SHARD_BYTES = 2048
"""What the driver keeps of a shard: its account and its place."""
_KEY_BYTES = 8
"""And of an item, as long as it looks for keys that occur twice."""
_UNSURE = 0.25
"""By how much a guessed number of items may be wrong: files go on otherwise than they begin."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What was measured; times in seconds, sizes in bytes, most of them for one item."""

    n_items: int
    n_places: int
    """Of the input, from which they are."""
    survey: float
    """The driver's, when it looks through the input."""
    feeding: float
    """The driver's, where workers do not read the input themselves."""
    start: float
    """Until a worker has done its first item; not for one item."""
    item: float
    low: float
    """As `item`, in the faster half of the sample."""
    high: float
    """In the slower half."""
    busy: float
    """The share of this time in which the worker computed; the rest it waited, maybe for a core."""
    driver_memory: int
    worker_memory: int
    """The most that the sample took."""
    n_in_memory: int
    """Items that took it."""
    item_memory: float
    """What one more would take."""
    output: float
    texts: float
    """Texts that were asked for."""
    analyzed: float
    """Texts that were analyzed."""
    cache: float
    """Analyses on disk."""
    n_tried: int = 0
    """Items that were done, also before anything was measured; some of a small input twice."""
    n_failed: int = 0
    """Of these."""
    failure: str = ""
    """Why the first of them failed."""

    def memory_of_worker(self, shard_size: int) -> float:
        """What a worker takes for shards of this size."""
        return self.worker_memory + self.item_memory * max(shard_size - self.n_in_memory, 0)


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run takes, in seconds and bytes."""

    n_items: int
    workers: int
    seconds: float
    low: float
    """By the faster half of the sample, and fewer items where their number is a guess."""
    high: float
    """By the slower half, and more items."""
    memory: int
    """Of all processes together."""
    output: int
    working: int
    """Disk while shards are put together; the output's part of it stays."""
    cache: int
    """Disk for analyses, at most."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A sample, and the whole that it is taken to stand for."""

    what: str
    sample: Sample
    n_items: int
    is_counted: bool
    """Whether the number of items is known, and not guessed by how the files begin."""
    workers: int
    shard_size: int | None
    """Where it was given."""
    sizes: ShardSizes
    is_joined: bool
    """Whether shards become one file."""
    cache_limit: int

    def cost(self, n_items: int | None = None, workers: int | None = None) -> Cost:
        """What so many items take with so many workers, by the model above."""
        n = self.n_items if n_items is None else n_items
        least, most = self._range(n)
        w = workers or self.workers
        size = self.shard_size or shard_size_for(self.sizes, n, w)
        size = max(1, min(size, n))
        sample = self.sample
        output = round(n * sample.output)
        driver = sample.driver_memory + _SHARD_BYTES * n / size + _KEY_BYTES * min(n, MOST_KEYS)
        return Cost(
            n_items=n,
            workers=w,
            seconds=self._seconds(n, w, size, sample.item),
            low=self._seconds(least, w, size, sample.low),
            high=self._seconds(most, w, size, sample.high),
            memory=round(driver + w * sample.memory_of_worker(size)),
            output=output,
            working=output * (2 if self.is_joined else 1),
            cache=min(round(n * sample.cache), self.cache_limit),
        )

    def _range(self, n: int) -> tuple[int, int]:
        """How many items there may be where it is said that there are so many."""
        if self.is_counted or n != self.n_items:
            return n, n
        sampled = min(n, self.sample.n_items)
        return max(sampled, round(n * (1 - _UNSURE))), round(n * (1 + _UNSURE))

    def _seconds(self, n: int, w: int, size: int, item: float) -> float:
        waiting = 0.5 * size * item if w > 1 else 0.0
        work = max(n * item / w, n * self.sample.feeding)
        return n * self.sample.survey + self.sample.start + work + waiting
