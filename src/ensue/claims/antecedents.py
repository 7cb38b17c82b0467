"""Pronouns: what each stands for where that is beyond doubt, and what that is called again.

What a pronoun stands for is decided by the rewriting rules of `ensue.logic`, which give up where two
things are as good as each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ensue.claims.clauses import NOUNS, ClauseAnalysis
from ensue.claims.wording import Added, Piece, Reason
from ensue.logic.rewriting import Normalized

_LONGEST_NAME = 10
"""Words of an antecedent that may stand for a pronoun."""
_ARTICLES = ("a", "an", "the")
_TOLD = ("xcomp", "ccomp", "csubj", "advcl", "relcl")
_MANY = ("they", "them", "their")
_THIRD_PERSONS = "he him his she her hers it its they them their"
_PRONOUNS = frozenset(_THIRD_PERSONS.split())


def antecedents_of(normalized: Normalized) -> dict[int, int]:
    """The noun of each pronoun that the rewriting has resolved.

    Every relation that led to such a pronoun leads to its antecedent after it; the steps of the rule
    say the word, and the links which of the words.
    """
    parse = normalized.parse
    steps = [step.what for step in normalized.steps if step.rule == "pronoun"]
    linked = {token for links in normalized.links for _, token in links}
    found: dict[int, int] = {}
    for token, word in enumerate(parse.words):
        governor = parse.heads[token]
        if word not in _PRONOUNS or token in linked or governor < 0 or not steps:
            continue
        # *it will cost much to return*: what is told after the verb is meant, and nothing before it
        if word == "it" and any(parse.has(governor, each) for each in _TOLD):
            continue
        led = [
            each.split(": ")[0] for each in steps if each.endswith(f" of {parse.words[governor]}")
        ]
        near = [
            other
            for _, other in normalized.links[governor]
            if other < token and parse.words[other] in led and parse.parts[other] in NOUNS
        ]
        if len(set(near)) == 1:
            found[token] = near[0]
    return found


class Antecedents:
    """Puts names for the pronouns of an analysis."""

    def __init__(self, analysis: ClauseAnalysis, normalized: Normalized | None) -> None:
        """Know the antecedents of pronouns.

        Args:
            analysis: The clauses that they stand in.
            normalized: The same text as the rewriting sees it; None where it is too long for that.
        """
        self.analysis = analysis
        self.antecedents = {} if normalized is None else antecedents_of(normalized)

    def resolved(self, pieces: Sequence[Piece]) -> list[Piece]:
        """The pieces with names for pronouns, where these are not in the statement anyway."""
        inside = {each for each in pieces if isinstance(each, int)}
        found: list[Piece] = []
        for each in pieces:
            noun = self.antecedents.get(each, -1) if isinstance(each, int) else -1
            if noun < 0 or noun in inside:
                found.append(each)
            else:
                assert isinstance(each, int)
                name = self._name_for(each, noun)
                inside |= set() if name is None else {noun}
                found.append(each if name is None else name)
        return found

    def _name_for(self, pronoun: int, noun: int) -> Added | None:
        """What a noun is called where it is spoken of again: *a tall man*, then *the tall man*."""
        analysis = self.analysis
        # *Ann and Ben … their*: both of them, whom no single name stands for
        if analysis.child(noun, "conj") >= 0 and analysis.forms[pronoun] in _MANY:
            return None
        tokens = analysis.noun_phrase(noun)
        forms = [analysis.sentence.text[slice(*analysis.span(each))] for each in tokens]
        is_simple = all(b - a == 1 for a, b in pairwise(tokens))
        if len(tokens) > _LONGEST_NAME or not is_simple or not self._names(tokens):
            return None
        first, last = tokens[0], tokens[-1]
        start, end = analysis.span(first)[0], analysis.span(last)[1]
        words = analysis.sentence.text[start:end]
        if forms[0].lower() in _ARTICLES:
            words = f"the{words[len(forms[0]) :]}"
        if analysis.relations[pronoun] == "poss":
            words += "'" if words.endswith("s") and analysis.is_plural(noun, ()) else "'s"
        return Added(words, Reason.PRONOUN, replaces=pronoun, source=(start, end))

    def _names(self, tokens: Sequence[int]) -> bool:
        """Whether a phrase says by itself who is meant."""
        analysis = self.analysis
        if any(
            analysis.tags[each] in ("PRP", "PRP$", "DT") and analysis.forms[each] not in _ARTICLES
            for each in tokens
        ):
            return False
        determined = analysis.forms[tokens[0]] in _ARTICLES or analysis.parts[tokens[-1]] == "PROPN"
        return determined or any(analysis.relations[each] == "poss" for each in tokens)
