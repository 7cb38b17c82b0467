"""Where prepositional phrases belong."""

from __future__ import annotations

from ensue.logic.parsing.tree import NOUNS, Mend, Tree

_KEPT = frozenset(("of",))
"""Prepositions that belong to the noun before them."""


def _reattach(tree: Tree) -> None:
    """*showed a vase to a sailor*: what is not said of an event is said of the one that is going on."""
    for token, relation in enumerate(tree.relations):
        if relation not in ("prep", "agent", "dative") or tree.words[token] in _KEPT:
            continue
        head = tree.heads[token]
        if tree.words[token] == "by" and _take_agent(tree, token):
            continue
        if head < 0 or tree.parts[head] not in NOUNS or is_eventive(tree, head) or token < head:
            continue
        event = _event_above(tree, head)
        if 0 <= event <= head:
            tree.attach(token, event, "prep")


def _take_agent(tree: Tree, token: int) -> bool:
    """*was asked about the delay by David*: a passive verb or an event without its agent takes it."""
    above = tree.heads[token]
    while above >= 0:
        is_passive = bool(tree.children(above, "auxpass")) and above < token
        if is_passive or (is_eventive(tree, above) and _lacks_agent(tree, above, token)):
            others = [
                each
                for each in tree.children(above, "agent", "prep")
                if tree.words[each] == "by" and each != token
            ]
            if not others:
                tree.attach(token, above, "agent" if is_passive else "prep")
                return True
        above = tree.heads[above]
    return False


def _lacks_agent(tree: Tree, event: int, by: int) -> bool:
    """Whether an event has what it befalls and not who does it."""
    return (
        event < by
        and not tree.children(event, "poss")
        and any(tree.words[each] == "of" for each in tree.children(event, "prep"))
    )


def _event_above(tree: Tree, token: int) -> int:
    """The nearest verb or eventive noun above a token, as long as phrases go."""
    while tree.relations[token] in (
        "pobj",
        "prep",
        "dobj",
        "dative",
        "conj",
        "agent",
        "attr",
        "oprd",
    ):
        token = tree.heads[token]
        if token < 0:
            return -1
        if tree.parts[token] == "VERB" or is_eventive(tree, token):
            return token
    return -1


def is_eventive(tree: Tree, token: int) -> bool:
    """Whether a noun names an event and has arguments as its verb has (Grimshaw 1990)."""
    if tree.tags[token] == "VBG":
        return True
    if tree.parts[token] != "NOUN" or not tree.lexicon.event_verbs(tree.words[token]):
        return False
    if tree.words[token].endswith("ing"):
        return True
    return any(
        tree.relations[each] == "poss" or tree.words[each] in ("of", "by")
        for each in tree.children(token, "poss", "prep", "agent")
    )


MENDS = (
    Mend(
        "attachment",
        "V dobj(N prep(P)) → V dobj(N) prep(P)",
        _reattach,
        ("Ann showed a vase to a sailor.", "Ann was asked about the delay by Paul."),
    ),
)
