"""One module for each file format of pairs; found by name through the registry."""
