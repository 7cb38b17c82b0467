"""What is odd about lists that can be read all the same: each kind is told once, with its number."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.pairs.formats.model import OnFinding
from ensue.pairs.model import Finding, Severity
from ensue.paraphrase.counting import counted
from ensue.paraphrase.judging.repeats import contradictions
from ensue.paraphrase.model import NO, YES, Indices, Numbers, RankedLists, Strictness
from ensue.paraphrase.reading.gathering import Rows
from ensue.paraphrase.reading.places import Places

_EXAMPLES = 5
"""Places that a finding names at most."""

Bools = NDArray[np.bool_]


def report_order(
    rows: Rows,
    key: Numbers,
    order: Indices,
    has_rank: Bools,
    has_confidence: Bools,
    places: Places,
    on_finding: OnFinding,
) -> None:
    """Report gaps and ties, and lists that several files hold.

    Args:
        rows: As they were read.
        key: What the rows are sorted by, sorted.
        order: The rows, sorted.
        has_rank: Which rows are sorted by their ranks.
        has_confidence: Which rows are sorted by their confidences.
        places: Of the rows, as they were read.
        on_finding: Is told.
    """
    list_of = rows.list_of[order]
    is_first = np.append(True, list_of[1:] != list_of[:-1])
    step = np.where(is_first, key, np.diff(key, prepend=0.0))
    ranked, sure = has_rank[order], has_confidence[order]
    reports = {
        "rank-gaps": (ranked & (step > 1), "a gap in its ranks; the order counts"),
        "tied-ranks": (ranked & (step == 0), "ties of ranks; the order of the file decides"),
        "tied-confidences": (
            sure & ~is_first & (step == 0),
            "ties of confidences; the order of the file decides",
        ),
        "list-in-several-files": (
            ~is_first & (np.diff(rows.files[order], prepend=0) != 0),
            "rows in several files; they make up one list",
        ),
    }
    for code, (which, message) in reports.items():
        if which.any():
            odd = np.flatnonzero(which)
            key_of = rows.keys[list_of[odd[0]]]
            n_lists = len(np.unique(list_of[odd]))
            shown = f"{n_lists} of {len(rows.keys)} lists, e.g. that of {key_of.term!r}"
            _tell(
                on_finding,
                code,
                f"{shown} by {key_of.method!r}, {'have' if n_lists > 1 else 'has'} {message}",
                places[int(order[odd[0]])],
                {
                    "n_lists": n_lists,
                    "places": [places[i] for i in order[odd[:_EXAMPLES]].tolist()],
                },
            )


def report_judgments(lists: RankedLists, on_finding: OnFinding) -> None:
    """Report judges who disagree with themselves, and strict yes with lenient no."""
    found = contradictions(lists)
    if found:
        first = found[0]
        term = lists.keys[lists.list_of[first.yes]].term
        _tell(
            on_finding,
            "judge-contradicts",
            f"judges disagree with themselves, {counted(len(found), 'time')}, e.g. {first.judge!r}"
            f" ({first.strictness}) on {term!r} → {lists.paraphrases[first.yes]!r}:"
            f" yes at {lists.place(first.yes)}, no at {lists.place(first.no)};"
            " the labels count as they are",
            lists.place(first.no),
            {
                "n_contradictions": len(found),
                "places": [
                    [lists.place(each.yes), lists.place(each.no)] for each in found[:_EXAMPLES]
                ],
            },
        )
    _report_strict_not_lenient(lists, on_finding)


def _report_strict_not_lenient(lists: RankedLists, on_finding: OnFinding) -> None:
    if lists.judgments is None or len(lists.judgments.labels) < len(Strictness):
        return
    strict = lists.judgments.labels[Strictness.STRICT]
    lenient = lists.judgments.labels[Strictness.LENIENT]
    odd = np.argwhere((strict == YES) & (lenient == NO))
    if len(odd):
        i, j = odd[0].tolist()
        _tell(
            on_finding,
            "strict-not-lenient",
            f"a strict yes with a lenient no, {counted(len(odd), 'time')}, e.g. by"
            f" {lists.judgments.judges[j]!r} on {lists.paraphrases[i]!r}; they count as they are",
            lists.place(i),
            {
                "n_labels": len(odd),
                "places": [lists.place(k) for k in odd[:_EXAMPLES, 0].tolist()],
            },
        )


def _tell(
    on_finding: OnFinding, code: str, message: str, place: str | None, details: dict[str, Any]
) -> None:
    on_finding(Finding(code, Severity.WARNING, message, place=place, details=details))
