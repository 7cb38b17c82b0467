"""What is measured, at which ranks, and what happens to lists that are not as the paper's are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from ensue.errors import SettingError
from ensue.paraphrase.model import Strictness

KS = (1, 5, 10)
"""The ranks of Shima & Mitamura (2011, section 3.2)."""


class PatternMeasure(StrEnum):
    """Of a ranked list of patterns, at a rank k."""

    EP = "EP"
    """Expected precision: the mean Q."""
    EPR = "EPR"
    """The same, where patterns that repeat a stem get no credit (Metzler et al. 2011)."""
    DIMPLE = "DIMPLE"
    """The cumulated gain 2^(Q·D) − 1, as a share of what a perfect list has."""


MEASURES = tuple(PatternMeasure)
"""In the order of the arrays."""


class Short(StrEnum):
    """How a list with fewer than k patterns is scored."""

    WRONG = "wrong"
    """What is missing gets nothing: division by k, as the paper's formulas have it."""
    AVAILABLE = "available"
    """Division by the number of patterns that are there."""


class Repeated(StrEnum):
    """What becomes of a pattern that its list has already."""

    DROP = "drop"
    """The first one stays, and those behind move up."""
    KEEP = "keep"
    ERROR = "error"


class Unjudged(StrEnum):
    """What becomes of a pattern that has no Q."""

    ERROR = "error"
    """Where its rank matters."""
    WRONG = "wrong"
    """Its Q is 0."""
    SKIP = "skip"
    """It is left out, and those behind move up."""


@dataclass(frozen=True, slots=True)
class ScoreSettings:
    """How lists are scored.

    Raises:
        SettingError: there is no k, or one below 1.
    """

    ks: tuple[int, ...] = KS
    """The ranks at which the measures are taken."""
    short: Short = Short.WRONG
    repeated: Repeated = Repeated.DROP
    unjudged: Unjudged = Unjudged.ERROR
    strictness: Strictness | None = None
    """Of the judges whose share Q is, for intervals; None where Q is not by judges. `score` sets
    it by the quality that it is given."""
    no_content: frozenset[str] | None = None
    """Words without content in the place of those that ship."""

    def __post_init__(self) -> None:
        check_ranks(self.ks)

    @property
    def deepest(self) -> int:
        """The last rank that matters."""
        return max(self.ks)

    def recipe(self) -> dict[str, str]:
        """What stands in a signature."""
        return {
            "short": self.short.value,
            "repeated": self.repeated.value,
            "unjudged": self.unjudged.value,
            "no-content": self._words(),
        }

    def _words(self) -> str:
        """Which words have no content; two lists of one's own differ where a word does."""
        if self.no_content is None:
            return "shipped"
        words = sorted({word.lower() for word in self.no_content})
        digest = sha256("\n".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return f"own ({len(words)}, {digest})"


def check_ranks(ks: Iterable[int]) -> None:
    """Refuse ranks that there are not.

    Raises:
        SettingError: there is none, or one below 1.
    """
    ks = tuple(ks)
    if not ks:
        raise SettingError("no k is given", hint="e.g. 1, 5, 10")
    for k in ks:
        if isinstance(k, bool) or not isinstance(k, int) or k < 1:
            raise SettingError(
                f"k is {k!r}, and a list has no such rank",
                hint="k says how many of the first patterns count: 1 or more, e.g. 10",
            )
