"""Frequent verbs as source terms."""

import pytest

from ensue.errors import SettingError
from ensue.language.lexicon import load_lexicon
from ensue.paraphrase.recognition import frequent_terms
from ensue.paraphrase.recognition.terms import past_forms


def test_frequent_terms_are_past_forms_by_positive_pairs(task_of):
    task = task_of(
        ("He told it and sold it", "He told it", True),  # told, sold
        ("He told a story", "A story", True),  # told
        ("He went", "They sold it in the United States", True),  # went, sold
        ("He yelled", "He yelled", False),
    )
    assert frequent_terms([task], 5) == ("sold", "told", "went")
    assert frequent_terms([task], 1) == ("sold",)


def test_frequent_terms_are_summed_over_tasks(task_of):
    first = task_of(("He told it", "it", True), name="first")
    second = task_of(("He went", "x", True), ("She went", "y", True), name="second")
    assert frequent_terms([first, second], 2) == ("went", "told")


def test_frequent_terms_leave_out_what_is_written_with_a_capital(task_of):
    task = task_of(("The United States agreed", "United they agreed", True))
    assert frequent_terms([task], 5) == ("agreed",)


@pytest.mark.parametrize("word", ["found", "called", "killed", "broke", "left", "rose", "emailed"])
def test_past_forms_are_found(word):
    assert past_forms([word], load_lexicon()) == [word]


@pytest.mark.parametrize(
    "word", ["ground", "hundred", "speed", "need", "was", "had", "red", "meeting", "kills", "kill"]
)
def test_past_forms_are_not_nouns_auxiliaries_or_other_forms(word):
    assert past_forms([word], load_lexicon()) == []


def test_frequent_terms_refuse_less_than_one(task_of):
    with pytest.raises(SettingError, match="0 terms cannot be chosen"):
        frequent_terms([task_of(("a", "b", True))], 0)
