"""The recognizer on the 74 entailment features: a regularized logistic regression."""

from ensue.recognizers.features.recognizer import FEATURES, FeaturesRecognizer

__all__ = ["FEATURES", "FeaturesRecognizer"]
