"""What is asked of a cluster before a run, told during it, and said when it breaks."""

import logging
import os
import platform
import signal
import socket
import threading
from contextlib import contextmanager
from importlib.metadata import version
from types import SimpleNamespace

import dask
import distributed
import pytest
from distributed import KilledWorker
from tests.errors import coded

from ensue.engine.dask import (
    check_address,
    check_workers,
    explained,
    find_scheduler,
    open_cluster,
    scheme,
)
from ensue.engine.dask_worker import lacking, packed, unpacked
from ensue.engine.job import ShardAccount
from ensue.engine.progress import WorkerEvent, WorkerEventKind
from ensue.engine.run import Purpose
from ensue.engine.store import LocalFolder
from ensue.errors import EngineError, OutputError, SettingError
from ensue.pairs import Finding, Severity


class Answers:
    """A cluster of one worker that answers what it is told to."""

    def __init__(self, *answers):
        self._answers = list(answers)

    def run(self, function, *arguments, on_error):
        return {"tcp://there:1": self._answers.pop(0)}


def test_worker_with_another_python_is_an_error():
    with pytest.raises(EngineError, match=r"'tcp://there:1' has Python 3\.2\.9, and this is 3\."):
        check_workers(Answers("3.2.9"), None)


def test_worker_that_does_not_see_the_output_is_an_error(tmp_path):
    purpose = Purpose("run", None, LocalFolder(tmp_path), (), 1)
    answers = Answers(platform.python_version(), version("ensue"), "does not see the output folder")
    with pytest.raises(
        EngineError, match="'tcp://there:1' does not see the output folder"
    ) as caught:
        check_workers(answers, purpose)
    assert "file system that all workers share" in caught.value.hint


@pytest.fixture
def planned(tmp_path):
    """A folder with a plan, and a file of five bytes beside it."""
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "_plan.json").write_bytes(b"{}")
    (tmp_path / "pairs.csv").write_bytes(b"12345")
    return LocalFolder(tmp_path / "run")


def test_worker_that_sees_everything_lacks_nothing(planned, tmp_path):
    assert lacking(planned, b"{}", str(tmp_path), [("pairs.csv", 5)]) is None
    assert planned.names() == ["_plan.json"]


@pytest.mark.parametrize(
    ("plan", "source", "told"),
    [
        (b"[]", ("pairs.csv", 5), "does not see the output folder '{run}'"),
        (b"{}", ("other.csv", 5), "does not see the input 'other.csv'"),
        (b"{}", ("pairs.csv", 9), "sees another file at 'pairs.csv', of 5 bytes and not 9"),
    ],
)
def test_worker_says_what_it_lacks(planned, tmp_path, plan, source, told):
    found = lacking(planned, plan, str(tmp_path), [source])
    assert found == told.format(run=planned.name)


def test_worker_that_cannot_write_says_so(planned, tmp_path, monkeypatch):
    def full(self, name, content):
        raise OutputError("no-space", "no space left")

    monkeypatch.setattr(LocalFolder, "write", full)
    told = f"cannot write to the output folder {planned.name!r}: no space left"
    assert lacking(planned, b"{}", str(tmp_path), []) == told


@pytest.mark.parametrize(
    "address",
    [
        "foo",
        "127.0.0.1",
        "h:abc",
        "h:",
        ":8786",
        "127.0.0.1:1/x",
        "h:0",
        "h:99999",
        "a@h:1",
        "::1:1",
    ],
)
def test_address_of_another_form_is_an_error(address):
    with pytest.raises(SettingError, check=coded("no-address-scheduler-like")) as caught:
        check_address(address)
    assert "dask://HOST:PORT" in caught.value.hint


@pytest.mark.parametrize("address", ["h:1", "10.0.0.1:8786", "a-b.example.org:65535", "[::1]:8786"])
def test_address_of_host_and_port_is_one(address):
    check_address(address)


@contextmanager
def somebody(says):
    """Somebody who takes a call, says something and waits; gives the address."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer():
            call, _ = server.accept()
            with call:
                call.sendall(says)
                while call.recv(1024):
                    pass

        thread = threading.Thread(target=answer)
        thread.start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        thread.join(10)


def test_somebody_who_says_nothing_is_an_error():
    with somebody(b"") as url, pytest.raises(EngineError, match=r"no scheduler answers .* 0\.3 s"):
        find_scheduler(url, 0.3)


def test_somebody_who_speaks_otherwise_is_an_error():
    with (
        somebody(b"HTTP/1.0 400 Bad Request\r\n\r\n") as url,
        pytest.raises(EngineError, match=r"what answers at .* is no scheduler") as caught,
    ):
        find_scheduler(url, 10.0)
    assert "dashboard" in caught.value.hint


class Beginning:
    """A cluster, or its client, that Ctrl-C meets when it is begun; it takes note of its end."""

    ends: list[int]
    is_met = False

    def __init__(self, *_, **__):
        if not Beginning.is_met:
            Beginning.is_met = True
            os.kill(os.getpid(), signal.SIGINT)  # for whichever thread lets it in

    def __enter__(self):
        return self

    def __exit__(self, *_):
        Beginning.ends += [handler.level for handler in logging.getLogger("distributed").handlers]


def test_cluster_that_is_interrupted_when_it_begins_is_ended_in_silence(monkeypatch):
    handler = logging.StreamHandler()
    logger = logging.getLogger("distributed")
    monkeypatch.setattr(logger, "handlers", [handler])
    for name in ("LocalCluster", "Client"):
        monkeypatch.setattr(distributed, name, Beginning)
    monkeypatch.setattr(Beginning, "ends", [], raising=False)
    monkeypatch.setattr(Beginning, "is_met", False)
    over = threading.Event()
    other = threading.Thread(target=over.wait)
    other.start()
    try:
        with pytest.raises(KeyboardInterrupt), open_cluster(None, 1, None, None):
            raise AssertionError("it was not interrupted")
    finally:
        over.set()
        other.join()
    assert Beginning.ends == [logging.CRITICAL] * 2  # the client, then the cluster
    assert handler.level == logging.NOTSET


def test_encryption_without_a_certificate_is_an_error():
    with (
        dask.config.set({"distributed.comm.require-encryption": True}),
        pytest.raises(EngineError, check=coded("dask-configured-require-encryption")),
    ):
        scheme()


def test_workers_that_die_again_and_again_are_an_error():
    last = SimpleNamespace(address="tcp://there:1")
    with (
        pytest.raises(EngineError, match="4 Dask workers died over the same shards, the last of"),
        explained("tcp://here:1"),
    ):
        raise KilledWorker("task", last, 3)


def test_worker_that_joins_without_the_package_is_an_error():
    with (
        pytest.raises(EngineError, check=coded("dask-worker-joined-no")),
        explained("tcp://here:1"),
    ):
        raise ModuleNotFoundError("No module named 'ensue'", name="ensue")


def test_event_comes_back_as_it_was_told():
    account = ShardAccount(
        3,
        "part-000003.parquet",
        2,
        2,
        9,
        "00",
        0.5,
        summary=[1 << 126],
        blamed=(("1", "why"),),
        findings=(Finding("empty", Severity.NOTE, "nothing", place="x:1", pair_ids=("1",)),),
    )
    told = WorkerEvent("here", WorkerEventKind.DONE, 3, account, 17, 4096)
    assert unpacked(packed(told, "there")) == WorkerEvent(
        "there", WorkerEventKind.DONE, 3, account, 17, 4096
    )
