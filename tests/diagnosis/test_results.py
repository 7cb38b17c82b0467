"""What is measured on a set: worked by hand, and as `evaluate` has it."""

import shutil

import pytest
from tests.errors import coded

from ensue.diagnosis import diagnose_sources, find_sets, measured, order_findings
from ensue.errors import OutputError, SettingError
from ensue.evaluation import evaluate_sources
from ensue.pairs import Label, Pair, View, write_pairs
from ensue.statistics import Resampling

E, N, C, U = Label.ENTAILMENT, Label.NOT_ENTAILMENT, Label.CONTRADICTION, Label.UNKNOWN
FEW = Resampling(draws=200)


def a_set(tmp_path, golds, groups=None):
    pairs = [
        Pair(
            str(i),
            "t",
            f"h{i}",
            gold,
            task="odd" if i % 2 else "even",
            meta={"group": groups[i]} if groups else {},
        )
        for i, gold in enumerate(golds)
    ]
    write_pairs(tmp_path / "some.jsonl", pairs)
    (found,) = find_sets([tmp_path / "some.jsonl"])
    return found


def test_accuracies_in_both_views(tmp_path, answered):
    found = a_set(tmp_path, [E, C, U, U])
    result = measured(found, answered(found.pairs, [E, U, U, E]), resampling=FEW)
    assert result.accuracies.three_way.value == 2 / 4
    assert result.accuracies.two_way.value == 3 / 4  # U for C is right where both are "no"
    assert result.majority == 2 / 4
    parts = {value: found.three_way.value for (_, value), found in result.phenomena.items()}
    assert parts == {"even": 2 / 2, "odd": 0 / 2}


def test_pair_without_an_answer_is_not_right(tmp_path, answered):
    found = a_set(tmp_path, [E, C, U, U])
    result = measured(found, answered(found.pairs, [E, None, U, None]), resampling=FEW)
    assert result.accuracies.three_way.value == 2 / 4
    assert result.coverage.value == 2 / 4


@pytest.mark.parametrize(
    ("golds", "labels", "view", "reason"),
    [
        ([E, N, N, E], [E, U, C, E], View.THREE_WAY, "gold is 2-way"),
        ([E, N, C, E], [E, U, C, E], View.THREE_WAY, "gold is 2-way in part"),
        ([E, U, C, E], [E, N, N, E], View.TWO_WAY, "the recognizer is 2-way"),
    ],
)
def test_three_way_accuracy_is_missing_for_a_reason(
    tmp_path, answered, golds, labels, view, reason
):
    found = a_set(tmp_path, golds)
    result = measured(found, answered(found.pairs, labels, view), resampling=FEW)
    assert result.accuracies.two_way.value == 1
    assert (result.accuracies.three_way.value, result.accuracies.three_way.reason) == (None, reason)


def test_entailments_of_a_set_of_two_labels_are_no_set_of_three(tmp_path, answered):
    found = a_set(tmp_path, [E, N, E, N])  # the even ones are all entailments
    result = measured(found, answered(found.pairs, [E, U, U, C]), resampling=FEW)
    even = result.phenomena["task", "even"]
    assert (even.two_way.value, even.three_way.value) == (1 / 2, None)
    assert even.three_way.reason == "gold has one label"


def test_part_has_the_view_of_its_own_gold(tmp_path, answered):
    found = a_set(tmp_path, [E, N, C, N, U, E])  # the even ones have three labels, the odd ones two
    result = measured(found, answered(found.pairs, [E, U, U, C, U, E]), resampling=FEW)
    assert result.accuracies.three_way.reason == "gold is 2-way in part"
    assert result.phenomena["task", "even"].three_way.value == 2 / 3
    assert result.phenomena["task", "odd"].three_way.value is None


def test_group_is_right_where_all_of_it_is(tmp_path, answered):
    found = a_set(tmp_path, [E, U, E, U, E], ["a", "a", "b", "b", "alone"])
    result = measured(found, answered(found.pairs, [E, U, E, E, E]), resampling=FEW)
    assert result.n_groups == 2
    assert result.groups.value == 1 / 2
    assert (result.groups.low, result.groups.high) == (0, 1)  # two groups: both drawn, or either


def test_set_without_groups_says_so(tmp_path, answered):
    found = a_set(tmp_path, [E, U])
    result = measured(found, answered(found.pairs, [E, U]), resampling=FEW)
    assert (result.n_groups, result.groups.value) == (0, None)
    assert result.groups.reason == "the set has no groups"


def test_published_figures_stand_beside_the_part_that_they_are_on(diagnostic, answered):
    (found,) = find_sets([diagnostic / "hans-like.txt"])
    yes = answered(found.pairs, [E] * len(found.pairs))
    result = measured(found, yes, resampling=FEW)
    beside = {each.published.phenomenon: each for each in result.published}
    assert beside[None].measured.value == 5 / 12
    assert beside[None].is_same is False
    swapped = beside["subcase", "ln_subject/object_swap"]
    assert (swapped.measured.value, swapped.published.accuracy) == (0, 0.1902)
    assert beside["subcase", "cn_disjunction"].measured is None  # no pair is of it
    assert result.best_published.accuracy == 0.5668


