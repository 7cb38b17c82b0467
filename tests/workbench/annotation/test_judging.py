"""Judging: blind, each for themselves, nothing lost and nothing overwritten."""

import threading
from datetime import timedelta

import pytest
from tests.errors import coded
from tests.workbench.annotation.conftest import NO, YES, judge_all, pair, upload

from ensue.errors import ConflictError, LabelError, NotFoundError, UnknownNameError
from ensue.pairs import View
from ensue.workbench.annotation import judgments as leasing
from ensue.workbench.annotation.judgments import (
    QuestionStatus,
    find_question,
    given_by,
    judge,
    next_question,
)
from ensue.workbench.annotation.projects import (
    UNSURE,
    ProjectKind,
    ProjectPlan,
    add_annotator,
    answers,
    find_project,
    make_project,
)
from ensue.workbench.annotation.questions import import_pairs
from ensue.workbench.annotation.settlement import decide, pair_agreement, review, settled_pairs


def test_second_judge_sees_text_and_hypothesis_alone(workbench, judges, project):
    cleo, dan, _ = judges
    pair(workbench, cleo, project, 1, task="secret task")
    asked = next_question(workbench, dan, project)
    assert asked.content == {"text": "Text 1.", "hypothesis": "It 1."}
    assert (asked.answer, asked.version) == (None, 0)


def test_nobody_is_asked_about_a_pair_of_their_own(workbench, judges, project):
    cleo, dan, _ = judges
    pair(workbench, cleo, project, 1)
    assert next_question(workbench, cleo, project) is None
    assert next_question(workbench, dan, project) is not None


def test_question_on_the_screen_of_one_is_not_given_to_another(workbench, judges, project):
    cleo, dan, eve = judges
    for i in range(2):
        pair(workbench, cleo, project, i)
    first = next_question(workbench, dan, project)
    assert next_question(workbench, dan, project) == first
    second = next_question(workbench, eve, project)
    assert second.id != first.id
    judge(workbench, dan, first.id, YES)
    assert next_question(workbench, dan, project) is None


def test_question_that_somebody_left_open_is_given_to_another_in_the_end(
    workbench, judges, project, monkeypatch
):
    cleo, dan, eve = judges
    pair(workbench, cleo, project, 1)
    monkeypatch.setattr(leasing, "_LEASE", timedelta(seconds=-1))
    asked = next_question(workbench, dan, project)
    assert next_question(workbench, eve, project).id == asked.id


def test_judgment_that_comes_late_is_kept_and_can_break_an_agreement(
    workbench, ada, judges, project, monkeypatch
):
    cleo, dan, eve = judges
    pair(workbench, cleo, project, 1)
    monkeypatch.setattr(leasing, "_LEASE", timedelta(seconds=-1))
    asked = next_question(workbench, dan, project)
    assert next_question(workbench, eve, project).id == asked.id
    judge(workbench, eve, asked.id, YES)
    assert settled_pairs(workbench, ada, project)[0]
    judge(workbench, dan, asked.id, NO)
    kept, (discarded,) = settled_pairs(workbench, ada, project)
    assert kept == []
    assert discarded.meta["labels"] == {"cleo": YES, "eve": YES, "dan": NO}
    found = pair_agreement(workbench, ada, project).settlement
    assert (found.funnel.judged, found.funnel.agreed) == (1, 0)


def test_unjudged_pairs_need_as_many_judges_as_there_are_places(workbench, ada, judges, project):
    made = import_pairs(workbench, ada, project, upload(None, None))
    assert (made.n_added, made.n_judged) == (2, 0)
    assert [judge_all(workbench, each, project, YES) for each in judges] == [2, 2, 0]


def test_questions_that_lack_least_come_first(workbench, ada, judges, project):
    cleo, dan, _ = judges
    import_pairs(workbench, ada, project, upload(*[None] * 20))
    number = pair(workbench, cleo, project, 99)
    assert next_question(workbench, dan, project).id == number


