import json
import re

import pytest

from ensue.cli.app import COMMANDS, run
from ensue.cli.evaluation import cutoff_command, evaluate_command, power_command

GOLD = [
    {"id": str(i), "text": f"text {i}", "hypothesis": f"claim {i % 2}", "gold": gold, "task": task}
    for i, (gold, task) in enumerate(
        [("entailment", "IE"), ("entailment", "QA")] * 5
        + [("not-entailment", "IE"), ("not-entailment", "QA")] * 5
    )
]
"""Ten entailments, then ten others."""


def score_of(i):
    """Nine entailments of ten and one other pair of ten score above a half."""
    return 0.9 - i / 100 if i < 9 else 0.8 if i == 10 else 0.1 + i / 100


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lines("gold.jsonl", GOLD)
    write_lines("good.jsonl", [verdict(i, score_of(i)) for i in range(20)])
    write_lines("yes.jsonl", [verdict(i, 1.0) for i in range(20)])
    plain = [f"{i} {'TRUE' if i < 10 else 'FALSE'}" for i in range(19)]
    (tmp_path / "plain.txt").write_text("\n".join(plain), encoding="utf-8")
    return tmp_path


def write_lines(path, records):
    with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123
        file.writelines(json.dumps(record) + "\n" for record in records)


def verdict(i, score):
    label = "entailment" if score > 0.5 else "not-entailment"
    return {"pair_id": str(i), "label": label, "score": score, "confidence": abs(score - 0.5) * 2}


