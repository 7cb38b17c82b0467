"""Simple English clauses that are written in any tense and voice, negated and with other subjects.

A clause has a noun phrase for its subject, a verb phrase, and a noun phrase for its object where
there is one. Texts have single spaces only after `as_sentence`, which also mends their articles.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum


def word_set(text: str) -> frozenset[str]:
    """The words of a table that is written as one string."""
    return frozenset(text.split())


def word_rows(text: str) -> list[list[str]]:
    """The words of each row; rows end with a semicolon."""
    return [row.split() for row in text.split(";")]


# Inflection.

_IRREGULAR = {
    lemma: (others[0], others[-1])
    for lemma, *others in word_rows(
        """bear bore borne; beat beat beaten; become became become; begin began begun; bend bent; bet bet;
    bite bit bitten; blow blew blown; break broke broken; breed bred; bring brought; build built; burst burst;
    buy bought; catch caught; choose chose chosen; come came come; cost cost; creep crept; cut cut; deal dealt;
    dig dug; do did done; draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen;
    feed fed; feel felt; fight fought; find found; fit fit; flee fled; fling flung; fly flew flown;
    forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got gotten; give gave given;
    go went gone; grind ground; grow grew grown; hang hung; have had; hear heard; hide hid hidden; hit hit;
    hold held; hurt hurt; keep kept; kneel knelt; know knew known; lay laid; lead led; leap leapt; leave left;
    lend lent; let let; lie lay lain; light lit; lose lost; make made; mean meant; meet met; pay paid; put put;
    quit quit; read read; ride rode ridden; ring rang rung; rise rose risen; run ran run; say said; see saw seen;
    seek sought; sell sold; send sent; set set; sew sewed sewn; shake shook shaken; shine shone; shoot shot;
    show showed shown; shut shut; sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid;
    speak spoke spoken; spend spent; spin spun; split split; spread spread; stand stood; steal stole stolen;
    stick stuck; strike struck; string strung; swear swore sworn; sweep swept; swim swam swum; swing swung;
    take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown;
    undergo underwent undergone; understand understood; wake woke woken; wear wore worn; weave wove woven;
    weep wept; win won; wind wound; withdraw withdrew withdrawn; write wrote written"""
    )
}
"""The past and the participle of a verb."""
_THIRD_PERSONS = {"have": "has", "do": "does", "go": "goes"}
_PLURALS = {
    "child": "children", "person": "people", "foot": "feet", "mouse": "mice", "goose": "geese", "wife": "wives",
    "wolf": "wolves", "sheep": "sheep", "fish": "fish", "deer": "deer",
}  # fmt: skip
_DOUBLING = re.compile(
    r"^[^aeiou]*[aeiou][bdgklmnprt]$|^(begin|forget|admit|prefer|refer|occur|commit)$"
)
_VOWEL_SOUND = re.compile(
    r"(?!(?:uni|eur|use|usu|uti|one\b|once\b|u\.?s))[aeiou]|hour|hono|heir", re.I
)
_ARTICLE = re.compile(r"\b(a|an) (?=(\w+))", re.I)
FORMS_OF_BE = frozenset({"am", "is", "are", "was", "were"})


def _doubled(lemma: str) -> str:
    """The stem that a vowel is added to: `stopp`."""
    return lemma + lemma[-1] if _DOUBLING.match(lemma) else lemma


def past_form(lemma: str, *, participle: bool = False) -> str:
    """The past of a verb, or its past participle."""
    if lemma in _IRREGULAR:
        return _IRREGULAR[lemma][participle]
    if lemma.endswith("e"):
        return lemma + "d"
    if re.search(r"[^aeiou]y$", lemma):
        return lemma[:-1] + "ied"
    return _doubled(lemma) + "ed"


def gerund(lemma: str) -> str:
    """The form in `-ing` of a verb."""
    if lemma in ("lie", "die", "tie"):
        return lemma[:-2] + "ying"
    if lemma.endswith("e") and not lemma.endswith(("ee", "ye", "oe")):
        return lemma[:-1] + "ing"
    return _doubled(lemma) + "ing"


def _with_s(word: str) -> str:
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    return word + ("es" if re.search(r"(s|x|z|ch|sh)$", word) else "s")


def third_person(lemma: str) -> str:
    """The present of a verb with a singular subject."""
    return _THIRD_PERSONS.get(lemma) or _with_s(lemma)


def plural_form(noun: str) -> str:
    """The plural of a noun."""
    if noun.endswith("man") and noun not in ("human", "german", "roman"):
        return noun[:-2] + "en"
    return _PLURALS.get(noun) or _with_s(noun)


def form_of_be(plural: bool, past: bool) -> str:
    """`is`, `are`, `was` or `were`."""
    return ("were" if plural else "was") if past else ("are" if plural else "is")


def as_sentence(text: str) -> str:
    """With the right articles, capitals and a full stop."""

    def article(found: re.Match[str]) -> str:
        sound = "an" if _VOWEL_SOUND.match(found[2]) else "a"
        return (sound.capitalize() if found[1][0] == "A" else sound) + " "

    text = _ARTICLE.sub(article, re.sub(r" +([,.])", r"\1", " ".join(text.split())))
    return re.sub(r"(^|\. )[a-z]", lambda found: found[0].upper(), text) + "."


# Phrases.

NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
DEMONSTRATIVES = frozenset({"the", "this", "that", "these", "those"})
PRONOUNS = {"he": "him", "she": "her", "they": "them"}
"""Those that may be subjects, and how they stand after a verb."""


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun phrase: its determiner or number, and the rest of it."""

    determiner: str
    core: str
    """Without the determiner: `young man in a hat`."""
    head: str
    """The lemma of its noun."""
    plural: bool
    animate: bool
    name: bool = False
    """A proper name or a pronoun, which takes no article."""

    def __str__(self) -> str:
        return f"{self.determiner} {self.core}".strip()

    @property
    def definite(self) -> NounPhrase:
        """The same one, once it is known which: a negated indefinite would be about another."""
        if self.name or self.determiner in DEMONSTRATIVES:
            return self
        counted = self.determiner in NUMBERS
        return replace(self, determiner=f"the {self.determiner}" if counted else "the")

    @property
    def is_definite(self) -> bool:
        """Whether it is known which it is."""
        return self.definite == self

    @property
    def as_object(self) -> str:
        """As it stands after a verb or a preposition: `him`."""
        return PRONOUNS.get(str(self), str(self))

    @property
    def is_pronoun(self) -> bool:
        """Whether another phrase says whom it means."""
        return self.core in PRONOUNS

    @property
    def has(self) -> str:
        """`has` or `have`, as it agrees with this subject."""
        return "have" if self.plural else "has"


