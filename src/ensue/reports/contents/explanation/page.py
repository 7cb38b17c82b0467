"""An explanation as one self-contained HTML page, as a picture, and as a piece of a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ensue.errors import OutputError
from ensue.pairs import Verdict, open_text_output
from ensue.recognizers import Evidence, Explanation
from ensue.reports.page import PAGE_SUFFIXES
from ensue.reports.pictures.contributions import contributions_svg
from ensue.reports.pictures.kinds import UNALIGNED
from ensue.reports.pictures.linking.links import link_words, links_svg
from ensue.reports.templating import environment

_PICTURE_SUFFIX = ".svg"

EXPLANATION_SUFFIXES = (*PAGE_SUFFIXES, _PICTURE_SUFFIX)
"""The files that an explanation can become: a page, or the picture of its links alone."""


def explanation_html(explanation: Explanation) -> str:
    """The explanation as one page: no script, and no request to any host."""
    return _rendered("explanation.html", explanation)


def explanation_fragment(explanation: Explanation) -> str:
    """The explanation as a piece of HTML with its own ground, for light and dark notebooks."""
    return _rendered("explanation_fragment.html", explanation)


def write_explanation_file(path: str | Path, explanation: Explanation) -> None:
    """Write a page or a picture, as the name says; the file appears whole or not at all.

    Raises:
        OutputError: the name is that of neither, or the file cannot be written.
    """
    is_picture = check_explanation_path(path) == _PICTURE_SUFFIX
    content = links_svg(explanation) + "\n" if is_picture else explanation_html(explanation)
    with open_text_output(path) as file:
        file.write(content)


def check_explanation_path(path: str | Path) -> str:
    """The suffix of the path, in lower case, if an explanation can be written there.

    Raises:
        OutputError: it is none that an explanation can become.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in EXPLANATION_SUFFIXES:
        raise OutputError(
            f"cannot write an explanation to {str(path)!r}",
            hint=f"name a file that ends in {', '.join(PAGE_SUFFIXES)} (a page)"
            f" or {_PICTURE_SUFFIX} (the picture)",
        )
    return suffix


def explanation_values(explanation: Explanation) -> dict[str, Any]:
    """What the template `explanation_body.html` and those around it show, by name."""
    from markupsafe import Markup

    evidence = explanation.evidence
    weights = sorted(evidence.weights, key=lambda weight: -abs(weight.contribution))
    return {
        "pair": explanation.pair,
        "signature": str(explanation.signature),
        "answer": _answer(explanation.verdict),
        "numbers": _numbers(explanation.verdict),
        "links_picture": Markup(links_svg(explanation)),
        "weights_picture": Markup(contributions_svg(evidence.weights)),
        "links": _links(explanation),
        "unaligned": _unaligned(explanation),
        "weights": [weight for weight in weights if weight.contribution],
        "n_idle": sum(not weight.contribution for weight in weights),
        "steps": _steps(evidence),
        "sections": evidence.sections,
    }


def _rendered(template: str, explanation: Explanation) -> str:
    return environment().get_template(template).render(**explanation_values(explanation))


def _answer(verdict: Verdict) -> str:
    if verdict.label is not None:
        return verdict.label.value
    return verdict.status.value + (f": {verdict.reason}" if verdict.reason else "")


def _numbers(verdict: Verdict) -> str:
    numbers = (("score", verdict.score), ("confidence", verdict.confidence))
    return ", ".join(f"{name} {number:.4f}" for name, number in numbers if number is not None)


def _links(explanation: Explanation) -> list[tuple[str, str, str, str]]:
    spans = explanation.evidence.spans
    return [
        (*link_words(explanation, link), link.kind, f"{spans[link.hypothesis].strength:.2f}")
        for link in explanation.evidence.links
    ]


def _unaligned(explanation: Explanation) -> Sequence[str]:
    return [
        explanation.pair.hypothesis[span.start : span.end]
        for span in explanation.evidence.spans
        if span.kind == UNALIGNED
    ]


def _steps(evidence: Evidence) -> list[tuple[str, str, str]]:
    return [
        (step.what, step.how, "" if step.value is None else f"{step.value:.4f}")
        for step in evidence.steps
    ]
