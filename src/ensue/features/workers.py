"""Processes that analyze texts and measure pairs, so that a batch uses every core.

What goes between processes is compact: texts and sentences one way, sentences and rows of numbers
the other. Each distinct text is analyzed once, whichever process needs it.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import cache
from multiprocessing import connection, get_context, parent_process
from typing import TYPE_CHECKING
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from ensue.alignment import AlignmentSettings
from ensue.features.measuring import Comparer, Sentences, TextPair, measured
from ensue.language.analysis import Analyzing, Sentence, load_analyzer
from ensue.language.lexicon import load_lexicon

if TYPE_CHECKING:
    from ensue.language.analysis import Analyzer

_TEXTS = 32
"""Texts analyzed in one task."""


def n_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Workers:
    """A pool of processes, started when it is first needed and ended with this one."""

    def __init__(
        self, n: int, model: str | None = None, settings: AlignmentSettings | None = None
    ) -> None:
        self.n = n
        self._model = model
        self._settings = settings
        self._pool: ProcessPoolExecutor | None = None

    def analyzed(self, texts: Sequence[str]) -> Iterator[Sentence]:
        """The analysis of each text, in order."""
        blocks = (texts[start : start + _TEXTS] for start in range(0, len(texts), _TEXTS))
        for found in self._in_order((_analyze, self._model, block) for block in blocks):
            yield from found

    def measured(
        self, chunks: Iterable[tuple[Sequence[TextPair], Sentences]]
    ) -> Iterator[NDArray[np.float64]]:
        """The features of each chunk of pairs, in order."""
        return self._in_order(
            (_measure, self._settings, chunk, sentences) for chunk, sentences in chunks
        )

    def _in_order(self, tasks: Iterator[tuple]) -> Iterator:  # type: ignore[type-arg]
        """The results of tasks, in their order, with few tasks ahead of them."""
        waiting: deque[Future] = deque()  # type: ignore[type-arg]
        for task in tasks:
            waiting.append(self._executor().submit(*task))
            if len(waiting) > 2 * self.n:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def _executor(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self.n, get_context("spawn"), _end_with_parent)
            # before the interpreter takes it apart, and without what nobody waits for any more
            finalize(self, self._pool.shutdown, cancel_futures=True)
        return self._pool


class ParallelAnalyzer:
    """An analyzer that leaves long lists of texts to workers."""

    def __init__(self, analyzer: Analyzing, workers: Workers) -> None:
        self._analyzer = analyzer
        self._workers = workers

    @property
    def signature(self) -> object:
        """That of the analyzer."""
        return self._analyzer.signature

    def analyze(self, texts: Sequence[str]) -> list[Sentence]:
        """The analysis of each text."""
        if len(texts) <= 2 * _TEXTS:
            return self._analyzer.analyze(texts)
        return list(self._workers.analyzed(texts))


def _end_with_parent() -> None:
    """Let no worker outlive the process that started it, and each use one core."""
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    from threadpoolctl import threadpool_limits

    threadpool_limits(1)


@cache
def _analyzer(model: str | None) -> Analyzer:
    return load_analyzer(model)


@cache
def _comparer(settings: AlignmentSettings | None) -> Comparer:
    return Comparer(load_lexicon(), settings)


def _analyze(model: str | None, texts: Sequence[str]) -> list[Sentence]:
    return _analyzer(model).analyze(texts)


def _measure(
    settings: AlignmentSettings | None,
    pairs: Sequence[TextPair],
    sentences: Sentences,
) -> NDArray[np.float64]:
    return measured(_comparer(settings).compare(pairs, sentences))
