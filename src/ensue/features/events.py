"""Events of an aligned pair: who did what to whom in them, and until when they are denied.

Words that tell one event from two sides, as *buy* and *sell*, are compared by the roles that they
give: who sells to somebody is the one from whom the other buys. Roles are compared conservatively: a
difference is reported only where a word that stands in both has one role here and another one there,
whatever the text says in other places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from ensue.alignment import EdgeMatch, Match
from ensue.features.comparison import ComparedGraph, PairComparison
from ensue.language.contexts import Commitment
from ensue.language.graphs import Sort
from ensue.language.values import Value, ValueAgreement, ValueKind, agreement

# Words that tell one scene, and who has which role in it.

_SCENES = {
    "trade": {
        "sell": "nsubj seller, dobj goods/buyer, iobj buyer, prep_to buyer",
        "buy purchase": "nsubj buyer, dobj goods, prep_from seller",
    },
    "loan": {
        "lend loan": "nsubj lender, dobj loan/borrower, iobj borrower, prep_to borrower",
        "borrow": "nsubj borrower, dobj loan, prep_from lender",
    },
    "gift": {
        "give": "nsubj giver, dobj gift/receiver, iobj receiver, prep_to receiver",
        "receive": "nsubj receiver, dobj gift, prep_from giver",
    },
    "contest": {
        "win": "nsubj winner, dobj prize, prep_against loser, prep_over loser, prep_from loser",
        "lose": "nsubj loser, dobj prize, prep_to winner, prep_against winner",
        "defeat beat": "nsubj winner, dobj loser, prep_in prize",
    },
    "lesson": {
        "teach": "nsubj teacher, dobj subject/learner, iobj learner, prep_to learner",
        "learn": "nsubj learner, dobj subject, prep_from teacher",
    },
    "property": {
        "own possess": "nsubj owner, dobj property",
        "belong": "nsubj property, prep_to owner",
    },
    "order": {
        "precede": "nsubj earlier, dobj later",
        "follow succeed": "nsubj later, dobj earlier",
        "predecessor": "is earlier, prep_of later, poss later",
        "successor": "is later, prep_of earlier, poss earlier",
    },
    "family": {
        "parent mother father": "is parent, prep_of child, poss child",
        "child son daughter": "is child, prep_of parent, poss parent",
    },
    "marriage": {
        "wife": "is wife, prep_of husband, poss husband",
        "husband": "is husband, prep_of wife, poss wife",
    },
    "work": {
        "employer": "is employer, prep_of employee, poss employee",
        "employee": "is employee, prep_of employer, poss employer",
    },
}
"""For each scene its words, and which role they give by which relation: `is` is who is called so."""
_SPECIFIC = frozenset(("mother", "father", "son", "daughter"))
"""Words that say more than their role: of a child's parent, that it is a woman."""
_SYMMETRIC = frozenset(
    ("meet", "marry", "wed", "divorce", "date", "resemble", "equal", "match", "border", "adjoin")
) | frozenset(
    ("face", "play", "fight", "debate", "join", "merge", "touch", "contact", "encounter", "hug")
)
"""Verbs that say the same of both sides, or nearly so."""
_LIGHT = frozenset(
    ("be", "have", "do", "become", "remain", "make", "get", "include", "rent", "lease")
)
"""Verbs that say too little of who does what, or that are said of both sides."""
_OBJECTS = frozenset(("dobj", "iobj"))
_ALIKE = frozenset((Match.SAME, Match.SYNONYM))
_CLOSE = frozenset((Match.SAME, Match.SYNONYM, Match.HYPERNYM, Match.NAME))
_KEPT = frozenset((EdgeMatch.SAME, EdgeMatch.NORMALIZED, EdgeMatch.MERGED))
_OPEN = frozenset(("agent", "patient"))
_VAGUE = frozenset((Sort.PRONOUN, Sort.VALUE))
"""Sorts of nodes of which it is not known who or what they are."""

NodeRoles = Mapping[int, frozenset[str]]
"""The roles that nodes have in an event; several where it is open which."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What a word says of those who take part in its scene."""

    scene: str
    roles: Mapping[str, frozenset[str]]
    """By relation."""

    @property
    def is_noun(self) -> bool:
        """Whether it is said of somebody: a mother."""
        return "is" in self.roles


@cache
def frames() -> Mapping[str, Frame]:
    """The frame of each word that tells a scene from one of its sides."""
    return {
        word: Frame(scene, _relations(told))
        for scene, sides in _SCENES.items()
        for words, told in sides.items()
        for word in words.split()
    }


