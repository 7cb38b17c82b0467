"""D by a dictionary: patterns with words that are in none count most.

Shima & Mitamura (2011, section 2) propose it for those who look for paraphrases that are out of
vocabulary or of a special domain, and leave the details open. Here D is 1 as in line 6 of
Algorithm 1, whose histories it keeps; else 3 where a content word is in no dictionary, else 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ensue.errors import DataError
from ensue.pairs import open_input
from ensue.pairs.files import decoded_lines, shown_name
from ensue.paraphrase.diversities.algorithm import lexical_diversity
from ensue.paraphrase.model import DiversityFunction, DiversityKind, Numbers, RankedLists
from ensue.paraphrase.words import Flags, PatternWords, words_of

_SEEN, _KNOWN, _UNKNOWN = 1.0, 2.0, 3.0


def dictionary_diversity(
    lists: RankedLists, words: PatternWords, *, dictionary: frozenset[str] | None = None
) -> Numbers:
    """D of every pattern.

    Args:
        lists: Whose patterns.
        words: Their words.
        dictionary: Words in lower case, every form by itself; None for WordNet, which knows the
            forms of its words.
    """
    vocabulary = words.vocabulary()
    is_content = words.stem_of >= 0
    asked = [vocabulary[i] for i in np.flatnonzero(is_content).tolist()]
    unknown = np.zeros(words.n_words, np.bool_)
    unknown[is_content] = ~(_in_wordnet(asked) if dictionary is None else _in(dictionary, asked))
    by_dictionary = np.where(words.counted(unknown) > 0, _UNKNOWN, _KNOWN)
    return np.where(lexical_diversity(lists, words) == _SEEN, _SEEN, by_dictionary)


def read_dictionary(path: str) -> frozenset[str]:
    """The words of a file with a word a line; of a line with several, each is one.

    Raises:
        DataError: there is no such file, it is no UTF-8, or it has no word in it.
    """
    with open_input(path) as file:
        lines = decoded_lines(file, shown_name(path))
        found = frozenset(word for _, line in lines for word in words_of(line))
    if not found:
        raise DataError(
            "the dictionary has no word in it", place=shown_name(path), hint="give it a word a line"
        )
    return found


def _in(dictionary: frozenset[str], words: Sequence[str]) -> Flags:
    return np.array([word in dictionary for word in words], np.bool_)


def _in_wordnet(words: Sequence[str]) -> Flags:
    from ensue.language.lexicon import load_lexicon
    from ensue.language.lexicon.parts import PARTS

    vocabulary = load_lexicon().vocabulary
    found = np.zeros(len(words), np.bool_)
    for part in PARTS:
        found |= np.array([bool(entries) for entries in vocabulary.entries(words, part)], np.bool_)
    return found


def _made(argument: str) -> DiversityFunction:
    if not argument:
        return dictionary_diversity
    return partial(dictionary_diversity, dictionary=read_dictionary(argument))


DICTIONARY = DiversityKind(
    "dictionary",
    "3 where a new content word is in no dictionary: WordNet, or dictionary:FILE",
    _made,
)
