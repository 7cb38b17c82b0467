"""Rules about what *and* and *or* join: shared arguments, groups of things."""

from __future__ import annotations

from ensue.logic.rewriting.draft import (
    INTRANSITIVE,
    SUBJECTS,
    TRANSITIVE,
    Draft,
    Rule,
    SemanticSort,
)

_OBJECTS = ("dobj", "dative")
_BETWEEN = frozenset(("cc", "punct", "advmod", "neg", "aux", "auxpass"))


def _share_subjects(draft: Draft) -> None:
    """*John came and went*: John went, and in the voice that his verb has."""
    for token in draft.parse.order:
        for second in draft.children(token, "conj"):
            if not (_is_predicate(draft, second) and _is_predicate(draft, token)):
                continue
            if draft.has(second, "expl", "mark", *SUBJECTS):
                continue
            if _is_bare_participle(draft, second) and token in draft.passive:
                draft.passive.add(second)
            for relation, subject in list(draft.links[token]):
                if relation in SUBJECTS:
                    new = "nsubjpass" if second in draft.passive else "nsubj"
                    draft.add(second, new, subject)


def _is_predicate(draft: Draft, token: int) -> bool:
    return draft.is_event(token) or token in draft.parse.copulas


def _is_bare_participle(draft: Draft, token: int) -> bool:
    return draft.parse.tags[token] in ("VBN", "VBD") and not draft.has(token, "aux", "auxpass")


def _share_objects(draft: Draft) -> None:
    """*John bought and sold a house*: he bought one too."""
    for first, _, second in draft.pairs("conj"):
        if not (draft.is_event(first) and draft.is_event(second)):
            continue
        if draft.has(first, *_OBJECTS) or first in draft.passive:
            continue
        frames = draft.lexicon.frames(draft.words[first], senses=3)
        if frames & INTRANSITIVE and not (frames & TRANSITIVE and draft.has(first, "preconj")):
            continue
        if not all(draft.parse.relations[each] in _BETWEEN for each in range(first + 1, second)):
            continue
        for thing in draft.children(second, "dobj"):
            draft.add(first, "dobj", thing)


def _join_things(draft: Draft) -> None:
    """*John and Mary*: both of them; *John or Mary*: one of them."""
    for token in draft.parse.order:
        for second in draft.children(token, "conj"):
            if second in draft.parse.copulas:
                continue
            if (
                draft.sorts[token] is SemanticSort.THING
                and draft.sorts[second] is SemanticSort.THING
            ):
                word = draft.parse.conjunctions.get(second, "and")
                if word in ("and", "or", "nor"):  # "but Mary" is not one of them
                    draft.rename(token, "conj", second, "and" if word == "and" else "or")


def _lift_relatives(draft: Draft) -> None:
    """*Peter and Anna, who married*: both of them did."""
    for first, _, last in reversed(list(draft.pairs("and"))):
        for verb in draft.children(last, "relative"):
            if not any(draft.form(each) == "," for each in range(last + 1, verb)):
                continue
            draft.move(last, "relative", verb, first, "relative")
            for relation in [name for name, token in draft.links[verb] if token == last]:
                draft.move(verb, relation, last, verb, "was")
                draft.drop(verb, "was", last)
                draft.add(verb, relation, first)


def _share_qualities(draft: Draft) -> None:
    """*a tall and clever man*, *quickly and quietly*: each is said of the same."""
    for token in draft.parse.order:
        if draft.sorts[token] is not SemanticSort.QUALITY or token in draft.parse.copulas:
            continue
        for second in draft.children(token, "conj"):
            for relation, governor in list(draft.heads[token]):
                if relation in ("amod", "advmod") and draft.sorts[second] is SemanticSort.QUALITY:
                    draft.move(token, "conj", second, governor, relation)
                    break


RULES = (
    Rule(
        "coordination",
        "V nsubj(N) conj(W) → W nsubj(N)",
        _share_subjects,
        ("Paul came and went. > go agent paul",),
    ),
    Rule(
        "coordination",
        "V conj(W dobj(N)) → V dobj(N)",
        _share_objects,
        ("Paul polished and sold a clock. > polish patient clock",),
    ),
    Rule(
        "coordination", "N conj(M) → N and(M)", _join_things, ("Paul and Ann sang. > paul and ann",)
    ),
    Rule(
        "coordination",
        "N and(M relative(V)) → N and(M) relative(V)",
        _lift_relatives,
        ("Paul and Ann, who sang, left. > sing agent paul",),
    ),
    Rule(
        "coordination",
        "N amod(A conj(B)) → N amod(A) amod(B)",
        _share_qualities,
        ("A tall and clever man sang. > man quality clever",),
    ),
)
