"""`ensue paraphrase correlate`, as a user calls it; scipy is the oracle."""

import csv
import json

import pytest
from scipy import stats

from ensue.cli.app import run
from ensue.paraphrase.formats.lists import read_lists
from ensue.paraphrase.scores import PatternMeasure, ScoreSettings, score

QUICK = ["--draws", "20"]
TASK = ["-t", "pairs.jsonl"]
STRICT = ["--quality", "judges:strict"]
TERMS = ("killed", "reached", "accused", "returned")
METHODS = ("ngrams", "phrases", "pivot")
MINE = [1, 2, 4, 3, 5, 9, 8, 6, 7, 10, 12, 11]
"""Scores of one's own, by term and method."""
WORTH = [0.1, 0.3, 0.2, 0.35, 0.4, 0.8, 0.7, 0.75, 0.6, 0.9, 0.85, 1.0]
"""Performance in a task of one's own."""


@pytest.fixture
def answer(answering):
    """Correlate; give what is said as JSON."""
    return answering("correlate")


@pytest.fixture
def refused(refusing):
    """Run a command that has to fail; give the message."""
    return refusing("correlate")


@pytest.fixture
def numbers(folder):
    """Write a column of numbers for the example lists, and give the file's name."""

    def write(name, column, values, keys=None):
        keys = keys or [(term, method) for term in TERMS for method in METHODS]
        rows = [
            f"{term},{method},{value}\n" for (term, method), value in zip(keys, values, strict=True)
        ]
        (folder / name).write_text(f"term,method,{column}\n{''.join(rows)}", encoding="utf-8")
        return name

    return write


@pytest.fixture
def files(numbers):
    """Scores and performance of other origin."""
    scores, performance = numbers("scores.csv", "mine", MINE), numbers("worth.csv", "worth", WORTH)
    return ["--scores", scores, "--performance", performance]


def performance_in_pairs(capsys):
    """What the lists do in the task, by the other command."""
    assert run(["paraphrase", "recognize", "lists.tsv", *TASK, "--format", "json", "-q"]) == 0
    rows = json.loads(capsys.readouterr().out)["performance"]["rows"]
    return {(row["term"], row["method"]): row for row in rows}


@pytest.mark.parametrize("figure", ["performance", "patterns"])
def test_correlation_is_that_of_scipy_over_the_lists(folder, answer, capsys, figure):
    found = answer("lists.tsv", *TASK, *STRICT, *QUICK, "-k", "5", "-s", f"figure={figure}")
    scored = score(read_lists(["lists.tsv"]), ScoreSettings(ks=(5,)), "judges:strict")
    pairs = performance_in_pairs(capsys)
    column = "by_patterns" if figure == "patterns" else figure
    performance = [pairs[key.term, key.method][column]["value"] for key in scored.lists.keys]
    for measure in PatternMeasure:
        values = [scored.value(i, measure, 5) for i in range(12)]
        name = f"{measure.value}_5"
        pearson = stats.pearsonr(values, performance)
        assert found["pearson_strict"]["rows"][0][name] == pytest.approx(pearson.statistic)
        assert found["pearson_p_strict"]["rows"][0][name] == pytest.approx(pearson.pvalue)
        rho = stats.spearmanr(values, performance).statistic
        assert found["spearman_strict"]["rows"][0][name] == pytest.approx(rho)
        tau = stats.kendalltau(values, performance).statistic
        assert found["kendall_strict"]["rows"][0][name] == pytest.approx(tau)


def test_layout_is_that_of_tables_2_and_3(folder, answer):
    found = answer("lists.tsv", *TASK, *QUICK)
    columns = ["task", *(f"{measure}_{k}" for measure in PatternMeasure for k in (1, 5, 10))]
    for quality in ("strict", "lenient"):
        (row,) = found[f"pearson_{quality}"]["rows"]
        assert list(row) == columns
        assert row["task"] == "pairs"


