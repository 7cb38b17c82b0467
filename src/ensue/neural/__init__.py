"""A small cross-encoder: a pair in, the probabilities of its three labels out; and its training."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
