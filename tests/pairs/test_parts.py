"""Reading a part of a file without the rest: the same pairs, ids, places and errors."""

from __future__ import annotations

import pickle
from dataclasses import replace
from hashlib import sha256

import pytest
from tests.errors import coded

from ensue.errors import DataError, LabelError
from ensue.files import parquet_batches as batches, row_format, write_rows
from ensue.pairs import Label, Pair, read_pairs, read_part, survey, write_pairs
from ensue.pairs.formats import parquet as groups
from ensue.registry import find

PAIRS = [
    Pair(f"p{i}", f"Text {i}.", f"Hypothesis {i}.", list(Label)[i % 2 * 3], "QA", {"n": str(i)})
    for i in range(23)
]
LOCATED = [".jsonl", ".csv", ".tsv", ".parquet"]


def parts_of(surveyed, size):
    return [part for shard in surveyed.parts(size) for part in shard]


def read_parts(surveyed, size, **reading):
    return [pair for part in parts_of(surveyed, size) for pair in read_part(part, **reading)]


def parquet(path, n_rows, group_size):
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {
        "id": [f"p{i}" for i in range(n_rows)],
        "text": [f"text {i}" for i in range(n_rows)],
        "hypothesis": ["h"] * n_rows,
    }
    pq.write_table(pa.table(columns), path, row_group_size=group_size)
    return path


@pytest.mark.parametrize("suffix", LOCATED)
def test_parts_have_the_size_that_was_asked_for(tmp_path, suffix):
    path = tmp_path / f"x{suffix}"
    write_pairs(path, PAIRS)
    surveyed = survey(str(path), grid=4)
    assert surveyed.n_rows == 23
    assert [sum(part.rows for part in shard) for shard in surveyed.parts(10)] == [10, 10, 3]
    assert read_parts(surveyed, 10) == PAIRS


@pytest.mark.parametrize("suffix", LOCATED)
def test_parts_are_read_in_any_order_and_from_other_processes(tmp_path, suffix):
    path = tmp_path / f"x{suffix}"
    write_pairs(path, PAIRS)
    parts = pickle.loads(pickle.dumps(parts_of(survey(str(path), grid=2), 5)))
    found = {part.number: list(read_part(part)) for part in reversed(parts)}
    assert [pair for number in sorted(found) for pair in found[number]] == PAIRS


@pytest.mark.parametrize("before", ["", "\n\n"])
def test_scitail_without_a_header_is_read_in_parts(written, before):
    rows = [f"Text {i}.\tHypothesis {i}.\t{'neutral' if i % 3 else 'entails'}" for i in range(23)]
    path = written("x.tsv", before + "\n".join(rows))
    surveyed = survey(str(path), grid=4)
    assert surveyed.n_rows == 23
    assert read_parts(surveyed, 5) == list(read_pairs(path))


@pytest.mark.parametrize("suffix", LOCATED)
def test_labels_that_are_not_needed_cut_nothing_short(tmp_path, suffix):
    path = tmp_path / f"x{suffix}"
    rows = [["a", "b", ["no", "unknown", "neutral", "entails", "?"][i % 5]] for i in range(23)]
    with path.open("wb") as file:
        write_rows(file, ["premise", "hypothesis", "label"], rows, format=row_format(path))
    assert survey(str(path)).n_rows is None
    surveyed = survey(str(path), grid=4, needs_gold=False)
    assert len(read_parts(surveyed, 5, needs_gold=False)) == 23


def test_part_of_text_skips_no_more_than_the_grid(tmp_path):
    path = tmp_path / "x.jsonl"
    write_pairs(path, PAIRS)
    lines = path.read_bytes().splitlines(keepends=True)
    first, second = parts_of(survey(str(path), grid=4), 13)
    # the mark before row 13 is that of row 12 = 3 · 4, the one after it that of row 16
    assert (first.start, first.stop) == (0, sum(map(len, lines[:16])))
    assert (first.number, first.rows, first.skip, first.left) == (0, 13, 0, 3)
    assert (second.start, second.stop) == (sum(map(len, lines[:12])), path.stat().st_size)
    assert (second.number, second.first, second.skip, second.left) == (13, 13, 1, 0)


def test_part_of_parquet_stays_in_its_group(tmp_path):
    path = parquet(tmp_path / "x.parquet", 10, group_size=4)
    shards = [
        [(part.group, part.start, part.stop) for part in shard]
        for shard in survey(str(path)).parts(6)
    ]
    assert shards == [[(0, 0, 4), (1, 4, 6)], [(1, 6, 8), (2, 8, 10)]]


