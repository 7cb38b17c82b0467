"""Data sets of the Hugging Face hub by name, as files of Parquet, through the package `datasets`."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ensue.caches import cache_folder
from ensue.concurrency import made_once
from ensue.errors import DataError
from ensue.installation import install_extra

_PREFIX = "hf:"
_FORM = "write hf:NAME/SPLIT or hf:NAME/CONFIG/SPLIT, e.g. hf:stanfordnlp/snli/validation"


def is_hub_name(source: str | Path) -> bool:
    """Whether a source is a data set of the hub.

    >>> is_hub_name("hf:stanfordnlp/snli/test"), is_hub_name("hf://datasets/x/y.parquet")
    (True, False)
    """
    return isinstance(source, str) and source.startswith(_PREFIX) and source[3:5] != "//"


@dataclass(frozen=True, slots=True)
class HubName:
    """A split of a data set."""

    name: str
    """`OWNER/NAME`, or a folder laid out as one of the hub."""
    config: str | None
    split: str


def hub_names(source: str) -> list[HubName]:
    """What a name may mean, in the order in which it is tried.

    A folder of this machine that is called so, laid out as one of the hub, comes first.

    >>> [(each.name, each.config, each.split) for each in hub_names("hf:nyu-mll/glue/rte/test")]
    [('nyu-mll/glue', 'rte', 'test')]
    >>> [(each.name, each.config, each.split) for each in hub_names("hf:glue/rte/test")]
    [('glue/rte', None, 'test'), ('glue', 'rte', 'test')]

    Raises:
        DataError: it says no name, or no split.
    """
    parts = source.removeprefix(_PREFIX).split("/")
    is_path = parts[0] in ("", ".", "..")  # else no folder that is called as an owner is meant
    for n in range(len(parts) - 1, 0, -1) if is_path else [min(len(parts) - 1, 2)]:
        folder, rest = "/".join(parts[:n]), parts[n:]
        if folder and len(rest) <= 2 and all(rest) and os.path.isdir(folder):  # noqa: PTH112
            return [HubName(folder, rest[0] if len(rest) == 2 else None, rest[-1])]
    if not all(parts) or not 2 <= len(parts) <= 4:
        raise DataError(
            "hub-name-incomplete", f"{source!r} names no split of a data set", hint=_FORM
        )
    *name, split = parts
    whole = HubName("/".join(name[:2]), name[2] if len(name) == 3 else None, split)
    return [whole, HubName(name[0], name[1], split)] if len(name) == 2 else [whole]


def hub_dataset_name(source: str) -> str:
    """What a data set of the hub is called among runs.

    >>> hub_dataset_name("hf:nyu-mll/glue/rte/validation[:100]")
    'glue-rte-validation'
    """
    named = hub_names(source)[-1]
    parts = (Path(named.name).name, named.config, re.sub(r"\[.*", "", named.split))
    return "-".join(filter(None, parts))


@made_once
def hub_file(source: str) -> str:
    """The file of Parquet that holds a data set, fetched where it is not there yet.

    It lies in the folder of caches under what identifies its content. Numbered labels keep their
    names in it, so that a 1 means what the data set says it means.

    Raises:
        DataError: `datasets` is not installed, the hub is out of reach, or there is no such data set.
    """
    *others, last = hub_names(source)
    for each in others:
        try:
            return _file(source, each)
        except DataError as error:
            if error.code != "no-hub-dataset":
                raise
    return _file(source, last)


def _file(source: str, named: HubName) -> str:
    folder = cache_folder()
    if folder is None:
        raise DataError(
            "nowhere-to-keep",
            f"there is no folder to keep {source!r} in",
            hint="set ENSUE_CACHE to a directory that you may write to",
        )
    loaded = _loaded(source, named)
    path = folder.path / "hub" / f"{hub_dataset_name(source)}-{loaded._fingerprint}.parquet"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}.part")
        try:
            with _quietly():
                loaded.to_parquet(str(part))
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    return str(path)


def _loaded(source: str, named: HubName) -> Any:
    try:
        import datasets
        from datasets.exceptions import DatasetNotFoundError
    except ImportError:
        raise DataError(
            "needs-package-not-installed",
            "data sets of the hub need the package 'datasets', which is not installed",
            place=source,
            hint=f"run: {install_extra('hf')}",
        ) from None
    try:
        with _quietly():
            return datasets.load_dataset(named.name, named.config, split=named.split)
    except DatasetNotFoundError as error:
        raise DataError("no-hub-dataset", _said(error), place=source, hint=_FORM) from None
    except ConnectionError as error:
        raise DataError(
            "hub-out-of-reach",
            f"the hub is out of reach: {_said(error)}",
            place=source,
            hint="what was loaded once is there without it; or name files, or a folder of files",
        ) from None
    except Exception as error:
        # whatever the files in it are, the package says it in its own words
        raise DataError(
            "cannot-load-hub-dataset", f"cannot load it: {_said(error)}", place=source, hint=_FORM
        ) from None


def _said(error: Exception) -> str:
    return (str(error).splitlines() or [""])[0] or type(error).__name__


@contextmanager
def _quietly() -> Iterator[None]:
    """Without the bars and notes of `datasets`, which stand in nobody's log."""
    import datasets

    logger = logging.getLogger("datasets")
    level, had_bars = logger.level, not datasets.are_progress_bars_disabled()
    datasets.disable_progress_bars()
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
        if had_bars:
            datasets.enable_progress_bars()
