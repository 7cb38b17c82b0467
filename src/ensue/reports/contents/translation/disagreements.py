"""The worst disagreements drawn: what in each of two outputs answers the reference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ensue.errors import DataError
from ensue.pairs import Pair
from ensue.recognizers import Evidence
from ensue.reports.model import Figure, Section
from ensue.reports.pictures.linking.links import SideNames, evidence_svg
from ensue.translation.agreement import Disagreement
from ensue.translation.agreement.lineup import shown_key
from ensue.translation.model import OutputKey

SIDES = SideNames("output", "reference")
"""What the sides of a translation are called."""

Texts = Mapping[OutputKey, tuple[str, str]]
"""The words of each output, and of its reference."""
Aligner = Callable[[str, str], Evidence]
"""From an output (as text) and its reference (as hypothesis) to what links them."""


def disagreement_sections(
    disagreements: Sequence[Disagreement], texts: Texts, evidence: Aligner, *, metric: str = ""
) -> list[Section]:
    """The section that draws a metric's worst disagreements, two figures each; none if it has none.

    Args:
        disagreements: Which to draw, the worst first.
        texts: The output and its reference, of all that are drawn.
        evidence: What links an output with its reference; it is asked only where both have words.
        metric: What it is called.

    Raises:
        DataError: an output has no text.
    """
    if not disagreements:
        return []
    figures = [
        figure
        for i, each in enumerate(disagreements, 1)
        for figure in _figures(i, each, texts, evidence, metric)
    ]
    whose = metric or "the metric"
    text = (
        f"Where people agree most and {whose} is most sure of the opposite: first the output that"
        f" people prefer, then the one that {whose} prefers. The output should say all that the"
        " reference says, and nothing else."
    )
    title = f"Worst disagreements of {whose}, drawn"
    return [Section(title, text, figures)]


def _figures(
    i: int, each: Disagreement, texts: Texts, evidence: Aligner, metric: str
) -> Iterator[Figure]:
    where = f"{each.preferred.language_pair} {each.preferred.segment}".strip()
    for key, who, said in (
        (each.preferred, "people prefer", _of_preferred(each)),
        (each.other, f"{metric or 'the metric'} prefers", _of_other(each)),
    ):
        name = f"disagreement-{i}-{'people' if key is each.preferred else 'metric'}"
        title = f"{i}. Segment {where}: {who} {key.system}"
        yield Figure(name, title, _drawn(key, texts, evidence), f"Output of {key.system}: {said}")


def _drawn(key: OutputKey, texts: Texts, evidence: Aligner) -> str:
    if key not in texts:
        raise DataError(
            f"there is no text of {shown_key(key)} to draw",
            hint="give the output and its reference of every disagreement",
        )
    output, reference = texts[key]
    linked = evidence(output, reference) if output.strip() and reference.strip() else Evidence()
    return evidence_svg(Pair(key.segment, output, reference), linked, SIDES)


def _of_preferred(each: Disagreement) -> str:
    said = f"{_votes(each.votes, each.votes_against, each.ties)}; score {each.preferred_score:.4g}"
    if each.probability is None:
        return f"{said}."
    return f"{said}, better with probability {each.probability:.3f}."


def _of_other(each: Disagreement) -> str:
    return (
        f"{_votes(each.votes_against, each.votes, each.ties)}; score {each.other_score:.4g},"
        f" ahead by a margin of {each.margin:.4g}."
    )


def _votes(n_for: int, n_against: int, n_neither: int) -> str:
    return f"votes: {n_for} for it, {n_against} against, {n_neither} for neither"
