"""Clauses as boxes: events with their roles; negation, modality and complements in scope."""

from __future__ import annotations

from collections.abc import Sequence

from ensue.language.contexts import Commitment, Modality, Quantity, Tense
from ensue.logic.formulas import (
    Atom,
    Constant,
    Formula,
    Implies,
    Not,
    Term,
    conjunction,
    disjunction,
    for_all,
)
from ensue.logic.meaning.discourse import (
    ATTRIBUTING,
    CLAUSAL,
    CONDITIONAL,
    CONVINCED,
    EXCEPTING,
    FACTUAL,
    FACTUAL_PREPOSITIONS,
    FORMERLY,
    INTENSIONAL,
    NEGATIVE,
    STILL,
    STRUCTURAL,
    WISHING,
    Box,
    Go,
    proposition,
    unread,
)
from ensue.logic.meaning.nouns import NounReader
from ensue.logic.rewriting.draft import SemanticSort

# Events, places and predicates: that something happens or holds, and who takes part in it.


class EventReader(NounReader):
    """Reads what a clause says once its things, negations and moods are in place."""

    def say_core(self, token: int, box: Box) -> None:
        """That the event is there, and who takes part in it; or what something is said to be."""
        graph = self.graph
        subject = graph.child(token, "agent" if graph.words[token] == "be" else "said-of")
        if graph.words[token] == "be" and self.is_there(subject):
            for term in self.each_of(subject):
                self._say_place(token, subject, term, box)
        elif graph.sorts[token] is SemanticSort.EVENT and token not in graph.parse.copulas:
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
        if self.graph.sorts[token] is SemanticSort.QUALITY:
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
            # *Tom and Ann hid themselves*: one group may have two roles, and is taken apart once
            self._distribute(token, list(dict.fromkeys(groups)), box)
            return
        self.terms[token] = self.same_event(token, box) or self.new("e", token, box)
        self.restrict(token, self.terms[token], box)

    def same_event(self, token: int, box: Box) -> Term | None:
        """The event that was spoken of before with the same verb and the same participants."""
        # only a text that asserts two sentences about one event may be taken to mean one; a
        # hypothesis that asks for it twice is satisfied by one anyhow
        if box is not self.top or not self.is_text:
            return None
        said = self._signature(token)
        if not said:
            return None
        for earlier in self._namesakes(token):
            term = self.terms[earlier]
            if isinstance(term, Constant) and self._signature(earlier) == said:
                return term
        return None

    def _namesakes(self, token: int) -> list[int]:
        """The other events of the same verb, in the order in which they were introduced."""
        events = self.events.get(self.graph.words[token], ())
        found = [each for each in events if each != token and each in self.terms]
        if len(found) < 2:
            return found
        wanted = set(found)
        return [each for each in self.terms if each in wanted]

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
        # *John and Mary lifted the piano*: together or each. A text gives both readings, a
        # hypothesis takes either, so that the weaker one never fails for want of the other
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


# From a normalized graph to boxes: clauses with negation, modality and complements in their
# scope.

_DENIED = frozenset((Modality.NOT_POSSIBLE, Modality.NOT_NECESSARY))
"""Moods of which less does not follow from more: who cannot run fast may run."""
_DENYING = frozenset(("without", "instead_of"))
"""Prepositions of participles that are said to be false."""


