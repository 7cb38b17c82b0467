"""Kernels: loops over arrays that are interpreted for little work and compiled for much.

A kernel is a Python function and gives the same results either way. Compiling one takes a second or
more, and even loading numba and a kernel that was kept takes longer than a few pairs do. So kernels
begin interpreted; how long they took, and how large the arrays are, say when compiling pays.

Compiled kernels are kept in a folder whose name stands for all that they depend on: the sources of
all modules with kernels, and the versions of what compiles them. A kernel that is found there is
never stale.
"""

from __future__ import annotations

import os
import pickle
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property
from hashlib import blake2b
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast, overload

import numpy as np

from ensue.caches import CacheFolder, cache_folder
from ensue.concurrency import no_fork
from ensue.progress import TALK

F = TypeVar("F", bound=Callable[..., Any])

MODULES = (
    "ensue.alignment.candidates",
    "ensue.alignment.graph_arrays",
    "ensue.alignment.search",
    "ensue.alignment.tree_edits",
    "ensue.alignment.words",
    "ensue.language.lexicon.kernels",
    "ensue.language.lexicon.similarity",
    "ensue.logic.parsing.parser",
    "ensue.mining.kernels",
    "ensue.paraphrase.acquisition.ngrams",
    "ensue.paraphrase.kernels",
    "ensue.paraphrase.scores.reranking",
    "ensue.statistics.correlation",
    "ensue.surface.edit_table",
    "ensue.surface.interning",
    "ensue.surface.lexical_translation",
    "ensue.surface.ngrams",
    "ensue.surface.scanner",
    "ensue.surface.stemmer",
    "ensue.surface.ter",
    "ensue.translation.features.kernels",
    "ensue.translation.features.word_matches",
)
"""All modules with kernels; what a kernel uses is defined in one of them."""

MODE = "ENSUE_KERNELS"
"""The variable that says how kernels are run, where it is not to be decided by the work."""

_PACKAGE = Path(__file__).parent
_COMPILERS = ("numba", "llvmlite", "numpy")
_ELEMENT = 1e-6
"""Seconds that an element of an array takes in a kernel that was not run yet."""
_UNUSED = 30 * 24 * 3600.0
"""Seconds after which the folder of another version goes."""


class KernelMode(StrEnum):
    """How kernels are run."""

    BY_WORK = "by-work"
    COMPILED = "compiled"
    INTERPRETED = "interpreted"


def kernel_mode() -> KernelMode:
    """What `ENSUE_KERNELS` says; numba's own switch is respected."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return KernelMode.INTERPRETED
    named = os.environ.get(MODE)
    return KernelMode(named) if named in set(KernelMode) else KernelMode.BY_WORK


# How much was interpreted, and what it would cost to do otherwise.


@dataclass(frozen=True, slots=True)
class _Price:
    """Seconds of interpreted work from which on a kernel is compiled."""

    total: float
    """Of all kernels of this process."""
    own: float
    """Of this kernel."""


_LOADED = _Price(0.0, 0.01)
"""It is kept, and numba is there: 5 to 20 ms a kernel."""
_KEPT = _Price(0.4, 0.01)
"""It is kept, but numba has to be loaded, which takes some 0.4 s."""
_COMPILED = _Price(1.0, 0.1)
"""It has to be compiled, but only this once: later commands are not to wait a second longer."""
_COMPILED_EACH_TIME = _Price(15.0, 2.0)
"""It has to be compiled, and cannot be kept: only where this process itself gains by it."""


@dataclass(slots=True)
class _Interpreted:
    """What was interpreted of a kernel, or of all."""

    seconds: float = 0.0
    """Of this thread's processor time: a busy machine changes no decision."""
    elements: int = 0

    def expected(self, elements: int) -> float:
        """Seconds for so many elements, by those so far."""
        return elements * (self.seconds / self.elements if self.elements else _ELEMENT)

    def add(self, seconds: float, elements: int) -> None:
        """Count one call."""
        self.seconds += seconds
        self.elements += elements


_all = _Interpreted()


_lock = threading.RLock()
"""One thread compiles at a time, and no other forks meanwhile."""


class _CompileTime(threading.local):
    seconds = 0.0


_compile_time = _CompileTime()


def compile_seconds() -> float:
    """Seconds in which this thread compiled and loaded kernels, or waited for another that did."""
    return _compile_time.seconds


@contextmanager
def _counted() -> Iterator[None]:
    began = time.perf_counter()
    try:
        yield
    finally:
        _compile_time.seconds += time.perf_counter() - began


# One kernel.


