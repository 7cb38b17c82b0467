"""Precision, recall and counts of lists in tasks, and means of methods with intervals.

For a term, the pairs in question are those in which it stands on at least one side. A list
recognizes a pair by stemmed unigram matching (the stems of all content words of the term are on
both sides), or by a pattern (the term is on one side, a paraphrase on the other). Performance is
the share of positive pairs in question that are recognized. The paper looks at positive pairs only;
beside it stand the false alarms among the negative ones, and precision.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from ensue.errors import SettingError, UnknownNameError
from ensue.pairs import Finding, Severity
from ensue.paraphrase.lists import Indices, ListKey, Numbers, RankedLists, counted
from ensue.paraphrase.recognition.matches import (
    ListSearch,
    MatchUnit,
    PairExplanation,
    explanations,
    search,
)
from ensue.paraphrase.recognition.tasks import GoldPairs, Task
from ensue.paraphrase.recognition.terms import ALL, TermCounts, asked_number, chosen_terms
from ensue.paraphrase.scores.preparation import repeats
from ensue.paraphrase.words import pattern_words
from ensue.statistics import (
    RESAMPLING,
    Estimate,
    Resampling,
    check_level,
    ratio,
    share_estimate,
    summed_by,
)

# What recognition hands out: counts in arrays, shares with intervals, and reasons.


@dataclass(frozen=True, slots=True, eq=False)
class PairCounts:
    """Pairs in question of each list in each task: lists × tasks."""

    positive: Indices
    negative: Indices
    positive_by_unigrams: Indices
    """Recognized by stemmed unigram matching."""
    negative_by_unigrams: Indices
    positive_by_patterns: Indices
    """Recognized by a pattern, and not by unigrams."""
    negative_by_patterns: Indices

    @property
    def recognized(self) -> Indices:
        """Positive pairs recognized, either way."""
        return self.positive_by_unigrams + self.positive_by_patterns

    @property
    def false_alarms(self) -> Indices:
        """Negative pairs recognized, either way."""
        return self.negative_by_unigrams + self.negative_by_patterns

    def chosen(self, which: Indices) -> PairCounts:
        """The counts of some lists."""
        return PairCounts(*(getattr(self, each.name)[which] for each in fields(self)))


@dataclass(frozen=True, slots=True)
class ListPerformance:
    """What one list does in one task; intervals are Wilson's, over pairs."""

    key: ListKey
    task: str
    n_positive: int
    """Positive pairs in question."""
    n_by_unigrams: int
    """Of these, recognized by stemmed unigram matching, which is the same for all lists of a term."""
    n_by_patterns: int
    """Of these, recognized by a pattern and not by unigrams."""
    n_negative: int
    """Negative pairs in question."""
    n_false_by_unigrams: int
    n_false_by_patterns: int
    performance: Estimate
    """The share of positive pairs that are recognized: the paper's figure."""
    by_unigrams: Estimate
    """The share recognized by unigrams alone."""
    by_patterns: Estimate
    """The share that the patterns add."""
    false_alarms: Estimate
    """The share of negative pairs that are recognized."""
    precision: Estimate
    """Positive pairs recognized over all pairs recognized."""


