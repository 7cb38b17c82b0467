"""What a recognizer says of two sentences, each against the other, as one number in [0, 1].

A paraphrase keeps the meaning: the sentence with it should follow from the sentence with the term
(*forward*), and the other way round (*backward*).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ensue.errors import UndefinedError
from ensue.pairs import Label, Pair, Verdict
from ensue.paraphrase.model import Indices, Numbers
from ensue.recognizers.contract import Recognizer


class Grade(StrEnum):
    """What one verdict counts."""

    SOFT = "soft"
    """How sure it is that the hypothesis follows: (1 + confidence)/2 of a yes, (1 − confidence)/2 of
    any other answer. The cutoff becomes 1/2; of `features` that is the probability itself."""
    HARD = "hard"
    """1 for a yes, 0 for any other answer."""


class Combination(StrEnum):
    """How the two ways become one number."""

    PRODUCT = "product"
    LEAST = "least"
    """The smaller one."""
    MEAN = "mean"
    FORWARD = "forward"
    """From the sentence with the term to the one with the paraphrase, alone."""
    BACKWARD = "backward"


@dataclass(frozen=True, slots=True, eq=False)
class OneWay:
    """Verdicts as numbers; NaN where there is no decision."""

    is_yes: Numbers
    """1 for entailment, 0 for any other answer."""
    confidence: Numbers
    """NaN where the recognizer gives none, too."""

    def grades(self, grade: Grade) -> Numbers:
        """What each verdict counts.

        Raises:
            UndefinedError: it is to be soft, and a decision has no confidence.
        """
        if grade is Grade.HARD:
            return self.is_yes
        without = np.isnan(self.confidence) & ~np.isnan(self.is_yes)
        if without.any():
            raise UndefinedError(
                f"{int(without.sum())} of {len(self.is_yes)} verdicts have no confidence,"
                " so that no soft quality can be made of them",
                hint="take --grade hard, or a recognizer with confidences",
            )
        return np.asarray((1 + (2 * self.is_yes - 1) * self.confidence) / 2, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class BothWays:
    """The verdicts on many couples of sentences."""

    forward: OneWay
    backward: OneWay

    def qualities(self, grade: Grade, combination: Combination) -> Numbers:
        """One number for each couple; NaN where a way that counts was not decided.

        Raises:
            UndefinedError: it is to be soft, and a decision has no confidence.
        """
        if combination is Combination.FORWARD:
            return self.forward.grades(grade)
        if combination is Combination.BACKWARD:
            return self.backward.grades(grade)
        forward, backward = self.forward.grades(grade), self.backward.grades(grade)
        if combination is Combination.PRODUCT:
            return forward * backward
        if combination is Combination.LEAST:
            return np.minimum(forward, backward)
        return (forward + backward) / 2


def judged_both_ways(
    recognizer: Recognizer, with_term: Sequence[str], with_paraphrase: Sequence[str]
) -> BothWays:
    """Ask a recognizer about couples of sentences, both ways; equal questions once, all in one batch."""
    forward = list(zip(with_term, with_paraphrase, strict=True))
    backward = list(zip(with_paraphrase, with_term, strict=True))
    number: dict[tuple[str, str], int] = {}
    asked = [number.setdefault(couple, len(number)) for couple in [*forward, *backward]]
    pairs = [Pair(str(i), text, hypothesis) for (text, hypothesis), i in number.items()]
    said = _numbers(recognizer.judge(pairs) if pairs else [])
    places = np.array(asked, np.int64)
    return BothWays(_at(said, places[: len(forward)]), _at(said, places[len(forward) :]))


def _numbers(verdicts: Sequence[Verdict]) -> OneWay:
    is_yes = [
        np.nan if verdict.label is None else float(verdict.label is Label.ENTAILMENT)
        for verdict in verdicts
    ]
    confidence = [
        np.nan if verdict.label is None or verdict.confidence is None else verdict.confidence
        for verdict in verdicts
    ]
    return OneWay(np.array(is_yes, np.float64), np.array(confidence, np.float64))


def _at(said: OneWay, places: Indices) -> OneWay:
    return OneWay(said.is_yes[places], said.confidence[places])
