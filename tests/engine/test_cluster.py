"""Runs on a Dask cluster, with a scheduler and two workers as processes of their own on loopback."""

import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import dask
import psutil
import pyarrow.parquet as pq
import pytest
from distributed import Client, Future, LocalCluster
from tests.engine.conftest import is_alive, until
from tests.errors import coded

from ensue import __version__
from ensue.engine.dask import CONNECT
from ensue.engine.processes import IDLE
from ensue.engine.run import RunOptions
from ensue.errors import EngineError, SettingError
from ensue.installation import install_extra
from ensue.pairs import RunFormat
from ensue.recognizers.jobs import judge_source

N_PAIRS = 320
SHARD = 16
MARK = "ENSUE_TEST_CLUSTER"
LIMIT = 60.0
QUIET = {"dashboard_address": "127.0.0.1:0", "silence_logs": logging.CRITICAL}

RECOGNIZER = """
import time
from pathlib import Path

BRAKE = Path(__file__).with_name("brake")


def judge(pairs):
    if BRAKE.exists():
        time.sleep(0.4)
    return [
        {"label": "entailment" if pair.hypothesis in pair.text else "not-entailment",
         "score": len(pair.text) / 7}
        for pair in pairs
    ]
"""

WITHOUT_ENSUE = """
import importlib.metadata
import sys


class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "ensue":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


found = importlib.metadata.Distribution.from_name


def from_name(name):
    if name == "ensue":
        raise importlib.metadata.PackageNotFoundError(name)
    return found(name)


importlib.metadata.Distribution.from_name = from_name
sys.meta_path.insert(0, Blocker())
"""


class Cluster:
    """A scheduler and its workers, each a process; what was killed is started again."""

    def __init__(self, folder, environment):
        self.folder = folder
        self.environment = environment
        self.scheduler = None
        self.workers = []
        self.n_started = 0

    @property
    def engine(self):
        return self.address.replace("tcp://", "dask://")

    def heal(self):
        """Have a scheduler and two workers again."""
        if self.scheduler is None or self.scheduler.poll() is not None:
            self.close()
            file = self.folder / f"scheduler-{self.n_started}.json"
            options = ("--host", "127.0.0.1", "--port", "0", "--no-show", "--scheduler-file", file)
            self.scheduler = self.started("scheduler", *options)
            until(lambda: file.exists() and file.read_text("utf-8"), "scheduler")
            self.address = json.loads(file.read_text("utf-8"))["address"]
        self.workers = [each for each in self.workers if each.poll() is None]
        while len(self.workers) < 2:
            self.workers.append(self.worker(self.address))

    def worker(self, address, threads=1, **environment):
        name = f"worker-{self.n_started}"
        directory = self.folder / name
        directory.mkdir()
        options = ("--nthreads", threads, "--no-nanny", "--no-dashboard", "--name", name)
        place = ("--local-directory", directory, "--host", "127.0.0.1")
        return self.started("worker", address, *options, *place, **environment)

    def started(self, what, *options, **environment):
        self.n_started += 1
        with (self.folder / f"{what}-{self.n_started}.log").open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", what, *map(str, options)],
                cwd=self.folder,
                env={**self.environment, **environment},
                stdout=log,
                stderr=log,
            )

    def close(self):
        for process in (*self.workers, self.scheduler):
            if process is not None:
                process.kill()
                process.wait()
        self.workers, self.scheduler = [], None


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with pairs and a recognizer that works slowly as long as its brake is on."""
    folder = tmp_path_factory.mktemp("cluster")
    (folder / "braked_recognizer.py").write_text(RECOGNIZER, "utf-8")
    lines = [
        json.dumps({"id": f"p{i}", "text": f"word{i} is here", "hypothesis": f"word{i % 9} is"})
        for i in range(N_PAIRS)
    ]
    (folder / "pairs.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return folder


@pytest.fixture(scope="module")
def environment(place):
    """What all our processes have, and by which they are known to be ours."""
    before = dict(os.environ)
    os.environ |= {MARK: uuid.uuid4().hex, "PYTHONPATH": str(place), IDLE: "3"}
    sys.path.append(str(place))
    yield dict(os.environ)
    sys.path.remove(str(place))
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(scope="module")
def shared_cluster(place, environment):
    """The cluster of all tests."""
    made = Cluster(place, environment)
    yield made
    made.close()


@pytest.fixture
def cluster(shared_cluster, braked):
    """The cluster, whole; after the test no process is left on it."""
    shared_cluster.heal()
    yield shared_cluster
    until(lambda: not processes(), "end of all processes")


@pytest.fixture
def braked(place):
    """The brake, off at first and at the end."""
    brake = place / "brake"
    yield brake
    brake.unlink(missing_ok=True)


def processes():
    """Processes of ours that do shards."""
    found = []
    for process in psutil.process_iter(["cmdline", "environ"]):
        ours = (process.info["environ"] or {}).get(MARK) == os.environ[MARK]
        if ours and "ensue.engine.worker" in (process.info["cmdline"] or []):
            found.append(process.pid)
    return found


def children():
    """All processes below this one but that of Python's own that waits for its end."""
    return {
        process.pid
        for process in psutil.Process().children(recursive=True)
        if not any("resource_tracker" in word for word in process.cmdline())
    }


