import io
import json

import pytest

from ensue.cli.app import run

SOURCE = "Bread is cheap. The legal age is 64.\nSome parents welcomed it."


@pytest.fixture(autouse=True)
def _wide(monkeypatch):
    """Lines that hold the paths of temporary folders, however long."""
    monkeypatch.setenv("COLUMNS", "500")


@pytest.fixture(autouse=True)
def cache(tmp_path, use_cache):
    use_cache(tmp_path / "cache")


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
    assert "   CONTRADICTED: differs from the source: number\n" in shown
    assert "source.txt 16–36: The legal age is 64. (" in shown
    assert "     number: '62' where the text has '64' (" in shown
    assert "claims.txt 33–35, " in shown
    assert "source.txt 33–35)\n" in shown
    assert "1 of 2 claims are supported: 1 contradicted\n" in shown


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


@pytest.fixture
def folder(tmp_path):
    """Write files, and give the folder that they are in."""
    for name, text in {
        "texts/b.txt": "The legal age is 64.",
        "texts/a.txt": "Bread is cheap.",
        "texts/more/c.txt": "Some parents welcomed it.",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def checked(capsys, *arguments):
    """The checked claims of a command, as JSON."""
    assert run(["check", "-r", "features", "--format", "json", *map(str, arguments)]) in (0, 1)
    return json.loads(capsys.readouterr().out)["claims"]


ALL = "Bread is cheap. The legal age is 64. Some parents welcomed it."


@pytest.mark.parametrize(
    "names",
    [
        ["texts/b.txt", "texts/a.txt", "texts/more/c.txt"],
        ["texts"],
        ["texts/*.txt", "texts/more"],
        ["texts/**/*.txt"],
        ["texts", "texts/a.txt"],
    ],
)
def test_check_takes_several_sources(folder, capsys, names):
    (folder / "claims.txt").write_text(ALL)
    sources = [each for name in names for each in ("--source", folder / name)]
    found = checked(capsys, *sources, "--claims", folder / "claims.txt")
    assert [each["supported"] for each in found] == [True, True, True]
    files = [each["support"][0]["file"] for each in found]
    assert files == [str(folder / f"texts/{name}") for name in ("a.txt", "b.txt", "more/c.txt")]
    for each in found:
        first = each["support"][0]
        (text,) = [path.read_text() for path in folder.rglob("*.txt") if str(path) == first["file"]]
        assert text[first["start"] : first["end"]] == first["source"] == each["claim"]


def test_check_names_the_file_of_each_passage(folder, capsys):
    (folder / "claims.txt").write_text("The legal age is 62.")
    assert (
        run(["check", "--source", f"{folder}/texts", "--claims", f"{folder}/claims.txt", "-q"]) == 1
    )
    shown = capsys.readouterr().out
    assert f"   {folder}/texts/b.txt 0–20: The legal age is 64. (" in shown
    assert f"({folder}/claims.txt 17–19, {folder}/texts/b.txt 17–19)" in shown


def test_check_takes_one_file_once_whatever_it_is_called(folder, capsys):
    (folder / "claims.txt").write_text("The legal age is 62.")
    (folder / "link.txt").symlink_to(folder / "texts/b.txt")
    names = ["texts/b.txt", "texts/../texts/b.txt", "link.txt", "texts/b.*"]
    sources = [each for name in names for each in ("--source", folder / name)]
    (claim,) = checked(capsys, *sources, "--claims", folder / "claims.txt")
    assert len(claim["support"]) == 1


def test_check_leaves_out_what_is_no_text_in_a_folder(folder, capsys):
    (folder / "claims.txt").write_text(ALL)
    (folder / "texts/picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")
    (folder / "texts/zeros.bin").write_bytes(b"\0\0\0\0")
    names = ["--source", f"{folder}/texts", "--claims", f"{folder}/claims.txt"]
    assert run(["check", *names]) == 0
    told = capsys.readouterr().err
    assert "picture.png:1: left out: byte 1 of the line is not utf-8 [source-left-out]" in told
    assert "zeros.bin:1: left out: the line holds a NUL [source-left-out]" in told


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("empty", "there are no files in"),
        ("texts/*.md", "there are no files in"),
        ("binary", "no file in"),
        ("binary/one", "the line is not utf-8"),
        ("nowhere", "there is no file"),
    ],
)
def test_check_says_that_there_is_no_source(folder, capsys, source, message):
    (folder / "claims.txt").write_text(ALL)
    (folder / "empty").mkdir()
    (folder / "binary").mkdir()
    (folder / "binary/one").write_bytes(b"\xff\xff\xff\xff")
    names = ["--source", f"{folder}/{source}", "--claims", f"{folder}/claims.txt"]
    assert run(["check", *names]) == 3
    assert message in capsys.readouterr().err


