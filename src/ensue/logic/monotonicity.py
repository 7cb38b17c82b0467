"""Monotonicity: a text and a hypothesis that differ in one place, and which way that place looks.

Natural logic (van Benthem 1986; Sánchez Valencia 1991; MacCartney and Manning 2008): a sentence
stays true if a phrase of it becomes more general in an upward place, or more special in a downward
one. That needs no formula of the rest of the sentence, so it holds where the rest is out of the
formulas' reach. Where this departs from these:

- One edit only, a phrase that is exchanged, left out or put in; all else is the same to the letter.
  Several at once are left to the formulas.
- Whoever says the same sentence with another word means the sense that makes it one more or less
  general. So the two words are compared in all of their senses, not in the likely ones alone.
- Places whose way is not certain (beside superlatives, *only*, exceptions, *than*) look neither way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ensue.language import Sentence
from ensue.language.contexts import Contexts, Monotonicity, Quantity
from ensue.language.lexicon import Lexicon
from ensue.logic.axioms import implied
from ensue.logic.deadline import Deadline
from ensue.logic.formulas import Implies, conjunction
from ensue.logic.knowledge import FactKind, WordCategory, WordFact
from ensue.logic.meaning.discourse import AVERSE, EXCEPTING, NEGATIVE, NOT_REALLY, WISHING
from ensue.logic.meaning.interpretation import Meaning

_LONGEST = 200
"""Tokens of a side at most: of longer ones a single edit says little, and costs much."""


class EditDirection(StrEnum):
    """How what a phrase says is changed."""

    GENERAL = "more general"
    SPECIAL = "more special"


_DEPENDENTS = frozenset(
    ("amod", "advmod", "prep", "acl", "relcl", "npadvmod", "nmod", "advcl", "compound", "agent")
)
"""Relations of what may be left out, and says less then."""
_CLAUSES = frozenset(("ccomp", "relcl", "acl", "advcl", "csubj", "conj", "parataxis"))
"""Relations of clauses that a noun above them does not reach into."""
_JOINING = frozenset(("cc", "conj", "punct"))
_WORDS = frozenset((*_DEPENDENTS, *_JOINING))
_KEEPING = {
    "amod": frozenset(("NOUN", "PROPN")),
    "compound": frozenset(("NOUN",)),
    "advcl": frozenset(("VERB", "AUX", "ADJ")),
}
"""Parts of speech of what some dependents may be left out from."""
_SUPPOSING = frozenset(
    ("if", "unless", "when", "whenever", "until", "till", "as", "lest", "provided", "whether")
)
"""Conjunctions of clauses without which the rest is not said."""
_DECIDING_WORDS = """
allegedly almost alone apparently approximately barely best better certainly even exactly few fewer
hardly if just least less likely little maybe merely more most nearly only perhaps possibly probably
purportedly rather reportedly scarcely seemingly solely supposedly than too unless unlikely
virtually without
"""
_DECIDING = frozenset((*_DECIDING_WORDS.split(), *NEGATIVE, *EXCEPTING, *NOT_REALLY, *WISHING))
"""Words on which it hangs whether a sentence is true; none may be left out or put in."""
_FOCUS = frozenset(("only", "just", "merely", "solely", "even", "alone"))
"""Adverbs that also say something of whatever is not named."""
_UNDIRECTED = frozenset((*EXCEPTING, "before", "until", "too", "whether"))
"""Words below which a place looks neither way."""
_AVERSE = frozenset(
    ("?", "whether", "rare", "rarely", "seldom", "stop", "cease", "quit", "avoid", "afraid", "fear")
    + ("half", "third", "quarter", "percent", "minority", "fraction")
)
"""Words of sentences that are left alone, since some of their places look down, and no context tells which."""
_ONE_OF_A_KIND = frozenset(
    ("same", "other", "only", "first", "last", "next", "second", "third", "else", "another", "both")
)
"""Adjectives that say something of all others of the kind, as superlatives do."""
_TOGETHER = frozenset(("between", "both", "either", "neither", "nor", "together", "respectively"))
_CATEGORIES = {
    "NOUN": WordCategory.NOUN,
    "PROPN": WordCategory.NOUN,
    "VERB": WordCategory.VERB,
    "ADJ": WordCategory.ADJECTIVE,
    "ADV": WordCategory.ADJECTIVE,
}


@dataclass(frozen=True, slots=True)
class Edit:
    """The one place in which two sentences differ: the tokens that have no partner."""

    text: range
    hypothesis: range


def edit_between(text: Sequence[str], hypothesis: Sequence[str]) -> Edit | None:
    """The single edit that leads from one sequence of words to another; None where they are equal.

    >>> edit_between("no dog barked".split(), "no big dog barked".split())
    Edit(text=range(1, 1), hypothesis=range(1, 2))
    """
    shorter = min(len(text), len(hypothesis))
    first = next((i for i in range(shorter) if text[i] != hypothesis[i]), shorter)
    rest = shorter - first
    last = next((i for i in range(rest) if text[-1 - i] != hypothesis[-1 - i]), rest)
    edit = Edit(range(first, len(text) - last), range(first, len(hypothesis) - last))
    return edit if edit.text or edit.hypothesis else None


class _Side:
    """A sentence with the place in it that is edited."""

    def __init__(self, meaning: Meaning) -> None:
        self.sentence: Sentence = meaning.parsed.sentence
        self.contexts: Contexts = meaning.contexts
        self.heads: list[int] = self.sentence.heads.tolist()
        words = [form.lower() for form in self.sentence.forms]
        while words and not any(map(str.isalnum, words[-1])):
            words.pop()  # with or without its full stop, a sentence says the same
        self.words = words
        self.lemmas = [lemma.lower() for lemma in self.sentence.lemmas]

    def tops(self, place: range) -> list[int]:
        """The tokens of a place that depend on none of it."""
        return [each for each in place if self.heads[each] not in place]

    def is_left_alone(self, place: range) -> bool:
        """Whether nothing outside of a place depends on it."""
        outside = (each for each in range(len(self.words)) if each not in place)
        return not any(self.heads[each] in place for each in outside)

    def way(self, token: int) -> Monotonicity:
        """Which way the place of a token looks."""
        if self._is_open(token):
            return Monotonicity.NEITHER
        found = self.contexts.monotonicity[token]
        # how many are *many* depends on the kind, and so does how much is *as much as*
        if self.contexts.quantities[token] is Quantity.MANY or self._is_compared(token):
            return Monotonicity.NEITHER
        if found is Monotonicity.POSITIVE and (denied := self._denied(token)) >= 0:
            # *no beach in this area* denies it of the area as it is described: neither more nor
            # less can be said of it
            definite = self._has_definite(token, denied)
            return Monotonicity.NEITHER if definite else self.contexts.monotonicity[denied]
        return self._under_than(token, found)

    def _is_compared(self, token: int) -> bool:
        """*as heavy as*, *heavier than*: whether a quality is one that things are compared by."""
        degree = self.lemmas[token - 1] if token else ""
        return self.sentence.tags[token] in ("JJR", "RBR") or degree in ("as", "more", "less")

    def _denied(self, token: int) -> int:
        """The word of a downward place that a token belongs to, as in *no time in taking action*; -1."""
        above = self.heads[token]
        while above >= 0 and self.sentence.relations[above] not in _CLAUSES:
            if self.contexts.monotonicity[above] is Monotonicity.NEGATIVE:
                return above
            above = self.heads[above]
        return -1

    def _has_definite(self, token: int, top: int) -> bool:
        """Whether a token or what is above it, below another, is definite."""
        while token != top:
            if self.contexts.quantities[token] is Quantity.THE:
                return True
            token = self.heads[token]
        return False

    def _is_open(self, token: int) -> bool:
        """Whether anything above a token makes its way uncertain."""
        relations, tags = self.sentence.relations, self.sentence.tags
        if not (_FOCUS | _AVERSE | AVERSE).isdisjoint(self.lemmas):
            return True
        above = token
        while above >= 0:
            for each, head in enumerate(self.heads):
                if head == above and relations[each] in ("amod", "advmod", "det", "nummod"):
                    ranked = tags[each] in ("JJS", "RBS") and each not in self.contexts.quantifiers
                    if ranked or self.lemmas[each] in _ONE_OF_A_KIND:
                        return True
            if self.lemmas[above] in _UNDIRECTED or self._follows_exception(above):
                return True
            above = self.heads[above]
        return False

    def _follows_exception(self, token: int) -> bool:
        """*everyone but the boys*: whether a noun is said to be left out."""
        start = min([token, *(each for each, head in enumerate(self.heads) if head == token)])
        return self.lemmas[start - 1 : start] != [] and self.lemmas[start - 1] in EXCEPTING

    def _under_than(self, token: int, way: Monotonicity) -> Monotonicity:
        """*better than any friend* is so for all of them; what else is compared with looks nowhere."""
        above, any_of = self.heads[token], False
        for each, head in enumerate(self.heads):
            any_of |= head == token and self.lemmas[each] == "any"
        while above >= 0:
            any_of |= self.lemmas[above] == "any"
            if self.lemmas[above] == "than":
                return Monotonicity.UNIVERSAL if any_of else Monotonicity.NEITHER
            above = self.heads[above]
        return way


def monotone_fact(
    text: Meaning, hypothesis: Meaning, *, lexicon: Lexicon, deadline: Deadline | None = None
) -> WordFact | None:
    """That the text leads to the hypothesis, where one edit in a place of the right way does.

    Args:
        text: What is said.
        hypothesis: What is asked.
        lexicon: Tells which of two words is the more general.
        deadline: When this must be found out.
    """
    deadline = deadline or Deadline()
    sides = _Side(text), _Side(hypothesis)
    if max(len(side.words) for side in sides) > _LONGEST:
        return None
    edit = edit_between(sides[0].words, sides[1].words)
    deadline.check()
    if edit is None:
        return None
    if not edit.hypothesis:
        found = _left_out(sides[0], edit.text, EditDirection.GENERAL, lexicon)
    elif not edit.text:
        found = _left_out(sides[1], edit.hypothesis, EditDirection.SPECIAL, lexicon)
    else:
        found = _exchanged(*sides, edit, lexicon)
    if not found or not _agree(*sides, edit):
        return None
    formula = Implies(conjunction(text.conditions), hypothesis.formula)
    return WordFact(FactKind.MONOTONICITY, formula, found, ())


def _agree(text: _Side, hypothesis: _Side, edit: Edit) -> bool:
    """Whether all words beside the edit stand in the same contexts on both sides."""
    shift = len(edit.hypothesis) - len(edit.text)
    one, other = text.contexts, hypothesis.contexts
    for i in range(len(text.words)):
        if i in edit.text:
            continue
        j = i if i < edit.text.start else i + shift
        if one.polarity[i] != other.polarity[j] or one.quantities[i] != other.quantities[j]:
            return False
    return True


_ALLOWING = {
    EditDirection.GENERAL: frozenset((Monotonicity.POSITIVE,)),
    EditDirection.SPECIAL: frozenset((Monotonicity.NEGATIVE, Monotonicity.UNIVERSAL)),
}


def _left_out(side: _Side, place: range, change: EditDirection, lexicon: Lexicon) -> str:
    """Why a sentence may lose, or gain, the words of a place; empty where it may not.

    Args:
        side: The sentence that has the words.
        place: Where they are.
        change: What the other sentence is made by the edit.
        lexicon: Tells which words are one with the next.
    """
    if not side.is_left_alone(place) or not _DECIDING.isdisjoint(side.lemmas[i] for i in place):
        return ""
    relations = side.sentence.relations
    tops = [each for each in side.tops(place) if relations[each] != "punct"]
    if not tops or any(relations[each] not in _WORDS for each in tops):
        return ""
    joined = {side.lemmas[each] for each in tops if relations[each] == "cc"}
    if joined == {"or"}:  # *a dog or a cat* is the more general of the two
        change = EditDirection.SPECIAL if change is EditDirection.GENERAL else EditDirection.GENERAL
    elif joined - {"and", "but"} or not _TOGETHER.isdisjoint(side.lemmas):
        return ""
    if not all(_may_go(side, each, lexicon) for each in tops):
        return ""
    ways = {side.way(side.heads[each]) for each in tops if relations[each] != "cc"}
    if not ways or not ways <= _ALLOWING[change]:
        return ""
    words = " ".join(side.words[place.start : place.stop])
    end = "more" if (change is EditDirection.SPECIAL) is not (joined == {"or"}) else "fewer"
    return f"{_PLACES[change]}, it may be said with {end} words: {words!r}"


_PLACES = {
    EditDirection.GENERAL: "where more general words may stand",
    EditDirection.SPECIAL: "where more special words may stand",
}


def _may_go(side: _Side, token: int, lexicon: Lexicon) -> bool:
    """Whether what depends on a word may be left out, so that less is said."""
    relation, head = side.sentence.relations[token], side.heads[token]
    if relation in _JOINING:
        return side.lemmas[head] not in ("be",) or relation != "conj"
    # *is in Paris* without its place says nothing; of *very few* the *very* belongs to the number
    if side.lemmas[head] == "be" or head in side.contexts.quantifiers:
        return False
    if token in side.contexts.quantifiers or token in side.contexts.embedders:
        return False
    if side.sentence.parts[head] not in _KEEPING.get(relation, {side.sentence.parts[head]}):
        return False
    if relation == "advcl":
        marks = {
            side.lemmas[each]
            for each, above in enumerate(side.heads)
            if above == token and side.sentence.relations[each] in ("mark", "advmod")
        }
        return marks.isdisjoint(_SUPPOSING)
    if relation in ("amod", "compound", "nmod"):
        # a *hot dog* is no dog: together the words are another one
        known = lexicon.lemmas(" ".join(side.words[token : head + 1]), "noun")
        noun = side.lemmas[head]
        return not known or bool(implied(known[0], noun, WordCategory.NOUN, lexicon, usually=True))
    return True


def _exchanged(text: _Side, hypothesis: _Side, edit: Edit, lexicon: Lexicon) -> str:
    """Why one phrase may stand in the place of another; empty where it may not."""
    top = text.tops(edit.text)[-1]
    way = text.way(top)
    if way != hypothesis.way(hypothesis.tops(edit.hypothesis)[-1]):
        return ""
    both = (text, edit.text), (hypothesis, edit.hypothesis)
    said, asked = (_names(side, place) for side, place in both)
    if not _DECIDING.isdisjoint((*said, *asked)):
        return ""
    categories = [
        category
        for category in dict.fromkeys(_CATEGORIES.values())
        if category == _CATEGORIES.get(text.sentence.parts[top]) or len(edit.text) == 1
    ]
    for category in categories:
        if way in _ALLOWING[EditDirection.GENERAL]:
            found = _related(said, asked, category, lexicon, text, edit.text)
        elif way in _ALLOWING[EditDirection.SPECIAL]:
            found = _related(asked, said, category, lexicon, hypothesis, edit.hypothesis)
        else:
            found = ""
        if found:
            change = (
                EditDirection.GENERAL
                if way in _ALLOWING[EditDirection.GENERAL]
                else EditDirection.SPECIAL
            )
            shown = (" ".join(side.words[place.start : place.stop]) for side, place in both)
            return "{}, {!r} may become {!r}: {}".format(_PLACES[change], *shown, found)
    return ""


def _related(
    special: Sequence[str],
    general: Sequence[str],
    category: WordCategory,
    lexicon: Lexicon,
    side: _Side,
    place: range,
) -> str:
    """Why one phrase is more special than the other, by its whole or by its last word."""
    for one in (*special, *_heads(side, place, special)):
        for other in general:
            if one != other and (found := implied(one, other, category, lexicon)):
                return found
    return ""


def _heads(side: _Side, place: range, names: Sequence[str]) -> list[str]:
    """The head of a phrase of modifiers and a noun, which is as special as that noun at least."""
    last = place[-1]
    if len(place) < 2 or not all(
        side.heads[each] == last and side.sentence.relations[each] in ("amod", "compound")
        for each in place[:-1]
    ):
        return []
    # the phrase itself is known, and says what it is: a *hot dog* is no dog
    if any(" " in name and side.sentence.parts[last] != "NOUN" for name in names):
        return []
    return [side.words[last], side.lemmas[last]]


def _names(side: _Side, place: range) -> list[str]:
    """What a phrase may be called in a lexicon, its base form first."""
    words = side.words[place.start : place.stop]
    last = side.lemmas[place.stop - 1]
    written = " ".join(words).replace(" 's", "'s").replace(" - ", "-")
    base = " ".join([*words[:-1], last])
    # a plural that no parser knows, as *briers*
    singular = [written[:-1]] if written.endswith("s") else []
    return list(dict.fromkeys([base, written, *singular]))
