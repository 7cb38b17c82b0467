"""The exceptions that ensue raises on purpose.

```
EnsueError
├── DataError        a data file that cannot be read as what it claims to be
│   └── LabelError   a label that no table maps
├── RunError         a run that is malformed, or belongs to other data
├── OutputError      a result that cannot be written
├── EngineError      work that cannot be spread, or not be finished
├── StorageError     a database that does not answer, or is of another version
├── AccessError      something that this person may not do
├── NotFoundError    something that is not there, or not for this person
├── ConflictError    something that somebody else did, or that was done before
├── LimitError       too much
│   └── RateError    too often
├── UnknownNameError a component, column, setting or task that is not there
├── SettingError     a setting whose value makes no sense
├── ArgumentError    an argument of a function that is of the wrong kind
└── UndefinedError   a number that the given data do not define
```

Every one says what, where and what to do next: a stable code for programs, a message in lower
case for people, an optional place (`file:line`) and an optional hint. All codes with their words
are listed in `docs/errors.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from types import UnionType

MOST = 2_000
"""Characters of a message: what is wrong with a long text is said in fewer than it has."""


def brief(text: str) -> str:
    """A text with its middle left out, where it is too long for people.

    >>> len(brief("x" * 10**6))
    2000
    """
    kept = (MOST - 3) // 2
    return text if len(text) <= MOST else f"{text[: kept + 1]} … {text[-kept:]}"


class EnsueError(Exception):
    """An expected failure, with its place and a hint for the next step."""

    def __init__(
        self, code: str, message: str, *, place: str | None = None, hint: str | None = None
    ) -> None:
        super().__init__(code, message)
        self.code = code
        """What went wrong, in a few words that stay the same when the message is worded better."""
        self.message = brief(message)
        """What went wrong, without place or hint."""
        self.place = brief(place) if place else place
        """Where: `file:line`, or None where there is no file."""
        self.hint = brief(hint) if hint else hint
        """What to do next, or None."""

    def __str__(self) -> str:
        head = f"{self.place}: {self.message}" if self.place else self.message
        return f"{head}\nhint: {self.hint}" if self.hint else head


class DataError(EnsueError):
    """A data file that cannot be read as what it claims to be."""


class LabelError(DataError):
    """A label that no table maps."""


class RunError(EnsueError):
    """A run that is malformed, or belongs to other data."""


class OutputError(EnsueError):
    """A result that cannot be written."""


class EngineError(EnsueError):
    """Work that cannot be spread, or not be finished."""


class StorageError(EnsueError):
    """A database that does not answer, or is of another version."""


class AccessError(EnsueError):
    """Something that this person may not do."""


class NotFoundError(EnsueError):
    """Something that is not there, or not for this person."""


class ConflictError(EnsueError):
    """Something that somebody else did meanwhile, or that was done before."""


class LimitError(EnsueError):
    """Too much."""


class RateError(LimitError):
    """Too often."""


class UnknownNameError(EnsueError):
    """A component, column, setting or task that is not there."""

    @classmethod
    def of(cls, kind: str, name: str, known: Iterable[str]) -> UnknownNameError:
        """Say that no `kind` is called `name`, and suggest the nearest known one.

        >>> print(UnknownNameError.of("recognizer", "modifed-bleu", ["bleu", "modified-bleu"]))
        no recognizer is called 'modifed-bleu'
        hint: did you mean 'modified-bleu'?
        """
        known = sorted(known)
        close = get_close_matches(name, known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"known are: {', '.join(known)}"
        return cls("unknown-name", f"no {kind} is called {name!r}", hint=hint)


class SettingError(EnsueError):
    """A setting whose value makes no sense."""


class ArgumentError(EnsueError):
    """An argument of a function that is of the wrong kind."""

    @classmethod
    def of(cls, name: str, due: str, value: object) -> ArgumentError:
        """Say that an argument has to be something else than what was given.

        >>> print(ArgumentError.of("hypothesis", "a text", None))
        hypothesis has to be a text, not None
        """
        shown = repr(value)
        if len(shown) > _SHOWN:
            shown = f"{shown[:_SHOWN]}…"
        return ArgumentError("wrong-argument", f"{name} has to be {due}, not {shown}")


_SHOWN = 60
"""Characters of a value that a message shows."""


def check_source(name: str, value: object) -> None:
    """See that an argument is the name of a file, a folder or a URL.

    Raises:
        ArgumentError: it is not.
    """
    if not isinstance(value, str | Path):
        raise ArgumentError.of(name, "a name or a path", value)


def check_list(name: str, values: object, kind: type | UnionType, due: str) -> None:
    """See that an argument is a list, or another sequence, of values of one kind.

    Args:
        name: What the argument is called.
        values: What was given.
        kind: What each of them has to be.
        due: What that is called.

    Raises:
        ArgumentError: it is not.
    """
    if not isinstance(values, Sequence) or isinstance(values, str | bytes):
        raise ArgumentError.of(name, f"a list, each {due}", values)
    if not set(map(type, values)) <= {kind}:  # which is quick, where there are very many
        for i, value in enumerate(values):
            if not isinstance(value, kind):
                raise ArgumentError.of(f"{name}[{i}]", due, value)


class UndefinedError(EnsueError):
    """A number that the given data do not define."""
