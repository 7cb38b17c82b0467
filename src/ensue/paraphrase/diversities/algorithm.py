"""D by Algorithm 1 of Shima & Mitamura (2011): does a pattern bring words that are new in its list?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ensue.errors import SettingError
from ensue.paraphrase.model import DiversityFunction, DiversityKind, Numbers, RankedLists
from ensue.paraphrase.words import NO_CONTENT, PatternWords, content_words
from ensue.surface.stemming import stems

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
    from ensue.paraphrase.kernels.histories import seen_before

    return seen_before(
        lists.offsets,
        words.term_ids,
        words.term_offsets,
        words.ids,
        words.offsets,
        words.stem_of,
        words.n_stems,
    )


def _made(argument: str) -> DiversityFunction:
    if argument:
        raise SettingError(
            f"diversity {NAME!r} takes no argument, not {argument!r}", hint=f"write {NAME}"
        )
    return lexical_diversity


ALGORITHM_1 = DiversityKind(
    NAME, "1 where a content word was seen in the list, 2 where a stem was, else 3", _made
)
