"""Rules about two noun phrases for one thing: *John, a baker*, *the baker John*."""

from __future__ import annotations

from dataclasses import replace

from ensue.logic.rewriting.draft import Draft, Rule, Sort


def _put_names_first(draft: Draft) -> None:
    """*The baker John*: John, who is a baker."""
    for noun, _, name in draft.pairs("appos"):
        parts = draft.parse.parts
        if parts[name] != "PROPN" or parts[noun] == "PROPN" or draft.sorts[noun] is not Sort.THING:
            continue
        draft.drop(noun, "appos", name)
        for relation, governor in list(draft.heads[noun]):
            draft.move(governor, relation, noun, governor, "was")
            draft.drop(governor, "was", noun)
            draft.add(governor, relation, name)
        draft.add(name, "appos", noun)


def _say_appositions(draft: Draft) -> None:
    """*John, a baker*: a clause that says of John that he is a baker."""
    said = {}
    for noun, _, other in draft.pairs("appos"):
        if draft.sorts[noun] is Sort.THING and draft.sorts[other] is Sort.THING:
            draft.rename(noun, "appos", other, "relative")
            draft.add(other, "nsubj", noun)
            said[other] = other
    if said:
        draft.parse = replace(draft.parse, copulas={**draft.parse.copulas, **said})


RULES = (
    Rule(
        "apposition",
        "N appos(John) → John appos(N)",
        _put_names_first,
        ("The baker Paul sang. > sing agent paul",),
    ),
    Rule(
        "apposition",
        "N appos(M) → N relative(M nsubj(N))",
        _say_appositions,
        ("Paul, a baker, sang. > paul relative baker",),
    ),
)
