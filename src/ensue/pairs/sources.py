"""The files that a name stands for: one file, a folder, a glob, a URL."""

from __future__ import annotations

import glob
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

from ensue.errors import DataError
from ensue.pairs.files import STANDARD, open_input, shown_name
from ensue.pairs.opening.remote import file_system, is_url, local_name, reachable

MANIFEST = "_manifest.json"
"""The file in which the folder of a run says what it is."""
SUITES = "suites.json"
"""The file in which a folder of suites does."""

_RUN_FILES = {"_plan.json", "_journal.jsonl"}
_LARGEST_MANIFEST = 1 << 26


def expand(source: str | Path) -> list[str]:
    """The files that a name stands for, in the order in which they are read.

    A folder stands for all files in it and in its folders, but for those whose names begin with a
    dot or an underscore; a folder of suites for the first file of each suite. What is no file and
    no folder may be a glob. All of this holds for URLs as well. `-` and other streams stand for
    themselves.

    Raises:
        DataError: there is nothing, or the folder is a run.
    """
    if str(source) == STANDARD:
        return [STANDARD]
    if is_url(source):
        return _expanded_url(str(source))
    name = local_name(source)
    path = Path(name)
    if path.is_dir():
        return _some(_files_of(_Local(), name), name)
    if path.exists() or not glob.has_magic(name):
        return [name]  # whoever opens it says so where it is not there
    found = glob.glob(name, recursive=True)  # noqa: PTH207 - of a path, not in one
    return _some(_files_of_all(_Local(), found), name)


def is_stream(source: str | Path) -> bool:
    """Whether a source can be read only once: standard input, a pipe, a device."""
    if str(source) == STANDARD:
        return True
    path = Path(local_name(source))
    return not is_url(source) and path.exists() and not path.is_file() and not path.is_dir()


def _expanded_url(url: str) -> list[str]:
    system, path = file_system(url)
    if "::" in url:
        return [url]  # a file in a file; their names cannot be put together again
    tree = _Remote(url, system)
    with reachable(url):
        if system.isfile(path):
            return [url]
        if system.isdir(path):
            return _some(_files_of(tree, path), url)
        if not glob.has_magic(path):
            return [url]
        found = [str(each) for each in system.glob(path)]
    return _some(_files_of_all(tree, found), url)


class _Tree(Protocol):
    """Folders and files somewhere."""

    def is_folder(self, path: str) -> bool:
        """Whether it is a folder."""

    def entries(self, folder: str) -> dict[str, str]:
        """The paths of what stands in a folder, by name."""

    def source(self, path: str) -> str:
        """What a file is called outside."""


class _Local:
    """The local file system."""

    def is_folder(self, path: str) -> bool:
        return Path(path).is_dir()

    def entries(self, folder: str) -> dict[str, str]:
        try:
            return {each.name: str(each) for each in Path(folder).iterdir()}
        except OSError as error:
            raise DataError(f"cannot read: {error.strerror or error}", place=folder) from None

    def source(self, path: str) -> str:
        return path


class _Remote:
    """The file system of a URL."""

    def __init__(self, url: str, system: Any) -> None:
        self._url = url
        self._system = system

    def is_folder(self, path: str) -> bool:
        with reachable(self._url):
            return bool(self._system.isdir(path))

    def entries(self, folder: str) -> dict[str, str]:
        with reachable(self._url):
            paths = [str(each).rstrip("/") for each in self._system.ls(folder, detail=False)]
        return {path.rpartition("/")[2]: path for path in paths if path != folder.rstrip("/")}

    def source(self, path: str) -> str:
        return str(self._system.unstrip_protocol(path))


def _files_of(tree: _Tree, folder: str, above: tuple[Path, ...] = ()) -> Iterator[str]:
    """The files in a folder and in its folders."""
    entries = tree.entries(folder)
    if entries.keys() >= _RUN_FILES or "ensue_folder" in _said(tree, entries, MANIFEST):
        raise _is_run(tree.source(folder))
    suites = _suites(_said(tree, entries, SUITES))
    if suites is not None:
        yield from (tree.source(f"{folder.rstrip('/')}/{name}") for name in suites)
        return
    itself = Path(folder).resolve()
    for name in sorted(entries):
        path = entries[name]
        if name.startswith((".", "_")):
            continue
        if not tree.is_folder(path):
            yield tree.source(path)
        elif Path(path).resolve() not in (itself, *above):  # a link may lead back
            yield from _files_of(tree, path, (*above, itself))


def _files_of_all(tree: _Tree, paths: Iterable[str]) -> Iterator[str]:
    for path in sorted(paths, key=lambda path: path.split("/")):
        if tree.is_folder(path):
            yield from _files_of(tree, path)
        else:
            yield tree.source(path)


def _some(files: Iterable[str], source: str) -> list[str]:
    found = list(dict.fromkeys(files))
    if not found:
        raise DataError(
            f"there are no files in {shown_name(source)!r}",
            hint="files whose names begin with a dot or an underscore do not count"
            if not glob.has_magic(source)
            else "check the pattern; put it in quotation marks, so that the shell leaves it alone",
        )
    return found


def _is_run(folder: str) -> DataError:
    return DataError(
        f"{shown_name(folder)!r} is a run, not pairs",
        hint="name the pairs that were judged; ensue evaluate GOLD RUN takes the run",
    )


def _suites(about: dict[str, Any]) -> list[str] | None:
    """The first file of each suite, where a folder is one of suites."""
    try:
        return [str(suite["files"][0]) for suite in about["suites"]]
    except (TypeError, KeyError, IndexError):
        return None


def _said(tree: _Tree, entries: dict[str, str], name: str) -> dict[str, Any]:
    """What a folder says of itself in a file; nothing where it has no such file."""
    if name not in entries:
        return {}
    with open_input(tree.source(entries[name])) as file:
        content = file.read(_LARGEST_MANIFEST)
    try:
        about = json.loads(content)
    except ValueError:
        return {}  # a file like any other
    return about if isinstance(about, dict) else {}
