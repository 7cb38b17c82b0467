"""EP, EPR and DIMPLE of ranked lists, and the diversity D of patterns.

Shima & Mitamura (2011, section 2) propose it for those who look for paraphrases that are out of
vocabulary or of a special domain, and leave the details open. Here D is 1 as in line 6 of
Algorithm 1, whose histories it keeps; else 3 where a content word is in no dictionary, else 2.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue import registry
from ensue.errors import DataError, SettingError, UnknownNameError
from ensue.files import OnFinding, decoded_lines, ignore_finding, open_input, shown_name
from ensue.pairs import Finding
from ensue.paraphrase.lists import (
    LARGEST_DIVERSITY,
    DiversityFunction,
    DiversityKind,
    Numbers,
    QualityFunction,
    RankedLists,
    Strictness,
    column_in_range,
    require_range,
)
from ensue.paraphrase.scores.preparation import (
    MEASURES,
    PatternMeasure,
    ScoreSettings,
    Short,
    check_ranks,
    prepared_lists,
    require_quality,
)
from ensue.paraphrase.words import NO_CONTENT, Flags, PatternWords, content_words, words_of
from ensue.statistics import Estimate, ratio
from ensue.surface import stems

# D by Algorithm 1 of Shima & Mitamura (2011): does a pattern bring words that are new in its
# list?

NAME = "algorithm-1"


@dataclass(frozen=True, slots=True)
class DiversityStep:
    """What the algorithm does with one paraphrase."""

    paraphrase: str
    words: tuple[str, ...]
    """W1: its content words, each once."""
    stems: tuple[str, ...]
    """W2: their stems, each once."""
    seen_words: tuple[str, ...]
    """Those of W1 that are in history1."""
    seen_stems: tuple[str, ...]
    """Those of W2 that are in history2."""
    diversity: int
    """D: 1 (no content word, or one already seen), 2 (root already seen) or 3 (all new)."""


def diversity_steps(
    term: str, paraphrases: Sequence[str], *, no_content: Collection[str] = NO_CONTENT
) -> list[DiversityStep]:
    """Go through one list as the pseudo-code does; the numbers are those of its lines.

    >>> [step.diversity for step in diversity_steps("killed", ["shot", "killing", "shot at"])]
    [3, 2, 1]
    """
    history1 = set(content_words(term, no_content))  # 1
    history2 = set(stems(sorted(history1)))  # 2
    steps = []
    for paraphrase in paraphrases:  # 3
        w1 = dict.fromkeys(content_words(paraphrase, no_content))  # 4
        w2 = dict.fromkeys(stems(list(w1)))  # 5
        seen_words = tuple(word for word in w1 if word in history1)
        seen_stems = tuple(stem for stem in w2 if stem in history2)
        if not w1 or seen_words:  # 6
            diversity = 1  # 7
        else:  # 8
            diversity = 2 if seen_stems else 3  # 9 to 13
            history1 |= w1.keys()  # 14
            history2 |= w2.keys()  # 15
        steps.append(
            DiversityStep(paraphrase, tuple(w1), tuple(w2), seen_words, seen_stems, diversity)
        )
    return steps


def lexical_diversity(lists: RankedLists, words: PatternWords) -> Numbers:
    """D of every pattern of all lists, as `diversity_steps` gives it."""
    from ensue.paraphrase.kernels import seen_before

    return seen_before(
        lists.offsets,
        words.term_ids,
        words.term_offsets,
        words.ids,
        words.offsets,
        words.stem_of,
        words.n_stems,
    )


def _make_algorithm_1(argument: str) -> DiversityFunction:
    if argument:
        raise SettingError(
            "diversity-takes-no-argument",
            f"diversity {NAME!r} takes no argument, not {argument!r}",
            hint=f"write {NAME}",
        )
    return lexical_diversity


ALGORITHM_1 = DiversityKind(
    NAME,
    "1 where a content word was seen in the list, 2 where a stem was, else 3",
    _make_algorithm_1,
)


# D by a dictionary: patterns with words that are in none count most.

_SEEN, _KNOWN, _UNKNOWN = 1.0, 2.0, 3.0


def dictionary_diversity(
    lists: RankedLists, words: PatternWords, *, dictionary: frozenset[str] | None = None
) -> Numbers:
    """D of every pattern.

    Args:
        lists: Whose patterns.
        words: Their words.
        dictionary: Words in lower case, every form by itself; None for WordNet, which knows the
            forms of its words.
    """
    vocabulary = words.vocabulary()
    is_content = words.stem_of >= 0
    asked = [vocabulary[i] for i in np.flatnonzero(is_content).tolist()]
    unknown = np.zeros(words.n_words, np.bool_)
    unknown[is_content] = ~(_in_wordnet(asked) if dictionary is None else _in(dictionary, asked))
    by_dictionary = np.where(words.counted(unknown) > 0, _UNKNOWN, _KNOWN)
    return np.where(lexical_diversity(lists, words) == _SEEN, _SEEN, by_dictionary)


def read_dictionary(path: str) -> frozenset[str]:
    """The words of a file with a word a line; of a line with several, each is one.

    Raises:
        DataError: there is no such file, it is no UTF-8, or it has no word in it.
    """
    with open_input(path) as file:
        lines = decoded_lines(file, shown_name(path))
        found = frozenset(word for _, line in lines for word in words_of(line))
    if not found:
        raise DataError(
            "dictionary-no-word",
            "the dictionary has no word in it",
            place=shown_name(path),
            hint="give it a word a line",
        )
    return found


def _in(dictionary: frozenset[str], words: Sequence[str]) -> Flags:
    return np.array([word in dictionary for word in words], np.bool_)


def _in_wordnet(words: Sequence[str]) -> Flags:
    from ensue.language.lexicon import PARTS, load_lexicon

    vocabulary = load_lexicon().vocabulary
    found = np.zeros(len(words), np.bool_)
    for part in PARTS:
        found |= np.array([bool(entries) for entries in vocabulary.entries(words, part)], np.bool_)
    return found


def _make_dictionary(argument: str) -> DiversityFunction:
    if not argument:
        return dictionary_diversity
    return partial(dictionary_diversity, dictionary=read_dictionary(argument))


DICTIONARY = DiversityKind(
    "dictionary",
    "3 where a new content word is in no dictionary: WordNet, or dictionary:FILE",
    _make_dictionary,
)


# D from a column of numbers that stands in the file of lists.


def _make_column(argument: str) -> DiversityFunction:
    if not argument:
        raise SettingError(
            "diversity-column-needs-name",
            "diversity 'column' needs a name",
            hint="e.g. column:novelty",
        )
    return lambda lists, _: column_in_range(lists, argument, LARGEST_DIVERSITY, "diversity")


COLUMN = DiversityKind(
    "column", "a column of the file with numbers in [0, 3]: column:NAME", _make_column
)


# EP, EPR and DIMPLE of ranked lists (Shima & Mitamura 2011, sections 2 and 3.2).

QUALITY = "judges:strict"
"""Q unless another is asked for."""
DIVERSITY = "algorithm-1"
"""D unless another is asked for."""

NO_PATTERN = "the list has no pattern"
NO_QUALITY = "a pattern among the first k has no Q or no D"
NO_LIST = "no list defines it"


@dataclass(frozen=True, slots=True, eq=False)
class ScoredLists:
    """Lists with their scores, and what these come from."""

    lists: RankedLists
    """As they were scored: without what the settings leave out."""
    settings: ScoreSettings
    quality: Numbers
    """Q of each pattern."""
    diversity: Numbers
    """D of each pattern."""
    credited: NDArray[np.bool_]
    """Whether it gets credit in EPR."""
    gains: Numbers
    """2^(Q·D) − 1."""
    values: Numbers
    """Lists × measures × ks; NaN where undefined. To show a number, ask `estimate`."""
    largest: float = LARGEST_DIVERSITY
    """The largest D there can be."""
    findings: tuple[Finding, ...] = ()
    recipe: tuple[tuple[str, str], ...] = ()
    """What stands in the signature: names of Q and D, and the policies."""

    @property
    def signature(self) -> str:
        """The recipe in one line, e.g. `quality:judges:strict|diversity:algorithm-1|…`."""
        return "|".join(f"{name}:{value}" for name, value in self.recipe)

    @property
    def largest_gain(self) -> float:
        """Of a perfect pattern: 2^largest − 1."""
        return float(2**self.largest - 1)

    def value(self, i: int, measure: PatternMeasure, k: int) -> float | None:
        """A list's score; None where it is undefined.

        Raises:
            UnknownNameError: the measures were not taken at k.
        """
        found = float(self.values[i, MEASURES.index(measure), self.place_of(k)])
        return None if np.isnan(found) else found

    def estimate(self, i: int, measure: PatternMeasure, k: int) -> Estimate:
        """A list's score, or why there is none."""
        found = self.value(i, measure, k)
        return Estimate(found, reason=self._reason(i) if found is None else None)

    def mean(self, measure: PatternMeasure, k: int, method: str | None = None) -> Estimate:
        """The mean over the lists of a method, or over all; undefined ones are left out."""
        (mean,) = self.means([method])[:, MEASURES.index(measure), self.place_of(k)].tolist()
        return Estimate(None, reason=NO_LIST) if np.isnan(mean) else Estimate(mean)

    def means(self, methods: Sequence[str | None]) -> Numbers:
        """Methods × measures × ks: means over the lists that define them; None is for all lists."""
        return np.stack([defined_mean(self.values[self.of_method(method)]) for method in methods])

    def of_method(self, method: str | None) -> NDArray[np.bool_]:
        """Which lists are of a method; all where it is None.

        Raises:
            UnknownNameError: no list is.
        """
        if method is None:
            return np.ones(len(self.lists), np.bool_)
        found = np.array([key.method == method for key in self.lists.keys], np.bool_)
        if not found.any():
            raise UnknownNameError.of("method", method, self.lists.methods)
        return found

    def place_of(self, k: int) -> int:
        """Where k stands among the ks.

        Raises:
            UnknownNameError: the measures were not taken at k.
        """
        if k not in self.settings.ks:
            raise UnknownNameError(
                "measures-not-taken",
                f"the measures were not taken at k = {k!r}",
                hint=f"they were at: {', '.join(map(str, self.settings.ks))}",
            )
        return self.settings.ks.index(k)

    def _reason(self, i: int) -> str:
        is_empty = self.lists.offsets[i] == self.lists.offsets[i + 1]
        return NO_PATTERN if is_empty else NO_QUALITY


