"""Hidden gold cannot be had: by any route, file, header, error text, log, or digit of a score."""

import gc
import io
import json
import re
import sys
import urllib.error
import urllib.request

import pytest
from tests.web.conftest import PASSWORD, PEOPLE, Browser
from tests.web.table import FREE, NUMBERED, pages
from tests.web.world import (
    ANNOTATOR,
    MARK,
    MINE,
    ORGANIZER,
    OTHER,
    OWNER,
    fill,
    person,
    run_lines,
)

from ensue.cli.app import run as run_command
from ensue.pairs import read_run
from ensue.web import create_app
from ensue.workbench import open_workbench
from ensue.workbench.accounts import add_person, add_token
from ensue.workbench.challenges import close_now, publish
from ensue.workbench.datasets import kept_pairs
from ensue.workbench.leaderboards import DIGITS, measured

HIDDEN = re.compile(r"\bp[145]\d\d\b")
"""Ids of test data."""
GIVEN = ("test.jsonl", "example.jsonl")
"""What says them."""

WRONG_RUNS = {
    "unknown id": b"p100 TRUE\nnobody TRUE\n",
    "double id": b"p100 TRUE\np100 FALSE\n",
    "label": b"p100 TRUE\np101 PERHAPS\n",
    "confidence": b"p100 TRUE 7\n",
    "fields": b"p100 TRUE 0.5 more\n",
    "no run": b"",
    "markup": b"<run/>",
    "json": b'{"pair_id": "p100", "label": "entailment", "confidence": 2}\n',
    "no label": b'{"pair_id": "p100", "label": "true"}\n',
    "gold": b'{"id": "p100", "gold": "entailment"}\n',
}


def addresses(key):
    """Every page, twin and file, with every number that there is, and with what can be asked of it."""
    for method, path, _ in [*pages(FREE), *pages(NUMBERED)]:
        if method == "GET":
            for i in range(1, 7):
                filled = path.replace("{key}", key)
                for name in ("data_id", "challenge_id"):
                    filled = filled.replace(f"{{{name}}}", str(i))
                yield filled
    for i in range(1, 7):
        for twin in ("", ".json"):
            yield f"/compare{twin}?data={i}&run=1&run=2"
            yield f"/data/{i}/pairs{twin}?run=1&run=2&gold=entailment"
            yield f"/data/{i}/pairs{twin}?run=1&outcome=wrong"
    yield "/openapi.json"


def read_by(client, key):
    """What somebody gets to read, headers and all, by address."""
    found = {}
    for path in dict.fromkeys(addresses(key)):
        answer = client.get(path)
        assert answer.status_code < 500, path
        found[path] = f"{answer.status_code} {dict(answer.headers)} {answer.text}"
    return found


@pytest.mark.parametrize("name", [MINE, OTHER, ANNOTATOR])
@pytest.mark.parametrize("is_published", [False, True])
def test_hidden_gold_is_on_no_page_and_in_no_file(workbench, browser, caplog, name, is_published):
    caplog.set_level("DEBUG")
    key = fill(workbench)
    if is_published:
        close_now(workbench, person(workbench, OWNER), 1)
        publish(workbench, person(workbench, OWNER), 1)
    for path, text in read_by(browser(name), key).items():
        assert MARK not in text, path
        assert path.endswith(GIVEN) or not HIDDEN.search(text), path
    assert MARK not in caplog.text


def test_test_data_are_given_out_without_gold_and_what_stood_beside_it(workbench, browser):
    fill(workbench)
    lines = browser(MINE).get("/challenges/1/test.jsonl").text.splitlines()
    for line in map(json.loads, lines):
        assert (line.pop("gold"), line.pop("meta", {})) == (None, {})
        assert set(line) <= {"id", "text", "hypothesis", "task"}


def plain(text):
    """A page without what differs from one moment to the next."""
    text = re.sub(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(\+00:00)?)?", "TIME", text)
    text = re.sub(r"(name=\"csrf\" value=\")[^\"]+", "", text)
    return re.sub(r"ensue_csrf=[^;]+", "", text)


def test_nothing_that_is_told_depends_on_gold_before_a_run_is_scored(tmp_path, cheap_passwords):
    """Two worlds that differ in hidden gold alone look the same, also to wrong runs."""
    told = []
    for is_turned in (False, True):
        workbench = open_workbench(f"sqlite:///{tmp_path / f'{is_turned}.sqlite'}")
        for name, role in PEOPLE.items():
            add_person(workbench, name, role, PASSWORD)
        key = fill(workbench, has_submissions=False, is_turned=is_turned)
        bob = Browser(create_app(workbench), follow_redirects=False).sign_in(MINE)
        answers = read_by(bob, key)
        for name, content in WRONG_RUNS.items():
            for headers in ({}, {"accept": "application/json"}):
                files = {"file": ("run.txt", content)}
                found = bob.send_form("/challenges/1/runs", files=files, headers=headers)
                assert found.status_code == 422, (name, found.text)
                answers[f"{name} {headers}"] = found.text
        told.append({path: plain(text) for path, text in answers.items()})
        workbench.close()
    assert told[0] == told[1]
    assert MARK not in str(told)


