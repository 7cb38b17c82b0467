"""Recognizers by name or from a directory, saved, and asked about one pair.

Single numbers are kept under their names in `weights.json`, for people to read; arrays in
`arrays.npz`.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np

from ensue import registry
from ensue.concurrency import made_once, no_fork
from ensue.errors import ArgumentError, DataError, EnsueError, OutputError, SettingError
from ensue.files import is_directory, is_file, open_output, open_text_output, refuse_other_work
from ensue.installation import restore_file
from ensue.pairs import Pair, Signature, Verdict
from ensue.recognizers.contract import Arrays, Explanation, Recognizer, RecognizerKind, Storable

# Recognizers by name or from a directory: `recognizer.json` and what was learned.

FORMAT_VERSION = 1
RECORD = "recognizer.json"
"""The file in a directory by which it holds a recognizer."""
_ARRAYS = "arrays.npz"
_NUMBERS = "weights.json"


def load(name_or_directory: str | Path, settings: Mapping[str, object] | None = None) -> Recognizer:
    """Give the recognizer of that name with these settings, or the one kept in a directory.

    `command:PROGRAM ARGUMENTS` is what a program says, `python:MODULE:CALLABLE` what a function
    says.

    Raises:
        UnknownNameError: it is neither a name nor a directory with a recognizer in it.
        SettingError: a setting makes no sense, or settings were given for a kept recognizer.
        DataError: what the directory holds was changed or is broken.
        ArgumentError: an argument is of another kind.
    """
    if not isinstance(name_or_directory, str | Path):
        raise ArgumentError.of("name_or_directory", "a name or a path", name_or_directory)
    if settings is not None and not isinstance(settings, Mapping):
        raise ArgumentError.of("settings", "a mapping or None", settings)
    for name in settings or {}:
        if not isinstance(name, str):
            raise ArgumentError.of("the name of a setting", "a text", name)
    prefix, colon, outside = str(name_or_directory).partition(":")
    if colon and prefix in _OUTSIDE and isinstance(name_or_directory, str):
        return _OUTSIDE[prefix](outside, settings or {})
    directory = Path(name_or_directory)
    if is_file(directory / RECORD):
        if settings:
            raise SettingError(
                "trained-recognizer-keeps-settings",
                f"{str(directory)!r} is a trained recognizer and keeps its settings",
                hint="train another one with the settings you want",
            )
        return _restored(directory)
    if is_directory(directory) and str(name_or_directory) not in registry.names("recognizer"):
        raise DataError(
            "there-is-no-in",
            f"there is no {RECORD} in {str(directory)!r}",
            hint="ensue train PAIRS -r RECOGNIZER -o DIR writes one",
        )
    with no_fork:  # modules are imported
        kind: RecognizerKind = registry.find("recognizer", str(name_or_directory))
        return kind.build(settings or {})


def check_saved(recognizer: Recognizer, directory: str | Path, name: str) -> None:
    """See that a recognizer that is trained takes the place of no other one.

    Args:
        recognizer: Before it is trained.
        directory: Where it is to go.
        name: The data that it is trained on.

    Raises:
        OutputError: it would.
    """
    directory = Path(directory)
    if not is_file(directory / RECORD):
        return
    try:
        there, own = _restored(directory).signature, recognizer.signature
    except EnsueError:
        refuse_other_work(directory, "a recognizer that cannot be read")
    is_same = (there.recognizer, there.settings) == (own.recognizer, own.settings)
    if not is_same or (there.tuned_on or {}).get("name") != name:
        refuse_other_work(directory, f"another recognizer, {there}")


def save(recognizer: Storable, directory: str | Path) -> None:
    """Keep a recognizer in a directory, which is made if need be.

    The record is written last and atomically: a directory with a record is whole.
    """
    directory = Path(directory)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            "cannot-make", f"cannot make {str(directory)!r}: {error.strerror or error}"
        ) from None
    hashes = {}
    arrays = recognizer.arrays()
    if arrays:
        single = all(array.ndim == 0 for array in arrays.values())
        name, packed = (_NUMBERS, _written(arrays)) if single else (_ARRAYS, _packed(arrays))
        with open_output(directory / name) as file:
            file.write(packed)
        hashes[name] = sha256(packed).hexdigest()
    record = {
        "ensue_recognizer": FORMAT_VERSION,
        "signature": recognizer.signature.to_json(),
        "hashes": hashes,
    }
    with open_text_output(directory / RECORD) as text:
        json.dump(record, text, indent=2, ensure_ascii=False)
        text.write("\n")


def _command(command: str, settings: Mapping[str, object]) -> Recognizer:
    from ensue.recognizers.external import command_recognizer

    return command_recognizer(command, settings)


def _callable(target: str, settings: Mapping[str, object]) -> Recognizer:
    from ensue.recognizers.external import callable_recognizer

    return callable_recognizer(target, settings)


_OUTSIDE = {"command": _command, "python": _callable}
"""What stands before the colon of a recognizer that is not ours, and what makes it one.

