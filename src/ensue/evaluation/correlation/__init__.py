"""Correlation of two variables, its resampling, and tests of two correlations."""
