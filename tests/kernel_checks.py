"""Kernels run both ways, interpreted and compiled, and compared."""

import sys
from contextlib import contextmanager
from unittest.mock import patch

import numpy as np

from ensue.compiling import Kernel, _plain, all_kernels

_LARGEST = 50_000
"""Elements of the largest arrays that are interpreted, too."""


def copied(value):
    """The same numbers elsewhere."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, tuple):
        parts = [copied(each) for each in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def assert_same(one, other, name):
    """Each number has the same type and bits."""
    assert type(one) is type(other), name
    if isinstance(one, np.ndarray):
        assert (one.dtype, one.shape) == (other.dtype, other.shape), name
        assert one.tobytes() == other.tobytes(), name
    elif isinstance(one, tuple):
        for each, its_other in zip(one, other, strict=True):
            assert_same(each, its_other, name)
    elif isinstance(one, float):
        assert np.float64(one).tobytes() == np.float64(other).tobytes(), name
    else:
        assert one == other, name


@contextmanager
def both_ways():
    """Run every kernel in both ways; give the set of those that were, also within others."""
    codes = {kernel.function.__code__: kernel.name for kernel in all_kernels()}
    seen = set()

    def trace(frame, event, _):
        if event == "call" and frame.f_code in codes:
            seen.add(codes[frame.f_code])

    def call(kernel, *arguments):
        if kernel._n_elements(arguments) > _LARGEST:
            return kernel.compile(arguments)(*arguments)
        before = copied(arguments)
        sys.setprofile(trace)
        try:
            with np.errstate(over="ignore"):
                interpreted = _plain(kernel.interpreted(*before))
        finally:
            sys.setprofile(None)
        found = kernel.compile(arguments)(*arguments)
        assert_same(interpreted, found, kernel.name)
        assert_same(before, tuple(arguments), kernel.name)
        return found

    with patch.object(Kernel, "__call__", call):
        yield seen
