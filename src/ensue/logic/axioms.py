"""Axioms for the words of a pair, from WordNet, and for relations whatever their words.

A fact leads from a word of the text to a word of the hypothesis; one about opposites closes a gap
between the two. Where this departs from what WordNet says:

- What a verb entails happens in the same event, so that who snores sleeps, and *all* else that is
  said of the snoring is said of the sleeping too. What a verb causes is another event, of which
  what is done to is the agent, or the patient where the verb alternates: in "the water boiled",
  normalized, water is the patient.
- Opposite verbs are not taken to exclude one another: to buy and to sell are two sides of one event,
  and who opened a door may have closed it too. Nor are nouns for what somebody may be twice over, as
  parent and child: persons and animals are opposites by their sex alone.
- Two kinds below one are not taken to exclude one another (a dog is no cat, but a poodle is a dog,
  and a mother may be a teacher), but where `KnowledgeSettings.disjoint` asks for the few kinds
  that do.
- Words that exclude one another do so only where the one is in the text alone and the other in the
  hypothesis alone: who speaks of a black and white dog, or of young and old people, does not mean
  it so.
- An adjective at the edge of a cluster is also what its center says: what is gigantic is large, what
  is quick is fast; two at the edge say nothing of one another. Opposite adjectives exclude one another whatever they are said of, though a small elephant is a big animal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise, permutations, product

from ensue.language.lexicon import Lexicon, walk
from ensue.logic.deadline import Deadline
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
    Variable,
)
from ensue.logic.knowledge import (
    FactKind,
    KnowledgeSettings,
    PredicateWord,
    SenseInventory,
    SynsetPath,
    WordCategory,
    WordFact,
    sentence,
    shared,
)

# Axioms for the words of a pair, from WordNet.

_KEPT = 1 << 16
_THING, _EVENT, _OTHER_EVENT = Variable("x"), Variable("e"), Variable("e2")
_AGENT, _PATIENT, _IN = "agent", "patient", "in"
_GIVING = frozenset({14, 15})
"""Frames of verbs that take somebody and something, so that either may be done to."""
_ALONE = frozenset({1, 2})
"""Frames without an object."""
_KINDS = ("animal.n.01", "person.n.01", "artifact.n.01", "plant.n.02", "location.n.01")
_SEXES = ("male.n.01", "male.n.02"), ("female.n.01", "female.n.02")
_LIVING = ("person.n.01", "animal.n.01")
_PHYSICAL = ("physical_entity.n.01",)
EXCLUDING = frozenset({FactKind.ANTONYM, FactKind.DISJOINT})
_MOST_OF = 0.5
"""How likely a noun must be of one kind, or name an event, to be taken for that."""


def word_facts(
    text: Sequence[PredicateWord],
    hypothesis: Sequence[PredicateWord],
    *,
    lexicon: Lexicon,
    settings: KnowledgeSettings,
    deadline: Deadline | None = None,
) -> list[WordFact]:
    """The facts that lead from words of the text to words of the hypothesis, each once."""
    deadline = deadline or Deadline()
    between = _knowledge(lexicon, settings).between
    here, there = dict.fromkeys(text), dict.fromkeys(hypothesis)
    found: dict[WordFact, None] = {}
    for one in here:
        for other in there:
            deadline.check()
            for fact in between(one, other):
                # *a boy and a girl play*: where one side has both opposites, they are said of two
                # things there, and do not stand against a word of the other side
                if fact.kind not in EXCLUDING or (one not in there and other not in here):
                    found[fact] = None
    return list(found)


_ALL_SENSES = KnowledgeSettings(senses=None, share=0.0)


def implied(
    one: str, other: str, category: WordCategory, lexicon: Lexicon, *, usually: bool = False
) -> str:
    """Why what one word says is what another says too; empty where it is not.

    Args:
        one: A word, in its base form; the name of one thing has its kinds above it.
        other: The word that may say no more.
        category: What the two are.
        lexicon: Knows their senses.
        usually: Whether only their usual senses count, and not any.
    """
    words = (PredicateWord(each, each, category) for each in (one, other))
    # what lies at the edge of a cluster of adjectives is like its center in its usual sense alone:
    # what is *heavy* as a loss is *large*
    usually = usually or category == WordCategory.ADJECTIVE
    settings = KnowledgeSettings() if usually else _ALL_SENSES
    return next((fact.words for fact in _knowledge(lexicon, settings).implied(*words)), "")


def is_kind_of(phrase: str, noun: str, lexicon: Lexicon) -> bool:
    """Whether a noun of several words is a kind of what its last word names, in any sense of both.

    A *hot dog* may be called a *dog*, as may whatever is no kind of one, so that synonyms do not count.
    """
    if lexicon.is_synonym([phrase], [noun], "noun")[0]:
        return False
    return bool(implied(phrase, noun, WordCategory.NOUN, lexicon))


@lru_cache(4)
def _knowledge(lexicon: Lexicon, settings: KnowledgeSettings) -> Knowledge:
    return Knowledge(SenseInventory(lexicon, settings.senses), settings)


@dataclass(frozen=True, eq=False)
class Knowledge:
    """Facts about pairs of words; what was asked once is kept."""

    senses: SenseInventory
    settings: KnowledgeSettings

    @cached_property
    def between(self) -> Callable[[PredicateWord, PredicateWord], tuple[WordFact, ...]]:
        """The facts that lead from a word of the text to one of the hypothesis."""
        return lru_cache(_KEPT)(lambda one, other: tuple(self._facts(one, other)))

    def _facts(self, one: PredicateWord, other: PredicateWord) -> Iterator[WordFact]:
        parts = {one.part, other.part}
        # the same word needs no fact; two predicates of one lemma differ by a mood, as *may bark*
        # does, which words do not bridge
        if one.predicate == other.predicate or (one.lemma == other.lemma and len(parts) == 1):
            return
        if len(parts) == 1 and WordCategory.NAME not in parts:
            yield from self._same_part(one, other)
        elif one.part == WordCategory.NAME:
            yield from self._of_name(one, other)
        elif other.part == WordCategory.NAME:
            if self.settings.backward:
                yield from self._of_name(other, one)
        elif parts == {WordCategory.NOUN, WordCategory.VERB}:
            yield from self._derived(one, other)

    def implied(self, one: PredicateWord, other: PredicateWord) -> Iterator[WordFact]:
        """That what is the one is the other, two words of one part of speech."""
        here, there = self.senses.of(one), self.senses.of(other)
        return self._implied(one, other, self._enough(shared(here.synsets, there.synsets)))

    def _enough(self, likely: float) -> bool:
        return likely > 0 and likely >= self.settings.share

    # Two words of one part of speech

    def _same_part(self, one: PredicateWord, other: PredicateWord) -> Iterator[WordFact]:
        here, there = self.senses.of(one), self.senses.of(other)
        synonyms = self._enough(shared(here.synsets, there.synsets))
        yield from self._implied(one, other, synonyms)
        # *no animal barks, so no dog barks* needs the way back, which lets in more wrong senses;
        # synonyms hold both ways by themselves
        if synonyms or self.settings.backward:
            yield from self._implied(other, one, synonyms)
        if self._enough(shared(here.caused, there.synsets)) and self._may_cause(one, other):
            path = self.senses.cause_chain(one, other)
            yield _lexical_fact(FactKind.CAUSE, one, other, self._causes(one, other), path)
        # opposite verbs need not exclude each other: one may *open* and *close* a door on the same
        # day
        if one.part != WordCategory.VERB:
            yield from self._excluded(one, other)

    def _implied(
        self, one: PredicateWord, other: PredicateWord, synonyms: bool
    ) -> Iterator[WordFact]:
        """That what is the one is the other; a verb may be so by what it entails."""
        here, there = self.senses.of(one), self.senses.of(other).synsets
        if not self._enough(shared(here.general, there)):
            return
        if synonyms:
            kind, path = FactKind.SYNONYM, self._meeting(one, other)
        elif self._enough(shared(here.above, there)):
            kind, path = FactKind.HYPERNYM, self.senses.chain(one, other, SynsetPath.UP)
        else:
            kind, path = FactKind.VERB_ENTAILMENT, self.senses.chain(one, other, SynsetPath.GENERAL)
        yield _lexical_fact(kind, one, other, _all_are(one, other), path)

    def _meeting(self, one: PredicateWord, other: PredicateWord) -> tuple[str, ...]:
        """The likeliest synset that has both words."""
        here, there = self.senses.of(one).synsets, self.senses.of(other).synsets
        both = [synset for synset in here if synset in there]
        return (self.senses.lexicon.name(max(both, key=lambda it: here[it] * there[it])),)

    def _may_cause(self, one: PredicateWord, other: PredicateWord) -> bool:
        """Whether what the one is done to does the other: not those who are taught or shown things."""
        frames = self.senses.lexicon.frames
        return frames(one.lemma).isdisjoint(_GIVING) and not frames(other.lemma).isdisjoint(_ALONE)

    def _causes(self, one: PredicateWord, other: PredicateWord) -> Formula:
        """That what the one is done to does the other."""
        # what somebody kills dies, as agent of *die*; what somebody melts melts, and inchoatives
        # have their subject as patient
        role = _PATIENT if self.senses.lexicon.alternates(other.lemma) else _AGENT
        effect = And((Atom(other.predicate, (_OTHER_EVENT,)), Atom(role, (_OTHER_EVENT, _THING))))
        cause = And((Atom(one.predicate, (_EVENT,)), Atom(_PATIENT, (_EVENT, _THING))))
        return ForAll((_EVENT, _THING), Implies(cause, Exists((_OTHER_EVENT,), effect)))

    def _excluded(self, one: PredicateWord, other: PredicateWord) -> Iterator[WordFact]:
        """That nothing is both, since the words are opposites or of kinds that are apart."""
        opposites = [
            each
            for each in self.senses.opposites(one, other)
            # WordNet's opposite nouns are often only contrasts: a *parent* may be a *child*, a
            # *day* has its *night*; opposite adjectives do exclude each other
            if one.part == WordCategory.ADJECTIVE or self._exclusive(*each[:2])
        ]
        if self._enough(sum(likely for *_, likely in opposites)):
            best = max(opposites, key=lambda each: each[2])
            path = tuple(map(self.senses.lexicon.name, best[:2]))
            yield _lexical_fact(FactKind.ANTONYM, one, other, _none_is_both(one, other), path)
        # a *chicken* is an animal and a dish, a *star* a person and a body: WordNet does not say
        # which kinds are disjoint, so this is not done unless asked for
        elif self.settings.disjoint and one.part == WordCategory.NOUN and self._apart(one, other):
            path = self._likeliest(one), self._likeliest(other)
            yield _lexical_fact(FactKind.DISJOINT, one, other, _none_is_both(one, other), path)

    def _exclusive(self, one: int, other: int) -> bool:
        """Whether nothing is in both synsets of nouns: the sexes, and bodies that are not alive."""
        above = [walk(self.senses.steps(SynsetPath.UP), [synset]).keys() for synset in (one, other)]
        living, physical, male, female = self._classes
        if any(not living.isdisjoint(each) for each in above):
            return any(
                not male.isdisjoint(a) and not female.isdisjoint(b) for a, b in permutations(above)
            )
        return not any(physical.isdisjoint(each) for each in above)

    @cached_property
    def _classes(self) -> tuple[frozenset[int], ...]:
        names = (_LIVING, _PHYSICAL, *_SEXES)
        return tuple(frozenset(self.senses.called(each)) for each in names)

    def _apart(self, one: PredicateWord, other: PredicateWord) -> bool:
        """Whether two nouns are most likely of two kinds that have nothing in common."""
        kinds = self.senses.called(_KINDS)
        here, there = (
            {kind for kind in kinds if self._mostly(word, kind)} for word in (one, other)
        )
        return any(a != b for a, b in product(here, there))

    def _mostly(self, word: PredicateWord, kind: int) -> bool:
        return self.senses.of(word).above.get(kind, 0.0) >= _MOST_OF

    def _likeliest(self, word: PredicateWord) -> str:
        synsets = self.senses.of(word).synsets
        return self.senses.lexicon.name(max(synsets, key=lambda it: synsets[it]))

    # Names

    def _of_name(self, one: PredicateWord, other: PredicateWord) -> Iterator[WordFact]:
        """What a name's thing is, which other name it has, and where it is."""
        here, there = self.senses.of(one), self.senses.of(other).synsets
        name = Constant(one.predicate)
        if other.part == WordCategory.NOUN:
            if self._enough(shared(here.above, there)):
                path = self.senses.chain(one, other, SynsetPath.UP)
                yield _lexical_fact(
                    FactKind.HYPERNYM, one, other, Atom(other.predicate, (name,)), path
                )
        elif other.part == WordCategory.NAME:
            if self._enough(shared(here.synsets, there)):
                same = Equal(name, Constant(other.predicate))
                yield _lexical_fact(FactKind.SYNONYM, one, other, same, self._meeting(one, other))
            if self._enough(shared(here.wholes, there)):
                path = self.senses.chain(one, other, SynsetPath.WHOLE)
                yield _lexical_fact(FactKind.PART, one, other, _is_in(one, other), path)

    # A noun and a verb

    def _derived(self, one: PredicateWord, other: PredicateWord) -> Iterator[WordFact]:
        """That a noun names the event of a verb, where that is what it names most of the time."""
        noun, verb = (one, other) if one.part == WordCategory.NOUN else (other, one)
        lexicon = self.senses.lexicon
        if verb.lemma not in lexicon.event_verbs(noun.lemma):
            return
        if lexicon.formation.event_share(noun.lemma) < _MOST_OF:
            return
        # *the arrival of the train* and *the train arrived* speak of one event, so the two
        # predicates hold of the same things
        both = Atom(noun.predicate, (_EVENT,)), Atom(verb.predicate, (_EVENT,))
        formula = ForAll((_EVENT,), And((Implies(*both), Implies(*both[::-1]))))
        path = tuple(self._likeliest(word) for word in (one, other) if self.senses.of(word).synsets)
        yield _lexical_fact(FactKind.DERIVATION, one, other, formula, path)


