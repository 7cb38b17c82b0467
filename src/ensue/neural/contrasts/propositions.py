"""Pairs about what a clause as a whole says: who does what to whom, and whether it is so.

The words of the clause stay; its roles, voice, polarity, embedding, coordination and time change.
"""

from __future__ import annotations

import random
import re

from ensue.neural.contrasts.clauses import NounPhrase, SimpleClause, form_of_be, named, word_set
from ensue.neural.contrasts.material import (
    C,
    ContrastMaterial,
    Drafts,
    E,
    PairDraft,
    U,
    both_ways,
)

# Roles.

_NO_PASSIVE = word_set("""have want like lack cost fit get take make do give go enjoy be become remain weigh
    mean let need love hate resemble run walk try wait come look stay face leave share spend perform practice
    show put wear""")
_SYMMETRIC = word_set("meet marry hug kiss fight face join resemble embrace date play")
_TRANSFERS = (("sold", "bought", "sell"), ("lent", "borrowed", "lend"), ("gave", "received", "give"), ("gave", "got", "give"))  # fmt: skip
"""What is done to somebody, what that one does, and the infinitive of the former."""
_THINGS = (
    "a book", "the old car", "a letter", "some books", "the house", "a ticket", "three pictures", "the keys",
)  # fmt: skip
_CONVERSES = (
    ("is above", "is below"), ("is the parent of", "is the child of"), ("is the boss of", "works for"),
    ("arrived before", "arrived after"), ("left after", "left before"),
    ("is in front of", "is behind"), ("finished ahead of", "finished behind"),
    ("is to the left of", "is to the right of"), ("outranks", "is lower in rank than"),
)  # fmt: skip


def _is_reversible(clause: SimpleClause) -> bool:
    """Whether subject and object could do each other's part."""
    what = clause.object
    return (
        what is not None
        and what.animate
        and clause.subject.animate
        and what.head != clause.subject.head
        and " in " not in f"{what} {clause.subject}"
        and clause.predicate.verb not in _SYMMETRIC | _NO_PASSIVE
    )


def roles(material: ContrastMaterial) -> Drafts:
    """Subject and object exchanged, and verbs that tell one event from either side."""
    clause, people, rng = material.clause, material.people, material.rng
    if _is_reversible(clause):
        swapped = clause.swapped()
        yield from both_ways(clause.say(), swapped.say(), U, U)
        yield PairDraft(clause.passive(), swapped.say(), U)
        yield PairDraft(clause.say(), clause.passive(), E)
        yield PairDraft(clause.definite.say(), f"it is not true that {clause.definite.say()}", C)
    elif len(people) >= 2 and rng.random() < 0.08:
        yield from _transfers(people[0], people[1], rng)
        yield from _converses(people[0], people[1], rng)


def _transfers(a: NounPhrase, b: NounPhrase, rng: random.Random) -> Drafts:
    gave, got, give = rng.choice(_TRANSFERS)
    thing = rng.choice(_THINGS)
    text, same = f"{a} {gave} {thing} to {b}", f"{b} {got} {thing} from {a}"
    yield PairDraft(text, same, E)
    # the same thing may go back another day, so the reverse is open
    yield PairDraft(text, f"{b} {gave} {thing} to {a}", U)
    yield PairDraft(same, f"{a} {got} {thing} from {b}", U)
    denied = f"{a} did not {give} {thing} to {b}"
    yield PairDraft(text, denied, C)
    yield PairDraft(same, denied, C)
    yield PairDraft(f"{b} never got anything from {a}", denied, E)
    yield PairDraft(f"{b} {gave} {thing} to {a}", denied, U)


def _converses(a: NounPhrase, b: NounPhrase, rng: random.Random) -> Drafts:
    relation, converse = rng.choice(_CONVERSES)
    text = f"{a} {relation} {b}"
    yield from both_ways(text, f"{b} {converse} {a}", E, E)
    yield from both_ways(text, f"{a} {converse} {b}", C, C)
    yield PairDraft(text, f"{b} {relation} {a}", C)


# Voice.

_PREPOSITION = re.compile(r"\b(in|on|at|of|with|for|from|to|near|by|into|down|through|over)\b")
_PARTICLE = re.compile(r"(up|down|out|off|away|over|back|on)\b")


