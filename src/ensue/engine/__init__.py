"""Runs any recognizer over any number of pairs, so that nothing is lost and nothing is done twice."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
