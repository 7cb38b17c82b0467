"""Recognizers from outside: any program, any Python function."""
