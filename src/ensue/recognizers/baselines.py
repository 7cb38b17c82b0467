"""Baselines: word overlap with a cutoff or a tree, one answer always, and random ones.

The most basic inference of the PASCAL challenge's systems: "the degree of word overlap …, possibly
including stemming … and applying a statistical word weighting such as idf".

The PASCAL challenge paper mentions a system "that operated solely at this level, using a simple
decision tree trained on the development set", with accuracy 0.568 on the test set. What its
measures were is not said; ours are listed in `MEASURES`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue import __version__, registry
from ensue.errors import DataError, SettingError
from ensue.pairs import Label, Pair, Signature, Verdict, View
from ensue.recognizers.contract import (
    Arrays,
    Evidence,
    Explanation,
    Link,
    Side,
    Span,
    Step,
    Weight,
    checked_pair,
    checked_pairs,
    filled,
)
from ensue.recognizers.cutoff import (
    CutoffKind,
    CutoffRecognizer,
    PairScores,
    checked_cutoff,
    no_tokens,
)
from ensue.surface import (
    WORDS,
    InverseDocumentFrequency,
    Tokenizer,
    inverse_document_frequency,
    located_tokens,
    ngram_statistics,
    stems,
    word_coverage,
)

# Word overlap: the share of the hypothesis's words that the text has.


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


# A small decision tree over overlap measures: the knowledge-poor baseline.

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
                raise SettingError(
                    "setting-cannot",
                    f"setting {name!r} cannot be {getattr(self, name)}",
                    hint="≥ 1",
                )


@dataclass(frozen=True, slots=True, eq=False)
class DecisionTree:
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
    tree: DecisionTree | None = None
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
            raise DataError(
                "none-pairs-words-both-sides-no",
                "none of the pairs has words on both sides, so no tree can be learned",
            )
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


def _tree(learner: Any) -> DecisionTree:
    learned = learner.tree_
    counts = learned.value[:, 0, :] / learned.value[:, 0, :].sum(axis=1, keepdims=True)
    classes = learner.classes_.tolist()
    share = counts[:, classes.index(True)] if True in classes else np.zeros(len(counts))
    return DecisionTree(
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
    tree = DecisionTree(**{name: arrays[f"tree_{name}"] for name in _TREE})
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
