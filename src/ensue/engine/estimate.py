"""Estimates of what a run takes, hours, memory and disk, from a sample of it.

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

import io
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, cast

from ensue.engine.job import (
    Input,
    Job,
    PairInput,
    Shard,
    ShardAccount,
    ShardSizes,
    Tell,
    survey_pairs,
)
from ensue.engine.output import RunFormat, is_folder
from ensue.engine.processes import WorkerProcess
from ensue.engine.run import MOST_KEYS, RunOptions, n_cores, shard_size_for
from ensue.engine.shards import IsolatedWorker, begun
from ensue.engine.store import LocalFolder
from ensue.errors import SettingError
from ensue.files import MAGIC_SIZE, STANDARD, open_input, packing_of, shown_name, unpacked
from ensue.pairs import Finding, ReadKeywords, Severity, Status, Survey, SurveyedFile, read_options
from ensue.pairs.formats import Format, ignore_finding
from ensue.recognizers import BATCH, HASHED, judge_job, load_once, run_format
from ensue.registry import find

# What a run takes, by what a sample of it took.

_SHARD_BYTES = 2048
"""What the driver keeps of a shard: its account and its place."""
_KEY_BYTES = 8
"""And of an item, as long as it looks for keys that occur twice."""
_UNSURE = 0.25
"""By how much a guessed number of items may be wrong: files go on otherwise than they begin."""


@dataclass(frozen=True, slots=True)
class RunSample:
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
class RunEstimate:
    """A sample, and the whole that it is taken to stand for."""

    what: str
    sample: RunSample
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


# How many pairs there are in files that only reading them tells: a guess by how they begin.

_PAIRS = 40_000
"""That are read, of all files together; about a second."""
_FILES = 8
"""Of those that cannot be counted, how many are begun."""
_BLOCK = 1 << 15


@dataclass(frozen=True, slots=True)
class Count:
    """How many pairs there are."""

    n_pairs: int
    is_exact: bool


def count_pairs(survey: Survey) -> Count:
    """Count the pairs where that is known, and where not, guess them by the beginnings of files.

    A file that is packed, or whose pairs cannot be told apart without reading it, is read for a
    while: what counts are its bytes as they lie there, which are known in all, for each pair.

    Raises:
        DataError: a file cannot be read as what it claims to be.
    """
    known = sum(file.rows or 0 for file in survey.files)
    others = [file for file in survey.files if file.rows is None]
    begun = {id(file): _begin(file, survey, len(others)) for file in _spread(others)}
    if not begun:
        return Count(known, is_exact=True)
    pairs = sum(each.n_pairs for each in begun.values())
    size = sum(each.n_bytes for each in begun.values())
    rate = pairs / size if size else 0.0
    guesses = [
        begun[id(file)].guess(file.size) if id(file) in begun else file.size * rate
        for file in others
    ]
    is_exact = len(begun) == len(others) and all(each.is_ended for each in begun.values())
    return Count(known + round(sum(guesses)), is_exact)


def _spread(files: Sequence[SurveyedFile]) -> list[SurveyedFile]:
    """Some of them, from all over."""
    n = min(_FILES, len(files))
    return [files[(2 * i + 1) * len(files) // (2 * n)] for i in range(n)]


@dataclass(frozen=True, slots=True)
class _Beginning:
    """What was read of a file."""

    n_pairs: int
    """Of which it is known from how many bytes they were made."""
    n_bytes: int
    """As they lie there."""
    n_read: int
    """Pairs, all of them."""
    is_ended: bool

    def guess(self, size: int) -> float:
        """How many pairs a file of so many bytes has."""
        if self.is_ended or not self.n_bytes:
            return self.n_read
        return max(self.n_read, size * self.n_pairs / self.n_bytes)


def _begin(file: SurveyedFile, survey: Survey, n_files: int) -> _Beginning:
    """Read a file until there are pairs enough, or to its end."""
    most = _PAIRS // min(_FILES, n_files)
    options, kind = read_options(survey.reading), cast(Format, find("format", file.format))
    name, n_read = shown_name(file.source), 0
    with open_input(file.source, unpack=False) as raw:
        packing = packing_of(raw.read(MAGIC_SIZE))
        raw.seek(0)
        metered = _Metered(raw)
        opened = cast(BinaryIO, io.BufferedReader(metered, _BLOCK))
        if packing is not None:
            opened = unpacked(opened, packing, name)
        for _ in kind.read(opened, name, options, ignore_finding):
            n_read += 1
            metered.n_pairs = n_read
            if n_read >= most and metered.made[0]:
                return _Beginning(*metered.made, n_read, is_ended=False)
    return _Beginning(n_read, file.size, n_read, is_ended=True)


class _Metered(io.RawIOBase):
    """A file that knows how many pairs had been made of its bytes whenever more are asked for.

    Some bytes always wait between here and the pairs; from one time to another they are about as
    many, so what counts is what was made between two times.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._n_bytes = 0
        self._first: tuple[int, int] | None = None
        self._last = (0, 0)
        self.n_pairs = 0
        """Made so far; told from outside."""

    @property
    def made(self) -> tuple[int, int]:
        """Pairs, and the bytes of which they were made; zeros where nothing is known yet."""
        pairs, size = self._first or (0, 0)
        if self._last == self._first:
            pairs, size = 0, 0
        return self._last[0] - pairs, self._last[1] - size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self.n_pairs > self._last[0]:  # else a block is being put together
            self._last = self.n_pairs, self._n_bytes
            self._first = self._first or self._last
        block = self._file.read(len(buffer))
        buffer[: len(block)] = block
        self._n_bytes += len(block)
        return len(block)


