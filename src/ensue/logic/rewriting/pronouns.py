"""Rules about pronouns: each replaced by its antecedent where that is beyond doubt.

Candidates are sought sentence by sentence backwards, subjects first (Hobbs 1978, "Resolving pronoun
references"), and a plain pronoun stands for no other argument of its verb (principle B of Chomsky
1981). Where two are as good, or where the antecedent is spoken of under a negation, a quantifier or
a modal that does not reach the pronoun, the pronoun stays a thing of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from ensue.language.contexts import Contexts, Modality, Quantity, Tense, find_contexts
from ensue.language.graphs import RELATIVE_TAGS
from ensue.language.lexicon import Lexicon
from ensue.logic.rewriting.draft import SUBJECTS, Draft, Rule, SemanticSort


def word_set(words: str) -> frozenset[str]:
    """Words that stand in a string, with spaces between them."""
    return frozenset(words.split())


_MALE = word_set(
    """actor boy boyfriend brother businessman chairman dad duke emperor father gentleman grandfather
    grandson groom guy husband king lad lord man monk nephew policeman pope priest prince salesman son
    spokesman uncle waiter widower"""
)
_FEMALE = word_set(
    """actress aunt bride businesswoman chairwoman daughter duchess empress girl girlfriend
    granddaughter grandmother housewife lady mother mom mum niece nun policewoman princess queen
    saleswoman sister spokeswoman waitress widow wife woman"""
)
_MEN = word_set(
    """adam albert alexander andrew anthony arthur benjamin bill bob brian carl charles christopher
    daniel david donald edward eric frank fred gary george harold harry henry jack jacob james jeff jim
    joe john joseph kenneth kevin larry louis mark martin matthew michael mike nicholas oliver patrick
    paul peter philip richard robert roger samuel simon stephen steve thomas timothy tom walter william"""
)
_WOMEN = word_set(
    """alice amanda amy angela ann anna anne barbara betty carol caroline catherine christine
    clara deborah diana dorothy elizabeth ellen emily emma eva helen jane janet jennifer jessica joan
    judith julia julie karen katherine laura linda lisa lucy margaret maria marie martha mary michelle
    nancy nicole olivia patricia rachel rebecca ruth sandra sarah sharon sophie sue susan"""
)
_NO_PERSONS = word_set("ORG GPE LOC FAC PRODUCT WORK_OF_ART LAW EVENT LANGUAGE NORP")
"""Labels of names that are no persons'."""
_NO_REFERENTS = word_set("DATE TIME CARDINAL ORDINAL PERCENT MONEY QUANTITY")
_SOMEBODY = word_set("everyone everybody someone somebody nobody anyone anybody")
_REFERRING = word_set("nsubj nsubjpass dobj dative pobj poss conj")
"""What a noun may be in the parse that speaks of something; predicate nouns do not."""
_REFLEXIVES = word_set("himself herself itself themselves")
_FARTHEST = 2
"""Sentences back in which an antecedent is sought."""
_OPERATORS = frozenset(
    (Quantity.ALL, Quantity.NO, Quantity.NOT_ALL, Quantity.FEW, Quantity.MOST, Quantity.MANY)
)
"""Quantities beyond whose scope nothing in it can be spoken of."""
_FACTUAL = word_set("after although as because since though when where while")
_IMPERSONAL = word_set("appear drizzle hail happen matter pour rain seem snow thunder turn")
"""Verbs whose *it* stands for nothing."""
_CIRCUMSTANCES = word_set(
    """bright clear cloudy cold cool dark early foggy hot humid icy late light quiet rainy snowy stormy
    sunny time warm wet windy"""
)
"""What *it is …* says of no thing in particular."""


