"""The recognizer on the network: three probabilities a pair, and what each word is worth.

The probability of entailment is the score. A pair is entailment where that is above the cutoff, and
otherwise the likelier of unknown and contradiction; the confidence is the probability of the label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue import __version__
from ensue.concurrency import no_fork
from ensue.errors import SettingError
from ensue.features import has_words
from ensue.neural import ORDER, LogOdds, PairNetwork, shipped_network
from ensue.pairs import Label, Pair, Signature, Status, Verdict, View
from ensue.recognizers.contract import (
    Arrays,
    Evidence,
    EvidenceSection,
    Explanation,
    Side,
    Step,
    Weight,
    checked_pair,
    checked_pairs,
    filled,
)
from ensue.statistics import softmax

NAME = "neural"
_NETWORK = "network"
RANGE = (0.0, 1.0)
_MOST_WORDS = 120
"""Words of a side that are left out one by one; those behind them are not."""
_WORD = re.compile(r"\S+")

Chances = NDArray[np.float64]
"""A row of probabilities for each pair, in the order of the network's labels."""


def decided(pair_id: str, chances: NDArray[np.float64], cutoff: float, **more: Any) -> Verdict:
    """The verdict of three probabilities."""
    score = float(chances[0])
    label = 0 if score > cutoff else 1 + int(chances[1:].argmax())
    return Verdict(pair_id, ORDER[label], score, min(float(chances[label]), 1.0), **more)


def wordless(pair: Pair) -> str | None:
    """Why a pair cannot be judged: a side without a letter or digit."""
    for side, string in (("text", pair.text), ("hypothesis", pair.hypothesis)):
        if not has_words(string):
            return f"the {side} has no words"
    return None


@dataclass(frozen=True, slots=True)
class NeuralSettings:
    """Where yes begins."""

    cutoff: float = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.cutoff <= 1:
            raise SettingError(
                "setting-cutoff-cannot",
                f"setting 'cutoff' cannot be {self.cutoff!r}",
                hint="it takes a number from 0 to 1",
            )


@dataclass(slots=True, eq=False)
class NetworkSession:
    """The network that ships, opened when the first pair comes."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Nothing: another process opens its own."""
        return NetworkSession, ()

    @property
    def network(self) -> PairNetwork:
        """What is asked."""
        with no_fork:
            return shipped_network()

    def chances(self, pairs: Sequence[Pair]) -> Chances:
        """The probabilities of each pair, calibrated."""
        odds = self.odds([(pair.text, pair.hypothesis) for pair in pairs])
        return softmax(odds / self.network.temperature)

    def odds(self, pairs: Sequence[tuple[str, str]]) -> LogOdds:
        """The log odds of texts and hypotheses."""
        return self.network.log_odds([text for text, _ in pairs], [asked for _, asked in pairs])


@dataclass(frozen=True, slots=True)
class NeuralRecognizer:
    """Asks the network alone."""

    chosen: NeuralSettings
    session: NetworkSession = field(default_factory=NetworkSession, compare=False, repr=False)

    @property
    def signature(self) -> Signature:
        """The recipe that repeats the verdicts; weights are told by the beginning of their hash."""
        return Signature(
            NAME,
            __version__,
            {_NETWORK: self.session.network.identity},
            view=View.THREE_WAY,
            cutoff=self.chosen.cutoff,
            score_range=RANGE,
        )

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict for each pair, in order."""
        asked = checked_pairs(pairs)
        silent = {i: why for i, pair in enumerate(asked) if (why := wordless(pair))}
        kept = [i for i in range(len(asked)) if i not in silent]
        found = dict(zip(kept, self.session.chances([asked[i] for i in kept]), strict=True))
        return [self._verdict(pair, found.get(i), silent.get(i)) for i, pair in enumerate(asked)]

    def _verdict(self, pair: Pair, chances: NDArray[np.float64] | None, why: str | None) -> Verdict:
        if chances is None:
            return Verdict(pair.id, None, status=Status.ABSTAINED, reason=why)
        return decided(pair.id, chances, self.chosen.cutoff)

    def explain(self, pair: Pair) -> Explanation:
        """The three probabilities, and how the log odds change without each word."""
        (verdict,) = self.judge([checked_pair(pair)])
        evidence = Evidence()
        if verdict.status is Status.DECIDED:
            (chances,) = self.session.chances([pair])
            weights = word_weights(pair, self.session)
            steps = [
                *(Step(f"probability of {label}", "", float(p)) for label, p in _named(chances)),
                decision_step(verdict, self.chosen.cutoff),
            ]
            evidence = Evidence(steps=steps, weights=weights)
        return Explanation(pair, verdict, self.signature, evidence)

    def arrays(self) -> Arrays:
        """Nothing beside the weights that ship."""
        return {}


def _named(chances: NDArray[np.float64]) -> Iterator[tuple[str, float]]:
    for label, chance in zip(ORDER, chances, strict=True):
        yield label.value, float(chance)


def decision_step(verdict: Verdict, cutoff: float) -> Step:
    """How the probabilities become a label."""
    assert verdict.score is not None
    assert verdict.label is not None
    if verdict.label is Label.ENTAILMENT:
        return Step("decision", f"{verdict.score:.4f} > {cutoff:.4f}: {verdict.label.value}")
    how = f"{verdict.score:.4f} ≤ {cutoff:.4f}, and the likelier of the others: "
    return Step("decision", how + verdict.label.value)


def chances_section(rows: Mapping[str, NDArray[np.float64]]) -> EvidenceSection:
    """Who gives which probabilities, as a table."""
    return EvidenceSection(
        "probabilities",
        "Probabilities",
        ("", *(label.value for label in ORDER)),
        [(name, *(f"{chance:.3f}" for chance in chances)) for name, chances in rows.items()],
    )


def word_weights(pair: Pair, session: NetworkSession) -> list[Weight]:
    """What each word is worth: the log odds of entailment with it, less those without it."""
    sides = {Side.TEXT: pair.text, Side.HYPOTHESIS: pair.hypothesis}
    places = [
        (side, match.span(), match.group())
        for side, string in sides.items()
        for match in list(_WORD.finditer(string))[:_MOST_WORDS]
    ]
    without = []
    for side, (start, end), _ in places:
        cut = {**sides, side: (sides[side][:start] + sides[side][end:]).strip()}
        without.append((cut[Side.TEXT], cut[Side.HYPOTHESIS]))
    (own, *rest) = session.odds([(pair.text, pair.hypothesis), *without])
    found = []
    for (side, _, word), odds in zip(places, rest, strict=True):
        worth = round(_yes(own) - _yes(odds), 4)
        found.append(Weight(f"{side.value}: {word}", 1.0, worth, worth))
    return found


def _yes(odds: NDArray[np.float64]) -> float:
    """The log odds of entailment against both other labels together."""
    return float(odds[0] - np.logaddexp(odds[1], odds[2]))


@dataclass(frozen=True, slots=True)
class NeuralKind:
    """What the entry point names."""

    name: str = NAME
    summary: str = "a small cross-encoder network; three-way, comes trained"

    def build(self, settings: Mapping[str, object]) -> NeuralRecognizer:
        """A recognizer with these settings; the network is opened with its first pair."""
        return NeuralRecognizer(filled(NeuralSettings, settings))

    def restore(self, signature: Signature, arrays: Arrays) -> NeuralRecognizer:  # noqa: ARG002
        """The recognizer that was kept with this signature."""
        return self.build({"cutoff": signature.cutoff})


NEURAL = NeuralKind()
