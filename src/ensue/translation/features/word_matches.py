"""Words of outputs matched with references as in METEOR, as statistics that sum, and their score."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.compiling import compiled
from ensue.errors import SettingError
from ensue.language.lexicon import Lexicon, PartOfSpeech, load_lexicon, offsets_of
from ensue.surface import MTEVAL_13A, Tokens, is_function_word, stems, tokenize
from ensue.translation.features.kernels import (
    NO_STAGE,
    SYNONYM,
    WIDTH,
    Int32,
    Int64,
    WordClasses,
    best_links,
    match_edges,
    most_covered,
    n_chunks,
    side_of,
    stage_of,
)

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]


class Stage(StrEnum):
    """How two words match, in the order in which it is tried."""

    EXACT = "exact"
    """The same but for case."""
    STEM = "stem"
    """The same stem by Porter's algorithm of 1980."""
    SYNONYM = "synonym"
    """A synset of WordNet that both are in, as whatever part of speech."""


@dataclass(frozen=True, slots=True, eq=False)
class MatchStatistics:
    """What of each output was matched in its reference; a row is an output.

    Counts are told apart by content words, column 0, and function words, column 1.
    """

    output_words: Counts
    """Outputs × 2."""
    reference_words: Counts
    """Outputs × 2."""
    output_matches: Counts
    """Outputs × stages × 2: the output's words that are matched at each stage."""
    reference_matches: Counts
    """Outputs × stages × 2: the reference's words that are."""
    covered: Counts
    """Outputs × stages: the most words that can be matched up to each stage."""
    chunks: Counts
    """Runs of matches that are neighbors on both sides; 0 where one run is all of both.

    METEOR takes the one run of identical strings for none when it scores, but in a corpus counts
    it; here the corpus of identical strings has no chunk either.
    """

    def __len__(self) -> int:
        return len(self.chunks)

    @property
    def matches(self) -> Counts:
        """How many words of each output are matched."""
        return np.asarray(self.output_matches.sum(axis=(1, 2)))

    @property
    def output_length(self) -> Counts:
        """How many words each output has."""
        return np.asarray(self.output_words.sum(axis=1))

    @property
    def reference_length(self) -> Counts:
        """How many words each reference has."""
        return np.asarray(self.reference_words.sum(axis=1))

    def chosen(self, rows: NDArray[np.int64]) -> MatchStatistics:
        """Those of some rows, in the order given."""
        return MatchStatistics(
            self.output_words[rows],
            self.reference_words[rows],
            self.output_matches[rows],
            self.reference_matches[rows],
            self.covered[rows],
            self.chunks[rows],
        )

    def summed(self) -> MatchStatistics:
        """The statistics of all outputs as one corpus, in a single row."""
        return MatchStatistics(
            self.output_words.sum(axis=0, keepdims=True),
            self.reference_words.sum(axis=0, keepdims=True),
            self.output_matches.sum(axis=0, keepdims=True),
            self.reference_matches.sum(axis=0, keepdims=True),
            self.covered.sum(axis=0, keepdims=True),
            self.chunks.sum(keepdims=True),
        )