def _lexical_fact(
    kind: FactKind,
    one: PredicateWord,
    other: PredicateWord,
    formula: Formula,
    path: tuple[str, ...],
) -> WordFact:
    return WordFact(kind, formula, sentence(kind, one, other), path)


def _all_are(one: PredicateWord, other: PredicateWord) -> Formula:
    """That all of which the one holds the other holds of too."""
    variable = _EVENT if one.part == WordCategory.VERB else _THING
    condition, consequence = (Atom(word.predicate, (variable,)) for word in (one, other))
    return ForAll((variable,), Implies(condition, consequence))


def _none_is_both(one: PredicateWord, other: PredicateWord) -> Formula:
    both = And((Atom(one.predicate, (_THING,)), Atom(other.predicate, (_THING,))))
    return ForAll((_THING,), Not(both))


def _is_in(one: PredicateWord, other: PredicateWord) -> Formula:
    """That one place is in another, and so is all that is in it."""
    part, whole = Constant(one.predicate), Constant(other.predicate)
    # who is in Paris is in France: being in a place goes up along the parts of places
    inside = Implies(Atom(_IN, (_THING, part)), Atom(_IN, (_THING, whole)))
    return And((Atom(_IN, (part, whole)), ForAll((_THING,), inside)))


# What follows from relations whatever their words: before and after, more and less, have and
# of.

