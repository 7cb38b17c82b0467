"""Translations ranked with entailment features: data, features, models, ranks, agreement."""
