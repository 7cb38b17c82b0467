"""Recognizers that score a pair and say yes above a cutoff."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ensue import __version__
from ensue.errors import DataError, SettingError
from ensue.pairs import (
    CutoffCurve,
    Label,
    Pair,
    Signature,
    Status,
    Verdict,
    cutoff_curve,
    number_to_json,
    pairs_hash,
)
from ensue.recognizers.contract import (
    Arrays,
    Evidence,
    Explanation,
    Step,
    checked_pair,
    checked_pairs,
    filled,
)

S = TypeVar("S")


@dataclass(frozen=True, slots=True, eq=False)
class PairScores:
    """A number for each pair, and why where there is none."""

    values: NDArray[np.float64]
    reasons: Mapping[int, str] = field(default_factory=dict)
    """For a pair that cannot be scored, by position, why."""


class Scorer(Protocol):
    """What a cutoff recognizer scores with."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every setting with its value, in values that JSON can hold."""

    @property
    def ready(self) -> bool:
        """False where it has to learn something before it can score."""

    def scores(self, pairs: Sequence[Pair]) -> PairScores:
        """The score of each pair."""

    def evidence(self, pair: Pair) -> Evidence:
        """What the pair's score rests on."""

    def arrays(self) -> Arrays:
        """What it has learned."""


class LearningScorer(Scorer, Protocol):
    """A scorer of a recognizer that can be trained."""

    def fitted(self, pairs: Sequence[Pair], *, seed: int) -> LearningScorer:
        """A scorer that has learned what it needs from the pairs; itself where that is nothing."""


