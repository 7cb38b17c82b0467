"""The recognizer on the entailment features: a regularized logistic regression, with its evidence.

The three stages of the Stanford system that Padó et al. (2009) build on: analyze both sides, align
the hypothesis with the text, and decide from the features of the catalog by a regularized logistic regression.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from importlib.resources import as_file, files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, SettingError
from ensue.features import (
    NAMES,
    FeatureReader,
    PairComparison,
    has_words,
    open_reader,
    shared_reader,
)
from ensue.language import CallPool, installed_model
from ensue.language.contexts import Contexts, Modality, Quantity
from ensue.language.graphs import Graph
from ensue.language.values import ValueKind
from ensue.pairs import Label, Pair, Signature, read_pairs
from ensue.recognizers.contract import Arrays, Evidence, Link, Side, Span, Step, Weight, filled
from ensue.recognizers.cutoff import LearningRecognizer, PairScores, checked_cutoff
from ensue.statistics import (
    Counts,
    Fold,
    LinearModel,
    fit_logistic,
    held_out_predictions,
    least_loss,
    most_folds,
    probabilities,
    split_folds,
    standardization,
    stratified_folds,
    with_ones,
)

STRENGTHS = tuple(float(f"{10.0**k:.4g}") for k in np.arange(-4.0, 1.01, 0.5))
"""The inverse strengths of regularization that are tried: small ones keep the weights small."""

FOLDS = 10

_FOR_FEW = 0.01
"""The inverse strength where there are too few pairs to choose one."""
_LEAST = 1e-15
"""The least probability by which a loss is reckoned."""


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Rows to learn from: pairs, and after them lessons, which are learned from and never judged."""

    values: NDArray[np.float64]
    """A row of features for each."""
    gold: NDArray[np.bool_]
    """Whether the hypothesis follows."""
    texts: Sequence[str]
    """Of the pairs; those with one text are never parted by cross-validation."""

    @property
    def n_pairs(self) -> int:
        """How many rows are pairs."""
        return len(self.texts)


def fitted(
    names: Sequence[str], examples: Examples, *, strength: float | None, seed: int
) -> LinearModel:
    """Learn the log odds of entailment from pairs with gold.

    Args:
        names: Of the features.
        examples: What to learn from.
        strength: The inverse strength of regularization; chosen where it is None, as the one with
            the least log loss in cross-validation, of equals the smallest.
        seed: For the folds.

    Raises:
        DataError: all pairs have the same gold.
    """
    gold = examples.gold[: examples.n_pairs]
    if gold.all() or not gold.any():
        raise DataError(
            "all-pairs-same-gold",
            "all pairs have the same gold, so no weights can be learned",
            hint="give pairs of both kinds",
        )
    means, scales = scaling(examples)
    scaled = replace(examples, values=(examples.values - means) / scales)
    tried = STRENGTHS if strength is None else (strength,)
    guesses = held_out_probabilities(scaled, folds(examples, seed), tried)
    losses = {
        each: float(-np.log(np.where(gold, found, 1 - found).clip(_LEAST)).mean())
        for each, found in guesses.items()
    }
    chosen = least_loss(losses, strength or _FOR_FEW)
    learned = fit_logistic(scaled.values, scaled.gold, chosen)
    return LinearModel(
        tuple(names),
        learned[:-1] / scales,
        means,
        float(learned[-1]),
        chosen,
        _validated((guesses[chosen] > 0.5) == gold) if guesses else {},
    )


def _validated(right: NDArray[np.bool_]) -> dict[str, float]:
    accuracy = float(right.mean())
    error = float(np.sqrt(accuracy * (1 - accuracy) / right.size))
    return {"folds": FOLDS, "accuracy": accuracy, "standard_error": error}


