"""Guess: the verdict depends on the seed and the pair's id, and on nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any

import numpy as np

from ensue.pairs import Pair
from ensue.recognizers.contract import Arrays
from ensue.recognizers.cutoff import CutoffKind, Scores
from ensue.recognizers.explanation import Evidence, Step


@dataclass(frozen=True, slots=True)
class RandomSettings:
    """Where the numbers come from."""

    seed: int = 0


@dataclass(frozen=True, slots=True)
class RandomScorer:
    """Score a pair with a number in [0, 1) made from the seed and its id.

    No generator is kept: shards, resumed runs and other orders give the same numbers.
    """

    chosen: RandomSettings

    ready = True

    @property
    def settings(self) -> Mapping[str, Any]:
        """The seed."""
        return asdict(self.chosen)

    def scores(self, pairs: Sequence[Pair]) -> Scores:
        """A number for each pair."""
        return Scores(np.array([self._number(pair.id) for pair in pairs], float))

    def evidence(self, pair: Pair) -> Evidence:
        """The number and where it comes from."""
        how = f"hash of seed {self.chosen.seed} and id {pair.id!r}, as a share of 2^53"
        return Evidence(steps=[Step("random score", how, self._number(pair.id))])

    def fitted(self, pairs: Sequence[Pair], *, seed: int) -> RandomScorer:  # noqa: ARG002
        """Itself: a guess learns nothing."""
        return self

    def arrays(self) -> Arrays:
        """Nothing."""
        return {}

    def _number(self, pair_id: str) -> float:
        source = f"{self.chosen.seed}\0{pair_id}".encode("utf-8", "surrogatepass")
        return (int.from_bytes(blake2b(source, digest_size=8).digest(), "big") >> 11) / 2**53


RANDOM = CutoffKind(
    "random",
    "guesses by seed and pair id, yes with probability 1 - cutoff",
    RandomSettings,
    RandomScorer,
    lambda settings, _: RandomScorer(settings),
    0.5,
    tunes=False,
)
