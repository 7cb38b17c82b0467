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
from ensue.logic.axioms import implied, is_kind_of
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
_AVERSE_WORDS = """
? afraid avoid cease fear fraction half minority percent quarter quit rare rarely seldom stop third whether
"""
_AVERSE = frozenset(_AVERSE_WORDS.split())
"""Words of sentences that are left alone, since some of their places look down, and no context tells which."""
_ONE_OF_A_KIND = frozenset(("same", "only", "first", "last", "next", "second", "third", "both"))
"""Adjectives that say something of all others of the kind, as superlatives do."""
_FURTHER = frozenset(("other", "another", "else"))
"""Adjectives that say something of those of the kind that were spoken of, unless it is of all."""
_TOGETHER_WORDS = """
between both combine compare differ different either meet mix neither nor respectively together
"""
_TOGETHER = frozenset(_TOGETHER_WORDS.split())
"""Words of which two things are said together."""
_ARTICLES = {"an": "a"}
"""*an apple* and *a red apple* differ by one word."""
_TURNED = {
    Monotonicity.POSITIVE: Monotonicity.NEGATIVE,
    Monotonicity.NEGATIVE: Monotonicity.POSITIVE,
    Monotonicity.UNIVERSAL: Monotonicity.POSITIVE,
}
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
        words = [_ARTICLES.get(form.lower(), form.lower()) for form in self.sentence.forms]
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
        if self.contexts.quantities[token] is Quantity.NOT_ALL or self._is_excepted(token):
            return Monotonicity.POSITIVE  # where not all poodles barked, not all dogs did
        if "wish" in self.lemmas and self._is_below(token, "wish"):
            # *I wish there were no exam* tells that there is one, but wishes for less
            found = _TURNED.get(found, found)
        elif found is Monotonicity.POSITIVE and self.contexts.quantities[token] is not Quantity.ALL:
            if (denied := self._denied(token)) >= 0:
                return self.contexts.monotonicity[denied]
            found = self._of_definite(token)
        found = self._under_than(token, found)
        # *barely makes any profit*: something turns it
        turned = found is Monotonicity.POSITIVE and self._has_any(token)
        return Monotonicity.NEITHER if turned else found

    def _is_excepted(self, token: int) -> bool:
        """*unless a dog barks*: whether a token stands in a clause that may save the sentence."""
        above = token
        while above >= 0:
            for each, head in enumerate(self.heads):
                if head == above and self.words[each : each + 1] == ["unless"]:
                    return self.contexts.monotonicity[token] is Monotonicity.NEGATIVE
            above = self.heads[above]
        return False

    def _is_below(self, token: int, lemma: str) -> bool:
        """Whether a token stands in what depends on a word."""
        above = self.heads[token]
        while above >= 0 and self.lemmas[above] != lemma:
            above = self.heads[above]
        return above >= 0

    def _has_any(self, token: int) -> bool:
        return any(h == token and self.lemmas[i] == "any" for i, h in enumerate(self.heads))

    def _is_compared(self, token: int) -> bool:
        """*as heavy as*, *heavier than*: whether a quality is one that things are compared by."""
        degree = self.lemmas[token - 1] if token else ""
        if degree == "more" and self.lemmas[token - 2 : token - 1] == ["no"]:
            return "than" in self.lemmas  # of *no more rice* there is none left
        return self.sentence.tags[token] in ("JJR", "RBR") or degree in ("as", "more", "less")

    def _of_definite(self, token: int) -> Monotonicity:
        """*every time I watch that film*: a definite looks where the place looks that it stands in.

        It is outside of what denies or quantifies it, but whoever says the same of another definite
        means the same thing by it, described as one of its kind.
        """
        top = token
        while self._is_definite(top) and self.heads[top] >= 0:
            top = self.heads[top]
        return self.contexts.monotonicity[top]

    def _is_definite(self, token: int) -> bool:
        """Whether a token is a definite noun or stands between one and the verb above it."""
        is_noun = self.contexts.quantities[token] is Quantity.THE
        return is_noun or self.sentence.relations[token] in ("prep", "amod", "compound", "agent")

    def _denied(self, token: int) -> int:
        """The word of a downward place that a token belongs to, as in *no time in taking action*; -1."""
        above = self.heads[token]
        while above >= 0 and self.sentence.relations[above] not in _CLAUSES:
            if self.contexts.monotonicity[above] is Monotonicity.NEGATIVE:
                return above
            above = self.heads[above]
        return -1

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
                    if self.lemmas[each] in _FURTHER and not self._is_downward(above):
                        return True
            if self.lemmas[above] in _UNDIRECTED or self._follows_exception(above):
                return True
            above = self.heads[above]
        return False

    def _is_downward(self, token: int) -> bool:
        """*no other choice*: whether a noun is denied, or all of it meant."""
        return self.contexts.monotonicity[token] in _ALLOWING[EditDirection.SPECIAL]

    def _follows_exception(self, token: int) -> bool:
        """*everyone but the boys*: whether a noun is said to be left out."""
        start = min([token, *(each for each, head in enumerate(self.heads) if head == token)])
        # *left, but to no purpose*: what begins anew behind a comma takes nothing out
        if self.lemmas[start - 2 : start] == [",", "but"]:
            return False
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
    if not found or not _agree(*sides, edit, lexicon):
        return None
    formula = Implies(conjunction(text.conditions), hypothesis.formula)
    return WordFact(FactKind.MONOTONICITY, formula, found, ())


