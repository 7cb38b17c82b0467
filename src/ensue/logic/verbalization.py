"""Formulas in words, and the tokens of a sentence that say what its formulas say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ensue.logic.deadline import Deadline
from ensue.logic.formulas import (
    And,
    Atom,
    Constant,
    Equal,
    Exists,
    ForAll,
    Formula,
    Implies,
    Not,
    Or,
    Term,
    atoms,
)
from ensue.logic.knowledge import gerund, with_article
from ensue.logic.meaning.discourse import MOOD
from ensue.logic.meaning.interpretation import Meaning

# Formulas in words: small sentences such as *send: agent John, patient a book; quick*.

V = TypeVar("V")

ROLES = frozenset(("agent", "patient", "recipient", "theme", "topic", "instrument", "member"))
"""Roles that are nouns; the others are prepositions and the like."""
_INSIDE = re.compile(r"\$(\d+)")
_CLUTTER = re.compile(r":[vnax](?=\()|\bsome |[][]")
_NUMBERED = re.compile(r"(?:thing|[egx])(\d+)(?:~\d+)?\Z")
_MOODS = {"future": "will", "possible": "may", "necessary": "must", "hypothetical": "would"}
"""Moods as people say them."""
_ARTICLE = re.compile(r"^an? ")


def split(predicate: str) -> tuple[str, str]:
    """The lemma of a predicate, and what it is: v, n, a, or empty for roles and propositions.

    >>> split("send:v"), split("agent")
    (('send', 'v'), ('agent', ''))
    """
    word, colon, letter = predicate.rpartition(":")
    if not colon or len(letter) != 1:
        return predicate, ""
    mood, _, lemma = word.rpartition(MOOD)
    if letter != "v" or not mood:
        return lemma, letter
    return f"{lemma} ({_MOODS.get(mood, mood)})", letter


def happening(lemma: str) -> str:
    """The name of an event by its verb, whether it is there or may be.

    >>> happening("send"), happening("leave (may)")
    ('sending', 'leaving (may)')
    """
    verb, bracket, mood = lemma.partition(" (")
    return gerund(verb) + bracket + mood


def is_proposition(predicate: str) -> bool:
    """Whether a predicate is named by a formula: what may be, what is said or believed."""
    return ": " in predicate


def token_of(term: Term) -> int | None:
    """The token that a constant of a text, or a variable of a hypothesis, was introduced by."""
    word, mark, number = term.name.rpartition("#")
    if mark:
        return int(number) if word and number.isdigit() else None
    numbered = _NUMBERED.match(term.name)
    return int(numbered[1]) if numbered and not term.name.startswith("thing") else None


def proper(name: str, texts: Iterable[str] = ()) -> str:
    """A name as one of the texts writes it, or with capitals.

    >>> proper("itel", ["The mill sued ITEL."]), proper("new york")
    ('ITEL', 'New York')
    """
    for text in texts:
        at = text.lower().find(name.lower())
        if at >= 0 and len(text.lower()) == len(text):
            return text[at : at + len(name)]
    return " ".join(map(str.capitalize, name.split())) if name.islower() else name


@dataclass(frozen=True, slots=True)
class Phraser:
    """Says formulas of a pair in words."""

    meanings: Sequence[Meaning] = ()
    """The sides whose words are quoted; that of the formulas first."""
    known: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What is said of each term alone, by its name: the predicates with one place."""
    members: Mapping[str, Sequence[Term]] = field(default_factory=dict)
    """What groups consist of, by their names."""
    spoken: frozenset[str] = frozenset()
    """The terms that have been introduced, and so are definite."""
    deadline: Deadline = field(default_factory=Deadline, compare=False)
    """When all must be said."""

    def knowing(self, formulas: Iterable[Formula], *, spoken: bool = False) -> Phraser:
        """The same, with what formulas say of single terms, which may have been spoken of then."""
        known = {name: list(said) for name, said in self.known.items()}
        members = {name: list(terms) for name, terms in self.members.items()}
        for atom in (atom for formula in formulas for atom in atoms(formula)):
            if len(atom.terms) == 1 and not is_proposition(atom.predicate):
                _put(known, atom.terms[0].name, atom.predicate)
            elif atom.predicate == "member" and len(atom.terms) == 2:
                _put(members, atom.terms[0].name, atom.terms[1])
        names = self.spoken.union(known if spoken else ())
        return replace(self, known=known, members=members, spoken=names)

    def lines(self, formulas: Iterable[Formula]) -> list[str]:
        """Conditions as small sentences, one for each event, and for what is not one."""
        conditions = [part for formula in formulas for part in _parts(formula)]
        phraser = self.knowing(conditions)
        simple = [each for each in conditions if isinstance(each, Atom) and _is_simple(each)]
        others = [each for each in conditions if not (isinstance(each, Atom) and _is_simple(each))]
        return [*_Grouped(phraser, simple).lines(), *(phraser.said(each) for each in others)]

    def said(self, formula: Formula) -> str:
        """One condition by itself."""
        match formula:
            case Atom():
                return self._atom(formula)
            case Equal(left, right):
                return f"{self.name(left)} is {self.name(right)}"
            case Not(Equal(left, right)):
                return f"{self.name(left)} is not {self.name(right)}"
            case Not(inner):
                return f"it is not so that {self._inside(inner)}"
            case And() | Exists():
                return self._inside(formula)
            case Or(parts):
                return "either " + ", or ".join(map(self._inside, parts)) if parts else "never"
            case Implies(condition, consequence):
                then = self.knowing([condition], spoken=True)
                return f"if {self._inside(condition)}, then {then._inside(consequence)}"
            case ForAll(_, Implies(condition, consequence)):
                then = self.knowing([condition], spoken=True)
                happens = any(split(atom.predicate)[1] == "v" for atom in atoms(condition))
                where = "whenever" if happens else "wherever there is"
                return f"{where} {self._inside(condition)}, {then._inside(consequence)}"
            case ForAll(_, inner):
                return f"always {self._inside(inner)}"

    def _inside(self, formula: Formula) -> str:
        return " and ".join(self.lines([formula])) or "anything"

    def _atom(self, atom: Atom) -> str:
        lemma, letter = split(atom.predicate)
        if not _is_simple(atom):
            return self._proposition(atom)
        governor, *dependents = atom.terms
        if dependents and atom.predicate in ROLES:
            return f"{self.name(dependents[0])} is the {lemma} of {self.the(governor)}"
        if dependents:
            return f"{self.the(governor)} is {lemma} {self.name(dependents[0])}"
        if letter not in ("n", "v"):
            return f"{self.the(governor, without=atom.predicate)} is {lemma}"
        what = with_article(happening(lemma) if letter == "v" else lemma)
        if is_name(governor):
            return f"{self.name(governor)} is {what}"
        return f"there is {what}"

    def _proposition(self, atom: Atom) -> str:
        """What may be, is said or is believed; its name is a formula in which terms are numbered."""
        kind, colon, inner = atom.predicate.partition(": ")
        if not colon:
            return f"{kind}({', '.join(map(self.name, atom.terms))})" if atom.terms else kind
        # the numbered terms are the last: before them is who says or believes it
        numbers = [int(each) for each in _INSIDE.findall(inner) if len(each) < 4]
        n_numbered = max((each for each in numbers if each <= len(atom.terms)), default=0)
        first = len(atom.terms) - n_numbered
        who = [self.the(term) for term in atom.terms[:first]]
        outside = {f"${i}": self.the(term) for i, term in enumerate(atom.terms[first:], 1)}
        shown = _INSIDE.sub(lambda found: outside.get(found[0], found[0]), inner)
        of = f" of {', '.join(who)}" if who else ""
        return f"{kind}{of}: {_CLUTTER.sub('', shown).replace(' & ', ', ')}"

    def name(self, term: Term, *, without: str = "") -> str:
        """What a term is called: *John*, *a red book*, *the sending*."""
        self.deadline.check()
        if is_name(term):
            return proper(term.name, [each.parsed.sentence.text for each in self.meanings])
        if term.name in self.members:
            # groups in groups are not told, since in some worlds they are in each other
            name = replace(self, members={}).name
            return " and ".join(map(name, self.members[term.name])) + " together"
        said = [split(each) for each in self.known.get(term.name, ()) if each != without]
        nouns = [lemma for lemma, letter in said if letter == "n"]
        verbs = [lemma for lemma, letter in said if letter == "v"]
        if nouns:
            qualities = [lemma for lemma, letter in said if letter == "a"]
            return self._with_article(" ".join(qualities), nouns[0], term)
        if verbs:
            return f"the {happening(verbs[0])}"
        if "#" in term.name:
            return f"the {term.name.rpartition('#')[0]}"
        return "something"

    def the(self, term: Term, *, without: str = "") -> str:
        """What a term is called where it has been spoken of."""
        return _ARTICLE.sub("the ", self.name(term, without=without))

    def _with_article(self, qualities: str, noun: str, term: Term) -> str:
        """A noun as it stands in its sentence: definite, in the plural, or else with *a*."""
        words = f"{qualities} {noun}".strip()
        token = token_of(term)
        sentence = self.meanings[0].parsed.sentence if self.meanings else None
        if term.name in self.spoken:
            return f"the {words}"
        if sentence is None or token is None or token >= len(sentence):
            return with_article(words)
        if noun != self.meanings[0].graph.words[token]:
            return with_article(words)
        if any(sentence.lemmas[each] == "the" for each in sentence.dependents(token)):
            return f"the {words}"
        if sentence.tags[token] in ("NNS", "NNPS"):
            return f"{qualities} {sentence.forms[token].lower()}".strip()
        return with_article(words)


