import csv
import io
import json
import math
import re

import pytest
from hypothesis import given, strategies as st

from ensue.errors import OutputError, UnknownNameError
from ensue.reports import Column, Interval, Table, tables_to_json, write_tables
from ensue.reports.text import table_to_csv

RUNS = Table(
    "runs",
    "Runs",
    [Column("run"), Column("accuracy", digits=1, percent=True), Column("cutoff", digits=3)],
    [["bleu", Interval(0.5379, 0.501, 0.573), -math.inf], ["always", Interval(None), None]],
    notes=["without a cutoff, a dash"],
)
COUNTS = Table("counts", "Counts", [Column("n")], [[3]])


def printed(capsys, tables, format):
    write_tables(tables, format=format)
    return capsys.readouterr().out


def test_write_tables_prints_aligned_text_with_notes(capsys):
    assert printed(capsys, [RUNS], "table").splitlines() == [
        "Runs",
        "run            accuracy %  cutoff",
        "──────────────────────────────────",
        "bleu    53.8 [50.1, 57.3]    -inf",
        "always                  –       –",
        "  without a cutoff, a dash",
    ]


def test_write_tables_has_no_color_codes_where_nobody_watches(capsys):
    assert "\x1b" not in printed(capsys, [RUNS], "table")


def test_write_tables_keeps_to_a_width_where_nobody_watches(capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    wide = Table("wide", "Wide", [Column("text")], [["word " * 100]])
    out = printed(capsys, [wide], "table")
    assert out.count("word") == 100
    assert max(map(len, out.splitlines())) <= 120


def test_write_tables_keeps_to_columns_where_nobody_watches(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    wide = Table("wide", "Wide", [Column("text")], [["word " * 100]], ["a note " * 20])
    out = printed(capsys, [wide], "table")
    assert out.count("word") == 100
    assert max(map(len, out.splitlines())) <= 50


def test_write_tables_takes_brackets_in_cells_literally(capsys):
    odd = Table("odd", "A [bold]title[/bold]", [Column("text")], [["[red]no markup[/red]"]])
    out = printed(capsys, [odd], "table")
    assert "[red]no markup[/red]" in out
    assert "A [bold]title[/bold]" in out


def test_write_tables_says_that_a_table_is_empty(capsys):
    assert "(no rows)" in printed(capsys, [Table("none", "None", [Column("x")], [])], "table")


def test_write_tables_colors_on_a_terminal(monkeypatch):
    out = written_to_terminal(monkeypatch, {})
    assert "\x1b[1m" in out


def test_write_tables_keeps_within_the_width_of_a_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    wide = Table("wide", "Wide", [Column("text"), Column("n")], [["word " * 100, 12345]])
    out = written_to_terminal(monkeypatch, {"NO_COLOR": "1"}, wide)
    seen = re.sub(r"\x1b\[[0-9;]*m", "", out)
    assert max(map(len, seen.splitlines())) <= 60
    assert out.count("word") == 100


def test_write_tables_puts_intervals_under_their_numbers_on_a_narrow_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "32")
    out = written_to_terminal(monkeypatch, {"NO_COLOR": "1"})
    assert "53.8  " in out
    assert "[50.1, 57.3]" in out


def test_write_tables_honors_no_color(monkeypatch):
    out = written_to_terminal(monkeypatch, {"NO_COLOR": "1"})
    assert "\x1b[3" not in out


def written_to_terminal(monkeypatch, environment, table=RUNS):
    class Terminal(io.BytesIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(terminal, encoding="utf-8"))
    write_tables([table])
    return terminal.getvalue().decode()


def test_write_tables_json_holds_rows_and_notes_by_name(capsys):
    assert json.loads(printed(capsys, [RUNS, COUNTS], "json")) == {
        "runs": {
            "rows": [
                {
                    "run": "bleu",
                    "accuracy": {"value": 0.5379, "low": 0.501, "high": 0.573},
                    "cutoff": "-inf",
                },
                {
                    "run": "always",
                    "accuracy": {"value": None, "low": None, "high": None},
                    "cutoff": None,
                },
            ],
            "notes": ["without a cutoff, a dash"],
        },
        "counts": {"rows": [{"n": 3}], "notes": []},
    }


def test_write_tables_jsonl_is_a_row_a_line_with_its_table(capsys):
    lines = [json.loads(line) for line in printed(capsys, [RUNS, COUNTS], "jsonl").splitlines()]
    assert [line["table"] for line in lines] == ["runs", "runs", "counts"]
    assert lines[2] == {"table": "counts", "n": 3}


def test_write_tables_csv_gives_an_interval_three_columns(capsys):
    assert printed(capsys, [RUNS], "csv").splitlines() == [
        "run,accuracy,accuracy_low,accuracy_high,cutoff",
        "bleu,0.5379,0.501,0.573,-inf",
        "always,,,,",
    ]


def test_write_tables_csv_names_each_of_several_tables(capsys):
    blocks = printed(capsys, [RUNS, COUNTS], "csv").split("\n\n")
    assert [block.splitlines()[0] for block in blocks] == ["# runs", "# counts"]
    assert blocks[1].splitlines() == ["# counts", "n", "3"]


def test_write_tables_csv_of_one_table_among_several_is_one_csv(capsys):
    write_tables([RUNS, COUNTS], format="csv", table="counts")
    assert capsys.readouterr().out == "n\n3\n"


@pytest.mark.parametrize("format", ["table", "json", "jsonl", "csv"])
def test_write_tables_names_the_tables_that_there_are(format, capsys):
    with pytest.raises(UnknownNameError, match="no table is called 'labels'") as error:
        write_tables([RUNS, COUNTS], format=format, table="labels")
    assert error.value.hint == "there are: runs, counts"
    assert capsys.readouterr().out == ""


def test_write_tables_writes_a_file(tmp_path):
    path = tmp_path / "counts.csv"
    write_tables([COUNTS], output=str(path), format="csv")
    assert path.read_text() == "n\n3\n"


def test_write_tables_explains_an_unwritable_output(tmp_path):
    with pytest.raises(OutputError, match=r"cannot write .*No such file"):
        write_tables([COUNTS], output=str(tmp_path / "absent" / "counts.csv"))


def test_write_tables_suggests_the_nearest_format():
    with pytest.raises(UnknownNameError, match="no table format is called 'jason'") as error:
        write_tables([COUNTS], format="jason")
    assert error.value.hint == "did you mean 'json'?"


def test_write_tables_refuses_two_tables_of_one_name():
    with pytest.raises(ValueError, match="two tables have one name"):
        write_tables([COUNTS, COUNTS], format="json")


cells = st.none() | st.booleans() | st.integers() | st.floats() | st.text()


@given(st.lists(st.tuples(cells, cells), max_size=5))
def test_tables_to_json_is_strict_json_whatever_the_cells(rows):
    table = Table("any", "Any", [Column("a"), Column("b")], rows)
    text = json.dumps(tables_to_json([table]), allow_nan=False)
    assert len(json.loads(text)["any"]["rows"]) == len(rows)


@given(text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\x00")))
def test_csv_gives_any_text_back(text, tmp_path_factory):
    path = tmp_path_factory.mktemp("csv") / "any.csv"
    write_tables(
        [Table("t", "T", [Column("a"), Column("b")], [[text, 1]])], output=str(path), format="csv"
    )
    with path.open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == [["a", "b"], [text, "1"]]


def test_guarded_csv_holds_no_formulas_and_leaves_numbers_alone():
    rows = [["=1+1", -0.5], ["@sum", Interval(-0.5, -1.0, float("-inf"))], ["-0.5", "-x"]]
    table = Table("t", "T", [Column("+a"), Column("b")], rows)
    assert table_to_csv(table, guarded=True).splitlines() == [
        "'+a,b,b_low,b_high",
        "'=1+1,-0.5,,",
        "'@sum,-0.5,-1.0,-inf",
        "-0.5,'-x,,",
    ]


def test_csv_for_programs_is_not_guarded():
    table = Table("t", "T", [Column("a")], [["=1+1"]])
    assert table_to_csv(table) == "a\n=1+1\n"
