"""Grammars of suites: patterns, predicates, phrases, and what is wrong with one.

A pattern says in which order words and arguments stand, a predicate which patterns it has with
which arguments where, and a semantic type which strings an argument may be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ensue.errors import DataError, UnknownNameError

# What a grammar is made of: Bedaride & Gardent (2010, sections 2.1 to 2.3), and some more.

MANNER = "manner"
"""The role of an adverb of manner."""


class Category(StrEnum):
    """What a pattern makes of its predicate."""

    VERB = "V"
    NOUN = "N"


class Voice(StrEnum):
    """Of a verbal pattern."""

    ACTIVE = "A"
    PASSIVE = "P"


class SentenceTense(StrEnum):
    """Of a whole sentence."""

    PRESENT = "present"
    PAST = "past"


class Number(StrEnum):
    """Of a noun phrase and of the verb that agrees with it."""

    SINGULAR = "singular"
    PLURAL = "plural"


class PieceKind(StrEnum):
    """What may stand in a pattern; the values are the elements of the format."""

    ARGUMENT = "NP"
    VERB = "Verb"
    PARTICIPLE = "PPVerb"
    NOUN = "Noun"
    PREPOSITION = "PP"
    BE = "Be"
    PRONOUN = "RelPro"
    ADVERB = "Adverb"
    ADJECTIVE = "Adjective"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class PatternPiece:
    """One element or word of a pattern."""

    kind: PieceKind
    id: int = 0
    """Which argument or preposition."""
    word: str = ""
    glued: bool = False
    """Whether it follows the piece before it without a space."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One `<Const>`: a way to put a predicate and its arguments into words."""

    family: str
    type: str
    """As written, e.g. `V-R0-A-PP0`."""
    category: Category
    voice: Voice | None
    constructs: tuple[str, ...]
    """As reported: `R0` is `R`."""
    head: int | None
    """The argument that a relative clause is about; None where the pattern is no noun phrase."""
    pieces: tuple[PatternPiece, ...]
    place: str
    """`file:line`."""

    def ids(self, kind: PieceKind) -> tuple[int, ...]:
        """The ids of the pieces of one kind, in their order."""
        return tuple(piece.id for piece in self.pieces if piece.kind is kind)

    def has(self, kind: PieceKind) -> bool:
        """Whether a piece of this kind is in the pattern."""
        return any(piece.kind is kind for piece in self.pieces)

    @property
    def subject(self) -> int | None:
        """The argument that the finite verb agrees with: the nearest before it; None without any."""
        nearest: int | None = None
        for piece in self.pieces:
            if piece.kind is PieceKind.ARGUMENT:
                nearest = piece.id
            elif piece.kind in (PieceKind.VERB, PieceKind.BE):
                return nearest
        return None


@dataclass(frozen=True, slots=True)
class RoleDistribution:
    """One `<Dist>`: a family that a predicate has, and which role stands where."""

    family: str
    roles: tuple[str, ...]
    """By the ids of the family's arguments."""
    prepositions: tuple[str, ...]
    """By the ids of the family's prepositions."""
    place: str


@dataclass(frozen=True, slots=True)
class Predicate:
    """One `<Set>`: the words and arguments of a predicate."""

    name: str
    verbs: Mapping[tuple[SentenceTense, Number], str] = field(hash=False)
    participle: str | None
    noun: str | None
    roles: Mapping[str, str] = field(hash=False)
    """Each role's semantic type; the manner is not among them."""
    manner: str | None
    """The semantic type of its manners, or None."""
    symmetric: frozenset[str]
    """Two roles whose exchange says the same, or none."""
    implies: tuple[str, ...]
    """Other predicates that a reader may take to follow."""
    distributions: tuple[RoleDistribution, ...]
    place: str

    @property
    def tenses(self) -> frozenset[SentenceTense]:
        """The tenses of its verb; without one it may be in any."""
        return frozenset(tense for tense, _ in self.verbs) or frozenset(SentenceTense)