def _put(lists: dict[str, list[V]], name: str, new: V) -> None:
    """Add what is not there yet."""
    if new not in lists.setdefault(name, []):
        lists[name].append(new)


def is_name(term: Term) -> bool:
    """Whether a term is a name, and not a thing that a text or a world introduces."""
    return isinstance(term, Constant) and "#" not in term.name and not _NUMBERED.match(term.name)


def _is_simple(atom: Atom) -> bool:
    return len(atom.terms) in (1, 2) and not is_proposition(atom.predicate)


def _parts(formula: Formula) -> Iterable[Formula]:
    if isinstance(formula, And):
        for part in formula.formulas:
            yield from _parts(part)
    elif isinstance(formula, Exists):
        yield from _parts(formula.formula)
    else:
        yield formula


class _Grouped:
    """Atoms by what they are said of."""

    def __init__(self, phraser: Phraser, conditions: Sequence[Atom]) -> None:
        self._phraser = phraser
        self._relations: dict[Term, list[Atom]] = {}
        mentioned: set[Term] = set()
        for atom in conditions:
            if len(atom.terms) == 2 and atom.predicate != "member":
                self._relations.setdefault(atom.terms[0], []).append(atom)
                mentioned.add(atom.terms[1])
        for atom in conditions:
            term = atom.terms[0]
            if len(atom.terms) == 1 and (term not in mentioned or self._speaks(term)):
                self._relations.setdefault(term, [])

    def lines(self) -> list[str]:
        """A line for each term of which more than what it is called is said."""
        return [self._line(term, said) for term, said in self._relations.items()]

    def _speaks(self, term: Term) -> bool:
        """Whether what is said of a term is more than its name shows."""
        return is_name(term) or any(letter == "v" for _, letter in self._said(term))

    def _said(self, term: Term) -> list[tuple[str, str]]:
        return [split(each) for each in self._phraser.known.get(term.name, ())]

    def _line(self, term: Term, relations: Sequence[Atom]) -> str:
        said = self._said(term)
        verbs = [lemma for lemma, letter in said if letter == "v"]
        name = self._phraser.name
        roles = [f"{split(each.predicate)[0]} {name(each.terms[1])}" for each in relations]
        if verbs:
            extra = [lemma for lemma, letter in said if letter != "v"]
            line = ": ".join(filter(None, [", ".join(verbs), ", ".join(roles)]))
            return "; ".join(filter(None, [line, ", ".join(extra)]))
        others = [lemma for lemma, letter in said if letter not in ("n", "a")]
        if is_name(term):
            others = []
            nouns = [with_article(lemma) if letter == "n" else lemma for lemma, letter in said]
            roles = [*nouns, *roles]
        return ": ".join(filter(None, [name(term), ", ".join([*others, *roles])]))


