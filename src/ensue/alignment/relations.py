"""Relations that say the same in another way.

An edge has roles: what its dependent is to its governor, and what its governor is to its
dependent. Two edges are the same up to normalization where they share a role, read in one
direction: who destroys a city (`nsubj`) is whose destruction of it there is (`poss`); and a car
that is red (`nsubj` of an adjective) is a red car (`amod`, the other way round).
"""

from __future__ import annotations

from functools import cache

from ensue.language.graphs import Sort

_AGENT, _PATIENT, _RECIPIENT, _MODIFIER, _IDENTITY, _PLACE, _CLAUSE, _CONJUNCT = (
    1 << k for k in range(8)
)

_ROLES = {
    "nsubj": _AGENT,
    "csubj": _AGENT,
    "agent": _AGENT,
    "prep_by": _AGENT,
    "poss": _AGENT | _PATIENT | _MODIFIER,
    "prep_of": _AGENT | _PATIENT | _MODIFIER,
    "dobj": _PATIENT,
    "nsubjpass": _PATIENT,
    "compound": _PATIENT | _MODIFIER,
    "iobj": _RECIPIENT,
    "dative": _RECIPIENT,
    "prep_to": _RECIPIENT,
    "amod": _MODIFIER,
    "nmod": _MODIFIER,
    "appos": _IDENTITY | _MODIFIER,
    "npadvmod": _PLACE,
    "prep_in": _PLACE | _MODIFIER,
    "prep_at": _PLACE,
    "prep_on": _PLACE,
    "prep_within": _PLACE,
    "prep_inside": _PLACE,
    "prep_during": _PLACE,
    "ccomp": _CLAUSE,
    "xcomp": _CLAUSE,
    "conj_and": _CONJUNCT,
    "conj_but": _CONJUNCT,
}
"""What a dependent is to its governor."""

PREDICATES = frozenset((Sort.NOUN, Sort.NAME, Sort.ADJECTIVE, Sort.VALUE))
"""Sorts of nodes that, with a subject, say what it is."""


@cache
def roles(relation: str, is_predicate: bool) -> tuple[int, int]:
    """The roles of an edge's dependent to its governor, and of the governor to the dependent.

    Args:
        relation: Of the edge.
        is_predicate: Whether the governor, with a subject, says what that is.
    """
    if relation == "nsubj" and is_predicate:
        return _IDENTITY, _IDENTITY | _MODIFIER
    if relation == "appos":
        return _ROLES[relation], _IDENTITY
    if relation in ("conj_and", "conj_but"):
        return _CONJUNCT, _CONJUNCT
    return _ROLES.get(relation, 0), 0
