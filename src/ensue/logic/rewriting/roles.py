"""Rules about roles: voice, dative alternation, inchoatives, nominalizations."""

from __future__ import annotations

from ensue.language.lexicon import Lexicon
from ensue.logic.rewriting.draft import GIVING, INTRANSITIVE, TRANSITIVE, Draft, Rule, SemanticSort

# Rules about who did it to whom: voice, dative alternation, inchoatives.

_PASSIVE_SUBJECTS = ("nsubjpass", "csubjpass")
_TIMES = frozenset(("time period", "time unit", "clock time", "time of day", "hour"))
_GIVING_SOMEBODY = frozenset((9, 14))
"""WordNet's frames *somebody ----s somebody* and *somebody ----s somebody something*, of one sense."""


def _find_passives(draft: Draft) -> None:
    for verb, _, _ in draft.pairs("auxpass", *_PASSIVE_SUBJECTS):
        draft.passive.add(verb)


def _undo_passives(draft: Draft) -> None:
    """*A book is sent to Mary by John*: John is its agent, the book the patient."""
    for verb in sorted(draft.passive):
        for subject in draft.children(verb, *_PASSIVE_SUBJECTS):
            relation = "nsubjpass" if ("nsubjpass", subject) in draft.links[verb] else "csubjpass"
            draft.rename(verb, relation, subject, _place(draft, verb))
        for agent in draft.children(verb, "by"):
            # *was found by noon*, *was found by John*: only the second did it
            if not draft.has(verb, "agent") and not _is_time(draft, agent):
                draft.rename(verb, "by", agent, "agent")


def _is_time(draft: Draft, token: int) -> bool:
    """*found by noon*: whether a thing is a time, which does nothing."""
    if draft.parse.sentence.entities[token].endswith(("-DATE", "-TIME")):
        return True
    if draft.parse.parts[token] != "NOUN" or draft.has(token, "poss", "of", "relative"):
        return False
    return not _TIMES.isdisjoint(draft.lexicon.hypernyms(draft.words[token], "noun"))


def _place(draft: Draft, verb: int) -> str:
    """What the subject of a passive verb would be in the active voice."""
    if draft.has(verb, "dobj"):
        # *Mary was given a book*: the object is still there, so the subject is whom it was given to
        return "recipient"
    # *the man was laughed at*: the subject belongs to the preposition that lost its object
    stranded = draft.child(verb, "stranded")
    if stranded >= 0:
        draft.move(verb, "stranded", stranded, verb, "folded")
        return draft.parse.preposition(stranded)
    return "patient"


def _name_roles(draft: Draft) -> None:
    """The subject of an active verb is its agent, its object the patient."""
    for verb, relation, subject in draft.pairs("nsubj", "csubj"):
        if draft.is_event(verb):
            draft.rename(verb, relation, subject, "agent")
    for verb, _, thing in draft.pairs("dobj"):
        draft.rename(verb, "dobj", thing, "patient")
    for verb, _, thing in draft.pairs("dative"):
        draft.rename(verb, "dative", thing, "recipient")


def _give_to(draft: Draft) -> None:
    """*gave Mary a book*, *gave a book to Mary*: Mary is the recipient."""
    for verb, links in enumerate(draft.links):
        if not draft.is_event(verb) or not links:
            continue
        objects = draft.children(verb, "patient")
        # *gave Mary a book*: the first of two objects is the recipient in English, whatever the
        # parser calls it
        if len(objects) == 2:
            draft.rename(verb, "patient", objects[0], "recipient")
        if draft.lexicon.frames(draft.words[verb]) & GIVING:
            recipients = [link for link in links if link[0] in ("to", "to|patient")]
            if recipients and not draft.has(verb, "recipient"):
                relation, recipient = recipients[0]
                draft.rename(verb, relation, recipient, relation.replace("to", "recipient"))
        else:
            for recipient in draft.children(verb, "recipient"):
                # *baked Ann a cake* is *baked a cake for Ann*, *threw Ann a ball* is *to Ann*:
                # frames do not tell which, so both are tried
                draft.rename(verb, "recipient", recipient, "to|for")


def _doubt_lone_objects(draft: Draft) -> None:
    """*Ann was taught*, *paid Ann*: the only object of some verbs may be the recipient."""
    for verb, _, thing in draft.pairs("patient"):
        if not draft.is_event(verb) or draft.has(verb, "recipient"):
            continue
        # *paid Ann* has the one who gets something, *paid the bill* what is given; both are *the
        # object*, so the role stays open
        if draft.lexicon.frames(draft.words[verb], senses=1) >= _GIVING_SOMEBODY:
            draft.rename(verb, "patient", thing, "patient|recipient")


