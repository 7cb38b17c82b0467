"""Names, lists and measures: what each is the name of, how many a list names, which value follows.

What is taken for granted here beside the words:

- Two names are those of two things, but where one may be short for the other.
- Who does what only somebody does is a person, where nothing speaks against it. A list of names is
  one of persons, or one of places, if most of them are.
- A list is whole where the hypothesis asks how many: who says that Ann saw Rome and Paris says that
  she saw fewer than three cities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from ensue.language.contexts import Tense
from ensue.language.lexicon import Lexicon
from ensue.language.values import Value, ValueAgreement, agreement
from ensue.logic.formulas import (
    And,
    Atom,
    Constant,
    Equal,
    Exists,
    ForAll,
    Formula,
    Implies,
    Not,
    Or,
    Term,
    Variable,
    atoms,
    conjunction,
    conjuncts,
    exists,
)
from ensue.logic.knowledge import FactKind, WordFact
from ensue.logic.meaning.discourse import (
    FORMERLY,
    GROUP,
    MEASURE,
    MOOD,
    STILL,
    measure_predicate,
    measured,
)
from ensue.logic.meaning.interpretation import Meaning
from ensue.logic.meaning.qualities import at_least
from ensue.logic.parsing.categories import given_names

PERSON, PLACE = "person:n", "place:n"
_PLACES = ("-GPE", "-LOC", "-FAC")
"""Kinds of entities that are places."""
_OTHERS = ("-ORG", "-PERSON", "-GPE")
"""Kinds that a parser takes a bare name for, whatever it is the name of."""
_OF_THINGS = frozenset((1, 3, 4, 5, 6, 10, 11, 12, 34, 35))
"""WordNet's frames of which something, and not somebody, is the subject."""
_X, _E, _G = Variable("x"), Variable("e"), Variable("g")


@dataclass(frozen=True, slots=True)
class NamedThings:
    """The names of one side, by what they are the names of."""

    persons: frozenset[str]
    places: frozenset[str]
    unknown: frozenset[str] = frozenset()
    """Those of either, as far as anybody can tell."""


def names_of(meaning: Meaning, lexicon: Lexicon) -> NamedThings:
    """The names that the analyzer, the lexicon or what they do show to be those of persons or places."""
    graph, entities = meaning.graph, meaning.parsed.sentence.entities
    persons, places, unknown = set(), set(), set()
    for token, part in enumerate(graph.parse.parts):
        if part != "PROPN":
            continue
        name, entity = graph.words[token], entities[token]
        given, located = name in given_names(), "location" in lexicon.hypernyms(name, "noun")
        acts = (given or not entity) and _does_what_persons_do(meaning, token, lexicon)
        # the lexicon knows Malawi better than the parser does, and no Eileen
        if acts or (not located and (given or entity.endswith("-PERSON"))):
            persons.add(name)
        elif given and "country" not in lexicon.hypernyms(name, "noun"):
            unknown.add(name)
        elif located or entity.endswith(_PLACES):
            places.add(name)
        elif not entity or entity.endswith(_OTHERS):
            unknown.add(name)
    known = persons | places
    return NamedThings(frozenset(persons), frozenset(places - persons), frozenset(unknown - known))


def _does_what_persons_do(meaning: Meaning, token: int, lexicon: Lexicon) -> bool:
    """Whether a name is the agent of a verb that only somebody is the subject of."""
    graph = meaning.graph
    verbs = [
        graph.words[verb] for verb, links in enumerate(graph.links) if ("agent", token) in links
    ]
    frames = [lexicon.frames(verb, senses=1) for verb in verbs]
    return any(each and each.isdisjoint(_OF_THINGS) for each in frames)


