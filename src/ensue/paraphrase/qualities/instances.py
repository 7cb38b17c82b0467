"""Q from judged applications: the share of a rule's instances that are right.

Szpektor, Shnarch & Dagan (2007), "Instance-based Evaluation of Entailment Rule Acquisition": people
find it hard to judge a rule by itself, and easier to judge what comes of it in a sentence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ensue.errors import SettingError
from ensue.paraphrase.model import Numbers, QualityFunction, QualityKind, RankedLists

if TYPE_CHECKING:
    from ensue.paraphrase.reading.instances import Instances


def instance_quality(lists: RankedLists, instances: Instances) -> Numbers:
    """For each pattern the share of its instances that are right; NaN where it has none.

    Patterns and rules are matched in lower case with single blanks. Instances in which the
    arguments change places do not count: a paraphrase stands where the term stood.
    """
    from ensue.paraphrase.reading.rules import instance_shares, normalized

    shares = {rule: found.share for rule, found in instance_shares(instances).items()}
    patterns = zip(lists.list_of.tolist(), lists.paraphrases, strict=True)
    rules = ((normalized(lists.keys[i].term), normalized(each)) for i, each in patterns)
    return np.array([shares.get(rule, np.nan) for rule in rules], np.float64)


def _made(argument: str) -> QualityFunction:
    if not argument:
        raise SettingError(
            "quality 'instances' needs a file of judged instances", hint="e.g. instances:FILE"
        )
    return lambda lists: _read_quality(lists, argument)


def _read_quality(lists: RankedLists, path: str) -> Numbers:
    from ensue.paraphrase.reading.instances import read_instances

    return instance_quality(lists, read_instances(path))


INSTANCES = QualityKind(
    "instances", "the share of judged applications that are right: instances:FILE", _made
)
