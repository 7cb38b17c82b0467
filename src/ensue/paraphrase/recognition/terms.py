"""Source terms in tasks: multi-phrase scan, counts, choice, and frequent verbs.

A pair is in question for a term if the term's words stand in it as they are, in any case and with
word boundaries, on at least one side (Shima & Mitamura 2011, Table 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import chain

import numpy as np

from ensue.errors import SettingError, UnknownNameError
from ensue.language.lexicon import PARTS, Lexicon, PartOfSpeech, load_lexicon
from ensue.pairs import Label
from ensue.paraphrase.lists import Indices
from ensue.paraphrase.recognition.tasks import Flags, GoldPairs, NumberedWords, Task
from ensue.paraphrase.words import is_content_word, normalized
from ensue.surface import WORDS, tokenize

# Finding many phrases in many sentences with one automaton (Aho & Corasick 1975).

_SEPARATOR = b"\n"
"""Between sentences: no word has it in it, so that no match goes across. Blanks would not do where
a stem is empty, as Porter's of "s" is."""
_BLOCK = 2000
"""Sentences that are scanned at once, which bounds the memory for matches."""


@dataclass(frozen=True, eq=False)
class PhraseOccurrences:
    """Which phrases stand in which sentences: rows of a sparse matrix."""

    offsets: Indices
    """Where each sentence's phrases begin, with the end of the last."""
    phrases: Indices
    """The numbers of the phrases found, each once a sentence, ascending."""
    n_phrases: int
    """How many were looked for."""

    @classmethod
    def of(
        cls, sentence: Indices, phrase: Indices, n_sentences: int, n_phrases: int
    ) -> PhraseOccurrences:
        """From a sentence and a phrase for each place, in any order and maybe more than once."""
        keys = sorted_distinct(sentence * n_phrases + phrase)
        offsets = np.searchsorted(keys, np.arange(n_sentences + 1) * n_phrases)
        return cls(offsets, keys % max(n_phrases, 1), n_phrases)

    @cached_property
    def sentences(self) -> Indices:
        """For each phrase found the number of its sentence."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    @cached_property
    def _keys(self) -> Indices:
        # with one key above all others, so that a search ends at one
        end = (len(self.offsets) - 1) * self.n_phrases
        return np.append(self.sentences * self.n_phrases + self.phrases, end)

    def holds(self, sentence: Indices, phrase: Indices) -> Flags:
        """Whether each sentence has the phrase beside it."""
        asked = sentence * self.n_phrases + phrase
        return np.asarray(self._keys[np.searchsorted(self._keys, asked)] == asked, np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class Distinct:
    """The distinct phrases of some, and which of them each is."""

    phrases: list[bytes]
    numbers: Indices

    @classmethod
    def of(cls, phrases: Sequence[bytes]) -> Distinct:
        """Number them in the order in which they come."""
        number: dict[bytes, int] = {}
        numbers = [number.setdefault(phrase, len(number)) for phrase in phrases]
        return cls(list(number), np.array(numbers, np.int64))


def sorted_distinct(keys: Indices) -> Indices:
    """What `np.unique` gives, several times as fast on numbers."""
    ordered = np.sort(keys)
    new = np.ones(len(ordered), np.bool_)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new]


def scan(sentences: Sequence[bytes], phrases: Sequence[bytes]) -> PhraseOccurrences:
    """Look for all phrases in all sentences in one pass.

    Both have one blank around each word (`NumberedWords.padded`). Matches may overlap and share a blank,
    as " killed in " and " in fact " do in " killed in fact ".

    Args:
        sentences: Where to look.
        phrases: What for; an empty one is found nowhere.
    """
    from ahocorasick_rs import BytesAhoCorasick

    wanted = np.flatnonzero([bool(phrase) for phrase in phrases])
    automaton = BytesAhoCorasick([phrases[i] for i in wanted.tolist()])
    found = [np.empty((0, 2), np.int64)]
    for first, joined, starts in _blocks(sentences):
        matches = automaton.find_matches_as_indexes(joined, overlapping=True)
        flat = np.fromiter(chain.from_iterable(matches), np.int64, 3 * len(matches)).reshape(-1, 3)
        sentence = np.searchsorted(starts, flat[:, 1], "right") - 1 + first
        found.append(np.stack([sentence, wanted[flat[:, 0]]], axis=1))
    sentence, phrase = np.concatenate(found).T
    return PhraseOccurrences.of(sentence, phrase, len(sentences), len(phrases))


def _blocks(sentences: Sequence[bytes]) -> Iterator[tuple[int, bytes, Indices]]:
    """Some sentences as one string: the number of the first, the string, where each begins."""
    for first in range(0, len(sentences), _BLOCK):
        block = sentences[first : first + _BLOCK]
        sizes = np.fromiter(map(len, block), np.int64, len(block)) + len(_SEPARATOR)
        yield first, _SEPARATOR.join(block), np.cumsum(sizes) - sizes


# Source terms in tasks: the pairs in question for each, their counts, and choosing by them.

ALL = "all"
"""The choice of every term."""
_TOP = "top:"
_HINT = "all, top:10, or terms with commas between them"


class TermSide(StrEnum):
    """Where in a pair a term stands as it is."""

    TEXT = "text"
    HYPOTHESIS = "hypothesis"
    BOTH = "both"


SIDES = tuple(TermSide)
"""In the order of the numbers 1, 2 and 3 of `InQuestion.sides`, and of `TermCounts.sides`."""


@dataclass(frozen=True, eq=False)
class InQuestion:
    """The pairs in which each term stands: a row for each term and pair, term after term."""

    offsets: Indices
    """Where each term's rows begin, with the end of the last."""
    pairs: Indices
    sides: Indices
    """1 where the term stands in the text alone, 2 in the hypothesis alone, 3 in both."""

    @cached_property
    def terms(self) -> Indices:
        """For each row the number of its term."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    @classmethod
    def of(cls, found: PhraseOccurrences, n_terms: int, n_pairs: int) -> InQuestion:
        """From what stands in sentences, texts before hypotheses; terms are the first phrases."""
        is_term = found.phrases < n_terms
        term, sentence = found.phrases[is_term], found.sentences[is_term]
        width = max(n_pairs, 1)
        keys, row = np.unique(term * width + sentence % width, return_inverse=True)
        sides = np.bincount(row, 1 + sentence // width, minlength=len(keys)).astype(np.int64)
        offsets = np.searchsorted(keys, np.arange(n_terms + 1) * width)
        return cls(offsets, keys % width, sides)


@dataclass(frozen=True, slots=True, eq=False)
class TermCounts:
    """How many pairs of each task are in question for each term: the paper's Table 1, and more."""

    terms: tuple[str, ...]
    tasks: tuple[str, ...]
    positive: Indices
    """Terms × tasks: positive pairs, the figures of the paper's table."""
    negative: Indices
    """Terms × tasks."""
    sides: Indices
    """Terms × tasks × sides: positive pairs by where the term stands, in the order of `SIDES`."""


