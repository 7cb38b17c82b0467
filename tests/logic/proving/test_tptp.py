"""Provers outside: what they say, how they fail, how they end."""

import shutil
import tempfile
import time

import psutil
import pytest
from tests.errors import coded

from ensue.errors import EnsueError, SettingError
from ensue.logic.formulas import And, Atom, Constant, Exists, ForAll, Implies, Not, Variable
from ensue.logic.proving import Budget, Premise, ProofStatus, TptpProver, open_prover

X = Variable("x")
REX = Constant("rex")
DOG = Premise("t1", Atom("dog", (REX,)))
ANIMALS = Premise("it's w1", ForAll((X,), Implies(Atom("dog", (X,)), Atom("animal", (X,)))))
NOT_A_DOG = Premise("t2", Not(Atom("dog", (REX,))))
GOAL = Exists((X,), Atom("animal", (X,)))

needs_eprover = pytest.mark.skipif(
    shutil.which("eprover") is None, reason="the prover E is not installed"
)


@pytest.fixture
def saying(tmp_path):
    """Make a prover that gives some statuses, one at each start, and no proof."""

    def make(*statuses):
        for i, status in enumerate(statuses):
            (tmp_path / str(i)).write_text(f"% SZS status {status} for problem\n")
        take = f'cd {tmp_path}; first=$(ls | head -n 1); cat "$first"; rm "$first"'
        return TptpProver(["sh", "-c", take, "{file}"])

    return make


@pytest.mark.parametrize(
    ("statuses", "answer"),
    [
        (("Theorem", "Satisfiable"), ProofStatus.PROVED),
        (("Unsatisfiable", "Satisfiable"), ProofStatus.PROVED),
        (("Theorem", "Unsatisfiable"), ProofStatus.INCONSISTENT),
        (("ContradictoryAxioms",), ProofStatus.INCONSISTENT),
        (("CounterSatisfiable", "Theorem"), ProofStatus.REFUTED),
        (("CounterSatisfiable", "CounterSatisfiable"), ProofStatus.OPEN),
        (("Satisfiable", "Satisfiable"), ProofStatus.OPEN),
        (("GaveUp", "CounterSatisfiable"), ProofStatus.EXHAUSTED),
        (("CounterSatisfiable", "Timeout"), ProofStatus.EXHAUSTED),
        (("Timeout", "Theorem", "Satisfiable"), ProofStatus.REFUTED),
        (("Timeout", "Theorem", "Unsatisfiable"), ProofStatus.INCONSISTENT),
        (("Theorem", "ResourceOut"), ProofStatus.PROVED),
    ],
    ids=" ".join,
)
def test_statuses_make_an_answer(saying, statuses, answer):
    assert saying(*statuses).ask([DOG], GOAL).answer is answer


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("Timeout", "seconds"),
        ("ResourceOut", "the prover ran out of resources"),
        ("GaveUp", "the prover gave up"),
    ],
)
def test_status_is_the_reason_of_no_answer(saying, status, reason):
    assert saying(status, status).ask([DOG], GOAL).reason == reason


def test_core_without_a_proof_has_all_premises(saying):
    assert saying("Theorem", "Satisfiable").ask([DOG, ANIMALS], GOAL).core == ("t1", "it's w1")


def test_command_gets_the_problem_and_the_seconds(tmp_path):
    copy = tmp_path / "copy.p"
    script = f'cp "$1" {copy}; echo "$2" >> {copy}; echo SZS status GaveUp'
    prover = TptpProver(["sh", "-c", script, "prover", "{file}", "--limit={seconds}"])
    prover.ask([DOG], GOAL, budget=Budget(seconds=9.5))
    assert copy.read_text().splitlines()[0] == "fof(t1, axiom, dog(rex__c))."
    assert copy.read_text().splitlines()[-1] in ("--limit=9", "--limit=10")


def test_command_without_a_place_for_the_problem_gets_it_last():
    assert TptpProver(["prover", "-q"]).command == ("prover", "-q", "{file}")


def test_problem_is_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    TptpProver(["echo", "SZS status GaveUp"]).ask([DOG], GOAL)
    assert list(tmp_path.iterdir()) == []


def test_late_prover_is_ended_with_what_it_started(tmp_path):
    child = tmp_path / "child"
    script = f"sleep 600 & echo $! > {child}; wait"
    prover = TptpProver(["sh", "-c", script, "{file}"])
    found = prover.ask([DOG], GOAL, budget=Budget(seconds=0.5))
    assert found.answer is ProofStatus.EXHAUSTED
    assert found.reason == "seconds"
    assert _is_gone(int(child.read_text()))


def _is_gone(pid: int) -> bool:
    for _ in range(200):
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.01)
    return False


def test_missing_prover_is_an_error():
    with pytest.raises(SettingError, match="cannot start the prover 'no-such-prover'") as caught:
        open_prover("tptp:no-such-prover {file}").ask([DOG], GOAL)
    assert "tptp:eprover" in caught.value.hint


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo one >&2; echo two >&2; exit 3", "no SZS status (exit code 3): two"),
        ("kill -9 $$", "no SZS status (signal 9)"),
        ("echo hello", "no SZS status (exit code 0)"),
        ("echo SZS status Maybe", "the status 'Maybe', which is no answer (exit code 0)"),
    ],
)
def test_prover_that_fails_is_an_error(script, message):
    with pytest.raises(EnsueError) as caught:
        TptpProver(["sh", "-c", script, "{file}"]).ask([DOG], GOAL)
    assert caught.value.message == f"the prover `sh -c {script} {{file}}` gave {message}"
    assert "SZS status Theorem" in caught.value.hint


def test_output_that_is_no_text_is_an_error():
    with pytest.raises(EnsueError, match="gave no SZS status"):
        TptpProver(["sh", "-c", r"printf '\377\376'", "{file}"]).ask([DOG], GOAL)


@pytest.mark.parametrize("name", ["tptp:", "tptp:   "])
def test_prover_without_a_command_is_an_error(name):
    with pytest.raises(SettingError, check=coded("prover-without-command")):
        open_prover(name)


def test_command_with_an_open_quote_is_an_error():
    with pytest.raises(SettingError, match="no closing quotation"):
        open_prover("tptp:prover 'x")


def test_prover_by_command_is_called_by_it():
    assert open_prover("tptp:prover --fast {file}").name == "tptp:prover --fast {file}"


def test_missing_eprover_says_how_to_install_it(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SettingError, check=coded("prover-eprover-not-installed")) as caught:
        open_prover("eprover")
    assert "apt install eprover" in caught.value.hint


@needs_eprover
@pytest.mark.parametrize(
    ("premises", "goal", "answer", "core"),
    [
        ([NOT_A_DOG, ANIMALS], GOAL, ProofStatus.OPEN, ()),
        ([DOG, ANIMALS], GOAL, ProofStatus.PROVED, ("t1", "it's w1")),
        ([DOG, ANIMALS], Not(GOAL), ProofStatus.REFUTED, ("t1", "it's w1")),
        ([DOG, ANIMALS, NOT_A_DOG], GOAL, ProofStatus.INCONSISTENT, ("t1", "t2")),
        ([DOG, ANIMALS], And((DOG.formula,)), ProofStatus.PROVED, ("t1",)),
    ],
)
def test_eprover_answers_with_its_core(premises, goal, answer, core):
    found = open_prover("eprover").ask(premises, goal, budget=Budget(seconds=20), explain=True)
    assert (found.answer, found.needed) == (answer, core)


@needs_eprover
def test_eprover_says_its_version():
    assert open_prover("eprover").version[0].isdigit()