def test_kept_files_give_the_same_numbers_to_evaluate(diagnostic, tmp_path):
    folder = tmp_path / "kept"
    diagnosis = diagnose_sources(
        [diagnostic / "med-like.tsv"], "overlap", output=str(folder), resampling=FEW
    )
    (result,) = diagnosis.sets
    told = evaluate_sources(
        result.gold_file, [result.run_file], by_task=True, resampling=FEW, groups=True
    )
    (run,) = told.runs
    assert run.scores.measures["accuracy-all"] == result.accuracies.two_way
    for task, scores in run.by_task.items():
        expected = result.phenomena["monotonicity", task].two_way
        assert scores.measures["accuracy-all"] == expected
    assert not told.findings


def test_nothing_is_kept_where_no_folder_is_named(diagnostic, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    diagnosis = diagnose_sources([diagnostic / "med-like.tsv"], "overlap", resampling=FEW)
    assert diagnosis.sets[0].run_file is None
    assert list(tmp_path.iterdir()) == []


def test_other_pairs_are_not_mixed_with_those_judged_before(diagnostic, tmp_path):
    folder = str(tmp_path / "kept")
    source = diagnostic / "med-like.tsv"
    diagnose_sources([source], "overlap", output=folder, resampling=FEW)
    again = diagnose_sources([source], "overlap", output=folder, resampling=FEW)
    assert again.sets[0].accuracies.n == 8
    with pytest.raises(OutputError, check=coded("other-pairs-judged-before")):
        diagnose_sources([source], "overlap", output=folder, sample=4, resampling=FEW)


def test_folder_may_be_in_the_one_that_is_searched(diagnostic, tmp_path, findings):
    shutil.copy(diagnostic / "med-like.tsv", tmp_path)
    folder = str(tmp_path / "judged")
    for _ in range(2):
        found = diagnose_sources(
            [tmp_path], "overlap", output=folder, resampling=FEW, on_finding=findings.append
        )
        assert [each.accuracies.n for each in found.sets] == [8]
    assert [finding.code for finding in findings] == ["judged-before"]


def test_folder_of_something_else_is_left_alone(diagnostic, tmp_path):
    (tmp_path / "letter.txt").write_text("Dear Anna")
    with pytest.raises(OutputError, check=coded("holds-other-files-than")):
        diagnose_sources([diagnostic / "med-like.tsv"], "overlap", output=str(tmp_path))
    with pytest.raises(SettingError, check=coded("diagnosis-not-kept-url")):
        diagnose_sources([diagnostic / "med-like.tsv"], "overlap", output="s3://bucket/kept")


def thirty(tmp_path):
    return a_set(tmp_path, [E] * 10 + [C] * 10 + [U] * 10)


def test_labels_in_another_order_are_doubted(tmp_path, answered):
    found = thirty(tmp_path)
    run = answered(found.pairs, [C] * 9 + [E] + [E] * 10 + [U] * 10)
    (finding,) = order_findings(found, run)
    assert finding.code == "label-order"
    # 1 of 10, 0 of 10 and 10 of 10 are right; with E and C exchanged 9, 10 and 10
    assert "fit 37% of the labels" in finding.message
    assert "would fit 97%" in finding.message
    assert "entailment for contradiction, contradiction for entailment" in finding.message


@pytest.mark.parametrize(
    "labels",
    [
        [E] * 10 + [C] * 10 + [U] * 10,  # all right
        [E] * 30,  # no order is better
        [C] * 5 + [E] * 5 + [C] * 10 + [U] * 10,  # half of one label is wrong
        [None] * 30,
    ],
)
def test_order_is_not_doubted_without_reason(tmp_path, answered, labels):
    found = thirty(tmp_path)
    assert not list(order_findings(found, answered(found.pairs, labels)))


def test_order_of_two_labels_is_never_doubted(tmp_path, answered):
    found = a_set(tmp_path, [E] * 20 + [U] * 20)
    wrong = answered(found.pairs, [U] * 20 + [E] * 20)
    assert not list(order_findings(found, wrong))


def test_recognizer_with_labels_in_another_order_is_doubted(diagnostic, monkeypatch, findings):
    from ensue.diagnosis import results
    from ensue.recognizers import load

    class Exchanged:
        """A recognizer whose entailment means unknown, and the reverse."""

        signature = load("overlap").signature

        def judge(self, pairs):
            from ensue.pairs import Verdict

            exchanged = {E: U, U: E, C: C}
            return [Verdict(pair.id, exchanged[pair.gold]) for pair in pairs]

    kept = results.load
    monkeypatch.setattr(results, "load", lambda *_: Exchanged())
    diagnose_sources(
        [diagnostic / "med-like.tsv"], "overlap", resampling=FEW, on_finding=findings.append
    )
    assert [finding.code for finding in findings] == ["label-order"]
    assert "would fit 100%" in findings[0].message
    monkeypatch.setattr(results, "load", kept)
    findings.clear()
    diagnose_sources(
        [diagnostic / "med-like.tsv"], "overlap", resampling=FEW, on_finding=findings.append
    )
    assert findings == []