def scaling(examples: Examples) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The means and deviations of columns over the pairs; 1 for a column that never changes."""
    return standardization(examples.values[: examples.n_pairs])


def folds(examples: Examples, seed: int) -> list[Fold]:
    """Ten parts of the pairs, each with as many of either gold, and no text in two of them.

    Lessons are trained on whatever part is held out. Empty where there are too few texts to part.
    """
    n, gold = examples.n_pairs, examples.gold[: examples.n_pairs]
    distinct = {text: i for i, text in enumerate(dict.fromkeys(examples.texts))}
    numbers = np.array([distinct[each] for each in examples.texts])
    if most_folds(gold, numbers) < FOLDS:
        return []
    lessons = np.arange(n, len(examples.gold))
    return [
        (np.concatenate([train, lessons]), held_out)
        for train, held_out in split_folds(stratified_folds(gold, numbers, FOLDS, seed=seed))
    ]


def held_out_probabilities(
    scaled: Examples, parts: Sequence[Fold], strengths: Sequence[float]
) -> dict[float, NDArray[np.float64]]:
    """For each strength the probability given to each pair by what is learned from other parts.

    Empty where there are no parts.
    """

    def learn(rows: Counts, strength: float, _: NDArray[np.float64] | None) -> NDArray[np.float64]:
        return fit_logistic(scaled.values[rows], scaled.gold[rows], strength)

    pairs = with_ones(scaled.values[: scaled.n_pairs])
    found = held_out_predictions(learn, pairs, parts, strengths)
    return {strength: probabilities(each) for strength, each in found.items()}


# What a verdict on the features rests on: links by kind, marks, and contributions.

_TIMES = frozenset((ValueKind.DATE, ValueKind.TIME))
_UNMARKED = frozenset((Quantity.NONE, Quantity.THE, Quantity.NUMBER))
_ARTICLES = frozenset(("a", "an"))


def linked(pair: PairComparison) -> tuple[list[Span], list[Link]]:
    """The aligned nodes of both sides as spans with links, and the others of the hypothesis."""
    spans: list[Span] = []
    links: list[Link] = []
    text, hypothesis = pair.text.graph, pair.hypothesis.graph
    for node, (target, match) in enumerate(zip(pair.targets, pair.matches, strict=True)):
        if target < 0:
            spans.append(Span(Side.HYPOTHESIS, *hypothesis.span(node), "unaligned", 0.0))
            continue
        similarity = pair.similarities[node]
        spans.append(Span(Side.HYPOTHESIS, *hypothesis.span(node), match.value, similarity))
        spans.append(Span(Side.TEXT, *text.span(target), match.value, similarity))
        links.append(Link(len(spans) - 2, len(spans) - 1, match.value))
    return spans, links


def marks(pair: PairComparison) -> list[Span]:
    """Negations, quantifiers, modals, embedding words, numbers and dates on both sides."""
    return [
        *_marks(Side.TEXT, pair.text.graph),
        *_marks(Side.HYPOTHESIS, pair.hypothesis.graph),
    ]


def _marks(side: Side, graph: Graph) -> Iterator[Span]:
    sentence, contexts = graph.sentence, graph.contexts
    starts, ends = sentence.starts.tolist(), sentence.ends.tolist()
    for token, kind in sorted(_marked_tokens(contexts)):
        if kind == "quantifier" and sentence.lemmas[token].lower() in _ARTICLES:
            continue  # every other noun has one
        yield Span(side, starts[token], ends[token], kind, 0.0)
    for value in graph.values:
        if value is not None:
            kind = "date" if value.kind in _TIMES else "number"
            yield Span(side, starts[value.first], ends[value.last - 1], kind, 0.0)


def _marked_tokens(contexts: Contexts) -> set[tuple[int, str]]:
    negators = {token for many in contexts.negators for token in many}
    found = {(token, "negation") for token in negators}
    for token, quantity in zip(contexts.quantifiers, contexts.quantities, strict=True):
        if token >= 0 and token not in negators and quantity not in _UNMARKED:
            found.add((token, "quantifier"))
    for token, modality in zip(contexts.modals, contexts.modalities, strict=True):
        if token >= 0 and modality is not Modality.ACTUAL:
            found.add((token, "modal"))
    for token in contexts.embedders:
        if token >= 0 and not any((token, kind) in found for kind in ("negation", "modal")):
            found.add((token, "embedding"))
    return found


# Say yes where the features of an aligned pair make entailment more likely than not.

NAME = "features"
_ANALYZER = "analyzer"
_NOT_TAUGHT = ("unaligned.text",)
"""Features of which lessons, being short, would teach what is not so: they keep the average."""
_RANGE = (0.0, 1.0)
_CUTOFF = 0.5
_STRENGTHS = (1e-9, 1e9)
"""The least and the most that can be reckoned with."""


@dataclass(frozen=True, slots=True)
class FeatureSettings:
    """What the regression may use, and how much it holds back."""

    strength: float | None = None
    """The inverse strength of regularization; chosen by cross-validation where it is None."""
    lessons: bool = True
    """Whether the lessons that ship are learned from beside the training pairs."""
    tasks: bool = False
    """Whether each task of the training pairs gets a bias of its own."""

    def __post_init__(self) -> None:
        least, most = _STRENGTHS
        if self.strength is not None and not least <= self.strength <= most:
            raise SettingError(
                "setting-strength-cannot",
                f"setting 'strength' cannot be {self.strength}",
                hint=f"it takes a number from {least:g} to {most:g}",
            )


@dataclass(frozen=True, slots=True)
class FeatureScorer:
    """Score pairs by the probability of entailment."""

    chosen: FeatureSettings
    regression: LinearModel | None = None
    reader: FeatureReader | None = field(default=None, compare=False)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every setting with its value, but a strength that is not set; and what analyzes."""
        set_ones = {name: value for name, value in asdict(self.chosen).items() if value is not None}
        return {**set_ones, _ANALYZER: installed_model()}

    @property
    def ready(self) -> bool:
        """False until weights are learned."""
        return self.regression is not None

    def scores(self, pairs: Sequence[Pair]) -> PairScores:
        """The probability that each hypothesis follows."""
        assert self.regression is not None
        reasons = _wordless(pairs)
        values = self.values(pairs, self.regression.names)
        return PairScores(probabilities(self.regression.predicted(values)), reasons)

    def evidence(self, pair: Pair) -> Evidence:
        """The links by kind, what is marked, and what each feature adds."""
        assert self.regression is not None
        compared = self._reader.compare([(pair.text, pair.hypothesis)])[0]
        spans, links = linked(compared)
        regression = self.regression
        values = self.values([pair], regression.names)
        added = regression.contributions(values)[0].tolist()
        total = float(regression.predicted(values)[0])
        weights = [
            Weight(*row)
            for row in zip(
                regression.names,
                values[0].tolist(),
                regression.weights.tolist(),
                added,
                regression.means.tolist(),
                strict=True,
            )
        ]
        steps = [
            Step("log odds of an average pair", f"{regression.bias:+.4f}"),
            Step("what the features add", f"{total - regression.bias:+.4f}"),
            Step(
                "probability",
                f"1 / (1 + exp(-({total:+.4f})))",
                float(probabilities(np.array(total))),
            ),
        ]
        return Evidence([*spans, *marks(compared)], links, steps, weights)

    def fitted(self, pairs: Sequence[Pair], *, seed: int) -> FeatureScorer:
        """Learn the weights, and choose their strength by cross-validation."""
        names = self.names(pairs)
        wordless = _wordless(pairs)
        kept = [pair for i, pair in enumerate(pairs) if i not in wordless]
        if not kept:
            raise DataError(
                "none-pairs-words-both-sides-nothing",
                "none of the pairs has words on both sides, so nothing can be learned",
            )
        examples = self.examples(kept, names)
        learned = fitted(names, examples, strength=self.chosen.strength, seed=seed)
        return FeatureScorer(self.chosen, learned, self.reader)

    def arrays(self) -> Arrays:
        """The weights and means, each number under its name."""
        return {} if self.regression is None else to_arrays(self.regression)

    def names(self, pairs: Sequence[Pair]) -> tuple[str, ...]:
        """The features, and the tasks of the pairs where each gets a bias of its own."""
        tasks = sorted({pair.task for pair in pairs if pair.task}) if self.chosen.tasks else []
        return (*NAMES, *(f"task.{task}" for task in tasks))

    def examples(self, pairs: Sequence[Pair], names: Sequence[str]) -> Examples:
        """What is learned from pairs with gold: these, and the lessons."""
        found = self.pairs_alone(pairs, names)
        if not self.chosen.lessons:
            return found
        taught = self.pairs_alone(lessons(), names)
        for name in _NOT_TAUGHT:
            column = names.index(name)
            taught.values[:, column] = found.values[:, column].mean()
        values = np.concatenate([found.values, taught.values])
        return replace(found, values=values, gold=np.concatenate([found.gold, taught.gold]))

    def pairs_alone(self, pairs: Sequence[Pair], names: Sequence[str]) -> Examples:
        """Pairs with gold, without the lessons."""
        gold = np.array([pair.gold is Label.ENTAILMENT for pair in pairs])
        return Examples(self.values(pairs, names), gold, [pair.text for pair in pairs])

    def values(self, pairs: Sequence[Pair], names: Sequence[str]) -> NDArray[np.float64]:
        """A row for each pair: the features, then 1 for its task and 0 for the others."""
        values = self._reader.features([(pair.text, pair.hypothesis) for pair in pairs])
        tasks = [name.removeprefix("task.") for name in names[len(NAMES) :]]
        columns = [np.array([float(pair.task == task) for pair in pairs]) for task in tasks]
        return np.column_stack([values, *columns]) if columns else values

    def __reduce__(self) -> tuple[Any, ...]:
        """What was learned: another process reads with a reader of its own."""
        return FeatureScorer, (self.chosen, self.regression)

    @property
    def _reader(self) -> FeatureReader:
        return self.reader or shared_reader()


