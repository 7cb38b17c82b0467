"""Whatever the format: which one it is, standard input, gzip, doubles, and round trips."""

from __future__ import annotations

import gzip
import io
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st
from tests.errors import coded

from ensue.errors import DataError, OutputError, SettingError, UnknownNameError
from ensue.pairs import Label, Pair, check_target, dataset_name, load_pairs, read_pairs, write_pairs
from ensue.registry import find, names

PAIRS = [
    Pair("1", 'He said "no", twice.', "He spoke.", Label.ENTAILMENT, "QA", {"length": "short"}),
    Pair("2", "Café & bar", "A <b> bar", Label.NOT_ENTAILMENT, "IE", {"length": "long"}),
    Pair("3", "A dog barks.", "A cat meows.", None, None, {}),
]
WRITABLE = [".xml", ".jsonl", ".csv", ".tsv", ".parquet"]


def standard_input(monkeypatch, content: bytes) -> None:
    class Pipe(io.RawIOBase):
        """Gives what a slow writer gives: one byte, then the rest."""

        def __init__(self):
            self.blocks = [content[:1], content[1:]]

        def readable(self):
            return True

        def readinto(self, buffer):
            block = self.blocks[0][: len(buffer)]
            self.blocks[0] = self.blocks[0][len(block) :]
            if not self.blocks[0] and len(self.blocks) > 1:
                self.blocks.pop(0)
            buffer[: len(block)] = block
            return len(block)

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Pipe())))


@pytest.mark.parametrize("packed", ["", ".gz"])
@pytest.mark.parametrize("suffix", WRITABLE)
def test_written_pairs_are_read_back(tmp_path, suffix, packed):
    path = tmp_path / f"pairs{suffix}{packed}"
    write_pairs(path, PAIRS)
    assert list(read_pairs(path)) == PAIRS


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("suffix", WRITABLE)
def test_standard_input_is_recognized_without_seeking(tmp_path, monkeypatch, suffix, packed):
    path = tmp_path / f"pairs{suffix}"
    write_pairs(path, PAIRS)
    content = path.read_bytes()
    standard_input(monkeypatch, gzip.compress(content) if packed else content)
    assert list(read_pairs("-")) == PAIRS


@pytest.mark.parametrize("suffix", WRITABLE)
def test_format_is_recognized_by_content_where_the_name_says_nothing(tmp_path, suffix):
    write_pairs(tmp_path / f"pairs{suffix}", PAIRS)
    path = (tmp_path / f"pairs{suffix}").rename(tmp_path / "pairs.data")
    assert list(read_pairs(path)) == PAIRS


def test_format_that_nobody_recognizes_is_refused(written):
    with pytest.raises(DataError, check=coded("cannot-tell-format-file")) as caught:
        list(read_pairs(written("x.data", "hello\n")))
    assert caught.value.hint == "name it: --read format=csv|fracas|jsonl|parquet|rte|tsv"


def test_format_that_is_not_there_is_refused(written):
    with pytest.raises(UnknownNameError, match="no format is called 'jsn'"):
        list(read_pairs(written("x.data", "hello\n"), format="jsn"))


def test_format_option_comes_before_the_name(written):
    path = written("x.xml", '{"id": "1", "text": "a", "hypothesis": "b"}\n')
    assert [pair.id for pair in read_pairs(path, format="jsonl")] == ["1"]


def test_format_without_columns_refuses_the_option(written):
    with pytest.raises(SettingError, match="the format 'rte' has no columns to map"):
        list(read_pairs(written("x.xml", "<entailment-corpus/>"), columns={"text": "a"}))


@pytest.mark.parametrize("name", names("format"))
def test_format_has_a_name_a_line_and_suffixes(name):
    found = find("format", name)
    assert found.name == name
    assert "\n" not in found.summary
    assert all(suffix.startswith(".") for suffix in found.suffixes)


@pytest.mark.parametrize("suffix", WRITABLE)
def test_reading_is_streaming(tmp_path, suffix):
    path = tmp_path / f"pairs{suffix}"
    write_pairs(path, (replace(PAIRS[0], id=str(i)) for i in range(5000)))
    pairs = read_pairs(path)
    assert [next(pairs).id for _ in range(3)] == ["0", "1", "2"]
    pairs.close()


def test_missing_file_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"there is no file '.*nope.xml'"):
        list(read_pairs(tmp_path / "nope.xml"))


def test_directory_without_files_is_refused(tmp_path):
    with pytest.raises(DataError, check=coded("no-files")):
        list(read_pairs(tmp_path))