@dataclass(frozen=True, slots=True)
class CutoffRecognizer:
    """Say yes where a score is above the cutoff.

    The confidence is the distance from the cutoff as a share of the largest there can be on that
    side: (s - c)/(max - c) for yes, (c - s)/(c - min) for no, and 0 where that is 0/0.
    """

    name: str
    scorer: Scorer
    cutoff: float
    score_range: tuple[float, float]
    tuned_on: Mapping[str, Any] | None = field(default=None, hash=False)

    @property
    def signature(self) -> Signature:
        """The recipe that repeats the verdicts."""
        return Signature(
            recognizer=self.name,
            version=__version__,
            settings=self.scorer.settings,
            cutoff=self.cutoff,
            score_range=self.score_range,
            tuned_on=self.tuned_on,
        )

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict for each pair, in order."""
        self._check_ready()
        scores = self.scorer.scores(checked_pairs(pairs))
        verdicts = [
            Verdict(pair.id, label, score, confidence)
            for pair, label, score, confidence in zip(
                pairs, *self._decided(scores.values), strict=True
            )
        ]
        for i, reason in scores.reasons.items():
            verdicts[i] = Verdict(pairs[i].id, None, status=Status.ABSTAINED, reason=reason)
        return verdicts

    def explain(self, pair: Pair) -> Explanation:
        """The evidence for the score, and how the cutoff turns it into a verdict."""
        verdict = self.judge([checked_pair(pair)])[0]
        evidence = Evidence()
        if verdict.status is Status.DECIDED:
            evidence = self.scorer.evidence(pair)
            evidence = replace(evidence, steps=[*evidence.steps, *self._decision_steps(verdict)])
        return Explanation(pair, verdict, self.signature, evidence)

    def arrays(self) -> Arrays:
        """What the scorer has learned."""
        return self.scorer.arrays()

    def _check_ready(self) -> None:
        if not self.scorer.ready:
            raise SettingError(
                "recognizer-settings-trained-first",
                f"recognizer {self.name!r} with these settings has to be trained first",
                hint=f"ensue train PAIRS -r {self.name} -o DIR, then use -r DIR",
            )

    def _decided(self, scores: NDArray[np.float64]) -> tuple[list[Label], list[float], list[float]]:
        yes = scores > self.cutoff
        labels = [Label.ENTAILMENT if each else Label.NOT_ENTAILMENT for each in yes.tolist()]
        confidence = confidences(scores, self.cutoff, self.score_range)
        return labels, scores.tolist(), confidence.tolist()

    def _decision_steps(self, verdict: Verdict) -> list[Step]:
        assert verdict.score is not None
        assert verdict.label is not None
        low, high = self.score_range
        yes = verdict.label is Label.ENTAILMENT
        if math.isinf(self.cutoff):
            return [Step("decision", f"whatever the score, the cutoff is -inf: {verdict.label}")]
        sign = ">" if yes else "≤"
        steps = [Step("decision", f"{verdict.score:.4f} {sign} {self.cutoff:.4f}: {verdict.label}")]
        how = (
            f"({verdict.score:.4f} - {self.cutoff:.4f}) / ({high:g} - {self.cutoff:.4f})"
            if yes
            else f"({self.cutoff:.4f} - {verdict.score:.4f}) / ({self.cutoff:.4f} - {low:g})"
        )
        return [*steps, Step("confidence", how, verdict.confidence)]


@dataclass(frozen=True, slots=True)
class LearningRecognizer(CutoffRecognizer):
    """A cutoff recognizer that can be trained."""

    scorer: LearningScorer
    tunes: bool = True
    """Whether training sets the cutoff."""

    def fit(self, pairs: Sequence[Pair], *, seed: int, name: str = "pairs") -> LearningRecognizer:
        """Learn what the scorer needs and tune the cutoff on pairs with gold.

        Raises:
            DataError: no pair has gold, or none can be scored.
        """
        gold = [pair for pair in checked_pairs(pairs) if pair.gold is not None]
        if not gold:
            raise DataError(
                "none-pairs-gold-nothing",
                f"none of the {len(pairs)} pairs has gold, so nothing can be learned",
                hint="name the column of gold with --read gold=COLUMN",
            )
        scorer = self.scorer.fitted(gold, seed=seed)
        curve = _curve(gold, self.tuning_scores(gold, scorer, seed=seed))
        cutoff = curve.tuned if self.tunes else self.cutoff
        point = curve.at(cutoff)
        tuned_on = {
            "name": name,
            "pairs": len(gold),
            "scored": curve.n_pairs,
            "sha256": pairs_hash(gold),
            "seed": seed,
            "right": point.right_yes + point.right_no,
            "accuracy": point.accuracy,
        }
        if self.tunes:
            tuned_on["tied_cutoffs"] = [number_to_json(tied) for tied in curve.best.tolist()]
        return replace(self, scorer=scorer, cutoff=cutoff, tuned_on=tuned_on)

    def tuning_scores(
        self,
        pairs: Sequence[Pair],
        scorer: LearningScorer,
        *,
        seed: int,  # noqa: ARG002
    ) -> PairScores:
        """The scores by which the cutoff is tuned: those of the scorer that learned from the pairs."""
        return scorer.scores(pairs)


def confidences(
    scores: NDArray[np.float64], cutoff: float, score_range: tuple[float, float]
) -> NDArray[np.float64]:
    """The confidence in each decision; 0 where its formula is 0/0, 1 under an infinite cutoff.

    >>> confidences(np.array([0.0, 0.5, 0.75]), 0.5, (0.0, 1.0)).tolist()
    [1.0, 0.0, 0.5]
    """
    if math.isinf(cutoff):
        return np.ones_like(scores)  # the limit of both formulas
    low, high = score_range
    room = np.where(scores > cutoff, high - cutoff, cutoff - low)
    distance = np.abs(scores - cutoff)
    share = np.divide(distance, room, out=np.zeros_like(scores), where=room > 0)
    return np.clip(share, 0.0, 1.0)


def _curve(pairs: Sequence[Pair], scores: PairScores) -> CutoffCurve:
    scored = np.array([i not in scores.reasons for i in range(len(pairs))])
    if not scored.any():
        raise DataError(
            "none-pairs-scored-no", "none of the pairs can be scored, so no cutoff can be tuned"
        )
    gold = np.array([pair.gold is Label.ENTAILMENT for pair in pairs])
    return cutoff_curve(scores.values[scored], gold[scored])


@dataclass(frozen=True, slots=True)
class CutoffKind(Generic[S]):
    """A kind of cutoff recognizer: what an entry point names."""

    name: str
    summary: str
    settings: type[S]
    scorer: Callable[[S], LearningScorer]
    """An untrained scorer with these settings."""
    restored: Callable[[S, Arrays], LearningScorer]
    """The scorer that learned these arrays."""
    cutoff: float
    """Where yes begins unless it is set or tuned."""
    score_range: tuple[float, float] = (0.0, 1.0)
    tunes: bool = True
    """Whether training sets the cutoff."""
    described: tuple[str, ...] = ()
    """What a signature says beside the settings, as which analyzer parses."""

    def build(self, settings: Mapping[str, object]) -> LearningRecognizer:
        """A recognizer with these settings; `cutoff` is one that every kind has."""
        given = dict(settings)
        cutoff = checked_cutoff(given.pop("cutoff", self.cutoff), self.score_range)
        scorer = self.scorer(filled(self.settings, given))
        return LearningRecognizer(self.name, scorer, cutoff, self.score_range, tunes=self.tunes)

    def restore(self, signature: Signature, arrays: Arrays) -> LearningRecognizer:
        """The recognizer that was kept with this signature and these arrays."""
        kept = {k: v for k, v in signature.settings.items() if k not in self.described}
        scorer = self.restored(filled(self.settings, kept), arrays)
        cutoff = checked_cutoff(signature.cutoff, self.score_range)
        return LearningRecognizer(
            self.name, scorer, cutoff, self.score_range, signature.tuned_on, self.tunes
        )


def checked_cutoff(value: object, score_range: tuple[float, float]) -> float:
    """A cutoff, given as a number or as text, that lies in the range of scores or is -inf.

    Raises:
        SettingError: it is not.
    """
    try:
        cutoff = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        cutoff = math.nan
    low, high = score_range
    if not (cutoff == -math.inf or low <= cutoff <= high):
        raise SettingError(
            "setting-cutoff-cannot",
            f"setting 'cutoff' cannot be {value!r}",
            hint=f"it takes a number from {low:g} to {high:g}, or -inf",
        )
    return cutoff


def no_tokens(
    hypothesis_lengths: NDArray[np.int64], text_lengths: NDArray[np.int64]
) -> dict[int, str]:
    """The reason for each pair one side of which has no tokens, by position."""
    reasons = {int(i): "the text has no tokens" for i in np.flatnonzero(text_lengths == 0)}
    empty = np.flatnonzero(hypothesis_lengths == 0)
    return reasons | {int(i): "the hypothesis has no tokens" for i in empty}