def test_parquet_group_is_decoded_once_for_parts_in_order(tmp_path, monkeypatch):
    path = parquet(tmp_path / "x.parquet", 100, group_size=50)
    opened = []
    monkeypatch.setattr(
        groups, "parquet_batches", lambda *a, **k: opened.append(k["group"]) or batches(*a, **k)
    )
    parts = parts_of(survey(str(path), labels={"no": None, "false": None}), 7)
    opened.clear()
    assert [pair.id for part in parts for pair in read_part(part)] == [f"p{i}" for i in range(100)]
    assert opened == [0, 1]
    opened.clear()
    assert [pair.id for part in parts[::2] for pair in read_part(part)][:9] == [
        f"p{i}" for i in (*range(7), 14, 15)
    ]
    assert opened == [0, 1]


def test_parquet_part_that_was_left_half_read_does_not_disturb_the_next(tmp_path):
    path = parquet(tmp_path / "x.parquet", 20, group_size=20)
    first, second = parts_of(survey(str(path)), 10)
    half = read_part(first)
    assert next(half).id == "p0"
    assert [pair.id for pair in read_part(second)] == [f"p{i}" for i in range(10, 20)]
    half.close()
    assert [pair.id for pair in read_part(first)] == [f"p{i}" for i in range(10)]


def test_parquet_that_was_replaced_is_opened_anew(tmp_path):
    path = parquet(tmp_path / "x.parquet", 20, group_size=20)
    (part,) = parts_of(survey(str(path)), 20)
    assert len(list(read_part(part))) == 20
    parquet(tmp_path / "y.parquet", 20, group_size=5).replace(path)
    (part, *_) = parts_of(survey(str(path)), 20)
    assert len(list(read_part(part))) == 5


@pytest.mark.parametrize("suffix", LOCATED)
def test_part_without_ids_goes_on_counting(tmp_path, suffix):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / f"x{suffix}"
    rows = [("a", "b")] * 7
    if suffix == ".parquet":
        pq.write_table(pa.table({"text": ["a"] * 7, "hypothesis": ["b"] * 7}), path)
    elif suffix == ".jsonl":
        path.write_text('{"text": "a", "hypothesis": "b"}\n\n' * 7)
    else:
        mark = "," if suffix == ".csv" else "\t"
        lines = [mark.join(row) for row in [("text", "hypothesis"), *rows]]
        path.write_text("\n\n".join(lines))
    surveyed = survey(str(path), grid=2)
    assert surveyed.n_rows == 7
    assert [pair.id for pair in read_parts(surveyed, 3)] == ["1", "2", "3", "4", "5", "6", "7"]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_csv_is_never_cut_inside_a_record(written, line_end, last, mark):
    rows = ['1,"a\n""b"",\nc",d', '2,5" disk,e', '"3","f\n",g', ",,", "", '4,"h, i",j', "5,k,l"]
    text = line_end.join(["id,text,hypothesis", *rows]) + (line_end if last else "")
    path = written("x.csv", mark + text.encode())
    whole = list(read_pairs(path))
    assert [pair.id for pair in whole] == ["1", "2", "3", "4", "5"]
    for size in range(1, 6):
        surveyed = survey(str(path), grid=1)
        assert surveyed.n_rows == 5
        assert read_parts(surveyed, size) == whole


def test_place_in_a_part_is_the_line_of_the_file(written):
    rows = [f'{i},"a\nb",c' for i in range(9)]
    path = written("x.csv", "\n".join(["id,text,hypothesis", *rows, "9,a"]))
    with pytest.raises(DataError) as whole:
        list(read_pairs(path))
    with pytest.raises(DataError) as parts:
        read_parts(survey(str(path), grid=2), 3)
    assert parts.value.place == f"{path}:{1 + 9 * 2 + 1}"
    assert str(parts.value) == str(whole.value)


def test_finding_in_a_part_has_the_line_of_the_file(written):
    path = written(
        "x.jsonl", '{"text": "a", "hypothesis": "b"}\n' * 5 + '{"text": "a", "hypothesis": ""}'
    )
    found = []
    for part in parts_of(survey(str(path), grid=2), 3):
        list(read_part(part, on_finding=found.append))
    assert [(finding.code, finding.place) for finding in found] == [
        ("empty-hypothesis", f"{path}:6")
    ]


@pytest.mark.parametrize(
    ("name", "content"),
    [("x.jsonl", ""), ("x.csv", "id,text,hypothesis\n"), ("x.parquet", None)],
)
def test_file_without_pairs_is_one_part_that_says_so(tmp_path, name, content):
    path = tmp_path / name
    if content is None:
        write_pairs(path, [])
    else:
        path.write_text(content)
    found = []
    (part,) = parts_of(survey(str(path)), 10)
    assert list(read_part(part, on_finding=found.append)) == []
    assert [finding.code for finding in found] == ["no-pairs"]


