"""Tasks of gold pairs."""

import pytest
from tests.errors import coded

from ensue.errors import SettingError
from ensue.pairs import Label, Pair
from ensue.paraphrase.recognition import Task
from ensue.paraphrase.recognition.tasks import GoldPairs


def test_task_counts_every_gold_but_entailment_as_negative():
    pairs = [Pair(str(i), "a", "b", label) for i, label in enumerate(Label)]
    task = Task.of("four", pairs)
    assert (task.n_positive, task.n_negative) == (1, 3)
    assert task.findings == ()


def test_task_leaves_out_pairs_without_gold(task_of):
    task = task_of(("a", "b", True), ("c", "d", None), ("e", "f", None))
    assert [pair.id for pair in task.pairs] == ["0"]
    (finding,) = task.findings
    assert (finding.code, finding.pair_ids, finding.details) == ("no-gold", ("1", "2"), {"n": 2})
    assert "2 pairs of the task 'task' left out: no gold" in finding.message


def test_task_without_positive_pair_says_so(task_of):
    (finding,) = task_of(("a", "b", False)).findings
    assert finding.code == "no-positive-pair"


def test_task_made_by_hand_refuses_a_pair_without_gold():
    with pytest.raises(ValueError, match=r"Task\.of leaves such pairs out"):
        Task("task", (Pair("1", "a", "b"),))


def test_gold_pairs_put_texts_before_hypotheses(task_of):
    pairs = GoldPairs.of(
        [task_of(("a", "b", True), name="x"), task_of(("c", "d", False), name="y")]
    )
    assert pairs.sentences() == ["a", "c", "b", "d"]
    assert pairs.task_of.tolist() == [0, 1]
    assert pairs.is_positive.tolist() == [True, False]


def test_gold_pairs_refuse_two_tasks_of_one_name(task_of):
    with pytest.raises(SettingError, match="two tasks are called 'task'"):
        GoldPairs.of([task_of(("a", "b", True)), task_of(("c", "d", True))])


def test_gold_pairs_refuse_no_task():
    with pytest.raises(SettingError, check=coded("no-task")):
        GoldPairs.of([])
