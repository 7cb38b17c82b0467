"""Qualities of things and events: adjectives, adverbs, and how they compare with others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial

from ensue.logic.formulas import (
    Atom,
    Equal,
    Implies,
    Term,
    Variable,
    conjunction,
    disjunction,
    for_all,
)
from ensue.logic.meaning.discourse import (
    CLAUSAL,
    INTENSIFIERS,
    NOT_REALLY,
    SAYING_NOTHING,
    STRUCTURAL,
    Box,
    DiscourseState,
    Go,
)
from ensue.logic.rewriting.draft import SemanticSort

EXACT = frozenset(("exactly", "exact", "precisely", "precise", "only", "just"))
"""Adverbs, and their adjectives, after which no more are meant."""
_AFFIRMING = INTENSIFIERS | SAYING_NOTHING
"""Adverbs after which a quality is there: *very happy*, *still alive*."""


class QualityReader(DiscourseState, ABC):
    """Reads qualities."""

    @abstractmethod
    def say_clause(self, token: int, box: Box) -> None:
        """Say a clause, and those that are joined to it."""

    @abstractmethod
    def say_inner(self, relation: str, inner: int, term: Term, box: Box) -> None:
        """Say what a clause inside another says."""

    @abstractmethod
    def introduce(self, tokens: Sequence[int], box: Box, go: Go) -> None:
        """Introduce things from the outermost on, and say the rest in their scope."""

    @abstractmethod
    def introduce_role(self, term: Term, role: str, token: int, box: Box) -> None:
        """Say a role of something that may be new."""

    @abstractmethod
    def say_role(self, term: Term, role: str, token: int, box: Box) -> None:
        """Say what something is to another."""

    @abstractmethod
    def say_of_all(self, token: int, box: Box, go: Go, noun: int = -1) -> None:
        """Say something of all that a noun phrase is true of."""

    @abstractmethod
    def restrict(self, token: int, term: Term, box: Box) -> None:
        """Say what a noun phrase says of what it stands for."""

    def say_quality(self, token: int, term: Term, box: Box) -> None:
        """Say a quality of something, or how it compares with others."""
        if (
            self.graph.sorts[token] is SemanticSort.NONE
            and not self.graph.parse.words[token].isalnum()
        ):
            return
        word = self.graph.words[token]
        if token in self.ranked or token in self.excluding:
            return
        if self._is_ranked(token) and self._is_of_noun(token):
            return  # said of all others of the kind, once the kind is known
        self.said.add(token)
        if (
            (word == "there" and self._is_of_noun(token))
            or word in SAYING_NOTHING
            or word in NOT_REALLY
            or (word in EXACT and token + 1 in self.numbers)
        ):
            return
        standards = self.graph.children(token, "than")
        if self.graph.parse.tags[token] in ("JJR", "RBR") or standards:
            self._compare("more", token, term, standards, box)
            return
        equals = self.graph.children(token, "as")
        if equals and "as" in [
            self.graph.words[each] for each in self.graph.children(token, "advmod")
        ]:
            self._compare("as", token, term, equals, box)
            return
        degrees = self.graph.children(token, "advmod", "npadvmod", "quality", "amod")
        if all(self.graph.words[each] in _AFFIRMING for each in degrees):
            box.say(Atom(self.predicate(token), (term,)))
        self._say_degrees(token, term, box)

    def _is_of_noun(self, quality: int) -> bool:
        """Whether an adjective stands beside a noun."""
        return any(
            self.graph.sorts[each] is SemanticSort.THING
            and quality in self.graph.children(each, "quality", "advmod")
            for each in self.governors[quality]
        )

    def _say_degrees(self, token: int, term: Term, box: Box) -> None:
        """*very happy*, *outside on the beach*: what stands beside a quality."""
        arguments = set(self.arguments(token))
        for relation, each in self.graph.links[token]:
            if (relation, each) in arguments:
                # *5 km long* is not *5 km wide*
                is_measure = relation == "npadvmod"
                role = f"{relation} {self.graph.words[token]}" if is_measure else relation
                self.introduce_role(term, role, each, box)
            elif relation in CLAUSAL:
                self.say_inner(relation, each, term, box)
            elif relation not in STRUCTURAL and self.graph.sorts[each] is not SemanticSort.NONE:
                self.said.add(each)
                if self.graph.words[each] in SAYING_NOTHING:
                    continue
                box.say(Atom(f"{self.graph.words[each]} {self.predicate(token)}", (term,)))

    def _compare(
        self, how: str, token: int, term: Term, standards: Sequence[int], box: Box
    ) -> None:
        """*faster than the other one*: a relation, which does not say that anything is fast."""
        name = f"{how} {self.graph.words[token]}"
        self.said.update(self.graph.children(token, "advmod"))
        if not standards:
            box.say(Atom(f"{name}:a", (term,)))
        for standard in standards:
            quantifier = self.contexts.quantifiers[standard]
            if quantifier >= 0 and self.graph.parse.words[quantifier] == "any":
                say = partial(self._say_compared, term, name, standard)
                self.say_of_all(standard, box, say)
            else:
                self.introduce([standard], box, partial(self._say_compared, term, name, standard))

    def _say_compared(self, term: Term, name: str, standard: int, box: Box) -> None:
        """*taller than Ann and Tom*: than each of them; who is as tall as another, that is as tall too."""
        group = self.groups.get(standard)
        if not self.is_there(standard) or (group is not None and group.is_or):
            self.say_role(term, name, standard, box)
            return
        for each in self.each_of(standard):
            box.say(Atom(name, (term, each)))
            # what is asked is only that it is no less
            if name.startswith("as ") and self.asserted and not self.literal:
                box.say(Atom(name, (each, term)))

    def superlatives(self, token: int) -> list[int]:
        """*the biggest dog*: the adjectives that say of all others of a kind that they are so less."""
        return [each for each in self.graph.children(token, "quality") if self._is_ranked(each)]

    def _is_ranked(self, quality: int) -> bool:
        parse = self.graph.parse
        most = [parse.words[each] for each in self.graph.children(quality, "advmod")]
        return parse.tags[quality] == "JJS" or "most" in most

    def say_most(self, token: int, quality: int, term: Term, box: Box) -> None:
        """*the biggest dog*: it is bigger than all other dogs."""
        self.said |= {quality, *self.graph.children(quality, "advmod")}
        self.ranked.add(quality)
        other, outside = Variable(f"o{token}"), set(self.terms)
        with self.inside(turned=True) as kind:
            kind.variables.append(other)
            self.restrict(token, other, kind)
        # what goes with the other ones is introduced once more for this one; what stands outside of
        # the phrase stays, also where a wrong parse makes it a part of it
        for each in set(self.terms) - outside:
            del self.terms[each]
        self.terms[token] = term
        self.ranked.discard(quality)
        more = Atom(f"more {self.graph.words[quality]}", (term, other))
        less = Implies(conjunction(kind.conditions), disjunction((Equal(other, term), more)))
        box.say(for_all(kind.variables, less))
