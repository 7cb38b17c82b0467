"""Events, places and predicates: that something happens or holds, and who takes part in it."""

from __future__ import annotations

from collections.abc import Sequence

from ensue.language.contexts import Quantity
from ensue.logic.formulas import Constant, Formula, Not, Term, conjunction, disjunction
from ensue.logic.meaning.box import Box
from ensue.logic.meaning.nouns import NounReader
from ensue.logic.meaning.state import CLAUSAL, STRUCTURAL
from ensue.logic.rewriting import Sort


class EventReader(NounReader):
    """Reads what a clause says once its things, negations and moods are in place."""

    def say_core(self, token: int, box: Box) -> None:
        """That the event is there, and who takes part in it; or what something is said to be."""
        graph = self.graph
        subject = graph.child(token, "agent" if graph.words[token] == "be" else "said-of")
        if graph.words[token] == "be" and self.is_there(subject):
            for term in self.each_of(subject):
                self._say_place(token, subject, term, box)
        elif graph.sorts[token] is Sort.EVENT and token not in graph.parse.copulas:
            self._say_event(token, box)
        elif self.is_there(subject):
            for term in self.each_of(subject):
                self._say_predicates(token, term, box)
        else:
            self.introduce([token], box, lambda _: None)

    def _say_predicates(self, token: int, term: Term, box: Box) -> None:
        """*John is a doctor and a lawyer*: he is both, or one of them."""
        formulas = []
        others = self.joined(token)
        if not others:
            self.terms[token] = term
            self._say_predicate(token, term, box)
            return
        for each in (token, *others):
            with self.inside() as inner:
                self.terms[each] = term
                self._say_predicate(each, term, inner)
            formulas.append(inner.formula())
        box.say(
            disjunction(formulas) if self.graph.children(token, "or") else conjunction(formulas)
        )

    def _say_predicate(self, token: int, term: Term, box: Box) -> None:
        """*John is a doctor*, *the walk was quick*, *Mary is no baker*."""
        if self.graph.sorts[token] is Sort.QUALITY:
            self.say_quality(token, term, box)
        elif self.contexts.quantities[token] is Quantity.NO:
            self.said.add(self.contexts.quantifiers[token])
            with self.inside(turned=True) as denied:
                self.restrict(token, term, denied)
            box.say(Not(denied.formula()))
        else:
            self.restrict(token, term, box)

    def _say_place(self, token: int, subject: int, term: Term, box: Box) -> None:
        """*John is in Paris*: what is said of being somewhere is said of who is there."""
        for relation, each in self.graph.links[token]:
            if each == subject or relation in STRUCTURAL:
                continue
            if (relation, each) in self.arguments(token):
                self.say_role(term, relation, each, box)
            elif relation in CLAUSAL:
                self.say_inner(relation, each, term, box)
            else:
                self.say_quality(each, term, box)

    def _say_event(self, token: int, box: Box) -> None:
        groups = [each for _, each in self.arguments(token) if each in self.groups]
        if groups:
            self._distribute(token, groups, box)
            return
        self.terms[token] = self.same_event(token, box) or self.new("e", token, box)
        self.restrict(token, self.terms[token], box)

    def same_event(self, token: int, box: Box) -> Term | None:
        """The event that was spoken of before with the same verb and the same participants."""
        if box is not self.top or not self.is_text:
            return None
        said = self._signature(token)
        for earlier, term in self.terms.items():
            if earlier != token and self.graph.words[earlier] == self.graph.words[token]:
                is_event = self.graph.sorts[earlier] is Sort.EVENT and isinstance(term, Constant)
                if is_event and said and self._signature(earlier) == said:
                    return term
        return None

    def _signature(self, token: int) -> frozenset[tuple[str, Term]]:
        return frozenset(
            (role, self.terms[each])
            for role, each in self.arguments(token)
            if each in self.terms and isinstance(self.terms[each], Constant)
        )

    def _distribute(self, token: int, groups: Sequence[int], box: Box) -> None:
        """*John and Mary left*: both of them together, or each for himself."""
        first, rest = groups[0], groups[1:]
        group = self.groups[first]
        ways = [group.members] if group.is_or else [(group.term,), group.members]
        if self.literal:
            ways = [group.members]
        for_each = [[self._version(token, first, term, rest) for term in way] for way in ways]
        if group.is_or:
            box.say(disjunction(for_each[0]))
        elif self.asserted or self.literal:
            box.say(*(each for way in for_each for each in way))
        else:
            box.say(disjunction(conjunction(way) for way in for_each))

    def _version(self, token: int, group: int, term: Term, rest: Sequence[int]) -> Formula:
        """An event in which one thing stands for a group."""
        whole, single = self.groups.pop(group), self.terms[group]
        self.terms[group] = term
        with self.inside() as box:
            if term == whole.term and not self.is_open(term):
                self.bind(whole, box)
            if rest:
                self._distribute(token, rest, box)
            else:
                self.terms[token] = self.new("e", token, box)
                self.restrict(token, self.terms[token], box)
        self.groups[group], self.terms[group] = whole, single
        return box.formula()
