import json
import re

import pytest

from ensue.cli.app import run
from ensue.cli.evaluation import ERROR_KINDS, MEASURES
from ensue.mining import ErrorKind, SuspicionMeasure
from ensue.reports.mining import marked_sides

QUICK = ["--draws", "20", "-s", "permutations=50"]


def case(i):
    """Of sixty cases a third are passives; half are entailments."""
    of_h, of_t = [("VA", "VA"), ("VP", "VA"), ("N", "VA")][i % 3]
    return {
        "id": str(i),
        "text": f"John sends book {i} to Mary.",
        "hypothesis": f"Book {i} is sent by John.",
        "gold": "entailment" if i < 30 else "not-entailment",
        "task": "QA" if i % 2 else "IE",
        "meta": {
            "tags": [{"predicate": "send", "hypothesis": [of_h], "text": [of_t]}],
            "clauses": 1 + i % 2,
        },
    }


def verdict(i):
    """Wrong on passives; right on the others but for one entailment and one other."""
    wrong = i % 3 == 1 or i in (0, 32)
    return {
        "pair_id": str(i),
        "label": "entailment" if (i < 30) != wrong else "not-entailment",
        "confidence": i / 100,
    }


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lines("gold.jsonl", [case(i) for i in range(60)])
    write_lines("run.jsonl", [verdict(i) for i in range(60)])
    return tmp_path


def write_lines(path, records):
    with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123
        file.writelines(json.dumps(record) + "\n" for record in records)


def answer(capsys, *arguments):
    assert run(["mine", "gold.jsonl", "run.jsonl", *QUICK, *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_choices_are_those_of_the_library():
    assert list(ERROR_KINDS) == [kind.value for kind in ErrorKind]
    assert list(MEASURES) == [measure.value for measure in SuspicionMeasure]


def test_mine_prints_the_papers_table_for_both_kinds_of_errors(folder, capsys):
    assert run(["mine", "gold.jsonl", "run.jsonl", *QUICK]) == 0
    out = capsys.readouterr().out
    assert "Suspects: false negatives of run.jsonl" in out
    assert "Suspects: false positives of run.jsonl" in out
    # all ten passives of each half are wrong: S = 1, 10·1, ln 10
    assert re.search(r"1 +VP +VA +1\.0000 \[.*\] +10 +10 +10\.0000 +2\.3026", out)
    assert "ranked by S·ln|O_err|" in out


def test_mine_gives_json_with_all_measures_and_the_worst_cases(folder, capsys):
    tables = answer(capsys, "--errors", "fn")
    first, second = tables["fn"]["rows"]
    assert (first["hypothesis"], first["text"], first["errors"], first["cases"]) == (
        "VP",
        "VA",
        10,
        10,
    )
    assert first["s_errors"] == pytest.approx(10)
    assert second["suspicion"]["value"] == pytest.approx(1 / 10)
    assert {"s_cases", "s_ln_cases", "s_ln_errors", "p", "q"} <= set(first)
    worst = [row for row in tables["fn_cases"]["rows"] if row["form"] == "VP/VA"]
    # the most confident of the equally suspicious, with what differs marked
    assert [row["pair_id"] for row in worst][:2] == ["28", "25"]
    assert len(worst) == 3
    assert worst[0]["text"] == "⟦John sends⟧ book 28 ⟦to Mary⟧."
    assert worst[0]["hypothesis"] == "Book 28 ⟦is sent by John⟧."
    assert worst[0]["answer"] == "not-entailment"
    assert tables["mined"]["rows"][0]["errors"] == 11


def test_mine_gives_csv_of_one_table(folder, capsys):
    arguments = ["--errors", "fn", "--format", "csv", "--table", "fn"]
    assert run(["mine", "gold.jsonl", "run.jsonl", *QUICK, *arguments]) == 0
    heading, first, *_ = capsys.readouterr().out.splitlines()
    assert heading.startswith("rank,hypothesis,text,suspicion,suspicion_low,suspicion_high,errors")
    assert first.startswith("1,VP,VA,1.0,")


@pytest.mark.parametrize(
    ("kind", "form"), [("words", "H:book"), ("task", "task=QA"), ("clauses", "clauses=1")]
)
def test_mine_takes_other_forms(folder, capsys, kind, form):
    tables = answer(capsys, "--errors", "all", "--forms", kind, "--top", "0")
    assert form in [row["form"] for row in tables["all"]["rows"]]


def test_mine_takes_several_kinds_of_forms_and_two_together(folder, capsys):
    forms = ["--forms", "tags", "--forms", "task", "--together", "8"]
    tables = answer(capsys, "--errors", "all", *forms, "--top", "0")
    assert "VP/VA + task=QA" in [row["form"] for row in tables["all"]["rows"]]


def test_mine_ranks_by_another_measure(folder, capsys):
    tables = answer(capsys, "--errors", "all", "-s", "measure=errors")
    assert tables["all"]["rows"][0]["s_errors"] == pytest.approx(20)
    assert tables["all"]["notes"][0] == "ranked by S·|O_err|"


def test_mine_says_where_it_did_not_converge(folder, capsys, monkeypatch):
    monkeypatch.setattr("ensue.reports.mining.PATIENCE", 10)
    tables = answer(capsys, "--errors", "all")
    assert "not converged after 10 iterations" in tables["all"]["notes"]


def test_mine_against_another_run(folder, capsys):
    better = [verdict(i) for i in range(60)]
    for record in better:
        i = int(record["pair_id"])
        if i % 3 == 1:
            record["label"] = "entailment" if i < 30 else "not-entailment"
    write_lines("better.jsonl", better)
    tables = answer(capsys, "--errors", "all", "--against", "better.jsonl")
    assert [row["hypothesis"] for row in tables["all"]["rows"]] == ["VP"]
    assert tables["mined"]["rows"][0]["errors"] == 20


def test_mine_leaves_out_what_the_run_does_not_mention(folder, capsys):
    write_lines("run.jsonl", [verdict(i) for i in range(60) if i != 4])
    assert run(["mine", "gold.jsonl", "run.jsonl", *QUICK, "--format", "json"]) == 0
    captured = capsys.readouterr()
    assert "run.jsonl: 1 of 60 pairs are not in the run and count as unanswered: 4" in captured.err
    tables = json.loads(captured.out)
    assert (tables["fn"]["rows"][0]["errors"], tables["fn"]["rows"][0]["cases"]) == (9, 9)


def test_mine_finds_what_is_unanswered(folder, capsys):
    write_lines("run.jsonl", [verdict(i) for i in range(60) if i % 3 != 2])
    tables = answer(capsys, "--errors", "unanswered", "-q")
    assert tables["unanswered"]["rows"][0]["hypothesis"] == "N"


def test_mine_refuses_ids_that_the_gold_does_not_have(folder, capsys):
    write_lines("run.jsonl", [verdict(i) for i in range(61)])
    assert run(["mine", "gold.jsonl", "run.jsonl"]) == 3
    assert "run.jsonl:61: pair '60' is not in the gold" in capsys.readouterr().err


def all_right(i):
    return {"pair_id": str(i), "label": "entailment" if i < 30 else "not-entailment"}


def all_wrong(i):
    return {"pair_id": str(i), "label": "entailment" if i >= 30 else "not-entailment"}


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (all_right, "nothing to mine: no false negatives among 30 answered entailments"),
        (all_wrong, "nothing to mine: all 30 answered entailments are false negatives"),
    ],
)
def test_mine_says_that_there_is_nothing_to_mine(folder, capsys, answers, message):
    write_lines("run.jsonl", [answers(i) for i in range(60)])
    assert run(["mine", "gold.jsonl", "run.jsonl"]) == 3
    captured = capsys.readouterr()
    assert message in captured.err
    assert "hint: mine other errors" in captured.err
    assert captured.out == ""