Neither can be kept in a directory: nothing in a directory is ever executed.
"""


def _written(arrays: Arrays) -> bytes:
    """Single numbers as JSON, exactly."""
    numbers = {name: array.item() for name, array in arrays.items()}
    return (json.dumps(numbers, indent=2, ensure_ascii=False) + "\n").encode()


def _packed(arrays: Arrays) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


@made_once
def load_shipped(folder: str) -> Recognizer:
    """Give a recognizer that comes trained with the package, by its folder beside this module.

    Raises:
        DataError: it is not there, or damaged; the hint says how to bring it back.
    """
    with as_file(files("ensue.recognizers")) as root:
        try:
            return _restored(root / folder)
        except DataError as error:
            error.hint = f"run: {restore_file(root / folder)}"
            raise


def _restored(directory: Path) -> Recognizer:
    place = str(directory / RECORD)
    try:
        record: Any = json.loads((directory / RECORD).read_text(encoding="utf-8"))
        if record["ensue_recognizer"] != FORMAT_VERSION:
            raise DataError(
                "format-not-known",
                f"format {record['ensue_recognizer']!r} is not known",
                place=place,
            )
        signature = Signature.from_json(record["signature"])
        arrays = _arrays(directory, record["hashes"])
    except EnsueError:
        raise
    except (OSError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise DataError(
            "not-recognizer",
            f"not a recognizer: {error}",
            place=place,
            hint="train the recognizer again",
        ) from None
    kind: RecognizerKind = registry.find("recognizer", signature.recognizer)
    return kind.restore(signature, arrays)


def _arrays(directory: Path, hashes: Mapping[str, str]) -> Arrays:
    if _NUMBERS in hashes:
        numbers = json.loads(_content(directory / _NUMBERS, hashes[_NUMBERS]))
        return {name: np.array(number) for name, number in numbers.items()}
    if _ARRAYS not in hashes:
        return {}
    packed = _content(directory / _ARRAYS, hashes[_ARRAYS])
    with np.load(io.BytesIO(packed), allow_pickle=False) as kept:
        return dict(kept)


def _content(path: Path, expected: str) -> bytes:
    content = path.read_bytes()
    if sha256(content).hexdigest() != expected:
        raise DataError(
            "not-file-written",
            f"{path.name} is not the file that {RECORD} was written with",
            place=str(path),
            hint="train the recognizer again",
        )
    return content


# Ask a recognizer about one text and one hypothesis.

DEFAULT = "joint"
_ID = "1"


def judge(text: str, hypothesis: str, recognizer: str | Path | Recognizer = DEFAULT) -> Verdict:
    """Say whether a hypothesis follows from a text.

    >>> judge("A dog barks at night.", "A dog barks.", "modified-bleu").label.value
    'entailment'

    Args:
        text: What is given.
        hypothesis: What may follow from it.
        recognizer: A name or a directory, as `ensue.load` takes them, or a recognizer.

    Raises:
        ArgumentError: an argument is of another kind.
    """
    pair = Pair(_ID, text, hypothesis)
    return recognizer_of(recognizer).judge([pair])[0]


def explain(
    text: str, hypothesis: str, recognizer: str | Path | Recognizer = DEFAULT
) -> Explanation:
    """Say why a hypothesis is judged to follow from a text, or not; arguments as for `judge`."""
    pair = Pair(_ID, text, hypothesis)
    return recognizer_of(recognizer).explain(pair)


def recognizer_of(named: str | Path | Recognizer) -> Recognizer:
    """The recognizer of a name or a directory, or the one that is given.

    Raises:
        ArgumentError: it is none of them.
    """
    if isinstance(named, str | Path):
        return load(named)
    if isinstance(named, type) or not isinstance(named, Recognizer):
        raise ArgumentError.of("recognizer", "a name, a path or a recognizer", named)
    return named