@dataclass(frozen=True, eq=False)
class Recognition:
    """Lists × tasks: what each list does in each task."""

    search: ListSearch
    """What was found where."""
    which: Indices
    """The numbers that the lists have in the search."""
    counts: PairCounts
    k: int
    """How many paraphrases of a list count."""
    match: MatchUnit
    terms: TermCounts
    """Of all terms, chosen or not."""
    findings: tuple[Finding, ...]

    @cached_property
    def keys(self) -> tuple[ListKey, ...]:
        """Of the lists, in their order."""
        return tuple(self.search.lists.keys[i] for i in self.which.tolist())

    @property
    def tasks(self) -> tuple[str, ...]:
        """The names of the tasks."""
        return tuple(task.name for task in self.search.pairs.tasks)

    @property
    def performances(self) -> Numbers:
        """The paper's figures: lists × tasks; NaN where the term is in no positive pair."""
        return self._shares(self.counts.recognized)

    @property
    def added(self) -> Numbers:
        """What patterns add to stemmed unigram matching: lists × tasks; NaN as above."""
        return self._shares(self.counts.positive_by_patterns)

    def _shares(self, hits: Indices) -> Numbers:
        """Of the positive pairs."""
        return ratio(hits.astype(np.float64), self.counts.positive.astype(np.float64))

    def rows(self, level: float | None = RESAMPLING.level) -> Iterator[ListPerformance]:
        """Every list in every task.

        Args:
            level: Of the intervals; None for none.

        Raises:
            SettingError: the level is not between 0 and 1.
        """
        if level is not None:
            check_level(level)
        for i in range(len(self.keys)):
            for j in range(len(self.tasks)):
                yield self.row(i, j, level)

    def row(self, i: int, j: int, level: float | None = RESAMPLING.level) -> ListPerformance:
        """The i-th list in the j-th task."""
        n = {each.name: int(getattr(self.counts, each.name)[i, j]) for each in fields(PairCounts)}
        recognized = n["positive_by_unigrams"] + n["positive_by_patterns"]
        alarms = n["negative_by_unigrams"] + n["negative_by_patterns"]
        term, task = self.keys[i].term, self.tasks[j]

        def share(n_hits: int, side: str) -> Estimate:
            reason = f"the term {term!r} is in no {side} pair of the task {task!r}"
            return share_estimate(n_hits, n[side], level, reason)

        return ListPerformance(
            key=self.keys[i],
            task=task,
            n_positive=n["positive"],
            n_by_unigrams=n["positive_by_unigrams"],
            n_by_patterns=n["positive_by_patterns"],
            n_negative=n["negative"],
            n_false_by_unigrams=n["negative_by_unigrams"],
            n_false_by_patterns=n["negative_by_patterns"],
            performance=share(recognized, "positive"),
            by_unigrams=share(n["positive_by_unigrams"], "positive"),
            by_patterns=share(n["positive_by_patterns"], "positive"),
            false_alarms=share(alarms, "negative"),
            precision=share_estimate(
                recognized,
                recognized + alarms,
                level,
                f"the list recognizes no pair of the task {task!r}",
            ),
        )

    def explain(self, key: ListKey, task: str) -> tuple[PairExplanation, ...]:
        """Every pair of a task that is in question for a list, and what recognizes it.

        Raises:
            UnknownNameError: there is no such list, or no such task.
        """
        if task not in self.tasks:
            raise UnknownNameError.of("task", task, self.tasks)
        if key not in self.keys:
            known = {f"{each.term} by {each.method or 'no method'}" for each in self.keys}
            raise UnknownNameError.of("list", f"{key.term} by {key.method or 'no method'}", known)
        return explanations(
            self.search, int(self.which[self.keys.index(key)]), self.tasks.index(task)
        )


# What the lists of a method do in a task on the whole, with intervals over terms.


@dataclass(frozen=True, slots=True)
class MethodPerformance:
    """The lists of one method in one task.

    Terms are drawn, with all that belongs to them; all methods and tasks see the same draws.
    """

    method: str
    task: str
    n_lists: int
    """Of the method, whose term is in a positive pair of the task; the means are over these."""
    n_undefined: int
    """Of the method, whose term is in none."""
    performance: Estimate
    """The mean of the lists' performances: every list counts the same."""
    by_unigrams: Estimate
    """The mean share recognized by unigrams alone."""
    by_patterns: Estimate
    """The mean share that the patterns add."""
    pooled: Estimate
    """The share recognized of the positive pairs of all lists: every pair counts the same."""
    false_alarms: Estimate
    """The share recognized of the negative pairs of all lists."""
    precision: Estimate
    """Of all pairs that the lists recognize, the share of positive ones."""


_FIGURES = (
    ("performance", 0, 1),
    ("by_unigrams", 2, 1),
    ("by_patterns", 3, 1),
    ("pooled", 4, 5),
    ("false_alarms", 6, 7),
    ("precision", 4, 8),
)
"""Figures as ratios of the statistics that `_statistics` gives."""


