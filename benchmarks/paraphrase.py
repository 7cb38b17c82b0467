"""A million patterns scored in one run, from strings and judgments in memory to EP, EPR and DIMPLE.

Beside it what a good programmer writes in plain Python: one pass, sets for the histories, every
stem found once and kept. Both give the same figures.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from itertools import pairwise
from statistics import median

import numpy as np
import snowballstemmer

from ensue.language.lexicon import load_lexicon
from ensue.paraphrase.lists import ListKey, PatternJudgments, RankedLists, Strictness
from ensue.paraphrase.scores import KS, score
from ensue.paraphrase.words import NO_CONTENT

LISTS = 100_000
PATTERNS = 10
"""In a list."""
JUDGES = 3
REPEATS = 5
GOAL = 20
SHARES_OF_LENGTHS = (0.35, 0.35, 0.2, 0.1)
"""Of paraphrases of one, two, three and four words."""
FUNCTION_WORDS = 0.3
"""Their share among words."""

Plain = list[tuple[str, list[str], list[list[int]]]]
"""Lists as plain Python has them: a term, its paraphrases and their labels."""


def main() -> None:
    """Print what scoring costs."""
    scoring()


def scoring() -> None:
    """Print seconds of processor time for a million patterns, and how many times faster than plain Python that is."""
    lists = generated_lists()
    plain = _plain(lists)
    score(lists)  # compile, or load what was compiled
    ours_all, theirs_all = [], []
    for _ in range(REPEATS):  # by turns, so that a busy machine is busy for both
        ours, seconds = _timed(lambda: score(lists).values)
        ours_all.append(seconds)
        theirs, seconds = _timed(lambda: plain_scores(plain))
        theirs_all.append(seconds)
    difference = float(np.abs(ours - theirs).max())
    assert difference < 1e-12, f"figures differ by {difference}"
    a, b = median(ours_all), median(theirs_all)
    ratios = [theirs / ours for ours, theirs in zip(ours_all, theirs_all, strict=True)]
    words = len({word for each in lists.paraphrases for word in each.split()})
    print(
        f"EP, EPR and DIMPLE at {', '.join(map(str, KS))}: {len(lists):,} generated lists,"
        f" {lists.n_patterns:,} patterns, {words:,} different words, one thread"
    )
    print(f"  plain Python, memoized stems   {b:>8.3f} s  ({_range(theirs_all)})")
    print(f"  ensue                          {a:>8.3f} s  ({_range(ours_all)})")
    print(
        f"  times faster                   {median(ratios):>8.1f}    ({_range(ratios)}; goal: {GOAL})"
    )
    print(f"  largest difference of a figure {difference:>8.0e}")


def generated_lists(n_lists: int = LISTS, seed: int = 0) -> RankedLists:
    """Lists of words of WordNet, their frequencies by Zipf's law, with function words between.

    As in the paper, the patterns of a list are unique; whoever scores them has to look all the same.
    """
    rng = np.random.default_rng(seed)
    content = rng.permutation(_words())
    chances = 1 / np.arange(20, 20 + len(content))
    function = np.array(sorted(word for word in NO_CONTENT if word.isalpha()))
    n = n_lists * PATTERNS
    lengths = rng.choice([1, 2, 3, 4], n, p=SHARES_OF_LENGTHS)
    drawn = rng.choice(content, int(lengths.sum()), p=chances / chances.sum())
    is_function = rng.random(drawn.size) < FUNCTION_WORDS
    words = np.where(is_function, rng.choice(function, drawn.size), drawn).tolist()
    ends = np.cumsum(lengths).tolist()
    paraphrases = [" ".join(words[i:j]) for i, j in pairwise([0, *ends])]
    terms = rng.choice(content, n_lists, p=chances / chances.sum()).tolist()
    labels = (rng.random((n, JUDGES)) < 0.6).astype(np.int8)
    return RankedLists(
        "generated",
        tuple(ListKey(term, f"method {i}") for i, term in enumerate(terms)),
        np.arange(0, n + 1, PATTERNS),
        _unique(paraphrases),
        PatternJudgments(tuple("abc"), {Strictness.STRICT: labels}),
    )


def _unique(paraphrases: list[str]) -> list[str]:
    """The same, with another word at the end of what a list has already."""
    found: list[str] = []
    for start in range(0, len(paraphrases), PATTERNS):
        seen: set[str] = set()
        for paraphrase in paraphrases[start : start + PATTERNS]:
            while paraphrase in seen:
                paraphrase += " again"
            seen.add(paraphrase)
            found.append(paraphrase)
    return found


def _words() -> list[str]:
    vocabulary = load_lexicon().vocabulary
    text = vocabulary.table["words.text"].tobytes().decode()
    offsets = vocabulary.text_offsets.tolist()
    words = [text[i:j] for i, j in pairwise(offsets)]
    return [word for word in words if word.isalpha() and 3 <= len(word) <= 12]


def _plain(lists: RankedLists) -> Plain:
    assert lists.judgments is not None
    labels = lists.judgments.labels[Strictness.STRICT].tolist()
    bounds = zip(lists.keys, lists.offsets[:-1].tolist(), lists.offsets[1:].tolist(), strict=True)
    return [(key.term, list(lists.paraphrases[i:j]), labels[i:j]) for key, i, j in bounds]


def plain_scores(lists: Plain) -> np.ndarray:
    """The same in plain Python."""
    find_words = re.compile(r"\w+").findall
    stem = snowballstemmer.stemmer("porter").stemWord
    stem_of: dict[str, str] = {}

    def content_of(string: str) -> set[str]:
        return {
            word
            for word in find_words(string.lower())
            if word not in NO_CONTENT and not (len(word) == 1 and word.isalpha())
        }

    def stems_of(words: set[str]) -> set[str]:
        for word in words:
            if word not in stem_of:
                stem_of[word] = stem(word)
        return {stem_of[word] for word in words}

    table = []
    for term, paraphrases, labels in lists:
        words = content_of(term)
        stems = stems_of(words)
        credited = set(stems)
        seen = set()
        expected = credit = gain = 0.0
        rank = 0
        row = {}
        for paraphrase, votes in zip(paraphrases, labels, strict=True):
            form = " ".join(paraphrase.lower().split())
            if form in seen:
                continue
            seen.add(form)
            given = [vote for vote in votes if vote >= 0]
            quality = sum(given) / len(given)
            own = content_of(paraphrase)
            own_stems = stems_of(own)
            if not own or not own.isdisjoint(words):
                diversity = 1
            else:
                diversity = 3 if own_stems.isdisjoint(stems) else 2
                words |= own
                stems |= own_stems
            if own and own_stems.isdisjoint(credited):
                credit += quality
                credited |= own_stems
            expected += quality
            gain += 2 ** (quality * diversity) - 1
            rank += 1
            if rank in KS:
                row[rank] = (expected, credit, gain)
        sums = [row.get(k, (expected, credit, gain)) for k in KS]
        table.append(
            [[sums[j][i] / (k * (7 if i == 2 else 1)) for j, k in enumerate(KS)] for i in range(3)]
        )
    return np.array(table)


def _timed(work: Callable[[], np.ndarray]) -> tuple[np.ndarray, float]:
    """What the work gives, and the seconds of processor time that it takes."""
    began = time.process_time()
    found = work()
    return found, time.process_time() - began


def _range(numbers: list[float]) -> str:
    return f"{min(numbers):.3g} to {max(numbers):.3g}"


if __name__ == "__main__":
    main()
