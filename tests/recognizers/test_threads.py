"""Threads that begin before anything is loaded, and those that prove for long."""

import re
import subprocess
import sys
import threading

import ensue
from ensue.logic.proving import open_prover
from ensue.pairs import Pair
from ensue.recognizers.logic import LogicRecognizer, LogicSettings, ProverSession

COLD = """
import sys
from concurrent.futures import ThreadPoolExecutor

import ensue

sys.setswitchinterval(1e-4)
names = ("features", "logic", "joint", "modified-bleu", "overlap", "random")
time = {"seconds": 600}  # a busy machine takes its time


def ask(i):
    text = f"A dog barked at {i} cats."
    name = names[i % len(names)]
    recognizer = ensue.load(name, time) if name in ("logic", "joint") else name
    if i // len(names) % 2:
        return ensue.explain(text, "A dog barked.", recognizer).verdict
    return ensue.judge(text, "A dog barked.", recognizer)


with ThreadPoolExecutor(8) as pool:
    print(*[said.label.value for said in pool.map(ask, range(36))])
"""


def test_threads_may_be_the_first_to_judge(tmp_path):
    command = [sys.executable, "-c", COLD]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    said = done.stdout.split()
    assert len(said) == 36
    assert {label for i, label in enumerate(said) if i % 6 != 5} == {"entailment"}


def test_example_of_the_docs_runs(root, monkeypatch):
    monkeypatch.chdir(root)
    page = (root / "docs" / "recognizers.md").read_text("utf-8")
    (code,) = re.findall(r"^```python\n(.*?ThreadPool.*?)^```", page, re.MULTILINE | re.DOTALL)
    names = {}
    exec(code, names)
    assert [verdict.pair_id for verdict in names["verdicts"]] == ["1"] * len(names["pairs"])


class EndlessProver:
    """A prover that asks another one only when it is told to."""

    name, version = "endless", ""

    def __init__(self):
        self.asked, self.told = threading.Event(), threading.Event()

    def ask(self, *question, **how):
        self.asked.set()
        assert self.told.wait(300)
        return open_prover("z3").ask(*question, **how)


def test_long_proof_keeps_nobody_from_parsing():
    prover, chosen = EndlessProver(), LogicSettings()
    long = LogicRecognizer(chosen, ProverSession(chosen, prover))
    said = []
    text, hypothesis = "Every otter near the mill swam.", "Some otter swam."
    proof = threading.Thread(target=lambda: said.extend(long.judge([Pair("1", text, hypothesis)])))
    proof.start()
    assert prover.asked.wait(300)
    asked = ("An otter of the northern river swam.", "An otter swam.")
    assert ensue.judge(*asked, "features").label
    assert not said
    prover.told.set()
    proof.join()
    assert len(said) == 1
