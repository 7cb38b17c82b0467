"""Labels are mapped, and the guard stops only what is clearly in another order."""

from itertools import permutations

import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

import ensue
from ensue.errors import SettingError
from ensue.pairs import Label, View
from ensue.recognizers.external_labels import (
    OBVIOUS,
    ExternalAnswer,
    check_order,
    label_map,
    labels_view,
    shown_labels,
)

E, C, U, N = Label.ENTAILMENT, Label.CONTRADICTION, Label.UNKNOWN, Label.NOT_ENTAILMENT
THREE_WAY = (E, C, U)

names = st.text("abcdefgh0123456789_", min_size=1, max_size=6)
maps = st.dictionaries(names, st.sampled_from(Label), min_size=1, max_size=6)


def answers(name_of):
    """What a program says whose names are `name_of` of the gold."""
    return [ExternalAnswer({"label": name_of(pair.gold)}) for pair in OBVIOUS]


@given(maps)
def test_labels_come_back_from_what_is_shown(labels):
    assert label_map(shown_labels(labels)) == labels
    assert label_map(labels) == labels


def test_label_names_may_have_an_equals_sign_and_spaces_around():
    assert label_map(" a=b = unknown , C=entailment") == {"a=b": U, "c": E}


def test_no_labels_are_none():
    assert label_map(None) is None


@pytest.mark.parametrize(
    ("labels", "view"),
    [
        (None, View.TWO_WAY),
        ({"0": E, "1": N}, View.TWO_WAY),
        ({"0": E, "1": U, "2": C}, View.THREE_WAY),
        ({"0": E, "1": U, "2": N}, View.TWO_WAY),
    ],
)
def test_view_is_that_of_the_labels(labels, view):
    assert labels_view(labels) is view


def test_obvious_pairs_are_a_handful_of_each_kind():
    assert [[pair.gold for pair in OBVIOUS].count(label) for label in THREE_WAY] == [4, 4, 4]
    assert all((pair.text == pair.hypothesis) == (pair.gold is E) for pair in OBVIOUS)
    assert len({pair.id for pair in OBVIOUS}) == len(OBVIOUS)


@pytest.mark.parametrize("order", list(permutations(THREE_WAY)))
def test_guard_stops_every_wrong_order_of_a_good_program_and_names_the_right_one(order):
    said = answers(lambda gold: THREE_WAY.index(gold))
    labels = dict(zip("012", order, strict=True))
    if order == THREE_WAY:
        check_order(said, labels)
        return
    with pytest.raises(SettingError, check=coded("labels-fit-obvious-pairs")) as caught:
        check_order(said, labels)
    right = "0=entailment,1=contradiction,2=unknown"
    assert f"{right} would fit 100%" in caught.value.message
    assert caught.value.hint == f"give -s labels={right}, or go on with -s guard=no"


def test_guard_shows_its_arithmetic():
    # entailment right, the other two exchanged: (1 + 0 + 0) / 3
    labels = {"0": E, "1": U, "2": C}
    with pytest.raises(SettingError, match="fit 33% of the obvious pairs") as caught:
        check_order(answers(lambda gold: THREE_WAY.index(gold)), labels)
    assert "'No dog is sleeping on the sofa.' it says '1', which is to mean unknown" in str(
        caught.value
    )


@pytest.mark.parametrize("name", "01")
def test_guard_lets_a_program_go_on_that_always_says_the_same(name):
    for labels in ({"0": E, "1": N}, {"0": N, "1": E}, {"0": E, "1": C, "2": U}):
        check_order(answers(lambda _: name), labels)


def test_guard_stops_two_labels_in_the_wrong_order():
    with pytest.raises(SettingError, match="0=entailment,1=not-entailment would fit 100%"):
        check_order(answers(lambda gold: int(gold is not E)), {"0": N, "1": E})


def test_guard_stops_own_names_in_the_wrong_order():
    swapped = {E: "not-entailment", C: "entailment", U: "entailment"}
    with pytest.raises(SettingError, match="fit 0% of the obvious pairs"):
        check_order(answers(swapped.get), None)


def test_guard_knows_several_names_for_one_label():
    labels = {"0": N, "1": N, "2": E}
    with pytest.raises(SettingError, match="0=entailment,1=not-entailment,2=not-entailment"):
        check_order(answers(lambda gold: THREE_WAY.index(gold)), labels)
    check_order(answers(lambda gold: 2 - THREE_WAY.index(gold)), labels)


def test_guard_does_not_blame_recognizers_that_count_words():
    # of the contradictions, which share most words, they say yes in good faith
    counting = {E: "entailment", C: "entailment", U: "not-entailment"}
    check_order(answers(counting.get), None)
    for name in ("modified-bleu", "overlap", "bleu", "random", "always"):
        verdicts = ensue.load(name).judge(OBVIOUS)
        check_order([ExternalAnswer({"label": verdict.label}) for verdict in verdicts], None)


def test_guard_has_nothing_to_say_without_answers():
    check_order([ExternalAnswer(failure="late")] * len(OBVIOUS), {"0": E, "1": N})
    check_order([ExternalAnswer(failure="late")] * len(OBVIOUS), None)
    check_order(answers(lambda _: "nobody mapped this"), None)


def test_guard_takes_many_names():
    labels = {f"name {i}": U for i in range(30)} | {"yes": C, "no": E}
    with pytest.raises(SettingError, match="yes=entailment"):
        check_order(
            answers({E: "yes", C: "no", U: "name 3"}.get), labels
        )  # fmt: skip


@given(st.lists(st.sampled_from("012?"), min_size=12, max_size=12))
def test_guard_stops_just_where_a_plain_count_says_so(said):
    given = dict(zip("012", THREE_WAY, strict=True))

    def n_right(order):
        labels = dict(zip("012", order, strict=True))
        return sum(labels.get(s) is pair.gold for s, pair in zip(said, OBVIOUS, strict=True))

    best = max(n_right(order) for order in permutations(THREE_WAY))
    stops = best >= 11 and best - n_right(THREE_WAY) >= 6  # 0.9 · 12 and 0.5 · 12
    spoken = [ExternalAnswer({"label": name}) for name in said]
    if stops:
        with pytest.raises(SettingError):
            check_order(spoken, given)
    else:
        check_order(spoken, given)
