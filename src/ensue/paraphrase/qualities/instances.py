"""Q from judged applications: the share of a rule's instances that are right.

Szpektor, Shnarch & Dagan (2007), "Instance-based Evaluation of Entailment Rule Acquisition": people
find it hard to judge a rule by itself, and easier to judge what comes of it in a sentence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ensue.errors import SettingError
from ensue.pairs.formats.model import OnFinding, ignore
from ensue.pairs.model import Finding, Severity
from ensue.paraphrase.counting import counted
from ensue.paraphrase.model import Numbers, QualityFunction, QualityKind, RankedLists
from ensue.paraphrase.words import normalized

if TYPE_CHECKING:
    from ensue.paraphrase.reading.instances import Instances


def instance_quality(
    lists: RankedLists, instances: Instances, *, on_finding: OnFinding = ignore
) -> Numbers:
    """For each pattern the share of its instances that are right; NaN where it has none.

    Patterns and rules are matched in lower case with single blanks. Instances in which the
    arguments change places do not count: a paraphrase stands where the term stood.

    Args:
        lists: The patterns.
        instances: What people judged.
        on_finding: Is told how many patterns have no instance (finding `no-instance`).
    """
    from ensue.paraphrase.reading.rules import instance_shares

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


def _made(argument: str, on_finding: OnFinding) -> QualityFunction:
    if not argument:
        raise SettingError(
            "quality 'instances' needs a file of judged instances", hint="e.g. instances:FILE"
        )
    return lambda lists: _read_quality(lists, argument, on_finding)


def _read_quality(lists: RankedLists, path: str, on_finding: OnFinding) -> Numbers:
    from ensue.paraphrase.reading.instances import read_instances

    instances = read_instances(path, on_finding=on_finding)
    return instance_quality(lists, instances, on_finding=on_finding)


INSTANCES = QualityKind(
    "instances", "the share of judged applications that are right: instances:FILE", _made
)