def voice(material: ContrastMaterial) -> Drafts:
    """The clause in the active and in the passive, with and without its agent."""
    rng = material.rng
    clause = material.clause.definite if rng.random() < 0.5 else material.clause
    what = clause.object
    if what is None or clause.predicate.verb in _NO_PASSIVE or not (what.determiner or what.name):
        return
    if _PARTICLE.match(clause.tail) or _PREPOSITION.search(what.core):
        return
    if rng.random() < 0.5:
        what = what.definite
        clause = clause.with_object(what)
    active, passive, short = clause.say(), clause.passive(), clause.passive(agent=False)
    yield from both_ways(active, passive, E, E)
    yield from both_ways(active, short, E, U)
    yield from both_ways(passive, short, E, U)
    if clause.subject.is_definite and what.is_definite:
        yield from _denied_voice(clause)
    if clause.subject.animate:
        yield from both_ways(short, clause.say(subject=named("somebody")), E, E)
    if _is_reversible(clause):
        yield from both_ways(passive, clause.swapped().say(), U, U)
        yield from both_ways(passive, clause.swapped().passive(), U, U)


def _denied_voice(clause: SimpleClause) -> Drafts:
    """Of a definite subject and object."""
    active, negated, denied = clause.say(), clause.say("not"), clause.passive(adverb="not")
    short, short_denied = clause.passive(agent=False), clause.passive(agent=False, adverb="not")
    yield from both_ways(active, denied, C, C)
    yield PairDraft(short_denied, active, C)
    yield from both_ways(negated, denied, E, E)
    # somebody else may do it
    yield PairDraft(negated, short_denied, U)
    yield PairDraft(negated, short, U)
    yield PairDraft(denied, short, U)
    yield PairDraft(denied, short_denied, U)
    if clause.subject.animate:
        # without these, a text without an agent would always be open
        nobody = clause.say(subject=named("nobody"))
        yield from both_ways(short, nobody, C, C)
        yield PairDraft(nobody, short_denied, E)
        yield PairDraft(nobody, denied, E)
        yield PairDraft(denied, nobody, U)


# Negation.


def negation(material: ContrastMaterial) -> Drafts:
    """The clause and what denies it, once or twice, from inside or outside, now or ever."""
    clause = material.clause.definite
    plain, negated = clause.say(), clause.say("not")
    false, untrue = f"it is not true that {plain}", f"it is not true that {negated}"
    yield from both_ways(material.clause.say(), negated, C, C)
    yield from both_ways(plain, negated, C, C)
    yield from both_ways(negated, false, E, E)
    yield from both_ways(plain, untrue, E, E)
    yield from both_ways(negated, untrue, C, C)
    if clause.predicate.is_ongoing:
        longer = clause.say("no longer")
        yield from both_ways(longer, negated, E, U)
        yield from both_ways(longer, plain, C, C)
        yield PairDraft(clause.stopped, longer, E)
        yield PairDraft(longer, f"{clause.in_past.say()} before", E)
    if not clause.predicate.is_copula:
        yield from _never(clause)
    for other in material.others[:1]:
        yield from _negation_elsewhere(clause, other)
    if material.clause.subject.determiner in ("a", "an"):
        none = material.clause.with_determiner("no").say()
        yield from both_ways(material.clause.say(), none, C, C)


def _never(clause: SimpleClause) -> Drafts:
    never, did = clause.perfect("never"), clause.simple_past
    yield from both_ways(never, f"{did.say()} yesterday", C, C)
    yield from both_ways(never, f"{did.say('not')} yesterday", E, U)
    who = clause.subject
    yield PairDraft(f"not once {who.has} {who} {clause.predicate.perfect}", never, E)


def _negation_elsewhere(clause: SimpleClause, other: SimpleClause) -> Drafts:
    """A negation of another clause does not touch this one."""
    plain, negated = clause.say(), clause.say("not")
    text = f"{other.say('not')}, but {plain}"
    yield PairDraft(text, plain, E)
    yield PairDraft(text, other.say(), C)
    yield PairDraft(other.say("not"), negated, U)
    yield PairDraft(f"it is not true both that {plain} and that {other.say()}", negated, U)
    neither = f"it is not true that either {plain} or {other.say()}"
    yield PairDraft(neither, negated, E)
    yield PairDraft(neither, plain, C)


# Modality: what a matrix clause commits to about its complement, true, open or false.

_MATRIX_SUBJECTS = (
    "Mary", "the teacher", "John", "a reporter", "the police officer", "the neighbor", "Susan", "the driver",
)  # fmt: skip
_MATRIX_VERBS = {
    E: ("knows", "realized", "noticed", "saw", "remembered", "forgot", "is glad", "regrets", "discovered", "is aware"),
    U: ("said", "believes", "thinks", "claims", "hopes", "suspects", "doubts", "assumes", "heard", "is sure", "denied",
        "was told", "fears", "did not say", "wonders whether"),
    C: ("falsely claimed", "pretended", "wrongly assumed", "wrongly believes", "mistakenly thought"),
}  # fmt: skip
_SENTENCE_ADVERBS = {
    E: ("it is true that", "it is well known that", "it is a fact that", "it is certain that", "of course"),
    U: ("perhaps", "it is possible that", "it is said that", "allegedly", "supposedly", "it is likely that", "hopefully"),
    C: ("it is not true that", "it is false that", "it is impossible that", "it is a lie that"),
}  # fmt: skip
_CONTROL_VERBS = {
    E: ("managed to", "remembered to", "was forced to", "did not fail to", "did not forget to", "bothered to"),
    U: ("tried to", "wanted to", "hoped to", "planned to", "promised to", "was allowed to", "agreed to", "decided to",
        "was supposed to", "may have wanted to", "did not want to", "was asked to", "did not promise to"),
    C: ("failed to", "forgot to", "refused to", "did not manage to", "neglected to", "was unable to", "almost managed to",
        "never managed to", "declined to"),
}  # fmt: skip
_MODALS = ("may", "might", "could", "should", "ought to", "would like to")
_REVERSED = {E: C, C: E, U: U}


