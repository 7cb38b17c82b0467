"""The forms of very many cases from the columns of Parquet files, of which no other is read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError
from ensue.evaluation import LARGE, Gold, large_parquet, read_gold
from ensue.files import OnFinding, open_parquet, readable_parquet, shown_name
from ensue.mining.forms import (
    SLASH,
    TAGS,
    FormKind,
    Forms,
    FormSets,
    distinct_forms,
    form_kind,
)
from ensue.mining.kernels import n_tag_pairs, pair_tags
from ensue.pairs import Pair, ReadKeywords, is_stream, read_options, read_pairs, recognized
from ensue.pairs.formats import (
    ReadOptions,
    RowMaker,
    ignore_finding,
)

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

# Tag pairs from whole columns of `meta`: JSON is read by Arrow, tags are paired in a kernel.

TagNumbers = NDArray[np.int64]


def tags_of_metas(metas: Any, ids: Any) -> tuple[Forms, bool]:
    """The tag pairs of each case, and whether any case has tags.

    The same as the kind of forms `tags` finds. Cases whose tags are not all there, or not of the
    usual types, are left to it; it knows what is allowed and what to say of the rest.

    Args:
        metas: The JSON of each case's `meta`, an array of strings; null or blank where there is
            none.
        ids: The cases' ids, an array of strings, for messages.

    Raises:
        DataError: a `meta` is no object in JSON, or tags are not what they should be.
    """
    parsed = _parsed(metas)
    if parsed is None:
        return _one_by_one(metas.to_pylist(), ids.to_pylist())
    columns = _Columns(parsed)
    found = columns.forms()
    odd = np.flatnonzero(columns.odd)
    if len(odd) == 0:
        return found, len(parsed) > 0
    others, seen = _one_by_one(metas.take(odd).to_pylist(), ids.take(odd).to_pylist())
    return _merged(found, others, odd), seen or len(odd) < len(parsed)


def _parsed(metas: Any) -> Any:
    """The tags of all cases, null where there are none; None where Arrow cannot read them."""
    import pyarrow as pa
    import pyarrow.compute
    import pyarrow.json

    pc: Any = pyarrow.compute
    if len(metas) == 0:
        return None
    blank = pc.equal(pc.utf8_trim_whitespace(pc.fill_null(metas, "")), "")
    lines = pc.if_else(blank, "{}", metas)
    content = pc.binary_join(pa.ListArray.from_arrays([0, len(lines)], lines), "\n")[0].as_buffer()
    strings = pa.list_(pa.string())
    entry = pa.struct([("predicate", pa.string()), ("text", strings), ("hypothesis", strings)])
    try:
        table = pyarrow.json.read_json(
            cast(BinaryIO, pa.BufferReader(content)),
            pyarrow.json.ReadOptions(use_threads=False, block_size=content.size + 1),
            pyarrow.json.ParseOptions(
                explicit_schema=pa.schema([(TAGS, pa.list_(entry))]),
                unexpected_field_behavior="ignore",
            ),
        )
    except pa.ArrowException:
        return None
    if table.num_rows != len(lines):  # blank cells, or two objects in one
        return None
    return pa.concat_arrays(table.column(TAGS).chunks)


class _Columns:
    """The tags of many cases as Arrow arrays, one inside the other: cases, entries, tags."""

    def __init__(self, parsed: Any) -> None:
        self.n_cases = len(parsed)
        self._starts = _offsets(parsed)
        entries = parsed.values
        self._predicates, _ = _codes(entries.field("predicate"))
        self._sides = [entries.field(side) for side in ("hypothesis", "text")]
        self._tags, self._names = zip(*(_codes(side.values) for side in self._sides), strict=True)
        without = parsed.is_null().to_numpy(zero_copy_only=False)
        self.odd: NDArray[np.bool_] = without | self._with_any(self._odd_entries(entries))
        """Cases that are to be looked at one by one; they have no forms here."""

    def forms(self) -> Forms:
        """The forms of each case that is not odd."""
        of_hypotheses, of_texts = (_offsets(side) for side in self._sides)
        usual = np.flatnonzero(~self.odd)
        n_found = n_tag_pairs(usual, self._starts, self._predicates, of_hypotheses, of_texts)
        cases, codes = pair_tags(
            usual,
            self._starts,
            self._predicates,
            of_hypotheses,
            of_texts,
            self._tags[0],
            self._tags[1],
            len(self._names[1]),
            n_found,
        )
        found, numbers = np.unique(codes, return_inverse=True)
        names = [self._name(int(code)) for code in found]
        return distinct_forms(cases, numbers.astype(np.int64), names, self.n_cases)

    def _name(self, code: int) -> str:
        of_hypothesis, of_text = divmod(code, len(self._names[1]))
        return f"{self._names[0][of_hypothesis]}{SLASH}{self._names[1][of_text]}"

    def _odd_entries(self, entries: Any) -> NDArray[np.bool_]:
        """Entries that lack something, or have a tag that is none."""
        odd = entries.is_null().to_numpy(zero_copy_only=False) | (self._predicates < 0)
        for side, codes, names in zip(self._sides, self._tags, self._names, strict=True):
            good = np.array([name != "" and SLASH not in name for name in names] + [False])
            odd |= side.is_null().to_numpy(zero_copy_only=False)
            odd |= _any_of(~good[codes], _offsets(side))  # -1 is the last: no tag at all
        return np.asarray(odd, dtype=np.bool_)

    def _with_any(self, entries: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return _any_of(entries, self._starts)


def _offsets(lists: Any) -> TagNumbers:
    return np.asarray(lists.offsets.to_numpy(zero_copy_only=False), dtype=np.int64)


def _codes(strings: Any) -> tuple[TagNumbers, list[str]]:
    """The number of each string, -1 for null, and the strings by number."""
    encoded = strings.dictionary_encode()
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return codes, encoded.dictionary.to_pylist()


def _any_of(flags: NDArray[np.bool_], offsets: TagNumbers) -> NDArray[np.bool_]:
    """Whether a flag is up between each two offsets."""
    before = np.concatenate([[0], np.cumsum(flags)])
    return np.asarray(before[offsets[1:]] > before[offsets[:-1]], dtype=np.bool_)


def _one_by_one(metas: Sequence[str | None], ids: Sequence[str]) -> tuple[Forms, bool]:
    pairs = [
        Pair(pair_id, "", "", meta=meta_object(meta, pair_id))
        for meta, pair_id in zip(metas, ids, strict=True)
    ]
    kind = form_kind(TAGS)
    return kind.find(pairs), any(map(kind.has, pairs))


def meta_object(meta: str | None, pair_id: str) -> dict[str, Any]:
    """The `meta` that JSON stands for.

    Raises:
        DataError: it is no JSON, or no object.
    """
    if meta is None or not meta.strip():
        return {}
    try:
        found = json.loads(meta)
    except (ValueError, RecursionError):
        raise DataError(
            "meta-pair-not-json", f"the meta of pair {pair_id!r} is not JSON: {meta[:60]!r}"
        ) from None
    if not isinstance(found, dict | None):
        raise DataError(
            "meta-pair-no-object", f"the meta of pair {pair_id!r} is no object: {found!r}"
        )
    return found or {}


def _merged(forms: Forms, others: Forms, places: NDArray[np.intp]) -> Forms:
    """Forms of all cases, with those of some from elsewhere."""
    numbers = {name: i for i, name in enumerate(forms.names)}
    known = np.array([numbers.setdefault(name, len(numbers)) for name in others.names], np.int64)
    cases = [np.repeat(np.arange(forms.n_cases), forms.sizes), np.repeat(places, others.sizes)]
    ids = [forms.ids.astype(np.int64), known[others.ids]]
    return distinct_forms(np.concatenate(cases), np.concatenate(ids), tuple(numbers), forms.n_cases)


# Forms and texts from Parquet, of which only the columns are read that are needed.

Columns = Mapping[str, tuple[str, ...]]

ROWS = 16_384
"""How many rows are read at a time: their `meta` is held as JSON, too."""

_SIDES = ("text", "hypothesis")
_OWN = "column "
"""Before the name of a column that holds nothing but itself."""


class FormTable:
    """One Parquet file of cases, as far as forms and texts are concerned."""

    def __init__(self, source: str, options: ReadOptions) -> None:
        self._source = source
        self._name = shown_name(source)
        with self._opened() as table:
            maker = RowMaker(table.schema_arrow, self._name, options, ignore_finding).maker
            self._held: Columns = maker.layout.columns
            held = {column for columns in self._held.values() for column in columns}
            self._others = set(table.schema_arrow.names) - held
            self.n_rows = int(table.metadata.num_rows)

    def batches(self, kinds: Sequence[FormKind]) -> Iterator[pa.RecordBatch]:
        """The columns that forms of these kinds are made of, under names of our own."""
        import pyarrow as pa

        wanted = self._wanted(kinds)
        with self._opened() as table:
            for batch in self._batches(table, list(wanted.values())):
                cells = [batch.column(column) for column in wanted.values()]
                rows = pa.array(np.zeros(len(batch), np.bool_))  # there may be no column at all
                yield pa.record_batch([*cells, rows], names=[*wanted, "rows"])

    def sides(self, rows: Sequence[int]) -> dict[int, tuple[str, str]]:
        """Text and hypothesis of some rows, by number from 0."""
        found: dict[int, tuple[str, str]] = {}
        columns = [self._held[side][0] for side in _SIDES]
        with self._opened() as table:
            for group, start, end in _groups(table):
                inside = [row - start for row in rows if start <= row < end]
                if not inside:
                    continue
                for row, batch, i in located_rows(self._batches(table, columns, group), inside):
                    text, hypothesis = (batch.column(column)[i].as_py() for column in columns)
                    found[start + row] = (str(text), str(hypothesis))
        return found

    @contextmanager
    def _opened(self) -> Iterator[pq.ParquetFile]:
        with recognized(self._source, "parquet") as (file, _):
            yield open_parquet(file, self._name)

    def _batches(
        self, table: pq.ParquetFile, columns: list[str], group: int | None = None
    ) -> Iterator[pa.RecordBatch]:
        with readable_parquet(self._name):
            yield from table.iter_batches(
                batch_size=ROWS,
                # of a file without any of them, the rows are still counted by some column
                columns=columns or table.schema_arrow.names[:1],
                row_groups=None if group is None else [group],
                use_threads=False,
            )

    def _wanted(self, kinds: Sequence[FormKind]) -> dict[str, str]:
        """Our names of the columns that are needed, and theirs."""
        wanted: dict[str, str] = {}
        for kind in kinds:
            for field in _FIELDS.get(kind.name, ("meta",)):
                if field in self._held:
                    wanted[field] = self._held[field][0]
            if kind.name in self._others and kind.name not in _FIELDS:
                wanted[_OWN + kind.name] = kind.name
        return wanted


_FIELDS = {"words": _SIDES, "lemmas": _SIDES, "task": ("task",)}
"""What each kind of forms is made of, where it is not `meta`."""


def located_rows(
    batches: Iterator[pa.RecordBatch], rows: Sequence[int]
) -> Iterator[tuple[int, pa.RecordBatch, int]]:
    """Yield some rows of consecutive batches: number from 0, batch, and place in the batch."""
    wanted = np.unique(np.array(rows, np.int64))
    start, done = 0, 0
    while done < len(wanted):
        batch = next(batches)
        upto = int(np.searchsorted(wanted, start + len(batch)))
        for row in wanted[done:upto].tolist():
            yield row, batch, row - start
        start, done = start + len(batch), upto


def sets_of_batch(batch: pa.RecordBatch, ids: Any, sets: FormSets) -> NDArray[np.int64]:
    """The number of each row's set of forms.

    Args:
        batch: What `FormTable.batches` yields.
        ids: The ids of the rows, an array of strings.
        sets: The sets so far.

    Raises:
        DataError: a cell is not what it should be.
        SettingError: there are too many sets.
    """
    import pyarrow as pa

    names = [kind.name for kind in sets.kinds]
    is_text = "meta" in batch.schema.names and pa.types.is_string(batch.column("meta").type)
    others = [name for name in names if name not in (*_FIELDS, TAGS)]
    if TAGS not in names or others or _OWN + TAGS in batch.schema.names or not is_text:
        return sets.of_pairs(_pairs(batch, ids))
    tags, seen = tags_of_metas(batch.column("meta"), ids)
    if seen:
        sets.saw(TAGS)
    if set(names) == {TAGS}:
        return sets.add([tags] * len(names))
    pairs = _pairs(batch.drop_columns(["meta"]), ids)
    sets.look_at(pairs)
    return sets.add([tags if kind.name == TAGS else kind.find(pairs) for kind in sets.kinds])


def _pairs(batch: pa.RecordBatch, ids: Any) -> list[Pair]:
    """Pairs that have what there is in a batch, and nothing else."""
    cells = {name: batch.column(name).to_pylist() for name in batch.schema.names}
    own = [name for name in cells if name.startswith(_OWN)]
    return [
        Pair(
            pair_id,
            _side(cells, "text", i, pair_id),
            _side(cells, "hypothesis", i, pair_id),
            task=_task(cells["task"][i]) if "task" in cells else None,
            meta=_meta(cells["meta"][i] if "meta" in cells else None, pair_id)
            | {
                name.removeprefix(_OWN): cells[name][i]
                for name in own
                if cells[name][i] is not None
            },
        )
        for i, pair_id in enumerate(ids.to_pylist())
    ]


def _side(cells: Mapping[str, list[Any]], side: str, i: int, pair_id: str) -> str:
    if side not in cells:
        return ""
    if not isinstance(cells[side][i], str):
        raise DataError(
            "pair-no-text", f"the {side} of pair {pair_id!r} is no text: {cells[side][i]!r}"
        )
    return str(cells[side][i])


def _task(cell: Any) -> str | None:
    return None if cell is None else str(cell) or None


def _meta(cell: Any, pair_id: str) -> dict[str, Any]:
    if isinstance(cell, Mapping):
        return dict(cell)
    return meta_object(cell, pair_id)


def _groups(table: pq.ParquetFile) -> Iterator[tuple[int, int, int]]:
    """Each group of rows: its number, its first row and the one after its last."""
    start = 0
    for group in range(table.metadata.num_row_groups):
        end = start + int(table.metadata.row_group(group).num_rows)
        yield group, start, end
        start = end


# Gold of any size with the sets of forms of its cases.


@dataclass(frozen=True, slots=True, eq=False)
class ReadCases:
    """Gold as arrays, and the forms of its cases."""

    gold: Gold
    """With its pairs, where these are few."""
    sets: FormSets
    numbers: Sequence[NDArray[np.int64]]
    """The number of each labelled case's set, some cases at a time."""
    pairs_at: Callable[[Sequence[int]], dict[int, Pair]]
    """Reads some pairs again, by their numbers from 0."""


