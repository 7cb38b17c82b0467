"""A guard against labels in another order: a handful of obvious pairs, asked first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Protocol, runtime_checkable

from ensue.errors import SettingError
from ensue.pairs import Label, Pair, View, coarser_view
from ensue.recognizers.outside.answers import OWN_NAMES, Answer, Labels, name_key, shown_labels

CLEAR_FIT = 0.9
"""How well another order must fit the obvious pairs to be believed."""


CLEAR_LEAD = 0.5
"""By how much it must fit them better than the given one."""


_MOST_PERMUTED = 6


@runtime_checkable
class Guarded(Protocol):
    """A recognizer that asks itself obvious pairs before it judges others."""

    def check(self) -> None:
        """Ask them now instead of with the first pairs.

        Raises:
            SettingError: another order of the labels fits them clearly better.
        """


_DAILY = (
    ("A dog is sleeping on the sofa.", "No dog is sleeping on the sofa.", "Tea grows in Assam."),
    ("The shop is open on Sundays.", "The shop is closed on Sundays.", "My uncle plays chess."),
    ("Anna is older than Peter.", "Anna is younger than Peter.", "The lake froze in January."),
    ("All the lights were on.", "All the lights were off.", "Some birds cannot fly."),
)
"""Texts, each with a sentence that it excludes and one that has nothing to do with it."""


OBVIOUS = tuple(
    Pair(f"obvious-{i}-{gold.value}", text, hypothesis, gold)
    for i, (text, excluded, unrelated) in enumerate(_DAILY, 1)
    for hypothesis, gold in (
        (text, Label.ENTAILMENT),
        (excluded, Label.CONTRADICTION),
        (unrelated, Label.UNKNOWN),
    )
)
"""Pairs that leave nothing to argue about: a text and itself, what it excludes, what is unrelated."""


def check_order(answers: Sequence[Answer], labels: Labels | None) -> None:
    """Stop where another order of the labels fits the obvious pairs clearly better.

    Clearly is: it fits nine tenths of them, and half of them more than the given order. The fit is
    the mean over the kinds of pairs, so that a recognizer that always says the same is never
    stopped; where there are only two labels the contradictions are left out, which recognizers
    that count words get wrong in good faith.

    Args:
        answers: What the program says of each of `OBVIOUS`.
        labels: What its names mean.

    Raises:
        SettingError: such an order is there; the message says which.
    """
    names = [name_key((answer.record or {}).get("label")) for answer in answers]
    given = _permuted(names, labels)
    view = coarser_view(given.values())
    other, fit = max(
        ((order, _fit(order, names, view)) for order in _orders(given)), key=lambda each: each[1]
    )
    before = _fit(given, names, view)
    if fit >= CLEAR_FIT and fit - before >= CLEAR_LEAD:
        raise SettingError(
            f"the labels {shown_labels(given)} fit {before:.0%} of the obvious pairs,"
            f" {shown_labels(other)} would fit {fit:.0%}: {_sample(given, names, view)}",
            hint=f"give --labels {shown_labels(other)}, or go on with --no-guard",
        )


def _permuted(names: Sequence[str], labels: Labels | None) -> Labels:
    """The names whose order is in question: all, or of too many those that were answered."""
    answered = {name: OWN_NAMES[name] for name in names if name in OWN_NAMES}
    if labels is None:
        own = coarser_view(answered.values()).labels
        return answered | {label.value: label for label in own}
    if len(labels) <= _MOST_PERMUTED:
        return labels
    seen = [name for name in labels if name in names]
    return {name: labels[name] for name in seen[:_MOST_PERMUTED]}


def _orders(labels: Labels) -> list[Labels]:
    orders = dict.fromkeys(permutations(labels.values()))
    return [dict(zip(labels, order, strict=True)) for order in orders]


def _fit(order: Labels, names: Sequence[str], view: View) -> float:
    """The mean over the kinds of obvious pairs of the share that the order gets right."""
    kinds = view.labels if view is View.THREE_WAY else (Label.ENTAILMENT, Label.UNKNOWN)
    rights: dict[Label, list[bool]] = {kind: [] for kind in kinds}
    for pair, name in zip(OBVIOUS, names, strict=True):
        if pair.gold is not None and pair.gold in rights:
            rights[pair.gold].append(name in order and view.of(order[name]) is view.of(pair.gold))
    return sum(sum(right) / len(right) for right in rights.values()) / len(kinds)


def _sample(order: Labels, names: Sequence[str], view: View) -> str:
    """One obvious pair that the given order gets wrong."""
    for pair, name in zip(OBVIOUS, names, strict=True):
        assert pair.gold is not None
        if name in order and view.of(order[name]) is not view.of(pair.gold):
            return (
                f"of {pair.text!r} and {pair.hypothesis!r} it says {name!r},"
                f" which is to mean {order[name].value}"
            )
    return "it answers too few of them"
