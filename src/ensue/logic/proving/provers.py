"""Provers by name, and outside provers that read problems of the TPTP.

They say so by a line with a status of the SZS ontology (Sutcliffe, "The SZS Ontologies for
Automated Reasoning Software", 2008).
"""

from __future__ import annotations

import math
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from ensue.errors import EnsueError, SettingError, UnknownNameError
from ensue.logic.deadline import Deadline
from ensue.logic.formulas import Formula, Not, goal_name, tptp_name, tptp_problem
from ensue.logic.proving.questions import (
    BUDGET,
    Budget,
    Premise,
    ProofQuestion,
    ProofResult,
    Prover,
    Satisfiability,
    SatisfiabilityCheck,
)
from ensue.logic.proving.z3 import Z3Prover

# Provers outside: programs that read a problem of the TPTP and say what became of it.

_STATUS = re.compile(r"^\W*SZS status:?\s+(\w+)", re.MULTILINE)
_PROOF = re.compile(r"SZS output start(.*?)SZS output end", re.DOTALL)
_SOURCE = re.compile(r"file\(\s*(?:'(?:[^'\\]|\\.)*'|[^,()']+),\s*('(?:[^'\\]|\\.)*'|\w+)\s*\)")
_CONTRADICTION = frozenset({"Theorem", "Unsatisfiable", "ContradictoryAxioms"})
_MODEL = frozenset({"CounterSatisfiable", "Satisfiable"})
_UNDECIDED = {
    "Timeout": "seconds",
    "ResourceOut": "the prover ran out of resources",
    "MemoryOut": "the prover ran out of memory",
    "GaveUp": "the prover gave up",
    "Incomplete": "the prover gave up",
    "Unknown": "the prover gave up",
}
_HINT = "give a program that reads the TPTP and its arguments, e.g. 'tptp:eprover --satauto {file}'"


class TptpProver:
    """Answers by a program that is started for each check.

    In its command, `{file}` stands for the problem, which comes last where it is not named, and
    `{seconds}` for the time that the program has, in whole seconds and at least one. Where it
    shows no proof, the core has all premises.
    """

    def __init__(self, command: Sequence[str], *, name: str = "tptp", version: str = "") -> None:
        if not command:
            raise SettingError("prover-without-command", "a prover without a command", hint=_HINT)
        named = any("{file}" in word for word in command)
        self.command = tuple(command) if named else (*command, "{file}")
        self.name = name
        self.version = version

    def ask(
        self,
        premises: Sequence[Premise],
        goal: Formula,
        *,
        refutable: Formula | None = None,
        budget: Budget = BUDGET,
        deadline: Deadline | None = None,
        explain: bool = False,
    ) -> ProofResult:
        """Whether a goal, or its negation, follows from premises; see `Prover.ask`.

        Raises:
            EnsueError: the program cannot be started, or ends without a status that is known.
        """
        refutable = goal if refutable is None else refutable
        question = _TptpQuestion(self.command, premises, goal, refutable, budget, deadline)
        return question.answer(explain=explain)


class _TptpQuestion(ProofQuestion):
    def __init__(
        self,
        command: Sequence[str],
        premises: Sequence[Premise],
        goal: Formula,
        refutable: Formula,
        budget: Budget,
        deadline: Deadline | None,
    ) -> None:
        super().__init__(premises, goal, refutable, budget, deadline)
        self._command = command
        self._conjectures = {self.negated: goal, self.refutable: Not(refutable)}

    def check(self, numbers: Sequence[int], *, share: float = 1.0) -> SatisfiabilityCheck:
        """Whether formulas contradict each other: whether the last, denied, follows."""
        premises = [self.premises[i] for i in numbers if i not in self._conjectures]
        goals = [i for i in numbers if i in self._conjectures]
        problem = tptp_problem(premises, self._conjectures[goals[0]] if goals else None)
        seconds = self.deadline.left * share
        output = _run(self._command, problem, seconds) if seconds > 0 else None
        if output is None:
            return SatisfiabilityCheck(Satisfiability.UNDECIDED, reason="seconds")
        status = _status(output)
        if status in _MODEL:
            return SatisfiabilityCheck(Satisfiability.MODEL)
        if status in _UNDECIDED:
            return SatisfiabilityCheck(Satisfiability.UNDECIDED, reason=_UNDECIDED[status])
        core = self._used(output.stdout, numbers)
        own = status == "ContradictoryAxioms"
        return SatisfiabilityCheck(
            Satisfiability.CONTRADICTION, core=core.difference(goals) if own else core
        )

    def _used(self, output: str, numbers: Sequence[int]) -> frozenset[int]:
        """The formulas that a proof starts from, or all where there is no proof."""
        proof = _PROOF.search(output)
        sources = set(_SOURCE.findall(proof[1])) if proof else set()
        goal = tptp_name(goal_name(self.premises[i] for i in numbers if i < self.negated))
        names = {i: tptp_name(self.premises[i].name) if i < self.negated else goal for i in numbers}
        used = frozenset(i for i, name in names.items() if name in sources)
        return used or frozenset(numbers)


