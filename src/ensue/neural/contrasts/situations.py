"""Pairs about who is more, how many of a kind, which of two, what comes first, and what verbs imply."""

from __future__ import annotations

import random
from itertools import product

from ensue.neural.contrasts.clauses import plural_form, word_rows
from ensue.neural.contrasts.material import C, Drafts, E, PairDraft, U, both_ways
from ensue.neural.contrasts.quantities import (
    ACTIONS,
    FIRST_NAMES,
    GROUPS,
    HABITS,
    PLACES,
    Action,
    Situation,
    two_names,
)
from ensue.pairs import Label

# Comparison.

_OF_PEOPLE = word_rows("""tall taller shorter tallest shortest; old older younger oldest youngest;
    heavy heavier lighter heaviest lightest; fast faster slower fastest slowest; rich richer poorer richest poorest;
    strong stronger weaker strongest weakest; happy happier sadder happiest saddest;
    loud louder quieter loudest quietest""")
_OF_THINGS = word_rows("""large larger smaller largest smallest; long longer shorter longest shortest;
    old older newer oldest newest; heavy heavier lighter heaviest lightest; high higher lower highest lowest;
    wide wider narrower widest narrowest; hot hotter colder hottest coldest; hard harder easier hardest easiest;
    expensive dearer cheaper dearest cheapest; bright brighter darker brightest darkest;
    thick thicker thinner thickest thinnest; deep deeper shallower deepest shallowest""")
_NUMBERED = ("first", "second", "third", "red", "blue", "old", "new", "Spanish", "German")
_COMPARED = [
    "house",
    "car",
    "bridge",
    "book",
    "test",
    "room",
    "box",
    "road",
    "lake",
    "rope",
    "lamp",
    "shop",
    "tree",
    "film",
    "soup",
    "stone",
]
_LEVELS = 4


def comparisons(rng: random.Random) -> Drafts:
    """Two or three of a kind in order, by adjectives of one scale, and by another scale."""
    if rng.random() < 0.5:
        scales, group = rng.sample(_OF_PEOPLE, 2), "of the three"
        a, b, c = rng.sample(FIRST_NAMES, 3)
    else:
        scales, group = rng.sample(_OF_THINGS, 2), "of the three"
        noun = rng.choice(_COMPARED)
        a, b, c = (f"the {which} {noun}" for which in rng.sample(_NUMBERED, 3))
    be = rng.choice(("is", "was"))
    positive, more, less, most, least = scales[0]
    situation = Situation(product(range(_LEVELS), repeat=3))
    add = situation.add
    for (one, i), (two, j) in rng.sample(
        [(x, y) for x, y in product(((a, 0), (b, 1), (c, 2)), repeat=2) if x != y], 3
    ):
        add(f"{one} {be} {more} than {two}", lambda w, i=i, j=j: w[i] > w[j])
        add(f"{one} {be} {less} than {two}", lambda w, i=i, j=j: w[i] < w[j])
        add(f"{one} {be} not {more} than {two}", lambda w, i=i, j=j: w[i] <= w[j])
        add(f"{one} {be} as {positive} as {two}", lambda w, i=i, j=j: w[i] == w[j])
        add(f"{one} {be} not as {positive} as {two}", lambda w, i=i, j=j: w[i] < w[j])
    add(
        f"{a} {be} {more} than {b}, and {b} {be} {more} than {c}",
        lambda w: w[0] > w[1] > w[2],
        "text",
    )
    add(f"{a} {be} {less} than {b}. {b} {be} {less} than {c}", lambda w: w[0] < w[1] < w[2], "text")
    add(
        f"{b} {be} as {positive} as {a}, and {a} {be} {less} than {c}",
        lambda w: w[0] == w[1] < w[2],
        "text",
    )
    for one, i in ((a, 0), (c, 2)):
        others = [j for j in range(3) if j != i]
        add(f"{one} {be} the {most} {group}", lambda w, i=i, o=others: all(w[i] > w[j] for j in o))
        add(f"{one} {be} the {least} {group}", lambda w, i=i, o=others: all(w[i] < w[j] for j in o))
        add(f"none {group} {be} {more} than {one}", lambda w, i=i, o=others: all(w[i] >= w[j] for j in o), "hypothesis")  # fmt: skip
    yield from situation.drafts()
    other = scales[1]
    if not {positive, *scales[0]} & set(other):
        text = f"{a} {be} {rng.choice((more, less))} than {b}"
        yield PairDraft(text, f"{a} {be} {other[1]} than {b}", U)
        yield PairDraft(text, f"{b} {be} {other[1]} than {a}", U)
        yield PairDraft(text, f"{b} {be} as {other[0]} as {a}", U)
        yield PairDraft(f"{a} {be} the {most} {group}", f"{a} {be} the {other[3]} {group}", U)
    yield from _superlatives(rng)


