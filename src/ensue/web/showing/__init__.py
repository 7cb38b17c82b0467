"""What pages show, as HTML and as JSON."""
