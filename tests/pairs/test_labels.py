from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.errors import LabelError
from ensue.pairs import Label, LabelMapper, View, coarser_view
from ensue.pairs.model import PLAIN_LABELS

LABELS = st.sampled_from(Label)


def test_two_way_view_sees_everything_but_entailment_as_one():
    assert {View.TWO_WAY.of(label) for label in Label} == {Label.ENTAILMENT, Label.NOT_ENTAILMENT}


def test_three_way_view_refuses_not_entailment():
    with pytest.raises(LabelError, check=coded("not-entailment-no-place-way")):
        View.THREE_WAY.of(Label.NOT_ENTAILMENT)


@pytest.mark.parametrize(("view", "chance"), [(View.TWO_WAY, 1 / 2), (View.THREE_WAY, 1 / 3)])
def test_chance_is_one_over_the_number_of_labels(view, chance):
    assert view.chance == chance


@given(st.lists(st.lists(LABELS), max_size=4))
def test_coarser_view_can_see_every_label(labellings):
    view = coarser_view(*labellings)
    assert all(view.of(label) in view.labels for labelling in labellings for label in labelling)


@given(st.lists(LABELS), st.lists(LABELS))
def test_coarser_view_does_not_depend_on_order(one, other):
    assert coarser_view(one, other) is coarser_view(other, one) is coarser_view(one + other)


@pytest.mark.parametrize("name", ["TRUE", " true ", "True"])
def test_mapper_ignores_case_and_blanks(name):
    assert LabelMapper(PLAIN_LABELS)(name) is Label.ENTAILMENT


def test_mapper_overrides_come_first():
    assert LabelMapper(PLAIN_LABELS, {"NO": Label.CONTRADICTION})("no") is Label.CONTRADICTION


def test_mapper_override_of_none_is_no_gold():
    assert LabelMapper(PLAIN_LABELS, {"x": None})("X") is None


def test_mapper_refuses_an_unknown_name_and_lists_the_known_ones():
    with pytest.raises(LabelError) as caught:
        LabelMapper({"yes": Label.ENTAILMENT, "no": Label.NOT_ENTAILMENT})("si", place="x:3")
    assert str(caught.value) == (
        "x:3: unknown label 'si'; known here are: no, yes\n"
        "hint: say what they mean: --label si=LABEL, where LABEL is one of entailment,"
        " contradiction, unknown, not-entailment, none"
    )


@pytest.mark.parametrize("names", [("no", "unknown"), ("unknown", "no"), ("FALSE", "neutral")])
def test_mapper_refuses_a_vague_no_beside_a_fine_label(names):
    mapper = LabelMapper(PLAIN_LABELS)
    mapper(names[0])
    with pytest.raises(LabelError, check=coded("file-mean-contradiction-not-entailment")):
        mapper(names[1])
