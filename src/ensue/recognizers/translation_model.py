"""A translation model: how probably the text's words become those of the hypothesis.

MITRE's second system (Bayer et al. 2005), the most accurate of the first challenge, takes
entailment for translation: a model learned from comparable texts of one language aligns the two
sides, and how well that goes decides. Glickman, Dagan and Koppel (2005) take for each word of the
hypothesis the word of the text that most probably stands for it. Here, with the probabilities of
IBM's model 1,

    p(h) = max over the words e of the text of own · [h = e] + (1 - own) · t(h | e)
    score = exp(Σ weight(h) · log(floor + (1 - floor) · p(h)) / Σ weight(h))

is a geometric mean over the words of the hypothesis, rare ones first, so that its length does not
matter; a cutoff that is tuned on gold pairs decides. MITRE's system has a classifier over several
numbers of the alignment in the place of the cutoff; over ours one tells no more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, SettingError
from ensue.features import shared_rarities
from ensue.pairs import Label, Pair, Signature
from ensue.recognizers.contract import (
    Arrays,
    Evidence,
    EvidenceSection,
    Link,
    Side,
    Span,
    Step,
    Weight,
    filled,
)
from ensue.recognizers.cutoff import (
    LearningRecognizer,
    LearningScorer,
    PairScores,
    checked_cutoff,
    no_tokens,
)
from ensue.statistics import random_folds, split_folds
from ensue.surface import (
    WORDS,
    Translations,
    TranslationTable,
    is_function_word,
    located_tokens,
    train_translation,
    translations,
)

NAME = "translation-model"
_RANGE = (0.0, 1.0)
_LEAST, _MOST = 0.01, 10
"""Less probable translations, and further ones of the same word, are not kept."""
_SHOWN = 5
_FOLDS = 5
_FUNCTION_WORD = 0.05
"""What a function word weighs: as much as the most frequent of the others."""


class TableSource(StrEnum):
    """Where the probabilities of translations come from."""

    SHIPPED = "shipped"
    OWN = "own"
    """From the entailing pairs among those trained on."""


@dataclass(frozen=True, slots=True)
class TranslationSettings:
    """What is learned, and how words are weighed."""

    table: TableSource = TableSource.SHIPPED
    own: float = 0.6
    """How much it counts that a word is there itself, beside what the table says."""
    floor: float = 0.01
    """The least probability of a word, so that one that is missing does not decide alone."""
    weights: bool = True
    """Whether words count by how rare they are."""
    steps: int = 5
    """Of expectation maximization by model 1, where a table is learned."""
    places: int = 0
    """Of steps by model 2 after them, which learns where words go."""

    def __post_init__(self) -> None:
        for name in ("own", "floor"):
            value = getattr(self, name)
            if not 0 <= value <= 1:
                raise SettingError(
                    "setting-cannot", f"setting {name!r} cannot be {value}", hint="from 0 to 1"
                )
        for name, least in (("steps", 1), ("places", 0)):
            if getattr(self, name) < least:
                raise SettingError(
                    "setting-cannot",
                    f"setting {name!r} cannot be {getattr(self, name)}",
                    hint=f"≥ {least}",
                )


@dataclass(frozen=True, slots=True)
class TranslationScorer:
    """Score pairs by how probably the text's words become the hypothesis's."""

    chosen: TranslationSettings
    table: TranslationTable | None = None

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every setting with its value."""
        return {**asdict(self.chosen), "table": self.chosen.table.value}

    @property
    def ready(self) -> bool:
        """False until there is a table."""
        return self.table is not None

    def scores(self, pairs: Sequence[Pair]) -> PairScores:
        """The mean probability of each hypothesis's words."""
        found = self._translated(pairs)
        values = np.zeros(len(pairs))
        reasons = no_tokens(np.diff(found.starts), found.source_lengths)
        for i, pair in enumerate(pairs):
            if i not in reasons:
                words = [each.token for each in located_tokens(pair.hypothesis, WORDS)]
                part = slice(found.starts[i], found.starts[i + 1])
                weights = self._weights(words)
                logs = self._logs(found.probabilities[part])
                values[i] = float(np.exp(float(weights @ logs / weights.sum())))
        return PairScores(np.clip(values, 0.0, 1.0), reasons)

    def evidence(self, pair: Pair) -> Evidence:
        """Which word stands for which, with what probability."""
        assert self.table is not None
        found = self._translated([pair])
        hypothesis = located_tokens(pair.hypothesis, WORDS)
        text = located_tokens(pair.text, WORDS)
        weights = self._weights([each.token for each in hypothesis])
        shares = weights / weights.sum()
        logs = self._logs(found.probabilities)
        spans: list[Span] = []
        links: list[Link] = []
        rows, added = [], []
        for word, probability, origin, share, log in zip(
            hypothesis,
            found.probabilities.tolist(),
            found.origins.tolist(),
            shares.tolist(),
            logs.tolist(),
            strict=True,
        ):
            source = text[origin].token if origin >= 0 else ""
            kind = "unaligned" if not source else "same" if source == word.token else "related"
            strength = min(probability, 1.0)
            spans.append(Span(Side.HYPOTHESIS, word.start, word.end, kind, strength))
            if source:
                there = text[origin]
                spans.append(Span(Side.TEXT, there.start, there.end, kind, strength))
                links.append(Link(len(spans) - 2, len(spans) - 1, kind))
            others = list(self.table.of(source).items())[:_SHOWN] if source else []
            shown = ", ".join(f"{other} {chance:.2f}" for other, chance in others)
            rows.append((word.token, source, f"{probability:.4f}", shown))
            added.append(Weight(word.token, log, share, share * log))
        mean = float(shares @ logs)
        title = "which word of the text each word most probably stands for"
        columns = ("hypothesis", "text", "probability", "what that stands for")
        steps = [
            Step("mean log probability of the words", f"{mean:.4f}"),
            Step("score", f"exp({mean:.4f})", float(np.exp(mean))),
        ]
        section = EvidenceSection("translations", title, columns, rows)
        return Evidence(spans, links, steps, added, [section])

    def fitted(self, pairs: Sequence[Pair], *, seed: int) -> TranslationScorer:  # noqa: ARG002
        """Learn the table from the entailing pairs, if it is not to be the one that ships."""
        if self.chosen.table is TableSource.SHIPPED:
            return self
        entailing = [pair for pair in pairs if pair.gold is Label.ENTAILMENT]
        if not entailing:
            raise DataError(
                "none-pairs-entail-no",
                "none of the pairs entails, so no translations can be learned",
                hint="translations are learned from pairs whose gold is entailment",
            )
        return TranslationScorer(self.chosen, self.learned(entailing))

    def learned(self, pairs: Sequence[Pair]) -> TranslationTable:
        """The table that is learned from pairs that say the same."""
        model = train_translation(
            [pair.text for pair in pairs],
            [pair.hypothesis for pair in pairs],
            WORDS,
            steps=self.chosen.steps,
            place_steps=self.chosen.places,
        )
        return model.table.pruned(_LEAST, _MOST)

    def arrays(self) -> Arrays:
        """The table, as small as it can be."""
        return {} if self.table is None else table_to_arrays(self.table)

    def _translated(self, pairs: Sequence[Pair]) -> Translations:
        assert self.table is not None
        texts, hypotheses = [pair.text for pair in pairs], [pair.hypothesis for pair in pairs]
        return translations(texts, hypotheses, self.table, WORDS, own=self.chosen.own)

    def _weights(self, words: Sequence[str]) -> NDArray[np.float64]:
        if not self.chosen.weights:
            return np.ones(len(words))
        rare = np.array(shared_rarities().of_words(words))
        # the lexicon, by which frequent words are known, does not have function words at all
        rare[[is_function_word(word) for word in words]] = _FUNCTION_WORD
        return rare

    def _logs(self, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
        floor = max(self.chosen.floor, np.finfo(float).tiny)
        return np.log(floor + (1 - floor) * probabilities)


@dataclass(frozen=True, slots=True)
class TranslationRecognizer(LearningRecognizer):
    """A cutoff on the scores, tuned where a table is learned on pairs that it was not learned from."""

    scorer: TranslationScorer

    def tuning_scores(
        self, pairs: Sequence[Pair], scorer: LearningScorer, *, seed: int
    ) -> PairScores:
        """The scores of pairs by tables that were learned from others.

        A table has seen the pairs that it was learned from, and a cutoff on their scores would be
        one that no other pair reaches.
        """
        if self.scorer.chosen.table is TableSource.SHIPPED:
            return scorer.scores(pairs)
        numbers: dict[str, int] = {}
        group = np.array([numbers.setdefault(pair.text, len(numbers)) for pair in pairs], np.int64)
        found = scorer.scores(pairs)
        for known, held_out in split_folds(random_folds(group, _FOLDS, seed=seed)):
            learning = [pairs[i] for i in known]
            if any(pair.gold is Label.ENTAILMENT for pair in learning):
                trained = self.scorer.fitted(learning, seed=seed)
                found.values[held_out] = trained.scores([pairs[i] for i in held_out]).values
        return found


@dataclass(frozen=True, slots=True)
class TranslationKind:
    """What the entry point names."""

    name: str = NAME
    summary: str = (
        "how probably the text's words become the hypothesis's, by IBM's model 1; comes trained"
    )

    def build(self, settings: Mapping[str, object]) -> TranslationRecognizer:
        """The recognizer with the table that ships, unless it is to learn one."""
        given = dict(settings)
        cutoff = given.pop("cutoff", None)
        chosen = filled(TranslationSettings, given)
        ships = shipped()
        table = ships.scorer.table if chosen.table is TableSource.SHIPPED else None
        return replace(
            ships if not given else TranslationRecognizer(NAME, ships.scorer, ships.cutoff, _RANGE),
            scorer=TranslationScorer(chosen, table),
            cutoff=ships.cutoff if cutoff is None else checked_cutoff(cutoff, _RANGE),
        )

    def restore(self, signature: Signature, arrays: Arrays) -> TranslationRecognizer:
        """The recognizer that was kept with this signature and this table."""
        settings = filled(TranslationSettings, signature.settings)
        table = table_from_arrays(arrays) if arrays else None
        cutoff = checked_cutoff(signature.cutoff, _RANGE)
        scorer = TranslationScorer(settings, table)
        return TranslationRecognizer(NAME, scorer, cutoff, _RANGE, signature.tuned_on)


TRANSLATION_MODEL = TranslationKind()


def shipped() -> TranslationRecognizer:
    """The recognizer that comes with the package."""
    from ensue.recognizers.storage import load_shipped

    found = load_shipped("trained_translation")
    assert isinstance(found, TranslationRecognizer)
    return found


def table_to_arrays(table: TranslationTable) -> Arrays:
    """A table as arrays that need no pickling; eleven bits of each probability are kept."""
    return {
        "words": np.frombuffer("\n".join(table.words).encode("utf-8", "surrogatepass"), np.uint8),
        "counts": np.diff(table.starts).astype(np.int32),
        "targets": table.targets.astype(np.int32),
        "probabilities": table.probabilities.astype(np.float16),
    }


def table_from_arrays(arrays: Arrays) -> TranslationTable:
    """The inverse of `table_to_arrays`."""
    words = arrays["words"].tobytes().decode("utf-8", "surrogatepass").split("\n")
    return TranslationTable(
        tuple(words),
        np.concatenate([[0], np.cumsum(arrays["counts"])]).astype(np.int64),
        arrays["targets"],
        arrays["probabilities"].astype(np.float64),
    )
