"""What embeds the clauses of a text: said, believed, negated, possible, conditional, asked."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from ensue.claims.clauses import CONDITIONS, ClauseAnalysis, Construction, StatedClause
from ensue.language.contexts import Embedding, Modality


class Attitude(StrEnum):
    """How a statement is put: what its embedder makes of it."""

    SAID = "said"
    BELIEVED = "believed"
    KNOWN = "known"
    DENIED = "denied"
    WANTED = "wanted"
    NEGATED = "negated"
    POSSIBLE = "possible"
    NECESSARY = "necessary"
    CONDITIONAL = "conditional"
    ASKED = "asked"


Put = tuple[Attitude, int]
"""An attitude, and the token that says it."""

_ATTITUDES = {
    Embedding.FACTIVE: Attitude.KNOWN,
    Embedding.REPORTED: Attitude.SAID,
    Embedding.BELIEVED: Attitude.BELIEVED,
    Embedding.DENIED: Attitude.DENIED,
    Embedding.COUNTERFACTIVE: Attitude.NEGATED,
    Embedding.NEGATIVE_IMPLICATIVE: Attitude.NEGATED,
    Embedding.ONE_WAY_NEGATIVE: Attitude.NEGATED,
    Embedding.IF_NOT: Attitude.POSSIBLE,
    Embedding.UNLESS: Attitude.POSSIBLE,
    Embedding.WANTED: Attitude.WANTED,
    Embedding.MODAL: Attitude.POSSIBLE,
    Embedding.QUESTIONED: Attitude.ASKED,
    Embedding.CONDITIONAL: Attitude.CONDITIONAL,
}
_COMPLEMENTS = {
    **_ATTITUDES,
    Embedding.IMPLICATIVE: Attitude.KNOWN,
    Embedding.ONE_WAY_POSITIVE: Attitude.KNOWN,
}
"""*They confirmed that it rained* says that it did; of infinitives these words say nothing more."""
_MODALITIES = {
    Modality.POSSIBLE: Attitude.POSSIBLE,
    Modality.NOT_POSSIBLE: Attitude.POSSIBLE,
    Modality.NECESSARY: Attitude.NECESSARY,
    Modality.NOT_NECESSARY: Attitude.NECESSARY,
}


class AttitudeFinder:
    """Finds how the statements of an analysis are put."""

    def __init__(self, analysis: ClauseAnalysis) -> None:
        self.analysis = analysis
        self.contexts = analysis.contexts

    def attitudes(self, clause: StatedClause) -> list[Put]:
        """How the statement of a clause is put: the outermost first, its own negation last."""
        return list(dict.fromkeys([*self._above(clause), *self._own(clause)]))

    def reporter(self, token: int) -> int:
        """The *according* of *according to the report, the plant leaked*; -1 for none."""
        embedder = self.contexts.embedders[token]
        is_one = embedder >= 0 and self.analysis.lemmas[embedder] in ("accord", "according")
        return embedder if is_one else -1

    def _above(self, clause: StatedClause) -> list[Put]:
        """What clauses around it make of it."""
        token = self._first(clause.token)
        head = self.analysis.heads[token]
        if head < 0:
            return []
        host = self.analysis.predicate(head)
        outer = self.analysis.clauses.get(self.analysis.nearest(host))
        found = [] if outer is None or outer.token == token else self._above(outer)
        if clause.construction is Construction.COMPLEMENT:
            found += [*self._own_of(host)]
            kind, embedder = self.contexts.embeddings[token], self.contexts.embedders[token]
            if kind in _COMPLEMENTS and kind is not Embedding.CONDITIONAL:
                found.append((_COMPLEMENTS[kind], embedder))
        elif outer is not None and clause.construction is not Construction.ADVERBIAL:
            found += [each for each in self.reports(outer.token) if each not in found]
        return found

    def _first(self, token: int) -> int:
        """The first of the verbs that a verb is joined to."""
        while self.analysis.relations[token] == "conj" and token in self.analysis.clauses:
            token = self.analysis.clauses[token].host
        return token

    def reports(self, token: int) -> list[Put]:
        """*According to* is said of all that its clause has in it."""
        at = self.reporter(token)
        return [(Attitude.SAID, at)] if at >= 0 else []

    def _own(self, clause: StatedClause) -> list[Put]:
        token = clause.token
        if clause.construction is Construction.APPOSITION:
            return []
        found = list(self._conditions(token))
        kind, embedder = self.contexts.embeddings[token], self.contexts.embedders[token]
        # adverbs, as *allegedly*, stand in their own clause
        if (
            embedder >= 0
            and self.analysis.heads[embedder] == token
            and self.analysis.relations[embedder] == "advmod"
        ):
            found += [(_ATTITUDES[kind], embedder)] if kind in _ATTITUDES else []
        return found + self._own_of(token)

    def _own_of(self, token: int) -> list[Put]:
        """The modality and the negation that stand in a clause."""
        found = list(self._questions(token))
        if (modal := self._modal(token)) is not None:
            found.append(modal)
        return found + [(Attitude.NEGATED, each) for each in self.analysis.negators(token)]

    def _questions(self, token: int) -> Iterator[Put]:
        if self.analysis.heads[token] < 0:
            for each in self.analysis.children[token][-2:]:
                if self.analysis.forms[each] == "?":
                    yield Attitude.ASKED, each

    def _conditions(self, token: int) -> Iterator[Put]:
        """The *if* of a clause, or of one that it depends on."""
        for each in (token, *self.analysis.children[token]):
            if each == token or self.analysis.relations[each] == "advcl":
                for mark in self.analysis.children[each]:
                    if (
                        self.analysis.relations[mark] == "mark"
                        and self.analysis.forms[mark] in CONDITIONS
                    ):
                        is_even = mark > 0 and self.analysis.forms[mark - 1] in ("even", "as")
                        if not is_even and not (
                            each == token and self.analysis.relations[token] == "ccomp"
                        ):
                            yield Attitude.CONDITIONAL, mark

    def _modal(self, token: int) -> Put | None:
        attitude = _MODALITIES.get(self.contexts.modalities[token])
        modal = self.contexts.modals[token]
        if (
            attitude is None
            or modal < 0
            or self.analysis.predicate(modal) != self.analysis.predicate(token)
        ):
            return None
        return attitude, modal
