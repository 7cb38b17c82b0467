"""What embeds each clause, and as what: known, managed, failed, said, wanted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ensue.errors import DataError
from ensue.language.contexts.clauses import (
    SUBJECTS,
    Clause,
    ClauseTree,
    Embedding,
    choice,
    read_rows,
)

_NONE = Embedding.NONE
_Found = tuple[Embedding, int]
_NOTHING: _Found = (_NONE, -1)

_LETTERS = {"verb": "V", "noun": "N", "adjective": "J", "adverb": "R"}
_PARTS = {
    "VERB": ("V", "J"),
    "AUX": ("V",),
    "NOUN": ("N",),
    "PROPN": ("N",),
    "ADJ": ("J", "V"),
    "ADV": ("J",),
}
"""Under which parts of speech a word is looked up: participles are tagged either way."""
_COMPLEMENTS = frozenset({"ccomp", "xcomp", "csubj", "csubjpass"})
_COPULAS = frozenset({"be", "seem", "appear", "become", "remain", "look", "feel", "make", "find"})
_PREDICATIVE = frozenset({"acomp", "attr", "oprd", "dobj"})
_SUBJECT = frozenset({"nsubj", "nsubjpass"})
_CONDITIONS = frozenset(["if", "unless", "provided", "providing", "lest", "whether"])
_UTTERING = frozenset({"make", "have", "give", "hear", "hold", "express", "issue", "raise"})
"""Verbs with which a noun is rather their object: `the claim that he made`."""
_INVERTED = frozenset({"have", "should", "be"})
_ORDINALS = frozenset(
    ["first", "last", "only", "second", "third", "next", "fourth", "fifth", "latest"]
)
_SAYING = frozenset({Embedding.REPORTED, Embedding.BELIEVED})
_VERB_DEFAULTS = {
    "that": Embedding.REPORTED,
    "whether": Embedding.QUESTIONED,
    "to": Embedding.WANTED,
}
_OTHER_DEFAULTS = {
    "that": Embedding.BELIEVED,
    "whether": Embedding.QUESTIONED,
    "to": Embedding.MODAL,
}


@dataclass(frozen=True, slots=True)
class Embeddings:
    """What embeds the clauses of a sentence; lists over its tokens."""

    classes: list[Embedding]
    embedders: list[int]


@cache
def _words() -> dict[tuple[str, str, str], Embedding]:
    """The class of each lemma, letter of its part of speech, and complement."""
    found = {}
    for place, (lemma, part, complements, cell) in read_rows("embedders.tsv", 4):
        if part not in _LETTERS:
            raise DataError(
                "no-part-speech-called", f"no part of speech is called {part!r}", place=place
            )
        for complement in complements.split(","):
            found[lemma, _LETTERS[part], complement] = choice(Embedding, cell, place)
    return found


@cache
def _adverbs() -> dict[str, Embedding]:
    return {lemma: kind for (lemma, part, _), kind in _words().items() if part == "R"}


def find_embeddings(tree: ClauseTree) -> Embeddings:
    """What embeds each clause of a sentence."""
    n = len(tree)
    found = Embeddings([_NONE] * n, [-1] * n)
    _find_adverbs(tree, found)
    _find_conditions(tree, found)
    for token, clause in tree.clauses.items():
        kind, embedder = _embedded(tree, found, clause)
        if kind is not _NONE:
            found.classes[token], found.embedders[token] = kind, embedder
    return found


def _find_adverbs(tree: ClauseTree, found: Embeddings) -> None:
    """Adverbs and `according to` embed the clause that they stand in."""
    adverbs, clauses = _adverbs(), tree.clauses
    for i, lemma in enumerate(tree.lemmas):
        head = tree.heads[i]
        if head < 0:
            continue
        if lemma in adverbs and tree.relations[i] == "advmod":
            # `allegedly innocent` embeds too; other adverbs before an adjective only grade it
            verbal = tree.parts[head] in ("VERB", "AUX") or adverbs[lemma] in _SAYING
            if head in clauses and verbal:
                found.classes[head], found.embedders[head] = adverbs[lemma], i
        elif lemma in ("accord", "according") and tree.lemma(i + 1) == "to":
            predicate = tree.predicates[head]
            if i != predicate:
                found.classes[predicate], found.embedders[predicate] = Embedding.REPORTED, i


def _find_conditions(tree: ClauseTree, found: Embeddings) -> None:
    """A condition makes what it is a condition of conditional, too; `even if` does not."""
    for token, clause in tree.clauses.items():
        if tree.relations[token] == "advcl" and tree.heads[token] >= 0:
            mark = _condition(tree, clause)
            host = tree.predicates[tree.heads[token]]
            # `he came even if it rained` says that he came; so does `as if`, which only compares
            if mark >= 0 and tree.lemma(mark - 1) not in ("even", "as", "only"):
                found.classes[host], found.embedders[host] = Embedding.CONDITIONAL, mark
        # `It rained, he said`: what follows its quotation embeds it all the same
        elif tree.relations[token] == "parataxis" and tree.heads[token] >= 0:
            kind = _lookup(tree, token, "that")
            host = tree.predicates[tree.heads[token]]
            if kind in _SAYING:
                found.classes[host], found.embedders[host] = kind, token


def _condition(tree: ClauseTree, clause: Clause) -> int:
    """The word that makes a clause a condition: `if`, or the `had` of `had he left`; -1 for none."""
    for mark in clause.marks:
        if tree.lemmas[mark] in _CONDITIONS:
            return mark
    first = clause.auxiliaries[0] if clause.auxiliaries else -1
    if 0 <= first < clause.subject and tree.lemmas[first] in _INVERTED:
        return first
    return -1


def _embedded(tree: ClauseTree, found: Embeddings, clause: Clause) -> _Found:
    token = clause.token
    relation, head = tree.relations[token], tree.heads[token]
    if head < 0:
        return _NOTHING
    if relation in _COMPLEMENTS:
        return _complement(tree, clause, head)
    if relation in ("acl", "relcl"):
        return _noun_complement(tree, clause, head)
    if relation == "advcl":
        return _adverbial(tree, clause, head)
    if relation in ("pcomp", "pobj"):
        return _gerund(tree, head)
    if relation == "conj" and head in tree.clauses:
        return found.classes[head], found.embedders[head]
    return _NOTHING


def _lookup(tree: ClauseTree, token: int, form: str) -> Embedding:
    words, lemma = _words(), tree.lemmas[token]
    for part in _PARTS.get(tree.parts[token], ()):
        kind = words.get((lemma, part, form))
        if kind is not None:
            return kind
    return _lookup(tree, token, "to") if form == "bare" else _NONE


def _complement(tree: ClauseTree, clause: Clause, head: int) -> _Found:
    form, token = clause.form, clause.token
    if tree.parts[token] not in ("VERB", "AUX") and not clause.auxiliaries and not clause.marks:
        form = "bare"  # a small clause: `made him happy`
    # `has yet to come` has not come
    if form == "to" and (yet := _yet(tree, head)) >= 0:
        return Embedding.NEGATIVE_IMPLICATIVE, yet
    kind, embedder = _predicative(tree, head, form)
    if kind is not _NONE:
        return kind, embedder
    # `too tired to walk` outweighs what `tired` embeds by itself
    degree = _degree(tree, head) if form == "to" else _NONE
    kind = degree if degree is not _NONE else _lookup(tree, head, form)
    if (
        tree.relations[token] in SUBJECTS
    ):  # of `that he left surprised us`, not of `eating keeps fit`
        return (kind, head) if kind is Embedding.FACTIVE else _NOTHING
    if kind is not _NONE:
        return kind, head
    return _default(tree, clause, head, form)


def _predicative(tree: ClauseTree, head: int, form: str) -> _Found:
    """The noun or adjective of a copula that embeds what depends on the copula: `it is clear that`."""
    if tree.lemmas[head] not in _COPULAS:
        return _NOTHING
    predicative = tree.child(head, _PREDICATIVE)
    if predicative >= 0:
        degree = _degree(tree, predicative) if form == "to" else _NONE
        kind = degree if degree is not _NONE else _lookup(tree, predicative, form)
        if kind is not _NONE:
            return kind, predicative
    subject = tree.child(head, _SUBJECT)
    if subject >= 0 and tree.parts[subject] == "NOUN" and tree.lemmas[head] == "be":
        return _lookup(tree, subject, form), subject
    return _NOTHING


def _degree(tree: ClauseTree, token: int) -> Embedding:
    """`Too tired to walk` denies the walk, `old enough to drive` affirms the drive."""
    if tree.lemmas[token] == "enough":
        return Embedding.IMPLICATIVE
    for child in tree.children[token]:
        if tree.lemmas[child] == "too" and tree.relations[child] == "advmod":
            return Embedding.NEGATIVE_IMPLICATIVE
        if tree.lemmas[child] == "enough":
            return Embedding.IMPLICATIVE
    return _NONE


def _yet(tree: ClauseTree, head: int) -> int:
    """The `yet` of `has yet to come`; -1 for none."""
    if tree.lemmas[head] in ("have", "be"):
        for child in tree.children[head]:
            if tree.lemmas[child] == "yet":
                return child
    return -1


def _default(tree: ClauseTree, clause: Clause, head: int, form: str) -> _Found:
    """What an embedder that is in no list most likely says."""
    if tree.parts[head] not in ("VERB", "AUX"):
        return _OTHER_DEFAULTS.get(form, Embedding.ONE_WAY_POSITIVE), head
    # a clause before its verb without `that` is as often a sentence that was joined by a comma; to
    # take it for reported speech would unsay it
    if form == "that" and not clause.marks and clause.token < head:
        return _NOTHING  # two sentences in a row
    # `the truth is that he left`: a copula says the same of both sides, and is true or false with
    # its complement
    if form == "that" and tree.lemmas[head] == "be":
        return Embedding.IMPLICATIVE, head
    return _VERB_DEFAULTS.get(form, Embedding.ONE_WAY_POSITIVE), head


def _noun_complement(tree: ClauseTree, clause: Clause, noun: int) -> _Found:
    if clause.form == "to":
        # `the first man to walk on the moon` walked there; `the man to see` need not be seen
        if _is_ordinal(tree, noun):
            return _NOTHING
        kind = _lookup(tree, noun, "to")
        return (kind if kind is not _NONE else Embedding.MODAL), noun
    if clause.form in ("that", "whether") and _has_complementizer(tree, clause):
        kind = _lookup(tree, noun, clause.form)
        return (kind if kind is not _NONE else _OTHER_DEFAULTS[clause.form]), noun
    return _NOTHING


def _is_ordinal(tree: ClauseTree, noun: int) -> bool:
    """Whether an infinitive says what happened, as in `the first man to walk on the moon`."""
    if tree.lemmas[noun] == "time":
        return False
    ordinal = any(tree.lemmas[child] in _ORDINALS for child in tree.children[noun])
    return ordinal or tree.lemmas[noun] in _ORDINALS


def _has_complementizer(tree: ClauseTree, clause: Clause) -> bool:
    """Whether a clause says what its noun is, as in `the fact that`, and not which one is meant."""
    children = tree.children[clause.token]
    n_objects = sum(tree.relations[child] == "dobj" for child in children)
    # `the claim that he made` has a gap where its object would be, so it is a relative clause; `the
    # claim that he made a mistake` has none
    if tree.lemmas[clause.token] in _UTTERING and n_objects == 0:
        return False
    if clause.marks:
        return tree.lemmas[clause.marks[0]] in ("that", "whether", "if")
    if not children or tree.lemmas[children[0]] != "that":
        return False
    return tree.tags[children[0]] == "IN" or n_objects > 1


def _adverbial(tree: ClauseTree, clause: Clause, head: int) -> _Found:
    mark = _condition(tree, clause)
    if mark >= 0:
        return Embedding.CONDITIONAL, mark
    if clause.form == "to":
        kind = _lookup(tree, head, "to")
        # `he stopped to rest`: an infinitive that is an adverbial tells an aim, even of a verb that
        # would imply its complement
        purpose = kind in (_NONE, Embedding.IMPLICATIVE)
        return (Embedding.WANTED if purpose else kind), head
    if any(tree.lemmas[mark] == "that" for mark in clause.marks):
        kind = _lookup(tree, head, "that")
        return (kind, head) if kind is not _NONE else _NOTHING
    return _NOTHING


def _gerund(tree: ClauseTree, preposition: int) -> _Found:
    governor = tree.heads[preposition]
    if governor < 0:
        return _NOTHING
    kind = _lookup(tree, governor, tree.lemmas[preposition])
    return (kind, governor) if kind is not _NONE else _NOTHING
