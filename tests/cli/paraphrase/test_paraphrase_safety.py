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
        ("-s", "diversity=dictionary", "sentences.txt"),
    ],
)
def test_file_of_a_part_is_not_overwritten(folder, command, option, kind, name):
    before = (folder / name).read_bytes()
    policy = ["-s", "unjudged=wrong", "--draws", "0"]
    assert run(["paraphrase", *command, *policy, option, f"{kind}:{name}", "-o", name]) == 3
    assert (folder / name).read_bytes() == before


def test_rerank_does_not_overwrite_the_instances(folder):
    (folder / "own.tsv").write_text("term\tparaphrase\nkill\tslay\nkill\tmurder\n")
    before = (folder / "instances.csv").read_bytes()
    arguments = ["own.tsv", "--quality", "instances:instances.csv", "-o", "instances.csv"]
    assert run(["paraphrase", "score", "--rerank", *arguments]) == 3
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


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "lists.tsv", "-k", "99999999999999999999"],
        ["score", "lists.tsv", "--draws", "99999999999"],
        ["correlate", "lists.tsv", "-t", "pairs.jsonl", "-s", "first=99999999999999999999"],
        ["recognize", "lists.tsv", "-t", "pairs.jsonl", "-k", "99999999999999999999"],
        ["score", "lists.tsv", "--rerank", "-k", "99999999999999999999"],
        ["learn", "corpus.txt", "--terms", "killed", "--longest", "99999999999999999999"],
        ["learn", "corpus.txt", "--terms", "killed", "--context", "99999999999999999999"],
    ],
    ids=lambda arguments: f"{arguments[0]}{arguments[-2]}",
)
def test_numbers_beyond_all_bounds_are_refused(folder, arguments):
    assert run(["paraphrase", *arguments]) == 2


def test_curve_ends_with_the_longest_list(folder, capsys):
    asked = ["lists.tsv", "-k", "1000000000", "--draws", "0", "--format", "json", "-q"]
    assert run(["paraphrase", "score", *asked]) == 0
    rows = json.loads(capsys.readouterr().out)["curve"]["rows"]
    assert max(row["k"] for row in rows) == 6


def test_task_without_any_gold_is_refused(folder, capsys):
    record = {"id": "1", "text": "It killed him.", "hypothesis": "He died.", "label": "entailment"}
    (folder / "bare.jsonl").write_text(json.dumps(record) + "\n")
    assert run(["paraphrase", "recognize", "lists.tsv", "-t", "bare.jsonl"]) == 3
    said = capsys.readouterr().err
    assert "no pair of the task 'bare' has a gold label" in said
    assert "--read gold=COLUMN" in said


def test_rerank_drops_what_score_drops(folder, capsys):
    rows = ["killed\tmurdered\t0", "killed\tMurdered\t1", "killed\tslain\t1"]
    (folder / "own.tsv").write_text("term\tparaphrase\tann.strict\n" + "\n".join(rows) + "\n")
    assert run(["paraphrase", "score", "own.tsv", "--rerank"]) == 0
    captured = capsys.readouterr()
    assert "[repeated-pattern]" in captured.err
    assert [line.split("\t")[3] for line in captured.out.splitlines()[1:]] == ["murdered", "slain"]
    # 7 of 14: "murdered" is wrong, and "slain" is right and new
    gains = ["--rerank", "--table", "reranking", "--format", "csv"]
    assert run(["paraphrase", "score", "own.tsv", *gains]) == 0
    assert "0.5" in capsys.readouterr().out.splitlines()[1]


def test_reranked_lists_have_no_picture(folder, capsys):
    assert run(["paraphrase", "score", "lists.tsv", "--rerank", "--plot", "x.svg"]) == 2
    assert "--rerank writes lists" in capsys.readouterr().err
