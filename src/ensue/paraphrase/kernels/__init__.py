"""Compiled loops over words: cutting, stemming, and the histories of lists."""