def modality(material: ContrastMaterial) -> Drafts:
    """The clause under verbs, adverbs and modals that say that it is so, or not, or leave it open."""
    clause, rng = material.clause.definite, material.rng
    plain, negated = clause.say(), clause.say("not")
    who, infinitive = clause.subject, clause.predicate.infinitive
    if who.is_pronoun:
        return  # "the officer is glad that he dances": who does?
    for gold in (E, U, C):
        verb = rng.choice(_MATRIX_VERBS[gold])
        that = "" if verb.endswith("whether") else "that"
        embedded = f"{rng.choice(_MATRIX_SUBJECTS)} {verb} {that} {plain}"
        for text in (embedded, f"{rng.choice(_SENTENCE_ADVERBS[gold])} {plain}"):
            yield PairDraft(text, plain, gold)
            yield PairDraft(text, negated, _REVERSED[gold])
        # what is true may be unknown to Mary, but she cannot be wrong to believe it
        yield PairDraft(plain, embedded, C if gold is C else U)
    yield PairDraft(f"{who} {rng.choice(_MODALS)} {infinitive}", plain, U)
    yield PairDraft(plain, f"{who} ought to {infinitive}", U)
    if clause.predicate.is_action:
        did, did_not = clause.simple_past.say(), clause.simple_past.say("not")
        for gold in (E, U, C):
            verb = re.sub("^was", form_of_be(who.plural, True), rng.choice(_CONTROL_VERBS[gold]))
            yield PairDraft(f"{who} {verb} {infinitive}", did, gold)
            yield PairDraft(f"{who} {verb} {infinitive}", did_not, _REVERSED[gold])


# Coordination.

_NEAR = ("near", "next to", "behind", "beside", "in front of")
_SEEN = ("saw", "met", "knew", "called", "followed", "helped", "liked")
_ANYBODY = ("Alex", "Sam", "Robin", "Chris", "Kim")
"""Names that fit any noun for a person."""


def coordination(material: ContrastMaterial) -> Drafts:
    """Subjects and clauses joined by `and`, `or`, `neither`, `if`, and by apposition."""
    clause, rng = material.clause.definite, material.rng
    subject, people = clause.subject, material.people
    beside = [each for each in people if each.head != subject.head]
    several = subject.plural or subject.is_pronoun or " " in subject.core
    if beside and subject.animate and not several and not clause.predicate.is_identity:
        yield from _joined_subjects(clause, beside[0], rng)
        yield from _intervening(clause, beside[0], rng)
    for other in material.others[:1]:
        yield from _joined_clauses(clause, other, rng)
    for person in people[:1]:
        name = rng.choice(_ANYBODY)
        if subject.animate and not subject.plural and not person.name:
            yield from _apposition(clause, name, person)


def _joined_subjects(clause: SimpleClause, second: NounPhrase, rng: random.Random) -> Drafts:
    first, one, two = clause.subject, clause.say(), clause.say(subject=second)
    together, apart = clause.predicate.finite(plural=True), clause.predicate.finite(plural=False)
    both, either = f"{first} and {second} {together}", f"{first} or {second} {apart}"
    neither = f"neither {first} nor {second} {apart}"
    yield PairDraft(both, rng.choice((one, two)), E)
    yield PairDraft(one, both, U)
    yield PairDraft(either, rng.choice((one, two)), U)
    yield PairDraft(one, either, E)
    yield PairDraft(neither, rng.choice((one, two)), C)
    yield PairDraft(neither, clause.say("not"), E)
    yield PairDraft(both, clause.say("not", second), C)


def _intervening(clause: SimpleClause, second: NounPhrase, rng: random.Random) -> Drafts:
    """What stands nearest to the verb is not its subject."""
    for between in (
        f"{rng.choice(_NEAR)} {second}",
        f"who {rng.choice(_SEEN)} {second}",
        f"that {second} {rng.choice(_SEEN)}",
    ):
        text = f"{clause.subject} {between} {clause.predicate.finite(plural=False)}"
        yield PairDraft(text, clause.say(), E)
        yield PairDraft(text, clause.say(subject=second), U)
        yield PairDraft(text, clause.say("not"), C)


