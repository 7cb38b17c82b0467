"""The surface features of outputs: BLEU, NIST and TER in many settings (TradMT of Padó et al. 2009).

BLEU-n and n-gram precisions for n = 1–4, plain and smoothed as Lin & Och (2004) do, the brevity
penalty, and BLEU divided by it; NIST-n for n = 1–10, information-weighted precisions for n = 1–4,
the penalty, and NIST divided by it; TER and its four edit counts under ten settings of costs.
Words are cut by 13a, in small letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ensue.surface import (
    COST_SETTINGS,
    Information,
    count_information,
    surface_columns,
    tokenize_segments,
)
from ensue.surface.tokenizers import MTEVAL_13A
from ensue.translation.model import Numbers

_ORDERS = range(1, 5)
_NIST_ORDERS = range(1, 11)
_SMOOTHED = ", smoothed: one is added to matches and n-grams for n > 1"
_COUNTS = {
    "insertions": "reference words that the output lacks",
    "deletions": "output words too many",
    "substitutions": "words that are others",
    "shifts": "blocks of words elsewhere",
}


def _definitions() -> Iterable[tuple[str, str]]:
    for how, said in (("", ""), (".smoothed", _SMOOTHED)):
        for n in _ORDERS:
            yield f"bleu.{n}{how}", f"BLEU of n-grams up to {n}{said}"
    for how, said in (("", ""), (".smoothed", _SMOOTHED)):
        for n in _ORDERS:
            yield f"bleu.precision.{n}{how}", f"share of {n}-grams that match{said}"
    yield "bleu.penalty", "BLEU's penalty for outputs that are too short"
    yield "bleu.4.unpenalized", "BLEU of n-grams up to 4, divided by the penalty"
    for n in _NIST_ORDERS:
        yield f"nist.{n}", f"NIST of n-grams up to {n}"
    for n in _ORDERS:
        yield f"nist.precision.{n}", f"information of {n}-grams that match, for each {n}-gram"
    yield "nist.penalty", "NIST's penalty for outputs that are too short"
    yield "nist.5.unpenalized", "NIST of n-grams up to 5, divided by the penalty"
    for setting, costs in COST_SETTINGS.items():
        said = (
            f"insertion {costs.insertion:g}, deletion {costs.deletion:g},"
            f" substitution {costs.substitution:g}, shift {costs.shift:g}"
        )
        yield f"ter.{setting}", f"TER with costs of {said}"
        for count, meaning in _COUNTS.items():
            yield f"ter.{setting}.{count}", f"{meaning}, in the edits of ter.{setting}"


DEFINITIONS: Mapping[str, str] = dict(_definitions())
"""What each feature is, in the order of the columns."""

NAMES = tuple(DEFINITIONS)


def reference_information(references: Iterable[Sequence[str]]) -> Information:
    """How much the n-grams of a set's references tell, for NIST."""
    each = (reference for some in references for reference in some)
    return count_information(each, MTEVAL_13A)


def surface_features(
    outputs: Sequence[str], references: Sequence[Sequence[str]], information: Information
) -> Numbers:
    """The 84 features of each output.

    Args:
        outputs: What systems wrote.
        references: One or more for each.
        information: Of all references of the set, these among them.
    """
    segments = tokenize_segments(outputs, references, MTEVAL_13A)
    return surface_columns(segments, information)
