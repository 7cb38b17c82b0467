"""Ask logic first, and the features where it is silent.

The labels are those of the features: entailment or not. A proof is a yes, a refutation a no; where logic
finds neither, runs out of its budget or cannot read a side, the features decide. The score is on
one scale from -1 to 2, on which what logic decides lies beyond all that the features say: 1 and its
confidence for a proof, the probability of the features from 0 to 1, and minus its confidence for a
refutation. The cutoff is that of the features, and the confidence that of every cutoff recognizer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from ensue import __version__
from ensue.concurrency import no_fork
from ensue.errors import SettingError
from ensue.language import CallPool
from ensue.logic import Argument, ReasoningOutcome
from ensue.pairs import Label, Pair, Signature, Status, Verdict
from ensue.recognizers.contract import Arrays, Evidence, Explanation, Step, checked_pair
from ensue.recognizers.cutoff import checked_cutoff, confidences
from ensue.recognizers.features import FEATURES, FeaturesRecognizer
from ensue.recognizers.logic import (
    LOGIC,
    ArgumentFailure,
    LogicRecognizer,
    LogicSettings,
    confidence_of,
    own_settings,
    turn,
)

NAME = "cascade"
_RANGE = (-1.0, 2.0)
_CUTOFFS = (0.0, 1.0)
_OF_LOGIC = frozenset(field.name for field in fields(LogicSettings))
_SILENT = {
    ReasoningOutcome.UNKNOWN: "logic found no proof",
    ReasoningOutcome.EXHAUSTED: "logic ran out of its budget",
}


@dataclass(frozen=True, slots=True)
class CascadeRecognizer:
    """Logic, then the features; each verdict says which of them decided, and at what cost."""

    logic: LogicRecognizer
    features: FeaturesRecognizer
    tunes: bool = False

    @property
    def signature(self) -> Signature:
        """The recipe that repeats the verdicts: the settings of both stages."""
        return Signature(
            NAME,
            __version__,
            {**self.logic.settings, **self.features.scorer.settings},
            cutoff=self.features.cutoff,
            score_range=_RANGE,
            tuned_on=self.features.tuned_on,
        )

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict for each pair, in order."""
        found = self.logic.arguments(pairs)
        silent = [i for i, each in enumerate(found) if not _decides(each)]
        others = dict(zip(silent, self.features.judge([pairs[i] for i in silent]), strict=True))
        return [
            self._verdict(pair, each, others.get(i))
            for i, (pair, each) in enumerate(zip(pairs, found, strict=True))
        ]

    def explain(self, pair: Pair) -> Explanation:
        """The explanation of the stage that decided."""
        checked_pair(pair)
        with no_fork, turn:
            (found,) = self.logic.arguments([pair], explain=True)
            evidence = self.logic.evidence(found) if _decides(found) else Evidence()
        if _decides(found):
            verdict = self._verdict(pair, found, None)
        else:
            stage = self.features.explain(pair)
            verdict, evidence = self._verdict(pair, found, stage.verdict), stage.evidence
        # what the stage makes of its own score is not what the cascade makes of it
        steps = [each for each in evidence.steps if each.what != "confidence"]
        steps = [Step("decided by", verdict.reason or ""), *steps, *self._steps(verdict)]
        return Explanation(pair, verdict, self.signature, replace(evidence, steps=steps))

    def _steps(self, verdict: Verdict) -> list[Step]:
        """How the score becomes a confidence."""
        score, cutoff = verdict.score, self.features.cutoff
        if score is None:
            return []
        (low, high), yes = _RANGE, score > cutoff
        how = f"({score:.4f} - {cutoff:.4f}) / ({high:g} - {cutoff:.4f})"
        if not yes:
            how = f"({cutoff:.4f} - {score:.4f}) / ({cutoff:.4f} - {low:g})"
        return [Step("confidence", how, verdict.confidence)]

    def fit(self, pairs: Sequence[Pair], *, seed: int, name: str = "pairs") -> CascadeRecognizer:
        """Train the features; logic has nothing to learn."""
        return replace(self, features=self.features.fit(pairs, seed=seed, name=name))

    def with_pool(self, pool: CallPool | None) -> CascadeRecognizer:
        """The same recognizer, with one pool for large batches of both stages."""
        return replace(
            self, logic=self.logic.with_pool(pool), features=self.features.with_pool(pool)
        )

    def arrays(self) -> Arrays:
        """What the features have learned."""
        return self.features.arrays()

    def _verdict(
        self, pair: Pair, found: Argument | ArgumentFailure, other: Verdict | None
    ) -> Verdict:
        if isinstance(found, Argument) and other is None:
            yes = found.outcome is ReasoningOutcome.YES
            score = 1 + confidence_of(found) if yes else -confidence_of(found)
            done = "proved" if yes else "refuted"
            return self._decided(pair, score, f"logic: {done}{_cost(found)}")
        assert other is not None
        why = _silence(found)
        if other.status is not Status.DECIDED or other.score is None:
            return replace(other, reason=f"features: {other.reason}; {why}")
        return self._decided(pair, other.score, f"features: {other.score:.4f}; {why}")

    def _decided(self, pair: Pair, score: float, reason: str) -> Verdict:
        cutoff = self.features.cutoff
        label = Label.ENTAILMENT if score > cutoff else Label.NOT_ENTAILMENT
        confidence = float(confidences(np.array([score]), cutoff, _RANGE)[0])
        return Verdict(pair.id, label, score, confidence, reason=reason)


