"""Pages and their twins, as people and programs see them."""

import gzip
import json
import re

import pytest
from tests.web.conftest import Browser

from ensue.web import WebSettings, create_app
from ensue.web.pages import to_json
from ensue.web.routes import comparison as comparing

JSONL = (
    b'{"id": "1<script>", "text": "A <b>dog</b> barks.", "hypothesis": "=A dog barks.", "gold": "entailment", "task": "IR"}\n'
    b'{"id": "2", "text": "A dog barks.", "hypothesis": "A cat purrs.", "gold": "not-entailment", "task": "QA"}\n'
)
RUNS = {
    "first": b"1<script> TRUE 0.9\n2 TRUE 0.8\n",
    "second": b"1<script> TRUE 0.9\n2 FALSE 0.8\n",
}


@pytest.fixture
def ada(browser):
    return browser("ada")


@pytest.fixture
def data(ada):
    """A data set with two runs."""
    ada.send_form("/data", {"name": "dogs"}, files={"file": ("dogs.jsonl", JSONL)})
    for name, content in RUNS.items():
        files = {"file": ("run.txt", content)}
        assert ada.send_form("/data/1/runs", {"name": name}, files=files).status_code == 303
    return 1


PATHS = [
    "/",
    "/try",
    "/data",
    "/data/1",
    "/data/1/audit",
    "/data/1/pairs",
    "/data/1/pairs?run=1&run=2&outcome=disputed",
    "/compare",
    "/compare?data=1",
    "/compare?data=1&run=1&run=2",
    "/compare/mining",
    "/compare/mining?data=1",
    "/compare/mining?data=1&run=1&forms=words&forms=task",
    "/data/1/pairs?id=2&id=1<script>",
    "/account",
    "/people",
    "/audit",
]


@pytest.mark.parametrize("path", PATHS)
def test_page_has_a_twin(ada, data, path):
    page = ada.get(path)
    assert page.status_code == 200, page.text
    (link,) = re.findall(r'<a href="([^"]+)">this page as JSON</a>', page.text)
    twin = ada.get(link.replace("&amp;", "&"))
    assert twin.status_code == 200
    assert twin.headers["content-type"] == "application/json"


@pytest.mark.parametrize("path", PATHS)
def test_page_holds_no_script_and_no_style_of_its_own(ada, data, path):
    page = ada.get(path).text
    assert "1<script>" not in page
    assert "<b>dog" not in page
    assert re.findall(r"<script(?! defer src=\"/static/)", page) == []
    assert re.findall(r"<style|\sstyle=|\son\w+=|javascript:", page) == []
    assert re.findall(r'(?:href|src|action)="(?:https?:)?//', page) == []


@pytest.mark.parametrize("path", PATHS)
def test_page_can_be_used_by_everybody(ada, data, path):
    """One heading of the first kind, a language, names for fields and tables, and a way past the menu."""
    page = ada.get(path).text
    assert page.count("<h1") == 1
    assert '<html lang="en">' in page
    assert 'href="#main"' in page
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for field in re.findall(r"<(?:input|select|textarea)\b[^>]*>", page):
        if 'type="hidden"' in field or 'type="checkbox"' in field:
            continue
        (own,) = re.findall(r'\sid="([^"]+)"', field)
        assert f'<label for="{own}"' in page


def test_pair_is_tried_by_several_recognizers(ada):
    form = {
        "text": "A dog barks at night.",
        "hypothesis": "A dog barks.",
        "recognizer": ["modified-bleu", "overlap"],
    }
    done = ada.send_form("/try", form)
    assert done.status_code == 303
    link = done.headers["location"]
    page = ada.get(link).text
    assert page.count('class="panel why"') == 2
    assert "What in the text answers the hypothesis" in page
    assert "<svg" in page
    assert "style=" not in page
    twin = ada.get(f"{link}.json").json()
    assert [each["verdict"]["label"] for each in twin["verdicts"]] == ["entailment"] * 2
    assert ada.send_form("/try", form).headers["location"] == link


def test_link_to_a_recognizer_that_is_not_offered_any_more_runs_nothing(workbench, ada):
    form = {"text": "A dog barks.", "hypothesis": "A dog barks.", "recognizer": "overlap"}
    link = ada.send_form("/try", form).headers["location"]
    others = create_app(workbench, WebSettings(recognizers=("bleu",)))
    found = Browser(others, follow_redirects=False).sign_in("ada").get(link)
    assert found.status_code == 422
    assert "no recognizer is called" in found.text


def test_text_that_is_too_long_is_no_matter_of_trying_later(ada):
    form = {"text": "x" * 60_000, "hypothesis": "x", "recognizer": "overlap"}
    assert ada.send_form("/try", form).status_code == 413


def test_claims_are_checked_against_a_document(ada):
    form = {
        "text": "The town raised the age from 15 to 16 in 2019.",
        "claims": "The town raised the age in 2019. The age is 18.",
        "recognizer": "overlap",
    }
    link = ada.send_form("/try", form).headers["location"]
    page = ada.get(link).text
    assert "1 of 2 claims are supported" in page
    assert "contradicted" in page


def test_what_is_wrong_with_a_file_is_shown_with_its_place(ada):
    done = ada.send_form("/data", files={"file": ("p.jsonl", b'{"id": "1", "text": "a"}\n')})
    assert done.status_code == 422
    assert "p.jsonl:1" in done.text
    assert "/tmp" not in done.text
    as_json = ada.send_form(
        "/data", files={"file": ("p.jsonl", b"{}")}, headers={"accept": "application/json"}
    )
    assert as_json.json()["place"] == "p.jsonl:1"