def score(
    lists: RankedLists,
    settings: ScoreSettings | None = None,
    quality: str = QUALITY,
    diversity: str = DIVERSITY,
) -> ScoredLists:
    """Score lists with a Q and a D that are found by name.

    Args:
        lists: As they were read.
        settings: The paper's where None.
        quality: `NAME` or `NAME:ARGUMENT` of the registry's kind `quality`.
        diversity: The same of the kind `diversity`.

    Raises:
        UnknownNameError: no Q or D has that name.
        DataError: a pattern is against a policy, or a number is out of range.
    """
    settings = replace(settings or ScoreSettings(), strictness=judged_strictness(quality))
    diversity_kind, diversity_argument = _found("diversity", diversity)
    diversity_function = diversity_kind.make(diversity_argument)
    findings: list[Finding] = []
    function = found_quality(quality, findings.append)
    ready = prepared_lists(lists, function, settings, named=quality)
    scored = score_lists(
        ready.lists,
        ready.quality,
        diversity_function(ready.lists, ready.words),
        ready.words,
        settings,
        largest=diversity_kind.largest,
    )
    named = {"quality": quality, "diversity": diversity}
    return replace(
        scored,
        findings=(*findings, *ready.findings),
        recipe=(*named.items(), *scored.recipe),
    )


