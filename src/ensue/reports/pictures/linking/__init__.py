"""Two texts, drawn with what links their words."""
