"""Compiled inner loops: candidates, ways between nodes, and the searches."""