TABLES = {
    "claims.csv": 'claim,id\n"Bread is cheap.",x7\n"The legal age is 62, not 64.",9\n',
    "claims.tsv": "id\thypothesis\tby\nx7\tBread is cheap.\tAnna\n9\tThe legal age is 62, not 64.\tme\n",
    "claims.jsonl": '{"id": "x7", "sentence": "Bread is cheap."}\n'
    '{"id": 9, "sentence": "The legal age is 62, not 64."}\n',
    "claims.json": '[{"id": "x7", "statement": "Bread is cheap."},\n'
    '{"id": 9, "statement": "The legal age is 62, not 64."}]',
    "pairs.tsv": "pairID\tsentence1\tsentence2\nx7\tNo.\tBread is cheap.\n"
    "9\tNo.\tThe legal age is 62, not 64.\n",
    "claims.answers.jsonl": '{"id": "x7", "answer": "Bread is cheap."}\n'
    '{"id": 9, "answer": "The legal age is 62, not 64."}\n',
}


@pytest.mark.parametrize("name", TABLES)
def test_check_reads_claims_by_their_column(folder, capsys, name):
    (folder / name).write_text(TABLES[name])
    found = checked(capsys, "--source", folder / "texts", "--claims", folder / name)
    assert [each["id"] for each in found] == ["x7", "9"]
    assert [each["claim"] for each in found] == ["Bread is cheap.", "The legal age is 62, not 64."]
    assert [each["supported"] for each in found] == [True, False]
    assert {each["file"] for each in found} == {str(folder / name)}
    first = 1 if ".json" in name else 2
    assert [each["line"] for each in found] == [first, first + 1]


def test_check_shows_ids_and_rows_of_claims(folder, capsys):
    (folder / "claims.csv").write_text(TABLES["claims.csv"])
    names = ["--source", f"{folder}/texts", "--claims", f"{folder}/claims.csv", "-q"]
    assert run(["check", *names]) == 1
    shown = capsys.readouterr().out
    assert "x7. Bread is cheap.\n   supported" in shown
    assert f"({folder}/claims.csv:3 17–19, " in shown


def test_row_is_one_claim_and_an_answer_has_a_claim_in_each_sentence(folder, capsys):
    row = "Bread is cheap. The legal age is 64."
    for column, ids in {"claim": ["7"], "answer": ["7", "7"]}.items():
        (folder / "rows.jsonl").write_text(json.dumps({"id": 7, column: row}))
        found = checked(capsys, "--source", folder / "texts", "--claims", folder / "rows.jsonl")
        assert [each["id"] for each in found] == ids


def test_claims_without_ids_are_numbered(folder, capsys):
    (folder / "rows.csv").write_text("claim\nBread is cheap.\nThe legal age is 64.\n")
    found = checked(capsys, "--source", folder / "texts", "--claims", folder / "rows.csv")
    assert [each["id"] for each in found] == ["1", "2"]


def test_check_takes_claims_of_several_files(folder, capsys):
    (folder / "rows.csv").write_text("claim\nBread is cheap.\n")
    (folder / "claims.txt").write_text("The legal age is 64.")
    claims = ["--claims", folder / "rows.csv", "--claims", folder / "claims.txt"]
    found = checked(capsys, "--source", folder / "texts", *claims)
    assert [each["claim"] for each in found] == ["Bread is cheap.", "The legal age is 64."]


