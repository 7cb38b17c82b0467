"""Whether the author commits to each clause, through all that embeds, negates and weakens it.

The polarity of a clause is projected through the signatures of its embedders as in Nairn, Condoravdi and
Karttunen 2006, section 4, from the outside to the inside. What is presupposed (the complements of factives,
relative clauses of definite nouns, appositions, adverbial clauses) passes negations, modals and conditions,
but not what others say or think (Karttunen 1973: holes and plugs).
"""

from __future__ import annotations

from dataclasses import dataclass

from ensue.language.contexts.clauses import SUBJECTS, Clause, Tree
from ensue.language.contexts.embedding import Embeddings
from ensue.language.contexts.modality import Modalities
from ensue.language.contexts.model import Commitment, Embedding, Modality, Quantity
from ensue.language.contexts.negation import Negation

_TRUE, _FALSE, _OPEN = Commitment.TRUE, Commitment.FALSE, Commitment.OPEN
_CONTRARY = {_TRUE: _FALSE, _FALSE: _TRUE, _OPEN: _OPEN}
_SIGNATURES = {
    Embedding.FACTIVE: (_TRUE, _TRUE),
    Embedding.COUNTERFACTIVE: (_FALSE, _FALSE),
    Embedding.IMPLICATIVE: (_TRUE, _FALSE),
    Embedding.NEGATIVE_IMPLICATIVE: (_FALSE, _TRUE),
    Embedding.ONE_WAY_POSITIVE: (_TRUE, _OPEN),
    Embedding.ONE_WAY_NEGATIVE: (_FALSE, _OPEN),
    Embedding.IF_NOT: (_OPEN, _FALSE),
    Embedding.UNLESS: (_OPEN, _TRUE),
}
"""Whether the complement holds where the embedder does, and where it does not; others: open."""
_PLUGS = frozenset({Embedding.REPORTED, Embedding.BELIEVED, Embedding.DENIED, Embedding.WANTED})
_SEEKING = frozenset(["want", "need", "seek", "desire", "require", "request", "demand", "lack"])
"""Verbs whose objects need not be there: `wants a car that flies`."""
_PRESUPPOSED = frozenset({Embedding.FACTIVE, Embedding.COUNTERFACTIVE})


@dataclass(frozen=True, slots=True)
class Known:
    """What has been found of a sentence before its commitments."""

    tree: Tree
    negation: Negation
    quantities: list[Quantity]
    embeddings: Embeddings
    modalities: Modalities

    def is_definite(self, token: int) -> bool:
        """Whether a noun is a name, a pronoun or definite."""
        quantity = self.quantities[token]
        if quantity is Quantity.NONE:
            return self.tree.parts[token] == "PROPN" or self.tree.tags[token] == "PRP"
        return quantity is Quantity.THE


def find_commitments(known: Known) -> list[Commitment]:
    """The author's commitment to the clause of each token, or to its phrase where that is negated."""
    tree = known.tree
    found = [_TRUE] * len(tree)
    contents: dict[int, Commitment] = {}
    plugged: set[int] = set()
    for token, clause in tree.clauses.items():
        content = _content(known, clause, found, contents, plugged)
        contents[token] = content
        found[token] = _own(known, clause, content)
    _spread(known, found)
    return found


def _content(
    known: Known,
    clause: Clause,
    found: list[Commitment],
    contents: dict[int, Commitment],
    plugged: set[int],
) -> Commitment:
    """The commitment to a clause as a whole, with its own negation and modals."""
    tree, token = known.tree, clause.token
    head = tree.heads[token]
    if head < 0:
        host = token
        asked = any(tree.lemmas[child] == "?" for child in tree.children[token][-2:])
        structural = _OPEN if asked else _TRUE
    else:
        host = tree.predicates[head]
        structural = _unembedded(known, clause, found, contents)
    embedding, embedder = known.embeddings.classes[token], known.embeddings.embedders[token]
    if host in plugged and structural is not _TRUE:
        plugged.add(token)
    if embedding is Embedding.NONE:
        return structural
    if embedding in _PLUGS:
        plugged.add(token)
    if tree.relations[token] == "conj" and known.embeddings.embedders[host] == embedder:
        return contents.get(host, _OPEN)
    affirmed, denied = _SIGNATURES.get(embedding, (_OPEN, _OPEN))
    outer = structural
    if tree.predicates[embedder] != token:
        outer = _of_embedder(known, embedder, found)
    if outer is _OPEN:
        presupposed = embedding in _PRESUPPOSED and host not in plugged
        return affirmed if presupposed else _OPEN
    return affirmed if outer is _TRUE else denied


def _unembedded(
    known: Known, clause: Clause, found: list[Commitment], contents: dict[int, Commitment]
) -> Commitment:
    """The commitment to a clause that nothing embeds, for where it stands."""
    tree, token = known.tree, clause.token
    head, relation = tree.heads[token], tree.relations[token]
    host = tree.predicates[head]
    if relation in ("relcl", "acl"):
        if tree.presents(token):
            return _OPEN if found[host] is _OPEN else _TRUE
        if known.is_definite(head) and clause.form != "to":
            return _TRUE
        if tree.relations[head] == "dobj" and tree.lemmas[host] in _SEEKING:
            return _OPEN
        fresh = found[host] is _TRUE and not known.negation.negators[head]
        return _TRUE if fresh else _OPEN
    content = contents.get(host, _TRUE)
    if relation == "conj":
        return content
    if relation in SUBJECTS:
        return _TRUE if found[host] is _TRUE else _OPEN
    return _OPEN if content is _OPEN else _TRUE


def _of_embedder(known: Known, embedder: int, found: list[Commitment]) -> Commitment:
    """The commitment to what embeds a clause: a predicate, or a noun or adjective of one."""
    tree = known.tree
    host = tree.predicates[embedder]
    if embedder == host:
        return found[host]
    if tree.relations[embedder] != "attr" and tree.parts[embedder] == "NOUN":
        if known.negation.negators[embedder]:
            return _FALSE
        if known.is_definite(embedder) and found[host] is not _OPEN:
            return _TRUE  # `their failure to pay did not surprise us`: they failed
    return found[host]


def _own(known: Known, clause: Clause, content: Commitment) -> Commitment:
    """The commitment to a predicate, without the negation and the modals of its clause."""
    token = clause.token
    affirmed = known.negation.polarity[token]
    if affirmed and _is_alternative(known.tree, clause):
        return _OPEN
    modality, modal = known.modalities.modalities[token], known.modalities.modals[token]
    if modality is not Modality.ACTUAL and _is_inside(known.tree, clause, modal):
        return _FALSE if modality is Modality.NOT_POSSIBLE and content is _TRUE else _OPEN
    return content if affirmed else _CONTRARY[content]


def _is_inside(tree: Tree, clause: Clause, modal: int) -> bool:
    return tree.predicates[modal] in (clause.token, clause.partner)


def _is_alternative(tree: Tree, clause: Clause) -> bool:
    """Whether a clause is joined to another by `or`."""
    if clause.coordinator == "or":
        return True
    for child in tree.children[clause.token]:
        joined = tree.clauses.get(child)
        if joined is not None and joined.coordinator == "or":
            return True
    return False


def _spread(known: Known, found: list[Commitment]) -> None:
    tree, flips = known.tree, known.negation.flips
    heads, relations, clauses = tree.heads, tree.relations, tree.clauses
    for i in tree.order:
        if i in clauses:
            continue
        if relations[i] == "appos" and known.is_definite(heads[i]):
            value = _TRUE
        else:
            value = found[heads[i]]
        found[i] = _CONTRARY[value] if flips[i] else value
