"""Predicates that the parser takes for something else."""

from __future__ import annotations

from ensue.logic.parsing.kinds import closed_classes
from ensue.logic.parsing.tree import Mend, Tree

_SUBJECTS = ("nsubj", "csubj")
_THAT_CLAUSE = 26
"""WordNet's frame *somebody ----s that CLAUSE*."""


def _find_passives(tree: Tree) -> None:
    """*is worried*, *was sung*: a participle after *be* is a passive verb."""
    for token, relation in enumerate(tree.relations):
        be = tree.heads[token]
        if relation != "acomp" or be < 0 or tree.lemmas[be] != "be":
            continue
        verb = tree.verb_lemma(token)
        if not verb or verb == tree.words[token] or not _is_participle(tree, token):
            continue
        tree.retag(token, "VBN", "VERB", verb)
        tree.put_in_place_of(token, be)
        tree.relations[be] = "auxpass"
        for each in tree.children(be):
            tree.heads[each] = token
            if tree.relations[each] in _SUBJECTS:
                tree.relations[each] += "pass"


def _is_participle(tree: Tree, token: int) -> bool:
    return tree.tags[token] == "VBN" or tree.words[token].endswith(("ed", "en"))


def _join_clauses(tree: Tree) -> None:
    """*He came, she saw, and they won*: the first of the clauses is not what the second says."""
    for token, relation in enumerate(tree.relations):
        head = tree.heads[token]
        if relation not in ("ccomp", "dep", "parataxis", "advcl") or head < 0 or token > head:
            continue
        if tree.children(token, "mark") or tree.parts[token] not in ("VERB", "AUX"):
            continue
        if not tree.children(token, "nsubj", "nsubjpass", "csubj", "csubjpass"):
            continue
        subject = tree.child(head, "nsubj", "nsubjpass", "csubj", "csubjpass")
        if not token < subject < head or _may_embed(tree, token, head):
            continue
        tree.changes.append(f"{tree.words[head]} is joined to {tree.words[token]}")
        tree.heads[token], tree.relations[token] = tree.heads[head], tree.relations[head]
        tree.heads[head], tree.relations[head] = token, "conj"


def _may_embed(tree: Tree, token: int, head: int) -> bool:
    """*Mary left, John said*; *had Mary left, John would weep*: clauses of which one says the other."""
    says = _THAT_CLAUSE in tree.lexicon.frames(tree.lemmas[head], senses=2)
    supposes = any(tree.tags[each] == "MD" for each in tree.children(head, "aux"))
    first = min([token, *tree.children(token)])
    return says or (supposes and tree.words[first] in ("had", "were", "should"))


def _name_gerunds(tree: Tree) -> None:
    """*John's sending a book*: a noun that has an object as its verb has."""
    for token, relation in enumerate(tree.relations):
        verb = tree.heads[token]
        if relation == "poss" and tree.tags[verb] == "VBG" and tree.parts[verb] == "VERB":
            tree.changes.append(f"{tree.words[verb]} is a noun")
            tree.parts[verb] = "NOUN"
            if tree.relations[verb] in ("csubj", "csubjpass"):
                tree.relations[verb] = tree.relations[verb].replace("csubj", "nsubj")


def _find_particles(tree: Tree) -> None:
    """*threw the box away*, *picked it up*: a word that makes one verb with its verb."""
    for token, relation in enumerate(tree.relations):
        verb = tree.heads[token]
        if relation not in ("advmod", "prep") or tree.parts[verb] != "VERB" or token < verb:
            continue
        if not _is_particle(tree, token) or (relation == "prep" and not _is_bare(tree, token)):
            continue
        if tree.lexicon.lemmas(f"{tree.lemmas[verb]} {tree.words[token]}", "verb"):
            tree.attach(token, verb, "prt")


def _is_bare(tree: Tree, token: int) -> bool:
    """Whether a preposition has no object, neither after it nor as the noun of a relative clause."""
    verb = tree.heads[token]
    has_object = bool(tree.children(verb, "dobj")) and tree.relations[verb] != "relcl"
    return has_object and not tree.children(token)


def _is_particle(tree: Tree, token: int) -> bool:
    return any(way.kind == "x" for way in closed_classes().get(tree.words[token], ()))


PARTICLES = Mend(
    "particle",
    "throw advmod(away) → throw prt(away)",
    _find_particles,
    ("Ann threw the box away.",),
)
GERUNDS = Mend(
    "gerund",
    "sending/VERB poss(N) → sending/NOUN poss(N)",
    _name_gerunds,
    ("John's sending a book to Mary surprised Ann.",),
)
MENDS = (
    Mend(
        "passive",
        "is acomp(worried) → worried auxpass(is)",
        _find_passives,
        ("Ann is worried by the noise.",),
    ),
    Mend(
        "clauses",
        "V ccomp(W) → W conj(V)",
        _join_clauses,
        ("Ann came, Paul saw her, and they won.",),
    ),
)
