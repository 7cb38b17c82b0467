"""Parsing: the statistical parser's analysis, checked by a grammar and mended where it stumbles."""

from ensue.logic.parsing.choosing import Parsed, parse

__all__ = ["Parsed", "parse"]
