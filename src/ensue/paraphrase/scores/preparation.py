"""Settings of the scores, and lists prepared by them: repeated and unjudged patterns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256

import numpy as np

from ensue.errors import DataError, SettingError
from ensue.pairs import Finding, Severity
from ensue.paraphrase.lists import (
    Indices,
    Numbers,
    QualityFunction,
    RankedLists,
    Strictness,
    counted,
    require_range,
)
from ensue.paraphrase.words import PatternWords, normalized, pattern_words

# What is measured, at which ranks, and what happens to lists that are not as the paper's are.

KS = (1, 5, 10)
"""The ranks of Shima & Mitamura (2011, section 3.2)."""


class PatternMeasure(StrEnum):
    """Of a ranked list of patterns, at a rank k."""

    EP = "EP"
    """Expected precision: the mean Q."""
    EPR = "EPR"
    """The same, where patterns that repeat a stem get no credit (Metzler et al. 2011)."""
    DIMPLE = "DIMPLE"
    """The cumulated gain 2^(Q·D) − 1, as a share of what a perfect list has."""


MEASURES = tuple(PatternMeasure)
"""In the order of the arrays."""


class Short(StrEnum):
    """How a list with fewer than k patterns is scored."""

    WRONG = "wrong"
    """What is missing gets nothing: division by k, as the paper's formulas have it."""
    AVAILABLE = "available"
    """Division by the number of patterns that are there."""


class Repeated(StrEnum):
    """What becomes of a pattern that its list has already."""

    DROP = "drop"
    """The first one stays, and those behind move up."""
    KEEP = "keep"
    ERROR = "error"


class Unjudged(StrEnum):
    """What becomes of a pattern that has no Q."""

    ERROR = "error"
    """Where its rank matters."""
    WRONG = "wrong"
    """Its Q is 0."""
    SKIP = "skip"
    """It is left out, and those behind move up."""