def read_cases(
    source: str | Path,
    kinds: Sequence[str],
    reading: ReadKeywords,
    on_finding: OnFinding | None = None,
) -> ReadCases:
    """Find the forms of all gold pairs of a source; texts are held of few pairs only.

    Args:
        source: Any source of pairs.
        kinds: As in `find_forms`.
        reading: How to read it.
        on_finding: Is told of problems that do not stop the reading.

    Raises:
        DataError: the pairs, their tags or their columns cannot be read.
        SettingError: the forms of two kinds have the same names, or there are too many of them.
    """
    sets = FormSets(kinds)
    files = large_parquet(source, reading)
    if files is not None:
        gold = read_gold(source, reading=reading, on_finding=on_finding)
        options = read_options(reading)
        tables = [FormTable(file.source, options) for file in files]
        numbers = list(_of_tables(gold, tables, sets))
        return ReadCases(gold, sets, numbers, lambda rows: _sides_at(gold, tables, rows))
    held: list[Pair] | None = []
    found: list[NDArray[np.int64]] = []

    def see(pairs: Sequence[Pair]) -> None:
        nonlocal held
        found.append(sets.of_pairs([pair for pair in pairs if pair.gold is not None]))
        if held is not None:
            held.extend(pairs)
            # what comes once is held whatever its size
            held = held if len(held) <= LARGE or is_stream(source) else None

    gold = read_gold(source, reading=reading, on_finding=on_finding, on_pairs=see)
    gold = replace(gold, pairs=tuple(held or ()))
    return ReadCases(gold, sets, found, lambda rows: _read_again(source, reading, rows))


