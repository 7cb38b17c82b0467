"""What people keep and share: trials, data sets, runs; in a database, with accounts.

It knows nothing of the web: `ensue.web` shows it, and a program may use it as well.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
