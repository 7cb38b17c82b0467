"""Learning paraphrases by n-gram contexts: tokens a second, and memory over more and more text.

Beside ours: the same algorithm in plain Python, with dictionaries and sets, on a part of the text.
Both read the same file, and both have to find the same lists. Then ours alone on made-up text of
one, two and four times the size: the words come from a fixed vocabulary, the frequent ones often.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.timing import best_seconds, sentences, show
from ensue.paraphrase.acquisition.methods import learn, text_blocks
from ensue.paraphrase.lists import RankedLists
from ensue.paraphrase.words import content_words
from ensue.surface.tokenizers import MTEVAL_13A

Row = tuple[str, int, int]
"""A paraphrase, the contexts that it shares with its term, and how often it occurs."""

TERMS = ("found", "called", "told", "killed", "reached", "returned", "turned", "broke")
LEFT = RIGHT = 2
LONGEST, MOST, LEAST = 4, 10, 2
PART = 10_000
"""Lines that the plain version gets."""
SIZES = (2_000_000, 4_000_000, 8_000_000)
"""Tokens of made-up text."""
N_WORDS = 50_000
SENTENCE = 20

_CHILD = """
import resource, sys, time
from ensue.paraphrase.acquisition import learn
learn([sys.argv[1]], ["w1"])
began = time.perf_counter()
learned = learn([sys.argv[2]], sys.argv[3:])
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(learned.n_tokens, time.perf_counter() - began, peak)
"""


def main() -> None:
    """Print tokens a second of both, their ratio, and the peak memory at several sizes."""
    outputs, references, source = sentences()
    lines = list(dict.fromkeys([*references, *outputs]))
    with tempfile.TemporaryDirectory() as folder:
        _compare(Path(folder), lines, source)
        _grow(Path(folder))


def _compare(folder: Path, lines: list[str], source: str) -> None:
    whole, part = folder / "whole.txt", folder / "part.txt"
    whole.write_text("\n".join(lines), "utf-8")
    part.write_text("\n".join(lines[:PART]), "utf-8")
    of_part = learn([part], TERMS)
    assert _rows(of_part.lists) == plainly_learned(part)
    n_tokens = learn([whole], TERMS).n_tokens
    ours = n_tokens / best_seconds(lambda: learn([whole], TERMS), repeats=3) / 1e6
    ours_of_part = of_part.n_tokens / best_seconds(lambda: learn([part], TERMS)) / 1e6
    plain = of_part.n_tokens / best_seconds(lambda: plainly_learned(part), repeats=2) / 1e6
    show(
        f"Learning paraphrases of {len(TERMS)} terms ({source}, {n_tokens:,} tokens)",
        [
            ("ensue, all lines", ours, ours / plain),
            (f"ensue, {PART:,} lines", ours_of_part, ours_of_part / plain),
            (f"plain Python, {PART:,} lines", plain, 1.0),
        ],
        "Mtokens/s",
        "× plain",
    )


def _rows(lists: RankedLists) -> list[list[Row]]:
    """The paraphrases of each list with their counts."""
    counts = (lists.columns[name].astype(int).tolist() for name in ("n_contexts", "n_occurrences"))
    rows = list(zip(lists.paraphrases, *counts, strict=True))
    return [rows[start:end] for start, end in pairwise(lists.offsets.tolist())]


def plainly_learned(path: Path) -> list[list[Row]]:
    """The lists of all terms, by dictionaries and sets."""
    terms = [tuple(MTEVAL_13A.split(term)) for term in TERMS]
    contexts: defaultdict[tuple[str, ...], set[int]] = defaultdict(set)
    for words in _tokenized(path):
        for i, term in enumerate(terms):
            for start in range(LEFT, len(words) - len(term) - RIGHT + 1):
                end = start + len(term)
                if tuple(words[start:end]) == term:
                    contexts[(*words[start - LEFT : start], *words[end : end + RIGHT])].add(i)
    shared: defaultdict[tuple[int, tuple[str, ...]], set[tuple[str, ...]]] = defaultdict(set)
    occurrences: Counter[tuple[str, ...]] = Counter()
    for words in _tokenized(path):
        for start in range(len(words)):
            for end in range(start + 1, min(start + LONGEST, len(words)) + 1):
                phrase = tuple(words[start:end])
                occurrences[phrase] += 1
                if start < LEFT or end > len(words) - RIGHT:
                    continue
                context = (*words[start - LEFT : start], *words[end : end + RIGHT])
                for i in contexts.get(context, ()):
                    shared[i, phrase].add(context)
    return [_best(i, term, shared, occurrences) for i, term in enumerate(terms)]


def _best(
    i: int,
    term: tuple[str, ...],
    shared_with: dict[tuple[int, tuple[str, ...]], set[tuple[str, ...]]],
    occurrences: Counter[tuple[str, ...]],
) -> list[Row]:
    found = [
        (-len(contexts), occurrences[phrase], " ".join(phrase))
        for (of, phrase), contexts in shared_with.items()
        if of == i and len(contexts) >= LEAST and phrase != term and _usable(phrase)
    ]
    return [
        (words, -shared, n_occurrences) for shared, n_occurrences, words in sorted(found)[:MOST]
    ]


def _usable(phrase: tuple[str, ...]) -> bool:
    is_word = [any(map(str.isalnum, word)) for word in phrase]
    return all(is_word) and any(content_words(word) for word in phrase)


def _tokenized(path: Path) -> Iterator[list[str]]:
    for block in text_blocks([path]):
        for sentence in block:
            yield MTEVAL_13A.split(sentence.lower())


def _grow(folder: Path) -> None:
    rng = np.random.default_rng(0)
    weights = 1 / np.arange(1, N_WORDS + 1)
    words = np.array([f"w{i}" for i in range(N_WORDS)])
    terms = [f"w{i}" for i in range(200, 240)]
    print(f"  {len(terms)} terms in made-up text")
    print(f"  {'tokens':>12}  {'seconds':>8}  {'Mtokens/s':>10}  {'peak MiB':>9}  {'text MiB':>9}")
    small, path = folder / "small.txt", folder / "made.txt"
    small.write_text("w1 w2 w3 w4 w5", "utf-8")
    for size in SIZES:
        with path.open("w", encoding="utf-8") as file:
            for _ in range(size // 1_000_000):
                drawn = rng.choice(
                    words, (1_000_000 // SENTENCE, SENTENCE), p=weights / weights.sum()
                )
                file.writelines(" ".join(sentence) + "\n" for sentence in drawn.tolist())
        done = subprocess.run(
            [sys.executable, "-c", _CHILD, str(small), str(path), *terms],
            capture_output=True,
            text=True,
            check=True,
        )
        n_tokens, seconds, peak = map(float, done.stdout.split())
        rate, megabytes = n_tokens / seconds / 1e6, path.stat().st_size / 2**20
        print(
            f"  {n_tokens:>12,.0f}  {seconds:>8.1f}  {rate:>10.2f}  {peak:>9.0f}  {megabytes:>9.0f}"
        )
