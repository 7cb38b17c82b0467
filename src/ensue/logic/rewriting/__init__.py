"""Rewriting: a cascade of small rules from dependency graphs to events with roles."""

from ensue.logic.rewriting.cascade import CASCADE, Normalized, normalize
from ensue.logic.rewriting.draft import Rule, Sort, Step

__all__ = ["CASCADE", "Normalized", "Rule", "Sort", "Step", "normalize"]
