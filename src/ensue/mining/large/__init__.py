"""Mining more cases than are held: by the profiles that they share.

`read_cases` finds the forms of gold of any size (`tables`, `tags`, `sets`), `count_profiles` counts
its cases beside the runs, `mine_profiles` ranks the forms as `ensue.mining.mine` does, and
`with_worst_cases` reads the few cases that are shown. Memory grows with the distinct sets of forms,
not with the cases.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
