"""Nothing lost: servers are killed at any moment while two people submit and two judge.

After the last one every run and judgment that was acknowledged is there once, and scored once.
"""

import io
import random
import threading
import time
from collections import Counter

import pytest
from sqlalchemy import select
from tests.databases import ON_BOTH
from tests.web.clients import ALLOWED, AT_ONCE, CLIENTS, FIRST, PAIRS, QUESTIONS, Client, large_run
from tests.web.conftest import PASSWORD
from tests.web.server import Program, Server
from tests.web.world import open_challenge, pairs_file, person

from ensue.workbench import Role, open_workbench
from ensue.workbench.accounts import add_person, add_token, entries
from ensue.workbench.annotation.projects import (
    ProjectKind,
    ProjectPlan,
    add_annotator,
    make_project,
)
from ensue.workbench.annotation.questions import import_pairs
from ensue.workbench.database import models
from ensue.workbench.datasets import add_dataset
from ensue.workbench.submissions import invite, invite_to_team, join, leaderboard
from ensue.workbench.uploads import Upload

SEED = 20050411
KILLS = 8


@pytest.fixture
def people(database_url, cheap_passwords):
    """The tokens of two people of one team and of two judges, by name."""
    workbench = open_workbench(database_url)
    ada = add_person(workbench, "ada", Role.ORGANIZER, PASSWORD)
    roles = dict.fromkeys(("bob", "cleo"), Role.PARTICIPANT)
    roles |= dict.fromkeys(("dan", "eve"), Role.ANNOTATOR)
    found = {name: add_person(workbench, name, role, PASSWORD) for name, role in roles.items()}
    for first, n in ((0, 10), (FIRST, PAIRS)):
        add_dataset(workbench, ada, "", pairs_file(first, n=n))
    open_challenge(workbench, ada, 1, 2, runs_allowed=ALLOWED)
    join(workbench, found["bob"], invite(workbench, ada, 1), "The Bobs")
    join(workbench, found["cleo"], invite_to_team(workbench, found["bob"], 1), "")
    project = make_project(workbench, ada, ProjectPlan("Pairs", ProjectKind.PAIRS))
    for name in ("dan", "eve"):
        add_annotator(workbench, ada, project, name)
    lines = [
        f'{{"id": "{i}", "text": "It is {i}.", "hypothesis": "{i}"}}\n' for i in range(QUESTIONS)
    ]
    import_pairs(workbench, ada, project, Upload("p.jsonl", io.BytesIO("".join(lines).encode())))
    yield {name: add_token(workbench, each, "t") for name, each in found.items()}
    workbench.close()


@pytest.fixture
def server(database_url, tmp_path):
    """A server that is to be killed."""
    made = Server(database_url, tmp_path / "server", at_once=AT_ONCE, requests=10**6)
    yield made
    made.end()


def live_and_die(server, clients, rng):
    """Serve and be killed, again and again; gives how long each life was.

    A life is so many acknowledgements long and a moment more, so that a slow machine sees as much.
    """
    lives = [(rng.randint(0, 12), round(rng.uniform(0, 0.3), 3)) for _ in range(KILLS)]
    server.begin()
    for each in clients:
        each.start()
    for n_acknowledged, moment in lives:
        n_before = acknowledged(clients)
        until = time.monotonic() + 60
        while acknowledged(clients) < n_before + n_acknowledged and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(moment)
        server.kill()
        server.begin()
    return lives


def acknowledged(clients):
    """How many things were, of all."""
    return sum(len(each.acknowledged) for each in clients)


def settled(program):
    """The runs of the team, once none of them waits."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        _, page = program.ask("GET", "/challenges/1.json")
        if not page["is_waiting"]:
            return page["runs"]
        time.sleep(0.1)
    raise TimeoutError("runs wait to be scored, and nobody scores them")


@ON_BOTH
def test_what_was_acknowledged_is_there_once_whenever_the_server_is_killed(
    server,
    people,
    database_url,
):
    stop = threading.Event()
    clients = [Client(name, Program(server, people[name]), stop) for name in CLIENTS]
    lives = live_and_die(server, clients, random.Random(SEED))
    stop.set()
    for each in clients:
        each.join(90)
    story = f"seed {SEED}, lives of so many acknowledgements and seconds more: {lives}"
    assert [each.trouble for each in clients] == [None] * len(clients), story
    runs = settled(clients[0].program)
    known = [each for client in clients for each in client.acknowledged]
    told = sorted((digest, number) for kind, digest, number in known if kind == "run")
    assert len(told) > KILLS, story
    assert sum(each.n_repeated for each in clients) > 0, story
    assert told == sorted((each["digest"], each["number"]) for each in runs), story
    assert sorted(each["number"] for each in runs) == list(range(1, len(runs) + 1)), story
    assert len(runs) <= ALLOWED
    assert {each["state"] for each in runs} == {"scored"}, story
    check_scored_once(database_url, {each["id"] for each in runs}, story)
    check_judged_once(database_url, clients, story)


def check_judged_once(url, clients, story):
    """See that each judge has given what was acknowledged, once, and nothing else."""
    workbench = open_workbench(url)
    columns = models.Judgment.question_id, models.Judgment.answer, models.Judgment.version
    with workbench.database.reading() as session:
        for each in clients:
            given = [tuple(rest) for kind, *rest in each.acknowledged if kind == "judgment"]
            who = person(workbench, each.name).id
            kept = session.execute(select(*columns).where(models.Judgment.user_id == who)).all()
            assert sorted(kept) == sorted((*one, 1) for one in given), (each.name, story)
        counts = session.scalars(select(models.Question.n_judgments).order_by(models.Question.id))
        told = Counter(
            i for each in clients for kind, i, _ in each.acknowledged if kind == "judgment"
        )
        assert list(counts) == [told[i + 1] for i in range(QUESTIONS)], story
        assert told, story
    said = audited(workbench, "judgment.")
    workbench.close()
    assert said == {("judgment.add", f"question {i}"): n for i, n in told.items()}, story


def audited(workbench, kind):
    """How often the log says each thing of a kind."""
    return Counter(
        (each.action, each.subject)
        for page in range(1, 20)
        for each in entries(workbench, page=page)
        if each.action.startswith(kind)
    )


def check_scored_once(url, ids, story):
    """See that the board, its version and the log say of each run once that it is scored."""
    workbench = open_workbench(url)
    with workbench.database.reading() as session:
        assert set(session.scalars(select(models.Submission.id))) == ids, story
    version, board = leaderboard(workbench, person(workbench, "ada"), 1)
    assert sorted(each.id for each in board.entries) == sorted(ids), story
    assert version == len(ids), story
    said = audited(workbench, "submission.")
    workbench.close()
    expected = {
        (what, f"submission {i}") for what in ("submission.add", "submission.score") for i in ids
    }
    assert said == dict.fromkeys(expected, 1), story


@ON_BOTH
def test_two_servers_over_one_database_score_each_run_once(
    server,
    people,
    tmp_path,
    database_url,
):
    """One is killed and begun again, over and over, beside one that is not."""
    other = Server(database_url, tmp_path / "other", **server.limits)
    other.begin()
    server.begin()
    try:
        bob, cleo = Program(server, people["bob"]), Program(other, people["cleo"])
        for i in range(12):
            assert large_run((bob, cleo)[i % 2], i)[2] == i + 1
        server.kill()
        server.begin()
        runs = settled(cleo)
    finally:
        other.end()
    assert [each["state"] for each in runs] == ["scored"] * 12
    check_scored_once(database_url, {each["id"] for each in runs}, "")
