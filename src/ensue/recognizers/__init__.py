"""Everything that judges pairs, one recognizer a module, all behind one contract."""

from ensue.recognizers.asking import explain, judge
from ensue.recognizers.contract import (
    Parallel,
    Recognizer,
    RecognizerKind,
    Storable,
    Trainable,
)
from ensue.recognizers.explanation import (
    Evidence,
    Explanation,
    Link,
    Section,
    Side,
    Span,
    Step,
    Weight,
)
from ensue.recognizers.storage import load, save

__all__ = [
    "Evidence",
    "Explanation",
    "Link",
    "Parallel",
    "Recognizer",
    "RecognizerKind",
    "Section",
    "Side",
    "Span",
    "Step",
    "Storable",
    "Trainable",
    "Weight",
    "explain",
    "judge",
    "load",
    "save",
]
