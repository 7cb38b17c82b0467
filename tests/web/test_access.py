"""Nobody gets in: every route and method, by everybody, against a table of who may what."""

import pytest
from tests.web.conftest import Browser
from tests.web.table import CALLS, FILES, FORMS, MISSING, ROLES, walked
from tests.web.world import ANNOTATOR, ORGANIZER, OTHER, OWNER, fill, person

from ensue.web.access import CSRF_COOKIE
from ensue.workbench.accounts import add_token


def ask(client, method, path, things):
    """Ask for a path with these numbers in it, and with a form that makes sense."""
    filled = path
    for name, number in things.items():
        filled = filled.replace(f"{{{name}}}", str(number))
    if method == "GET":
        return client.get(filled)
    if path in CALLS:
        return client.post(filled, json=CALLS[path])
    files = {"file": FILES[path]} if path in FILES else None
    if "authorization" in client.headers:
        return client.post(filled, data=FORMS.get(path), files=files)
    return client.send_form(filled, FORMS.get(path), files=files)


def said(answer):
    """What an answer means, as the table has it; everything else that is refused was let in."""
    goes_to = answer.headers.get("location", "")
    if answer.status_code == 401 or goes_to.startswith("/sign-in?next="):
        return "s"
    return {403: "-", 404: "0"}.get(answer.status_code, "+")


@pytest.fixture
def key(workbench):
    """A world, and the key of a trial in it."""
    return fill(workbench)


@pytest.fixture
def client(app, workbench, key):
    """Somebody with a session, or a program with a token."""

    def begin(name, how):
        if name is None:
            return Browser(app, follow_redirects=False)
        if how == "session":
            return Browser(app, follow_redirects=False).sign_in(name)
        token = add_token(workbench, person(workbench, name), "t")
        headers = {"authorization": f"Bearer {token}"}
        return Browser(app, follow_redirects=False, headers=headers)

    return begin


def test_table_has_every_route_and_no_other(app):
    described = {
        (method.upper(), path)
        for path, methods in app.openapi()["paths"].items()
        for method in methods
    }
    assert {(method, path) for method, path, _, _ in walked()} == described


@pytest.mark.parametrize(
    ("database_kind", "name", "how"),
    [
        ("sqlite", None, "session"),
        *(("sqlite", name, how) for name in ROLES[1:] for how in ("session", "token")),
        ("postgresql", OWNER, "session"),
    ],
    indirect=["database_kind"],
)
def test_everybody_may_what_the_table_says(client, key, name, how):
    asking = client(name, how)
    wrong = []
    for method, path, things, who in walked():
        expected = who[ROLES.index(name)]
        found = ask(asking, method, path, {**things, "key": key})
        if said(found) != expected:
            wrong.append((method, path, things, expected, found.status_code, found.text[-300:]))
        assert found.status_code < 500
    assert wrong == []


@pytest.mark.parametrize("name", [OTHER, ANNOTATOR, ORGANIZER])
def test_what_is_not_for_somebody_is_as_if_it_were_not_there(client, key, name):
    asking = client(name, "session")
    n_compared = 0
    for method, path, things, who in walked():
        if who[ROLES.index(name)] != "0" or not things:
            continue
        there = ask(asking, method, path, things)
        missing = ask(asking, method, path, {each: MISSING[each] for each in things})
        expected = missing.text
        for each, number in things.items():
            expected = expected.replace(str(MISSING[each]), str(number))
        assert (there.status_code, there.text) == (404, expected), (method, path)
        assert dict(there.headers) | {"content-length": ""} == dict(missing.headers) | {
            "content-length": ""
        }
        n_compared += 1
    assert n_compared > 20


def test_runs_of_what_is_not_there_are_not_compared(client):
    dan = client(OTHER, "session")
    for path in (
        "/compare?data={}&run=1",
        "/compare.json?data={}",
        "/compare/mining?data={}&run=1",
        "/data/{}/pairs?run=1",
    ):
        there, missing = dan.get(path.format(1)), dan.get(path.format(9999))
        assert there.status_code == missing.status_code == 404
        assert there.text == missing.text.replace("9999", "1")


def test_other_methods_lead_nowhere(app, stranger):
    paths = app.openapi()["paths"]
    for path, methods in paths.items():
        filled = path.replace("{key}", "0" * 20)
        for name in MISSING:
            filled = filled.replace(f"{{{name}}}", "1")
        for method in {"PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE"}:
            assert stranger.request(method, filled).status_code == 405, (method, path)
        assert set(methods) <= {"get", "post"}
    assert CSRF_COOKIE not in stranger.cookies


def test_files_beside_the_pages_are_ours_alone(stranger):
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/static/"):
        assert stranger.get(path).status_code == 404
