"""Compiling the lexicon's table from WordNet's own files.

`python -m ensue.language.lexicon.compiling WNDB_DIR` writes it.
"""

from ensue.language.lexicon.compiling.tables import main, write_lexicon

__all__ = ["main", "write_lexicon"]
