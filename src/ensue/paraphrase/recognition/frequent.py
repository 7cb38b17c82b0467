"""Verbs that are frequent in tasks, as source terms where no list names any; nothing is parsed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ensue.errors import SettingError
from ensue.language.lexicon import Lexicon, PartOfSpeech, load_lexicon
from ensue.language.lexicon.parts import PARTS
from ensue.pairs import Label
from ensue.paraphrase.recognition.tasks import Task
from ensue.paraphrase.recognition.terms import chosen_terms, term_counts
from ensue.paraphrase.words import is_content_word
from ensue.surface.tokenizers import WORDS
from ensue.surface.tokens import tokenize

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
        raise SettingError(f"{n!r} terms cannot be chosen", hint="at least 1")
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