def term_counts(tasks: Sequence[Task], terms: Sequence[str]) -> TermCounts:
    """Count the pairs in question for each term in each task.

    Raises:
        SettingError: there is no task, or two have one name.
    """
    pairs = GoldPairs.of(tasks)
    wording = NumberedWords.of(pairs.sentences(), terms)
    distinct = Distinct.of(wording.padded(1))
    found = scan(wording.padded(0), distinct.phrases)
    questions = InQuestion.of(found, len(distinct.phrases), len(pairs))
    return counts_of(questions, pairs, terms, distinct.numbers)


def counts_of(
    questions: InQuestion, pairs: GoldPairs, terms: Sequence[str], numbers: Indices
) -> TermCounts:
    """The counts of terms, given the number that each has among those in question."""
    n_terms = len(questions.offsets) - 1
    positive, negative = pairs.by_task(questions.terms, questions.pairs, n_terms)
    sides = []
    for i in range(len(SIDES)):
        there = questions.sides == i + 1
        sides.append(pairs.by_task(questions.terms[there], questions.pairs[there], n_terms)[0])
    return TermCounts(
        tuple(terms),
        tuple(task.name for task in pairs.tasks),
        positive[numbers],
        negative[numbers],
        np.stack(sides, axis=2)[numbers],
    )


def chosen_terms(spec: str, counts: TermCounts) -> tuple[str, ...]:
    """Choose terms by their counts or by name.

    Args:
        spec: `all`; `top:N`, the N terms with the most positive pairs, summed over the tasks, ties
            in the order of the alphabet, and never a term without any positive pair; or terms with
            commas between them, in any case.
        counts: Of the terms to choose from.

    Raises:
        SettingError: the choice makes no sense.
        UnknownNameError: it names a term that is not there.
    """
    if spec.strip().lower() == ALL:
        return counts.terms
    n = asked_number(spec)
    if n is not None:
        return _top(n, counts)
    known = {normalized(term): term for term in reversed(counts.terms)}
    named = [normalized(name) for name in spec.split(",") if name.strip()]
    if not named:
        raise SettingError("names-no-term", f"{spec!r} names no term", hint=_HINT)
    for name in named:
        if name not in known:
            raise UnknownNameError.of("term", name, known)
    return tuple(dict.fromkeys(known[name] for name in named))


