"""Test suites generated from a grammar: cases whose entailment rests on syntax, with gold and tags.

`read_grammar` and `make_repertoire` make a grammar ready, `suite_generators` generates cases,
`write_suites` writes suites that have no case in common, and `made_suites` gives the same.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