def _undo_inchoatives(draft: Draft) -> None:
    """*The ice melted* like *the sun melted the ice*: it is what the melting befalls."""
    for verb, links in enumerate(draft.links):
        if draft.is_event(verb) and verb not in draft.passive and links:
            subject = draft.child(verb, "agent")
            # *the sun melted the ice* has a patient already: its subject does something
            if subject < 0 or draft.has(verb, "patient", "xcomp", "ccomp"):
                continue
            if draft.parse.has(verb, "prt"):
                continue  # its object is that of the particle: "turned on the lamp"
            if draft.lexicon.alternates(draft.words[verb]):
                draft.rename(verb, "agent", subject, "patient")


PASSIVE_RULE = Rule(
    "voice", "V auxpass → V passive", _find_passives, ("A book was sent. > send patient book",)
)
VOICE_RULES = (
    Rule(
        "voice",
        "V nsubjpass(N) by(M) → V patient(N) agent(M)",
        _undo_passives,
        ("A book was sent to Ann by Paul. > send patient book, send agent paul",),
    ),
    Rule(
        "voice",
        "V nsubj(N) dobj(M) → V agent(N) patient(M)",
        _name_roles,
        ("Paul sent a book. > send agent paul, send patient book",),
    ),
    Rule(
        "dative",
        "V patient(N) to(M) → V patient(N) recipient(M)",
        _give_to,
        (
            "Paul gave a book to Ann. > give recipient ann",
            "Paul gave Ann a book. > give recipient ann",
            "Paul baked Ann a cake. > bake to|for ann",
        ),
    ),
    Rule(
        "dative",
        "teach patient(N) → teach patient|recipient(N)",
        _doubt_lone_objects,
        ("Ann was taught. > teach patient|recipient ann",),
    ),
    Rule(
        "inchoative",
        "melt agent(N) → melt patient(N)",
        _undo_inchoatives,
        ("The ice melted. > melt patient ice",),
    ),
)


# Rules about events that are named by nouns: their arguments, and the light verbs that carry
# them.

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
    if draft.sorts[noun] is not SemanticSort.THING or draft.parse.parts[noun] == "PROPN":
        return ""
    word = draft.words[noun]
    verbs = draft.lexicon.event_verbs(word)
    if not verbs and _has_arguments(draft, noun):
        verbs = _derived(draft, word)
    return american(draft.lexicon, verbs[0]) if verbs else ""


def _has_arguments(draft: Draft, noun: int) -> bool:
    """Whether a noun has what a verb has: somebody who does it and something that it is done to."""
    # *John's trust in Mary* has two arguments as *John trusts Mary* has; *John's trust* alone may
    # be a fund
    if draft.has(noun, "poss"):
        return draft.has(noun, "of", *_INSTEAD_OF_OBJECT)
    return draft.has(noun, "of") and draft.has(noun, "by")


def _derived(draft: Draft, noun: str) -> tuple[str, ...]:
    """Verbs that a noun is made from though it names a feeling or a thought rather than an event."""
    # *the singer of the song* is derived from *sing* and is no singing
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
        if not (draft.sorts[noun] is SemanticSort.THING and draft.links[noun]):
            continue
        if not draft.has(noun, "poss", "of", "by"):
            continue
        verb = verb_of(draft, noun)
        # *a group of children* would become a grouping: with *of* alone, the noun must name events
        # often enough
        if not draft.has(noun, "poss", "by", *_FURTHER) and _is_rather_a_thing(draft, noun):
            continue
        if verb:
            draft.call(noun, verb, SemanticSort.EVENT)
            _map_arguments(draft, noun)


def _is_rather_a_thing(draft: Draft, noun: int) -> bool:
    """*a group of children*, *a cup of tea*: nouns that name an event only now and then."""
    word = draft.words[noun]
    return not word.endswith("ing") and draft.lexicon.formation.event_share(word) < _EVENTFUL


def _map_arguments(draft: Draft, noun: int) -> None:
    by, owner, of = (draft.child(noun, relation) for relation in ("by", "poss", "of"))
    if by >= 0:
        draft.rename(noun, "by", by, "agent")
    # *John's sending of a book* was done by John; *the city's destruction by the enemy* was done to
    # the city; *the doctor's murder* may be either, and stays as it is
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
        # *the arrival of the train*: verbs without an object leave no choice
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


NOMINAL_RULES = (
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