def name_facts(sides: Sequence[NamedThings], predicates: Sequence[Iterable[str]]) -> list[WordFact]:
    """What names are the names of, where persons or places are spoken of."""
    spoken = {each for side in predicates for each in side}
    kinds = (
        (PERSON, "a person", {name for side in sides for name in side.persons}),
        (PLACE, "a place", {name for side in sides for name in side.places}),
    )
    found = [
        WordFact(FactKind.NAME, Atom(kind, (Constant(name),)), f"{name.title()} is {words}", ())
        for kind, words, names in kinds
        if kind in spoken
        for name in sorted(names)
    ]
    if {PERSON, PLACE} <= spoken:
        known = {name for _, _, names in kinds for name in names}
        for name in sorted({name for side in sides for name in side.unknown} - known):
            either = Or(tuple(Atom(kind, (Constant(name),)) for kind in (PERSON, PLACE)))
            words = f"{name.title()} is a person or a place"
            found.append(WordFact(FactKind.NAME, either, words, ()))
    return found


def distinct_names(
    text: Iterable[str], hypothesis: Iterable[str], *, lexicon: Lexicon | None
) -> list[WordFact]:
    """That two names are those of two things, but where one may be short for the other."""
    return [
        WordFact(
            FactKind.NAME,
            Not(Equal(Constant(one), Constant(other))),
            f"{one.partition('#')[0].title()} is not {other.partition('#')[0].title()}",
            (),
        )
        for one, other in product(sorted(set(text)), sorted(set(hypothesis)))
        if one != other and not _may_be_same(one, other, lexicon)
    ]


def _may_be_same(one: str, other: str, lexicon: Lexicon | None) -> bool:
    """*Smith* and *John Smith*, *U.S.* and *United States*: whether two names may be those of one thing."""
    if set(one.split()) & set(other.split()):
        return True
    if "." in one + other and one[:1] == other[:1]:
        return True
    return lexicon is not None and bool(lexicon.is_synonym([one], [other], "noun")[0])


# How many a list names.


@dataclass(frozen=True, slots=True)
class _Events:
    """Events of one verb with one agent, of which a list names the patients."""

    verb: str
    agent: Term
    patients: tuple[str, ...]

    def of(self, patient: Term) -> Formula:
        """That there is such an event with a patient."""
        said = (
            Atom(self.verb, (_E,)),
            Atom("agent", (_E, self.agent)),
            Atom("patient", (_E, patient)),
        )
        return Exists((_E,), And(said))

    def of_so_many(self, number: int, kind: str) -> Formula:
        """That there are such events with so many patients of a kind, or more."""
        count = at_least(number)
        things = [Atom(count, (_X,))] if count else []
        return Exists((_X,), conjunction([*things, Atom(kind, (_X,)), self.of(_X)]))


def count_facts(text: Meaning, hypothesis: Meaning, lexicon: Lexicon) -> list[WordFact]:
    """How many things the lists of a pair name, where either side counts."""
    sides = text, hypothesis
    counted = [_limits(each) for each in sides]
    if not any(counted):
        return []
    named = [names_of(each, lexicon) for each in sides]
    persons = frozenset[str]().union(*(each.persons for each in named))
    places = frozenset[str]().union(*(each.places for each in named)) - persons
    found: list[WordFact] = []
    things = NamedThings(persons, places)
    for events in _listed(text) if counted[1] else ():
        kind = _kind(events.patients, things, hypothesis)
        found += [_counted(events, kind), *_whole(events, kind)]
    for events in _listed(hypothesis) if counted[0] else ():
        found += _asked(events, _kind(events.patients, things, text))
    return list(dict.fromkeys(found))


def _limits(meaning: Meaning) -> bool:
    """Whether a side says of how many."""
    return any(
        atom.predicate.startswith("at least ")
        for condition in meaning.conditions
        for atom in atoms(condition)
    )


def _kind(names: Sequence[str], known: NamedThings, counting: Meaning) -> str:
    """What some names are the names of: of what is counted on the other side, unless most are not."""
    n_persons, n_places = (len(each & set(names)) for each in (known.persons, known.places))
    said = {atom.predicate for each in counting.conditions for atom in atoms(each)}
    if PERSON in said and PLACE not in said:
        return PERSON if 3 * n_places < len(names) or n_persons >= n_places else PLACE
    if PLACE in said and PERSON not in said:
        return PLACE if 3 * n_persons < len(names) or n_places >= n_persons else PERSON
    return PERSON if n_persons > n_places else PLACE