_FIELDS = (
    ("runner", "in the race"), ("singer", "in the choir"), ("player", "in the team"), ("student", "in the class"),
    ("building", "in the city"), ("mountain", "in the country"), ("house", "in the street"), ("dog", "in the show"),
)  # fmt: skip


def _superlatives(rng: random.Random) -> Drafts:
    """The first of a group beside the others of it."""
    noun, where = rng.choice(_FIELDS)
    person = noun in ("runner", "singer", "player", "student")
    scales = rng.sample(_OF_PEOPLE if person else _OF_THINGS[:5], 2)
    _, more, less, most, least = scales[0]
    who = rng.choice(FIRST_NAMES) if person else f"the {noun} of {rng.choice(FIRST_NAMES)}"
    text = f"{who} was the {most} {noun} {where}"
    yield PairDraft(text, f"no other {noun} {where} was {more} than {who}", E)
    yield PairDraft(text, f"all other {plural_form(noun)} {where} were {less} than {who}", E)
    yield PairDraft(text, f"some {plural_form(noun)} {where} were {more} than {who}", C)
    yield PairDraft(text, f"there was a {more} {noun} than {who} {where}", C)
    yield PairDraft(text, f"{who} was one of the {least} {plural_form(noun)} {where}", C)
    yield PairDraft(text, f"{who} was the {scales[1][3]} {noun} {where}", U)
    yield PairDraft(f"{who} was one of the {most} {plural_form(noun)} {where}", text, U)
    yield PairDraft(f"{who} was not the {most} {noun} {where}", f"another {noun} {where} was at least as {scales[0][0]} as {who}", E)  # fmt: skip


# Quantifiers over a kind, a special kind of it, what all do, and a special way of doing it.

_KINDS = ("new", "young", "old", "tall", "foreign", "rich", "local", "busy", "tired", "famous")
_WAYS = (
    (Action("pass", "the exam"), Action("pass", "the exam with honors")), (Action("sing", ""), Action("sing", "loudly")),
    (Action("buy", "a car"), Action("buy", "a red car")), (Action("travel", ""), Action("travel", "by train")),
    (Action("play", "an instrument"), Action("play", "the violin")), (Action("move", "to Spain"), Action("move", "to Madrid")),
    (Action("eat", ""), Action("eat", "an apple")), (Action("own", "an animal"), Action("own", "a dog")),
    (Action("leave", "the room"), Action("leave", "the room before noon")), (Action("read", "a book"), Action("read", "a long book")),
    (Action("drink", "something"), Action("drink", "coffee")), (Action("dance", ""), Action("dance", "on the table")),
)  # fmt: skip


def quantifiers(rng: random.Random) -> Drafts:
    """What is said of all, most, some, few or none of a kind, and of a more special one."""
    noun, kind = rng.choice(GROUPS), rng.choice(_KINDS)
    general, special = rng.choice(_WAYS)
    # how many of the kind and of the others do it specially, do it otherwise, or do not
    situation = Situation(w for w in product(range(3), repeat=6) if sum(w[:3]) and sum(w[3:]))
    options = list(product((noun, f"{kind} {noun}"), (general, special)))
    for who, action in rng.sample(options * 2, 5):
        _add_quantified(situation, who, action, who != noun, action is special, rng)
    yield from situation.drafts()