_X, _Y, _Z, _E = (Variable(name) for name in "xyze")
_MORE = "more "
_AS = "as "
_LEAST = "at least "


def relation_facts(
    text: Iterable[str], hypothesis: Iterable[str], *, lexicon: Lexicon | None
) -> list[WordFact]:
    """Facts about the relations of a pair, by the predicates of its two sides; of opposites by a lexicon."""
    have, want = set(text), set(hypothesis)
    return [
        *_numbers(have | want),
        *_shares(have | want),
        *_times(have, want),
        *_comparisons(have, want, lexicon),
        *_possession(have, want),
    ]


def _relation_fact(formula: Formula, words: str) -> WordFact:
    return WordFact(FactKind.RELATION, formula, words, ())


def _all(variables: tuple[Variable, ...], condition: Formula, consequence: Formula) -> Formula:
    return ForAll(variables, Implies(condition, consequence))


def _numbers(predicates: set[str]) -> Iterator[WordFact]:
    """So many are also fewer."""
    found = sorted(
        int(name[len(_LEAST) :])
        for name in predicates
        if name.startswith(_LEAST) and name[len(_LEAST) :].isdigit()
    )
    for less, more in pairwise(found):
        condition, consequence = (Atom(f"{_LEAST}{number}", (_X,)) for number in (more, less))
        yield _relation_fact(
            _all((_X,), condition, consequence), f"{more} things are at least {less}"
        )


