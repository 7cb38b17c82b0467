"""Which way the words of a sentence may be exchanged for more general or more special ones.

After van Benthem 1986 and Sánchez Valencia 1991; the quantifiers' effects as in Barwise and Cooper 1981,
the embedders' after Nairn, Condoravdi and Karttunen 2006.
"""

from __future__ import annotations

from ensue.language.contexts.clauses import SUBJECTS, Clause, Tree
from ensue.language.contexts.commitment import Known
from ensue.language.contexts.model import Embedding, Monotonicity, Quantity
from ensue.language.contexts.negation import ARGUMENTS
from ensue.language.contexts.quantity import Quantities

_UP, _DOWN = Monotonicity.POSITIVE, Monotonicity.NEGATIVE
_UNIVERSAL, _NEITHER = Monotonicity.UNIVERSAL, Monotonicity.NEITHER
_TURNED = {_UP: _DOWN, _DOWN: _UP, _UNIVERSAL: _UP, _NEITHER: _NEITHER}
_TURNING = frozenset(
    {
        Embedding.COUNTERFACTIVE,
        Embedding.NEGATIVE_IMPLICATIVE,
        Embedding.ONE_WAY_NEGATIVE,
        Embedding.DENIED,
        Embedding.UNLESS,
    }
)
_OUTSIDE = frozenset({Quantity.SOME, Quantity.NUMBER, Quantity.MANY})
"""Quantities of subjects to which the negation of a verb does not reach: `a dog did not bark`."""


def find_monotonicity(known: Known, quantities: Quantities) -> list[Monotonicity]:
    """The monotonicity of the place of each token."""
    tree = known.tree
    weak = known.negation.weak | _weakened(tree, quantities)
    if not (weak or True in known.negation.flips or _has_cause(known, quantities)):
        return [_UP] * len(tree)
    found = [_UP] * len(tree)
    outside: dict[int, Monotonicity] = {}
    for i in tree.order:
        clause = tree.clauses.get(i)
        if clause is not None:
            outside[i] = _entering(known, clause, found, outside)
            turned = known.negation.flips[i] != (i in weak)
            found[i] = _TURNED[outside[i]] if turned else outside[i]
        else:
            found[i] = _inside(known, quantities, i, found, outside)
    return found


def _has_cause(known: Known, quantities: Quantities) -> bool:
    """Whether anything but negation may turn the way; most sentences have nothing."""
    if Quantity.ALL in quantities.quantities or Quantity.MOST in quantities.quantities:
        return True
    if quantities.bounded:
        return True
    classes = known.embeddings.classes
    return Embedding.CONDITIONAL in classes or any(each in _TURNING for each in classes)


def _weakened(tree: Tree, quantities: Quantities) -> set[int]:
    """Predicates with few or at most so many as an argument."""
    found = set()
    nouns = [token for token, most in quantities.bounded.items() if most]
    if Quantity.FEW in quantities.quantities:
        few = quantities.quantities
        nouns += [i for i, quantity in enumerate(few) if quantity is Quantity.FEW]
    for noun in nouns:
        if noun in tree.clauses or tree.relations[noun] in ARGUMENTS:
            found.add(tree.predicates[noun])
    return found


def _entering(
    known: Known,
    clause: Clause,
    found: list[Monotonicity],
    outside: dict[int, Monotonicity],
) -> Monotonicity:
    """The way of the place where a clause stands, before its own negation."""
    tree, token = known.tree, clause.token
    head = tree.heads[token]
    if head < 0:
        return _UP
    relation, embedding = tree.relations[token], known.embeddings.classes[token]
    host = tree.predicates[head]
    if relation in ("relcl", "acl") and embedding is Embedding.NONE:
        return outside.get(host, _UP) if tree.presents(token) else found[head]
    if relation == "conj" or embedding is Embedding.NONE:
        return outside.get(host, _UP)
    if embedding is Embedding.FACTIVE:
        return _UP
    if embedding is Embedding.CONDITIONAL:
        way = outside.get(host, _UP)
        return _TURNED[way] if relation == "advcl" else way
    embedder = known.embeddings.embedders[token]
    inner = tree.predicates[embedder] == token
    way = outside.get(host, _UP) if inner else found[embedder]
    return _TURNED[way] if embedding in _TURNING else way


def _inside(
    known: Known,
    quantities: Quantities,
    i: int,
    found: list[Monotonicity],
    outside: dict[int, Monotonicity],
) -> Monotonicity:
    """The way of a token within its clause."""
    tree = known.tree
    head, quantity = tree.heads[i], quantities.quantities[i]
    if known.is_definite(i) or (tree.relations[i] == "appos" and known.is_definite(head)):
        return _TURNED[_UP] if known.negation.flips[i] else _UP
    way = found[head]
    if quantity in _OUTSIDE and tree.relations[i] in SUBJECTS and i not in quantities.bounded:
        predicate = tree.predicates[i]
        if not known.negation.negators[i] and head == predicate:
            way = outside.get(predicate, way)
    if known.negation.flips[i]:
        way = _TURNED[way]
    return _restricted(quantities, i, way)


def _restricted(quantities: Quantities, i: int, way: Monotonicity) -> Monotonicity:
    """The way of a noun that its quantity restricts."""
    quantity = quantities.quantities[i]
    if quantity is Quantity.ALL or quantity is Quantity.NOT_ALL:
        return _UP if way is _DOWN else _UNIVERSAL
    if quantity is Quantity.MOST or quantities.bounded.get(i) is False:
        return _NEITHER
    return way
