"""Parsing: the statistical parser's analysis, checked by a grammar and mended where it stumbles."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
