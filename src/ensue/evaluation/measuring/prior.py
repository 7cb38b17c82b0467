"""Scores under another share of entailments than the data set has.

The challenge's sets are half entailments; applications seldom are. What a run does to entailments
and to other pairs is kept, only their shares π and 1 − π change: accuracy is
recall_yes·π + recall_no·(1 − π), precision recall_yes·π / (recall_yes·π + false_yes·(1 − π)).
"""

from __future__ import annotations

import numpy as np

from ensue.errors import SettingError
from ensue.evaluation.measuring.intervals import Replicates, estimate
from ensue.evaluation.measuring.judged import Judged
from ensue.evaluation.measuring.measures import Measure
from ensue.evaluation.measuring.ranks import Numbers
from ensue.evaluation.measuring.resampling import Resample
from ensue.evaluation.results import PriorScores
from ensue.pairs.cutoffs import ratio


def prior_measures(prior: float) -> tuple[Measure, Measure, Measure, Measure]:
    """Accuracy (unanswered is not right), precision, recall and F under a share of entailments.

    Raises:
        SettingError: the share is not in [0, 1].
    """
    if not 0 <= prior <= 1:
        raise SettingError(f"prior {prior!r} is not in [0, 1]", hint="0.1 is one in ten")
    return (
        _measure("accuracy", "recall_yes·π + recall_no·(1 − π)", prior),
        _measure("precision", "recall_yes·π / (recall_yes·π + false_yes·(1 − π))", prior),
        _measure("recall", "recall_yes", prior),
        _measure("f", "2·precision·recall / (precision + recall)", prior),
    )


def prior_scores(
    judged: Judged, prior: float, draws: Replicates, *, level: float = 0.95
) -> PriorScores:
    """The scores under a share of entailments, from draws that have `prior_measures`."""
    results = [estimate(judged, m, draws[m.name], level) for m in prior_measures(prior)]
    return PriorScores(prior, *results)


def _measure(name: str, formula: str, prior: float) -> Measure:
    functions = {"accuracy": _accuracy, "precision": _precision, "recall": _recall, "f": _f}
    return Measure(
        name=f"{name}-at-prior",
        summary=f"{name} where a share π of the pairs are entailments",
        formula=formula,
        source="Dagan, Glickman & Magnini 2005, section 1.2, on other distributions",
        range=(0.0, 1.0),
        weighted=lambda draw: functions[name](draw, prior),
        gap=lambda judged: _gap(judged, name, prior),
    )


def _gap(judged: Judged, name: str, prior: float) -> str | None:
    if not judged.is_yes.any():
        return "no pair is an entailment in the gold"
    if name != "recall" and judged.is_yes.all():
        return "all pairs are entailments in the gold"
    if name == "precision" and not (judged.answer == 0).any():
        return "the run never answers entailment"
    if name in ("precision", "f") and prior == 0:
        return "without entailments there is nothing to find"
    return None


def _rates(draw: Resample) -> tuple[Numbers, Numbers, Numbers]:
    """Of the entailments the share found; of the others the shares right and taken for yes."""
    table = draw.confusion
    others = table[:, 1:].sum(axis=(1, 2))
    right = np.trace(table[:, 1:, 1:-1], axis1=1, axis2=2)
    found = ratio(table[:, 0, 0], table[:, 0].sum(axis=1))
    return found, ratio(right, others), ratio(table[:, 1:, 0].sum(axis=1), others)


def _accuracy(draw: Resample, prior: float) -> Numbers:
    found, right, _ = _rates(draw)
    return found * prior + right * (1 - prior)


def _precision(draw: Resample, prior: float) -> Numbers:
    found, _, false = _rates(draw)
    return ratio(found * prior, found * prior + false * (1 - prior))


def _recall(draw: Resample, prior: float) -> Numbers:  # noqa: ARG001 - one shape for all
    return _rates(draw)[0]


def _f(draw: Resample, prior: float) -> Numbers:
    found, _, false = _rates(draw)
    return ratio(2 * found * prior, prior + found * prior + false * (1 - prior))
