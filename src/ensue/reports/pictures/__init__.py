"""Pictures: Vega-Lite specifications with their data inside, and what they become on disk."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
