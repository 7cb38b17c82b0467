"""What scoring translations costs: ten systems beside eleven parses, and 49 outputs in one run.

For ten systems against one reference, everything after the eleven parses, in both directions, should
cost less than they do. All outputs of WMT 2012 go through the surface features in one run, whose
memory must not grow with the number of segments.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from benchmarks.timing import ROOT, best_seconds, data_folder
from ensue.features.extraction import FeatureReader, open_reader
from ensue.language.analyzer import load_analyzer
from ensue.translation.features import FeatureSet, Meter
from ensue.translation.formats.sets import TranslationSet, open_set
from ensue.translation.systems import Segment

SYSTEMS = 10
SEGMENTS = 300
PAPER_SECONDS = 6.0
"""Padó et al. (2009) on what an output costs with the Stanford system."""


def main() -> None:
    """Print both."""
    data, source = _data()
    _after_the_parses(data, source)
    _constant_memory(source)


def _after_the_parses(data: TranslationSet, source: str) -> None:
    segments = _segments(data)
    n_outputs = sum(len(segment.outputs) for segment in segments)
    texts = [
        text for segment in segments for text in (*segment.outputs.values(), *segment.references)
    ]
    print(
        f"{n_outputs:,} outputs of {len(segments)} segments of {source}: up to {SYSTEMS} systems"
        " against one reference"
    )
    with tempfile.TemporaryDirectory() as folder:
        reader = open_reader(cache=Path(folder) / "one.sqlite")
        meter = Meter(FeatureSet.COMB, reader).informed(data.references())
        meter.table(segments[:8])  # kernels, models and lexicon are loaded
        parses = _seconds(lambda: load_analyzer().analyze(list(dict.fromkeys(texts))))
        meter.table(segments)  # the analyses are in memory
        after = _seconds(lambda: _emptied(reader) and meter.table(segments))
        surface = Meter(FeatureSet.TRADMT).informed(data.references())
        surface_alone = _seconds(lambda: surface.table(segments))
    rows = (
        ("the parses of all outputs and references", parses),
        ("after them: 148 entailment and 84 surface features", after),
        ("the 84 surface features alone", surface_alone),
    )
    for name, seconds in rows:
        print(f"  {name:<52}{1e3 * seconds / n_outputs:>8.3f} ms an output")
    print(f"  after the parses / the parses:        {after / parses:.2f} (below 1)")
    print(
        f"  the paper's 6 s an output / ours:     {PAPER_SECONDS * n_outputs / (parses + after):,.0f}"
    )


def _constant_memory(source: str) -> None:
    """Each run is a process of its own, so that peaks do not mix."""
    print(f"ensue mt score -m pair-tradmt over {source}")
    for share in (0.25, 0.5, 1.0):
        found = subprocess.run(
            [sys.executable, "-m", "benchmarks.translation", str(share)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        n, seconds, peak = found.stdout.split()
        rate = int(n) / float(seconds)
        print(f"  {int(n):>9,} outputs{rate:>9,.0f} a second{int(peak):>8,} MiB at its peak")


def _score_share(share: float) -> None:
    """Score a share of the segments, and print how many outputs, how long, and the peak."""
    from ensue.translation.formats.scores import write_score_batches
    from ensue.translation.metrics import load_metric, scored_batches

    data, _ = _data()
    metric = load_metric("pair-tradmt").informed(data.references())
    chosen = islice(data.segments(), int(share * data.n_segments))
    began, n = time.perf_counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        scored = ((batch.outputs, batch.values) for batch in scored_batches([metric], chosen))
        write_score_batches(Path(folder) / "scores.tsv", [("pair-tradmt", "")], scored)
        n = sum(1 for _ in (Path(folder) / "scores.tsv").open()) - 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(n, time.perf_counter() - began, peak)


def _data() -> tuple[TranslationSet, str]:
    folder = data_folder() / "wmt12"
    if folder.is_dir():
        return open_set([str(folder)]), "the WMT 2012 outputs into English"
    return open_set([str(ROOT / "examples" / "translation")]), "the shipped examples"


def _segments(data: TranslationSet) -> list[Segment]:
    """The first segments of the pair with most systems, with so many of them."""
    pair = max(data.systems, key=lambda each: len(data.systems[each]))
    found = (segment for segment in data.segments() if segment.language_pair == pair)
    return [
        Segment(
            segment.language_pair,
            segment.id,
            segment.references,
            dict(islice(segment.outputs.items(), SYSTEMS)),
        )
        for segment in islice(found, SEGMENTS)
    ]


def _emptied(reader: FeatureReader) -> bool:
    reader.forget_features()
    return True


def _seconds(work: Callable[[], object]) -> float:
    return best_seconds(work, repeats=3)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        _score_share(float(sys.argv[1]))
    else:
        main()