@dataclass(frozen=True, slots=True)
class FeaturesRecognizer(LearningRecognizer):
    """A logistic regression on the features, with a cutoff that is not tuned."""

    scorer: FeatureScorer
    tunes: bool = False

    def fit(self, pairs: Sequence[Pair], *, seed: int, name: str = "pairs") -> FeaturesRecognizer:
        """Learn the weights from pairs with gold."""
        trained = LearningRecognizer.fit(self, pairs, seed=seed, name=name)
        assert isinstance(trained, FeaturesRecognizer)
        regression = trained.scorer.regression
        assert regression is not None
        tuned_on = {
            **(trained.tuned_on or {}),
            "strength": regression.strength,
            "cross_validated": dict(regression.validated),
        }
        return replace(trained, tuned_on=tuned_on)

    def with_pool(self, pool: CallPool | None) -> FeaturesRecognizer:
        """The same recognizer, with a pool that analyzes and measures large batches."""
        return self.with_reader(open_reader(pool=pool))

    def with_reader(self, reader: FeatureReader) -> FeaturesRecognizer:
        """The same recognizer, with another reader of pairs."""
        return replace(self, scorer=replace(self.scorer, reader=reader))


@dataclass(frozen=True, slots=True)
class FeaturesKind:
    """What the entry point names."""

    name: str = NAME
    summary: str = (
        f"logistic regression on {len(NAMES)} features of aligned dependency graphs; comes trained"
    )

    def build(self, settings: Mapping[str, object]) -> FeaturesRecognizer:
        """The recognizer that comes trained; one to train where settings are given."""
        given = dict(settings)
        cutoff = checked_cutoff(given.pop("cutoff", _CUTOFF), _RANGE)
        if not given:
            return replace(shipped(), cutoff=cutoff)
        return FeaturesRecognizer(
            NAME, FeatureScorer(filled(FeatureSettings, given)), cutoff, _RANGE
        )

    def restore(self, signature: Signature, arrays: Arrays) -> FeaturesRecognizer:
        """The recognizer that was kept with this signature and these numbers."""
        kept = {name: value for name, value in signature.settings.items() if name != _ANALYZER}
        settings = filled(FeatureSettings, kept)
        regression = from_arrays(arrays) if arrays else None
        cutoff = checked_cutoff(signature.cutoff, _RANGE)
        return FeaturesRecognizer(
            NAME, FeatureScorer(settings, regression), cutoff, _RANGE, signature.tuned_on
        )