def _relations(told: str) -> dict[str, frozenset[str]]:
    pairs = (each.split() for each in told.split(", "))
    return {relation: frozenset(roles.split("/")) for relation, roles in pairs}


def is_symmetric(lemma: str) -> bool:
    """Whether a verb says the same of its subject and its object."""
    return lemma in _SYMMETRIC


def _frame(side: ComparedGraph, node: int) -> Frame | None:
    found = frames().get(side.graph.lemmas[node])
    if found is None or found.is_noun == (side.graph.sorts[node] is Sort.VERB):
        return None
    return found


def _roles(side: ComparedGraph, node: int) -> NodeRoles:
    """Who has which role in the event of a node."""
    frame = _frame(side, node)
    found: dict[int, frozenset[str]] = {}
    for end, relation in side.out[node]:
        roles = (
            _scene_role(side, node, relation, frame) if frame else _plain_role(side, node, relation)
        )
        if roles:
            found[end] = found.get(end, frozenset()) | roles
    if frame and frame.is_noun:
        for end in _called(side, node):
            found[end] = found.get(end, frozenset()) | frame.roles["is"]
    return found


def _scene_role(
    side: ComparedGraph, node: int, relation: str, frame: Frame
) -> frozenset[str] | None:
    """The role that a word gives in its scene; of verbs without an object it is open: books sell."""
    roles = frame.roles.get(relation)
    if roles is None or relation != "nsubj" or "dobj" not in frame.roles:
        return roles
    has_object = any(each in _OBJECTS for _, each in side.out[node])
    return roles if has_object else roles | frame.roles["dobj"]


def _plain_role(side: ComparedGraph, node: int, relation: str) -> frozenset[str] | None:
    """The role that a verb gives; open where verbs without an object may have what they befall."""
    relations = {each for _, each in side.out[node]}
    if relation == "nsubj":
        return _OPEN if _OBJECTS.isdisjoint(relations) else frozenset(("agent",))
    if relation == "dobj":
        return frozenset(("patient",))
    if relation == "iobj" or (relation == "prep_to" and "dobj" in relations):
        return frozenset(("recipient",))
    return None


def _called(side: ComparedGraph, node: int) -> Iterator[int]:
    """Of whom a noun is said: she is his mother, his mother is she, Anna, his mother."""
    yield from (end for end, relation in side.out[node] if relation == "nsubj")
    for governor, relation in side.into[node]:
        is_said = relation == "nsubj" and side.graph.copulas[governor] >= 0
        if relation == "appos" or is_said:
            yield governor


# Roles that differ.


@dataclass(frozen=True, slots=True)
class RoleChange:
    """A word of the hypothesis that has another role in the text."""

    predicate: int
    hypothesis: int
    """The node in the hypothesis."""
    text: int
    """Where it has its role in the text."""
    role: str
    other: str
    """Its role in the text."""


