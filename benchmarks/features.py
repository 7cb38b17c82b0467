"""What reading a pair costs, beside the parse that it begins with.

spaCy alone, on the same distinct texts, is the limit: all that comes after it (graphs, alignment,
features, decision) should cost less. The paper's system took 6 seconds a hypothesis.
"""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from benchmarks.timing import ROOT, data_folder
from ensue.engine import Pool, n_cores
from ensue.features.extraction import FeatureReader, open_reader
from ensue.language.analyzer import MODELS, load_analyzer
from ensue.pairs import Pair, read_pairs
from ensue.recognizers import Recognizer, load

PAPER_SECONDS = 6.0
"""Padó et al. (2009) on what a hypothesis costs with the Stanford system."""


def main() -> None:
    """Print pairs per second of each way, and the ratios that are promised."""
    pairs, source = _pairs()
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.text, pair.hypothesis)))
    print(f"Reading {len(pairs):,} pairs of {source}, {len(texts):,} distinct texts")
    recognizer = load("features")
    with tempfile.TemporaryDirectory() as folder:
        aside = open_reader(cache=Path(folder) / "aside.sqlite")  # nothing of this is worth keeping
        _judge(recognizer, aside, pairs[:64])  # kernels, models and lexicon are loaded
        spacy_alone = _seconds(_spacy_on(texts))
        reader = open_reader(cache=Path(folder) / "one.sqlite")
        whole = _seconds(lambda: _judge(recognizer, reader, pairs))
        after = _seconds(lambda: _judge(recognizer, _emptied(reader), pairs))
        again = open_reader(cache=Path(folder) / "one.sqlite")
        cached = _seconds(lambda: _judge(recognizer, again, pairs))
        cores = n_cores()
        with Pool(cores) as pool:
            several = open_reader(cache=Path(folder) / "several.sqlite", pool=pool)
            several.features([(f"{i}", f"{i}") for i in range(1024)])  # the processes are up
            parallel = _seconds(lambda: _judge(recognizer, several, pairs))
        _show(pairs, spacy_alone, whole, after, cached, parallel, cores)
        _show_memory(recognizer, aside, pairs)


def _show(
    pairs: list[Pair],
    spacy_alone: float,
    whole: float,
    after: float,
    cached: float,
    parallel: float,
    cores: int,
) -> None:
    rows = (
        ("spaCy alone", spacy_alone),
        ("pairs judged, all of it", whole),
        ("after the parse", after),
        ("again, analyses on disk", cached),
        (f"all of it, {cores} processes", parallel),
    )
    print(f"  {'':<26}{'pairs/s':>10}{'ms a pair':>12}{'x spaCy':>10}")
    for name, seconds in rows:
        rate = len(pairs) / seconds
        print(f"  {name:<26}{rate:>10.0f}{1e3 / rate:>12.2f}{spacy_alone / seconds:>10.2f}")
    print(f"  after the parse / parse:            {after / spacy_alone:.2f} (below 1)")
    print(f"  all of it / spaCy alone, in rates:  {spacy_alone / whole:.2f} (0.5 or more)")
    print(f"  again / after the parse:            {cached / after:.2f} (1.2 or less)")
    print(f"  {cores} processes / one:                  {whole / parallel:.2f}")
    print(f"  the paper's 6 s a hypothesis / ours: {PAPER_SECONDS * len(pairs) / whole:,.0f}")


def _show_memory(recognizer: Recognizer, reader: FeatureReader, pairs: list[Pair]) -> None:
    """Peak memory after so many pairs, all of them different."""
    print("  peak memory, MiB:", end="")
    for times in (1, 2, 4):
        for i in range(times):
            varied = [
                Pair(f"{i}.{pair.id}", f"{pair.text} {times}.{i}", pair.hypothesis)
                for pair in pairs
            ]
            _judge(recognizer, reader, varied)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"  {times * len(pairs):,} pairs {peak:,}", end="")
    print()


def _spacy_on(texts: list[str]) -> Callable[[], object]:
    """The pipeline as it is, without our adapter, as fast as it goes on one core."""
    import spacy
    from threadpoolctl import threadpool_limits

    load_analyzer()  # sets how spaCy reckons: its faster way
    name = next(each for each in MODELS if find_spec(each))
    pipeline = spacy.load(name)

    def parse() -> None:
        with threadpool_limits(1), pipeline.memory_zone():
            for _ in pipeline.pipe(texts):
                pass

    return parse


def _judge(recognizer: Recognizer, reader: FeatureReader, pairs: list[Pair]) -> None:
    recognizer.with_reader(reader).judge(pairs)  # type: ignore[attr-defined]


def _emptied(reader: FeatureReader) -> FeatureReader:
    """The reader with its analyses in memory, and without the features it has measured."""
    reader.forget_features()
    return reader


def _pairs() -> tuple[list[Pair], str]:
    folder = data_folder() / "rte"
    if folder.is_dir():
        names = ("rte1_dev", "rte2_dev", "rte3_dev")
        return [
            pair for name in names for pair in read_pairs(folder / f"{name}.xml")
        ], "the RTE development sets"
    shipped = list(read_pairs(ROOT / "examples" / "pairs.xml"))
    return [
        Pair(f"{k}.{pair.id}", f"{pair.text} {k}", pair.hypothesis)
        for k in range(20)
        for pair in shipped
    ], "the shipped pairs, varied by a number"


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
