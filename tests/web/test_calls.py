"""What programs post as JSON: `/api/check` and `/api/judge`."""

import pytest
from tests.web.conftest import Browser

import ensue
from ensue.web import WebSettings, create_app
from ensue.workbench import Limits, Workbench
from ensue.workbench.accounts import add_token, find_person

SOURCE = "Bread is cheap. The legal age is 64."
CLAIMS = "Bread is cheap. The legal age is 62."
HERE = "http://localhost"
CHECK = {"source": SOURCE, "claims": CLAIMS, "recognizer": "features"}
JUDGE = {"text": "A dog barks loudly.", "hypothesis": "A dog barks.", "recognizer": "overlap"}


@pytest.fixture(autouse=True)
def cache(tmp_path, use_cache):
    use_cache(tmp_path / "cache")


@pytest.fixture
def program(app, workbench):
    """A client with a token."""
    with workbench.database.reading() as session:
        cleo = find_person(session, "cleo")
    token = add_token(workbench, cleo, "t")
    return Browser(app, headers={"authorization": f"Bearer {token}"})


def test_check_says_what_the_library_says(program):
    found = program.post("/api/check", json=CHECK)
    assert found.status_code == 200
    assert found.json() == ensue.check(SOURCE, CLAIMS, "features").to_json()
    assert [each["status"] for each in found.json()["claims"]] == ["supported", "contradicted"]


def test_judge_says_what_the_library_says(program):
    found = program.post("/api/judge", json=JUDGE).json()
    verdict = ensue.judge(JUDGE["text"], JUDGE["hypothesis"], "overlap")
    assert (found["label"], found["score"]) == (verdict.label.value, verdict.score)
    assert found["signature"] == ensue.load("overlap").signature.to_json()
    assert set(found) == {"label", "score", "confidence", "status", "reason", "signature"}


@pytest.mark.parametrize(
    "token", [None, "Bearer ensue_guess", "Basic YWRhOng="], ids=["none", "guess", "basic"]
)
def test_nobody_calls_without_a_token(token, stranger):
    headers = {"authorization": token} if token else {}
    found = stranger.post("/api/check", json=CHECK, headers=headers)
    assert found.status_code == 401
    assert found.json()["code"] in ("nobody-signed", "nobody-token")


def test_other_sites_call_nothing(browser):
    ada = browser("ada")
    assert ada.post("/api/judge", json=JUDGE).status_code == 200
    crossed = ada.post("/api/judge", json=JUDGE, headers={"sec-fetch-site": "cross-site"})
    assert crossed.status_code == 403
    # a form of another site may say what is no JSON, with the cookie
    text = {"content-type": "text/plain"}
    assert ada.post("/api/judge", content=b'{"text": "a"}', headers=text).status_code == 403
    preflight = ada.options("/api/judge", headers={"origin": "https://elsewhere.example"})
    assert preflight.status_code == 405
    assert "access-control-allow-origin" not in preflight.headers


def test_json_opens_no_form(browser):
    ada = browser("ada")
    assert ada.post("/sign-out", json={}).status_code == 403


def test_one_person_on_this_machine_calls_without_a_token(workbench):
    alone = Browser(create_app(workbench, WebSettings(has_accounts=False)), base_url=HERE)
    assert alone.post("/api/judge", json=JUDGE).json()["label"] == "entailment"


@pytest.mark.parametrize(
    ("change", "status", "place"),
    [
        ({"hypothesis": ""}, 422, "body.hypothesis"),
        ({"hypothesis": None}, 422, "body.hypothesis"),
        ({"more": 1}, 422, "body.more"),
        ({"recognizer": "command:ls"}, 422, None),
        ({"recognizer": "/etc"}, 422, None),
        ({"hypothesis": "   "}, 422, None),
    ],
)
def test_what_makes_no_sense_is_refused_in_json(change, status, place, program):
    found = program.post("/api/judge", json={**JUDGE, **change})
    assert found.status_code == status
    assert found.json()["place"] == place


def test_limits_are_those_of_the_workbench(workbench, program, app):
    app.state.workbench = Workbench(workbench.database, Limits(text=20, hypothesis=10))
    long = program.post("/api/check", json=CHECK)
    assert long.status_code == 413
    assert "36 characters are too many for the text" in long.json()["error"]


def test_calls_are_counted_like_all_that_is_sent(workbench):
    few = Workbench(workbench.database, Limits(requests=2))
    alone = Browser(create_app(few, WebSettings(has_accounts=False)), base_url=HERE)
    codes = [alone.post("/api/judge", json=JUDGE).status_code for _ in range(3)]
    assert codes == [200, 200, 429]


def test_description_says_what_is_sent_and_answered(app):
    described = app.openapi()
    call = described["paths"]["/api/check"]["post"]
    assert call["x-who"] == "signed in"
    sent = call["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    answered = call["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]
    schemas = described["components"]["schemas"]
    assert set(schemas[sent.rpartition("/")[2]]["properties"]) == {"source", "claims", "recognizer"}
    assert "n_supported" in schemas[answered.rpartition("/")[2]]["properties"]
