"""The command line: asks the library and shows the answer. Holds no logic."""

from ensue.cli.app import main

__all__ = ["main"]
