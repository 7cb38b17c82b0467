"""Propositions as pictures and in notebooks."""

import pytest

import ensue
from ensue.reports import propositions_picture
from ensue.reports.pictures import render

TEXT = "Police said that Ada Lind <b>, the owner of the mill, had left. It may rain."


def test_notebook_shows_each_sentence_with_its_statements():
    shown = ensue.propositions(TEXT)._repr_html_()
    assert shown.count("<ol") == 2
    assert shown.count("<li>") == len(ensue.propositions(TEXT))
    assert "<b>" not in shown
    assert "possible “may”" in shown


def test_notebook_says_that_there_are_none():
    assert "no propositions" in ensue.propositions("")._repr_html_()


def test_picture_has_a_bar_for_each_stretch():
    found = ensue.propositions("The boy who fell cried.")
    picture = propositions_picture(found.text, found)
    bars, texts = (layer["data"]["values"] for layer in picture.spec["layer"])
    # a sample in the legend, a track for each statement, and two stretches for each of them
    assert len(bars) == 1 + len(found) + sum(len(each.spans) for each in found)
    assert [each["text"] for each in texts if each["text"].startswith("The boy")] == [
        "The boy who fell cried.",
        "The boy cried.",
        "The boy fell.",
    ]
    # the statement's first stretch is *The boy*: 7 of 23 characters
    assert bars[2]["x"] == 0
    assert bars[2]["x2"] == pytest.approx(760 * 7 / 23)


def test_picture_of_a_long_text_says_how_many_are_left_out():
    found = ensue.propositions("The river froze. " * 70)
    drawn = render(propositions_picture(found.text, found), "svg").decode()
    assert "and 10 more" in drawn


def test_picture_of_nothing_can_be_drawn():
    assert b"<svg" in render(propositions_picture("", ensue.propositions("")), "svg")
