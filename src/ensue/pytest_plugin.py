"""The fixture `ensue` of pytest: what is generated follows from its source, or the test fails.

PYTEST_DONT_REWRITE

    def test_answer(ensue):
        ensue.supported(source, answer)
        ensue.entails(text, hypothesis)

pytest loads this module in every session, so that nothing of ours is imported here: a test that asks
for the fixture pays for it, and no other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ensue.claims import CheckedClaim, CheckedClaims, Passage, SourceText
    from ensue.pairs import Verdict
    from ensue.recognizers import Recognizer

_RECOGNIZER = "ensue_recognizer"
_LONG = 400
"""Characters of a text that are shown without being cut."""
_AROUND = 120
"""Characters on either side of what differs, where a text is cut."""

Span = tuple[int, int]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the settings of pytest's file."""
    what = "What judges for the fixture ensue: a name or a directory, as ensue.load takes them."
    parser.addini(_RECOGNIZER, what, default="joint")


@pytest.fixture(scope="session", name="ensue")
def ensue_fixture(pytestconfig: pytest.Config) -> EntailmentAssertions:
    """Assertions about what follows from a text."""
    from ensue.recognizers import load

    return EntailmentAssertions(load(str(pytestconfig.getini(_RECOGNIZER))))


class EntailmentAssertions:
    """Assertions about what follows from a text; they give what they found where they hold."""

    def __init__(self, recognizer: Recognizer) -> None:
        """Assert by a recognizer."""
        self._recognizer = recognizer

    def supported(self, source: str | Sequence[str | SourceText], answer: str) -> CheckedClaims:
        """Assert that a source supports each sentence of a text that claims something.

        Args:
            source: What is taken to be true: a text, or several.
            answer: What is checked.

        Raises:
            AssertionError: a sentence is contradicted or not found; it says which, and what differs.
        """
        __tracebackhide__ = True
        from ensue.claims import ClaimText, SourceText, check

        given = [source] if isinstance(source, str) else list(source)
        sources = [
            SourceText(each, f"source {i}" if len(given) > 1 else "source")
            if isinstance(each, str)
            else each
            for i, each in enumerate(given, 1)
        ]
        found = check(sources, [ClaimText(answer, "answer")], self._recognizer)
        if not found.is_supported:
            raise AssertionError("\n".join(_unsupported(found)))
        return found

    def entails(self, text: str, hypothesis: str) -> Verdict:
        """Assert that a hypothesis follows from a text.

        Raises:
            AssertionError: it does not, or nobody could tell; it says what differs.
        """
        __tracebackhide__ = True
        from ensue.pairs import Label, Pair

        (verdict,) = self._recognizer.judge([Pair("1", text, hypothesis)])
        if verdict.label is not Label.ENTAILMENT:
            raise AssertionError("\n".join(_not_entailed(text, hypothesis, verdict)))
        return verdict


def _unsupported(found: CheckedClaims) -> Iterator[str]:
    failed = [each for each in found if each.status.value in ("contradicted", "not-found")]
    n = len(found)
    verb = "is" if len(failed) == 1 else "are"
    yield f"{len(failed)} of {n} claim{'s' * (n > 1)} {verb} not supported"
    for each in failed:
        yield ""
        yield from _claim_lines(each)
    yield ""
    yield f"signature: {found.signature}"


def _claim_lines(checked: CheckedClaim) -> Iterator[str]:
    best = checked.support[0] if checked.support else None
    differing = best.mismatches if best else ()
    told = "" if checked.probability is None else f", probability {checked.probability:.2f}"
    yield f"  {checked.status.value}: {checked.reason}{told}"
    claim = checked.claim
    place = f"{claim.file} {claim.start}–{claim.end}"
    yield f"  claim   {_marked(claim.text, [each.hypothesis for each in differing])} ({place})"
    if best is None:
        return
    passage = best.passage
    spans = [each.text for each in differing if each.text is not None]
    place = f"{passage.file} {passage.start}–{passage.end}"
    yield f"  source  {_marked(passage.text, spans)} ({place})"
    for each in differing:
        places = [_place(claim, each.hypothesis)]
        places += [] if each.text is None else [_place(passage, each.text)]
        yield f"    {each.kind.value}: {each.message} ({', '.join(places)})"


def _place(passage: Passage, span: Span) -> str:
    """A stretch of a passage as places in its file."""
    start, end = passage.place(span)
    return f"{passage.file} {start}–{end}"


def _not_entailed(text: str, hypothesis: str, verdict: Verdict) -> Iterator[str]:
    from ensue.features import find_mismatches, shared_reader

    (compared,) = shared_reader().compare([(text, hypothesis)])
    differing = find_mismatches(compared)
    label = verdict.label.value if verdict.label else f"{verdict.status.value}: {verdict.reason}"
    score = "" if verdict.score is None else f", score {verdict.score:.4f}"
    yield f"the hypothesis does not follow from the text: {label}{score}"
    yield f"  text        {_marked(text, [each.text for each in differing if each.text])}"
    yield f"  hypothesis  {_marked(hypothesis, [each.hypothesis for each in differing])}"
    for each in differing:
        yield f"    {each.kind.value}: {each.message}"


def _marked(text: str, spans: Sequence[Span]) -> str:
    """A text with brackets around stretches; a long one only near these."""
    inside = sorted({(start, end) for start, end in spans if start < end})
    shown, at = [], 0
    for start, end in inside:
        if start >= at:
            shown.append(f"{text[at:start]}[{text[start:end]}]")
            at = end
    marked = "".join([*shown, text[at:]])
    if len(marked) <= _LONG:
        return marked
    first = marked.find("[") if shown else 0
    last = marked.rfind("]") if shown else 0
    begin, stop = max(first - _AROUND, 0), max(last + _AROUND, _LONG - 2 * _AROUND)
    return f"{'…' * (begin > 0)}{marked[begin:stop]}{'…' * (stop < len(marked))}"
