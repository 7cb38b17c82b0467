"""Lists written and read again are the same lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.errors import OutputError, SettingError
from ensue.paraphrase.formats.lists import read_lists, write_lists
from ensue.paraphrase.lists import ListKey, PatternJudgments, RankedLists, Strictness

STRICT = Strictness.STRICT
KEY = ListKey("kill", "m")

ANY = st.characters(exclude_categories=("Cs",))
PLAIN = st.characters(exclude_categories=("Cs",), exclude_characters="\t\r\n\0")
NUMBERS = st.one_of(
    st.just(np.nan), st.floats(allow_nan=False, allow_infinity=False), st.integers(-9, 9).map(float)
)


def texts(alphabet, least: int = 1):
    return (
        st.text(alphabet, min_size=least, max_size=6)
        .map(str.strip)
        .filter(lambda text: len(text) >= least)
    )


@st.composite
def ranked_lists(draw, alphabet):
    """Lists of at least one pattern, with labels, numbers and sentences or without."""
    keys = st.builds(ListKey, texts(alphabet), texts(alphabet, least=0))
    patterns = st.lists(texts(alphabet), min_size=1, max_size=3)
    lists = RankedLists.of(draw(st.dictionaries(keys, patterns, min_size=1, max_size=4)))
    n = lists.n_patterns
    # the confidence of a list stands in all its rows, or in none
    columns = {
        name: np.array(draw(st.lists(NUMBERS, min_size=n, max_size=n)))
        for name in draw(st.sets(st.sampled_from(["n_contexts", "score"])))
    }
    if draw(st.booleans()):
        columns["confidence"] = np.linspace(1, 0, n)
    judgments = draw(st.none() | judgments_of(n, alphabet))
    sentences = draw(st.none() | st.lists(st.none() | texts(alphabet), min_size=n, max_size=n))
    return RankedLists(
        "",
        lists.keys,
        lists.offsets,
        lists.paraphrases,
        judgments,
        columns,
        sentences if sentences and any(sentences) else None,
    )


@st.composite
def judgments_of(draw, n_patterns, alphabet):
    judges = tuple(draw(st.lists(texts(alphabet), min_size=1, max_size=3, unique=True)))
    labels = {}
    for strictness in draw(st.lists(st.sampled_from(Strictness), min_size=1, unique=True)):
        cells = st.lists(
            st.sampled_from([1, 0, -1]),
            min_size=n_patterns * len(judges),
            max_size=n_patterns * len(judges),
        )
        matrix = np.array(draw(cells), np.int8).reshape(n_patterns, len(judges))
        matrix[0, 0] = 1  # somebody used it
        labels[strictness] = matrix
    return PatternJudgments(judges, labels)


def assert_same(first: RankedLists, second: RankedLists) -> None:
    assert first.keys == second.keys
    assert first.offsets.tolist() == second.offsets.tolist()
    assert list(first.paraphrases) == list(second.paraphrases)
    assert first.sentences == second.sentences
    assert set(first.columns) == set(second.columns)
    for name, column in first.columns.items():
        assert np.array_equal(column, second.columns[name], equal_nan=True)
    assert (first.judgments is None) == (second.judgments is None)
    if first.judgments and second.judgments:
        assert first.judgments.judges == second.judgments.judges
        assert set(first.judgments.labels) == set(second.judgments.labels)
        for strictness, labels in first.judgments.labels.items():
            assert labels.tolist() == second.judgments.labels[strictness].tolist()


@pytest.mark.parametrize("end", ["csv", "jsonl", "parquet"])
@given(lists=ranked_lists(ANY.filter(lambda character: character != "\0")))
def test_lists_come_back_from_formats_of_any_text(tmp_path_factory, end, lists):
    path = tmp_path_factory.getbasetemp() / f"lists.{end}"
    write_lists(path, lists)
    assert_same(read_lists(path), lists)


@given(lists=ranked_lists(PLAIN))
def test_lists_come_back_from_tsv(tmp_path_factory, lists):
    path = tmp_path_factory.getbasetemp() / "lists.tsv"
    write_lists(path, lists)
    assert_same(read_lists(path), lists)


def test_tsv_reads_as_a_person_expects(tmp_path):
    labels = {STRICT: np.array([[1, -1], [0, 1]], np.int8)}
    columns = {"n": np.array([3.0, np.nan]), "confidence": np.array([0.5, 0.25])}
    lists = RankedLists.of(
        {KEY: ["murder", "shoot"]}, judgments=PatternJudgments(("a", "b"), labels), columns=columns
    )
    path = tmp_path / "lists.tsv"
    write_lists(path, lists)
    assert path.read_text("utf-8").splitlines() == [
        "term\tmethod\trank\tconfidence\tparaphrase\tn\ta.strict\tb.strict",
        "kill\tm\t1\t0.5\tmurder\t3\t1\t",
        "kill\tm\t2\t0.25\tshoot\t\t0\t1",
    ]


def test_standard_output_is_tsv(capsysbinary):
    write_lists("-", RankedLists.of({KEY: ["murder"]}))
    assert capsysbinary.readouterr().out == b"term\tmethod\trank\tparaphrase\nkill\tm\t1\tmurder\n"


def test_packed_lists_come_back(tmp_path):
    path = tmp_path / "lists.tsv.gz"
    lists = RankedLists.of({KEY: ["murder", "shoot"]})
    write_lists(path, lists)
    assert path.read_bytes().startswith(b"\x1f\x8b")
    assert_same(read_lists(path), lists)


def test_format_can_be_named(tmp_path):
    write_lists(tmp_path / "lists", RankedLists.of({KEY: ["murder"]}), "jsonl")
    assert list(read_lists(tmp_path / "lists").paraphrases) == ["murder"]


@pytest.mark.parametrize("paraphrase", ["shoot\tdead", "shoot\ndead", "shoot\rdead"])
def test_tsv_refuses_tabs_and_line_breaks(tmp_path, paraphrase):
    path = tmp_path / "lists.tsv"
    with pytest.raises(OutputError, check=coded("holds-tab-line-break")) as caught:
        write_lists(path, RankedLists.of({KEY: [paraphrase]}))
    assert "CSV or JSONL" in caught.value.hint
    assert not path.exists()


@pytest.mark.parametrize(
    ("text", "end"), [("a\0b", "tsv"), ("a\0b", "csv"), ("\ud800", "csv"), ("\ud800", "jsonl")]
)
def test_what_no_text_file_holds_is_refused(tmp_path, text, end):
    with pytest.raises(OutputError, check=coded("nul-half-character-row")):
        write_lists(tmp_path / f"lists.{end}", RankedLists.of({KEY: [text]}))


def test_empty_paraphrase_is_not_written(tmp_path):
    with pytest.raises(OutputError, match="paraphrase is empty"):
        write_lists(tmp_path / "lists.tsv", RankedLists.of({KEY: [" "]}))


def test_infinite_number_is_not_written(tmp_path):
    lists = RankedLists.of({KEY: ["x"]}, columns={"n": np.array([np.inf])})
    with pytest.raises(OutputError, match="'n' holds a number that is not finite"):
        write_lists(tmp_path / "lists.tsv", lists)


@pytest.mark.parametrize("name", ["rank", "labels", "Term", "a.strict", "", " n"])
def test_column_that_would_be_read_as_another_is_not_written(tmp_path, name):
    lists = RankedLists.of({KEY: ["x"]}, columns={name: np.ones(1)})
    with pytest.raises(OutputError):
        write_lists(tmp_path / "lists.tsv", lists)


def test_judge_without_a_name_is_not_written(tmp_path):
    judgments = PatternJudgments(("",), {STRICT: np.ones((1, 1), np.int8)})
    with pytest.raises(OutputError, check=coded("names-columns-not-read")):
        write_lists(tmp_path / "lists.tsv", RankedLists.of({KEY: ["x"]}, judgments=judgments))


@pytest.mark.parametrize(("name", "format"), [("lists.xml", None), ("lists.tsv", "xml")])
def test_unknown_format_is_refused(tmp_path, name, format):
    with pytest.raises(SettingError, match="no format of lists"):
        write_lists(tmp_path / name, RankedLists.of({KEY: ["x"]}), format)