def test_correlations_have_a_row_each_with_interval_and_counts(folder, answer):
    found = answer("lists.tsv", *TASK, *STRICT, *QUICK, "-k", "5")
    rows = found["correlations"]["rows"]
    assert len(rows) == 3 * 3
    for row in rows:
        assert (row["n"], row["terms"], row["left_out"], row["quality"]) == (12, 4, 0, "strict")
        assert row["value"]["low"] <= row["value"]["high"]
        assert row["significant"] is (row["p"] < 0.01)


def test_differences_are_tested_between_every_two_measures(folder, answer):
    found = answer("lists.tsv", *TASK, *STRICT, *QUICK, "-k", "5")
    rows = found["differences"]["rows"]
    couples = [("EP", "EPR"), ("EP", "DIMPLE"), ("EPR", "DIMPLE")]
    assert [(row["first"], row["second"]) for row in rows] == couples
    for row in rows:
        assert row["difference"]["value"] == pytest.approx(row["first_r"] - row["second_r"])
        assert 0 <= row["p"] <= row["p_holm"] <= 1


def test_numbers_of_other_origin_are_correlated_alone(files, answer):
    found = answer(*files, *QUICK)
    pearson = stats.pearsonr(MINE, WORTH)
    assert found["pearson"]["rows"] == [{"task": "worth", "mine": pytest.approx(pearson.statistic)}]
    assert found["pearson_p"]["rows"][0]["mine"] == pytest.approx(pearson.pvalue)
    assert pearson.pvalue < 0.01
    assert found["correlations"]["rows"][0]["significant"] is True


def test_correlation_within_terms_is_worked_by_hand(numbers, answer):
    # off the means of the terms both are −1, 0, 1, or 0 throughout
    mine = numbers("scores.csv", "mine", [1, 2, 3, 11, 12, 13, 5, 5, 5, 7, 7, 7])
    worth = numbers("worth.csv", "worth", [9, 10, 11, 0, 1, 2, 4, 4, 4, 3, 3, 3])
    found = answer("--scores", mine, "--performance", worth, *QUICK)
    assert found["within"]["rows"][0]["mine"] == pytest.approx(1)
    assert found["pearson"]["rows"][0]["mine"] < 0


def test_scores_of_other_origin_stand_beside_the_measures(files, answer):
    found = answer("lists.tsv", *TASK, *files, *STRICT, *QUICK, "-k", "5")
    assert [row["task"] for row in found["pearson"]["rows"]] == ["pairs", "worth"]
    assert [row["task"] for row in found["pearson_strict"]["rows"]] == ["pairs", "worth"]
    assert len(found["correlations"]["rows"]) == 2 * (3 + 1) * 3


def test_performance_of_other_origin_may_be_the_only_task(files, answer):
    found = answer("lists.tsv", *files[2:], *STRICT, *QUICK, "-k", "5")
    assert [row["task"] for row in found["pearson_strict"]["rows"]] == ["worth"]


def test_lists_that_a_file_lacks_are_left_out(numbers, answer):
    keys = [(term, method) for term in TERMS for method in METHODS][:9]
    worth = numbers("worth.csv", "worth", WORTH[:9], keys)
    scores = numbers("scores.csv", "mine", MINE)
    found = answer("--scores", scores, "--performance", worth, *QUICK)
    row = found["correlations"]["rows"][0]
    assert (row["n"], row["terms"]) == (9, 3)
    assert row["value"]["value"] == pytest.approx(stats.pearsonr(MINE[:9], WORTH[:9]).statistic)


def test_terms_may_be_chosen(folder, answer):
    arguments = ["lists.tsv", *TASK, *STRICT, *QUICK, "-k", "5", "--terms", "killed,reached"]
    row = answer(*arguments)["correlations"]["rows"][0]
    assert (row["n"], row["terms"]) == (6, 2)


def test_fewer_paraphrases_may_recognize(folder, answer):
    arguments = ["lists.tsv", *TASK, *STRICT, *QUICK, "-k", "5"]
    all_of_them, one = answer(*arguments), answer(*arguments, "-s", "first=1")
    assert all_of_them["pearson_strict"]["rows"] != one["pearson_strict"]["rows"]