def test_mine_says_which_kind_of_errors_there_is_nothing_of(folder, capsys):
    write_lines("run.jsonl", [verdict(i) if i < 30 else all_right(i) for i in range(60)])
    tables = answer(capsys)
    assert "fp" not in tables
    (note,) = tables["mined"]["notes"]
    assert note.endswith("nothing to mine: no false positives among 30 answered non-entailments")


def test_mine_without_tags_says_what_to_do(folder, capsys):
    write_lines("gold.jsonl", [case(i) | {"meta": {}} for i in range(60)])
    assert run(["mine", "gold.jsonl", "run.jsonl"]) == 3
    assert capsys.readouterr().err == (
        "error: no pair has tags\nhint: mine words or a column instead, e.g. --forms words\n"
    )


def test_mine_writes_a_page_with_a_picture_and_the_worst_cases(folder):
    arguments = ["mine", "gold.jsonl", "run.jsonl", *QUICK, "--report", "page.html"]
    assert run([*arguments, "-o", "tables.txt"]) == 0
    page = (folder / "page.html").read_text("utf-8")
    assert "Errors of run.jsonl on gold" in page
    assert page.count("<svg ") == 2
    assert "1. VP/VA: 10 of 10" in page
    assert "⟦John sends⟧ book 28 ⟦to Mary⟧." in page
    assert "measure: ln-errors, iterations: 10, draws: 20, permutations: 50" in page


def test_mine_gives_the_same_for_the_same_seed(folder, capsys):
    assert answer(capsys, "--seed", "3") == answer(capsys, "--seed", "3")


def test_mine_does_not_overwrite_what_it_reads(folder, capsys):
    assert run(["mine", "gold.jsonl", "run.jsonl", "-o", "run.jsonl"]) == 3
    assert run(["mine", "gold.jsonl", "run.jsonl", "--report", "page.txt"]) == 3


@pytest.mark.parametrize(
    ("text", "hypothesis", "expected"),
    [
        ("A dog barks.", "A dog barks.", ("A dog barks.", "A dog barks.")),
        ("A DOG barks", "a dog sleeps", ("A DOG ⟦barks⟧", "a dog ⟦sleeps⟧")),
        ("John saw Mary", "Mary saw John", ("John ⟦saw Mary⟧", "⟦Mary saw⟧ John")),
        ("", "new", ("", "⟦new⟧")),
    ],
)
def test_changed_words_are_marked(text, hypothesis, expected):
    assert marked_sides(text, hypothesis) == expected


def test_mine_draws_the_suspects(folder, capsys):
    command = ["mine", "gold.jsonl", "run.jsonl", *QUICK, "--plot", "suspects.svg"]
    assert run([*command, "--plot", "suspects.json"]) == 0
    assert "VP/VA" in (folder / "suspects.svg").read_text("utf-8")
    title = json.loads((folder / "suspects.json").read_text("utf-8"))["title"]
    assert "false negatives" in json.dumps(title)
    assert run([*command, "--plot", "suspects.pdf"]) == 3
    assert "suspects.pdf" in capsys.readouterr().err
