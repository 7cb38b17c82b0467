"""Categories of contexts (modality, tense, quantity …), and the reader of their word lists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from typing import TypeVar

from ensue.errors import DataError

# What is said of each token of a sentence: whether, how surely, of how many and when it holds.


class Modality(StrEnum):
    """Whether something is, may be or must be."""

    ACTUAL = "actual"
    POSSIBLE = "possible"
    NECESSARY = "necessary"
    NOT_POSSIBLE = "not-possible"
    NOT_NECESSARY = "not-necessary"
    HYPOTHETICAL = "hypothetical"
    """It would be."""


class Tense(StrEnum):
    """When something is."""

    PAST = "past"
    PRESENT = "present"
    FUTURE = "future"
    NONE = ""


class Quantity(StrEnum):
    """Of how many of a kind something is said."""

    ALL = "all"
    MOST = "most"
    MANY = "many"
    SOME = "some"
    FEW = "few"
    NO = "no"
    NOT_ALL = "not-all"
    THE = "the"
    """Of definite ones: `the`, `this`, `my`."""
    NUMBER = "number"
    NONE = ""
    """Unmarked: a name, or a noun without a determiner."""


class Monotonicity(StrEnum):
    """Which words may stand in place of a word without making a true sentence false."""

    POSITIVE = "positive"
    """More general ones."""
    NEGATIVE = "negative"
    """More special ones."""
    UNIVERSAL = "universal"
    """More special ones, of which there are some: what `every` is said of."""
    NEITHER = "neither"
    """None: what `most` and `exactly three` are said of."""


class Embedding(StrEnum):
    """What a clause's embedder says of it: true (+), false (-) or nothing (o), affirmed and negated."""

    NONE = ""
    FACTIVE = "factive"
    """+/+: know, regret."""
    COUNTERFACTIVE = "counterfactive"
    """-/-: pretend."""
    IMPLICATIVE = "implicative"
    """+/-: manage, it is true that."""
    NEGATIVE_IMPLICATIVE = "negative-implicative"
    """-/+: fail, it is false that."""
    ONE_WAY_POSITIVE = "one-way-positive"
    """+/o: force, prove."""
    ONE_WAY_NEGATIVE = "one-way-negative"
    """-/o: prevent, refuse."""
    IF_NOT = "if-not"
    """o/-: be able, allow."""
    UNLESS = "unless"
    """o/+: hesitate."""
    REPORTED = "reported"
    """o/o: say, claim, according to."""
    BELIEVED = "believed"
    """o/o: think, suspect."""
    DENIED = "denied"
    """o/o, by somebody who says the contrary: deny, doubt."""
    WANTED = "wanted"
    """o/o: want, plan, try, order; and purposes."""
    MODAL = "modal"
    """o/o: have to, be likely."""
    QUESTIONED = "questioned"
    """o/o: wonder whether."""
    CONDITIONAL = "conditional"
    """o/o: an if-clause, and what holds if it does."""


class Commitment(StrEnum):
    """Whether the author of a text commits to something."""

    TRUE = "true"
    FALSE = "false"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Contexts:
    """The contexts of the tokens of a sentence, in tuples of its length.

    A predicate is the head of a clause: a verb, the copula of a predicate noun or adjective, or the
    root of a fragment.
    """

    polarity: tuple[bool, ...]
    """Whether a token stands within an even number of negations, of its own clause or noun phrase."""
    negators: tuple[tuple[int, ...], ...]
    """The tokens that negate a predicate or noun directly."""
    monotonicity: tuple[Monotonicity, ...]
    quantities: tuple[Quantity, ...]
    """At nouns and pronouns."""
    quantifiers: tuple[int, ...]
    """The token that says the quantity; -1 for none."""
    modalities: tuple[Modality, ...]
    """At predicates, and at what belongs to their clauses."""
    modals: tuple[int, ...]
    """The token that says the modality; -1 for none."""
    tenses: tuple[Tense, ...]
    """At predicates."""
    embeddings: tuple[Embedding, ...]
    """At predicates: the class of what embeds their clause directly."""
    embedders: tuple[int, ...]
    """The token that embeds the clause: a verb, noun, adjective, adverb or conjunction; -1 for none."""
    commitments: tuple[Commitment, ...]
    """Of the clause's predicate, through all that stands above it; of a negated phrase, its own."""


# Reading the word lists: rows between tabs, where comments begin with a number sign.

Choice = TypeVar("Choice", bound=StrEnum)


def read_rows(name: str, n_columns: int) -> Iterator[tuple[str, list[str]]]:
    """The place and the cells of each row of a word list of this package."""
    content = files(__package__).joinpath("words", name).read_text("utf-8")
    return rows_of(name, content, n_columns)


def rows_of(name: str, content: str, n_columns: int) -> Iterator[tuple[str, list[str]]]:
    """The place and the cells of each row of a word list.

    Raises:
        DataError: a row has too few or too many cells, or an empty one.
    """
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        place, cells = f"{name}:{number}", line.split("\t")
        if len(cells) != n_columns or not all(cell.strip() for cell in cells):
            raise DataError(
                "row-cells",
                f"a row of {len(cells)} cells: {line!r}",
                place=place,
                hint=f"each row has {n_columns} cells that are not empty, between tabs",
            )
        yield place, cells


def choice(kind: type[Choice], cell: str, place: str) -> Choice:
    """The member of a closed choice that a cell names.

    Raises:
        DataError: there is no such member.
    """
    try:
        return kind(cell)
    except ValueError:
        known = ", ".join(each.value for each in kind if each.value)
        raise DataError(
            "unknown-name",
            f"no {kind.__name__.lower()} is called {cell!r}",
            place=place,
            hint=f"known are: {known}",
        ) from None
