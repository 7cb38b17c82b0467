"""Bad translation data get a clear error with its place, the right exit code, and no file."""

import json
import shutil

import pytest

from ensue.cli.app import run

PLAIN = ["--reference", "ref.txt", "good", "bad"]
QUICK = ["--draws", "20"]


def one(**record):
    return [{"segment": "1", "judge": "anna", "ranks": {"good": 1, "bad": 2}} | record]


@pytest.mark.parametrize(
    ("system", "content", "messages"),
    [
        (
            "bad",
            b"one\ntwo\nthree\n",
            ["bad:4: 3 segments here, 6 in 'ref.txt'", "hint: line n of every file"],
        ),
        ("bad", b"line\n" * 7, ["bad:7: 7 segments here, 6 in 'ref.txt'"]),
        ("bad", b"", ["bad: the file is empty", "hint: one segment a line"]),
        (
            "bad",
            "la fenêtre\n".encode("latin-1") * 6,
            ["bad:1: byte 7 of the line is not utf-8", "hint:", "--read encoding=latin-1"],
        ),
        ("ref.txt", b"", ["ref.txt: the file is empty"]),
        (
            "bad.sgm",
            b"<seg id='1'>one</seg>\n<seg id='2'>two\n",
            ["bad.sgm:2: this <seg> is not closed", "hint: a segment ends in </seg>"],
        ),
    ],
    ids=["too few", "too many", "empty", "Latin-1", "empty reference", "open markup"],
)
def test_broken_file_is_an_error_with_its_place(small, refused, system, content, messages):
    (small / system).write_bytes(content)
    texts = ["--reference", "ref.txt", "good", "bad" if system == "ref.txt" else system]
    said = refused("rank", *texts, "-m", "bleu", *QUICK, "-o", "ranks.txt", "--report", "r.html")
    for message in messages:
        assert message in said
    assert not (small / "ranks.txt").exists()
    assert not (small / "r.html").exists()


def test_latin_1_is_read_where_it_is_named(small, capsys):
    (small / "bad").write_bytes("la fenêtre\n".encode("latin-1") * 6)
    assert run(["mt", "rank", *PLAIN, "-m", "bleu", *QUICK, "--read", "encoding=latin-1"]) == 0


def test_file_that_is_not_there_is_an_error(small, refused):
    said = refused("score", *PLAIN, "nobody", "-m", "bleu")
    assert "there is no file 'nobody'" in said
    assert "hint: check the path" in said


def test_plain_text_needs_a_reference(small, refused):
    said = refused("score", "good", "-m", "bleu")
    assert "plain text needs a reference: 'good'" in said
    assert "hint: name it with --reference" in said
    assert "Parquet" in said


def test_two_files_of_one_system_are_refused(small, refused):
    (small / "again").mkdir()
    shutil.copy(small / "good", small / "again" / "good")
    said = refused("score", *PLAIN, "again/good", "-m", "bleu")
    assert "two files are of the system 'good'" in said


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('{"segment": "1"\n', "rows.jsonl:1: not JSON"),
        ("3\n", "rows.jsonl:1: not an object"),
        ("[]\n", "rows.jsonl: the file is empty"),
        ("", "rows.jsonl"),
        ('{"segment": "1", "references": ["a"], "outputs": {"x": 3}}\n', "rows.jsonl:1:"),
        ('{"segment": "1", "outputs": {"x": "a"}}\n', "rows.jsonl:1:"),
    ],
    ids=["cut off", "a number", "no rows", "empty", "number", "no reference"],
)
def test_broken_row_is_an_error_with_its_line(small, refused, lines, message):
    (small / "rows.jsonl").write_text(lines, encoding="utf-8")
    assert message in refused("score", "rows.jsonl", "-m", "bleu", "-o", "scores.tsv")
    assert not (small / "scores.tsv").exists()


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("rank", ["-o", "good"]),
        ("rank", ["-o", "ref.txt"]),
        ("score", ["-o", "./bad"]),
        ("features", ["--feature-set", "tradmt", "-o", "good", "--format", "csv"]),
    ],
)
def test_output_that_is_an_input_is_refused(small, refused, command, options):
    before = (small / "good").read_bytes()
    metric = [] if command == "features" else ["-m", "bleu"]
    said = refused(command, *PLAIN, *metric, *options)
    assert "is read by the same command" in said
    assert "hint: name another file to write" in said
    assert (small / "good").read_bytes() == before


def test_judgments_are_not_overwritten(small, refused):
    said = refused("evaluate", *PLAIN, "--judgments", "ranks.jsonl", "-o", "ranks.jsonl")
    assert "'ranks.jsonl' is read by the same command" in said


def test_scores_are_not_overwritten(small, refused):
    (small / "scores.tsv").write_text("language_pair\tsegment\tsystem\tscore\n", encoding="utf-8")
    texts = ["--judgments", "ranks.jsonl", "--scores", "scores.tsv"]
    said = refused("evaluate", *texts, "-o", "scores.tsv")
    assert "'scores.tsv' is read by the same command" in said


def test_report_that_is_no_page_is_refused_before_anything_is_done(small, refused):
    said = refused("rank", *PLAIN, "-m", "bleu", "--report", "ranks.txt", "-o", "ranks.csv")
    assert "cannot write a page to 'ranks.txt'" in said
    assert "hint: name a file that ends in .html or .htm" in said
    assert not (small / "ranks.csv").exists()


