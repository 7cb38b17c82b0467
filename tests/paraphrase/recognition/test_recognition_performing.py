"""What lists recognize, worked by hand."""

import math

import numpy as np
import pytest

from ensue.errors import SettingError, UnknownNameError
from ensue.pairs import Label
from ensue.paraphrase.lists import ListKey
from ensue.paraphrase.recognition import Means, TermSide, recognize
from ensue.paraphrase.scores.preparation import ScoreSettings, prepared_lists

KILLED = ListKey("killed", "")

ROWS = [
    ("The storm killed two men.", "Two men were killed.", True),  # 0 unigrams: on both sides
    ("A gunman killed the mayor.", "The killing of the mayor", True),  # 1 unigrams: one stem
    ("A gunman killed the mayor.", "The mayor was assassinated.", True),  # 2 text: assassinated
    ("The mayor was Shot-Dead!", "The mayor was KILLED", True),  # 3 hypothesis: shot dead
    ("They killed the mayor.", "A highly skilled mayor went to sleep", True),  # 4 nothing
    ("The bill was assassinated", "The bill was shot dead", True),  # not in question
    ("Heat killed the crops.", "The crops were assassinated.", False),  # 6 false alarm: pattern
    ("Heat killed the crops.", "Heat kills crops", False),  # 7 false alarm: unigrams
    ("Heat killed the crops.", "The crops went to market", False),  # 8 nothing
]
"""Positive in question: 0 to 4; negative in question: 6 to 8."""
LIST = ["assassinated", "to", "shot dead", "went to sleep"]


@pytest.fixture
def task(task_of):
    return task_of(*ROWS)


def only(recognition):
    (row,) = recognition.rows()
    return row


def test_list_recognizes_by_unigrams_and_by_patterns_on_either_side(task, lists_of):
    row = only(recognize(lists_of({"killed": LIST[:3]}), [task]))
    assert (row.n_positive, row.n_by_unigrams, row.n_by_patterns) == (5, 2, 2)
    assert row.performance.value == (2 + 2) / 5
    assert (row.by_unigrams.value, row.by_patterns.value) == (2 / 5, 2 / 5)


def test_list_is_told_its_false_alarms_and_precision(task, lists_of):
    row = only(recognize(lists_of({"killed": LIST[:3]}), [task]))
    assert (row.n_negative, row.n_false_by_unigrams, row.n_false_by_patterns) == (3, 1, 1)
    assert row.false_alarms.value == (1 + 1) / 3
    assert row.precision.value == 4 / (4 + 2)


def test_paraphrases_behind_k_do_not_count(task, lists_of):
    # 4 is recognized by the fourth paraphrase
    lists = lists_of({"killed": LIST})
    shares = [only(recognize(lists, [task], k=k)).performance.value for k in (1, 2, 3, 4, 10)]
    assert shares == [3 / 5, 3 / 5, 4 / 5, 5 / 5, 5 / 5]


def test_repeated_paraphrase_pushes_none_beyond_k(task, lists_of):
    # those behind a repeat move up, as in scoring: of the three that stay, "went to sleep" is second
    lists = lists_of({"killed": ["assassinated", " Assassinated", "went  to sleep", "shot dead"]})
    shares = [only(recognize(lists, [task], k=k)).performance.value for k in (1, 2, 3)]
    assert shares == [3 / 5, 4 / 5, 5 / 5]


def test_recognition_looks_at_the_patterns_that_scoring_does(task, lists_of):
    lists = lists_of({"killed": ["to", "TO", "assassinated", "shot-dead", "shot dead"], "told": []})
    ready = prepared_lists(lists, lambda each: np.ones(each.n_patterns), ScoreSettings())
    assert recognize(lists, [task]).search.lists.paraphrases == ready.lists.paraphrases


def test_repeated_paraphrases_of_the_lists_chosen_are_said(task, lists_of):
    lists = lists_of({"told": ["said", "Said"], "killed": ["shot", "slain", "SHOT", "Slain"]})
    (finding,) = recognize(lists, [task], terms="killed").findings
    assert (finding.code, finding.details) == ("repeated-pattern", {"n": 2})
    assert finding.message == "2 patterns in the same list already: dropped, e.g. 'SHOT', 'Slain'"


def test_paraphrase_of_function_words_is_left_out_and_said(task, lists_of):
    found = recognize(lists_of({"killed": ["to", "to the", "..."]}), [task])
    assert only(found).n_by_patterns == 0
    (finding,) = found.findings
    assert finding.code == "function-words-only"
    assert (
        "3 patterns left out for want of a content word: 'to', 'to the', '...'" in finding.message
    )


