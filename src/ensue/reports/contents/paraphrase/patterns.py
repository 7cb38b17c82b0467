"""Why lists have their scores: each pattern with Q, D, credit and gain, and what it repeats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ensue.paraphrase.model import ListKey
from ensue.paraphrase.scores.explaining import PatternScore, explained_list
from ensue.paraphrase.scores.scoring import ScoredLists
from ensue.paraphrase.words import NO_CONTENT, content_words
from ensue.reports.contents.entries import Row
from ensue.reports.contents.paraphrase.cutting import MOST, cut, method_notes
from ensue.reports.model import Column, Table
from ensue.surface.stemming import stems


def patterns_table(
    scores: Mapping[str, ScoredLists], *, every: bool = True, most: int = MOST
) -> Table:
    """A row for each pattern; people see those whose rank matters.

    Args:
        scores: The lists scored by each quality.
        every: Whether all patterns and words are there, for programs.
        most: How many patterns people see.
    """
    columns = [
        Column("quality"),
        Column("term"),
        Column("method"),
        Column("rank"),
        Column("paraphrase"),
        Column("q", title="Q", digits=3),
        Column("d", title="D"),
        Column("words"),
        Column("credited", title="credit in EPR"),
        Column("gain", title="2^(Q·D) − 1", digits=3),
        Column("share", title="of the largest gain", digits=3),
        *(_WORDS if every else []),
    ]
    n = sum(_n_shown(scored, every) for scored in scores.values())
    rows, cut_notes = cut(_rows(scores, every), n, every=every, most=most, what="patterns")
    notes = [
        "words: what Algorithm 1 had met before, in the term or in the list",
        "credit in EPR has a history of its own, which grows with credited patterns only",
        *(["Q –: the pattern has none, beyond the ranks that matter"] if _lacks(rows) else []),
        *method_notes(method for each in scores.values() for method in each.lists.methods),
        *cut_notes,
    ]
    return Table("patterns", "Why lists have their scores", columns, rows, notes)


_WORDS = (
    Column("content_words"),
    Column("seen_words"),
    Column("seen_stems"),
)


def _n_shown(scored: ScoredLists, every: bool) -> int:
    sizes = np.diff(scored.lists.offsets)
    return int((sizes if every else np.minimum(sizes, scored.settings.deepest)).sum())


def by_list(scores: Mapping[str, ScoredLists]) -> Iterator[tuple[int, ListKey, str]]:
    """Lists with their numbers, each by every quality before the next one."""
    places: dict[ListKey, list[tuple[int, str]]] = {}
    for quality, scored in scores.items():
        for i, key in enumerate(scored.lists.keys):
            places.setdefault(key, []).append((i, quality))
    for key, found in places.items():
        for i, quality in found:
            yield i, key, quality


def _rows(scores: Mapping[str, ScoredLists], every: bool) -> Iterator[Row]:
    for i, key, quality in by_list(scores):
        scored = scores[quality]
        patterns = explained_list(scored, i)
        said = sayings(key.term, patterns, scored.settings.no_content)
        last = len(patterns) if every else scored.settings.deepest
        for pattern, words in zip(patterns[:last], said[:last], strict=True):
            yield [quality, key.term, key.method or None, *_cells(pattern, words, every)]


def _cells(pattern: PatternScore, words: str, every: bool) -> Row:
    row: Row = [
        pattern.rank,
        pattern.paraphrase,
        pattern.quality,
        pattern.diversity,
        words,
        pattern.credited,
        pattern.gain,
        pattern.share,
    ]
    if not every:
        return row
    more = (pattern.content_words, pattern.seen_words, pattern.seen_stems)
    return [*row, *(" ".join(each) for each in more)]


def sayings(
    term: str, patterns: list[PatternScore], no_content: frozenset[str] | None = None
) -> list[str]:
    """What Algorithm 1 finds in each pattern of a list, in words.

    Args:
        term: The source term.
        patterns: Of its list, from the first rank on.
        no_content: Words without content in the place of those that ship.
    """
    empty = NO_CONTENT if no_content is None else {word.lower() for word in no_content}
    word_of = _by_stem(content_words(term, empty))
    found = []
    for pattern in patterns:
        found.append(_saying(pattern, word_of))
        if pattern.content_words and not pattern.seen_words:  # only then does the history grow
            word_of = _by_stem(pattern.content_words) | word_of
    return found


def _saying(pattern: PatternScore, word_of: Mapping[str, str]) -> str:
    if not pattern.content_words:
        return "no content word"
    if pattern.seen_words:
        several = "s" if len(pattern.seen_words) > 1 else ""
        return f"repeats the word{several} {_listed(pattern.seen_words)}"
    if pattern.seen_stems:
        several = "s" if len(pattern.seen_stems) > 1 else ""
        return f"repeats the stem{several} of {_listed([word_of[s] for s in pattern.seen_stems])}"
    return "new"


def _by_stem(words: list[str] | tuple[str, ...]) -> dict[str, str]:
    """For each stem the first of the words that has it."""
    return dict(zip(reversed(stems(list(words))), reversed(words), strict=True))


def _listed(words: list[str] | tuple[str, ...]) -> str:
    return " and ".join(words) if len(words) < 3 else f"{', '.join(words[:-1])} and {words[-1]}"


def _lacks(rows: list[Row]) -> bool:
    return any(row[5] is None for row in rows)