class EventComparison:
    """The events of an aligned pair beside each other."""

    def __init__(self, pair: PairComparison) -> None:
        self.pair = pair
        self._known: dict[int, NodeRoles] = {}
        self.changes = [change for node in self._predicates() for change in self._changes(node)]
        """The roles that differ."""
        self.turned = {
            node: deed
            for node in self._predicates()
            if (deed := self._turned(node)) is not None
            and not any(each.predicate == node for each in self.changes)
        }
        """Predicates of the hypothesis that the text tells from the other side, and there."""
        self.begun = dict(self._begun(pair.text))
        """Predicates of the hypothesis that the text denies until a term only, and that."""
        self.begun_here = dict(self._begun(pair.hypothesis))
        """Those that the hypothesis denies until a term only, and that."""
        self.denied = dict(self._begun(None))
        """Those that both sides deny, the text until a term only, and that."""

    def _predicates(self) -> Iterator[int]:
        side = self.pair.hypothesis
        for node, lemma in enumerate(side.graph.lemmas):
            if lemma in _LIGHT or lemma in _SYMMETRIC:
                continue
            if side.graph.sorts[node] is Sort.VERB or _frame(side, node):
                yield node

    def _in_text(self, node: int) -> NodeRoles:
        if node not in self._known:
            self._known[node] = _roles(self.pair.text, node)
        return self._known[node]

    def _deeds(self, node: int) -> list[int]:
        """The events of the text that a predicate may tell of, the aligned one first."""
        pair, text = self.pair, self.pair.text
        target, frame = pair.targets[node], _frame(pair.hypothesis, node)
        alike = {pair.hypothesis.graph.lemmas[node]}
        if target >= 0 and pair.matches[node] in _ALIKE:
            alike.add(text.graph.lemmas[target])
        found = [
            each
            for each, lemma in enumerate(text.graph.lemmas)
            if lemma not in _SYMMETRIC and self._is_of(each, frame, alike)
        ]
        return sorted(found, key=lambda each: each != target)

    def _is_of(self, node: int, frame: Frame | None, alike: set[str]) -> bool:
        text = self.pair.text
        if frame is not None:
            own = _frame(text, node)
            return own is not None and own.scene == frame.scene
        return text.graph.sorts[node] is Sort.VERB and text.graph.lemmas[node] in alike

    def _same(self, node: int) -> frozenset[int]:
        """The text's nodes that may be what a node of the hypothesis is; none where it is unsure.

        All of one word are, since it is not known which man is meant; the same word comes before
        what is aligned, which is another one where the edges fit better.
        """
        pair, text = self.pair, self.pair.text
        lemma, lemmas = pair.hypothesis.graph.lemmas[node], text.graph.lemmas
        if pair.hypothesis.graph.sorts[node] in _VAGUE:
            return frozenset()
        if lemma not in lemmas:
            if pair.targets[node] < 0 or pair.matches[node] not in _CLOSE:
                return frozenset()
            lemma = lemmas[pair.targets[node]]
        own = {each for each, other in enumerate(lemmas) if other == lemma}
        return frozenset(own | {end for each in own for end in _renamed(text, each)})

    def _changes(self, predicate: int) -> Iterator[RoleChange]:
        own = _roles(self.pair.hypothesis, predicate)
        deeds = self._deeds(predicate)
        same = {node: self._same(node) for node in own}
        if not deeds or any(self._has_all(each, own, same) for each in self._verbs()):
            return
        for node, roles in own.items():
            there = [(deed, self._at(deed, same[node])) for deed in deeds]
            if any(roles & each for _, each in there):
                continue
            for deed, other in there:
                if other and self._is_told(predicate, deed, roles, other, same[node]):
                    at = min(end for end in same[node] if self._in_text(deed).get(end))
                    yield RoleChange(predicate, node, at, min(roles), min(other))
                    break

    def _verbs(self) -> list[int]:
        sorts = self.pair.text.graph.sorts
        return [node for node, sort in enumerate(sorts) if sort is Sort.VERB]

    def _has_all(self, deed: int, own: NodeRoles, same: Mapping[int, frozenset[int]]) -> bool:
        """Whether an event of the text has all who take part, in their roles."""
        return bool(own) and all(
            bool(roles & self._at(deed, same[node])) for node, roles in own.items()
        )

    def _at(self, deed: int, nodes: frozenset[int]) -> frozenset[str]:
        found = self._in_text(deed)
        return frozenset[str]().union(*(found.get(node, ()) for node in nodes))

    def _is_told(
        self,
        predicate: int,
        deed: int,
        roles: frozenset[str],
        other: frozenset[str],
        same: frozenset[int],
    ) -> bool:
        """Whether it is certain that a role differs: somebody else has it, or the words say so."""
        pair = self.pair
        others = [
            node for node, each in self._in_text(deed).items() if roles & each and node not in same
        ]
        if any(self._is_vague(node) for node in others):
            return False
        taken = bool(others)
        if _frame(pair.hypothesis, predicate):
            # *lost* where the text has *won* is the opposite, unless somebody else lost there
            return taken or pair.matches[predicate] is not Match.ANTONYM
        return taken and ("agent" in roles) != ("agent" in other)

    def _is_vague(self, node: int) -> bool:
        """Whether somebody or something of the text may be anybody, or a part: he, his ankle."""
        text, sorts = self.pair.text, self.pair.text.graph.sorts
        owners = [end for end, relation in text.out[node] if relation == "poss"]
        return any(sorts[each] in _VAGUE for each in (node, *owners))

    def _turned(self, predicate: int) -> int | None:
        """The event of the text that tells a predicate's from another side, with all roles alike."""
        frame = _frame(self.pair.hypothesis, predicate)
        if frame is None:
            return None
        own = _roles(self.pair.hypothesis, predicate)
        same = {node: self._same(node) for node in own}
        for deed in self._deeds(predicate):
            other = _frame(self.pair.text, deed)
            if other != frame and self._has_all(deed, own, same):
                return deed
        return None

    # Terms, and what follows from events alone.

    def partner(self, node: int) -> int:
        """The text's node that tells a predicate's event: from the other side, or as aligned."""
        return self.turned.get(node, self.pair.targets[node])

    def _begun(self, denying: ComparedGraph | None) -> Iterator[tuple[int, Term]]:
        """Predicates that one side denies until a term, or both do for None."""
        pair = self.pair
        wanted = denying is not pair.hypothesis, denying is not pair.text
        for node in range(len(pair.targets)):
            target = self.partner(node)
            if target < 0 or not pair.hypothesis.is_predicate(node):
                continue
            here = pair.hypothesis.denies(pair.hypothesis.predicate(node))
            if (pair.text.denies(pair.text.predicate(target)), here) != wanted:
                continue
            side, at = (pair.text, target) if wanted[0] else (pair.hypothesis, node)
            term = find_term(side, at)
            if term is not None and not (wanted == (True, False) and self._is_before(node, term)):
                yield node, term

    def _is_before(self, node: int, term: Term) -> bool:
        """Whether a predicate is said of a time before a term that is no date."""
        return any(
            self.pair.targets[end] == term.node and not self._is_then(end, relation)
            for end, relation in self.pair.hypothesis.out[node]
            if not is_time(self.pair.hypothesis, end)
        )

    def _is_then(self, node: int, relation: str) -> bool:
        if relation == "advcl":
            return _has_mark(self.pair.hypothesis, node, frozenset(("after", "when", "once")))
        return relation in _THEN or relation.startswith("prep_until_")

    def term_of(self, node: int) -> tuple[int, bool] | None:
        """The text's date that a date of the hypothesis stands against, and whether it agrees.

        Only where one of them is a term until which something is denied; None for other dates.
        """
        pair, value = self.pair, self.pair.hypothesis.graph.values[node]
        for governor, relation in pair.hypothesis.into[node]:
            if value is None or not is_time(pair.hypothesis, node):
                break
            if (term := self.begun.get(governor) or self.denied.get(governor)) is not None:
                begun = begins_at(pair.text, term)
                if begun is not None and governor in self.denied:
                    return term.node, _is_still_denied(begun, value)
                if begun is not None:
                    return term.node, _is_said_rightly(begun, value, relation, term)
            own = self.begun_here.get(governor)
            begun = begins_at(pair.hypothesis, own) if own and own.node == node else None
            there = [
                end for end, _ in pair.text.out[self.partner(governor)] if is_time(pair.text, end)
            ]
            if begun is not None and there:
                known = pair.text.graph.values[there[0]]
                return there[0], known is not None and agreement(known, begun) in _BORNE_OUT
        return None

    def bears_out(self) -> bool:
        """Whether the text's events make the hypothesis true, told from another side or as denied.

        Every word of the hypothesis is there, with its role, and nothing is open. Only where an event
        is told otherwise: of the others the recognizers know enough.
        """
        pair = self.pair
        told = {*self.turned, *self.begun, *self.begun_here, *self._denied_before()}
        if not told or self.changes:
            return False
        return (
            all(node in told or self._is_there(node) for node in range(len(pair.targets)))
            and all(self._is_meant(node) for node in self.turned)
            and all(self._is_kept(i) for i in range(len(pair.hypothesis.edges)))
        )

    def _denied_before(self) -> Iterator[int]:
        """Predicates that both sides deny for a time before the text's term."""
        for node in self.denied:
            if any(self.term_of(end) for end, _ in self.pair.hypothesis.out[node]):
                yield node

    def _is_there(self, node: int) -> bool:
        if (term := self.term_of(node)) is not None:
            return term[1]
        return self.pair.matches[node] in _CLOSE | {Match.VALUE} or bool(self._same(node))

    def _is_meant(self, node: int) -> bool:
        """Whether the text asserts an event that is told from the other side, and in no other words."""
        pair, deed = self.pair, self.turned[node]
        if node not in self.begun and node not in self.begun_here:
            said = (
                pair.text.contexts.commitments[pair.text.predicate(deed)],
                pair.hypothesis.contexts.commitments[pair.hypothesis.predicate(node)],
            )
            if said not in ((Commitment.TRUE,) * 2, (Commitment.FALSE,) * 2):
                return False
        return pair.hypothesis.graph.lemmas[node] not in _SPECIFIC

    def _is_kept(self, edge: int) -> bool:
        """Whether the text has an edge of the hypothesis."""
        pair = self.pair
        governor, dependent, relation = pair.hypothesis.edges[edge]
        if self.term_of(dependent) is not None:
            return True
        if governor in self.turned:
            deed = self.turned[governor]
            if dependent in _roles(pair.hypothesis, governor):
                return True  # as all who take part, in their roles
            return (pair.targets[dependent], relation) in pair.text.out[deed]
        if pair.alignment.edge_matches[edge] in _KEPT:
            return True
        begun = self.begun.get(governor)
        return begun is not None and begun.node == pair.targets[dependent]


