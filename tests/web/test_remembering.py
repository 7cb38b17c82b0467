"""Boards that are remembered: never an old one, never to those who may not see it."""

import threading
from datetime import timedelta

import pytest
from tests.databases import ON_BOTH
from tests.web.conftest import Browser
from tests.web.test_challenges import JSON, pairs, run

from ensue.pairs import View
from ensue.web import WebSettings, create_app
from ensue.web.boards import Boards
from ensue.workbench.challenges import ChallengeRecord, ChallengeState
from ensue.workbench.database import now
from ensue.workbench.leaderboards import Board, BoardEntry


def record(version, challenge_id=1):
    return ChallengeRecord(
        id=challenge_id,
        name="RTE",
        description="",
        owner="ada",
        state=ChallengeState.OPEN,
        opens=now(),
        closes=now(),
        published=None,
        runs_allowed=2,
        measures=("accuracy",),
        view=View.TWO_WAY,
        n_development=1,
        n_test=1,
        is_own=False,
        team=None,
        version=version,
    )


def board(*names):
    entries = [
        BoardEntry(1, i, "team", name, "", {"accuracy": {"value": 0.5}}, {}, (1,))
        for i, name in enumerate(names)
    ]
    return Board(("accuracy",), (), tuple(entries))


def names(shown):
    return [row[2] for row in shown.table.rows]


def test_board_is_read_once_for_each_version():
    boards, read = Boards(), []

    def reading(version, *runs):
        read.append(version)
        return version, board(*runs)

    first = boards.of(record(1), lambda: reading(1, "a"))
    assert boards.of(record(1), lambda: reading(1, "a")) is first
    assert names(boards.of(record(2), lambda: reading(2, "a", "b"))) == ["a", "b"]
    assert read == [1, 2]


def test_board_is_kept_under_the_version_that_it_was_read_with():
    boards = Boards()
    later = boards.of(record(1), lambda: (2, board("b")))
    assert boards.of(record(2), lambda: pytest.fail("it was read")) is later
    assert names(boards.of(record(1), lambda: (1, board("a")))) == ["a"]


def test_so_many_boards_are_remembered():
    boards, read = Boards(most=2), []
    for challenge_id in (1, 2, 1, 3, 1, 2):

        def reading(challenge_id=challenge_id):
            read.append(challenge_id)
            return 1, board(str(challenge_id))

        assert names(boards.of(record(1, challenge_id), reading)) == [str(challenge_id)]
    assert read == [1, 2, 3, 2]


def test_those_who_ask_at_once_wait_for_one_reading():
    boards, read, shown = Boards(), [], []
    everybody = threading.Barrier(8)

    def reading():
        read.append(1)
        threading.Event().wait(0.05)
        return 1, board("a")

    def ask():
        everybody.wait()
        shown.append(boards.of(record(1), reading))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert read == [1]
    assert len(set(map(id, shown))) == 1


def test_board_that_cannot_be_read_is_read_again():
    boards = Boards()

    def failing():
        raise RuntimeError

    with pytest.raises(RuntimeError):
        boards.of(record(1), failing)
    assert names(boards.of(record(1), lambda: (1, board("a")))) == ["a"]


def test_form_of_a_board_is_made_once():
    shown, made = Boards().of(record(1), lambda: (1, board("a"))), []
    for _ in range(2):
        assert shown.once("html", lambda: made.append(1) or "page") == "page"
    assert made == [1]
    assert shown.once("json", lambda: "other") == "other"


@pytest.fixture
def ada(browser):
    """An organizer, with two challenges over the same data."""
    client = browser("ada")
    for name, first in (("dev", 0), ("test", 100)):
        files = {"file": (f"{name}.jsonl", pairs(first))}
        assert client.send_form("/data", {"name": name}, files=files).status_code == 303
    for name in ("first", "second"):
        form = {
            "name": name,
            "development": "1",
            "test": "2",
            "opens": (now() - timedelta(days=1)).isoformat(),
            "closes": (now() + timedelta(days=1)).isoformat(),
        }
        assert client.send_form("/challenges", form).status_code == 303
    return client


