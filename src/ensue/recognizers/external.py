"""Any program, and any Python function of pairs, as a recognizer."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from functools import reduce
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from ensue import __version__
from ensue.concurrency import no_fork
from ensue.errors import RunError, SettingError
from ensue.pairs import Pair, Signature, Verdict
from ensue.recognizers.contract import Evidence, Explanation, checked_pair, checked_pairs, filled
from ensue.recognizers.external_labels import (
    OBVIOUS,
    ExternalAnswer,
    Labels,
    answer_steps,
    check_order,
    label_map,
    labels_view,
    shown_labels,
    verdict_of,
)
from ensue.recognizers.external_process import COMMAND_HINT, CommandSettings, Program, answered_id

# Any program as a recognizer: pairs go to its standard input, verdicts come from its output.

COMMAND_PREFIX = "command"


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
            COMMAND_PREFIX,
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
        lock = self.program.lock if self.chosen.guard else None
        _check_once(self.checked, lock, lambda: self.program.ask_in_passing(OBVIOUS), self.labels)

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict for each pair: what the program says, or `failed` and why."""
        if checked_pairs(pairs):
            self.check()
        answers = self.program.ask(pairs)
        return [verdict_of(*each, self.labels) for each in zip(pairs, answers, strict=True)]

    def explain(self, pair: Pair) -> Explanation:
        """The program's own `explanation` or `reason`, and what its label was taken for."""
        checked_pair(pair)
        self.check()
        answer = self.program.ask([pair])[0]
        verdict = verdict_of(pair, answer, self.labels)
        evidence = Evidence(steps=answer_steps(answer, verdict))
        return Explanation(pair, verdict, self.signature, evidence)

    def close(self) -> None:
        """End the program now."""
        self.program.close()

    def __reduce__(self) -> tuple[Any, ...]:
        """The recipe: another process starts a program of its own."""
        return command_recognizer, (self.command, {**asdict(self.chosen), "labels": self.labels})


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
            "cannot-read-command",
            f"cannot read the command {command!r}: {str(error).lower()}",
            hint=COMMAND_HINT,
        ) from None
    if not words:
        raise SettingError("no-command", "there is no command", hint=COMMAND_HINT)
    if shutil.which(words[0]) is None:
        raise SettingError(
            "no-program-called", f"there is no program called {words[0]!r}", hint=COMMAND_HINT
        )
    return words


def _checked(chosen: CommandSettings) -> CommandSettings:
    if chosen.batch < 1:
        raise SettingError(
            "batch-pairs-makes-no",
            f"a batch of {chosen.batch} pairs makes no sense",
            hint="give 1 or more",
        )
    if not 0 < chosen.time_limit < float("inf"):
        raise SettingError(
            "time-limit-makes-no",
            f"a time limit of {chosen.time_limit:g} s makes no sense",
            hint="give seconds above 0",
        )
    if chosen.restarts < 0:
        raise SettingError(
            "restarts-make-no-sense",
            f"{chosen.restarts} restarts make no sense",
            hint="give 0 or more",
        )
    return chosen


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file() and os.access(name, os.R_OK)
    except (OSError, ValueError):  # a name that is too long, or has a NUL in it
        return False


# Any Python function of pairs as a recognizer, in this process.

PYTHON_PREFIX = "python"

JudgeFunction = Callable[[list[Pair]], Iterable[Any]]
"""A function of pairs that gives a label, an object or a verdict for each of them."""


@dataclass(frozen=True, slots=True)
class CallableSettings:
    """How a function is called."""

    batch: int = 64
    """Pairs that it is given at a time."""
    guard: bool = True
    """Whether obvious pairs are asked first."""


@dataclass(frozen=True, slots=True, eq=False)
class CallableRecognizer:
    """What a function says of pairs, whose gold it does not see; one thread calls it at a time."""

    target: str
    function: JudgeFunction
    chosen: CallableSettings
    labels: Labels | None
    content: str | None
    """The hash of the function's module."""
    checked: threading.Event
    """Set once the obvious pairs need not be asked any more."""

    @property
    def signature(self) -> Signature:
        """The function, its module's file and the labels; the guard changes no verdict."""
        settings = {
            "callable": self.target,
            **recipe(self.content, self.labels),
            "batch": self.chosen.batch,
        }
        return Signature(PYTHON_PREFIX, __version__, settings, view=labels_view(self.labels))

    def check(self) -> None:
        """Ask the obvious pairs, unless that was done or is not wanted."""
        lock = _call_lock(self.target) if self.chosen.guard else None
        _check_once(self.checked, lock, lambda: self._ask(OBVIOUS), self.labels)

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict for each pair: what the function says, or `failed` and why."""
        if checked_pairs(pairs):
            self.check()
        answers = self._ask(pairs)
        return [verdict_of(*each, self.labels) for each in zip(pairs, answers, strict=True)]

    def explain(self, pair: Pair) -> Explanation:
        """The function's own `explanation` or `reason`, and what its label was taken for."""
        checked_pair(pair)
        self.check()
        answer = self._ask([pair])[0]
        verdict = verdict_of(pair, answer, self.labels)
        evidence = Evidence(steps=answer_steps(answer, verdict))
        return Explanation(pair, verdict, self.signature, evidence)

    def _ask(self, pairs: Sequence[Pair]) -> list[ExternalAnswer]:
        size = self.chosen.batch
        batches = [pairs[i : i + size] for i in range(0, len(pairs), size)]
        return [answer for batch in batches for answer in self._answers(batch)]

    def _answers(self, batch: Sequence[Pair]) -> list[ExternalAnswer]:
        """The answers to one batch; where the function raises, to each pair alone."""
        try:
            with _call_lock(self.target):
                answers = list(self.function([replace(pair, gold=None) for pair in batch]))
        except Exception as error:
            if len(batch) > 1:
                return [answer for pair in batch for answer in self._answers([pair])]
            return [ExternalAnswer(failure=f"{type(error).__name__}: {error}")]
        return _by_pair([_record(answer) for answer in answers], batch, self.target)

    def __reduce__(self) -> tuple[Any, ...]:
        """The recipe: another process imports the function's module itself."""
        return callable_recognizer, (self.target, {**asdict(self.chosen), "labels": self.labels})


