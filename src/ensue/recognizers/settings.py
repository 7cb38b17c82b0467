"""Settings as frozen dataclasses, filled from values or from text such as `order=3`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from ensue.errors import SettingError, UnknownNameError

S = TypeVar("S")

_BOOLEANS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def filled(settings: type[S], given: Mapping[str, object]) -> S:
    """An object of the settings class with the given values, its defaults for the rest.

    Raises:
        UnknownNameError: there is no such setting.
        SettingError: a value is not of the setting's type.
    """
    hints = get_type_hints(settings)
    known = {field.name for field in fields(settings)}  # type: ignore[arg-type]
    values = {}
    for name, value in given.items():
        if name not in known:
            raise UnknownNameError.of("setting", name, known)
        values[name] = _as(hints[name], value, name)
    return settings(**values)


def _as(kind: Any, value: object, name: str) -> object:
    options = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    if value is None and type(None) in options:
        return None
    kind = next(option for option in options if option is not type(None))
    try:
        return _converted(kind, value)
    except (ValueError, TypeError, KeyError):
        raise SettingError(
            f"setting {name!r} cannot be {value!r}", hint=f"it takes {_described(kind)}"
        ) from None


def _converted(kind: Any, value: Any) -> object:
    if get_origin(kind) is tuple:
        parts = value.split(",") if isinstance(value, str) else list(value)
        return tuple(_converted(get_args(kind)[0], part) for part in parts)
    if kind is bool:
        return value if isinstance(value, bool) else _BOOLEANS[str(value).lower()]
    if isinstance(value, bool):
        raise TypeError
    if kind is int and isinstance(value, float):
        raise TypeError
    return kind(value)


def _described(kind: Any) -> str:
    if get_origin(kind) is tuple:
        return f"{_described(get_args(kind)[0])}s, separated by commas"
    if issubclass(kind, StrEnum):
        return "one of " + ", ".join(kind)
    return {bool: "yes or no", int: "a whole number", float: "a number"}.get(kind, "a text")