def found_quality(quality: str, on_finding: OnFinding = ignore_finding) -> QualityFunction:
    """The Q of that name.

    Args:
        quality: `NAME` or `NAME:ARGUMENT`.
        on_finding: Is told what the function finds when it is called, e.g. why patterns get no Q.

    Raises:
        UnknownNameError: no Q has that name.
    """
    kind, argument = _found("quality", quality)
    made: QualityFunction = kind.make(argument, on_finding)
    return made


def _found(kind: str, name: str) -> tuple[Any, str]:
    """The component, and what stands behind the colon."""
    name, _, argument = name.partition(":")
    return registry.find(kind, name), argument


def judged_strictness(quality: str) -> Strictness | None:
    """The strictness that a quality's name asks of judges; None where it is not by judges.

    >>> judged_strictness("judges"), judged_strictness("column:confidence")
    (<Strictness.STRICT: 'strict'>, None)
    """
    name, _, argument = quality.partition(":")
    known = {"": Strictness.STRICT, **{each.value: each for each in Strictness}}
    return known.get(argument) if name == "judges" else None


def score_lists(
    lists: RankedLists,
    quality: Numbers,
    diversity: Numbers | None,
    words: PatternWords,
    settings: ScoreSettings,
    *,
    largest: float = LARGEST_DIVERSITY,
) -> ScoredLists:
    """Score lists whose repeated and unjudged patterns are settled (`prepared_lists`).

    EP_k = 1/k Σ Q_i; EPR_k = 1/k Σ Q_i over the credited patterns; DIMPLE_k = Σ (2^(Q_i·D_i) − 1)
    over k·(2^largest − 1).

    Args:
        lists: As prepared.
        quality: Q of each pattern.
        diversity: D of each pattern; None for Algorithm 1.
        words: Of these lists.
        settings: The ranks, and what is done about short lists.
        largest: What D can be at most.

    Raises:
        DataError: a Q or D is out of range, or missing where the rank matters.
    """
    if diversity is None:
        from ensue.paraphrase.scores.measures import lexical_diversity

        diversity = lexical_diversity(lists, words)
    require_range(quality, 1.0, "Q", lists)
    require_range(diversity, largest, "D", lists)
    require_quality(lists, quality, settings.deepest)
    _require_diversity(lists, diversity, settings.deepest)
    credits, gains = credited_patterns(lists, words), gains_of(quality, diversity)
    values = _at_ranks(lists, quality, credits, gains, largest, settings.ks, settings.short)
    recipe = tuple(settings.recipe().items())
    return ScoredLists(
        lists, settings, quality, diversity, credits, gains, values, largest, recipe=recipe
    )


