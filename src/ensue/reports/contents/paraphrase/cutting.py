"""What many tables of patterns need: long tables cut for people, and why there are dashes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from ensue.evaluation.results import Estimate
from ensue.paraphrase.model import ListKey
from ensue.reports.contents.entries import Lack, Row, reason_notes

MOST = 40
"""Rows of a table that people see of many."""
NO_METHOD = "no method"
"""What a picture or a note calls lists whose method has no name."""
_MOST_NAMES = 5
_MOST_REASONS = 6


def cut(
    rows: Iterable[Row], n: int, *, every: bool, most: int = MOST, what: str = "rows"
) -> tuple[list[Row], list[str]]:
    """All rows for programs; for people the first ones, with a note on the others.

    >>> cut(([i] for i in range(9)), 9, every=False, most=2)
    ([[0], [1]], ['the first 2 of 9 rows; all are in JSON and CSV'])

    Args:
        rows: May be made one by one: those that are not shown are not asked for.
        n: How many there are.
        every: Whether all are shown, however many.
        most: How many people see.
        what: What they are called.
    """
    if every or n <= most:
        return list(rows), []
    return list(islice(rows, most)), [f"the first {most} of {n:,} {what}; all are in JSON and CSV"]


def dash_notes(lacks: Iterable[Lack], *, every: bool) -> list[str]:
    """Why there are dashes, a note a reason; people see a few names and a few reasons.

    >>> dash_notes([(str(i), "no words") for i in range(7)], every=False)
    ['0, 1, 2, 3, 4 and 2 more: no words']
    """
    if every:
        return reason_notes(lacks)
    by_reason: dict[str, dict[str, None]] = {}
    for name, reason in lacks:
        by_reason.setdefault(reason, {})[name] = None
    notes = [f"{_some(list(names))}: {reason}" for reason, names in by_reason.items()]
    n_more = len(notes) - _MOST_REASONS
    more = [f"{n_more} more reasons for dashes; all are in JSON and CSV"] if n_more > 0 else []
    return notes[:_MOST_REASONS] + more


def why_undefined(estimates: Iterable[Estimate]) -> str | None:
    """The reasons why numbers of one row are lacking, each once; None where none is."""
    reasons = (each.reason for each in estimates if each.value is None)
    return "; ".join(dict.fromkeys(reason for reason in reasons if reason)) or None


def method_notes(methods: Iterable[str]) -> list[str]:
    """That a dash in the column of methods is no mistake, where there is one."""
    return [] if all(methods) else ["method –: the lists name none"]


def called(key: ListKey) -> str:
    """A list in a note.

    >>> called(ListKey("killed", "PD")), called(ListKey("killed", ""))
    ('killed (PD)', 'killed')
    """
    return f"{key.term} ({key.method})" if key.method else key.term


def column_keys(names: Sequence[str]) -> list[str]:
    """Names as keys of columns: lower case, with underscores, no two alike.

    >>> column_keys(["RTE-3 dev", "rte 3 dev", "…"])
    ['rte_3_dev', 'rte_3_dev_2', '3']
    """
    keys: list[str] = []
    for i, name in enumerate(names, 1):
        key = re.sub(r"[\W_]+", "_", name.lower()).strip("_") or str(i)
        keys.append(key if key not in keys else f"{key}_{i}")
    return keys


def _some(names: Sequence[str]) -> str:
    n_more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {n_more} more" if n_more > 0 else "")
