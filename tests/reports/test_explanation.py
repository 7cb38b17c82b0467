"""An explanation in the terminal, as a page, as a file and in a notebook."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, strategies as st

import ensue
from ensue.errors import OutputError
from ensue.pairs import Label, Pair, Signature, Status, Verdict
from ensue.recognizers import Evidence, Explanation, Link, Side, Span, Step, Weight
from ensue.reports.explanation import (
    explanation_fragment,
    explanation_html,
    write_explanation,
    write_explanation_file,
)
from ensue.reports.pictures.links import links_svg
from ensue.reports.pictures.svg import contributions_svg, ranked

TEXT = "On 3 May 2004 the firm did not raise all prices."
HYPOTHESIS = "The company cut some <big> prices."
SPANS = [
    Span(Side.HYPOTHESIS, 4, 11, "synonym", 0.9),
    Span(Side.TEXT, 18, 22, "synonym", 0.9),
    Span(Side.HYPOTHESIS, 12, 15, "antonym", 0.75),
    Span(Side.TEXT, 31, 36, "antonym", 0.75),
    Span(Side.HYPOTHESIS, 27, 33, "same", 1.0),
    Span(Side.TEXT, 41, 47, "same", 1.0),
    Span(Side.HYPOTHESIS, 21, 26, "unaligned", 0.0),
    Span(Side.HYPOTHESIS, 16, 20, "quantifier", 0.0),
    Span(Side.TEXT, 3, 13, "date", 0.0),
    Span(Side.TEXT, 27, 30, "negation", 0.0),
    Span(Side.TEXT, 37, 40, "quantifier", 0.0),
]
LINKS = [Link(0, 1, "synonym"), Link(2, 3, "antonym"), Link(4, 5, "same")]
WEIGHTS = [
    Weight("aligned", 0.5, 1.0, 0.5),
    Weight("antonyms", 1.0, -2.0, -2.0),
    Weight("dates", 0.0, 3.0, 0.0),
]
STEPS = [Step("sum", "0.5 - 2", -1.5), Step("decision", "-1.5 < 0: not-entailment")]
EXPLANATION = Explanation(
    Pair("1", TEXT, HYPOTHESIS),
    Verdict("1", Label.NOT_ENTAILMENT, -1.5, 0.25),
    Signature("made-up", "1.0", {"size": 3}),
    Evidence(SPANS, LINKS, STEPS, WEIGHTS),
)

PRINTED = """\
text       On {3 May 2004}/D the [firm] did not/N [raise] all/Q [prices].
hypothesis The [company] [cut] some/Q ⟨<big>⟩ [prices].
marks      /N negation, /Q quantifier, /D date, ⟨⟩ unaligned

  company → firm    synonym    0.90
  cut     → raise   antonym    0.75
  <big>   → –       unaligned
  prices  → prices  same       1.00

               against│for
  antonyms  ██████████│            -2.0000 = 1 · -2.0000
  aligned             │██▌         +0.5000 = 0.5 · 1.0000

  sum       0.5 - 2 = -1.5000
  decision  -1.5 < 0: not-entailment

