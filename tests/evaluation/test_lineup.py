from __future__ import annotations

import numpy as np
import pytest
from tests.errors import coded

from ensue.errors import DataError, LabelError, RunError
from ensue.evaluation import line_up
from ensue.evaluation.gold import NO_TASK
from ensue.evaluation.judged_runs import by_task
from ensue.pairs import (
    Label,
    Pair,
    Run,
    RunHeader,
    Severity,
    Signature,
    Status,
    Verdict,
    View,
    pairs_hash,
)


def _with_header(run, *, view=View.TWO_WAY, sha256=None):
    data = {"pairs_hash": sha256} if sha256 else {}
    header = RunHeader(Signature("overlap", "0", view=view), data)
    return Run(run.name, run.verdicts, run.lines, header)


def test_line_up_follows_the_order_of_the_gold(make_pairs, make_run):
    run = make_run("YNN")
    shuffled = Run("run", (run.verdicts[2], run.verdicts[0], run.verdicts[1]))
    (judged,) = line_up(make_pairs("YYN"), [shuffled]).judged
    assert judged.gold.tolist() == [0, 0, 1]
    assert judged.answer.tolist() == [0, 1, 1]
    assert judged.right.tolist() == [True, False, True]


def test_line_up_leaves_out_and_counts_pairs_without_gold(make_pairs, make_run):
    lined = line_up(make_pairs("Y?N?"), [make_run("YYYY")])
    assert lined.n_without_gold == 2
    assert lined.judged[0].n_pairs == 2
    (finding,) = lined.findings
    assert (finding.code, finding.severity) == ("no-gold", Severity.NOTE)
    assert finding.message == "2 pairs without gold are left out"


def test_line_up_speaks_of_one_pair_without_gold_in_the_singular(make_pairs, make_run):
    (finding,) = line_up(make_pairs("Y?"), [make_run("YY")]).findings
    assert finding.message == "1 pair without gold is left out"


def test_line_up_counts_missing_pairs_as_unanswered_and_names_some(make_pairs, make_run):
    lined = line_up(make_pairs("YYYYYYYN"), [make_run("Y......N")])
    assert lined.judged[0].answered.tolist() == [True, *[False] * 6, True]
    (finding,) = lined.findings
    assert finding.code == "not-judged"
    assert finding.message == (
        "6 of 8 pairs are not in the run and count as unanswered: 1, 2, 3, 4, 5, …"
    )
    assert finding.pair_ids == ("1", "2", "3", "4", "5")


def test_line_up_refuses_an_unknown_id_and_says_where(make_pairs, make_run):
    run = make_run("YNYYY")
    lined = Run("some.run", run.verdicts, (2, 3, 4, 5, 6))
    with pytest.raises(RunError) as error:
        line_up(make_pairs("YNY"), [lined])
    assert str(error.value) == (
        "some.run:5: pair '3' is not in the gold (and 1 more)\n"
        "hint: remove the line, or give the gold that has the pair"
    )


def test_line_up_recognizes_a_run_for_other_data(make_run):
    gold = [Pair(f"x{i}", "t", "h", Label.ENTAILMENT) for i in range(3)]
    with pytest.raises(RunError) as error:
        line_up(gold, [make_run("YNY")])
    assert error.value.message == (
        "a run for other data: 3 of its 3 pair ids are not in the gold, the first is '0'"
    )
    assert error.value.hint == "give the pairs that the run was made for"


def test_line_up_refuses_a_pair_judged_twice(make_pairs, make_run):
    run = make_run("YN")
    doubled = Run("some.run", (*run.verdicts, run.verdicts[0]), (1, 2, 3))
    with pytest.raises(RunError) as error:
        line_up(make_pairs("YN"), [doubled])
    assert str(error.value).startswith("some.run:3: pair '0' is judged a second time")


def test_line_up_refuses_gold_with_one_id_twice(make_pairs, make_run):
    gold = [*make_pairs("YN"), *make_pairs("Y")]
    with pytest.raises(DataError, match=r"two gold pairs have the id '0' \(pairs 1 and 3\)"):
        line_up(gold, [make_run("YN")])


def test_line_up_refuses_pairs_of_which_none_has_gold(make_pairs, make_run):
    with pytest.raises(DataError, check=coded("no-pair-gold")):
        line_up(make_pairs("??"), [make_run("YN")])


