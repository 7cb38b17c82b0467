"""Trying recognizers, and the links to what was tried."""

import pytest

from ensue.errors import LimitError, NotFoundError, SettingError, UnknownNameError
from ensue.recognizers import Explanation
from ensue.workbench import Limits, Workbench, trials as trying
from ensue.workbench.trials import (
    RecognizerTrial,
    TrialFailure,
    checked,
    explanations,
    find_trial,
    keep_trial,
    offered,
)

PAIR = RecognizerTrial(("modified-bleu", "overlap"), "A dog barks at night.", "A dog barks.")


def test_link_leads_back_to_what_was_tried(workbench, ada, bob):
    key = keep_trial(workbench, ada, PAIR)
    assert keep_trial(workbench, bob, PAIR) == key
    assert find_trial(workbench, key) == PAIR
    with pytest.raises(NotFoundError):
        find_trial(workbench, key[:-1])


def test_every_recognizer_says_why():
    found = explanations(PAIR)
    assert all(isinstance(each, Explanation) for each in found)
    assert [each.signature.recognizer for each in found] == ["modified-bleu", "overlap"]
    assert explanations(PAIR) == found


def test_recognizer_that_fails_leaves_the_others_alone(monkeypatch):
    def load(name):
        if name == "overlap":
            raise SettingError("not-today", "not today", hint="tomorrow")
        return loaded(name)

    loaded = trying._loaded.__wrapped__
    monkeypatch.setattr(trying, "_loaded", load)
    first, second = explanations(PAIR)
    assert isinstance(first, Explanation)
    assert second == TrialFailure("overlap", "not today", "tomorrow")


@pytest.mark.parametrize(
    ("trial", "error", "said"),
    [
        (RecognizerTrial(("overlap",), " ", "x"), SettingError, "no text"),
        (RecognizerTrial(("overlap",), "x", ""), SettingError, "no hypothesis"),
        (RecognizerTrial((), "x", "y"), SettingError, "no recognizer"),
        (RecognizerTrial(("overlap",), "x" * 99, "y"), LimitError, "99 characters"),
        (RecognizerTrial(("overlap",), "x", claims="y" * 99), LimitError, "claims"),
        (RecognizerTrial(("python:os:system",), "x", "y"), UnknownNameError, "python:os:system"),
        (RecognizerTrial(("command:ls",), "x", "y"), UnknownNameError, "command:ls"),
        (RecognizerTrial(("../secrets",), "x", "y"), UnknownNameError, "secrets"),
    ],
)
def test_what_cannot_be_tried_is_refused(workbench, ada, trial, error, said):
    small = Workbench(workbench.database, Limits(text=50, hypothesis=20))
    with pytest.raises(error, match=said):
        keep_trial(small, ada, trial)


def test_only_what_is_named_is_offered(workbench, ada):
    assert offered()[0] == "features"
    assert offered(["overlap"]) == ["overlap"]
    with pytest.raises(UnknownNameError):
        keep_trial(workbench, ada, PAIR, ["overlap"])


def test_claims_are_checked_against_a_document():
    source = "The town raised the age from 15 to 16 in 2019. A bus line costs $5 million a year."
    trial = RecognizerTrial(
        ("overlap",), source, claims="The town raised the age in 2019. The age is 18."
    )
    found = checked(trial)
    assert [each.supported for each in found] == [True, False]