def judge(place, folder, engine, **how):
    """Judge all pairs into a folder of shards."""
    options = RunOptions(engine=engine, shard_size=SHARD, **{"workers": 2, **how})
    return judge_source(
        str(place / "pairs.jsonl"),
        f"{folder}/",
        "python:braked_recognizer:judge",
        {"guard": "no"},
        format=RunFormat.PARQUET,
        options=options,
        batch_size=8,
    )


def command(place, folder, engine):
    """The same on the command line, as a process."""
    words = [
        "judge",
        place / "pairs.jsonl",
        "-r",
        "python:braked_recognizer:judge",
        "-s",
        "guard=no",
    ]
    options = ["--engine", engine, "--workers", 2, "--shard-size", SHARD, "--batch-size", 8]
    return subprocess.Popen(
        [sys.executable, "-m", "ensue.cli", *map(str, [*words, *options, "-o", f"{folder}/"])],
        cwd=place,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@contextmanager
def in_the_middle(place, folder, engine):
    """A run that goes on, with some of its shards done, while the brake is on."""
    with ThreadPoolExecutor(1) as executor:
        run = executor.submit(judge, place, folder, engine)
        until(lambda: n_done(folder) or (run.done() and run.result()), "first shard")
        yield run


def n_done(folder):
    journal = folder / "_journal.jsonl"
    return len(journal.read_text("utf-8").splitlines()) if journal.exists() else 0


def shards(folder):
    """The content of a run's shards by name."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("part-*.parquet"))}


def judged(folder):
    """The ids of all verdicts, in order."""
    return [
        id
        for path in sorted(folder.glob("part-*.parquet"))
        for id in pq.read_table(path).column("pair_id").to_pylist()
    ]


ALL = [f"p{i}" for i in range(N_PAIRS)]


def is_whole(folder):
    """Whether every pair has its verdict, once, in the files that the manifest names."""
    manifest = json.loads((folder / "_manifest.json").read_text("utf-8"))
    assert [each["file"] for each in manifest["shards"]] == list(shards(folder))
    assert manifest["statuses"] == {"decided": N_PAIRS}
    return judged(folder) == ALL


@pytest.fixture(scope="module")
def embedded(place, environment, tmp_path_factory):
    """A run of the embedded engine, uninterrupted."""
    folder = tmp_path_factory.mktemp("embedded") / "run"
    judge(place, folder, "embedded")
    return folder


def manifest(folder):
    """What a manifest says of the verdicts, without times."""
    found = json.loads((folder / "_manifest.json").read_text("utf-8"))
    for shard in found["shards"]:
        del shard["seconds"]
    return [found[key] for key in ("signature", "data", "statuses", "labels", "shards")]


@pytest.fixture(scope="module")
def distributed_run(place, shared_cluster, tmp_path_factory):
    """The same on the cluster."""
    shared_cluster.heal()
    folder = tmp_path_factory.mktemp("distributed") / "run"
    judge(place, folder, shared_cluster.engine, workers=None)
    return folder


def test_cluster_gives_the_same_run_as_the_embedded_engine(distributed_run, embedded):
    assert shards(distributed_run) == shards(embedded)
    assert manifest(distributed_run) == manifest(embedded)


def test_workers_are_seen_in_the_status(distributed_run):
    status = json.loads((distributed_run / "_status.json").read_text("utf-8"))
    assert all(each["name"].startswith("worker-") for each in status["workers"])
    assert sum(each["n_done"] for each in status["workers"]) == N_PAIRS


def test_local_cluster_gives_the_same_run_and_ends(place, embedded, environment, tmp_path, capfd):
    before = children()
    judge(place, tmp_path / "run", "dask")
    assert shards(tmp_path / "run") == shards(embedded)
    until(lambda: children() <= before, "end of the local cluster")
    assert capfd.readouterr() == ("", "")


def test_doubled_ids_are_found_on_a_cluster(place, cluster, tmp_path):
    lines = (place / "pairs.jsonl").read_text("utf-8").splitlines()
    (tmp_path / "pairs.jsonl").write_text("\n".join([*lines, lines[0]]) + "\n", "utf-8")
    (tmp_path / "braked_recognizer.py").write_text(RECOGNIZER, "utf-8")
    account = judge(tmp_path, tmp_path / "run", cluster.engine)
    assert [finding.code for finding in account.findings] == ["duplicate-id"]


@pytest.mark.parametrize("first", ["embedded", "distributed_run"])
def test_run_goes_on_with_the_other_engine(place, cluster, embedded, tmp_path, first, request):
    folder = tmp_path / "run"
    shutil.copytree(request.getfixturevalue(first), folder)
    (folder / "_manifest.json").unlink()
    for name in list(shards(folder))[::3]:
        (folder / name).unlink()
    other = cluster.engine if first == "embedded" else "embedded"
    account = judge(place, folder, other, resume=True)
    assert 0 < account.n_resumed < N_PAIRS
    assert shards(folder) == shards(embedded)


@pytest.mark.parametrize("signal_sent", [signal.SIGKILL, signal.SIGTERM])
def test_ended_worker_costs_no_pair(place, cluster, braked, tmp_path, signal_sent):
    braked.touch()
    folder = tmp_path / "run"
    with in_the_middle(place, folder, cluster.engine) as run:
        worker = cluster.workers[0]
        (process,) = until(lambda: psutil.Process(worker.pid).children(), "process of the worker")
        worker.send_signal(signal_sent)
        until(lambda: not is_alive(process.pid), "end of its process")
        braked.unlink()
        run.result(LIMIT)
    assert is_whole(folder)


def test_result_counts_though_its_worker_is_lost_right_after(
    place, cluster, embedded, monkeypatch, tmp_path
):
    gather = Client._gather

    async def gather_and_lose(client, tasks, *arguments, **options):
        found = await gather(client, tasks, *arguments, **options)
        for task in tasks:
            task._state.lose()
        return found

    monkeypatch.setattr(Client, "_gather", gather_and_lose)
    judge(place, tmp_path / "run", cluster.engine)
    assert shards(tmp_path / "run") == shards(embedded)


def test_killed_process_is_told_and_costs_no_pair(place, cluster, braked, tmp_path):
    braked.touch()
    folder = tmp_path / "run"
    with in_the_middle(place, folder, cluster.engine) as run:
        os.kill(processes()[0], signal.SIGKILL)
        braked.unlink()
        assert run.result(LIMIT).deaths == 1
    assert is_whole(folder)


def test_killed_scheduler_is_an_error_and_the_run_goes_on_without_it(
    place, cluster, braked, tmp_path
):
    braked.touch()
    folder = tmp_path / "run"
    process = command(place, folder, cluster.engine)
    until(lambda: n_done(folder) or process.poll() is not None, "first shard")
    cluster.scheduler.send_signal(signal.SIGKILL)
    _, told = process.communicate(timeout=LIMIT)
    assert process.returncode == 3, told
    assert f"the scheduler '{cluster.address}' is gone\nhint: start it again" in told
    assert "what is done is kept; go on with --resume" in told
    until(lambda: not processes(), "end of all processes")
    assert 0 < n_done(folder) < N_PAIRS / SHARD
    braked.unlink()
    judge(place, folder, "embedded", resume=True)
    assert is_whole(folder)


@pytest.mark.parametrize("signal_sent", [signal.SIGKILL, signal.SIGINT])
def test_ended_driver_leaves_no_process_and_the_run_goes_on(
    place, cluster, braked, tmp_path, signal_sent
):
    braked.touch()
    folder = tmp_path / "run"
    process = command(place, folder, cluster.engine)
    until(lambda: n_done(folder) or process.poll() is not None, "first shard")
    process.send_signal(signal_sent)
    process.communicate(timeout=LIMIT)
    until(lambda: not processes(), "end of all processes")
    assert 0 < n_done(folder) < N_PAIRS / SHARD
    braked.unlink()
    judge(place, folder, cluster.engine, resume=True)
    assert is_whole(folder)


def test_no_task_is_let_go_of_in_the_main_thread(
    place, environment, cluster, monkeypatch, tmp_path
):
    """Where an interrupt would be lost in its finalizer."""
    release, threads = Future.release, set()

    def release_noted(task):
        threads.add(threading.current_thread())
        release(task)

    monkeypatch.setattr(Future, "release", release_noted)
    judge(place, tmp_path / "run", cluster.engine)
    assert threads
    assert threading.main_thread() not in threads


def test_interrupted_local_cluster_ends_quietly(place, environment, braked, tmp_path):
    braked.touch()
    process = command(place, tmp_path / "run", "dask")
    until(lambda: n_done(tmp_path / "run") or process.poll() is not None, "first shard")
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, told = process.communicate(timeout=LIMIT)
    assert process.returncode == 130, told
    assert "Traceback" not in told
    assert "distributed" not in told
    until(lambda: not processes(), "end of all processes")


def test_address_that_nobody_answers_is_an_error(place, environment, monkeypatch, tmp_path):
    monkeypatch.setenv(CONNECT, "0.3")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    with pytest.raises(EngineError, match=f"no scheduler answers at 'tcp://127.0.0.1:{port}'"):
        judge(place, tmp_path / "run", f"dask://127.0.0.1:{port}")


def test_address_without_a_port_is_an_error(place, environment, tmp_path):
    with pytest.raises(SettingError, match="no address of a scheduler is like 'somewhere'"):
        judge(place, tmp_path / "run", "dask://somewhere")


def test_time_limit_that_is_none_is_an_error(place, environment, monkeypatch, tmp_path):
    monkeypatch.setenv(CONNECT, "soon")
    with pytest.raises(SettingError, match="ENSUE_CONNECT='soon' is no time limit"):
        judge(place, tmp_path / "run", "dask")


def test_dask_that_is_not_installed_is_an_error(place, environment, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(EngineError, check=coded("dask-not-installed")) as caught:
        judge(place, tmp_path / "run", "dask")
    assert caught.value.hint == f"run: {install_extra('dask')}"


@pytest.fixture
def bare():
    """A scheduler in this process, without workers."""
    with LocalCluster(n_workers=0, processes=False, protocol="tcp://", **QUIET) as made:
        yield made.scheduler_address


def test_scheduler_without_workers_is_an_error(place, environment, bare, monkeypatch, tmp_path):
    monkeypatch.setenv(CONNECT, "0.3")
    with pytest.raises(EngineError, match=r"has had no worker for 0\.3 s"):
        judge(place, tmp_path / "run", bare.replace("tcp://", "dask://"))


@pytest.fixture
def worker_with(shared_cluster, bare, tmp_path):
    """Start a worker of the bare scheduler in whose Python something is changed."""
    started = []

    def start(sitecustomize):
        (tmp_path / "sitecustomize.py").write_text(sitecustomize, "utf-8")
        started.append(shared_cluster.worker(bare, PYTHONPATH=str(tmp_path)))
        return bare.replace("tcp://", "dask://")

    yield start
    for process in started:
        process.kill()
        process.wait()


def test_worker_without_the_package_is_an_error(place, worker_with, tmp_path):
    engine = worker_with(WITHOUT_ENSUE)
    with pytest.raises(EngineError, match=r"the Dask worker 'tcp://.*' has no ensue") as caught:
        judge(place, tmp_path / "run", engine)
    assert f"install ensue {__version__} with its extra 'dask'" in caught.value.hint
    assert not shards(tmp_path / "run")


def test_worker_with_another_version_is_an_error(place, worker_with, tmp_path):
    (tmp_path / "ensue-0.0.1.dist-info").mkdir()
    (tmp_path / "ensue-0.0.1.dist-info" / "METADATA").write_text("Name: ensue\nVersion: 0.0.1\n")
    engine = worker_with("")
    with pytest.raises(EngineError, match=r"the Dask worker 'tcp://.*' has ensue 0\.0\.1, and"):
        judge(place, tmp_path / "run", engine)


@pytest.fixture
def certificates(tmp_path):
    """Dask's configuration for a certificate that vouches for itself."""
    if not shutil.which("openssl"):
        pytest.skip("no openssl to make a certificate with")
    certificate, key = str(tmp_path / "certificate.pem"), str(tmp_path / "key.pem")
    making = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=ensue"]
    subprocess.run([*making, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    settings = {"require-encryption": True, "tls.ca-file": certificate}
    for role in ("scheduler", "worker", "client"):
        settings |= {f"tls.{role}.cert": certificate, f"tls.{role}.key": key}
    with dask.config.set({f"distributed.comm.{name}": each for name, each in settings.items()}):
        yield


def test_worker_of_several_threads_has_a_process_for_each(place, shared_cluster, bare, tmp_path):
    worker = shared_cluster.worker(bare, threads=3)
    try:
        judge(place, tmp_path / "run", bare.replace("tcp://", "dask://"), workers=3)
    finally:
        worker.kill()
        worker.wait()
    assert is_whole(tmp_path / "run")
    status = json.loads((tmp_path / "run" / "_status.json").read_text("utf-8"))
    assert [each["name"][-2:] for each in status["workers"]] == ["/0", "/1", "/2"]


def test_configured_cluster_is_reached_by_tls(place, environment, certificates, tmp_path):
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, **QUIET) as made:
        assert made.scheduler_address.startswith("tls://")
        judge(place, tmp_path / "run", made.scheduler_address.replace("tls://", "dask://"))
    assert is_whole(tmp_path / "run")
