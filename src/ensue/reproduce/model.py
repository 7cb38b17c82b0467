"""A published number beside the recomputed one, and what a reproduction is made of."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from ensue.errors import DataError
from ensue.pairs import Pair, load_pairs
from ensue.statistics import Estimate

N_PAIRS = {"rte1_dev.xml": 567, "rte1_test.xml": 800, "rte2_dev.xml": 800}
"""The data sets of the papers, and how many pairs they say to be in each."""


@dataclass(frozen=True, slots=True)
class PublishedFigure:
    """One number of a paper, published and recomputed."""

    key: str
    where: str
    """The section or table."""
    what: str
    published: float | str | None
    """A number (in percent where `percent` says so), words where the paper gives only words,
    None where it gives nothing."""
    recomputed: float | None
    """In the same unit; None where it cannot be recomputed."""
    digits: int
    """Decimals that the paper prints."""
    percent: bool
    note: str = ""
    """Why the two differ, or how the number is meant."""
    within: float | None = None
    """How far apart they may be where what is computed from is rounded itself."""

    @property
    def agrees(self) -> bool | None:
        """Whether both are the same at the printed precision; None where that cannot be said."""
        if self.recomputed is None or not isinstance(self.published, int | float):
            return None
        within = 0.5 / 10**self.digits if self.within is None else self.within
        return bool(abs(self.recomputed - self.published) <= within + 1e-9)


@dataclass(frozen=True, slots=True)
class AccuracyCurve:
    """The accuracy of every cutoff of one recognizer on two data sets: one figure of a paper."""

    name: str
    title: str
    tuned: float
    lines: Mapping[str, tuple[list[float], list[float]]] = field(hash=False)
    """Cutoffs and accuracies by data set."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A table that the paper speaks of and does not print."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A paper's figures, recomputed."""

    name: str
    paper: str
    figures: tuple[PublishedFigure, ...]
    remarks: tuple[str, ...]
    """What the paper says of itself that is not so, and what we had to choose."""
    listings: tuple[Listing, ...] = ()
    curves: tuple[AccuracyCurve, ...] = ()


@dataclass(frozen=True, slots=True)
class ReproductionKind:
    """What an entry point of the group `ensue.reproductions` names."""

    name: str
    summary: str
    run: Callable[[Path, int], Reproduction]
    """From the directory of the data and a seed."""
    needs_data: bool = True
    """Whether there have to be data in the directory."""


def side_by_side(name: str, recomputed: Mapping[str, float | None]) -> tuple[PublishedFigure, ...]:
    """Each published figure of a paper with the recomputed one of the same key.

    Recomputed shares are in [0, 1] and become percentages where the paper prints those.
    """
    record = published(name)
    unknown = set(recomputed) - {figure["key"] for figure in record["figures"]}
    if unknown:
        raise KeyError(f"nothing is published under {sorted(unknown)}")
    return tuple(_figure(figure, recomputed.get(figure["key"])) for figure in record["figures"])


def estimates_side_by_side(name: str, found: Mapping[str, Estimate]) -> tuple[PublishedFigure, ...]:
    """Side by side; what could not be recomputed says why before what is said of it anyway."""
    figures = side_by_side(name, {key: each.value for key, each in found.items()})
    return tuple(
        replace(figure, note="; ".join(filter(None, (found[figure.key].reason, figure.note))))
        if figure.key in found
        else figure
        for figure in figures
    )


def paper_of(name: str) -> tuple[str, tuple[str, ...]]:
    """The title of the paper and the remarks on it."""
    record = published(name)
    return record["paper"], tuple(record["remarks"])


def published_number(name: str, key: str) -> float:
    """One published number by its key."""
    figure = next(each for each in published(name)["figures"] if each["key"] == key)
    return float(figure["published"])


_FOLDERS = ("wmt-judgments", "wmt06", "wmt07", "wmt08", "wmt12", "msrpc", "paraphrase-rules")
"""Directories with data of papers on translation and paraphrase."""


def files_at_stake(directory: Path) -> list[Path]:
    """All that a reproduction may read, and that none of its outputs may replace."""
    others = [path for name in _FOLDERS for path in (directory / name).rglob("*") if path.is_file()]
    return [*data_files(directory), *others]


def data_files(directory: Path, names: Iterable[str] = N_PAIRS) -> list[Path]:
    """The data sets that are in the directory or its `rte` folder, as they are or with `.gz`."""
    places = [
        folder / packed
        for name in names
        for folder in (directory, directory / "rte")
        for packed in (name, f"{name}.gz")
    ]
    return [path for path in places if path.is_file()]


def load_data_set(directory: Path, file: str) -> list[Pair]:
    """One data set of a paper: the first of its `data_files`.

    Raises:
        DataError: it is not there, or is not of the size that the paper gives.
    """
    found = data_files(directory, [file])
    if not found:
        raise DataError(
            "there-is-no-in",
            f"there is no {file!r} in {str(directory)!r}",
            hint=f"--data names the directory that holds {', '.join(N_PAIRS)}",
        )
    pairs = load_pairs(found[0])
    if len(pairs) != N_PAIRS[file]:
        raise DataError(
            "file-pairs-paper",
            f"the file has {len(pairs)} pairs, and the paper has {N_PAIRS[file]}",
            place=str(found[0]),
            hint="what is said beside the figures holds for the paper's own data only",
        )
    return pairs


def _figure(record: Mapping[str, Any], recomputed: float | None) -> PublishedFigure:
    if recomputed is not None and record["percent"]:
        recomputed *= 100
    return PublishedFigure(
        record["key"],
        record["where"],
        record["what"],
        record["published"],
        recomputed,
        record["digits"],
        record["percent"],
        record.get("note", ""),
        record.get("within"),
    )


def published(name: str) -> dict[str, Any]:
    """All that is recorded of a paper."""
    text = files("ensue.reproduce").joinpath("published", f"{name}.json").read_text("utf-8")
    record: dict[str, Any] = json.loads(text)
    return record
