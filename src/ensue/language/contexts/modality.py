"""What may or must be, and when it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise

from ensue.language.contexts.categories import Embedding, Modality, Tense, choice, read_rows
from ensue.language.contexts.clauses import Clause, ClauseTree
from ensue.language.contexts.embedding import Embeddings

_ACTUAL = Modality.ACTUAL
_FINITE_TENSES = {"VBD": Tense.PAST, "VBZ": Tense.PRESENT, "VBP": Tense.PRESENT}
_WILL = frozenset({"will", "shall", "'ll"})
_FUTURE = _WILL | {"would", "'d"}
_OPEN = frozenset(
    {Embedding.WANTED, Embedding.MODAL, Embedding.IF_NOT, Embedding.CONDITIONAL, Embedding.UNLESS}
)
"""Embedders whose infinitives say nothing of when."""
_Pair = tuple[Modality, Modality]


class _Kind(StrEnum):
    AUXILIARY = "auxiliary"
    ADVERB = "adverb"
    COMPLEMENT = "complement"


@dataclass(frozen=True, slots=True)
class Modalities:
    """What may or must be; lists over the tokens, meant at predicates."""

    modalities: list[Modality]
    modals: list[int]


@cache
def _words() -> dict[_Kind, dict[str, _Pair]]:
    """For each kind of modal, what each lemma says affirmed and negated."""
    found: dict[_Kind, dict[str, _Pair]] = {kind: {} for kind in _Kind}
    for place, (lemma, kind, affirmed, negated) in read_rows("modals.tsv", 4):
        pair = choice(Modality, affirmed, place), choice(Modality, negated, place)
        found[choice(_Kind, kind, place)][lemma] = pair
    return found


def find_modalities(tree: ClauseTree, polarity: list[bool], embeddings: Embeddings) -> Modalities:
    """The modality of each clause of a sentence, and of all that belongs to it."""
    n = len(tree)
    found = Modalities([_ACTUAL] * n, [-1] * n)
    _find_adverbs(tree, found)
    for clause in tree.clauses.values():
        _find(tree, found, clause, polarity, embeddings)
    _spread(tree, found)
    return found


def _find_adverbs(tree: ClauseTree, found: Modalities) -> None:
    adverbs = _words()[_Kind.ADVERB]
    for i, lemma in enumerate(tree.lemmas):
        if lemma in adverbs and tree.tags[i] == "RB" and tree.heads[i] >= 0:
            predicate = tree.predicates[i]
            negated = tree.lemma(i - 1) == "not"
            found.modalities[predicate] = adverbs[lemma][negated]
            found.modals[predicate] = i


def _find(
    tree: ClauseTree,
    found: Modalities,
    clause: Clause,
    polarity: list[bool],
    embeddings: Embeddings,
) -> None:
    token, words = clause.token, _words()
    for auxiliary in clause.auxiliaries:
        pair = words[_Kind.AUXILIARY].get(tree.lemmas[auxiliary])
        if pair is not None and pair[0] is not _ACTUAL:
            found.modalities[token] = pair[not polarity[token]]
            found.modals[token] = auxiliary
            return
    if clause.partner >= 0:
        found.modalities[token] = found.modalities[clause.partner]
        found.modals[token] = found.modals[clause.partner]
    embedder = embeddings.embedders[token]
    if embedder < 0 or found.modals[token] >= 0:
        return
    pair = words[_Kind.COMPLEMENT].get(tree.lemmas[embedder])
    if pair is not None and embeddings.classes[token] is not Embedding.CONDITIONAL:
        found.modalities[token] = pair[not polarity[embedder]]
        found.modals[token] = embedder


def _spread(tree: ClauseTree, found: Modalities) -> None:
    modalities, modals = found.modalities, found.modals
    if any(modal >= 0 for modal in modals):
        for i, predicate in enumerate(tree.predicates):
            modalities[i], modals[i] = modalities[predicate], modals[predicate]


def find_tenses(tree: ClauseTree, embeddings: Embeddings) -> list[Tense]:
    """The tense of each predicate; no tense at other tokens."""
    tenses = [Tense.NONE] * len(tree)
    for token, clause in tree.clauses.items():
        tenses[token] = _tense(tree, clause, tenses, embeddings)
    return tenses


def _tense(tree: ClauseTree, clause: Clause, tenses: list[Tense], embeddings: Embeddings) -> Tense:
    token = clause.token
    if clause.auxiliaries:
        first = clause.auxiliaries[0]
        tag, lemma = tree.tags[first], tree.lemmas[first]
        has = any(tree.lemmas[each] == "have" for each in clause.auxiliaries)
        if tag == "MD":
            if has and lemma not in _WILL:
                return Tense.PAST
            return Tense.FUTURE if lemma in _FUTURE else Tense.PRESENT
        if has and _tag_behind_have(tree, clause) in ("VBN", "VBD"):
            return Tense.PAST
        if tag in _FINITE_TENSES:
            return _FINITE_TENSES[tag]
    elif tree.tags[token] in _FINITE_TENSES:
        return _FINITE_TENSES[tree.tags[token]]
    if clause.partner >= 0:
        return tenses[clause.partner]
    return _borrowed_tense(tree, clause, tenses, embeddings.classes[token])


def _tag_behind_have(tree: ClauseTree, clause: Clause) -> str:
    """The tag of what stands behind `have`: the next auxiliary or the verb."""
    chain = (*clause.auxiliaries, clause.token)
    for one, following in pairwise(chain):
        if tree.lemmas[one] == "have":
            return tree.tags[following]
    return ""


def _borrowed_tense(
    tree: ClauseTree, clause: Clause, tenses: list[Tense], embedding: Embedding
) -> Tense:
    """The tense of an infinitive or participle, after what it depends on."""
    token = clause.token
    head = tree.heads[token]
    if head < 0:
        return Tense.NONE
    if tree.lemmas[head] == "go" and tree.tags[head] == "VBG" and clause.form == "to":
        return Tense.FUTURE
    if (
        tree.lemmas[head] in ("be", "about")
        and clause.form == "to"
        and embedding is Embedding.MODAL
    ):
        return Tense.FUTURE
    if tree.lemmas[head] == "use" and clause.form == "to":
        return Tense.PAST
    if tree.tags[token] == "VBN" and tree.relations[token] in ("acl", "relcl", "advcl"):
        return Tense.PAST
    if embedding in _OPEN:
        return Tense.NONE
    return tenses[tree.predicates[head]]
