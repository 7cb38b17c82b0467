"""What a judge may say, in the order of the keys that say it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ensue.errors import UnknownNameError
from ensue.pairs import Label, View


class Kind(StrEnum):
    """What a project asks about."""

    PAIRS = "pairs"
    """Whether a hypothesis follows from a text."""
    PATTERNS = "patterns"
    """Whether a paraphrase can take the place of a term in a sentence."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Something that a judge may say."""

    name: str
    title: str
    """On the button."""
    meaning: str
    """Below it."""
    key: str


STRICT, LENIENT, DIFFERENT = "strict", "lenient", "different"
"""Of patterns: the first is a strict and a lenient yes, the second a lenient one alone."""
UNSURE = "unsure"
"""An answer that is none: whatever a judge cannot decide is controversial."""

_OF_LABELS = {
    Label.ENTAILMENT: ("It follows", "A person who reads the text would say that it is so."),
    Label.NOT_ENTAILMENT: ("It does not follow", "The text does not say so, or denies it."),
    Label.CONTRADICTION: ("It is denied", "If the text is true, the hypothesis is false."),
    Label.UNKNOWN: ("It is left open", "The text neither says so nor denies it."),
}
_OF_PATTERNS = {
    STRICT: ("The same, and good English", "The meaning is the same, and the sentence is correct."),
    LENIENT: ("The same, but bad English", "The meaning is the same; the sentence is not correct."),
    DIFFERENT: ("Not the same", "The second sentence says something else, or nothing."),
}
_UNSURE = ("Cannot tell", "The organizer will look at it; it is better left out than guessed.")


def answers(kind: Kind, view: View) -> tuple[Answer, ...]:
    """What a judge may say, with its keys.

    >>> [(each.key, each.name) for each in answers(Kind.PAIRS, View.TWO_WAY)]
    [('1', 'entailment'), ('2', 'not-entailment'), ('3', 'unsure')]
    """
    words = _OF_PATTERNS if kind is Kind.PATTERNS else {x.value: _OF_LABELS[x] for x in view.labels}
    offered = {**words, UNSURE: _UNSURE}
    return tuple(
        Answer(name, title, meaning, str(key))
        for key, (name, (title, meaning)) in enumerate(offered.items(), 1)
    )


def check_answer(kind: Kind, view: View, name: str, *, is_final: bool = False) -> None:
    """See that a judge may say so, or an organizer where it is final.

    Raises:
        UnknownNameError: they may not.
    """
    known = {each.name for each in answers(kind, view)} - ({UNSURE} if is_final else set())
    if name not in known:
        raise UnknownNameError.of("answer", name, known)


GUIDELINES = {
    Kind.PAIRS: """\
Does the hypothesis follow from the text, as people commonly read and understand it? Take it that the text is true, and use what everybody knows about language and the world.

All of the hypothesis has to follow: where a part of it cannot be had from the text, it does not follow.

What is very probable follows, even if it is not certain. What is merely possible does not.

Leave tense aside: text and hypothesis may have been written at different times.

Judge by these two alone, not by what you know of the story. If you are in doubt for long, say that you cannot tell.
""",
    Kind.PATTERNS: """\
The first sentence has a term, the second a paraphrase in its place. Do both say the same, here, in this sentence?

If the meaning is the same and the second sentence is correct English, it is the same, and good English.

If the meaning is the same but something is wrong with the second sentence (an ending, a preposition, an article), it is the same, but bad English.

If the second sentence says more, less or something else, or makes no sense, it is not the same.
""",
}
"""What judges are told where the organizer says nothing else, after Dagan, Glickman & Magnini (2005, section 2.2) and Shima & Mitamura (2011, section 3.1)."""