def test_patterns_left_out_are_counted_in_the_lists_chosen_alone(task, lists_of):
    lists = lists_of({"told": ["to", "of the"], "killed": ["in", "assassinated"]})
    (finding,) = recognize(lists, [task], terms="killed").findings
    assert (finding.code, finding.details) == (
        "function-words-only",
        {"n": 1, "paraphrases": ["in"]},
    )


def test_own_words_without_content_decide_what_is_left_out(task, lists_of):
    lists = lists_of({"killed": ["to", "assassinated"]})
    row = only(recognize(lists, [task], no_content={"assassinated"}))
    assert (row.n_by_patterns, row.n_false_by_patterns) == (1, 1)  # "to" in 4 and 8


def test_empty_list_performs_as_unigrams_alone(task, lists_of):
    row = only(recognize(lists_of({"killed": []}), [task]))
    assert row.performance.value == row.by_unigrams.value == 2 / 5


def test_skilled_is_not_killed(task_of, lists_of):
    task = task_of(("A skilled man", "killed", True), ("skilled men", "skilled woman", True))
    row = only(recognize(lists_of({"killed": ["men"]}), [task]))
    assert (row.n_positive, row.performance.value) == (1, 0.0)


def test_paraphrase_on_the_side_of_the_term_is_no_match(task_of, lists_of):
    task = task_of(("He was killed, shot dead in fact", "He is gone", True))
    assert only(recognize(lists_of({"killed": ["shot dead"]}), [task])).performance.value == 0.0


def test_term_of_two_words_stands_as_both_and_matches_by_content(task_of, lists_of):
    task = task_of(
        ("They want to take it", "They are taking it", True),  # the stem of "take" alone
        ("They want to take it", "They want to grab it", True),  # a pattern
        ("They take it to him", "They grab it", True),  # "to take" is on no side
        ("They want To, take it", "They go to it", True),  # nothing
    )
    row = only(recognize(lists_of({"to take": ["grab"]}), [task]))
    assert (row.n_positive, row.n_by_unigrams, row.n_by_patterns) == (3, 1, 1)


def test_term_of_function_words_matches_by_all_of_them(task_of, lists_of):
    task = task_of(("It is up to him", "up he went to him", True), ("up to here", "up", True))
    row = only(recognize(lists_of({"up to": []}), [task]))
    assert (row.n_positive, row.n_by_unigrams) == (2, 1)


def test_term_nobody_uses_has_no_performance_but_a_reason_and_a_finding(task, lists_of):
    found = recognize(lists_of({"killed": [], "yodeled": ["sang"]}), [task])
    row = list(found.rows())[1]
    assert (row.n_positive, row.performance.value) == (0, None)
    assert row.performance.reason == "the term 'yodeled' is in no positive pair of the task 'task'"
    assert row.false_alarms.reason == "the term 'yodeled' is in no negative pair of the task 'task'"
    assert row.precision.reason == "the list recognizes no pair of the task 'task'"
    assert [math.isnan(each) for each in found.performances[:, 0]] == [False, True]
    (finding,) = found.findings
    assert (finding.code, finding.details["terms"]) == ("unused-term", ["yodeled"])
    assert "1 of 2 terms in no positive pair of the task 'task'" in finding.message


def test_pairs_without_gold_do_not_count_and_are_said(task_of, lists_of):
    task = task_of(("he killed it", "he killed it", None), ("killed", "died", True))
    found = recognize(lists_of({"killed": ["died"]}), [task])
    assert only(found).n_positive == 1
    assert [finding.code for finding in found.findings] == ["no-gold"]


def test_every_list_is_put_to_every_task(task, task_of, lists_of):
    other = task_of(("He told it", "He said it", True), name="other")
    lists = lists_of({("killed", "a"): LIST, ("told", "a"): ["said"], ("told", "b"): []})
    found = recognize(lists, [task, other])
    rows = [(row.key.term, row.key.method, row.task, row.performance.value) for row in found.rows()]
    assert rows == [
        ("killed", "a", "task", 1.0),
        ("killed", "a", "other", None),
        ("told", "a", "task", None),
        ("told", "a", "other", 1.0),
        ("told", "b", "task", None),
        ("told", "b", "other", 0.0),
    ]


def test_terms_are_chosen_by_their_counts(task, task_of, lists_of):
    other = task_of(("He told it", "He said it", True), name="other")
    lists = lists_of({"told": ["said"], "yodeled": [], "killed": LIST})
    found = recognize(lists, [task, other], terms="top:1")
    assert found.keys == (KILLED,)
    assert next(found.rows()).performance.value == 1.0
    assert found.explain(KILLED, "task")[2].paraphrases == ("assassinated",)
    # all terms are counted, chosen or not
    assert found.terms.positive.tolist() == [[0, 1], [0, 0], [5, 0]]


