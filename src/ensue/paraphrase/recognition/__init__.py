"""Recognition tasks: what lists of paraphrases are good for (Shima & Mitamura 2011, section 3).

`recognize` puts ranked lists to tasks, which are gold pairs; `term_counts` gives the paper's Table
1 for any terms; `method_performances` puts the lists of a method together.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
