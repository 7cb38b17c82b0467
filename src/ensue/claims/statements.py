"""Statements of clauses: the words of each, from its sentence and those that have to be added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ensue.claims.attitudes import AttitudeFinder
from ensue.claims.clauses import (
    AUXILIARIES,
    NOUNS,
    SUBJECTS,
    ClauseAnalysis,
    Construction,
    StatedClause,
)
from ensue.claims.wording import Added, Antecedents, Distribution, Piece, Reason, third_person
from ensue.language.contexts import Quantity
from ensue.language.graphs import RELATIVE_TAGS
from ensue.logic.rewriting import Normalized

_PREPOSED = ("prep", "npadvmod", "advmod")
_STANDING = "aged based called entitled headquartered known located made named situated titled"
_STATES = frozenset(_STANDING.split())
"""Participles of what still is, and not of what happened."""
_VERBAL = ("VERB", "AUX", "PUNCT")
_ONCE = frozenset(("formerly", "once", "previously", "originally"))
_LASTING = {
    "belong": "belonged",
    "comprise": "comprised",
    "concern": "concerned",
    "consist": "consisted",
    "contain": "contained",
    "cost": "cost",
    "depict": "depicted",
    "have": "had",
    "include": "included",
    "involve": "involved",
    "know": "knew",
    "mean": "meant",
    "need": "needed",
    "own": "owned",
    "relate": "related",
    "represent": "represented",
    "resemble": "resembled",
    "require": "required",
    "want": "wanted",
}
"""Verbs that are seldom said in the progressive, with their past."""
_DAYS = frozenset(("day", "date", "night", "morning", "evening", "weekend"))
_PERIODS = frozenset(("year", "month", "week", "century", "decade", "summer", "winter", "spring"))


@dataclass(frozen=True, slots=True)
class StatementPieces:
    """The pieces of a statement, in its order."""

    pieces: tuple[Piece, ...]
    reporter: int = -1
    """The *according* that was left out of it; -1 for none."""


class StatementWriter:
    """Makes statements of the clauses of an analysis."""

    def __init__(self, analysis: ClauseAnalysis, normalized: Normalized | None) -> None:
        """Write statements of the clauses of a text.

        Args:
            analysis: The clauses.
            normalized: The same text as the rewriting sees it; None where it is too long for that.
        """
        self.analysis = analysis
        self.attitudes = AttitudeFinder(analysis)
        self._pronouns = Antecedents(analysis, normalized)
        self._distribution = Distribution(analysis)

    def statements(self, clause: StatedClause) -> list[StatementPieces]:
        """What a clause says: one statement, or one for each of what is joined in it."""
        pieces = self._pieces(clause)
        if not pieces:
            return []
        found = [
            StatementPieces(tuple(self._pronouns.resolved(each)))
            for each in self._distribution.distributed(clause, pieces)
        ]
        reporter = self.attitudes.reporter(clause.token)
        if reporter >= 0:
            off = set(self.analysis.subtree(reporter))
            found += [
                StatementPieces(tuple(piece for piece in each.pieces if piece not in off), reporter)
                for each in found
            ]
        return found

    # The words of one clause

    def _pieces(self, clause: StatedClause) -> list[Piece]:
        analysis = self.analysis
        if clause.construction is Construction.APPOSITION:
            return self._apposition(clause)
        first = self._first(clause)
        if first.construction is Construction.RELATIVE and first is clause:
            return self._relative(clause)
        tokens = self._body(clause)
        if first.construction is Construction.PARTICIPLE and not self._has_finite(clause.token):
            return self._participle(clause, first, tokens)
        if (subject := analysis.subject(clause.token)) >= 0:
            is_loose = clause.host >= 0 and analysis.tags[subject] in RELATIVE_TAGS
            return [] if is_loose and not self._asks(clause) else list(tokens)
        if clause.host < 0:  # an order; a heading says nothing
            is_order = analysis.tags[clause.token] == "VB"
            is_odd = analysis.is_tensed(clause.token) and analysis.parts[tokens[0]] not in _VERBAL
            return list(tokens) if is_order or is_odd else []
        shared = self._shared_subject(clause.token)
        if not shared:
            return []
        shared_before = [] if first is clause else self._preposed(clause.host)
        auxiliaries = self._shared_auxiliaries(clause.token)
        if not auxiliaries and self._is_bare_participle(clause.token):
            plural = analysis.is_plural(self._head_of(shared), shared)
            past = analysis.contexts.tenses[first.token] != "present"
            auxiliaries = [_be(plural, past)]  # *was a spy and imprisoned*
        return [*shared_before, *shared, *auxiliaries, *tokens]

    def _asks(self, clause: StatedClause) -> bool:
        """Whether it is a conjunct of a question: *Who came and who left?* has two."""
        subject = self.analysis.subject(self._first(clause).token)
        return subject >= 0 and self.analysis.tags[subject] in RELATIVE_TAGS

    def _is_bare_participle(self, token: int) -> bool:
        own = self.analysis.children[token]
        is_bare = self.analysis.tags[token] == "VBN" and not any(map(self._is_auxiliary, own))
        return is_bare and self.analysis.child(token, "dobj") < 0

    def _first(self, clause: StatedClause) -> StatedClause:
        """The clause that a conjunct is joined to in the end."""
        analysis = self.analysis
        while analysis.relations[clause.token] == "conj" and clause.host in analysis.clauses:
            clause = analysis.clauses[clause.host]
        return clause

    def _body(self, clause: StatedClause) -> list[int]:
        """The tokens of a clause without what joins it to others."""
        analysis, token = self.analysis, clause.token
        tokens = analysis.own_tokens(token)
        inner = [each for each in analysis.children[token] if each in analysis.clauses]
        joins = any(analysis.relations[each] == "conj" for each in inner)
        off: set[int] = set()
        for each in analysis.children[token]:
            relation = analysis.relations[each]
            is_join = relation in ("cc", "preconj") and (joins or each < token)
            is_mark = relation == "mark" and clause.host >= 0
            if is_mark and clause.construction is Construction.ADVERBIAL:
                off.update(range(tokens[0], each))  # *two years after it was written*
            is_when = analysis.tags[each] == "WRB" and clause.construction is Construction.ADVERBIAL
            if is_join or is_mark or is_when:
                off.update(analysis.subtree(each))
        found = [each for each in tokens if each not in off]
        inside = set(found)
        return [each for each in found if not self._is_dangling(each, inside)]

    def _is_dangling(self, token: int, inside: set[int]) -> bool:
        """Whether a token joins what is not there any more."""
        analysis = self.analysis
        if analysis.relations[token] != "cc":
            return False
        joined = [
            each
            for each in analysis.children[analysis.heads[token]]
            if analysis.relations[each] == "conj"
        ]
        return bool(joined) and inside.isdisjoint(joined)

    def _has_finite(self, token: int) -> bool:
        analysis = self.analysis
        own = [token, *(each for each in analysis.children[token] if self._is_auxiliary(each))]
        return any(analysis.tags[each] in ("VBZ", "VBP", "MD") for each in own) or (
            analysis.subject(token) >= 0
        )

    def _is_auxiliary(self, token: int) -> bool:
        return self.analysis.relations[token] in AUXILIARIES

    def _preposed(self, token: int) -> list[Piece]:
        """*On Monday he came and left*: he left on Monday, too."""
        analysis, subject = self.analysis, self.analysis.subject(token)
        known = analysis.clauses[token]
        if subject < 0:
            return self._preposed(known.host) if analysis.relations[token] == "conj" else []
        found: list[Piece] = []
        for each in analysis.children[token]:
            if each < subject and analysis.relations[each] in _PREPOSED and not self._is_wh(each):
                found += analysis.own_tokens(each)
                found += [at for at in (found[-1] + 1,) if analysis.forms[at] == ","]  # type: ignore[operator]
        return found

    def _shared_auxiliaries(self, token: int) -> list[Piece]:
        """*has bought and sold*: has sold."""
        analysis, known = self.analysis, self.analysis.clauses.get(token)
        if known is None or any(map(self._is_auxiliary, analysis.children[token])):
            return []
        head = known.host
        if head < 0 or analysis.relations[token] != "conj":
            return []
        tags = analysis.tags[head], analysis.tags[token]
        if tags[1] not in ("VB", "VBN", "VBG") and tags != ("VBN", "VBD"):
            return []
        own = [each for each in analysis.children[head] if self._is_auxiliary(each) and each < head]
        passive = any(analysis.relations[each] == "auxpass" for each in own)
        if passive and analysis.child(token, "dobj") >= 0:
            return []  # *was born there and spent his youth elsewhere*
        if own:
            return list(own)
        return self._shared_auxiliaries(head)

    # Who it is about

    def _shared_subject(self, token: int) -> list[Piece]:
        """The subject of a clause: its own, or that of the clause or noun it hangs on."""
        analysis = self.analysis
        subject = analysis.subject(token)
        known = analysis.clauses.get(token)
        if subject >= 0 and self._is_wh(subject):
            return self._spoken_of(known.host) if known and self._is_relative(known) else []
        if subject >= 0:
            return (
                list(analysis.own_tokens(subject)) if analysis.relations[subject] != "expl" else []
            )
        if known is None or known.host < 0:
            return []
        if analysis.parts[known.host] in NOUNS and analysis.relations[token] != "conj":
            return self._spoken_of(known.host)
        return self._shared_subject(known.host)

    def _spoken_of(self, noun: int) -> list[Piece]:
        """What a noun stands for: of *Zhao was a reformer who left* and *Zhao, a reformer*, Zhao."""
        analysis = self.analysis
        known = analysis.clauses.get(noun)
        if known is not None and known.construction is Construction.APPOSITION:
            return self._spoken_of(known.host)
        head = analysis.heads[noun]
        is_said = analysis.relations[noun] == "attr" and analysis.lemmas[head] == "be"
        if is_said and analysis.contexts.quantities[noun] is not Quantity.THE:
            subject = analysis.subject(head)
            if subject >= 0 and analysis.relations[subject] == "nsubj" and not self._is_wh(subject):
                return list(analysis.own_tokens(subject))
        return list(analysis.noun_phrase(noun))

    def _is_relative(self, clause: StatedClause | None) -> bool:
        return (
            clause is not None
            and clause.construction is Construction.RELATIVE
            and self.analysis.relations[clause.token] == "relcl"
        )

    # Participles and appositions

    def _participle(
        self, clause: StatedClause, first: StatedClause, tokens: list[int]
    ) -> list[Piece]:
        analysis = self.analysis
        subject = self._shared_subject(first.token)
        if not subject:
            return []
        noun = self._head_of(subject)
        host = analysis.predicate(first.host)
        verb, tag = clause.token, analysis.tags[clause.token]
        tense = analysis.contexts.tenses[host]  # a past that is taken for a participle has none
        is_past = tense == "past" or (not tense and analysis.tags[host] in ("VBN", "VBD"))
        plural = analysis.is_plural(noun, subject)
        auxiliary = next((each for each in tokens if analysis.relations[each] in AUXILIARIES), -1)
        if auxiliary >= 0 and analysis.forms[auxiliary] == "having":
            have = Added("had", Reason.VERB, replaces=auxiliary)
            return [*subject, *(have if each == auxiliary else each for each in tokens)]
        # of *belonging* the analyzer makes another verb
        lemmas = analysis.lemmas[verb], analysis.forms[verb].removesuffix("ing")
        lemma = next((each for each in lemmas if each in _LASTING), "")
        if tag == "VBG" and auxiliary < 0 and lemma:
            form = _LASTING[lemma] if is_past else lemma if plural else third_person(lemma)
            return [
                *subject,
                *(
                    Added(form, Reason.VERB, replaces=verb) if each == verb else each
                    for each in tokens
                ),
            ]
        words = {analysis.forms[each] for each in tokens}
        happened = tag != "VBG" and (not words & _STATES or bool(words & _ONCE))
        be = _be(plural, is_past or happened)
        if be.words == "is" and analysis.forms[noun] == "i":
            be = Added("am", Reason.VERB)
        return [*subject, be, *tokens]

    def _head_of(self, pieces: Sequence[Piece]) -> int:
        tokens = [each for each in pieces if isinstance(each, int)]
        inside = set(tokens)
        return next(
            (each for each in tokens if self.analysis.heads[each] not in inside), tokens[-1]
        )

    def _apposition(self, clause: StatedClause) -> list[Piece]:
        analysis = self.analysis
        own = analysis.own_tokens(clause.token)
        subject = analysis.noun_phrase(clause.host)
        plural = analysis.is_plural(clause.host, subject)
        past = any(analysis.forms[each] in _ONCE for each in own)
        return [*subject, _be(plural, past), *own]

    # Relative clauses

    def _relative(self, clause: StatedClause) -> list[Piece]:
        """Put the noun where the relative pronoun stands, or the gap is."""
        analysis = self.analysis
        tokens = self._body(clause)
        noun = self._spoken_of(clause.host)
        wh = next((each for each in tokens if self._is_wh(each)), -1)
        if wh < 0:
            return self._gap(clause.token, tokens, noun)
        if analysis.tags[wh] == "WP$":
            return self._whose(wh, tokens, noun)
        relation, governor = analysis.relations[wh], analysis.heads[wh]
        if analysis.tags[wh] == "WRB":
            return self._where(clause, wh, tokens, noun)
        if relation in SUBJECTS:
            return self._moved(tokens, [wh], noun, before=min(self._rest(governor, tokens, wh)))
        if relation == "pobj":
            return self._preposition(governor, wh, tokens, noun)
        if relation in ("dobj", "attr", "dative", "oprd"):
            return self._moved(tokens, [wh], noun, after=self._behind(governor, tokens))
        return []

    def _is_wh(self, token: int) -> bool:
        analysis = self.analysis
        if analysis.tags[token] in RELATIVE_TAGS:
            return True
        return (
            analysis.forms[token] == "that"
            and analysis.relations[token]
            in (
                "nsubj",
                "nsubjpass",
                "dobj",
                "pobj",
            )
            and analysis.parts[token] in ("PRON", "SCONJ", "DET")
        )

    def _rest(self, verb: int, tokens: Sequence[int], wh: int) -> list[int]:
        inside = set(self.analysis.subtree(verb))
        return [each for each in tokens if each in inside and each != wh] or [verb]

    def _behind(self, verb: int, tokens: Sequence[int]) -> int:
        """The last token of a verb with its particle and the person it is done to."""
        near = [
            each
            for each in self.analysis.children[verb]
            if self.analysis.relations[each] in ("prt", "dative") and each > verb and each in tokens
        ]
        return max([verb, *near])

    def _moved(
        self,
        tokens: Sequence[int],
        off: Sequence[int],
        noun: Sequence[Piece],
        *,
        before: int = -1,
        after: int = -1,
    ) -> list[Piece]:
        """The tokens with a noun before one of them or behind it, and without others."""
        found: list[Piece] = []
        for each in tokens:
            if each == before:
                found += noun
            if each not in off:
                found.append(each)
            if each == after:
                found += noun
        return found

    def _whose(self, wh: int, tokens: list[int], noun: list[Piece]) -> list[Piece]:
        analysis = self.analysis
        owned = analysis.heads[wh]
        owner = [*noun, _possessive(analysis.forms[_last(noun)], wh)]
        verb = analysis.heads[owned]
        phrase = [each for each in analysis.own_tokens(owned) if each != wh]
        if analysis.relations[owned] == "dobj" and owned < verb:
            return self._moved(
                tokens, [wh, *phrase], [*owner, *phrase], after=self._behind(verb, tokens)
            )
        if analysis.relations[owned] not in SUBJECTS:
            return []
        return self._moved(tokens, [wh], owner, before=wh)

    def _where(
        self, clause: StatedClause, wh: int, tokens: list[int], noun: list[Piece]
    ) -> list[Piece]:
        analysis, form = self.analysis, self.analysis.forms[wh]
        if form not in ("where", "when"):
            return []
        lemma, kind = analysis.lemmas[clause.host], analysis.sentence.entities[clause.host][2:]
        if form == "when" and kind not in ("DATE", "TIME") and lemma not in (*_DAYS, *_PERIODS):
            return [each for each in tokens if each != wh]  # *during docking, when he lost control*
        on = form == "when" and (lemma in _DAYS or analysis.parts[clause.host] == "PROPN")
        added = Added("on" if on else "in", Reason.PREPOSITION, replaces=wh)
        return self._at_the_end(tokens, [wh], [added, *noun])

    def _preposition(self, at: int, wh: int, tokens: list[int], noun: list[Piece]) -> list[Piece]:
        analysis = self.analysis
        if at > wh:  # *the school which she went to*
            return self._moved(tokens, [wh], noun, after=at)
        above = analysis.heads[at]
        if analysis.parts[above] not in ("VERB", "AUX"):  # *one of whom*
            return self._moved(tokens, [wh], noun, before=wh)
        return self._at_the_end(tokens, [at, wh], [at, *noun])

    def _at_the_end(
        self, tokens: Sequence[int], off: Sequence[int], added: Sequence[Piece]
    ) -> list[Piece]:
        rest: list[Piece] = [each for each in tokens if each not in off]
        while rest and isinstance(rest[-1], int) and self.analysis.relations[rest[-1]] == "punct":
            rest.pop()
        return [*rest, *added]

    def _gap(self, verb: int, tokens: list[int], noun: list[Piece]) -> list[Piece]:
        analysis = self.analysis
        tokens = [each for each in tokens if analysis.relations[each] != "mark" or each > verb]
        if analysis.subject(verb) < 0:
            return []
        inner = verb
        while True:
            stranded = [
                each
                for each in analysis.children[inner]
                if analysis.relations[each] == "prep" and not analysis.children[each]
            ]
            if stranded:
                return self._moved(tokens, [], noun, after=stranded[0])
            below = analysis.child(inner, "xcomp", "ccomp")
            if below < 0:
                break
            inner = below
        if analysis.child(inner, "dobj", "attr", "acomp") >= 0:
            return []
        return self._moved(tokens, [], noun, after=self._behind(inner, tokens))


def _be(plural: bool, past: bool) -> Added:
    form = ("were" if plural else "was") if past else ("are" if plural else "is")
    return Added(form, Reason.VERB)


def _possessive(owner: str, wh: int) -> Added:
    return Added("'" if owner.endswith("s") else "'s", Reason.POSSESSIVE, replaces=wh)


def _last(pieces: Sequence[Piece]) -> int:
    return next(each for each in reversed(pieces) if isinstance(each, int))
