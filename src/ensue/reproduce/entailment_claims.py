"""What Padó et al. (2009) say of their Table 2, held against the table by arithmetic."""

from __future__ import annotations

from collections.abc import Mapping

from ensue.evaluation.results import Estimate
from ensue.features import NAMES as ENTAILMENT_NAMES
from ensue.reproduce.model import published_number
from ensue.translation.features import FeatureSet, feature_names
from ensue.translation.models import ModelKind
from ensue.translation.ranking import SystemMethod

NAME = "entailment-mt"
MODELS = (ModelKind.ABS, ModelKind.PAIR)
SETS = (FeatureSet.TRADMT, FeatureSet.RTE, FeatureSet.COMB)
METHODS = (SystemMethod.BASIC, SystemMethod.WITH_TIES)
COLUMNS = ("consistency", *METHODS)
"""Of Table 2."""

_Column = Mapping[ModelKind, Mapping[FeatureSet, int]]
"""Of Table 2, in hundredths."""


def claims() -> dict[str, Estimate]:
    """What the text says, by arithmetic on Table 2, in hundredths: they are whole numbers."""
    sure, basic, ties = (_table_column(name) for name in COLUMNS)
    ratios = {
        f"margin-{s}-ratio": _hundredths(f"margin-{s}-right") / _hundredths(f"margin-{s}-wrong")
        for s in SETS[:2]
    }
    differences = {key: n / 100 for key, n in _differences(sure, basic, ties).items()}
    sizes = {
        "features": len(ENTAILMENT_NAMES),
        "groups": len({name.partition(".")[0] for name in ENTAILMENT_NAMES}),
        "tradmt-features": len(feature_names(FeatureSet.TRADMT)),
    }
    found = {**_counts(sure, basic, ties), **differences, **ratios, **sizes}
    return {key: Estimate(float(number)) for key, number in found.items()}


def _counts(sure: _Column, basic: _Column, ties: _Column) -> dict[str, int]:
    """For how many models and sets a claim is true."""
    (of_abs, of_pair), (tradmt, rte, comb) = MODELS, SETS
    gain = {m: {s: ties[m][s] - basic[m][s] for s in SETS} for m in MODELS}
    order = [(sure[m][rte] - sure[m][tradmt], basic[m][rte] - basic[m][tradmt]) for m in MODELS]
    second = min(ties[m][rte] for m in MODELS)
    return {
        "pair-consistency": sum(sure[of_pair][s] > sure[of_abs][s] for s in SETS),
        "comb-consistency": sum(_leads(sure[m], comb) for m in MODELS),
        "pair-basic": sum(basic[of_pair][s] < basic[of_abs][s] for s in SETS),
        "abs-gains": sum(gain[of_abs][s] > 0 for s in SETS),
        "abs-gains-less": sum(gain[of_abs][s] < gain[of_pair][s] for s in SETS),
        "pattern": sum(by_consistency * by_basic > 0 for by_consistency, by_basic in order),
        "no-winner": sum(by_basic > 0 for _, by_basic in order),
        "comb-basic": sum(_leads(basic[m], comb) for m in MODELS),
        "rte-ties": sum(_leads(ties[m], rte) for m in MODELS),
        "others-gain-less": sum(gain[m][s] < gain[m][rte] for m in MODELS for s in (tradmt, comb)),
        "comb-gains-least": sum(gain[m][comb] < min(gain[m][tradmt], gain[m][rte]) for m in MODELS),
        "two-best": sum(ties[m][s] >= second for m in MODELS for s in SETS),
        "ties-improve": sum(gain[m][s] > 0 for m in MODELS for s in SETS),
    }


def _differences(sure: _Column, basic: _Column, ties: _Column) -> dict[str, int]:
    (of_abs, of_pair), (tradmt, rte, comb) = MODELS, SETS
    best = max(sure[m][comb] for m in MODELS)
    return {
        "comb-best": best,
        "competitive": _hundredths("best-consistency") - best,
        "pair-basic-margin": max(basic[of_abs][s] - basic[of_pair][s] for s in SETS),
        "similar": max(abs(ties[of_abs][s] - ties[of_pair][s]) for s in SETS),
        "above-bleu": min(basic[m][tradmt] for m in MODELS) - _hundredths("bleu-ter"),
        "rte-gain-abs": ties[of_abs][rte] - basic[of_abs][rte],
        "rte-gain-pair": ties[of_pair][rte] - basic[of_pair][rte],
    }


def _table_column(column: str) -> _Column:
    return {m: {s: _hundredths(cell(m, s, column)) for s in SETS} for m in MODELS}


def cell(model: ModelKind, features: FeatureSet, column: str) -> str:
    """The key of a cell of Table 2."""
    return f"table-2-{model}-{features}-{column}"


def analyses(features: FeatureSet) -> tuple[str, str, str]:
    """The keys of what the analyses say of a set."""
    return f"top-{features}", f"margin-{features}-right", f"margin-{features}-wrong"


def _hundredths(key: str) -> int:
    return round(100 * published_number(NAME, key))


def _leads(row: Mapping[FeatureSet, int], features: FeatureSet) -> bool:
    return all(row[features] > row[other] for other in SETS if other is not features)
