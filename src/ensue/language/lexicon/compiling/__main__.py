"""Run as `python -m ensue.language.lexicon.compiling`."""

import sys

from ensue.language.lexicon.compiling.tables import main

sys.exit(main())
