"""Semantic distance: how near each word of the hypothesis is to some word of the text.

Corley and Mihalcea (2005, "Measuring the semantic similarity of texts", equation 1) combine the
similarity of words to one of texts, in one direction: of each word of the hypothesis the greatest
similarity to any word of the text of its part of speech, weighted by how rare the word is,

    score = Σ weight(w) · likeness(w) / Σ weight(w)

over the nouns, verbs, adjectives, adverbs and numbers of the hypothesis. A word that the text has
is 1. Nouns and verbs have a likeness by one of six measures over WordNet's hypernyms, those that
Budanitsky and Hirst (2001) compare; the others are there or not. We depart in three things: the
sum is over all parts of speech at once, where the paper's sums of shares may be above 1; every
measure is brought to the range from 0 to 1; and words are weighted, unless idf is asked for, by
how often they stand in the texts that WordNet's authors tagged, so that nothing has to be trained.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.concurrency import no_fork
from ensue.errors import SettingError
from ensue.features import has_words, shared_rarities, shared_reader
from ensue.language import Sentence, SimilarityMeasure, installed_model, load_lexicon
from ensue.pairs import Pair
from ensue.recognizers.baselines import idf_from_arrays, idf_to_arrays
from ensue.recognizers.contract import Arrays, Evidence, Link, Side, Span, Step, Weight
from ensue.recognizers.cutoff import CutoffKind, PairScores
from ensue.surface import InverseDocumentFrequency, counted_words

_CHUNK = 256
"""Pairs whose words are looked up together."""
_PARTS = {
    "NOUN": "noun",
    "PROPN": "noun",
    "VERB": "verb",
    "ADJ": "adjective",
    "ADV": "adverb",
    "NUM": "number",
}
"""The words that count, by their universal part of speech."""
_MEASURED = ("noun", "verb")


class WordWeighting(StrEnum):
    """How much each word of the hypothesis counts."""

    RARITY = "rarity"
    """By how seldom it is in the texts that WordNet's authors tagged."""
    IDF = "idf"
    """By how few of the texts trained on have it."""
    UNIFORM = "uniform"


@dataclass(frozen=True, slots=True)
class DistanceSettings:
    """How words are compared, and what each is worth."""

    measure: SimilarityMeasure = SimilarityMeasure.JIANG_CONRATH
    """What cross-validation on RTE's three development sets prefers."""
    weights: WordWeighting = WordWeighting.RARITY
    senses: int = 0
    """Of each word the first so many senses; all where it is 0."""
    least: float = 0.0
    """A likeness below this counts as none."""

    def __post_init__(self) -> None:
        if self.senses < 0:
            raise SettingError(
                "setting-cannot", f"setting 'senses' cannot be {self.senses}", hint="≥ 0"
            )
        if not 0 <= self.least <= 1:
            raise SettingError(
                "setting-cannot", f"setting 'least' cannot be {self.least}", hint="from 0 to 1"
            )


class ContentWord(NamedTuple):
    """A word that counts."""

    lemma: str
    form: str
    part: str
    token: int


def content_words(sentence: Sentence) -> list[ContentWord]:
    """The nouns, verbs, adjectives, adverbs and numbers of a text."""
    named = zip(sentence.lemmas, sentence.forms, sentence.parts, strict=True)
    return [
        ContentWord(lemma.lower(), form.lower(), _PARTS[part], token)
        for token, (lemma, form, part) in enumerate(named)
        if part in _PARTS
    ]


class NearestWord(NamedTuple):
    """Which word of the text is nearest to a word of the hypothesis."""

    likeness: float
    word: int
    """Its place among the text's content words; -1 for none."""


WordPair = tuple[str, str]
Likenesses = dict[str, dict[WordPair, float]]
"""For each part of speech with a measure: how alike a hypothesis's and a text's word are."""