_SHARED = re.compile(r"of all, (more than|at least) ([\d.e+]+) %: (.*)", re.DOTALL)


def _shares(predicates: set[str]) -> Iterator[WordFact]:
    """So large a share of a kind is also a smaller one."""
    found: dict[str, list[tuple[float, bool, str]]] = {}
    for name in predicates:
        if match := _SHARED.fullmatch(name):
            found.setdefault(match[3], []).append((float(match[2]), match[1] == "more than", name))
    for shares in found.values():
        for less, more in pairwise(sorted(shares)):
            # the share is of the thing and of whatever its kind speaks of
            n = max(map(int, re.findall(r"\$(\d+)", less[2])), default=0)
            terms = tuple(Variable(f"x{i}") for i in range(n + 1))
            weak, strong = (Atom(name, terms) for _, _, name in (less, more))
            one, other = (name.partition(", ")[2].partition(":")[0] for *_, name in (more, less))
            yield _relation_fact(_all(terms, strong, weak), f"{one} of them are {other}")


def _times(have: set[str], want: set[str]) -> Iterator[WordFact]:
    """What is before another is before what is after that."""
    if not ({"before", "after"} & have and {"before", "after"} & want):
        return
    before, after = Atom("before", (_X, _Y)), Atom("after", (_Y, _X))
    yield _relation_fact(
        _all((_X, _Y), before, after), "if one is before the other, the other is after it"
    )
    yield _relation_fact(
        _all((_X, _Y), after, before), "if one is after the other, the other is before it"
    )
    chain = And((before, Atom("before", (_Y, _Z))))
    yield _relation_fact(
        _all((_X, _Y, _Z), chain, Atom("before", (_X, _Z))),
        "what is before something is before all that comes after that",
    )
    yield _relation_fact(
        _all((_X, _Y), before, Not(Atom("before", (_Y, _X)))), "nothing is before what is before it"
    )


