"""Discourse boxes (Kamp and Reyle 1993), referents, propositions, words known one by one.

First-order logic has no propositions. One is written as a predicate here, whose name is the formula
and whose terms are the things from outside that it speaks of. So two of them are the same if they are
written alike, which is sound, and says nothing of what follows inside them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from ensue.language.contexts import Contexts, Quantity
from ensue.language.values import Value, ValueKind
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
    Variable,
    atoms,
    conjunction,
    disjunction,
    exists,
)
from ensue.logic.rewriting.cascade import Normalized
from ensue.logic.rewriting.draft import SemanticSort

# Boxes: what is introduced, and what is said of it (Kamp and Reyle 1993).


@dataclass(slots=True)
class Box:
    """Referents and conditions on them; a formula that there are such things."""

    variables: list[Variable] = field(default_factory=list)
    conditions: list[Formula] = field(default_factory=list)
    _said: set[Formula] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._said = set(self.conditions)

    def say(self, *conditions: Formula) -> None:
        """Add conditions that are not there yet."""
        for condition in conditions:
            if condition not in self._said:
                self._said.add(condition)
                self.conditions.append(condition)

    def formula(self) -> Formula:
        """That there is what the box introduces, of which all conditions hold."""
        return exists(self.variables, conjunction(self.conditions))


# Propositions as predicates: what may be, what is said, believed or wanted.


def proposition(kind: str, formula: Formula, *terms: Term) -> Atom:
    """That something is the case in a way that says nothing of whether it is the case."""
    writer = _Writer()
    # what is said or wanted is one predicate with its formula for a name: two such propositions are
    # the same if they say the same to the letter, and nothing inside one follows by itself (*he
    # said that a dog barked* is not that he said that an animal did)
    written = writer.write(formula, {})
    return Atom(f"{kind}: {written}", (*terms, *writer.outside))


def _key(formula: Formula) -> str:
    """What formulas are sorted by: what they say, whatever they say it of."""
    return " ".join(sorted(atom.predicate for atom in atoms(formula)))


class _Writer:
    """Writes formulas so that the names of variables do not matter, nor the order of conditions."""

    def __init__(self) -> None:
        self.outside: dict[Term, str] = {}
        """The things from outside, with their names here."""
        self.n_bound = 0

    def write(self, formula: Formula, bound: Mapping[Variable, str]) -> str:
        match formula:
            case Atom(predicate, terms):
                return f"{predicate}({','.join(self._term(term, bound) for term in terms)})"
            case Equal(left, right):
                return f"{self._term(left, bound)}={self._term(right, bound)}"
            case Not(inner):
                return f"not {self.write(inner, bound)}"
            case And(many):
                # *a tall young man* and *a young tall man* are one thought: the order of words must
                # not tell them apart
                ordered = sorted(many, key=_key)
                return "[" + " & ".join(self.write(each, bound) for each in ordered) + "]"
            case Or(many):
                return "[" + " | ".join(self.write(each, bound) for each in many) + "]"
            case Implies(condition, consequence):
                return f"[{self.write(condition, bound)} > {self.write(consequence, bound)}]"
            case Exists(variables, inner):
                return f"some {self._inside(variables, inner, bound)}"
            case ForAll(variables, inner):
                return f"all {self._inside(variables, inner, bound)}"

    def _inside(
        self, variables: tuple[Variable, ...], inner: Formula, bound: Mapping[Variable, str]
    ) -> str:
        names = dict(bound)
        for variable in variables:
            self.n_bound += 1
            names[variable] = f"v{self.n_bound}"
        return self.write(inner, names)

    def _term(self, term: Term, bound: Mapping[Variable, str]) -> str:
        if isinstance(term, Variable) and term in bound:
            return bound[term]
        # names mean the same wherever they stand and are part of the thought; things that a text
        # introduced (`man#3`) are arguments of it, so that they may be said equal to others (a
        # reading *de re*)
        if isinstance(term, Constant) and "#" not in term.name:
            return term.name
        return self.outside.setdefault(term, f"${len(self.outside) + 1}")


# Words that meaning has to know one by one.

PRONOUNS = {
    **dict.fromkeys(
        ["anybody", "anyone", "everybody", "everyone", "nobody", "somebody", "someone"], "person"
    ),
    **dict.fromkeys(["anything", "everything", "nothing", "something"], ""),
}
"""What is said of what some pronouns stand for: that they are persons, or nothing at all."""
_PERSONS = {**dict.fromkeys(("human", "individual", "someone", "somebody"), "person")}
_COLLECTIVES_WORDS = """
bunch couple crowd flock gang group handful herd pack pair set team
"""
COLLECTIVES = frozenset(_COLLECTIVES_WORDS.split())
"""What a number of things may be called: what a group of children does, children do."""
_NOT_REALLY_WORDS = """
accused alleged almost apparent artificial assistant attempted bogus counterfeit deputy dummy
erstwhile ex fake false fictitious former future half hypothetical imaginary imitation intended
mock model next nominal planned possible potential presumed pretend probable proposed prospective
putative rumored self-styled so-called supposed suspected threatened toy vice virtual would-be
"""
NOT_REALLY = frozenset(_NOT_REALLY_WORDS.split())
"""Adjectives after which a thing need not be what its noun says (Kamp and Partee 1995)."""
_INTENSIFIERS_WORDS = """
absolutely completely deeply entirely especially even extremely fairly highly incredibly just
particularly perfectly pretty quite rather really remarkably simply so terribly thorough
thoroughly too totally truly unusually utterly very wholly
"""
INTENSIFIERS = frozenset(_INTENSIFIERS_WORDS.split())
"""Adverbs of degree after which a quality is there all the same: *very happy*, not *nearly empty*
(Quirk et al. 1985, 8.104 to 8.115)."""
_FACTUAL_WORDS = """
after although as because once since though when where while
"""
FACTUAL = frozenset(_FACTUAL_WORDS.split())
"""Conjunctions of clauses that are said to be true."""
CONDITIONAL = frozenset(("if", "unless"))
"""Conjunctions of clauses that are supposed."""
_SAYING_NOTHING_WORDS = """
accordingly also anyway besides consequently currently either finally first furthermore hence here however
instead likewise meanwhile moreover namely neither nevertheless nonetheless now otherwise so still
then therefore thus too well yet
"""
SAYING_NOTHING = frozenset(_SAYING_NOTHING_WORDS.split())
"""Adverbs that join a clause to the one before it, and say nothing of what it tells."""
FACTUAL_PREPOSITIONS = frozenset(("after", "by", "since", "upon"))
"""Prepositions of participles that are said to be true: *after eating*."""
WISHING = frozenset(("hopefully", "ideally", "presumably"))
"""Adverbs that say what the speaker would like, or guesses, to be the case."""
_INTENSIONAL_WORDS = """
avert avoid await ban cancel consider demand deny discourage doubt envisage exclude expect fear
forbid foresee hope imagine intend lack need oppose order plan postpone predict prevent prohibit
promise propose refuse reject request require resist risk seek suggest suspect threaten urge want
wish
"""
INTENSIONAL = frozenset(_INTENSIONAL_WORDS.split())
"""Verbs whose object need not be there: who fears a war is not at war (Quine 1956)."""
AVERSE = frozenset(("avoid", "ban", "exclude", "forbid", "lack", "prevent", "prohibit", "reject"))
"""Those of them of whose object no more general one follows: who bans poodles need not ban dogs."""
_AFRAID = frozenset(("afraid", "devoid", "frightened", "intolerant", "scared", "terrified", "wary"))
"""Adjectives of which the same is true."""
_NEGATIVE_WORDS = """
hardly neither never no nobody none nor not nothing nowhere n't
"""
NEGATIVE = frozenset(_NEGATIVE_WORDS.split())
"""Words that deny; none may be passed over."""
CONVINCED = frozenset(("certain", "confident", "positive", "sure"))
"""Adjectives that say of somebody what he believes, and of *it* what is so."""
EXCLUSIVE = frozenset(("only", "solely", "exclusively"))
"""Adverbs that say of all others that it is not so of them."""
EXCEPTING = frozenset(("but", "except", "rather", "instead", "minus", "save"))
"""Words that take something out of what is said, where they join nouns."""
ATTRIBUTING = ("according_to", "parataxis")
"""Relations of those who say what a clause says."""


def unread(what: str, *, asserted: bool) -> Atom:
    """That something was not read, of which the two sides may have different things."""
    return Atom(f"{what} of the {'text' if asserted else 'hypothesis'}:unread", ())


# What reading keeps in mind: the graph, what has been introduced, and the boxes that are open.

CLAUSAL = frozenset(("ccomp", "xcomp", "csubj", "csubjpass", "advcl", "acl", "pcomp"))
"""Relations of clauses inside others."""
_STRUCTURAL_WORDS = """
ROOT aux auxpass cop det predet neg cc punct mark case prt fixed expl conj relative and or folded
wh preconj said-of portion all-but excepted total
"""
STRUCTURAL = frozenset(_STRUCTURAL_WORDS.split())
"""Relations that say nothing of their own here."""
_LETTERS = {
    SemanticSort.EVENT: "v",
    SemanticSort.THING: "n",
    SemanticSort.QUALITY: "a",
    SemanticSort.NONE: "x",
}
"""What tells the predicates of nouns, verbs and adjectives of one spelling apart."""
_PLURALS = {"people": "person"}
"""Nouns that are the plural of another one."""

FORMERLY, STILL = "formerly", "still"
"""Moods of what was the case, and of what is so no longer."""
MOOD = "/"
"""What stands between a mood and a word in a predicate."""

GROUP = "+#"
"""What stands between the first word of a group and its place, in its constant."""

Go = Callable[[Box], None]
"""What is left to say inside the scope of an operator."""
Referent = tuple[Term, frozenset[str]]
"""Something that was spoken of, and what the words beside its noun said of it."""


@dataclass(frozen=True, slots=True)
class ReferentGroup:
    """Several things that are spoken of together."""

    term: Term
    members: tuple[Term, ...]
    is_or: bool

    def conditions(self) -> list[Formula]:
        """That each of them belongs to the group, or that it is one of them."""
        if self.is_or:
            return [disjunction(Equal(self.term, each) for each in self.members)]
        return [Atom("member", (self.term, each)) for each in self.members]


class DiscourseState:
    """The common ground of the parts of a reader."""

    def __init__(
        self,
        graph: Normalized,
        contexts: Contexts,
        *,
        asserted: bool,
        values: tuple[Value, ...] = (),
        referents: Mapping[str, Referent] | None = None,
        deadline: Deadline | None = None,
    ) -> None:
        self.deadline = deadline or Deadline()
        """When all must be read; looked at wherever something is read."""
        self.graph = graph
        self.contexts = contexts
        self.governors = _governors(graph)
        """The tokens that each depends on."""
        self.events = _events(graph)
        """The tokens of each verb."""
        self.is_text = self.asserted = asserted
        self.literal = False
        self.moods: dict[int, str] = {}
        """How things are there that a verb does not say are there: who wants a car may have none."""
        self.mood = ""
        """How what is being said is the case: it will be, it may be; empty where it is."""
        self.groups: dict[int, ReferentGroup] = {}
        """What coordinated nouns stand for, by the first of them."""
        self.terms: dict[int, Term] = {}
        """What each token that has been introduced stands for."""
        self.known: dict[str, list[int]] = {}
        """The tokens of each noun that later definites may stand for."""
        self.numbers = _numbers(values)
        self.currencies = {
            token: value.unit
            for value in values
            if value.kind is ValueKind.AMOUNT
            for token in range(value.first, value.last)
        }
        """The currency of each token of an amount."""
        self.shares = {
            token: value
            for value in values
            if value.kind is ValueKind.PERCENT and not value.approximate
            for token in range(value.first, value.last)
        }
        """The share that each token is part of."""
        self.spared: dict[int, tuple[Term, ...]] = {}
        """Of whom something is not said that is said of all others."""
        self.measures = measured(values)
        """What each token of a measure or a date is part of."""
        self.generic = _generic(graph, contexts)
        """The nouns of which something is said that holds of all of their kind."""
        self.limited: set[int] = set()
        """The members of groups of which it is said already that there are no more."""
        self.members: set[int] = set()
        """The nouns that are spoken of as members of a group."""
        self.excluding: set[int] = set()
        """The *only* that was read as saying something of all others."""
        self.ranked: set[int] = set()
        """The superlatives whose kind is being said."""
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
        # from *no man sang* follows that no tall man did: where a text is turned, it is read as
        # weakly as a hypothesis is, and a hypothesis as strongly as a text
        self.asserted ^= turned
        self.literal |= literal
        yield box
        self.asserted ^= turned
        self.literal, self.mood = was_literal, mood
        self.open.pop()

    def new(self, prefix: str, token: int, box: Box) -> Term:
        """A new referent: in what a text says outright a constant, elsewhere a variable."""
        # a text says that there is a man, so he may be named (Skolem); in a hypothesis, or under a
        # negation, any man will do
        if box is self.top and self.is_text:
            mark = GROUP if prefix == "g" else "#"
            return Constant(f"{self.graph.words[token]}{mark}{token}")
        variable = Variable(f"{prefix}{token}")
        box.variables.append(variable)
        return variable

    def is_there(self, token: int) -> bool:
        """Whether what a token stands for has been introduced where it can be spoken of here."""
        self.deadline.check()
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

    def bind(self, group: ReferentGroup, box: Box) -> None:
        """Introduce a group in a box."""
        if isinstance(group.term, Variable):
            box.variables.append(group.term)
        box.say(*group.conditions())

    def each_of(self, token: int) -> tuple[Term, ...]:
        """What a token stands for, one by one."""
        return self.groups[token].members if token in self.groups else (self.terms[token],)

    def predicate(self, token: int) -> str:
        """What is said of something by a word."""
        self.deadline.check()
        self.said.update((token, *self.graph.children(token, "folded")))
        word = self.graph.words[token]
        name = f"{_PLURALS.get(word, word)}:{_LETTERS[self.graph.sorts[token]]}"
        return f"{self.mood}{MOOD}{name}" if self.mood else name

    def arguments(self, token: int) -> list[tuple[str, int]]:
        """The things that a word is related to, with their roles, and not its inner clauses."""
        self.deadline.check()
        return [
            (relation, each)
            for relation, each in self.graph.links[token]
            if relation not in STRUCTURAL
            and relation not in CLAUSAL
            and self.graph.sorts[each] in (SemanticSort.THING, SemanticSort.EVENT)
            and not self.is_bare_clause(relation, each)
            and not (relation == "nummod" and (each in self.numbers or each in self.measures))
            and not (relation == "compound" and each in self.numbers)  # *a dozen men*
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
        self.deadline.check()
        return self.graph.sorts[token] is SemanticSort.EVENT or token in self.graph.parse.copulas


MEASURE = ":measure"
"""What ends the predicate of a measure or a date."""


def measured(values: Sequence[Value]) -> dict[int, Value]:
    """The measures with units and the dates with a year, by each of their tokens."""
    return {
        token: value
        for value in values
        if not value.approximate and (value.kind is ValueKind.MEASURE or value.year_low is not None)
        for token in range(value.first, value.last)
    }


def measure_predicate(lemmas: Sequence[str], value: Value) -> str:
    """What is said of something that has a measure, or of a time that has a date."""
    return " ".join(lemmas[value.first : value.last]) + MEASURE


def _numbers(values: tuple[Value, ...]) -> dict[int, Value]:
    """The number that each token is part of."""
    return {
        token: value
        for value in values
        if value.kind is ValueKind.NUMBER
        for token in range(value.first, value.last)
    }


def _governors(graph: Normalized) -> list[set[int]]:
    found: list[set[int]] = [set() for _ in graph.links]
    for governor, links in enumerate(graph.links):
        for _, dependent in links:
            found[dependent].add(governor)
    return found


def _events(graph: Normalized) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for token, sort in enumerate(graph.sorts):
        if sort is SemanticSort.EVENT:
            found.setdefault(graph.words[token], []).append(token)
    return found


def _generic(graph: Normalized, contexts: Contexts) -> frozenset[int]:
    """*prohibits dogs*, *afraid of dogs*: the bare plurals that stand for all of their kind."""
    found = set()
    for governor, links in enumerate(graph.links):
        word = graph.words[governor]
        for relation, each in links:
            averse = word in AVERSE and relation.startswith("patient")
            bare = contexts.quantities[each] is Quantity.NONE
            if (averse or (word in _AFRAID and relation == "of")) and bare:
                is_noun = graph.parse.parts[each] == "NOUN" and graph.parse.child(each, "det") < 0
                if is_noun and graph.sorts[each] is SemanticSort.THING:
                    found.add(each)
    return frozenset(found)


def described(graph: Normalized, token: int) -> frozenset[str]:
    """What the words beside a noun say of it."""
    return frozenset(
        f"{relation} {graph.words[each]}"
        for relation, each in graph.links[token]
        if relation not in STRUCTURAL or relation == "relative"
    )


def kind_of(word: str) -> str:
    """The noun by which a thing is known: *someone* and *an individual* are spoken of as a person."""
    return _PERSONS.get(word, word)


def is_single(graph: Normalized, contexts: Contexts, token: int) -> bool:
    """Whether a noun may stand for the one thing of its kind: *a man*, *the man*, and not *some men*."""
    quantifier = contexts.quantifiers[token]
    word = graph.parse.words[quantifier] if quantifier >= 0 else "a"
    if word in ("someone", "somebody"):
        return True
    # *some men sang. The men smiled.*: groups are not taken to be the same, as they may differ by a
    # member
    return word in ("a", "an", "the") and graph.child(token, "nummod") < 0
