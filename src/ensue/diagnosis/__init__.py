"""Diagnostic sets of any kind, found by their content, judged, and measured by phenomenon.

`find_sets` finds and reads them, `diagnose` judges them with a recognizer and gives one `Diagnosis`,
`published_results` what others reached. The one call behind `ensue suite judge` is `diagnose_sources`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