class PhraseKind(StrEnum):
    """How a noun phrase refers; only those of one kind are exchanged for each other."""

    NAME = "name"
    DEFINITE = "definite"
    INDEFINITE = "indefinite"


@dataclass(frozen=True, slots=True)
class Phrase:
    """One `<Arg>` string of a semantic type."""

    text: str
    """As it stands in the middle of a sentence."""
    kind: PhraseKind
    number: Number = Number.SINGULAR
    human: bool = False
    adverb: str | None = None
    """Of a manner, whose text is the adjective."""


@dataclass(frozen=True, slots=True)
class SemanticType:
    """One `<SemArg>`: what arguments of a type may be."""

    name: str
    phrases: tuple[Phrase, ...]
    includes: tuple[str, ...]
    """Types whose phrases belong to this one too."""
    nominal: bool
    """Whether other predicates' nominal patterns are of this type."""
    place: str


@dataclass(frozen=True, slots=True, eq=False)
class SuiteGrammar:
    """Patterns, predicates and types, each by name."""

    name: str
    digest: str
    """A hash of what was read."""
    patterns: Mapping[str, tuple[Pattern, ...]]
    """By family."""
    predicates: Mapping[str, Predicate]
    types: Mapping[str, SemanticType]
    titles: Mapping[str, str]
    """Readable names of families."""

    def phrases(self, type_name: str) -> tuple[Phrase, ...]:
        """All phrases of a type, those of the types that it includes after its own."""
        return tuple(dict.fromkeys(self._phrases(type_name)))

    def _phrases(self, type_name: str) -> Iterator[Phrase]:
        found = self.types[type_name]
        yield from found.phrases
        for included in found.includes:
            yield from self._phrases(included)

    def subcategorization(self, predicate: Predicate) -> str | None:
        """The first of a predicate's longest verbal families; None where it has none."""
        verbal = [
            each
            for each in predicate.distributions
            if any(p.category is Category.VERB for p in self.patterns.get(each.family, ()))
        ]
        longest = max((len(each.roles) for each in verbal), default=0)
        return next((each.family for each in verbal if len(each.roles) == longest), None)

    def title(self, family: str) -> str:
        """A family's readable name, or its own."""
        return self.titles.get(family, family)


# What is wrong with a grammar as a whole: what no sentence can be made of, with its place.


def check_grammar(grammar: SuiteGrammar) -> None:
    """Refuse a grammar in which something cannot be used.

    Raises:
        DataError: an unknown family or type, a distribution of the wrong length, a type nobody
            realizes, a pattern that can never be used: the first of them, and how many there are.
    """
    problems = list(find_problems(grammar))
    if not problems:
        return
    first = problems[0]
    if len(problems) > 1:
        others = [str(each.place) for each in problems[1:4]]
        more = f" (and {len(problems) - 1} more: {', '.join(others)}{', …' * (len(problems) > 4)})"
        raise DataError(first.code, first.message + more, place=first.place, hint=first.hint)
    raise first


def find_problems(grammar: SuiteGrammar) -> Iterator[DataError]:
    """Everything that is wrong with a grammar."""
    types = [each for kind in grammar.types.values() for each in _type_problems(grammar, kind)]
    yield from types
    if types:
        return  # what follows asks for the phrases of types
    yield from _phrase_problems(grammar)
    for predicate in grammar.predicates.values():
        yield from _predicate_problems(grammar, predicate)
    for pattern in (each for family in grammar.patterns.values() for each in family):
        yield from _pattern_problems(grammar, pattern)
    for family in grammar.titles:
        if family not in grammar.patterns:
            yield _unknown("Family", "family", family, grammar.patterns, grammar.name)


