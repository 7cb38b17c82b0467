"""Nothing that a command reads is overwritten, and nothing is passed over in silence."""

import json

import pytest

from ensue.cli.app import run

TERMS = ("killed", "reached", "accused", "returned")
METHODS = ("ngrams", "phrases", "pivot")


@pytest.mark.parametrize(
    "command",
    [["score", "lists.tsv"], ["correlate", "lists.tsv", "-t", "pairs.jsonl"]],
    ids=["score", "correlate"],
)
@pytest.mark.parametrize(
    ("option", "kind", "name"),
    [
        ("--quality", "instances", "instances.csv"),
        ("--diversity", "dictionary", "sentences.txt"),
    ],
)
def test_file_of_a_part_is_not_overwritten(folder, command, option, kind, name):
    before = (folder / name).read_bytes()
    policy = ["--unjudged", "wrong", "--draws", "0"]
    assert run(["paraphrase", *command, *policy, option, f"{kind}:{name}", "-o", name]) == 3
    assert (folder / name).read_bytes() == before


def test_rerank_does_not_overwrite_the_instances(folder):
    (folder / "own.tsv").write_text("term\tparaphrase\nkill\tslay\nkill\tmurder\n")
    before = (folder / "instances.csv").read_bytes()
    arguments = ["own.tsv", "--quality", "instances:instances.csv", "-o", "instances.csv"]
    assert run(["paraphrase", "rerank", *arguments]) == 3
    assert (folder / "instances.csv").read_bytes() == before


@pytest.mark.parametrize(
    "command",
    [
        ["paraphrase", "judge", "lists.tsv", "--format", "jsonl"],
        ["paraphrase", "validate", "instances.csv"],
        ["judge", "pairs.jsonl"],
    ],
    ids=["judge-lists", "validate", "judge-pairs"],
)
def test_directory_of_a_recognizer_is_not_overwritten(folder, root, command):
    pairs = str(root / "examples" / "pairs.xml")
    assert run(["train", pairs, "-r", "overlap", "-o", "mine", "-q"]) == 0
    before = (folder / "mine" / "recognizer.json").read_bytes()
    assert run([*command, "-r", "mine", "-o", "mine/recognizer.json"]) == 3
    assert (folder / "mine" / "recognizer.json").read_bytes() == before


@pytest.fixture
def numbers(folder):
    """Write scores and performance of lists, and give the options that name them."""

    def write(methods=METHODS):
        for name, chosen in (("scores", methods), ("performance", METHODS)):
            rows = [
                f"{term},{method},{(i * 3 + j) ** 0.5}"
                for i, term in enumerate(TERMS)
                for j, method in enumerate(chosen)
            ]
            (folder / f"{name}.csv").write_text("\n".join([f"term,method,my_{name}", *rows]) + "\n")
        return ["--scores", "scores.csv", "--performance", "performance.csv"]

    return write


def test_task_without_lists_is_refused(numbers, capsys):
    assert run(["paraphrase", "correlate", *numbers(), "-t", "pairs.jsonl"]) == 2
    assert "--task is for LISTS" in capsys.readouterr().err


def test_lists_that_one_file_lacks_are_counted(numbers, capsys):
    named = numbers(("Ngrams", "phrases", "pivot"))
    assert run(["paraphrase", "correlate", *named, "--draws", "0", "--format", "json"]) == 0
    captured = capsys.readouterr()
    (row, *_) = json.loads(captured.out)["correlations"]["rows"]
    assert (row["n"], row["left_out"]) == (8, 8)
    assert "my_scores: 4 of 16 lists have no number and are left out" in captured.err
    assert "my_performance: 4 of 16 lists have no number" in captured.err


@pytest.mark.parametrize(("terms", "code"), [("top:x", 3), ("top:", 3), (",", 2)])
def test_terms_that_make_no_sense_are_refused(folder, terms, code):
    assert run(["paraphrase", "recognize", "-t", "pairs.jsonl", "--terms", terms]) == code
    learning = ["learn", "corpus.txt", "-t", "pairs.jsonl", "--terms", terms]
    assert run(["paraphrase", *learning]) == code


def test_pairs_that_are_named_twice_are_refused(folder, capsys):
    twice = ["-t", "A=pairs.jsonl", "-t", "A=pairs.jsonl"]
    assert run(["paraphrase", "recognize", "lists.tsv", *twice]) == 2
    assert "'pairs.jsonl' is named twice" in capsys.readouterr().err


def test_contradictions_are_counted_once_for_each_judge_and_strictness(folder, capsys):
    assert run(["paraphrase", "score", "lists.tsv", "--draws", "0"]) == 0
    assert "disagree with themselves, 4 times" in capsys.readouterr().err


def test_findings_are_told_once_for_all_qualities(folder, capsys):
    assert run(["paraphrase", "score", "lists.tsv", "--draws", "0"]) == 0
    assert capsys.readouterr().err.count("[short-list]") == 1
