"""Pieces of a statement put into words: names for pronouns, spaces, commas, capitals, and places.

What a pronoun stands for is decided by the rewriting rules of `ensue.logic`, which give up where two
things are as good as each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise, product

from ensue.claims.clauses import (
    AUXILIARIES,
    HYPHENS,
    NOUNS,
    SUBJECTS,
    ClauseAnalysis,
    Construction,
    StatedClause,
)
from ensue.language import Sentence
from ensue.language.contexts import Quantity
from ensue.logic.rewriting import Normalized

Place = tuple[int, int]
"""The first character, and the one after the last."""


class Reason(StrEnum):
    """Why a statement has a word that its clause does not have there."""

    PRONOUN = "pronoun"
    """A name stands for a pronoun."""
    VERB = "verb"
    """A form of a verb, most often of *be*, that makes a sentence of a phrase."""
    AGREEMENT = "agreement"
    """A verb agrees with one of its subjects."""
    PREPOSITION = "preposition"
    """*where* and *when*, said with a noun."""
    POSSESSIVE = "possessive"
    """*whose*, said with a noun."""


@dataclass(frozen=True, slots=True)
class Added:
    """Words that are not those of the clause."""

    words: str
    reason: Reason
    replaces: int = -1
    """The token in whose place they stand; -1 for none."""
    source: Place | None = None
    """Where the text has them, of a name for a pronoun."""


Piece = int | Added
"""A token of the sentence, or words that are added."""


@dataclass(frozen=True, slots=True)
class Change:
    """Words of a statement that are not those of its clause."""

    start: int
    """Where they begin in the statement."""
    end: int
    """Where they end there."""
    words: str
    reason: Reason
    replaces: Place | None
    """What they stand for in the text; None where nothing."""
    source: Place | None
    """Where the text has them itself, of a name for a pronoun; else None."""


@dataclass(frozen=True, slots=True)
class Wording:
    """A statement in words."""

    text: str
    spans: tuple[Place, ...]
    """Where the text has its words, in the order of the text."""
    changes: tuple[Change, ...]


_CLOSING = frozenset(".,;:!?)]}%")
_QUOTES = frozenset('"“”„«»')
_SINGLE_QUOTES = frozenset("'‘’`") | {"''", "``"}
_ENDS = frozenset('.!?"“')
"""Signs after which a sentence begins."""
_EDGES = frozenset((",", ";", ":", "-", "–", "—", "--", "(", "[", "...", "…", "/"))
_ATTACHED = ("'s", "’s", "n't", "n’t", "'", "’", "'re", "'ve", "'ll", "'d", "'m")


def worded(sentence: Sentence, forms: Sequence[str], pieces: Sequence[Piece]) -> Wording | None:
    """The statement that pieces make; None where they make none.

    Args:
        sentence: What they are tokens of.
        forms: Its tokens as they are written.
        pieces: In the order of the statement.
    """
    kept = _without_loose_signs(sentence, list(pieces), forms)
    if not any(isinstance(each, int) and forms[each][:1].isalnum() for each in kept):
        return None
    words: list[str] = []
    places: list[tuple[int, int, Added]] = []
    length = 0
    before: Piece | None = None
    for each in kept:
        word = each.words if isinstance(each, Added) else _cased(sentence, forms, each, before)
        space = "" if before is None else _between(sentence, forms, before, each, word)
        if before is None:
            word = _capital(word)
        words.append(space + word)
        start = length + len(space)
        length = start + len(word)
        if isinstance(each, Added):
            places.append((start, length, each))
        before = each
    text = "".join(words)
    text += "" if text.rstrip("\"”’'").endswith((".", "?", "!")) else "."
    changes = tuple(
        Change(
            start, end, text[start:end], each.reason, _place(sentence, each.replaces), each.source
        )
        for start, end, each in places
    )
    return Wording(
        text, _spans(sentence, [each for each in kept if isinstance(each, int)]), changes
    )


def _place(sentence: Sentence, token: int) -> Place | None:
    return None if token < 0 else (int(sentence.starts[token]), int(sentence.ends[token]))


def _without_loose_signs(
    sentence: Sentence, pieces: list[Piece], forms: Sequence[str]
) -> list[Piece]:
    """The pieces without the commas and brackets of what was cut off."""
    found: list[Piece] = []
    for i, each in enumerate(pieces):
        if isinstance(each, int) and sentence.parts[each] == "PUNCT" and forms[each] in _EDGES:
            near = pieces[i - 1] if i else None, pieces[i + 1] if i + 1 < len(pieces) else None
            if near != (each - 1, each + 1):
                continue
        found.append(each)
    quotes = [each for each in found if isinstance(each, int) and forms[each] in _QUOTES]
    is_cut = any(each in quotes and after != each + 1 for each, after in pairwise(found[:2]))
    if is_cut or len(quotes) % 2 or (len(quotes) == 2 and {found[0], found[-1]} == set(quotes)):
        found = [each for each in found if each not in quotes]
    singles = [
        each
        for each in found
        if isinstance(each, int)
        and forms[each] in _SINGLE_QUOTES
        and sentence.parts[each] == "PUNCT"
    ]
    if len(singles) % 2:
        found = [each for each in found if each not in singles]
    if _brackets(found, forms) != 0:
        found = [each for each in found if not isinstance(each, int) or forms[each] not in "()[]"]
    while found and isinstance(found[-1], int) and _is_loose_end(sentence, forms, found[-1]):
        found.pop()
    while found and isinstance(found[0], int) and forms[found[0]] in _EDGES | {".", ")", "]"}:
        found.pop(0)
    return found


def _is_loose_end(sentence: Sentence, forms: Sequence[str], token: int) -> bool:
    return forms[token] in _EDGES or sentence.parts[token] == "CCONJ"


def _brackets(pieces: Sequence[Piece], forms: Sequence[str]) -> int:
    tokens = [forms[each] for each in pieces if isinstance(each, int)]
    return sum(each in "([" for each in tokens) - sum(each in ")]" for each in tokens)


def _cased(sentence: Sentence, forms: Sequence[str], token: int, before: Piece | None) -> str:
    """A word that began its sentence in lower case where it begins none now."""
    form = forms[token]
    if before is None or sentence.parts[token] == "PROPN" or sentence.entities[token]:
        return form
    is_first = token == 0 or forms[token - 1] in _ENDS
    is_title = form == "A" or (form[:1].isupper() and form[1:].islower())
    return form.lower() if is_first and is_title and before != token - 1 else form


def _capital(word: str) -> str:
    first = word.split(" ", 1)[0]
    is_mixed = first[:1].islower() and first != first.lower()
    return word if is_mixed else word[:1].upper() + word[1:]  # *iTunes* stays


def _between(
    sentence: Sentence, forms: Sequence[str], before: Piece, piece: Piece, word: str
) -> str:
    """The space between two pieces: as in the text where they stand there side by side."""
    if isinstance(before, int) and isinstance(piece, int) and piece == before + 1:
        return " " if sentence.ends[before] < sentence.starts[piece] else ""
    if word[0] in _CLOSING or word.lower() in _ATTACHED:
        return ""
    last = forms[before] if isinstance(before, int) else before.words
    return "" if last in ("(", "[", "$", "£", "€", "#") else " "


def _spans(sentence: Sentence, tokens: Sequence[int]) -> tuple[Place, ...]:
    """The stretches of tokens that stand side by side."""
    found: list[Place] = []
    last = -2
    for token in sorted(tokens):
        start, end = int(sentence.starts[token]), int(sentence.ends[token])
        if token == last + 1:
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
        last = token
    return tuple(each for each in found if any(map(str.isalnum, sentence.text[slice(*each)])))


# Names for pronouns.

_LONGEST_NAME = 10
"""Words of an antecedent that may stand for a pronoun."""
_ARTICLES = ("a", "an", "the")
_TOLD = ("xcomp", "ccomp", "csubj", "advcl", "relcl")
_MANY = ("they", "them", "their")
_PERSONS = ("he", "him", "his", "she", "her", "hers")
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
        led = _led(steps, parse.words[governor], parse.relations[token])
        near = [
            other
            for _, other in normalized.links[governor]
            if other < token and parse.words[other] in led and parse.parts[other] in NOUNS
        ]
        if len(set(near)) == 1:
            found[token] = near[0]
    return found


def _led(steps: Sequence[str], governor: str, relation: str) -> list[str]:
    """The words to which relations of a governor were led: those of this relation, if there are any.

    A step reads `berg: nsubj of sold`.
    """
    ours = [each for each in steps if each.endswith(f" of {governor}")]
    same = [each for each in ours if each.endswith(f": {relation} of {governor}")]
    return [each.split(": ")[0] for each in same or ours]


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
        if analysis.forms[pronoun] in _PERSONS and self._has_rival(noun, pronoun):
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

    def _has_rival(self, noun: int, pronoun: int) -> bool:
        """Whether somebody else is named between a person and a pronoun."""
        forms = self.analysis.forms
        return any(
            kind == "PERSON" and noun < first < pronoun and forms[noun] not in forms[first:last]
            for first, last, kind in self.analysis.sentence.entity_spans()
        )

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


# Coordination: *and* between subjects, objects and predicates, one statement for each of them.

_MUTUAL = """
agree clash collaborate collide combine compare compete connect cooperate differ discuss distinguish
divorce exchange join link marry meet merge mix negotiate separate share total unite wed
"""
_MOST_SHARED = 8
"""Statements that one clause may become by its coordinations."""
_ARGUMENTS = ("nsubj", "nsubjpass", "dobj", "attr", "acomp")
_TOGETHER = frozenset(_MUTUAL.split())
"""Verbs of several who do something with one another."""
_COMPANY = frozenset(("together", "jointly", "each", "another", "respectively", "between", "among"))
_SINGULAR = {"are": "is", "were": "was", "have": "has", "do": "does", "'re": "is", "'ve": "has"}
_SINGLE_TAGS = ("NN", "NNP")


class Distribution:
    """Makes statements of single things of statements about several."""

    def __init__(self, analysis: ClauseAnalysis) -> None:
        self.analysis = analysis

    def distributed(self, clause: StatedClause, pieces: list[Piece]) -> Iterator[list[Piece]]:
        """One statement for each of the things that are joined in a clause."""
        groups = [each for each in self._groups(clause, pieces) if len(each) > 1]
        n = 1
        for group in groups:
            n *= len(group)
        if not groups or n > _MOST_SHARED:
            yield pieces
            return
        for chosen in product(*groups):
            off = {each for group in groups for each in self._joined(group[0], pieces)}
            kept = {each for member in chosen for each in self._member(member)}
            found = [each for each in pieces if each not in off or each in kept]
            yield self._agreeing(clause, found, chosen)

    def _groups(self, clause: StatedClause, pieces: Sequence[Piece]) -> Iterator[list[int]]:
        analysis, verb = self.analysis, clause.token
        words = {analysis.forms[each] for each in pieces if isinstance(each, int)}
        if clause.construction is Construction.APPOSITION or words & _COMPANY:
            return
        if any(analysis.forms[each] in ("all", "both") for each in analysis.children[verb]):
            return  # *they have all left*
        if analysis.lemmas[verb] in _TOGETHER or analysis.contexts.negators[verb]:
            return
        inside = {each for each in pieces if isinstance(each, int)}
        subject = self._subject_token(clause)
        heads = [subject] if subject >= 0 else []
        for each in analysis.children[verb]:
            if analysis.relations[each] in _ARGUMENTS and each != subject:
                heads.append(each)
            if analysis.relations[each] == "prep":
                heads += [at for at in analysis.children[each] if analysis.relations[at] == "pobj"]
        for head in heads:
            group = self._coordination(head)
            if inside.issuperset(group) and self._is_separate(group, verb, subject):
                yield group

    def _subject_token(self, clause: StatedClause) -> int:
        analysis = self.analysis
        token = clause.token
        while analysis.subject(token) < 0:
            known = analysis.clauses.get(token)
            if known is None or known.host < 0 or analysis.relations[token] != "conj":
                return -1
            token = known.host
        return analysis.subject(token)

    def _coordination(self, head: int) -> list[int]:
        """A noun or adjective and all that are joined to it by *and*."""
        analysis, found = self.analysis, [head]
        while (following := analysis.child(found[-1], "conj")) >= 0:
            found.append(following)
        if len(found) > 1 and analysis.coordinator(found[1]) not in ("and", "&"):
            return [head]
        return found

    def _is_separate(self, group: Sequence[int], verb: int, subject: int) -> bool:
        """Whether what is said of several is said of each."""
        analysis = self.analysis
        parts = {analysis.parts[each] for each in group}
        if not (parts <= set(NOUNS) or parts == {"ADJ"}):
            return False
        span = range(min(group), max(group) + 1)
        if "not" in (analysis.forms[each] for each in span):
            return False
        marks = [analysis.sentence.entities[each] for each in span]
        if marks[0] and all(each == f"I-{marks[0][2:]}" for each in marks[1:]):
            return False  # one name: *Simon and Schuster*
        # *Anna and Peter are friends*: of each other
        plural = analysis.child(verb, "attr")
        if group[0] == subject and plural >= 0 and analysis.tags[plural] in ("NNS", "NNPS"):
            return False
        # *house and stock prices*: prices of both
        bare = analysis.tags[group[0]] == "NN" and analysis.child(group[0], "det", "poss") < 0
        if group[0] == subject and bare and analysis.tags[group[-1]] == "NNS":
            return False
        quantity = analysis.contexts.quantities[group[0]]
        return quantity not in (Quantity.NO, Quantity.NUMBER) or group[0] != subject

    def _joined(self, head: int, pieces: Sequence[Piece]) -> list[int]:
        inside = set(pieces)
        return [each for each in self.analysis.subtree(head) if each in inside]

    def _member(self, member: int) -> list[int]:
        """The tokens of one of those that are joined, with the article that it shares."""
        analysis = self.analysis
        off = set()
        for each in analysis.children[member]:
            is_join = analysis.relations[each] in ("conj", "cc", "preconj", "punct")
            if analysis.forms[each] == "both" or (is_join and analysis.forms[each] not in HYPHENS):
                off.update(analysis.subtree(each))
        own = [each for each in analysis.own_tokens(member) if each not in off]
        head = analysis.heads[member]
        lacks = analysis.child(member, "det", "poss", "nummod", "amod") < 0
        if analysis.relations[member] == "conj" and analysis.tags[member] == "NN" and lacks:
            determiner = analysis.child(head, "det", "poss")
            if determiner >= 0:
                own = [*analysis.subtree(determiner), *own]
        return own

    def _agreeing(
        self, clause: StatedClause, pieces: list[Piece], chosen: Sequence[int]
    ) -> list[Piece]:
        """*Anna and Peter sing*: Anna sings."""
        analysis = self.analysis
        single = [each for each in chosen if analysis.relations[self._top(each)] in SUBJECTS]
        if not single or analysis.tags[single[0]] not in _SINGLE_TAGS:
            return pieces
        verb = clause.token
        auxiliaries = [
            each
            for each in pieces
            if isinstance(each, int)
            and analysis.relations[each] in AUXILIARIES
            and analysis.predicate(each) == analysis.predicate(verb)
        ]
        finite = auxiliaries[0] if auxiliaries else verb
        form = analysis.forms[finite]
        new = _SINGULAR.get(form)
        if new is None and analysis.tags[finite] == "VBP":
            new = third_person(form)
        if new is None:
            return pieces
        added = Added(new, Reason.AGREEMENT, replaces=finite)
        return [added if each == finite else each for each in pieces]

    def _top(self, member: int) -> int:
        while self.analysis.relations[member] == "conj":
            member = self.analysis.heads[member]
        return member


def third_person(verb: str) -> str:
    """The third person of a verb in the present.

    >>> [third_person(verb) for verb in ("sing", "carry", "pass", "play", "have")]
    ['sings', 'carries', 'passes', 'plays', 'has']
    """
    if verb in ("have", "be"):
        return {"have": "has", "be": "is"}[verb]
    if verb.endswith("y") and verb[-2:-1] not in ("a", "e", "o", "u"):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s"