def test_command_tells_no_more_than_the_server(workbench, app, tmp_path, monkeypatch, capsys):
    fill(workbench)
    client = Browser(app)

    def open_(request, **_):
        answer = client.request(
            request.get_method(),
            request.selector,
            content=request.data,
            headers=request.headers,
        )
        if answer.status_code >= 400:
            body = io.BytesIO(answer.content)
            raise urllib.error.HTTPError(request.full_url, answer.status_code, "", {}, body)
        return io.BytesIO(answer.content)

    monkeypatch.setattr(urllib.request, "urlopen", open_)
    monkeypatch.setenv("ENSUE_TOKEN", add_token(workbench, person(workbench, MINE), "t"))
    file = tmp_path / "run.txt"
    codes = []
    for content in [*WRONG_RUNS.values(), run_lines(100, 5)]:
        file.write_bytes(content)
        codes.append(run_command(["submit", str(file), "--server", "http://h/challenges/1"]))
    assert codes == [3] * len(WRONG_RUNS) + [0]
    shown = capsys.readouterr()
    assert MARK not in shown.out + shown.err
    assert "p101" not in shown.out
    assert set(json.loads(shown.out)["scores"]) == {"measures", "tasks", "answered", "pairs"}


def numbers(value):
    """All numbers that are not whole, wherever they stand."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from numbers(each)
    elif isinstance(value, list):
        for each in value:
            yield from numbers(each)


def test_scores_have_too_few_digits_to_tell_pairs_apart(workbench, browser):
    fill(workbench)
    bob = browser(MINE)
    page = bob.get("/challenges/1.json").json()
    found = [*numbers(page["runs"]), *numbers(page["board"])]
    found += map(float, re.findall(r"\d\.\d+", bob.get("/challenges/1/board.csv").text))
    assert len(found) > 20
    assert all(round(each, DIGITS) == each for each in found)


@pytest.mark.parametrize("n", [1, 4])
def test_task_of_few_answers_has_no_number(workbench, tmp_path, n):
    """One verdict a task would tell the gold of as many pairs as there are tasks."""
    fill(workbench)
    with workbench.database.reading() as session:
        gold = list(kept_pairs(session, 2))
    answered = run_lines(100, 0, 12).splitlines(keepends=True)
    few = b"".join([line for line in answered if int(line[1:4]) % 3][:n])
    (tmp_path / "run.txt").write_bytes(few)
    scores, _ = measured(gold, read_run(tmp_path / "run.txt"), ["accuracy"])
    assert scores["tasks"] == {}


def test_what_judges_and_organizers_answer_is_in_no_log(workbench, browser):
    """Every organizer reads it, and may take part in a challenge made of these pairs."""
    fill(workbench)
    fay, cleo = (browser(name) for name in ("fay", ANNOTATOR))
    for client, answer, version in (
        (cleo, "not-entailment", 0),
        (fay, "unsure", 1),
        (fay, "entailment", 2),
    ):
        form = {"answer": answer, "version": str(version)}
        assert client.send_form("/annotate/questions/1/judgment", form).status_code == 303
    ada = browser(OWNER)
    version = ada.get("/annotate/1/review.json").json()["questions"][0]["version"]
    form = {"answer": "entailment", "version": str(version)}
    assert ada.send_form("/annotate/questions/1/decision", form).status_code == 303
    told = browser(ORGANIZER).get("/audit.json").text
    assert "judgment.change" in told
    assert "question.decide" in told
    assert "entailment" not in told
    assert "unsure" not in told


def calls(function):
    """How many functions are called, Python's and C's, but for what the collector cleans up."""
    n = 0

    def count(frame, event, argument):
        nonlocal n
        n += event in ("call", "c_call")

    gc.disable()
    sys.setprofile(count)
    try:
        function()
    finally:
        sys.setprofile(None)
        gc.enable()
    return n


def test_work_of_scoring_does_not_depend_on_what_is_right(workbench, tmp_path):
    """The same calls for runs that are right everywhere, half of the time, and nowhere.

    Nothing is timed: where the same is called as often, on arrays of one length, there is nothing
    to learn from how long it took.
    """
    fill(workbench)
    with workbench.database.reading() as session:
        gold = list(kept_pairs(session, 2))
    runs = []
    for wrong in (0, 0, 3, 6, 12):
        (tmp_path / "run.txt").write_bytes(run_lines(100, wrong))
        runs.append(read_run(tmp_path / "run.txt"))
    measures = ["accuracy", "cws", "average-precision", "coverage"]
    counted = [calls(lambda run=run: measured(gold, run, measures)) for run in runs]
    assert len(set(counted[1:])) == 1, counted
