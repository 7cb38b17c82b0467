"""Noun phrases: what they introduce, how many of it, and what they say of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

from ensue.language.contexts import Quantity
from ensue.language.graphs import RELATIVE_TAGS
from ensue.logic.formulas import (
    Atom,
    Constant,
    Equal,
    Not,
    Term,
    Variable,
    disjunction,
)
from ensue.logic.meaning.discourse import (
    CLAUSAL,
    COLLECTIVES,
    EXCLUSIVE,
    MOOD,
    NOT_REALLY,
    PRONOUNS,
    STRUCTURAL,
    Box,
    Go,
    ReferentGroup,
    described,
    is_single,
    kind_of,
    measure_predicate,
    proposition,
)
from ensue.logic.meaning.qualities import (
    GOOD_MANY,
    MANY,
    QuantityReader,
    at_least,
    is_exact,
    limits,
)
from ensue.logic.rewriting.draft import SemanticSort

_DISTRIBUTED = frozenset((Quantity.ALL, Quantity.NO, Quantity.FEW))
"""Quantities that several nouns may share."""
_SINGLED_OUT = frozenset((Quantity.NONE, Quantity.THE, Quantity.SOME))
"""Quantities of what *only* says something of that no number says."""
_NAMELESS = frozenset((Quantity.NONE, Quantity.THE))
"""Quantities of names; a Swede and every Swede have none."""

_CONTENT = frozenset(("NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM", "PRON", "INTJ", "X"))
"""Parts of speech of which no word may be passed over."""


class NounReader(QuantityReader):
    """Reads noun phrases."""

    def introduce(self, tokens: Sequence[int], box: Box, go: Go) -> None:
        """Introduce things from the outermost on, and say the rest in their scope."""
        waiting = [token for token in tokens if not self.is_there(token)]
        if not waiting:
            go(box)
            return
        first, rest = waiting[0], waiting[1:]
        self._introduce_one(first, box, lambda inner: self.introduce(rest, inner, go))

    def _introduce_one(self, token: int, box: Box, go: Go) -> None:
        adverb = self._exclusive(token)
        if adverb >= 0 and adverb not in self.excluding:
            self.said.add(adverb)
            self.excluding.add(adverb)
            self._introduce_one(token, box, go)
            self._say_of_no_other(token, box, go)
            return
        # of *Ann, Tom and Max*, the parser joins Max to Tom: these two are no group of their own
        others = [] if token in self.members else self.joined(token)
        if not others:
            self.quantify(token, box, go)
            return
        self.members.update(others)
        # of *only two dogs or only three cats* there may be more, if there are no more of the others
        if self.graph.children(token, "or"):
            self.limited.update((token, *others))
        for each in (token, *others):
            self._limit(each, token, box, go)
        # `every man and woman sang` speaks of each man and of each woman; a group of `every man`
        # and `every woman` would be nobody in particular
        if self.contexts.quantities[token] in _DISTRIBUTED:
            for noun in (token, *others):
                if noun == token or self._shares_quantity(noun):
                    self._say_of_every(token, noun, box, go)
                else:
                    self._say_besides(token, noun, box, go)
            return

        def gather(inner: Box) -> None:
            self._gather(token, others, inner)
            go(inner)

        self.quantify(token, box, lambda inner: self.introduce(others, inner, gather))

    # Only

    def _exclusive(self, token: int) -> int:
        """The *only* that goes with a noun, or with the verb of which it is the object; -1 for none."""
        graph = self.graph
        if self.contexts.quantities[token] not in _SINGLED_OUT or self.number_of(token) is not None:
            return -1
        own = [each for each in graph.children(token, "advmod") if each < token]
        if self.contexts.quantities[token] is Quantity.NONE:  # *the only man* is another thing
            own += [each for each in graph.children(token, "quality") if each < token]
        for verb in self.governors[token]:
            roles = [role for role, each in self.arguments(verb) if each > verb]
            # *only barked* is no barking alone; *has only seen Rome* is of Rome, and so is *has only
            # been to Rome*, where there is no object
            if roles and graph.child(verb, roles[0]) == token:
                own += graph.children(verb, "advmod", "quality")
            # *only dogs barked*, where the parser hangs *only* on the verb
            elif token < verb:
                own += [
                    each for each in graph.children(verb, "advmod", "quality") if each == token - 1
                ]
        words = graph.parse.words
        return next((each for each in own if each < token and words[each] in EXCLUSIVE), -1)

    def _say_of_no_other(self, token: int, box: Box, go: Go) -> None:
        """*only dogs barked*: nothing barked that is no dog."""
        members = [token, *self.joined(token)]
        known = {each: self.terms[each] for each in members if each in self.terms}
        groups = [
            each for each in self.groups if each not in members and not self.groups[each].is_or
        ]
        for alone in product(*(self.groups[each].members for each in groups)):
            # *Ann and Tom saw only Rome* says so of each of them
            whole = {each: (self.groups.pop(each), self.terms[each]) for each in groups}
            self.terms |= dict(zip(groups, alone, strict=True))
            self._deny_of_others(token, members, box, go)
            for each, (group, term) in whole.items():
                self.groups[each], self.terms[each] = group, term
        own = self.groups.get(token)
        self.terms |= known
        if own is not None:
            self.groups[token] = own

    def _deny_of_others(self, token: int, members: Sequence[int], box: Box, go: Go) -> None:
        group = self.groups.pop(token, None)
        with self.inside(turned=True) as denied:
            other = Variable(f"o{token}")
            denied.variables.append(other)
            for each in members:
                with self.inside(turned=True) as kind:
                    if self.is_name(each):
                        kind.say(Equal(other, Constant(self.graph.words[each])))
                    else:
                        self.restrict(each, other, kind)
                denied.say(Not(kind.formula()))
            if group is not None and self.is_open(group.term):
                denied.say(Not(Equal(other, group.term)))
            self.terms[token] = other
            go(denied)
        box.say(Not(denied.formula()))
        if group is not None:
            self.groups[token] = group

    def _shares_quantity(self, noun: int) -> bool:
        """*every man and woman*: a noun without a word of its own for how many."""
        own = self.contexts.quantities[noun] in (Quantity.NONE, *_DISTRIBUTED)
        return own and not self.is_name(noun)

    def _say_besides(self, token: int, noun: int, box: Box, go: Go) -> None:
        """*every man and Mary*: the same of Mary too, who is no man."""

        def rest(inner: Box) -> None:
            self.terms[token] = self.terms[noun]
            go(inner)

        self.quantify(noun, box, rest)
        self.terms.pop(token, None)

    def _say_of_every(self, token: int, noun: int, box: Box, go: Go) -> None:
        """*every man and woman*: the same of every woman too."""
        said = set(self.terms)
        if self.contexts.quantities[token] is Quantity.ALL:
            self.say_of_all(token, box, go, noun)
        else:
            few = self.contexts.quantities[token] is Quantity.FEW
            self.say_there_is_none(token, box, go, GOOD_MANY if few else "", noun)
        for each in set(self.terms) - said:
            del self.terms[each]

    def joined(self, token: int) -> list[int]:
        """What is joined to a noun by *and* or *or*, and to that."""
        found = []
        for each in self.graph.children(token, "and", "or"):
            found += [each, *self.joined(each)]
        return found

    def is_joined(self, token: int) -> bool:
        """Whether a noun is read as one of several, all joined in the same way."""
        if self.graph.sorts[token] is not SemanticSort.THING:
            return False
        token = min(self._joining(token), default=token)
        ways = {
            relation
            for each in (token, *self.joined(token))
            for relation, _ in self.graph.links[each]
        }
        return not {"and", "or"} <= ways

    def _joining(self, token: int) -> set[int]:
        """The nouns that a noun is joined to by *and* or *or*, and those that they are joined to."""
        found: set[int] = set()
        waiting = [token]
        while waiting:
            below = waiting.pop()
            for each in self.governors[below] - found:
                if below in self.graph.children(each, "and", "or"):
                    found.add(each)
                    waiting.append(each)
        return found

    def _gather(self, token: int, others: Sequence[int], box: Box) -> None:
        """Speak of several things together."""
        members = tuple(self.terms[each] for each in (token, *others))
        is_or = bool(self.graph.children(token, "or"))
        # a text says that the group is there, so it is a thing; in a hypothesis it would ask the
        # text for the very same group, where its members are enough
        if is_or or not self.asserted:
            self.groups[token] = ReferentGroup(Variable(f"g{token}"), members, is_or)
        else:
            self.groups[token] = ReferentGroup(self.new("g", token, box), members, is_or)
            box.say(*self.groups[token].conditions())
        for clause in self.graph.children(token, "relative"):
            self.say_clause(clause, box)

    def _limit(self, noun: int, group: int, box: Box, go: Go) -> None:
        """*only two dogs and three cats*: of either no more, whatever becomes of the others."""
        number = self.number_of(noun)
        most = limits(number)[1] if number is not None else math.inf
        if number is None or not math.isfinite(most) or noun in self.limited:
            return
        if most > limits(number)[0] or is_exact(self.graph.parse.words, number):
            self.limited.add(noun)

            def alone(inner: Box) -> None:
                self.terms[group] = self.terms[noun]
                go(inner)

            self.say_there_is_none(noun, box, alone, at_least(most + 1))
            self.forget(noun)
            self.forget(group)

    def say_there_is(self, token: int, box: Box, go: Go, number: str = "") -> None:
        """Say something of a thing, or of so many, that a noun phrase is true of."""
        term, home = self._antecedent(token), box
        if term is None:
            term, home = self._found(token, box)
        self.terms[token] = term
        if number:
            home.say(Atom(number, (term,)))
        if self.contexts.quantities[token] in MANY:
            self.say_how_many(token, term, home, MANY[self.contexts.quantities[token]])
        mood, self.mood = self.mood, self.mood if home is box else ""
        if (
            # `Ann doubts the murder of the man`: there is the man, whoever doubts, but not the
            # murder
            home is box or self.graph.sorts[token] is SemanticSort.EVENT
        ):  # the man, but not the murder, is there
            self.mood = self.moods.get(token, self.mood)
        self.restrict(token, term, home)
        self.mood = mood
        go(box)

    def _found(self, token: int, box: Box) -> tuple[Term, Box]:
        """A new thing, and the box that it is introduced in: of definites the outermost."""
        self.said.add(token)
        if self.is_name(token):
            return Constant(self.graph.words[token]), box
        is_event = self.graph.sorts[token] is SemanticSort.EVENT
        # `no dog saw the cat`: the cat exists outside of the negation (definites have widest
        # scope), unless it depends on something inside: `no dog saw the cat that it chased`
        if self.contexts.quantities[token] is Quantity.THE and not self._is_local(token):
            box = self.top
        if not is_event:
            self.known.setdefault(self.graph.words[token], []).append(token)
        return self.new("e" if is_event else "x", token, box), box

    def is_name(self, token: int) -> bool:
        """Whether a noun is the name of one thing."""
        is_proper = self.graph.parse.parts[token] == "PROPN" and token not in self.measures
        return is_proper and self.contexts.quantities[token] in _NAMELESS

    def _antecedent(self, token: int) -> Term | None:
        """What a definite noun stands for, where the like was spoken of before."""
        word = self.graph.words[token]
        known = self.referents.get(kind_of(word))
        # *a man is not talking on the phone*: definites are outside of negations, and so are what they
        # stand for
        reached = len(self.open) == 1 or self.contexts.quantities[token] is Quantity.THE
        if known is not None and reached and is_single(self.graph, self.contexts, token):
            term, said = known
            if described(self.graph, token) <= said:
                return term
        if self.contexts.quantities[token] is not Quantity.THE:
            return None
        if self.graph.sorts[token] is not SemanticSort.THING or self.is_name(token):
            return None
        # `A man came. The man sang.`: the nearest one of the same word of which no less was said
        for earlier in reversed(self.known.get(word, ())):
            if self.is_there(earlier) and self._may_be_same(token, earlier):
                return self.terms[earlier]
        return None

    def _may_be_same(self, token: int, earlier: int) -> bool:
        """Whether a definite noun says no more of its thing than was said of an earlier one.

        *The red car hit the blue car* is about two; so is whatever has two places in one event. A
        relative clause may say more, but not where the earlier noun has another one.
        """
        if not self.governors[token].isdisjoint(self.governors[earlier]):
            return False
        now, before = described(self.graph, token), described(self.graph, earlier)
        clauses = [
            {each for each in side if each.startswith("relative ")} for side in (now, before)
        ]
        differ = all(clauses) and clauses[0] != clauses[1]
        return now - clauses[0] <= before - clauses[1] and not differ

    def _is_local(self, token: int, above: frozenset[int] = frozenset()) -> bool:
        """Whether a definite thing depends on another that is introduced further in: *his wife*."""
        above = above | {token}
        clauses = self.graph.children(token, "relative")
        inside = [each for clause in clauses for _, each in self.arguments(clause)]
        for each in [*(each for _, each in self.arguments(token)), *inside]:
            term = self.terms.get(each)
            inner = isinstance(term, Variable) and term not in self.top.variables
            if inner or (term is None and each not in above and self._is_local(each, above)):
                return True
        return False

    # What is said of things

    def restrict(self, token: int, term: Term, box: Box) -> None:
        """Say what a noun phrase says of what it stands for."""
        # a `fake gun` is no gun and an `alleged thief` need be none: the noun is said inside a
        # proposition, from which nothing about guns follows
        doubtful = [
            each
            for each in self.graph.children(token, "quality", "amod", "compound", "nmod")
            if self.graph.words[each] in NOT_REALLY
        ]
        if doubtful:
            with self.inside(literal=True) as said:
                self.describe(token, term, said)
            word = self.graph.words[doubtful[0]]
            box.say(proposition(word, said.formula(), term))
        else:
            self.describe(token, term, box)
        if not self.joined(token) or token in self.graph.parse.copulas:
            for clause in self.graph.children(token, "relative"):
                self.say_clause(clause, box)
        for quality in self.superlatives(token):
            if quality not in self.ranked:
                self.say_most(token, quality, term, box)
        for name in self.spared.get(token, ()):
            box.say(Not(Equal(term, name)))
        for number in self.graph.children(token, "total"):
            box.say(Atom(f"of {self.graph.words[number]}", (term,)))

    def describe(self, token: int, term: Term, box: Box) -> None:
        """Say what a noun and the words beside it say, but for its clauses."""
        if not self.is_name(token) or token in self.graph.parse.copulas:
            self._say_noun(token, term, box)
        self.say_links(token, term, box)

    def _say_noun(self, token: int, term: Term, box: Box) -> None:
        self.said.add(token)
        word = PRONOUNS.get(self.graph.words[token])
        if token in self.measures:
            value = self.measures[token]
            self.said.update(range(value.first, value.last))
            box.say(Atom(measure_predicate(self.graph.parse.lemmas, value), (term,)))
        elif word is None:
            box.say(Atom(self.predicate(token), (term,)))
            # the sign of a currency is no word of its own: $5 is no €5
            if token in self.currencies:
                box.say(Atom(f"{self.currencies[token]}:currency", (term,)))
        elif word:
            mood = f"{self.mood}{MOOD}" if self.mood else ""
            box.say(Atom(f"{mood}{word}:n", (term,)))

    def say_links(self, token: int, term: Term, box: Box) -> None:
        """Say all that depends on a word, each in its way, and leave nothing out."""
        arguments = set(self.arguments(token))
        quantifier = self.contexts.quantifiers[token]
        for relation, each in self.graph.links[token]:
            if (relation, each) in arguments:
                self.introduce_role(term, relation, each, box)
            elif each == quantifier or self._is_of_share(each):
                self.said.add(each)
            elif relation in CLAUSAL or self.is_bare_clause(relation, each):
                self.say_inner(relation, each, term, box)
            elif relation not in STRUCTURAL and not (
                each in self.numbers or self._is_in_measure(token, each)
            ):
                self.say_quality(each, term, box)

    def _is_of_share(self, token: int) -> bool:
        """*at least half of the dogs*: whether a word belongs to a share, wherever the parser hangs it."""
        share = self.shares.get(token)
        return share is not None and any(
            relation == "portion" and self.shares.get(each) == share
            for links in self.graph.links
            for relation, each in links
        )

    def _is_in_measure(self, token: int, part: int) -> bool:
        """Whether a word is a part of the measure that a noun is."""
        return token in self.measures and self.measures.get(part) == self.measures[token]

    def introduce_role(self, term: Term, role: str, token: int, box: Box) -> None:
        """Say a role of something that may be new: *with no hat* says so of hats alone."""
        if role == "without":
            with self.inside(turned=True) as denied:
                self.introduce(
                    [token], denied, lambda inner: self.say_role(term, "with", token, inner)
                )
            box.say(Not(denied.formula()))
            return
        self.introduce([token], box, lambda inner: self.say_role(term, role, token, inner))

    def say_role(self, term: Term, role: str, token: int, box: Box) -> None:
        """Say what something is to another."""
        if not self.is_there(token):
            return
        if role == "npadvmod" and token in self.measures:
            role = "patient"  # *lasted two hours*, whatever the parser calls it
        other = self.term_of(token, box)
        ways = [Atom(each, (term, other)) for each in role.split("|")]
        if self.literal:
            box.say(Atom(role, (term, other)))
        else:
            box.say(*(ways if self.asserted else [disjunction(ways)]))
        if self.asserted and self.graph.words[token] in COLLECTIVES:
            for each in self.graph.children(token, "of"):
                self.say_role(term, role, each, box)

    # What is left, and what is over

    def say_the_rest(self) -> None:
        """Say of words that were not read that they stand there, so that none is passed over."""
        linked = {each for links in self.graph.links for _, each in links}
        for token, part in enumerate(self.graph.parse.parts):
            if (
                token not in self.said
                and part in _CONTENT
                and not self._is_said_otherwise(token, linked)
            ):
                self.top.say(Atom(f"{self.graph.parse.lemmas[token]}:unread", ()))

    def _is_said_otherwise(self, token: int, linked: set[int]) -> bool:
        """Whether what a word says is in another: of names, light verbs, pronouns that stand for it."""
        parse = self.graph.parse
        relation, head = parse.relations[token], parse.heads[token]
        if relation in STRUCTURAL or self.graph.words[token] == "be":
            return True
        if parse.tags[token] in RELATIVE_TAGS or (
            parse.parts[token] == "PRON" and token not in linked
        ):
            return True
        if head < 0:
            return False
        if relation == "compound" and self.is_name(head):
            return True
        return relation == "dobj" and self.graph.words[head] != parse.lemmas[head]

    def is_over(self, token: int) -> bool:
        """*no longer smokes*: what was the case, and is no more."""
        parse = self.graph.parse
        verb = parse.copulas.get(token, token)
        for each, word in enumerate(parse.words):
            ended = word == "longer" and parse.words[each - 1] == "no"
            if ended and parse.heads[each] in (verb, token):
                negators = {*self.contexts.negators[verb], *self.contexts.negators[token]}
                self.said.update((each, each - 1, *negators))
                return bool(negators)
        return False
