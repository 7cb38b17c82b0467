"""`ensue data`, run as a user runs it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys

import pytest

from ensue.cli.app import run
from ensue.cli.data import data_command
from ensue.evaluation import NO_TASK
from ensue.pairs import Label, load_pairs

COMMANDS = sorted(data_command.commands)


@pytest.fixture
def here(tmp_path, monkeypatch, examples):
    """An empty directory to work in, with what the project ships under `examples`."""
    shutil.copytree(examples.parent, tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_help_ends_with_an_example_that_runs(here, capsys, name):
    epilog = data_command.commands[name].epilog or ""
    assert epilog.startswith("Example: ensue ")
    assert run(shlex.split(epilog.removeprefix("Example: ensue "))) == 0
    assert run(["data", name, "--help"]) == 0
    assert "Example: ensue data" in capsys.readouterr().out


def test_group_help_ends_with_an_example_that_runs(here, capsys):
    epilog = data_command.epilog or ""
    assert run(shlex.split(epilog.removeprefix("Example: ensue "))) == 0


def test_show_prints_counts_lengths_and_overlap(here, capsys):
    assert run(["data", "show", "examples/pairs.xml"]) == 0
    out = capsys.readouterr().out
    assert "Pairs of pairs by task and gold" in out
    assert "hypothesis" in out


def test_show_gives_json(here, capsys):
    assert run(["data", "show", "examples/pairs.xml", "--format", "json"]) == 0
    tables = json.loads(capsys.readouterr().out)
    assert tables["labels"]["rows"][-1] == {
        "task": "all",
        "pairs": 56,
        "entailment": 28,
        "not-entailment": 28,
        "entailment_share": 0.5,
    }


def test_show_calls_no_task_as_evaluations_do(here, capsys):
    (here / "x.csv").write_text("id,text,hypothesis\n1,a,b\n")
    assert run(["data", "show", "x.csv", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["labels"]["rows"]
    assert [row["task"] for row in rows] == [NO_TASK, "all"]


def test_show_tells_findings_on_standard_error(here, capsys):
    (here / "x.csv").write_text("id,text,hypothesis\n1,a,\n")
    assert run(["data", "show", "x.csv"]) == 0
    captured = capsys.readouterr()
    expected = "warning: x.csv:2: the hypothesis of pair '1' is empty [empty-hypothesis]\n"
    assert captured.err == expected
    assert "warning" not in captured.out


def test_show_is_quiet_when_asked(here, capsys):
    (here / "x.csv").write_text("id,text,hypothesis\n1,a,\n")
    assert run(["data", "show", "-q", "x.csv"]) == 0
    assert capsys.readouterr().err == ""


def test_show_takes_columns_and_labels(here, capsys):
    (here / "x.csv").write_text("a;,b,c\nx,y,oui\n")
    options = ["--read", "text=a;", "--read", "hypothesis=b", "--read", "gold=c"]
    arguments = ["data", "show", "x.csv", *options, "--read", "label:oui=entailment"]
    assert run([*arguments, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["labels"]["rows"][-1]["entailment"] == 1


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["show", "nope.xml"], 3, "error: there is no file 'nope.xml'\nhint: check the path\n"),
        (
            ["show", "examples/pairs.xml", "--read", "label:x"],
            2,
            "'label:x' is not of the form NAME=VALUE",
        ),
        (["show", "examples/pairs.xml", "--read", "text=a"], 3, "has no columns to map"),
        (["show", "examples/pairs.xml", "--read", "format=rt"], 3, "did you mean 'rte'?"),
        (["convert", "examples/pairs.xml", "-o", "no/where.jsonl"], 3, "error: cannot write"),
        (["convert", "examples/pairs.xml", "-o", "x.doc"], 3, "no format is known by the end"),
        (["split", "examples/pairs.xml"], 2, "Missing option '--part'"),
        (["split", "examples/pairs.xml", "--part", "a.xml=x"], 2, "'x' is no size"),
        (["split", "examples/pairs.xml", "--part", "a.xml"], 2, "is not a new FILE=SIZE"),
        (["split", "examples/pairs.xml", "--part", "a.xml=99"], 3, "more than the 56 pairs"),
        (["agreement", "examples/pairs.xml"], 2, "one file needs --annotator"),
        (
            ["agreement", "examples/pairs.xml", "b.xml", "--annotator", "gold"],
            2,
            "--annotator names columns of one file",
        ),
        (
            ["agreement", "nope.csv", "--annotator", "a1", "--annotator", "a1"],
            2,
            "--annotator 'a1' is given twice",
        ),
        (["agreement", "-", "-"], 2, "standard input can be read only once"),
        (["audit", "-", "-"], 2, "standard input can be read only once"),
    ],
)
def test_wrong_use_says_what_is_wrong(here, capsys, arguments, code, message):
    assert run(["data", *arguments]) == code
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""
    assert [path.name for path in here.iterdir()] == ["examples"]


@pytest.mark.parametrize(
    ("arguments", "name", "by"),
    [
        ("show a.csv -o a.csv", "a.csv", "read"),
        ("convert a.csv -o a.csv", "a.csv", "read"),
        ("split a.csv --part a.csv=1 --part b.xml=rest", "a.csv", "read"),
        ("split a.csv --part c.xml=1 --part ./c.xml=rest", "./c.xml", "written"),
        ("split a.csv --part c.xml=1 -o c.xml", "c.xml", "written"),
        ("audit a.csv b.csv -o b.csv", "b.csv", "read"),
        ("agreement a.csv b.csv --kept a.csv", "a.csv", "read"),
        ("agreement a.csv b.csv --discarded a.csv", "a.csv", "read"),
        ("agreement a.csv b.csv --removed ids.csv --kept ids.csv", "ids.csv", "read"),
        ("agreement a.csv b.csv --kept k.xml --discarded k.xml", "k.xml", "written"),
        ("agreement a.csv b.csv --kept k.xml -o k.xml", "k.xml", "written"),
    ],
)
def test_outputs_are_no_inputs_and_differ(here, capsys, arguments, name, by):
    for file in ("a.csv", "b.csv"):
        (here / file).write_text("id,text,hypothesis,gold\n1,a,b,yes\n2,c,d,no\n")
    (here / "ids.csv").write_text("1\n")
    before = {path.name: path.read_bytes() for path in here.glob("*.*")}
    assert run(["data", *arguments.split()]) == 3
    assert f"error: {name!r} is {by} by the same command" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in here.glob("*.*")} == before


def test_show_prints_one_table_where_asked(here, capsys):
    arguments = ["data", "show", "examples/pairs.xml", "--format", "csv", "--table", "labels"]
    assert run(arguments) == 0
    assert capsys.readouterr().out.startswith("task,pairs,")


def test_split_refuses_before_it_writes_anything(here, capsys):
    parts = ["--part", "a.xml=5", "--part", "b.doc=5"]
    assert run(["data", "split", "examples/pairs.xml", *parts]) == 3
    assert not (here / "a.xml").exists()


@pytest.mark.parametrize("name", ["x.jsonl", "x.csv.gz", "x.tsv", "x.parquet", "x.xml"])
def test_convert_writes_the_format_of_the_name(here, name):
    assert run(["data", "convert", "examples/pairs.xml", "-o", name]) == 0
    assert load_pairs(name) == load_pairs("examples/pairs.xml")


def test_convert_maps_labels(here):
    labels = ["--read", "label:FALSE=contradiction"]
    assert run(["data", "convert", "examples/pairs.xml", "-o", "x.xml", *labels]) == 0
    assert {pair.gold for pair in load_pairs("x.xml")} == {Label.ENTAILMENT, Label.CONTRADICTION}


def test_split_writes_parts_that_make_up_the_whole(here, capsys):
    parts = ["--part", "dev.jsonl=25%", "--part", "test.xml=rest"]
    assert run(["data", "split", "examples/pairs.xml", *parts]) == 0
    dev, test = load_pairs("dev.jsonl"), load_pairs("test.xml")
    assert (len(dev), len(test)) == (14, 42)
    assert not {pair.id for pair in dev} & {pair.id for pair in test}
    assert sum(pair.gold is Label.ENTAILMENT for pair in dev) == 7


def test_audit_exits_with_one_where_there_are_errors(here, capsys):
    (here / "x.csv").write_text("id,text,hypothesis\n1,a,b\n1,c,d\n")
    assert run(["data", "audit", "x.csv", "--format", "json"]) == 1
    rows = json.loads(capsys.readouterr().out)["findings"]["rows"]
    assert (rows[0]["severity"], rows[0]["code"]) == ("error", "duplicate-id")


def test_audit_without_findings_says_so(here, capsys):
    (here / "x.csv").write_text("id,text,hypothesis,gold\n1,a,b,yes\n2,c,d,no\n")
    assert run(["data", "audit", "x.csv", "--no-baselines", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["findings"]
    assert found == {"rows": [], "notes": ["pairs: 2, findings: 0, of them errors: 0"]}
    assert run(["data", "audit", "x.csv", "--no-baselines", "--format", "csv"]) == 0
    assert capsys.readouterr().out.startswith("# findings\nseverity,code,place,message\n")


def test_audit_of_several_files_finds_what_they_share(here, capsys):
    (here / "copy.xml").write_bytes((here / "examples" / "pairs.xml").read_bytes())
    files = ["examples/pairs.xml", "copy.xml"]
    assert run(["data", "audit", *files, "--no-baselines", "--format", "jsonl"]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert sum(row.get("code") == "shared-between-files" for row in rows) == 56


def test_agreement_writes_gold_and_the_discarded(here, capsys):
    lines = ["id,text,hypothesis,one,two", "1,a,b,yes,yes", "2,c,d,yes,no", "3,e,f,no,no"]
    (here / "x.csv").write_text("\n".join(lines) + "\n")
    (here / "removed.txt").write_text("3\n")
    options = ["--annotator", "one", "--annotator", "two", "--removed", "removed.txt"]
    files = ["--kept", "gold.jsonl", "--discarded", "rest.jsonl"]
    assert run(["data", "agreement", "x.csv", *options, *files, "--format", "json"]) == 0
    assert [(pair.id, pair.gold) for pair in load_pairs("gold.jsonl")] == [("1", Label.ENTAILMENT)]
    reasons = [(pair.id, pair.meta["discarded"]) for pair in load_pairs("rest.jsonl")]
    assert reasons == [("2", "disagreement"), ("3", "review")]
    funnel = json.loads(capsys.readouterr().out)["funnel"]["rows"]
    assert [(row["step"], row["pairs"]) for row in funnel] == [
        ("created", 3),
        ("judged by all", 3),
        ("agreed", 2),
        ("kept after review", 1),
    ]


def test_agreement_of_files_calls_annotators_after_them(here, capsys):
    for name in ("ann.csv", "bob.csv"):
        (here / name).write_text("id,text,hypothesis,gold\n1,a,b,yes\n2,c,d,no\n")
    assert run(["data", "agreement", "ann.csv", "bob.csv", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["agreement"]["rows"]
    assert [row["annotators"] for row in rows] == ["ann, bob", "all"]
    assert rows[0]["kappa"]["value"] == 1


def test_data_reads_standard_input(here):
    pairs = (here / "examples" / "pairs.xml").read_bytes()
    code = "from ensue.cli import main; main(['data', 'convert', '-', '--format', 'csv'])"
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    done = subprocess.run(
        [sys.executable, "-c", code], input=pairs, capture_output=True, env=environment, check=True
    )
    assert done.stdout.startswith(b"id,text,hypothesis,gold,task,meta\n1,")
    assert done.stderr == b""


def test_split_balances_where_asked(tmp_path, capsys):
    lines = ["yes", "yes", "yes", "no"]
    rows = [
        f'{{"id": "{i}", "text": "a", "hypothesis": "b", "gold": "{x}"}}'
        for i, x in enumerate(lines)
    ]
    (tmp_path / "p.jsonl").write_text("\n".join(rows))
    target = tmp_path / "all.jsonl"
    assert (
        run(["data", "split", str(tmp_path / "p.jsonl"), "--part", f"{target}=rest", "--balance"])
        == 0
    )
    assert len(target.read_text().splitlines()) == 2
