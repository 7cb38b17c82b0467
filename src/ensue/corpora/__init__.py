"""Data sets as wholes: statistics, audit, split, agreement. Knows pairs, surface, evaluation."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
