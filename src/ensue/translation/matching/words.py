"""Strings as words to be matched: cut, numbered, with the stem and the synsets of each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ensue.language.lexicon import Lexicon, PartOfSpeech, load_lexicon
from ensue.language.lexicon.vocabulary import offsets_of
from ensue.surface.function_words import is_function_word
from ensue.surface.stemming import stems
from ensue.surface.tokenizers import MTEVAL_13A
from ensue.surface.tokens import Tokens, tokenize
from ensue.translation.matching.kernels.stages import Words

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
    known: Words
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

    def of(self, words: Sequence[str]) -> Words:
        """What is to be compared of words in lower case."""
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        self._learn([word for word in words if word not in self._known])
        found = [self._known[word] for word in words]
        number: dict[str, int] = {}
        stem_numbers = [number.setdefault(stem, len(number)) for stem, _ in found]
        offsets = offsets_of(np.array([len(several) for _, several in found], np.int64))
        synsets = np.concatenate([np.empty(0, np.int32), *(several for _, several in found)])
        return Words(np.array(stem_numbers, np.int32), offsets, synsets, _marks(offsets, synsets))

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
