"""Layouts of columns, and pairs made from rows of columns and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice, repeat
from typing import Any

from ensue.errors import DataError, LabelError, SettingError, UnknownNameError
from ensue.files import OnFinding
from ensue.pairs.formats.model import (
    FIELDS,
    LocatedPairs,
    ReadOptions,
    report_blanks,
    report_no_gold,
    report_unknown_labels,
)
from ensue.pairs.model import (
    LETTERS,
    PLAIN_LABELS,
    SCITAIL_LABELS,
    Label,
    LabelMapper,
    LabelTable,
    Pair,
    id_text,
)

OWN_COLUMNS = (*FIELDS, "meta")
"""The columns that we write."""

# Known layouts of columns: which column holds what, and what its labels mean.

_E, _N = Label.ENTAILMENT, Label.NOT_ENTAILMENT
_C, _U = Label.CONTRADICTION, Label.UNKNOWN

THREE_WAY_LABELS: LabelTable = {"entailment": _E, "neutral": _U, "contradiction": _C, "-": None}
"""SNLI and MultiNLI; `-` is "the annotators did not agree"."""
GLUE_LABELS: LabelTable = {"entailment": _E, "not_entailment": _N, "1": _E, "0": _N}
"""GLUE's own files; only WNLI has digits, and its 1 is entailment."""
PARAPHRASE_LABELS: LabelTable = {"1": _E, "0": _N}
"""MSRPC and MRPC: a paraphrase is entailed."""
HANS_LABELS: LabelTable = {"entailment": _E, "non-entailment": _N, "0": _E, "1": _N}
"""HANS has two labels; the hub's copy numbers them."""
NAMED_LABELS: LabelTable = {**PLAIN_LABELS, "-": None, "-1": None}
"""Any other file; digits mean something else in each, so they have to be mapped."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns that make a layout recognizable, and what they hold."""

    name: str
    columns: Mapping[str, tuple[str, ...]] = field(hash=False)
    """Field → the columns that hold it; several are joined with a hyphen."""
    labels: LabelTable = field(default_factory=lambda: PLAIN_LABELS, hash=False)
    needs: tuple[str, ...] = ()
    """Columns that have to be there beside text and hypothesis."""

    def fits(self, header: Sequence[str]) -> bool:
        """Whether a file with this header has this layout."""
        needed = (*self.columns["text"], *self.columns["hypothesis"], *self.needs)
        return all(column in header for column in needed)


def _layout(
    name: str,
    text: str,
    hypothesis: str,
    labels: LabelTable,
    *,
    gold: str = "label",
    needs: tuple[str, ...] = (),
    **others: str | tuple[str, ...],
) -> Layout:
    columns = {"text": text, "hypothesis": hypothesis, "gold": gold, **others}
    held_by = {field: (c,) if isinstance(c, str) else c for field, c in columns.items()}
    return Layout(name, held_by, labels, needs)


UNNAMED_COLUMNS = ("premise", "hypothesis", "entails or neutral")
"""What the columns of SciTail's TSV are called here, which has no header."""

