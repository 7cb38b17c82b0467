"""D of patterns: Algorithm 1 of Shima & Mitamura (2011), a dictionary, or a column.

Shima & Mitamura (2011, section 2) propose it for those who look for paraphrases that are out of
vocabulary or of a special domain, and leave the details open. Here D is 1 as in line 6 of
Algorithm 1, whose histories it keeps; else 3 where a content word is in no dictionary, else 2.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ensue.errors import DataError, SettingError
from ensue.files import decoded_lines, open_input, shown_name
from ensue.paraphrase.lists import (
    LARGEST_DIVERSITY,
    DiversityFunction,
    DiversityKind,
    Numbers,
    RankedLists,
    column_in_range,
)
from ensue.paraphrase.words import NO_CONTENT, Flags, PatternWords, content_words, words_of
from ensue.surface import stems

# D by Algorithm 1 of Shima & Mitamura (2011): does a pattern bring words that are new in its
# list?

NAME = "algorithm-1"


@dataclass(frozen=True, slots=True)
class DiversityStep:
    """What the algorithm does with one paraphrase."""

    paraphrase: str
    words: tuple[str, ...]
    """W1: its content words, each once."""
    stems: tuple[str, ...]
    """W2: their stems, each once."""
    seen_words: tuple[str, ...]
    """Those of W1 that are in history1."""
    seen_stems: tuple[str, ...]
    """Those of W2 that are in history2."""
    diversity: int
    """D: 1 (no content word, or one already seen), 2 (root already seen) or 3 (all new)."""


def diversity_steps(
    term: str, paraphrases: Sequence[str], *, no_content: Collection[str] = NO_CONTENT
) -> list[DiversityStep]:
    """Go through one list as the pseudo-code does; the numbers are those of its lines.

    >>> [step.diversity for step in diversity_steps("killed", ["shot", "killing", "shot at"])]
    [3, 2, 1]
    """
    history1 = set(content_words(term, no_content))  # 1
    history2 = set(stems(sorted(history1)))  # 2
    steps = []
    for paraphrase in paraphrases:  # 3
        w1 = dict.fromkeys(content_words(paraphrase, no_content))  # 4
        w2 = dict.fromkeys(stems(list(w1)))  # 5
        seen_words = tuple(word for word in w1 if word in history1)
        seen_stems = tuple(stem for stem in w2 if stem in history2)
        if not w1 or seen_words:  # 6
            diversity = 1  # 7
        else:  # 8
            diversity = 2 if seen_stems else 3  # 9 to 13
            history1 |= w1.keys()  # 14
            history2 |= w2.keys()  # 15
        steps.append(
            DiversityStep(paraphrase, tuple(w1), tuple(w2), seen_words, seen_stems, diversity)
        )
    return steps


def lexical_diversity(lists: RankedLists, words: PatternWords) -> Numbers:
    """D of every pattern of all lists, as `diversity_steps` gives it."""
    from ensue.paraphrase.kernels import seen_before

    return seen_before(
        lists.offsets,
        words.term_ids,
        words.term_offsets,
        words.ids,
        words.offsets,
        words.stem_of,
        words.n_stems,
    )


def _make_algorithm_1(argument: str) -> DiversityFunction:
    if argument:
        raise SettingError(
            "diversity-takes-no-argument",
            f"diversity {NAME!r} takes no argument, not {argument!r}",
            hint=f"write {NAME}",
        )
    return lexical_diversity


ALGORITHM_1 = DiversityKind(
    NAME,
    "1 where a content word was seen in the list, 2 where a stem was, else 3",
    _make_algorithm_1,
)


# D by a dictionary: patterns with words that are in none count most.

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
            "dictionary-no-word",
            "the dictionary has no word in it",
            place=shown_name(path),
            hint="give it a word a line",
        )
    return found


def _in(dictionary: frozenset[str], words: Sequence[str]) -> Flags:
    return np.array([word in dictionary for word in words], np.bool_)


def _in_wordnet(words: Sequence[str]) -> Flags:
    from ensue.language.lexicon import PARTS, load_lexicon

    vocabulary = load_lexicon().vocabulary
    found = np.zeros(len(words), np.bool_)
    for part in PARTS:
        found |= np.array([bool(entries) for entries in vocabulary.entries(words, part)], np.bool_)
    return found


def _make_dictionary(argument: str) -> DiversityFunction:
    if not argument:
        return dictionary_diversity
    return partial(dictionary_diversity, dictionary=read_dictionary(argument))


DICTIONARY = DiversityKind(
    "dictionary",
    "3 where a new content word is in no dictionary: WordNet, or dictionary:FILE",
    _make_dictionary,
)


# D from a column of numbers that stands in the file of lists.


def _make_column(argument: str) -> DiversityFunction:
    if not argument:
        raise SettingError(
            "diversity-column-needs-name",
            "diversity 'column' needs a name",
            hint="e.g. column:novelty",
        )
    return lambda lists, _: column_in_range(lists, argument, LARGEST_DIVERSITY, "diversity")


COLUMN = DiversityKind(
    "column", "a column of the file with numbers in [0, 3]: column:NAME", _make_column
)
