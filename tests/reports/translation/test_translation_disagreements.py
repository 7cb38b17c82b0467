from xml.etree import ElementTree

import pytest

from ensue.errors import DataError
from ensue.pairs import Label, Pair, Signature, Verdict
from ensue.recognizers import Evidence, Explanation, Link, Side, Span
from ensue.reports.model import Figure, Report, Section
from ensue.reports.page import render_page, write_page
from ensue.reports.pictures.links import SideNames, evidence_svg, links_svg
from ensue.reports.translation.comparisons import disagreement_section
from ensue.translation.evaluation.analyses import Disagreement
from ensue.translation.meta_evaluation import AlignedOutput
from ensue.translation.systems import OutputKey

BETTER, WORSE = OutputKey("cs-en", "12", "uphill"), OutputKey("cs-en", "12", "downhill")
WORST = Disagreement(BETTER, WORSE, 3, 1, 2, 0.25, 0.75, 0.5, None, 1.5)


def linked(output, reference):
    """Link the second word of either side."""
    spans = [Span(Side.HYPOTHESIS, 4, 7, "same", 1.0), Span(Side.TEXT, 4, 7, "same", 1.0)]
    return Evidence(spans, [Link(0, 1, "same")])


REFERENCE = "The cat was asleep."
ALIGNED = {
    key: AlignedOutput(output, REFERENCE, linked(output, REFERENCE))
    for key, output in ((BETTER, "The cat <slept>."), (WORSE, "The cat was a sheep."))
}


@pytest.fixture(scope="module")
def section():
    return disagreement_section([WORST], ALIGNED, metric="some")


def test_section_draws_both_outputs_against_the_reference(section):
    assert section.title == "Worst disagreements of some, drawn"
    assert [figure.title for figure in section.parts] == [
        "1. Segment cs-en 12: people prefer uphill",
        "1. Segment cs-en 12: some prefers downhill",
    ]


def test_captions_say_system_votes_scores_and_margin(section):
    assert [figure.caption for figure in section.parts] == [
        "Output of uphill: votes: 3 for it, 1 against, 2 for neither; score 0.25.",
        "Output of downhill: votes: 1 for it, 3 against, 2 for neither; score 0.75,"
        " ahead by a margin of 0.5.",
    ]


def test_caption_says_the_probability_where_there_is_one():
    sure = Disagreement(BETTER, WORSE, 3, 0, 0, 0.25, 0.75, 0.5, 0.125, 1.5)
    section = disagreement_section([sure], ALIGNED)
    assert section.parts[0].caption.endswith("score 0.25, better with probability 0.125.")


def test_figures_name_the_sides_output_and_reference(section):
    words = [each.text for each in ElementTree.fromstring(section.parts[0].svg).iter()]
    assert {"output", "reference"} <= set(words)
    assert not {"text", "hypothesis"} & set(words)
    assert "hypothesis" not in section.parts[0].svg


def test_figures_escape_the_words(section):
    assert "<slept>" not in section.parts[0].svg
    assert "&lt;slept&gt;" in section.parts[0].svg


def test_figures_have_different_names():
    section = disagreement_section([WORST, WORST], ALIGNED)
    assert len({figure.name for figure in section.parts}) == 4


def test_output_without_words_is_drawn_without_evidence():
    aligned = {BETTER: AlignedOutput("", REFERENCE), WORSE: AlignedOutput(" ", REFERENCE)}
    section = disagreement_section([WORST], aligned)
    assert all(ElementTree.fromstring(figure.svg) is not None for figure in section.parts)


def test_disagreement_without_its_text_is_an_error():
    with pytest.raises(DataError, match="no text of system 'downhill', segment '12' of 'cs-en'"):
        disagreement_section([WORST], {BETTER: ALIGNED[BETTER]})


def test_page_holds_the_figures_as_they_are(section, tmp_path):
    write_page(tmp_path / "page.html", Report("Some", [section]))
    page = (tmp_path / "page.html").read_text("utf-8")
    assert all(figure.svg in page for figure in section.parts)
    assert all(figure.title in page for figure in section.parts)


def test_page_escapes_the_words_around_a_figure():
    figure = Figure("one", "<b>", "<svg/>", "<i>")
    page = render_page(Report("Some", [Section("One", "", [figure])]))
    assert "<svg/>" in page
    assert "&lt;b&gt;" in page
    assert "&lt;i&gt;" in page


def test_evidence_needs_no_verdict_to_be_drawn():
    pair = Pair("1", "The cat slept.", "The cat was asleep.")
    evidence = linked(pair.text, pair.hypothesis)
    verdict = Verdict("1", Label.ENTAILMENT, 0.8, 0.5)
    explanation = Explanation(pair, verdict, Signature("made-up", "1.0"), evidence)
    assert evidence_svg(pair, evidence) == links_svg(explanation)


def test_picture_is_titled_by_the_names_of_its_sides():
    pair = Pair("1", "The cat slept.", "The cat was asleep.")
    svg = ElementTree.fromstring(evidence_svg(pair, Evidence(), SideNames("output", "reference")))
    assert svg.get("aria-label") == "What in the output answers the reference: The cat was asleep."
