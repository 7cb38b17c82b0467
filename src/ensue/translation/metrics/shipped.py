"""The trained metrics that come with the package."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files

from ensue.translation.metrics.storage import read_metric
from ensue.translation.metrics.weighted import WeightedMetric

FOLDER = "trained"


@dataclass(frozen=True, slots=True)
class ShippedKind:
    """A metric that was trained before it was packed."""

    name: str
    summary: str

    def build(self) -> WeightedMetric:
        """The metric."""
        return _read(self.name)


@cache
def _read(name: str) -> WeightedMetric:
    with as_file(files("ensue.translation.metrics") / FOLDER / name) as directory:
        return read_metric(directory, name=name)


_PAIR = "trained on preferences of WMT12"
_ABS = "trained on direct assessments of WMT15 and WMT16"

PAIR_COMB = ShippedKind("pair-comb", f"surface and entailment features, {_PAIR}; the default")
PAIR_RTE = ShippedKind("pair-rte", f"entailment features both ways, {_PAIR}")
PAIR_TRADMT = ShippedKind("pair-tradmt", f"BLEU, NIST and TER in many settings, {_PAIR}")
PAIR_TRADMT_LEXICAL = ShippedKind(
    "pair-tradmt+lexical", f"the same with matches of stems and synonyms, {_PAIR}"
)
ABS_COMB = ShippedKind("abs-comb", f"surface and entailment features, {_ABS}")
ABS_RTE = ShippedKind("abs-rte", f"entailment features both ways, {_ABS}")
ABS_TRADMT = ShippedKind("abs-tradmt", f"BLEU, NIST and TER in many settings, {_ABS}")
ABS_TRADMT_LEXICAL = ShippedKind(
    "abs-tradmt+lexical", f"the same with matches of stems and synonyms, {_ABS}"
)
