"""WordNet's words and relations: synonyms, hypernyms, antonyms …, and how alike meanings are.

`load_lexicon()` maps the shipped table into memory; everything else is asked of it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
