"""Numbers, amounts, shares, dates and times in a sentence, and whether one makes another true."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
