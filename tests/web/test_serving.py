"""The server as a process: where it listens, whom it lets in, how it ends."""

import io
import json
import os
import signal
import subprocess
import sys
import urllib.request

import httpx
import pytest
from tests.databases import ON_BOTH
from tests.errors import coded

from ensue.cli.app import run
from ensue.errors import OutputError, SettingError
from ensue.web import WebSettings
from ensue.web.access import CSRF_COOKIE
from ensue.web.server import ListenAddress, check_listen_address, serve


@pytest.fixture
def place(database_kind, database_url, tmp_path):
    """The options that say where everything is kept."""
    return ["--home", str(tmp_path)] if database_kind == "sqlite" else ["--database", database_url]


@pytest.fixture
def begun(place):
    """Start servers, and end them in the end."""
    processes = []

    def begin(*options):
        process = subprocess.Popen(
            [sys.executable, "-m", "ensue.cli", "serve", *place, *options],
            stderr=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        line = process.stderr.readline()
        assert line.startswith("the workbench is at "), line
        return process, line.split()[-1].rstrip("/")

    yield begin
    for each in processes:
        if each.poll() is None:
            each.kill()
        each.communicate()


@ON_BOTH
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_server_answers_and_ends_when_told(begun, how):
    process, address = begun("--port", "0", "--log-format", "json")
    with urllib.request.urlopen(f"{address}/health", timeout=10) as answer:
        assert json.load(answer)["status"] == "well"
    process.send_signal(how)
    _, log = process.communicate(timeout=30)
    assert process.returncode in (0, 128 + how)
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    assert [line["route"] for line in lines] == ["/health"]
    assert "Traceback" not in log


@pytest.mark.parametrize("host", ["127.0.0.2", "::1"])
def test_server_is_reached_at_the_address_it_was_given(begun, host):
    _, address = begun("--port", "0", "-q", "--host", host)
    assert httpx.get(f"{address}/health").json()["status"] == "well"


@ON_BOTH
def test_what_was_kept_is_there_after_a_kill(begun):
    process, address = begun("--port", "0", "-q")
    with urllib.request.urlopen(f"{address}/people.json", timeout=10) as answer:
        first = json.load(answer)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    _, address = begun("--port", "0", "-q")
    with urllib.request.urlopen(f"{address}/people.json", timeout=10) as answer:
        assert json.load(answer) == first


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "example.org", "::"])
def test_workbench_without_accounts_listens_to_this_machine_alone(host):
    with pytest.raises(SettingError, check=coded("without-accounts-let-everybody")):
        check_listen_address(ListenAddress(host), WebSettings(has_accounts=False))
    check_listen_address(ListenAddress(host), WebSettings(has_accounts=True))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.0.0.7"])
def test_loopback_has_many_names(host):
    check_listen_address(ListenAddress(host), WebSettings(has_accounts=False))


def test_address_that_is_not_ours_is_an_error(workbench):
    with pytest.raises(OutputError, check=coded("cannot-listen")):
        serve(workbench, WebSettings(), ListenAddress("192.0.2.1", 80))


def test_command_refuses_to_let_everybody_in(tmp_path, capsys):
    assert run(["serve", "--home", str(tmp_path), "--host", "0.0.0.0"]) == 3
    assert "hint: serve with --accounts" in capsys.readouterr().err


def statuses(address, wheres):
    """How wrong passwords are answered that come, as a proxy says, from somewhere each."""
    with httpx.Client(base_url=address) as client:
        client.get("/sign-in")
        csrf = {"csrf": client.cookies[CSRF_COOKIE], "password": "wrong"}
        return [
            client.post(
                "/sign-in", data={**csrf, "name": f"n{i}"}, headers={"x-forwarded-for": where}
            ).status_code
            for i, where in enumerate(wheres)
        ]


WHERES = ["192.0.2.1"] * 11 + ["192.0.2.2"]


def test_proxy_is_believed_where_requests_come_from(begun):
    _, address = begun("--accounts", "--port", "0", "-q", "--proxy", "127.0.0.0/8")
    assert statuses(address, WHERES) == [403] * 10 + [429, 403]


