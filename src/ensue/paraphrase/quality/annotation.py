"""Q from annotation: labels of judges, a column of numbers, or judged instances.

Szpektor, Shnarch & Dagan (2007), "Instance-based Evaluation of Entailment Rule Acquisition": people
find it hard to judge a rule by itself, and easier to judge what comes of it in a sentence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ensue.errors import SettingError, UndefinedError, UnknownNameError
from ensue.files import OnFinding, ignore_finding
from ensue.pairs import Finding, Severity
from ensue.paraphrase.lists import (
    Numbers,
    QualityFunction,
    QualityKind,
    RankedLists,
    Strictness,
    column_in_range,
    counted,
)
from ensue.paraphrase.words import normalized

if TYPE_CHECKING:
    from ensue.paraphrase.formats.instances import Instances

# Q as people give it: the share of positive labels (Shima & Mitamura 2011, section 2.2).


def judged_quality(lists: RankedLists, strictness: Strictness = Strictness.STRICT) -> Numbers:
    """The share of positive labels of each pattern; NaN where nobody judged it.

    Raises:
        UndefinedError: the lists have no judgments of that strictness.
    """
    if lists.judgments is None or not lists.judgments.labels:
        raise UndefinedError(
            "nobody-judged-lists-no",
            "nobody judged these lists, so that no quality can be taken from judges",
            place=lists.name or None,
            hint="add a column for each judge, e.g. 'ann.strict', or take another quality,"
            " e.g. recognizer",
        )
    labels = lists.judgments.labels
    if strictness not in labels:
        there = ", ".join(f"judges:{each.value}" for each in labels)
        raise UndefinedError(
            "no-judge-lists",
            f"no judge of these lists is {strictness.value}",
            place=lists.name or None,
            hint=f"take {there}, or add columns like 'ann.{strictness.value}'",
        )
    return lists.judgments.shares(strictness)


def _make_judges(argument: str, on_finding: OnFinding) -> QualityFunction:  # noqa: ARG001
    known = [each.value for each in Strictness]
    if argument and argument not in known:
        raise UnknownNameError.of("strictness", argument, known)
    strictness = Strictness(argument) if argument else Strictness.STRICT
    return lambda lists: judged_quality(lists, strictness)


JUDGES = QualityKind(
    "judges",
    "the share of positive labels: judges:strict (the default) or judges:lenient",
    _make_judges,
)


# Q from a column of numbers that stands in the file of lists.


def _make_column(argument: str, on_finding: OnFinding) -> QualityFunction:  # noqa: ARG001
    if not argument:
        raise SettingError(
            "quality-column-needs-name",
            "quality 'column' needs a name",
            hint="e.g. column:confidence",
        )
    return lambda lists: column_in_range(lists, argument, 1.0, "quality")


COLUMN = QualityKind(
    "column", "a column of the file with numbers in [0, 1]: column:NAME", _make_column
)


# Q from judged applications: the share of a rule's instances that are right.


def instance_quality(
    lists: RankedLists, instances: Instances, *, on_finding: OnFinding = ignore_finding
) -> Numbers:
    """For each pattern the share of its instances that are right; NaN where it has none.

    Patterns and rules are matched in lower case with single blanks. Instances in which the
    arguments change places do not count: a paraphrase stands where the term stood.

    Args:
        lists: The patterns.
        instances: What people judged.
        on_finding: Is told how many patterns have no instance (finding `no-instance`).
    """
    from ensue.paraphrase.formats.instances import instance_shares

    shares = {rule: found.share for rule, found in instance_shares(instances).items()}
    patterns = zip(lists.list_of.tolist(), lists.paraphrases, strict=True)
    rules = ((normalized(lists.keys[i].term), normalized(each)) for i, each in patterns)
    found = np.array([shares.get(rule, np.nan) for rule in rules], np.float64)
    _report_missing(lists, found, instances.name, on_finding)
    return found


def _report_missing(lists: RankedLists, quality: Numbers, name: str, on_finding: OnFinding) -> None:
    missing = np.flatnonzero(np.isnan(quality))
    if missing.size:
        on_finding(
            Finding(
                "no-instance",
                Severity.WARNING,
                f"{counted(missing.size, 'pattern')} of {lists.n_patterns:,} without a judged"
                f" instance in {name}, and so without quality",
                place=lists.place(int(missing[0])),
                details={"n_patterns": int(missing.size)},
            )
        )


def _make_instances(argument: str, on_finding: OnFinding) -> QualityFunction:
    if not argument:
        raise SettingError(
            "quality-instances-needs-file",
            "quality 'instances' needs a file of judged instances",
            hint="e.g. instances:FILE",
        )
    return lambda lists: _read_quality(lists, argument, on_finding)


def _read_quality(lists: RankedLists, path: str, on_finding: OnFinding) -> Numbers:
    from ensue.paraphrase.formats.instances import read_instances

    instances = read_instances(path, on_finding=on_finding)
    return instance_quality(lists, instances, on_finding=on_finding)


INSTANCES = QualityKind(
    "instances", "the share of judged applications that are right: instances:FILE", _make_instances
)
