import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

from ensue.errors import SettingError
from ensue.features import GROUPS, NAMES as ENTAILMENT_NAMES
from ensue.translation.features.families import DIRECTED_NAMES as RTE_NAMES, LEXICAL_NAMES
from ensue.translation.metrics.weights import (
    Claim,
    DirectionOutcome,
    EntailmentDirection,
    ModelWeights,
    compare_directions,
    parted,
    published_directions,
    weights_by_group,
)

NAMES = (
    "bleu-1",
    "ter.uniform",
    "forward.root.main",
    "forward.root.unaligned",
    "backward.root.main",
)
WEIGHTS = np.array([0.5, -0.25, 0.3, -0.4, 0.1])
DRAWS = np.array([[0.4, -0.2, 0.2, -0.5, 0.1], [0.6, 0.1, 0.4, -0.1, -0.2]])


def by_place(names=NAMES, weights=WEIGHTS, draws=DRAWS):
    return {(each.group, each.way): each for each in weights_by_group(names, weights, draws)}


def model(weights, draws=0.0, title="rte", names=RTE_NAMES):
    """Weights of the features named, 0 for others; each is as far off in the draws, either way."""
    values = np.array([weights.get(name, 0.0) for name in names])
    spread = np.where(values == 0, 0, draws)
    return ModelWeights(title, names, values, np.array([values - spread, values + spread]))


def said(metrics, recognizer=None):
    return {
        (each.subject, each.way, each.model): each.outcome
        for each in compare_directions(metrics, recognizer)
    }


def test_group_sums_are_by_arithmetic():
    root = by_place()["root", EntailmentDirection.BOTH]
    assert root.n_features == 3
    assert root.total == pytest.approx(0.3 + 0.4 + 0.1)
    assert root.net.value == pytest.approx(0.3 - 0.4 + 0.1)
    assert root.largest == "forward.root.unaligned"
    assert root.largest_weight.value == -0.4


def test_group_has_both_directions_apart():
    found = by_place()
    assert found["root", EntailmentDirection.FORWARD].net.value == pytest.approx(0.3 - 0.4)
    assert found["root", EntailmentDirection.BACKWARD].net.value == 0.1
    assert found["root", EntailmentDirection.BACKWARD].n_features == 1


def test_group_interval_is_of_the_sums_of_each_draw():
    # forward sums of the draws: 0.2 - 0.5 and 0.4 - 0.1
    net = by_place()["root", EntailmentDirection.FORWARD].net
    assert net.low == pytest.approx(-0.3 + 0.025 * 0.6)
    assert net.high == pytest.approx(0.3 - 0.025 * 0.6)
    assert net.same_sign == 0.5


def test_share_is_of_the_entailment_features_alone():
    found = by_place()
    assert found["root", EntailmentDirection.BOTH].share.value == 1
    assert found["root", EntailmentDirection.FORWARD].share.value == pytest.approx(0.7 / 0.8)
    assert found["bleu", EntailmentDirection.BOTH].share is None


def test_share_of_nothing_is_undefined():
    found = by_place(weights=np.zeros(5))
    assert found["root", EntailmentDirection.BOTH].share is None


def test_surface_features_are_grouped_by_prefix():
    names = ("nist10", "bleu-4", "ter.cost-1.insertions", "bleu.penalty", *LEXICAL_NAMES)
    found = weights_by_group(names, np.ones(len(names)), np.empty((0, len(names))))
    assert [(each.group, each.n_features) for each in found] == [
        ("bleu", 2),
        ("nist", 1),
        ("ter", 1),
        ("lexical", len(LEXICAL_NAMES)),
    ]
    assert {each.way for each in found} == {EntailmentDirection.BOTH}


def test_rte_features_make_the_groups_of_the_catalog():
    found = weights_by_group(RTE_NAMES, np.ones(len(RTE_NAMES)), np.empty((0, len(RTE_NAMES))))
    together = [each for each in found if each.way is EntailmentDirection.BOTH]
    expected = [(group.name, 2 * len(group.features)) for group in GROUPS]
    assert [(each.group, each.n_features) for each in together] == expected
    assert len(found) == 3 * 15