@pytest.mark.parametrize("damage", [lambda b: b[:-10], lambda b: b[:20] + b"\xff" * 9 + b[29:]])
def test_broken_gzip_is_refused(tmp_path, damage):
    path = tmp_path / "pairs.jsonl.gz"
    write_pairs(path, [replace(PAIRS[0], id=str(i)) for i in range(50)])
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(DataError, match="broken gzip file"):
        list(read_pairs(path))


def test_unknown_encoding_is_refused(written):
    with pytest.raises(DataError, match="no encoding is called 'klingon'"):
        list(read_pairs(written("x.csv", "id,text,hypothesis\n"), encoding="klingon"))


def test_load_pairs_refuses_a_second_id_with_both_places(written):
    path = written("x.csv", "id,text,hypothesis\n7,a,b\n8,c,d\n7,e,f\n")
    with pytest.raises(DataError) as caught:
        load_pairs(path)
    assert str(caught.value) == (
        f"{path}:4: two pairs have the id '7'; the first is at {path}:2\n"
        "hint: give each pair its own id"
    )


def test_write_pairs_leaves_what_was_there_when_reading_fails(tmp_path, written):
    target = tmp_path / "out.jsonl"
    target.write_text("before")
    source = written("cut.xml", '<c><pair id="1"><t>a</t><h>b</h></pair><pair id="2"><t>')
    with pytest.raises(DataError, check=coded("xml-ends-middle")):
        write_pairs(target, read_pairs(source))
    assert target.read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cut.xml", "out.jsonl"]


def test_write_pairs_leaves_nothing_behind_after_ctrl_c(tmp_path):
    def interrupted():
        yield PAIRS[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_pairs(tmp_path / "out.jsonl", interrupted())
    assert list(tmp_path.iterdir()) == []


def test_write_pairs_refuses_a_place_that_is_not_there(tmp_path):
    with pytest.raises(OutputError, check=coded("cannot-write")):
        write_pairs(tmp_path / "no" / "where.jsonl", PAIRS)


def test_write_pairs_to_standard_output_is_jsonl(capsysbinary):
    write_pairs("-", PAIRS[2:])
    out = capsysbinary.readouterr().out
    assert out.startswith(b'{"id": "3", "text": "A dog barks."')
    assert out.count(b"\n") == 1


def test_check_target_refuses_an_unknown_end(tmp_path):
    with pytest.raises(SettingError, match=r"no format is known by the end of 'x.doc'") as caught:
        check_target("x.doc")
    assert ".jsonl" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("source", "name"),
    [("a/rte1_dev.xml", "rte1_dev"), ("x.jsonl.gz", "x"), ("-", "standard-input"), ("x", "x")],
)
def test_dataset_name_is_the_bare_name(source, name):
    assert dataset_name(source) == name


CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.text(CHARACTERS, max_size=30)
GOLDS = st.sampled_from([None, *Label])
META = st.dictionaries(TEXTS, st.one_of(TEXTS, st.integers(), st.lists(TEXTS)), max_size=3)
IDS = TEXTS.filter(str.strip).map(str.strip)
TASKS = st.one_of(st.none(), TEXTS.filter(bool))


@pytest.mark.parametrize("name", ["jsonl", "csv", "parquet"])
@settings(max_examples=40)
@given(data=st.data())
def test_format_gives_back_any_pair_exactly(name, data, tmp_path_factory):
    pairs = data.draw(st.lists(st.builds(Pair, IDS, TEXTS, TEXTS, GOLDS, TASKS, META), max_size=4))
    golds = {pair.gold for pair in pairs}
    if Label.NOT_ENTAILMENT in golds and golds & {Label.CONTRADICTION, Label.UNKNOWN}:
        pairs = [replace(pair, gold=None) for pair in pairs]
    path = tmp_path_factory.mktemp("law") / f"pairs.{name}"
    write_pairs(path, pairs)
    assert list(read_pairs(path)) == pairs


PLAIN = st.text(st.characters(min_codepoint=32, exclude_categories=["Cs", "Cc", "Cn"]), max_size=30)


@pytest.mark.parametrize("name", ["xml", "tsv"])
@settings(max_examples=40)
@given(data=st.data())
def test_format_gives_back_plain_pairs(name, data, tmp_path_factory):
    sides = PLAIN.map(lambda text: " ".join(text.split()))
    ids = sides.filter(bool)
    pairs = data.draw(st.lists(st.builds(Pair, ids, sides, sides, GOLDS, ids), max_size=4))
    golds = {pair.gold for pair in pairs}
    if Label.NOT_ENTAILMENT in golds and golds & {Label.CONTRADICTION, Label.UNKNOWN}:
        pairs = [replace(pair, gold=None) for pair in pairs]
    path = tmp_path_factory.mktemp("law") / f"pairs.{name}"
    write_pairs(path, pairs)
    assert list(read_pairs(path)) == pairs