class Reader(EventReader):
    """Reads one side of a pair.

    What is asserted is read as strongly, and what is asked as weakly as its words allow, so that
    *John and Mary left* gives both leavings, and is given by both of them.
    """

    def read(self) -> Box:
        """All that the sentences say."""
        parse = self.graph.parse
        for token in parse.order:
            if parse.heads[token] < 0:
                self._say_sentence(token)
        if self.is_text:
            self._say_commitments()
        self.say_the_rest()
        if self._misses_something():
            return Box([], [unread("sentence", asserted=self.is_text)])
        return self.top

    def _misses_something(self) -> bool:
        """Whether a word was passed over that turns what is said round: *not*, *but*, *or*."""
        parse = self.graph.parse
        for token, word in enumerate(parse.lemmas):
            head = parse.heads[token]
            if (
                word in NEGATIVE
                and token not in self.said
                and token not in self.contexts.quantifiers
            ):
                return True
            # *in case it rains* supposes the rain, *A rather than B* leaves B out
            after = parse.lemmas[token + 1 : token + 2]
            if (word, *after) == ("not", "until") and "that" in parse.lemmas[token:]:
                return True  # *it was not until noon that he left*: he did
            if word == "case" and parse.lemmas[token - 1 : token] == ["in"] and after != ["of"]:
                return True
            if (word, *after) == ("rather", "than") and not self.is_clause(head):
                return True
            if head < 0 or self.is_clause(head):
                continue
            if (
                token not in self.said
                and word in EXCEPTING
                and parse.relations[token] in ("cc", "prep", "mark", "conj")
            ):
                return True
            if word == "or" and parse.relations[token] == "cc" and not self.is_joined(head):
                return True
        return False

    def _say_sentence(self, token: int) -> None:
        """Say a sentence, or ask it, which says nothing."""
        kind = self._kind(token)
        if not kind:
            self.say_clause(token, self.top)
            return
        with self.inside(literal=True) as asked:
            self.say_clause(token, asked)
        self.top.say(proposition(kind, asked.formula()))

    def _kind(self, token: int) -> str:
        """What a sentence is that does not say anything: a question, an order, a wish."""
        parse = self.graph.parse
        if any(parse.words[each] == "?" for each in self.graph.children(token, "punct")):
            return "question"
        if self._mark(token) in CONDITIONAL:
            return "wish"
        bare = parse.tags[token] == "VB" and parse.child(token, "aux", "nsubj", "nsubjpass") < 0
        return "order" if bare else ""

    def say_clause(self, token: int, box: Box) -> None:
        """Say a clause, and those that are joined to it; nothing of one that is being said."""
        if token in self.saying:
            return
        self.saying.append(token)
        self._say_cluster(token, box)
        self.saying.remove(token)

    def _say_cluster(self, token: int, box: Box) -> None:
        graph = self.graph
        others = [each for each in graph.children(token, "conj") if self.is_clause(each)]
        if not others:
            self._say_conditionally(token, box)
            return
        members = [token, *others]
        # *did not eat and drink* denies the two together: who ate without drinking makes it true
        if self._is_negated(token) and self._shares_negation(token, others):
            self._deny_all(members, box)
            return
        words = {graph.parse.conjunctions.get(each, "and") for each in others}
        say = self._say_either if "or" in words else self._say_all
        self._share(members, box, lambda inner: say(members, inner))

    def _shares_negation(self, token: int, others: Sequence[int]) -> bool:
        """*did not eat and drink*: whether the verbs after the first have no auxiliary of their own."""
        # *did not eat and did drink*, *did not eat and she drank*: a verb with any of these begins
        # a claim of its own
        own = ("aux", "auxpass", "neg", "nsubj", "nsubjpass", "expl")
        parse = self.graph.parse
        return token not in parse.copulas and not any(
            parse.child(each, *own) >= 0 or each in parse.copulas for each in others
        )

    def _deny_all(self, members: Sequence[int], box: Box) -> None:
        """Deny verbs together, as one."""
        self.affirmed.add(members[0])
        self.saying.remove(members[0])

        def deny(outer: Box) -> None:
            with self.inside(turned=True) as denied:
                self.say_clause(members[0], denied)
            outer.say(Not(denied.formula()))

        self._share(members, box, deny)
        self.saying.append(members[0])

    def _say_all(self, members: Sequence[int], box: Box) -> None:
        self._say_conditionally(members[0], box)
        for each in members[1:]:
            self.say_clause(each, box)

    def _say_either(self, members: Sequence[int], box: Box) -> None:
        formulas = []
        for each in members:
            with self.inside() as inner:
                if each == members[0]:
                    self._say_conditionally(each, inner)
                else:
                    self.say_clause(each, inner)
            formulas.append(inner.formula())
        box.say(disjunction(formulas))

    def _share(self, members: Sequence[int], box: Box, go: Go) -> None:
        """Introduce what several clauses share, with scope over all of them."""
        counts: dict[int, int] = {}
        for member in members:
            for each in self._spoken_of(member):
                counts[each] = counts.get(each, 0) + 1
        shared = [each for each, count in counts.items() if count > 1 and each < members[0]]
        self.introduce(sorted(shared), box, go)

    def _spoken_of(self, token: int) -> list[int]:
        """The things that a clause speaks of."""
        subjects = self.graph.children(token, "said-of")
        roles = (each for role, each in self.arguments(token) if role != "without")
        return [*roles, *subjects]

    # Conditions, negation and modality

    def _say_conditionally(self, token: int, box: Box) -> None:
        """Say a clause under the condition that an if-clause makes."""
        conditions = [
            each for each in self.graph.children(token, "advcl") if self._mark(each) in CONDITIONAL
        ]
        if not conditions:
            self._say_one(token, box)
            return
        # *she sings unless he leaves*: he leaves or she sings; that she does not sing when he
        # leaves is only hinted at
        if self._mark(conditions[0]) == "unless":
            self._say_unless(token, conditions, box)
            return
        with self.inside(turned=True) as supposed:
            for each in conditions:
                self.say_clause(each, supposed)
            self.asserted = not self.asserted
            with self.inside() as consequence:
                self._say_one(token, consequence)
            self.asserted = not self.asserted
        # *if a man sings, he smiles* (a donkey sentence): what the condition introduces is bound by
        # a universal, so that *he* is any such man
        condition = conjunction(supposed.conditions)
        box.say(for_all(supposed.variables, Implies(condition, consequence.formula())))

    def _say_unless(self, token: int, conditions: Sequence[int], box: Box) -> None:
        with self.inside() as exception:
            for each in conditions:
                self.say_clause(each, exception)
        with self.inside() as consequence:
            self._say_one(token, consequence)
        box.say(disjunction((exception.formula(), consequence.formula())))

    def _mark(self, token: int) -> str:
        marks = [self.graph.parse.lemmas[each] for each in self.graph.children(token, "mark")]
        return "if" if "if" in marks else marks[0] if marks else ""

    def _say_one(self, token: int, box: Box) -> None:
        """Say one clause: what stands before its verb has scope over negation, the rest is in it."""
        verb = self.graph.parse.copulas.get(token, token)
        spoken = self._spoken_of(token)
        # *seeks a unicorn*: what is sought need not be there, so its noun is said in the mood of
        # the verb
        if self.graph.words[token] in INTENSIONAL:
            sought = [
                each
                for role, each in self.arguments(token)
                if role.startswith("patient") and each not in self.generic
            ]
            self.moods |= dict.fromkeys(sought, self.graph.words[token])
        # scope by the order of words: *every man did not sing* is read as none of them sang, *did
        # not see every man* as not all were seen
        before = sorted(each for each in spoken if each < verb)
        after = sorted(each for each in spoken if each >= verb)

        def rest(inner: Box) -> None:
            self.introduce(after, inner, lambda last: self.say_core(token, last))

        self.introduce(before, box, lambda inner: self._negate(token, inner, rest))
        # *no longer a pilot*: who was one
        if self.asserted and box is self.top and self.is_over(token):
            for each in after:
                self.forget(each)
            self.terms.pop(token, None)
            self.mood = FORMERLY
            self.introduce(before, box, rest)
            self.mood = ""

    def _negate(self, token: int, box: Box, go: Go) -> None:
        if self.is_over(token):
            with self.inside(turned=True) as inner:
                self.mood = STILL
                go(inner)
            box.say(Not(inner.formula()))
            return
        if not self._is_negated(token):
            self._modify(token, box, go)
            return
        with self.inside(turned=True) as inner:
            self._modify(token, inner, go)
        box.say(Not(inner.formula()))

    def _is_negated(self, token: int) -> bool:
        """Whether a clause is negated as such, and not by one of its noun phrases."""
        verb = self.graph.parse.copulas.get(token, token)
        negators = {*self.contexts.negators[verb], *self.contexts.negators[token]}
        clausal = [
            each
            for each in negators
            if each not in self.contexts.quantifiers
            # *not every dog*: the *not* belongs to the quantity, and was said with it
            and each + 1 not in self.contexts.quantifiers
            and self.graph.sorts[each] is not SemanticSort.THING
        ]
        self.said.update(clausal)
        # two negators of one clause, as in *never did not come*, cancel each other
        return len(clausal) % 2 == 1 and token not in self.affirmed

    def _modify(self, token: int, box: Box, go: Go) -> None:
        """Say that something may or must be rather than that it is."""
        kind = self._mood(token)
        if not kind:
            go(box)
        # *cannot run fast* does not say *cannot run*: under a denied mood, dropping a word makes a
        # sentence stronger. So it is kept whole, as a proposition that only equals itself
        elif kind in _DENIED:
            with self.inside(literal=True) as inner:
                go(inner)
            box.say(proposition(kind, inner.formula()))
        elif (
            # *may sing* follows from *sings*: a hypothesis takes either
            kind == Modality.POSSIBLE and not self.asserted and not self.literal
        ):  # what is, may be
            ways = []
            for mood in (kind, ""):
                with self.inside() as inner:
                    self.mood = mood
                    go(inner)
                ways.append(inner.formula())
            box.say(disjunction(ways))
        else:
            mood, self.mood = self.mood, f"{self.mood} {kind}".strip()
            go(box)
            self.mood = mood

    def _mood(self, token: int) -> str:
        """Whether a clause says that something will be, may be or must be; empty where it is."""
        verb = self.graph.parse.copulas.get(token, token)
        modality = self.contexts.modalities[verb]
        if self._adverb(verb) >= 0 and self.contexts.commitments[verb] is not Commitment.TRUE:
            return self.graph.parse.lemmas[self._adverb(verb)]
        words = [
            self.graph.parse.words[each] for each in self.graph.children(token, "advmod", "quality")
        ]
        for word in words:
            if word in WISHING:
                return word
        if any(self.graph.child(token, relation) >= 0 for relation in ATTRIBUTING):
            return "reported"
        if any(self.graph.parse.words[each] == "according" for _, each in self.graph.links[token]):
            return "reported"
        if modality is not Modality.ACTUAL:
            self.said.update(self.contexts.negators[verb])
            return str(modality)
        if any(self.graph.words[each] == "use" for each in self.graph.children(token, "aux")):
            return FORMERLY
        return "future" if self.contexts.tenses[verb] is Tense.FUTURE else ""

    def _adverb(self, verb: int) -> int:
        """The adverb that says whether its own clause is true: *nearly*, *allegedly*; -1 for none."""
        embedder = self.contexts.embedders[verb]
        own = embedder >= 0 and self.graph.parse.heads[embedder] == verb
        return embedder if own and self.graph.parse.parts[embedder] == "ADV" else -1

    # Clauses inside others

    def say_inner(self, relation: str, inner: int, term: Term, box: Box) -> None:
        """Say what a clause inside another says: as a fact, or as what somebody says or wants."""
        word, token = self._mark(inner), self.graph.parse.heads[inner]
        if word in CONDITIONAL and relation == "advcl":
            return  # said already
        if self._is_factual(relation, word, inner):
            self.say_clause(inner, box)
            if self.is_there(inner) and self._happens(inner) and self._happens(token):
                box.say(Atom(word or relation, (term, self.terms[inner])))
                return
        # *he died before he finished* need not have finished; *he left before she came. She came.*
        # is told outright
        if word == "before" and box is self.top and self._is_told(inner):
            self.say_clause(inner, box)
            box.say(Atom(word, (term, self.terms[inner])))
            return
        with self.inside(literal=True) as said:
            self.say_clause(inner, said)
        closed = proposition(word or relation, said.formula(), term)
        # *left without a word*, *took a bus instead of walking*: what is said not to have happened,
        # where it is said of whom
        if relation in _DENYING and not self.literal and self._spoken_of(inner):
            with self.inside() as fact:
                self.say_clause(inner, fact)
            ways = (closed, fact.formula())
            box.say(*(ways if self.asserted else (disjunction(ways),)))
            return
        if word == "before" and not self.asserted and not self.literal:
            with self.inside() as fact:
                self.say_clause(inner, fact)
                fact.say(*[Atom(word, (term, self.terms[inner]))] if self.is_there(inner) else ())
            box.say(disjunction((closed, fact.formula())))
        else:
            box.say(closed)

    def _is_told(self, token: int) -> bool:
        """Whether a text tells of an event anyhow: what comes before another may keep it from coming."""
        for _, each in self.arguments(token):
            if self.is_name(each):
                self.said.add(each)
                self.terms.setdefault(each, Constant(self.graph.words[each]))
        if not self._happens(token):
            return False
        return self.same_event(token, self.top) is not None or self._is_told_later(token)

    def _is_told_later(self, token: int) -> bool:
        """*he left before she came. She came before him*: whether a later sentence tells of it."""
        parse = self.graph.parse
        done = {(role, self.graph.words[each]) for role, each in self.arguments(token)}
        return bool(done) and any(
            {(role, self.graph.words[other]) for role, other in self.arguments(each)} == done
            for each in self.events.get(self.graph.words[token], ())
            if parse.heads[each] < 0 and not self._is_negated(each)
        )

    def _is_factual(self, relation: str, word: str, inner: int) -> bool:
        """Whether a clause that goes with another is said to be true."""
        if relation == "advcl" and not word:  # "Singing a song, he left."
            return self.graph.parse.tags[inner] in ("VBG", "VBN")
        return word in FACTUAL if relation == "advcl" else relation in FACTUAL_PREPOSITIONS

    def _happens(self, token: int) -> bool:
        """Whether a clause tells of an event as a whole, and not of a state or a part of it."""
        return (
            self.graph.sorts[token] is SemanticSort.EVENT and self.graph.parse.tags[token] != "VBG"
        )

    def _say_commitments(self) -> None:
        """Say outright what is said to be known, managed or true, and deny what is said to be false."""
        for token, commitment in enumerate(self.contexts.commitments):
            if commitment is Commitment.OPEN or not self._is_embedded(token):
                continue
            if commitment is Commitment.TRUE:
                self.say_clause(token, self.top)
            # *she failed to sing* is denied of her; a denied clause without any participant would
            # deny that anybody ever did
            elif self._spoken_of(token):  # else it would be denied of everybody
                with self.inside(turned=True) as denied:
                    self.say_clause(token, denied)
                self.top.say(Not(denied.formula()))

    def _is_conviction(self, token: int) -> bool:
        """*Ann is certain that he left*, where *it is certain* says that he did."""
        embedder = self.contexts.embedders[token]
        if embedder < 0 or self.graph.parse.lemmas[embedder] not in CONVINCED:
            return False
        subject = self.graph.child(embedder, "said-of", "nsubj", "agent")
        return subject >= 0 and self.graph.parse.words[subject] != "it"

    def _is_embedded(self, token: int) -> bool:
        """Whether a token is the head of a clause of which another word says whether it is true."""
        if not self.is_clause(token) or not self.contexts.embeddings[token]:
            return False
        verb = self.graph.parse.copulas.get(token, token)
        if self._adverb(verb) >= 0 or self._is_conviction(token):
            return False
        return all(
            # *every man managed to sing*: the man is bound elsewhere, and cannot be spoken of
            # outside of his scope
            isinstance(self.terms.get(each), Constant) or self._is_below(each, token)
            for each in self._spoken_of(token)
        )

    def _is_below(self, token: int, head: int) -> bool:
        """Whether a token belongs to the clause of another."""
        while token >= 0 and token != head:
            token = self.graph.parse.heads[token]
        return token == head