@dataclass(frozen=True, slots=True)
class Features:
    """What something is like that may be spoken of, or what a pronoun asks for."""

    plural: bool
    person: bool | None
    """None where it may be either, as an animal."""
    male: bool | None = None
    """None where it is not known."""
    group: bool = False
    """Whether it is one of many, of which *they* may be said too."""

    def agrees(self, wanted: Features) -> bool:
        """Whether a pronoun may stand for it."""
        # *the team won; they cheered*, as English lets groups be many
        if self.plural != wanted.plural and not (wanted.plural and self.group):
            return False
        if None not in (self.male, wanted.male) and self.male != wanted.male:
            return False
        return None in (self.person, wanted.person) or self.person == wanted.person

    def narrowed(self, wanted: Features) -> Features:
        """What is known of it after a pronoun has stood for it."""
        male = self.male if self.male is not None else wanted.male
        return replace(
            self, male=male, person=wanted.person if self.person is None else self.person
        )


_PRONOUNS = {
    **dict.fromkeys(("he", "him", "his", "himself"), Features(False, True, male=True)),
    **dict.fromkeys(("she", "her", "hers", "herself"), Features(False, True, male=False)),
    **dict.fromkeys(("it", "its", "itself"), Features(False, False)),
    **dict.fromkeys(("they", "them", "their", "themselves"), Features(True, None)),
}


def pronoun_features(word: str) -> Features | None:
    """What a pronoun asks of what it stands for; None for other words."""
    return _PRONOUNS.get(word)


def features_of(draft: Draft, token: int, *, alone: bool = False) -> Features | None:
    """What a noun or name is like, with what is joined to it unless it is taken alone.

    None where no pronoun can stand for it.
    """
    entity = draft.parse.sentence.entities[token][2:]
    if entity in _NO_REFERENTS or draft.parse.parts[token] not in ("NOUN", "PROPN", "PRON"):
        return None
    # *John and Mary* are a *they*, *John or Mary* is one of them, of unknown sex
    if not alone and draft.has(token, "and", "or"):
        return Features(draft.has(token, "and"), None)
    if draft.parse.parts[token] != "PROPN":
        plural = draft.parse.tags[token] in ("NNS", "NNPS")
        return _of_noun(draft.lexicon, draft.words[token], plural)
    first = draft.words[token].split(" ")[0]
    male = True if first in _MEN else False if first in _WOMEN else None
    if entity in _NO_PERSONS and male is None:
        return Features(False, False, group=entity in ("ORG", "NORP"))
    known = entity == "PERSON" or male is not None  # else it may be a company's name as well
    return Features(draft.parse.tags[token] == "NNPS", True if known else None, male)


@lru_cache(maxsize=4096)
def _of_noun(lexicon: Lexicon, word: str, plural: bool) -> Features | None:
    if word in _MALE or word in _FEMALE:
        return Features(plural, True, male=word in _MALE)
    if word in _SOMEBODY:
        return Features(False, True, group=True)
    kinds = ("person", "animal", "group", "time period")
    steps = lexicon.hypernym_distance([word] * len(kinds), kinds, "noun", senses=1).tolist()
    # an animal may be *he*, *she* or *it*, so it is left open whether it counts as a person
    person, animal, group, time = (each >= 0 for each in steps)
    return None if time else Features(plural, None if animal else person, group=group)


def is_person(draft: Draft, token: int) -> bool:
    """Whether a noun or name is somebody."""
    found = features_of(draft, token)
    return found is not None and found.person is True