def _add_quantified(
    situation: Situation, noun: str, action: Action, kind: bool, special: bool, rng: random.Random
) -> None:
    """Add a few sentences with quantifiers over one noun and one action."""

    def do(w: tuple[int, ...]) -> int:
        n = w[0] + (0 if special else w[1])
        return n if kind else n + w[3] + (0 if special else w[4])

    def there_are(w: tuple[int, ...]) -> int:
        return sum(w[:3]) if kind else sum(w)

    many = plural_form(noun)
    frames = [
        (f"all {many} {action.past}", lambda w: do(w) == there_are(w)),
        (f"every {noun} {action.past}", lambda w: do(w) == there_are(w)),
        (f"each {noun} {action.past}", lambda w: do(w) == there_are(w)),
        (f"no {noun} {action.past}", lambda w: do(w) == 0),
        (f"none of the {many} {action.past}", lambda w: do(w) == 0),
        (f"some {many} {action.past}", lambda w: do(w) > 0),
        (f"at least one {noun} {action.past}", lambda w: do(w) > 0),
        (f"most {many} {action.past}", lambda w: 2 * do(w) > there_are(w)),
        (f"more than half of the {many} {action.past}", lambda w: 2 * do(w) > there_are(w)),
        (f"not all {many} {action.past}", lambda w: do(w) < there_are(w)),
        (f"not every {noun} {action.past}", lambda w: do(w) < there_are(w)),
        (f"some {many} did not {action.plain}", lambda w: do(w) < there_are(w)),
        (f"every {noun} except one {action.past}", lambda w: do(w) == there_are(w) - 1),
        (f"at least two {many} {action.past}", lambda w: do(w) >= 2),
        (f"at most one {noun} {action.past}", lambda w: do(w) <= 1),
        (f"exactly two {many} {action.past}", lambda w: do(w) == 2),
        (f"nobody who is a {noun} {action.past}", lambda w: do(w) == 0),
        (f"there was a {noun} who {action.past}", lambda w: do(w) > 0),
        (f"there was no {noun} who did not {action.plain}", lambda w: do(w) == there_are(w)),
    ]
    for words, holds in rng.sample(frames, 4):
        situation.add(words, holds)


# Attributes.

_CONTRARIES = word_rows("""long short; old new; heavy light; hot cold; clean dirty; dark bright; expensive cheap;
    soft hard; thick thin; wide narrow; empty full; wet dry; sharp blunt; quiet noisy; safe dangerous; deep shallow""")
_NEUTRAL = [
    "wooden",
    "green",
    "round",
    "Italian",
    "square",
    "striped",
    "famous",
    "beautiful",
    "rare",
    "strange",
    "useful",
    "popular",
]
_BEARERS = [
    "road",
    "house",
    "knife",
    "room",
    "bridge",
    "coat",
    "river",
    "box",
    "street",
    "bag",
    "garden",
    "chair",
    "boat",
    "park",
    "shirt",
    "valley",
]
_COMPLEMENTARY = word_rows("""door open closed; bird alive dead; answer right wrong; lamp on off; prisoner guilty innocent;
    number odd even; guest present absent; machine broken intact; child asleep awake; cup empty non-empty""")


def attributes(rng: random.Random) -> Drafts:
    """What a thing is like: contraries exclude each other, other things are open."""
    thing = f"the {rng.choice(_BEARERS)}"
    (good, bad), (fine, poor) = rng.sample(_CONTRARIES, 2)
    plain = rng.choice(_NEUTRAL)
    situation = Situation(
        product((0, 1, 2), (0, 1, 2), (0, 1))
    )  # 0: the one, 1: the other, 2: neither
    add = situation.add
    add(f"{thing} is {good}", lambda w: w[0] == 0)
    add(f"{thing} is {bad}", lambda w: w[0] == 1)
    add(f"{thing} is not {good}", lambda w: w[0] != 0)
    add(f"{thing} is {good} and {fine}", lambda w: w[0] == 0 and w[1] == 0)
    add(f"{thing} is {good} but not {fine}", lambda w: w[0] == 0 and w[1] != 0)
    add(f"{thing} is {fine}", lambda w: w[1] == 0)
    add(f"{thing} is {poor}", lambda w: w[1] == 1)
    add(f"{thing} is {plain}", lambda w: w[2] == 1)
    add(f"{thing} is {plain} and {poor}", lambda w: w[2] == 1 and w[1] == 1)
    add(f"{thing} is neither {good} nor {bad}", lambda w: w[0] == 2)
    add(f"{thing} is either {good} or {fine}", lambda w: w[0] == 0 or w[1] == 0)
    yield from situation.drafts()
    noun, yes, no = rng.choice(_COMPLEMENTARY)
    still = rng.choice(("", "still "))
    yield from both_ways(f"the {noun} is {still}{yes}", f"the {noun} is {no}", C, C)
    yield from both_ways(f"the {noun} is not {yes}", f"the {noun} is {no}", E, E)
    yield PairDraft(f"the {noun} is {still}{yes}", f"the {noun} is {rng.choice(_NEUTRAL)}", U)
    yield PairDraft(f"there is no {thing[4:]}", f"there is no {plain} {thing[4:]}", E)
    yield PairDraft(f"there is no {plain} {thing[4:]}", f"there is no {thing[4:]}", U)
    yield PairDraft(f"there is no {thing[4:]} here", f"there is no {noun} here", U)


