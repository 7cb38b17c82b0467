"""What a grammar is made of: Bedaride & Gardent (2010, sections 2.1 to 2.3), and some more.

A pattern says in which order words and arguments stand, a predicate which patterns it has with
which arguments where, and a semantic type which strings an argument may be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

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


class Tense(StrEnum):
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
class Piece:
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
    pieces: tuple[Piece, ...]
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
class Distribution:
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
    verbs: Mapping[tuple[Tense, Number], str] = field(hash=False)
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
    distributions: tuple[Distribution, ...]
    place: str

    @property
    def tenses(self) -> frozenset[Tense]:
        """The tenses of its verb; without one it may be in any."""
        return frozenset(tense for tense, _ in self.verbs) or frozenset(Tense)


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
class Grammar:
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
