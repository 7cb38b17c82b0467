"""Opening (paths, URLs, packing), rows and columns that know their place, safe XML, writing whole or not at all."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
