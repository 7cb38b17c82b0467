"""Where bytes come from, and how they are packed."""
