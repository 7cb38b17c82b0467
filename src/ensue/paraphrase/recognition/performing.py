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
from ensue.paraphrase.counting import counted
from ensue.paraphrase.model import RankedLists
from ensue.paraphrase.recognition.results import PairCounts, Recognition
from ensue.paraphrase.recognition.searching import Match, Search, search
from ensue.paraphrase.recognition.tasks import GoldPairs, Task
from ensue.paraphrase.recognition.terms import ALL, TermCounts, asked_number, chosen_terms

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
    match: str = Match.WORDS,
) -> Recognition:
    """Put every list to every task.

    Paraphrases of function words only hold their ranks but are left out (the paper's "killed" →
    "to" would be in most pairs). So do repeated paraphrases, which recognize what they repeat.

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
    if match not in list(Match):
        raise UnknownNameError.of("match", match, list(Match))
    first = lists.chosen(np.flatnonzero(lists.ranks <= k))
    searched = search(GoldPairs.of(tasks), first, match=Match(match), no_content=no_content)
    counts = searched.counts()
    wanted = set(chosen_terms(terms, counts))
    which = np.flatnonzero([key.term in wanted for key in lists.keys])
    pair_counts = PairCounts(
        *searched.in_question(), *searched.unigram_counts(), *searched.pattern_counts()
    )
    findings = (
        *_fewer_terms(terms, len(wanted)),
        *_task_findings(tasks, counts, wanted),
        *_left_out(searched, which.tolist()),
    )
    return Recognition(
        searched, which, pair_counts.chosen(which), k, Match(match), counts, findings
    )


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


def _left_out(searched: Search, which: Sequence[int]) -> Iterator[Finding]:
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
