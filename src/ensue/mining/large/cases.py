"""Gold of any size as columns: ids, labels, and the number of each case's set of forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ensue.evaluation.large.columns import ID, LABELS, NONE, Columns, cut_alike, read_spooled
from ensue.evaluation.large.gold import Files, gold_columns, parquet_files, spooled_gold
from ensue.mining.large.sets import FormSets
from ensue.mining.large.tables import FormTable, located_rows, sets_of_batch
from ensue.pairs import Pair
from ensue.pairs.files import shown_name
from ensue.pairs.formats.model import LocatedPairs, OnFinding
from ensue.pairs.reading import Reading, id_prefixes, read_files, read_options

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = 4096
"""How many pairs are held at a time, where they do not come as columns."""

Sides = Callable[[Sequence[int]], dict[int, tuple[str, str]]]


@dataclass(frozen=True, slots=True, eq=False)
class LargeCases:
    """Gold pairs with their forms, on disk."""

    columns: Columns
    """`id`, `gold` (a code) and `set`, the number of the set of forms, −1 without gold."""
    sets: FormSets
    sides: Sides
    """Gives text and hypothesis of some pairs, by their numbers from 0."""

    def pairs(self, rows: Sequence[int]) -> dict[int, Pair]:
        """Some pairs, by their numbers from 0: id, text, hypothesis and gold."""
        sides = self.sides(rows)
        found: dict[int, Pair] = {}
        for row, batch, i in located_rows(self.columns.read(), rows):
            pair_id, gold = (batch.column(k)[i].as_py() for k in (0, 1))
            found[row] = Pair(pair_id, *sides[row], None if gold == NONE else LABELS[gold])
        return found


def read_cases(
    source: str | Path,
    kinds: Sequence[str],
    folder: Path,
    *,
    on_finding: OnFinding | None = None,
    **reading: Unpack[Reading],
) -> LargeCases:
    """Find the forms of all gold pairs of a source, in one pass that holds none of them.

    Args:
        source: Any source of pairs.
        kinds: As in `find_forms`.
        folder: An empty folder for files that are needed as long as the cases are.
        on_finding: Is told of problems that do not stop the reading.
        **reading: How to read it: the fields of `Reading`.

    Raises:
        DataError: the pairs, their tags or their columns cannot be read.
        SettingError: the forms of two kinds have the same names, or there are too many of them.
    """
    files = parquet_files(source, reading.get("format"))
    if files is None:
        located = read_files(source, on_finding=on_finding, **reading)
        return cases_of_pairs(located, shown_name(source), kinds, folder)
    gold = gold_columns(source, folder / "gold", tasks=False, on_finding=on_finding, **reading)
    options = read_options(reading)
    tables = [
        FormTable(file, replace(options, id_prefix=prefix))
        for file, prefix in zip(files, id_prefixes(files), strict=True)
    ]
    return _of_tables(gold, tables, FormSets(kinds), folder)


def _of_tables(
    gold: Columns, tables: Sequence[FormTable], sets: FormSets, folder: Path
) -> LargeCases:
    import pyarrow as pa

    with _Spool(folder / "sets", {"set": "int64"}) as spool:
        batches = (batch for table in tables for batch in table.batches(sets.kinds))
        for of_gold, of_forms in cut_alike([gold.read(), batches]):
            labelled = np.asarray(of_gold.column("gold")) != NONE
            numbers = np.full(len(labelled), NONE, np.int64)
            if not labelled.all():
                of_gold, of_forms = (
                    each.filter(pa.array(labelled)) for each in (of_gold, of_forms)
                )
            numbers[labelled] = sets_of_batch(of_forms, of_gold.column(ID), sets)
            spool.write(numbers)
    return LargeCases(_with_sets(gold, folder / "sets"), sets, _sides_of_tables(tables))


def cases_of_pairs(files: Files, name: str, kinds: Sequence[str], folder: Path) -> LargeCases:
    """As `read_cases`, for pairs that come once; their texts are kept on disk.

    Args:
        files: Pairs with their lines, file by file.
        name: What the source is called.
        kinds: As in `find_forms`.
        folder: An empty folder for files that are needed as long as the cases are.
    """
    sets = FormSets(kinds)
    types = {"set": "int64", "text": "binary", "hypothesis": "binary"}
    with _Spool(folder / "sets", types) as spool:
        held: list[Pair] = []

        def find() -> None:
            numbers = np.full(len(held), NONE, np.int64)
            labelled = [i for i, pair in enumerate(held) if pair.gold is not None]
            numbers[labelled] = sets.of_pairs([held[i] for i in labelled])
            sides = (
                [_bytes(pair.text) for pair in held],
                [_bytes(pair.hypothesis) for pair in held],
            )
            spool.write(numbers, *sides)
            held.clear()

        def passed(located: LocatedPairs) -> LocatedPairs:
            for line, pair in located:
                held.append(pair)
                if len(held) == ROWS:
                    find()
                yield line, pair

        gold = spooled_gold(
            ((file, passed(located)) for file, located in files), name, folder / "gold"
        )
        find()
    path = folder / "sets"
    return LargeCases(_with_sets(gold, path), sets, lambda rows: _spooled_sides(path, rows))


def _with_sets(gold: Columns, path: Path) -> Columns:
    """Gold, and beside it the sets from a file."""
    import pyarrow as pa

    def read() -> Iterator[pa.RecordBatch]:
        for of_gold, of_sets in cut_alike([gold.read(), read_spooled(path)]):
            arrays = [of_gold.column(ID), of_gold.column("gold"), of_sets.column("set")]
            yield pa.record_batch(arrays, names=[ID, "gold", "set"])

    return replace(gold, read=read)


class _Spool:
    """Writes batches of columns to a file, for `read_spooled`."""

    def __init__(self, path: Path, types: dict[str, str]) -> None:
        import pyarrow as pa

        kinds: Any = {"int64": pa.int64(), "binary": pa.binary()}
        self._schema = pa.schema([(name, kinds[kind]) for name, kind in types.items()])
        self._sink = pa.OSFile(str(path), "wb")
        self._writer = pa.ipc.new_stream(self._sink, self._schema)

    def __enter__(self) -> _Spool:
        return self

    def __exit__(self, *error: object) -> None:
        self._writer.close()
        self._sink.close()

    def write(self, *columns: Any) -> None:
        """Write some rows, given as columns."""
        import pyarrow as pa

        arrays = [
            pa.array(each, kind) for each, kind in zip(columns, self._schema.types, strict=True)
        ]
        self._writer.write_batch(pa.record_batch(arrays, schema=self._schema))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")  # half characters are texts, too


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogatepass")


def _spooled_sides(path: Path, rows: Sequence[int]) -> dict[int, tuple[str, str]]:
    found: dict[int, tuple[str, str]] = {}
    for row, batch, i in located_rows(read_spooled(path), rows):
        text, hypothesis = (batch.column(k)[i].as_py() for k in (1, 2))
        found[row] = (_text(text), _text(hypothesis))
    return found


def _sides_of_tables(tables: Sequence[FormTable]) -> Sides:
    starts = list(accumulate((table.n_rows for table in tables), initial=0))

    def sides(rows: Sequence[int]) -> dict[int, tuple[str, str]]:
        found: dict[int, tuple[str, str]] = {}
        for table, start in zip(tables, starts, strict=False):
            inside = [row - start for row in rows if start <= row < start + table.n_rows]
            if inside:
                found |= {row + start: both for row, both in table.sides(inside).items()}
        return found

    return sides
