"""EP, EPR and DIMPLE of lists, their patterns, and the gain of a new order, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ensue import __version__
from ensue.pairs import Finding
from ensue.paraphrase import NO_CONTENT, ListKey, Numbers, content_words
from ensue.paraphrase.scores import (
    OrderOrigin,
    PatternMeasure,
    PatternScore,
    Reranked,
    ScoredLists,
    ScoreIntervals,
    curves_over_k,
    explained_list,
)
from ensue.reports.model import (
    DASHES,
    Column,
    PagePart,
    Report,
    Section,
    Table,
    best_of,
    dash_notes,
    findings_table,
    interval_in_words,
    interval_notes,
    names_in_words,
    number_in_words,
    others_in_words,
)
from ensue.reports.paraphrase.means import (
    MOST,
    NO_METHOD,
    WHY,
    Scores,
    called,
    curve_table,
    judge_notes,
    measure_columns,
    method_differences_table,
    method_notes,
    methodless,
    methods_table,
    score_picture,
)
from ensue.statistics import Estimate
from ensue.surface import stems

# Why lists have their scores: each pattern with Q, D, credit and gain, and what it repeats.


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
        Column("quality", get=lambda quality, *_: quality),
        Column("term", get=lambda *row: row[1].term),
        Column("method", get=lambda *row: row[1].method or None),
        Column("rank"),
        Column("paraphrase"),
        Column("q", title="Q", digits=3, get="quality"),
        Column("d", title="D", get="diversity"),
        Column("words", get=lambda *row: row[2]),
        Column("credited", title="credit in EPR"),
        Column("gain", title="2^(Q·D) − 1", digits=3),
        Column("share", title="of the largest gain", digits=3),
        *(
            Column(each, get=partial(_joined_words, each), full=True)
            for each in ("content_words", "seen_words", "seen_stems")
        ),
    ]
    table = Table.of(
        "patterns",
        "Why lists have their scores",
        columns,
        _patterns(scores, every),
        every=every,
        most=most,
        n=sum(_n_shown(scored, every) for scored in scores.values()),
        what="patterns",
    )
    notes = [
        "words: what Algorithm 1 had met before, in the term or in the list",
        "credit in EPR has a history of its own, which grows with credited patterns only",
        *(["Q –: the pattern has none, beyond the ranks that matter"] if _lacks(table) else []),
        *method_notes(method for each in scores.values() for method in each.lists.methods),
        *table.notes,
    ]
    return replace(table, notes=notes)


def _joined_words(kind: str, *row: Any) -> str:
    return " ".join(getattr(row[-1], kind))


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


def _patterns(
    scores: Mapping[str, ScoredLists], every: bool
) -> Iterator[tuple[str, ListKey, str, PatternScore]]:
    """The patterns with their quality and list, and what Algorithm 1 finds in each."""
    for i, key, quality in by_list(scores):
        scored = scores[quality]
        patterns = explained_list(scored, i)
        said = sayings(key.term, patterns, scored.settings.no_content)
        last = len(patterns) if every else scored.settings.deepest
        for pattern, words in zip(patterns[:last], said[:last], strict=True):
            yield quality, key, words, pattern


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


def _lacks(patterns: Table) -> bool:
    return any(row[5] is None for row in patterns.rows)


# EP, EPR and DIMPLE of lists and methods, as tables, a picture and one page.

_MOST_PATTERNS = 100
"""Patterns that people see who ask for them."""


def score_tables(
    scores: Scores, curves: Scores | None = None, *, every: bool = True, patterns: bool = True
) -> list[Table]:
    """The methods, their differences, the lists, the curves over k and, if so wanted, the patterns.

    Args:
        scores: The same lists scored by some qualities, one or more, at the same ks.
        curves: The same at every k, as `curves_over_k` gives them; made here where they are None.
        every: Whether all rows and columns are there, for programs.
        patterns: Whether there is a table of why lists have their scores.
    """
    curves = curves_over_k(scores) if curves is None else curves
    tables = [*_mean_tables(scores, every), lists_table(scores, every=every)]
    tables.append(curve_table(curves, every=every))
    if patterns:
        tables.append(patterns_table(_scored(scores), every=every, most=_MOST_PATTERNS))
    return tables


def score_report(
    scores: Scores, curves: Scores | None = None, judges: Sequence[Table] = (), *, name: str = ""
) -> Report:
    """The page of the scores.

    Args:
        scores: The same lists scored by some qualities, one or more, at the same ks.
        curves: The same at every k, as `curves_over_k` gives them; made here where they are None.
        judges: What `judge_tables` gives, where there are judges.
        name: What the lists are called; as they call themselves where it is empty.
    """
    curves = curves_over_k(scores) if curves is None else curves
    over_k: list[PagePart] = [score_picture(curves), curve_table(curves, every=False)]
    sections = [
        Section("Methods", "", _mean_tables(scores, every=False)),
        Section("How much hangs on k", "", over_k),
        Section("Lists", "", [lists_table(scores, every=False)]),
        Section("Patterns", "", [patterns_table(_scored(scores), every=False)]),
    ]
    if judges:
        sections.append(Section("Judges", "", judges))
    findings = _findings(scores)
    if findings:
        sections.append(Section("Findings", "", [findings_table(findings)]))
    name = name or next(iter(scores.values())).scored.lists.name or "lists"
    made = _signature(list(scores.values()), name)
    return Report(f"Scores of {name}", sections, made, score_answer(scores))


_TOLD = PatternMeasure.DIMPLE
"""The measure that the answer is by: it minds both quality and diversity."""


def score_answer(scores: Scores) -> str:
    """Which method is best by DIMPLE at the largest k, and whether others are worse."""
    return " ".join(_method_answer(quality, each) for quality, each in scores.items())


def _method_answer(quality: str, found: ScoreIntervals) -> str:
    k = max(found.scored.settings.ks)
    name, column = f"DIMPLE_{k} ({quality})", Column("DIMPLE", digits=3)
    means = {each or NO_METHOD: found.of_method(each, _TOLD, k) for each in found.methods}
    best = best_of({method: mean.value for method, mean in means.items()})
    if not best:
        return f"No list has a {name}."
    mean = means[best[0]]
    number = number_in_words(mean.value or 0.0, column)
    interval = interval_in_words(mean, found.resampling, column)
    if len(means) == 1:
        return f"The mean {name} of the lists is {number}{interval}."
    others = [method for method in means if method not in best]
    apart = {
        frozenset((each.first or NO_METHOD, each.second or NO_METHOD))
        for each in found.differences
        if (each.measure, each.k) == (_TOLD, k)
        and each.p_holm is not None
        and each.p_holm <= found.resampling.alpha
    }
    worse = [each for each in others if all(frozenset((each, one)) in apart for one in best)]
    is_tested = any(each.p_holm is not None for each in found.differences)
    return (
        f"{names_in_words(best)} {'has' if len(best) == 1 else 'have'} the highest {name},"
        f" {number}{interval}{others_in_words(others, worse) if is_tested else ''}."
    )


def _scored(scores: Scores) -> dict[str, ScoredLists]:
    return {quality: each.scored for quality, each in scores.items()}


def _mean_tables(scores: Scores, every: bool) -> list[Table]:
    tables = [methods_table(scores, every=every)]
    if any(each.differences for each in scores.values()):
        tables.append(method_differences_table(scores, every=every))
    return tables


def _signature(found: Sequence[ScoreIntervals], name: str) -> str:
    first = found[0]
    made = [
        f"ensue {__version__}",
        f"lists: {name}",
        *(each.scored.signature for each in found),
        f"k: {', '.join(map(str, first.scored.settings.ks))}, {first.resampling}",
    ]
    return "\n".join(made)


def lists_table(scores: Scores, *, every: bool = True) -> Table:
    """The scores of each list."""

    def value(place: tuple[PatternMeasure, int], i: int, _key: ListKey, quality: str) -> Estimate:
        return scores[quality].of_list(i, *place)

    columns = [
        Column("quality", get=lambda *row: row[-1]),
        Column("term", get=lambda *row: row[1].term),
        Column("method", get=lambda *row: row[1].method or None),
        Column("patterns", get=lambda i, _, quality: _size(scores[quality].scored, i)),
        *measure_columns(scores, value),
        WHY,
    ]
    notes = [*_list_notes(scores), *judge_notes(scores), DASHES, *methodless(scores)]
    return Table.of(
        "lists",
        "Scores of lists",
        columns,
        by_list(_scored(scores)),
        notes,
        called=lambda _, key, __: called(key),
        short_notes=True,
        every=every,
        most=MOST,
        n=sum(len(each.scored.lists) for each in scores.values()),
        what="lists",
    )


def _size(scored: ScoredLists, i: int) -> int:
    start, end = scored.lists.offsets[i : i + 2].tolist()
    return int(end - start)


def _list_notes(scores: Scores) -> Iterator[str]:
    first = next(iter(scores.values()))
    if any(each.lists_reason is None for each in scores.values()):
        yield from interval_notes(first.resampling, over="judges")
    for quality, each in scores.items():
        if each.lists_reason:
            yield f"{quality}: no intervals: {each.lists_reason}"


def _findings(scores: Scores) -> list[Finding]:
    """Of all qualities, each once."""
    found: list[Finding] = []
    for each in scores.values():
        found += [finding for finding in each.scored.findings if finding not in found]
    return found


# What lists gain by a new order, as a table.

_EMPTY = "the list has no pattern"
_WAYS = {
    OrderOrigin.GIVEN: "no other order that was found is better",
    OrderOrigin.GREEDY: "the largest gain for each place in turn",
    OrderOrigin.EXACT: "the search for the best order, where greed reaches less",
}


def reranking_table(reranked: Reranked, *, every: bool = True) -> Table:
    """A row for each list: its DIMPLE as given, in greedy order and in the new one.

    Args:
        reranked: What to show.
        every: Whether all lists are there, for programs.
    """
    columns = [
        Column("term", get=lambda key, *_: key.term),
        Column("method", get=lambda key, *_: key.method or None),
        Column("patterns", get=lambda *row: row[1]),
        Column("given", digits=3, get=lambda *row: row[2]),
        Column("greedy", digits=3, get=lambda *row: row[3]),
        Column("new", digits=3, get=lambda *row: row[4]),
        Column("gain", digits=3, signed=True, get=lambda *row: row[5]),
        Column("way", get=lambda *row: row[6] if row[2] is not None else None),
    ]
    keys = reranked.lists.keys
    rows = zip(
        keys,
        np.diff(reranked.lists.offsets).tolist(),
        _defined(reranked.given),
        _defined(reranked.greedy),
        _defined(reranked.chosen),
        _defined(reranked.chosen - reranked.given),
        reranked.ways,
        strict=True,
    )
    empty = np.flatnonzero(np.isnan(reranked.chosen)).tolist()
    notes = [
        *_summary(reranked.chosen - reranked.given, reranked.ways),
        *_way_notes(reranked.ways),
        *dash_notes(((called(keys[i]), _EMPTY) for i in empty), every=every),
        *method_notes(key.method for key in keys),
    ]
    at = "of whole lists" if reranked.k is None else f"at {reranked.k}"
    title = f"DIMPLE {at} before and after reranking"
    return Table.of("reranking", title, columns, rows, notes, every=every, most=MOST, what="lists")


def _summary(gains: Numbers, ways: tuple[OrderOrigin, ...]) -> list[str]:
    """How many lists gained, and how much on average."""
    defined = gains[~np.isnan(gains)]
    if not defined.size:
        return []
    n_gained = sum(way is not OrderOrigin.GIVEN for way in ways)
    mean, most = float(defined.mean()), float(defined.max())
    return [
        f"{n_gained} of {defined.size:,} lists gained; the mean gain of all lists is {mean:.3f},"
        f" the largest {most:.3f}"
    ]


def _way_notes(ways: tuple[OrderOrigin, ...]) -> list[str]:
    said = [f"{way}: {meaning}" for way, meaning in _WAYS.items() if way in ways]
    return [f"way, what it takes to reach it: {'; '.join(said)}"] if said else []


def _defined(numbers: Numbers) -> list[float | None]:
    return [None if np.isnan(number) else number for number in numbers.tolist()]
