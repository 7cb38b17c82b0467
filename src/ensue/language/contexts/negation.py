"""What is negated, and by which words."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from ensue.language.contexts.clauses import Clause, ClauseTree, choice, read_rows

ARGUMENTS = frozenset({"nsubj", "nsubjpass", "dobj", "attr", "dative", "oprd", "expl", "acomp"})
"""Relations of nouns whose quantifiers reach over their whole clause."""
_QUANTIFYING = frozenset(
    [
        "all",
        "every",
        "each",
        "everyone",
        "everybody",
        "everything",
        "both",
        "one",
        "a",
        "an",
        "most",
        "many",
        "much",
    ]
)
"""Words that `not` negates together with the noun behind them: `not every dog`."""

_DETERMINING = frozenset({"det", "neg", "predet", "amod", "nummod", "quantmod", "advmod"})
_GOVERNED = frozenset({"pobj", "pcomp", "dobj"})
_MODIFIERS = frozenset({"det", "predet", "amod", "nummod", "quantmod"})
_ADVERSE = frozenset({"but", "yet"})
_FEW = frozenset({"many", "much", "lot"})
"""With `not` before them they say that there are few, and so no more negate than few does."""
_HARDLY = frozenset({"hardly", "scarcely"})


class _Kind(StrEnum):
    ADVERB = "adverb"
    DETERMINER = "determiner"
    PRONOUN = "pronoun"
    CONJUNCTION = "conjunction"
    GOVERNOR = "governor"
    JOINT = "joint"
    WEAK = "weak"
    CLAUSAL = "clausal"
    FIXED = "fixed"


@dataclass(frozen=True, slots=True)
class Negation:
    """The negations of a sentence; lists over its tokens."""

    negators: list[tuple[int, ...]]
    polarity: list[bool]
    flips: list[bool]
    """Where the polarity becomes the contrary of what stands above."""
    weak: set[int]
    """Predicates that are said to be seldom or hardly so."""


@dataclass(frozen=True, slots=True)
class _Words:
    kinds: dict[str, _Kind]
    joint: frozenset[tuple[str, str]]
    fixed: frozenset[tuple[str, str]]
    clausal: frozenset[str]


@cache
def _words() -> _Words:
    kinds: dict[str, _Kind] = {}
    pairs: dict[_Kind, set[tuple[str, str]]] = {_Kind.JOINT: set(), _Kind.FIXED: set()}
    clausal = set()
    for place, (word, cell) in read_rows("negators.tsv", 2):
        kind = choice(_Kind, cell, place)
        if kind in pairs:
            first, _, second = word.partition(" ")
            pairs[kind].add((first, second))
            kinds.setdefault(first, kind)
        elif kind is _Kind.CLAUSAL:
            clausal.add(word)
        else:
            kinds[word] = kind
    kinds = {word: kind for word, kind in kinds.items() if kind is not _Kind.FIXED}
    joint, fixed = frozenset(pairs[_Kind.JOINT]), frozenset(pairs[_Kind.FIXED])
    return _Words(kinds, joint, fixed, frozenset(clausal))


def find_negation(tree: ClauseTree) -> Negation:
    """The negations of a sentence."""
    n = len(tree)
    kinds = _words().kinds
    found = Negation([()] * n, [True] * n, [False] * n, set())
    triggers = [(i, kinds[lemma]) for i, lemma in enumerate(tree.lemmas) if lemma in kinds]
    for i, kind in triggers:
        if not _is_fixed(tree, i):
            _apply(tree, found, i, kind)
        elif tree.lemmas[i] in _HARDLY:
            found.weak.add(tree.predicates[i])
    if triggers:
        for clause in tree.clauses.values():
            if clause.coordinator:
                _share(tree, found, clause)
            elif tree.presents(clause.token):
                _deny_presented(tree, found, clause.token)
        _spread(tree, found)
    return found


def _is_fixed(tree: ClauseTree, i: int) -> bool:
    """Whether a negator is part of a phrase that negates nothing: `not only`, `no more than`."""
    lemma, following = tree.lemmas[i], tree.lemma(i + 1)
    fixed = _words().fixed
    if (lemma, following) in fixed:
        # `no doubt he left` is an adverb and affirms; as what there is, the same two words deny
        return not (lemma == "no" and tree.relations[i + 1] == "attr")  # `there is no doubt`
    if (tree.lemma(i - 1), lemma) in fixed:
        return True
    # `no fewer than ten` came: `no` compares two numbers here, and ten did come
    return lemma == "no" and tree.lemma(i + 2) == "than" and tree.tags[i + 1] in ("JJR", "RBR")


def _apply(tree: ClauseTree, found: Negation, i: int, kind: _Kind) -> None:
    if kind is _Kind.ADVERB:
        _apply_adverb(tree, found, i)
    elif kind is _Kind.DETERMINER:
        _apply_determiner(tree, found, i)
    elif kind is _Kind.PRONOUN:
        _negate_noun(tree, found, i, i)
    elif kind is _Kind.CONJUNCTION:
        _apply_conjunction(tree, found, i)
    elif kind is _Kind.GOVERNOR:
        _negate_governed(tree, found, i, i)
    elif kind is _Kind.JOINT:
        if (tree.lemmas[i], tree.lemma(i + 1)) in _words().joint:
            _apply_joint(tree, found, i)
    elif tree.heads[i] >= 0:
        found.weak.add(tree.predicates[i])


def _apply_adverb(tree: ClauseTree, found: Negation, i: int) -> None:
    target = tree.heads[i]
    if target < 0:
        return
    following = i + 1
    # `not every dog barked` denies the quantity and leaves open which dogs bark; `the dogs did not
    # bark` denies the predicate. What stands right behind `not` decides, not where the parser
    # attaches it
    if tree.lemma(following) in _QUANTIFYING and (
        target == following
        or (target == tree.heads[following] and tree.relations[following] in _MODIFIERS)
    ):
        noun = target
        if tree.relations[target] in _MODIFIERS and tree.heads[target] >= 0:
            noun = tree.heads[target]
        # `not many came` still lets some come: the noun is marked, and no clause is turned
        if tree.lemma(following) in _FEW or tree.lemma(i + 2) in _FEW:
            found.negators[noun] += (i,)
        else:
            _negate_noun(tree, found, noun, i)
        return
    _negate(tree, found, _lifted(tree, target), i)


def _lifted(tree: ClauseTree, target: int) -> int:
    """What an adverb or auxiliary stands for that a negator is attached to: `not yet known`."""
    while tree.heads[target] >= 0:
        relation = tree.relations[target]
        aside = relation == "advmod" and tree.lemma(target + 1) == ","
        if aside or relation not in ("advmod", "aux", "auxpass", "preconj", "cc"):
            break  # `not surprisingly, he left` denies the surprise alone
        target = tree.heads[target]
    return target


def _apply_determiner(tree: ClauseTree, found: Negation, i: int) -> None:
    noun = tree.heads[i]
    if noun < 0 or tree.relations[i] not in _DETERMINING:
        return
    # `No, he left`: an answer to something that was asked, no determiner
    if tree.tags[i] == "UH" and tree.relations[i] != "det":
        return
    # `no longer barks`: it belongs to an adverb, and the verb above that is denied
    if tree.parts[noun] == "ADV":
        _negate(tree, found, _lifted(tree, noun), i)
    else:
        _negate_noun(tree, found, noun, i)


def _apply_conjunction(tree: ClauseTree, found: Negation, i: int) -> None:
    """`neither` negates what it stands before, `nor` what it joins."""
    head = tree.heads[i]
    if head < 0 or tree.relations[i] in ARGUMENTS or tree.relations[i] == "pobj":
        _negate_noun(tree, found, i, i)
    elif tree.lemmas[i] == "nor":
        joined = tree.dependents(head, "conj")
        at = bisect_right(joined, i)
        target = joined[at] if at < len(joined) else -1
        if target < 0:
            _negate(tree, found, _lifted(tree, head), i)
        elif target in tree.clauses:
            _negate(tree, found, target, i)
        else:
            found.negators[target] += (i,)
    elif head in tree.clauses or tree.relations[head] not in ARGUMENTS:
        _negate(tree, found, _lifted(tree, head), i)
    else:
        _negate_noun(tree, found, head, i)


def _apply_joint(tree: ClauseTree, found: Negation, i: int) -> None:
    """`instead of` and `rather than` negate what follows."""
    if _negate_governed(tree, found, i + 1, i):
        return
    head = tree.heads[i + 1]
    for sibling in tree.children[head] if head >= 0 else ():
        if sibling > i + 1 and tree.relations[sibling] in ("conj", "xcomp", "advcl", "pobj"):
            _negate(tree, found, sibling, i)
            return


def _negate_governed(tree: ClauseTree, found: Negation, governor: int, by: int) -> bool:
    for child in tree.children[governor]:
        if tree.relations[child] in _GOVERNED:
            _negate(tree, found, child, by)
            return True
        if tree.lemmas[child] == "of" and tree.relations[child] == "prep":
            return _negate_governed(tree, found, child, by)
    return False


def _negate(tree: ClauseTree, found: Negation, target: int, by: int) -> None:
    """Negate a predicate with its clause, or a phrase; twice only by nouns: `cannot and will not`."""
    # two adverbs are one denial said twice, as in `cannot and will not pay`; but a negative noun
    # beside an adverb cancels it: `nobody did not come` is that all came
    negated = any(
        tree.heads[each] >= 0 and tree.tags[each] == "RB" for each in found.negators[target]
    )
    found.negators[target] += (by,)
    if negated and tree.tags[by] == "RB":
        return
    found.flips[target] = not found.flips[target]
    if target not in tree.clauses:
        _spare_contrast(tree, found, target)


def _spare_contrast(tree: ClauseTree, found: Negation, target: int) -> None:
    """Of `not tea but coffee`, the coffee is affirmed."""
    children, relations = tree.children[target], tree.relations
    if any(relations[c] == "cc" and tree.lemmas[c] in _ADVERSE for c in children):
        for child in children:
            if relations[child] == "conj" and child not in tree.clauses:
                found.flips[child] = not found.flips[child]


def _negate_noun(tree: ClauseTree, found: Negation, noun: int, by: int) -> None:
    """Negate a noun, and its clause where the noun is an argument: `no dog barks`."""
    # in `no air traffic` the determiner may hang on `air`, and the traffic is denied
    while tree.relations[noun] in ("compound", "nmod") and tree.heads[noun] >= 0:
        noun = tree.heads[noun]
    top = noun
    while tree.relations[top] == "conj" and tree.heads[top] >= 0 and top not in tree.clauses:
        top = tree.heads[top]
    # `no man or woman came`: the first conjunct has turned the clause already, and a second turn
    # would affirm it
    if top != noun and found.negators[top]:
        found.negators[noun] += (by,)
        return
    reached = _reached(tree, top)
    found.negators[noun] += (by,)
    if reached < 0:
        found.flips[noun] = not found.flips[noun]
        return
    if reached != noun:
        found.negators[reached] += (by,)
    found.flips[reached] = not found.flips[reached]


def _reached(tree: ClauseTree, noun: int) -> int:
    """The predicate over which the quantifier of a noun reaches; -1 for none but the noun."""
    relation, head = tree.relations[noun], tree.heads[noun]
    if noun in tree.clauses:
        return noun
    if relation in ARGUMENTS:
        return tree.predicates[head]
    # `was seen by nobody` denies the seeing, since an agent is a subject; `a man with no hat left`
    # denies only the hat, and the man left. Nouns listed as clausal reach out of their preposition:
    # `under no circumstances`
    if relation == "pobj" and (
        tree.relations[head] == "agent" or tree.lemmas[noun] in _words().clausal
    ):
        return tree.predicates[head]
    return -1


def _share(tree: ClauseTree, found: Negation, clause: Clause) -> None:
    """Negate a conjunct together with what it is joined to: `did not eat or drink`."""
    token = clause.token
    head = tree.heads[token]
    if found.negators[token] or not found.flips[head] or clause.coordinator in _ADVERSE:
        return
    # `he did not eat and she drank`: with a subject or an auxiliary of its own, a conjunct says
    # anew whether it holds
    if clause.subject >= 0 or clause.auxiliaries:
        return
    subject = tree.clauses[head].subject if head in tree.clauses else -1
    by_subject = subject >= 0 and bool(found.negators[subject])
    # `nobody ate and drank`, `did not eat or drink`: one negation over both. After `and` alone it
    # is not certain: `did not eat and left`
    if by_subject or clause.partner >= 0 or clause.coordinator in ("or", "nor"):
        found.negators[token] = found.negators[head]
        found.flips[token] = True


def _deny_presented(tree: ClauseTree, found: Negation, token: int) -> None:
    """Where there is no man singing, nobody sings."""
    host = tree.heads[tree.heads[token]]
    if found.flips[host]:
        found.negators[token] += found.negators[host]
        found.flips[token] = not found.flips[token]


def _spread(tree: ClauseTree, found: Negation) -> None:
    polarity, flips, heads, relations = found.polarity, found.flips, tree.heads, tree.relations
    clauses = tree.clauses
    for i in tree.order:
        # polarity is that of a clause's own facts: a relative clause inside a denied one is not
        # denied, as in `he did not see the man who left`
        anew = i in clauses or relations[i] == "appos"
        polarity[i] = (anew or polarity[heads[i]]) != flips[i]
