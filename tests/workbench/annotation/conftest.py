"""A project of pairs, one of patterns, and three people who judge."""

import io
import json

import pytest
from tests.workbench.conftest import PASSWORD

from ensue.workbench import Role
from ensue.workbench.accounts import add_person
from ensue.workbench.annotation.judgments import judge, next_question
from ensue.workbench.annotation.projects import (
    ProjectKind,
    ProjectPlan,
    add_annotator,
    make_project,
)
from ensue.workbench.annotation.questions import make_pair
from ensue.workbench.uploads import Upload

YES, NO = "entailment", "not-entailment"
LISTS = (
    "term\tmethod\trank\tparaphrase\tsentence\n"
    "killed\tPD\t1\tshot and killed\tTwo were killed.\n"
    "killed\tPD\t2\tattacked\tTwo were killed.\n"
    "killed\tBR\t1\tattacked\tTwo were killed.\n"
    "met\tBR\t1\tvisited\t\n"
)


@pytest.fixture
def judges(workbench):
    """Three people who judge."""
    return [
        add_person(workbench, name, Role.ANNOTATOR, PASSWORD) for name in ("cleo", "dan", "eve")
    ]


@pytest.fixture
def project(workbench, ada, judges):
    """A project of pairs with two judges a pair."""
    made = make_project(workbench, ada, ProjectPlan("RTE"))
    for each in judges:
        add_annotator(workbench, ada, made, each.name)
    return made


@pytest.fixture
def patterns(workbench, ada, judges):
    """A project of patterns with two judges a pattern."""
    made = make_project(workbench, ada, ProjectPlan("DIMPLE", ProjectKind.PATTERNS))
    for each in judges:
        add_annotator(workbench, ada, made, each.name)
    return made


def pair(workbench, person, project, i, answer=YES, task="QA"):
    sides = {"text": f"Text {i}.", "hypothesis": f"It {i}."}
    return make_pair(workbench, person, project, **sides, answer=answer, task=task)


def upload(*golds):
    lines = [
        json.dumps({"id": f"p{i}", "text": f"T {i}", "hypothesis": "H", "gold": gold, "task": "IE"})
        for i, gold in enumerate(golds)
    ]
    return Upload("pairs.jsonl", io.BytesIO("\n".join(lines).encode()))


def judge_all(workbench, person, project, answer):
    """Judge whatever is left, by a function of the question."""
    n = 0
    while (asked := next_question(workbench, person, project)) is not None:
        judge(workbench, person, asked.id, answer(asked) if callable(answer) else answer)
        n += 1
    return n
