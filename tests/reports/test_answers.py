"""Reports begin with their answer: sentences checked by hand."""

import ast
import math
from dataclasses import fields
from types import SimpleNamespace

import pytest

from ensue.evaluation import evaluate
from ensue.pairs import Label, Pair, Run, Status, Verdict
from ensue.reports import Report, evaluation_answer, evaluation_report, write_tables
from ensue.reports.cutoffs import CutoffStudy, TaskCurve, cutoff_answer
from ensue.reports.diagnosis import reproduction_answer
from ensue.reports.mining import mining_answer
from ensue.reports.model import others_in_words
from ensue.reports.page import render_page
from ensue.statistics import Resampling
from ensue.web.boards import board_answer
from ensue.workbench import Board
from ensue.workbench.leaderboards import BoardEntry

YES, NO = Label.ENTAILMENT, Label.NOT_ENTAILMENT
PLAIN = Resampling(draws=0)


def run_of(name, labels):
    status = {None: Status.ABSTAINED}
    verdicts = [
        Verdict(str(i), label, status=status.get(label, Status.DECIDED))
        for i, label in enumerate(labels)
    ]
    return Run(name, tuple(verdicts))


def evaluated(gold, **runs):
    pairs = [Pair(str(i), "text", "hypothesis", label) for i, label in enumerate(gold)]
    return evaluate(pairs, [run_of(*each) for each in runs.items()], resampling=PLAIN)


GOLD = [YES, NO] * 10
WRONG = [NO, YES] * 10


def test_answer_of_one_run_compares_it_with_chance(single):
    # 5 of 8 right; a guess is right at least 5 times with (56 + 28 + 8 + 1) / 256
    assert evaluation_answer(single) == (
        "scored is right in 62.5 % of 8 pairs, not significantly better than chance"
        f" (50.0 %, p = {93 / 256:.4f})."
    )


def test_answer_says_when_a_run_is_better_than_chance():
    # 20 of 20 right: 1 / 2^20
    assert evaluation_answer(evaluated(GOLD, good=GOLD)) == (
        "good is right in 100.0 % of 20 pairs, better than chance (50.0 %, p < 0.0001)."
    )


def test_answer_of_one_run_is_of_the_pairs_that_it_answers():
    found = evaluated([YES, NO, YES, NO], half=[YES, NO, None, None])
    # both of two right: 1 / 4
    assert evaluation_answer(found) == (
        "half is right in 100.0 % of the 2 that it answers of 4 pairs, not significantly better"
        " than chance (50.0 %, p = 0.2500)."
    )


def test_answer_of_a_run_without_answers_says_so():
    assert evaluation_answer(evaluated([YES, NO], mute=[None, None])) == (
        "mute answers none of 2 pairs."
    )


def test_answer_of_runs_without_answers_says_so():
    found = evaluated([YES, NO], mute=[None, None], dumb=[None, None])
    assert evaluation_answer(found) == "No run is right in any of 2 pairs."


def test_answer_of_several_runs_has_the_interval_and_counts_all_pairs(evaluation):
    # bare is right on 6 of 8 and leaves two out; scored on 5
    said = evaluation_answer(evaluation)
    assert said.startswith("bare is right most often, in 75.0 % of 8 pairs (95 % interval ")
    assert said.endswith("); scored is not significantly worse.")


def test_answer_says_which_runs_are_worse():
    found = evaluated(GOLD, bad=WRONG, good=GOLD, fair=[*GOLD[:19], YES])
    # McNemar: good against bad 2 / 2^20, against fair 1
    assert evaluation_answer(found) == (
        "good is right most often, in 100.0 % of 20 pairs, better than chance (50.0 %, p < 0.0001);"
        " of the others, bad is significantly worse."
    )


def test_answer_names_runs_that_tie():
    found = evaluated(GOLD, one=GOLD, two=GOLD, bad=WRONG)
    assert evaluation_answer(found) == (
        "one and two are right most often, each in 100.0 % of 20 pairs, better than chance"
        " (50.0 %, p < 0.0001); bad is significantly worse."
    )
    assert evaluation_answer(evaluated(GOLD, one=GOLD, two=GOLD)) == (
        "one and two are equally often right, in 100.0 % of 20 pairs, better than chance"
        " (50.0 %, p < 0.0001)."
    )


@pytest.mark.parametrize(
    ("worse", "said"),
    [
        ([], "; no other is significantly worse"),
        (["a", "b", "c"], "; all others are significantly worse"),
        (["a", "c"], "; of the others, a and c are significantly worse"),
    ],
)
def test_others_are_told_in_few_words(worse, said):
    assert others_in_words(["a", "b", "c"], worse) == said


def test_a_page_begins_with_its_answer(single):
    page = render_page(evaluation_report(single, gold="gold"))
    answer = '<p class="answer">scored is right in 62.5 % of 8 pairs'
    assert page.index("<h1>") < page.index(answer) < page.index("<section")


