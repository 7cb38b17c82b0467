"""What follows from relations whatever their words: before and after, more and less, have and of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from ensue.language.lexicon import Lexicon
from ensue.logic.formulas import (
    And,
    Atom,
    Constant,
    Exists,
    ForAll,
    Formula,
    Implies,
    Not,
    Variable,
)
from ensue.logic.knowledge.model import FactKind, WordFact

_X, _Y, _Z, _E = (Variable(name) for name in "xyze")
_MORE = "more "
_AS = "as "
_LEAST = "at least "
_PERSON = "person:n"


def relation_facts(
    text: Iterable[str], hypothesis: Iterable[str], *, lexicon: Lexicon | None
) -> list[WordFact]:
    """Facts about the relations of a pair, by the predicates of its two sides; of opposites by a lexicon."""
    have, want = set(text), set(hypothesis)
    return [
        *_numbers(have | want),
        *_times(have, want),
        *_comparisons(have, want, lexicon),
        *_possession(have, want),
    ]


def person_facts(
    names: Iterable[str], text: Iterable[str], hypothesis: Iterable[str]
) -> list[WordFact]:
    """That those who have the names of persons are some, where persons are spoken of."""
    if _PERSON not in {*text, *hypothesis}:
        return []
    return [
        WordFact(FactKind.NAME, Atom(_PERSON, (Constant(name),)), f"{name.title()} is a person", ())
        for name in names
    ]


def _fact(formula: Formula, words: str) -> WordFact:
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
        yield _fact(_all((_X,), condition, consequence), f"{more} things are at least {less}")


def _times(have: set[str], want: set[str]) -> Iterator[WordFact]:
    """What is before another is before what is after that."""
    if not ({"before", "after"} & have and {"before", "after"} & want):
        return
    before, after = Atom("before", (_X, _Y)), Atom("after", (_Y, _X))
    yield _fact(_all((_X, _Y), before, after), "if one is before the other, the other is after it")
    yield _fact(_all((_X, _Y), after, before), "if one is after the other, the other is before it")
    chain = And((before, Atom("before", (_Y, _Z))))
    yield _fact(
        _all((_X, _Y, _Z), chain, Atom("before", (_X, _Z))),
        "what is before something is before all that comes after that",
    )
    yield _fact(
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
        yield _fact(
            _all((_X, _Y, _Z), chain, Atom(more.predicate, (_X, _Z))),
            f"if one is more {word} than the other, it is more {word} than all that is less so",
        )
        yield _fact(
            _all((_X, _Y), more, Not(Atom(more.predicate, (_Y, _X)))),
            f"nothing is more {word} than what is more {word} than it",
        )
        quality = f"{word}:a"
        yield from _equals(word, more, quality in have | want)
        if quality in have | want:
            both = And((more, Atom(quality, (_Y,))))
            yield _fact(
                _all((_X, _Y), both, Atom(quality, (_X,))),
                f"what is more {word} than something {word} is {word}",
            )
        for other in degrees:
            if lexicon and other > word and lexicon.is_antonym([word], [other], "adjective")[0]:
                less = Atom(f"{_MORE}{other}", (_Y, _X))
                yield _fact(
                    _all((_X, _Y), more, less), f"if one is more {word}, the other is more {other}"
                )
                yield _fact(
                    _all((_X, _Y), less, more), f"if one is more {other}, the other is more {word}"
                )


def _equals(word: str, more: Atom, is_said: bool) -> Iterator[WordFact]:
    """What is as much as another is not less, and is so if that is."""
    equal = Atom(f"{_AS}{word}", (_X, _Y))
    less = Atom(more.predicate, (_Y, _X))
    yield _fact(
        _all((_X, _Y), equal, Not(less)), f"what is as {word} as another is not less {word}"
    )
    if is_said:
        both = And((equal, Atom(f"{word}:a", (_Y,))))
        yield _fact(
            _all((_X, _Y), both, Atom(f"{word}:a", (_X,))),
            f"what is as {word} as something {word} is {word}",
        )


def _possession(have: set[str], want: set[str]) -> Iterator[WordFact]:
    """Who has something, that is his."""
    if "poss" in have and "have:v" in want:
        has = And((Atom("have:v", (_E,)), Atom("agent", (_E, _Y)), Atom("patient", (_E, _X))))
        yield _fact(
            _all((_X, _Y), Atom("poss", (_X, _Y)), Exists((_E,), has)), "who owns something has it"
        )
    if "poss" in have and "of" in want:
        yield _fact(
            _all((_X, _Y), Atom("poss", (_X, _Y)), Atom("of", (_X, _Y))),
            "what is somebody's is of somebody",
        )
    if "of" in have and "poss" in want:
        yield _fact(
            _all((_X, _Y), Atom("of", (_X, _Y)), Atom("poss", (_X, _Y))),
            "what is of somebody is somebody's",
        )