# Coordination.


def coordination(rng: random.Random) -> Drafts:
    """Two people and two actions: who did what, and who did not."""
    a, b = two_names(rng)
    p, q = rng.sample(ACTIONS, 2)
    situation = Situation(product((False, True), repeat=4))  # a did p, a did q, b did p, b did q
    frames = [
        (f"{a} {p.past}, and {b} {q.past}", lambda w: w[0] and w[3]),
        (f"{a} {p.past} while {b} {q.past}", lambda w: w[0] and w[3]),
        (f"{a} {p.past}, but {b} did not", lambda w: w[0] and not w[2]),
        (f"{a}, but not {b}, {p.past}", lambda w: w[0] and not w[2]),
        (f"both {a} and {b} {p.past}", lambda w: w[0] and w[2]),
        (f"{a} {p.past}, and so did {b}", lambda w: w[0] and w[2]),
        (f"neither {a} nor {b} {p.past}", lambda w: not w[0] and not w[2]),
        (f"{a} or {b} {p.past}", lambda w: w[0] or w[2]),
        (f"of {a} and {b}, only {b} {p.past}", lambda w: w[2] and not w[0]),
        (f"{b} {p.past} instead of {a}", lambda w: w[2] and not w[0]),
        (f"{a} {q.past} instead of {p.gerund}", lambda w: w[1] and not w[0]),
        (f"{a} {p.past} without {q.gerund}", lambda w: w[0] and not w[1]),
        (f"{a} {p.past} and {q.past}", lambda w: w[0] and w[1]),
        (f"{a} did not only {p.plain} but also {q.past}", lambda w: w[0] and w[1]),
        (f"{a} did not {p.plain} but {q.past}", lambda w: w[1] and not w[0]),
        (f"{a} {p.past} or {q.past}", lambda w: w[0] or w[1]),
        (f"{a} neither {p.past} nor {q.past}", lambda w: not w[0] and not w[1]),
        (f"if {a} {p.past}, {b} {q.past}", lambda w: w[3] or not w[0]),
        (f"{a} {p.past}. {b} did, too", lambda w: w[0] and w[2]),
    ]
    for words, holds in rng.sample(frames, 9):
        situation.add(words, holds)
    simple = [
        (f"{who} {'' if so else 'did not '}{action.past if so else action.plain}", lambda w, i=i, so=so: w[i] is so)
        for (i, who, action) in ((0, a, p), (1, a, q), (2, b, p), (3, b, q))
        for so in (True, False)
    ]  # fmt: skip
    for words, holds in simple:
        situation.add(words, holds)
    yield from situation.drafts()
    yield from _conditions(a, b, p, q)


def _conditions(a: str, b: str, p: Action, q: Action) -> Drafts:
    """Conditionals with one half of them, and those that are contrary to fact."""
    if_so = f"if {a} {p.past}, {b} {q.past}"
    yield PairDraft(f"{if_so}. {a} {p.past}", f"{b} {q.past}", E)
    yield PairDraft(f"{if_so}. {b} did not {q.plain}", f"{a} did not {p.plain}", E)
    yield PairDraft(f"{if_so}. {b} {q.past}", f"{a} {p.past}", U)
    yield PairDraft(f"{if_so}. {a} did not {p.plain}", f"{b} {q.past}", U)
    yield PairDraft(f"{if_so}. {a} {p.past}", f"{b} did not {q.plain}", C)
    for contrary in (
        f"if {a} had {p.perfect}, {b} would have {q.perfect}",
        f"had {a} {p.perfect}, {b} would have {q.perfect}",
    ):
        yield PairDraft(contrary, f"{a} did not {p.plain}", E)
        yield PairDraft(contrary, f"{a} {p.past}", C)
    yield PairDraft(f"unless {a} {p.present}, {b} will {q.plain}", f"{b} will {q.plain}", U)


