"""Pairs in which a part of a clause is exchanged or left out: a quantifier, a number, a word.

What follows depends on which of the two sides says more, and on what the change stands under: a
young man is a man, and where no man walks no young man does.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, permutations
from typing import NamedTuple

from ensue.neural.contrasts.clauses import (
    DEMONSTRATIVES,
    NUMBERS,
    SimpleClause,
    VerbForm,
    gerund,
    plural_form,
    word_rows,
    word_set,
)
from ensue.neural.contrasts.material import (
    LOOKS,
    NAMES,
    C,
    ContrastMaterial,
    Drafts,
    E,
    PairDraft,
    ParsedClause,
    U,
    both_ways,
    hypernyms,
    is_living,
)
from ensue.pairs import Label

# Quantifiers.


class Quantifier(NamedTuple):
    """A determiner, whether its noun is plural, and what it says: of a number, how many do."""

    words: str
    plural: bool
    holds: Callable[[int, int], bool]


_FIXED_QUANTIFIERS = (
    Quantifier("all of the", True, lambda of, k: k == of),
    Quantifier("every", False, lambda of, k: k == of),
    Quantifier("each", False, lambda of, k: k == of),
    Quantifier("most of the", True, lambda of, k: 2 * k > of),
    Quantifier("some of the", True, lambda _, k: k >= 1),
    Quantifier("a few of the", True, lambda _, k: k >= 2),
    Quantifier("none of the", True, lambda _, k: k == 0),
    Quantifier("no", False, lambda _, k: k == 0),
    Quantifier("not all of the", True, lambda of, k: k < of),
    Quantifier("not every", False, lambda of, k: k < of),
)
_SIZES = [(of, k) for of in range(1, 25) for k in range(of + 1)]
# People take "some" for "not all", and differ on whether "a few" may be most.
_IMPLICATED = {"some of the", "a few of the", "most of the"}


def _counting_quantifiers(n: int) -> tuple[Quantifier, ...]:
    number = NUMBERS[n - 2]
    return (
        Quantifier(f"at least {number}", True, lambda _, k: k >= n),
        Quantifier(f"at most {number}", True, lambda _, k: k <= n),
        Quantifier(f"exactly {number}", True, lambda _, k: k == n),
        Quantifier(f"more than {number}", True, lambda _, k: k > n),
        Quantifier(f"fewer than {number}", True, lambda _, k: k < n),
    )


def all_quantifiers(n: int) -> list[Quantifier]:
    """Those without a number, and those with this number and the next."""
    return [*_FIXED_QUANTIFIERS, *_counting_quantifiers(n), *_counting_quantifiers(n + 1)]


def quantifier_label(first: Quantifier, second: Quantifier) -> Label | None:
    """What holds in all situations; None where people and logic part."""
    words = {first.words, second.words}
    if words & _IMPLICATED and any(each.startswith("not") for each in words):
        return None
    if "a few of the" in words and not words & {"some of the", "none of the", "no"}:
        return None
    answers = {second.holds(*size) for size in _SIZES if first.holds(*size)}
    return U if len(answers) == 2 else E if answers == {True} else C


def quantifiers(material: ContrastMaterial) -> Drafts:
    """The clause said of all, most, some, so many or none of those that its subject names."""
    clause, subject = material.clause, material.clause.subject
    single, many = subject.head, plural_form(subject.head)
    if clause.predicate.is_identity or subject.name or not subject.animate or single == "people":
        return
    if not is_living(material.parsed.lexicon, single) or subject.core not in (single, many):
        return
    table = all_quantifiers(material.rng.randrange(3, 9))
    material.rng.shuffle(table)

    def said(quantifier: Quantifier) -> str:
        core = many if quantifier.plural else single
        who = replace(subject, determiner=quantifier.words, core=core, plural=quantifier.plural)
        return clause.say(subject=who)

    for first, second in islice(permutations(table, 2), 0, 400, 7):
        gold = quantifier_label(first, second)
        if gold is not None:
            yield PairDraft(said(first), said(second), gold)


# Numbers, names, dates and durations.

_CITIES = (
    "London", "Paris", "Berlin", "Tokyo", "Chicago", "Madrid", "Rome", "Boston", "Moscow", "Sydney",
)  # fmt: skip
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_UNITS = (
    ("hours", "minutes", 60),
    ("days", "hours", 24),
    ("minutes", "seconds", 60),
    ("weeks", "days", 7),
)


def numbers(material: ContrastMaterial) -> Drafts:
    """Other numbers and names in the clause, and dates and durations added to it."""
    parsed, rng, clause = material.parsed, material.rng, material.clause
    for i, word in enumerate(parsed.words):
        if word in NUMBERS and parsed.sentence.relations[i] == "nummod":
            yield from _counts(parsed, i, rng)
    yield from _names(material)
    if clause.predicate.form is VerbForm.PROGRESSIVE:
        past = clause.definite.in_past.say()
        yield from _dates(past, rng)
        yield from _durations(past, rng)


def _counts(parsed: ParsedClause, i: int, rng: random.Random) -> Drafts:
    number, text = parsed.words[i], parsed.variant().say()
    n = NUMBERS.index(number)

    def said(other: str) -> str:
        return parsed.variant(words={i: other}).say()

    other = rng.choice([each for each in NUMBERS if each != number])
    yield from both_ways(text, said(other), C, C)
    yield from both_ways(text, parsed.variant([i]).say(), E, U)
    yield PairDraft(text, said(f"more than {NUMBERS[max(n - 1, 0)]}"), E if n else C)
    yield PairDraft(text, said(f"at least {number}"), E)
    yield PairDraft(text, said(f"more than {number}"), C)
    yield PairDraft(said(f"at least {number}"), text, U)


def _names(material: ContrastMaterial) -> Drafts:
    parsed, rng, said = material.parsed, material.rng, material.clause.say()
    for start, end, kind in parsed.sentence.entity_spans():
        if end - start != 1 or not parsed.sentence.tags[start].startswith("NNP"):
            continue
        if kind == "PERSON" and start == parsed.subject:
            # somebody else may do the same
            yield PairDraft(said, parsed.variant(words={start: rng.choice(NAMES)}).say(), U)
        inside = parsed.sentence.relations[start] == "pobj" and parsed.words[start - 1] == "in"
        if kind == "GPE" and inside and material.clause.predicate.form is VerbForm.PROGRESSIVE:
            yield PairDraft(said, parsed.variant(words={start: rng.choice(_CITIES)}).say(), C)
            yield PairDraft(said, parsed.variant([start - 1, start]).say(), E)


def _dates(said: str, rng: random.Random) -> Drafts:
    month, wrong = rng.sample(_MONTHS, 2)
    day, other = rng.sample(range(1, 29), 2)
    year = rng.randrange(1950, 2020)
    later = year + rng.choice((-10, -2, -1, 1, 2, 10))
    exact = f"{said} on {month} {day}, {year}"
    yield from both_ways(exact, f"{said} in {month} {year}", E, U)
    yield from both_ways(exact, f"{said} in {year}", E, U)
    yield PairDraft(exact, said, E)
    yield PairDraft(said, f"{said} in {year}", U)
    # the same event has one date
    yield PairDraft(exact, f"{said} on {month} {day}, {later}", C)
    yield PairDraft(exact, f"{said} on {month} {other}, {year}", C)
    yield PairDraft(exact, f"{said} on {wrong} {day}, {year}", C)
    yield PairDraft(f"{said} in {month} {year}", f"{said} in {month} {later}", C)
    one, another = rng.sample(_DAYS, 2)
    yield from both_ways(f"{said} on {one}", f"{said} on {another}", C, C)
    yield from both_ways(f"{said} on {one} or {another}", f"{said} on {one}", U, E)


def _durations(said: str, rng: random.Random) -> Drafts:
    n = rng.randrange(2, 9)
    large, small, factor = rng.choice(_UNITS)
    text, shorter = f"{said} for exactly {n} {large}", f"{said} for less than {n} {large}"
    yield from both_ways(text, f"{said} for exactly {n * factor} {small}", E, E)
    yield PairDraft(text, f"{said} for exactly {n} {small}", C)
    yield PairDraft(text, f"{said} for exactly {n + 1} {large}", C)
    yield PairDraft(text, f"{said} for more than {n - 1} {large}", E)
    yield PairDraft(text, shorter, C)
    longer, longest = f"{said} for more than {n} {large}", f"{said} for more than {n + 2} {large}"
    yield from both_ways(longer, longest, U, E)
    yield PairDraft(longer, shorter, C)
    yield PairDraft(shorter, longest, C)


# Modifiers.

_NOT_INTERSECTIVE = word_set("""fake former alleged toy possible potential future past next previous main real
    false right wrong certain sole mere very particular whole entire live dead total average ready able due likely
    new good full top final middle left single double""")
_PLACES = word_set("in on at near outside inside beside during under behind by")
_NEEDS_PLACE = word_set("""put place lay set be lie live stand hang stick keep look focus rely depend
    participate engage believe specialize concentrate end take leave come result feel""")
_DENIALS = ("it is not true that {}", "it is not the case that {}", "it is false that {}")
_CONSEQUENCES = (
    "Mary will be happy", "John will be surprised", "the teacher will leave", "we will win",
)  # fmt: skip


def modifiers(material: ContrastMaterial) -> Drafts:
    """The clause without an adjective or a place, and both of them denied and quantified."""
    parsed, whole = material.parsed, material.clause
    for gone in _droppable(parsed):
        less, inside = parsed.variant(gone), gone[0] in parsed.span(parsed.subject)
        # "the old man is not here" is about an old man: only indefinites are denied as a whole
        held = whole.subject.determiner == "the" if inside else _is_in_definite(parsed, gone[0])
        yield from _generalization(whole.say(), less.say(), material.rng, deniable=not held)
        if inside and whole.subject.determiner in ("a", "an"):
            for determiner in ("no", "every"):
                of_less, of_whole = (c.with_determiner(determiner).say() for c in (less, whole))
                yield from both_ways(of_less, of_whole, E, U)
            yield from both_ways(whole.say(), less.with_determiner("no").say(), C, C)


def _generalization(special: str, general: str, rng: random.Random, *, deniable: bool) -> Drafts:
    """What holds between two sentences of which the first says more, and below what denies them."""
    yield from both_ways(special, general, E, U)
    if not deniable:
        return
    denial = rng.choice(_DENIALS)
    no_special, no_general = denial.format(special), denial.format(general)
    yield from both_ways(no_general, no_special, E, U)
    yield from both_ways(special, no_general, C, C)
    yield from both_ways(general, no_special, U, U)
    then = rng.choice(_CONSEQUENCES)
    yield from both_ways(f"if {general}, {then}", f"if {special}, {then}", E, U)


def _droppable(parsed: ParsedClause) -> Iterator[list[int]]:
    """The tokens of each modifier that can be left out."""
    sentence = parsed.sentence
    for i, relation in enumerate(sentence.relations):
        head = int(sentence.heads[i])
        if relation == "amod" and _is_intersective(parsed, i):
            yield [i]
        elif relation == "prep" and parsed.words[i] in _PLACES:
            needed = head == parsed.verb and parsed.lemma in _NEEDS_PLACE
            span = parsed.span(i)
            last = span[-1] + 1 in (len(sentence), parsed.first)
            if head in (parsed.verb, parsed.subject) and not needed and last and len(span) > 1:
                yield span


def _is_in_definite(parsed: ParsedClause, token: int) -> bool:
    """Whether what a token modifies has a definite article."""
    head = int(parsed.sentence.heads[token])
    below = {parsed.words[i] for i in parsed.sentence.dependents(head)}
    return head != parsed.verb and not below.isdisjoint(DEMONSTRATIVES)


def _is_intersective(parsed: ParsedClause, i: int) -> bool:
    """Whether what has the adjective is still what the noun says without it."""
    sentence, head, word = parsed.sentence, int(parsed.sentence.heads[i]), parsed.words[i]
    plain = i + 1 == head and sentence.tags[i] == "JJ" and not sentence.dependents(i)
    if not plain or word in _NOT_INTERSECTIVE or word.endswith("ed"):
        return False  # "blue haired girl" would leave a blue girl
    # WordNet lists "young man" too, but it is no idiom
    idiom = word not in LOOKS and _is_collocation(parsed, i)
    return sentence.tags[head] in ("NN", "NNS") and not idiom


def _is_collocation(parsed: ParsedClause, i: int) -> bool:
    phrase = f"{parsed.words[i]} {parsed.words[int(parsed.sentence.heads[i])]}"
    return bool(parsed.lexicon.is_collocation([phrase])[0])


# Words.

_GENERAL = {
    "person", "animal", "vehicle", "musical instrument", "garment", "dog", "bird", "building", "tree", "child",
    "fruit", "weapon", "athlete", "beverage", "flower", "insect", "performer", "worker", "fish",
}  # fmt: skip
"""Hypernyms that people use, by the first word of their synset."""
# A male is first of all an animal to WordNet, and a group is not what its members are.
_NO_KIND = word_set("male female group team crowd family young baby")
_EXCLUSIVE = word_rows("""man woman; boy girl; dog cat horse cow sheep; guitar piano drum violin flute;
    car truck bus train boat bicycle motorcycle helicopter tractor; red blue green yellow black white orange purple pink
    brown gray; shirt hat dress jacket; apple banana sandwich pizza cake; football baseball basketball tennis golf;
    beer coffee tea wine milk juice; sofa chair table bed; beach office kitchen church library; mountain street river desert;
    trumpet saxophone cello harp accordion; lion elephant rabbit goat pig; gold silver bronze; winter summer autumn;
    morning evening; kitchen bathroom bedroom garage; carrot potato onion tomato; chicken beef pork""")
_POSTURES = {
    "sit": "stand", "stand": "sit", "sleep": "run", "run": "sit", "walk": "sit", "lie": "stand", "jump": "sleep",
    "dance": "sleep", "smile": "frown", "cry": "laugh", "laugh": "cry", "swim": "sleep", "eat": "sleep",
}  # fmt: skip
_MANNERS = {
    "walk": "move", "run": "move", "jog": "run", "sprint": "run", "march": "walk", "stroll": "walk", "hike": "walk",
    "crawl": "move", "whisper": "speak", "shout": "speak", "yell": "speak", "stare": "look", "gaze": "look",
    "sob": "cry", "grill": "cook", "fry": "cook", "bake": "cook", "slice": "cut", "chop": "cut", "sketch": "draw",
    "leap": "jump", "devour": "eat", "sip": "drink", "purchase": "get", "buy": "get", "murder": "kill",
    "giggle": "laugh", "chat": "talk", "race": "move", "climb": "move", "swim": "move",
}  # fmt: skip
_TRANSITIVE = word_set("grill fry bake slice chop sketch devour sip purchase buy murder")
"""Verbs of manner that may have an object."""
_OPPOSITES = {
    a: b for row in word_rows("""young old; tall short; big small; large small; hot cold; happy sad; wet dry;
    empty full; clean dirty; rich poor; open closed; awake asleep; dark light; heavy light; long short; thin thick;
    loud quiet; strong weak; fast slow; bald hairy; male female; fat thin; wide narrow; busy idle; tired rested;
    outdoor indoor; wooden metal; angry calm""")
    for a, b in (row, reversed(row))
}  # fmt: skip


def lexical(material: ContrastMaterial) -> Drafts:
    """Nouns and verbs for more general ones, and nouns, verbs and adjectives for their contraries."""
    parsed = material.parsed
    for i in (parsed.subject, parsed.object):
        if i is not None and parsed.sentence.tags[i] in ("NN", "NNS"):
            yield from _nouns(material, i)
    if parsed.sentence.tags[parsed.verb] == "VBG":
        yield from _verbs(material)
    for i, word in enumerate(parsed.words):
        if word in _OPPOSITES and _has_opposite(parsed, i):
            yield from _adjectives(material, i)


def _nouns(material: ContrastMaterial, i: int) -> Drafts:
    parsed, clause = material.parsed, material.clause
    lemma, below = parsed.sentence.lemmas[i].lower(), parsed.sentence.dependents(i)
    modified = any(parsed.sentence.relations[j] in ("compound", "amod") for j in below)
    if modified or parsed.words[i] not in (lemma, plural_form(lemma)):
        return
    above = sorted(hypernyms(parsed.lexicon, lemma) & _GENERAL - {lemma})
    if above and lemma not in _NO_KIND:
        other = parsed.variant(words={i: _general_noun(material, i, above)}).say()
        definite = clause.subject.determiner == "the" and i == parsed.subject
        held = definite or clause.predicate.form is VerbForm.SIMPLE
        yield from _generalization(clause.say(), other, material.rng, deniable=not held)
    # "likes apples" and "likes bananas" go together; what somebody is doing now is one thing
    if clause.predicate.form is not VerbForm.SIMPLE:
        for group in _EXCLUSIVE:
            if lemma in group:
                other = material.rng.choice([each for each in group if each != lemma])
                yield from _exclusive_nouns(material, i, other)


def _general_noun(material: ContrastMaterial, i: int, above: list[str]) -> str:
    word, plural = material.rng.choice(above), material.parsed.sentence.tags[i] == "NNS"
    if word == "fruit":
        return "pieces of fruit" if plural else "piece of fruit"
    return plural_form(word) if plural else word


def _exclusive_nouns(material: ContrastMaterial, i: int, other: str) -> Drafts:
    parsed, clause = material.parsed, material.clause
    lemma, plural = parsed.sentence.lemmas[i].lower(), parsed.sentence.tags[i] == "NNS"
    own, word = (plural_form(each) if plural else each for each in (lemma, other))
    yield from both_ways(clause.say(), parsed.variant(words={i: word}).say(), C, C)
    article = "" if plural or not clause.object else clause.object.determiner
    if i == parsed.object and (plural or article):
        either, both = (
            parsed.variant(words={i: f"{own} {link} {article} {word}"}).say()
            for link in ("or", "and")
        )
        yield PairDraft(either, clause.say(), U)
        yield PairDraft(both, clause.say(), E)
        yield PairDraft(clause.say(), both, U)
        yield PairDraft(clause.say(), either, E)


def _verbs(material: ContrastMaterial) -> Drafts:
    parsed, clause, lemma = material.parsed, material.clause.definite, material.parsed.lemma
    particle = "prt" in parsed.sentence.relations or "down" in parsed.words
    alone = parsed.object is None and not particle

    def other(verb: str) -> SimpleClause:
        return parsed.variant(words={parsed.verb: gerund(verb)}).definite

    if lemma in _MANNERS and (alone or lemma in _TRANSITIVE):
        general = other(_MANNERS[lemma]).say()
        yield from _generalization(clause.say(), general, material.rng, deniable=True)
    if lemma in _POSTURES and alone and "up" not in parsed.words:
        yield from _contraries(clause, other(_POSTURES[lemma]))


def _adjectives(material: ContrastMaterial, i: int) -> Drafts:
    parsed, clause = material.parsed, material.clause
    other = parsed.variant(words={i: _OPPOSITES[parsed.words[i]]})
    yield from both_ways(clause.say(), other.say(), C, C)
    if parsed.sentence.relations[i] == "acomp" and int(parsed.sentence.heads[i]) == parsed.verb:
        yield from _contraries(clause.definite, other.definite)


def _has_opposite(parsed: ParsedClause, i: int) -> bool:
    """Whether an adjective of age is said of what can be young, and a color of no shade."""
    sentence, head = parsed.sentence, int(parsed.sentence.heads[i])
    predicative = sentence.relations[i] == "acomp"
    if not predicative and (sentence.relations[i] != "amod" or _is_collocation(parsed, i)):
        return False
    if parsed.words[i] in ("young", "old"):
        noun = parsed.subject if predicative else head
        return is_living(parsed.lexicon, sentence.lemmas[noun].lower())
    return predicative or i + 1 == head


def _contraries(first: SimpleClause, second: SimpleClause) -> Drafts:
    """Not both, but perhaps neither."""
    yield from both_ways(first.say(), second.say(), C, C)
    yield PairDraft(first.say(), second.say("not"), E)
    yield PairDraft(second.say(), first.say("not"), E)
    yield PairDraft(first.say("not"), second.say(), U)
    yield PairDraft(second.say("not"), first.say(), U)