def _type_problems(grammar: SuiteGrammar, kind: SemanticType) -> Iterator[DataError]:
    for included in kind.includes:
        if included not in grammar.types:
            yield _unknown("SemArg", "type", included, grammar.types, kind.place)
            return
    if _includes_itself(grammar, kind):
        yield DataError(
            "semarg-type-includes-itself",
            f"<SemArg>: the type {kind.name!r} includes itself",
            place=kind.place,
        )
    elif not kind.nominal and not grammar.phrases(kind.name):
        yield DataError(
            "semarg-nobody-realizes-type",
            f"<SemArg>: nobody realizes the type {kind.name!r}",
            place=kind.place,
            hint='it needs an <Arg>, includes="…" or nominal="yes"',
        )


def _phrase_problems(grammar: SuiteGrammar) -> Iterator[DataError]:
    """Strings that are in two types as two different things: nobody could tell them apart."""
    known: dict[str, tuple[Phrase, SemanticType]] = {}
    for kind in grammar.types.values():
        for phrase in kind.phrases:
            other, first = known.setdefault(phrase.text, (phrase, kind))
            if phrase != other:
                yield DataError(
                    "semarg-type-something-else",
                    f"<SemArg>: {phrase.text!r} of the type {kind.name!r} is something else in "
                    f"{first.name!r}",
                    place=kind.place,
                    hint=f'human, number and adverb have to agree; or use includes="{first.name}"',
                )


def _includes_itself(grammar: SuiteGrammar, kind: SemanticType) -> bool:
    seen: set[str] = set()
    to_see = list(kind.includes)
    while to_see:
        name = to_see.pop()
        if name == kind.name:
            return True
        if name not in seen and name in grammar.types:
            seen.add(name)
            to_see += grammar.types[name].includes
    return False


def _predicate_problems(grammar: SuiteGrammar, predicate: Predicate) -> Iterator[DataError]:
    manner = [] if predicate.manner is None else [predicate.manner]
    for kind in [*predicate.roles.values(), *manner]:
        if kind not in grammar.types:
            yield DataError(
                "set-nobody-realizes-type",
                f"<Set>: nobody realizes the type {kind!r} of {predicate.name!r}",
                place=predicate.place,
                hint=UnknownNameError.of("type", kind, grammar.types).hint,
            )
    if predicate.manner in grammar.types:
        without = [p.text for p in grammar.phrases(str(predicate.manner)) if p.adverb is None]
        if without:
            yield DataError(
                "set-manner-no-adverb",
                f"<Set>: the manner {without[0]!r} of {predicate.name!r} has no adverb",
                place=grammar.types[str(predicate.manner)].place,
                hint='e.g. <Arg adverb="quickly">quick</Arg>',
            )
    for name in predicate.implies:
        if name not in grammar.predicates:
            yield _unknown("Set", "predicate", name, grammar.predicates, predicate.place)
    for distribution in predicate.distributions:
        yield from _distribution_problems(grammar, predicate, distribution)


def _distribution_problems(
    grammar: SuiteGrammar, predicate: Predicate, distribution: RoleDistribution
) -> Iterator[DataError]:
    place, patterns = distribution.place, grammar.patterns.get(distribution.family, ())
    if not patterns:
        yield _unknown("Dist", "family", distribution.family, grammar.patterns, place)
        return
    for given, kind, what in (
        (distribution.roles, PieceKind.ARGUMENT, "dist"),
        (distribution.prepositions, PieceKind.PREPOSITION, "fill"),
    ):
        ids = {i for pattern in patterns for i in pattern.ids(kind)}
        wanted = max(ids, default=-1) + 1
        if len(given) != wanted:
            yield DataError(
                "dist-length-family",
                f"<Dist>: {what} of {predicate.name!r} is of length {len(given)}, and the family "
                f"{distribution.family!r} has {wanted} <{kind.value}>",
                place=place,
            )
    if any(not usable(predicate, pattern) for pattern in patterns):
        unusable = next(pattern for pattern in patterns if not usable(predicate, pattern))
        yield DataError(
            "dist-lacks-pattern-needs",
            f"<Dist>: {predicate.name!r} lacks {_lacking(predicate, unusable)}, which the pattern "
            f"{unusable.type} at {unusable.place} needs",
            place=place,
            hint="add it to <Parts>, or leave the family out",
        )
        return
    for tense, number in _lacking_forms(grammar, predicate, distribution):
        which = number if tense is SentenceTense.PRESENT else f"{number} in the {tense}"
        yield DataError(
            "dist-no-subject",
            f"<Dist>: {predicate.name!r} has no {which}, and its subject may be one",
            place=place,
            hint=_FORM_HINTS[tense, number],
        )


