"""Rules about who did it to whom: voice, dative alternation, inchoatives."""

from __future__ import annotations

from ensue.logic.rewriting.draft import GIVING, Draft, Rule

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
        return "recipient"
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
        if len(objects) == 2:
            draft.rename(verb, "patient", objects[0], "recipient")
        if draft.lexicon.frames(draft.words[verb]) & GIVING:
            recipients = [link for link in links if link[0] in ("to", "to|patient")]
            if recipients and not draft.has(verb, "recipient"):
                relation, recipient = recipients[0]
                draft.rename(verb, relation, recipient, relation.replace("to", "recipient"))
        else:
            for recipient in draft.children(verb, "recipient"):
                draft.rename(verb, "recipient", recipient, "to|for")


def _doubt_lone_objects(draft: Draft) -> None:
    """*Ann was taught*, *paid Ann*: the only object of some verbs may be the recipient."""
    for verb, _, thing in draft.pairs("patient"):
        if not draft.is_event(verb) or draft.has(verb, "recipient"):
            continue
        if draft.lexicon.frames(draft.words[verb], senses=1) >= _GIVING_SOMEBODY:
            draft.rename(verb, "patient", thing, "patient|recipient")


def _undo_inchoatives(draft: Draft) -> None:
    """*The ice melted* like *the sun melted the ice*: it is what the melting befalls."""
    for verb, links in enumerate(draft.links):
        if draft.is_event(verb) and verb not in draft.passive and links:
            subject = draft.child(verb, "agent")
            if subject < 0 or draft.has(verb, "patient", "xcomp", "ccomp"):
                continue
            if draft.parse.has(verb, "prt"):
                continue  # its object is that of the particle: "turned on the lamp"
            if draft.lexicon.alternates(draft.words[verb]):
                draft.rename(verb, "agent", subject, "patient")


FIND = Rule(
    "voice", "V auxpass → V passive", _find_passives, ("A book was sent. > send patient book",)
)
RULES = (
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