@pytest.fixture
def joined(ada, browser):
    """Somebody who joined a challenge."""

    def join(name, challenge):
        code = ada.send_form(f"/challenges/{challenge}/invite", headers=JSON).json()["code"]
        client = browser(name)
        sent = {"code": code, "team": f"Team of {name}"}
        assert client.send_form("/challenges/join", sent).status_code == 303
        return client

    return join


def hand_in(client, challenge, name, wrong):
    done = client.send_form(f"/challenges/{challenge}/runs", {"name": name}, files=run(wrong))
    assert done.status_code == 303, done.text


def section(page):
    """What a page shows of the board, and of nothing else."""
    return page.text.partition('<section id="board">')[2].partition("</section>")[0]


def on_the_board(client, challenge=1):
    """The runs on the board, which the page and its twin show alike."""
    rows = client.get(f"/challenges/{challenge}.json").json()["board"]["rows"]
    shown = section(client.get(f"/challenges/{challenge}"))
    assert all(f">{row['run']}</td>" in shown for row in rows)
    assert shown.count("<tr>") == (len(rows) + 1 if rows else 0)
    return [row["run"] for row in rows]


def test_page_follows_new_runs_and_withdrawals(ada, joined):
    bob, cleo = joined("bob", 1), joined("cleo", 1)
    assert on_the_board(bob) == []
    hand_in(bob, 1, "early", 5)
    assert on_the_board(bob) == on_the_board(cleo) == on_the_board(ada) == ["early"]
    hand_in(cleo, 1, "better", 1)
    assert on_the_board(bob) == on_the_board(cleo) == on_the_board(ada) == ["better", "early"]
    assert cleo.send_form("/challenges/1/runs/2/withdraw").status_code == 303
    for client in (bob, cleo, ada):
        assert on_the_board(client) == ["early"]
        assert "better" not in section(client.get("/challenges/1"))


def test_boards_of_two_challenges_are_not_mixed(ada, joined):
    bob, cleo = joined("bob", 1), joined("cleo", 2)
    hand_in(bob, 1, "of bob", 5)
    hand_in(cleo, 2, "of cleo", 3)  # so that both boards have the same version
    assert on_the_board(bob, 1) == on_the_board(ada, 1) == ["of bob"]
    assert on_the_board(cleo, 2) == on_the_board(ada, 2) == ["of cleo"]


def test_remembered_board_is_not_for_those_who_do_not_see_the_challenge(ada, joined):
    bob, cleo = joined("bob", 1), joined("cleo", 2)
    hand_in(bob, 1, "of bob", 5)
    assert on_the_board(bob) == ["of bob"]
    for path in ("/challenges/1", "/challenges/1.json"):
        found = cleo.get(path)
        assert found.status_code == 404
        assert "of bob" not in found.text


def test_page_around_a_remembered_board_is_for_whoever_asks(ada, joined):
    bob, cleo = joined("bob", 1), joined("cleo", 1)
    hand_in(bob, 1, "of bob", 5)
    first, second = bob.get("/challenges/1").text, cleo.get("/challenges/1").text
    assert "runs/1/withdraw" in first
    assert "runs/1/withdraw" not in second
    assert "Team of bob</dd>" in first
    assert "Team of bob</dd>" not in second
    for client, other in ((bob, second), (cleo, first)):
        assert client.cookies["ensue_csrf"] not in other


@ON_BOTH
def test_two_applications_over_one_database_show_the_same(ada, joined, workbench):
    bob = joined("bob", 1)
    other = Browser(create_app(workbench, WebSettings(has_accounts=True)), follow_redirects=False)
    other.sign_in("bob")
    hand_in(bob, 1, "early", 5)
    assert on_the_board(other) == on_the_board(bob) == ["early"]
    assert other.send_form("/challenges/1/runs/1/withdraw").status_code == 303
    assert on_the_board(bob) == on_the_board(other) == []
