"""Instance-based judgments: rules applied in sentences, and whether the outcome follows.

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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError
from ensue.pairs.files import shown_name
from ensue.pairs.formats.model import OnFinding, ignore
from ensue.pairs.model import Finding, Severity
from ensue.pairs.rows import RowFormat, delimited
from ensue.paraphrase.model import NOT_JUDGED, YES, Indices, Numbers
from ensue.paraphrase.reading.cells import labels, needed_texts, numbers
from ensue.paraphrase.reading.headers import no_column
from ensue.paraphrase.reading.places import Places
from ensue.paraphrase.reading.tables import (
    Cells,
    Chunk,
    object_chunks,
    open_rows,
    table_chunks,
)
from ensue.paraphrase.reading.triples import (
    INVERSE,
    ORDER,
    UNDECIDED,
    is_triples,
    triple_chunks,
)

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
    path: str | Path, *, encoding: str | None = None, on_finding: OnFinding = ignore
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
        raise DataError("the file holds no instances", place=name)
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


def _chunks(file: BinaryIO, name: str, format: RowFormat, encoding: str | None) -> Iterator[Chunk]:
    if format is RowFormat.JSONL:
        return object_chunks(file, name, encoding)
    rows = delimited(file, name, format, encoding)
    first = next(rows)
    rows = chain([first], rows)
    if format is RowFormat.TSV and is_triples(first[1]):
        return triple_chunks(rows, name)
    return table_chunks(rows, name, format)


def _instances(chunk: Chunk) -> _Part:
    theirs = "rule_lhs" in chunk.columns
    found = {
        our: needed_texts(_cells(chunk, column), column, chunk.place)
        for our, column in ((our, _TEXTS[our] if theirs else our) for our in _TEXTS)
    }
    codes = labels(_cells(chunk, _JUDGMENT), _PEOPLE, chunk.place)
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


def _refuse_negative(confidence: Numbers, chunk: Chunk) -> None:
    negative = np.flatnonzero(confidence < 0)
    if negative.size:
        i = int(negative[0])
        raise DataError(
            f"the confidence is negative: {chunk.columns[_CONFIDENCE][i]!r}", place=chunk.place(i)
        )


def _cells(chunk: Chunk, column: str) -> Cells:
    if column not in chunk.columns:
        raise no_column(column, chunk.columns, chunk.header)
    return chunk.columns[column]


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
        places=Places([name], np.zeros(len(lines), np.int64), lines),
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