def gains_of(quality: Numbers, diversity: Numbers) -> Numbers:
    """2^(Q·D) − 1 of each pattern."""
    return np.asarray(np.exp2(quality * diversity) - 1, np.float64)


def credited_patterns(lists: RankedLists, words: PatternWords) -> NDArray[np.bool_]:
    """Which patterns get credit in EPR: those with content words whose stems are all new."""
    from ensue.paraphrase.kernels import credited

    return credited(
        lists.offsets,
        words.term_ids,
        words.term_offsets,
        words.ids,
        words.offsets,
        words.stem_of,
        words.n_stems,
    )


def values_at(scored: ScoredLists, ks: Sequence[int], quality: Numbers | None = None) -> Numbers:
    """Lists × measures × ks, at any ranks, with another Q if so wanted.

    Raises:
        SettingError: a k is below 1.
    """
    check_ranks(ks)
    gains = scored.gains
    if quality is None:
        quality = scored.quality
    else:
        gains = gains_of(quality, scored.diversity)
    short = scored.settings.short
    return _at_ranks(scored.lists, quality, scored.credited, gains, scored.largest, ks, short)


def _at_ranks(
    lists: RankedLists,
    quality: Numbers,
    credits: NDArray[np.bool_],
    gains: Numbers,
    largest: float,
    ks: Sequence[int],
    short: Short,
) -> Numbers:
    from ensue.paraphrase.kernels import cumulated

    ascending, place = np.unique(np.array(ks, np.int64), return_inverse=True)
    by_available = short is Short.AVAILABLE
    largest_gain = float(2**largest - 1)
    found = cumulated(lists.offsets, quality, credits, gains, largest_gain, ascending, by_available)
    is_sorted = ascending.size == len(ks) and bool((np.diff(place) > 0).all())
    return found if is_sorted else np.asarray(found[:, :, place], np.float64)


def _require_diversity(lists: RankedLists, diversity: Numbers, deepest: int) -> None:
    if not np.isnan(diversity).any():
        return
    missing = np.flatnonzero(np.isnan(diversity) & (lists.ranks <= deepest))
    if missing.size:
        first = int(missing[0])
        raise DataError(
            "no-diversity",
            f"{lists.paraphrases[first]!r} has no diversity",
            place=lists.place(first),
            hint=f"{missing.size} of the first {deepest} patterns of lists have none: fill them in",
        )


def defined_mean(values: Numbers) -> Numbers:
    """Over the first axis, of what is defined; NaN where nothing is."""
    defined = ~np.isnan(values)
    sums, n = np.where(defined, values, 0.0).sum(axis=0), defined.sum(axis=0)
    return ratio(sums, n)


# Why a list has its scores: each pattern with Q, D, credit and gain, and what was seen before.


@dataclass(frozen=True, slots=True)
class PatternScore:
    """One pattern of a list."""

    rank: int
    paraphrase: str
    quality: float | None
    """Q; None where it has none."""
    diversity: float | None
    """D; None where it has none."""
    credited: bool
    """Whether its Q counts in EPR."""
    gain: float | None
    """2^(Q·D) − 1."""
    share: float | None
    """The gain as a share of that of a perfect pattern: what DIMPLE is the mean of."""
    content_words: tuple[str, ...]
    seen_words: tuple[str, ...]
    """Content words that Algorithm 1 had met before in the list or the term."""
    seen_stems: tuple[str, ...]
    """The same of stems."""


def explained_list(scored: ScoredLists, i: int) -> list[PatternScore]:
    """The patterns of a list, in their order."""
    lists = scored.lists
    start, end = lists.offsets[i : i + 2].tolist()
    own = scored.settings.no_content
    no_content = NO_CONTENT if own is None else {word.lower() for word in own}
    steps = diversity_steps(lists.keys[i].term, lists.paraphrases[start:end], no_content=no_content)
    return [
        PatternScore(
            rank=rank,
            paraphrase=step.paraphrase,
            quality=_defined(scored.quality[start + rank - 1]),
            diversity=_defined(scored.diversity[start + rank - 1]),
            credited=bool(scored.credited[start + rank - 1]),
            gain=_defined(scored.gains[start + rank - 1]),
            share=_defined(scored.gains[start + rank - 1] / scored.largest_gain),
            content_words=step.words,
            seen_words=step.seen_words,
            seen_stems=step.seen_stems,
        )
        for rank, step in enumerate(steps, 1)
    ]


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
