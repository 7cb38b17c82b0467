"""The files that a name stands for, and pairs read from several of them."""

from __future__ import annotations

import json
import os

import pytest
from tests.errors import coded

from ensue.errors import DataError
from ensue.pairs import Pair, dataset_name, expand, load_pairs, read_pairs, write_pairs
from ensue.pairs.sources import id_prefixes, is_stream, read_files
from ensue.pairs.surveys import survey

PAIRS = [Pair(str(i), f"Text {i}.", f"Hypothesis {i}.") for i in range(6)]


@pytest.fixture
def folder(tmp_path):
    """Three files of pairs, two of them in a folder of the folder, and what is none."""
    (tmp_path / "data" / "more").mkdir(parents=True)
    write_pairs(tmp_path / "data" / "b.csv", PAIRS[4:])
    write_pairs(tmp_path / "data" / "a.parquet", PAIRS[:2])
    write_pairs(tmp_path / "data" / "more" / "c.xml", PAIRS[2:4])
    for name in (".hidden.jsonl", "_SUCCESS", "more/._c.xml"):
        (tmp_path / "data" / name).write_text("no pairs")
    (tmp_path / "data" / "_temporary").mkdir()
    (tmp_path / "data" / "_temporary" / "d.jsonl").write_text("no pairs")
    return tmp_path / "data"


def test_expand_gives_a_file_as_it_is_named(folder):
    assert expand(folder / "b.csv") == [str(folder / "b.csv")]
    assert expand("-") == ["-"]


def test_expand_walks_through_a_folder_in_order_and_leaves_hidden_files_out(folder):
    assert expand(folder) == [str(folder / name) for name in ("a.parquet", "b.csv", "more/c.xml")]


def test_expand_takes_a_glob(folder):
    assert expand(f"{folder}/*.csv") == [str(folder / "b.csv")]
    assert expand(f"{folder}/?.[cp]*") == [str(folder / name) for name in ("a.parquet", "b.csv")]
    assert expand(f"{folder}/**/*.xml") == [str(folder / "more" / "c.xml")]


def test_expand_gives_no_file_twice(folder):
    assert expand(f"{folder}/more/**") == [str(folder / "more" / "c.xml")]


def test_expand_prefers_a_file_that_looks_like_a_glob(tmp_path):
    write_pairs(tmp_path / "[1].csv", PAIRS)
    write_pairs(tmp_path / "1.csv", PAIRS)
    assert expand(tmp_path / "[1].csv") == [str(tmp_path / "[1].csv")]


def test_expand_takes_a_url_of_a_local_file(folder):
    assert expand(f"file://{folder}/b.csv") == [str(folder / "b.csv")]
    assert list(read_pairs(f"file://{folder}/b.csv")) == PAIRS[4:]


def test_expand_follows_links_but_not_in_circles(folder):
    (folder / "again").symlink_to(folder)
    (folder / "linked.csv").symlink_to(folder / "b.csv")
    assert expand(folder) == [
        str(folder / name) for name in ("a.parquet", "b.csv", "linked.csv", "more/c.xml")
    ]


def test_link_to_nothing_is_not_left_out(folder):
    (folder / "lost.csv").symlink_to(folder / "nowhere.csv")
    with pytest.raises(DataError, match=r"there is no file '.*lost.csv'"):
        list(read_pairs(folder))


def test_folder_without_files_is_refused(tmp_path):
    (tmp_path / "_nothing").write_text("")
    with pytest.raises(DataError, check=coded("no-files")) as caught:
        expand(tmp_path)
    assert "dot or an underscore" in (caught.value.hint or "")


def test_glob_that_matches_nothing_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"there are no files in '.*\*.csv'") as caught:
        list(read_pairs(f"{tmp_path}/*.csv"))
    assert "quotation marks" in (caught.value.hint or "")