@pytest.mark.parametrize(
    ("options", "message", "hint"),
    [
        ([], "no column holds claims; there are: 'said', 'key'", "--read claim=COLUMN"),
        (["--read", "claim=sayd"], "no column is called 'sayd'", "did you mean 'said'?"),
        (["--read", "claim=said", "--read", "id=no"], "no column is called 'no'", "said, key"),
        (["--read", "format=cvs"], "no format is called 'cvs'", "did you mean 'csv'?"),
        (["--read", "text=said"], "no field is called 'text'", ""),
    ],
)
def test_check_names_the_columns_that_it_saw(folder, capsys, options, message, hint):
    (folder / "rows.csv").write_text("said,key\nBread is cheap.,x7\n")
    names = ["--source", f"{folder}/texts", "--claims", f"{folder}/rows.csv"]
    assert run(["check", *names, *options]) in (2, 3)
    told = capsys.readouterr().err
    assert message in told
    assert hint in told


def test_check_takes_the_columns_that_are_named(folder, capsys):
    (folder / "rows").write_text("said,key\nBread is cheap.,x7\n")
    reading = ["--read", "format=csv", "--read", "claim=said", "--read", "id=key"]
    names = ["--source", folder / "texts", "--claims", folder / "rows"]
    (claim,) = checked(capsys, *names, *reading)
    assert (claim["id"], claim["claim"], claim["supported"]) == ("x7", "Bread is cheap.", True)


def test_check_tells_of_rows_without_a_claim(folder, capsys):
    (folder / "rows.csv").write_text("id,claim\n1,Bread is cheap.\n2,\n3,…\n")
    names = ["--source", f"{folder}/texts", "--claims", f"{folder}/rows.csv"]
    assert run(["check", *names]) == 0
    told = capsys.readouterr().err
    assert "rows.csv:3: left out: the row has no words in 'claim' [claim-left-out]" in told
    assert "rows.csv:4: left out" in told


def test_check_sees_rows_on_standard_input(folder, capsys, monkeypatch):
    lines = TABLES["claims.jsonl"].encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines)))
    found = checked(capsys, "--source", folder / "texts", "--claims", "-")
    assert [each["id"] for each in found] == ["x7", "9"]


def test_text_with_commas_is_no_table(folder, capsys):
    (folder / "claims.txt").write_text("In May, bread is cheap.\n")
    (claim,) = checked(capsys, "--source", folder / "texts", "--claims", folder / "claims.txt")
    assert claim["claim"] == "In May, bread is cheap."


def test_neighbors_are_those_of_one_source(folder, capsys):
    (folder / "texts/a.txt").write_text("Anna Lindh wrote the book.")
    (folder / "texts/b.txt").write_text("She won a prize.")
    (folder / "claims.txt").write_text("Anna Lindh won a prize.")
    (claim,) = checked(capsys, "--source", folder / "texts", "--claims", folder / "claims.txt")
    texts = {"Anna Lindh wrote the book.", "She won a prize."}
    assert {each["source"] for each in claim["support"]} == texts


def test_check_takes_any_recognizer(files, capsys):
    assert run([*files(SOURCE, "The age is 64."), "-r", "always"]) == 0
    assert "signature: always|" in capsys.readouterr().out


def test_check_finds_nothing_in_an_empty_source(files, capsys):
    assert run(files("", "Bread is cheap.")) == 1
    assert "NOT FOUND: the source has no sentence" in capsys.readouterr().out


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


# Claims about documents that their rows name


@pytest.fixture
def named(tmp_path):
    """A folder of two documents, and a table of claims that names them."""
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "age.txt").write_text("The legal age is 64.")
    (documents / "bread.txt").write_text("Bread is cheap.")
    table = tmp_path / "claims.csv"
    table.write_text("about,claim\nage,The legal age is 64.\nbread.txt,The legal age is 64.\n")
    return ["check", "--source", str(documents), "--claims", str(table), "-r", "features", "-q"]