# One thing after another, and what goes on or ends.


def order_in_time(rng: random.Random) -> Drafts:
    """Two events and their order, and a habit that lasted, began or ended."""
    a, b = two_names(rng)
    p, q = rng.sample(ACTIONS, 2)
    order = Situation((-1, 0, 1))
    for words, when in (
        (f"{a} {p.past} before {b} {q.past}", -1), (f"{b} {q.past} after {a} {p.past}", -1),
        (f"when {b} {q.past}, {a} had already {p.perfect}", -1), (f"first {a} {p.past}, then {b} {q.past}", -1),
        (f"{a} {p.past} after {b} {q.past}", 1), (f"{b} {q.past} before {a} {p.past}", 1),
        (f"after {b} {q.past}, {a} {p.past}", 1), (f"before {a} {p.past}, {b} {q.past}", 1),
    ):  # fmt: skip
        order.add(words, lambda w, when=when: w == when)
    yield from order.drafts()
    told = rng.choice(order.statements).words
    yield PairDraft(told, f"{a} {p.past}", E)
    yield PairDraft(told, f"{b} did not {q.plain}", C)
    yield PairDraft(told, f"{a} {q.past}", U)
    yield PairDraft(f"{a} {p.past}, and {b} {q.past}", told, U)
    yield from _habits(a, rng)


def _habits(who: str, rng: random.Random) -> Drafts:
    habit, other = rng.sample(HABITS, 2)
    worlds = Situation(product((False, True), repeat=3))  # formerly, now, another habit now
    for words, holds in (
        (f"{who} no longer {habit.present}", lambda w: w[0] and not w[1]),
        (f"{who} does not {habit.plain} any more", lambda w: w[0] and not w[1]),
        (f"{who} has stopped {habit.gerund}", lambda w: w[0] and not w[1]),
        (f"{who} still {habit.present}", lambda w: w[0] and w[1]),
        (f"{who} has not stopped {habit.gerund}", lambda w: w[0] and w[1]),
        (f"{who} has started {habit.gerund}", lambda w: not w[0] and w[1]),
        (f"{who} now {habit.present}", lambda w: w[1]),
        (f"{who} {habit.present}", lambda w: w[1]),
        (f"{who} does not {habit.plain}", lambda w: not w[1]),
        (f"{who} used to {habit.plain}", lambda w: w[0]),
        (f"{who} has never {habit.perfect}", lambda w: not w[0] and not w[1]),
        (f"{who} now {other.present}", lambda w: w[2]),
    ):
        worlds.add(words, holds)
    yield from worlds.drafts()
    event, place = rng.choice(ACTIONS), rng.choice(PLACES)
    yield from both_ways(
        f"{who} has not {event.perfect} yet", f"{who} has already {event.perfect}", C, C
    )
    yield PairDraft(f"{who} has not left {place} yet", f"{who} is still in {place}", E)
    yield PairDraft(f"{who} arrived in {place} on Monday", f"{who} is still in {place}", U)
    yield PairDraft(
        f"{who} lived in {place} during the war", f"{who} lived in {place} after the war", U
    )
    yield PairDraft(f"{who} has left {place}", f"{who} is still in {place}", C)


# What a verb says of the clause that it governs.

