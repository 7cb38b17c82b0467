"""A workbench with something of everything in it, for those who want to get at what is not theirs."""

import io
import json
from datetime import timedelta

from ensue.workbench import Role
from ensue.workbench.accounts import add_person, add_token, find_person
from ensue.workbench.annotation.projects import (
    ProjectKind,
    ProjectPlan,
    add_annotator,
    make_project,
)
from ensue.workbench.annotation.questions import import_patterns, make_pair
from ensue.workbench.challenges import Rules, close_now, make_challenge, publish
from ensue.workbench.database import now
from ensue.workbench.datasets import add_dataset, share_dataset
from ensue.workbench.runs import add_run
from ensue.workbench.submissions import invite, join, submit
from ensue.workbench.trials import RecognizerTrial, keep_trial
from ensue.workbench.uploads import Upload

MARK = "GOLDENMARK"
"""Stands beside the gold of every hidden pair, and nowhere else."""
N = 12
"""Pairs of a data set."""

OWNER, MINE, OTHER, ANNOTATOR, ORGANIZER = "ada", "bob", "dan", "cleo", "oscar"

THINGS = {
    "unshared": {"data_id": 1, "run_id": 1},
    "shared": {"data_id": 3, "run_id": 2},
    "open": {"challenge_id": 1, "run_id": 1},
    "published": {"challenge_id": 3, "run_id": 3},
    "of the owner": {"token_id": 1},
    "pairs": {"project_id": 1, "question_id": 1},
    "patterns": {"project_id": 2, "question_id": 2},
}
"""What there is of the owner's, by the names of numbers in paths."""


def pairs_file(first, *, is_hidden=False, is_turned=False, n=N):
    """Pairs whose gold is `entailment` where the number is odd; or even, where it is turned."""
    yes = 0 if is_turned else 1
    lines = [
        {
            "id": f"p{i}",
            "text": f"The text {i} says much.",
            "hypothesis": f"It says {i}.",
            "gold": "entailment" if i % 2 == yes else "not-entailment",
            "task": "IR" if i % 3 else "QA",
            "meta": {"hint": f"{MARK}{i}"} if is_hidden else {},
        }
        for i in range(first, first + n)
    ]
    content = "".join(json.dumps(line) + "\n" for line in lines)
    return Upload("pairs.jsonl", io.BytesIO(content.encode()))


def run_lines(first, wrong=0, n=N):
    """A run that is wrong on the first so many pairs."""
    lines = []
    for i in range(first, first + n):
        is_yes = (i % 2 == 1) != (i - first < wrong)
        lines.append(f"p{i} {'TRUE' if is_yes else 'FALSE'} {1 - (i - first) / 1000:.3f}\n")
    return "".join(lines).encode()


def run_file(first, wrong=0, n=N):
    """The same, as it is handed in."""
    return Upload("run.txt", io.BytesIO(run_lines(first, wrong, n)))


def fill(workbench, *, has_submissions=True, is_turned=False):
    """Put in what `THINGS` names, beside another organizer's challenge 2; gives the trial's key.

    Ada, Bob and Cleo are there already. All hidden gold can be turned into its contrary.
    """
    add_person(workbench, OTHER, Role.PARTICIPANT, "correct horse battery")
    add_person(workbench, "fay", Role.ANNOTATOR, "correct horse battery")
    add_person(workbench, ORGANIZER, Role.ORGANIZER, "correct horse battery")
    people = {name: person(workbench, name) for name in (OWNER, MINE, OTHER, ORGANIZER)}
    ada, oscar = people[OWNER], people[ORGANIZER]
    for who, first, is_hidden in (
        (ada, 0, False),
        (ada, 100, True),
        (ada, 200, False),
        (oscar, 300, False),
        (oscar, 400, True),
        (ada, 500, True),
    ):
        upload = pairs_file(first, is_hidden=is_hidden, is_turned=is_hidden and is_turned)
        add_dataset(workbench, who, f"set {first}", upload)
    share_dataset(workbench, ada, 3, shared=True)
    add_run(workbench, ada, 1, "own", run_file(0, 3))
    add_run(workbench, ada, 3, "shared", run_file(200, 3))
    for who, development, test in ((ada, 1, 2), (oscar, 4, 5), (ada, 1, 6)):
        open_challenge(workbench, who, development, test)
    for name, challenge, first in ((MINE, 1, 100), (OTHER, 2, 400), (MINE, 3, 500)):
        organizer = oscar if challenge == 2 else ada
        join(workbench, people[name], invite(workbench, organizer, challenge), f"Team {name}")
        if has_submissions:
            submit(workbench, people[name], challenge, "first", run_file(first, 4))
    close_now(workbench, ada, 3)
    publish(workbench, ada, 3)
    add_token(workbench, ada, "laptop")
    _annotate(workbench, ada)
    return keep_trial(workbench, ada, RecognizerTrial(("overlap",), "A dog barks.", "A dog barks."))


def _annotate(workbench, ada):
    """A project of pairs and one of patterns, for both annotators, each with a question."""
    for kind in ProjectKind:
        number = make_project(workbench, ada, ProjectPlan(f"All {kind}", kind))
        for name in (ANNOTATOR, "fay"):
            add_annotator(workbench, ada, number, name)
    fay = person(workbench, "fay")
    make_pair(workbench, fay, 1, text="A text.", hypothesis="It.", answer="entailment", task=MARK)
    lists = b"term\tmethod\tparaphrase\tsentence\nmet\tM\tsaw\tWe met.\n"
    import_patterns(workbench, ada, 2, Upload("lists.tsv", io.BytesIO(lists)))


def open_challenge(workbench, who, development, test, **others):
    """A challenge that is open."""
    day = timedelta(days=1)
    rules = Rules("RTE", development, test, now() - day, now() + day, **others)
    return make_challenge(workbench, who, rules)


def person(workbench, name):
    """Somebody, by name."""
    with workbench.database.reading() as session:
        return find_person(session, name)
