"""BLEU, modified BLEU and linear BLEU as recognizers, with the n-grams that matched.

From "Recognizing Textual Entailment With a Modified BLEU Algorithm", sections 2 and 3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ensue import registry
from ensue.errors import SettingError
from ensue.pairs import Pair
from ensue.recognizers.contract import Arrays, Evidence, Link, Side, Span, Step
from ensue.recognizers.cutoff import CutoffKind, PairScores, no_tokens
from ensue.surface import (
    BleuScorer,
    Located,
    Mean,
    NgramStatistics,
    Tokenizer,
    located_tokens,
    ngram_statistics,
)

# Which n-grams of one side occur in the other, as spans of characters.


def matched_spans(
    pair: Pair, tokenizer: Tokenizer, order: int, *, lowercase: bool, test: Side = Side.HYPOTHESIS
) -> tuple[list[Span], list[Link]]:
    """Cover the test side from left to right with the longest n-grams that the other side has.

    Each is linked with an occurrence in the other side, and each token there is taken once, as
    clipping wants it: what is marked is what the arithmetic counts as matched words.
    """
    other = Side.TEXT if test is Side.HYPOTHESIS else Side.HYPOTHESIS
    tested, sought = (
        located_tokens(getattr(pair, side.value), tokenizer, lowercase=lowercase)
        for side in (test, other)
    )
    free = [True] * len(sought)
    spans: list[Span] = []
    links: list[Link] = []
    i = 0
    while i < len(tested):
        length, at = _longest(tested[i : i + order], sought, free)
        if length:
            free[at : at + length] = [False] * length
            of_test = _span(test, tested[i : i + length], order)
            of_other = _span(other, sought[at : at + length], order)
            links.append(_link(len(spans), test, of_test.kind))
            spans += [of_test, of_other]
        i += max(length, 1)
    return spans, links


def _longest(
    wanted: Sequence[Located], sought: Sequence[Located], free: Sequence[bool]
) -> tuple[int, int]:
    """The longest beginning of what is wanted that stands somewhere free, and where."""
    best, place = 0, 0
    for at in range(len(sought)):
        n = 0
        while (
            n < len(wanted)
            and at + n < len(sought)
            and free[at + n]
            and sought[at + n].token == wanted[n].token
        ):
            n += 1
        if n > best:
            best, place = n, at
    return best, place


def _span(side: Side, tokens: Sequence[Located], order: int) -> Span:
    n = len(tokens)
    return Span(side, tokens[0].start, tokens[-1].end, f"{n}-gram", n / order)


def _link(i: int, test: Side, kind: str) -> Link:
    """The link of the i-th span, on the test side, with the next one, on the other."""
    if test is Side.HYPOTHESIS:
        return Link(hypothesis=i, text=i + 1, kind=kind)
    return Link(hypothesis=i + 1, text=i, kind=kind)


# BLEU, modified BLEU and linear BLEU as recognizers.


@dataclass(frozen=True, slots=True)
class BleuSettings:
    """The settings of all three."""

    order: int = 4
    """The longest n-gram."""
    weights: tuple[float, ...] | None = None
    """The weight of each order; uniform where it is None."""
    tokenizer: str = "13a"
    lowercase: bool = True
    direction: Side = Side.HYPOTHESIS
    """Which side is the test, whose n-grams are looked for in the other."""

    def __post_init__(self) -> None:
        if not 1 <= self.order <= 32:
            raise SettingError(
                "setting-order-cannot",
                f"setting 'order' cannot be {self.order}",
                hint="it takes 1 to 32",
            )
        if self.weights is not None and len(self.weights) != self.order:
            raise SettingError(
                "weights-not-fit-order",
                f"{len(self.weights)} weights do not fit order {self.order}",
                hint="give one weight for each order",
            )


@dataclass(frozen=True, slots=True)
class BleuPairScorer:
    """Score pairs with a member of the BLEU family."""

    chosen: BleuSettings
    mean: Mean
    penalty: bool

    ready = True

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every setting with its value."""
        return {
            "order": self.chosen.order,
            "weights": list(self._bleu.weights),
            "tokenizer": self.chosen.tokenizer,
            "lowercase": self.chosen.lowercase,
            "direction": self.chosen.direction.value,
        }

    def scores(self, pairs: Sequence[Pair]) -> PairScores:
        """The score of each pair."""
        statistics = self._statistics(pairs)
        lengths = (statistics.test_length, statistics.reference_length)
        if self.chosen.direction is Side.TEXT:
            lengths = lengths[::-1]
        return PairScores(self._bleu.score(statistics), no_tokens(*lengths))

    def evidence(self, pair: Pair) -> Evidence:
        """The matched n-grams and the arithmetic."""
        spans, links = matched_spans(
            pair,
            self._tokenizer,
            self.chosen.order,
            lowercase=self.chosen.lowercase,
            test=self.chosen.direction,
        )
        return Evidence(spans, links, self._steps(self._statistics([pair])))

    def fitted(self, pairs: Sequence[Pair], *, seed: int) -> BleuPairScorer:  # noqa: ARG002
        """Itself: nothing but the cutoff is learned."""
        return self

    def arrays(self) -> Arrays:
        """Nothing."""
        return {}

    @property
    def _tokenizer(self) -> Tokenizer:
        tokenizer: Tokenizer = registry.find("tokenizer", self.chosen.tokenizer)
        return tokenizer

    @property
    def _bleu(self) -> BleuScorer:
        uniform = (1 / self.chosen.order,) * self.chosen.order
        return BleuScorer(self.mean, self.penalty, self.chosen.weights or uniform)

    def _statistics(self, pairs: Sequence[Pair]) -> NgramStatistics:
        test = [pair.hypothesis for pair in pairs]
        reference = [pair.text for pair in pairs]
        if self.chosen.direction is Side.TEXT:
            test, reference = reference, test
        return ngram_statistics(
            test,
            reference,
            self._tokenizer,
            order=self.chosen.order,
            lowercase=self.chosen.lowercase,
        )

    def _steps(self, statistics: NgramStatistics) -> list[Step]:
        precisions = statistics.precisions()[0]
        steps = [
            Step(f"{n}-grams matched", f"{match} / {total}", precision)
            for n, (match, total, precision) in enumerate(
                zip(
                    statistics.matches[0].tolist(),
                    statistics.totals[0].tolist(),
                    precisions.tolist(),
                    strict=True,
                ),
                1,
            )
        ]
        mean = BleuScorer(self.mean, False, self._bleu.weights)
        steps.append(
            Step(
                f"{self.mean} mean", self._mean_shown(precisions), mean.score(statistics)[0].item()
            )
        )
        if self.penalty:
            steps.append(self._penalty_step(statistics))
            steps.append(
                Step("score", "mean · brevity penalty", self._bleu.score(statistics)[0].item())
            )
        return steps

    def _mean_shown(self, precisions: np.ndarray[Any, np.dtype[np.float64]]) -> str:
        terms = zip(self._bleu.weights, precisions.tolist(), strict=True)
        if self.mean is Mean.LINEAR:
            return " + ".join(f"{weight:.3g}·{precision:.4f}" for weight, precision in terms)
        return " · ".join(f"{precision:.4f}^{weight:.3g}" for weight, precision in terms)

    def _penalty_step(self, statistics: NgramStatistics) -> Step:
        t, r = int(statistics.test_length[0]), int(statistics.reference_length[0])
        how = "1, as the test is not shorter" if t >= r else f"exp(1 - {r} / {t})"
        return Step("brevity penalty", how, statistics.brevity_penalty()[0].item())


def _kind(
    name: str, summary: str, mean: Mean, penalty: bool, cutoff: float
) -> CutoffKind[BleuSettings]:
    scorer: Callable[[BleuSettings], BleuPairScorer] = partial(
        BleuPairScorer, mean=mean, penalty=penalty
    )
    return CutoffKind(
        name, summary, BleuSettings, scorer, lambda settings, _: scorer(settings), cutoff
    )


BLEU = _kind(
    "bleu",
    "BLEU of the hypothesis against the text: geometric mean, brevity penalty",
    Mean.GEOMETRIC,
    True,
    0.002,  # section 3.3, tuned on RTE-1's development set
)
MODIFIED_BLEU = _kind(
    "modified-bleu",
    "modified BLEU: linear mean of the n-gram precisions, no brevity penalty",
    Mean.LINEAR,
    False,
    0.221,  # section 3.4, tuned on RTE-1's development set
)
LINEAR_BLEU = _kind(
    "linear-bleu",
    "linear BLEU: linear mean with the brevity penalty",
    Mean.LINEAR,
    True,
    0.166,  # tuned on RTE-1's development set by us; the papers' cutoffs do not recompute
)
