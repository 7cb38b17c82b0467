"""How kernels are compiled: once, kept for the next time where there is a place to keep them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile a function when it is first called.

    numba keeps the result beside the source or in the user's cache. Where neither can be written,
    a read-only installation without a home, it is compiled anew in each process.
    """
    try:
        return cast(F, njit(cache=True)(function))
    except RuntimeError:  # "cannot cache function …: no locator available"
        return cast(F, njit(function))


def inlined(function: F) -> F:
    """A function that becomes part of the kernels that call it."""
    return cast(F, njit(inline="always")(function))
