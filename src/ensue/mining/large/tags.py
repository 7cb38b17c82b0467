"""Tag pairs from whole columns of `meta`: JSON is read by Arrow, tags are paired in a kernel."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError
from ensue.mining.finding import SLASH, TAGS, form_kind
from ensue.mining.forms import Forms, distinct_forms
from ensue.mining.large.kernels import n_tag_pairs, pair_tags
from ensue.pairs import Pair

Numbers = NDArray[np.int64]


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


def _offsets(lists: Any) -> Numbers:
    return np.asarray(lists.offsets.to_numpy(zero_copy_only=False), dtype=np.int64)


def _codes(strings: Any) -> tuple[Numbers, list[str]]:
    """The number of each string, -1 for null, and the strings by number."""
    encoded = strings.dictionary_encode()
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return codes, encoded.dictionary.to_pylist()


def _any_of(flags: NDArray[np.bool_], offsets: Numbers) -> NDArray[np.bool_]:
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
        raise DataError(f"the meta of pair {pair_id!r} is not JSON: {meta[:60]!r}") from None
    if not isinstance(found, dict | None):
        raise DataError(f"the meta of pair {pair_id!r} is no object: {found!r}")
    return found or {}


def _merged(forms: Forms, others: Forms, places: NDArray[np.intp]) -> Forms:
    """Forms of all cases, with those of some from elsewhere."""
    numbers = {name: i for i, name in enumerate(forms.names)}
    known = np.array([numbers.setdefault(name, len(numbers)) for name in others.names], np.int64)
    cases = [np.repeat(np.arange(forms.n_cases), forms.sizes), np.repeat(places, others.sizes)]
    ids = [forms.ids.astype(np.int64), known[others.ids]]
    return distinct_forms(np.concatenate(cases), np.concatenate(ids), tuple(numbers), forms.n_cases)
