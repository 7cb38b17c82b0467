"""A recognizer that says what it is told to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from ensue.pairs import Label, Pair, Signature, Status, Verdict
from ensue.paraphrase.formats.instances import Instances


@dataclass(frozen=True)
class Told:
    """Gives each pair a probability: above 1/2 is a yes, None is no decision."""

    probability: Callable[[str, str], float | None]
    sure: bool = True
    """Whether it says how sure it is."""
    asked: list[tuple[str, str]] | None = None

    @property
    def signature(self):
        return Signature("told", "1")

    def judge(self, pairs: Sequence[Pair]):
        return [self._verdict(pair) for pair in pairs]

    def explain(self, pair):
        raise NotImplementedError

    def _verdict(self, pair):
        if self.asked is not None:
            self.asked.append((pair.text, pair.hypothesis))
        p = self.probability(pair.text, pair.hypothesis)
        if p is None:
            return Verdict(pair.id, None, status=Status.ABSTAINED, reason="told so")
        label = Label.ENTAILMENT if p > 0.5 else Label.NOT_ENTAILMENT
        return Verdict(pair.id, label, p, abs(p - 0.5) * 2 if self.sure else None)


@pytest.fixture
def told():
    """Makes a recognizer of a function of text and hypothesis."""
    return Told


@pytest.fixture
def make_instances():
    """Makes instances of rows (term, paraphrase, text, hypothesis, is right)."""

    def make(rows, *, is_inverse=None):
        terms, paraphrases, texts, hypotheses, is_right = zip(*rows, strict=True)
        n = len(rows)
        return Instances(
            "made",
            terms,
            paraphrases,
            texts,
            hypotheses,
            np.array(is_right, bool),
            np.ones(n),
            np.zeros(n, bool) if is_inverse is None else np.array(is_inverse),
            [f"made:{i + 1}" for i in range(n)],
        )

    return make