def named(name: str) -> NounPhrase:
    """The phrase of a person's name, or of `somebody` and `nobody`."""
    return NounPhrase("", name, name, plural=False, animate=True, name=True)


class VerbForm(StrEnum):
    """What the finite verb of a clause is."""

    COPULA = "copula"
    """`is old`, `is in the park`."""
    PROGRESSIVE = "progressive"
    """`is riding`."""
    SIMPLE = "simple"
    """`rides`."""


@dataclass(frozen=True, slots=True)
class VerbPhrase:
    """A verb phrase that can be given any subject."""

    form: VerbForm
    past: bool
    verb: str
    """The lemma; `be` for a copula."""
    gerund: str
    """Of a progressive verb; else empty."""
    complement: str
    """All that follows the verb."""

    @property
    def is_copula(self) -> bool:
        """Whether it says what its subject is or where, and not what it does."""
        return self.form is VerbForm.COPULA

    @property
    def is_ongoing(self) -> bool:
        """Whether it is going on now: `is riding`."""
        return self.form is VerbForm.PROGRESSIVE and not self.past

    @property
    def is_action(self) -> bool:
        """Whether it can be tried and finished."""
        states = ("have", "seem", "like", "need", "want")
        return not self.is_copula and self.verb not in states

    @property
    def is_identity(self) -> bool:
        """Whether it is said of one subject or none: `is a doctor`."""
        return self.is_copula and bool(re.match(r"(an?|the) |[A-Z]", self.complement))

    @property
    def infinitive(self) -> str:
        """`ride a horse`, without `to`."""
        return f"{self.verb} {self.complement}".strip()

    @property
    def perfect(self) -> str:
        """`ridden a horse`, for after `has`."""
        return f"{past_form(self.verb, participle=True)} {self.complement}".strip()

    def finite(self, plural: bool, adverb: str = "") -> str:
        """In the form for a subject; `not` and other adverbs where they belong."""
        if self.form is not VerbForm.SIMPLE:
            verb = form_of_be(plural, self.past)
            return " ".join(f"{verb} {adverb} {self.gerund} {self.complement}".split())
        if adverb == "not":
            verb = "did" if self.past else "do" if plural else "does"
            return f"{verb} not {self.infinitive}"
        present = self.verb if plural else third_person(self.verb)
        verb = past_form(self.verb) if self.past else present
        return " ".join(f"{adverb} {verb} {self.complement}".split())