FEATURES = FeaturesKind()


def shipped() -> FeaturesRecognizer:
    """The recognizer that comes with the package."""
    from ensue.recognizers.storage import load_shipped

    found = load_shipped("trained")
    assert isinstance(found, FeaturesRecognizer)
    return found


@cache
def lessons() -> tuple[Pair, ...]:
    """Pairs written to teach what real training pairs are too few to show.

    One sees in them what a negation, a quantifier, exchanged roles or another number come to: things
    that decide a pair alone, and that RTE's development sets have a few dozen of.
    """
    with as_file(files("ensue.recognizers") / "lessons.jsonl") as path:
        return tuple(read_pairs(path))


def to_arrays(regression: LinearModel) -> Arrays:
    """Each learned number under its name, so that it is kept as JSON."""
    numbers = {"strength": regression.strength, "bias": regression.bias}
    columns = zip(
        regression.names, regression.weights.tolist(), regression.means.tolist(), strict=True
    )
    for name, weight, mean in columns:
        numbers |= {f"weight of {name}": weight, f"mean of {name}": mean}
    return {name: np.array(number) for name, number in numbers.items()}


def from_arrays(arrays: Arrays) -> LinearModel:
    """The inverse of `to_arrays`.

    Raises:
        DataError: the weights are not those of our features.
    """
    names = tuple(name.removeprefix("weight of ") for name in arrays if name.startswith("weight"))
    if names[: len(NAMES)] != NAMES:
        raise DataError(
            "weights-other-features-than",
            "its weights are on other features than these",
            hint="train it again: ensue train PAIRS -r features -o DIR",
        )
    return LinearModel(
        names,
        np.array([float(arrays[f"weight of {name}"]) for name in names]),
        np.array([float(arrays[f"mean of {name}"]) for name in names]),
        float(arrays["bias"]),
        float(arrays["strength"]),
    )


def _wordless(pairs: Sequence[Pair]) -> dict[int, str]:
    """Why a pair cannot be judged, by its position: a side without a letter or digit."""
    reasons = {}
    for i, pair in enumerate(pairs):
        for side, string in (("text", pair.text), ("hypothesis", pair.hypothesis)):
            if not has_words(string):
                reasons[i] = f"the {side} has no words"
    return reasons
