"""Rules about what is said of things and events: adjectives, adverbs, copulas, appositions."""

from __future__ import annotations

from ensue.logic.rewriting.draft import Draft, Rule, Sort


def _say_qualities(draft: Draft) -> None:
    """*a quick walk*, *the walk was quick*: quick is a quality of the walk."""
    for noun, _, quality in draft.pairs("amod"):
        draft.rename(noun, "amod", quality, "quality")
    for predicate in sorted(draft.parse.copulas):
        for subject in draft.children(predicate, "nsubj"):
            draft.rename(predicate, "nsubj", subject, "said-of")


def _say_manners(draft: Draft) -> None:
    """*quickly sent*: the sending was quick."""
    for verb, _, adverb in draft.pairs("advmod"):
        if not draft.is_event(verb):
            continue
        adjectives = draft.lexicon.manner_adjective(draft.form(adverb))
        if adjectives:
            draft.call(adverb, adjectives[0], Sort.QUALITY)
            draft.rename(verb, "advmod", adverb, "quality")


RULES = (
    Rule(
        "copula",
        "A nsubj(N) → N quality(A)",
        _say_qualities,
        ("The walk was quick. > quick said-of walk",),
    ),
    Rule(
        "manner",
        "V advmod(quickly) → V quality(quick)",
        _say_manners,
        ("Paul quickly left. > leave quality quick",),
    ),
)