def test_same_judgment_again_changes_nothing(workbench, ada, judges, project):
    cleo, dan, _ = judges
    number = pair(workbench, cleo, project, 1)
    assert judge(workbench, dan, number, NO).version == 1
    assert judge(workbench, dan, number, NO).version == 1
    (found,), _ = review(workbench, ada, project)
    assert found.answers == (YES, NO)


def test_other_judgment_needs_the_version_that_was_seen(workbench, ada, judges, project):
    cleo, dan, _ = judges
    number = pair(workbench, cleo, project, 1)
    judge(workbench, dan, number, NO)
    with pytest.raises(ConflictError, match="you said 'not-entailment' of this one meanwhile"):
        judge(workbench, dan, number, YES)
    seen = find_question(workbench, dan, number)
    assert (seen.answer, seen.version) == (NO, 1)
    assert judge(workbench, dan, number, YES, version=1, remark="on second thoughts").version == 2
    with pytest.raises(ConflictError):
        judge(workbench, dan, number, NO, version=1)
    (found,), _ = review(workbench, ada, project)
    assert found.said[1].remark == "on second thoughts"
    assert [each.answer for each in given_by(workbench, dan, project)] == [YES]


def test_judgments_of_two_at_once_are_both_kept(workbench, ada, judges):
    """Four threads judge everything at once, two of them as the same person in two windows."""
    made = make_project(workbench, ada, ProjectPlan("busy", n_judges=3))
    for each in judges:
        add_annotator(workbench, ada, made, each.name)
    import_pairs(workbench, ada, made, upload(*[None] * 25))
    failures = []

    def work(person):
        try:
            judge_all(workbench, person, made, (person.name == "cleo" and NO) or YES)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(each,)) for each in (*judges, judges[0])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    found, counts = review(workbench, ada, made, size=100)
    assert counts[QuestionStatus.DISPUTED] == 25
    for each in found:
        assert {said.judge: said.answer for said in each.said} == {
            "cleo": NO,
            "dan": YES,
            "eve": YES,
        }


def test_pair_that_two_make_at_once_is_made_once(workbench, judges, project):
    made, refused = [], []

    def work(person):
        try:
            made.append(pair(workbench, person, project, 1))
        except ConflictError as error:
            refused.append(error.message)

    threads = [threading.Thread(target=work, args=(each,)) for each in judges]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert refused == ["this pair was made before"] * 2


def test_answer_has_to_be_one_of_those_offered(workbench, judges, project):
    cleo, dan, _ = judges
    number = pair(workbench, cleo, project, 1)
    with pytest.raises(UnknownNameError, match="no answer is called 'contradiction'"):
        judge(workbench, dan, number, "contradiction")
    with pytest.raises(UnknownNameError):
        pair(workbench, cleo, project, 2, UNSURE)


def test_three_way_project_offers_three_labels(workbench, ada, judges):
    made = make_project(workbench, ada, ProjectPlan("3", view=View.THREE_WAY))
    add_annotator(workbench, ada, made, "cleo")
    names = [each.name for each in answers(ProjectKind.PAIRS, View.THREE_WAY)]
    assert names == ["entailment", "contradiction", "unknown", "unsure"]
    with pytest.raises(LabelError, match=r"not-entailment.* 3-way") as caught:
        import_pairs(workbench, ada, made, upload("contradiction", "not-entailment"))
    assert caught.value.place == "pairs.jsonl, pair 'p1'"
    assert find_project(workbench, ada, made).n_questions == 0


def test_question_of_another_project_is_not_there(workbench, ada, bob, judges, project):
    number = pair(workbench, judges[0], project, 1)
    for refused in (
        lambda: find_question(workbench, bob, number),
        lambda: judge(workbench, bob, number, YES),
        lambda: decide(workbench, bob, number, YES, version=1),
        lambda: find_question(workbench, bob, 99),
    ):
        with pytest.raises(NotFoundError, check=coded("no-question")):
            refused()
