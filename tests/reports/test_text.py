import math

import pytest
from hypothesis import given, settings, strategies as st
from tests.tables import LEFT_OUT, check_widths, text_of

from ensue.reports import Column, EvaluationExtras, Interval, Table, evaluation_tables
from ensue.reports.text import text_cells, wrapped

NAMES = ("demo/modified-bleu.jsonl", "runs/système/überlauf.jsonl", "実行/含意認識.jsonl")
MEASURES = [
    Column("accuracy", digits=1, percent=True),
    Column("cws", digits=3),
    Column("average-precision", "average precision", digits=3),
    Column("macro-f", "macro F", digits=3),
]


def runs(*names, columns=MEASURES):
    cells = [Interval(0.6607, 0.5357, 0.7857)] * len(columns)
    return Table("runs", "Runs", [Column("run"), *columns], [[name, *cells] for name in names])


def test_numbers_and_words_stay_whole_at_every_width():
    check_widths(runs(*NAMES))


def test_tables_of_an_evaluation_keep_to_every_width(evaluation):
    for table in evaluation_tables(evaluation, EvaluationExtras(0.7, True), every=False):
        check_widths(table)


def test_headings_are_broken_between_words_only():
    table = Table("t", "T", [Column("a", "true precision at recall")] * 3, [[1, 2, 3], [4, 5, 6]])
    assert text_of(table, 40) == [
        "T",
        "        true          true          true",
        "precision at  precision at  precision at",
        "      recall        recall        recall",
        "────────────────────────────────────────",
        "           1             2             3",
        "           4             5             6",
    ]


def test_intervals_go_under_their_numbers_before_columns_are_left_out():
    assert text_of(runs("a", "b", columns=MEASURES[:2]), 36) == [
        "Runs",
        "run    accuracy %             cws",
        "──────────────────────────────────",
        "a            66.1           0.661",
        "     [53.6, 78.6]  [0.536, 0.786]",
        "b            66.1           0.661",
        "     [53.6, 78.6]  [0.536, 0.786]",
    ]


def test_the_last_columns_are_left_out_first_and_named():
    assert text_of(runs("a", "b"), 56)[-3:] == [
        "     [53.6, 78.6]  [0.536, 0.786]     [0.536, 0.786]",
        "  left out at this width: macro F; --format csv or",
        "  COLUMNS=65 shows it",
    ]


def test_important_columns_stay():
    columns = [Column("first"), Column("least", importance=-1), Column("most", importance=1)]
    table = Table("t", "T", columns, [["a" * 20, "b" * 20, "c" * 20]] * 2)
    shown = text_of(table, 60)
    assert shown[1].split() == ["first", "most"]
    assert shown[-2].startswith(f"  {LEFT_OUT}least;")


def test_a_table_that_would_lose_most_columns_becomes_records():
    assert text_of(runs("demo/a-long-name-of-a-run.jsonl", "b"), 40)[1:7] == [
        "───────────────────────────────",
        "run",
        "  demo/a-long-name-of-a-run.jsonl",
        "accuracy %     66.1 [53.6, 78.6]",
        "cws            0.661 [0.536, 0.786]",
        "average        0.661 [0.536, 0.786]",
    ]


def test_a_single_row_that_does_not_fit_becomes_a_record():
    shown = text_of(runs(NAMES[0]), 80)
    assert "average precision  0.661 [0.536, 0.786]" in shown
    assert LEFT_OUT not in "".join(shown)


def test_without_an_option_the_width_is_named():
    from ensue.reports.text import table_lines

    said = " ".join(line.text.strip() for line in table_lines(runs("a", "b"), 56))
    assert said.endswith("left out at this width: macro F; COLUMNS=65 shows it")


def test_wide_characters_count_twice():
    table = Table("t", "T", [Column("a"), Column("b")], [["含意認識" * 8, "word " * 9]] * 2)
    assert max(map(text_cells, text_of(table, 40))) <= 40


def test_signatures_are_broken_between_their_parts():
    assert wrapped("signature: bleu|order:4|weights:0.25,0.25|version:0.1.0", 32) == [
        "signature: bleu|order:4|",
        "weights:0.25,0.25|version:0.1.0",
    ]


@pytest.mark.parametrize("width", [20, 33])
def test_wrapped_keeps_every_letter(width):
    text = "a word, " * 9 + "/a/path/that/is/longer/than/a/line" * 2 + " 12345.6789"
    lines = wrapped(text, width, first="- ")
    assert "".join(lines).replace(" ", "") == "-" + text.replace(" ", "")
    assert max(map(len, lines)) <= width
    assert any("12345.6789" in line for line in lines)


words = st.lists(
    st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=30), min_size=1, max_size=9
)
numbers = st.floats(-1e4, 1e4) | st.integers(-(10**9), 10**9) | st.just(math.inf) | st.none()
intervals = st.builds(Interval, st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_table_keeps_to_every_width(data):
    kinds = data.draw(st.lists(st.sampled_from("tni"), min_size=1, max_size=9))
    cell = {"t": words.map(" ".join), "n": numbers, "i": intervals}
    rows = data.draw(st.lists(st.tuples(*(cell[kind] for kind in kinds)), max_size=4))
    columns = [Column(f"c{i}", f"column {i}", digits=3) for i in range(len(kinds))]
    check_widths(Table("any", "Any", columns, rows, ["a note " * 9]))
