"""Paraphrase patterns: ranked lists scored with attention to lexical diversity, and put to use.

The measures are those of Shima & Mitamura (2011), "Diversity-aware Evaluation for Paraphrase
Patterns": EP, EPR and DIMPLE, and their correlation with what lists do in recognition tasks.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