def test_csv_of_blank_lines_is_refused_in_parts_as_well(written):
    (part,) = parts_of(survey(str(written("x.csv", "\n \n"))), 10)
    with pytest.raises(DataError, check=coded("file-empty")):
        list(read_part(part))


def test_trouble_after_the_last_pair_is_not_lost(written):
    path = written("x.csv", b"id,text,hypothesis\n1,a,b\n\xa0,,\n")
    with pytest.raises(DataError, match=r"x.csv:3: byte 1 of the line is not utf-8"):
        read_parts(survey(str(path)), 1)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.jsonl", '{{"text": "a", "hypothesis": "b", "gold": {0}}}\n'),
        ("x.csv", "text,hypothesis,gold\na,b,{0}\n"),
        ("x.tsv", "text\thypothesis\tgold\na\tb\t{0}\n"),
    ],
)
@pytest.mark.parametrize("vague", ['"No"', "false", '" FALSE "'])
def test_labels_that_depend_on_other_rows_are_read_in_one_piece(written, name, content, vague):
    vague = vague if name == "x.jsonl" else vague.strip('" ')
    fine = '"unknown"' if name == "x.jsonl" else "unknown"
    header, row = content.rpartition("\n")[0].rpartition("\n")[::2]
    rows = [row.format("null" if name == "x.jsonl" else ""), row.format(vague)]
    clear = written(name, "\n".join(filter(None, [header, *rows])))
    assert survey(str(clear)).is_located
    mixed = written(name, "\n".join(filter(None, [header, *rows, row.format(fine)])))
    assert not survey(str(mixed)).is_located
    assert survey(str(mixed), labels={"no": Label.CONTRADICTION, "false": None}).is_located
    with pytest.raises(LabelError, check=coded("file-mean-contradiction-not-entailment")):
        list(read_pairs(mixed))