@dataclass(frozen=True, slots=True)
class DistanceScorer:
    """Score pairs by the weighted likeness of the hypothesis's words to the text's."""

    chosen: DistanceSettings
    idf: InverseDocumentFrequency | None = None

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every setting with its value, and what analyzes."""
        chosen = self.chosen
        named = {"measure": chosen.measure.value, "weights": chosen.weights.value}
        return {**asdict(chosen), **named, "analyzer": installed_model()}

    @property
    def ready(self) -> bool:
        """False where idf weights are wanted and not yet learned."""
        return self.idf is not None or self.chosen.weights is not WordWeighting.IDF

    def scores(self, pairs: Sequence[Pair]) -> PairScores:
        """The weighted likeness of each hypothesis to its text."""
        values = np.zeros(len(pairs))
        reasons: dict[int, str] = {}
        for start in range(0, len(pairs), _CHUNK):
            sides = _analyzed(pairs[start : start + _CHUNK])
            known = self._likenesses(sides)
            for i, (text, hypothesis) in enumerate(sides, start):
                if not text or not hypothesis:
                    side = "text" if not text else "hypothesis"
                    reasons[i] = f"the {side} has no content words"
                else:
                    near = nearest(text, hypothesis, known)
                    weights = self._weights(hypothesis)
                    likeness = np.array([each.likeness for each in near])
                    values[i] = min(float(weights @ likeness / weights.sum()), 1.0)
        return PairScores(values, reasons)

    def evidence(self, pair: Pair) -> Evidence:
        """The nearest word of each, its likeness and its weight."""
        sentences = shared_reader().analyze([pair.text, pair.hypothesis])
        text, hypothesis = (content_words(each) for each in sentences)
        near = nearest(text, hypothesis, self._likenesses([(text, hypothesis)]))
        weights = self._weights(hypothesis)
        shares = (weights / weights.sum()).tolist()
        spans: list[Span] = []
        links: list[Link] = []
        for word, (likeness, at) in zip(hypothesis, near, strict=True):
            kind = _kind(text[at], word, likeness) if at >= 0 else "unaligned"
            spans.append(_span(sentences[1], Side.HYPOTHESIS, word, kind, likeness))
            if at >= 0:
                spans.append(_span(sentences[0], Side.TEXT, text[at], kind, likeness))
                links.append(Link(len(spans) - 2, len(spans) - 1, kind))
        total = float(weights.sum())
        covered = float(sum(w * each.likeness for w, each in zip(weights, near, strict=True)))
        how = f"{covered:.4g} / {total:.4g}"
        step = Step("weighted likeness of the hypothesis's words", how, covered / total)
        return Evidence(spans, links, [step], list(_contributions(text, hypothesis, near, shares)))

    def fitted(self, pairs: Sequence[Pair], *, seed: int) -> DistanceScorer:  # noqa: ARG002
        """Learn the idf weights from the distinct texts, if they are wanted."""
        if self.chosen.weights is not WordWeighting.IDF:
            return self
        texts = [text for text in dict.fromkeys(pair.text for pair in pairs) if has_words(text)]
        words = [
            {word.lemma for word in content_words(each)} for each in shared_reader().analyze(texts)
        ]
        return DistanceScorer(self.chosen, counted_words(words))

    def arrays(self) -> Arrays:
        """The words with their counts, where idf weights were learned."""
        return {} if self.idf is None else idf_to_arrays(self.idf)

    def _likenesses(
        self, sides: Sequence[tuple[list[ContentWord], list[ContentWord]]]
    ) -> Likenesses:
        """Of all two words of a batch that are of one part of speech and differ."""
        chosen, found = self.chosen, {}
        for part in _MEASURED:
            asked = list(dict.fromkeys(_asked(sides, part)))
            known = word_likenesses(chosen.measure, asked, part, senses=chosen.senses or None)
            known[known < chosen.least] = 0.0
            found[part] = dict(zip(asked, known.tolist(), strict=True))
        return found

    def _weights(self, words: Sequence[ContentWord]) -> NDArray[np.float64]:
        lemmas = [word.lemma for word in words]
        if self.chosen.weights is WordWeighting.UNIFORM:
            return np.ones(len(words))
        if self.chosen.weights is WordWeighting.RARITY:
            return np.array(shared_rarities().of_words(lemmas))
        assert self.idf is not None
        return self.idf(lemmas)


def word_likenesses(
    measure: SimilarityMeasure, pairs: Sequence[WordPair], part: str, *, senses: int | None = None
) -> NDArray[np.float64]:
    """How alike two words are by a measure brought to the range from 0 to 1; 0 for unknown ones.

    `leacock-chodorow` and `resnik` are divided by the most that they can be, the likeness of a word
    with itself and the content of what was never seen; `jiang-conrath`, which is 1 over a distance
    d, becomes 1 / (1 + d).
    """
    lexicon = load_lexicon()
    first, second = [one for one, _ in pairs], [other for _, other in pairs]
    found = lexicon.similarity(measure, first, second, part, senses=senses)
    hierarchy = lexicon.network.hierarchy
    if measure is SimilarityMeasure.LEACOCK_CHODOROW:
        found = found / np.log(2.0 * hierarchy.deepest[_MEASURED.index(part)])
    elif measure is SimilarityMeasure.RESNIK:
        found = found / hierarchy.content.max()
    elif measure is SimilarityMeasure.JIANG_CONRATH:
        with np.errstate(divide="ignore"):
            found = 1 / (1 + 1 / found)  # 1 / infinity is 0: a word is as like itself as can be
    return np.clip(np.nan_to_num(found, nan=0.0), 0.0, 1.0)


def nearest(
    text: Sequence[ContentWord], hypothesis: Sequence[ContentWord], known: Likenesses
) -> list[NearestWord]:
    """For each word of the hypothesis the nearest of the text, of several the first."""
    places: dict[str, int] = {}
    for i, word in reversed(list(enumerate(text))):
        places[word.form] = places[word.lemma] = i
    parts = {
        part: [(i, word.lemma) for i, word in enumerate(text) if word.part == part]
        for part in _MEASURED
    }
    found = []
    for word in hypothesis:
        same = places.get(word.lemma, places.get(word.form, -1))
        best = NearestWord(1.0, same) if same >= 0 else NearestWord(0.0, -1)
        if same < 0 and word.part in parts:
            for i, lemma in parts[word.part]:
                likeness = known[word.part][word.lemma, lemma]
                if likeness > best.likeness:
                    best = NearestWord(likeness, i)
        found.append(best)
    return found


def _asked(
    sides: Iterable[tuple[list[ContentWord], list[ContentWord]]], part: str
) -> Iterator[WordPair]:
    for text, hypothesis in sides:
        there = list(dict.fromkeys(word.lemma for word in text if word.part == part))
        for word in hypothesis:
            if word.part == part:
                yield from ((word.lemma, other) for other in there)


def _analyzed(pairs: Sequence[Pair]) -> list[tuple[list[ContentWord], list[ContentWord]]]:
    """The content words of both sides of each pair; none for a side that has no words at all."""
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.text, pair.hypothesis)))
    asked = list(compress(texts, map(has_words, texts)))
    with no_fork:
        found = zip(asked, map(content_words, shared_reader().analyze(asked)), strict=True)
        words = {text: list[ContentWord]() for text in texts} | dict(found)
    return [(words[pair.text], words[pair.hypothesis]) for pair in pairs]


def _span(sentence: Sentence, side: Side, word: ContentWord, kind: str, likeness: float) -> Span:
    start, end = int(sentence.starts[word.token]), int(sentence.ends[word.token])
    return Span(side, start, end, kind, likeness)


def _kind(text: ContentWord, hypothesis: ContentWord, likeness: float) -> str:
    if hypothesis.lemma in (text.lemma, text.form) or hypothesis.form in (text.lemma, text.form):
        return "same"
    return "synonym" if likeness == 1 else "related"


def _contributions(
    text: Sequence[ContentWord],
    hypothesis: Sequence[ContentWord],
    near: Sequence[NearestWord],
    shares: Sequence[float],
) -> Iterator[Weight]:
    for word, (likeness, at), share in zip(hypothesis, near, shares, strict=True):
        name = f"{word.lemma} – {text[at].lemma}" if at >= 0 else word.lemma
        yield Weight(name, likeness, share, share * likeness)


SEMANTIC_DISTANCE = CutoffKind(
    "semantic-distance",
    "likeness of the hypothesis's words to the text's by a WordNet measure, rare ones first",
    DistanceSettings,
    DistanceScorer,
    lambda settings, arrays: DistanceScorer(settings, idf_from_arrays(arrays)),
    0.766,  # tuned on RTE's three development sets together
    described=("analyzer",),
)
