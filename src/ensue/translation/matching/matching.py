"""Match outputs with references: exact words, stems and synonyms, each word once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.language.lexicon import Lexicon
from ensue.translation.matching.kernels.pairs import Aligned, align_pairs, count_matches
from ensue.translation.matching.kernels.search import WIDTH
from ensue.translation.matching.kernels.stages import NO_STAGE
from ensue.translation.matching.statistics import MatchScorer, MatchStatistics, Stage
from ensue.translation.matching.words import MatchableWords, matchable_words

_STAGES = tuple(Stage)


@dataclass(frozen=True, slots=True)
class WordMatch:
    """A word of the output and the word of the reference that it is matched with."""

    output: int
    """The place of the word in the output, from 0."""
    reference: int
    stage: Stage


@dataclass(frozen=True, slots=True)
class WordAlignment:
    """How the words of one output and one reference are matched, to be looked at."""

    output: tuple[str, ...]
    """The words, in lower case."""
    reference: tuple[str, ...]
    matches: tuple[WordMatch, ...]
    n_chunks: int
    is_best: bool
    """Whether no better alignment can have been missed."""


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Outputs beside references, of which some have several."""

    output: NDArray[np.int64]
    """For each pair, the place of its output among the strings."""
    reference: NDArray[np.int64]
    starts: NDArray[np.int64]
    """Where each output's pairs begin."""
    strings: tuple[str, ...]
    """Each once."""


def match_statistics(
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    scorer: MatchScorer | None = None,
    lexicon: Lexicon | None = None,
    width: int = WIDTH,
) -> MatchStatistics:
    """Match each output with the one of its references for which it scores best.

    Args:
        outputs: What systems wrote.
        references: For each output, one reference or more.
        scorer: Says which reference is best; of equals it is the first.
        lexicon: Where synonyms are from; the shipped one where it is not given.
        width: How many partial alignments are carried along.

    Raises:
        SettingError: there are more outputs than references, or fewer; one has no reference; the
            width is below 1.
    """
    if width < 1:
        raise SettingError(f"a beam of {width!r} holds nothing", hint="at least 1")
    pairs = _paired(outputs, references)
    words = matchable_words(pairs.strings, lexicon)
    found = _statistics(words, pairs.output, pairs.reference, width)
    if len(found) == len(outputs):
        return found
    return found.chosen(_best((scorer or MatchScorer()).score(found), pairs.starts))


def word_alignment(output: str, reference: str, *, lexicon: Lexicon | None = None) -> WordAlignment:
    """Align the words of one output and one reference.

    >>> found = word_alignment("He purchased two cars", "He bought a car")
    >>> [(found.output[each.output], each.stage.value) for each in found.matches]
    [('he', 'exact'), ('purchased', 'synonym'), ('cars', 'stem')]
    """
    words = matchable_words([output, reference], lexicon)
    aligned = _aligned(words, np.array([0]), np.array([1]), WIDTH)
    vocabulary, (n, _) = words.tokens.vocabulary(), words.tokens.lengths
    shown = [vocabulary[number] for number in words.tokens.ids]
    return WordAlignment(
        tuple(shown[:n]),
        tuple(shown[n:]),
        tuple(
            WordMatch(i, j, _STAGES[stage])
            for i, (j, stage) in enumerate(
                zip(aligned.links.tolist(), aligned.stages.tolist(), strict=True)
            )
            if j >= 0
        ),
        int(aligned.chunks[0]),
        bool(aligned.is_best[0]),
    )


def _paired(outputs: Sequence[str], references: Sequence[Sequence[str]]) -> _Pairs:
    if len(outputs) != len(references):
        raise SettingError(
            f"{len(outputs)} outputs cannot be matched with the references of {len(references)}",
            hint="give the references of each output",
        )
    number: dict[str, int] = {}
    of_output: list[int] = []
    of_reference: list[int] = []
    starts: list[int] = []
    for i, (output, several) in enumerate(zip(outputs, references, strict=True)):
        if isinstance(several, str) or not several:
            raise SettingError(
                f"output {i} has no list of references but {several!r}",
                hint="give one reference or more for each output, in a list",
            )
        starts.append(len(of_output))
        for reference in several:
            of_output.append(number.setdefault(output, len(number)))
            of_reference.append(number.setdefault(reference, len(number)))
    return _Pairs(
        np.array(of_output, np.int64),
        np.array(of_reference, np.int64),
        np.array(starts, np.int64),
        tuple(number),
    )


def _aligned(
    words: MatchableWords, output: NDArray[np.int64], reference: NDArray[np.int64], width: int
) -> Aligned:
    spans = words.spans()
    return align_pairs(words.known, words.tokens.ids, spans[output], spans[reference], width)


def _statistics(
    words: MatchableWords, output: NDArray[np.int64], reference: NDArray[np.int64], width: int
) -> MatchStatistics:
    aligned = _aligned(words, output, reference, width)
    spans = words.spans()
    of_output, of_reference = count_matches(
        aligned, words.tokens.ids, spans[output], spans[reference], words.is_function
    )
    matches = of_output[:, :NO_STAGE].sum(axis=(1, 2))
    sizes = words.tokens.lengths
    is_whole = (matches == sizes[output]) & (matches == sizes[reference]) & (aligned.chunks == 1)
    return MatchStatistics(
        output_words=of_output[:, NO_STAGE],
        reference_words=of_reference[:, NO_STAGE],
        output_matches=of_output[:, :NO_STAGE],
        reference_matches=of_reference[:, :NO_STAGE],
        covered=aligned.covered,
        chunks=np.where(is_whole, 0, aligned.chunks),
    )


def _best(scores: NDArray[np.float64], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each output, the first of its pairs with the greatest score."""
    ends = np.append(starts[1:], len(scores))
    owner = np.repeat(np.arange(len(starts)), ends - starts)
    best = np.flatnonzero(scores == np.maximum.reduceat(scores, starts)[owner])
    _, first = np.unique(owner[best], return_index=True)
    return best[first].astype(np.int64)