def test_fewer_terms_than_asked_for_are_said(task, lists_of):
    found = recognize(lists_of({"killed": [], "yodeled": []}), [task], terms="top:2")
    (finding,) = found.findings
    assert finding.message == "2 terms asked for, but only 1 in any positive pair"


def test_stems_match_inflected_paraphrases(task_of, lists_of):
    task = task_of(
        ("He killed it", "He is shooting them dead", True), ("killed", "Shoots it dead", True)
    )
    lists = lists_of({"killed": ["shoot them dead"]})
    assert only(recognize(lists, [task])).performance.value == 0.0
    row = only(recognize(lists, [task], match="stems"))
    assert row.performance.value == 1 / 2


def test_stems_leave_the_term_as_it_is(task_of, lists_of):
    task = task_of(("He kills it", "It is dead", True))
    row = only(recognize(lists_of({"killed": ["dead"]}), [task], match="stems"))
    assert row.n_positive == 0


def test_intervals_are_wilsons_or_none(task, lists_of):
    found = recognize(lists_of({"killed": LIST}), [task])
    # p = 1, n = 5, z = 1.96: low = 1 / (1 + z²/n)
    row = next(found.rows())
    assert row.performance.low == pytest.approx(1 / (1 + 1.959964**2 / 5), abs=1e-6)
    assert row.performance.high == pytest.approx(1.0)
    assert next(found.rows(level=None)).performance.low is None


def test_explanation_names_what_recognizes_each_pair(task, lists_of):
    rows = recognize(lists_of({"killed": LIST[:3]}), [task]).explain(KILLED, "task")
    assert [(row.pair_id, row.side, row.by, row.paraphrases) for row in rows] == [
        ("0", TermSide.BOTH, Means.UNIGRAMS, ()),
        ("1", TermSide.TEXT, Means.UNIGRAMS, ()),
        ("2", TermSide.TEXT, Means.PATTERNS, ("assassinated",)),
        ("3", TermSide.HYPOTHESIS, Means.PATTERNS, ("shot dead",)),
        ("4", TermSide.TEXT, Means.NOTHING, ()),
        ("6", TermSide.TEXT, Means.PATTERNS, ("assassinated",)),
        ("7", TermSide.TEXT, Means.UNIGRAMS, ()),
        ("8", TermSide.TEXT, Means.NOTHING, ()),
    ]
    assert [row.gold for row in rows[-2:]] == [Label.NOT_ENTAILMENT] * 2


def test_explanation_names_patterns_beside_unigrams(task_of, lists_of):
    task = task_of(("killed and shot", "killed or murdered", True))
    (row,) = recognize(lists_of({"killed": ["Murdered", "shot"]}), [task]).explain(KILLED, "task")
    assert (row.by, row.paraphrases) == (Means.UNIGRAMS, ("Murdered", "shot"))


def test_explanation_of_what_is_not_there_is_refused(task, lists_of):
    found = recognize(lists_of({"killed": LIST}), [task])
    with pytest.raises(UnknownNameError, match="no task is called 'tusk'"):
        found.explain(KILLED, "tusk")
    with pytest.raises(UnknownNameError, match="no list is called 'told by pd'"):
        found.explain(ListKey("told", "pd"), "task")


@pytest.mark.parametrize("k", [0, -3])
def test_no_paraphrase_to_look_at_is_refused(task, lists_of, k):
    with pytest.raises(SettingError, match=f"the first {k} paraphrases cannot be looked at"):
        recognize(lists_of({"killed": LIST}), [task], k=k)


def test_unknown_match_is_refused(task, lists_of):
    with pytest.raises(UnknownNameError, match="no match is called 'stem'"):
        recognize(lists_of({"killed": LIST}), [task], match="stem")


def test_level_that_is_none_is_refused(task, lists_of):
    with pytest.raises(SettingError, match="level 95 is not between 0 and 1"):
        list(recognize(lists_of({"killed": LIST}), [task]).rows(level=95))


@pytest.mark.parametrize("match", ["words", "stems"])
def test_task_without_pairs_and_lists_without_patterns_are_borne(task_of, lists_of, match):
    assert only(recognize(lists_of({"killed": ["died"]}), [task_of()], match=match)).n_positive == 0
    assert list(recognize(lists_of({}), [task_of(("a", "b", True))], match=match).rows()) == []
    row = only(recognize(lists_of({"...": ["--"]}), [task_of(("a", "b", True))], match=match))
    assert row.performance.value is None
