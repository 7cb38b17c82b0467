"""Q as people give it: the share of positive labels (Shima & Mitamura 2011, section 2.2)."""

from __future__ import annotations

from ensue.errors import UndefinedError, UnknownNameError
from ensue.pairs.formats.model import OnFinding
from ensue.paraphrase.model import Numbers, QualityFunction, QualityKind, RankedLists, Strictness


def judged_quality(lists: RankedLists, strictness: Strictness = Strictness.STRICT) -> Numbers:
    """The share of positive labels of each pattern; NaN where nobody judged it.

    Raises:
        UndefinedError: the lists have no judgments of that strictness.
    """
    if lists.judgments is None or not lists.judgments.labels:
        raise UndefinedError(
            "nobody judged these lists, so that no quality can be taken from judges",
            place=lists.name or None,
            hint="add a column for each judge, e.g. 'ann.strict', or take another quality,"
            " e.g. recognizer",
        )
    labels = lists.judgments.labels
    if strictness not in labels:
        there = ", ".join(f"judges:{each.value}" for each in labels)
        raise UndefinedError(
            f"no judge of these lists is {strictness.value}",
            place=lists.name or None,
            hint=f"take {there}, or add columns like 'ann.{strictness.value}'",
        )
    return lists.judgments.shares(strictness)


def _made(argument: str, on_finding: OnFinding) -> QualityFunction:  # noqa: ARG001
    known = [each.value for each in Strictness]
    if argument and argument not in known:
        raise UnknownNameError.of("strictness", argument, known)
    strictness = Strictness(argument) if argument else Strictness.STRICT
    return lambda lists: judged_quality(lists, strictness)


JUDGES = QualityKind(
    "judges", "the share of positive labels: judges:strict (the default) or judges:lenient", _made
)