def test_labels_of_parquet_that_depend_on_other_rows_are_read_in_one_piece(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {"text": ["a"] * 3, "hypothesis": ["b"] * 3, "gold": ["no", None, "neutral"]}
    pq.write_table(pa.table(columns), tmp_path / "x.parquet")
    assert not survey(str(tmp_path / "x.parquet")).is_located
    pq.write_table(pa.table(columns).slice(0, 2), tmp_path / "y.parquet")
    assert survey(str(tmp_path / "y.parquet")).is_located


def test_label_inside_of_other_keys_does_not_count(written):
    lines = ['{"text": "a no", "hypothesis": "no", "gold": "unknown", "meta": {"said": "no"}}'] * 2
    assert survey(str(written("x.jsonl", "\n".join(lines)))).is_located


@pytest.mark.parametrize(
    ("name", "content", "reading"),
    [
        ("x.csv", "id,text,hypothesis\n1,a,b\n".encode("utf-16"), {}),
        ("x.csv", "id,text,hypothesis\n1,a,b\n".encode("utf-16-le"), {"encoding": "utf-16-le"}),
        ("x.jsonl", b'{"id": "1", "text": "a", "hypothesis": "b"}', {"encoding": "utf-7"}),
        (
            "x.xml",
            b'<entailment-corpus><pair id="1"><t>a</t><h>b</h></pair></entailment-corpus>',
            {},
        ),
    ],
)
def test_what_cannot_be_cut_is_not_located(written, name, content, reading):
    surveyed = survey(str(written(name, content)), **reading)
    assert not surveyed.is_located
    assert surveyed.n_rows is None
    assert surveyed.digest == sha256(sha256(content).hexdigest().encode()).hexdigest()
    with pytest.raises(ValueError, match="cannot be read in parts"):
        next(surveyed.parts(10))


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl"])
def test_latin_1_is_located_when_named(written, name):
    content = {
        "x.csv": "id,text,hypothesis\n1,café\xa0,b\n\xa0,,\n2,c,d\n",
        "x.jsonl": '{"id": "1", "text": "café", "hypothesis": "b"}\n\xa0\n'
        '{"id": "2", "text": "c", "hypothesis": "d"}',
    }
    path = written(name, content[name].encode("latin-1"))
    surveyed = survey(str(path), grid=1, encoding="latin-1")
    assert surveyed.n_rows == 2
    assert read_parts(surveyed, 1, encoding="latin-1") == list(read_pairs(path, encoding="latin-1"))


def test_format_of_others_is_not_located(written, monkeypatch):
    path = written("x.jsonl", '{"id": "1", "text": "a", "hypothesis": "b"}')
    without = replace(find("format", "jsonl"), cutting=None)
    monkeypatch.setattr("ensue.pairs.sources.find", lambda kind, name: without)
    assert not survey(str(path)).is_located


def test_digest_is_of_the_content_and_its_order_alone(tmp_path):
    for folder, names in (("one", "ab"), ("other", "cd"), ("swapped", "ba")):
        (tmp_path / folder).mkdir()
        for i, name in enumerate(names):
            write_pairs(tmp_path / folder / f"{name}.jsonl", PAIRS[i : i + 3])
    digests = [survey(str(tmp_path / name)).digest for name in ("one", "other", "swapped")]
    assert digests[0] == digests[1] != digests[2]


def test_survey_tells_of_every_byte_once(tmp_path):
    for suffix in [*LOCATED, ".xml", ".jsonl.gz"]:
        write_pairs(tmp_path / f"x{suffix}", PAIRS)
    told = []
    surveyed = survey(str(tmp_path), progress=told.append)
    assert sum(told) == surveyed.bytes
    assert surveyed.bytes == sum(path.stat().st_size for path in tmp_path.iterdir())
    for file in surveyed.files:
        with open(file.source, "rb") as content:  # noqa: PTH123
            assert file.digest == sha256(content.read()).hexdigest()


def test_survey_of_a_stream_has_no_files():
    surveyed = survey("-")
    assert (surveyed.files, surveyed.is_located, surveyed.digest) == ((), False, "-")


def test_small_files_are_packed_together(tmp_path):
    for i, (name, n_pairs) in enumerate([("a.csv", 3), ("b.jsonl", 0), ("c.parquet", 5)]):
        pairs = [replace(PAIRS[k], id=f"{i}-{k}", meta={}) for k in range(n_pairs)]
        write_pairs(tmp_path / name, pairs)
    surveyed = survey(str(tmp_path))
    shards = [
        [(part.source.rpartition("/")[2], part.number, part.rows) for part in shard]
        for shard in surveyed.parts(4)
    ]
    assert shards == [
        [("a.csv", 0, 3), ("b.jsonl", 0, 0), ("c.parquet", 0, 1)],
        [("c.parquet", 1, 4)],
    ]
    assert read_parts(surveyed, 4) == list(read_pairs(tmp_path))


def test_damaged_index_among_good_files_is_refused_before_there_is_work(tmp_path):
    for name in "abc":
        write_pairs(tmp_path / f"{name}.parquet", PAIRS)
    broken = tmp_path / "b.parquet"
    broken.write_bytes(broken.read_bytes()[:-30])
    with pytest.raises(DataError, check=coded("not-parquet")) as caught:
        survey(str(tmp_path))
    assert caught.value.place == str(broken)


def test_damaged_rows_among_good_files_are_refused_at_their_part(tmp_path):
    import pyarrow.parquet as pq

    for name in "abc":
        pairs = [replace(PAIRS[0], id=f"{name}{i}", text=f"{name} {i} " * 9) for i in range(300)]
        write_pairs(tmp_path / f"{name}.parquet", pairs)
    broken = tmp_path / "b.parquet"
    content = bytearray(broken.read_bytes())
    texts = pq.ParquetFile(broken).metadata.row_group(0).column(1)
    start = texts.dictionary_page_offset + 100
    content[start : start + 50] = b"\xff" * 50
    broken.write_bytes(content)
    good, bad, after = survey(str(tmp_path)).parts(300)
    assert len(list(read_part(good[0]))) == 300
    with pytest.raises(DataError, check=coded("broken-parquet")) as caught:
        list(read_part(bad[0]))
    assert caught.value.place == str(broken)
    assert len(list(read_part(after[0]))) == 300


def test_shard_without_room_is_refused(tmp_path):
    write_pairs(tmp_path / "x.jsonl", PAIRS)
    with pytest.raises(ValueError, match="a shard of 0 pairs makes no sense"):
        next(survey(str(tmp_path / "x.jsonl")).parts(0))


@pytest.mark.parametrize("suffix", LOCATED)
def test_part_of_a_file_that_is_gone_is_refused(tmp_path, suffix):
    path = tmp_path / f"x{suffix}"
    write_pairs(path, PAIRS)
    first, second = parts_of(survey(path), 12)
    assert list(read_part(first)) == PAIRS[:12]
    path.unlink()
    with pytest.raises(DataError, match=r"there is no file '.*x\."):
        list(read_part(second))