def _counted(events: _Events, kind: str) -> WordFact:
    """Who is said to have seen each of three has seen three."""
    words = f"the list names {len(events.patients)}"
    return WordFact(FactKind.RELATION, events.of_so_many(len(events.patients), kind), words, ())


def _asked(events: _Events, kind: str) -> Iterator[WordFact]:
    """Who would have seen each of three, or the three together, would have seen three."""
    number = len(events.patients)
    each = conjunction(events.of(Constant(name)) for name in events.patients)
    words = f"the list names {number}"
    yield WordFact(FactKind.RELATION, Implies(each, events.of_so_many(number, kind)), words, ())
    members = conjunction(Atom("member", (_G, Constant(name))) for name in events.patients)
    group = And((Atom(at_least(number), (_G,)), Atom(kind, (_G,))))
    yield WordFact(FactKind.RELATION, ForAll((_G,), Implies(members, group)), words, ())


def _whole(events: _Events, kind: str) -> Iterator[WordFact]:
    """Who is said to have seen three saw no fourth, where it is asked how many."""
    number = len(events.patients)
    words = f"a list of {number} is whole where it is asked how many"
    formula = Not(events.of_so_many(number + 1, kind))
    yield WordFact(FactKind.RELATION, formula, words, ())


def _listed(meaning: Meaning) -> Iterator[_Events]:
    """The events of each verb and agent whose patients have names, two of them at least."""
    found: dict[tuple[str, Term], dict[str, None]] = {}
    for event in (each for condition in meaning.conditions for each in _events(condition)):
        (verb, agent), patient = event
        if isinstance(patient, Constant) and GROUP not in patient.name:
            found.setdefault((verb, agent), {})[patient.name] = None
    for (verb, agent), names in found.items():
        if len(names) > 1 and not any("#" in name for name in names):
            yield _Events(verb, agent, tuple(names))


def _events(formula: Formula) -> Iterator[tuple[tuple[str, Term], Term]]:
    """Verb, agent and patient of each event that a formula says there is."""
    match formula:
        case Exists((_,), And(parts)):
            said: Mapping[str, Atom] = {
                each.predicate: each for each in parts if isinstance(each, Atom)
            }
            verbs = [name for name in said if name.endswith(":v")]
            if verbs and {"agent", "patient"} <= said.keys():
                agent, patient = said["agent"].terms[1], said["patient"].terms[1]
                if isinstance(agent, Constant):
                    yield (verbs[0], agent), patient
        case And(parts):
            for part in parts:
                yield from _events(part)
        case Or(parts):
            # the readings of one list: of its members together, and of each
            for part in parts:
                if isinstance(part, And) and all(
                    isinstance(each, Exists) for each in part.formulas
                ):
                    yield from _events(part)


# Measures and dates: *two hours*, *more than 3 kg*, *May 1950*. Each is one predicate of the thing that
# is measured. Whether one makes another true is not for the prover to find out: the values of the two
# sides are compared one by one, and what comes of it is an axiom.

_Y, _F, _S = (Variable(name) for name in "yfs")
_BORNE_OUT = (ValueAgreement.SAME, ValueAgreement.FOLLOWS)
_LASTING = ("last:v", "weigh:v", "measure:v", "span:v")
"""Verbs of which one thing has one measure."""
_ONCE = ("bear:v", "die:v", "found:v", "assassinate:v", "invent:v")
"""Verbs of what happens to one thing once."""
_MEASURED = ("patient", "npadvmod", "for")