@pytest.mark.parametrize(
    ("records", "messages"),
    [
        (
            one(ranks={"goood": 1, "bad": 2}),
            ["judgments.jsonl:1: no system is called 'goood'", "hint: did you mean 'good'?"],
        ),
        (
            one() + one(segment="77"),
            ["judgments.jsonl:2: there is no segment '77'", "hint: it has 6 segments"],
        ),
        (one(segment="0"), ["judgments.jsonl:1: there is no segment '0'"]),
        (one(ranks={"good": "first"}), ["judgments.jsonl:1:", "'first'"]),
        ([], ["judgments.jsonl"]),
    ],
    ids=["system", "segment", "segment 0", "rank", "empty"],
)
def test_judgment_that_does_not_fit_is_an_error(small, judged, refused, records, messages):
    said = refused("evaluate", *PLAIN, *judged(records), "-m", "bleu", "-o", "tables.txt")
    for message in messages:
        assert message in said
    assert not (small / "tables.txt").exists()


def test_judgments_of_another_pair_have_no_overlap(small, judged, refused):
    said = judged(one(language_pair="cs-en"))
    shown = refused("evaluate", *PLAIN, "--read", "language-pair=fr-en", *said, "-m", "bleu")
    assert (
        "no overlap between judgments and outputs: judged are cs-en; outputs are of fr-en" in shown
    )
    assert "hint: name the outputs of a language pair that is judged" in shown
    assert "judgments.jsonl:" in shown


def test_scores_of_other_outputs_have_no_overlap(small, refused):
    (small / "other.tsv").write_text(
        "language_pair\tsegment\tsystem\tscore\ncs-en\t1\tnobody\t0.5\n", encoding="utf-8"
    )
    said = refused("evaluate", "--judgments", "ranks.jsonl", "--scores", "other.tsv")
    assert "other" in said
    assert "hint:" in said


@pytest.mark.parametrize("command", ["rank", "score", "evaluate"])
def test_metric_that_does_not_exist_is_an_error(small, refused, command):
    judged = [] if command == "score" else ["--judgments", "ranks.jsonl"]
    said = refused(command, *PLAIN, *judged, "-m", "belu")
    assert "no metric is called 'belu'" in said
    assert "hint: did you mean 'bleu'?" in said


def test_directory_without_a_metric_is_an_error(small, refused):
    (small / "empty").mkdir()
    said = refused("rank", *PLAIN, "-m", "empty")
    assert "there is no metric.json in 'empty'" in said
    assert "hint: ensue mt train DATA -o DIR writes one" in said


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not a metric"),
        ("[]", "not a metric"),
        ("[" * 100_000, "not a metric"),
        (b"\xff\xfe", "not a metric"),
        ({"ensue_metric": 9}, "format 9 is not known"),
        ({"model": "other"}, "not a metric"),
        ({"feature_set": "other"}, "not a metric"),
        ({"bias": float("nan")}, "not a metric"),
        ({"bias": "much"}, "not a metric"),
        ({"features": 3}, "not a metric"),
        ({"features": [{"name": "bleu.1"}]}, "not a metric"),
        ({"trained_on": ["here"]}, "not a metric"),
        ({"validated": 3}, "not a metric"),
        ({"features": []}, "its weights are on other features than these"),
        ({"feature_set": "tradmt+lexical"}, "its weights are on other features than these"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_broken_metric_is_an_error_with_its_file(small, trained, refused, content, message):
    (small / "metric").mkdir()
    if isinstance(content, dict):
        with open(f"{trained['pair-tradmt']}/metric.json", encoding="utf-8") as file:  # noqa: PTH123
            content = json.dumps({**json.load(file), **content})
    if isinstance(content, str):
        content = content.encode()
    (small / "metric" / "metric.json").write_bytes(content)
    said = refused("rank", *PLAIN, "-m", "metric", *QUICK)
    assert f"metric/metric.json: {message}" in said
    assert "hint: train it again: ensue mt train DATA -o DIR" in said
    assert "Traceback" not in said


def test_names_of_systems_that_a_format_cannot_hold_are_refused(small, refused):
    row = {"segment": "1", "references": ["a dog"], "outputs": {"tab\there": "a dog"}}
    (small / "rows.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    said = refused("score", "rows.jsonl", "-m", "bleu", "-o", "scores.tsv")
    assert "a name holds a tab or a line break" in said
    assert "hint: write it as CSV or JSONL" in said
    assert not (small / "scores.tsv").exists()


def test_judgments_that_would_count_twice_are_refused(small, refused):
    twice = ["--judgments", "ranks.jsonl", "--judgments", "./ranks.jsonl"]
    said = refused("evaluate", *PLAIN, *twice, "-m", "bleu")
    assert "ranks.jsonl: these judgments are named twice" in said


def test_file_that_is_not_there_is_said_to_be_so(small, refused):
    assert "there is no file 'nowhere'" in refused("score", "nowhere", "-m", "bleu")


def test_scores_go_into_a_format_that_the_name_says(small, refused):
    said = refused("score", *PLAIN, "-m", "bleu", "-o", "scores.foo")
    assert "no format of scores is known by the end of 'scores.foo'" in said