def method_performances(
    recognition: Recognition, *, resampling: Resampling = RESAMPLING
) -> tuple[MethodPerformance, ...]:
    """Put the lists of each method together, in every task.

    Args:
        recognition: What each list does.
        resampling: Draws, level and seed of the intervals.

    Raises:
        SettingError: the level is not between 0 and 1, or the number of draws is negative.
    """
    keys = recognition.keys
    terms = list(dict.fromkeys(key.term for key in keys))
    methods = list(dict.fromkeys(key.method for key in keys))
    number = {term: i for i, term in enumerate(terms)}
    term_of = np.array([number[key.term] for key in keys], np.int64)
    results = []
    for method in methods:
        mine = np.array([key.method == method for key in keys], np.bool_)
        for j, task in enumerate(recognition.tasks):
            statistics = _statistics(recognition, j)
            sums = resampling.sums(summed_by(term_of, statistics * mine[:, None], len(terms)))
            results.append(_performance(method, task, int(mine.sum()), sums, resampling))
    return tuple(results)


def _statistics(recognition: Recognition, j: int) -> Numbers:
    """What sums over lists; the columns are what `_FIGURES` counts by.

    Performance, one where it is defined, unigrams' share, patterns' share; positive pairs
    recognized, positive pairs, false alarms, negative pairs, all pairs recognized.
    """
    counts = recognition.counts
    n = counts.positive[:, j].astype(np.float64)
    recognized, alarms = counts.recognized[:, j], counts.false_alarms[:, j]
    parts = (recognized, counts.positive_by_unigrams[:, j], counts.positive_by_patterns[:, j])
    performance, unigrams, patterns = (
        np.nan_to_num(ratio(each.astype(float), n)) for each in parts
    )
    rest = (recognized, n, alarms, counts.negative[:, j], recognized + alarms)
    columns = (performance, n > 0, unigrams, patterns, *rest)
    return np.stack(columns, axis=1).astype(np.float64)


def _performance(
    method: str, task: str, n_lists: int, sums: Numbers, resampling: Resampling
) -> MethodPerformance:
    reasons = {
        "false_alarms": f"no term of the lists is in a negative pair of the task {task!r}",
        "precision": f"the lists recognize no pair of the task {task!r}",
    }
    general = f"no term of the lists is in a positive pair of the task {task!r}"
    found = {
        name: resampling.estimate(ratio(sums[:, i], sums[:, j]), reasons.get(name, general))
        for name, i, j in _FIGURES
    }
    n_defined = int(sums[0, 1])
    return MethodPerformance(method, task, n_defined, n_lists - n_defined, **found)


@dataclass(frozen=True, slots=True, eq=False)
class RecognitionSummary:
    """What lists do in tasks, and what the lists of each method do on average."""

    recognition: Recognition
    methods: tuple[MethodPerformance, ...]
    resampling: Resampling

    @classmethod
    def of(
        cls, recognition: Recognition, resampling: Resampling = RESAMPLING
    ) -> RecognitionSummary:
        """Average over the lists of each method, with intervals over terms."""
        methods = method_performances(recognition, resampling=resampling)
        return cls(recognition, tuple(methods), resampling)


MOST = 10
"""Paraphrases of a list that count, unless asked otherwise."""
_SHOWN = 5
"""How many terms or paraphrases a finding names."""


