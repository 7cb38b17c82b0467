"""Judged instances of rules from files, also as triples, and the rules they make.

Whether a rule "term → paraphrase" is right depends on where it is applied. So people judge, for
sentences with the term, whether the sentence with the paraphrase follows (Szpektor, Shnarch & Dagan
2007). Three layouts are read:

- Zeichner et al. (2012): CSV with `rule_lhs`, `rule_rhs`, `lhs`, `rhs`, `judgment`, `confidence`. A
  paraphrase that ends in `@R@` is of the inverse relation: the arguments change places.
- Levy & Dagan (2016): TSV without a header, two triples `x, relation, y` and `y` or `n`. The first
  triple is a question whose answer is masked by its type, the second is a candidate answer, and
  people judged whether it answers the question: so the second triple is the text, and the first
  is the hypothesis that may follow from it.
- Our own columns: `term`, `paraphrase`, `text`, `hypothesis`, `judgment`, and `confidence` if wanted;
  as TSV, CSV or JSONL.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, SettingError
from ensue.files import (
    CHUNK,
    Finding,
    OnFinding,
    RowChunk,
    RowFormat,
    RowPlaces,
    Severity,
    delimited_rows,
    ignore_finding,
    needed_texts,
    numbers,
    open_rows,
    row_chunks,
    shown_name,
    table_chunks,
)
from ensue.paraphrase.formats.columns import labels
from ensue.paraphrase.lists import NOT_JUDGED, YES, Indices, ListKey, Numbers, RankedLists

# Questions and candidate answers as triples `x, relation, y`, after Levy & Dagan (2016).

ORDER = "order"
"""The column that tells how the arguments of both triples stand to each other."""
STRAIGHT, INVERSE, UNDECIDED = "straight", "inverse", "undecided"

_COMMA = re.compile(r"\s*,\s*")
_HINT = "a row is two triples and y or n, with tabs between: x, relation, y"

Triple = tuple[str, str, str]


def is_triples(cells: Sequence[str]) -> bool:
    """Whether a row is one of this layout, and so the file has no header."""
    return len(cells) == 3 and all(_triple(cell) for cell in cells[:2])


def triple_chunks(
    rows: Iterator[tuple[int, list[str]]], name: str, size: int = CHUNK
) -> Iterator[RowChunk]:
    """Yield rows of triples under the names of our own columns, with the order of the arguments.

    Raises:
        DataError: a row is of another kind.
    """
    while batch := list(islice(rows, size)):
        lines = [line for line, _ in batch]
        columns: dict[str, list[str]] = {}
        for line, cells in batch:
            for column, value in _columns(cells, f"{name}:{line}").items():
                columns.setdefault(column, []).append(value)
        yield RowChunk(name, f"{name}:1", lines, columns)


def _columns(cells: Sequence[str], place: str) -> dict[str, str]:
    """The first triple is the question, which may follow from the second, the answer."""
    question, answer = (_triple(cell) for cell in (*cells[:2], "", "")[:2])
    if len(cells) != 3 or question is None or answer is None:
        raise DataError(
            "no-row-triples", f"this is no row of triples: {cells!r}", place=place, hint=_HINT
        )
    return {
        "term": answer[1],
        "paraphrase": question[1],
        "text": " ".join(answer),
        "hypothesis": " ".join(question),
        "judgment": cells[2],
        ORDER: argument_order(question, answer),
    }


def _triple(cell: str) -> Triple | None:
    parts = _COMMA.split(cell.strip())
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 and all(parts) else None


def argument_order(question: Triple, answer: Triple) -> str:
    """How the arguments of two triples stand to each other.

    The question's first argument is but a type, so that its second decides: whether it is more
    like the answer's second, or like its first. The types are asked where it is like both alike.

    >>> argument_order(("country", "exports", "oil"), ("the oil", "is shipped from", "a port"))
    'inverse'
    """
    straight = likeness(question[2], answer[2]), likeness(question[0], answer[0])
    inverse = likeness(question[2], answer[0]), likeness(question[0], answer[2])
    if straight == inverse:
        return UNDECIDED
    return STRAIGHT if straight > inverse else INVERSE


def likeness(first: str, second: str) -> float:
    """The stems that two arguments share, over all their stems (Jaccard 1901).

    >>> likeness("a virus", "the virus"), likeness("bugs", "little bugs")
    (1.0, 0.5)
    """
    shared = len(_stems(first) & _stems(second))
    return shared / len(_stems(first) | _stems(second)) if shared else 0.0


@cache
def _stems(argument: str) -> frozenset[str]:
    """The stems of the content words; of all words where none is one."""
    # not above: these bring the compiler with them, and other layouts need none of it
    from ensue.paraphrase.words import is_content_word, words_of
    from ensue.surface import stems

    words = words_of(argument)
    return frozenset(stems([word for word in words if is_content_word(word)] or words))


# Instance-based judgments: rules applied in sentences, and whether the outcome follows.

INVERSE_MARK = "@R@"
"""At the end of a paraphrase of the inverse relation, in the layout of Zeichner et al."""

_TEXTS = {"term": "rule_lhs", "paraphrase": "rule_rhs", "text": "lhs", "hypothesis": "rhs"}
"""Our columns of texts, and what Zeichner et al. call them."""
_JUDGMENT, _CONFIDENCE = "judgment", "confidence"
_PEOPLE = "judgment"

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Instances:
    """Applications of rules that people judged, in the order of the file."""

    name: str
    """Of the file, for messages and signatures."""
    terms: Sequence[str]
    paraphrases: Sequence[str]
    texts: Sequence[str]
    """With the term."""
    hypotheses: Sequence[str]
    """With the paraphrase."""
    is_right: Bools
    """Whether the hypothesis follows from the text."""
    confidence: Numbers
    """In the judgment; 1 where the file gives none."""
    is_inverse: Bools
    """Whether the arguments change places: X killed Y → Y was killed by X."""
    places: Sequence[str]
    """Where each stands, `file:line`."""

    def __len__(self) -> int:
        return len(self.terms)

    def chosen(self, which: Indices) -> Instances:
        """Some of them, in that order."""
        picks = which.tolist()
        strings = (self.terms, self.paraphrases, self.texts, self.hypotheses, self.places)
        terms, paraphrases, texts, hypotheses, places = ([x[i] for i in picks] for x in strings)
        return Instances(
            self.name,
            terms,
            paraphrases,
            texts,
            hypotheses,
            self.is_right[which],
            self.confidence[which],
            self.is_inverse[which],
            places,
        )


def read_instances(
    path: str | Path, *, encoding: str | None = None, on_finding: OnFinding = ignore_finding
) -> Instances:
    """Read judged instances in any of the layouts above.

    Triples do not say whether arguments change places between question and answer: they do where
    the question's second argument is more like the answer's first than like its second (see
    `argument_order`). Where it is like both alike, they are taken to stay, with a finding.
    Instances that nobody judged are left out, with a finding.

    Args:
        path: A file, gzip or not, or `-`.
        encoding: Of the file.
        on_finding: Is told of problems that do not stop the reading.

    Raises:
        DataError: the file is empty or broken, a column lacks, or a label is none.
    """
    name = shown_name(path)
    with open_rows(path) as (file, format):
        parts = [_instances(each) for each in _chunks(file, name, format, encoding)]
    if not parts:
        raise DataError("file-holds-no-instances", "the file holds no instances", place=name)
    codes = np.concatenate([part.codes for part in parts])
    found = _joined(name, parts, codes == YES)
    _report_undecided(found, [order for part in parts for order in part.order], on_finding)
    unjudged = np.flatnonzero(codes == NOT_JUDGED)
    if unjudged.size:
        message = f"{unjudged.size} of {len(found)} instances have no judgment and are left out"
        _report("no-judgment", message, found, unjudged, on_finding)
    return found.chosen(np.flatnonzero(codes != NOT_JUDGED))


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """The instances of some rows, those that nobody judged among them."""

    texts: Mapping[str, list[str]]
    codes: NDArray[np.int8]
    confidence: Numbers
    order: Sequence[str]
    lines: Sequence[int]


def _chunks(
    file: BinaryIO, name: str, format: RowFormat, encoding: str | None
) -> Iterator[RowChunk]:
    if format is not RowFormat.TSV:
        return row_chunks(file, name, format, encoding)
    rows = delimited_rows(file, name, encoding, format)
    first = next(rows)
    rows = chain([first], rows)
    return triple_chunks(rows, name) if is_triples(first[1]) else table_chunks(rows, name, format)


def _instances(chunk: RowChunk) -> _Part:
    theirs = "rule_lhs" in chunk.columns
    found = {
        our: needed_texts(chunk.cells(column), column, chunk.place)
        for our, column in ((our, _TEXTS[our] if theirs else our) for our in _TEXTS)
    }
    codes = labels(chunk.cells(_JUDGMENT), _PEOPLE, chunk.place)
    confidence = np.ones(len(chunk.lines))
    if _CONFIDENCE in chunk.columns:
        given = numbers(chunk.columns[_CONFIDENCE], _CONFIDENCE, chunk.place)
        confidence = np.where(np.isnan(given), 1.0, given)
        _refuse_negative(confidence, chunk)
    order = chunk.columns.get(ORDER) or [
        INVERSE if each.endswith(INVERSE_MARK) else "" for each in found["paraphrase"]
    ]
    found["paraphrase"] = [each.removesuffix(INVERSE_MARK).rstrip() for each in found["paraphrase"]]
    return _Part(found, codes, confidence, order, chunk.lines)


def _refuse_negative(confidence: Numbers, chunk: RowChunk) -> None:
    negative = np.flatnonzero(confidence < 0)
    if negative.size:
        i = int(negative[0])
        raise DataError(
            "confidence-negative",
            f"the confidence is negative: {chunk.columns[_CONFIDENCE][i]!r}",
            place=chunk.place(i),
        )


def _joined(name: str, parts: Sequence[_Part], is_right: Bools) -> Instances:
    lines = np.array([line for part in parts for line in part.lines], np.int64)
    terms, paraphrases, texts, hypotheses = (
        [text for part in parts for text in part.texts[column]] for column in _TEXTS
    )
    return Instances(
        name,
        terms,
        paraphrases,
        texts,
        hypotheses,
        is_right=is_right,
        confidence=np.concatenate([part.confidence for part in parts]),
        is_inverse=np.array([each == INVERSE for part in parts for each in part.order]),
        places=RowPlaces([name], np.zeros(len(lines), np.int64), lines),
    )


def _report_undecided(found: Instances, order: Sequence[str], on_finding: OnFinding) -> None:
    undecided = np.flatnonzero(np.array(order) == UNDECIDED)
    if undecided.size:
        message = (
            f"in {undecided.size} of {len(found)} instances it cannot be told whether the arguments"
            " change places; they are taken to stay"
        )
        _report("argument-order", message, found, undecided, on_finding)


def _report(
    code: str, message: str, found: Instances, which: Indices, on_finding: OnFinding
) -> None:
    details = {"n_instances": int(which.size)}
    place = found.places[int(which[0])]
    on_finding(Finding(code, Severity.WARNING, message, place=place, details=details))


# From instances to rules: how often each is right, and lists made of rules.

MOST_RIGHT = 0.8
"""Szpektor, Shnarch & Dagan (2007) call a rule right where at least this share of its instances is."""

Rule = tuple[str, str]
"""Term and paraphrase, in lower case with single blanks."""


@dataclass(frozen=True, slots=True)
class InstanceShare:
    """How often a rule is right."""

    share: float
    """Of its instances that are right; 1 or 0 where rules are right or wrong as a whole."""
    n_instances: int
    sentence: str
    """The text of its first instance."""


def instance_shares(
    instances: Instances,
    *,
    right_from: float | None = None,
    weighted: bool = False,
    with_inverse: bool = False,
) -> Mapping[Rule, InstanceShare]:
    """The share of right instances of each rule, in the order of the file.

    Args:
        instances: What people judged.
        right_from: A rule is right (1) where its share is at least this, else wrong (0); see
            `MOST_RIGHT`. Where it is None, the share itself counts.
        weighted: Whether an instance weighs as much as the confidence in its judgment.
        with_inverse: Whether instances count in which the arguments change places: there the
            paraphrase cannot take the term's place in a sentence.

    Raises:
        SettingError: the share from which a rule is right is not above 0 and at most 1.
    """
    # not above: it brings the compiler with it
    from ensue.paraphrase.words import normalized

    if right_from is not None and not 0 < right_from <= 1:
        raise SettingError(
            "share-not-above-most",
            f"a share of {right_from!r} is not above 0 and at most 1",
            hint=f"e.g. {MOST_RIGHT}",
        )
    found: dict[Rule, list[int]] = {}
    for i, (term, paraphrase) in enumerate(
        zip(instances.terms, instances.paraphrases, strict=True)
    ):
        if with_inverse or not instances.is_inverse[i]:
            found.setdefault((normalized(term), normalized(paraphrase)), []).append(i)
    shares = {}
    for rule, which in found.items():
        share = _share(instances, which, weighted)
        if share is not None:
            value = share if right_from is None else float(share >= right_from)
            shares[rule] = InstanceShare(value, len(which), instances.texts[which[0]])
    return shares


def _share(instances: Instances, which: list[int], weighted: bool) -> float | None:
    """The share of right ones; None where no confidence is left to weigh them by."""
    right = instances.is_right[which]
    weights = instances.confidence[which] if weighted else np.ones(len(which))
    total = float(weights.sum())
    return float(weights[right].sum()) / total if total > 0 else None


def lists_of_instances(
    instances: Instances,
    *,
    least: int = 1,
    right_from: float | None = None,
    with_inverse: bool = False,
    method: str = "",
) -> RankedLists:
    """Make lists of judged rules: each term with its paraphrases.

    Nobody ranked the rules: those with more instances come first, then the alphabet decides. The
    share of right instances is the column `quality`, their number `n_instances`, and the text of
    the first is the sentence.

    Args:
        instances: What people judged.
        least: How many paraphrases a term needs.
        right_from: As in `instance_shares`.
        with_inverse: As there.
        method: Of all lists.
    """
    shares = instance_shares(instances, right_from=right_from, with_inverse=with_inverse)
    by_term: dict[str, list[Rule]] = {}
    for rule in shares:
        by_term.setdefault(rule[0], []).append(rule)
    kept = {
        ListKey(term, method): sorted(rules, key=lambda rule: (-shares[rule].n_instances, rule[1]))
        for term, rules in by_term.items()
        if len(rules) >= least
    }
    chosen = [shares[rule] for rules in kept.values() for rule in rules]
    sizes = [len(rules) for rules in kept.values()]
    return RankedLists(
        instances.name,
        tuple(kept),
        np.cumsum([0, *sizes]).astype(np.int64),
        [paraphrase for rules in kept.values() for _, paraphrase in rules],
        columns={
            "quality": np.array([each.share for each in chosen], np.float64),
            "n_instances": np.array([each.n_instances for each in chosen], np.float64),
        },
        sentences=[each.sentence for each in chosen],
    )
