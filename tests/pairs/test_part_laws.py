"""Laws of cutting: whatever is in a file and however it is cut, nothing changes."""

from __future__ import annotations

import json
from itertools import count, pairwise

import pytest
from hypothesis import example, given, settings, strategies as st

from ensue.errors import EnsueError
from ensue.pairs import (
    Label,
    Pair,
    PairHash,
    pairs_hash,
    read_pairs,
    read_part,
    survey,
    write_pairs,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
PAIRS = st.lists(
    st.builds(
        Pair,
        id=st.just("?"),
        text=TEXTS,
        hypothesis=TEXTS,
        gold=st.sampled_from([None, Label.ENTAILMENT, Label.NOT_ENTAILMENT]),
        task=st.sampled_from([None, "QA"]),
        meta=st.dictionaries(st.sampled_from(["a", "é"]), st.text("x\"',", max_size=2), max_size=2),
    ),
    max_size=12,
).map(
    lambda pairs: [
        Pair(str(i), p.text, p.hypothesis, p.gold, p.task, p.meta) for i, p in enumerate(pairs)
    ]
)
NAMES = count()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("laws")


def outcome(pieces):
    """Everything that reading gives: pairs, findings, and the error that ends it."""
    pairs, findings, error = [], [], None
    try:
        for piece in pieces(findings.append):
            pairs.extend(piece)
    except EnsueError as caught:
        error = str(caught)
    return pairs, findings, error


def surveyed_or_none(path, grid):
    try:
        return survey(str(path), grid=grid)
    except EnsueError:
        return None


def check_that_parts_are_the_whole(path, grid, size):
    def in_parts(on_finding):
        for shard in surveyed.parts(size):
            for part in shard:
                yield read_part(part, on_finding=on_finding)

    whole = outcome(lambda on_finding: [read_pairs(path, on_finding=on_finding)])
    surveyed = surveyed_or_none(path, grid)
    if surveyed is None:
        assert whole[0] == []
        assert whole[2] is not None
        return
    if surveyed.is_located:
        assert outcome(in_parts) == whole
    if whole[2] is None:
        assert surveyed.n_rows in (None, len(whole[0]))


def new_file(folder, suffix, content=b""):
    path = folder / f"{next(NAMES)}{suffix}"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".tsv", ".parquet"])
@settings(max_examples=30)
@given(pairs=PAIRS, grid=st.integers(1, 5), size=st.integers(1, 7))
def test_parts_of_any_pairs_are_the_whole(folder, suffix, pairs, grid, size):
    if suffix == ".tsv":
        pairs = [p for p in pairs if not set(f"{p.text}{p.hypothesis}") & set("\t\r\n")]
    path = new_file(folder, suffix)
    write_pairs(path, pairs)
    check_that_parts_are_the_whole(path, grid, size)
    path.unlink()


CELLS = st.sampled_from(
    [
        "a",
        '"',
        '""',
        '"b',
        ",",
        "\t",
        "\n",
        "\r\n",
        "\r",
        " ",
        "\u2003",
        "\xa0",
        "é",
        "no",
        "unknown",
    ]
)
BYTES = st.one_of(CELLS.map(str.encode), st.sampled_from([b"\xff", b"\0", b"\xa0"]))
HEADERS = st.sampled_from(
    ["id,text,hypothesis,gold\n", "text,hypothesis\n", "\ufefftext,hypothesis\r\n", ""]
)


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@given(
    header=HEADERS,
    rows=st.lists(st.one_of(st.just(b"a,b\n"), st.just(b"1,a,b,no\n"), BYTES), max_size=25),
    grid=st.integers(1, 3),
    size=st.integers(1, 4),
)
@example("text,hypothesis\n", [b"a,b\n", b'"a', b"\n", b'",b', b"\n"], 1, 1)
@example("text,hypothesis\n", [b"a,b\n", b",\xc2\xa0\n", b"\xa0,\n", b"c,d"], 1, 1)
def test_parts_of_any_table_are_the_whole(folder, suffix, header, rows, grid, size):
    content = header.encode() + b"".join(rows)
    if suffix == ".tsv":
        content = content.replace(b",", b"\t")
    path = new_file(folder, suffix, content)
    check_that_parts_are_the_whole(path, grid, size)
    path.unlink()


