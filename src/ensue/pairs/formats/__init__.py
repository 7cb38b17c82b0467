"""The file formats of pairs, found by name through the registry: rows of text, Parquet, XML."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
