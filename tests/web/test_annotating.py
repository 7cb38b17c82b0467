"""Annotation in the browser: two judges, their agreement, a decision, a data set; and patterns."""

import json
import re

import pytest
from tests.databases import ON_BOTH
from tests.web.conftest import PASSWORD

from ensue.workbench import Role
from ensue.workbench.accounts import add_person

JSON = {"accept": "application/json"}
LISTS = (
    "term\tmethod\trank\tparaphrase\tsentence\n"
    "killed\tSecretMethod\t1\tshot and killed\t=Two were killed.\n"
    "killed\tSecretMethod\t2\t<b>attacked</b>\t=Two were killed.\n"
)


@pytest.fixture
def dan(workbench, browser):
    """A second judge."""
    add_person(workbench, "dan", Role.ANNOTATOR, PASSWORD)
    return browser("dan")


@pytest.fixture
def ada(browser):
    """The organizer."""
    return browser("ada")


@pytest.fixture
def cleo(browser, dan, ada):
    """The first judge, in a project of pairs and one of patterns."""
    for number, kind in enumerate(("pairs", "patterns"), 1):
        made = ada.send_form("/annotate", {"name": f"All {kind}", "kind": kind})
        assert made.headers["location"] == f"/annotate/{number}", made.text
        for name in ("cleo", "dan"):
            assert ada.send_form(f"/annotate/{number}/people", {"name": name}).status_code == 303
    return browser("cleo")


def make(client, i, answer="entailment", task="SECRETTASK"):
    form = {"text": f"Text <{i}>.", "hypothesis": f"It {i}.", "answer": answer, "task": task}
    return client.send_form("/annotate/1/pairs", form)


def say(client, question, answer, **others):
    return client.send_form(
        f"/annotate/questions/{question}/judgment", {"answer": answer, **others}
    )


@ON_BOTH
def test_life_of_a_project_of_pairs(ada, cleo, dan):
    for i in range(6):
        assert make(cleo, i, "entailment" if i % 2 else "not-entailment").status_code == 303
    for _ in range(6):
        asked = dan.get("/annotate/1/next.json").json()["question"]
        i = int(re.search(r"\d", asked["content"]["text"]).group())
        answer = "entailment" if i % 2 or i == 0 else "not-entailment"
        done = say(dan, asked["id"], answer)
        assert done.headers["location"] == "/annotate/1/next"
    assert "There is nothing for you to judge" in dan.get("/annotate/1/next").text
    shown = ada.get("/annotate/1.json").json()
    assert shown["counts"] == {"open": 0, "agreed": 5, "disputed": 1, "decided": 0, "removed": 0}
    # 5 of 6 agree; cleo says yes 3 times and dan 4: chance is 1/2 * 4/6 + 1/2 * 2/6 = 1/2
    assert shown["tables"][0]["rows"][0]["kappa"]["value"] == pytest.approx((5 / 6 - 1 / 2) * 2)
    page = ada.get("/annotate/1/review?standing=disputed").text
    version = re.search(r'name="version" value="(\d+)"', page).group(1)
    number = re.search(r"/annotate/questions/(\d+)/decision", page).group(1)
    done = ada.send_form(
        f"/annotate/questions/{number}/decision", {"answer": "not-entailment", "version": version}
    )
    assert done.headers["location"] == "/annotate/1/review?standing=disputed"
    settled = ada.get("/annotate/1/settled.jsonl").text.splitlines()
    assert len(settled) == 6
    form = {"name": "Ours", "development": "50", "balanced": "true"}
    made = ada.send_form("/annotate/1/data", form)
    assert made.headers["location"] == "/data/2"
    names = {each["name"]: each["n_pairs"] for each in ada.get("/data.json").json()["datasets"]}
    assert sorted(names.items()) == [("Ours development", 3), ("Ours test", 3)]
    ada.send_form("/annotate/1/close", {"closed": "true"})
    assert dan.get("/annotate/1/next").status_code == 409


def test_judge_is_shown_neither_task_nor_maker_nor_answers(cleo, dan):
    make(cleo, 1)
    for path in (
        "/annotate/1/next",
        "/annotate/1/next.json",
        "/annotate/questions/1",
        "/annotate/questions/1.json",
        "/annotate/1",
        "/annotate/1.json",
        "/annotate/1/mine.json",
        "/annotate.json",
    ):
        text = dan.get(path).text
        assert "SECRETTASK" not in text, path
        assert "cleo" not in text, path
    assert dan.get("/annotate/1/next.json").json()["question"]["answer"] is None
    assert "Agreement" not in dan.get("/annotate/1").text
    for path in ("review", "review.json", "settled.jsonl", "discarded.jsonl"):
        assert dan.get(f"/annotate/1/{path}").status_code == 403, path