class Kernel:
    """A function over arrays, interpreted until its work pays for compiling it."""

    def __init__(self, function: FunctionType, over: Sequence[str], *, inline: bool) -> None:
        self.function = function
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.is_inlined = inline
        self._over = over
        self._compiled: Callable[..., Any] | None = None
        self._interpreted = _Interpreted()
        self.__doc__, self.__name__ = function.__doc__, function.__name__
        self.__module__, self.__wrapped__ = function.__module__, function

    def __call__(self, *arguments: Any) -> Any:
        """Run it."""
        if self._compiled is not None:
            return self._compiled(*arguments)
        mode = kernel_mode()
        elements = self._n_elements(arguments) if mode is not KernelMode.COMPILED else 0
        if mode is KernelMode.COMPILED or (
            mode is KernelMode.BY_WORK and self._is_worth(self._interpreted.expected(elements))
        ):
            return self.compile(arguments)(*arguments)
        began = time.thread_time()
        with np.errstate(over="ignore"):  # hashes wrap around
            found = self.interpreted(*arguments)
        seconds = time.thread_time() - began
        self._interpreted.add(seconds, elements)
        _all.add(seconds, elements)
        return _plain(found)

    @property
    def is_compiled(self) -> bool:
        """Whether this process runs it compiled."""
        return self._compiled is not None

    @cached_property
    def interpreted(self) -> Callable[..., Any]:
        """The function, which calls other kernels as functions, too."""
        return FunctionType(
            self.function.__code__,
            _interpreted_names(self.function.__globals__),
            self.function.__name__,
            self.function.__defaults__,
        )

    @cached_property
    def dispatcher(self) -> Any:
        """What numba makes of it; nothing is compiled yet."""
        with no_fork, _lock:
            return _dispatcher(self)

    def compile(self, arguments: Sequence[Any]) -> Callable[..., Any]:
        """Compile it for arguments like these, or load it where it is kept."""
        with _counted(), no_fork, _lock:
            if self._compiled is None:
                store = kernel_store()
                with store.lock() if store else _no_lock() as talked:
                    if store is None or not store.has(self):
                        _say(store, talked)
                    _compile(self.dispatcher, arguments, store)
                    if store:
                        store.add(self)
                self._compiled = self.dispatcher
        return self._compiled

    def _n_elements(self, arguments: Sequence[Any]) -> int:
        """The sizes of all arrays, or of those that say how much work it is."""
        if self._over:
            names = self.function.__code__.co_varnames
            arguments = [arguments[names.index(name)] for name in self._over]
        return _size(arguments)

    def _is_worth(self, seconds: float) -> bool:
        if seconds + self._interpreted.seconds <= _LOADED.own:
            return False  # the usual answer, before a look at the disk
        price = self._price()
        return (
            _all.seconds + seconds >= price.total
            and self._interpreted.seconds + seconds >= price.own
        )

    def _price(self) -> _Price:
        store = kernel_store()
        if store is None:
            return _COMPILED_EACH_TIME
        if not store.has(self):
            return _COMPILED
        return _LOADED if "numba" in sys.modules else _KEPT


@overload
def compiled(function: F) -> F: ...
@overload
def compiled(*, over: Sequence[str]) -> Callable[[F], F]: ...
def compiled(function: F | None = None, *, over: Sequence[str] = ()) -> Any:
    """Make a function a kernel.

    Args:
        function: Its arguments are arrays, numbers, and tuples of them.
        over: The arguments whose sizes say how much work a call is, where others are tables that
            it looks things up in; all where none is named.
    """
    if function is None:
        return lambda function: Kernel(cast(FunctionType, function), over, inline=False)
    return Kernel(cast(FunctionType, function), over, inline=False)


def inlined(function: F) -> F:
    """A function that becomes part of the kernels that call it."""
    return cast(F, Kernel(cast(FunctionType, function), (), inline=True))


def all_kernels() -> list[Kernel]:
    """Every kernel of the package, but for those that become part of others."""
    found = []
    for name in MODULES:
        of_module = vars(import_module(name)).values()
        found += [
            each
            for each in of_module
            if isinstance(each, Kernel) and each.__module__ == name and not each.is_inlined
        ]
    return found


def _size(values: Sequence[Any]) -> int:
    size = 1
    for value in values:
        if isinstance(value, np.ndarray):
            size += value.size
        elif isinstance(value, tuple):
            size += _size(value)
    return size


