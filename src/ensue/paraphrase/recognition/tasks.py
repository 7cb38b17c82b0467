"""Tasks: gold pairs that patterns are to recognize (Shima & Mitamura 2011, section 3.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.pairs import Finding, Label, Pair, Severity
from ensue.paraphrase.counting import counted
from ensue.paraphrase.model import Indices

Flags = NDArray[np.bool_]

_SHOWN = 5
"""How many ids a finding names."""


@dataclass(frozen=True, slots=True)
class Task:
    """Gold pairs by name. Entailments are its positive pairs, all others its negative ones."""

    name: str
    pairs: tuple[Pair, ...]
    """With gold, every one."""
    findings: tuple[Finding, ...] = ()

    def __post_init__(self) -> None:
        if any(pair.gold is None for pair in self.pairs):
            raise ValueError("a pair of a task has no gold; Task.of leaves such pairs out")

    @classmethod
    def of(cls, name: str, pairs: Iterable[Pair]) -> Task:
        """Take the pairs with gold; findings tell of those left out, and of a lack of positive ones."""
        given = tuple(pairs)
        kept = tuple(pair for pair in given if pair.gold is not None)
        left_out = [pair.id for pair in given if pair.gold is None]
        findings = []
        if left_out:
            findings.append(_without_gold(name, left_out))
        if not any(pair.gold is Label.ENTAILMENT for pair in kept):
            message = f"the task {name!r} has no positive pair, so that nothing can be recognized"
            findings.append(Finding("no-positive-pair", Severity.WARNING, message, place=name))
        return cls(name, kept, tuple(findings))

    @property
    def n_positive(self) -> int:
        """How many pairs are entailments."""
        return sum(pair.gold is Label.ENTAILMENT for pair in self.pairs)

    @property
    def n_negative(self) -> int:
        """How many pairs are not."""
        return len(self.pairs) - self.n_positive


@dataclass(frozen=True, eq=False)
class GoldPairs:
    """The pairs of several tasks, one task after the other.

    Sentences are numbered: first the texts of all pairs, then their hypotheses.
    """

    tasks: tuple[Task, ...]

    @classmethod
    def of(cls, tasks: Sequence[Task]) -> GoldPairs:
        """Put tasks together.

        Raises:
            SettingError: there is none, or two have one name.
        """
        if not tasks:
            raise SettingError("there is no task", hint="give gold pairs, e.g. those of MSRPC")
        names = [task.name for task in tasks]
        doubled = next((name for name in names if names.count(name) > 1), None)
        if doubled is not None:
            raise SettingError(f"two tasks are called {doubled!r}", hint="give each its own name")
        return cls(tuple(tasks))

    def __len__(self) -> int:
        return len(self.task_of)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Of all tasks."""
        return tuple(pair for task in self.tasks for pair in task.pairs)

    @cached_property
    def task_of(self) -> Indices:
        """For each pair the number of its task."""
        return np.repeat(np.arange(len(self.tasks)), [len(task.pairs) for task in self.tasks])

    @cached_property
    def is_positive(self) -> Flags:
        """For each pair whether it is an entailment."""
        return np.array([pair.gold is Label.ENTAILMENT for pair in self.pairs], np.bool_)

    def sentences(self) -> list[str]:
        """All texts, then all hypotheses."""
        return [*(pair.text for pair in self.pairs), *(pair.hypothesis for pair in self.pairs)]

    def by_task(self, row: Indices, pair: Indices, n_rows: int) -> tuple[Indices, Indices]:
        """Count positive and negative pairs: rows × tasks each, from a row and a pair an entry."""
        n_tasks = len(self.tasks)
        cell = row * n_tasks + self.task_of[pair]
        positive = self.is_positive[pair]
        counts = [
            np.bincount(cell[each], minlength=n_rows * n_tasks) for each in (positive, ~positive)
        ]
        return counts[0].reshape(n_rows, n_tasks), counts[1].reshape(n_rows, n_tasks)


def _without_gold(name: str, ids: Sequence[str]) -> Finding:
    n = len(ids)
    return Finding(
        "no-gold",
        Severity.WARNING,
        f"{counted(n, 'pair')} of the task {name!r} left out: no gold",
        place=name,
        pair_ids=tuple(ids[:_SHOWN]),
        details={"n": n},
    )
