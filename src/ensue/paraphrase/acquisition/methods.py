"""Ways to learn lists of paraphrases, and the plain text they learn from as numbers of tokens.

A line is a sentence, a paragraph or any piece of running text; what belongs together does not go on
in the next line. Tokens are those of `13a` in lower case: punctuation stands by itself, so that a
phrase is seen to go across it, and a word with an apostrophe is one token. Sentences end where
`sentences` ends them, by a cheap rule: a parser would take a thousand times as long.

What is kept in memory is a block and the vocabulary; the numbers of all tokens are in a temporary
file, 4 bytes a token. Standard input can be read for the same reason.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ensue.errors import OutputError, SettingError, UnknownNameError
from ensue.files import decoded_lines, open_input, shown_name
from ensue.pairs import Finding, Severity
from ensue.paraphrase.lists import ListKey, RankedLists
from ensue.paraphrase.words import normalized, words_of
from ensue.surface import MTEVAL_13A, tokenize

if TYPE_CHECKING:
    from ensue.language import TextAnalyzer


Ids = NDArray[np.int32]
Progress = Callable[[int], None]

END = -1
"""Stands before the first sentence of a block and after each."""
BLOCK = 1 << 20
"""Characters of text that are read, and tokens that are gone through, at once."""

_TYPOGRAPHY = {
    **dict.fromkeys("“”„«»", '"'),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("–—", " - "),
    "…": " ... ",
    "\u00a0": " ",
}
_MAYBE_END = re.compile(r"""[.!?]["')\]]*[ \t]+(?=["'(\[]*[A-Z0-9])""")
_LONGEST_ABBREVIATION = 6
_TITLES = """mr mrs ms dr prof gen sen rep gov lt col sgt capt cmdr maj hon rev st mt ft jr sr"""
_DATES = """jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun"""
_OTHERS = """inc corp co ltd vs no nos al fig approx dept est"""
_ABBREVIATIONS = frozenset(f"{_TITLES} {_DATES} {_OTHERS}".split())


def sentences(text: str) -> list[str]:
    """The sentences of a text; they end at line ends, too.

    A sentence ends at a full stop, a question or an exclamation mark before a capital or a digit,
    but for the full stop of a single letter or a known abbreviation.

    >>> sentences("Mr. Hill left. He was in the U.S. Army!")
    ['Mr. Hill left.', 'He was in the U.S. Army!']
    """
    if not text.isascii():
        for character, plain in _TYPOGRAPHY.items():  # five times as fast as str.translate
            text = text.replace(character, plain)
    return [each for each in _MAYBE_END.sub(_ended, text).split("\n") if each.strip()]


def _ended(found: re.Match[str]) -> str:
    """What may be the end of a sentence, with a line end behind it if it is one."""
    stop = found.start()
    before = found.string[max(stop - _LONGEST_ABBREVIATION, 0) : stop]
    words = re.split(r"[^\w]", before)
    is_abbreviation = found[0][0] == "." and (
        (len(words[-1]) == 1 and words[-1].isalpha()) or words[-1].lower() in _ABBREVIATIONS
    )
    return found[0] if is_abbreviation else f"{found[0].rstrip()}\n"


def text_blocks(
    paths: Iterable[str | Path],
    *,
    encoding: str | None = None,
    block: int = BLOCK,
    progress: Progress | None = None,
) -> Iterator[list[str]]:
    """The sentences of files, some at a time.

    Args:
        paths: Plain text, also gzip; `-` for standard input.
        encoding: Of all of them; what their byte-order marks say, else UTF-8, where it is None.
        block: Characters at once; whole lines, so that one that is longer is a block by itself.
        progress: Is told how many more lines were read.

    Raises:
        DataError: a file cannot be read, or a line of it is not in its encoding.
    """
    for path in paths:
        lines: list[str] = []
        size = 0
        with open_input(path) as file:
            for _, line in decoded_lines(file, shown_name(path), encoding):
                lines.append(line)
                size += len(line)
                if size >= block:
                    yield from _some(lines, progress)
                    lines, size = [], 0
            yield from _some(lines, progress)


def _some(lines: list[str], progress: Progress | None) -> Iterator[list[str]]:
    found = sentences("\n".join(lines))
    if found:
        yield found
    if progress:
        progress(len(lines))


@dataclass(slots=True)
class CorpusVocabulary:
    """The distinct tokens of a run, numbered as they come."""

    _numbers: dict[bytes, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._numbers)

    def ids(self, strings: Sequence[str]) -> tuple[Ids, NDArray[np.int64]]:
        """The tokens of strings, new ones numbered, and where those of each begin, with the end."""
        tokens = tokenize(strings, MTEVAL_13A)
        numbers = self._numbers
        known = [numbers.setdefault(word, len(numbers)) for word in tokens.encoded_vocabulary()]
        return tokens.with_classes(np.array(known, np.int32)), tokens.offsets

    def words(self) -> list[str]:
        """All tokens, in the order of their numbers."""
        return [word.decode("utf-8", "surrogatepass") for word in self._numbers]


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Sentences as numbers of tokens, on disk."""

    vocabulary: CorpusVocabulary
    n_sentences: int
    n_tokens: int
    _file: IO[bytes]
    _block: int

    def blocks(self) -> Iterator[Ids]:
        """The ids of whole sentences, `END` before the first and after each; as often as asked."""
        self._file.seek(0)
        rest = np.array([END], np.int32)
        while data := self._file.read(self._block * rest.itemsize):
            ids = np.concatenate([rest, np.frombuffer(data, np.int32)])
            last = int(np.flatnonzero(ids == END)[-1])
            if last > 0:
                yield ids[: last + 1]
            rest = ids[last:]


@contextmanager
def spooled(
    paths: Iterable[str | Path],
    vocabulary: CorpusVocabulary | None = None,
    *,
    encoding: str | None = None,
    block: int = BLOCK,
    progress: Progress | None = None,
) -> Iterator[Corpus]:
    """Read files once and keep them as numbers for as long as they are needed.

    Args:
        paths: Plain text, also gzip; `-` for standard input.
        vocabulary: Tokens that have numbers already, e.g. those of terms.
        encoding: Of all files; what their byte-order marks say, else UTF-8, where it is None.
        block: How much is worked on at once; it changes no result.
        progress: Is told how many more lines were read.

    Raises:
        DataError: a file cannot be read, or a line of it is not in its encoding.
        OutputError: the numbers do not fit on the disk.
    """
    vocabulary = CorpusVocabulary() if vocabulary is None else vocabulary
    n_sentences = n_tokens = 0
    with tempfile.TemporaryFile() as file:
        for some in text_blocks(paths, encoding=encoding, block=block, progress=progress):
            ids = _with_ends(*vocabulary.ids(some))
            _write(file, ids)
            n_sentences += len(some)
            n_tokens += len(ids) - len(some)
        yield Corpus(vocabulary, n_sentences, n_tokens, file, block)


def _with_ends(ids: Ids, offsets: NDArray[np.int64]) -> Ids:
    """The ids of sentences with `END` after each."""
    n_sentences = offsets.size - 1
    ended = np.full(ids.size + n_sentences, END, np.int32)
    sentence_of = np.repeat(np.arange(n_sentences), np.diff(offsets))
    ended[np.arange(ids.size) + sentence_of] = ids
    return ended


def _write(file: IO[bytes], ids: Ids) -> None:
    try:
        file.write(ids.tobytes())
        file.flush()
    except OSError as error:
        raise OutputError(
            "cannot-keep-corpus",
            f"cannot keep the corpus in {tempfile.gettempdir()!r}: {error.strerror or error}",
            hint="it takes 4 bytes a token; TMPDIR names another directory",
        ) from None


# What counts as a context, and as a paraphrase, in each method.


class AcquisitionMethod(StrEnum):
    """How paraphrases are learned."""

    NGRAMS = "ngrams"
    """By the words around them: Paşca & Dienes (2005)."""
    NOUN_PHRASES = "noun-phrases"
    """By the noun phrases around them: Bhagat & Ravichandran (2008)."""

    @property
    def short(self) -> str:
        """The name of its lists: `pd` or `br`, as Shima & Mitamura (2011) call them."""
        return "pd" if self is AcquisitionMethod.NGRAMS else "br"


class Overlap(StrEnum):
    """How the contexts of a term and of a candidate are compared."""

    SHARED = "shared"
    """The number of contexts that both have, as Paşca & Dienes (2005) have it."""
    JACCARD = "jaccard"
    """The shared ones over those that either has."""
    COSINE = "cosine"
    """The shared ones over the geometric mean of the two numbers."""


@dataclass(frozen=True, slots=True)
class NgramSettings:
    """Of the n-gram method."""

    left: int = 2
    """Words before; a context has all of them within its sentence, punctuation counts as words."""
    right: int = 2
    """Words behind."""
    longest: int = 4
    """Words of a paraphrase, at most."""
    overlap: Overlap = Overlap.SHARED

    def __post_init__(self) -> None:
        for name in ("left", "right", "longest"):
            _check_length(name, getattr(self, name))


@dataclass(frozen=True, slots=True)
class NounPhraseSettings:
    """Of the noun-phrase method."""

    longest: int = 4
    """Words of a paraphrase, at most."""
    whole: bool = False
    """Whether a noun phrase counts as a whole; else its head stands for it."""

    def __post_init__(self) -> None:
        _check_length("longest", self.longest)


def _check_length(name: str, n_words: int) -> None:
    if n_words < 1:
        raise SettingError(
            "not-in-range", f"{name} is {n_words!r}", hint="it is a number of words, 1 or more"
        )


# From scores to short ranked lists, the same for all methods.

Numbers = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A paraphrase that was learned for a term."""

    paraphrase: str
    confidence: float
    """The score by which it is ranked; larger is surer."""
    n_contexts: int
    """How many distinct contexts it shares with the term."""
    n_occurrences: int
    """How often it was seen at all."""

    @property
    def order(self) -> tuple[float, int, int, str]:
        """Smaller is better: score, shared contexts, then the rarer one, then the words.

        Of two paraphrases that share as many contexts with a term, the rarer one stands less often
        where the term does not.
        """
        return -self.confidence, -self.n_contexts, self.n_occurrences, self.paraphrase


@dataclass(frozen=True, slots=True, eq=False)
class ScoredCandidates:
    """Candidates of one term in arrays."""

    numbers: Counts
    scores: Numbers
    n_contexts: Counts
    n_occurrences: Counts

    def best(self, most: int, words: Callable[[int], str]) -> list[Candidate]:
        """The best, in their order.

        Args:
            most: How many at most.
            words: The words of the candidate of a number; asked for those near the top only.
        """
        order = np.lexsort((self.n_occurrences, -self.n_contexts, -self.scores))
        if order.size > most:
            last = order[most - 1]
            tied = (
                (self.scores[order] == self.scores[last])
                & (self.n_contexts[order] == self.n_contexts[last])
                & (self.n_occurrences[order] == self.n_occurrences[last])
            )
            order = order[: max(most, int(np.flatnonzero(tied)[-1]) + 1)]
        found = (
            Candidate(
                words(int(self.numbers[i])),
                float(self.scores[i]),
                int(self.n_contexts[i]),
                int(self.n_occurrences[i]),
            )
            for i in order
        )
        return best(found, most)


def best(found: Iterable[Candidate], most: int) -> list[Candidate]:
    """The best of paraphrases, in their order."""
    return sorted(found, key=lambda each: each.order)[:most]


@dataclass(frozen=True, slots=True)
class AcquiredCandidates:
    """What a method found for terms, in their order."""

    lists: list[list[Candidate]]
    n_term_occurrences: list[int]
    n_sentences: int
    n_tokens: int


# Paraphrases of given terms, learned from plain text: the way in.

MOST = 10
"""Paraphrases of a term, as many as the published lists have."""
LEAST = {AcquisitionMethod.NGRAMS: 2, AcquisitionMethod.NOUN_PHRASES: 4}
"""Contexts that a paraphrase shares with its term: one may be chance. Where phrases stand between
the same two noun phrases once, they share two of these at once."""


@dataclass(frozen=True, slots=True, eq=False)
class AcquiredLists:
    """Ranked lists and what they were learned from."""

    lists: RankedLists
    """One for each term, empty where nothing was found; with the columns `confidence`, `n_contexts`
    (how many the paraphrase shares with its term) and `n_occurrences` (of the paraphrase)."""
    findings: tuple[Finding, ...]
    """Terms that the corpus lacks, or gives no paraphrase of."""
    n_sentences: int
    n_tokens: int
    n_term_occurrences: tuple[int, ...]
    """Of each term."""


def learn(
    paths: Sequence[str | Path],
    terms: Iterable[str],
    *,
    method: AcquisitionMethod | str = AcquisitionMethod.NGRAMS,
    ngrams: NgramSettings | None = None,
    noun_phrases: NounPhraseSettings | None = None,
    most: int = MOST,
    least: int | None = None,
    encoding: str | None = None,
    analyzer: TextAnalyzer | None = None,
    progress: Progress | None = None,
    block: int = BLOCK,
) -> AcquiredLists:
    """Learn paraphrases of terms from plain text.

    Args:
        paths: Plain text, also gzip; `-` for standard input. Contexts do not go across line ends.
        terms: Words or phrases; case does not matter. Equal ones count once.
        method: `ngrams` or `noun-phrases`.
        ngrams: Settings of the one.
        noun_phrases: Settings of the other.
        most: Paraphrases of a term, at most.
        least: Distinct contexts that a paraphrase has to share with its term; for noun phrases, on
            either side, and as many times it has to occur. `LEAST` of the method where it is None.
        encoding: Of all files; what their byte-order marks say, else UTF-8, where it is None.
        analyzer: Finds the noun phrases; the installed one, without a cache, where it is None.
        progress: Is told how many more lines were read.
        block: Characters or tokens that are worked on at once; it changes no result.

    Raises:
        DataError: a file cannot be read, or a line of it is not in its encoding.
        SettingError: there is no term, one without a word, or a number makes no sense.
        OutputError: what is kept of the corpus does not fit on the disk.
    """
    chosen = _known_method(method)
    distinct = _distinct(terms)
    least = LEAST[chosen] if least is None else least
    _check_limits(most, least)
    if chosen is AcquisitionMethod.NGRAMS:
        from ensue.paraphrase.acquisition.ngrams import learn_by_ngrams

        with spooled(paths, encoding=encoding, block=block, progress=progress) as corpus:
            outcome = learn_by_ngrams(
                corpus, distinct, ngrams or NgramSettings(), most=most, least=least
            )
    else:
        from ensue.paraphrase.acquisition.noun_phrases import learn_by_noun_phrases

        outcome = learn_by_noun_phrases(
            text_blocks(paths, encoding=encoding, block=block, progress=progress),
            distinct,
            noun_phrases or NounPhraseSettings(),
            most=most,
            least=least,
            analyzer=analyzer,
        )
    return _learned(distinct, chosen, outcome, ", ".join(map(shown_name, paths)))


def _known_method(method: str) -> AcquisitionMethod:
    try:
        return AcquisitionMethod(method)
    except ValueError:
        raise UnknownNameError.of(
            "method", method, [each.value for each in AcquisitionMethod]
        ) from None


def _distinct(terms: Iterable[str]) -> list[str]:
    """The terms as they are given, those that differ in case or blanks alone once."""
    spelled: dict[str, str] = {}
    for term in terms:
        spelled.setdefault(normalized(term), term)
    distinct = list(spelled.values())
    if not distinct:
        raise SettingError(
            "no-term-learn-paraphrases",
            "there is no term to learn paraphrases of",
            hint="e.g. killed",
        )
    for term in distinct:
        if not words_of(term):
            raise SettingError("term-no-word", f"the term {term!r} has no word")
    return distinct


def _check_limits(most: int, least: int) -> None:
    for name, n in (("most", most), ("least", least)):
        if n < 1:
            raise SettingError("not-in-range", f"{name} is {n!r}", hint="it is 1 or more")


def _learned(
    terms: Sequence[str], method: AcquisitionMethod, outcome: AcquiredCandidates, name: str
) -> AcquiredLists:
    keys = [ListKey(term, method.short) for term in terms]
    found = [each for some in outcome.lists for each in some]
    lists = RankedLists.of(
        {
            key: [each.paraphrase for each in some]
            for key, some in zip(keys, outcome.lists, strict=True)
        },
        name=name,
        columns={
            "confidence": np.array([each.confidence for each in found], np.float64),
            "n_contexts": np.array([each.n_contexts for each in found], np.float64),
            "n_occurrences": np.array([each.n_occurrences for each in found], np.float64),
        },
    )
    counts = tuple(outcome.n_term_occurrences)
    findings = tuple(_findings(terms, counts, outcome.lists))
    return AcquiredLists(lists, findings, outcome.n_sentences, outcome.n_tokens, counts)


def _findings(
    terms: Sequence[str], counts: Sequence[int], lists: Sequence[Sequence[Candidate]]
) -> Iterator[Finding]:
    for term, n_occurrences, found in zip(terms, counts, lists, strict=True):
        details = {"term": term, "n_occurrences": n_occurrences}
        if not n_occurrences:
            message = f"the corpus has no {term!r}"
            yield Finding("term-not-there", Severity.WARNING, message, details=details)
        elif not found:
            message = f"{term!r} occurs {n_occurrences} times, but no paraphrase of it was found"
            yield Finding("no-paraphrase", Severity.WARNING, message, details=details)