def test_check_takes_the_document_that_a_row_names(named, capsys):
    assert run([*named, "--read", "document=about", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)["claims"]
    assert [each["supported"] for each in found] == [True, False]
    assert found[1]["support"][0]["source"] == "Bread is cheap."
    assert run([*named, "--format", "json"]) == 0  # all documents together have both


def test_check_says_where_a_document_is_named_that_is_not_there(named, capsys):
    assert run([*named, "--read", "document=claim"]) == 3
    assert "claims.csv:2: no source is called 'The legal age is 64.'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("least", "code"), [("0.5", 0), ("50%", 0), ("supported=0.5", 0), ("0.51", 1), ("1", 1)]
)
def test_check_fails_under_a_share_of_supported_claims(least, code, files, capsys):
    arguments = files(SOURCE, "The legal age is 64. The legal age is 62.")
    assert run([*arguments, "--fail-under", least]) == code
    assert ("1 of 2 claims are supported, which is under" in capsys.readouterr().err) is bool(code)


@pytest.mark.parametrize("least", ["2", "-1", "many", "120%"])
def test_share_that_is_none_is_used_wrongly(least, files):
    assert run([*files(SOURCE, "It rains."), "--fail-under", least]) == 2


# Pairs, as a run


@pytest.fixture
def pairs(tmp_path):
    """Two pairs of a document and a claim, of which one is supported."""
    path = tmp_path / "pairs.csv"
    path.write_text(
        "idx,doc,claim,label\n1,Bread is cheap. It rains.,Bread is cheap.,1\n"
        "2,The legal age is 64.,The legal age is 62.,0\n"
    )
    return ["check", "--pairs", str(path), "-r", "features"]


def test_check_of_pairs_writes_a_run_and_tells_the_share(pairs, tmp_path, capsys):
    target = tmp_path / "run.jsonl"
    assert run([*pairs, "-o", str(target)]) == 0
    told = capsys.readouterr()
    # Wilson's interval of 1 of 2
    assert told.out == "50.0% of 2 claims are not supported [9.5%, 90.5%]\n"
    assert "checked 2 pairs in" in told.err
    assert (
        "(1 supported, 1 contradicted, 0 not found): check|best:3|decision:rules|judge:features|"
        in told.err
    )
    labels = ["--label", "1=entailment", "--label", "0=not-entailment"]
    assert run(["evaluate", pairs[2], str(target), "--format", "json", *labels]) == 0
    (row,) = json.loads(capsys.readouterr().out)["runs"]["rows"]
    assert row["accuracy"] == {"value": 1.0, "low": 1.0, "high": 1.0}


def test_check_of_pairs_writes_the_run_to_standard_output(pairs, capsys):
    assert run([*pairs, "-q"]) == 0
    told = capsys.readouterr()
    header, *verdicts = map(json.loads, told.out.splitlines())
    assert header["signature"]["recognizer"] == "check"
    assert [each["label"] for each in verdicts] == ["entailment", "contradiction"]
    assert told.err.startswith("50.0% of 2 claims are not supported")


def test_check_of_pairs_fails_under_a_share_also_where_it_is_done(pairs, tmp_path, capsys):
    output = ["-o", str(tmp_path / "run.jsonl")]
    assert run([*pairs, *output, "--fail-under", "0.9"]) == 1
    first = capsys.readouterr()
    assert run([*pairs, *output, "--resume", "--fail-under", "0.9"]) == 1
    again = capsys.readouterr()
    assert again.out == first.out
    assert "nothing to do" in again.err


def test_check_of_pairs_writes_a_folder_of_shards(pairs, tmp_path, capsys):
    assert run([*pairs, "-o", f"{tmp_path}/run/"]) == 0
    assert (tmp_path / "run" / "_manifest.json").exists()
    assert run([*pairs, "-o", f"{tmp_path}/run/", "--resume"]) == 0
    assert capsys.readouterr().out.count("50.0% of 2 claims") == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["check", "--source", "x"],
        ["check", "--pairs", "x", "--claims", "y"],
        ["check", "--pairs", "x", "--format", "json"],
        ["check", "--source", "x", "--claims", "y", "--resume", "-o", "z"],
    ],
)
def test_check_of_both_or_neither_is_used_wrongly(arguments, capsys):
    assert run(arguments) == 2
    assert "Error: " in capsys.readouterr().err