# A sample of a run: done in a process of its own, measured, and thrown away.

SECONDS = 20.0
"""How long a sample takes, about."""
_PLACES = 8
"""Of the input, from which a sample is taken."""
_GROWTH = 4
"""By which the first, small shards grow until one takes long enough to be measured."""
_TEXTS = ("texts", "analyzed")


def estimate_run(
    job: Job,
    given: Input,
    spread: RunOptions,
    *,
    what: str,
    count: Count | None = None,
    is_joined: bool = False,
    surveyed: float = 0.0,
    seconds: float = SECONDS,
    on_sample: Callable[[int], None] = lambda _: None,
) -> RunEstimate:
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
    from ensue.language import LARGEST_FILE

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
    return RunEstimate(
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
        self._hand = WorkerProcess()
        self._careful = IsolatedWorker(
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

    def sample(self, survey: float) -> RunSample:
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
        return RunSample(
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


# What `ensue judge` will take.

_SHORT = 1.0
"""Seconds of looking through the input that are mostly for loading the means to do so."""


def estimate_judging(
    source: str,
    output: str,
    recognizer: str,
    settings: Mapping[str, object] | None = None,
    *,
    reading: ReadKeywords | None = None,
    format: RunFormat | None = None,
    spread: RunOptions | None = None,
    batch_size: int = BATCH,
    seconds: float = SECONDS,
    on_finding: Callable[[Finding], None] = lambda _: None,
    on_survey: Callable[[int], None] | None = None,
    on_sample: Callable[[int], None] = lambda _: None,
) -> RunEstimate:
    """Say what `judge_source` would take; nothing is written.

    Args:
        source: As there, and so are the other arguments.
        output: Asked only whether it is a folder.
        recognizer: Its name or directory.
        settings: Of the recognizer.
        reading: How the source is read.
        format: How verdicts are written; as there where it is not given.
        spread: How many workers, and how large shards are.
        batch_size: Pairs judged at a time.
        seconds: How long the sample takes, about.
        on_finding: Is told what is found while this process reads, and of pairs of the sample that
            failed.
        on_survey: Is told of more bytes that were looked through.
        on_sample: Is told how many more pairs of the sample are done.

    Raises:
        SettingError: the source is standard input.
        EnsueError: as `judge_source`.
    """
    if source == STANDARD:
        raise SettingError(
            "how long standard input is cannot be known", hint="put the pairs into a file"
        )
    spread, written = spread or RunOptions(), format or run_format(output)
    job = judge_job(recognizer, settings or {}, written, reading or ReadKeywords(), batch_size)
    survey = partial(survey_pairs, source, job.reading)
    given, surveyed = _timed(survey, on_finding=on_finding, progress=on_survey)
    if surveyed < _SHORT:
        _, surveyed = _timed(survey, on_finding=lambda _: None)
    job = replace(job, is_hashed=given.n_estimated <= HASHED)
    try:
        found = estimate_run(
            job,
            given,
            spread,
            what=f"{given.name} with {job.signature.recognizer}",
            count=count_pairs(given.survey) if given.survey.files else None,  # a pipe
            is_joined=output != STANDARD and not is_folder(output),
            surveyed=surveyed,
            seconds=seconds,
            on_sample=on_sample,
        )
    finally:
        load_once.cache_clear()  # a program is to end
    _tell_failed(found.sample, on_finding)
    return found


def _tell_failed(sample: RunSample, on_finding: Callable[[Finding], None]) -> None:
    if sample.n_failed:
        message = (
            f"{sample.n_failed:,} of {sample.n_tried:,} pairs that were tried failed, and they may"
            f" take another time than others: {sample.failure}"
        )
        on_finding(Finding("sample-failed", Severity.WARNING, message))


def _timed(survey: Callable[..., PairInput], **options: Any) -> tuple[PairInput, float]:
    clock = time.monotonic()
    return survey(**options), time.monotonic() - clock