@dataclass(frozen=True, slots=True)
class MatchScorer:
    """From statistics to METEOR's score (Denkowski & Lavie 2011, section 2.2).

    The numbers are those that METEOR 1.3 has for ranking translations into English.
    """

    alpha: float = 0.85
    """The weight of recall in the harmonic mean."""
    beta: float = 0.2
    """The power of fragmentation."""
    gamma: float = 0.6
    """The share of the mean that fragmentation takes away at most."""
    delta: float = 0.75
    """The weight of a content word; a function word has the rest."""
    weights: tuple[float, float, float] = (1.0, 0.6, 0.8)
    """Of a match at each stage."""

    def __post_init__(self) -> None:
        shares = (self.alpha, self.gamma, self.delta, *self.weights)
        if len(self.weights) != len(Stage) or not all(0 <= share <= 1 for share in shares):
            raise SettingError(
                "not-score-all-beta",
                f"{self!r} does not score: all but beta are in [0, 1]",
                hint=f"give a weight for each of {', '.join(Stage)}",
            )
        if not self.beta > 0:
            raise SettingError(
                "beta-no-power", f"beta {self.beta!r} is no power", hint="above 0, e.g. 0.2"
            )

    @property
    def signature(self) -> str:
        """The recipe that repeats the scores.

        >>> MatchScorer().signature
        'lexical|tok:13a|case:lower|a:0.85|b:0.2|g:0.6|d:0.75|exact:1.0|stem:0.6|synonym:0.8'
        """
        letters = {"a": self.alpha, "b": self.beta, "g": self.gamma, "d": self.delta}
        weights = dict(zip(Stage, self.weights, strict=True))
        settings = [f"{name}:{number}" for name, number in (letters | weights).items()]
        return "|".join(["lexical", "tok:13a", "case:lower", *settings])

    def precision(self, statistics: MatchStatistics) -> Numbers:
        """The weight of the output's words that are matched over that of all."""
        return self._share(statistics.output_matches, statistics.output_words)

    def recall(self, statistics: MatchStatistics) -> Numbers:
        """The weight of the reference's words that are matched over that of all."""
        return self._share(statistics.reference_matches, statistics.reference_words)

    def mean(self, statistics: MatchStatistics) -> Numbers:
        """Fmean = P R / (α P + (1 − α) R): the harmonic mean of both."""
        precision, recall = self.precision(statistics), self.recall(statistics)
        return ratio(precision * recall, self.alpha * precision + (1 - self.alpha) * recall)

    def penalty(self, statistics: MatchStatistics) -> Numbers:
        """γ (chunks / matches)^β, 0 where nothing matches: there is nothing to take away."""
        share = ratio(statistics.chunks, statistics.matches)
        return np.asarray(self.gamma * share**self.beta, np.float64)

    def score(self, statistics: MatchStatistics) -> Numbers:
        """(1 − penalty) Fmean, in [0, 1]; an output that says nothing gets 0."""
        return (1 - self.penalty(statistics)) * self.mean(statistics)

    def _share(self, matches: Counts, words: Counts) -> Numbers:
        # column by column, so that a row's number is the same to the last bit in every batch
        kinds = (self.delta, 1 - self.delta)
        matched = np.zeros(len(words))
        for i, weight in enumerate(self.weights):
            matched += weight * (kinds[0] * matches[:, i, 0] + kinds[1] * matches[:, i, 1])
        return ratio(matched, kinds[0] * words[:, 0] + kinds[1] * words[:, 1])


def ratio(part: Numbers | Counts, whole: Numbers | Counts) -> Numbers:
    """Part over whole; 0 where there is no whole: nothing of nothing was matched.

    >>> ratio(np.array([1, 0]), np.array([4, 0])).tolist()
    [0.25, 0.0]
    """
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


# Align the words of many outputs with those of their references, and count what matched.


class WordLinks(NamedTuple):
    """The alignments of many pairs."""

    links: Int32
    """For each word of each output, its place in the reference; -1 for none."""
    stages: NDArray[np.int8]
    """How each was matched; `NO_STAGE` for none."""
    chunks: Int64
    """For each pair."""
    covered: Int64
    """Pairs × stages: the most words that this stage and those before it can match."""
    is_best: NDArray[np.bool_]
    """Whether the pair's alignment is known to be the best."""


@compiled
def _align_pair(
    words: WordClasses, output_ids: Int32, reference_ids: Int32, width: int
) -> tuple[Int32, Int64, bool]:
    """The links of a pair, what each stage can cover, and whether the links are surely the best."""
    output, reference = side_of(output_ids), side_of(reference_ids)
    edges = match_edges(words, output, reference)
    covered = np.empty(NO_STAGE, np.int64)
    for stage in range(NO_STAGE):
        covered[stage] = most_covered(output, reference, edges, stage)
    links, is_best = best_links(output, reference, edges, covered[SYNONYM], width)
    return links, covered, is_best