# Clauses.


@dataclass(frozen=True, slots=True)
class SimpleClause:
    """A subject and a predicate, with the object apart where there is one."""

    subject: NounPhrase
    predicate: VerbPhrase
    object: NounPhrase | None = None
    tail: str = ""
    """What follows the object."""

    def say(self, adverb: str = "", subject: NounPhrase | None = None) -> str:
        """The clause as it is written, with an adverb or another subject."""
        who = subject or self.subject
        return f"{who} {self.predicate.finite(who.plural, adverb)}"

    def perfect(self, adverb: str = "") -> str:
        """`A man has never ridden a horse`; needs another verb than `be`."""
        return f"{self.subject} {self.subject.has} {adverb} {self.predicate.perfect}"

    @property
    def stopped(self) -> str:
        """`A man has stopped riding a horse`; needs a progressive verb."""
        predicate = self.predicate
        return (
            f"{self.subject} {self.subject.has} stopped {predicate.gerund} {predicate.complement}"
        )

    def passive(self, agent: bool = True, adverb: str = "") -> str:
        """`A horse is being ridden by a man`; needs an object and an active verb."""
        assert self.object is not None
        be = form_of_be(self.object.plural, self.predicate.past)
        being = "being" if self.predicate.form is VerbForm.PROGRESSIVE else ""
        by = f"by {self.subject.as_object}" if agent else ""
        done = past_form(self.predicate.verb, participle=True)
        return " ".join(f"{self.object} {be} {adverb} {being} {done} {by} {self.tail}".split())

    @property
    def definite(self) -> SimpleClause:
        """With a definite subject."""
        return replace(self, subject=self.subject.definite)

    @property
    def in_past(self) -> SimpleClause:
        """With the past of the same form: `was riding`."""
        return replace(self, predicate=replace(self.predicate, past=True))

    @property
    def simple_past(self) -> SimpleClause:
        """With the past of the verb alone: `rode`, `did not ride`; needs another verb than `be`."""
        return replace(
            self, predicate=replace(self.predicate, form=VerbForm.SIMPLE, past=True, gerund="")
        )

    def with_determiner(self, determiner: str) -> SimpleClause:
        """With another determiner of its subject."""
        return replace(self, subject=replace(self.subject, determiner=determiner))

    def with_object(self, what: NounPhrase) -> SimpleClause:
        """With another object."""
        complement = f"{what.as_object} {self.tail}".strip()
        return replace(self, object=what, predicate=replace(self.predicate, complement=complement))

    def swapped(self) -> SimpleClause:
        """With subject and object exchanged."""
        assert self.object is not None
        return replace(self.with_object(self.subject), subject=self.object)