RECORDS = st.fixed_dictionaries(
    {"text": st.sampled_from(["a", "é ", ""]), "hypothesis": st.just("b")},
    optional={
        "id": st.sampled_from(["1", " 2 "]),
        "gold": st.sampled_from(["No", "unknown", "neutral", "entailment", False, None, "?"]),
        "task": st.just("QA"),
        "more": st.just(True),
    },
).map(lambda record: json.dumps(record, ensure_ascii=False))
LINES = st.one_of(
    RECORDS,
    RECORDS,
    st.sampled_from(["", " ", "\u2003", "\xa0\r", "{", "[]", '{"text": "a"}', "\0"]),
)


@given(
    mark=st.sampled_from(["", "\ufeff"]),
    lines=st.lists(LINES, max_size=12),
    end=st.sampled_from(["", "\n", "\r\n"]),
    grid=st.integers(1, 3),
    size=st.integers(1, 4),
)
def test_parts_of_any_lines_are_the_whole(folder, mark, lines, end, grid, size):
    path = new_file(folder, ".jsonl", (mark + "\n".join(lines) + end).encode())
    check_that_parts_are_the_whole(path, grid, size)
    path.unlink()


@settings(max_examples=30)
@given(
    kinds=st.lists(st.sampled_from([".jsonl", ".csv", ".parquet"]), min_size=1, max_size=4),
    sizes=st.lists(st.integers(0, 6), min_size=4, max_size=4),
    grid=st.integers(1, 4),
    size=st.integers(1, 9),
)
def test_parts_of_any_folder_are_the_whole(folder, kinds, sizes, grid, size):
    inside = folder / f"folder-{next(NAMES)}"
    inside.mkdir()
    for i, (suffix, n_pairs) in enumerate(zip(kinds, sizes, strict=False)):
        pairs = [Pair(f"{i}-{k}", "a", "b", task=str(k)) for k in range(n_pairs)]
        write_pairs(inside / f"{i}{suffix}", pairs)
    check_that_parts_are_the_whole(inside, grid, size)
    surveyed = survey(str(inside), grid=grid)
    shards = [sum(part.rows for part in shard) for shard in surveyed.parts(size)]
    n_rows = sum(sizes[: len(kinds)])
    full, rest = divmod(n_rows, size)
    assert shards == [size] * full + ([rest] if rest or not full else [])


@settings(max_examples=30)
@given(pairs=PAIRS, cuts=st.lists(st.integers(0, 12), max_size=4))
def test_pair_hash_of_any_cut_is_that_of_the_whole(pairs, cuts):
    places = [0, *sorted(min(cut, len(pairs)) for cut in cuts), len(pairs)]
    total = PairHash()
    for begin, end in pairwise(places):
        part = PairHash()
        for pair in pairs[begin:end]:
            part.add(pair)
        total.extend(PairHash.from_state(json.loads(json.dumps(part.state()))))
    assert total.n_pairs == len(pairs)
    assert total.hexdigest() == pairs_hash(pairs)


@settings(max_examples=30)
@given(pairs=PAIRS.filter(lambda pairs: len(pairs) > 1), data=st.data())
def test_pair_hash_sees_any_change(pairs, data):
    i = data.draw(st.integers(0, len(pairs) - 2))
    other = [*pairs[:i], pairs[i + 1], pairs[i], *pairs[i + 2 :]]
    changed = [
        *pairs[:i],
        Pair(pairs[i].id, pairs[i].text + "x", pairs[i].hypothesis),
        *pairs[i + 1 :],
    ]
    hashes = [pairs_hash(each) for each in (pairs, other, changed, pairs[:-1], pairs[1:])]
    assert len(set(hashes)) == 5
