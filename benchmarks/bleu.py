"""BLEU statistics from strings, tokenizing included, in one process.

Beside ours: sacreBLEU's sentence BLEU (the peer), NLTK's on words split at white space, and plain
`str.split` on both sides (the limit that a Python program cannot go below). sacreBLEU keeps tokenized
strings; every string that it gets here is new to it.
"""

from __future__ import annotations

import logging
import warnings

from nltk.translate.bleu_score import sentence_bleu
from sacrebleu.metrics import BLEU

from benchmarks.timing import best_seconds, sentences, show
from ensue.surface import ngram_statistics
from ensue.surface.tokenizers import MTEVAL_13A

BATCH = 4096
FEW = 3000
"""How many pairs the slow ones get."""


def main() -> None:
    """Print microseconds a pair, and how many times faster than sacreBLEU that is."""
    outputs, references, source = sentences()
    n, n_few = len(outputs), min(FEW, len(outputs))
    words = sum(map(len, map(str.split, outputs))) / n
    few = list(zip(outputs[:n_few], references[:n_few], strict=True))

    def ours() -> None:
        for i in range(0, n, BATCH):
            ngram_statistics(outputs[i : i + BATCH], references[i : i + BATCH], MTEVAL_13A)

    def split() -> None:
        for output, reference in zip(outputs, references, strict=True):
            output.split()
            reference.split()

    def sacrebleu() -> None:
        metric = BLEU(lowercase=True, effective_order=True)
        for output, reference in few:
            metric.sentence_score(output, [reference])

    def nltk() -> None:
        for output, reference in few:
            sentence_bleu([reference.split()], output.split())

    ours()  # compile, or load what was compiled
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    microseconds = {
        "ensue, 13a, batches of 4,096": best_seconds(ours) / n * 1e6,
        "str.split on both sides": best_seconds(split) / n * 1e6,
        "sacreBLEU, sentence_score, 13a": best_seconds(sacrebleu, repeats=1) / n_few * 1e6,
        "NLTK, sentence_bleu, str.split": best_seconds(nltk, repeats=1) / n_few * 1e6,
    }
    logging.disable(logging.NOTSET)
    peer = microseconds["sacreBLEU, sentence_score, 13a"]
    show(
        f"BLEU statistics of {n:,} pairs ({source}, {words:.0f} words an output)",
        [(name, each, peer / each) for name, each in microseconds.items()],
        "µs a pair",
        "× sacreBLEU",
    )
