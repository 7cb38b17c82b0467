"""The cascade: every rule in its order, from a parse to a normalized graph."""

from __future__ import annotations

from dataclasses import dataclass

from ensue.language import Sentence
from ensue.language.graphs import Parse, parse_of
from ensue.language.lexicon import Lexicon
from ensue.logic.deadline import Deadline
from ensue.logic.rewriting import clauses, ellipsis, phrases, pronouns, roles
from ensue.logic.rewriting.draft import Link, RewriteStep, Rule, SemanticSort, draft_of

CASCADE: tuple[Rule, ...] = (
    *phrases.PHRASE_RULES,
    *phrases.APPOSITION_RULES,
    roles.PASSIVE_RULE,
    *clauses.RELATIVE_RULES,
    *ellipsis.RULES,
    *clauses.COORDINATION_RULES,
    *clauses.COMPLEMENT_RULES,
    *pronouns.RULES,
    *roles.VOICE_RULES[:2],
    *roles.NOMINAL_RULES,
    *roles.VOICE_RULES[2:],
    *phrases.PREDICATE_RULES,
)
"""Each rule sees what those before it have made."""


@dataclass(frozen=True, slots=True, eq=False)
class Normalized:
    """The normalized graph of a sentence: events, things and qualities with their roles."""

    parse: Parse
    words: tuple[str, ...]
    """What each token stands for; of a nominalization its verb."""
    sorts: tuple[SemanticSort, ...]
    links: tuple[tuple[Link, ...], ...]
    """The relations that lead from each token, with the tokens they lead to."""
    steps: tuple[RewriteStep, ...]
    """Which rule did what, in their order."""

    def child(self, token: int, *relations: str) -> int:
        """The first dependent by one of these relations, in their order; -1 where there is none."""
        for wanted in relations:
            for relation, dependent in self.links[token]:
                if relation == wanted:
                    return dependent
        return -1

    def children(self, token: int, *relations: str) -> list[int]:
        """The dependents by any of these relations."""
        return [dependent for relation, dependent in self.links[token] if relation in relations]


def normalize(
    sentence: Sentence, *, lexicon: Lexicon, deadline: Deadline | None = None
) -> Normalized:
    """The normalized graph of a sentence."""
    draft = draft_of(parse_of(sentence), lexicon, deadline)
    for rule in CASCADE:
        draft.rule = rule.name
        rule.apply(draft)
    return Normalized(
        draft.parse,
        tuple(draft.words),
        tuple(draft.sorts),
        tuple(tuple(links) for links in draft.links),
        tuple(draft.steps),
    )
