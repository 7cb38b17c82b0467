"""The picture of a pair: what it draws, and that any text makes a picture."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st

from ensue.pairs import Label, Pair, Signature, Verdict
from ensue.recognizers import Evidence, Explanation, Link, Side, Span
from ensue.reports.pictures.layout import typeset
from ensue.reports.pictures.links import WIDTH, links_svg
from ensue.reports.pictures.svg import LOOKS, MARKS, UNALIGNED, looks_of, text_width

SVG = "{http://www.w3.org/2000/svg}"
KINDS = [*LOOKS, *MARKS, UNALIGNED, "3-gram"]


def explained(text, hypothesis, spans=(), links=()):
    return Explanation(
        Pair("1", text, hypothesis),
        Verdict("1", Label.ENTAILMENT, 0.8, 0.5),
        Signature("made-up", "1.0"),
        Evidence(spans, links),
    )


TEXT, HYPOTHESIS = "A dog did not bark.", "An animal barked <twice>."
SPANS = [
    Span(Side.HYPOTHESIS, 3, 9, "hyponym", 0.8),
    Span(Side.TEXT, 2, 5, "hyponym", 0.8),
    Span(Side.HYPOTHESIS, 10, 16, "same", 1.0),
    Span(Side.TEXT, 14, 18, "same", 1.0),
    Span(Side.HYPOTHESIS, 17, 24, "unaligned", 0.0),
    Span(Side.TEXT, 10, 13, "negation", 0.0),
]
LINKS = [Link(0, 1, "hyponym"), Link(2, 3, "same")]
EXPLANATION = explained(TEXT, HYPOTHESIS, SPANS, LINKS)


def drawn(explanation):
    return ElementTree.fromstring(links_svg(explanation))


def of_class(svg, name):
    return [each for each in svg.iter(f"{SVG}g") if each.get("class") == name]


def legend_of(svg):
    return [each.findall(f"{SVG}text")[-1].text for each in of_class(svg, "legend")]


@st.composite
def explanations(draw):
    strings = st.text(st.characters(exclude_categories=()), max_size=60)
    text, hypothesis = draw(strings), draw(strings)

    def spans(side, string):
        places = st.integers(0, len(string))
        made = st.builds(
            lambda one, other, kind, strength: Span(
                side, min(one, other), max(one, other), kind, strength
            ),
            places,
            places,
            st.sampled_from(KINDS),
            st.floats(0, 1),
        )
        return draw(st.lists(made, min_size=1, max_size=5))

    asked, answers = spans(Side.HYPOTHESIS, hypothesis), spans(Side.TEXT, text)
    link = st.builds(
        Link,
        st.integers(0, len(asked) - 1),
        st.integers(len(asked), len(asked) + len(answers) - 1),
        st.sampled_from([*LOOKS, "3-gram"]),
    )
    links = draw(st.lists(link, max_size=6))
    return explained(text, hypothesis, [*asked, *answers], links)


@given(explanations())
def test_picture_of_any_text_is_xml_with_every_link_once(explanation):
    svg = drawn(explanation)
    assert len(of_class(svg, "link")) == len(explanation.evidence.links)


@given(explanations())
def test_picture_of_any_text_is_as_wide_as_a_page_at_most(explanation):
    assert float(drawn(explanation).get("width")) <= WIDTH


@given(explanations())
def test_legend_names_exactly_the_kinds_that_occur(explanation):
    evidence = explanation.evidence
    kinds = {span.kind for span in evidence.spans} | {link.kind for link in evidence.links}
    assert sorted(legend_of(drawn(explanation))) == sorted(kinds)


def test_legend_is_in_the_order_of_kinds():
    assert legend_of(drawn(EXPLANATION)) == ["same", "hyponym", "unaligned", "negation"]


def test_picture_without_spans_has_no_legend():
    assert legend_of(drawn(explained("Oil fell.", "It rained."))) == []


def test_picture_says_what_each_link_joins():
    titles = [each.find(f"{SVG}title").text for each in of_class(drawn(EXPLANATION), "link")]
    assert titles == ["animal → dog (hyponym, 0.80)", "barked → bark (same, 1.00)"]


def test_picture_names_itself_for_those_who_do_not_see_it():
    svg = drawn(EXPLANATION)
    assert svg.get("role") == "img"
    assert svg.find(f"{SVG}title").text == svg.get("aria-label")
    assert "animal → dog (hyponym, 0.80)" in svg.find(f"{SVG}desc").text


def test_picture_escapes_the_words():
    shown = [each.text for each in drawn(EXPLANATION).iter(f"{SVG}text")]
    assert "<twice>" in shown
    assert "<twice>" not in links_svg(EXPLANATION)


def test_picture_leaves_out_what_xml_cannot_hold():
    svg = drawn(explained("A\0 d\x1bog\ud800 b\ufffearks.", "A dog."))
    assert "dog" in [each.text for each in svg.iter(f"{SVG}text")]


def test_picture_has_no_script_and_asks_no_host():
    svg = links_svg(EXPLANATION)
    assert re.findall(r"https?://[^\"]+", svg) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<script|href|url\(|<style|@import", svg)


def test_picture_strikes_through_what_speaks_against():
    spans = [Span(Side.HYPOTHESIS, 0, 3, "antonym", 1.0), Span(Side.TEXT, 0, 4, "antonym", 1.0)]
    (link,) = of_class(drawn(explained("Cold.", "Hot.", spans, [Link(0, 1, "antonym")])), "link")
    assert len(link.findall(f"{SVG}path")) == 2  # the curve, and the cross on it


def test_picture_outlines_what_is_unaligned():
    svg = drawn(EXPLANATION)
    outlines = [each for each in svg.iter(f"{SVG}rect") if each.get("stroke-dasharray")]
    assert len(outlines) == 2  # the word, and its sample in the legend


def test_picture_draws_a_span_once_that_two_links_share():
    spans = [
        Span(Side.HYPOTHESIS, 0, 3, "same", 1.0),
        Span(Side.TEXT, 0, 3, "same", 1.0),
        Span(Side.HYPOTHESIS, 4, 7, "same", 1.0),
        Span(Side.TEXT, 0, 3, "same", 1.0),
    ]
    svg = drawn(explained("dog", "dog dog", spans, [Link(0, 1, "same"), Link(2, 3, "same")]))
    boxes = [each for each in svg.iter(f"{SVG}rect") if each.get("rx") == "4"]
    assert len(boxes) == 3


def test_picture_labels_two_marks_of_one_word_together():
    spans = [Span(Side.TEXT, 0, 2, "negation", 0), Span(Side.TEXT, 0, 2, "quantifier", 0)]
    svg = drawn(explained("No dog barks.", "A dog barks.", spans))
    assert "neg · quant" in [each.text for each in svg.iter(f"{SVG}text")]


def test_known_kinds_all_look_different():
    assert len(set(LOOKS.values())) == len(LOOKS)


def test_unknown_kinds_take_different_looks():
    kinds = [f"{n}-gram" for n in range(1, 8)]
    assert len(set(looks_of(kinds).values())) == 7


def test_typeset_wraps_between_words():
    width = text_width("one two", 10) + 9
    block = typeset("one two three", (), width=width, size=10)
    assert [(word.shown, word.line) for word in block.words] == [
        ("one", 0),
        ("two", 0),
        ("three", 1),
    ]


def test_typeset_cuts_words_where_spans_end():
    block = typeset("barks.", (0, 5), width=200, size=10)
    assert [(word.shown, word.left) for word in block.words] == [
        ("barks", 0),
        (".", pytest.approx(text_width("barks", 10))),
    ]


def test_typeset_breaks_a_word_that_is_longer_than_a_line():
    block = typeset("x" * 300, (), width=100, size=10)
    assert "".join(word.shown for word in block.words) == "x" * 300
    assert max(word.right for word in block.words) <= 100
    assert block.n_lines > 10


def test_typeset_begins_at_the_right_where_a_script_does():
    block = typeset("שלום עולם", (), width=200, size=10)
    first, second = block.words
    assert first.left > second.left
    assert not block.rightward


def test_segments_of_a_span_over_two_lines_are_two():
    block = typeset("one two", (), width=text_width("one", 10), size=10)
    assert [segment.line for segment in block.segments(0, 7)] == [0, 1]