def test_folder_that_cannot_be_read_is_refused(folder, monkeypatch):
    def denied(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.iterdir", denied)
    with pytest.raises(DataError, match="cannot read: Permission denied") as caught:
        expand(folder)
    assert caught.value.place == str(folder)


def test_folder_of_suites_stands_for_the_first_file_of_each(tmp_path):
    for name in ("suite-1", "suite-2"):
        write_pairs(tmp_path / f"{name}.jsonl", PAIRS)
        write_pairs(tmp_path / f"{name}.xml", PAIRS)
    suites = [{"files": [f"suite-{i}.jsonl", f"suite-{i}.xml"]} for i in (2, 1)]
    (tmp_path / "suites.json").write_text(json.dumps({"suites": suites}))
    assert expand(tmp_path) == [str(tmp_path / f"suite-{i}.jsonl") for i in (2, 1)]


def test_suite_whose_file_is_gone_is_not_left_out(tmp_path):
    (tmp_path / "suites.json").write_text('{"suites": [{"files": ["suite-1.jsonl"]}]}')
    with pytest.raises(DataError, match=r"there is no file '.*suite-1.jsonl'"):
        list(read_pairs(tmp_path))


@pytest.mark.parametrize("content", ["[]", "{", '{"suites": 3}', '{"suites": [{}]}'])
def test_other_file_of_that_name_is_a_file_like_any_other(tmp_path, content):
    (tmp_path / "suites.json").write_text(content)
    assert expand(tmp_path) == [str(tmp_path / "suites.json")]


@pytest.mark.parametrize(
    "files",
    [
        {"_manifest.json": '{"ensue_run": 1, "ensue_folder": 1}'},
        {"_plan.json": "", "_journal.jsonl": ""},
    ],
)
def test_folder_of_a_run_is_refused(tmp_path, files):
    (tmp_path / "inner").mkdir()
    for name, content in files.items():
        (tmp_path / "inner" / name).write_text(content)
    for source in (tmp_path / "inner", tmp_path):
        with pytest.raises(DataError, match=r"'.*inner' is a run, not pairs") as caught:
            expand(source)
    assert "ensue evaluate" in (caught.value.hint or "")


def test_pairs_of_several_files_come_in_the_order_of_the_files(folder):
    assert [pair.id for pair in read_pairs(folder)] == ["0", "1", "4", "5", "2", "3"]
    assert [name.rpartition("/")[2] for name, _ in read_files(folder)] == [
        "a.parquet",
        "b.csv",
        "c.xml",
    ]


def test_finding_in_one_of_several_files_has_its_name(folder, findings):
    write_pairs(folder / "b.csv", [])
    list(read_pairs(folder, on_finding=findings.append))
    assert [(f.code, f.place) for f in findings] == [("no-pairs", str(folder / "b.csv"))]


def test_error_in_one_of_several_files_has_its_name(folder):
    (folder / "b.csv").write_text("id,text,hypothesis\n1,a\n")
    with pytest.raises(DataError) as caught:
        list(read_pairs(folder))
    assert caught.value.place == f"{folder / 'b.csv'}:2"


def test_id_that_is_in_two_files_is_refused_with_both_places(folder):
    write_pairs(folder / "b.csv", PAIRS[1:2])
    with pytest.raises(DataError, match=r"two pairs have the id '1'; .*a.parquet:2") as caught:
        load_pairs(folder)
    assert caught.value.place == f"{folder / 'b.csv'}:2"


def test_pairs_without_ids_are_numbered_by_file(tmp_path):
    (tmp_path / "dev.csv").write_text("text,hypothesis\na,b\nc,d\n")
    (tmp_path / "test.jsonl.gz").write_text('{"text": "a", "hypothesis": "b"}\n')
    write_pairs(tmp_path / "x.jsonl", PAIRS[:1])
    assert [pair.id for pair in load_pairs(tmp_path)] == ["dev:1", "dev:2", "test:1", "0"]
    assert [pair.id for pair in load_pairs(tmp_path / "dev.csv")] == ["1", "2"]
    assert [pair.id for pair in load_pairs(f"{tmp_path}/d*.csv")] == ["1", "2"]


def test_pairs_without_ids_are_told_apart_where_files_share_their_name(tmp_path):
    for name in ("one/x.csv", "two/x.csv", "y.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("text,hypothesis\na,b\n")
    assert [pair.id for pair in load_pairs(tmp_path)] == ["one/x.csv:1", "two/x.csv:1", "y:1"]


def test_id_prefixes_are_distinct_whatever_the_names():
    assert id_prefixes(["a/x.csv"]) == [""]
    assert id_prefixes(["a/x.csv", "a/x.jsonl", "a/z.csv"]) == ["x.csv:", "x.jsonl:", "z:"]
    assert id_prefixes(["s3://b/1/x.csv", "s3://b/2/x.csv"]) == ["1/x.csv:", "2/x.csv:"]


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("-", "standard-input"),
        ("data/dev.jsonl", "dev"),
        ("data/dev.jsonl.zst", "dev"),
        ("data/v1.2/", "v1.2"),
        ("data/part-*.parquet", "part"),
        ("data/part-0000[0-9].parquet", "part-0000"),
        ("data/*.parquet", "data"),
        ("data/rte/**/*", "rte"),
        ("s3://bucket/rte/dev.parquet", "dev"),
        ("s3://bucket/rte/", "rte"),
        ("s3://bucket/rte/*.csv", "rte"),
        ("s3://bucket/*", "bucket"),
        ("memory://dev.csv", "dev"),
    ],
)
def test_dataset_name_is_what_the_files_have_in_common(source, name):
    assert dataset_name(source) == name


def test_dataset_name_of_a_folder_is_its_own(tmp_path, monkeypatch):
    (tmp_path / "rte.v2").mkdir()
    assert dataset_name(tmp_path / "rte.v2") == "rte.v2"
    monkeypatch.chdir(tmp_path / "rte.v2")
    assert dataset_name(".") == "rte.v2"


def test_stream_is_what_can_be_read_only_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert is_stream("-")
    assert is_stream(tmp_path / "pipe")
    for other in (tmp_path, tmp_path / "nope", "s3://bucket/x.csv"):
        assert not is_stream(other)


@pytest.mark.parametrize("read", [load_pairs, survey], ids=["read", "survey"])
@pytest.mark.parametrize("content", ["Notes on these pairs\n", "Notes, many of them\n", ""])
def test_file_that_is_no_pairs_among_others_is_to_be_left_out(tmp_path, read, content):
    write_pairs(tmp_path / "a.jsonl", PAIRS[:2])
    (tmp_path / "README.md").write_text(content)
    for source in (tmp_path, f"{tmp_path}/", f"{tmp_path}/*"):
        with pytest.raises(DataError, match=r"README\.md") as caught:
            read(source)
        assert caught.value.hint.endswith(f"by a glob, e.g. '{tmp_path}/*.jsonl'")
    read(f"{tmp_path}/*.jsonl")


def test_file_that_was_named_itself_is_not_to_be_left_out(tmp_path):
    (tmp_path / "README").write_text("Notes on these pairs\n")
    for source in (tmp_path / "README", tmp_path):  # where none is known by its name, all may be
        with pytest.raises(DataError, check=coded("cannot-tell-format-file")) as caught:
            load_pairs(source)
        assert "--read format=" in caught.value.hint


def test_broken_file_of_pairs_among_others_keeps_its_own_hint(folder):
    (folder / "d.jsonl").write_text('{"id": "1", "text": "A."}\n')
    with pytest.raises(DataError, match=r"d\.jsonl:1") as caught:
        load_pairs(folder)
    assert "glob" not in (caught.value.hint or "")
