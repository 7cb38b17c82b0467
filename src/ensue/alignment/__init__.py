"""A hypothesis's graph aligned with its text's: where each of its words is met, and how."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