def _joined_clauses(clause: SimpleClause, other: SimpleClause, rng: random.Random) -> Drafts:
    said, negated, also, undone = clause.say(), clause.say("not"), other.say(), other.say("not")
    for text in (
        f"{said} and {also}",
        f"although {said}, {also}",
        f"because {said}, {also}",
        f"{said}, but {also}",
    ):
        yield PairDraft(text, *rng.choice(((said, E), (also, E), (negated, C), (undone, C))))
    for text in (
        f"{said} or {also}",
        f"either {said} or {also}",
        f"if {said}, {also}",
        f"unless {said}, {also}",
    ):
        yield PairDraft(text, rng.choice((said, also, undone, negated)), U)
    yield from both_ways(f"{said} and {also}", f"{said} or {also}", E, U)
    yield PairDraft(f"{said} or {also}, but {undone}", said, E)
    for fact, concluded, gold in ((said, also, E), (undone, said, C), (also, said, U)):
        yield PairDraft(f"if {said}, {also}. {fact[0].upper()}{fact[1:]}", concluded, gold)


def _apposition(clause: SimpleClause, name: str, person: NounPhrase) -> Drafts:
    said, together = clause.predicate.finite(plural=False), clause.predicate.finite(plural=True)
    text = f"{name}, {person}, {said}"
    yield from both_ways(text, f"{person} {said}", E, U)
    yield PairDraft(text, f"{name} is a {person.core}", E)
    yield PairDraft(f"{name} and {person} {together}", f"{name} is a {person.core}", U)
    yield PairDraft(text, clause.say("not", person), C)


# Comparison of people and of times.

_SCALES = (
    ("taller", "shorter", "tall"), ("older", "younger", "old"), ("faster", "slower", "fast"), ("heavier", "lighter", "heavy"),
    ("richer", "poorer", "rich"), ("stronger", "weaker", "strong"), ("happier", "less happy", "happy"), ("bigger", "smaller", "big"),
    ("more popular", "less popular", "popular"), ("more careful", "less careful", "careful"), ("louder", "quieter", "loud"),
)  # fmt: skip


def comparison(material: ContrastMaterial) -> Drafts:
    """Comparatives of people; whether the clause still holds or already did, before or after another."""
    if len(material.people) >= 3:
        yield from _comparatives(*material.people[:3], rng=material.rng)
    clause = material.clause.definite
    if clause.predicate.is_ongoing:
        plain, still = clause.say(), clause.say("still")
        yield from both_ways(still, plain, E, U)
        yield from both_ways(still, clause.say("no longer"), C, C)
        yield PairDraft(clause.stopped, plain, C)
        yield PairDraft(f"{plain} again", plain, E)
    if clause.predicate.is_action:
        yield from _completion(clause)
        for other in material.others[:1]:
            if not other.predicate.is_copula:
                did, then = clause.simple_past.say(), other.simple_past.say()
                yield from _sequence(did, then, material.rng)


def _comparatives(a: NounPhrase, b: NounPhrase, c: NounPhrase, *, rng: random.Random) -> Drafts:
    more, less, plain = rng.choice(_SCALES)
    text = f"{a} is {more} than {b}"
    yield from both_ways(text, f"{b} is {less} than {a}", E, E)
    yield from both_ways(text, f"{b} is {more} than {a}", C, C)
    yield from both_ways(text, f"{a} is {less} than {b}", C, C)
    yield from both_ways(text, f"{a} is exactly as {plain} as {b}", C, C)
    yield PairDraft(text, f"{a} is {plain}", U)
    yield PairDraft(text, f"{a} is {more} than {c}", U)
    chain = f"{text}, and {b} is {more} than {c}"
    yield from both_ways(chain, f"{a} is {more} than {c}", E, U)
    yield PairDraft(chain, f"{c} is {more} than {a}", C)
    yield PairDraft(f"{text}, and {a} is {more} than {c}", f"{b} is {more} than {c}", U)


def _completion(clause: SimpleClause) -> Drafts:
    already, did = clause.perfect("already"), clause.simple_past
    yield PairDraft(already, clause.perfect(), E)
    yield from both_ways(already, f"{clause.perfect('not')} yet", C, C)
    yield PairDraft(did.say("almost"), did.say(), C)
    yield PairDraft(f"{clause.subject} will {clause.predicate.infinitive} tomorrow", already, U)


def _sequence(did: str, then: str, rng: random.Random) -> Drafts:
    before = f"{did} before {then}"
    yield from both_ways(before, f"{then} after {did}", E, E)
    yield from both_ways(before, f"{did} after {then}", C, C)
    yield PairDraft(before, rng.choice((did, then)), E)
    yield PairDraft(f"{did} and {then}", before, U)
