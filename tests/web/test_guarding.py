"""What is refused before any page is asked, and what goes with every answer."""

import asyncio
import json
import subprocess
import sys

import pytest
from tests.web.conftest import PASSWORD, Browser

from ensue.web import WebSettings, create_app
from ensue.web.access import CSRF_COOKIE, SESSION_COOKIE
from ensue.web.middleware import LimitedBodies
from ensue.workbench import Limits, Workbench


def test_form_of_another_site_is_refused(browser):
    ada = browser("ada")
    form = {"name": "eve", "password": PASSWORD, "role": "organizer"}
    assert ada.post("/people", data=form).status_code == 403
    assert ada.post("/people", data={**form, "csrf": "guess"}).status_code == 403
    crossing = {"sec-fetch-site": "cross-site"}
    assert ada.send_form("/people", form, headers=crossing).status_code == 403
    token = ada.cookies[CSRF_COOKIE]
    del ada.cookies[CSRF_COOKIE]
    assert ada.post("/people", data={**form, "csrf": token}).status_code == 403
    assert "eve" not in ada.get("/people").text


def test_cookies_are_kept_from_scripts_and_other_sites(stranger):
    stranger.get("/sign-in")
    done = stranger.send_form("/sign-in", {"name": "ada", "password": PASSWORD})
    (cookie,) = done.headers.get_list("set-cookie")
    assert cookie.startswith(SESSION_COOKIE)
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()


def test_cookies_go_by_https_alone_where_it_is_said_so(workbench):
    app = create_app(workbench, WebSettings(is_secure=True))
    client = Browser(app, base_url="https://testserver", follow_redirects=False)
    found = client.get("/sign-in")
    assert "secure" in found.headers["set-cookie"].lower()
    assert "max-age" in found.headers["strict-transport-security"]


@pytest.mark.parametrize("target", ["//evil.example", "https://evil.example", "/\\\\evil", "x\ny"])
def test_sign_in_leads_to_no_other_site(stranger, target):
    form = {"name": "ada", "password": PASSWORD, "next": target}
    assert stranger.send_form("/sign-in", form).headers["location"] == "/"


def test_passwords_are_not_guessed_in_thousands(stranger):
    for _ in range(10):
        form = {"name": "ada", "password": "wrong wrong wrong"}
        assert stranger.send_form("/sign-in", form).status_code == 403
    assert stranger.send_form("/sign-in", form).status_code == 429
    right = {"name": "ada", "password": PASSWORD}
    assert stranger.send_form("/sign-in", right).status_code == 429


def test_old_password_is_not_guessed_in_thousands(browser):
    ada = browser("ada")
    form = {"old": "wrong wrong wrong", "new": "another good password"}
    codes = [ada.send_form("/account/password", form).status_code for _ in range(11)]
    assert codes == [403] * 10 + [429]


def test_right_passwords_are_not_counted(stranger):
    right = {"name": "ada", "password": PASSWORD}
    assert {stranger.send_form("/sign-in", right).status_code for _ in range(12)} == {303}


def test_requests_that_change_something_are_limited(workbench):
    small = Workbench(workbench.database, Limits(requests=5))
    client = Browser(create_app(small), follow_redirects=False).sign_in("bob")
    codes = [client.send_form("/account/tokens", {"name": "t"}).status_code for _ in range(7)]
    assert codes == [200] * 5 + [429] * 2


def test_large_bodies_are_refused_while_they_come(workbench):
    small = Workbench(workbench.database, Limits(upload_bytes=100_000))
    client = Browser(create_app(small), follow_redirects=False).sign_in("bob")
    files = {"file": ("p.jsonl", b"x" * 400_000)}
    assert client.send_form("/data", files=files).status_code == 413


@pytest.mark.parametrize(("name", "most"), [("bob", 100_000 + (64 << 10)), (None, 64 << 10)])
def test_body_that_says_nothing_of_its_length_is_counted(workbench, name, most):
    small = Workbench(workbench.database, Limits(upload_bytes=100_000))
    client = Browser(create_app(small), follow_redirects=False)
    client.get("/sign-in")
    if name:
        client.sign_in(name)
    kind = {"content-type": "multipart/form-data; boundary=b"}
    head = b'--b\r\ncontent-disposition: form-data; name="file"; filename="p"\r\n\r\n'
    for size, code in ((most - 200, 403), (most + 1, 413)):
        found = client.post(
            "/data", content=iter([head, b"x" * size, b"\r\n--b--\r\n"]), headers=kind
        )
        assert found.status_code == code, found.text


def test_endless_body_is_refused_whatever_it_says_of_itself():
    sent = []

    async def taking(scope, receive, send):
        while True:
            await receive()

    async def receive():
        return {"type": "http.request", "body": b"x" * 65_536, "more_body": True}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/", "headers": []}
    asyncio.run(LimitedBodies(taking, most=100_000, is_known=bool)(scope, receive, send))
    assert sent[0]["status"] == 413


def test_token_does_what_its_person_may_do_and_no_more(app, browser):
    bob = browser("bob")
    made = bob.send_form("/account/tokens", {"name": "t"}, headers={"accept": "application/json"})
    client = Browser(app, headers={"authorization": f"Bearer {made.json()['made']}"})
    line = b'{"id": "1", "text": "a", "hypothesis": "b"}\n'
    done = client.post("/data", files={"file": ("p.jsonl", line)})
    assert done.json()["dataset"]["n_pairs"] == 1
    assert client.get("/people.json").status_code == 403
    wrong = Browser(app, headers={"authorization": "Bearer ensue_guess"})
    assert wrong.get("/data.json").status_code == 401


def test_other_names_are_refused_on_loopback(workbench):
    """A page of another site whose name was pointed at this machine gets nowhere."""
    app = create_app(workbench, WebSettings(has_accounts=False))
    client = Browser(app, base_url="http://evil.example")
    assert client.get("/").status_code == 400


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]"])
def test_names_of_this_machine_are_not_refused(workbench, name):
    app = create_app(workbench, WebSettings(has_accounts=False))
    assert Browser(app, base_url=f"http://{name}:8700").get("/").status_code == 200


def test_every_answer_has_safe_headers(browser):
    ada = browser("ada")
    for path in ("/", "/data.json", "/nothing", "/static/style.css", "/data/99"):
        headers = ada.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_log_has_no_texts_and_no_secrets(browser, caplog):
    caplog.set_level("INFO", "ensue.web")
    ada = browser("ada")
    ada.send_form("/try", {"text": "secret words", "hypothesis": "x", "recognizer": "overlap"})
    ada.get("/data?words=secret")
    said = "\n".join(str(record.__dict__) for record in caplog.records)
    assert "/try" in said
    assert "secret" not in said
    assert PASSWORD not in said
    assert ada.cookies[SESSION_COOKIE] not in said


def test_every_logger_of_the_server_writes_json():
    """In a process of its own, since loggers are there for all."""
    program = """
import logging
from ensue.web.middleware import log_to_stderr
log_to_stderr(as_json=True, quiet=True)
for name in ("ensue.web", "ensue.workbench.leaderboards", "uvicorn.error"):
    try:
        raise ValueError("x")
    except ValueError:
        logging.getLogger(name).exception(name)
    logging.getLogger(name).info("not told")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    names = ["ensue.web", "ensue.workbench.leaderboards", "uvicorn.error"]
    assert [line["event"] for line in lines] == names
    assert all("ValueError: x" in line["traceback"] for line in lines)
