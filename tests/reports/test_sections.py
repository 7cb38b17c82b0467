"""Sections of an explanation: in the terminal, on a page, in a notebook, as JSON."""

import json

import pytest

from ensue.errors import UndefinedError
from ensue.pairs import Label, Pair, Signature, Verdict
from ensue.recognizers import Evidence, EvidenceSection, Explanation
from ensue.reports.explanation import explanation_fragment, explanation_html, write_explanation

SECTIONS = [
    EvidenceSection(
        "proof", "Why", ("part", "from"), [("a dog", "a <poodle>"), ("big", "a large one")]
    ),
    EvidenceSection("missing", "What is missing", ("",), [("a cat",)]),
    EvidenceSection("tptp", "The problem", ("",), [("fof(t0, axiom, a).",)], folded=True),
]


@pytest.fixture
def explanation():
    pair = Pair("1", "A poodle barks.", "A dog barks.")
    verdict = Verdict("1", Label.UNKNOWN, 0.0, 0.5)
    return Explanation(pair, verdict, Signature("made", "1"), Evidence(sections=SECTIONS))


def test_terminal_has_sections_in_columns(explanation, capsys):
    write_explanation(explanation)
    shown = capsys.readouterr().out
    assert "Why\n  part   from\n  a dog  a <poodle>\n  big    a large one\n" in shown
    assert "What is missing\n  a cat\n" in shown


def test_terminal_has_what_is_folded_only_with_the_trace(explanation, capsys):
    write_explanation(explanation)
    assert "The problem" not in capsys.readouterr().out
    write_explanation(explanation, trace=True)
    assert "The problem\n  fof(t0, axiom, a).\n" in capsys.readouterr().out


def test_page_folds_away_what_is_folded(explanation):
    html = explanation_html(explanation)
    assert "<h2>Why</h2>" in html
    assert "<td><bdi>a &lt;poodle&gt;</bdi></td>" in html
    assert "<summary>The problem</summary>" in html


def test_fragment_has_what_is_not_folded(explanation):
    fragment = explanation_fragment(explanation)
    assert "a dog ← a &lt;poodle&gt;" in fragment
    assert "fof(" not in fragment


def test_json_has_all_sections(explanation, capsys):
    write_explanation(explanation, format="json")
    sections = json.loads(capsys.readouterr().out)["sections"]
    assert [each["name"] for each in sections] == ["proof", "missing", "tptp"]


def test_problem_is_written_line_by_line(explanation, capsys):
    write_explanation(explanation, format="tptp")
    assert capsys.readouterr().out == "fof(t0, axiom, a).\n"


def test_problem_that_is_not_there_is_an_error(explanation, capsys):
    without = Explanation(explanation.pair, explanation.verdict, explanation.signature, Evidence())
    with pytest.raises(UndefinedError, match="there is no problem for a prover"):
        write_explanation(without, format="tptp")
    assert capsys.readouterr().out == ""