def _check_once(
    checked: threading.Event,
    lock: AbstractContextManager[object] | None,
    ask: Callable[[], list[ExternalAnswer]],
    labels: Labels | None,
) -> None:
    """Check the order of the labels, unless that was done, or is not wanted and there is no lock."""
    if checked.is_set():
        return
    if lock is not None:
        with lock:
            if not checked.is_set():  # nor was it done while we waited
                check_order(ask(), labels)
    with no_fork:  # an event has a lock of its own, which a fork would copy as it stands
        checked.set()


_call_locks: dict[str, threading.RLock] = {}
os.register_at_fork(after_in_child=_call_locks.clear)  # whoever held one is not there


def _call_lock(target: str) -> threading.RLock:
    """The lock of a function: models are seldom made to be called by two threads at once."""
    return _call_locks.setdefault(target, threading.RLock())


def callable_recognizer(target: str, settings: Mapping[str, object]) -> CallableRecognizer:
    """The recognizer that a function is; its module is imported, from the working directory too.

    Args:
        target: `package.module:callable`.
        settings: `labels`, `batch`, `guard`.

    Raises:
        SettingError: there is no such function, or a setting makes no sense.
    """
    given = dict(settings)
    labels = label_map(given.pop("labels", None))
    chosen = filled(CallableSettings, given)
    if chosen.batch < 1:
        raise SettingError(
            "batch-pairs-makes-no",
            f"a batch of {chosen.batch} pairs makes no sense",
            hint="give 1 or more",
        )
    function, source = _found(target)
    content = hash_of_files([source]) if source else None
    return CallableRecognizer(target, function, chosen, labels, content, threading.Event())


_TARGET_HINT = "give python:package.module:callable, with the package where Python finds it"


def _found(target: str) -> tuple[JudgeFunction, str | None]:
    name, _, attributes = target.partition(":")
    if not (name and attributes):
        raise SettingError(
            "not-name-function", f"{target!r} does not name a function", hint=_TARGET_HINT
        )
    module = _imported(name)
    try:
        function = reduce(getattr, attributes.split("."), module)
    except AttributeError:
        raise SettingError(
            "there-is-no-in", f"there is no {attributes!r} in {name!r}", hint=_TARGET_HINT
        ) from None
    if not callable(function):
        raise SettingError(
            "cannot-called", f"{target!r} cannot be called: it is {function!r}", hint=_TARGET_HINT
        )
    return function, getattr(module, "__file__", None)


def _imported(name: str) -> Any:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # last, so that nothing here hides an installed package
    try:
        return import_module(name)
    except Exception as error:
        raise SettingError(
            "cannot-import",
            f"cannot import {name!r}: {type(error).__name__}: {error}",
            hint=_TARGET_HINT,
        ) from error


def _record(answer: Any) -> dict[str, Any]:
    """The object that a label, an object or a verdict stands for."""
    if isinstance(answer, Verdict):
        return asdict(answer)
    if isinstance(answer, Mapping):
        return {name: _plain(value) for name, value in answer.items()}
    return {"label": _plain(answer)}


def _plain(value: Any) -> Any:
    """The Python number that a number of numpy or torch is."""
    return value.item() if getattr(value, "ndim", None) == 0 else value


def _by_pair(
    records: Sequence[dict[str, Any]], batch: Sequence[Pair], target: str
) -> list[ExternalAnswer]:
    """The answer to each pair: by id where every answer has one, in order where none has.

    Raises:
        RunError: neither, or a wrong number of answers without ids, or one that nobody asked.
    """
    ids = [answered_id(record) for record in records]
    if not any(ids):
        if len(records) != len(batch):
            raise RunError(
                "gives-answers-pairs",
                f"{target} gives {len(records)} answers for {len(batch)} pairs",
                hint="give one for each pair, in order, or say with 'pair_id' which it is",
            )
        return [ExternalAnswer(record) for record in records]
    if ids == [pair.id for pair in batch]:  # also where an id is there twice
        return [ExternalAnswer(record) for record in records]
    if None in ids:
        raise RunError(
            "gives-answers-pair-id",
            f"{target} gives some answers with 'pair_id' and some without",
            hint="give it with every answer or with none",
        )
    unasked = [pair_id for pair_id in ids if pair_id not in {pair.id for pair in batch}]
    if unasked:
        raise RunError(
            "answers-pair-not-asked",
            f"{target} answers pair {unasked[0]!r}, which it was not asked",
            hint="each answer is to have its own pair's id as 'pair_id'",
        )
    found: dict[str | None, ExternalAnswer] = {}
    for pair_id, record in zip(ids, records, strict=True):
        twice = ExternalAnswer(failure="the function answered this pair twice")
        found[pair_id] = twice if pair_id in found else ExternalAnswer(record)
    missing = ExternalAnswer(failure="the function did not answer this pair")
    return [found.get(pair.id, missing) for pair in batch]
