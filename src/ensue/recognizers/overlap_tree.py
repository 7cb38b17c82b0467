"""A small decision tree over overlap measures: the knowledge-poor baseline.

The PASCAL challenge paper mentions a system "that operated solely at this level, using a simple
decision tree trained on the development set", with accuracy 0.568 on the test set. What its
measures were is not said; ours are listed in `MEASURES`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, SettingError
from ensue.pairs import Label, Pair
from ensue.recognizers.contract import Arrays
from ensue.recognizers.cutoff import CutoffKind, PairScores, no_tokens
from ensue.recognizers.explanation import Evidence, Step
from ensue.recognizers.overlap import idf_from_arrays, idf_to_arrays
from ensue.surface.coverage import (
    InverseDocumentFrequency,
    inverse_document_frequency,
    word_coverage,
)
from ensue.surface.ngrams import ngram_statistics
from ensue.surface.tokenizers import WORDS

MEASURES = (
    "word precision",
    "2-gram precision",
    "3-gram precision",
    "4-gram precision",
    "stem coverage",
    "idf coverage of stems",
    "coverage of the text",
    "hypothesis length / text length",
    "hypothesis length",
)
"""What the tree looks at, in the order of the columns."""


@dataclass(frozen=True, slots=True)
class TreeSettings:
    """How small the tree is."""

    depth: int = 3
    """Questions from the root to a leaf, at most."""
    leaf: int = 20
    """Pairs in a leaf, at least."""

    def __post_init__(self) -> None:
        for name in ("depth", "leaf"):
            if getattr(self, name) < 1:
                raise SettingError(f"setting {name!r} cannot be {getattr(self, name)}", hint="≥ 1")


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """A binary decision tree in arrays; a node is a position, the root is 0."""

    left: NDArray[np.int64]
    """Where a yes to "measure ≤ split" leads; -1 at a leaf."""
    right: NDArray[np.int64]
    measure: NDArray[np.int64]
    split: NDArray[np.float64]
    share: NDArray[np.float64]
    """The share of entailments among the training pairs at the node."""
    n_pairs: NDArray[np.int64]
    """The training pairs at the node."""

    def leaves(self, measures: NDArray[np.float64]) -> NDArray[np.int64]:
        """The leaf that each row of measures comes to."""
        nodes = np.zeros(len(measures), np.int64)
        while (inner := self.left[nodes] >= 0).any():
            at = nodes[inner]
            goes_left = measures[inner, self.measure[at]] <= self.split[at]
            nodes[inner] = np.where(goes_left, self.left[at], self.right[at])
        return nodes


@dataclass(frozen=True, slots=True)
class TreeScorer:
    """Score pairs by the share of entailments in their leaf."""

    chosen: TreeSettings
    tree: Tree | None = None
    idf: InverseDocumentFrequency | None = None

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every setting with its value."""
        return asdict(self.chosen)

    @property
    def ready(self) -> bool:
        """False until a tree is learned."""
        return self.tree is not None

    def scores(self, pairs: Sequence[Pair]) -> PairScores:
        """The share of entailments in each pair's leaf."""
        assert self.tree is not None
        assert self.idf is not None
        measures, reasons = _measures(pairs, self.idf)
        return PairScores(self.tree.share[self.tree.leaves(measures)], reasons)

    def evidence(self, pair: Pair) -> Evidence:
        """The questions from the root to the leaf, with their answers."""
        assert self.tree is not None
        assert self.idf is not None
        tree, values = self.tree, _measures([pair], self.idf)[0][0]
        node = 0
        steps: list[Step] = []
        while tree.left[node] >= 0:
            measure, split = int(tree.measure[node]), float(tree.split[node])
            below = values[measure] <= split
            sign = "≤" if below else ">"
            value = float(values[measure])
            steps.append(Step(MEASURES[measure], f"{value:.4f} {sign} {split:.4f}", value))
            node = int(tree.left[node] if below else tree.right[node])
        n, share = int(tree.n_pairs[node]), float(tree.share[node])
        steps.append(Step("entailments in the leaf", f"{round(n * share)} / {n}", share))
        return Evidence(steps=steps)

    def fitted(self, pairs: Sequence[Pair], *, seed: int) -> TreeScorer:
        """Learn the idf weights and the tree."""
        from sklearn.tree import DecisionTreeClassifier

        texts = list(dict.fromkeys(pair.text for pair in pairs))
        idf = inverse_document_frequency(texts, WORDS, stem=True)
        measures, reasons = _measures(pairs, idf)
        kept = np.array([i not in reasons for i in range(len(pairs))])
        if not kept.any():
            raise DataError("none of the pairs has words on both sides, so no tree can be learned")
        gold = np.array([pair.gold is Label.ENTAILMENT for pair in pairs])
        learner = DecisionTreeClassifier(
            max_depth=self.chosen.depth, min_samples_leaf=self.chosen.leaf, random_state=seed
        ).fit(measures[kept], gold[kept])
        return TreeScorer(self.chosen, _tree(learner), idf)

    def arrays(self) -> Arrays:
        """The tree and the idf weights."""
        if self.tree is None or self.idf is None:
            return {}
        return {f"tree_{name}": getattr(self.tree, name) for name in _TREE} | dict(
            idf_to_arrays(self.idf)
        )


_TREE = ("left", "right", "measure", "split", "share", "n_pairs")


def _tree(learner: Any) -> Tree:
    learned = learner.tree_
    counts = learned.value[:, 0, :] / learned.value[:, 0, :].sum(axis=1, keepdims=True)
    classes = learner.classes_.tolist()
    share = counts[:, classes.index(True)] if True in classes else np.zeros(len(counts))
    return Tree(
        learned.children_left.astype(np.int64),
        learned.children_right.astype(np.int64),
        learned.feature.astype(np.int64),
        learned.threshold.astype(np.float64),
        share.astype(np.float64),
        learned.n_node_samples.astype(np.int64),
    )


def _measures(
    pairs: Sequence[Pair], idf: InverseDocumentFrequency
) -> tuple[NDArray[np.float64], dict[int, str]]:
    """A row of measures for each pair, and why where a pair has none."""
    hypotheses = [pair.hypothesis for pair in pairs]
    texts = [pair.text for pair in pairs]
    ngrams = ngram_statistics(hypotheses, texts, WORDS)
    lengths = ngrams.test_length, ngrams.reference_length
    columns = [
        *ngrams.precisions().T,
        word_coverage(hypotheses, texts, WORDS, stem=True).shares(),
        word_coverage(hypotheses, texts, WORDS, stem=True, weigh=idf).shares(),
        word_coverage(texts, hypotheses, WORDS).shares(),
        lengths[0] / np.maximum(lengths[1], 1),
        lengths[0].astype(float),
    ]
    # the learner rounds measures to single precision, and so must whoever follows its tree
    return np.column_stack(columns).astype(np.float32).astype(float), no_tokens(*lengths)


def _restored(settings: TreeSettings, arrays: Arrays) -> TreeScorer:
    if "tree_left" not in arrays:
        return TreeScorer(settings)
    tree = Tree(**{name: arrays[f"tree_{name}"] for name in _TREE})
    return TreeScorer(settings, tree, idf_from_arrays(arrays))


OVERLAP_TREE = CutoffKind(
    "overlap-tree",
    "small decision tree over overlap measures; has to be trained",
    TreeSettings,
    TreeScorer,
    _restored,
    0.5,
    tunes=False,
)
