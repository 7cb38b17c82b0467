"""Sentences that are cut in two to stress a part of them, put together again (Jespersen 1937)."""

from __future__ import annotations

from ensue.language.graphs import RELATIVE_TAGS
from ensue.logic.parsing.tree import Mend, Tree


def _join_clefts(tree: Tree) -> None:
    """*It was John who sent it*: John sent it."""
    for be in range(len(tree.words)):
        subject = tree.child(be, "nsubj") if tree.lemmas[be] == "be" else -1
        if subject < 0 or tree.words[subject] != "it":
            continue
        noun = tree.child(be, "attr")
        verb = tree.child(noun, "relcl") if noun >= 0 else -1
        if verb < 0:
            continue
        pronoun = _pronoun(tree, verb)
        if pronoun >= 0:
            _put_together(tree, be, noun, verb, pronoun)
            tree.relations[subject] = "expl"


def _join_free_relatives(tree: Tree) -> None:
    """*What John sent was a book*: John sent a book."""
    for be in range(len(tree.words)):
        noun = tree.child(be, "attr") if tree.lemmas[be] == "be" else -1
        verb = tree.child(be, "csubj") if noun >= 0 else -1
        if verb < 0:
            continue
        pronoun = tree.child(verb, "dobj", "nsubj", "nsubjpass")
        if pronoun >= 0 and tree.words[pronoun] == "what":
            _put_together(tree, be, noun, verb, pronoun)


def _pronoun(tree: Tree, verb: int) -> int:
    """The relative pronoun of a clause, of its verb or of a preposition there; -1 for none."""
    for each in tree.children(verb):
        for token in (each, *tree.children(each, "pobj")):
            is_that = tree.words[token] == "that" and tree.relations[token] != "mark"
            if tree.tags[token] in RELATIVE_TAGS or is_that:
                return token
    return -1


def _put_together(tree: Tree, be: int, noun: int, verb: int, pronoun: int) -> None:
    """Let the clause take the place of the copula, and the noun that of its pronoun."""
    tree.changes.append(f"{tree.words[noun]} stands for {tree.words[pronoun]}")
    stranded = _stranded(tree, verb) if tree.relations[pronoun] == "dobj" else -1
    place = (stranded, "pobj") if stranded >= 0 else (tree.heads[pronoun], tree.relations[pronoun])
    tree.heads[noun], tree.relations[noun] = place
    tree.put_in_place_of(verb, be)
    for each in (be, pronoun):
        tree.heads[each], tree.relations[each] = verb, "expl"
    for each in tree.children(be):
        tree.heads[each] = verb


def _stranded(tree: Tree, verb: int) -> int:
    """The preposition of a verb that lacks its object: *laughed at*; -1 for none."""
    found = [each for each in tree.children(verb, "prep") if tree.child(each, "pobj", "pcomp") < 0]
    return found[0] if found else -1


MENDS = (
    Mend(
        "cleft",
        "is nsubj(it) attr(N relcl(V nsubj(who))) → V nsubj(N)",
        _join_clefts,
        ("It was John who sent the book.", "It was a book that John sent."),
    ),
    Mend(
        "cleft",
        "is csubj(V dobj(what)) attr(N) → V dobj(N)",
        _join_free_relatives,
        ("What John sent was a book.",),
    ),
)
