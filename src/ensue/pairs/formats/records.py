"""From the rows of any format with columns to pairs, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ensue.errors import DataError
from ensue.pairs.formats.layouts import Layout, find_layout
from ensue.pairs.formats.model import OnFinding, ReadOptions, report_blanks, report_no_gold
from ensue.pairs.labels import Label, LabelMapper
from ensue.pairs.model import Pair

OWN_COLUMNS = ("id", "text", "hypothesis", "gold", "task", "meta")
"""The columns that we write."""


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
        fresh = LabelMapper(self.layout.labels, options.labels)
        self._mapper = mappers.setdefault(self.layout.name, fresh)
        self._held = {column for columns in self.layout.columns.values() for column in columns}

    def pair(self, row: Mapping[str, Any], line: int, number: int) -> Pair:
        """The pair of one row; `number` is its id where the file has none.

        Raises:
            DataError: a field is missing, or not a text, or a label is not known.
        """
        place = f"{self._name}:{line}"
        numbered = f"{self._id_prefix}{number}"
        pair_id = self._id(row, place) if "id" in self.layout.columns else numbered
        pair = Pair(
            id=pair_id,
            text=self._side(row, "text", pair_id, place),
            hypothesis=self._side(row, "hypothesis", pair_id, place),
            gold=self._gold(row, pair_id, place),
            task=_shown(self._value(row, "task")) or None,
            meta=self._meta(row, place),
        )
        report_blanks(pair, place, self._on_finding)
        return pair

    def pairs(self, columns: Mapping[str, Sequence[Any]], first: int) -> LocatedPairs:
        """The pairs of consecutive rows, which are given as columns.

        What `pair` gives for each, without its looking at every cell where there is nothing to
        see.

        Args:
            columns: The cells of each column.
            first: The number of the first row, from 1.
        """
        cells = [columns[name] for name in self._single]
        is_bare = not (columns.keys() - self._held)
        numbers = range(first, first + len(next(iter(columns.values()))))
        ids = cells[0] if "id" in self.layout.columns else map(self._numbered, numbers)

    def _gold(self, row: Mapping[str, Any], pair_id: str, place: str) -> Label | None:
        label = _shown(self._value(row, "gold"))
        if not label.strip():
            return None
        gold = self._mapper(label, place=place)
        if gold is None:
            report_no_gold(label, pair_id, place, self._on_finding)
        return gold

    def _value(self, row: Mapping[str, Any], name: str) -> Any:
        columns = self.layout.columns.get(name)
        return row.get(columns[0]) if columns else None

    def _id(self, row: Mapping[str, Any], place: str) -> str:
        parts = [_shown(row.get(column)).strip() for column in self.layout.columns["id"]]
        if not all(parts):
            raise DataError("a pair has no id", place=place, hint="give each pair its own id")
        return "-".join(parts)

    def _side(self, row: Mapping[str, Any], name: str, pair_id: str, place: str) -> str:
        value = self._value(row, name)
        if value is None:
            raise DataError(f"pair {pair_id!r} has no {name}", place=place)
        if not isinstance(value, str):
            kind = type(value).__name__
            raise DataError(f"the {name} of pair {pair_id!r} is no text: {kind}", place=place)
        return value

    def _meta(self, row: Mapping[str, Any], place: str) -> dict[str, Any]:
        own = self._value(row, "meta")
        if isinstance(own, str):
            own = _object(own, place)
        if own is not None and not isinstance(own, Mapping):
            raise DataError(f"meta is no object: {own!r}", place=place)
        rest = {
            column: value
            for column, value in row.items()
            if column not in self._held and value is not None
        }
        return {**(own or {}), **rest}


def pair_to_record(pair: Pair) -> dict[str, Any]:
    """The object of a pair's line in our JSONL."""
    return {
        "id": pair.id,
        "text": pair.text,
        "hypothesis": pair.hypothesis,
        "gold": pair.gold.value if pair.gold else None,
        "task": pair.task,
        "meta": dict(pair.meta),
    }


def pair_to_row(pair: Pair) -> list[str | None]:
    """The cells of a pair's row under `OWN_COLUMNS`; meta is JSON."""
    meta = json.dumps(dict(pair.meta), ensure_ascii=False) if pair.meta else None
    gold = pair.gold.value if pair.gold else None
    return [pair.id, pair.text, pair.hypothesis, gold, pair.task, meta]


def _shown(value: Any) -> str:
    return "" if value is None else str(value)


def _object(text: str, place: str) -> Any:
    if not text.strip():
        return None
    try:
        return json.loads(text)
    except ValueError:
        raise DataError(f"meta is not JSON: {text[:60]!r}", place=place) from None