def stands_for(draft: Draft, pronoun: int, noun: int) -> bool:
    """Whether a token is a pronoun that may stand for a noun."""
    wanted, had = pronoun_features(draft.form(pronoun)), features_of(draft, noun)
    return wanted is not None and had is not None and had.agrees(wanted)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Something that a pronoun may stand for, at a place where it is spoken of."""

    token: int
    """Where it is introduced."""
    place: int
    """Where it is spoken of, which is elsewhere for a pronoun that was resolved."""
    features: Features

    def rank(self, wanted: Features, draft: Draft) -> tuple[bool, bool]:
        """How good it is, the best first: what agrees in number outright, then subjects."""
        is_subject = draft.parse.relations[self.place] in SUBJECTS
        return self.features.plural != wanted.plural, not is_subject


class _Resolver:
    """Resolves the pronouns of a draft from left to right."""

    def __init__(self, draft: Draft, contexts: Contexts) -> None:
        self.draft = draft
        self.parse = draft.parse
        self.contexts = contexts
        self.sentences = _sentences(draft)
        self.found: dict[int, int] = {}
        """What the pronouns that were resolved stand for."""
        self.candidates: list[_Candidate] = []

    def resolve_all(self) -> None:
        for token in range(len(self.draft.words)):
            wanted = pronoun_features(self.draft.form(token))
            if wanted is None:
                features = self._referring(token)
                if features is not None:
                    self.candidates.append(_Candidate(token, token, features))
                continue
            antecedent = self._antecedent(token, wanted)
            if antecedent is not None:
                self.found[token] = antecedent.token
                narrowed = antecedent.features.narrowed(wanted)
                self.candidates.append(_Candidate(antecedent.token, token, narrowed))
                _lead_to(self.draft, token, antecedent.token)
            # a pronoun without an antecedent is still somebody, of whom later pronouns may speak
            elif self.draft.form(token) in ("he", "she") and self.draft.heads[token]:
                self.candidates.append(_Candidate(token, token, wanted))

    def _referring(self, token: int) -> Features | None:
        if self.draft.sorts[token] is not SemanticSort.THING:
            return None
        if self.parse.tags[token] in ("PRP", *RELATIVE_TAGS):
            return None
        is_there = self.draft.has(token, "expl")  # *there is a man*
        is_said = self.parse.relations[token] in _REFERRING and token not in self.parse.copulas
        is_said = is_said and bool(self.draft.heads[token])
        return features_of(self.draft, token) if is_there or is_said else None

    # The antecedent

    def _antecedent(self, token: int, wanted: Features) -> _Candidate | None:
        if not self.draft.heads[token] or _is_impersonal(self.draft, token):
            return None
        # principle A: a reflexive stands for the subject of its own clause, and for nobody else
        if self.draft.form(token) in _REFLEXIVES:
            verbs = (each for _, each in self.draft.heads[token] if self.draft.is_event(each))
            return self._subject_of(verbs, wanted)
        barred, here = self._barred(token), self.sentences[token]
        owner = None
        if self.parse.relations[token] == "poss":
            owner = self._subject_of([self._clause(token)], wanted)
        partner = self._partner(token, wanted)
        if partner is not None:  # *Anna likes Mary and her dog*: whose?
            return partner if owner is None or owner.token == partner.token else None
        # *John likes his dog*: a possessive prefers the subject of its clause, if no operator
        # stands between them
        if owner is not None and owner.token not in barred:
            return owner if self._reaches(owner.token, token) else None
        # the nearest sentence with anybody who agrees decides; a wrong antecedent makes a false
        # proof, while none only loses one, so ties are given up
        for sentence in range(here, here - _FARTHEST - 1, -1):
            agreeing = [
                each
                for each in self.candidates
                if self.sentences[each.place] == sentence
                and each.features.agrees(wanted)
                and each.token not in barred
            ]
            if agreeing:
                best = self._best(token, wanted, agreeing)
                return best if best is not None and self._reaches(best.token, token) else None
        return None

    def _partner(self, token: int, wanted: Features) -> _Candidate | None:
        """*John and his wife*: John, and not the two of them."""
        for at in self._path(token):
            first = self.parse.heads[at]
            if self._is_predicate(at) or first < 0:
                break
            if self.parse.relations[at] == "conj" and self.draft.has(first, "and"):
                features = features_of(self.draft, first, alone=True)
                if features is not None and features.agrees(wanted):
                    return _Candidate(first, first, features)
        return None

    def _best(self, token: int, wanted: Features, agreeing: list[_Candidate]) -> _Candidate | None:
        """The candidate that is better than all others, if there is one."""
        ranked = sorted(agreeing, key=lambda each: each.rank(wanted, self.draft))
        first = ranked[0]
        rivals = [each for each in ranked[1:] if each.token != first.token]
        better = first.rank(wanted, self.draft)
        ranks = [each.rank(wanted, self.draft) for each in rivals]
        # two candidates as good as each other: a coin would be wrong half of the time
        if better in ranks:
            return None
        if all(rank[0] > better[0] for rank in ranks):
            return first
        rivals = [each for each in rivals if each.rank(wanted, self.draft)[0] == better[0]]
        parallel = self._is_parallel(token, first) and not self._has_company(token, rivals)
        return first if parallel else None

    def _is_parallel(self, token: int, best: _Candidate) -> bool:
        """Whether a subject is meant rather than what else agrees: by a subject.

        Not in a clause inside that of both: *John told Bill that he was late*.
        """
        clause, other = self._clause(token), self._clause(best.place)
        if self.sentences[token] == self.sentences[best.place]:
            joined = self.parse.relations[clause] == "conj" and self.parse.heads[clause] == other
            return joined and self.parse.relations[token] in SUBJECTS
        return self.parse.relations[token] in SUBJECTS

    def _has_company(self, token: int, rivals: list[_Candidate]) -> bool:
        """Whether another pronoun beside it may be a rival: *the nurse saw the clerk; she thanked him*."""
        for _, each in self.draft.links[self._clause(token)]:
            wanted = pronoun_features(self.draft.form(each))
            if each != token and wanted and any(rival.features.agrees(wanted) for rival in rivals):
                return True
        return False

    def _subject_of(self, verbs: Iterable[int], wanted: Features) -> _Candidate | None:
        """The subject of verbs, if it is one and agrees."""
        subjects = {each for verb in verbs for each in self.draft.children(verb, *SUBJECTS)}
        known = [each for each in self.candidates if each.token in subjects]
        agreeing = {each.token: each for each in known if each.features.agrees(wanted)}
        return next(iter(agreeing.values())) if len(agreeing) == 1 == len(subjects) else None

    # Binding

    def _barred(self, token: int) -> set[int]:
        """What a pronoun cannot stand for: what it stands in, and the other arguments of its verb."""
        # principle B: *John saw him* is not about John, since that would be *himself*; possessives
        # are free, as in *John saw his dog*
        barred = set()
        for at in self._path(token):
            if self._is_predicate(at):
                if at == self.parse.heads[token]:  # *Anna is her mother*
                    barred.update(self.draft.children(at, *SUBJECTS))
                break
            barred.add(at)
        if self.parse.relations[token] != "poss":
            governors = [each for _, each in self.draft.heads[token]]
            for governor in (*governors, self._clause(token)):
                barred.update(each for _, each in self.draft.links[governor])
        return barred

    def _is_predicate(self, token: int) -> bool:
        return self.draft.is_event(token) or token in self.parse.copulas

    def _clause(self, token: int) -> int:
        """The predicate of the clause that a token stands in; itself in none."""
        return next((at for at in self._path(token) if self._is_predicate(at)), token)

    def _path(self, token: int) -> Iterator[int]:
        """What stands above a token, the nearest first."""
        at = self.parse.heads[token]
        while at >= 0:
            yield at
            at = self.parse.heads[at]

    # Scope

    def _reaches(self, noun: int, token: int) -> bool:
        """Whether what a noun speaks of can be spoken of where the pronoun stands."""
        if self.parse.parts[noun] in ("PROPN", "PRON") and self.draft.form(noun) not in _SOMEBODY:
            return True
        # definites are known outside of every scope, but *his wife* may depend on who he is
        if self.contexts.quantities[noun] is Quantity.THE and not self.draft.has(noun, "poss"):
            return True
        # *every man who owns a dog feeds it*: inside its own sentence a quantifier binds; in the
        # next one, *it* would have nothing to stand for
        if self.sentences[noun] == self.sentences[token] and self._commands(noun, token):
            return True
        own = self.contexts.quantities[noun]
        # *most men sang. They smiled.*: a plural refers to the whole of those who sang; *no man
        # sang. He smiled.* has nobody
        is_many = own in (Quantity.MOST, Quantity.MANY)
        return (is_many or own not in _OPERATORS) and all(
            self._lets_out(at, noun) for at in self._path(noun)
        )

    def _commands(self, noun: int, token: int) -> bool:
        """Whether a noun has scope over a pronoun: by itself, from a relative or an if-clause."""
        above = set(self._path(token))
        if noun in above:
            return True
        for at in self._path(noun):
            if at in above:
                return True
            if self.draft.is_event(at) and self.parse.relations[at] not in ("relcl", "acl"):
                return self.parse.heads[at] in above and self._supposes(at, noun)
            if self._is_denied(at):
                return False
        return False

    def _supposes(self, clause: int, noun: int) -> bool:
        """Whether an adverbial clause speaks of something of which its main clause speaks then."""
        if self.parse.relations[clause] != "advcl" or self._mark(clause) not in {"if"} | _FACTUAL:
            return False
        quantities = {self.contexts.quantities[each] for _, each in self.draft.links[clause]}
        own = self.contexts.quantities[noun]
        return not self._is_denied(clause) and not (quantities | {own}) & _OPERATORS

    def _lets_out(self, token: int, noun: int) -> bool:
        """Whether a word above a noun says it outright, with nothing else having scope over it."""
        if not self._is_predicate(token):
            return self.contexts.quantities[token] not in _OPERATORS
        joined = {self.parse.conjunctions.get(each) for each in self.draft.children(token, "conj")}
        relation = self.parse.relations[token]
        is_said = relation in ("ROOT", "conj", "relcl", "acl") or (
            relation == "advcl" and self._mark(token) in _FACTUAL
        )
        others = (each for _, each in self.draft.links[token] if each != noun)
        return (
            is_said
            and not self._is_denied(token)
            and "or" not in (*joined, self.parse.conjunctions.get(token))
            and not any(self.contexts.quantities[each] in _OPERATORS for each in others)
        )

    def _mark(self, clause: int) -> str:
        mark = self.parse.child(clause, "mark", "advmod")
        return self.parse.lemmas[mark] if mark >= 0 else ""

    def _is_denied(self, token: int) -> bool:
        """Whether a predicate is denied, or only may or will be."""
        verb, contexts = self.parse.copulas.get(token, token), self.contexts
        if contexts.negators[verb] or contexts.negators[token]:
            return True
        return (
            contexts.modalities[verb] is not Modality.ACTUAL
            or contexts.tenses[verb] is Tense.FUTURE
        )


def _sentences(draft: Draft) -> list[int]:
    """The number of the sentence of each token."""
    roots = [0] * len(draft.words)
    for token in draft.parse.order:
        head = draft.parse.heads[token]
        roots[token] = token if head < 0 else roots[head]
    numbers = {root: number for number, root in enumerate(sorted(set(roots)))}
    return [numbers[root] for root in roots]


def _is_impersonal(draft: Draft, token: int) -> bool:
    """*It rains*, *it is clear that she left*: an *it* that stands for nothing."""
    relation, verb = draft.parse.relations[token], draft.parse.heads[token]
    if draft.form(token) != "it" or relation not in SUBJECTS:
        return relation == "expl"
    if draft.words[verb] in _IMPERSONAL or draft.words[verb] in _CIRCUMSTANCES:
        return True
    is_said = verb in draft.parse.copulas or draft.words[verb] in ("be", "take")
    has_clause = draft.has(verb, "ccomp", "csubj", "xcomp", "advcl", "acl")
    is_time = draft.parse.sentence.entities[verb][2:] in ("DATE", "TIME")
    return is_time or ((is_said or relation == "nsubjpass") and has_clause)


def _lead_to(draft: Draft, pronoun: int, antecedent: int) -> None:
    """Let every relation lead to the antecedent instead of the pronoun."""
    for relation, governor in list(draft.heads[pronoun]):
        if governor == antecedent:
            continue
        at = draft.links[governor].index((relation, pronoun))
        draft.drop(governor, relation, pronoun)
        known = len(draft.links[governor])
        draft.add(governor, relation, antecedent)
        links = draft.links[governor]
        if len(links) > known:  # the order of two objects says which of them is which
            links.insert(at, links.pop())


def _resolve(draft: Draft) -> None:
    """*John came. He sat down*: John sat down."""
    if not _PRONOUNS.keys().isdisjoint(draft.parse.words):
        _Resolver(draft, find_contexts(draft.parse.sentence)).resolve_all()


RULES = (Rule("pronoun", "V nsubj(he) → V nsubj(John)", _resolve),)
