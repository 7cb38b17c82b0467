"""A workbench for textual entailment: recognize, evaluate, diagnose, apply.

The public names are found here and imported when they are first asked for, so that
`import ensue` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "EnsueError": "ensue.errors",
    "Finding": "ensue.pairs",
    "Label": "ensue.pairs",
    "Pair": "ensue.pairs",
    "Run": "ensue.pairs",
    "Signature": "ensue.pairs",
    "Status": "ensue.pairs",
    "Verdict": "ensue.pairs",
    "View": "ensue.pairs",
    "read_pairs": "ensue.pairs",
    "read_run": "ensue.pairs",
    "write_pairs": "ensue.pairs",
    "write_run": "ensue.pairs",
    "explain": "ensue.recognizers",
    "judge": "ensue.recognizers",
    "load": "ensue.recognizers",
    "evaluate": "ensue.evaluation",
}

__all__ = ["__version__", *sorted(_HOMES)]

if TYPE_CHECKING:
    from ensue.errors import EnsueError as EnsueError
    from ensue.evaluation import evaluate as evaluate
    from ensue.pairs import Finding as Finding
    from ensue.pairs import Label as Label
    from ensue.pairs import Pair as Pair
    from ensue.pairs import Run as Run
    from ensue.pairs import Signature as Signature
    from ensue.pairs import Status as Status
    from ensue.pairs import Verdict as Verdict
    from ensue.pairs import View as View
    from ensue.pairs import read_pairs as read_pairs
    from ensue.pairs import read_run as read_run
    from ensue.pairs import write_pairs as write_pairs
    from ensue.pairs import write_run as write_run
    from ensue.recognizers import explain as explain
    from ensue.recognizers import judge as judge
    from ensue.recognizers import load as load


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ensue' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