@dataclass(frozen=True, slots=True)
class CascadeKind:
    """What the entry point names."""

    name: str = NAME
    summary: str = "logic first, features for the rest; says which stage decided"

    def build(self, settings: Mapping[str, object]) -> CascadeRecognizer:
        """A recognizer whose stages have these settings, each its own."""
        logic = {name: value for name, value in settings.items() if name in _OF_LOGIC}
        features = {name: value for name, value in settings.items() if name not in _OF_LOGIC}
        if "cutoff" in features:
            features["cutoff"] = _finite_cutoff(features["cutoff"])
        return CascadeRecognizer(LOGIC.build(logic), FEATURES.build(features))

    def restore(self, signature: Signature, arrays: Arrays) -> CascadeRecognizer:
        """The recognizer that was kept with this signature and these numbers."""
        own = own_settings(signature)
        logic = {name: value for name, value in own.items() if name in _OF_LOGIC}
        rest = {name: value for name, value in own.items() if name not in _OF_LOGIC}
        features = FEATURES.restore(replace(signature, settings=rest), arrays)
        return CascadeRecognizer(LOGIC.build(logic), features)


CASCADE = CascadeKind()


def _finite_cutoff(value: object) -> float:
    """A cutoff that what logic decides cannot fall on the wrong side of.

    Raises:
        SettingError: it is not from 0 to 1.
    """
    cutoff = checked_cutoff(value, _CUTOFFS)
    if cutoff == -math.inf:
        raise SettingError(
            "setting-cutoff-cannot",
            f"setting 'cutoff' cannot be {value!r}",
            hint="it takes a number from 0 to 1",
        )
    return cutoff


def _decides(found: Argument | ArgumentFailure) -> bool:
    return isinstance(found, Argument) and found.outcome in (
        ReasoningOutcome.YES,
        ReasoningOutcome.NO,
    )


def _silence(found: Argument | ArgumentFailure) -> str:
    """Why logic did not decide, and what it cost to find that out."""
    if found.outcome not in _SILENT:
        return f"logic failed: {found.reason}"
    return f"{_SILENT[found.outcome]}{_cost(found) if isinstance(found, Argument) else ''}"


def _cost(found: Argument) -> str:
    """The steps of a prover that counts them, where it was needed."""
    steps = found.finding.steps
    return f" in {steps:,} steps" if steps else ""
