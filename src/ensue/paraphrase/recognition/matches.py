"""Which pairs a list recognizes, and the explanation of a recognized pair."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

import numpy as np

from ensue.language.lexicon import ranges
from ensue.pairs import Label
from ensue.paraphrase.lists import Indices, RankedLists
from ensue.paraphrase.recognition.tasks import Flags, GoldPairs, NumberedWords
from ensue.paraphrase.recognition.terms import (
    SIDES,
    Distinct,
    InQuestion,
    PhraseOccurrences,
    TermCounts,
    TermSide,
    counts_of,
    scan,
    sorted_distinct,
)

# Which pairs a list recognizes, for many lists and pairs at once (Shima & Mitamura 2011, 3.4).

_SENTENCES, _TERMS, _PARAPHRASES = range(3)
"""The groups of the wording."""
_CELLS = 2_000_000
"""Patterns times pairs that are looked up at once."""


class MatchUnit(StrEnum):
    """When a paraphrase stands in a sentence; a term always has to stand there as it is."""

    WORDS = "words"
    """Its words do, as they are but for their case."""
    STEMS = "stems"
    """The stems of its words do, one after the other; beyond the paper."""


@dataclass(frozen=True, eq=False)
class ListSearch:
    """Lists and pairs with all that was found of the ones in the others."""

    pairs: GoldPairs
    lists: RankedLists
    terms: Indices
    """For each list the number of its term."""
    questions: InQuestion
    by_unigrams: Flags
    """For each row of `questions` whether stemmed unigram matching recognizes the pair."""
    found: PhraseOccurrences
    """Paraphrases in sentences."""
    phrases: Indices
    """For each pattern the number that its paraphrase has in `found`; what says nothing is in no sentence."""
    says_something: Flags
    """For each pattern whether its paraphrase has a content word; others are not looked for."""

    def counts(self) -> TermCounts:
        """Of the lists' terms."""
        number = dict(zip((key.term for key in self.lists.keys), self.terms.tolist(), strict=True))
        numbers = np.array(list(number.values()), np.int64)
        return counts_of(self.questions, self.pairs, tuple(number), numbers)

    def in_question(self) -> tuple[Indices, Indices]:
        """Positive and negative pairs in question: lists × tasks each."""
        return self._by_list(np.ones_like(self.by_unigrams))

    def unigram_counts(self) -> tuple[Indices, Indices]:
        """Positive and negative pairs recognized by unigrams: lists × tasks each."""
        return self._by_list(self.by_unigrams)

    def pattern_counts(self) -> tuple[Indices, Indices]:
        """Positive and negative pairs recognized by patterns and not by unigrams: lists × tasks."""
        width = max(len(self.pairs), 1)
        hits = [np.empty(0, np.int64)]
        for pattern, row in self._asked():
            held = self.found.holds(self._others[row], self.phrases[pattern])
            keys = self.lists.list_of[pattern[held]] * width + self.questions.pairs[row[held]]
            hits.append(sorted_distinct(keys))
        keys = sorted_distinct(np.concatenate(hits))
        return self.pairs.by_task(keys // width, keys % width, len(self.lists))

    def _by_list(self, chosen: Flags) -> tuple[Indices, Indices]:
        rows, n_terms = self.questions, len(self.questions.offsets) - 1
        counts = self.pairs.by_task(rows.terms[chosen], rows.pairs[chosen], n_terms)
        return counts[0][self.terms], counts[1][self.terms]

    @cached_property
    def _open(self) -> Indices:
        """Rows that unigrams do not recognize; the term stands on one side only, else they would."""
        return np.flatnonzero(~self.by_unigrams)

    @cached_property
    def _others(self) -> Indices:
        """For each row the sentence beside the one that has the term, of an open row."""
        in_text = self.questions.sides == 1
        return self.questions.pairs + np.where(in_text, len(self.pairs), 0)

    def _asked(self) -> Iterator[tuple[Indices, Indices]]:
        """Every pattern with every open row of its term, some at a time."""
        n_terms = len(self.questions.offsets) - 1
        offsets = np.searchsorted(self.questions.terms[self._open], np.arange(n_terms + 1))
        occurs = np.bincount(self.found.phrases, minlength=self.found.n_phrases) > 0
        patterns = np.flatnonzero(occurs[self.phrases])
        terms = self.terms[self.lists.list_of[patterns]]
        sizes = np.diff(offsets)[terms]
        block = (np.cumsum(sizes) - sizes) // _CELLS
        for i, j in _runs(block):
            rows = self._open[ranges(offsets[terms[i:j]], sizes[i:j])]
            yield np.repeat(patterns[i:j], sizes[i:j]), rows


def search(
    pairs: GoldPairs,
    lists: RankedLists,
    *,
    match: MatchUnit = MatchUnit.WORDS,
    no_content: Collection[str] | None = None,
) -> ListSearch:
    """Look for all terms and paraphrases in all sentences.

    Args:
        pairs: Where to look.
        lists: With the patterns that count, and no others.
        match: When a paraphrase stands in a sentence.
        no_content: Words that say nothing by themselves; the list that ships where it is None.
    """
    terms = lists.terms
    wording = NumberedWords.of(pairs.sentences(), terms, lists.paraphrases, no_content=no_content)
    says_something = wording.says_something(_PARAPHRASES)
    of_terms, numbers, found, phrases = _scanned(wording, says_something, match)
    n_terms = int(numbers.max(initial=-1)) + 1
    questions = InQuestion.of(of_terms, n_terms, len(pairs))
    number = dict(zip(terms, numbers.tolist(), strict=True))
    return ListSearch(
        pairs,
        lists,
        np.array([number[key.term] for key in lists.keys], np.int64),
        questions,
        _unigram_matches(wording, questions, numbers, len(pairs)),
        found,
        phrases,
        says_something,
    )


def _scanned(
    wording: NumberedWords, says_something: Flags, match: MatchUnit
) -> tuple[PhraseOccurrences, Indices, PhraseOccurrences, Indices]:
    """Terms found and the number of each, paraphrases found and the number of each.

    By words, terms and paraphrases are looked for in one scan. What says nothing is not looked for.
    """
    spelled = wording.padded(_PARAPHRASES, by_stems=match is MatchUnit.STEMS)
    flags = says_something.tolist()
    wanted = [each if flag else b"" for each, flag in zip(spelled, flags, strict=True)]
    terms, sentences = wording.padded(_TERMS), wording.padded(_SENTENCES)
    if match is MatchUnit.WORDS:
        distinct = Distinct.of([*terms, *wanted])
        numbers, phrases = np.split(distinct.numbers, [len(terms)])
        found = scan(sentences, distinct.phrases)
        return found, numbers, found, phrases
    stemmed, distinct = Distinct.of(wanted), Distinct.of(terms)
    found = scan(wording.padded(_SENTENCES, by_stems=True), stemmed.phrases)
    return scan(sentences, distinct.phrases), distinct.numbers, found, stemmed.numbers


def _unigram_matches(
    wording: NumberedWords, questions: InQuestion, numbers: Indices, n_pairs: int
) -> Flags:
    """For each row whether both sides have the stems of all the term's content words.

    Of a term without a content word, all words count.
    """
    ids, string = wording.words(_TERMS)
    counts = wording.has_content[ids] | ~wording.says_something(_TERMS)[string]
    stem_of, n_stems = wording.kin(ids[counts])
    keys = sorted_distinct(numbers[string[counts]] * n_stems + stem_of[ids[counts]])
    stem = keys % max(n_stems, 1)
    offsets = np.searchsorted(keys, np.arange(len(questions.offsets)) * n_stems)
    ids, sentence = wording.words(_SENTENCES)
    there = stem_of[ids]
    kept = there >= 0
    found = PhraseOccurrences.of(sentence[kept], there[kept], 2 * n_pairs, n_stems)
    sizes = np.diff(offsets)[questions.terms]
    asked = stem[ranges(offsets[questions.terms], sizes)]
    row = np.repeat(np.arange(len(questions.pairs)), sizes)
    text = questions.pairs[row]
    held = found.holds(text, asked) & found.holds(text + n_pairs, asked)
    n_missing = np.bincount(row[~held], minlength=len(questions.pairs))
    return np.asarray(n_missing == 0, np.bool_)


def _runs(block: Indices) -> Iterator[tuple[int, int]]:
    """Where each run of equal numbers begins and ends."""
    bounds = [0, *(np.flatnonzero(np.diff(block)) + 1).tolist(), len(block)]
    return (each for each in pairwise(bounds) if each[0] < each[1])


# Why a list recognizes a pair, for a person to read.


class Means(StrEnum):
    """By what a pair is recognized: the first of these that does it."""

    UNIGRAMS = "unigrams"
    PATTERNS = "patterns"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class PairExplanation:
    """A pair in question, and what recognizes it."""

    pair_id: str
    gold: Label
    side: TermSide
    """Where the term stands as it is."""
    by: Means
    paraphrases: tuple[str, ...]
    """All of the list that stand opposite the term, as the list has them, in its order; also where
    unigrams come first."""


def explanations(search: ListSearch, number: int, task: int) -> tuple[PairExplanation, ...]:
    """Explain the pairs of one task that are in question for one list, in the task's order."""
    term = int(search.terms[number])
    start, end = search.questions.offsets[term : term + 2].tolist()
    rows = np.arange(start, end)
    rows = rows[search.pairs.task_of[search.questions.pairs[rows]] == task]
    return tuple(_explanation(search, number, row) for row in rows.tolist())


def _explanation(search: ListSearch, number: int, row: int) -> PairExplanation:
    pair = search.pairs.pairs[int(search.questions.pairs[row])]
    if pair.gold is None:  # a task has none such
        raise ValueError(f"pair {pair.id!r} has no gold")
    patterns = _opposite(search, number, row)
    by = Means.PATTERNS if patterns.size else Means.NOTHING
    return PairExplanation(
        pair_id=pair.id,
        gold=pair.gold,
        side=SIDES[int(search.questions.sides[row]) - 1],
        by=Means.UNIGRAMS if search.by_unigrams[row] else by,
        paraphrases=tuple(search.lists.paraphrases[i] for i in patterns.tolist()),
    )


def _opposite(search: ListSearch, number: int, row: int) -> Indices:
    """The list's patterns whose paraphrase stands on a side opposite to the term."""
    start, end = search.lists.offsets[number : number + 2].tolist()
    patterns = np.arange(start, end)
    side, pair = int(search.questions.sides[row]), int(search.questions.pairs[row])
    held = np.zeros(len(patterns), np.bool_)
    for bit, sentence in ((1, pair + len(search.pairs)), (2, pair)):
        if side & bit:
            held |= search.found.holds(np.full(len(patterns), sentence), search.phrases[patterns])
    return patterns[held]