def _comparisons(have: set[str], want: set[str], lexicon: Lexicon | None) -> Iterator[WordFact]:
    """What is more than another is more than what that is more than, and is so if that is."""
    degrees = sorted(
        {
            name[len(kind) :]
            for kind in (_MORE, _AS)
            for name in have | want
            if name.startswith(kind) and ":" not in name
        }
    )
    for word in degrees:
        more = Atom(f"{_MORE}{word}", (_X, _Y))
        chain = And((more, Atom(more.predicate, (_Y, _Z))))
        yield _relation_fact(
            _all((_X, _Y, _Z), chain, Atom(more.predicate, (_X, _Z))),
            f"if one is more {word} than the other, it is more {word} than all that is less so",
        )
        yield _relation_fact(
            _all((_X, _Y), more, Not(Atom(more.predicate, (_Y, _X)))),
            f"nothing is more {word} than what is more {word} than it",
        )
        quality = f"{word}:a"
        if f"{_AS}{word}" in have | want:
            yield from _equals(word, more, quality in have | want)
        if quality in have | want:
            both = And((more, Atom(quality, (_Y,))))
            yield _relation_fact(
                _all((_X, _Y), both, Atom(quality, (_X,))),
                f"what is more {word} than something {word} is {word}",
            )
        for other in degrees:
            if lexicon and other > word and lexicon.is_antonym([word], [other], "adjective")[0]:
                less = Atom(f"{_MORE}{other}", (_Y, _X))
                yield _relation_fact(
                    _all((_X, _Y), more, less), f"if one is more {word}, the other is more {other}"
                )
                yield _relation_fact(
                    _all((_X, _Y), less, more), f"if one is more {other}, the other is more {word}"
                )


def _equals(word: str, more: Atom, is_said: bool) -> Iterator[WordFact]:
    """What is as much as another is not less, and is so if that is."""
    equal = Atom(f"{_AS}{word}", (_X, _Y))
    less = Atom(more.predicate, (_Y, _X))
    yield _relation_fact(
        _all((_X, _Y), equal, Not(less)), f"what is as {word} as another is not less {word}"
    )
    beyond = Atom(more.predicate, (_Y, _Z)), Atom(more.predicate, (_X, _Z))
    yield _relation_fact(
        _all((_X, _Y, _Z), And((equal, beyond[0])), beyond[1]),
        f"what is as {word} as something more {word} than another is more {word} than that too",
    )
    yield _relation_fact(
        _all((_X, _Y, _Z), And((more, Atom(equal.predicate, (_Y, _Z)))), beyond[1]),
        f"what is more {word} than something as {word} as another is more {word} than that too",
    )
    alike = And((equal, Atom(equal.predicate, (_Y, _Z))))
    yield _relation_fact(
        _all((_X, _Y, _Z), alike, Atom(equal.predicate, (_X, _Z))),
        f"what is as {word} as something as {word} as another is as {word} as that",
    )
    if is_said:
        both = And((equal, Atom(f"{word}:a", (_Y,))))
        yield _relation_fact(
            _all((_X, _Y), both, Atom(f"{word}:a", (_X,))),
            f"what is as {word} as something {word} is {word}",
        )


def _possession(have: set[str], want: set[str]) -> Iterator[WordFact]:
    """Who has something, that is his."""
    if "poss" in have and "have:v" in want:
        has = And((Atom("have:v", (_E,)), Atom("agent", (_E, _Y)), Atom("patient", (_E, _X))))
        yield _relation_fact(
            _all((_X, _Y), Atom("poss", (_X, _Y)), Exists((_E,), has)), "who owns something has it"
        )
    if "poss" in have and "of" in want:
        yield _relation_fact(
            _all((_X, _Y), Atom("poss", (_X, _Y)), Atom("of", (_X, _Y))),
            "what is somebody's is of somebody",
        )
    if "of" in have and "poss" in want:
        yield _relation_fact(
            _all((_X, _Y), Atom("of", (_X, _Y)), Atom("poss", (_X, _Y))),
            "what is of somebody is somebody's",
        )
