"""Run as `python -m ensue.language.lexicon`: compile the table from WordNet's files."""

import sys

from ensue.language.lexicon.compiler import main

sys.exit(main())