def _is_said_rightly(begun: Value, value: Value, relation: str, term: Term) -> bool:
    """Whether a date may be said of what holds since a term."""
    if relation in _BEFORE:
        known, limit = begun.year_high, value.year_high
        return term.is_exact and known is not None and limit is not None and known < limit
    if term.is_exact:
        return agreement(begun, value) in _BORNE_OUT
    known, limit = begun.year_low, value.year_low
    is_after = relation in ("prep_after", "prep_since")
    return is_after and known is not None and limit is not None and limit < known


def _is_still_denied(begun: Value, value: Value) -> bool:
    """Whether what holds since a term did not hold at a date, or before it."""
    known, limit = begun.year_low, value.year_high
    if known is not None and known == limit:
        # of the same year, "before May" and "in 1936" say less than "until June" and "until 1936"
        return agreement(begun, replace(value, year_low=limit)) is ValueAgreement.SAME
    return known is not None and limit is not None and limit < known


def _renamed(side: ComparedGraph, node: int) -> Iterator[int]:
    """What a node is called beside its own name."""
    for end, relation in (*side.out[node], *side.into[node]):
        if relation == "appos":
            yield end
    if side.graph.copulas[node] >= 0:
        yield from (end for end, relation in side.out[node] if relation == "nsubj")
    for governor, relation in side.into[node]:
        if relation == "nsubj" and side.graph.copulas[governor] >= 0:
            yield governor