def _plain(value: Any) -> Any:
    """A result as numba returns it: Python's numbers, not numpy's."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, tuple):
        parts = map(_plain, value)
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


_names: dict[int, dict[str, Any]] = {}


def _interpreted_names(names: dict[str, Any]) -> dict[str, Any]:
    """The names of a module, with functions for its kernels."""
    known = _names.get(id(names))
    if known is None:
        known = _names.setdefault(id(names), dict(names))  # first, for modules may go in circles
        for name, each in names.items():
            if isinstance(each, Kernel):
                known[name] = each.interpreted
    return known


# What numba does.


def _dispatcher(kernel: Kernel) -> Any:
    import numba

    njit, config = numba.njit, cast(Any, numba.config)
    _know_kernels()
    if kernel.is_inlined:
        return njit(inline="always")(kernel.function)
    store = kernel_store()
    if store is None:
        return njit(kernel.function)
    before, config.CACHE_DIR = config.CACHE_DIR, str(store.path)
    try:
        return njit(cache=True)(kernel.function)
    except RuntimeError:  # "cannot cache function …: no locator available"
        return njit(kernel.function)
    finally:
        config.CACHE_DIR = before


@cache
def _know_kernels() -> None:
    """Tell numba what a kernel is that another one calls."""
    from numba.extending import typeof_impl

    @typeof_impl.register(Kernel)
    def _type(kernel: Kernel, context: Any) -> Any:
        return typeof_impl(kernel.dispatcher, context)


def _compile(dispatcher: Any, arguments: Sequence[Any], store: KernelStore | None) -> None:
    from numba import typeof

    types = tuple(map(typeof, arguments))
    try:
        dispatcher.compile(types)
    except (OSError, EOFError, pickle.UnpicklingError):
        if store is None:
            raise
        store.empty()  # damaged, or no room: what was compiled is used, but not kept
        dispatcher.compile(types)


# Where compiled kernels are kept.


@dataclass(frozen=True, slots=True)
class KernelStore:
    """A folder of compiled kernels, of this version of everything."""

    path: Path
    folder: CacheFolder
    """The folder of caches that it is in."""
    _known: set[str] = field(default_factory=set, compare=False)

    def has(self, kernel: Kernel) -> bool:
        """Whether a kernel is kept."""
        if kernel.name not in self._known and self._mark(kernel).exists():
            self._known.add(kernel.name)
        return kernel.name in self._known

    def add(self, kernel: Kernel) -> None:
        """Note that a kernel is kept, and when."""
        with suppress(OSError):
            self._mark(kernel).touch()

    def names(self) -> list[str]:
        """The kernels that are kept."""
        return sorted(mark.stem for mark in self.path.glob(f"*{_MARK}"))

    def size(self) -> int:
        """Bytes of all its files."""
        return sum(file.stat().st_size for file in self.path.rglob("*") if file.is_file())

    def empty(self) -> None:
        """Remove the files, but not the folders: another process may be about to write."""
        self._known.clear()
        for file in self.path.rglob("*"):
            with suppress(OSError):
                if file.is_file() and file.name != _LOCK:
                    file.unlink()

    @contextmanager
    def lock(self) -> Iterator[bool]:
        """Keep other processes from compiling the same; say if one of this command has talked."""
        try:
            file = (self.path / _LOCK).open("r+" if (self.path / _LOCK).exists() else "w+")
        except OSError:
            yield False
            return
        with file:
            with suppress(ImportError, OSError):  # not every system has it, nor every file system
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX)
            command = os.environ.get(TALK, "")
            has_talked = file.read() == command
            with suppress(OSError):
                file.seek(0)
                file.truncate()
                file.write(command)
                file.flush()
            yield has_talked

    def _mark(self, kernel: Kernel) -> Path:
        return self.path / f"{kernel.name}{_MARK}"


_MARK = ".kept"
_LOCK = "lock"


@contextmanager
def _no_lock() -> Iterator[bool]:
    yield False


def kernel_store() -> KernelStore | None:
    """Where compiled kernels are kept; None where there is no place."""
    asked = tuple(
        os.environ.get(name) for name in ("ENSUE_CACHE", "XDG_CACHE_HOME", "HOME", "TMPDIR")
    )
    return _store(asked)


@cache
def _store(asked: tuple[str | None, ...]) -> KernelStore | None:  # noqa: ARG001 - what it depends on
    found = cache_folder()
    if found is None:
        return None
    path = found.path / "kernels" / _version_key()
    with suppress(OSError):
        if not path.is_dir():
            path.mkdir(parents=True, exist_ok=True)
            _remove_unused(path.parent)
        os.utime(path)
        return KernelStore(path, found)
    return None


@cache
def _version_key() -> str:
    """What stands for everything that compiled kernels depend on."""
    key = blake2b(digest_size=12)
    for package in _COMPILERS:
        key.update(f"{package} {version(package)}\0".encode())
    key.update(f"{sys.implementation.cache_tag}\0{_PACKAGE}\0".encode())
    for module in MODULES:
        name = module.removeprefix("ensue.").replace(".", "/")
        key.update((_PACKAGE / f"{name}.py").read_bytes())
    return key.hexdigest()


def _remove_unused(folder: Path) -> None:
    """Remove the folders of other versions that were not used for long."""
    for other in folder.iterdir():
        with suppress(OSError):
            if time.time() - other.stat().st_mtime > _UNUSED:
                shutil.rmtree(other, ignore_errors=True)


def _say(store: KernelStore | None, has_talked: bool) -> None:
    """Say, once a command, what takes long now."""
    if not os.environ.get(TALK) or has_talked or _said:
        return
    _said.append(True)
    kept = f"kept in {store.path.parent}" if store else "not kept: no folder can be written"
    sys.stderr.write(f"compiling kernels, which takes some 10 to 40 s; {kept}\n")


_said: list[bool] = []
