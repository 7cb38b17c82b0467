"""The recognizer that proves, and the one that asks it first and the features then."""

from ensue.recognizers.logic.cascade import CASCADE, CascadeRecognizer
from ensue.recognizers.logic.recognizer import LOGIC, LogicRecognizer

__all__ = ["CASCADE", "LOGIC", "CascadeRecognizer", "LogicRecognizer"]
