"""Paraphrases by noun-phrase contexts (Bhagat & Ravichandran 2008).

Bhagat & Ravichandran (2008), "Large Scale Acquisition of Paraphrases for Learning Surface
Patterns": a phrase between two noun phrases is a vector whose features are the noun phrase on its
left and the one on its right, each weighed by its pointwise mutual information with the phrase,

    pmi(p, f) = ln(n(p, f)·N / (n(p)·n(f))),

and two phrases are paraphrases as far as the cosine of their vectors says. n(p, f) is how often f
stands beside p, n(p) = Σ_f n(p, f), n(f) = Σ_p n(p, f), N = Σ n(p, f).

Where it departs: they found near vectors among all phrases by locality-sensitive hashing, here the
terms are given and their cosines with all phrases are computed; the head of a noun phrase stands
for it (`NounPhraseSettings.whole` for all of it), since a corpus of less than 25 billion words
seldom has the same long noun phrase twice.

Memory holds the distinct phrases, features and pairs of them. They grow with the corpus, but more
slowly, and the parser's pace sets an earlier end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ensue.language import Sentence
from ensue.paraphrase.acquisition.methods import (
    AcquiredCandidates,
    Candidate,
    Counts,
    NounPhraseSettings,
    ScoredCandidates,
)
from ensue.paraphrase.words import content_words, normalized

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from ensue.language import TextAnalyzer

# Noun phrases by their tags, and what stands between two of them.

# one letter a token, so that a regular expression can find noun phrases
_LETTERS = {
    **dict.fromkeys(("DT", "PDT", "PRP$", "WP$", "$"), "D"),
    **dict.fromkeys(("JJ", "JJR", "JJS"), "J"),
    **dict.fromkeys(("NN", "NNS", "NNP", "NNPS"), "N"),
    **dict.fromkeys(("RB", "RBR", "RBS"), "R"),
    "CD": "C",
    "POS": "S",
    "PRP": "P",
}
_OTHER, _MODIFIER = "O", "J"
_BEFORE_NOUNS = frozenset({"amod", "compound", "nmod"})
_CHUNK = re.compile("P|(?:D+R*)?[JC]*N+(?:S[JC]*N+)*|D*C+")
"""A pronoun; or nouns with what stands before them, adverbs only behind a determiner, and with their
owners; or a number by itself."""


@dataclass(frozen=True, slots=True)
class NounChunk:
    """A noun phrase without what hangs behind its head."""

    first: int
    end: int
    """The token after its last."""
    head: str
    """The lemma of its last noun, in lower case; of a pronoun or a number the word itself."""
    words: str
    """All of it, in lower case."""


def noun_chunks(sentence: Sentence) -> list[NounChunk]:
    """The noun phrases of a text, in their order; no two overlap."""
    forms = sentence.forms
    found = []
    for match in _CHUNK.finditer(_letters(sentence)):
        first, end = match.span()
        last = end - 1
        is_noun = match[0][-1] == "N"
        head = sentence.lemmas[last] if is_noun else forms[last]
        words = " ".join(forms[first:end]).lower()
        found.append(NounChunk(first, end, head.lower(), words))
    return found


def _letters(sentence: Sentence) -> str:
    """The kind of each token; a participle before a noun, as the parser sees it, is an adjective."""
    tagged = zip(sentence.tags, sentence.relations, strict=True)
    return "".join(
        _MODIFIER
        if tag in ("VBG", "VBN") and relation in _BEFORE_NOUNS
        else _LETTERS.get(tag, _OTHER)
        for tag, relation in tagged
    )


@dataclass(frozen=True, slots=True)
class PhraseContext:
    """A phrase between two noun phrases."""

    left: NounChunk
    phrase: str
    """As it is written, in lower case and with single blanks."""
    right: NounChunk


def between_noun_phrases(sentence: Sentence, longest: int) -> Iterator[PhraseContext]:
    """The phrases of at most `longest` tokens between neighboring noun phrases of a text.

    What has punctuation in it is none, whatever the tagger takes it for.
    """
    forms = sentence.forms
    for left, right in pairwise(noun_chunks(sentence)):
        if not 0 < right.first - left.end <= longest:
            continue
        if not all(any(map(str.isalnum, form)) for form in forms[left.end : right.first]):
            continue
        written = sentence.text[sentence.starts[left.end] : sentence.ends[right.first - 1]]
        yield PhraseContext(left, normalized(written), right)


# Paraphrases by noun-phrase contexts: what stands between the same noun phrases as a term.

_PENDING = 1 << 20
_BATCH = 1024
"""Sentences that are parsed at once."""


def learn_by_noun_phrases(
    blocks: Iterable[Sequence[str]],
    terms: Sequence[str],
    settings: NounPhraseSettings,
    *,
    most: int,
    least: int,
    analyzer: TextAnalyzer | None = None,
) -> AcquiredCandidates:
    """The best paraphrases of each term.

    Args:
        blocks: Sentences, some at a time.
        terms: Words or phrases, in any case.
        settings: What counts as a context, and as a paraphrase.
        most: Paraphrases of a term, at most.
        least: Features that a paraphrase has to share with its term, and times it has to occur.
        analyzer: Parses; the installed one where it is None. A cache would serve one corpus only
            and take the place of others' analyses.
    """
    counts = PhraseFeatures()
    n_sentences = n_tokens = 0
    for sentence in _analyzed(blocks, analyzer):
        counts.add(between_noun_phrases(sentence, settings.longest), whole=settings.whole)
        n_sentences += 1
        n_tokens += len(sentence)
    spelled = [normalized(term) for term in terms]
    lists, n_occurrences = counts.vectors().learned(spelled, most, least)
    return AcquiredCandidates(lists, n_occurrences, n_sentences, n_tokens)


def _analyzed(blocks: Iterable[Sequence[str]], analyzer: TextAnalyzer | None) -> Iterator[Sentence]:
    """The sentences, parsed; nothing is loaded before there is one."""
    from ensue.language import load_analyzer

    for block in blocks:
        analyzing = analyzer or load_analyzer(entities=False)
        for start in range(0, len(block), _BATCH):
            yield from analyzing.analyze(block[start : start + _BATCH])


class PhraseFeatures:
    """How often which noun phrase stands on which side of which phrase."""

    def __init__(self) -> None:
        self._phrases: dict[str, int] = {}
        self._features: dict[tuple[str, str], int] = {}
        self._occurrences: list[int] = []
        self._pending: list[tuple[int, int]] = []
        self._pairs: Counts = np.empty((0, 2), np.int64)
        self._counts: Counts = np.empty(0, np.int64)

    def add(self, found: Iterable[PhraseContext], *, whole: bool = False) -> None:
        """Count phrases with the noun phrases around them, which count by their heads or whole."""
        for each in found:
            phrase = self._phrases.setdefault(each.phrase, len(self._phrases))
            if phrase == len(self._occurrences):
                self._occurrences.append(0)
            self._occurrences[phrase] += 1
            for side, chunk in (("left", each.left), ("right", each.right)):
                key = side, chunk.words if whole else chunk.head
                feature = self._features.setdefault(key, len(self._features))
                self._pending.append((phrase, feature))
        if len(self._pending) >= _PENDING:
            self._merge()

    def vectors(self) -> Vectors:
        """The vectors of all phrases that were counted."""
        self._merge()
        return Vectors(
            tuple(self._phrases),
            np.array(self._occurrences, np.int64),
            pmi_vectors(self._pairs, self._counts, len(self._phrases), len(self._features)),
        )

    def _merge(self) -> None:
        more = np.array(self._pending, np.int64).reshape(-1, 2)
        pairs = np.concatenate([self._pairs, more])
        counts = np.concatenate([self._counts, np.ones(len(more), np.int64)])
        keys, at = np.unique(pairs[:, 0] << 32 | pairs[:, 1], return_inverse=True)
        self._counts = np.bincount(at, counts, len(keys)).astype(np.int64)
        self._pairs = np.stack([keys >> 32, keys & 0xFFFFFFFF], axis=1)
        self._pending.clear()


def pmi_vectors(pairs: Counts, counts: Counts, n_phrases: int, n_features: int) -> csr_array:
    """Phrases × features: the pointwise mutual information of each that were seen together.

    Args:
        pairs: The numbers of a phrase and a feature, a row each.
        counts: How often each was seen, at least once.
        n_phrases: All of them.
        n_features: All of them.
    """
    from scipy.sparse import csr_array

    phrases, features = pairs.T
    of_phrase = np.bincount(phrases, counts, n_phrases)
    of_feature = np.bincount(features, counts, n_features)
    pmi = np.log(counts * counts.sum() / (of_phrase[phrases] * of_feature[features]))
    return csr_array((pmi, (phrases, features)), shape=(n_phrases, n_features))


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """Phrases by what stands around them."""

    phrases: tuple[str, ...]
    n_occurrences: Counts
    matrix: csr_array
    """A row a phrase, a column a feature; what was not seen together is not stored."""

    def learned(
        self, terms: Sequence[str], most: int, least: int
    ) -> tuple[list[list[Candidate]], list[int]]:
        """The best paraphrases of each term in lower case, and how often each term occurs."""
        numbers = {phrase: number for number, phrase in enumerate(self.phrases)}
        known = {term: numbers[term] for term in terms if term in numbers}
        rows = np.array(list(known.values()), np.int64)
        scored = dict(zip(known, self._scored(rows, least), strict=True))
        lists = [
            scored[term].best(most, self.phrases.__getitem__) if term in known else []
            for term in terms
        ]
        return lists, [
            int(self.n_occurrences[known[term]]) if term in known else 0 for term in terms
        ]

    def _scored(self, rows: Counts, least: int) -> Iterator[ScoredCandidates]:
        """The phrases that share enough features with each of some, with their cosines."""
        seen = self.matrix.copy()
        seen.data = np.ones_like(seen.data)
        shared = (seen @ seen[rows].T).tocsc()
        products = (self.matrix @ self.matrix[rows].T).tocsc()
        norms = np.sqrt(np.bincount(_rows(self.matrix), self.matrix.data**2, len(self.phrases)))
        usable = self._usable(least) & (norms > 0)
        for column, row in enumerate(rows.tolist()):
            n_shared = shared[:, [column]].toarray().ravel().astype(np.int64)
            chosen = np.flatnonzero((n_shared >= least) & usable & (norms[row] > 0))
            chosen = chosen[chosen != row]
            dots = products[:, [column]].toarray().ravel()[chosen]
            cosines = dots / (norms[chosen] * norms[row])
            yield ScoredCandidates(chosen, cosines, n_shared[chosen], self.n_occurrences[chosen])

    def _usable(self, least: int) -> NDArray[np.bool_]:
        """Which phrases may be paraphrases: those that say something and are not too rare."""
        content = [bool(content_words(phrase)) for phrase in self.phrases]
        return np.array(content, np.bool_) & (self.n_occurrences >= least)


def _rows(matrix: csr_array) -> Counts:
    """The row of each number that is stored."""
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