def test_a_page_without_an_answer_has_no_empty_line():
    assert 'class="answer">' not in render_page(Report("t", []))


def test_tables_as_text_begin_with_the_answer_and_others_do_not(capsys, evaluation, monkeypatch):
    from ensue.reports import evaluation_tables

    tables = evaluation_tables(evaluation)
    monkeypatch.setenv("COLUMNS", "60")
    write_tables(tables, answer="An answer in a sentence.")
    assert capsys.readouterr().out.startswith("An answer in a sentence.\n\nRuns (2-way)\n")
    write_tables(tables, answer="An answer in a sentence.", table="runs")
    write_tables(tables, answer="An answer in a sentence.", format="csv")
    write_tables(tables, answer="An answer in a sentence.", format="json")
    assert "An answer" not in capsys.readouterr().out


def study(*parts):
    return CutoffStudy(tuple(TaskCurve(name, "(all)", "run.jsonl", curve) for name, curve in parts))


def curve_of(scores, gold):
    from ensue.pairs import cutoff_curve

    return cutoff_curve(scores, gold)


def test_answer_of_cutoffs_names_the_best_and_what_it_gives_elsewhere():
    development = curve_of([0.1, 0.2, 0.8, 0.9], [False, False, True, True])
    test = curve_of([0.1, 0.3, 0.8, 0.9], [False, True, True, True])
    # above 0.2 all four are right; of the test pairs the second one, 0.3, too
    assert cutoff_answer(study(("development", development), ("test", test))) == (
        "A cutoff of 0.2 is best for run.jsonl: right in 100.0 % of 4 development pairs; in"
        " 100.0 % of 4 test pairs, where the best cutoff would be right in 100.0 %."
    )


def test_answer_of_cutoffs_says_that_none_helps():
    found = curve_of([0.1, 0.9], [True, True])
    assert math.isinf(found.tuned)
    assert cutoff_answer(study(("development", found))) == (
        "No cutoff of run.jsonl does better than yes to every pair, right in 100.0 % of 2"
        " development pairs."
    )


def mined(*suspects, n_errors=5, permutations=100):
    return SimpleNamespace(
        kind=SimpleNamespace(called="false negatives"),
        run="run.jsonl",
        against=None,
        suspects=[SimpleNamespace(form=f, n_errors=e, n_cases=n, q=q) for f, e, n, q in suspects],
        n_errors=n_errors,
        n_cases=20,
        n_forms=30,
        settings=SimpleNamespace(permutations=permutations),
    )


def test_answer_of_mining_names_the_most_suspicious_form():
    found = mined(("H:of", 4, 5, 0.01), ("T:a", 2, 9, 0.5))
    assert mining_answer([found]) == (
        "H:of is the most suspicious form in the 5 false negatives of run.jsonl: 4 of 5 cases with"
        " it are errors, 25.0 % of all cases; 1 form is more suspicious than by chance (q ≤ 0.05)."
    )
    assert mining_answer([mined(("T:a", 2, 9, 0.5))]).endswith(
        "; no forms are more suspicious than by chance (q ≤ 0.05)."
    )


def test_answer_of_mining_without_suspects_or_permutations():
    assert mining_answer([mined()]) == (
        "No form stands in any of the 5 false negatives of run.jsonl."
    )
    assert mining_answer([mined(("T:a", 2, 9, None), permutations=0)]).endswith(
        "25.0 % of all cases."
    )


def test_answer_of_a_reproduction_counts_figures():
    figures = [SimpleNamespace(agrees=agrees) for agrees in (True, True, False, None)]
    assert reproduction_answer(SimpleNamespace(figures=figures)) == (
        "Of 4 published figures 2 agree with ours, 1 differ, 1 cannot be compared."
    )


def entry(rank, team, value, clusters):
    measures = {"accuracy": {"value": value, "low": None, "high": None}}
    return BoardEntry(rank, rank, team, f"{team}-run", "", measures, {}, clusters)


def test_answer_of_a_board_names_who_leads():
    best = entry(1, "ada", 0.75, (1,))
    near, far = entry(2, "ben", 0.7, (1, 2)), entry(3, "eve", 0.5, (2,))
    assert board_answer(Board(("accuracy",), (), (best, near, far))) == (
        "ada (ada-run) leads with accuracy 75.0 %; 1 more run is not told apart from the best."
    )
    twin = entry(1, "ben", 0.75, (1,))
    assert board_answer(Board(("accuracy",), (), (best, twin))) == (
        "ada (ada-run) and ben (ben-run) lead with accuracy 75.0 %."
    )
    assert board_answer(Board(("accuracy",), (), ())) == "No run is on the board yet."


def test_every_report_has_an_answer(root):
    made = [
        (path.name, call)
        for path in (root / "src" / "ensue").rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Report"
    ]
    assert len(made) >= 15
    for name, call in made:
        named = {keyword.arg for keyword in call.keywords}
        assert "answer" in named or len(call.args) == len(fields(Report)), (name, call.lineno)