@compiled
def align_pairs(
    words: WordClasses,
    ids: Int32,
    output: NDArray[np.int64],
    reference: NDArray[np.int64],
    width: int,
) -> WordLinks:
    """Align many pairs.

    Args:
        words: What is known of the distinct words.
        ids: The numbers of words, string after string.
        output: Pairs × 2: where the output's words start and end in `ids`.
        reference: Pairs × 2: likewise.
        width: How many partial alignments to carry along.
    """
    n = output.shape[0]
    sizes = output[:, 1] - output[:, 0]
    links = np.empty(sizes.sum(), np.int32)
    stages = np.empty(links.size, np.int8)
    chunks = np.empty(n, np.int64)
    covered = np.empty((n, NO_STAGE), np.int64)
    is_best = np.empty(n, np.bool_)
    at = 0
    for p in range(n):
        output_ids = ids[output[p, 0] : output[p, 1]]
        reference_ids = ids[reference[p, 0] : reference[p, 1]]
        found, covered[p], is_best[p] = _align_pair(words, output_ids, reference_ids, width)
        chunks[p] = n_chunks(found)
        for i in range(found.size):
            links[at] = found[i]
            stages[at] = NO_STAGE
            if found[i] >= 0:
                stages[at] = stage_of(words, output_ids[i], reference_ids[found[i]])
            at += 1
    return WordLinks(links, stages, chunks, covered, is_best)


