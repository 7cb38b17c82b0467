"""Coordination: *and* between subjects, objects and predicates, one statement for each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from ensue.claims.clauses import (
    AUXILIARIES,
    HYPHENS,
    NOUNS,
    SUBJECTS,
    ClauseAnalysis,
    Construction,
    StatedClause,
)
from ensue.claims.wording import Added, Piece, Reason
from ensue.language.contexts import Quantity

_MUTUAL = """
agree clash collaborate collide combine compare compete connect cooperate differ discuss distinguish
divorce exchange join link marry meet merge mix negotiate separate share total unite wed
"""
_MOST_SHARED = 8
"""Statements that one clause may become by its coordinations."""
_ARGUMENTS = ("nsubj", "nsubjpass", "dobj", "attr", "acomp")
_TOGETHER = frozenset(_MUTUAL.split())
"""Verbs of several who do something with one another."""
_COMPANY = frozenset(("together", "jointly", "each", "another", "respectively", "between", "among"))
_SINGULAR = {"are": "is", "were": "was", "have": "has", "do": "does", "'re": "is", "'ve": "has"}
_SINGLE_TAGS = ("NN", "NNP")


class Distribution:
    """Makes statements of single things of statements about several."""

    def __init__(self, analysis: ClauseAnalysis) -> None:
        self.analysis = analysis

    def distributed(self, clause: StatedClause, pieces: list[Piece]) -> Iterator[list[Piece]]:
        """One statement for each of the things that are joined in a clause."""
        groups = [each for each in self._groups(clause, pieces) if len(each) > 1]
        n = 1
        for group in groups:
            n *= len(group)
        if not groups or n > _MOST_SHARED:
            yield pieces
            return
        for chosen in product(*groups):
            off = {each for group in groups for each in self._joined(group[0], pieces)}
            kept = {each for member in chosen for each in self._member(member)}
            found = [each for each in pieces if each not in off or each in kept]
            yield self._agreeing(clause, found, chosen)

    def _groups(self, clause: StatedClause, pieces: Sequence[Piece]) -> Iterator[list[int]]:
        analysis, verb = self.analysis, clause.token
        words = {analysis.forms[each] for each in pieces if isinstance(each, int)}
        if clause.construction is Construction.APPOSITION or words & _COMPANY:
            return
        if any(analysis.forms[each] in ("all", "both") for each in analysis.children[verb]):
            return  # *they have all left*
        if analysis.lemmas[verb] in _TOGETHER or analysis.contexts.negators[verb]:
            return
        inside = {each for each in pieces if isinstance(each, int)}
        subject = self._subject_token(clause)
        heads = [subject] if subject >= 0 else []
        for each in analysis.children[verb]:
            if analysis.relations[each] in _ARGUMENTS and each != subject:
                heads.append(each)
            if analysis.relations[each] == "prep":
                heads += [at for at in analysis.children[each] if analysis.relations[at] == "pobj"]
        for head in heads:
            group = self._coordination(head)
            if inside.issuperset(group) and self._is_separate(group, verb, subject):
                yield group

    def _subject_token(self, clause: StatedClause) -> int:
        analysis = self.analysis
        token = clause.token
        while analysis.subject(token) < 0:
            known = analysis.clauses.get(token)
            if known is None or known.host < 0 or analysis.relations[token] != "conj":
                return -1
            token = known.host
        return analysis.subject(token)

    def _coordination(self, head: int) -> list[int]:
        """A noun or adjective and all that are joined to it by *and*."""
        analysis, found = self.analysis, [head]
        while (following := analysis.child(found[-1], "conj")) >= 0:
            found.append(following)
        if len(found) > 1 and analysis.coordinator(found[1]) not in ("and", "&"):
            return [head]
        return found

    def _is_separate(self, group: Sequence[int], verb: int, subject: int) -> bool:
        """Whether what is said of several is said of each."""
        analysis = self.analysis
        parts = {analysis.parts[each] for each in group}
        if not (parts <= set(NOUNS) or parts == {"ADJ"}):
            return False
        span = range(min(group), max(group) + 1)
        if "not" in (analysis.forms[each] for each in span):
            return False
        marks = [analysis.sentence.entities[each] for each in span]
        if marks[0] and all(each == f"I-{marks[0][2:]}" for each in marks[1:]):
            return False  # one name: *Simon and Schuster*
        # *Anna and Peter are friends*: of each other
        plural = analysis.child(verb, "attr")
        if group[0] == subject and plural >= 0 and analysis.tags[plural] in ("NNS", "NNPS"):
            return False
        # *house and stock prices*: prices of both
        bare = analysis.tags[group[0]] == "NN" and analysis.child(group[0], "det", "poss") < 0
        if group[0] == subject and bare and analysis.tags[group[-1]] == "NNS":
            return False
        quantity = analysis.contexts.quantities[group[0]]
        return quantity not in (Quantity.NO, Quantity.NUMBER) or group[0] != subject

    def _joined(self, head: int, pieces: Sequence[Piece]) -> list[int]:
        inside = set(pieces)
        return [each for each in self.analysis.subtree(head) if each in inside]

    def _member(self, member: int) -> list[int]:
        """The tokens of one of those that are joined, with the article that it shares."""
        analysis = self.analysis
        off = set()
        for each in analysis.children[member]:
            is_join = analysis.relations[each] in ("conj", "cc", "preconj", "punct")
            if analysis.forms[each] == "both" or (is_join and analysis.forms[each] not in HYPHENS):
                off.update(analysis.subtree(each))
        own = [each for each in analysis.own_tokens(member) if each not in off]
        head = analysis.heads[member]
        lacks = analysis.child(member, "det", "poss", "nummod", "amod") < 0
        if analysis.relations[member] == "conj" and analysis.tags[member] == "NN" and lacks:
            determiner = analysis.child(head, "det", "poss")
            if determiner >= 0:
                own = [*analysis.subtree(determiner), *own]
        return own

    def _agreeing(
        self, clause: StatedClause, pieces: list[Piece], chosen: Sequence[int]
    ) -> list[Piece]:
        """*Anna and Peter sing*: Anna sings."""
        analysis = self.analysis
        single = [each for each in chosen if analysis.relations[self._top(each)] in SUBJECTS]
        if not single or analysis.tags[single[0]] not in _SINGLE_TAGS:
            return pieces
        verb = clause.token
        auxiliaries = [
            each
            for each in pieces
            if isinstance(each, int)
            and analysis.relations[each] in AUXILIARIES
            and analysis.predicate(each) == analysis.predicate(verb)
        ]
        finite = auxiliaries[0] if auxiliaries else verb
        form = analysis.forms[finite]
        new = _SINGULAR.get(form)
        if new is None and analysis.tags[finite] == "VBP":
            new = third_person(form)
        if new is None:
            return pieces
        added = Added(new, Reason.AGREEMENT, replaces=finite)
        return [added if each == finite else each for each in pieces]

    def _top(self, member: int) -> int:
        while self.analysis.relations[member] == "conj":
            member = self.analysis.heads[member]
        return member


def third_person(verb: str) -> str:
    """The third person of a verb in the present.

    >>> [third_person(verb) for verb in ("sing", "carry", "pass", "play", "have")]
    ['sings', 'carries', 'passes', 'plays', 'has']
    """
    if verb in ("have", "be"):
        return {"have": "has", "be": "is"}[verb]
    if verb.endswith("y") and verb[-2:-1] not in ("a", "e", "o", "u"):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s"
