"""Ask a recognizer about one text and one hypothesis."""

from __future__ import annotations

from pathlib import Path

from ensue.pairs import Pair, Verdict
from ensue.recognizers.contract import Recognizer
from ensue.recognizers.explanation import Explanation
from ensue.recognizers.storage import load

DEFAULT = "features"
_ID = "1"


def judge(text: str, hypothesis: str, recognizer: str | Path | Recognizer = DEFAULT) -> Verdict:
    """Say whether a hypothesis follows from a text.

    >>> judge("A dog barks at night.", "A dog barks.", "modified-bleu").label.value
    'entailment'

    Args:
        text: What is given.
        hypothesis: What may follow from it.
        recognizer: A name or a directory, as `ensue.load` takes them, or a recognizer.
    """
    return _recognizer(recognizer).judge([Pair(_ID, text, hypothesis)])[0]


def explain(
    text: str, hypothesis: str, recognizer: str | Path | Recognizer = DEFAULT
) -> Explanation:
    """Say why a hypothesis is judged to follow from a text, or not; arguments as for `judge`."""
    return _recognizer(recognizer).explain(Pair(_ID, text, hypothesis))


def _recognizer(named: str | Path | Recognizer) -> Recognizer:
    return load(named) if isinstance(named, str | Path) else named