def test_alpha_says_what_is_significant(files, answer):
    found = answer(*files, *QUICK, "-s", "alpha=1e-9")
    assert found["correlations"]["rows"][0]["significant"] is False
    assert "significant (two-sided p < 1e-09): none" in found["pearson"]["notes"]


def test_lists_may_be_drawn_in_the_place_of_terms(files, answer):
    by_terms, by_lists = (
        answer(*files, *QUICK, "-s", f"resample={each}") for each in ("terms", "lists")
    )
    first, second = (each["correlations"]["rows"][0]["value"] for each in (by_terms, by_lists))
    assert first["value"] == second["value"]
    assert first["low"] != second["low"]


def test_no_draws_give_no_intervals(files, answer):
    value = answer(*files, "--draws", "0")["correlations"]["rows"][0]["value"]
    assert (value["low"], value["high"]) == (None, None)
    assert value["value"] is not None


def test_correlation_is_the_same_for_the_same_seed(files, answer):
    first, again, other = (answer(*files, *QUICK, "--seed", seed) for seed in ("3", "3", "4"))
    assert first == again
    assert first["correlations"]["rows"] != other["correlations"]["rows"]


def test_correlation_prints_tables_for_people(folder, capsys):
    assert run(["paraphrase", "correlate", "lists.tsv", *TASK, *QUICK]) == 0
    shown = capsys.readouterr().out
    assert "Pearson's r with performance, Q: strict" in shown
    assert "over 12 lists of 4 terms" in shown
    assert "significant (two-sided p < 0.01): " in shown


def test_correlation_is_written_as_csv(files, folder, capsys):
    options = ["--table", "correlations", "--format", "csv", "-o", "r.csv"]
    assert run(["paraphrase", "correlate", *files, *QUICK, *options]) == 0
    rows = list(csv.DictReader((folder / "r.csv").read_text("utf-8").splitlines()))
    assert [row["coefficient"] for row in rows] == ["pearson", "spearman", "kendall"]


def test_correlation_draws_and_writes_a_page(folder, capsys):
    options = ["--plot", "scatter.svg", "--plot", "scatter.json", "--report", "r.html"]
    arguments = ["lists.tsv", *TASK, *STRICT, *QUICK, "-k", "5", *options]
    assert run(["paraphrase", "correlate", *arguments]) == 0
    assert (folder / "scatter.svg").read_text("utf-8").startswith("<svg")
    assert "$schema" in json.loads((folder / "scatter.json").read_text("utf-8"))
    assert "Correlation of lists.tsv with tasks" in (folder / "r.html").read_text("utf-8")


def test_term_that_nobody_uses_leaves_its_lists_out(folder, answer, capsys):
    kept = [
        line for line in (folder / "pairs.jsonl").read_text().splitlines() if "kill" not in line
    ]
    (folder / "few.jsonl").write_text("\n".join(kept) + "\n", encoding="utf-8")
    arguments = ["lists.tsv", "-t", "few.jsonl", *STRICT, *QUICK, "-k", "5"]
    found = answer(*arguments)
    assert {(row["n"], row["left_out"]) for row in found["correlations"]["rows"]} == {(9, 3)}
    assert run(["paraphrase", "correlate", *arguments]) == 0
    assert "'killed'" in capsys.readouterr().err


def constant(folder):
    """Lists of one right and new paraphrase each: every measure is 1."""
    rows = [f"{term}\t{method}\tslain\tyes\n" for term in TERMS for method in METHODS]
    text = "term\tmethod\tparaphrase\tann.strict\n" + "".join(rows)
    (folder / "constant.tsv").write_text(text, encoding="utf-8")
    return "constant.tsv"


