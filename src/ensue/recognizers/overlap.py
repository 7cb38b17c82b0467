"""Word overlap: the share of the hypothesis's words that the text has.

The most basic inference of the PASCAL challenge's systems: "the degree of word overlap …, possibly
including stemming … and applying a statistical word weighting such as idf".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ensue import registry
from ensue.pairs import Pair
from ensue.recognizers.contract import Arrays
from ensue.recognizers.cutoff import CutoffKind, PairScores
from ensue.recognizers.explanation import Evidence, Link, Side, Span, Step, Weight
from ensue.surface.coverage import (
    InverseDocumentFrequency,
    inverse_document_frequency,
    word_coverage,
)
from ensue.surface.stemming import stems
from ensue.surface.tokenizers import Tokenizer, located_tokens


@dataclass(frozen=True, slots=True)
class OverlapSettings:
    """What counts as a word, and how much."""

    tokenizer: str = "words"
    lowercase: bool = True
    stem: bool = False
    """Compare stems (Porter 1980) instead of words."""
    idf: bool = False
    """Weigh words by how rare they are among the texts trained on."""


@dataclass(frozen=True, slots=True)
class OverlapScorer:
    """Score pairs by the covered share of the hypothesis."""

    chosen: OverlapSettings
    idf: InverseDocumentFrequency | None = None

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every setting with its value."""
        return asdict(self.chosen)

    @property
    def ready(self) -> bool:
        """False where idf weights are wanted and not yet learned."""
        return self.idf is not None or not self.chosen.idf

    def scores(self, pairs: Sequence[Pair]) -> PairScores:
        """The covered share of each hypothesis."""
        coverage = word_coverage(
            [pair.hypothesis for pair in pairs],
            [pair.text for pair in pairs],
            self._tokenizer,
            lowercase=self.chosen.lowercase,
            stem=self.chosen.stem,
            weigh=self.idf,
        )
        empty = np.flatnonzero(coverage.total == 0)
        reasons = {int(i): "the hypothesis has no words" for i in empty}
        return PairScores(coverage.shares(), reasons)

    def evidence(self, pair: Pair) -> Evidence:
        """The covered words, their weights, and the share."""
        hypothesis = located_tokens(
            pair.hypothesis, self._tokenizer, lowercase=self.chosen.lowercase
        )
        text = located_tokens(pair.text, self._tokenizer, lowercase=self.chosen.lowercase)
        words, other_words = (
            self._keys([t.token for t in hypothesis]),
            self._keys([t.token for t in text]),
        )
        weights = self.idf(words) if self.idf is not None else np.ones(len(words))
        first = {word: i for i, word in reversed(list(enumerate(other_words)))}
        spans: list[Span] = []
        links: list[Link] = []
        for located, word in zip(hypothesis, words, strict=True):
            if word in first:
                other = text[first[word]]
                spans.append(Span(Side.HYPOTHESIS, located.start, located.end, "word", 1.0))
                spans.append(Span(Side.TEXT, other.start, other.end, "word", 1.0))
                links.append(Link(len(spans) - 2, len(spans) - 1, "word"))
        total = float(weights.sum())
        covered = float(sum(w for w, word in zip(weights, words, strict=True) if word in first))
        return Evidence(
            spans,
            links,
            [
                Step(
                    "covered weight of the hypothesis",
                    f"{covered:.4g} / {total:.4g}",
                    covered / total,
                )
            ],
            [
                Weight(word, float(word in first), weight / total, weight / total * (word in first))
                for word, weight in zip(words, weights.tolist(), strict=True)
            ],
        )

    def fitted(self, pairs: Sequence[Pair], *, seed: int) -> OverlapScorer:  # noqa: ARG002
        """Learn the idf weights from the distinct texts, if they are wanted."""
        if not self.chosen.idf:
            return self
        texts = list(dict.fromkeys(pair.text for pair in pairs))
        idf = inverse_document_frequency(
            texts, self._tokenizer, lowercase=self.chosen.lowercase, stem=self.chosen.stem
        )
        return OverlapScorer(self.chosen, idf)

    def arrays(self) -> Arrays:
        """The words with their counts, where idf weights were learned."""
        return {} if self.idf is None else idf_to_arrays(self.idf)

    @property
    def _tokenizer(self) -> Tokenizer:
        tokenizer: Tokenizer = registry.find("tokenizer", self.chosen.tokenizer)
        return tokenizer

    def _keys(self, words: list[str]) -> list[str]:
        return stems(words) if self.chosen.stem else words


def idf_to_arrays(idf: InverseDocumentFrequency) -> Arrays:
    """Idf weights as arrays that need no pickling; words never have white space in them."""
    return {
        "idf_words": np.frombuffer("\n".join(idf.words).encode(), np.uint8),
        "idf_counts": idf.counts,
        "idf_n_strings": np.array(idf.n_strings),
    }


def idf_from_arrays(arrays: Arrays) -> InverseDocumentFrequency | None:
    """The inverse of `idf_to_arrays`; None where no weights were kept."""
    if "idf_words" not in arrays:
        return None
    words = arrays["idf_words"].tobytes().decode()
    return InverseDocumentFrequency(
        int(arrays["idf_n_strings"]),
        tuple(words.split("\n")) if words else (),
        arrays["idf_counts"],
    )


OVERLAP = CutoffKind(
    "overlap",
    "share of the hypothesis's words that the text has; stems and idf weights as options",
    OverlapSettings,
    OverlapScorer,
    lambda settings, arrays: OverlapScorer(settings, idf_from_arrays(arrays)),
    0.643,  # tuned on RTE-1's development set
)
