"""What is in suites: how many cases of what, and a few of them to read."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ensue.errors import DataError
from ensue.pairs import Label, Pair

Counts = Mapping[str, Counter[Label]]
"""How many cases of each label there are of each kind."""


@dataclass(frozen=True, slots=True)
class Composition:
    """Cases of suites, counted."""

    n_cases: int
    n_groups: int
    labels: Mapping[Label, int] = field(hash=False)
    clauses: Counts = field(hash=False)
    """By the number of clauses in the text."""
    types: Counts = field(hash=False)
    """By subcategorization type of the text's predicates; a case may have several."""
    made: Counts = field(hash=False)
    """By how the hypothesis was made."""
    changes: Counts = field(hash=False)
    """By how constructions differ between the sides; a case may have several."""
    tags: Mapping[str, tuple[int, int]] = field(hash=False)
    """In how many texts and in how many hypotheses each tag is."""
    tag_pairs: Mapping[str, int] = field(hash=False)
    """In how many cases each tag pair is, the hypothesis's tag first."""
    sample: tuple[Pair, ...]
    """Random cases, in their order."""


def describe_cases(cases: Iterable[Pair], *, sample: int = 5, seed: int = 0) -> Composition:
    """Count cases, one at a time.

    Args:
        cases: Cases as `SuiteGenerator` makes them.
        sample: How many of them to keep.
        seed: Of their choice.

    Raises:
        DataError: a pair is not a case of a suite.
    """
    labels: Counter[Label] = Counter()
    by: dict[str, dict[str, Counter[Label]]] = {
        name: {} for name in ("clauses", "subcategorization", "made", "changes")
    }
    tags: dict[str, list[int]] = {}
    tag_pairs: Counter[str] = Counter()
    groups: set[int] = set()
    kept: list[tuple[int, Pair]] = []
    rng = random.Random(seed)
    n = 0
    for case in cases:
        label = _checked(case)
        labels[label] += 1
        groups.add(hash(case.meta["group"]))
        for name, counts in by.items():
            for value in _values(case.meta[name]):
                counts.setdefault(str(value), Counter())[label] += 1
        _count_tags(case, tags, tag_pairs)
        _keep(kept, (n, case), n, sample, rng)
        n += 1
    if n == 0:
        raise DataError(
            "no-case-describe",
            "there is no case to describe",
            hint="name suites that `ensue suite generate` wrote, or a file of pairs",
        )
    return Composition(
        n_cases=n,
        n_groups=len(groups),
        labels=labels,
        clauses=dict(sorted(by["clauses"].items())),
        types=dict(sorted(by["subcategorization"].items())),
        made=by["made"],
        changes=dict(sorted(by["changes"].items())),
        tags={tag: (of_text, of_hypothesis) for tag, (of_text, of_hypothesis) in tags.items()},
        tag_pairs=tag_pairs,
        sample=tuple(case for _, case in sorted(kept, key=lambda each: each[0])),
    )


def _checked(case: Pair) -> Label:
    missing = {"group", "made", "changes", "clauses", "subcategorization", "tags"} - set(case.meta)
    if missing or case.gold not in (Label.ENTAILMENT, Label.NOT_ENTAILMENT):
        what = f"meta.{min(missing)}" if missing else "gold of entailment or not-entailment"
        raise DataError(
            "pair-no-case-suite-no",
            f"pair {case.id!r} is no case of a suite: it has no {what}",
            hint="ensue data show describes other pairs",
        )
    if not _are_strings(case.meta["changes"]) or not _are_tags(case.meta["tags"]):
        raise DataError(
            "pair-no-case-suite-meta-changes",
            f"pair {case.id!r} is no case of a suite: its meta.changes or meta.tags are no lists",
            hint="describe the directory or its JSONL; in RTE XML they are plain text",
        )
    return case.gold


def _are_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _are_tags(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(each, dict)
        and _are_strings(each.get("text"))
        and _are_strings(each.get("hypothesis"))
        for each in value
    )


def _values(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _count_tags(case: Pair, tags: dict[str, list[int]], tag_pairs: Counter[str]) -> None:
    sides: tuple[set[str], set[str]] = (set(), set())
    pairs: set[str] = set()
    for entry in case.meta["tags"]:
        sides[0].update(entry["text"])
        sides[1].update(entry["hypothesis"])
        pairs.update(f"{h}/{t}" for h in entry["hypothesis"] for t in entry["text"])
    for k, found in enumerate(sides):
        for tag in found:
            tags.setdefault(tag, [0, 0])[k] += 1
    tag_pairs.update(pairs)


def _keep(
    kept: list[tuple[int, Pair]], case: tuple[int, Pair], n: int, size: int, rng: random.Random
) -> None:
    """Reservoir sampling: each of the cases so far is kept with the same probability."""
    if len(kept) < size:
        kept.append(case)
        return
    place = rng.randrange(n + 1)
    if place < size:
        kept[place] = case