LAYOUTS = (
    Layout("ensue", {field: (field,) for field in OWN_COLUMNS}),
    _layout(
        "hans",
        "sentence1",
        "sentence2",
        HANS_LABELS,
        gold="gold_label",
        id="pairID",
        needs=("pairID", "heuristic", "subcase"),
    ),
    _layout("hub-hans", "premise", "hypothesis", HANS_LABELS, needs=("heuristic", "subcase")),
    _layout("conjnli", "Premise", "Hypothesis", THREE_WAY_LABELS, gold="Label"),
    _layout(
        "snli",
        "sentence1",
        "sentence2",
        THREE_WAY_LABELS,
        gold="gold_label",
        id="pairID",
        task="genre",
        needs=("pairID",),
    ),
    _layout("glue", "sentence1", "sentence2", GLUE_LABELS, id="index", needs=("index",)),
    _layout("glue-qnli", "sentence", "question", GLUE_LABELS, id="index", needs=("index",)),
    _layout(
        "msrpc",
        "#1 String",
        "#2 String",
        PARAPHRASE_LABELS,
        gold="Quality",
        id=("#1 ID", "#2 ID"),
    ),
    _layout(
        "sick",
        "sentence_A",
        "sentence_B",
        THREE_WAY_LABELS,
        gold="entailment_judgment",
        id="pair_ID",
    ),
    _layout(
        "scitail",
        *UNNAMED_COLUMNS[:2],
        SCITAIL_LABELS,
        gold=UNNAMED_COLUMNS[2],
        needs=UNNAMED_COLUMNS[2:],
    ),
    _layout("anli", "context", "hypothesis", {**NAMED_LABELS, **LETTERS}, id="uid", task="genre"),
    _layout("vitaminc", "evidence", "claim", NAMED_LABELS, id="unique_id"),
    _layout("doc-claim", "doc", "claim", NAMED_LABELS, id="idx"),
    _layout("document-claim", "document", "claim", NAMED_LABELS, id="idx"),
    _layout("context-answer", "context", "answer", NAMED_LABELS, id="idx"),
    _layout("hub", "sentence1", "sentence2", NAMED_LABELS, id="idx"),
    _layout("hub-qnli", "sentence", "question", NAMED_LABELS, id="idx"),
    _layout("hub-nli", "premise", "hypothesis", NAMED_LABELS, id="idx", task="genre"),
)
"""In the order in which they are tried."""

_OTHER_NAMES = {
    "entailment_judgment": ("entailment_label",),
    "label": ("gold_label",),
    "idx": ("pairID", "uid", "id"),
    "uid": ("id",),
    "unique_id": ("id",),
}
"""What columns are called in other releases of the same data; the first that is there counts."""


def columns_of(field: str) -> tuple[str, ...]:
    """The columns that hold a field in any of the known layouts, in the order of these.

    >>> columns_of("hypothesis")[:3]
    ('hypothesis', 'sentence2', 'Hypothesis')
    """
    held_by = [layout.columns.get(field, ()) for layout in LAYOUTS]
    return tuple(dict.fromkeys(name for names in held_by if len(names) == 1 for name in names))


def names_of(column: str) -> tuple[str, ...]:
    """What a column of a layout is called, in the order in which these names are looked for."""
    return (column, *_OTHER_NAMES.get(column, ()))


def is_unnamed(cells: Sequence[str]) -> bool:
    """Whether the first row of a file is SciTail's first pair, and names no columns."""
    return len(cells) == len(UNNAMED_COLUMNS) and cells[-1].strip() in ("entails", "neutral")


def find_layout(header: Sequence[str], columns: Mapping[str, str], place: str) -> Layout:
    """The layout of a file with this header, where `columns` of the user come first.

    Raises:
        DataError: no known layout fits, and the user's columns do not say enough; or two columns
            have the name of one that the layout uses.
        UnknownNameError: the user names a field or a column that is not there.
    """
    check_fields(columns)
    for column in columns.values():
        if column not in header:
            error = UnknownNameError.of("column", column, header)
            error.place = place
            raise error
    known = next((layout for layout in LAYOUTS if layout.fits(header)), None)
    if known is None:
        if not {"text", "hypothesis"} <= set(columns):
            raise _no_layout(header, place)
        known = Layout("given", {name: (name,) for name in (*FIELDS, "meta")})
    own = {name: (column,) for name, column in columns.items()}
    found = _present({**known.columns, **own}, header)
    _refuse_doubles(found, header, place)
    return Layout(known.name, found, known.labels)


def telling_columns(columns: Mapping[str, str]) -> frozenset[str]:
    """The columns that `find_layout` looks for; headers that share these share their layout."""
    known = {
        column
        for layout in LAYOUTS
        for held_by in (*layout.columns.values(), layout.needs)
        for column in held_by
    }
    return frozenset(known.union(columns.values(), *_OTHER_NAMES.values()))


def check_fields(columns: Mapping[str, str]) -> None:
    """Refuse columns for fields that a pair does not have."""
    for name in columns:
        if name not in FIELDS:
            raise UnknownNameError.of("field", name, FIELDS)


