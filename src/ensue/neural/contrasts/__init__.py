"""Pairs with gold by construction, made from the clauses of real sentences.

A recognizer that counts shared words is right about most pairs that people wrote. Here the words
are nearly the same for all three labels, and what differs is who did it, a negation, a quantifier,
a number, or what a clause is embedded in. A sentence whose clause is not simple gives no pair.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
