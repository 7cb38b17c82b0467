"""Statements about small worlds: the words, and the worlds in which they are true.

Where every statement of a situation is a set of worlds, gold is no matter of opinion: what is true in
all worlds of the text follows, what is true in none of them contradicts, and all else is unknown.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple, TypeVar

from ensue.neural.contrasts.clauses import gerund, past_form, third_person, word_set
from ensue.neural.contrasts.material import C, Drafts, E, PairDraft, U
from ensue.pairs import Label

World = TypeVar("World")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence without its full stop, and the numbers of the worlds in which it is true."""

    words: str
    worlds: frozenset[int]
    role: str = "both"
    """`text` or `hypothesis` where it can only be one of them."""


class Situation:
    """The worlds that are possible, and what can be said of them."""

    def __init__(self, worlds: Iterable[object]) -> None:
        self._worlds = list(worlds)
        self.statements: list[Statement] = []

    def add(self, words: str, holds: Callable[..., bool], role: str = "both") -> None:
        """Add a sentence that is true where the function of a world says so."""
        found = frozenset(i for i, world in enumerate(self._worlds) if holds(world))
        if 0 < len(found) < len(self._worlds):  # what is always so, or never, says nothing
            self.statements.append(Statement(words, found, role))

    def drafts(self) -> Drafts:
        """All pairs of two statements."""
        for text, hypothesis in permutations(self.statements, 2):
            if text.role != "hypothesis" and hypothesis.role != "text":
                yield PairDraft(text.words, hypothesis.words, relation(text, hypothesis))


def relation(text: Statement, hypothesis: Statement) -> Label:
    """What one statement says of another about the same worlds."""
    if text.worlds <= hypothesis.worlds:
        return E
    return C if text.worlds.isdisjoint(hypothesis.worlds) else U


# Who and what the statements are about.

FIRST_NAMES = sorted(word_set("""Adam Agnes Ahmed Alan Alma Andrea Anton Bella Boris Brenda Bruno Camille
    Carla Carlos Clara Claude Daniel Daria Dora Edgar Elena Elias Ella Erik Esther Fatima Fiona Frank Gina
    Gregor Hanna Harold Helena Henry Igor Irene Ivan Jana Jonas Judith Julia Kamal Karen Karl Lena Leon Lisa
    Lucas Maria Marco Martin Maya Miguel Mila Nadine Nora Olga Oliver Omar Oscar Paula Pavel Priya Rachel Ralf
    Ramon Rita Rosa Samir Sara Simon Sofia Stefan Tanya Theo Tina Tom Ursula Vera Victor Walter Yuki Zoe"""))  # fmt: skip
PLACES = (
    "Paris", "Berlin", "Cairo", "Lima", "Oslo", "Tokyo", "Madrid", "Boston", "Athens", "Prague", "Vienna",
    "Dublin", "Nairobi", "Sydney", "Toronto", "Lisbon", "Warsaw", "Chicago", "Delhi", "Istanbul",
)  # fmt: skip
GROUPS = (
    "student", "teacher", "doctor", "driver", "guest", "player", "worker", "neighbor", "lawyer", "farmer",
    "tourist", "soldier", "actor", "nurse", "engineer", "visitor", "customer", "scientist", "musician", "child",
)  # fmt: skip


class Action(NamedTuple):
    """A verb and what follows it, in any form."""

    verb: str
    rest: str

    @property
    def past(self) -> str:
        """`visited the museum`."""
        return f"{past_form(self.verb)} {self.rest}".strip()

    @property
    def plain(self) -> str:
        """`visit the museum`."""
        return f"{self.verb} {self.rest}".strip()

    @property
    def gerund(self) -> str:
        """`visiting the museum`."""
        return f"{gerund(self.verb)} {self.rest}".strip()

    @property
    def present(self) -> str:
        """`visits the museum`."""
        return f"{third_person(self.verb)} {self.rest}".strip()

    @property
    def perfect(self) -> str:
        """`visited the museum`, for after `has`."""
        return f"{past_form(self.verb, participle=True)} {self.rest}".strip()


ACTIONS = tuple(
    Action(*row.strip().split(" ", 1))
    for row in ["visit the museum", " sign the contract", " read the report", " paint the fence", " eat the soup", "\n    clean the kitchen", " open the window", " close the door", " write a letter", " call the police", " buy a ticket", "\n    sell the car", " leave the party", " miss the bus", " win the race", " lose the key", " find the map", " break the vase", "\n    repair the radio", " wash the dishes", " cook dinner", " play the piano", " sing a song", " watch the game", "\n    answer the question", " pass the test", " join the club", " feed the horse", " cross the river", " climb the hill", "\n    plant a tree", " pay the bill", " drink the milk", " bake a cake", " learn Spanish", " attend the meeting", "\n    water the flowers", " order tea", " bring a present", " take a photo", " lock the gate", " see the play", "\n    cut the grass", " carry the box", " accept the offer", " check the list", " build a boat", " book a room"]
)  # fmt: skip
"""What somebody does once, and at no time that excludes another."""
HABITS = tuple(
    Action(*row.strip().split(" ", 1))
    for row in ["work for the bank", " live in the village", " play chess", " drive a taxi", " teach music", " wear glasses", "\n    own a farm", " speak Greek", " collect stamps", " run the hotel", " sell fish", " study law", " sing in the choir", " keep bees", "\n    write for the newspaper", " lead the orchestra", " share a flat", " rent the cottage", " breed dogs", " train the team"]
)  # fmt: skip
"""What somebody does for years."""


def two_names(rng: random.Random) -> tuple[str, str]:
    """Different ones."""
    first, second = rng.sample(FIRST_NAMES, 2)
    return first, second


def drawn(rng: random.Random, drafts: Drafts, count: int) -> list[PairDraft]:
    """Some drafts, of each label about as many as of another."""
    by_label: dict[Label, list[PairDraft]] = {}
    for draft in drafts:
        by_label.setdefault(draft.gold, []).append(draft)
    kept: list[PairDraft] = []
    for rows in by_label.values():
        rng.shuffle(rows)
    labels: Sequence[Label] = list(by_label)
    while len(kept) < count and any(by_label.values()):
        kept += [by_label[label].pop() for label in labels if by_label[label]]
    rng.shuffle(kept)
    return kept[:count]
