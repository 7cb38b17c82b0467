"""Words for the other side of an event or relation: *sell* and *buy*, *above* and *below*, *author*.

WordNet has few of them. The table (`conversives.txt`) is written by hand; a line of it becomes an axiom
where the text has the words of its one side and the hypothesis those of the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import permutations, product

from ensue.logic.formulas import (
    Atom,
    Exists,
    ForAll,
    Formula,
    Implies,
    Not,
    Term,
    Variable,
    conjunction,
)
from ensue.logic.knowledge import FactKind, WordFact

_ATOM = re.compile(r"([^\s(]+)\((\w(?:,\w)?)\)")
_SIGNS = re.compile(r" ([=>!]) ")
_WORD = re.compile(r":[vna]$")
_ADJUNCTS = frozenset(("at", "before", "after", "during", "for", "in", "on", "since", "until"))
"""Relations that hold of an event whatever side it is told from."""
_OTHER = "o"
_APART = "~ "


@dataclass(frozen=True, slots=True)
class Conversion:
    """One line of the table, read in one direction, with one word in each place."""

    told: tuple[Atom, ...]
    asked: tuple[Atom, ...]
    excludes: bool
    """Whether the two sides cannot both be."""

    @property
    def keys(self) -> frozenset[str]:
        """The predicates that a text must have."""
        return frozenset(atom.predicate for atom in self.told)

    @property
    def words(self) -> str:
        """What the line says, in plain English."""
        one, other = _named(self.told), _named(self.asked)
        if self.excludes:
            return f"{one} and {other} exclude each other"
        if one == other:
            return f"{one} is mutual"
        return f"{one} is {other}, told from the other side"


def conversive_facts(text: set[str], hypothesis: set[str]) -> Iterator[WordFact]:
    """Facts that lead from the predicates of a text to those of a hypothesis.

    Args:
        text: The predicates of the text.
        hypothesis: Those of the hypothesis.
    """
    shared = sorted(_ADJUNCTS & text & hypothesis)
    found: dict[Formula, str] = {}
    for line in _lines():
        if not line.keys <= text:
            continue
        if line.excludes:
            # what is red and blue is both, whatever the table says, on either side of the pair
            roles = _roles(line)
            asked_words = {atom.predicate for atom in line.asked}
            # of *passed the exam* and *failed the exam* only the verbs are opposed
            kinds = {name[-2:] for name in asked_words if _WORD.search(name)}
            opposed = {name for name in line.keys if not kinds or name[-2:] in kinds}
            mixed = (asked_words & text) | (opposed & hypothesis)
            if asked_words <= hypothesis and not mixed - roles - (asked_words & line.keys):
                found.setdefault(_exclusion(line), line.words)
            continue
        # what is not asked for is left out, so that the rest can be matched
        asked = [atom for atom in line.asked if atom.predicate in hypothesis]
        if len(asked) == len(line.asked) or any(_WORD.search(atom.predicate) for atom in asked):
            for extra in _extras(line, shared):
                found.setdefault(_implication(line.told, asked, extra), line.words)
    for formula, words in found.items():
        yield WordFact(FactKind.CONVERSIVE, formula, words, ())


def _roles(line: Conversion) -> frozenset[str]:
    """The relations of a line, which say nothing by themselves."""
    names = (atom.predicate for atom in line.asked)
    return frozenset(name for name in names if not _WORD.search(name))


def _exclusion(line: Conversion) -> Formula:
    both = conjunction((*line.told, *line.asked))
    return ForAll(tuple(_variables((*line.told, *line.asked))), Not(both))


def _extras(line: Conversion, shared: Sequence[str]) -> Iterator[Sequence[str]]:
    """The adjuncts that an event keeps when it is told from the other side: none, each, all."""
    yield ()
    events = [Variable("e") in _variables(line.told), Variable("f") in _variables(line.asked)]
    if all(events):
        yield from ((each,) for each in shared)
        if len(shared) > 1:
            yield shared


def _implication(told: Sequence[Atom], asked: Sequence[Atom], extra: Sequence[str]) -> Formula:
    others = [Variable(f"{_OTHER}{i}") for i in range(len(extra))]
    kept = [Atom(name, (Variable("e"), each)) for name, each in zip(extra, others, strict=True)]
    same = [Atom(name, (Variable("f"), each)) for name, each in zip(extra, others, strict=True)]
    condition, consequence = (*told, *kept), (*asked, *same)
    bound = _variables(condition)
    new = tuple(each for each in _variables(consequence) if each not in bound)
    effect = conjunction(consequence)
    return ForAll(
        tuple(bound), Implies(conjunction(condition), Exists(new, effect) if new else effect)
    )


def _variables(atoms: Iterable[Atom]) -> list[Variable]:
    terms = (term for atom in atoms for term in atom.terms)
    return list(dict.fromkeys(term for term in terms if isinstance(term, Variable)))


def _named(atoms: Sequence[Atom]) -> str:
    """A side by its word, else by its relation."""
    words = [atom.predicate for atom in atoms if _WORD.search(atom.predicate)]
    return (words or [atom.predicate for atom in atoms])[0].partition(":")[0].replace("_", " ")


@cache
def _lines() -> tuple[Conversion, ...]:
    """The table, with a line for each choice of words and each direction."""
    table = resources.files(__package__).joinpath("conversives.txt").read_text("utf-8")
    found: dict[Conversion, None] = {}
    for line in table.splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith(_APART):
            for pair in permutations(_atom(*_ATOM.findall(line)[0]), 2):
                found[Conversion((pair[0],), (pair[1],), excludes=True)] = None
            continue
        left, sign, right = _SIGNS.split(line)
        for one, other in _choices(left, right):
            found[Conversion(one, other, sign == "!")] = None
            if sign != ">":
                found[Conversion(*_turned(other, one), sign == "!")] = None
    return tuple(found)


def _choices(left: str, right: str) -> Iterator[tuple[tuple[Atom, ...], tuple[Atom, ...]]]:
    """Each choice of one word for each place; where both sides have the same words, the same one."""
    ways = [[_atom(*each) for each in _ATOM.findall(side)] for side in (left, right)]
    mutual = {tuple(a.predicate for a in each) for each in ways[0] if len(each) > 1} & {
        tuple(a.predicate for a in each) for each in ways[1] if len(each) > 1
    }
    for one in product(*ways[0]):
        for other in product(*ways[1]):
            names = {a.predicate for a in one}, {a.predicate for a in other}
            if all(names[0] & set(each) == names[1] & set(each) for each in mutual):
                yield one, other


def _atom(names: str, variables: str) -> list[Atom]:
    """An atom for each of the words in a place."""
    words, _, letter = names.partition(":")
    terms = tuple(Variable(each) for each in variables.split(","))
    return [Atom(f"{word}:{letter}" if letter else word, terms) for word in words.split("|")]


def _turned(
    told: tuple[Atom, ...], asked: tuple[Atom, ...]
) -> tuple[tuple[Atom, ...], tuple[Atom, ...]]:
    """A line read from right to left, where the event that is told has the name of one again."""
    names: dict[Term, Term] = {Variable("e"): Variable("f"), Variable("f"): Variable("e")}

    def renamed(atoms: tuple[Atom, ...]) -> tuple[Atom, ...]:
        return tuple(
            Atom(atom.predicate, tuple(names.get(term, term) for term in atom.terms))
            for atom in atoms
        )

    return renamed(told), renamed(asked)
