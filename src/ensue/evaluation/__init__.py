"""Measures, intervals, chance, comparison, power, curves: numbers in, numbers out.

Knows only pairs and verdicts, never a recognizer; prints nothing, and opens no file but those of
sources that are too large to be held. `evaluate` takes pairs and runs; `evaluate_sources` takes their
names, is the one call behind `ensue evaluate`, and streams what is large. The functions beside them
give what the other commands show.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