@dataclass(frozen=True, slots=True)
class ScoreSettings:
    """How lists are scored.

    Raises:
        SettingError: there is no k, or one below 1.
    """

    ks: tuple[int, ...] = KS
    """The ranks at which the measures are taken."""
    short: Short = Short.WRONG
    repeated: Repeated = Repeated.DROP
    unjudged: Unjudged = Unjudged.ERROR
    strictness: Strictness | None = None
    """Of the judges whose share Q is, for intervals; None where Q is not by judges. `score` sets
    it by the quality that it is given."""
    no_content: frozenset[str] | None = None
    """Words without content in the place of those that ship."""

    def __post_init__(self) -> None:
        check_ranks(self.ks)

    @property
    def deepest(self) -> int:
        """The last rank that matters."""
        return max(self.ks)

    def recipe(self) -> dict[str, str]:
        """What stands in a signature."""
        return {
            "short": self.short.value,
            "repeated": self.repeated.value,
            "unjudged": self.unjudged.value,
            "no-content": self._words(),
        }

    def _words(self) -> str:
        """Which words have no content; two lists of one's own differ where a word does."""
        if self.no_content is None:
            return "shipped"
        words = sorted({word.lower() for word in self.no_content})
        digest = sha256("\n".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return f"own ({len(words)}, {digest})"


def check_ranks(ks: Iterable[int]) -> None:
    """Refuse ranks that there are not.

    Raises:
        SettingError: there is none, or one below 1.
    """
    ks = tuple(ks)
    if not ks:
        raise SettingError("no-given", "no k is given", hint="e.g. 1, 5, 10")
    for k in ks:
        if isinstance(k, bool) or not isinstance(k, int) or k < 1:
            raise SettingError(
                "list-no-such-rank",
                f"k is {k!r}, and a list has no such rank",
                hint="k says how many of the first patterns count: 1 or more, e.g. 10",
            )


# Lists made ready for scoring: repeated patterns, patterns without Q, and what is said of them.

UNJUDGED_HINT = "give it one, or choose what becomes of it: -s unjudged=wrong or skip"


@dataclass(frozen=True, slots=True, eq=False)
class PreparedLists:
    """What is scored."""

    lists: RankedLists
    """With the patterns that are left."""
    words: PatternWords
    quality: Numbers
    """Q of the patterns that are left; NaN where the rank does not matter and it has none."""
    findings: tuple[Finding, ...]


def prepared_lists(
    lists: RankedLists, quality: QualityFunction, settings: ScoreSettings, *, named: str = ""
) -> PreparedLists:
    """Settle repeated patterns, give those that stay their Q, settle those that get none.

    Args:
        lists: As they were read.
        quality: Gives Q.
        settings: What becomes of which patterns.
        named: What the quality is called, for errors.

    Raises:
        DataError: a pattern is repeated or has no Q, and the settings do not allow it, or a Q is
            not in [0, 1].
    """
    words = pattern_words(lists, no_content=settings.no_content)
    given = PreparedLists(lists, words, np.zeros(lists.n_patterns), ())
    single = _without_repeats(given, settings)
    found = np.asarray(quality(single.lists), np.float64)
    require_range(found, 1.0, "Q", single.lists)
    ready = _without_unjudged(replace(single, quality=found), settings, named)
    return replace(ready, findings=(*ready.findings, *_size_findings(ready.lists, settings)))


def repeats(lists: RankedLists, words: PatternWords) -> Indices:
    """The patterns that stand in their list already, in lower case and with single blanks.

    Only paraphrases of the same words can be the same, so that few lists need a closer look.
    """
    from ensue.paraphrase.kernels import lists_with_doubles

    found: list[int] = []
    for i in np.flatnonzero(lists_with_doubles(lists.offsets, words.ids, words.offsets)).tolist():
        start, end = lists.offsets[i : i + 2].tolist()
        seen: set[str] = set()
        for pattern in range(start, end):
            form = normalized(lists.paraphrases[pattern])
            if form in seen:
                found.append(pattern)
            seen.add(form)
    return np.array(found, np.int64)


def require_quality(lists: RankedLists, quality: Numbers, deepest: int, *, named: str = "") -> None:
    """Check that every pattern has a Q down to a rank.

    Args:
        lists: Whose patterns.
        quality: Q of each.
        deepest: The last rank that matters.
        named: What the quality is called, for errors.

    Raises:
        DataError: one has none.
    """
    if not np.isnan(quality).any():
        return
    missing = np.flatnonzero(np.isnan(quality) & (lists.ranks <= deepest))
    if missing.size:
        whose = f" by {named!r}" if named else ""
        others = counted(missing.size - 1, "other pattern")
        raise DataError(
            "pattern-without-quality",
            f"pattern {_shown(lists, int(missing[0]))} has no Q{whose}"
            + (f", and so it is with {others}" if missing.size > 1 else ""),
            place=lists.place(int(missing[0])),
            hint=UNJUDGED_HINT,
        )


def _without_repeats(given: PreparedLists, settings: ScoreSettings) -> PreparedLists:
    again = repeats(given.lists, given.words)
    if not again.size:
        return given
    first = int(again[0])
    if settings.repeated is Repeated.ERROR:
        raise DataError(
            "pattern-stands-list-already",
            f"pattern {_shown(given.lists, first)} stands in its list already",
            place=given.lists.place(first),
            hint="leave it out, or choose what becomes of it: -s repeated=drop or keep",
        )
    drops = settings.repeated is Repeated.DROP
    finding = _finding(
        "repeated-pattern",
        f"{counted(again.size, 'pattern')} in the same list already:"
        f" {'dropped' if drops else 'kept'}, e.g. {_shown(given.lists, first)}",
        given.lists,
        again,
    )
    return replace(_without(given, again) if drops else given, findings=(finding,))


def _without_unjudged(given: PreparedLists, settings: ScoreSettings, named: str) -> PreparedLists:
    if settings.unjudged is Unjudged.ERROR:
        require_quality(given.lists, given.quality, settings.deepest, named=named)
        return given
    missing = np.flatnonzero(np.isnan(given.quality))
    if not missing.size:
        return given
    skips = settings.unjudged is Unjudged.SKIP
    finding = _finding(
        "unjudged-pattern",
        f"{counted(missing.size, 'pattern')} without Q: {'left out' if skips else 'taken as wrong'},"
        f" e.g. {_shown(given.lists, int(missing[0]))}",
        given.lists,
        missing,
    )
    found = _without(given, missing) if skips else replace(given, quality=_zeroed(given.quality))
    return replace(found, findings=(*given.findings, finding))


def _without(given: PreparedLists, dropped: Indices) -> PreparedLists:
    stays = np.ones(given.lists.n_patterns, np.bool_)
    stays[dropped] = False
    which = np.flatnonzero(stays)
    return PreparedLists(
        given.lists.chosen(which),
        given.words.chosen(which),
        given.quality[which],
        given.findings,
    )


def _zeroed(quality: Numbers) -> Numbers:
    return np.where(np.isnan(quality), 0.0, quality)


def _size_findings(lists: RankedLists, settings: ScoreSettings) -> tuple[Finding, ...]:
    sizes, k = np.diff(lists.offsets), settings.deepest
    n_short, n_empty = int((sizes < k).sum()), int((sizes == 0).sum())
    found = []
    if n_short:
        message = f"{n_short} of {len(lists)} lists have fewer than {k} patterns"
        details = {"n_lists": n_short, "k": k, "short": settings.short.value}
        found.append(Finding("short-list", Severity.NOTE, message, details=details))
    if n_empty:
        message = f"{n_empty} of {len(lists)} lists have no pattern"
        details = {"n_lists": n_empty}
        found.append(Finding("empty-list", Severity.WARNING, message, details=details))
    return tuple(found)


def _finding(code: str, message: str, lists: RankedLists, which: Indices) -> Finding:
    n_lists = np.unique(lists.list_of[which]).size
    details = {"n_patterns": int(which.size), "n_lists": int(n_lists)}
    return Finding(
        code, Severity.WARNING, message, place=lists.place(int(which[0])), details=details
    )


def _shown(lists: RankedLists, pattern: int) -> str:
    key = lists.keys[int(lists.list_of[pattern])]
    return f"{key.term!r} → {lists.paraphrases[pattern]!r}"
