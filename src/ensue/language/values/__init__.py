"""Numbers, amounts, shares, dates and times in a sentence, and whether one makes another true."""

from ensue.language.values.agreeing import agreement
from ensue.language.values.finding import find_values
from ensue.language.values.value import Agreement, Value, ValueKind

__all__ = ["Agreement", "Value", "ValueKind", "agreement", "find_values"]
