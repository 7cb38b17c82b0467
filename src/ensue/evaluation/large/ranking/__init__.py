"""Numbers sorted on disk, and walks through them in order."""
