"""Words that were made to be run: scripts on pages, formulas in spreadsheets."""

import csv
import html
import io
import json
import re
from html.parser import HTMLParser

import pytest
from tests.web.conftest import Browser
from tests.web.world import open_challenge, person

from ensue.reports.model import Column, Table
from ensue.reports.text import harmless, table_to_csv
from ensue.web.middleware import POLICY
from ensue.workbench.accounts import add_token
from ensue.workbench.datasets import add_dataset
from ensue.workbench.runs import add_run
from ensue.workbench.submissions import invite, join, submit
from ensue.workbench.trials import RecognizerTrial, keep_trial
from ensue.workbench.uploads import Upload

EVIL = '<script>evil("{}")</script><img src=x onerror=evil()>\'"{{{{7*7}}}}</title>'


def evil(where):
    """A word that would be run, and says where it came from."""
    return EVIL.format(where)


def pairs_file(first):
    lines = [
        {
            "id": f"{i}{evil('id')}",
            "text": f"{i} {evil('text')}",
            "hypothesis": f"{i} {evil('hypothesis')}",
            "gold": "entailment" if i % 2 else "not-entailment",
            "task": evil(f"task{i % 2}"),
            "meta": {evil("key"): evil("meta")},
        }
        for i in range(first, first + 12)
    ]
    content = "".join(json.dumps(line) + "\n" for line in lines)
    return Upload(f"{evil('file')}.jsonl", io.BytesIO(content.encode()))


def run_file(first, wrong=0):
    header = {
        "ensue_run": 1,
        "signature": {
            "recognizer": evil("recognizer"),
            "version": evil("version"),
            "settings": {evil("setting"): evil("value")},
        },
    }
    lines = [header]
    for i in range(first, first + 12):
        is_yes = (i % 2 == 1) != (i - first < wrong)
        label = "entailment" if is_yes else "not-entailment"
        lines.append({"pair_id": f"{i}{evil('id')}", "label": label, "confidence": 0.5})
    lines.append({"pair_id": f"{first + 12}", "label": None, "reason": evil("reason")})
    content = "".join(json.dumps(line) + "\n" for line in lines[:-1])
    return Upload(f"{evil('run file')}.jsonl", io.BytesIO(content.encode()))


class Elements(HTMLParser):
    """Looks for what a browser would run."""

    def __init__(self):
        super().__init__()
        self.dangerous = []

    def handle_starttag(self, tag, attributes):
        """Note what is none of ours."""
        names = dict(attributes)
        is_ours = tag == "script" and (names.get("src") or "").startswith("/static/")
        leads = [names.get(each) or "" for each in ("href", "src", "action")]
        if (
            (tag in ("script", "img", "iframe", "object", "embed", "base") and not is_ours)
            or any(name.startswith("on") for name in names)
            or any(":" in each.partition("/")[0] or each.startswith("//") for each in leads)
        ):
            self.dangerous.append((tag, attributes))


PAGES = [
    "/",
    "/try/{key}",
    "/data",
    "/data/1",
    "/data/1/audit",
    "/data/1/pairs?run=1&run=2",
    "/data/1/pairs?run=1&run=2&outcome=disputed&words={evil}&task={evil}&gold={evil}",
    "/compare?data=1&run=1&run=2",
    "/challenges",
    "/challenges/1",
    "/challenges/1/board.html",
    "/challenges/join?code={evil}",
    "/sign-in?next=/{evil}",
    "/account",
    "/people",
    "/audit",
    "/try/{evil}",
    "/nothing/{evil}",
    "/data/{evil}",
]


