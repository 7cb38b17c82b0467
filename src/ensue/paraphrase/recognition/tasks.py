"""Recognition tasks of gold pairs, and their sentences as numbered words and stems."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.pairs import Finding, Label, Pair, Severity
from ensue.paraphrase.lists import Indices, counted
from ensue.paraphrase.words import NO_CONTENT, is_content_word
from ensue.surface import WORDS, Tokens, stems, tokenize

# Tasks: gold pairs that patterns are to recognize (Shima & Mitamura 2011, section 3.3).

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
            raise SettingError(
                "no-task", "there is no task", hint="give gold pairs, e.g. those of MSRPC"
            )
        names = [task.name for task in tasks]
        doubled = next((name for name in names if names.count(name) > 1), None)
        if doubled is not None:
            raise SettingError(
                "two-tasks-called",
                f"two tasks are called {doubled!r}",
                hint="give each its own name",
            )
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


# Sentences, terms and paraphrases as numbered words, with their stems, all cut in one go.


@dataclass(frozen=True, eq=False)
class NumberedWords:
    """Groups of strings in words; equal words have equal numbers in all groups."""

    tokens: Tokens
    bounds: tuple[int, ...]
    """Where each group begins among the strings, with the end of the last."""
    no_content: Collection[str]
    """Words that say nothing by themselves."""

    @classmethod
    def of(cls, *groups: Sequence[str], no_content: Collection[str] | None = None) -> NumberedWords:
        """Cut the strings of several groups into words in lower case.

        Args:
            *groups: Of strings.
            no_content: Words that say nothing by themselves; the list that ships where it is None.
        """
        strings = [string for group in groups for string in group]
        bounds = np.cumsum([0, *map(len, groups)]).tolist()
        chosen = NO_CONTENT if no_content is None else {word.lower() for word in no_content}
        return cls(tokenize(strings, WORDS), tuple(bounds), chosen)

    @cached_property
    def vocabulary(self) -> list[str]:
        """The distinct words."""
        return self.tokens.vocabulary()

    @cached_property
    def has_content(self) -> Flags:
        """For each distinct word whether it says something."""
        flags = [is_content_word(word, self.no_content) for word in self.vocabulary]
        return np.array(flags, np.bool_)

    @cached_property
    def _stemmed(self) -> tuple[list[bytes], Indices]:
        number: dict[str, int] = {}
        found = [number.setdefault(stem, len(number)) for stem in stems(self.vocabulary)]
        spelled = [stem.encode("utf-8", "surrogatepass") for stem in number]
        return spelled, np.array(found, np.int64)

    def kin(self, words: Indices) -> tuple[Indices, int]:
        """Which distinct words share a stem with some of them, given by number.

        Returns:
            For each distinct word the number of its stem, -1 where it is the stem of none of those
            words; and how many stems those have.
        """
        _, stem_of = self._stemmed
        wanted = np.unique(stem_of[words])
        number = np.full(int(stem_of.max(initial=-1)) + 1, -1, np.int64)
        number[wanted] = np.arange(len(wanted))
        return number[stem_of], len(wanted)

    def words(self, group: int) -> tuple[Indices, Indices]:
        """The words of a group's strings, one after the other, and for each the number of its string."""
        offsets = self._offsets(group)
        ids = self.tokens.ids[offsets[0] : offsets[-1]].astype(np.int64)
        return ids, np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))

    def says_something(self, group: int) -> Flags:
        """For each string of a group whether it has a content word."""
        ids, string = self.words(group)
        n = self.bounds[group + 1] - self.bounds[group]
        return np.bincount(string[self.has_content[ids]], minlength=n) > 0

    def padded(self, group: int, *, by_stems: bool = False) -> list[bytes]:
        """Each string of a group as its words or stems with one blank around each.

        That makes word boundaries plain characters: " killed " is not in " skilled ". A string
        without words is empty.
        """
        if by_stems:
            spelled, number = self._stemmed
        else:
            spelled, number = self.tokens.encoded_vocabulary(), np.arange(self.tokens.n_distinct)
        offsets = self._offsets(group)
        ids = number[self.tokens.ids[offsets[0] : offsets[-1]]]
        each = list(map(spelled.__getitem__, ids.tolist()))
        ends = (offsets - offsets[0]).tolist()
        return [b" %b " % b" ".join(each[i:j]) if j > i else b"" for i, j in pairwise(ends)]

    def _offsets(self, group: int) -> Indices:
        return self.tokens.offsets[self.bounds[group] : self.bounds[group + 1] + 1]
