"""Exact, stem and synonym matches from strings, tokenizing and looking words up included.

Beside ours: NLTK's alignment by exact words and stems alone, on words split at white space (the peer;
its synonyms need data that it downloads), and our tokenizer on both sides (what no matcher on top of
it can go below).
"""

from __future__ import annotations

from nltk.stem.porter import PorterStemmer
from nltk.translate.meteor_score import exact_match, stem_match

from benchmarks.timing import best_seconds, sentences, show
from ensue.surface import tokenize_sides
from ensue.surface.tokenizers import MTEVAL_13A
from ensue.translation.features.families import matched_features
from ensue.translation.features.word_matches import match_statistics, word_alignment

BATCH = 4096
EVERY = 10
"""Of the outputs, one in so many is matched."""
FEW = 500
"""How many pairs the slow ones get."""


def main() -> None:
    """Print microseconds a pair, and how many times faster than NLTK that is."""
    outputs, references, source = sentences()
    outputs, references = outputs[::EVERY], references[::EVERY]
    n, n_few = len(outputs), min(FEW, len(outputs))
    few = list(zip(outputs[:n_few], references[:n_few], strict=True))
    stemmer = PorterStemmer()

    def batches() -> list[tuple[list[str], list[list[str]]]]:
        return [
            (outputs[i : i + BATCH], [[each] for each in references[i : i + BATCH]])
            for i in range(0, n, BATCH)
        ]

    def features() -> None:
        for some, their_references in batches():
            matched_features(some, their_references)

    def narrow() -> None:
        for some, their_references in batches():
            match_statistics(some, their_references, width=8)

    def tokenization() -> None:
        tokenize_sides(outputs, references, MTEVAL_13A)

    def nltk() -> None:
        for output, reference in few:
            words = output.lower().split(), reference.lower().split()
            exact_match(*words)
            stem_match(*words, stemmer)

    features()  # compile, or load what was compiled
    microseconds = {
        "ensue, 17 features, batches of 4,096": best_seconds(features, repeats=2) / n * 1e6,
        "ensue, statistics, a beam of 8": best_seconds(narrow, repeats=2) / n * 1e6,
        "ensue, 13a alone": best_seconds(tokenization) / n * 1e6,
        "NLTK, exact and stem matches, str.split": best_seconds(nltk, repeats=1) / n_few * 1e6,
    }
    peer = microseconds["NLTK, exact and stem matches, str.split"]
    show(
        f"Lexical matches of {n:,} pairs ({source})",
        [(name, each, peer / each) for name, each in microseconds.items()],
        "µs a pair",
        "× NLTK",
    )
    known = sum(word_alignment(*pair).is_best for pair in few) / n_few
    print(f"  known to be the best alignment: {known:.1%} of {n_few}")
