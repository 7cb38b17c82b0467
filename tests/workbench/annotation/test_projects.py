"""Projects: who makes them, who judges in them."""

import pytest
from tests.errors import coded
from tests.workbench.annotation.conftest import YES, judge_all, pair, upload

from ensue.errors import AccessError, ConflictError, NotFoundError, SettingError
from ensue.pairs import Label
from ensue.workbench.accounts import close_person
from ensue.workbench.annotation.judgments import judge, next_question
from ensue.workbench.annotation.projects import (
    ProjectPlan,
    add_annotator,
    annotators,
    find_project,
    make_project,
    projects_for,
    remove_annotator,
    set_closed,
    set_guidelines,
)
from ensue.workbench.annotation.questions import import_pairs
from ensue.workbench.annotation.settlement import (
    decide,
    make_datasets,
    pair_agreement,
    review,
    set_removed,
    settled_pairs,
)


def test_project_is_there_for_its_organizer_and_its_judges_alone(
    workbench, ada, bob, judges, project
):
    assert [each.name for each in projects_for(workbench, judges[0])] == ["RTE"]
    assert projects_for(workbench, bob) == []
    with pytest.raises(NotFoundError, match="there is no project 1"):
        find_project(workbench, bob, project)
    record = find_project(workbench, ada, project)
    assert (record.is_own, record.is_annotator, record.n_judges) == (True, False, 2)
    assert "Leave tense aside" in record.guidelines


def test_projects_are_made_by_organizers(workbench, judges):
    with pytest.raises(AccessError, check=coded("projects-made-organizers")):
        make_project(workbench, judges[0], ProjectPlan("mine"))


@pytest.mark.parametrize(
    "plan", [ProjectPlan("  "), ProjectPlan("x", n_judges=0), ProjectPlan("x", n_judges=21)]
)
def test_plan_that_makes_no_sense_is_refused(workbench, ada, plan):
    with pytest.raises(SettingError):
        make_project(workbench, ada, plan)


def test_participants_are_no_judges(workbench, ada, bob, project):
    with pytest.raises(ConflictError, check=coded("take-part-challenges-gold")):
        add_annotator(workbench, ada, project, "bob")
    with pytest.raises(NotFoundError, check=coded("nobody-called")):
        add_annotator(workbench, ada, project, "zoe")


def test_judge_who_is_removed_judges_no_more_and_keeps_what_was_judged(
    workbench, ada, judges, project
):
    cleo, dan, _ = judges
    pair(workbench, cleo, project, 1)
    judge_all(workbench, dan, project, YES)
    remove_annotator(workbench, ada, project, "dan")
    assert annotators(workbench, ada, project) == ["cleo", "eve"]
    with pytest.raises(NotFoundError):
        next_question(workbench, dan, project)
    assert [pair.gold for pair in settled_pairs(workbench, ada, project)[0]] == [Label.ENTAILMENT]
    with pytest.raises(NotFoundError, check=coded("not-judge")):
        remove_annotator(workbench, ada, project, "dan")


def test_judge_whose_account_is_closed_can_be_removed(workbench, ada, judges, project):
    close_person(workbench, judges[0].name, by=ada)
    remove_annotator(workbench, ada, project, judges[0].name)
    assert annotators(workbench, ada, project) == ["dan", "eve"]


def test_judges_do_not_do_what_is_the_organizers(workbench, ada, judges, project):
    cleo = judges[0]
    number = pair(workbench, cleo, project, 1)
    for refused in (
        lambda: annotators(workbench, cleo, project),
        lambda: review(workbench, cleo, project),
        lambda: pair_agreement(workbench, cleo, project),
        lambda: settled_pairs(workbench, cleo, project),
        lambda: make_datasets(workbench, cleo, project, {"x": None}),
        lambda: set_closed(workbench, cleo, project, closed=True),
        lambda: set_guidelines(workbench, cleo, project, "x", 1),
        lambda: decide(workbench, cleo, number, YES, version=1),
        lambda: set_removed(workbench, cleo, number, removed=True, version=1),
        lambda: add_annotator(workbench, cleo, project, "dan"),
    ):
        with pytest.raises(AccessError, check=coded("whoever-made-project")):
            refused()


def test_organizer_judges_only_as_a_judge(workbench, ada, project):
    with pytest.raises(AccessError, check=coded("you-not-judge")):
        next_question(workbench, ada, project)
    add_annotator(workbench, ada, project, "ada")
    assert next_question(workbench, ada, project) is None


def test_guidelines_of_another_window_are_not_overwritten(workbench, ada, project):
    set_guidelines(workbench, ada, project, "first", 1)
    with pytest.raises(ConflictError, check=coded("guidelines-changed-meanwhile")):
        set_guidelines(workbench, ada, project, "second", 1)
    assert find_project(workbench, ada, project).guidelines == "first"
    with pytest.raises(SettingError):
        set_guidelines(workbench, ada, project, " ", 2)


def test_closed_project_takes_nothing(workbench, ada, judges, project):
    cleo, dan, _ = judges
    number = pair(workbench, cleo, project, 1)
    set_closed(workbench, ada, project, closed=True)
    for refused in (
        lambda: pair(workbench, cleo, project, 2),
        lambda: next_question(workbench, dan, project),
        lambda: judge(workbench, dan, number, YES),
        lambda: import_pairs(workbench, cleo, project, upload(YES)),
    ):
        with pytest.raises(ConflictError, check=coded("project-closed")):
            refused()
    set_closed(workbench, ada, project, closed=False)
    assert judge(workbench, dan, number, YES).version == 1
