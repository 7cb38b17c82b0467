"""Provers by name."""

from __future__ import annotations

import shlex
import shutil
import subprocess

from ensue.errors import SettingError, UnknownNameError
from ensue.logic.proving.model import Prover
from ensue.logic.proving.tptp import TptpProver
from ensue.logic.proving.z3 import Z3Prover

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
            f"cannot read the command {command!r}: {str(error).lower()}",
            hint="write it as in a shell",
        ) from None


def _eprover_version() -> str:
    """The version that E states: `E 2.6 Floral Guranse (…)` is 2.6."""
    if shutil.which("eprover") is None:
        raise SettingError(
            "the prover 'eprover' is not installed",
            hint="install E, e.g. by: apt install eprover; or use z3",
        )
    done = subprocess.run(["eprover", "--version"], capture_output=True, text=True, check=False)
    words = done.stdout.split()
    return words[1] if len(words) > 1 else ""
