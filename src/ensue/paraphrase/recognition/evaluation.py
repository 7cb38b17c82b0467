"""What lists of paraphrases do in recognition tasks (Shima & Mitamura 2011, sections 3.3, 3.4).

For a term, the pairs in question are those in which it stands on at least one side. A list
recognizes a pair by stemmed unigram matching (the stems of all content words of the term are on
both sides), or by a pattern (the term is on one side, a paraphrase on the other). Performance is
the share of positive pairs in question that are recognized. The paper looks at positive pairs only;
beside it stand the false alarms among the negative ones, and precision.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from ensue.errors import SettingError, UnknownNameError
from ensue.pairs import Finding, Severity
from ensue.paraphrase.lists import Indices, RankedLists, counted
from ensue.paraphrase.recognition.matches import ListSearch, MatchUnit, search
from ensue.paraphrase.recognition.performance import PairCounts, Recognition
from ensue.paraphrase.recognition.tasks import GoldPairs, Task
from ensue.paraphrase.recognition.terms import ALL, TermCounts, asked_number, chosen_terms
from ensue.paraphrase.scores.preparation import repeats
from ensue.paraphrase.words import pattern_words

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
        raise SettingError(f"the first {k!r} paraphrases cannot be looked at", hint="at least 1")
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