def test_recognizer_features_have_no_direction():
    names = (*ENTAILMENT_NAMES, "task.IE")
    found = weights_by_group(names, np.ones(75), np.empty((0, 75)))
    assert {each.way for each in found} == {EntailmentDirection.BOTH}
    assert found[-1].group == "task"


def test_weights_without_draws_have_no_interval():
    net = by_place(draws=np.empty((0, 5)))["root", EntailmentDirection.BOTH].net
    assert (net.low, net.high, net.same_sign, net.sign) == (None, None, None, None)


def test_undefined_draws_are_left_out():
    draws = np.vstack([DRAWS, np.full(5, np.nan)])
    assert by_place(draws=draws) == by_place()


def test_draws_of_other_features_are_an_error():
    with pytest.raises(SettingError, match="5 names do not go with"):
        weights_by_group(NAMES, WEIGHTS, DRAWS[:, :4])


NUMBERS = arrays(np.float64, len(RTE_NAMES), elements=st.floats(-5, 5))


@given(NUMBERS)
@settings(max_examples=15)
def test_directions_sum_to_both(weights):
    found = by_place(RTE_NAMES, weights, np.array([weights]))
    for group in GROUPS:
        both, *each = (found[group.name, way] for way in EntailmentDirection)
        assert both.net.value == pytest.approx(sum(one.net.value for one in each), abs=1e-9)
        assert both.total == pytest.approx(sum(one.total for one in each))
        assert abs(both.net.value) <= both.total + 1e-9


@given(NUMBERS.filter(lambda weights: np.abs(weights).sum() > 0))
@settings(max_examples=15)
def test_shares_of_all_groups_sum_to_one(weights):
    found = weights_by_group(RTE_NAMES, weights, np.array([weights]))
    assert sum(
        each.share.value for each in found if each.way is EntailmentDirection.BOTH
    ) == pytest.approx(1)


@given(NUMBERS, st.floats(0.1, 10))
@settings(max_examples=15)
def test_scale_of_all_weights_changes_no_sign_and_no_share(weights, scale):
    draws = np.array([weights, weights - 0.5, weights + 1])
    one = weights_by_group(RTE_NAMES, weights, draws)
    other = weights_by_group(RTE_NAMES, weights * scale, draws * scale)
    for first, second in zip(one, other, strict=True):
        assert second.net.value == pytest.approx(first.net.value * scale, abs=1e-9)
        if first.share and second.share:
            assert second.share.value == pytest.approx(first.share.value)


def test_published_features_and_groups_are_ours():
    groups = {group.name for group in GROUPS}
    for direction in published_directions():
        assert set(direction.features) <= set(ENTAILMENT_NAMES)
        assert set(direction.groups) <= groups
        assert direction.features or direction.groups


def test_published_directions_are_those_of_the_paper():
    counts = dict.fromkeys(Claim, 0)
    for direction in published_directions():
        counts[direction.claim] += 1
    assert counts == {Claim.NEGATIVE: 6, Claim.POSITIVE: 3, Claim.UNRELIABLE: 1, Claim.LESS: 2}


def test_weight_on_the_side_that_the_paper_says_agrees():
    weights = {"forward.alignment.score": 0.3, "backward.root.unaligned": -0.2}
    found = said([model(weights, draws=0.1)])
    assert found["alignment.score", EntailmentDirection.FORWARD, "rte"] is DirectionOutcome.AGREES
    assert found["root.unaligned", EntailmentDirection.BACKWARD, "rte"] is DirectionOutcome.AGREES


def test_weight_on_the_other_side_differs():
    found = said([model({"forward.alignment.score": -0.3}, draws=0.1)])
    assert found["alignment.score", EntailmentDirection.FORWARD, "rte"] is DirectionOutcome.DIFFERS