# What is denied until a term, and so holds from then on.

_UNTIL = frozenset(("until", "till", "til"))
_BEFORE = frozenset(("prep_before", "prep_prior_to", "prep_until", "prep_till", "prep_by"))
_TIMES = frozenset((ValueKind.DATE, ValueKind.TIME))
_BORNE_OUT = frozenset((ValueAgreement.SAME, ValueAgreement.FOLLOWS))
_THEN = frozenset(("prep_after", "prep_in", "prep_on", "prep_at", "prep_during", "prep_with"))


@dataclass(frozen=True, slots=True)
class Term:
    """Until when something is denied."""

    node: int
    """When: a date, a noun or the verb of a clause."""
    is_exact: bool
    """Whether it holds from then on: not until 1936; or then or later: not before 1936."""


def find_term(side: ComparedGraph, node: int) -> Term | None:
    """Until when a predicate is denied; None where it is not, or for good."""
    if not side.denies(side.predicate(node)):
        return None
    governors = [node]  # of "it was not until 1936 that it opened" the term is that of *was*
    governors += [each for each, _ in side.into[node] if side.graph.lemmas[each] == "be"]
    terms = (_term(side, *edge) for each in governors for edge in side.out[each])
    return next((each for each in terms if each is not None), None)


def _term(side: ComparedGraph, node: int, relation: str) -> Term | None:
    word = relation.removeprefix("prep_")
    if word.partition("_")[0] in _UNTIL or (relation == "advcl" and _has_mark(side, node, _UNTIL)):
        return Term(node, is_exact=True)
    if relation in ("prep_before", "prep_prior_to") and is_time(side, node):
        # "did not apologize before his death" does not say that he did afterwards
        return Term(node, is_exact=False)
    if relation == "advmod" and side.graph.lemmas[node] == "early":
        than = (end for end, other in side.out[node] if other == "prep_than")
        return next((Term(end, is_exact=False) for end in than), None)
    return None


def _has_mark(side: ComparedGraph, node: int, words: frozenset[str]) -> bool:
    sentence, head = side.graph.sentence, side.graph.heads[node]
    return any(
        sentence.relations[each] == "mark" and sentence.lemmas[each] in words
        for each in sentence.dependents(head)
    )


def is_time(side: ComparedGraph, node: int) -> bool:
    """Whether a node is a date or a time of the clock."""
    value = side.graph.values[node]
    return value is not None and value.kind in _TIMES


def begins_at(side: ComparedGraph, term: Term) -> Value | None:
    """The date from which something holds that is denied until then."""
    value = side.graph.values[term.node]
    if value is None or not is_time(side, term.node):
        return None
    if side.graph.sentence.lemmas[value.first].lower() in (*_UNTIL, "before"):
        return replace(value, year_low=value.year_high)
    return value