def usable(predicate: Predicate, pattern: Pattern) -> bool:
    """Whether a predicate has the word that a pattern needs."""
    return not _lacking(predicate, pattern)


def _lacking(predicate: Predicate, pattern: Pattern) -> str:
    """The element of `<Parts>` that is missing; empty where none is."""
    if pattern.has(PieceKind.VERB) and not predicate.verbs:
        return "a <Verb>"
    if pattern.has(PieceKind.PARTICIPLE) and predicate.participle is None:
        return "a <PPVerb>"
    return "a <Noun>" if pattern.has(PieceKind.NOUN) and predicate.noun is None else ""


_FORM_HINTS = {
    (SentenceTense.PRESENT, Number.SINGULAR): "e.g. <Verb>sends</Verb>",
    (SentenceTense.PRESENT, Number.PLURAL): 'e.g. <Verb number="plural">send</Verb>',
    (
        SentenceTense.PAST,
        Number.SINGULAR,
    ): 'e.g. <Verb tense="past">sent</Verb>, which is of both numbers',
    (
        SentenceTense.PAST,
        Number.PLURAL,
    ): 'e.g. <Verb tense="past">sent</Verb>, which is of both numbers',
}


def _lacking_forms(
    grammar: SuiteGrammar, predicate: Predicate, distribution: RoleDistribution
) -> Iterator[tuple[SentenceTense, Number]]:
    """The forms of its verb that a predicate needs for some subject, and does not have."""
    tenses = {tense for tense, _ in predicate.verbs}
    numbers = set(_subject_numbers(grammar, predicate, distribution))
    for form in ((tense, number) for tense in SentenceTense for number in Number):
        if form[0] in tenses and form[1] in numbers and form not in predicate.verbs:
            yield form


def _subject_numbers(
    grammar: SuiteGrammar, predicate: Predicate, distribution: RoleDistribution
) -> Iterator[Number]:
    """The numbers that the subject of its finite verb may have."""
    for pattern in grammar.patterns[distribution.family]:
        subject = pattern.subject
        if not pattern.has(PieceKind.VERB) or subject is None:
            continue
        if subject < len(distribution.roles):
            kind = predicate.roles[distribution.roles[subject]]
            if kind in grammar.types:
                yield from (phrase.number for phrase in grammar.phrases(kind))
                if grammar.types[kind].nominal:
                    yield Number.SINGULAR


def _pattern_problems(grammar: SuiteGrammar, pattern: Pattern) -> Iterator[DataError]:
    users = [
        predicate
        for predicate in grammar.predicates.values()
        if any(each.family == pattern.family for each in predicate.distributions)
    ]
    if not any(usable(predicate, pattern) for predicate in users):
        yield DataError(
            "const-pattern-never-used",
            f"<Const>: the pattern {pattern.family!r} {pattern.type} can never be used",
            place=pattern.place,
            hint="no <Dist> names its family"
            if not users
            else f"no predicate of its family has {_lacking(users[0], pattern)}",
        )
    needs_subject = pattern.has(PieceKind.VERB) or pattern.has(PieceKind.BE)
    if pattern.category is Category.VERB and needs_subject and pattern.subject is None:
        yield DataError(
            "const-verb-no-np",
            f"<Const>: the verb of {pattern.family!r} {pattern.type} has no <NP> before it",
            place=pattern.place,
        )


def _unknown(
    element: str, kind: str, name: str, known: Iterable[str], place: str | None
) -> DataError:
    error = UnknownNameError.of(kind, name, known)
    return DataError(error.code, f"<{element}>: {error.message}", place=place, hint=error.hint)
