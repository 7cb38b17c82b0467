"""Paraphrases of given terms, learned from plain text: the way in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ensue.errors import SettingError, UnknownNameError
from ensue.pairs.files import shown_name
from ensue.pairs.model import Finding, Severity
from ensue.paraphrase.learning.corpus import BLOCK, Progress, spooled, text_blocks
from ensue.paraphrase.learning.ranking import Found, Outcome
from ensue.paraphrase.learning.settings import Method, NgramSettings, NounPhraseSettings
from ensue.paraphrase.model import ListKey, RankedLists
from ensue.paraphrase.words import normalized, words_of

if TYPE_CHECKING:
    from ensue.language.analysis import Analyzing

MOST = 10
"""Paraphrases of a term, as many as the published lists have."""
LEAST = {Method.NGRAMS: 2, Method.NOUN_PHRASES: 4}
"""Contexts that a paraphrase shares with its term: one may be chance. Where phrases stand between
the same two noun phrases once, they share two of these at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
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
    method: Method | str = Method.NGRAMS,
    ngrams: NgramSettings | None = None,
    noun_phrases: NounPhraseSettings | None = None,
    most: int = MOST,
    least: int | None = None,
    encoding: str | None = None,
    analyzer: Analyzing | None = None,
    progress: Progress | None = None,
    block: int = BLOCK,
) -> Learned:
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
    _check(most, least)
    if chosen is Method.NGRAMS:
        from ensue.paraphrase.learning.ngrams import learn_by_ngrams

        with spooled(paths, encoding=encoding, block=block, progress=progress) as corpus:
            outcome = learn_by_ngrams(
                corpus, distinct, ngrams or NgramSettings(), most=most, least=least
            )
    else:
        from ensue.paraphrase.learning.noun_phrases import learn_by_noun_phrases

        outcome = learn_by_noun_phrases(
            text_blocks(paths, encoding=encoding, block=block, progress=progress),
            distinct,
            noun_phrases or NounPhraseSettings(),
            most=most,
            least=least,
            analyzer=analyzer,
        )
    return _learned(distinct, chosen, outcome, ", ".join(map(shown_name, paths)))


def _known_method(method: str) -> Method:
    try:
        return Method(method)
    except ValueError:
        raise UnknownNameError.of("method", method, [each.value for each in Method]) from None


def _distinct(terms: Iterable[str]) -> list[str]:
    """The terms as they are given, those that differ in case or blanks alone once."""
    spelled: dict[str, str] = {}
    for term in terms:
        spelled.setdefault(normalized(term), term)
    distinct = list(spelled.values())
    if not distinct:
        raise SettingError("there is no term to learn paraphrases of", hint="e.g. killed")
    for term in distinct:
        if not words_of(term):
            raise SettingError(f"the term {term!r} has no word")
    return distinct


def _check(most: int, least: int) -> None:
    for name, n in (("most", most), ("least", least)):
        if n < 1:
            raise SettingError(f"{name} is {n!r}", hint="it is 1 or more")


def _learned(terms: Sequence[str], method: Method, outcome: Outcome, name: str) -> Learned:
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
    return Learned(lists, findings, outcome.n_sentences, outcome.n_tokens, counts)


def _findings(
    terms: Sequence[str], counts: Sequence[int], lists: Sequence[Sequence[Found]]
) -> Iterator[Finding]:
    for term, n_occurrences, found in zip(terms, counts, lists, strict=True):
        details = {"term": term, "n_occurrences": n_occurrences}
        if not n_occurrences:
            message = f"the corpus has no {term!r}"
            yield Finding("term-not-there", Severity.WARNING, message, details=details)
        elif not found:
            message = f"{term!r} occurs {n_occurrences} times, but no paraphrase of it was found"
            yield Finding("no-paraphrase", Severity.WARNING, message, details=details)
