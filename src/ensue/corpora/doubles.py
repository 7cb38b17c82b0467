"""Pairs that are there more than once: one id twice, one pair twice, one pair in two files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ensue.corpora.dataset import Dataset
from ensue.pairs import Finding, Label, Pair, Severity, coarser_view
from ensue.pairs.reading import doubled_id

Spot = tuple[Dataset, int]
"""A data set and a position in it."""


def doubles(datasets: Sequence[Dataset]) -> Iterator[Finding]:
    """Yield a finding for each pair that stands somewhere else already."""
    for dataset in datasets:
        yield from _duplicate_ids(dataset)
        yield from _identical_pairs(dataset)
    yield from _shared_pairs(datasets)


def _duplicate_ids(dataset: Dataset) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for i, pair in enumerate(dataset.pairs):
        if pair.id in first:
            message = doubled_id(pair.id, dataset.place(first[pair.id]))
            yield _error("duplicate-id", message, (dataset, i))
        first.setdefault(pair.id, i)


def _identical_pairs(dataset: Dataset) -> Iterator[Finding]:
    first: dict[tuple[str, str], int] = {}
    for i, pair in enumerate(dataset.pairs):
        before = first.setdefault(_content(pair), i)
        if before != i:
            yield _same_content((dataset, before), (dataset, i))


def _same_content(before: Spot, now: Spot) -> Finding:
    one, other = _pair(before), _pair(now)
    where = f"{one.id!r} at {before[0].place(before[1])}"
    if _contradict(one.gold, other.gold):
        message = f"pair {other.id!r} is {_shown(other.gold)}, and the same pair {where} is"
        return _error("identical-pair-different-gold", f"{message} {_shown(one.gold)}", now, one.id)
    message = f"pair {other.id!r} has the text and hypothesis of pair {where}"
    return Finding(
        "identical-pair", Severity.WARNING, message, now[0].place(now[1]), (one.id, other.id)
    )


def _shared_pairs(datasets: Sequence[Dataset]) -> Iterator[Finding]:
    first: dict[tuple[str, str], Spot] = {}
    for dataset in datasets:
        fresh: dict[tuple[str, str], Spot] = {}
        for i, pair in enumerate(dataset.pairs):
            key = _content(pair)
            fresh.setdefault(key, (dataset, i))
            if key in first:
                home, j = first[key]
                message = f"pair {pair.id!r} is also {home.pairs[j].id!r} at {home.place(j)}"
                yield _error("shared-between-files", message, (dataset, i), home.pairs[j].id)
        first = {**fresh, **first}


def _content(pair: Pair) -> tuple[str, str]:
    """Text and hypothesis whatever their case and blanks."""
    text, hypothesis = (" ".join(side.casefold().split()) for side in (pair.text, pair.hypothesis))
    return text, hypothesis


def _contradict(one: Label | None, other: Label | None) -> bool:
    """Whether two golds differ in the view that both can be seen in; no gold differs from none."""
    if one is None or other is None:
        return False
    view = coarser_view([one], [other])
    return view.of(one) is not view.of(other)


def _pair(spot: Spot) -> Pair:
    return spot[0].pairs[spot[1]]


def _shown(gold: Label | None) -> str:
    return gold.value if gold else "without gold"


def _error(code: str, message: str, spot: Spot, *other_ids: str) -> Finding:
    place = spot[0].place(spot[1])
    return Finding(code, Severity.ERROR, message, place, (*other_ids, _pair(spot).id))