def test_runs_are_compared_disagreements_first(ada, data):
    page = ada.get("/compare?data=1&run=1&run=2").text
    assert page.index("Where they disagree") < page.index("<h2>Runs</h2>")
    twin = ada.get("/compare.json?data=1&run=1&run=2").json()
    assert twin["n_disputed"] == 1
    assert [row["pair"]["id"] for row in twin["disputed"]] == ["2"]
    titles = [section["title"] for section in twin["report"]["sections"]]
    assert titles[:3] == ["Comparison", "Runs", "Confidence"]


def test_curves_show_all_runs_in_one_picture(ada, data):
    twin = ada.get("/compare.json?data=1&run=1&run=2").json()
    parts = [part for section in twin["report"]["sections"] for part in section["parts"]]
    (risk,) = [part for part in parts if part["title"] == "Risk by coverage"]
    rows = risk["specification"]["data"]["values"]
    assert {row["series"] for row in rows} == {"first", "second"}


@pytest.mark.parametrize(
    ("path", "scripts"),
    [
        ("/data", ["workbench"]),
        ("/compare?data=1", ["workbench"]),
        (
            "/compare?data=1&run=1",
            ["workbench", "vega", "vega-lite", "vega-interpreter", "pictures"],
        ),
        ("/data/1/pairs", ["workbench", "htmx", "renewing"]),
    ],
)
def test_page_loads_no_scripts_that_it_does_not_need(ada, data, path, scripts):
    found = re.findall(r'<script defer src="/static/(?:vendor/)?([a-z-]+)', ada.get(path).text)
    assert found == scripts


def test_picture_carries_its_specification(ada, data):
    page = ada.get("/compare?data=1&run=1").text
    found = re.findall(r"data-specification='([^']+)'><svg role=\"img\" aria-label", page)
    specifications = [json.loads(each) for each in found]
    assert len(specifications) >= 3
    for each in specifications:
        assert each["$schema"].endswith("vega-lite/v5.json")
        assert '"url"' not in json.dumps(each)


def test_many_pairs_are_drawn_less_often_and_that_is_said(ada, data, monkeypatch):
    monkeypatch.setattr(comparing, "_DRAWN", 4 * 150)
    page = ada.get("/compare?data=1&run=1&run=2").text
    assert "Intervals are of 150 draws" in page
    monkeypatch.setattr(comparing, "_DRAWN", 4)
    assert "There are no intervals" in ada.get("/compare?data=1&run=1&run=2").text


def test_pairs_are_given_back_to_the_letter(ada, data):
    found = ada.get("/data/1/pairs.jsonl")
    assert found.headers["content-disposition"] == 'attachment; filename="pairs-1.jsonl"'
    assert [json.loads(line)["hypothesis"] for line in found.text.splitlines()] == [
        "=A dog barks.",
        "A cat purrs.",
    ]


def test_pairs_for_spreadsheets_hold_no_formulas(ada, data):
    lines = ada.get("/data/1/pairs.csv").text.splitlines()
    assert lines[0] == "id,text,hypothesis,gold,task,meta"
    assert lines[1] == "1<script>,A <b>dog</b> barks.,'=A dog barks.,entailment,IR,"


def test_run_is_given_back_as_it_was_uploaded(ada, data):
    found = ada.get("/data/1/runs/2/file")
    assert found.content == RUNS["second"]
    assert found.headers["content-disposition"] == 'attachment; filename="run-2.txt"'
    packed = {"file": ("run.jsonl.gz", gzip.compress(b'{"pair_id": "2", "label": null}\n'))}
    assert ada.send_form("/data/1/runs", files=packed).status_code == 303
    assert ada.get("/data/1/runs/3/file").text == '{"pair_id": "2", "label": null}\n'


def test_only_person_needs_no_account(workbench):
    alone = create_app(workbench, WebSettings(has_accounts=False))
    client = Browser(alone, base_url="http://127.0.0.1:8700", follow_redirects=False)
    assert client.get("/people").status_code == 200
    done = client.send_form("/data", files={"file": ("dogs.jsonl", JSONL)})
    assert done.headers["location"] == "/data/1"
    assert client.send_form("/sign-in", {"name": "ada", "password": "x" * 12}).status_code == 403


def test_description_names_every_route_with_whom_it_is_for(app, stranger):
    described = stranger.get("/openapi.json").json()["paths"]
    for path, methods in described.items():
        for method, what in methods.items():
            assert what["x-who"] in ("anybody", "signed in", "organizer"), (path, method)


@pytest.mark.parametrize("path", ["/data/99", "/nothing"])
def test_page_of_an_error_knows_who_is_signed_in(ada, stranger, path):
    page = ada.get(path)
    assert page.status_code == 404
    assert '<a href="/account">ada</a>' in page.text
    assert 'href="/people"' in page.text
    assert "Sign out" not in stranger.get("/nothing").text


def test_page_after_a_form_names_no_twin(ada):
    page = ada.send_form("/account/tokens", {"name": "laptop"})
    assert "Your new token" in page.text
    assert "this page as JSON" not in page.text


def test_health_and_metrics(ada, stranger):
    assert stranger.get("/health").json()["status"] == "well"
    ada.get("/data")
    lines = ada.get("/metrics").text
    assert 'ensue_requests_total{method="GET",route="/data",status="200"} 1' in lines
    assert "ensue_request_seconds_count" in lines


def test_values_that_nobody_should_see_cannot_be_shown():
    with pytest.raises(TypeError):
        to_json(object())


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_that_json_does_not_have_are_none(value):
    assert to_json({"a": [value]}) == {"a": [None]}
