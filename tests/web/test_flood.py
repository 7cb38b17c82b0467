"""Too much at once: two gigabytes, endless bodies, and bodies that never end."""

import socket

import pytest
from tests.web.server import Program, Server

from ensue.workbench import Role, open_workbench
from ensue.workbench.accounts import add_person, add_token

SIZE = 2 << 30
BLOCK = b"x" * (1 << 20)
HEAD = b'--b\r\ncontent-disposition: form-data; name="file"; filename="p.jsonl"\r\n\r\n'
LINE = b'{"id": "1", "text": "a", "hypothesis": "b"}\n'
SLACK = 64 << 20
"""Bytes by which the server's memory may grow."""


@pytest.fixture(scope="module")
def bob(tmp_path_factory):
    """A program that may upload, and its server."""
    folder = tmp_path_factory.mktemp("flood")
    url = f"sqlite:///{folder / 'workbench.sqlite'}"
    workbench = open_workbench(url)
    person = add_person(workbench, "bob", Role.PARTICIPANT, "correct horse battery")
    token = add_token(workbench, person, "t")
    workbench.close()
    server = Server(url, folder / "tmp")
    server.begin()
    found = Program(server, token)
    assert found.send_file("/data", "p.jsonl", LINE)[0] == 200
    yield found
    server.end()


@pytest.fixture
def before(bob):
    """Sees that the server has grown by little, and left nothing on the disk."""
    memory = bob.server.memory()
    yield
    assert bob.server.memory() - memory < SLACK
    assert bob.server.spooled() == (bob.server.folder / "log").stat().st_size
    assert [each.name for each in bob.server.folder.iterdir()] == ["log"]
    assert bob.ask("GET", "/health")[0] == 200


def begin(program, *, token, length):
    """A connection on which an upload has begun."""
    connection = socket.create_connection(("127.0.0.1", program.server.port), timeout=20)
    lines = [
        "POST /data HTTP/1.1",
        "host: 127.0.0.1",
        "content-type: multipart/form-data; boundary=b",
        f"content-length: {length}" if length else "transfer-encoding: chunked",
    ]
    if token:
        lines.append(f"authorization: Bearer {token}")
    connection.sendall("\r\n".join([*lines, "", ""]).encode())
    return connection


def pour(connection, *, is_chunked, size=SIZE):
    """Send on and on, until the server has had enough; gives what was sent, and the first line."""
    sent = 0
    try:
        for block in [HEAD, *[BLOCK] * (size // len(BLOCK))]:
            framed = b"%x\r\n%s\r\n" % (len(block), block) if is_chunked else block
            connection.sendall(framed)
            sent += len(block)
    except (BrokenPipeError, ConnectionResetError):
        pass
    try:
        return sent, connection.recv(1 << 16).split(b"\r\n")[0].decode()
    except ConnectionResetError:
        return sent, "closed"


@pytest.mark.parametrize("is_known", [True, False])
def test_two_gigabytes_are_refused_when_they_are_announced(bob, before, is_known):
    token = bob.token if is_known else None
    with begin(bob, token=token, length=SIZE) as connection:
        connection.sendall(HEAD)
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 413 ")


def test_two_gigabytes_that_come_all_the_same_are_not_taken_in(bob, before):
    with begin(bob, token=bob.token, length=SIZE) as connection:
        sent, said = pour(connection, is_chunked=False)
    assert said in (
        "HTTP/1.1 413 Request Entity Too Large",
        "HTTP/1.1 413 Content Too Large",
        "closed",
    )
    assert sent < 64 << 20


@pytest.mark.parametrize("is_known", [True, False])
def test_endless_body_is_cut_off(bob, before, is_known):
    """What nobody announced is taken in up to the limit; of strangers, up to that of a form."""
    with begin(bob, token=bob.token if is_known else None, length=None) as connection:
        sent, said = pour(connection, is_chunked=True)
    assert said.startswith("HTTP/1.1 413 ") or said == "closed"
    most = (64 if is_known else 0) << 20
    assert most <= sent < most + (64 << 20)


def test_endless_body_is_told_what_is_wrong(bob, before):
    """To whoever listens before they send on."""
    with begin(bob, token=None, length=None) as connection:
        connection.sendall(b"%x\r\n%s\r\n" % (100_000, b"x" * 100_000))
        answer = connection.recv(1 << 16).decode()
    assert answer.startswith("HTTP/1.1 413 ")
    assert "connection: close" in answer.lower()


def test_bodies_that_do_not_go_on_keep_nobody_waiting(bob, before):
    halves = [begin(bob, token=bob.token, length=1_000_000) for _ in range(100)]
    for each in halves:
        each.sendall(HEAD)
    assert bob.ask("GET", "/data.json")[0] == 200
    assert bob.send_file("/data", "p.jsonl", LINE)[0] == 200
    for each in halves:
        each.close()
