"""Categories of contexts with their word lists, and a sentence as clauses."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from typing import TypeVar

from ensue.errors import DataError
from ensue.language.analyzer import Sentence

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


# What is said of each token of a sentence: whether, how surely, of how many and when it holds.


class Modality(StrEnum):
    """Whether something is, may be or must be."""

    ACTUAL = "actual"
    POSSIBLE = "possible"
    NECESSARY = "necessary"
    NOT_POSSIBLE = "not-possible"
    NOT_NECESSARY = "not-necessary"
    HYPOTHETICAL = "hypothetical"
    """It would be."""


class Tense(StrEnum):
    """When something is."""

    PAST = "past"
    PRESENT = "present"
    FUTURE = "future"
    NONE = ""


class Quantity(StrEnum):
    """Of how many of a kind something is said."""

    ALL = "all"
    MOST = "most"
    MANY = "many"
    SOME = "some"
    FEW = "few"
    NO = "no"
    NOT_ALL = "not-all"
    THE = "the"
    """Of definite ones: `the`, `this`, `my`."""
    NUMBER = "number"
    NONE = ""
    """Unmarked: a name, or a noun without a determiner."""


class Monotonicity(StrEnum):
    """Which words may stand in place of a word without making a true sentence false."""

    POSITIVE = "positive"
    """More general ones."""
    NEGATIVE = "negative"
    """More special ones."""
    UNIVERSAL = "universal"
    """More special ones, of which there are some: what `every` is said of."""
    NEITHER = "neither"
    """None: what `most` and `exactly three` are said of."""


class Embedding(StrEnum):
    """What a clause's embedder says of it: true (+), false (-) or nothing (o), affirmed and negated."""

    NONE = ""
    FACTIVE = "factive"
    """+/+: know, regret."""
    COUNTERFACTIVE = "counterfactive"
    """-/-: pretend."""
    IMPLICATIVE = "implicative"
    """+/-: manage, it is true that."""
    NEGATIVE_IMPLICATIVE = "negative-implicative"
    """-/+: fail, it is false that."""
    ONE_WAY_POSITIVE = "one-way-positive"
    """+/o: force, prove."""
    ONE_WAY_NEGATIVE = "one-way-negative"
    """-/o: prevent, refuse."""
    IF_NOT = "if-not"
    """o/-: be able, allow."""
    UNLESS = "unless"
    """o/+: hesitate."""
    REPORTED = "reported"
    """o/o: say, claim, according to."""
    BELIEVED = "believed"
    """o/o: think, suspect."""
    DENIED = "denied"
    """o/o, by somebody who says the contrary: deny, doubt."""
    WANTED = "wanted"
    """o/o: want, plan, try, order; and purposes."""
    MODAL = "modal"
    """o/o: have to, be likely."""
    QUESTIONED = "questioned"
    """o/o: wonder whether."""
    CONDITIONAL = "conditional"
    """o/o: an if-clause, and what holds if it does."""


class Commitment(StrEnum):
    """Whether the author of a text commits to something."""

    TRUE = "true"
    FALSE = "false"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Contexts:
    """The contexts of the tokens of a sentence, in tuples of its length.

    A predicate is the head of a clause: a verb, the copula of a predicate noun or adjective, or the
    root of a fragment.
    """

    polarity: tuple[bool, ...]
    """Whether a token stands within an even number of negations, of its own clause or noun phrase."""
    negators: tuple[tuple[int, ...], ...]
    """The tokens that negate a predicate or noun directly."""
    monotonicity: tuple[Monotonicity, ...]
    quantities: tuple[Quantity, ...]
    """At nouns and pronouns."""
    quantifiers: tuple[int, ...]
    """The token that says the quantity; -1 for none."""
    modalities: tuple[Modality, ...]
    """At predicates, and at what belongs to their clauses."""
    modals: tuple[int, ...]
    """The token that says the modality; -1 for none."""
    tenses: tuple[Tense, ...]
    """At predicates."""
    embeddings: tuple[Embedding, ...]
    """At predicates: the class of what embeds their clause directly."""
    embedders: tuple[int, ...]
    """The token that embeds the clause: a verb, noun, adjective, adverb or conjunction; -1 for none."""
    commitments: tuple[Commitment, ...]
    """Of the clause's predicate, through all that stands above it; of a negated phrase, its own."""


# Reading the word lists: rows between tabs, where comments begin with a number sign.

Choice = TypeVar("Choice", bound=StrEnum)


def read_rows(name: str, n_columns: int) -> Iterator[tuple[str, list[str]]]:
    """The place and the cells of each row of a word list of this package."""
    content = files(__package__).joinpath("words", name).read_text("utf-8")
    return rows_of(name, content, n_columns)


def rows_of(name: str, content: str, n_columns: int) -> Iterator[tuple[str, list[str]]]:
    """The place and the cells of each row of a word list.

    Raises:
        DataError: a row has too few or too many cells, or an empty one.
    """
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        place, cells = f"{name}:{number}", line.split("\t")
        if len(cells) != n_columns or not all(cell.strip() for cell in cells):
            raise DataError(
                "row-cells",
                f"a row of {len(cells)} cells: {line!r}",
                place=place,
                hint=f"each row has {n_columns} cells that are not empty, between tabs",
            )
        yield place, cells


def choice(kind: type[Choice], cell: str, place: str) -> Choice:
    """The member of a closed choice that a cell names.

    Raises:
        DataError: there is no such member.
    """
    try:
        return kind(cell)
    except ValueError:
        known = ", ".join(each.value for each in kind if each.value)
        raise DataError(
            "unknown-name",
            f"no {kind.__name__.lower()} is called {cell!r}",
            place=place,
            hint=f"known are: {known}",
        ) from None
