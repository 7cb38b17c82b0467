"""What is where; a module a subject."""