def measure_facts(text: Meaning, hypothesis: Meaning, predicates: set[str]) -> Iterator[WordFact]:
    """Which measures of the text make those of the hypothesis true, and which exclude them.

    Args:
        text: What is said.
        hypothesis: What is asked.
        predicates: Those of both sides.
    """
    sides = [
        {
            measure_predicate(side.graph.parse.lemmas, value): value
            for value in measured(side.values).values()
        }
        for side in (text, hypothesis)
    ]
    for said, one in sides[0].items():
        if one.unit in _DURATIONS and one.low >= 1 and {said, f"{one.unit}:n", "for"} <= predicates:
            yield _lasting(said, f"{one.unit}:n")
    for (said, one), (asked, other) in product(*(side.items() for side in sides)):
        if said == asked or not {said, asked} <= predicates:
            continue
        yield from _during(text, said, one, asked, other)
        if one.unit == other.unit in _DURATIONS and one.low > other.high and other.is_exact:
            yield _lasting(said, asked)
            continue
        agreed = agreement(one, other)
        here, there = (each.removesuffix(MEASURE) for each in (said, asked))
        if agreed in _BORNE_OUT:
            formula = ForAll((_X,), Implies(Atom(said, (_X,)), Atom(asked, (_X,))))
            yield WordFact(FactKind.RELATION, formula, f"{here} is {there}", ())
        elif agreed is ValueAgreement.DIFFERENT:
            for each in _exclusions(said, asked, predicates):
                yield WordFact(FactKind.RELATION, each, f"{here} is not {there}", ())


_DURATIONS = ("second", "minute", "hour", "day", "week", "month", "year", "decade", "century")


def _lasting(said: str, asked: str) -> WordFact:
    """Who lived there for two years lived there for one."""
    told = conjunction((Atom("for", (_E, _X)), Atom(said, (_X,))))
    shorter = Exists((_Y,), conjunction((Atom("for", (_E, _Y)), Atom(asked, (_Y,)))))
    here, there = (each.removesuffix(MEASURE).removesuffix(":n") for each in (said, asked))
    return WordFact(
        FactKind.RELATION,
        ForAll((_E, _X), Implies(told, shorter)),
        f"for {here} is for {there} too",
        (),
    )


def _during(text: Meaning, said: str, one: Value, asked: str, other: Value) -> Iterator[WordFact]:
    """What has been so since 1992, or was so from 1988 to 1992, was so in each of these years."""
    years = one.year_low, one.year_high, other.year_low, other.year_high
    if any(year is None for year in years) or other.part or other.year_low != other.year_high:
        return
    low, high, year = one.year_low or 0, one.year_high or 0, other.year_low or 0
    dated = [each.year_low for each in text.values if each.year_low and each is not one]
    spoken = "now" in text.graph.parse.words and any(year <= now for now in dated)
    for way, holds in (("since", spoken), ("from", high < _DISTANT_YEAR)):
        begins = text.graph.parse.words[one.first] == way
        for state in _states(text, way) if begins and holds and low <= year <= high else ():
            told = conjunction((Atom(way, (state, _X)), Atom(said, (_X,))))
            then = Exists((_Y,), conjunction((Atom("in", (state, _Y)), Atom(asked, (_Y,)))))
            words = f"what is so {said.removesuffix(MEASURE)} is so in {year}"
            yield WordFact(FactKind.RELATION, ForAll((_X,), Implies(told, then)), words, ())


def _states(text: Meaning, way: str) -> Iterator[Constant]:
    """What is said to be so since or from a time, where that is a state and no deed."""
    said = [each for each in text.conditions if isinstance(each, Atom)]
    verbs = {each.terms[0]: each.predicate for each in said if each.predicate.endswith(":v")}
    for each in said:
        term = each.terms[0] if each.predicate == way else None
        if isinstance(term, Constant) and verbs.get(term, "be:v") in _STATES:
            yield term


_STATES = frozenset(
    f"{verb}:v"
    for verb in [
        "be",
        "belong",
        "have",
        "hold",
        "know",
        "like",
        "live",
        "love",
        "own",
        "possess",
        "remain",
        "reside",
        "stay",
        "work",
    ]
)
_DISTANT_YEAR = 9999


_PAST = frozenset(("was", "were", "had", "did"))