def refuse_columns(columns: Mapping[str, str], format_name: str) -> None:
    """Refuse columns for a format that has none."""
    if columns:
        raise SettingError(
            "format-no-columns-map",
            f"the format {format_name!r} has no columns to map",
            hint="leave the columns out",
        )


def _present(
    columns: Mapping[str, tuple[str, ...]], header: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    found = {}
    for name, held_by in columns.items():
        there = [_named(column, header) for column in held_by]
        if None not in there:
            found[name] = tuple(column for column in there if column)
    return found


def _named(column: str, header: Sequence[str]) -> str | None:
    """A column as the header names it; None where it has none of its names."""
    return next((name for name in names_of(column) if name in header), None)


def _refuse_doubles(
    columns: Mapping[str, tuple[str, ...]], header: Sequence[str], place: str
) -> None:
    for held_by in columns.values():
        for column in held_by:
            if header.count(column) > 1:
                raise DataError(
                    "two-columns-called",
                    f"two columns are called {column!r}",
                    place=place,
                    hint="rename one of them",
                )


def _no_layout(header: Sequence[str], place: str) -> DataError:
    shown = ", ".join(repr(column) for column in header[:12])
    return DataError(
        "no-known-layout-columns",
        f"no known layout has these columns: {shown}",
        place=place,
        hint="say which is which: --read text=COLUMN --read hypothesis=COLUMN",
    )


# From the rows of any format with columns to pairs, and back.

_AHEAD = 1_000
"""Rows whose labels say what to do about one that is not understood."""
_MOST_LABELS = 10_000
_SHOWN = 60


class PairMaker:
    """Makes pairs of the rows of one file, whose header decides the layout."""

    def __init__(
        self,
        header: Sequence[str],
        name: str,
        options: ReadOptions,
        on_finding: OnFinding,
        *,
        place: str | None = None,
        mappers: dict[str, LabelMapper] | None = None,
    ) -> None:
        self.layout: Layout = find_layout(header, options.columns, place or name)
        self._name = name
        self._id_prefix = options.id_prefix
        self._on_finding = on_finding
        # rows of one file share a mapper, whose work it is to notice labels that do not go together
        mappers = {} if mappers is None else mappers
        fresh = label_mapper(self.layout, options)
        self._mapper = mappers.setdefault(self.layout.name, fresh)
        held_by = self.layout.columns
        self._column: dict[str, Any] = {
            name: held_by[name][0] if len(held_by.get(name, ())) == 1 else None
            for name in (*FIELDS, "meta")
        }
        """The column of each field; None where it has none, or several."""
        self._golds: dict[str | None, Label | None] = {None: None, "": None}
        """What labels mean that have been met and are nothing to report."""
        self._held = {column for columns in self.layout.columns.values() for column in columns}

    def located(
        self, rows: Iterable[tuple[int, Mapping[str, Any]]], before: int = 0
    ) -> LocatedPairs:
        """The pairs of rows with their lines; so many pairs of the file come before them.

        Raises:
            DataError: as `pair`; how to map a label is said by those of the next rows, too.
        """
        rows = iter(rows)
        for number, (line, row) in enumerate(rows, before + 1):
            try:
                pair = self.pair(row, line, number)
            except LabelError as error:
                raise self.with_labels(error, [row, *next_rows(rows)]) from None
            yield line, pair
        self.report_labels()

    def with_labels(self, error: LabelError, rows: Iterable[Mapping[str, Any]]) -> LabelError:
        """The error about a label, with a hint that all labels of some rows make."""
        return self._mapper.hinted(error, (_shown(self._value(row, "gold")) for row in rows))

    def report_labels(self) -> None:
        """Report the labels that are not understood, where they are not needed."""
        report_unknown_labels(self._mapper, self._name, self._on_finding)

    def pair(self, row: Mapping[str, Any], line: int, number: int) -> Pair:
        """The pair of one row; `number` is its id where the file has none.

        Raises:
            DataError: a field is missing, or not a text, or a label is not known.
        """
        column = self._column
        label = row.get(column["gold"])
        pair = None
        if label is None or isinstance(label, str):
            pair = self._plain_pair(
                self._plain_id(row, number),
                row.get(column["text"]),
                row.get(column["hypothesis"]),
                label,
                row.get(column["task"]),
                row.get(column["meta"]),
                () if row.keys() <= self._held else self._rest(row),
                line,
            )
        return pair or self._checked_pair(row, line, number)

    def pairs(self, columns: Mapping[str, Sequence[Any]], first: int) -> LocatedPairs:
        """The pairs of consecutive rows that are given as columns, with their numbers.

        Args:
            columns: The cells of each column.
            first: The number of the first row, from 1; there is at least one.
        """
        numbers = range(first, first + len(next(iter(columns.values()))))
        others = {column: cells for column, cells in columns.items() if column not in self._held}
        rest = (zip(others, cells, strict=True) for cells in zip(*others.values(), strict=True))
        cells = zip(
            self._ids(columns, numbers),
            self._cells(columns, "text"),
            self._cells(columns, "hypothesis"),
            map(_text_or_none, self._cells(columns, "gold")),
            self._cells(columns, "task"),
            self._cells(columns, "meta"),
            rest if others else repeat(()),
            numbers,
            strict=False,
        )
        for each in cells:
            pair = self._plain_pair(*each)
            line = each[-1]
            if pair is None:
                row = {column: values[line - first] for column, values in columns.items()}
                try:
                    pair = self._checked_pair(row, line, line)
                except LabelError as error:
                    golds = self._cells(columns, "gold")
                    rows = ({self._column["gold"]: gold} for gold in golds)
                    raise self.with_labels(error, rows) from None
            yield line, pair

    def _plain_pair(
        self,
        pair_id: str | None,
        text: Any,
        hypothesis: Any,
        label: str | None,
        task: Any,
        own: Any,
        rest: Iterable[tuple[str, Any]],
        line: int,
    ) -> Pair | None:
        """The pair of a row in which there is nothing to report or to refuse but its meta.

        Any other row is for `_checked_pair`, which would give the same here and takes longer.
        """
        if (
            not pair_id
            or not isinstance(text, str)
            or not isinstance(hypothesis, str)
            or not text
            or not hypothesis
            or text.isspace()
            or hypothesis.isspace()
            or label not in self._golds
        ):
            return None
        return Pair(
            pair_id,
            text,
            hypothesis,
            self._golds[label],
            _shown(task) or None,
            {} if own is None and not rest else self._merged(own, rest, line),
        )

    def _checked_pair(self, row: Mapping[str, Any], line: int, number: int) -> Pair:
        place = f"{self._name}:{line}"
        numbered = f"{self._id_prefix}{number}"
        pair_id = self._id(row, place) if "id" in self.layout.columns else numbered
        pair = Pair(
            id=pair_id,
            text=self._side(row, "text", pair_id, place),
            hypothesis=self._side(row, "hypothesis", pair_id, place),
            gold=self._gold(row, pair_id, place),
            task=_shown(self._value(row, "task")) or None,
            meta=self._merged(self._value(row, "meta"), self._rest(row), line),
        )
        report_blanks(pair, place, self._on_finding)
        return pair

    def _plain_id(self, row: Mapping[str, Any], number: int) -> str | None:
        column = self._column["id"]
        if column is None:  # none, or several
            return None if "id" in self.layout.columns else f"{self._id_prefix}{number}"
        value = row.get(column)
        return value.strip() if type(value) is str else id_text(value)

    def _ids(
        self, columns: Mapping[str, Sequence[Any]], numbers: Iterable[int]
    ) -> Iterable[str | None]:
        column = self._column["id"]
        if column is None:
            return (self._plain_id({}, number) for number in numbers)
        return map(id_text, columns[column])

    def _cells(self, columns: Mapping[str, Sequence[Any]], name: str) -> Iterable[Any]:
        column = self._column[name]
        return repeat(None) if column is None else columns[column]

    def _rest(self, row: Mapping[str, Any]) -> list[tuple[str, Any]]:
        return [(column, cell) for column, cell in row.items() if column not in self._held]

    def _gold(self, row: Mapping[str, Any], pair_id: str, place: str) -> Label | None:
        label = _shown(self._value(row, "gold"))
        if not label.strip():
            return None
        gold = self._mapper(label, place=place)
        if gold is None and label.strip().lower() in self._mapper.table:
            report_no_gold(label, pair_id, place, self._on_finding)
        elif len(self._golds) < _MOST_LABELS:
            self._golds[label] = gold
        return gold

    def _value(self, row: Mapping[str, Any], name: str) -> Any:
        columns = self.layout.columns.get(name)
        return row.get(columns[0]) if columns else None

    def _id(self, row: Mapping[str, Any], place: str) -> str:
        return joined_id([row.get(column) for column in self.layout.columns["id"]], place)

    def _side(self, row: Mapping[str, Any], name: str, pair_id: str, place: str) -> str:
        value = self._value(row, name)
        if value is None:
            raise DataError("pair-without-field", f"pair {pair_id!r} has no {name}", place=place)
        if not isinstance(value, str):
            kind = type(value).__name__
            raise DataError(
                "pair-no-text", f"the {name} of pair {pair_id!r} is no text: {kind}", place=place
            )
        return value

    def _merged(self, own: Any, rest: Iterable[tuple[str, Any]], line: int) -> dict[str, Any]:
        """What a meta column says, and the cells of the columns that hold nothing else."""
        if isinstance(own, str):
            own = _object(own, f"{self._name}:{line}")
        if own is not None and not isinstance(own, Mapping):
            raise DataError(
                "meta-no-object", f"meta is no object: {own!r}", place=f"{self._name}:{line}"
            )
        return {**(own or {}), **{column: cell for column, cell in rest if cell is not None}}


def label_mapper(layout: Layout, options: ReadOptions) -> LabelMapper:
    """What makes labels of what a file with this layout says."""
    return LabelMapper(layout.labels, options.labels, needed=options.needs_gold)


def joined_id(values: Sequence[Any], place: str) -> str:
    """The id that some cells make together.

    Raises:
        DataError: one is empty, or neither a text nor a number.
    """
    parts = [id_text(value) for value in values]
    if None in parts:
        value = values[parts.index(None)]
        raise DataError(
            "id-no-text",
            f"an id is a text or a number, not {_short(value)}",
            place=place,
            hint="give each pair its own id",
        )
    if not all(parts):
        raise DataError(
            "pair-no-id", "a pair has no id", place=place, hint="give each pair its own id"
        )
    return "-".join(part for part in parts if part)


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"


def next_rows(rows: Iterator[tuple[int, Mapping[str, Any]]]) -> Iterator[Mapping[str, Any]]:
    """Some rows more, as far as they can be read."""
    with suppress(DataError):
        yield from (row for _, row in islice(rows, _AHEAD))


def pair_to_record(pair: Pair) -> dict[str, Any]:
    """The object of a pair's line in our JSONL."""
    return dict(zip(OWN_COLUMNS, json_row(pair), strict=True))


def json_row(pair: Pair) -> list[Any]:
    """The values of a pair under `OWN_COLUMNS`; meta is an object."""
    gold = pair.gold.value if pair.gold else None
    return [pair.id, pair.text, pair.hypothesis, gold, pair.task, dict(pair.meta)]


def pair_to_row(pair: Pair) -> list[str | None]:
    """The cells of a pair's row under `OWN_COLUMNS`; meta is JSON."""
    *cells, meta = json_row(pair)
    return [*cells, json.dumps(meta, ensure_ascii=False) if meta else None]


def _shown(value: Any) -> str:
    return "" if value is None else str(value)


def _text_or_none(value: Any) -> str | None:
    return None if value is None else str(value)


def _object(text: str, place: str) -> Any:
    if not text.strip():
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise DataError("meta-not-json", f"meta is not JSON: {text[:60]!r}", place=place) from None