def test_line_up_finds_that_the_hash_of_the_data_differs(make_pairs, make_run):
    gold = make_pairs("YN")
    run = _with_header(make_run("YN"), sha256="0" * 64)
    (finding,) = line_up(gold, [run]).findings
    assert (finding.code, finding.severity) == ("other-data", Severity.WARNING)
    assert finding.place == "run"
    assert finding.details == {"run": "0" * 64, "gold": pairs_hash(gold)}


def test_line_up_finds_nothing_where_the_hash_agrees(make_pairs, make_run):
    gold = make_pairs("YN")
    run = _with_header(make_run("YN"), sha256=pairs_hash(gold))
    assert line_up(gold, [run]).findings == ()


def test_line_up_compares_3_way_gold_with_a_2_way_run_in_the_2_way_view(make_pairs, make_run):
    lined = line_up(make_pairs("ECU"), [make_run("YNY")])
    assert lined.view is View.TWO_WAY
    assert lined.judged[0].gold.tolist() == [0, 1, 1]
    assert lined.judged[0].right.tolist() == [True, True, False]


def test_line_up_keeps_3_labels_where_all_have_them(make_pairs, make_run):
    lined = line_up(make_pairs("ECU"), [make_run("EUU")])
    assert lined.view is View.THREE_WAY
    assert lined.judged[0].right.tolist() == [True, False, True]


def test_line_up_uses_one_view_for_all_runs(make_pairs, make_run):
    lined = line_up(make_pairs("ECU"), [make_run("EUU"), make_run("YNN", name="other")])
    assert {judged.view for judged in lined.judged} == {View.TWO_WAY}
    assert lined.judged[0].right.tolist() == [True, True, True]


def test_line_up_takes_a_2_way_recognizer_that_always_says_yes_as_2_way(make_pairs, make_run):
    assert line_up(make_pairs("ECU"), [_with_header(make_run("YYY"))]).view is View.TWO_WAY
    three = _with_header(make_run("YYY"), view=View.THREE_WAY)
    assert line_up(make_pairs("ECU"), [three]).view is View.THREE_WAY


def test_line_up_refuses_a_2_way_run_in_a_3_way_view(make_pairs, make_run):
    with pytest.raises(LabelError) as error:
        line_up(make_pairs("ECU"), [make_run("YNN")], view=View.THREE_WAY)
    assert str(error.value) == (
        "run: label 'not-entailment' has no place in a 3-way view\n"
        "hint: compare in the 2-way view, where all labels have a place"
    )


def test_line_up_keeps_why_pairs_are_unanswered(make_pairs, make_run):
    judged = line_up(make_pairs("YYYYY"), [make_run("Y-$!.")]).judged[0]
    assert judged.status.tolist() == [0, 1, 2, 3, 4]


def test_line_up_marks_absent_numbers_as_nan(make_pairs):
    run = Run(
        "run", (Verdict("0", None, status=Status.FAILED), Verdict("1", Label.ENTAILMENT, 0.3))
    )
    judged = line_up(make_pairs("YN"), [run]).judged[0]
    assert np.isnan(judged.confidence).all()
    assert np.isnan(judged.score).tolist() == [True, False]


def test_by_task_splits_the_pairs_and_names_those_without_a_task(make_judged):
    judged = make_judged("YNYN", "YYYY", tasks=["QA", None, "IE", "QA"])
    parts = by_task(judged)
    assert list(parts) == [NO_TASK, "IE", "QA"]
    assert parts["QA"].right.tolist() == [True, False]
    assert [pair.id for pair in parts["QA"].pairs] == ["0", "3"]


@pytest.mark.parametrize(
    ("score_range", "gold", "found"),
    [
        # two of three labels are a no: 1 − 0.2 of 0.5 and 0.3
        ((0.0, 1.0), Label.NOT_ENTAILMENT, [0.7, 0.8]),
        ((0.0, 1.0), Label.UNKNOWN, [0.7, 0.5]),
        ((-1.0, 1.0), Label.NOT_ENTAILMENT, [0.7, 0.5]),  # no probabilities
    ],
)
def test_no_of_probabilities_is_all_that_is_left_of_one(score_range, gold, found):
    signature = Signature("joint", "0", view=View.THREE_WAY, cutoff=0.5, score_range=score_range)
    verdicts = (
        Verdict("1", Label.ENTAILMENT, 0.7, 0.7),
        Verdict("2", Label.UNKNOWN, 0.2, 0.5),
    )
    run = Run("run", verdicts, header=RunHeader(signature))
    pairs = [Pair("1", "A", "B", Label.ENTAILMENT), Pair("2", "A", "C", gold)]
    (judged,) = line_up(pairs, [run]).judged
    assert judged.confidence.tolist() == pytest.approx(found)
