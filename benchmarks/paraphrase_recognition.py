"""A thousand lists of paraphrases put to MSRPC's pairs, from strings to counts.

Beside ours, with the same unigram matching for all: `str in str` for each pattern and pair that is
still open (the nearest rival, since it skips what need not be searched), for each pattern and every
sentence, and one compiled regular expression a pattern on every sentence. The last two run over
some of the lists and are extrapolated. All give the same counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.timing import ROOT, best_seconds, data_folder, show
from ensue.language.lexicon import load_lexicon
from ensue.pairs import load_pairs
from ensue.paraphrase.lists import ListKey, RankedLists
from ensue.paraphrase.recognition import Recognition, Task, recognize
from ensue.paraphrase.words import content_words, words_of
from ensue.surface.stemmer import stems

LISTS = 1000
LENGTH = 10
FEW = 20
"""How many lists the slow ones get."""

Holds = Callable[[str], Callable[[str], bool]]
"""From a phrase to whether a sentence holds it; both have a blank around each word."""


def main() -> None:
    """Print milliseconds for all lists, and how many times faster than regular expressions."""
    task, source = _task()
    lists = _lists(task)
    few = lists.chosen_lists(range(FEW))
    ours = recognize(lists, [task])  # compile, or load what was compiled
    sides, sentence_stems = _prepared(task)

    def whole(some: RankedLists, holds: Holds, *, lazy: bool) -> list[tuple[int, int]]:
        return [_plain(some, i, task, sides, sentence_stems, holds, lazy) for i in range(len(some))]

    def within(phrase: str) -> Callable[[str], bool]:
        return lambda sentence: phrase in sentence

    def expression(phrase: str) -> Callable[[str], bool]:
        found = re.compile(rf"\b{re.escape(phrase.strip())}\b").search
        return lambda sentence: found(sentence) is not None

    assert whole(lists, within, lazy=True) == _counts(ours)
    for holds in (within, expression):
        assert whole(few, holds, lazy=False) == _counts(ours)[:FEW]
    share = LISTS / FEW
    seconds = {
        "ensue, one automaton": best_seconds(lambda: recognize(lists, [task])),
        "ensue, one automaton over stems": best_seconds(
            lambda: recognize(lists, [task], match="stems")
        ),
        "str in str, open pairs only": _cost(lambda: _prepared(task), 1)
        + _cost(lambda: whole(lists, within, lazy=True), 1),
        f"str in str, every sentence (× {share:.0f})": _cost(
            lambda: whole(few, within, lazy=False), share
        ),
        f"re, every sentence (× {share:.0f})": _cost(
            lambda: whole(few, expression, lazy=False), share
        ),
    }
    peer = list(seconds.values())[-1]
    show(
        f"{LISTS:,} lists of {LENGTH} put to {len(task.pairs):,} pairs ({source})",
        [(name, 1e3 * each, peer / each) for name, each in seconds.items()],
        "ms",
        "× re",
    )
    counts = ours.counts
    print(
        f"  positive pairs in question {counts.positive.sum():,}, recognized by unigrams"
        f" {counts.positive_by_unigrams.sum():,}, by patterns {counts.positive_by_patterns.sum():,}"
    )


def _cost(work: Callable[[], object], times: float) -> float:
    return times * best_seconds(work, repeats=1)


def _task() -> tuple[Task, str]:
    file = data_folder() / "msrpc" / "msr_paraphrase_train.txt"
    if file.is_file():
        return Task.of("msrpc", load_pairs(file)), "MSRPC, training part"
    pairs = load_pairs(ROOT / "examples" / "pairs.xml")
    return Task.of("examples", pairs * (4000 // len(pairs))), "the shipped pairs, repeated"


def _lists(task: Task) -> RankedLists:
    """Terms and paraphrases drawn from the sentences' word n-grams and the lexicon's verbs."""
    rng = np.random.default_rng(0)
    sentences = [words_of(side) for pair in task.pairs for side in (pair.text, pair.hypothesis)]
    every = sorted({word for words in sentences for word in words})
    lexicon = load_lexicon()
    verbs = [word for word in every if lexicon.lemmas(word, "verb")]

    def n_gram() -> str:
        words = sentences[rng.integers(len(sentences))]
        start, size = rng.integers(max(1, len(words))), rng.integers(1, 4)
        return " ".join(words[start : start + size])

    def phrase() -> str:
        return n_gram() if rng.random() < 0.5 else verbs[rng.integers(len(verbs))]

    terms = [verbs[i] for i in rng.integers(len(verbs), size=LISTS)]
    lists = {
        ListKey(term, f"method-{i}"): [phrase() for _ in range(LENGTH)]
        for i, term in enumerate(terms)
    }
    return RankedLists.of(lists, name="generated")


Prepared = list[tuple[str, str]]
Stems = list[tuple[set[str], set[str]]]


def _prepared(task: Task) -> tuple[Prepared, Stems]:
    """Both sides of each pair with a blank around each word, and their stems."""
    words = [(words_of(pair.text), words_of(pair.hypothesis)) for pair in task.pairs]
    every = sorted({word for sides in words for side in sides for word in side})
    stem = dict(zip(every, stems(every), strict=True))
    sides = [(f" {' '.join(a)} ", f" {' '.join(b)} ") for a, b in words]
    return sides, [({stem[w] for w in a}, {stem[w] for w in b}) for a, b in words]


def _plain(
    lists: RankedLists,
    i: int,
    task: Task,
    sides: Prepared,
    sentence_stems: Stems,
    holds: Holds,
    lazy: bool,
) -> tuple[int, int]:
    """The positive and the negative pairs that one list recognizes, one search a pattern."""
    term = lists.keys[i].term
    needed = set(stems(content_words(term) or words_of(term)))
    here = range(int(lists.offsets[i]), int(lists.offsets[i + 1]))
    phrases = [lists.paraphrases[j] for j in here if content_words(lists.paraphrases[j])]
    has_term = holds(f" {' '.join(words_of(term))} ")
    tests = [holds(f" {' '.join(words_of(each))} ") for each in phrases]
    found = None if lazy else [[(test(a), test(b)) for test in tests] for a, b in sides]
    recognized = [0, 0]
    for j, (a, b) in enumerate(sides):
        in_text, in_hypothesis = has_term(a), has_term(b)
        if not in_text and not in_hypothesis:
            continue
        yes = all(needed <= each for each in sentence_stems[j])
        known = None if found is None else found[j]
        yes = yes or _opposite(tests, known, (a, b), in_text, in_hypothesis)
        recognized[task.pairs[j].gold != "entailment"] += yes
    return recognized[0], recognized[1]


def _opposite(
    tests: Sequence[Callable[[str], bool]],
    found: Sequence[tuple[bool, bool]] | None,
    sides: tuple[str, str],
    in_text: bool,
    in_hypothesis: bool,
) -> bool:
    if found is not None:
        return any((in_text and b) or (in_hypothesis and a) for a, b in found)
    text, hypothesis = sides
    return any((in_text and t(hypothesis)) or (in_hypothesis and t(text)) for t in tests)


def _counts(recognition: Recognition) -> list[tuple[int, int]]:
    counts = recognition.counts
    both = (counts.recognized[:, 0].tolist(), counts.false_alarms[:, 0].tolist())
    return list(zip(*both, strict=True))


if __name__ == "__main__":
    main()
