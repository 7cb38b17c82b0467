"""Qualities and quantities: adjectives and adverbs, how they compare; numbers, shares, exceptions."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial

from ensue.language.contexts import Quantity
from ensue.language.values import Value
from ensue.logic.formulas import (
    Atom,
    Constant,
    Equal,
    Implies,
    Not,
    Term,
    Variable,
    conjunction,
    disjunction,
    exists,
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
    proposition,
)
from ensue.logic.rewriting.draft import SemanticSort

EXACT = frozenset(("exactly", "exact", "precisely", "precise", "only", "just"))
"""Adverbs, and their adjectives, after which no more are meant."""
_SINGLING = frozenset(("particular", "certain", "specific", "given"))
"""Adjectives that say which one is meant, beside a noun, and nothing of it."""
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
    def say_of_all(
        self, token: int, box: Box, go: Go, noun: int = -1, *, exists_some: bool = True
    ) -> None:
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
        if self.graph.parse.words[token] == "longer" and token in self.said:
            return  # *no longer*
        if self._is_ranked(token) and self._is_of_noun(token):
            return  # said of all others of the kind, once the kind is known
        self.said.add(token)
        if (
            (word == "there" and self._is_of_noun(token))
            or word in SAYING_NOTHING
            or self.graph.parse.words[token] in SAYING_NOTHING
            or word in NOT_REALLY
            or (word in _SINGLING and self._is_of_noun(token))
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


# Numbers of things as predicates.

_PREFIX = "at least "


def at_least(number: float) -> str:
    """The predicate of so many things or more; of one thing or more nothing need be said."""
    least = math.ceil(number)
    # first-order logic could count by naming so many different things, but ten of them take 45
    # inequalities; a predicate of the group, with rules that three are at least two, takes one
    return "" if least <= 1 else f"{_PREFIX}{least}"


def is_exact(words: Sequence[str], number: Value) -> bool:
    """Whether no more are meant: *exactly two*."""
    before = words[max(number.first - 1, 0) : number.last]
    return not EXACT.isdisjoint(before)


def limits(number: Value) -> tuple[float, float]:
    """The least and the most that there may be: 0 and infinity where there is no limit."""
    least, most = max(number.low, 0.0), number.high
    # `more than two` are at least three, since things are counted whole
    if number.strict:
        least = math.floor(least) + 1 if number.low > 0 else 0.0
        most = math.ceil(most) - 1 if math.isfinite(most) else most
    return least, most


_SHARE = "of all, "
_ALL_OF = 100.0


def share_name(percent: float, *, more: bool) -> str:
    """What is said of so many of a kind, or more than so many."""
    return f"{_SHARE}{'more than' if more else 'at least'} {percent:.6g} %"


MANY = {Quantity.MOST: share_name(50, more=True), Quantity.MANY: "many"}
"""Quantities that depend on the kind."""
GOOD_MANY = "a good many"
_LIMITLESS = frozenset(("least", "majority", "more", "most", "over"))
"""Words of portions that leave room for all."""


class QuantityReader(QualityReader, ABC):
    """Reads how many of a kind something is said of."""

    @abstractmethod
    def say_there_is(self, token: int, box: Box, go: Go, number: str = "") -> None:
        """Say something of a thing, or of so many, that a noun phrase is true of."""

    @abstractmethod
    def describe(self, token: int, term: Term, box: Box) -> None:
        """Say what a noun and the words beside it say, but for its clauses."""

    @abstractmethod
    def joined(self, token: int) -> list[int]:
        """What is joined to a noun by *and* or *or*, and to that."""

    @abstractmethod
    def is_name(self, token: int) -> bool:
        """Whether a noun is the name of one thing."""

    # Quantities

    def quantify(self, token: int, box: Box, go: Go) -> None:
        """Say something of so many of a kind as a noun phrase says."""
        quantity, number = self.contexts.quantities[token], self.number_of(token)
        portion = self.graph.child(token, "portion")
        excepted = self.graph.child(token, "all-but")
        quantifier = self.contexts.quantifiers[token]
        if quantifier >= 0 and self.graph.parse.parts[quantifier] in ("PRON", "ADJ", "DET"):
            self.said.add(quantifier)  # *most of the dogs* has it for a noun of its own
        for each in self.graph.children(token, "det"):
            if self.graph.words[each] in ("lot", "plenty"):
                self.said.add(each)
        spared = self._spared(token)
        if spared and quantity in (Quantity.ALL, Quantity.NO):
            self._say_of_others(token, spared, box, go)
        elif excepted >= 0:
            self._say_all_but(token, excepted, box, go)
        elif portion >= 0 and quantity not in MANY:
            self._say_portion(token, portion, box, go)
        elif token in self.generic:
            self.say_of_all(token, box, go, exists_some=False)
        elif number is not None:
            self._count(token, number, box, go)
        elif quantity is Quantity.ALL and not self.is_denied(token):
            # *both dogs* are all of them, and two
            if quantifier >= 0 and self.graph.words[quantifier] == "both" and self.asserted:
                with self.inside() as two:
                    self.say_there_is(token, two, go, at_least(2))
                box.say(two.formula())
                self.forget(token)
            self.say_of_all(token, box, go)
        # all are most, where it is asked
        elif quantity is Quantity.MOST and not self.asserted and not self.literal:
            self._say_there_is_share(token, box, go, MANY[quantity])
        elif quantifier >= 0 and self.graph.words[quantifier] == "several":
            self.say_there_is(token, box, go, at_least(2))
        # `not every dog barks` denies the universal: some dog does not. It is turned, so what is
        # inside is no longer claimed
        elif quantity in (Quantity.ALL, Quantity.NOT_ALL):
            with self.inside(turned=True) as inner:
                self.say_of_all(token, inner, go)
            box.say(Not(inner.formula()))
        elif quantity is Quantity.NO:
            self.said.add(self.contexts.quantifiers[token])
            self.say_there_is_none(token, box, go)
        # `few dogs bark`: there is no good number of dogs that bark. That some do is only hinted at
        elif quantity is Quantity.FEW:
            self.say_there_is_none(token, box, go, GOOD_MANY)
        else:
            self.say_there_is(token, box, go)

    def number_of(self, token: int) -> Value | None:
        """How many of something there are, where that is said in figures."""
        for each in self.graph.children(token, "nummod", "compound"):
            # `about ten men` has no limits that a proof could use; behind its noun, as in `room 5`,
            # a number counts nothing
            if each in self.numbers and each < token and not self.numbers[each].approximate:
                return self.numbers[each]
        return None

    def _count(self, token: int, number: Value, box: Box, go: Go) -> None:
        """At least, at most, or exactly so many."""
        words = self.graph.parse.words
        start = number.first - (number.first > 0 and words[number.first - 1] in EXACT)
        self.said.update(range(start, number.last))
        least, most = limits(number)
        exact = is_exact(words, number)
        if least > 0:
            self.say_there_is(token, box, go, at_least(least))
        # `two dogs bark` leaves room for a third (a scalar implicature is no entailment); only `at
        # most` and `exactly` deny it, by the same sentence about one more
        if token not in self.limited and math.isfinite(most) and (most > least or exact):
            self.forget(token)
            self.say_there_is_none(token, box, go, at_least(most + 1))

    def forget(self, token: int) -> None:
        """Let a noun phrase be introduced once more, with all that is in it."""
        if self.terms.pop(token, None) is not None:
            for _, each in self.arguments(token):
                self.forget(each)

    def say_there_is_none(
        self, token: int, box: Box, go: Go, number: str = "", noun: int = -1
    ) -> None:
        """Deny something of all things of a kind, or of so many."""
        with self.inside(turned=True) as inner:
            if noun < 0:
                self.say_there_is(token, inner, go, number)
            else:
                self.terms[token] = self.terms[noun] = self.new("x", noun, inner)
                if number:
                    inner.say(Atom(number, (self.terms[noun],)))
                self.describe(noun, self.terms[noun], inner)
                go(inner)
        box.say(Not(inner.formula()))

    def _spared(self, token: int) -> list[int]:
        """The names behind *but* and *except*, while nothing was said of them."""
        if token in self.spared:
            return []
        found = [
            name
            for each in self.graph.children(token, "excepted")
            for name in (each, *self.joined(each))
        ]
        return found if all(map(self.is_name, found)) else []

    def _say_of_others(self, token: int, spared: Sequence[int], box: Box, go: Go) -> None:
        """*everyone but Rex left*: all others did, and Rex did not; *nobody but Rex*, the reverse."""
        names = tuple(Constant(self.graph.words[each]) for each in spared)
        words = self.graph.parse.words
        self.said.update(spared)
        self.said.update(i for i in range(token, spared[0]) if words[i] in ("but", "except"))
        self.spared[token] = names
        self.quantify(token, box, go)
        for name in names:
            self.forget(token)
            self.terms[token] = name
            if self.contexts.quantities[token] is Quantity.NO:
                go(box)
                continue
            with self.inside(turned=True) as denied:
                go(denied)
            box.say(Not(denied.formula()))

    def _say_all_but(self, token: int, number: int, box: Box, go: Go) -> None:
        """*all but three dogs barked*: some barked, three did not, and no fourth did not."""
        value = self.numbers.get(number)
        n = math.ceil(value.low) if value is not None else 1
        self.said.update((number, *self._before(number)))

        def deny(outer: Box) -> None:
            with self.inside(turned=True) as denied:
                go(denied)
            outer.say(Not(denied.formula()))

        # those who do not are others than those who do, and may not be called by one constant
        with self.inside() as others:
            self.say_there_is(token, others, deny, at_least(n))
        box.say(others.formula())
        self.forget(token)
        self.say_there_is_none(token, box, deny, at_least(n + 1))
        self.forget(token)
        self.say_there_is(token, box, go)

    def _before(self, number: int) -> list[int]:
        """*all but*, before a number."""
        words = self.graph.parse.words
        return [
            i for i in range(max(number - 2, 0), number) if words[i] in ("all", "but", "except")
        ]

    def _say_portion(self, token: int, portion: int, box: Box, go: Go) -> None:
        """*half of the dogs bark*: some do, of all dogs so many, and not all of them."""
        words, below = self.graph.parse.words, self._below(portion, token)
        name = " ".join(
            words[each] for each in below if words[each] not in ("a", "an", "the", "of")
        )
        self.said.update(below)
        share = self.shares.get(portion)
        if share is not None:
            self._say_share(token, share, box, go)
            return
        self._say_so_many(token, box, go, name)
        if _LIMITLESS.isdisjoint(words[each] for each in below):
            self.forget(token)
            with self.inside(turned=True) as inner:
                self.say_of_all(token, inner, go)
            box.say(Not(inner.formula()))

    def _say_share(self, token: int, share: Value, box: Box, go: Go) -> None:
        """*less than half of the dogs*, *80 % of the dogs*: of all dogs so many, at least or at most."""
        self.said.update(range(share.first, share.last))
        exact = share.low == share.high
        if self.asserted and share.low <= 0:  # of dogs of which few bark there are some
            with self.inside() as kind:
                term = self.terms[token] = self.new("x", token, kind)
                self.restrict(token, term, kind)
            box.say(kind.formula())
            self.forget(token)
        if share.low > 0:
            name = share_name(share.low, more=share.strict)
            self._say_there_is_share(token, box, go, name)
        if share.high < _ALL_OF and (share.low <= 0 or not exact):
            self.forget(token)
            with self.inside(turned=True) as denied:
                name = share_name(share.high, more=not share.strict)
                self._say_there_is_share(token, denied, go, name)
            box.say(Not(denied.formula()))
        elif exact and share.high < _ALL_OF:
            self.forget(token)
            with self.inside(turned=True) as inner:
                self.say_of_all(token, inner, go)
            box.say(Not(inner.formula()))

    def _say_there_is_share(self, token: int, box: Box, go: Go, name: str) -> None:
        """That of so many something is said; of all, too, where it is asked for."""
        if self.asserted or self.literal:
            self._say_so_many(token, box, go, name)
            return
        with self.inside() as some:
            self._say_so_many(token, some, go, name)
        self.forget(token)
        with self.inside() as whole:
            with self.inside() as kind:
                term = self.terms[token] = self.new("x", token, kind)
                self.restrict(token, term, kind)
            whole.say(kind.formula())
            self.forget(token)
            self.say_of_all(token, whole, go)
        box.say(disjunction((some.formula(), whole.formula())))

    def _say_so_many(self, token: int, box: Box, go: Go, name: str) -> None:
        term = self.terms[token] = self.new("x", token, box)
        self.say_how_many(token, term, box, name)
        self.restrict(token, term, box)
        go(box)

    def _below(self, portion: int, noun: int) -> list[int]:
        """The words of a portion, without those of what it is a portion of."""
        parse = self.graph.parse
        found = []
        for token in range(portion + 1):
            above = token
            while above >= 0 and above not in (portion, noun):
                above = parse.heads[above]
            if above == portion:
                found.append(token)
        return found

    def say_of_all(
        self, token: int, box: Box, go: Go, noun: int = -1, *, exists_some: bool = True
    ) -> None:
        """Say something of all that a noun phrase, or one of several nouns in it, is true of."""
        noun = token if noun < 0 else noun
        with self.inside(turned=True) as condition:
            term = Variable(f"x{noun}")
            condition.variables.append(term)
            self.terms[token] = self.terms[noun] = term
            if noun == token and not self.joined(token):
                self.restrict(token, term, condition)
            else:
                self.describe(noun, term, condition)
            # the condition of a universal turns what is claimed, its consequence does not: of
            # *every man sang* a man may be exchanged for a tall man, and sang for made a sound
            self.asserted = not self.asserted
            with self.inside() as consequence:
                go(consequence)
            self.asserted = not self.asserted
        supposed = conjunction(condition.conditions)
        if (
            exists_some and self.asserted and condition.conditions
        ):  # of all there are, there are some
            box.say(exists(condition.variables, supposed))
        box.say(for_all(condition.variables, Implies(supposed, consequence.formula())))

    def say_how_many(self, token: int, term: Term, box: Box, name: str) -> None:
        """That things are most or many of a kind, which must be the very same kind to be the same."""
        with self.inside(literal=True) as kind:
            self.restrict(token, term, kind)
        self.forget(token)
        self.terms[token] = term
        box.say(proposition(name, kind.formula(), term))