def _of_tables(
    gold: Gold, tables: Sequence[FormTable], sets: FormSets
) -> Iterator[NDArray[np.int64]]:
    import pyarrow as pa

    start = 0
    for table in tables:
        for batch in table.batches(sets.kinds):
            end = start + len(batch)
            labelled = pa.array(gold.labels[start:end] >= 0)
            ids = gold.ids.texts(start, end).filter(labelled)
            yield sets_of_batch(batch.filter(labelled), ids, sets)
            start = end


def _sides_at(gold: Gold, tables: Sequence[FormTable], rows: Sequence[int]) -> dict[int, Pair]:
    """Some pairs of Parquet files: id, text, hypothesis and gold."""
    found: dict[int, Pair] = {}
    start = 0
    for table in tables:
        inside = [row - start for row in rows if start <= row < start + table.n_rows]
        for row, sides in (table.sides(inside) if inside else {}).items():
            found[start + row] = Pair(gold.ids.text(start + row), *sides, gold.label(start + row))
        start += table.n_rows
    return found


def _read_again(source: str | Path, reading: ReadKeywords, rows: Sequence[int]) -> dict[int, Pair]:
    wanted = set(rows)
    last = max(wanted, default=-1)
    pairs = islice(read_pairs(source, **reading), last + 1)
    return {row: pair for row, pair in enumerate(pairs) if row in wanted}
