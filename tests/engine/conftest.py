"""Files of pairs, a recognizer that does what its pairs say, and what a run may not leave behind."""

import json
import os
import subprocess
import sys
import textwrap
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

MARK = "ENSUE_TEST_MARK"

LAB = """
import os
import signal
import sys
import time
from pathlib import Path

def judge(pairs):
    return [answer(pair) for pair in pairs]

def answer(pair):
    deed, number = pair.text.split()[:2]
    if deed in DEEDS:
        DEEDS[deed]()
    score = int(number) % 7 / 7
    return {"label": "entailment" if score > 0.4 else "not-entailment", "score": score}

def fail():
    raise ValueError("of all things")

def hold():
    limit = time.monotonic() + 60
    while not Path("gate").exists() and time.monotonic() < limit:
        time.sleep(0.005)

def interrupt():
    if not Path("gate").exists():
        raise KeyboardInterrupt

DEEDS = {
    "exit": lambda: os._exit(3),
    "crash": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "leave": lambda: sys.exit("enough"),
    "fail": fail,
    "hold": hold,
    "interrupt": interrupt,
}
"""


def pair_lines(n, deeds=None):
    """Pairs p0, p1, … whose texts say what the recognizer of the laboratory does with them."""
    deeds = deeds or {}
    return "".join(
        json.dumps(
            {"id": f"p{i}", "text": f"{deeds.get(i, 'word')} {i} is here", "hypothesis": "here"}
        )
        + "\n"
        for i in range(n)
    )


@pytest.fixture
def source(tmp_path):
    """Five hundred pairs in JSONL."""
    lines = [
        json.dumps({"id": f"p{i}", "text": f"word{i} is here today", "hypothesis": f"word{i} is"})
        for i in range(500)
    ]
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def wait_until():
    """Wait until something is so."""
    return until


def until(condition, what, limit=60.0):
    """Wait until something is so, and give what it is; a busy machine takes its time."""
    end = time.monotonic() + limit
    while not (found := condition()):
        assert time.monotonic() < end, f"waited too long for {what}"
        time.sleep(0.005)
    return found


def is_alive(pid):
    """Whether a process runs; what has ended and waits for its parent does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def marked_processes(mark):
    """The processes that have the mark in their environment, whoever their parent is by now."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK) == mark and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


@pytest.fixture
def mark(monkeypatch):
    """Mark all processes that a test starts; none of them may outlive it."""
    value = uuid.uuid4().hex
    monkeypatch.setenv(MARK, value)
    yield value
    until(lambda: not marked_processes(value), "all processes to end")


@dataclass
class Laboratory:
    """A directory with a recognizer that dies, fails and waits as its pairs say."""

    path: Path
    mark: str
    begun: list = field(default_factory=list)
    """The processes of runs that were not waited for."""

    def pairs(self, n, deeds=None):
        """Write so many pairs, and what is to happen at some of them."""
        (self.path / "pairs.jsonl").write_text(pair_lines(n, deeds), encoding="utf-8")

    def arguments(self, *more, output="run.jsonl", workers=1, shard_size=10, batch_size=5):
        """The command line of a run over the pairs."""
        command = [sys.executable, "-m", "ensue.cli", "judge", "pairs.jsonl", "-s", "guard=no"]
        sizes = ["--shard-size", shard_size, "--batch-size", batch_size]
        workers = ["--workers", workers] if workers else []
        named = [] if "-r" in more else ["-r", "python:lab:judge"]
        return [str(each) for each in (*command, *named, "-o", output, *sizes, *workers, *more)]

    def judge(self, *more, **options):
        """Run to the end."""
        limits = {"preexec_fn": options.pop("limited")} if "limited" in options else {}
        return subprocess.run(
            self.arguments(*more, **options),
            cwd=self.path,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            **limits,
        )

    def begin(self, *more, done=0, **options):
        """Begin a run, and wait until so many shards are done and a worker holds."""
        process = subprocess.Popen(
            self.arguments(*more, **options),
            cwd=self.path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.begun.append(process)
        output = options.get("output", "run.jsonl")
        folder = self.path / (output if output.endswith("/") else f"{output}.partial")

        def is_so():
            assert process.poll() is None, process.stderr.read()
            return len(self.journal(folder)) >= done and len(self.workers()) >= 1

        until(is_so, f"{done} shards")
        return process

    def journal(self, folder):
        """The lines of a journal."""
        path = self.path / folder / "_journal.jsonl"
        return path.read_bytes().splitlines() if path.exists() else []

    def workers(self):
        """The processes that do the work."""
        return [
            process
            for process in marked_processes(self.mark)
            if "ensue.engine.worker" in process.cmdline()
        ]

    def open_gate(self):
        """Let those go on that wait."""
        (self.path / "gate").touch()

    def verdicts(self, output="run.jsonl"):
        """What the run says, by lines."""
        return (self.path / output).read_text(encoding="utf-8").splitlines()[1:]


@pytest.fixture
def lab(tmp_path, mark):
    """A laboratory in the test's own directory."""
    (tmp_path / "lab.py").write_text(textwrap.dedent(LAB), encoding="utf-8")
    laboratory = Laboratory(tmp_path, mark)
    yield laboratory
    for process in laboratory.begun:
        process.kill()
        process.communicate()


@pytest.fixture
def here(lab, monkeypatch):
    """The laboratory, with the test process in it."""
    monkeypatch.chdir(lab.path)
    monkeypatch.setattr("sys.path", [*sys.path, os.fspath(lab.path)])
    yield lab
    sys.modules.pop("lab", None)
