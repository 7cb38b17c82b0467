"""A sentence as clauses: each token's predicate, and each predicate with what belongs to it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from ensue.language.sentence import Sentence

SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
AUXILIARIES = frozenset({"aux", "auxpass"})
FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
"""Tags of verbs with a tense of their own."""

_CLAUSES = frozenset({"ccomp", "advcl", "relcl", "acl", "csubj", "csubjpass", "parataxis"})
_CLAUSES_OF_VERBS = frozenset({"xcomp", "pcomp", "conj", "pobj", "dep", "prep"})
_PHRASAL = frozenset({"det", "amod", "compound", "poss", "nummod"})
_EXPLETIVE = frozenset({"expl"})
_SHARING = frozenset({"VB", "VBN", "VBG"})
_QUESTIONS = frozenset({"whether", "if"})


@dataclass(frozen=True, slots=True)
class Clause:
    """A predicate with what belongs to it directly."""

    token: int
    auxiliaries: tuple[int, ...]
    marks: tuple[int, ...]
    subject: int
    """-1 for none."""
    coordinator: str
    """The word that joins it to the clause before: `and`, `or`, or empty."""
    partner: int
    """The predicate before it whose auxiliaries it shares, as `drink` in `did not eat or drink`; -1."""
    form: str
    """As a complement: that, whether, to, bare or ing."""


@dataclass(frozen=True, slots=True)
class ClauseTree:
    """A sentence in lists, which are faster to read than arrays."""

    lemmas: list[str]
    """In lower case."""
    tags: tuple[str, ...]
    parts: tuple[str, ...]
    relations: tuple[str, ...]
    heads: list[int]
    children: list[list[int]]
    below: dict[str, dict[int, list[int]]]
    """For each relation, the dependents by it of each token that has some."""
    order: list[int]
    """All tokens, heads before what depends on them."""
    predicates: list[int]
    """For each token the predicate of its clause: itself where it is one."""
    clauses: dict[int, Clause]
    """By their predicates, the outer before the inner."""

    def __len__(self) -> int:
        return len(self.heads)

    def child(self, token: int, relations: frozenset[str]) -> int:
        """The first dependent with one of these relations; -1 for none."""
        first = -1
        for relation in relations:
            tokens = self.below.get(relation)
            if tokens is not None and token in tokens and not 0 <= first < tokens[token][0]:
                first = tokens[token][0]
        return first

    def dependents(self, token: int, relation: str) -> Sequence[int]:
        """All dependents with a relation, in their order."""
        tokens = self.below.get(relation)
        return tokens.get(token, ()) if tokens is not None else ()

    def presents(self, token: int) -> bool:
        """Whether a clause says what there is or is not: `singing` in `there is a man singing`."""
        noun = self.heads[token]
        if self.relations[token] not in ("acl", "relcl") or noun < 0:
            return False
        if self.clauses[token].marks:  # `there is no doubt that he left`
            return False
        predicate = self.heads[noun]
        return (
            predicate >= 0
            and self.relations[noun] in ("attr", "nsubj")
            and self.child(predicate, _EXPLETIVE) >= 0
        )

    def lemma(self, token: int) -> str:
        """The lemma at a place; empty beyond the ends."""
        return self.lemmas[token] if 0 <= token < len(self.lemmas) else ""


def read_tree(sentence: Sentence) -> ClauseTree:
    """The clauses of a sentence."""
    heads: list[int] = sentence.heads.tolist()
    children: list[list[int]] = [[] for _ in heads]
    order: list[int] = []
    for i, head in enumerate(heads):
        (children[head] if head >= 0 else order).append(i)
    for i in order:  # grows as it goes
        order += children[i]
    for i in set(range(len(heads))).difference(order) if len(order) < len(heads) else ():
        heads[i], children[i] = -1, []  # in a cycle, which no analyzer makes: it stands alone
        order.append(i)
    tree = ClauseTree(
        [lemma.lower() for lemma in sentence.lemmas],
        sentence.tags,
        sentence.parts,
        sentence.relations,
        heads,
        children,
        _by_relation(sentence.relations, heads),
        order,
        list(range(len(heads))),
        {},
    )
    _find_clauses(tree)
    return tree


def _by_relation(relations: tuple[str, ...], heads: list[int]) -> dict[str, dict[int, list[int]]]:
    below: dict[str, dict[int, list[int]]] = {}
    for token, head in enumerate(heads):
        if head < 0:
            continue
        tokens = below.get(relations[token])
        if tokens is None:
            below[relations[token]] = {head: [token]}
        elif head in tokens:
            tokens[head].append(token)
        else:
            tokens[head] = [token]
    return below


def _find_clauses(tree: ClauseTree) -> None:
    predicates, heads, relations = tree.predicates, tree.heads, tree.relations
    for i in tree.order:
        head, relation = heads[i], relations[i]
        if (
            head < 0
            or relation in _CLAUSES
            or (relation in _CLAUSES_OF_VERBS and _is_verb(tree, i))
        ):
            tree.clauses[i] = _clause(tree, i)
        else:
            predicates[i] = predicates[head]


def _is_verb(tree: ClauseTree, token: int) -> bool:
    """Whether a token is the verb of a clause, and not of a noun phrase."""
    relation, head = tree.relations[token], tree.heads[token]
    verbal = tree.tags[token].startswith(("V", "MD"))
    if relation == "conj":
        has_subject = tree.child(token, SUBJECTS) >= 0
        return has_subject or (verbal and tree.predicates[head] == head)
    if relation == "pobj":
        return tree.tags[token] == "VBG" and tree.child(token, _PHRASAL) < 0
    if relation == "prep":  # of verbs only where the analysis is confused
        return verbal and tree.child(token, SUBJECTS) >= 0
    return verbal


def _clause(tree: ClauseTree, token: int) -> Clause:
    auxiliaries, marks, subject = [], [], -1
    for child in tree.children[token]:
        relation = tree.relations[child]
        if relation in AUXILIARIES:
            auxiliaries.append(child)
        elif relation == "mark":
            marks.append(child)
        elif relation in SUBJECTS and subject < 0:
            subject = child
    coordinator, partner = "", -1
    if tree.relations[token] == "conj" and tree.heads[token] >= 0:
        head = tree.heads[token]
        coordinator = _coordinator(tree, token, head)
        if not auxiliaries and subject < 0 and _may_share(tree.tags[token], tree.tags[head]):
            partner = head if head in tree.clauses else -1
    form = _form(tree, token, auxiliaries, marks)
    return Clause(token, tuple(auxiliaries), tuple(marks), subject, coordinator, partner, form)


def _may_share(tag: str, other: str) -> bool:
    return tag == other and tag in _SHARING


def _coordinator(tree: ClauseTree, token: int, head: int) -> str:
    """The last conjunction before a conjunct; of `eat, drink or smoke` that before the last."""
    words = tree.dependents(head, "cc")
    if words:
        return tree.lemmas[words[max(bisect_left(words, token) - 1, 0)]]
    inner = tree.dependents(token, "cc")
    return tree.lemmas[inner[0]] if inner else ""


def _form(tree: ClauseTree, token: int, auxiliaries: list[int], marks: list[int]) -> str:
    """What kind of complement a clause is."""
    tags = tree.tags
    for mark in marks:
        if tree.lemmas[mark] in _QUESTIONS:
            return "whether"
    for auxiliary in auxiliaries:
        if tags[auxiliary] == "TO":
            return "to"
        if tags[auxiliary] in FINITE:
            return "that"
    tag = tags[token]
    if tag == "VBG" or (auxiliaries and tags[auxiliaries[0]] == "VBG"):
        return "ing"
    if tag == "VB" and not marks:
        return "bare"
    return "that" if tag != "VBN" else "ing"