def test_weight_with_0_in_its_interval_is_not_told_apart():
    found = said([model({"forward.alignment.score": 0.3}, draws=0.4)])
    assert found["alignment.score", EntailmentDirection.FORWARD, "rte"] is DirectionOutcome.UNCLEAR


def test_both_directions_are_compared_by_their_sum():
    weights = {"forward.modality.main": 0.1, "backward.modality.main": -0.4}
    (both,) = [
        each
        for each in compare_directions([model(weights)])
        if each.subject == "modality.main" and each.way is EntailmentDirection.BOTH
    ]
    assert both.weight.value == pytest.approx(0.1 - 0.4)
    assert both.outcome is DirectionOutcome.AGREES


def test_unreliable_feature_agrees_where_its_weight_is_not_told_apart():
    displaced = {"forward.structure.displaced": 0.2, "backward.structure.displaced": 0.2}
    assert (
        said([model(displaced, draws=0.3)])[
            "structure.displaced", EntailmentDirection.FORWARD, "rte"
        ]
        is DirectionOutcome.AGREES
    )
    assert (
        said([model(displaced, draws=0.1)])[
            "structure.displaced", EntailmentDirection.FORWARD, "rte"
        ]
        is DirectionOutcome.DIFFERS
    )


def test_group_that_counts_less_than_in_recognition_agrees():
    # polarity has 0.1 of 1.1 in the metric, and 1 of 2 in the recognizer
    metric = model({"forward.root.main": 1.0, "forward.polarity.noun": 0.1})
    recognizer = model(
        {"root.main": 1.0, "polarity.noun": -1.0}, title="features", names=ENTAILMENT_NAMES
    )
    found = {each.subject: each for each in compare_directions([metric], recognizer)}
    assert found["polarity"].weight.value == pytest.approx(0.1 / 1.1 - 0.5)
    assert found["polarity"].outcome is DirectionOutcome.AGREES
    assert found["quantifiers"].outcome is DirectionOutcome.UNCLEAR


def test_group_that_counts_more_than_in_recognition_differs():
    metric = model({"forward.root.main": 1.0, "forward.polarity.noun": 1.0})
    recognizer = model({"root.main": 1.0}, title="features", names=ENTAILMENT_NAMES)
    assert (
        said([metric], recognizer)["polarity", EntailmentDirection.BOTH, "rte"]
        is DirectionOutcome.DIFFERS
    )


def test_recognizer_is_compared_in_its_one_direction():
    recognizer = model({"root.unaligned": -0.5}, title="features", names=ENTAILMENT_NAMES)
    found = said([], recognizer)
    assert found["root.unaligned", EntailmentDirection.BOTH, "features"] is DirectionOutcome.AGREES
    assert ("root.unaligned", EntailmentDirection.FORWARD, "features") not in found
    assert found["structure.displaced", EntailmentDirection.BOTH, "features"] is None


def test_metric_without_entailment_features_has_nothing_to_compare():
    surface = ModelWeights("tradmt", ("bleu-1",), np.ones(1), np.ones((2, 1)))
    recognizer = model({"root.unaligned": -0.5}, title="features", names=ENTAILMENT_NAMES)
    assert all(each.model == "features" for each in compare_directions([surface], recognizer))


def test_comparison_without_draws_says_nothing():
    bare = ModelWeights("rte", RTE_NAMES, np.ones(len(RTE_NAMES)), np.empty((0, len(RTE_NAMES))))
    assert {each.outcome for each in compare_directions([bare])} == {None}


@pytest.mark.parametrize(
    ("name", "group", "alone"),
    [
        ("forward.root.main", "root", "root.main"),
        ("bleu4", "bleu", "bleu4"),
        ("task.QA", "task", "task.QA"),
        ("4-gram", "4-gram", "4-gram"),
    ],
)
def test_name_is_parted_into_group_and_feature(name, group, alone):
    found = parted(name)
    assert (found.group, found.alone) == (group, alone)