_IMPLICATIVES: tuple[tuple[str, Label], ...] = (
    ("managed to {p}", E), ("did not manage to {p}", C), ("failed to {p}", C), ("did not fail to {p}", E),
    ("forgot to {p}", C), ("did not forget to {p}", E), ("remembered to {p}", E), ("did not remember to {p}", C),
    ("refused to {p}", C), ("tried to {p}", U), ("wanted to {p}", U), ("planned to {p}", U), ("was forced to {p}", E),
    ("hoped to {p}", U), ("promised to {p}", U), ("agreed to {p}", U), ("did not bother to {p}", C),
    ("bothered to {p}", E), ("did not hesitate to {p}", E), ("happened to {p}", E), ("was allowed to {p}", U),
    ("was supposed to {p}", U), ("was about to {p}", U), ("neglected to {p}", C), ("took the time to {p}", E),
    ("was too tired to {p}", C), ("had the chance to {p}", U), ("avoided {g}", C), ("finished {g}", E),
    ("succeeded in {g}", E), ("was prevented from {g}", C), ("dreamed of {g}", U), ("thought about {g}", U),
    ("may have {f}", U), ("should have {f}", C), ("could have {f}", U), ("almost {d}", C),
    ("nearly {d}", C), ("will {p}", U), ("never {d}", C), ("probably {d}", U), ("allegedly {d}", U),
    ("would have {f} with more time", C), ("did not {p}", C), ("really did {p}", E), ("pretended to {p}", U),
)  # fmt: skip
"""What somebody did, and whether it says that the event took place."""
_ATTITUDES: tuple[tuple[str, Label], ...] = (
    ("{b} knows that {c}", E), ("{b} does not know that {c}", E), ("{b} regrets that {c}", E), ("{b} forgot that {c}", E),
    ("{b} is glad that {c}", E), ("{b} was surprised that {c}", E), ("{b} found out that {c}", E), ("{b} proved that {c}", E),
    ("{b} believes that {c}", U), ("{b} thinks that {c}", U), ("{b} said that {c}", U), ("{b} claims that {c}", U),
    ("{b} hopes that {c}", U), ("{b} denies that {c}", U), ("{b} doubts that {c}", U), ("{b} suspects that {c}", U),
    ("{b} wonders whether {c}", U), ("{b} asked whether {c}", U), ("according to {b}, {c}", U), ("{b} dreamed that {c}", U),
    ("it is possible that {c}", U), ("it is likely that {c}", U), ("it is not true that {c}", C), ("it is false that {c}", C),
    ("it is true that {c}", E), ("it is a pity that {c}", E), ("it is well known that {c}", E), ("it seems that {c}", U),
    ("{b} wrongly believes that {c}", C), ("{b} was wrong to say that {c}", C), ("{b} is pretending that {c}", C),
    ("{b} does not doubt that {c}", U), ("{b} did not say that {c}", U), ("it is a fact that {c}", E),
    ("{b} realized that {c}", E), ("nobody noticed that {c}", E), ("without doubt, {c}", E), ("perhaps {c}", U),
)  # fmt: skip


def implications(rng: random.Random) -> Drafts:
    """What a verb above a clause says of its truth, and what its denial does."""
    a, b = two_names(rng)
    p, q = rng.sample(ACTIONS, 2)
    opposite = {E: C, C: E, U: U}
    for frame, label in rng.sample(_IMPLICATIVES, 5):
        text = f"{a} {frame.format(p=p.plain, g=p.gerund, f=p.perfect, d=p.past)}"
        yield PairDraft(text, f"{a} {p.past}", label)
        yield PairDraft(text, f"{a} did not {p.plain}", opposite[label])
        yield PairDraft(text, f"{a} {q.past}", U)
    for frame, label in rng.sample(_ATTITUDES, 5):
        text = frame.format(b=b, c=f"{a} {p.past}")
        yield PairDraft(text, f"{a} {p.past}", label)
        yield PairDraft(text, f"{a} did not {p.plain}", opposite[label])
        yield PairDraft(text, f"{b} {p.past}", U)


# Relations that can be told from both sides.

