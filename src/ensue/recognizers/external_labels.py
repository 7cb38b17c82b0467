"""Answers of external recognizers, their labels mapped, and a check of label order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Protocol, runtime_checkable

from ensue.errors import RunError, SettingError
from ensue.pairs import Label, Pair, Status, Verdict, View, coarser_view, verdict_from_json
from ensue.recognizers.contract import Recognizer, Step

# Answers from outside: what came back for a pair, and labels mapped explicitly.

Labels = Mapping[str, Label]
"""The names that a program uses, in lower case, and what they mean."""


OWN_NAMES: Labels = {label.value: label for label in Label}
"""What is understood where no labels are given."""


@dataclass(frozen=True, slots=True)
class ExternalAnswer:
    """What came back for one pair: an object, or why there is none."""

    record: Mapping[str, Any] | None = None
    failure: str | None = None


def label_map(given: object) -> dict[str, Label] | None:
    """The labels that a setting gives, as `0=entailment,1=unknown` or as a mapping.

    >>> label_map("0=entailment, 1=not-entailment")
    {'0': <Label.ENTAILMENT: 'entailment'>, '1': <Label.NOT_ENTAILMENT: 'not-entailment'>}

    Raises:
        SettingError: it is not of that form, a name is there twice, or a label is none of ours.
    """
    if given is None:
        return None
    labels: dict[str, Label] = {}
    for name, label in _assigned(given):
        key = name_key(name)
        if not key or label not in OWN_NAMES:
            raise SettingError(
                "labels-cannot", f"labels cannot have '{name}={label}' in them", hint=_LABELS_HINT
            )
        if key in labels:
            raise SettingError(
                "labels-name-twice", f"labels have the name {name!r} twice", hint=_LABELS_HINT
            )
        labels[key] = OWN_NAMES[label]
    return labels


def shown_labels(labels: Labels) -> str:
    """The inverse of `label_map`.

    >>> shown_labels({"0": Label.ENTAILMENT, "1": Label.UNKNOWN})
    '0=entailment,1=unknown'
    """
    return ",".join(f"{name}={label.value}" for name, label in labels.items())


def labels_view(labels: Labels | None) -> View:
    """The view of the labels; where none are given, entailment or not is all that is known."""
    return View.TWO_WAY if labels is None else coarser_view(labels.values())


def verdict_of(pair: Pair, answer: ExternalAnswer, labels: Labels | None) -> Verdict:
    """The verdict that an answer stands for; `failed`, with the reason, where it stands for none.

    An answer whose label is null and that has no status is an abstention.
    """
    if answer.record is None:
        return _failed(pair, answer.failure or "there is no answer")
    record = dict(answer.record)
    status, name = record.get("status"), record.get("label")
    if name is None and status is None:
        if "label" not in record:
            return _failed(pair, "the answer has no label")
        record["reason"] = record.get("reason") or "the answer's label is null"
    label = name if isinstance(name, Label) else (labels or OWN_NAMES).get(name_key(name))
    if name is not None and label is None:
        return _failed(pair, _unmapped(name, labels))
    try:
        verdict = verdict_from_json({**record, "pair_id": pair.id, "label": label})
    except RunError as error:
        return _failed(pair, error.message)
    reason = None if verdict.label else str(verdict.reason or "the answer gives no reason")
    return Verdict(pair.id, label, verdict.score, verdict.confidence, verdict.status, reason)


def answer_steps(answer: ExternalAnswer, verdict: Verdict) -> list[Step]:
    """What the answer says of itself, and what it was taken for."""
    record = answer.record or {}
    told = record.get("explanation") or (record.get("reason") if verdict.label else None) or ()
    lines = [told] if isinstance(told, str) or not isinstance(told, Sequence) else told
    steps = [Step("explanation", str(line)) for line in lines]
    if verdict.label is None:
        return [*steps, Step(verdict.status.value, str(verdict.reason))]
    how = f"the answer {str(record.get('label'))!r} means {verdict.label.value}"
    return [*steps, Step("decision", how)]


_LABELS_HINT = f"give NAME=LABEL, separated by commas; LABEL is one of {', '.join(Label)}"


def _assigned(given: object) -> list[tuple[str, str]]:
    if isinstance(given, Mapping):
        pairs = [(str(name), str(label)) for name, label in given.items()]
    else:
        parts = [part.rpartition("=") for part in str(given).split(",")]
        pairs = [(name.strip(), label.strip()) for name, _, label in parts]
    if not pairs:
        raise SettingError("labels-empty", "labels are empty", hint=_LABELS_HINT)
    return pairs


def name_key(name: Any) -> str:
    """A name as labels are looked up by it."""
    return str(name).strip().lower()


def _failed(pair: Pair, reason: str) -> Verdict:
    return Verdict(pair.id, None, status=Status.FAILED, reason=reason)


def _unmapped(name: object, labels: Labels | None) -> str:
    known = ", ".join(labels or OWN_NAMES)
    return f"nobody said what the label {str(name)[:60]!r} means (known: {known}); use -s labels=…"


# A guard against labels in another order: a handful of obvious pairs, asked first.

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


def check_order(answers: Sequence[ExternalAnswer], labels: Labels | None) -> None:
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
            "labels-fit-obvious-pairs",
            f"the labels {shown_labels(given)} fit {before:.0%} of the obvious pairs,"
            f" {shown_labels(other)} would fit {fit:.0%}: {_sample(given, names, view)}",
            hint=f"give -s labels={shown_labels(other)}, or go on with -s guard=no",
        )


def order_doubt(recognizer: Recognizer) -> str | None:
    """Why another order of its labels is to be believed of a recognizer; None where none is.

    One that is guarded is not asked: it stops itself.
    """
    if isinstance(recognizer, Guarded):
        return None
    verdicts = recognizer.judge(OBVIOUS)
    try:
        check_order([ExternalAnswer({"label": each.label}) for each in verdicts], None)
    except SettingError as error:
        return error.message
    return None


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
