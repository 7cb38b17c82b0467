"""`ensue propositions`: texts, files, formats, pictures and what is no statement."""

import json

import pytest

from ensue.cli.app import run

TEXT = "Police said that Ada Lind, the owner of the mill, had left."


def test_text_is_shown_with_its_statements(capsys):
    assert run(["propositions", TEXT]) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines() == [
        f"0–59: {TEXT}",
        "   1. Police said that Ada Lind had left. (main)",
        "   2. Ada Lind is the owner of the mill. (apposition; said: said 7–11)",
        "   3. Ada Lind had left. (complement; said: said 7–11)",
        "",
        "3 propositions",
    ]


def test_json_is_one_object(capsys):
    assert run(["propositions", TEXT, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["n_propositions"] == 3
    first = found["propositions"][0]
    assert first["file"] is None
    assert [TEXT[slice(*each)] for each in first["spans"]] == [
        "Police said that Ada Lind",
        "had left.",
    ]


def test_jsonl_of_files_names_them(tmp_path):
    names = ["one.txt", "two.txt"]
    for name in names:
        (tmp_path / name).write_text("The river\nfroze.", "utf-8")
    target = tmp_path / "found.jsonl"
    paths = [str(tmp_path / name) for name in names]
    assert run(["propositions", *paths, "-o", str(target)]) == 0
    rows = [json.loads(line) for line in target.read_text("utf-8").splitlines()]
    assert [row["file"] for row in rows] == paths
    assert {row["statement"] for row in rows} == {"The river froze."}


def test_picture_is_drawn(tmp_path):
    svg, png = tmp_path / "cut.svg", tmp_path / "cut.png"
    assert run(["propositions", TEXT, "--plot", str(svg), "--plot", str(png)]) == 0
    drawn = svg.read_text("utf-8")
    assert "Ada Lind is the owner of the mill." in drawn
    assert "embedding word" in drawn
    assert png.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("text", ["", "   ", "A heading", "?!"])
def test_text_without_a_statement_is_an_error(text, capsys):
    assert run(["propositions", text]) == 3
    shown = capsys.readouterr()
    assert "there is no statement in" in shown.err
    assert shown.out == ""


@pytest.mark.parametrize("name", ["missing.txt", "no/such/file"])
def test_name_of_no_file_is_an_error(name, capsys):
    assert run(["propositions", name]) == 3
    assert name in capsys.readouterr().err


def test_file_that_is_no_text_is_an_error(tmp_path, capsys):
    path = tmp_path / "odd.bin"
    path.write_bytes(b"\xff\xfe\x00\xd8\xff")
    assert run(["propositions", str(path)]) == 3
    assert "odd.bin" in capsys.readouterr().err


def test_output_is_not_an_input(tmp_path, capsys):
    path = tmp_path / "text.txt"
    path.write_text("The river froze.", "utf-8")
    assert run(["propositions", str(path), "-o", str(path)]) == 3
    assert path.read_text("utf-8") == "The river froze."
    assert "text.txt" in capsys.readouterr().err
