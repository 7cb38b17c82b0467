"""Which constructions, words or columns make a recognizer fail: error mining over judged pairs.

`find_forms` says what may be to blame in each case, `mine` ranks it, with intervals and p-values;
both take pairs that are held. `mine_sources` takes the names of gold and runs, is the one call behind
`ensue mine`, and streams what is large. Prints nothing.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
