"""The whole life of a challenge: two teams, four runs, a tie, a withdrawal, closing, publishing."""

import json
import re
from datetime import timedelta

import pytest
from tests.databases import ON_BOTH
from tests.web.conftest import PEOPLE

from ensue import __version__
from ensue.workbench.database import now

JSON = {"accept": "application/json"}


def pairs(first, n=20):
    lines = [
        {
            "id": str(i),
            "text": f"text {i}",
            "hypothesis": f"it {i}",
            "gold": "entailment" if i % 2 else "not-entailment",
            "meta": {"secret": "GOLDEN"},
        }
        for i in range(first, first + n)
    ]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def run(wrong, first=100, n=20):
    lines = []
    for i in range(first, first + n):
        is_yes = (i % 2 == 1) != (i - first < wrong)
        lines.append(f"{i} {'TRUE' if is_yes else 'FALSE'} {1 - (i - first) / 100}\n")
    return {"file": ("run.txt", "".join(lines).encode())}


@pytest.fixture
def ada(browser):
    """The organizer, with two data sets."""
    client = browser("ada")
    for name, first in (("dev", 0), ("test", 100)):
        files = {"file": (f"{name}.jsonl", pairs(first))}
        assert client.send_form("/data", {"name": name}, files=files).status_code == 303
    return client