def recognize(
    lists: RankedLists,
    tasks: Sequence[Task],
    *,
    k: int = MOST,
    terms: str = ALL,
    no_content: Collection[str] | None = None,
    match: str = MatchUnit.WORDS,
) -> Recognition:
    """Put every list to every task.

    Repeated paraphrases of a list are dropped and those behind move up, as scoring does unless
    asked otherwise, so that both look at the same patterns. Paraphrases of function words only hold
    their ranks but are left out (the paper's "killed" → "to" would be in most pairs).

    Args:
        lists: Of paraphrases.
        tasks: Gold pairs.
        k: How many paraphrases of a list count, the first ones.
        terms: Whose lists: `all`, `top:N` or names with commas (`chosen_terms`).
        no_content: Words that say nothing by themselves; the list that ships where it is None.
        match: `words`, or `stems` to compare paraphrases by the stems of all their words.

    Raises:
        SettingError: a setting makes no sense, there is no task, or two have one name.
        UnknownNameError: there is no such term, or no such match.
    """
    if k < 1:
        raise SettingError(
            "first-paraphrases-cannot-looked",
            f"the first {k!r} paraphrases cannot be looked at",
            hint="at least 1",
        )
    if match not in list(MatchUnit):
        raise UnknownNameError.of("match", match, list(MatchUnit))
    again = repeats(lists, pattern_words(lists))
    searched = search(
        GoldPairs.of(tasks), _first(lists, again, k), match=MatchUnit(match), no_content=no_content
    )
    counts = searched.counts()
    wanted = set(chosen_terms(terms, counts))
    which = np.flatnonzero([key.term in wanted for key in lists.keys])
    pair_counts = PairCounts(
        *searched.in_question(), *searched.unigram_counts(), *searched.pattern_counts()
    )
    findings = (
        *_fewer_terms(terms, len(wanted)),
        *_task_findings(tasks, counts, wanted),
        *_dropped(lists, again, which),
        *_left_out(searched, which),
    )
    return Recognition(
        searched, which, pair_counts.chosen(which), k, MatchUnit(match), counts, findings
    )


def _first(lists: RankedLists, again: Indices, k: int) -> RankedLists:
    """The first k patterns of each list, repeats not counted."""
    stays = np.ones(lists.n_patterns, np.bool_)
    stays[again] = False
    n_before = np.concatenate([np.zeros(1, np.int64), np.cumsum(stays)])
    ranks = n_before[1:] - n_before[lists.offsets[:-1]][lists.list_of]
    return lists.chosen(np.flatnonzero(stays & (ranks <= k)))


def _fewer_terms(spec: str, n_chosen: int) -> Iterator[Finding]:
    asked = asked_number(spec)
    if asked is not None and n_chosen < asked:
        yield Finding(
            "fewer-terms",
            Severity.WARNING,
            f"{asked} terms asked for, but only {n_chosen} in any positive pair",
            details={"asked": asked, "chosen": n_chosen},
        )


def _task_findings(
    tasks: Sequence[Task], counts: TermCounts, wanted: Collection[str]
) -> Iterator[Finding]:
    for task, column in zip(tasks, counts.positive.T.tolist(), strict=True):
        yield from task.findings
        unused = [
            term for term, n in zip(counts.terms, column, strict=True) if term in wanted and n == 0
        ]
        if unused:
            yield Finding(
                "unused-term",
                Severity.WARNING,
                f"{len(unused)} of {len(wanted)} terms in no positive pair of the task"
                f" {task.name!r}, so that their lists have no performance there: {_some(unused)}",
                place=task.name,
                details={"task": task.name, "terms": unused},
            )


def _dropped(lists: RankedLists, again: Indices, which: Indices) -> Iterator[Finding]:
    """Tell of the repeated patterns, in the lists chosen."""
    told = again[np.isin(lists.list_of[again], which)]
    if told.size:
        shown = _some([lists.paraphrases[i] for i in told.tolist()])
        yield Finding(
            "repeated-pattern",
            Severity.NOTE,
            f"{counted(told.size, 'pattern')} in the same list already: dropped, e.g. {shown}",
            place=lists.place(int(told[0])) or lists.name or None,
            details={"n": int(told.size)},
        )


def _left_out(searched: ListSearch, which: Indices) -> Iterator[Finding]:
    """Tell of the patterns that say nothing, in the lists chosen."""
    lists = searched.lists
    silent = np.flatnonzero(~searched.says_something & np.isin(lists.list_of, which))
    if silent.size:
        names = list(dict.fromkeys(lists.paraphrases[i] for i in silent.tolist()))
        yield Finding(
            "function-words-only",
            Severity.NOTE,
            f"{counted(silent.size, 'pattern')} left out for want of a content"
            f" word: {_some(names)}",
            place=lists.place(int(silent[0])) or lists.name or None,
            details={"n": int(silent.size), "paraphrases": names},
        )


def _some(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(map(repr, names[:_SHOWN])) + (f" and {more} more" if more > 0 else "")
