"""TER, NIST and all 84 surface features from strings, tokenizing included, in one process.

Beside ours: sacreBLEU's TER (the peer), and NLTK's NIST on words split at white space, sentence by
sentence and as one corpus. NLTK counts the information of a sentence from its own references alone,
which is less work than ours from the whole set. All get the same outputs, ours in one batch.

`python -m benchmarks.edits --compare [N]` compares every TER of WMT 2012 with sacreBLEU's instead, of N
segments or of all 147,147, in two processes; all of them took half an hour on two busy cores.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from nltk.translate.nist_score import corpus_nist, sentence_nist
from sacrebleu.metrics import TER

from benchmarks.timing import best_seconds, sentences, show
from ensue.surface import (
    COST_SETTINGS,
    SegmentTokens,
    Tokenizer,
    count_information,
    edit_statistics,
    nist_statistics,
    tokenize_segments,
)
from ensue.surface.tokenizers import MTEVAL_13A, WHITESPACE
from ensue.translation.features.families import surface_columns

SAMPLE = 1500
"""How many outputs all of them get: some cost sacreBLEU a hundred times as much as others."""
SHARE = 500
"""How many outputs a process compares at a time."""


def main() -> None:
    """Print microseconds an output, and how many times faster than its peer that is."""
    outputs, references, source = _sample()
    pairs = list(zip(outputs, references, strict=True))
    words = sum(map(len, map(str.split, outputs))) / len(outputs)
    distinct = sorted(set(references))
    information = count_information(distinct, MTEVAL_13A)
    usual = count_information(distinct, MTEVAL_13A, order=5)
    _warm(outputs, references)
    ours = {
        "ter": _microseconds(edit_statistics, WHITESPACE, outputs, references),
        "nist": _microseconds(
            lambda segments: nist_statistics(segments, usual),
            MTEVAL_13A,
            outputs,
            references,
        ),
        "all": _microseconds(
            lambda segments: surface_columns(segments, information),
            MTEVAL_13A,
            outputs,
            references,
        ),
    }
    metric = TER()
    ter = (
        best_seconds(lambda: [metric.sentence_score(o, [r]) for o, r in pairs], 1)
        / len(pairs)
        * 1e6
    )
    nist = best_seconds(lambda: [_nltk(o, r) for o, r in pairs], 1) / len(pairs) * 1e6
    whole = best_seconds(lambda: _nltk_corpus(pairs), 1) / len(pairs) * 1e6
    title = f"of {len(outputs):,} outputs ({source}, {words:.0f} words an output)"
    rows = [
        ("ensue, TER, white space", ours["ter"], ter / ours["ter"]),
        ("ensue, all 84 features, 13a", ours["all"], ter / ours["all"]),
        ("sacreBLEU, TER, sentence_score", ter, 1.0),
    ]
    show(f"TER {title}", rows, "µs an output", "× sacreBLEU")
    rows = [
        ("ensue, NIST, 13a", ours["nist"], nist / ours["nist"]),
        ("NLTK, sentence_nist, str.split", nist, 1.0),
        ("NLTK, corpus_nist, str.split", whole, nist / whole),
    ]
    show(f"NIST {title}", rows, "µs an output", "× NLTK")


def compare(n: int | None = None) -> int:
    """Compare every TER with sacreBLEU's, print how many differ, and return that number."""
    outputs, references, source = sentences()
    chosen = list(range(len(outputs)))
    if n is not None:
        chosen = sorted(random.Random(0).sample(chosen, min(n, len(chosen))))
    shares = [chosen[i : i + SHARE] for i in range(0, len(chosen), SHARE)]
    began = time.perf_counter()
    differing = 0
    work = [([outputs[i] for i in share], [references[i] for i in share]) for share in shares]
    with ProcessPoolExecutor(2) as pool:
        for done, found in enumerate(pool.map(_differing, work), start=1):
            differing += found
            if sys.stderr.isatty() or done % 50 == 0:
                seconds = time.perf_counter() - began
                print(
                    f"{done * SHARE:,} compared, {differing} differ, {seconds:.0f} s",
                    file=sys.stderr,
                )
    print(f"{len(chosen):,} outputs ({source}): {differing} differ from sacreBLEU in TER")
    return differing


def _differing(work: tuple[list[str], list[str]]) -> int:
    """How many outputs have other edits or another reference length than in sacreBLEU."""
    outputs, references = work
    metric = TER()
    theirs = np.array(
        [
            metric._compute_segment_statistics(
                metric._preprocess_segment(output), metric._extract_reference_info([reference])
            )
            for output, reference in zip(outputs, references, strict=True)
        ]
    )
    found = edit_statistics(_cut(outputs, references, WHITESPACE))[0]
    ours = np.stack([found.cost, found.reference_length], axis=1)
    return int((ours != theirs).any(axis=1).sum())


def _sample() -> tuple[list[str], list[str], str]:
    """Outputs drawn from all systems, and their references."""
    outputs, references, source = sentences()
    chosen = random.Random(0).sample(range(len(outputs)), min(SAMPLE, len(outputs)))
    return [outputs[i] for i in chosen], [references[i] for i in chosen], source


def _cut(outputs: list[str], references: list[str], tokenizer: Tokenizer) -> SegmentTokens:
    return tokenize_segments(outputs, [[reference] for reference in references], tokenizer)


def _nltk(output: str, reference: str) -> float:
    """NLTK's score; it divides by zero where an output is too short for its longest n-grams."""
    try:
        return float(sentence_nist([reference.split()], output.split()))
    except ZeroDivisionError:
        return 0.0


def _nltk_corpus(pairs: list[tuple[str, str]]) -> float:
    references = [[reference.split()] for _, reference in pairs]
    return float(corpus_nist(references, [output.split() for output, _ in pairs]))


def _microseconds(
    work: Callable[[SegmentTokens], object],
    tokenizer: Tokenizer,
    outputs: list[str],
    references: list[str],
) -> float:
    """What the work costs for one output, cutting included."""
    seconds = best_seconds(lambda: work(_cut(outputs, references, tokenizer)))
    return seconds / len(outputs) * 1e6


def _warm(outputs: list[str], references: list[str]) -> None:
    """Compile, or load what was compiled."""
    segments = _cut(outputs[:10], references[:10], MTEVAL_13A)
    surface_columns(segments, count_information(references[:10], MTEVAL_13A))
    edit_statistics(segments, list(COST_SETTINGS.values()))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--compare"]:
        sys.exit(1 if compare(int(sys.argv[2]) if sys.argv[2:] else None) else 0)
    main()