def answer(capsys, *arguments):
    assert run([*arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_evaluate_prints_the_tables(folder, capsys):
    assert run(["evaluate", "gold.jsonl", "good.jsonl", "--draws", "0"]) == 0
    out = capsys.readouterr().out
    # 9 + 9 of 20 are right
    assert re.search(r"good\.jsonl +20 +20 +90\.0 ", out)
    assert "Better than chance?" in out


def test_evaluate_gives_json(folder, capsys):
    tables = answer(capsys, "evaluate", "gold.jsonl", "good.jsonl", "--draws", "20")
    assert tables["runs"]["rows"][0]["accuracy"]["value"] == 18 / 20


def test_evaluate_takes_the_challenges_plain_format(folder, capsys):
    tables = answer(capsys, "evaluate", "gold.jsonl", "plain.txt", "-q")
    assert tables["runs"]["rows"][0]["accuracy"]["value"] == 1
    assert tables["runs"]["rows"][0]["accuracy-all"]["value"] == 19 / 20


def test_evaluate_tells_findings_on_standard_error(folder, capsys):
    assert run(["evaluate", "gold.jsonl", "plain.txt", "--draws", "0"]) == 0
    assert "warning: plain.txt: 1 of 20 pairs are not in the run" in capsys.readouterr().err


def test_evaluate_is_quiet_where_asked(folder, capsys):
    assert run(["evaluate", "gold.jsonl", "plain.txt", "--draws", "0", "-q"]) == 0
    assert capsys.readouterr().err == ""


def test_evaluate_tells_only_a_few_findings_of_a_kind(folder, capsys):
    write_lines(
        "gold.jsonl",
        [record | {"gold": None} if i < 9 else record for i, record in enumerate(GOLD)],
    )
    assert run(["evaluate", "gold.jsonl", "good.jsonl", "--draws", "0"]) == 0
    err = capsys.readouterr().err
    assert len(err.splitlines()) < 9


def test_evaluate_by_task_has_a_row_for_each(folder, capsys):
    tables = answer(capsys, "evaluate", "gold.jsonl", "good.jsonl", "--by", "task", "--draws", "0")
    assert [row["task"] for row in tables["tasks"]["rows"]] == ["IE", "QA"]


def test_evaluate_compares_several_runs(folder, capsys):
    tables = answer(capsys, "evaluate", "gold.jsonl", "good.jsonl", "yes.jsonl", "--draws", "20")
    (row,) = tables["comparisons"]["rows"]
    # good alone is right on nine of the others, yes alone on one entailment
    assert (row["only_first"], row["only_second"]) == (9, 1)


def test_evaluate_shows_wishes(folder, capsys):
    wishes = ["--prior", "0.1", "--precision", "0.9", "--by", "group", "--view", "2-way"]
    tables = answer(capsys, "evaluate", "gold.jsonl", "good.jsonl", "--draws", "0", *wishes)
    assert {"prior", "operating_points", "groups", "group_scores"} <= set(tables)
    assert tables["prior"]["rows"][0]["accuracy"]["value"] == pytest.approx(0.9)


def test_evaluate_gives_the_same_for_the_same_seed(folder, capsys):
    arguments = ["evaluate", "gold.jsonl", "good.jsonl", "--draws", "50", "--seed", "7"]
    assert answer(capsys, *arguments) == answer(capsys, *arguments)


def test_evaluate_writes_a_report(folder):
    arguments = ["evaluate", "gold.jsonl", "good.jsonl", "--draws", "20", "-o", "tables.txt"]
    assert run([*arguments, "--report", "report.html"]) == 0
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "Evaluation on gold" in page
    assert "<svg " in page
    assert "Runs" in (folder / "tables.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(("least", "code"), [("0.9", 0), ("accuracy=0.91", 1), ("f=0.95", 1)])
def test_evaluate_fails_under_a_gate(folder, capsys, least, code):
    arguments = ["evaluate", "gold.jsonl", "good.jsonl", "--draws", "0", "--fail-under", least]
    assert run(arguments) == code


def test_evaluate_says_what_failed_and_still_prints_the_tables(folder, capsys):
    run(["evaluate", "gold.jsonl", "yes.jsonl", "--draws", "0", "--fail-under", "accuracy=0.55"])
    captured = capsys.readouterr()
    assert captured.err == "fail: yes.jsonl: accuracy 0.5 is under 0.55\n"
    assert "Runs" in captured.out


def test_evaluate_checks_the_gate_before_anything_else(folder, capsys):
    assert run(["evaluate", "absent.jsonl", "good.jsonl", "--fail-under", "55"]) == 3
    assert "hint: 55 % is 0.55" in capsys.readouterr().err


def test_evaluate_refuses_a_run_for_other_data(folder, capsys):
    write_lines("other.jsonl", [verdict(i, 0.9) for i in range(100, 110)])
    assert run(["evaluate", "gold.jsonl", "other.jsonl"]) == 3
    assert "other.jsonl:1: a run for other data" in capsys.readouterr().err


def test_evaluate_refuses_a_confidence_beyond_one(folder, capsys):
    (folder / "sure.txt").write_text("0 TRUE 1.7\n", encoding="utf-8")
    assert run(["evaluate", "gold.jsonl", "sure.txt"]) == 3
    assert "sure.txt:1: confidence '1.7' of pair '0'" in capsys.readouterr().err


def test_evaluate_lets_no_run_for_other_data_through_a_gate(folder, capsys):
    header = {
        "ensue_run": 1,
        "signature": {"recognizer": "overlap", "version": "0.1.0"},
        "data": {"pairs_hash": "0" * 64},
    }
    write_lines("other.jsonl", [header, *(verdict(i, score_of(i)) for i in range(20))])
    arguments = ["evaluate", "gold.jsonl", "other.jsonl", "--draws", "0", "-q"]
    assert run(arguments) == 0
    assert run([*arguments, "--fail-under", "0.5"]) == 1
    fail = "fail: other.jsonl: the run was made for other pairs than the gold"
    assert fail in capsys.readouterr().err


def test_evaluate_prints_one_table_as_one_csv(folder, capsys):
    arguments = ["evaluate", "gold.jsonl", "good.jsonl", "--draws", "0"]
    assert run([*arguments, "--format", "csv", "--table", "signatures"]) == 0
    assert capsys.readouterr().out == "run,signature\ngood.jsonl,\n"


def test_evaluate_names_the_tables_that_there_are(folder, capsys):
    arguments = ["evaluate", "gold.jsonl", "good.jsonl", "--draws", "0", "--table", "best"]
    assert run(arguments) == 3
    captured = capsys.readouterr()
    assert "no table is called 'best'\nhint: there are: runs, chance, labels, " in captured.err
    assert captured.out == ""


def test_evaluate_gives_curves_to_programs_only(folder, capsys):
    arguments = ["evaluate", "gold.jsonl", "good.jsonl", "--draws", "0"]
    assert {"risk_coverage", "reliability"} <= set(answer(capsys, *arguments))
    assert run(arguments) == 0
    out = capsys.readouterr().out
    assert "Confidence" in out
    assert "Risk by coverage" not in out


@pytest.mark.parametrize(
    ("arguments", "name", "by"),
    [
        ("evaluate gold.jsonl good.jsonl -o gold.jsonl", "gold.jsonl", "read"),
        ("evaluate gold.jsonl good.jsonl -o ./good.jsonl", "./good.jsonl", "read"),
        ("evaluate page.html good.jsonl --report page.html", "page.html", "read"),
        ("evaluate gold.jsonl good.jsonl -o x.html --report x.html", "x.html", "written"),
        ("cutoff gold.jsonl good.jsonl -o good.jsonl", "good.jsonl", "read"),
        ("cutoff gold.json good.jsonl --plot gold.json", "gold.json", "read"),
        (
            "cutoff gold.jsonl good.jsonl --test gold.json good.jsonl --plot gold.json",
            "gold.json",
            "read",
        ),
        ("cutoff gold.jsonl good.jsonl --plot a.svg --plot a.svg", "a.svg", "written"),
        ("cutoff gold.jsonl good.jsonl --plot x.json -o x.json", "x.json", "written"),
        ("power --runs gold.jsonl good.jsonl yes.jsonl -o yes.jsonl", "yes.jsonl", "read"),
    ],
)
def test_outputs_are_no_inputs_and_differ(folder, capsys, arguments, name, by):
    for copy in ("page.html", "gold.json"):
        write_lines(copy, GOLD)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert run(arguments.split()) == 3
    assert f"error: {name!r} is {by} by the same command" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(
    "arguments",
    [
        "evaluate - -",
        "evaluate gold.jsonl - -",
        "cutoff - -",
        "cutoff - good.jsonl --test - good.jsonl",
        "power --runs - - good.jsonl",
    ],
)
def test_standard_input_is_read_once(folder, capsys, arguments):
    assert run(arguments.split()) == 2
    assert "standard input can be read only once" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["evaluate", "cutoff"])
def test_report_that_is_no_page_is_refused_before_anything_else(folder, capsys, command):
    assert run([command, "absent.jsonl", "good.jsonl", "--report", "x.pdf"]) == 3
    message = "error: cannot write a page to 'x.pdf'\nhint: name a file that ends in .html or .htm"
    assert message in capsys.readouterr().err


def test_evaluate_explains_an_unwritable_report(folder, capsys):
    assert (
        run(["evaluate", "gold.jsonl", "good.jsonl", "--draws", "0", "--report", "no/r.html"]) == 3
    )
    assert "cannot write 'no/r.html'" in capsys.readouterr().err


def test_evaluate_needs_a_run(folder, capsys):
    assert run(["evaluate", "gold.jsonl"]) == 2
    assert "Missing argument 'RUN...'" in capsys.readouterr().err


def test_cutoff_gives_every_cutoff_in_json(folder, capsys):
    tables = answer(capsys, "cutoff", "gold.jsonl", "good.jsonl")
    assert len(tables["cutoffs"]["rows"]) == len({score_of(i) for i in range(20)}) + 1
    tuned = tables["points"]["rows"][0]
    # above 0.8 stand nine entailments and nothing else: 9 + 10 of 20 are right
    assert (tuned["chosen"], tuned["cutoff"], tuned["right"]) == ("tuned", 0.8, 19)


def test_cutoff_tries_the_tuned_cutoff_on_test_pairs(folder, capsys):
    tables = answer(
        capsys, "cutoff", "gold.jsonl", "good.jsonl", "--test", "gold.jsonl", "yes.jsonl"
    )
    tried = [row for row in tables["points"]["rows"] if row["set"] == "test"]
    assert tried[0]["accuracy"] == 1 / 2


@pytest.mark.parametrize("by", [[], ["--by", "task"]])
def test_cutoff_draws_as_many_plots_as_asked(folder, by):
    plots = ["--plot", "a.svg", "--plot", "a.png", "--plot", "a.json"]
    assert run(["cutoff", "gold.jsonl", "good.jsonl", "--draws", "20", *plots, *by]) == 0
    assert (folder / "a.svg").read_bytes().startswith(b"<svg")
    assert (folder / "a.png").read_bytes().startswith(b"\x89PNG")
    assert "data" in (folder / "a.json").read_text(encoding="utf-8")


def test_cutoff_refuses_a_plot_it_cannot_draw_before_anything_else(folder, capsys):
    assert run(["cutoff", "absent.jsonl", "good.jsonl", "--plot", "a.pdf"]) == 3
    assert "no picture ends in '.pdf'" in capsys.readouterr().err


def test_cutoff_writes_a_report(folder):
    assert run(["cutoff", "gold.jsonl", "good.jsonl", "--draws", "20", "--report", "c.html"]) == 0
    page = (folder / "c.html").read_text(encoding="utf-8")
    assert "Cutoffs of good.jsonl" in page
    assert "gold: gold.jsonl, run: good.jsonl" in page


def test_cutoff_says_that_a_run_has_no_scores(folder, capsys):
    assert run(["cutoff", "gold.jsonl", "plain.txt", "-q"]) == 3
    assert "plain.txt: the run has no scores" in capsys.readouterr().err


def test_power_takes_points_and_a_disagreement(folder, capsys):
    tables = answer(capsys, "power", "--difference", "10", "--disagreement", "0.2", "--size", "99")
    assert tables["pairs_needed"]["rows"][0]["difference"] == pytest.approx(0.1)
    assert tables["at_pairs"]["rows"][0]["pairs"] == 99


def test_power_takes_disagreement_and_difference_from_runs(folder, capsys):
    tables = answer(capsys, "power", "--runs", "gold.jsonl", "good.jsonl", "yes.jsonl")
    row = tables["pairs_needed"]["rows"][0]
    # ten pairs set them apart, nine for the one and one for the other
    assert row["disagreement"] == pytest.approx(10 / 20)
    assert row["difference"] == pytest.approx((9 - 1) / 20)


def test_power_says_that_equal_runs_are_never_told_apart(folder, capsys):
    assert run(["power", "--runs", "gold.jsonl", "yes.jsonl", "yes.jsonl"]) == 3
    assert "the two runs get the same pairs right" in capsys.readouterr().err


def test_power_says_what_to_give_where_runs_are_equally_accurate(folder, capsys):
    write_lines("no.jsonl", [verdict(i, 0.0) for i in range(20)])
    assert run(["power", "--runs", "gold.jsonl", "yes.jsonl", "no.jsonl"]) == 3
    assert "--difference" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give --disagreement or --runs"),
        (["--disagreement", "0.2"], "give --difference, --size or both"),
        (["--disagreement", "20", "--difference", "2"], "20.0 is not in the range"),
        (["--disagreement", "0.2", "--difference", "2", "--level", "0.95"], "not in the range"),
    ],
)
def test_power_says_how_it_is_used(capsys, arguments, message):
    assert run(["power", *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("command", [evaluate_command, cutoff_command, power_command])
def test_help_ends_with_an_example_on_one_line(command):
    assert command.epilog.startswith(f"Example: ensue {command.name} ")
    assert len(command.epilog) < 78
    assert command.name in COMMANDS


@pytest.mark.data
def test_evaluate_recomputes_the_modified_bleu_papers_test_run(shared_data, tmp_path, capsys):
    gold, made = str(shared_data / "rte" / "rte1_test.xml"), str(tmp_path / "run.jsonl")
    assert run(["judge", gold, "-r", "modified-bleu", "-s", "cutoff=0.221", "-o", made, "-q"]) == 0
    tables = answer(capsys, "evaluate", gold, made, "--draws", "0")
    no = tables["confusion"]["rows"][1]["not-entailment"]
    yes = tables["confusion"]["rows"][0]["entailment"]
    # section 3.4: 160 false and 270 true entailments, 430 of 800
    assert (no, yes) == (160, 270)
    assert tables["runs"]["rows"][0]["accuracy"]["value"] == 430 / 800
