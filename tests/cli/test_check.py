import io
import json

import pytest

from ensue.cli.app import run

SOURCE = "Bread is cheap. The legal age is 64.\nSome parents welcomed it."


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ENSUE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def files(tmp_path):
    """Write a source and claims, and give the options that name them."""

    def written(source, claims):
        (tmp_path / "source.txt").write_text(source, encoding="utf-8")
        (tmp_path / "claims.txt").write_text(claims, encoding="utf-8")
        names = ["--source", str(tmp_path / "source.txt"), "--claims", str(tmp_path / "claims.txt")]
        return ["check", *names, "-r", "features", "-q"]

    return written


def test_check_of_supported_claims_exits_with_zero(files, capsys):
    assert run(files(SOURCE, "The legal age is 64. Some parents welcomed it.")) == 0
    shown = capsys.readouterr().out
    assert "1. The legal age is 64.\n   supported: stands in the source\n" in shown
    assert "2 of 2 claims are supported\n" in shown
    assert "signature: features|" in shown


def test_check_of_an_unsupported_claim_exits_with_one(files, capsys):
    assert run(files(SOURCE, "Bread is cheap.\nThe legal age is 62.")) == 1
    shown = capsys.readouterr().out
    assert "   NOT SUPPORTED: differs from the source: number\n" in shown
    assert "   source 16–36: The legal age is 64. (" in shown
    assert "     number: '62' where the text has '64' (claims 33–35, source 33–35)\n" in shown
    assert "1 of 2 claims are supported\n" in shown


def test_check_shows_no_control_characters(files, capsys):
    run(files("A \x1b[31mred dog barks.", "A \x1b[31mred cat barks."))
    assert "\x1b" not in capsys.readouterr().out


def test_check_gives_places_in_the_files_as_json(files, capsys):
    claims = "\n\n  Bread is cheap. The legal\nage is 62."
    assert run([*files(SOURCE, claims), "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["n_claims"], found["n_supported"]) == (2, 1)
    assert found["signature"]["recognizer"] == "features"
    claim = found["claims"][1]
    assert claims[claim["start"] : claim["end"]] == "The legal\nage is 62."
    first = claim["support"][0]
    assert SOURCE[first["start"] : first["end"]] == "The legal age is 64."
    (mismatch,) = first["mismatches"]
    assert claims[slice(*mismatch["claim"])] == "62"
    assert SOURCE[slice(*mismatch["source"])] == "64"


def test_check_gives_a_claim_a_line(files, tmp_path):
    target = tmp_path / "checked.jsonl"
    options = ["--format", "jsonl", "-o", str(target)]
    assert run([*files(SOURCE, "Bread is cheap. The legal age is 62."), *options]) == 1
    lines = [json.loads(line) for line in target.read_text("utf-8").splitlines()]
    assert [line["supported"] for line in lines] == [True, False]


def test_check_shows_the_best_sentences_only(files, capsys):
    options = ["--format", "json", "--best", "1"]
    assert run([*files(SOURCE, "The legal age is 62."), *options]) == 1
    (claim,) = json.loads(capsys.readouterr().out)["claims"]
    assert len(claim["support"]) == 1


def test_check_reads_standard_input(files, tmp_path, monkeypatch, capsys):
    arguments = files(SOURCE, "")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"Bread is cheap.")))
    assert run([*arguments, "--claims", "-"]) == 0
    assert "1 of 1 claims are supported" in capsys.readouterr().out


def test_check_takes_any_recognizer(files, capsys):
    assert run([*files(SOURCE, "The age is 64."), "-r", "always"]) == 0
    assert "signature: always|" in capsys.readouterr().out


def test_check_finds_nothing_in_an_empty_source(files, capsys):
    assert run(files("", "Bread is cheap.")) == 1
    assert "NOT SUPPORTED: the source has no sentence" in capsys.readouterr().out


@pytest.mark.parametrize("claims", ["", " \n\n", "…"])
def test_check_says_that_there_are_no_claims(files, capsys, claims):
    assert run(files(SOURCE, claims)) == 3
    assert "claims.txt: there are no claims in this file" in capsys.readouterr().err


def test_check_says_that_a_file_is_in_another_encoding(files, tmp_path, capsys):
    arguments = files(SOURCE, "")
    (tmp_path / "claims.txt").write_bytes("Bread is cheap.\nThe café is closed.".encode("latin-1"))
    assert run(arguments) == 3
    message = capsys.readouterr().err
    assert "claims.txt:2: byte 8 of the line is not utf-8" in message
    assert "hint: name the file's encoding, e.g. --read encoding=latin-1" in message
    assert run([*arguments, "--read", "encoding=latin-1"]) == 1


def test_check_says_that_there_is_no_such_file(files, tmp_path, capsys):
    assert run([*files(SOURCE, "Bread."), "--source", str(tmp_path / "nobody.txt")]) == 3
    assert "there is no file" in capsys.readouterr().err


def test_check_does_not_overwrite_what_it_reads(files, tmp_path, capsys):
    assert run([*files(SOURCE, "Bread."), "-o", str(tmp_path / "source.txt")]) == 3
    assert "is read by the same command" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--source", "x"],
        ["--claims", "x"],
        ["--source", "-", "--claims", "-"],
        ["--source", "x", "--claims", "y", "--best", "0"],
        ["--source", "x", "--claims", "y", "--format", "csv"],
    ],
)
def test_check_used_wrongly_exits_with_two(arguments):
    assert run(["check", *arguments]) == 2
