"""Weights on features, learned from human judgments."""

from ensue.translation.models.fitting import fit_abs, fit_pair
from ensue.translation.models.training import cross_scores, train
from ensue.translation.models.weighing import ModelKind, Weighing

__all__ = ["ModelKind", "Weighing", "cross_scores", "fit_abs", "fit_pair", "train"]
