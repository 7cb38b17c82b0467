"""The roles: what judges pairs, what can be trained, and what an entry point names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from numpy.typing import NDArray

from ensue.pairs import Pair, Signature, Verdict
from ensue.recognizers.explanation import Explanation

if TYPE_CHECKING:
    from ensue.language.analysis.spreading import Spreading

Arrays = Mapping[str, NDArray[Any]]
"""What a trained recognizer has learned, as it is kept in an `.npz` file."""


@runtime_checkable
class Recognizer(Protocol):
    """Anything that judges pairs."""

    @property
    def signature(self) -> Signature:
        """The recipe that repeats the verdicts."""

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict for each pair: same order, same length, deterministic."""

    def explain(self, pair: Pair) -> Explanation:
        """Why this pair is judged as it is."""


@runtime_checkable
class Trainable(Protocol):
    """A recognizer that learns from gold pairs; training gives a new object."""

    @property
    def tunes(self) -> bool:
        """Whether training sets the cutoff."""

    def fit(self, pairs: Sequence[Pair], *, seed: int, name: str = "pairs") -> Recognizer:
        """A recognizer trained on these pairs; `name` is what its signature calls them."""


@runtime_checkable
class Storable(Protocol):
    """A recognizer that can be kept in a directory."""

    @property
    def signature(self) -> Signature:
        """The recipe, with every setting."""

    def arrays(self) -> Arrays:
        """What it has learned beside its signature."""


@runtime_checkable
class Parallel(Protocol):
    """A recognizer that can leave work to a pool; what it says does not depend on that."""

    def with_pool(self, pool: Spreading | None) -> Recognizer:
        """The same recognizer, with a pool for large batches; None for none."""


class RecognizerKind(Protocol):
    """What an entry point of the group `ensue.recognizers` names."""

    @property
    def name(self) -> str:
        """The name on the command line."""

    @property
    def summary(self) -> str:
        """One line for lists."""

    def build(self, settings: Mapping[str, object]) -> Recognizer:
        """A recognizer with these settings, given as values or as text."""

    def restore(self, signature: Signature, arrays: Arrays) -> Recognizer:
        """The recognizer that was kept with this signature and these arrays."""
