"""The graph while it is rewritten: the parse's relations first, roles in the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from ensue.language.graphs import Parse
from ensue.language.lexicon import Lexicon
from ensue.logic.deadline import Deadline


class SemanticSort(StrEnum):
    """What a node of the graph stands for."""

    EVENT = "event"
    """Something that happens or holds: a verb, or a noun made from one."""
    THING = "thing"
    QUALITY = "quality"
    """What is said of things and events: an adjective, an adverb of manner."""
    NONE = ""
    """Nothing of its own: articles, auxiliaries, conjunctions."""


@dataclass(frozen=True, slots=True)
class RewriteStep:
    """One thing that a rule did."""

    rule: str
    what: str
    """In words, as `a book: nsubjpass of sent → patient`."""


Link = tuple[str, int]
"""A relation and the token to which it leads."""

SUBJECTS = ("nsubj", "nsubjpass", "csubj", "csubjpass")

TRANSITIVE = frozenset((8, 9, 10, 11))
"""WordNet's frames with an object: *somebody ----s something*, and the like."""
INTRANSITIVE = frozenset((1, 2, 3, 4, 22))
"""Those without one: *somebody ----s*, *something is ----ing PP*."""

GIVING = frozenset((14, 15))
"""*somebody ----s somebody something* and *somebody ----s something to somebody*."""


@dataclass(slots=True)
class Draft:
    """Tokens as nodes, with any number of relations between them, and what was done to them."""

    parse: Parse
    lexicon: Lexicon
    words: list[str]
    """What each node says: its lemma, or the verb that a noun was made from."""
    sorts: list[SemanticSort]
    links: list[list[Link]]
    """The relations that lead from each token."""
    heads: list[list[Link]]
    """Those that lead to it."""
    passive: set[int] = field(default_factory=set)
    """The verbs in the passive voice, participles among them."""
    deadline: Deadline = field(default_factory=Deadline)
    """When the rewriting must be done; looked at wherever rules ask for relations."""
    steps: list[RewriteStep] = field(default_factory=list)
    rule: str = ""
    """The rule at work."""

    def child(self, token: int, *relations: str) -> int:
        """The first dependent by one of these relations, in their order; -1 where there is none."""
        self.deadline.check()
        for wanted in relations:
            for relation, dependent in self.links[token]:
                if relation == wanted:
                    return dependent
        return -1

    def children(self, token: int, *relations: str) -> list[int]:
        """The dependents by any of these relations."""
        self.deadline.check()
        return [dependent for relation, dependent in self.links[token] if relation in relations]

    def has(self, token: int, *relations: str) -> bool:
        """Whether there is a dependent by one of these relations."""
        self.deadline.check()
        return any(relation in relations for relation, _ in self.links[token])

    def pairs(self, *relations: str) -> Iterator[tuple[int, str, int]]:
        """Every relation of these kinds as it is now: governor, relation, dependent."""
        self.deadline.check()
        found = [
            (governor, relation, dependent)
            for governor, links in enumerate(self.links)
            for relation, dependent in links
            if relation in relations
        ]
        return iter(found)

    def add(self, governor: int, relation: str, dependent: int) -> None:
        """Lead a relation between two tokens, and say so."""
        if governor != dependent and (relation, dependent) not in self.links[governor]:
            self._put(governor, relation, dependent)
            self.say(f"{self.form(dependent)}: {relation} of {self.form(governor)}")

    def rename(self, governor: int, relation: str, dependent: int, new: str) -> None:
        """Call a relation something else."""
        if relation == new:
            return
        at = self.links[governor].index((relation, dependent))
        if (new, dependent) in self.links[governor]:
            self.drop(governor, relation, dependent)
            return
        self.links[governor][at] = (new, dependent)
        self.heads[dependent][self.heads[dependent].index((relation, governor))] = (new, governor)
        self.say(f"{self.form(dependent)}: {relation} of {self.form(governor)} → {new}")

    def drop(self, governor: int, relation: str, dependent: int) -> None:
        """Take a relation away."""
        self.links[governor].remove((relation, dependent))
        self.heads[dependent].remove((relation, governor))

    def move(self, governor: int, relation: str, dependent: int, to: int, new: str) -> None:
        """Let a dependent depend on another token."""
        self.drop(governor, relation, dependent)
        self.add(to, new, dependent)

    def call(self, token: int, word: str, sort: SemanticSort) -> None:
        """Say what a node stands for."""
        if (self.words[token], self.sorts[token]) != (word, sort):
            self.say(f"{self.form(token)} → {word} ({sort})")
            self.words[token], self.sorts[token] = word, sort

    def say(self, what: str) -> None:
        """Leave a trace."""
        self.steps.append(RewriteStep(self.rule, what))

    def form(self, token: int) -> str:
        """A token as it is written."""
        return self.parse.words[token]

    def is_event(self, token: int) -> bool:
        """Whether a node is something that happens."""
        return self.sorts[token] is SemanticSort.EVENT

    def _put(self, governor: int, relation: str, dependent: int) -> None:
        self.links[governor].append((relation, dependent))
        self.heads[dependent].append((relation, governor))


@dataclass(frozen=True, slots=True)
class Rule:
    """A rewrite rule: its name, what it says, and what it does to a draft."""

    name: str
    says: str
    """What becomes of what, in a line."""
    apply: Callable[[Draft], None]
    examples: tuple[str, ...] = ()
    """Sentences, each with the links that it has in the end: `John sleeps. > sleep agent john`."""


def draft_of(parse: Parse, lexicon: Lexicon, deadline: Deadline | None = None) -> Draft:
    """A draft with the relations of the parse."""
    n = len(parse.words)
    draft = Draft(
        parse,
        lexicon,
        list(parse.lemmas),
        [_sort(parse, token) for token in range(n)],
        [[] for _ in range(n)],
        [[] for _ in range(n)],
        deadline=deadline or Deadline(),
    )
    for token, head in enumerate(parse.heads):
        if head >= 0:
            draft._put(head, parse.relations[token], token)
    return draft


_SORTS = {
    "VERB": SemanticSort.EVENT,
    "AUX": SemanticSort.EVENT,
    "NOUN": SemanticSort.THING,
    "PROPN": SemanticSort.THING,
    "PRON": SemanticSort.THING,
    "NUM": SemanticSort.THING,
    "ADJ": SemanticSort.QUALITY,
    "ADV": SemanticSort.QUALITY,
}
_EMPTY = frozenset(
    (
        "aux",
        "auxpass",
        "cop",
        "det",
        "predet",
        "neg",
        "cc",
        "punct",
        "mark",
        "prep",
        "agent",
        "case",
        "prt",
        "fixed",
        "poss_case",
    )
)


def _sort(parse: Parse, token: int) -> SemanticSort:
    if parse.relations[token] in _EMPTY:
        return SemanticSort.NONE
    return _SORTS.get(parse.parts[token], SemanticSort.NONE)
