"""Baselines: the same label for every pair, and a guess by seed and id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any

import numpy as np

from ensue import __version__
from ensue.pairs import Label, Pair, Signature, Verdict, View
from ensue.recognizers.contract import (
    Arrays,
    Evidence,
    Explanation,
    Step,
    checked_pair,
    checked_pairs,
    filled,
)
from ensue.recognizers.cutoff import CutoffRecognizer, PairScores, checked_cutoff

# Give every pair the same label: the baseline that a balanced data set makes natural.


@dataclass(frozen=True, slots=True)
class AlwaysSettings:
    """Which label it is."""

    label: Label = Label.ENTAILMENT


@dataclass(frozen=True, slots=True)
class AlwaysRecognizer:
    """Give every pair the same label, with neither score nor confidence."""

    chosen: AlwaysSettings

    @property
    def signature(self) -> Signature:
        """The label is all there is to it."""
        label = self.chosen.label
        fine = label in (Label.CONTRADICTION, Label.UNKNOWN)
        return Signature(
            "always",
            __version__,
            {"label": label.value},
            view=View.THREE_WAY if fine else View.TWO_WAY,
        )

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """The same label for each pair."""
        return [Verdict(pair.id, self.chosen.label) for pair in checked_pairs(pairs)]

    def explain(self, pair: Pair) -> Explanation:
        """There is nothing to explain, and that is said."""
        checked_pair(pair)
        steps = [Step("decision", f"always {self.chosen.label}, whatever the pair says")]
        return Explanation(pair, self.judge([pair])[0], self.signature, Evidence(steps=steps))

    def arrays(self) -> Arrays:
        """Nothing."""
        return {}


@dataclass(frozen=True, slots=True)
class AlwaysKind:
    """What the entry point names."""

    name: str = "always"
    summary: str = "the same label for every pair"

    def build(self, settings: Mapping[str, object]) -> AlwaysRecognizer:
        """A recognizer with these settings."""
        return AlwaysRecognizer(filled(AlwaysSettings, settings))

    def restore(self, signature: Signature, arrays: Arrays) -> AlwaysRecognizer:  # noqa: ARG002
        """The recognizer that was kept with this signature."""
        return self.build(signature.settings)


ALWAYS = AlwaysKind()


# Guess: the verdict depends on the seed and the pair's id, and on nothing else.

_RANGE = (0.0, 1.0)


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

    def scores(self, pairs: Sequence[Pair]) -> PairScores:
        """A number for each pair."""
        return PairScores(np.array([self._number(pair.id) for pair in pairs], float))

    def evidence(self, pair: Pair) -> Evidence:
        """The number and where it comes from."""
        how = f"hash of seed {self.chosen.seed} and id {pair.id!r}, as a share of 2^53"
        return Evidence(steps=[Step("random score", how, self._number(pair.id))])

    def arrays(self) -> Arrays:
        """Nothing."""
        return {}

    def _number(self, pair_id: str) -> float:
        source = f"{self.chosen.seed}\0{pair_id}".encode("utf-8", "surrogatepass")
        return (int.from_bytes(blake2b(source, digest_size=8).digest(), "big") >> 11) / 2**53


@dataclass(frozen=True, slots=True)
class RandomKind:
    """What the entry point names."""

    name: str = "random"
    summary: str = "guesses by seed and pair id, yes with probability 1 - cutoff"

    def build(self, settings: Mapping[str, object]) -> CutoffRecognizer:
        """A recognizer with these settings."""
        given = dict(settings)
        cutoff = checked_cutoff(given.pop("cutoff", 0.5), _RANGE)
        return CutoffRecognizer(
            self.name, RandomScorer(filled(RandomSettings, given)), cutoff, _RANGE
        )

    def restore(self, signature: Signature, arrays: Arrays) -> CutoffRecognizer:  # noqa: ARG002
        """The recognizer that was kept with this signature."""
        return self.build({**signature.settings, "cutoff": signature.cutoff})


RANDOM = RandomKind()
