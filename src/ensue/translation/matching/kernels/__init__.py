"""Compiled inner loops of the matcher."""