def test_judgment_of_another_window_is_not_overwritten(cleo, dan):
    make(cleo, 1)
    assert say(dan, 1, "entailment").status_code == 303
    assert say(dan, 1, "entailment").status_code == 303
    refused = say(dan, 1, "not-entailment")
    assert refused.status_code == 409
    assert "meanwhile" in refused.text
    page = dan.get("/annotate/questions/1").text
    assert 'name="version" value="1"' in page
    assert say(dan, 1, "not-entailment", version="1").status_code == 303


def test_answers_have_a_key_each(cleo, dan):
    make(cleo, 1)
    page = dan.get("/annotate/1/next").text
    assert re.findall(r'value="([\w-]+)" data-key="(\d)"', page) == [
        ("entailment", "1"),
        ("not-entailment", "2"),
        ("unsure", "3"),
    ]
    assert "Text &lt;1&gt;." in page
    assert "Leave tense aside" in page


@ON_BOTH
def test_life_of_a_project_of_patterns(ada, cleo, dan):
    done = ada.send_form(
        "/annotate/2/import", files={"file": ("lists.tsv", LISTS.encode())}, headers=JSON
    )
    assert done.json()["imported"]["n_added"] == 2
    for client in (cleo, dan):
        for _ in range(2):
            page = client.get("/annotate/2/next").text
            assert "SecretMethod" not in page
            assert "<mark>killed</mark>" in page
            assert "<b>attacked" not in page
            asked = client.get("/annotate/2/next.json").json()["question"]
            is_good = asked["content"]["paraphrase"] == "shot and killed"
            say(client, asked["id"], "strict" if is_good else "different")
    shown = ada.get("/annotate/2.json").json()
    assert shown["counts"]["agreed"] == 2
    assert shown["tables"]
    lines = [json.loads(x) for x in ada.get("/annotate/2/lists.jsonl").text.splitlines()]
    assert [line["paraphrase"] for line in lines] == ["shot and killed", "<b>attacked</b>"]
    assert lines[0]["labels"]["dan"] == {"strict": True, "lenient": True}
    assert ada.get("/annotate/2/settled.jsonl").status_code == 422
    assert "Cohen" in ada.get("/annotate/2").text


def test_import_of_pairs_tells_what_came_of_it(ada, cleo):
    line = b'{"id": "1", "text": "a", "hypothesis": "b", "gold": "entailment"}\n'
    done = cleo.send_form("/annotate/1/import", files={"file": ("p.jsonl", line)}, headers=JSON)
    imported = done.json()["imported"]
    assert (imported["n_added"], imported["n_judged"]) == (1, 1)
    wrong = cleo.send_form("/annotate/1/import", files={"file": ("p.jsonl", b"{")})
    assert wrong.status_code == 422
    assert "p.jsonl:1" in wrong.text


def test_own_judgments_are_there_to_look_again(cleo):
    for i in range(3):
        make(cleo, i)
    page = cleo.get("/annotate/1/mine").text
    assert page.count("look again") == 3
    assert "It 2." in cleo.get("/annotate/1/make").text


def test_organizer_changes_guidelines_and_judges(ada, cleo, dan):
    assert (
        ada.send_form(
            "/annotate/1/guidelines", {"guidelines": "Read twice.", "version": "1"}
        ).status_code
        == 303
    )
    assert "Read twice." in dan.get("/annotate/1").text
    assert ada.send_form("/annotate/1/people/remove", {"name": "dan"}).status_code == 303
    assert dan.get("/annotate/1").status_code == 404
    assert cleo.send_form("/annotate/1/people", {"name": "dan"}).status_code == 403


def test_review_removes_and_takes_back(ada, cleo):
    make(cleo, 1)
    form = {"version": "1", "reason": "vague", "standing": "open"}
    done = ada.send_form("/annotate/questions/1/remove", form)
    assert done.headers["location"] == "/annotate/1/review?standing=open"
    assert "vague" in ada.get("/annotate/1/review").text
    assert ada.send_form("/annotate/questions/1/remove", form).status_code == 409
    again = {"version": "2", "removed": "false"}
    assert ada.send_form("/annotate/questions/1/remove", again).status_code == 303
