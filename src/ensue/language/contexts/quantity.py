"""Of how many of a kind something is said, and what follows from what."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from ensue.language.contexts.clauses import (
    SUBJECTS,
    ClauseTree,
    Embedding,
    Quantity,
    choice,
    read_rows,
)
from ensue.language.contexts.embedding import Embeddings
from ensue.language.contexts.negation import Negation

_ALL, _MOST, _MANY, _SOME = Quantity.ALL, Quantity.MOST, Quantity.MANY, Quantity.SOME
_FEW, _NO, _NOT_ALL = Quantity.FEW, Quantity.NO, Quantity.NOT_ALL
_THE, _NUMBER, _NONE = Quantity.THE, Quantity.NUMBER, Quantity.NONE

_FOLLOWING = {
    # people take `all dogs bark` to say that there are dogs, so some follows from all, and the dogs
    # at hand are among them; logic alone would not have it
    _ALL: {_ALL, _MOST, _SOME, _THE, _NONE},
    # many does not follow from most: most of three are not many; nor most from many
    _MOST: {_MOST, _SOME, _NONE},
    _MANY: {_MANY, _SOME, _NONE},
    _SOME: {_SOME, _NONE},
    _FEW: {_FEW, _NOT_ALL},
    # `no dogs bark` makes `few dogs bark` true, if an odd thing to say
    _NO: {_NO, _FEW, _NOT_ALL},
    _NOT_ALL: {_NOT_ALL},
    _THE: {_THE, _SOME, _NONE},
    # two follow from three, but that is arithmetic and done elsewhere
    _NUMBER: {_SOME, _NONE},
    # a bare plural, `dogs bark in the yard`, is read as some of them
    _NONE: {_NONE, _SOME},
}
_EXCLUDED = {
    _ALL: {_NO, _FEW, _NOT_ALL},
    _MOST: {_NO, _FEW},
    _MANY: {_NO, _FEW},
    _SOME: {_NO},
    # few does not exclude some: `few came` mostly hints that some did
    _FEW: {_ALL, _MOST, _MANY},
    _NO: {_ALL, _MOST, _MANY, _SOME, _THE, _NUMBER, _NONE},
    _NOT_ALL: {_ALL},
    _THE: {_NO},
    _NUMBER: {_NO},
    _NONE: {_NO},
}


def quantity_follows(text: Quantity, hypothesis: Quantity) -> bool | None:
    """Whether what is said of one quantity holds of another; None where neither it nor its contrary.

    All and every are read as people read them, of kinds that have members. Numbers are for others
    to compare.
    """
    if hypothesis in _FOLLOWING[text]:
        return True
    return False if hypothesis in _EXCLUDED[text] else None


class _Kind(StrEnum):
    DETERMINER = "determiner"
    ARTICLE = "article"
    ADJECTIVE = "adjective"
    PRONOUN = "pronoun"
    PARTITIVE = "partitive"


_RANKS = {
    _Kind.ARTICLE: 1,
    _Kind.ADJECTIVE: 2,
    _Kind.DETERMINER: 4,
    _Kind.PRONOUN: 4,
    _Kind.PARTITIVE: 5,
}
"""The higher wins where a noun has several: `all the dogs`, `the few dogs`, `a few dogs`."""
_RANK_OF_NUMBERS, _RANK_OF_DEFINITES = 2, 3
_ANY = "any"
_MODIFYING = frozenset({"det", "predet", "amod", "nummod", "quantmod", "appos", "poss"})
_DETERMINERS = frozenset({"det", "poss"})
_OBJECT = frozenset({"pobj"})
_FLOATING = frozenset({"all", "both", "each"})
_NEARLY = frozenset({"nearly", "almost", "virtually", "practically"})
_HARDLY = frozenset({"hardly", "scarcely"})
_AT_MOST = frozenset({"few", "little", "less"})
_DENIED = {_ALL: _NOT_ALL, _MOST: _NOT_ALL, _MANY: _FEW, _SOME: _NO}
"""What a quantity becomes with `not` before it: `not every dog`, `not a dog`."""
_DENYING = frozenset(
    {
        Embedding.DENIED,
        Embedding.NEGATIVE_IMPLICATIVE,
        Embedding.ONE_WAY_NEGATIVE,
        Embedding.CONDITIONAL,
        Embedding.QUESTIONED,
    }
)


@dataclass(frozen=True, slots=True)
class Quantities:
    """Of how many something is said; lists over the tokens, meant at nouns."""

    quantities: list[Quantity]
    quantifiers: list[int]
    bounded: dict[int, bool]
    """Nouns of which a number is the most (True) or exactly the number (False) that is meant."""


@cache
def _words() -> dict[str, tuple[_Kind, str]]:
    found = {}
    for place, (lemma, cell, quantity) in read_rows("quantifiers.tsv", 3):
        kind = choice(_Kind, cell, place)
        if quantity != _ANY:
            choice(Quantity, quantity, place)
        found[lemma] = kind, quantity
    return found


def find_quantities(tree: ClauseTree, negation: Negation, embeddings: Embeddings) -> Quantities:
    """The quantity of each noun of a sentence."""
    n = len(tree)
    found = Quantities([_NONE] * n, [-1] * n, {})
    ranks = [0] * n
    words, relations, tags = _words(), tree.relations, tree.tags
    for i, lemma in enumerate(tree.lemmas):
        entry = words.get(lemma)
        if entry is not None:
            _quantify(tree, found, ranks, i, entry, negation, embeddings)
        elif tags[i] == "CD":
            if relations[i] == "nummod" and i < tree.heads[i]:  # after it: `March 3`, `No. 5`
                _count(tree, found, ranks, i, negation)
            elif (parted := _parted(tree, i)) >= 0:
                _set(found, ranks, parted, i, _NUMBER, _RANKS[_Kind.PARTITIVE])
        # `John's dog` is definite as `the dog` is
        elif relations[i] == "poss" and tree.heads[i] >= 0:
            _set(found, ranks, tree.heads[i], i, _THE, _RANK_OF_DEFINITES)
    return found


def _set(
    found: Quantities, ranks: list[int], noun: int, by: int, quantity: Quantity, rank: int
) -> None:
    if rank > ranks[noun]:
        ranks[noun] = rank
        found.quantities[noun], found.quantifiers[noun] = quantity, by


def _quantify(
    tree: ClauseTree,
    found: Quantities,
    ranks: list[int],
    i: int,
    entry: tuple[_Kind, str],
    negation: Negation,
    embeddings: Embeddings,
) -> None:
    kind, name = entry
    if tree.tags[i] == "CC":
        return  # `either` and `neither` before names
    parted = _parted(tree, i)
    quantity = _quantity(tree, i, name, negation, embeddings)
    if quantity is None:
        return
    if parted >= 0 and tree.relations[i] not in ("det", "poss"):
        _set(found, ranks, parted, i, quantity, _RANKS[_Kind.PARTITIVE])
        _set(found, ranks, i, i, quantity, _RANKS[_Kind.PARTITIVE])
    elif kind is _Kind.PRONOUN:
        _set(found, ranks, i, i, quantity, _RANKS[kind])
    elif kind is not _Kind.PARTITIVE and (noun := _modified(tree, i)) >= 0:
        if tree.tags[i + 1 : i + 2] == ("CD",) and name == "some":
            return  # `some 200 people` are about so many
        rank = _RANK_OF_DEFINITES if quantity is _THE else _RANKS[kind]
        _set(found, ranks, noun, i, quantity, rank)


def _modified(tree: ClauseTree, i: int) -> int:
    """The noun that a determiner or adjective belongs to; -1 for none."""
    head, relation, lemma = tree.heads[i], tree.relations[i], tree.lemmas[i]
    if head < 0:
        return -1
    clause = tree.clauses.get(head)
    if lemma in _FLOATING and clause is not None and 0 <= clause.subject < i:
        return clause.subject  # `the boys have both left`
    if lemma == "most" and relation == "advmod" and tree.relations[head] == "amod":
        noun = tree.heads[head]
        # `most young people work`, where the parser takes `most young` together: of a bare plural
        # subject it is the quantity, elsewhere a degree, as in `a most interesting book`
        bare = tree.tags[noun].endswith("S") and tree.child(noun, _DETERMINERS) < 0
        return noun if bare and tree.relations[noun] in SUBJECTS else -1
    return head if relation in _MODIFYING else -1


def _parted(tree: ClauseTree, i: int) -> int:
    """The noun of which a quantity is meant: `most of the dogs`; -1 for none."""
    if tree.lemma(i + 1) != "of" or tree.heads[i + 1] != i:
        return -1
    return tree.child(i + 1, _OBJECT)


def _quantity(
    tree: ClauseTree, i: int, name: str, negation: Negation, embeddings: Embeddings
) -> Quantity | None:
    """The quantity that a word means where it stands; None where it means none."""
    before = tree.lemma(i - 1)
    if name == _ANY:
        # `hardly any dog barked` is few, though `any` alone is none
        if before in _HARDLY:
            return _FEW
        return _ALL if _is_free(tree, i, negation, embeddings) else _SOME
    quantity = Quantity(name)
    # where `no` was found to negate nothing, as in `no fewer than ten`, it counts nothing either
    if quantity is _NO:
        negators = negation.negators
        return _NO if i in negators[i] or i in negators[tree.heads[i]] else None
    if before == "not" and _belong_together(tree, negation, i):
        return _DENIED.get(quantity, quantity)
    # `nearly all` is not all, but more than half
    if quantity is _ALL and before in _NEARLY:
        return _MOST
    # `not a lot of dogs`: the denial stands before the article
    if before == "a" and tree.lemma(i - 2) == "not" and i - 2 in negation.negators[i]:
        return _DENIED.get(quantity, quantity)
    # `a few` is some and `quite a few` many, where `few` alone leans to none
    if tree.lemmas[i] in ("few", "little") and before == "a":
        return _MANY if tree.lemma(i - 2) == "quite" else _SOME
    # `fewer dogs than cats` may be a great many
    if quantity is _FEW and tree.tags[i] in ("JJR", "RBR", "JJS"):
        return None
    # `the most dogs` is a superlative, `at most two dogs` a limit: neither is a majority
    if tree.lemmas[i] == "most" and before in ("the", "at"):
        return None
    return quantity


def _is_free(tree: ClauseTree, i: int, negation: Negation, embeddings: Embeddings) -> bool:
    """Whether `any` means whichever one likes: not where it is denied or asked, but of subjects and modals."""
    predicate = tree.predicates[i]
    if not negation.polarity[i] or embeddings.classes[predicate] in _DENYING:
        return False
    if "?" in tree.lemmas[-1:]:
        return False
    # `any dog barks` and `you can take any seat` mean every one; `did you see any dog?` and `if any
    # dog barks` mean some (free choice against negative polarity)
    if tree.relations[i] in SUBJECTS or tree.relations[tree.heads[i]] in SUBJECTS:
        return True
    return any(tree.tags[each] == "MD" for each in tree.clauses[predicate].auxiliaries)


def _belong_together(tree: ClauseTree, negation: Negation, i: int) -> bool:
    """Whether a `not` before a quantity negates the quantity, as in `not every dog`."""
    negators = negation.negators
    return i - 1 in negators[i] or i - 1 in negators[tree.heads[i]]


def _count(
    tree: ClauseTree, found: Quantities, ranks: list[int], i: int, negation: Negation
) -> None:
    noun = tree.heads[i]
    if noun < 0:
        return
    before, earlier = tree.lemma(i - 1), tree.lemma(i - 2)
    if before == "not" and i - 1 in negation.negators[noun]:
        _set(found, ranks, noun, i, _NO, _RANK_OF_DEFINITES)
        return
    _set(found, ranks, noun, i, _NUMBER, _RANK_OF_NUMBERS)
    # `fewer than two` and `no more than two` are limits from above, `no fewer than two` is one from
    # below: `no` turns them
    most = before == "than" and (earlier in _AT_MOST) != (tree.lemma(i - 3) == "no")
    if most or (before == "most" and earlier == "at"):
        found.bounded[noun] = True
    elif before in ("exactly", "precisely"):
        found.bounded[noun] = False