def asked_number(spec: str) -> int | None:
    """How many terms `top:N` asks for; None where the choice is another.

    Raises:
        SettingError: N is no number from 1.
    """
    if not spec.strip().lower().startswith(_TOP):
        return None
    digits = spec.strip()[len(_TOP) :].strip()
    if not digits.isdecimal() or int(digits) < 1:
        raise SettingError(
            "not-say-many-terms", f"{spec!r} does not say how many terms", hint=_HINT
        )
    return int(digits)


def _top(n: int, counts: TermCounts) -> tuple[str, ...]:
    totals = dict(zip(counts.terms, counts.positive.sum(axis=1).tolist(), strict=True))
    ranked = sorted(totals, key=lambda term: (-totals[term], term))
    return tuple(term for term in ranked[:n] if totals[term] > 0)


# Verbs that are frequent in tasks, as source terms where no list names any; nothing is parsed.

_NOT_PAST = ("ing", "s")
"""Ends of irregular forms that are no past forms ("lying", "does")."""


def frequent_terms(tasks: Sequence[Task], n: int) -> tuple[str, ...]:
    """The past forms of verbs that are in the most positive pairs, the most frequent first.

    A word counts as a past form of a verb if it is a content word, is more often written in lower
    case than otherwise in the positive pairs ("United" is not), ends in "-ed" or is irregular, and
    WordNet's base form for it that is most frequent in the texts tagged by its makers is a verb,
    and another word ("ground" is a noun, "hundred" no form of anything). Past forms and not others
    since these are rarely nouns as well; nine of the paper's ten terms are such. Ties are in the
    order of the alphabet. There may be fewer than n.

    Raises:
        SettingError: n is below 1, there is no task, or two have one name.
    """
    if n < 1:
        raise SettingError(
            "terms-cannot-chosen", f"{n!r} terms cannot be chosen", hint="at least 1"
        )
    verbs = past_forms(_lower_case_words(tasks), load_lexicon())
    return chosen_terms(f"top:{n}", term_counts(tasks, verbs))


def past_forms(words: Sequence[str], lexicon: Lexicon) -> list[str]:
    """Those of some words in lower case that are past forms of verbs rather than anything else."""
    irregular = lexicon.vocabulary.exceptions[PartOfSpeech.VERB]
    candidates = [
        word
        for word in words
        if is_content_word(word)
        and (word.endswith("ed") or (word in irregular and not word.endswith(_NOT_PAST)))
    ]
    flags = _are_past(candidates, lexicon)
    return [word for word, is_past in zip(candidates, flags, strict=True) if is_past]


def _are_past(words: Sequence[str], lexicon: Lexicon) -> list[bool]:
    """Whether the most frequent base form of each word is a verb, and another word."""
    best, most = [False] * len(words), [-1] * len(words)
    vocabulary, counts = lexicon.vocabulary, lexicon.table["senses.count"]
    for part in PARTS:
        for i, entries in enumerate(vocabulary.entries(words, part)):
            for entry in entries:
                count = int(counts[vocabulary.senses([entry])].sum())
                inflected = part is PartOfSpeech.VERB and vocabulary.word(entry) != words[i]
                # of equals, a verb: "emailed" was tagged nowhere
                if count > most[i] or (count == most[i] and inflected):
                    best[i], most[i] = inflected, count
    return best


def _lower_case_words(tasks: Sequence[Task]) -> list[str]:
    """The words of the positive pairs that are more often written in lower case than otherwise."""
    positive = [p for task in tasks for p in task.pairs if p.gold is Label.ENTAILMENT]
    sentences = [sentence for p in positive for sentence in (p.text, p.hypothesis)]
    tokens = tokenize(sentences, WORDS, lowercase=False)
    written = tokens.vocabulary()
    times: dict[str, int] = {}
    for word, n in zip(
        written, np.bincount(tokens.ids, minlength=len(written)).tolist(), strict=True
    ):
        lowered = word.lower()
        times[lowered] = times.get(lowered, 0) + (n if word == lowered else -n)
    return [word for word, n in times.items() if n > 0]