def habit_facts(text: set[str], hypothesis: Meaning) -> Iterator[WordFact]:
    """Who used to smoke smoked, and who no longer smokes does not: by the tense of what is asked."""
    parse = hypothesis.graph.parse
    roots = [each for each, head in enumerate(parse.heads) if head < 0]
    heads = {parse.copulas.get(each, each) for each in roots}
    tenses = {hypothesis.contexts.tenses[each] for each in heads} - {Tense.NONE}
    if not _PAST.isdisjoint(parse.words):
        tenses = {Tense.PAST}
    asked = {atom.predicate for each in hypothesis.conditions for atom in atoms(each)}
    for predicate in sorted(text):
        mood, _, word = predicate.rpartition(MOOD)
        if word not in asked:
            continue
        was, now = Atom(predicate, (_X,)), Atom(word, (_X,))
        if mood == FORMERLY and tenses == {Tense.PAST}:
            words = "what used to be so was so"
            yield WordFact(FactKind.RELATION, ForAll((_X,), Implies(was, now)), words, ())
        elif mood == STILL and tenses == {Tense.PRESENT}:
            words = "what is so no longer is not so"
            yield WordFact(FactKind.RELATION, ForAll((_X,), Implies(now, was)), words, ())


def timeless_facts(text: Meaning, hypothesis: Meaning) -> Iterator[WordFact]:
    """*did not approve it in 2019*: did not approve it, where the hypothesis speaks of no other time.

    Only of verbs that the text has once: what did not happen in one year may have happened in another.
    """
    dates = [value for value in measured(text.values).values() if value.year_low is not None]
    if not dates or any(value.year_low is not None for value in hypothesis.values):
        return
    said = Counter(atom.predicate for each in text.conditions for atom in atoms(each))
    for condition in text.conditions:
        if not (isinstance(condition, Not) and isinstance(condition.formula, Exists)):
            continue
        parts = tuple(conjuncts(condition.formula.formula))
        times = {
            atom.terms[0]
            for atom in parts
            if isinstance(atom, Atom) and atom.predicate.endswith(MEASURE)
        }
        kept = [each for each in parts if not (isinstance(each, Atom) and times & {*each.terms})]
        verbs = [
            each.predicate
            for each in kept
            if isinstance(each, Atom) and each.predicate.endswith(":v")
        ]
        if len(kept) < len(parts) and verbs and all(said[each] == 1 for each in verbs):
            bound = tuple(each for each in condition.formula.variables if each not in times)
            formula = Not(exists(bound, conjunction(kept)))
            words = "what did not happen then did not happen, where no other time is spoken of"
            yield WordFact(FactKind.RELATION, formula, words, ())


def _exclusions(said: str, asked: str, predicates: set[str]) -> Iterator[Formula]:
    """That nothing is measured in both ways, lasts for both, or happens at both times."""
    measures = Atom(said, (_X,)), Atom(asked, (_Y,))
    yield ForAll((_X,), Not(conjunction((Atom(said, (_X,)), Atom(asked, (_X,))))))
    ways = [each for each in predicates if each.startswith("npadvmod ")]
    for way in sorted(ways):
        both = (Atom(way, (_S, _X)), Atom(way, (_S, _Y)), *measures)
        yield ForAll((_S, _X, _Y), Not(conjunction(both)))
    for verbs, owner, roles in (
        (_LASTING, "agent", _MEASURED),
        (_ONCE, "patient", ("in", "on")),
        (_ONCE, "agent", ("in", "on")),
    ):
        for verb, one, other in product(verbs, roles, roles):
            if {verb, owner, one, other} <= predicates:
                events = (Atom(verb, (_E,)), Atom(verb, (_F,)))
                owned = (Atom(owner, (_E, _S)), Atom(owner, (_F, _S)))
                taken = (Atom(one, (_E, _X)), Atom(other, (_F, _Y)))
                twice = conjunction((*events, *owned, *taken, *measures))
                yield ForAll((_E, _F, _S, _X, _Y), Not(twice))