def _agree(text: _Side, hypothesis: _Side, edit: Edit, lexicon: Lexicon) -> bool:
    """Whether all words beside the edit stand in the same contexts on both sides."""
    both = (text, edit.text), (hypothesis, edit.hypothesis)
    if all(both[0][1:]) and all(both[1][1:]) and any(_is_one_word(*each, lexicon) for each in both):
        return True  # one noun for another changes no context, whatever is made of its parts
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
        # *is poor and sad* is said of one, *this is mine and that is his* of two
        own = any(
            head == token and side.sentence.relations[each].startswith("nsubj")
            for each, head in enumerate(side.heads)
        )
        return side.lemmas[head] != "be" or relation != "conj" or own
    # *is in Paris* without its place says nothing; of *very few* the *very* belongs to the number
    is_number = head in side.contexts.quantifiers and relation in ("advmod", "amod", "npadvmod")
    if side.lemmas[head] == "be" or is_number:
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
        return not known or is_kind_of(known[0], noun, lexicon)
    return True


def _exchanged(text: _Side, hypothesis: _Side, edit: Edit, lexicon: Lexicon) -> str:
    """Why one phrase may stand in the place of another; empty where it may not."""
    edit = _without_articles(text, hypothesis, edit)
    both = (text, edit.text), (hypothesis, edit.hypothesis)
    top = text.tops(edit.text)[-1]
    ways = text.way(top), hypothesis.way(hypothesis.tops(edit.hypothesis)[-1])
    fixed = [_is_one_word(*each, lexicon) for each in both]
    # what is inside of *fool's huckleberry* says nothing of how the place looks
    way = ways[1] if fixed[0] and not fixed[1] else ways[0]
    if ways[0] != ways[1] and not any(fixed):
        return ""
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


def _without_articles(text: _Side, hypothesis: _Side, edit: Edit) -> Edit:
    """The same without the article of *a game*, where *chess* may stand."""
    places = [
        place[1:] if len(place) > 1 and side.words[place.start] == "a" else place
        for side, place in ((text, edit.text), (hypothesis, edit.hypothesis))
    ]
    return Edit(*places)


def _is_one_word(side: _Side, place: range, lexicon: Lexicon) -> bool:
    """Whether a phrase of several words is one noun of the lexicon."""
    if len(place) < 2:
        return False
    return any(bool(lexicon.lemmas(name, "noun")) for name in _names(side, place))


def _names(side: _Side, place: range) -> list[str]:
    """What a phrase may be called in a lexicon, its base form first."""
    words = side.words[place.start : place.stop]
    last = side.lemmas[place.stop - 1]
    written = " ".join(words).replace(" 's", "'s").replace(" - ", "-")
    base = " ".join([*words[:-1], last])
    # a plural that no parser knows, as *briers*, and a singular that is none, as *a rebu*
    other = [written[:-1]] if written.endswith("s") else []
    if len(written) > 3:
        other += [f"{written}s", *([f"{written[:-2]}a"] if written.endswith("um") else [])]
    return list(dict.fromkeys([base, written, *other]))