verdict: not-entailment, score -1.5000, confidence 0.2500
signature: made-up|size:3|version:1.0
"""


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.words, self.names = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.names += [name for name, _ in attributes]

    def handle_data(self, data):
        if data.strip():
            self.words.append(data.strip())


def other(**changes):
    parts = {
        "pair": EXPLANATION.pair,
        "verdict": EXPLANATION.verdict,
        "signature": EXPLANATION.signature,
        "evidence": EXPLANATION.evidence,
    }
    return Explanation(**(parts | changes))


def test_alignment_is_printed_with_marks_links_and_bars(capsys):
    write_explanation(EXPLANATION)
    assert capsys.readouterr().out == PRINTED


def test_pair_cannot_command_the_terminal(capsys):
    pair = Pair("1", TEXT.replace("On", "\x1b\x9b"), HYPOTHESIS.replace(" some", "\nsome"))
    write_explanation(other(pair=pair))
    assert capsys.readouterr().out == PRINTED.replace("On", "␛�", 1)


def test_alignment_is_colored_by_kind_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    write_explanation(EXPLANATION)
    shown = capsys.readouterr().out
    assert "\x1b[1;38;2;213;94;0mraise\x1b[0m" in shown  # the color of warnings
    assert "[raise]" not in shown
    assert "⟨" in shown


def test_matched_words_are_printed_as_before(capsys):
    write_explanation(ensue.load("overlap").explain(Pair("1", "A dog barks.", "A dog sings.")))
    assert capsys.readouterr().out == (
        "text       [A] [dog] barks.\n"
        "hypothesis [A] [dog] sings.\n"
        "\n"
        "  covered weight of the hypothesis  2 / 3 = 0.6667\n"
        "  decision                          0.6667 > 0.6430: entailment\n"
        "  confidence                        (0.6667 - 0.6430) / (1 - 0.6430) = 0.0663\n"
        "\n"
        "  a      1 · 0.3333 = 0.3333\n"
        "  dog    1 · 0.3333 = 0.3333\n"
        "  sings  0 · 0.3333 = 0.0000\n"
        "\n"
        "verdict: entailment, score 0.6667, confidence 0.0663\n"
        "signature: overlap|tokenizer:words|lowercase:yes|stem:no|idf:no|cutoff:0.643"
        f"|version:{ensue.__version__}\n"
    )


def test_many_contributions_are_summed_in_one_line(capsys):
    weights = [Weight(f"feature {i:02}", 1.0, i / 8, i / 8) for i in range(1, 16)]
    write_explanation(other(evidence=Evidence(SPANS, LINKS, (), weights)))
    # all but the largest twelve: 1/8 + 2/8 + 3/8
    assert "\n  and 3 more, together +0.7500\n" in capsys.readouterr().out


def test_ranked_puts_the_largest_first_and_leaves_out_nothings():
    chosen = ranked(WEIGHTS, 1)
    assert [each.name for each in chosen.largest] == ["antonyms", "aligned"]  # one is not summed
    assert (chosen.n_others, chosen.others) == (0, 0.0)


def test_contributions_are_bars_with_the_rest_summed():
    weights = [Weight(f"f{i}", 1.0, 1.0, float(i)) for i in range(1, 16)]
    svg = contributions_svg(weights)
    assert svg.count('class="bar"') == 12 + 1
    assert ">3 others</text>" in svg
    assert ">+6.0000</text>" in svg  # 1 + 2 + 3


def test_contributions_of_nothing_are_no_picture():
    assert contributions_svg([Weight("dates", 0.0, 3.0, 0.0)]) == ""


def test_page_shows_pictures_tables_steps_verdict_and_signature():
    page = Page(explanation_html(EXPLANATION))
    assert page.tags.count("svg") == 2
    wanted = {"not-entailment", "score -1.5000, confidence 0.2500", "made-up|size:3|version:1.0"}
    wanted |= {"antonyms", "-2.0000", "0.5 - 2", "synonym", "1 more add nothing here."}
    assert wanted <= set(page.words)


def test_page_escapes_what_the_pair_says():
    page = Page(explanation_html(EXPLANATION))
    assert "<big>" in page.words
    assert "big" not in page.tags


@pytest.mark.parametrize("make", [explanation_html, explanation_fragment])
def test_html_has_no_script_and_asks_no_host(make):
    text = make(EXPLANATION)
    page = Page(text)
    assert not {"script", "link", "img", "iframe", "object", "embed"} & set(page.tags)
    assert not [name for name in page.names if name.startswith("on") or name in ("src", "href")]
    assert set(re.findall(r"https?://[^\"'\s)]+", text)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"url\(|@import", text)


@given(st.text(st.characters(exclude_categories=()), max_size=40))
def test_page_of_any_text_can_be_written(string):
    spans = [Span(Side.TEXT, 0, len(string), "same", 1.0)]
    evidence = Evidence(spans, (), [Step(string, string)], [Weight(string, 1, 1, 1)])
    page = explanation_html(other(pair=Pair("1", string, string), evidence=evidence))
    assert page.encode("utf-8").endswith(b"</html>")


def test_page_says_why_there_is_no_verdict():
    verdict = Verdict("1", None, status=Status.ABSTAINED, reason="the hypothesis has no words")
    page = Page(explanation_html(other(verdict=verdict, evidence=Evidence())))
    assert "abstained: the hypothesis has no words" in page.words


def test_page_is_dark_where_the_reader_wants_it():
    assert "prefers-color-scheme: dark" in explanation_html(EXPLANATION)


def test_notebook_shows_the_fragment_on_its_own_ground():
    shown = EXPLANATION._repr_html_()
    assert shown == explanation_fragment(EXPLANATION)
    assert shown.startswith('<div style="background: #ffffff;')
    assert "<style" not in shown


def test_file_is_a_page_or_a_picture_by_its_name(tmp_path):
    write_explanation_file(tmp_path / "why.HTML", EXPLANATION)
    write_explanation_file(tmp_path / "why.svg", EXPLANATION)
    assert (tmp_path / "why.HTML").read_text("utf-8") == explanation_html(EXPLANATION)
    assert (tmp_path / "why.svg").read_text("utf-8") == links_svg(EXPLANATION) + "\n"


@pytest.mark.parametrize("name", ["why.pdf", "why", "-"])
def test_file_of_another_name_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutputError, match=f"cannot write an explanation to '{name}'") as error:
        write_explanation_file(name, EXPLANATION)
    assert error.value.hint == "name a file that ends in .html, .htm (a page) or .svg (the picture)"
    assert list(tmp_path.iterdir()) == []