def test_constant_scores_have_a_reason_and_no_correlation(folder, answer):
    found = answer(constant(folder), *TASK, *QUICK, "-k", "1")
    (row,) = found["pearson_strict"]["rows"]
    assert row == {"task": "pairs", "EP_1": None, "EPR_1": None, "DIMPLE_1": None}
    assert "pairs EP_1: EP_1 (strict) is 1 for all 12 lists" in found["pearson_strict"]["notes"]
    for each in found["correlations"]["rows"]:
        assert (each["value"]["value"], each["p"], each["significant"]) == (None, None, None)
        assert "is 1 for all 12 lists" in each["undefined"]
    for each in found["differences"]["rows"]:
        assert (each["p"], each["p_bootstrap"]) == (None, None)


def test_constant_scores_are_told_and_shown_without_nan(folder, capsys):
    arguments = [constant(folder), *TASK, *QUICK, "-k", "1"]
    options = ["--report", "r.html", "--plot", "scatter.svg"]
    assert run(["paraphrase", "correlate", *arguments, *options]) == 0
    captured = capsys.readouterr()
    assert (
        "no correlation with pairs: EP_1 (strict) is 1 for all 12 lists [no-correlation]"
        in captured.err
    )
    assert "nan" not in captured.out.lower().split()
    assert ">nan<" not in (folder / "r.html").read_text("utf-8").lower()


def test_constant_performance_has_a_reason_and_no_correlation(numbers, answer):
    scores, worth = numbers("scores.csv", "mine", MINE), numbers("worth.csv", "worth", [0.5] * 12)
    found = answer("--scores", scores, "--performance", worth, *QUICK)
    assert found["pearson"]["rows"] == [{"task": "worth", "mine": None}]
    assert any("0.5 for all 12 lists" in note for note in found["pearson"]["notes"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give LISTS and --task PAIRS, or --scores and --performance"),
        (["--scores", "scores.csv"], "give LISTS and --task PAIRS, or --scores and --performance"),
        (["lists.tsv"], "name gold pairs with --task, or a file with --performance"),
    ],
)
def test_two_sides_are_needed_to_correlate(files, refused, arguments, message):
    assert message in refused(*arguments, code=2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-k", "0"], "k is 0, and a list has no such rank"),
        (["-s", "first=0"], "the first 0 paraphrases cannot be looked at"),
        (["-s", "alpha=3"], "alpha 3.0 is not between 0 and 1"),
        (["--terms", "kiled"], "no term is called 'kiled'"),
        (["--quality", "column:nothing"], "no column of numbers is called 'nothing'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_setting_that_makes_no_sense_is_refused(folder, refused, options, message):
    said = refused("lists.tsv", *TASK, *options)
    assert message in said
    assert "hint: " in said


def test_list_that_stands_in_a_file_twice_is_refused(numbers, files, refused):
    keys = [("killed", "ngrams"), ("killed", "ngrams")]
    twice = numbers("twice.csv", "mine", [1, 2], keys)
    said = refused("--scores", twice, *files[2:])
    assert "twice.csv:3: the list of 'killed' by 'ngrams' is at twice.csv:2 already" in said


def test_file_without_numbers_is_refused(folder, files, refused):
    (folder / "empty.csv").write_text("term,method\nkilled,ngrams\n", encoding="utf-8")
    said = refused("--scores", "empty.csv", *files[2:])
    assert "empty.csv: the file has no numbers of lists" in said
    assert "hint: columns: term, method, and one for each score or task" in said


def test_cell_that_is_no_number_is_refused(numbers, files, refused):
    keys = [("killed", "ngrams"), ("killed", "pivot")]
    words = numbers("words.csv", "mine", ["1", "good"], keys)
    assert "words.csv:3:" in refused("--scores", words, *files[2:])


def test_two_scores_of_one_name_are_refused(numbers, files, refused):
    again = numbers("again.csv", "mine", MINE)
    assert "mine" in refused(*files, "--scores", again)


@pytest.mark.parametrize("name", ["lists.tsv", "pairs.jsonl", "scores.csv", "worth.csv"])
def test_correlation_overwrites_nothing_it_reads(files, folder, refused, name):
    before = (folder / name).read_bytes()
    assert f"'{name}' is read by the same command" in refused(
        "lists.tsv", *TASK, *files, "-o", name
    )
    assert (folder / name).read_bytes() == before