@pytest.fixture
def made(ada):
    """A challenge that is open."""
    form = {
        "name": "RTE <1>",
        "description": "Does it follow?",
        "development": "1",
        "test": "2",
        "opens": (now() - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M"),
        "closes": (now() + timedelta(days=1)).isoformat(),
    }
    done = ada.send_form("/challenges", form)
    assert done.headers["location"] == "/challenges/1", done.text
    return 1


@pytest.fixture
def joined(ada, made, browser):
    """People who joined, by name and team."""

    def join(name, team):
        code = ada.send_form("/challenges/1/invite", headers=JSON).json()["code"]
        client = browser(name)
        assert client.send_form("/challenges/join", {"code": code, "team": team}).status_code == 303
        return client

    return join


@ON_BOTH
def test_life_of_a_challenge(ada, joined, browser):
    bob, cleo = joined("bob", "=The Bobs"), joined("cleo", "Others")
    for client, name, wrong in (
        (bob, "a", 4),
        (cleo, "b", 4),
        (bob, "c", 9),
        (cleo, "d", 0),
    ):
        done = client.send_form("/challenges/1/runs", {"name": name}, files=run(wrong))
        assert done.status_code == 303, done.text
    ranks = [(row["rank"], row["run"]) for row in board(bob)]
    assert ranks == [(1, "d"), (2, "a"), (2, "b"), (4, "c")]
    assert cleo.send_form("/challenges/1/runs", files=run(1)).status_code == 429
    assert bob.send_form("/challenges/1/runs/4/withdraw").status_code == 403
    assert cleo.send_form("/challenges/1/runs/4/withdraw").status_code == 303
    assert [(row["rank"], row["run"]) for row in board(bob)] == [(1, "a"), (1, "b"), (3, "c")]
    assert ada.send_form("/challenges/1/publish").status_code == 409
    assert ada.send_form("/challenges/1/close").status_code == 303
    assert bob.send_form("/challenges/1/runs", files=run(1)).status_code == 409
    assert ada.send_form("/challenges/1/publish").status_code == 303
    page = bob.get("/challenges/1").text
    assert "published" in page
    assert "Withdraw" not in page
    alone = bob.get("/challenges/1/board.html")
    assert "Leaderboard" in alone.text
    assert alone.headers["content-disposition"].startswith("attachment")


def board(client):
    return client.get("/challenges/1.json").json()["board"]["rows"]


def test_page_shows_intervals_and_own_runs(ada, joined):
    bob = joined("bob", "The Bobs")
    bob.send_form("/challenges/1/runs", {"name": "mine"}, files=run(5))
    page = bob.get("/challenges/1").text
    assert re.search(r"75\.0<br><small>\[\d\d\.\d, \d\d\.\d\]", page)
    assert "Your runs" in page
    assert "Invite a team" not in page
    assert "Invite a team" in ada.get("/challenges/1").text
    assert "RTE &lt;1&gt;" in page


def test_foot_names_the_version_of_the_program(ada, joined):
    """And not that of the board, which the page shows, too."""
    page = joined("bob", "The Bobs").get("/challenges/1").text
    assert f"ensue {__version__} ·" in page
    assert f"/static/style.css?{__version__}" in page


def test_two_data_sets_are_chosen_for_a_new_challenge(ada):
    page = ada.get("/challenges").text
    assert '<option value="1" selected>dev (20)</option>' in page
    assert 'name="test"><option value="2">test (20)</option>' in page


def test_hidden_gold_is_nowhere(ada, joined):
    bob = joined("bob", "The Bobs")
    bob.send_form("/challenges/1/runs", files=run(5))
    given = bob.get("/challenges/1/test.jsonl").text
    assert "GOLDEN" not in given
    assert {json.loads(line)["gold"] for line in given.splitlines()} == {None}
    for path in (
        "/challenges/1",
        "/challenges/1.json",
        "/challenges.json",
        "/challenges/1/example.jsonl",
        "/challenges/1/board.csv",
        "/challenges/1/board.html",
        "/data.json",
    ):
        assert "GOLDEN" not in bob.get(path).text
    for path in (
        "/data/2",
        "/data/2.json",
        "/data/2/pairs.json",
        "/data/2/audit",
        "/compare?data=2",
    ):
        assert bob.get(path).status_code == 404
    assert bob.get("/challenges/1/development.jsonl").text.count("GOLDEN") == 20


def test_example_can_be_handed_in(ada, joined):
    bob = joined("bob", "The Bobs")
    example = bob.get("/challenges/1/example.jsonl").content
    done = bob.send_form("/challenges/1/runs", files={"file": ("e.jsonl", example)}, headers=JSON)
    assert done.json()["submission"]["scores"]["measures"]["accuracy"]["value"] == 0.5


def test_wrong_line_is_told_and_costs_no_run(ada, joined):
    bob = joined("bob", "The Bobs")
    wrong = {"file": ("run.txt", b"100 TRUE\n777 TRUE\n")}
    done = bob.send_form("/challenges/1/runs", files=wrong)
    assert done.status_code == 422
    assert "run.txt:2" in done.text
    assert bob.get("/challenges/1.json").json()["runs"] == []


def test_names_that_are_formulas_are_harmless_in_csv(ada, joined):
    bob = joined("bob", '=cmd|"calc"')
    bob.send_form("/challenges/1/runs", {"name": "+1+1"}, files=run(5))
    lines = bob.get("/challenges/1/board.csv").text.splitlines()
    assert lines[0].startswith("rank,team,run,accuracy,accuracy_low,accuracy_high,cws,")
    assert '''"'=cmd|""calc""",'+1+1,0.75,''' in lines[1]


def test_others_do_not_see_the_challenge(made, browser):
    assert set(PEOPLE) >= {"bob", "cleo"}
    bob = browser("bob")
    for path in (
        "1",
        "1.json",
        "1/test.jsonl",
        "1/development.jsonl",
        "1/board.csv",
        "1/board.html",
    ):
        assert bob.get(f"/challenges/{path}").status_code == 404
    assert bob.send_form("/challenges/1/runs", files=run(0)).status_code == 404
    assert bob.send_form("/challenges/1/invite").status_code == 404


@pytest.mark.parametrize("opens", ["soon", "0001-01-01T00:00+10:00", "9999-12-31T23:59-10:00"])
def test_time_that_is_none_is_told(ada, opens):
    form = {"name": "x", "development": "1", "test": "2", "opens": opens, "closes": "2040-01-01"}
    done = ada.send_form("/challenges", form)
    assert done.status_code == 422
    assert "is no time" in done.text
