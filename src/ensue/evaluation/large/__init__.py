"""Evaluation of more pairs than are held: streamed by columns, sorted and matched on disk.

Gold and runs are read side by side as batches of columns (`joining`). Counts of equal rows and
sorted numbers on disk (`tallying`, `sorting`) are all that is kept; from these come the same values
that the pairs themselves would give (`summarizing`). Memory does not grow with the pairs.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
