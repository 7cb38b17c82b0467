"""Laws of the measures."""

import numpy as np
from hypothesis import given, strategies as st

from ensue.paraphrase.lists import ListKey, RankedLists
from ensue.paraphrase.scores import Repeated, ScoreSettings, score, score_lists, values_at
from ensue.paraphrase.scores.measures import diversity_steps
from ensue.paraphrase.words import content_words, pattern_words
from ensue.surface.stemmer import stems

CLOSE = 1e-12
WORDS = """kill killed killing shot shooting shoot the of slain slay slaying died hit hits strike"""
phrases = st.lists(st.sampled_from(WORDS.split()), max_size=3).map(" ".join)
qualities = st.sampled_from([0.0, 1 / 3, 0.5, 2 / 3, 1.0]) | st.floats(0, 1)
patterns = st.lists(st.tuples(phrases, qualities), max_size=12)
ranks = st.lists(st.integers(1, 15), min_size=1, max_size=4).map(tuple)


def scored_by(some, ks=(1, 5, 10), term="killed"):
    lists = RankedLists.of(
        {ListKey(term, "a"): [paraphrase for paraphrase, _ in some]},
        columns={"q": np.array([q for _, q in some], np.float64)},
    )
    return score(lists, ScoreSettings(ks=ks, repeated=Repeated.KEEP), "column:q")


def plain_scores(term, some, k):
    """The formulas of the paper, with sets."""
    seen = set(stems(content_words(term)))
    expected = credit = gain = 0.0
    steps = diversity_steps(term, [paraphrase for paraphrase, _ in some])
    for step, (_, quality) in list(zip(steps, some, strict=True))[:k]:
        expected += quality
        gain += 2 ** (quality * step.diversity) - 1
        if step.stems and seen.isdisjoint(step.stems):
            credit += quality
            seen |= set(step.stems)
    return [expected / k, credit / k, gain / (k * (2**3 - 1))]


@given(patterns, ranks)
def test_scores_are_those_of_the_formulas(some, ks):
    values = scored_by(some, ks).values[0]
    for place, k in enumerate(ks):
        np.testing.assert_allclose(values[:, place], plain_scores("killed", some, k), atol=CLOSE)


@given(patterns)
def test_scores_lie_between_0_and_1(some):
    values = scored_by(some).values
    assert (values >= 0).all()
    assert (values <= 1).all()


@given(st.lists(st.tuples(phrases, st.sampled_from([0.5, 1.0])), min_size=1, max_size=6))
def test_dimple_is_1_only_if_every_pattern_is_right_and_new(some):
    k = len(some)
    scored = scored_by(some, (k,))
    is_perfect = (scored.quality == 1).all() and (scored.diversity == 3).all()
    assert (scored.values[0, 2, 0] == 1) == is_perfect


@given(patterns)
def test_dimple_is_never_above_ep(some):
    # g(Q) = (2^(3Q) − 1)/7 is convex with g(0) = 0 and g(1) = 1, so that it lies below its chord:
    # g(Q) ≤ Q on [0, 1]. The gain grows with D, which is 3 at most: (2^(Q·D) − 1)/7 ≤ g(Q) ≤ Q.
    # The mean over k patterns keeps the order: DIMPLE_k ≤ EP_k, and for a given EP_k no list has
    # more than EP_k itself, which it has where each Q is 0 or 1 and D = 3 where Q = 1.
    values = scored_by(some).values[0]
    assert (values[2] <= values[0] + CLOSE).all()


@given(st.lists(st.booleans(), min_size=1, max_size=10))
def test_dimple_reaches_ep_where_right_patterns_are_new(right):
    some = [(f"word{i}", float(each)) for i, each in enumerate(right)]
    values = scored_by(some, (len(some),)).values[0]
    np.testing.assert_allclose(values[2], values[0], atol=CLOSE)


@given(patterns)
def test_epr_is_never_above_ep(some):
    values = scored_by(some).values[0]
    assert (values[1] <= values[0]).all()


@given(patterns, patterns, st.integers(1, 12))
def test_scores_hang_on_the_first_k_patterns_alone(some, others, k):
    first = [*some, *[("", 0.0)] * k][:k]
    assert (
        scored_by([*first, *others], (k,)).values.tolist() == scored_by(first, (k,)).values.tolist()
    )


@given(patterns.filter(len), st.data())
def test_raising_a_quality_lowers_nothing(some, data):
    i = data.draw(st.integers(0, len(some) - 1))
    better = data.draw(st.floats(some[i][1], 1))
    raised = [*some[:i], (some[i][0], better), *some[i + 1 :]]
    assert (scored_by(raised).values >= scored_by(some).values - CLOSE).all()


@given(st.lists(patterns, max_size=4))
def test_lists_are_scored_apart(many):
    lists = RankedLists.of(
        {ListKey("killed", str(i)): [each for each, _ in some] for i, some in enumerate(many)}
    )
    quality = np.array([q for some in many for _, q in some], np.float64)
    together = score_lists(lists, quality, None, pattern_words(lists), ScoreSettings()).values
    assert together.tolist() == [scored_by(some).values[0].tolist() for some in many]


@given(patterns)
def test_curve_goes_through_the_scores(some):
    scored = scored_by(some)
    curve = values_at(scored, range(1, 11))
    assert curve[:, :, [0, 4, 9]].tolist() == scored.values.tolist()