@dataclass(frozen=True, slots=True)
class _Output:
    command: str
    code: int
    stdout: str
    stderr: str


def _run(command: Sequence[str], problem: str, seconds: float) -> _Output | None:
    """What a program writes about a problem; None where it does not end in time."""
    with tempfile.NamedTemporaryFile("w", suffix=".p", encoding="ascii") as file:
        file.write(problem)
        file.flush()
        limit = str(max(1, math.ceil(seconds)))
        words = [word.replace("{file}", file.name).replace("{seconds}", limit) for word in command]
        process = _start(words)
        try:
            stdout, stderr = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            _end(process)
    written = stdout.decode("utf-8", "replace"), stderr.decode("utf-8", "replace")
    return _Output(" ".join(command), process.returncode, *written)


def _start(words: Sequence[str]) -> subprocess.Popen[bytes]:
    try:
        # a session of its own, so that what it starts can be ended with it
        return subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise SettingError(
            "cannot-start-prover",
            f"cannot start the prover {words[0]!r}: {error.strerror or error}",
            hint=_HINT,
        ) from None


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a program and what it started, whatever of them is left."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _status(output: _Output) -> str:
    """The status that a program gave.

    Raises:
        EnsueError: there is none, or one that is no answer.
    """
    found = _STATUS.search(output.stdout)
    if found and found[1] in _CONTRADICTION | _MODEL | _UNDECIDED.keys():
        return found[1]
    said = f"the status {found[1]!r}, which is no answer" if found else "no SZS status"
    ending = f"exit code {output.code}" if output.code >= 0 else f"signal {-output.code}"
    words = output.stderr.strip().rsplit("\n", 1)[-1].strip()
    raise EnsueError(
        "prover-gave",
        f"the prover `{output.command}` gave {said} ({ending})" + (words and f": {words}"),
        hint="run the command on a problem of your own; it must read the TPTP and print its "
        "answer as '% SZS status Theorem' or the like",
    )


# Provers by name.

PROVERS = ("z3", "eprover", "tptp:COMMAND")

_OUTSIDE = "tptp:"
# saturation must mean something, so no premise may be left out: --auto would do that
_EPROVER = ("eprover", "--satauto", "--silent", "--proof-object=1", "--cpu-limit={seconds}")


def open_prover(name: str) -> Prover:
    """The prover of a name: `z3`, `eprover` or `tptp:COMMAND {file} {seconds}`.

    Raises:
        UnknownNameError: no prover has the name.
        EnsueError: the prover is not installed.
    """
    if name == "z3":
        return Z3Prover()
    if name == "eprover":
        return TptpProver(_EPROVER, name="eprover", version=_eprover_version())
    if name.startswith(_OUTSIDE):
        return TptpProver(_words(name.removeprefix(_OUTSIDE)), name=name)
    raise UnknownNameError.of("prover", name, PROVERS)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise SettingError(
            "cannot-read-command",
            f"cannot read the command {command!r}: {str(error).lower()}",
            hint="write it as in a shell",
        ) from None


def _eprover_version() -> str:
    """The version that E states: `E 2.6 Floral Guranse (…)` is 2.6."""
    if shutil.which("eprover") is None:
        raise SettingError(
            "prover-eprover-not-installed",
            "the prover 'eprover' is not installed",
            hint="install E, e.g. by: apt install eprover; or use z3",
        )
    done = subprocess.run(["eprover", "--version"], capture_output=True, text=True, check=False)
    words = done.stdout.split()
    return words[1] if len(words) > 1 else ""