@compiled
def count_matches(
    aligned: WordLinks,
    ids: Int32,
    output: NDArray[np.int64],
    reference: NDArray[np.int64],
    is_function: NDArray[np.bool_],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs × (stages and all) × (content, function words), of the outputs and of the references.

    The last row of each pair counts all words, matched or not.
    """
    n = output.shape[0]
    of_output = np.zeros((n, NO_STAGE + 1, 2), np.int64)
    of_reference = np.zeros((n, NO_STAGE + 1, 2), np.int64)
    at = 0
    for p in range(n):
        for i in range(output[p, 0], output[p, 1]):
            own = np.int64(is_function[ids[i]])
            of_output[p, NO_STAGE, own] += 1
            if aligned.links[at] >= 0:
                other = ids[reference[p, 0] + aligned.links[at]]
                of_output[p, aligned.stages[at], own] += 1
                of_reference[p, aligned.stages[at], np.int64(is_function[other])] += 1
            at += 1
        for j in range(reference[p, 0], reference[p, 1]):
            of_reference[p, NO_STAGE, np.int64(is_function[ids[j]])] += 1
    return of_output, of_reference


# Strings as words to be matched: cut, numbered, with the stem and the synsets of each.

_SAME_CHARACTERS = str.maketrans(
    {
        "‘": "'",
        "’": "'",
        "ʼ": "'",
        "`": "'",
        "“": '"',
        "”": '"',
        "„": '"',
        "«": '"',
        "»": '"',
        "-": " ",
        "‐": " ",
        "‑": " ",
        "–": " ",
        "—": " ",
    }
)
_CLITICS = re.compile(r"(?<=\w)(?='(?:s|re|ve|ll|d|m)\b)|(?<=\w)(?=n't\b)", re.IGNORECASE)

_OF_FUNCTION_WORDS = (PartOfSpeech.VERB, PartOfSpeech.ADVERB)
"""As nouns and adjectives they are letters, units and elements (he, in, as), which nobody means."""

_MOST_KNOWN = 200_000


@dataclass(frozen=True, slots=True, eq=False)
class MatchableWords:
    """The words of many strings, each distinct one looked up once."""

    tokens: Tokens
    known: WordClasses
    """Stems and synsets by the number of the word."""
    is_function: NDArray[np.bool_]

    def spans(self) -> NDArray[np.int64]:
        """Strings × 2: where each string's words start and end in the ids."""
        return np.stack([self.tokens.offsets[:-1], self.tokens.offsets[1:]], axis=1)


def prepared(string: str) -> str:
    """Make alike what differs in type only, and cut clitics off, as Penn's treebank does.

    Hyphens and dashes separate words and are none themselves.

    >>> prepared("The far-reaching plan isn’t the President’s.")
    "The far reaching plan is n't the President 's."
    """
    string = string.translate(_SAME_CHARACTERS)
    return _CLITICS.sub(" ", string) if "'" in string else string


def matchable_words(strings: Sequence[str], lexicon: Lexicon | None = None) -> MatchableWords:
    """Cut strings into words by 13a in lower case, and look each distinct one up.

    Args:
        strings: What to cut; `prepared` comes first.
        lexicon: Where synonyms are from; the shipped one where it is not given.
    """
    tokens = tokenize([prepared(string) for string in strings], MTEVAL_13A)
    words = tokens.vocabulary()
    is_function = np.fromiter(map(is_function_word, words), np.bool_, len(words))
    return MatchableWords(tokens, _known_words(lexicon or load_lexicon()).of(words), is_function)


class KnownWords:
    """Stems and synsets of words, kept from batch to batch: to find them takes longer than to match."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._known: dict[str, tuple[str, NDArray[np.int32]]] = {}

    def of(self, words: Sequence[str]) -> WordClasses:
        """What is to be compared of words in lower case."""
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        self._learn([word for word in words if word not in self._known])
        found = [self._known[word] for word in words]
        number: dict[str, int] = {}
        stem_numbers = [number.setdefault(stem, len(number)) for stem, _ in found]
        offsets = offsets_of(np.array([len(several) for _, several in found], np.int64))
        synsets = np.concatenate([np.empty(0, np.int32), *(several for _, several in found)])
        return WordClasses(
            np.array(stem_numbers, np.int32), offsets, synsets, _marks(offsets, synsets)
        )

    def _learn(self, words: Sequence[str]) -> None:
        offsets, synsets = _synsets(words, self._lexicon)
        for i, (word, stem) in enumerate(zip(words, stems(words), strict=True)):
            self._known[word] = stem, synsets[offsets[i] : offsets[i + 1]].copy()


@cache
def _known_words(lexicon: Lexicon) -> KnownWords:
    return KnownWords(lexicon)


def _synsets(words: Sequence[str], lexicon: Lexicon) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Where each word's synsets begin, with the end of the last, and the synsets, ascending.

    A word's synsets are those of all lemmas that it may be a form of, as any part of speech.
    """
    vocabulary = lexicon.vocabulary
    is_content = np.array([not is_function_word(word) for word in words], np.bool_)
    owners, entries = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for part in PartOfSpeech:
        asked = np.flatnonzero(is_content | (part in _OF_FUNCTION_WORDS))
        found = vocabulary.entries([words[i] for i in asked.tolist()], part)
        owners.append(np.repeat(asked, np.fromiter(map(len, found), np.int64, len(found))))
        entries.append(np.fromiter(chain.from_iterable(found), np.int64))
    owner, entry = np.concatenate(owners), np.concatenate(entries)
    sizes = vocabulary.sense_offsets[entry + 1] - vocabulary.sense_offsets[entry]
    synsets = lexicon.table["senses.synset"][vocabulary.senses(entry.tolist())]
    # owner and synset in one number, since rows of two take long to sort
    both = np.unique((np.repeat(owner, sizes) << 32) | synsets)
    offsets = np.searchsorted(both, np.arange(len(words) + 1) << 32).astype(np.int64)
    return offsets, (both & 0xFFFFFFFF).astype(np.int32)


def _marks(offsets: NDArray[np.int64], synsets: NDArray[np.int32]) -> NDArray[np.uint64]:
    """For each word the bits of its synsets, of which there are 64."""
    marks = np.zeros(len(offsets) - 1, np.uint64)
    owner = np.repeat(np.arange(len(marks)), np.diff(offsets))
    bits = np.uint64(1) << (synsets.astype(np.uint64) % np.uint64(64))
    np.bitwise_or.at(marks, owner, bits)
    return marks


# Match outputs with references: exact words, stems and synonyms, each word once.

_STAGES = tuple(Stage)


@dataclass(frozen=True, slots=True)
class WordMatch:
    """A word of the output and the word of the reference that it is matched with."""

    output: int
    """The place of the word in the output, from 0."""
    reference: int
    stage: Stage


@dataclass(frozen=True, slots=True)
class WordAlignment:
    """How the words of one output and one reference are matched, to be looked at."""

    output: tuple[str, ...]
    """The words, in lower case."""
    reference: tuple[str, ...]
    matches: tuple[WordMatch, ...]
    n_chunks: int
    is_best: bool
    """Whether no better alignment can have been missed."""


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Outputs beside references, of which some have several."""

    output: NDArray[np.int64]
    """For each pair, the place of its output among the strings."""
    reference: NDArray[np.int64]
    starts: NDArray[np.int64]
    """Where each output's pairs begin."""
    strings: tuple[str, ...]
    """Each once."""


def match_statistics(
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    scorer: MatchScorer | None = None,
    lexicon: Lexicon | None = None,
    width: int = WIDTH,
) -> MatchStatistics:
    """Match each output with the one of its references for which it scores best.

    Args:
        outputs: What systems wrote.
        references: For each output, one reference or more.
        scorer: Says which reference is best; of equals it is the first.
        lexicon: Where synonyms are from; the shipped one where it is not given.
        width: How many partial alignments are carried along.

    Raises:
        SettingError: there are more outputs than references, or fewer; one has no reference; the
            width is below 1.
    """
    if width < 1:
        raise SettingError(
            "beam-holds-nothing", f"a beam of {width!r} holds nothing", hint="at least 1"
        )
    pairs = _paired(outputs, references)
    words = matchable_words(pairs.strings, lexicon)
    found = _statistics(words, pairs.output, pairs.reference, width)
    if len(found) == len(outputs):
        return found
    return found.chosen(_best((scorer or MatchScorer()).score(found), pairs.starts))


def word_alignment(output: str, reference: str, *, lexicon: Lexicon | None = None) -> WordAlignment:
    """Align the words of one output and one reference.

    >>> found = word_alignment("He purchased two cars", "He bought a car")
    >>> [(found.output[each.output], each.stage.value) for each in found.matches]
    [('he', 'exact'), ('purchased', 'synonym'), ('cars', 'stem')]
    """
    words = matchable_words([output, reference], lexicon)
    aligned = _aligned(words, np.array([0]), np.array([1]), WIDTH)
    vocabulary, (n, _) = words.tokens.vocabulary(), words.tokens.lengths
    shown = [vocabulary[number] for number in words.tokens.ids]
    return WordAlignment(
        tuple(shown[:n]),
        tuple(shown[n:]),
        tuple(
            WordMatch(i, j, _STAGES[stage])
            for i, (j, stage) in enumerate(
                zip(aligned.links.tolist(), aligned.stages.tolist(), strict=True)
            )
            if j >= 0
        ),
        int(aligned.chunks[0]),
        bool(aligned.is_best[0]),
    )


def _paired(outputs: Sequence[str], references: Sequence[Sequence[str]]) -> _Pairs:
    if len(outputs) != len(references):
        raise SettingError(
            "outputs-cannot-matched-references",
            f"{len(outputs)} outputs cannot be matched with the references of {len(references)}",
            hint="give the references of each output",
        )
    number: dict[str, int] = {}
    of_output: list[int] = []
    of_reference: list[int] = []
    starts: list[int] = []
    for i, (output, several) in enumerate(zip(outputs, references, strict=True)):
        if isinstance(several, str) or not several:
            raise SettingError(
                "output-no-list-references",
                f"output {i} has no list of references but {several!r}",
                hint="give one reference or more for each output, in a list",
            )
        starts.append(len(of_output))
        for reference in several:
            of_output.append(number.setdefault(output, len(number)))
            of_reference.append(number.setdefault(reference, len(number)))
    return _Pairs(
        np.array(of_output, np.int64),
        np.array(of_reference, np.int64),
        np.array(starts, np.int64),
        tuple(number),
    )


def _aligned(
    words: MatchableWords, output: NDArray[np.int64], reference: NDArray[np.int64], width: int
) -> WordLinks:
    spans = words.spans()
    return align_pairs(words.known, words.tokens.ids, spans[output], spans[reference], width)


def _statistics(
    words: MatchableWords, output: NDArray[np.int64], reference: NDArray[np.int64], width: int
) -> MatchStatistics:
    aligned = _aligned(words, output, reference, width)
    spans = words.spans()
    of_output, of_reference = count_matches(
        aligned, words.tokens.ids, spans[output], spans[reference], words.is_function
    )
    matches = of_output[:, :NO_STAGE].sum(axis=(1, 2))
    sizes = words.tokens.lengths
    is_whole = (matches == sizes[output]) & (matches == sizes[reference]) & (aligned.chunks == 1)
    return MatchStatistics(
        output_words=of_output[:, NO_STAGE],
        reference_words=of_reference[:, NO_STAGE],
        output_matches=of_output[:, :NO_STAGE],
        reference_matches=of_reference[:, :NO_STAGE],
        covered=aligned.covered,
        chunks=np.where(is_whole, 0, aligned.chunks),
    )


def _best(scores: NDArray[np.float64], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each output, the first of its pairs with the greatest score."""
    ends = np.append(starts[1:], len(scores))
    owner = np.repeat(np.arange(len(starts)), ends - starts)
    best = np.flatnonzero(scores == np.maximum.reduceat(scores, starts)[owner])
    _, first = np.unique(owner[best], return_index=True)
    return best[first].astype(np.int64)
