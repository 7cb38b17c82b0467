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
    "check": "ensue.claims",
    "check_many": "ensue.claims",
    "propositions": "ensue.claims",
    "evaluate": "ensue.evaluation",
}

__all__ = ["__version__", *sorted(_HOMES)]

if TYPE_CHECKING:
    from ensue.claims import check as check, check_many as check_many, propositions as propositions
    from ensue.errors import EnsueError as EnsueError
    from ensue.evaluation import evaluate as evaluate
    from ensue.pairs import (
        Finding as Finding,
        Label as Label,
        Pair as Pair,
        Run as Run,
        Signature as Signature,
        Status as Status,
        Verdict as Verdict,
        View as View,
        read_pairs as read_pairs,
        read_run as read_run,
        write_pairs as write_pairs,
        write_run as write_run,
    )
    from ensue.recognizers import explain as explain, judge as judge, load as load


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ensue' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
