"""Any program as a recognizer: pairs go to its standard input, verdicts come from its output."""

from __future__ import annotations

import os
import shlex
import shutil
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ensue import __version__
from ensue.errors import SettingError
from ensue.pairs import Pair, Signature, Verdict
from ensue.recognizers.explanation import Evidence, Explanation
from ensue.recognizers.outside.answers import (
    Labels,
    answer_steps,
    label_map,
    labels_view,
    shown_labels,
    verdict_of,
)
from ensue.recognizers.outside.guard import OBVIOUS, check_order
from ensue.recognizers.outside.process import COMMAND_HINT
from ensue.recognizers.outside.program import CommandSettings, Program
from ensue.recognizers.settings import filled

PREFIX = "command"


@dataclass(frozen=True, slots=True, eq=False)
class CommandRecognizer:
    """What a program says; it runs from the first pairs on until this object is gone."""

    command: str
    chosen: CommandSettings
    labels: Labels | None
    content: str | None
    """The hash of the files that the command names."""
    program: Program
    checked: threading.Event
    """Set once the obvious pairs need not be asked any more."""

    @property
    def signature(self) -> Signature:
        """The command, its files and the labels; the guard changes no verdict."""
        return Signature(
            PREFIX,
            __version__,
            {
                "command": self.command,
                **recipe(self.content, self.labels),
                "batch": self.chosen.batch,
                "time_limit": self.chosen.time_limit,
                "restarts": self.chosen.restarts,
            },
            view=labels_view(self.labels),
        )

    def check(self) -> None:
        """Ask the obvious pairs, unless that was done or is not wanted."""
        if self.chosen.guard and not self.checked.is_set():
            check_order(self.program.ask_in_passing(OBVIOUS), self.labels)
        self.checked.set()

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict for each pair: what the program says, or `failed` and why."""
        if pairs:
            self.check()
        answers = self.program.ask(pairs)
        return [verdict_of(*each, self.labels) for each in zip(pairs, answers, strict=True)]

    def explain(self, pair: Pair) -> Explanation:
        """The program's own `explanation` or `reason`, and what its label was taken for."""
        self.check()
        answer = self.program.ask([pair])[0]
        verdict = verdict_of(pair, answer, self.labels)
        evidence = Evidence(steps=answer_steps(answer, verdict))
        return Explanation(pair, verdict, self.signature, evidence)

    def close(self) -> None:
        """End the program now."""
        self.program.close()


def command_recognizer(command: str, settings: Mapping[str, object]) -> CommandRecognizer:
    """The recognizer that a command is; the program is not started before it is asked.

    Args:
        command: A program and its arguments, quoted as in a shell, which is not involved.
        settings: `labels`, `batch`, `time_limit`, `restarts`, `guard`.

    Raises:
        SettingError: there is no such program, or a setting makes no sense.
    """
    given = dict(settings)
    labels = label_map(given.pop("labels", None))
    chosen = _checked(filled(CommandSettings, given))
    words = _words(command)
    program = Program(words, chosen)
    content = hash_of_files(words)
    return CommandRecognizer(command, chosen, labels, content, program, threading.Event())


def recipe(content: str | None, labels: Labels | None) -> dict[str, str]:
    """The hash and the labels as a signature has them, where there are any."""
    parts = {"sha256": content, "labels": labels and shown_labels(labels)}
    return {name: part for name, part in parts.items() if part}


def hash_of_files(names: Sequence[str]) -> str | None:
    """The hash of the content of those that are files, or of NAME=FILE; None where none is."""
    files = [name for word in names for name in (word, word.partition("=")[2]) if _is_file(name)]
    if not files:
        return None
    digests = [sha256(Path(name).read_bytes()).digest() for name in files]
    return sha256(b"".join(digests)).hexdigest()[:16]


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise SettingError(
            f"cannot read the command {command!r}: {str(error).lower()}", hint=COMMAND_HINT
        ) from None
    if not words:
        raise SettingError("there is no command", hint=COMMAND_HINT)
    if shutil.which(words[0]) is None:
        raise SettingError(f"there is no program called {words[0]!r}", hint=COMMAND_HINT)
    return words


def _checked(chosen: CommandSettings) -> CommandSettings:
    if chosen.batch < 1:
        raise SettingError(f"a batch of {chosen.batch} pairs makes no sense", hint="give 1 or more")
    if not 0 < chosen.time_limit < float("inf"):
        raise SettingError(
            f"a time limit of {chosen.time_limit:g} s makes no sense", hint="give seconds above 0"
        )
    if chosen.restarts < 0:
        raise SettingError(f"{chosen.restarts} restarts make no sense", hint="give 0 or more")
    return chosen


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file() and os.access(name, os.R_OK)
    except (OSError, ValueError):  # a name that is too long, or has a NUL in it
        return False
