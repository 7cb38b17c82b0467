"""Rules about clauses inside noun phrases: relative clauses, reduced relatives and participles."""

from __future__ import annotations

from ensue.language.graphs import RELATIVE_TAGS
from ensue.logic.rewriting.draft import SUBJECTS, Draft, Rule, Sort

_PLACES = {"where": "in", "when": "in", "why": "for"}
_NO_RELATIVES = frozenset(("what", "how", "whatever", "whoever"))


def _resolve_relatives(draft: Draft) -> None:
    """Put the noun where the relative pronoun stands, or the gap is."""
    for noun, _, verb in draft.pairs("relcl"):
        pronoun = _pronoun(draft, verb)
        if pronoun is not None:
            governor, relation, token = pronoun
            if relation == "advmod":
                draft.move(governor, relation, token, governor, "wh")
                draft.add(governor, _PLACES.get(draft.form(token), "in"), noun)
            elif relation == "dobj":
                draft.drop(governor, relation, token)
                _fill_object(draft, governor, noun)
            else:
                draft.drop(governor, relation, token)
                draft.add(governor, relation, noun)
        else:
            _fill_gap(draft, verb, noun)
        draft.rename(noun, "relcl", verb, "relative")


def _pronoun(draft: Draft, verb: int) -> tuple[int, str, int] | None:
    """Where the relative pronoun of a clause hangs: governor, relation and pronoun."""
    waiting = [verb]
    seen = {verb}
    while waiting:
        governor = waiting.pop(0)
        for relation, token in draft.links[governor]:
            if _is_relative(draft, relation, token):
                return governor, relation, token
            if relation not in ("relcl", "conj") and token not in seen:
                seen.add(token)
                waiting.append(token)
    return None


def _is_relative(draft: Draft, relation: str, token: int) -> bool:
    word = draft.form(token)
    if draft.parse.tags[token] in RELATIVE_TAGS:
        return word not in _NO_RELATIVES and relation not in ("det", "conj")
    return word == "that" and relation not in ("mark", "det")


def _fill_gap(draft: Draft, verb: int, noun: int) -> None:
    """*the man she saw*, *the house she lives in*: what the clause lacks."""
    if not draft.has(verb, *SUBJECTS):
        draft.add(verb, "nsubj", noun)
        return
    inner = verb
    while True:
        stranded = draft.child(inner, "stranded")
        if stranded >= 0:
            draft.move(inner, "stranded", stranded, inner, "folded")
            draft.add(inner, draft.parse.preposition(stranded), noun)
            return
        below = draft.child(inner, "xcomp", "ccomp")
        if below < 0:
            break
        inner = below
    if not draft.has(inner, "dobj"):
        draft.add(inner, "dobj", noun)


def _fill_object(draft: Draft, verb: int, noun: int) -> None:
    """*the man whom she laughed at*, *the coat that he lent Mary*: what the pronoun is the object of."""
    other = draft.child(verb, "dobj")
    if other >= 0 and not draft.has(verb, "stranded", "xcomp", "ccomp"):
        draft.rename(verb, "dobj", other, "dative")
    _fill_gap(draft, verb, noun)


def _resolve_participles(draft: Draft) -> None:
    """*the book sent to Mary*, *the man sending it*: relative clauses without their beginning."""
    for noun, _, verb in draft.pairs("acl"):
        tag = draft.parse.tags[verb]
        if draft.has(verb, *SUBJECTS) or draft.has(verb, "mark"):
            continue
        if tag == "VBG":
            draft.add(verb, "nsubj", noun)
        elif tag in ("VBN", "VBD"):
            draft.passive.add(verb)
            draft.add(verb, "nsubjpass", noun)
        else:
            continue
        draft.rename(noun, "acl", verb, "relative")


def _resolve_attributes(draft: Draft) -> None:
    """*a sleeping dog*, *the broken vase*: participles before their noun say what befell it."""
    for noun, _, verb in draft.pairs("amod"):
        tag, part = draft.parse.tags[verb], draft.parse.parts[verb]
        if part != "VERB" or draft.sorts[noun] is not Sort.THING:
            continue
        if tag == "VBG":
            draft.add(verb, "nsubj", noun)
        elif tag == "VBN":
            draft.passive.add(verb)
            draft.add(verb, "nsubjpass", noun)
        else:
            continue
        draft.rename(noun, "amod", verb, "relative")


RULES = (
    Rule(
        "relative-clause",
        "N relcl(V r(who)) → N relative(V r(N))",
        _resolve_relatives,
        (
            "The man who sang left. > sing agent man",
            "The book that Paul sent vanished. > send patient book",
            "The man Ann laughed at left. > laugh at man",
        ),
    ),
    Rule(
        "participle",
        "N acl(sent) → N relative(sent nsubjpass(N))",
        _resolve_participles,
        ("The book sent to Ann by Paul vanished. > send patient book, send agent paul",),
    ),
    Rule(
        "participle",
        "N amod(broken) → N relative(broken nsubjpass(N))",
        _resolve_attributes,
        ("The stolen vase vanished. > steal patient vase",),
    ),
)