def as_atoms(facts: Iterable[tuple[str, tuple[str, ...]]]) -> list[Atom]:
    """The facts of a world as atoms on constants."""
    return [Atom(name, tuple(Constant(thing) for thing in things)) for name, things in facts]


# Which words of a sentence say what its formulas say.


class TokenLocator:
    """Finds the tokens of one side."""

    def __init__(self, meaning: Meaning) -> None:
        self._words = meaning.graph.words
        self._sentence = meaning.parsed.sentence
        self._lowered = [form.lower() for form in self._sentence.forms]

    def of_word(self, atom: Atom) -> int | None:
        """The token whose word a predicate with one place is."""
        lemma, letter = split(atom.predicate)
        if not letter:
            return None
        own = token_of(atom.terms[0])
        if own is not None and own < len(self._words) and self._words[own] == lemma:
            return own
        return next((i for i, word in enumerate(self._words) if word == lemma), None)

    def of_term(self, term: Term) -> int | None:
        """The token that stands for a thing or an event; of a name, the first."""
        if not is_name(term):
            token = token_of(term)
            return token if token is not None and token < len(self._words) else None
        for i, word in enumerate(self._words):
            if word == term.name or self._lowered[i] == term.name.lower():
                return i
        return None

    def span(self, token: int) -> tuple[int, int]:
        """Where a token begins and ends; of a name of several words, where the name does."""
        start, end = int(self._sentence.starts[token]), int(self._sentence.ends[token])
        name = self._words[token]
        if " " in name:
            at = self._sentence.text.lower().rfind(name.lower(), 0, end)
            if at >= 0 and at + len(name) >= end:
                return at, at + len(name)
        return start, end
