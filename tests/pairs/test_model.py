from __future__ import annotations

import dataclasses

import pytest

from ensue.pairs import Label, Pair, Status, Verdict


def test_pair_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Pair("1", "a", "b").text = "c"  # type: ignore[misc]


def test_pair_can_be_in_a_set_whatever_its_meta():
    assert len({Pair("1", "a", "b", meta={"x": [1]}), Pair("1", "a", "b", meta={"x": [1]})}) == 1


def test_verdict_refuses_a_confidence_of_1_7():
    with pytest.raises(ValueError, match=r"confidence 1.7 is not in \[0, 1\]"):
        Verdict("1", Label.ENTAILMENT, confidence=1.7)


@pytest.mark.parametrize(
    ("label", "status"), [(Label.ENTAILMENT, Status.ABSTAINED), (None, Status.DECIDED)]
)
def test_verdict_refuses_a_label_that_does_not_go_with_its_status(label, status):
    with pytest.raises(ValueError, match="does not go with status"):
        Verdict("1", label, status=status)
