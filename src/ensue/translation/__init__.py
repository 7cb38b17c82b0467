"""Translations ranked with entailment features: data, features, models, ranks, agreement.

`translation.reading` opens data, `translation.metrics` scores them, `translation.ranking` ranks
systems, and `translation.agreement` holds metrics against `translation.judgments`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