def test_nobody_else_is_believed_where_requests_come_from(begun):
    _, address = begun("--accounts", "--port", "0", "-q", "--proxy", "192.0.2.9")
    assert statuses(address, WHERES) == [403] * 10 + [429, 429]


def test_proxy_that_is_no_address_is_an_error(tmp_path, capsys):
    assert run(["serve", "--home", str(tmp_path), "--proxy", "nginx"]) == 3
    assert "'nginx' is no address of a proxy" in capsys.readouterr().err


@ON_BOTH
def test_people_are_added_from_the_command_line(place, monkeypatch, capsys):
    home = ["serve", *place, "people"]
    monkeypatch.setattr("sys.stdin", io.StringIO("correct horse battery\n"))
    assert run([*home, "ada"]) == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("another good one\n"))
    assert run([*home, "ada", "--password"]) == 0
    assert run(home) == 0
    assert capsys.readouterr().out == "ada\torganizer\n"
    monkeypatch.setattr("sys.stdin", io.StringIO("short\n"))
    assert run([*home, "bob", "--role", "annotator"]) == 3
    assert "10 to 200 characters" in capsys.readouterr().err


def test_database_that_is_none_is_an_error(capsys):
    assert run(["serve", "--database", "mysql://host/name"]) == 3
    assert "hint: sqlite:///FILE" in capsys.readouterr().err


@ON_BOTH
def test_run_is_submitted_from_the_command_line(begun, database_url, tmp_path, monkeypatch, capsys):
    """Against a real server, with accounts and a token."""
    from datetime import timedelta

    from ensue.workbench import Role, open_workbench
    from ensue.workbench.accounts import add_person, add_token
    from ensue.workbench.challenges import Rules, make_challenge
    from ensue.workbench.database import now
    from ensue.workbench.datasets import add_dataset
    from ensue.workbench.submissions import invite, join
    from ensue.workbench.uploads import Upload

    workbench = open_workbench(database_url)
    ada = add_person(workbench, "ada", Role.ORGANIZER, "correct horse battery")
    bob = add_person(workbench, "bob", Role.PARTICIPANT, "correct horse battery")
    line = '{{"id": "{0}", "text": "a {0}", "hypothesis": "a", "gold": "entailment"}}\n'
    for i in range(2):
        content = io.BytesIO(line.format(i).encode())
        add_dataset(workbench, ada, str(i), Upload("p.jsonl", content))
    day = timedelta(days=1)
    challenge = make_challenge(workbench, ada, Rules("RTE", 1, 2, now() - day, now() + day))
    join(workbench, bob, invite(workbench, ada, challenge), "The Bobs")
    token = add_token(workbench, bob, "laptop")
    workbench.close()
    _, address = begun("--accounts", "--port", "0", "-q")
    (tmp_path / "run.txt").write_text("1 TRUE\n")
    submit = ["submit", str(tmp_path / "run.txt"), "--server", f"{address}/challenges/1#runs"]
    monkeypatch.delenv("ENSUE_TOKEN", raising=False)
    assert run(submit) == 3
    assert "ENSUE_TOKEN is not set" in capsys.readouterr().err
    monkeypatch.setenv("ENSUE_TOKEN", token)
    assert run([*submit, "--name", "mine"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["scores"]["measures"]["accuracy"]["value"] == 1.0
    assert "run 1 of The Bobs is scored" in shown.err
    assert run(submit) == 0
    again = capsys.readouterr()
    assert "run 1 of The Bobs is scored; it was handed in before, and counts once" in again.err
    assert json.loads(again.out) == json.loads(shown.out)
    (tmp_path / "run.txt").write_text("7 TRUE\n")
    assert run(submit) == 3
    assert "run.txt:1: the data set has no pair '7'" in capsys.readouterr().err
    assert run([*submit[:3], f"{address}/data"]) == 3
    monkeypatch.setenv("ENSUE_TOKEN", "ensue_guess")
    assert run(submit) == 3
    assert "nobody has this token" in capsys.readouterr().err
    assert run([*submit[:3], "http://127.0.0.1:9/challenges/1"]) == 3
    assert "does not answer" in capsys.readouterr().err