_CONVERSE = {
    "the father of": "a child of", "the mother of": "a child of", "the daughter of": "a parent of",
    "the son of": "a parent of", "the teacher of": "a student of", "the employer of": "an employee of",
    "the grandson of": "a grandparent of",
}  # fmt: skip
_MUTUAL = (
    "a cousin of", "married to", "a neighbor of", "a colleague of", "a sibling of", "a classmate of", "a twin of",
)  # fmt: skip
_BETWEEN = (
    ("is north of", "is south of"), ("is above", "is below"), ("is in front of", "is behind"), ("is larger than", "is smaller than"),
    ("was built before", "was built after"), ("is to the left of", "is to the right of"), ("is on top of", "is underneath"),
    ("was followed by", "came after"), ("contains", "is inside"), ("is ahead of", "is behind"), ("precedes", "follows"),
)  # fmt: skip
_LANDMARKS = (
    "the station", "the school", "the church", "the market", "the castle", "the library", "the hotel", "the farm",
)  # fmt: skip
_EXCHANGES = (
    ("{a} sold {x} to {b}", "{b} bought {x} from {a}"), ("{a} lent {x} to {b}", "{b} borrowed {x} from {a}"),
    ("{a} gave {x} to {b}", "{b} received {x} from {a}"), ("{a} taught {b} to swim", "{b} learned to swim from {a}"),
    ("{a} beat {b} in the final", "{b} lost the final to {a}"), ("{a} inherited {x} from {b}", "{b} left {x} to {a}"),
    ("{a} hired {b}", "{b} was employed by {a}"), ("{a} sent {x} to {b}", "{b} was sent {x} by {a}"),
    ("{a} rented {x} to {b}", "{b} rented {x} from {a}"), ("{a} invited {b} to dinner", "{b} was {a}'s guest at dinner"),
)  # fmt: skip
_GOODS = [
    "a horse",
    "the farm",
    "an old car",
    "a painting",
    "a boat",
    "some land",
    "a ring",
    "the shop",
    "a book",
    "a watch",
]


def relations(rng: random.Random) -> Drafts:
    """Kinship, places and exchanges, told from either side and with the sides confused."""
    a, b = two_names(rng)
    role = rng.choice(list(_CONVERSE))
    text, back = f"{a} is {role} {b}", f"{b} is {_CONVERSE[role]} {a}"
    yield PairDraft(text, back, E)
    yield PairDraft(back, text, U)  # a child of is the son or the daughter of
    yield PairDraft(text, f"{b} is {role} {a}", C)
    yield PairDraft(text, f"{a} is {_CONVERSE[role]} {b}", C)
    mutual, other = rng.sample(_MUTUAL, 2)
    yield from both_ways(f"{a} is {mutual} {b}", f"{b} is {mutual} {a}", E, E)
    yield from both_ways(f"{a} is {mutual} {b}", f"{a} is not {mutual} {b}", C, C)
    yield PairDraft(f"{a} is {mutual} {b}", f"{b} is not {mutual} {a}", C)
    if {mutual, other} <= {"a neighbor of", "a colleague of", "a classmate of"}:
        yield PairDraft(f"{a} is {mutual} {b}", f"{b} is {other} {a}", U)
    yield from _places(rng)
    yield from _exchanges(a, b, rng)


def _places(rng: random.Random) -> Drafts:
    x, y, z = rng.sample(_LANDMARKS, 3)
    there, back = rng.choice(_BETWEEN)
    yield from both_ways(f"{x} {there} {y}", f"{y} {back} {x}", E, E)
    yield PairDraft(f"{x} {there} {y}", f"{y} {there} {x}", C)
    yield PairDraft(f"{x} {there} {y}", f"{x} {back} {y}", C)
    yield PairDraft(f"{x} {there} {y}", f"{x} {there} {z}", U)
    yield PairDraft(f"{x} {there} {y}", f"{x} is older than {y}", U)
    if "follow" not in there + back:
        yield PairDraft(f"{x} {there} {y}. {y} {there} {z}", f"{x} {there} {z}", E)
        yield PairDraft(f"{x} {there} {y}. {y} {there} {z}", f"{z} {there} {x}", C)
        yield PairDraft(f"{x} {there} {z}. {y} {there} {z}", f"{x} {there} {y}", U)


def _exchanges(a: str, b: str, rng: random.Random) -> Drafts:
    one, other = rng.choice(_EXCHANGES)
    thing, second = rng.sample(_GOODS, 2)
    text, same = (each.format(a=a, b=b, x=thing) for each in (one, other))
    yield from both_ways(text, same, E, E)
    yield PairDraft(text, other.format(a=b, b=a, x=thing), C if "final" in one else U)
    yield PairDraft(text, one.format(a=b, b=a, x=thing), C if "final" in one else U)
    if "{x}" in one:
        yield PairDraft(text, other.format(a=a, b=b, x=second), U)
        yield PairDraft(text, one.format(a=a, b=b, x=second), U)
