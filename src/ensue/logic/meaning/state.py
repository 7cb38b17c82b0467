"""What reading keeps in mind: the graph, what has been introduced, and the boxes that are open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from ensue.language.contexts import Contexts
from ensue.language.values import Value, ValueKind
from ensue.logic.formulas import Atom, Constant, Equal, Formula, Term, Variable, disjunction
from ensue.logic.meaning.box import Box
from ensue.logic.rewriting import Normalized, Sort

CLAUSAL = frozenset(("ccomp", "xcomp", "csubj", "csubjpass", "advcl", "acl", "pcomp"))
"""Relations of clauses inside others."""
_STRUCTURAL_WORDS = """
ROOT aux auxpass cop det predet neg cc punct mark case prt fixed expl conj relative and or folded
wh preconj said-of
"""
STRUCTURAL = frozenset(_STRUCTURAL_WORDS.split())
"""Relations that say nothing of their own here."""
_LETTERS = {Sort.EVENT: "v", Sort.THING: "n", Sort.QUALITY: "a", Sort.NONE: "x"}
"""What tells the predicates of nouns, verbs and adjectives of one spelling apart."""
_PLURALS = {"people": "person"}
"""Nouns that are the plural of another one."""

MOOD = "/"
"""What stands between a mood and a word in a predicate."""

Go = Callable[[Box], None]
"""What is left to say inside the scope of an operator."""
Referent = tuple[Term, frozenset[str]]
"""Something that was spoken of, and what the words beside its noun said of it."""


@dataclass(frozen=True, slots=True)
class Group:
    """Several things that are spoken of together."""

    term: Term
    members: tuple[Term, ...]
    is_or: bool

    def conditions(self) -> list[Formula]:
        """That each of them belongs to the group, or that it is one of them."""
        if self.is_or:
            return [disjunction(Equal(self.term, each) for each in self.members)]
        return [Atom("member", (self.term, each)) for each in self.members]


class State:
    """The common ground of the parts of a reader."""

    def __init__(
        self,
        graph: Normalized,
        contexts: Contexts,
        *,
        asserted: bool,
        values: tuple[Value, ...] = (),
        referents: Mapping[str, Referent] | None = None,
    ) -> None:
        self.graph = graph
        self.contexts = contexts
        self.is_text = self.asserted = asserted
        self.literal = False
        self.moods: dict[int, str] = {}
        """How things are there that a verb does not say are there: who wants a car may have none."""
        self.mood = ""
        """How what is being said is the case: it will be, it may be; empty where it is."""
        self.groups: dict[int, Group] = {}
        """What coordinated nouns stand for, by the first of them."""
        self.terms: dict[int, Term] = {}
        """What each token that has been introduced stands for."""
        self.known: dict[str, list[int]] = {}
        """The tokens of each noun that later definites may stand for."""
        self.numbers = _numbers(values)
        self.affirmed: set[int] = set()
        """Verbs whose negation has been said for several together."""
        self.saying: list[int] = []
        """The clauses that are being said, the outermost first."""
        self.said: set[int] = set()
        """The tokens that have been read."""
        self.referents = referents or {}
        """What nouns stand for that were spoken of elsewhere."""
        self.top = Box()
        self.open = [self.top]
        """The boxes that are being filled, the outermost first."""

    @contextmanager
    def inside(self, *, turned: bool = False, literal: bool = False) -> Iterator[Box]:
        """A box inside those that are open.

        Args:
            turned: Whether what it says is denied or supposed, so that strong and weak change places.
            literal: Whether it is read to the letter, neither strongly nor weakly.
        """
        box, was_literal, mood = Box(), self.literal, self.mood
        self.open.append(box)
        self.asserted ^= turned
        self.literal |= literal
        yield box
        self.asserted ^= turned
        self.literal, self.mood = was_literal, mood
        self.open.pop()

    def new(self, prefix: str, token: int, box: Box) -> Term:
        """A new referent: in what a text says outright a constant, elsewhere a variable."""
        if box is self.top and self.is_text:
            name = self.graph.words[token] + ("+" if prefix == "g" else "")
            return Constant(f"{name}#{token}")
        variable = Variable(f"{prefix}{token}")
        box.variables.append(variable)
        return variable

    def is_there(self, token: int) -> bool:
        """Whether what a token stands for has been introduced where it can be spoken of here."""
        return self.is_open(self.terms.get(token))

    def is_open(self, term: Term | None) -> bool:
        """Whether a term can be spoken of here."""
        return isinstance(term, Constant) or any(term in box.variables for box in self.open)

    def term_of(self, token: int, box: Box) -> Term:
        """What a token stands for; of several nouns all of them, as one, introduced where they are not."""
        if token not in self.groups:
            return self.terms[token]
        group = self.groups[token]
        if not self.is_open(group.term):
            self.bind(group, box)
        return group.term

    def bind(self, group: Group, box: Box) -> None:
        """Introduce a group in a box."""
        if isinstance(group.term, Variable):
            box.variables.append(group.term)
        box.say(*group.conditions())

    def each_of(self, token: int) -> tuple[Term, ...]:
        """What a token stands for, one by one."""
        return self.groups[token].members if token in self.groups else (self.terms[token],)

    def predicate(self, token: int) -> str:
        """What is said of something by a word."""
        self.said.add(token)
        word = self.graph.words[token]
        name = f"{_PLURALS.get(word, word)}:{_LETTERS[self.graph.sorts[token]]}"
        return f"{self.mood}{MOOD}{name}" if self.mood else name

    def arguments(self, token: int) -> list[tuple[str, int]]:
        """The things that a word is related to, with their roles, and not its inner clauses."""
        return [
            (relation, each)
            for relation, each in self.graph.links[token]
            if relation not in STRUCTURAL
            and relation not in CLAUSAL
            and self.graph.sorts[each] in (Sort.THING, Sort.EVENT)
            and not self.is_bare_clause(relation, each)
            and not (relation == "nummod" and each in self.numbers)
        ]

    def is_bare_clause(self, relation: str, token: int) -> bool:
        """*without eating*: a participle after a preposition."""
        parse = self.graph.parse
        is_participle = parse.tags[token] == "VBG" and parse.parts[token] == "VERB"
        return relation not in STRUCTURAL and is_participle

    def is_denied(self, noun: int) -> bool:
        """*not every man*: whether a *not* belongs to the quantifier of a noun."""
        quantifier = self.contexts.quantifiers[noun]
        denied = quantifier > 0 and self.graph.parse.lemmas[quantifier - 1] == "not"
        if denied:
            self.said.add(quantifier - 1)
        return denied

    def is_clause(self, token: int) -> bool:
        """Whether a token is the head of a clause."""
        return self.graph.sorts[token] is Sort.EVENT or token in self.graph.parse.copulas


def _numbers(values: tuple[Value, ...]) -> dict[int, Value]:
    """The number that each token is part of."""
    return {
        token: value
        for value in values
        if value.kind is ValueKind.NUMBER
        for token in range(value.first, value.last)
    }


def described(graph: Normalized, token: int) -> frozenset[str]:
    """What the words beside a noun say of it."""
    return frozenset(
        f"{relation} {graph.words[each]}"
        for relation, each in graph.links[token]
        if relation not in STRUCTURAL or relation == "relative"
    )


def is_single(graph: Normalized, contexts: Contexts, token: int) -> bool:
    """Whether a noun may stand for the one thing of its kind: *a man*, *the man*, and not *some men*."""
    quantifier = contexts.quantifiers[token]
    word = graph.parse.words[quantifier] if quantifier >= 0 else "a"
    return word in ("a", "an", "the") and graph.child(token, "nummod") < 0