@pytest.fixture
def ada(workbench, browser):
    """An organizer who has called everything as she should not."""
    who, bob = person(workbench, "ada"), person(workbench, "bob")
    for first in (0, 100):
        add_dataset(workbench, who, evil(f"data {first}"), pairs_file(first))
    for wrong in (2, 5):
        add_run(workbench, who, 1, evil("run"), run_file(0, wrong))
    challenge = open_challenge(workbench, who, 1, 2, description=evil("description"))
    join(workbench, bob, invite(workbench, who, challenge), evil("team"))
    submit(workbench, bob, challenge, evil("submission"), run_file(100, 2))
    add_token(workbench, who, evil("token"))
    return browser("ada")


@pytest.mark.parametrize("path", PAGES)
def test_scripts_are_shown_and_not_run(ada, workbench, path):
    trial = RecognizerTrial(("overlap",), evil("text"), evil("hypothesis"))
    key = keep_trial(workbench, person(workbench, "ada"), trial)
    page = ada.get(path.format(key=key, evil=evil("query")))
    assert page.headers["content-security-policy"] == POLICY
    found = Elements()
    found.feed(page.text)
    assert found.dangerous == []
    assert "49" not in re.findall(r"evil\(\)&gt;&#39;&#34;(\w+)", page.text)


def test_names_are_there_as_they_were_given(ada):
    """Or what the test above looks for could not be found on any page."""
    page = html.unescape(ada.get("/challenges/1").text)
    for where in ("team", "submission", "description"):
        assert evil(where)[:60] in page, where
    pairs = html.unescape(ada.get("/data/1/pairs?run=1&run=2").text)
    for where in ("id", "text", "hypothesis", "task0"):
        assert evil(where) in pairs, where
    assert evil("recognizer")[:40] in html.unescape(ada.get("/data/1").text)


def test_twins_are_data_and_never_pages(ada):
    for path in ("/data.json", "/data/1/pairs.json", "/challenges/1.json", "/account.json"):
        found = ada.get(path)
        assert found.headers["content-type"] == "application/json"
        assert found.headers["x-content-type-options"] == "nosniff"
        assert "evil" in found.text


def test_files_are_saved_and_never_shown(ada):
    for name in ("development.jsonl", "test.jsonl", "example.jsonl", "board.csv", "board.html"):
        found = ada.get(f"/challenges/1/{name}")
        assert found.headers["content-disposition"] == f'attachment; filename="{name}"'
        assert found.headers["content-security-policy"] == POLICY


FORMULAS = [
    "=1+1",
    "+1+1",
    "-1-A1",
    "@SUM(A1)",
    " =1",
    "\t=1",
    "\r=1",
    "\n=1",
    "\uff1d1",
    "\uff0b1",
    "\uff201",
]
BROKEN = ["a\r=1", "a\n=1", "a\r\n=1", "a\u2028=1", 'a",=1', "a,=1", "a;=1", 'a"\n"=1']


@pytest.mark.parametrize("cell", [*FORMULAS, *BROKEN])
def test_formula_is_text_to_a_spreadsheet(cell):
    table = Table("t", "T", [Column("name"), Column(cell)], [[cell, 1]])
    rows = list(csv.reader(io.StringIO(table_to_csv(table, guarded=True), newline="")))
    assert [len(row) for row in rows] == [2, 2]
    for each in (rows[0][1], rows[1][0]):
        assert not each.lstrip().startswith(("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff20"))


def test_row_of_a_run_is_one_line(workbench, ada):
    bob = person(workbench, "bob")
    submit(workbench, bob, 1, "a\r=1+1\n@x", run_file(100, 3))
    lines = ada.get("/challenges/1/board.csv").text.splitlines()
    assert len(lines) == 3
    assert all(line[0].isalnum() for line in lines)


@pytest.mark.parametrize("cell", ["a=1", "1-1", "'=1", "", "ä"])
def test_other_cells_stay_as_they_are(cell):
    assert harmless(cell) == cell


def test_stranger_gets_no_script_back_either(app):
    found = Browser(app).get(f"/sign-in?next=/{EVIL}")
    assert "<script>evil" not in found.text
    assert found.headers["content-security-policy"] == POLICY
