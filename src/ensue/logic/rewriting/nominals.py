"""Rules about events that are named by nouns: their arguments, and the light verbs that carry them."""

from __future__ import annotations

from ensue.language.lexicon import Lexicon
from ensue.logic.rewriting.draft import INTRANSITIVE, TRANSITIVE, Draft, Rule, Sort

_EVENTFUL = 0.15
"""How often a noun must name an event to be taken for one by its *of* alone."""
_FURTHER = ("to", "from", "into", "as")
"""Prepositions that show beside an *of* that a noun has arguments: *the attachment of a rope to a boat*."""
_INSTEAD_OF_OBJECT = frozenset(("in", "for", "on", "to", "with", "against", "at", "over", "into"))
"""Prepositions that nouns have where their verbs have an object: *trust in*, *admiration for*."""


def verb_of(draft: Draft, noun: int) -> str:
    """The verb that a noun was made from, where the noun names an event; empty for others."""
    if draft.parse.tags[noun] == "VBG":
        return draft.parse.lemmas[noun]
    if draft.sorts[noun] is not Sort.THING or draft.parse.parts[noun] == "PROPN":
        return ""
    word = draft.words[noun]
    verbs = draft.lexicon.event_verbs(word)
    if not verbs and _has_arguments(draft, noun):
        verbs = _derived(draft, word)
    return american(draft.lexicon, verbs[0]) if verbs else ""


def _has_arguments(draft: Draft, noun: int) -> bool:
    """Whether a noun has what a verb has: somebody who does it and something that it is done to."""
    if draft.has(noun, "poss"):
        return draft.has(noun, "of", *_INSTEAD_OF_OBJECT)
    return draft.has(noun, "of") and draft.has(noun, "by")


def _derived(draft: Draft, noun: str) -> tuple[str, ...]:
    """Verbs that a noun is made from though it names a feeling or a thought rather than an event."""
    if "person" in draft.lexicon.hypernyms(noun, "noun"):
        return ()
    found = [lemma for lemma in draft.lexicon.derivations(noun, "noun") if lemma.part == "verb"]
    return tuple(lemma.word for lemma in sorted(found, key=lambda lemma: lemma.word == noun))


def american(lexicon: Lexicon, verb: str) -> str:
    """The spelling with *-ize* of verbs that have two."""
    other = verb[:-3] + "ize"
    return other if verb.endswith("ise") and lexicon.lemmas(other, "verb") else verb


def _verbalize(draft: Draft) -> None:
    """*John's sending of a book*: a sending, with John as agent and the book as patient."""
    for noun in draft.parse.order:
        if not (draft.sorts[noun] is Sort.THING and draft.links[noun]):
            continue
        if not draft.has(noun, "poss", "of", "by"):
            continue
        verb = verb_of(draft, noun)
        if not draft.has(noun, "poss", "by", *_FURTHER) and _is_rather_a_thing(draft, noun):
            continue
        if verb:
            draft.call(noun, verb, Sort.EVENT)
            _map_arguments(draft, noun)


def _is_rather_a_thing(draft: Draft, noun: int) -> bool:
    """*a group of children*, *a cup of tea*: nouns that name an event only now and then."""
    word = draft.words[noun]
    return not word.endswith("ing") and draft.lexicon.formation.event_share(word) < _EVENTFUL


def _map_arguments(draft: Draft, noun: int) -> None:
    by, owner, of = (draft.child(noun, relation) for relation in ("by", "poss", "of"))
    if by >= 0:
        draft.rename(noun, "by", by, "agent")
    if owner >= 0 and (by >= 0 or of >= 0 or not _is_always_done_to(draft, noun)):
        draft.rename(noun, "poss", owner, "agent" if by < 0 else "patient")
    if of >= 0:
        role = "patient" if draft.has(noun, "agent") else _lone(draft, noun, of)
        draft.rename(noun, "of", of, role)
    elif owner >= 0 and not draft.has(noun, "dobj") and _is_done_to(draft, noun):
        for relation, token in list(draft.links[noun]):
            if relation in _INSTEAD_OF_OBJECT:
                draft.rename(noun, relation, token, f"{relation}|patient")
                break


def _lone(draft: Draft, noun: int, argument: int) -> str:
    """What the only argument of an event is: who does it, or what it befalls.

    Of several together it may be either: *the embrace of the guests*.
    """
    frames = draft.lexicon.frames(draft.words[noun], senses=3)
    if not frames & TRANSITIVE:
        return "agent"
    several = draft.parse.tags[argument] in ("NNS", "NNPS") or draft.has(argument, "and")
    return "agent|patient" if several and frames & INTRANSITIVE else _first_role(draft, noun)


def _first_role(draft: Draft, noun: int) -> str:
    """What the only argument is by the verb's first sense."""
    frames = draft.lexicon.frames(draft.words[noun], senses=1)
    if not frames & INTRANSITIVE:
        return "patient"
    return "agent|patient" if frames & TRANSITIVE else "agent"


def _is_always_done_to(draft: Draft, noun: int) -> bool:
    """*the doctor's murder*: whether it is open who did it to whom."""
    frames = draft.lexicon.frames(draft.words[noun], senses=3)
    return (
        bool(frames & TRANSITIVE) and not frames & INTRANSITIVE and not draft.has(noun, *_FURTHER)
    )


def _is_done_to(draft: Draft, noun: int) -> bool:
    """Whether an event may be done to something."""
    return bool(draft.lexicon.frames(draft.words[noun]) & TRANSITIVE)


RULES = (
    Rule(
        "nominalization",
        "sending poss(N) of(M) → send agent(N) patient(M)",
        _verbalize,
        (
            "Paul's sending of a book to Ann was quick. > send agent paul, send patient book, send recipient ann",
            "The destruction of the bridge by Paul was sudden. > destroy agent paul, destroy patient bridge",
        ),
    ),
)
