"""Pairs about numbers, parts, dates and times; statements about small worlds, true or false in them.

Where every statement of a situation is a set of worlds, gold is no matter of opinion: what is true in
all worlds of the text follows, what is true in none of them contradicts, and all else is unknown.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple, TypeVar

from ensue.neural.contrasts.clauses import gerund, past_form, plural_form, third_person, word_set
from ensue.neural.contrasts.material import C, Drafts, E, PairDraft, U, both_ways
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


_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_IN_DIGITS = 0.4
"""How often a small number is written in digits."""


def _numeral(n: int, rng: random.Random) -> str:
    return _WORDS[n] if n < len(_WORDS) and rng.random() > _IN_DIGITS else f"{n:,}"


class _Bound(NamedTuple):
    words: str
    """With `{n}` for the number, and `{less}` for *less* or *fewer*."""
    holds: Callable[[float, int], bool]


_BOUNDS = (
    _Bound("exactly {n}", lambda x, n: x == n),
    _Bound("at least {n}", lambda x, n: x >= n),
    _Bound("at most {n}", lambda x, n: x <= n),
    _Bound("more than {n}", lambda x, n: x > n),
    _Bound("{less} than {n}", lambda x, n: x < n),
    _Bound("no more than {n}", lambda x, n: x <= n),
    _Bound("no {less} than {n}", lambda x, n: x >= n),
    _Bound("not more than {n}", lambda x, n: x <= n),
    _Bound("over {n}", lambda x, n: x > n),
    _Bound("under {n}", lambda x, n: x < n),
    _Bound("{n} or more", lambda x, n: x >= n),
)
_PLAIN = _Bound("{n}", lambda x, n: x == n)

_THINGS = [
    "table",
    "bicycle",
    "ticket",
    "lamp",
    "coat",
    "painting",
    "phone",
    "suitcase",
    "boat",
    "carpet",
    "camera",
    "book",
    "meal",
    "watch",
]
_MEASURES = (
    ("The {thing} costs {q} euros", 5, 900), ("The {thing} cost {q} dollars", 5, 900),
    ("The {thing} weighs {q} kilograms", 2, 90), ("The {thing} is worth {q} pounds", 20, 5000),
    ("The tower is {q} meters high", 20, 300), ("The river is {q} kilometers long", 20, 900),
    ("The lake is {q} meters deep", 3, 120), ("The meeting lasted {q} minutes", 10, 180),
    ("The journey takes {q} hours", 2, 30), ("The temple is {q} years old", 40, 2000),
    ("{name} is {q} years old", 3, 90), ("{name} walked {q} kilometers", 3, 40),
    ("{name} earned {q} euros", 50, 4000), ("{name} slept for {q} hours", 2, 12),
    ("{name} waited {q} minutes", 5, 90), ("The village has {q} inhabitants", 80, 9000),
    ("The population of the town is {q}", 500, 90000), ("The temperature was {q} degrees", 2, 38),
    ("The film is {q} minutes long", 40, 190), ("The strike lasted {q} days", 3, 60),
)  # fmt: skip
"""What has one size, with the least and the most of it: a bare number is the exact one."""
_COUNTS = (
    ("The fire destroyed {q} {noun}", "house barn shop car tree"), ("{name} bought {q} {noun}", "apple book pen chair egg"),
    ("{q} {noun} attended the concert", "student tourist child fan guest"), ("The hotel has {q} {noun}", "room bed balcony window"),
    ("{q} {noun} were injured in the accident", "passenger worker soldier driver"), ("The team scored {q} {noun}", "goal point"),
    ("There are {q} {noun} in the garden", "tree dog flower cat bench"), ("{name} has {q} {noun}", "cousin horse daughter boat"),
    ("{q} {noun} voted against the plan", "member deputy senator citizen"), ("The museum owns {q} {noun}", "painting statue coin map"),
    ("{q} {noun} are waiting outside", "customer man woman girl"), ("The storm damaged {q} {noun}", "roof bridge boat car"),
)  # fmt: skip
"""What is counted: a bare number may mean that there are more."""


def _amount(bound: _Bound, n: int, less: str, rng: random.Random) -> str:
    return bound.words.format(n=_numeral(n, rng), less=less)


def quantities(rng: random.Random) -> Drafts:
    """One size, or one number of things, within bounds."""
    name = rng.choice(FIRST_NAMES)
    if rng.random() < 0.5:
        frame, least, most = rng.choice(_MEASURES)
        less, plain = "less", _PLAIN
        frame = frame.replace("{thing}", rng.choice(_THINGS)).replace("{name}", name)
    else:
        frame, nouns = rng.choice(_COUNTS)
        least, most, less, plain = 3, rng.choice((9, 12, 60, 400)), "fewer", None
        frame = frame.replace("{noun}", plural_form(rng.choice(nouns.split())))
        frame = frame.replace("{name}", name)
    near = _near_numbers(rng.randint(least, most), rng)
    worlds = sorted({n + d for n in near for d in (-0.5, 0, 0.5, 1, -1) if n + d >= 0})
    if plain is None:
        worlds = sorted({round(each) for each in worlds})
    situation = Situation([0, *worlds, worlds[-1] * 3])
    for bound in rng.sample(_BOUNDS, 6) + [plain or _BOUNDS[0]] * 2:
        n = rng.choice(near)
        words = frame.replace("{q}", _amount(bound, n, less, rng))
        situation.add(words, lambda x, b=bound, n=n: b.holds(x, n))
    n, m = sorted(rng.sample(near, 2))
    between = f"between {_numeral(n, rng)} and {_numeral(m, rng)}"
    situation.add(frame.replace("{q}", between), lambda x: n <= x <= m)
    yield from situation.drafts()
    if plain is None:
        n, m = sorted(rng.sample(near, 2))
        yield from _bare_counts(frame, n, m, rng)


def _near_numbers(n: int, rng: random.Random) -> list[int]:
    """A few numbers about as large, two of them apart at least."""
    step = 1 if n < 20 else 5 if n < 100 else 50 if n < 2000 else 1000
    if n >= 20:
        n = round(n / step) * step
    return sorted({max(n + k * step, 2) for k in rng.sample(range(-3, 4), 4)} | {n, n + step})


def _bare_counts(frame: str, n: int, m: int, rng: random.Random) -> Drafts:
    """A bare number of things beside bounds: it is at least so many, and people take it for all."""

    def say(words: str) -> str:
        return frame.replace("{q}", words.format(n=_numeral(n, rng), m=_numeral(m, rng)))

    yield PairDraft(say("{m}"), say("at least {n}"), E)
    yield PairDraft(say("{m}"), say("more than {n}"), E)
    yield PairDraft(say("{n}"), say("more than {m}"), C)
    yield PairDraft(say("{m}"), say("fewer than {n}"), C)
    yield PairDraft(say("{n}"), say("fewer than {m}"), E)
    yield PairDraft(say("more than {n}"), say("{m}"), U)
    yield PairDraft(say("at least {n}"), say("{m}"), U)
    yield PairDraft(say("fewer than {m}"), say("{n}"), U)


# The same amount in other words.

_EQUAL = (
    ("60 minutes", "an hour"), ("two hours", "120 minutes"), ("90 minutes", "an hour and a half"),
    ("48 hours", "two days"), ("14 days", "two weeks"), ("24 months", "two years"), ("half an hour", "30 minutes"),
    ("a dozen", "12"), ("half a dozen", "six"), ("ten years", "a decade"), ("a hundred years", "a century"),
    ("3 kilometers", "3,000 meters"), ("half a kilogram", "500 grams"), ("1.5 million", "1,500,000"),
    ("two thousand", "2,000"), ("a quarter of an hour", "15 minutes"), ("36 months", "three years"),
)  # fmt: skip
_LASTING = (
    "The {event} lasted {q}",
    "{name} waited for {q}",
    "The {event} went on for {q}",
    "{name} stayed for {q}",
)
_EVENTS = [
    "meeting",
    "trip",
    "concert",
    "strike",
    "war",
    "lesson",
    "storm",
    "trial",
    "game",
    "journey",
]
_DURATIONS = (
    ("20 minutes", 20), ("half an hour", 30), ("45 minutes", 45), ("an hour", 60), ("two hours", 120),
    ("five hours", 300), ("a day", 1440), ("three days", 4320), ("a week", 10080), ("ten days", 14400),
    ("two weeks", 20160), ("a month", 43200), ("six weeks", 60480), ("three months", 129600),
    ("half a year", 262800), ("a year", 525600), ("18 months", 788400), ("two years", 1051200),
)  # fmt: skip


def durations(rng: random.Random) -> Drafts:
    """How long something lasted, in other units."""
    frame = rng.choice(_LASTING).replace("{event}", rng.choice(_EVENTS))
    frame = frame.replace("{name}", rng.choice(FIRST_NAMES))
    at = rng.randrange(len(_DURATIONS) - 3)
    near = _DURATIONS[at : at + 4]
    worlds = sorted({minutes * f for _, minutes in near for f in (0.9, 1, 1.1)})
    situation = Situation(worlds)
    for words, minutes in near:
        situation.add(frame.format(q=words), lambda x, m=minutes: x == m)
        situation.add(frame.format(q=f"more than {words}"), lambda x, m=minutes: x > m)
        situation.add(frame.format(q=f"less than {words}"), lambda x, m=minutes: x < m)
        situation.add(frame.format(q=f"at least {words}"), lambda x, m=minutes: x >= m)
    yield from situation.drafts()
    one, other = rng.choice(_EQUAL)
    if "year" in one + other or "hour" in one + other or "day" in one + other:
        yield from both_ways(frame.format(q=one), frame.format(q=other), E, E)


# Parts of a whole of known size.

_HAS = (
    ("passed the exam", "did not pass the exam"), ("are married", "are not married"),
    ("speak French", "do not speak French"), ("are from {place}", "are not from {place}"),
    ("were invited", "were not invited"), ("own a car", "do not own a car"),
    ("arrived late", "did not arrive late"), ("are wearing hats", "are not wearing hats"),
    ("signed the letter", "did not sign the letter"), ("are older than 30", "are not older than 30"),
    ("can swim", "cannot swim"), ("were vaccinated", "were not vaccinated"),
)  # fmt: skip
_WHOLES = (
    "There are {N} {noun} in the group, and {q} of them {has}",
    "{q} of the {N} {noun} {has}",
    "Of the {N} {noun}, {q} {has}",
    "The group has {N} {noun}, {q} of whom {has}",
)


def parts(rng: random.Random) -> Drafts:
    """How many of so many things are such, said by number and by share."""
    noun = plural_form(rng.choice(GROUPS))
    place = rng.choice(PLACES)
    has, lacks = (each.replace("{place}", place) for each in rng.choice(_HAS))
    whole = rng.choice((4, 5, 6, 8, 10, 12, 20, 30, 40, 60, 100))
    situation = Situation(range(whole + 1))
    texts = [rng.randint(1, whole - 1) for _ in range(2)]
    for k in texts:
        bound = rng.choice(_BOUNDS[:5])
        for words, holds in (
            (_numeral(k, rng), lambda x, k=k: x == k),
            (
                _amount(bound, k, "fewer", rng),
                lambda x, k=k, bound=bound: bound.holds(x, k),
            ),
        ):
            frame = rng.choice(_WHOLES)
            said = frame.format(N=_numeral(whole, rng), noun=noun, q=words, has=has)
            situation.add(said, holds, "text")
    for words, share in (("half", 2), ("a quarter", 4), ("a third", 3), ("a fifth", 5)):
        if whole % share == 0:
            said = f"{words} of the {_numeral(whole, rng)} {noun} {has}"
            situation.add(said, lambda x, s=share: x == whole // s, "text")
    _add_hypotheses(situation, whole, noun, has, lacks, rng)
    yield from situation.drafts()


def _add_hypotheses(
    situation: Situation, whole: int, noun: str, has: str, lacks: str, rng: random.Random
) -> None:
    kinds: list[tuple[str, Callable[[int], bool]]] = [
        ("all", lambda x: x == whole),
        ("most", lambda x: 2 * x > whole),
        ("more than half", lambda x: 2 * x > whole),
        ("less than half", lambda x: 2 * x < whole),
        ("at least half", lambda x: 2 * x >= whole),
        ("exactly half", lambda x: 2 * x == whole),
        ("none", lambda x: x == 0),
        ("some", lambda x: x > 0),
    ]
    for words, holds in kinds:
        situation.add(f"{words} of the {noun} {has}", holds, "hypothesis")
        if rng.random() < 0.5 and words not in ("none", "all"):
            said = f"{words} of the {noun} {lacks}"
            situation.add(said, lambda x, h=holds: h(whole - x), "hypothesis")
    for _ in range(6):
        k, bound = rng.randint(1, whole - 1), rng.choice(_BOUNDS[:8])
        said = _amount(bound, k, "fewer", rng)
        situation.add(f"{said} {noun} {has}", lambda x, k=k, b=bound: b.holds(x, k), "hypothesis")
        situation.add(
            f"{said} of the {noun} {lacks}",
            lambda x, k=k, b=bound: b.holds(whole - x, k),
            "hypothesis",
        )


# Dates and times of the day.

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
_ONCE = (
    "The bridge was opened {d}", "{name} was born {d}", "{name} died {d}", "The treaty was signed {d}",
    "The company was founded {d}", "The ship sank {d}", "The school was built {d}", "The war ended {d}",
    "The king was crowned {d}", "{name} was elected mayor {d}", "The church burned down {d}",
    "The first edition appeared {d}", "The factory closed {d}",
)  # fmt: skip
"""What happens once: at another time is a contradiction."""
_OFTEN = ("{name} visited {place} {d}", "{name} wrote a novel {d}", "There was an earthquake {d}", "{name} gave a concert {d}", "A ship sank near {place} {d}")  # fmt: skip
_CENTURIES = {19: "19th", 20: "20th", 21: "21st"}


def _dates(rng: random.Random) -> list[tuple[str, Callable[[tuple[int, int, int]], bool]]]:
    """Phrases for times about one year, and whether a day is within."""
    year, month, day = rng.randint(1830, 2019), rng.randrange(12), rng.randint(1, 28)
    other = year + rng.choice((-12, -5, -2, -1, 1, 1, 2, 4, 9, 15))
    later, decade = year + rng.randint(1, 6), year // 10 * 10
    second, far = (month + rng.randint(1, 11)) % 12, decade + rng.choice((-10, 10))
    century, next_century = (year - 1) // 100 + 1, (other - 1) // 100 + 1
    day_words = rng.choice((f"{day} {_MONTHS[month]} {year}", f"{_MONTHS[month]} {day}, {year}"))
    return [
        (f"on {day_words}", lambda t: t == (year, month, day)),
        (f"in {_MONTHS[month]} {year}", lambda t: t[:2] == (year, month)),
        (f"in {_MONTHS[second]} {year}", lambda t: t[:2] == (year, second)),
        (f"in {year}", lambda t: t[0] == year),
        (f"in {other}", lambda t: t[0] == other),
        (f"in the {decade}s", lambda t: decade <= t[0] < decade + 10),
        (f"in the {far}s", lambda t: far <= t[0] < far + 10),
        (f"before {other}", lambda t: t[0] < other),
        (f"after {other}", lambda t: t[0] > other),
        (f"before {year}", lambda t: t[0] < year),
        (f"between {year - 2} and {later}", lambda t: year - 2 <= t[0] <= later),
        (f"in the {_CENTURIES[century]} century", lambda t: (t[0] - 1) // 100 + 1 == century),
        (
            f"in the {_CENTURIES[next_century]} century",
            lambda t: (t[0] - 1) // 100 + 1 == next_century,
        ),
    ]


def dates(rng: random.Random) -> Drafts:
    """When something happened, more or less exactly, and when something was so."""
    name, place = rng.choice(FIRST_NAMES), rng.choice(PLACES)
    once = rng.random() < 0.75
    frame = rng.choice(_ONCE if once else _OFTEN).replace("{name}", name).replace("{place}", place)
    phrases = _dates(rng)
    years = range(1800, 2041)
    days = {1, 15} | {
        int(word.strip(",")) for word in phrases[0][0].split()[1:3] if word.strip(",").isdigit()
    }
    situation = Situation((y, m, d) for y in years for m in range(12) for d in days)
    for words, holds in rng.sample(phrases, 7):
        situation.add(frame.replace("{d}", words), holds)
    for draft in situation.drafts():
        yield draft if once or draft.gold is not C else draft._replace(gold=U)
    yield from _spans(name, place, rng)


_STATES = (
    ("The museum was closed", "The museum was open"), ("{name} was mayor of {place}", ""),
    ("{name} lived in {place}", ""), ("The two countries were at war", "The two countries were at peace"),
    ("{name} was in prison", "{name} was free"), ("The road was blocked", "The road was passable"),
    ("{name} was married to {name2}", ""),
)  # fmt: skip


def _spans(name: str, place: str, rng: random.Random) -> Drafts:
    """What was so from one year to another, and in a year of these."""
    state, opposite = rng.choice(_STATES)
    second = rng.choice([each for each in FIRST_NAMES if each != name])
    state, opposite = (
        each.replace("{name2}", second).replace("{name}", name).replace("{place}", place)
        for each in (state, opposite)
    )
    start = rng.randint(1850, 2005)
    end = start + rng.randint(3, 12)
    within, beyond = rng.randint(start + 1, end - 1), rng.choice((start - 4, end + 3))
    text = rng.choice((f"{state} from {start} to {end}", f"{state} between {start} and {end}"))
    yield PairDraft(text, f"{state} in {within}", E)
    yield PairDraft(text, f"{state} in {beyond}", U)
    yield PairDraft(f"{state} in {within}", text, U)
    if opposite:
        yield PairDraft(text, f"{opposite} in {within}", C)
        yield PairDraft(text, f"{opposite} in {beyond}", U)
    born = start - 60
    died = born + rng.randint(30, 70)
    life = rng.choice(
        (f"{name} was born in {born} and died in {died}", f"{name} ({born}–{died}) was a painter")
    )
    alive = rng.randint(born + 1, died - 1)
    yield PairDraft(life, f"{name} was alive in {alive}", E)
    yield PairDraft(life, f"{name} was alive in {rng.choice((born - 9, died + 7))}", C)
    yield PairDraft(life, f"{name} lived in {place} in {alive}", U)
    yield PairDraft(life, f"{name} died before {died + rng.randint(1, 20)}", E)
    yield PairDraft(life, f"{name} was dead in {alive}", C)


_BY_CLOCK = (
    "The train leaves {t}", "The meeting begins {t}", "The shop opens {t}", "{name} arrived {t}",
    "The show ended {t}", "{name} called {t}",
)  # fmt: skip


def clock(rng: random.Random) -> Drafts:
    """When something happens in the course of a day."""
    frame = rng.choice(_BY_CLOCK).replace("{name}", rng.choice(FIRST_NAMES))
    hour = rng.randint(7, 21)
    situation = Situation(range(0, 24 * 60, 15))

    def told(minutes: int) -> str:
        if minutes % 60:
            return f"{minutes // 60}:{minutes % 60:02d}"
        return rng.choice((f"{minutes // 60}:00", f"{minutes // 60} o'clock"))

    for _ in range(4):
        at = hour * 60 + 15 * rng.randint(-6, 6)
        until = at + 15 * rng.randint(1, 8)
        for words, holds in (
            (f"at {told(at)}", lambda x, a=at: x == a),
            (f"before {told(at)}", lambda x, a=at: x < a),
            (f"after {told(at)}", lambda x, a=at: x > a),
            (f"between {told(at)} and {told(until)}", lambda x, a=at, u=until: a <= x <= u),
        ):
            if rng.random() < 0.6:
                situation.add(frame.replace("{t}", words), holds)
    situation.add(frame.replace("{t}", "at noon"), lambda x: x == 12 * 60)
    situation.add(frame.replace("{t}", "in the morning"), lambda x: 5 * 60 <= x < 12 * 60)
    situation.add(frame.replace("{t}", "in the evening"), lambda x: 18 * 60 <= x < 22 * 60)
    yield from situation.drafts()
