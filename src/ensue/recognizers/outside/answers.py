"""Answers from outside: what came back for a pair, and labels mapped explicitly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ensue.errors import RunError, SettingError
from ensue.pairs import Label, Pair, Status, Verdict, View, coarser_view
from ensue.pairs.runs import verdict_from_json
from ensue.recognizers.explanation import Step

Labels = Mapping[str, Label]
"""The names that a program uses, in lower case, and what they mean."""


OWN_NAMES: Labels = {label.value: label for label in Label}
"""What is understood where no labels are given."""


@dataclass(frozen=True, slots=True)
class Answer:
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
            raise SettingError(f"labels cannot have '{name}={label}' in them", hint=_LABELS_HINT)
        if key in labels:
            raise SettingError(f"labels have the name {name!r} twice", hint=_LABELS_HINT)
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


def verdict_of(pair: Pair, answer: Answer, labels: Labels | None) -> Verdict:
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


def answer_steps(answer: Answer, verdict: Verdict) -> list[Step]:
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
        raise SettingError("labels are empty", hint=_LABELS_HINT)
    return pairs


def name_key(name: Any) -> str:
    """A name as labels are looked up by it."""
    return str(name).strip().lower()


def _failed(pair: Pair, reason: str) -> Verdict:
    return Verdict(pair.id, None, status=Status.FAILED, reason=reason)


def _unmapped(name: object, labels: Labels | None) -> str:
    known = ", ".join(labels or OWN_NAMES)
    return f"nobody said what the label {str(name)[:60]!r} means (known: {known}); use --labels"
