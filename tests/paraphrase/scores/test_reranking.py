"""New orders of lists: none worse than the given or the greedy, and the best of short ones."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.errors import DataError, EnsueError, SettingError
from ensue.paraphrase.lists import ListKey, PatternJudgments, RankedLists, Strictness
from ensue.paraphrase.scores.measures import diversity_steps
from ensue.paraphrase.scores.reranking import MOST_EXACT, OrderOrigin, rerank
from ensue.paraphrase.words import content_words
from ensue.surface.stemmer import stems

KILLED = ListKey("killed", "")
FALLS_TO_GREED = {"shot": 0.9, "dead": 0.9, "shot dead": 1.0}
"""The last has the largest gain where it stands first, and takes both words from the others."""


def gain(quality, d):
    return 2 ** (quality * d) - 1


def lists_of(*candidates, term="killed"):
    """Lists of one term from paraphrases with their qualities."""
    keys = [ListKey(term, f"method {i}") for i in range(len(candidates))]
    lists = RankedLists.of(dict(zip(keys, map(list, candidates), strict=True)))
    return lists, np.array([q for each in candidates for q in each.values()], np.float64)


def as_lists(patterns):
    """One list from (paraphrase, quality), in which a paraphrase may be twice."""
    lists = RankedLists.of({KILLED: [paraphrase for paraphrase, _ in patterns]})
    return lists, np.array([quality for _, quality in patterns], np.float64)


def content(string):
    words = set(content_words(string))
    return words, set(stems(sorted(words)))


def step(words, roots, history):
    """D by lines 6 to 16 of Algorithm 1, and the history after it."""
    seen, seen_roots = history
    if not words or words & seen:
        return 1, history
    return (2 if roots & seen_roots else 3), (words | seen, roots | seen_roots)


def gained(patterns, order, places):
    """The sum of gains by the pseudo-code as it is printed."""
    chosen = [patterns[i] for i in order[:places]]
    steps = diversity_steps("killed", [paraphrase for paraphrase, _ in chosen])
    return sum(gain(q, each.diversity) for (_, q), each in zip(chosen, steps, strict=True))


def best_by_trying(patterns, places):
    """The largest sum of gains of all orders, and the first order that has it."""
    sides = [content(paraphrase) for paraphrase, _ in patterns]
    best = (-1.0, ())

    def place(order, history, total):
        nonlocal best
        if len(order) == places:
            best = (total, order) if total > best[0] + 1e-9 else best
            return
        for i, (words, roots) in enumerate(sides):
            if i not in order:
                d, after = step(words, roots, history)
                place((*order, i), after, total + gain(patterns[i][1], d))

    place((), content("killed"), 0.0)
    return best


paraphrases = st.lists(
    st.sampled_from(
        ["of", "killing", "kill", "shot", "shots", "dead", "deads", "died", "dies", "fall", "falls"]
    ),
    min_size=1,
    max_size=3,
).map(" ".join)
qualities = st.sampled_from([0.0, 1 / 3, 0.5, 2 / 3, 1.0]) | st.floats(0, 1)
short = st.lists(st.tuples(paraphrases, qualities), min_size=1, max_size=6)
longer = st.lists(st.tuples(paraphrases, qualities), min_size=1, max_size=14)
ks = st.none() | st.integers(1, 8)


def test_greedy_order_takes_the_largest_gain_for_each_place():
    # behind "shot" (7): "shots" shares the root, 2^(2·1) − 1 = 3, "fell" is new, 2^(3·0.8) − 1,
    # and "shot down" has seen its word: 2^0.5 − 1
    lists, quality = lists_of({"shot down": 0.5, "shot": 1.0, "shots": 1.0, "fell": 0.8})
    found = rerank(lists, quality, most_exact=0)
    assert found.lists.paraphrases == ["shot", "fell", "shots", "shot down"]
    total = gain(1, 3) + gain(0.8, 3) + gain(1, 2) + gain(0.5, 1)
    assert found.greedy.tolist() == [pytest.approx(total / (4 * 7))]
    assert found.ways == (OrderOrigin.GREEDY,)


def test_equal_gains_keep_the_given_order():
    lists, quality = lists_of({"fell": 0.5, "shot": 0.5, "died": 1.0, "slain": 0.5})
    assert rerank(lists, quality, most_exact=0, k=2).lists.paraphrases[:2] == ["died", "fell"]


def test_greed_alone_can_lose():
    # given: 2^2.7 − 1 twice, then both words are seen: 1; by greed: 7, then 2^0.9 − 1 twice
    lists, quality = lists_of(FALLS_TO_GREED)
    found = rerank(lists, quality, most_exact=0)
    assert found.given.tolist() == [pytest.approx((2 * (2**2.7 - 1) + 1) / 21)]
    assert found.greedy.tolist() == [pytest.approx((7 + 2 * (2**0.9 - 1)) / 21)]
    assert found.greedy[0] < found.given[0] == found.chosen[0]
    assert found.lists.paraphrases == list(FALLS_TO_GREED)
    assert found.ways == (OrderOrigin.GIVEN,)


def test_best_order_is_found_where_greed_and_the_given_order_lose():
    lists, quality = lists_of(dict(reversed(FALLS_TO_GREED.items())))
    found = rerank(lists, quality)
    # "shot dead" may stand second as well as last: its word is seen, and it takes none from "shot"
    assert found.lists.paraphrases == ["dead", "shot dead", "shot"]
    assert found.chosen.tolist() == [pytest.approx((2 * (2**2.7 - 1) + 1) / 21)]
    assert found.given[0] == found.greedy[0] < found.chosen[0]
    assert found.ways == (OrderOrigin.EXACT,)


def test_stays_as_it_is_where_nothing_is_better():
    lists, quality = lists_of({"fell": 0.2, "shot": 1.0, "died": 0.7})
    found = rerank(lists, quality)
    assert found.order.tolist() == [0, 1, 2]
    assert found.ways == (OrderOrigin.GIVEN,)


def test_what_has_no_quality_stands_last_where_it_takes_words():
    # "shot dead" gains nothing, but would leave "shot" 1 instead of 7
    lists, quality = lists_of({"shot dead": 0.0, "shot": 1.0})
    for most_exact in (0, MOST_EXACT):
        found = rerank(lists, quality, most_exact=most_exact)
        assert found.lists.paraphrases == ["shot", "shot dead"]
        assert (found.given[0], found.chosen[0]) == (1 / 14, 7 / 14)


@pytest.mark.parametrize("most_exact", [0, MOST_EXACT])
def test_others_follow_the_first_k_as_given(most_exact):
    lists, quality = lists_of({"fell": 0.1, "died": 0.2, "shot": 1.0, "slain": 0.3, "dead": 0.9})
    found = rerank(lists, quality, k=2, most_exact=most_exact)
    assert found.lists.paraphrases == ["shot", "dead", "fell", "died", "slain"]
    assert found.chosen.tolist() == [pytest.approx((7 + 2**2.7 - 1) / (2 * 7))]


def test_list_shorter_than_k_gets_nothing_for_what_is_missing():
    lists, quality = lists_of({"shot": 1.0})
    assert rerank(lists, quality, k=10).chosen.tolist() == [7 / (10 * 7)]


def test_empty_list_stays_and_has_no_dimple_of_all_its_places():
    lists, quality = lists_of({}, {"shot": 1.0})
    found = rerank(lists, quality)
    assert len(found.lists) == 2
    assert np.isnan(found.chosen[0])
    assert found.chosen[1] == 1
    assert rerank(lists, quality, k=5).chosen[0] == 0


def test_own_words_without_content_may_be_given():
    # "shot" says nothing here: it takes no word from "shot down", whose "down" is new
    lists, quality = lists_of({"shot": 1.0, "shot down": 1.0})
    found = rerank(lists, quality, no_content={"shot"})
    assert found.chosen.tolist() == [(1 + 7) / 14]
    assert rerank(lists, quality).chosen.tolist() == [(7 + 1) / 14]


def test_no_list_is_no_order():
    found = rerank(RankedLists.of({}), np.empty(0))
    assert (len(found.lists), found.order.size, found.ways) == (0, 0, ())


def test_lists_do_not_see_each_others_words():
    one = {"shot dead": 0.0, "shot": 1.0}
    lists, quality = lists_of(one, one)
    found = rerank(lists, quality)
    assert found.order.tolist() == [1, 0, 3, 2]
    assert found.chosen[0] == found.chosen[1]


def test_judgments_and_columns_go_with_their_patterns():
    labels = np.array([[0], [1]], np.int8)
    lists = RankedLists.of(
        {KILLED: ["shot dead", "shot"]},
        judgments=PatternJudgments(("j",), {Strictness.STRICT: labels}),
        columns={"confidence": np.array([0.9, 0.4])},
    )
    found = rerank(lists, np.array([0.0, 1.0])).lists
    assert found.judgments.labels[Strictness.STRICT].tolist() == [[1], [0]]
    assert found.columns["confidence"].tolist() == [0.4, 0.9]


@given(longer, ks, st.sampled_from([0, MOST_EXACT]))
def test_order_is_a_permutation_within_each_list(patterns, k, most_exact):
    once, quality = as_lists(patterns)
    lists = RankedLists.of({ListKey("killed", m): once.paraphrases for m in "ab"})
    order = rerank(lists, np.tile(quality, 2), k=k, most_exact=most_exact).order
    n = len(patterns)
    assert sorted(order[:n].tolist()) == list(range(n))
    assert (order[n:] - n).tolist() == order[:n].tolist()


@given(longer, ks, st.sampled_from([0, MOST_EXACT]))
def test_dimple_falls_below_neither_the_given_nor_the_greedy(patterns, k, most_exact):
    found = rerank(*as_lists(patterns), k=k, most_exact=most_exact)
    assert found.chosen[0] >= found.given[0]
    assert found.chosen[0] >= found.greedy[0] - 1e-9
    assert 0 <= found.chosen[0] <= 1


@given(longer, ks)
def test_dimple_is_what_algorithm_1_makes_it(patterns, k):
    found = rerank(*as_lists(patterns), k=k)
    n = k or len(patterns)
    as_given = gained(patterns, range(len(patterns)), n)
    assert found.given[0] == pytest.approx(as_given / (7 * n))
    assert found.chosen[0] == pytest.approx(gained(patterns, found.order.tolist(), n) / (7 * n))


@given(longer, ks)
def test_greedy_order_is_that_of_plain_python(patterns, k):
    n_places = min(k or len(patterns), len(patterns))
    left, order = list(range(len(patterns))), []
    for n in range(1, n_places + 1):
        order.append(max(left, key=lambda i, n=n: gained(patterns, [*order, i], n)))
        left.remove(order[-1])
    found = rerank(*as_lists(patterns), k=k, most_exact=0)
    greedy = gained(patterns, order, n_places) / (7 * (k or len(patterns)))
    assert found.greedy[0] == pytest.approx(greedy)


@given(short, ks)
def test_short_list_gets_the_best_order_of_all(patterns, k):
    places = min(k or len(patterns), len(patterns))
    total, first = best_by_trying(patterns, places)
    found = rerank(*as_lists(patterns), k=k)
    assert found.chosen[0] == pytest.approx(total / (7 * (k or len(patterns))))
    assert found.order[:places].tolist() == list(first)
    assert found.order[places:].tolist() == sorted(set(range(len(patterns))) - set(first))


@pytest.mark.parametrize("k", [None, 5])
def test_list_of_8_gets_the_best_order_of_all(k):
    # a star, a path and two roots in one: much to choose from
    names = ["shot dead", "dead fall", "fall shots", "shot", "died", "dies murder", "fell"]
    patterns = [*zip(names, (1, 0.95, 0.9, 0.85, 0.8, 1, 0.1), strict=True), ("murders", 0.9)]
    total, first = best_by_trying(patterns, k or 8)
    found = rerank(*as_lists(patterns), k=k)
    assert found.chosen[0] == pytest.approx(total / (7 * (k or 8)))
    assert found.order[: k or 8].tolist() == list(first)
    assert found.ways == (OrderOrigin.EXACT,)


@given(longer, ks, st.sampled_from([0, MOST_EXACT]))
def test_reranking_twice_changes_nothing(patterns, k, most_exact):
    lists, quality = as_lists(patterns)
    once = rerank(lists, quality, k=k, most_exact=most_exact)
    twice = rerank(once.lists, quality[once.order], k=k, most_exact=most_exact)
    assert twice.lists.paraphrases == once.lists.paraphrases
    assert twice.ways == (OrderOrigin.GIVEN,)


@given(longer)
def test_more_places_searched_are_never_worse(patterns):
    found = [rerank(*as_lists(patterns), most_exact=n).chosen[0] for n in (0, 4, 8, 14)]
    assert all(fewer <= more + 1e-9 for fewer, more in pairwise(found))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.nan, "the pattern 'killed' → 'fell' has no quality"),
        (1.5, "quality of 'fell' is 1.5, which is not in [0, 1]"),
    ],
)
def test_candidate_without_a_quality_is_an_error_with_its_place(value, message):
    lists = RankedLists(
        "lists.tsv",
        (KILLED,),
        np.array([0, 2]),
        ["shot", "fell"],
        places=["lists.tsv:2", "lists.tsv:3"],
    )
    with pytest.raises(DataError) as caught:
        rerank(lists, np.array([1.0, value]))
    assert (caught.value.message, caught.value.place) == (message, "lists.tsv:3")


def test_candidate_of_no_worth_stays_where_it_harms_nobody():
    lists, quality = lists_of({"fell": 0.0, "shot": 1.0, "murdered": 0.5})
    assert rerank(lists, quality).lists.paraphrases == ["fell", "shot", "murdered"]


def test_candidate_of_no_worth_goes_behind_those_whose_word_it_takes():
    lists, quality = lists_of({"shot at": 0.0, "murdered": 0.5, "shot": 1.0})
    assert rerank(lists, quality).lists.paraphrases == ["murdered", "shot", "shot at"]


def test_no_place_is_an_error():
    with pytest.raises(SettingError, match="k is 0") as caught:
        rerank(*lists_of(FALLS_TO_GREED), k=0)
    assert caught.value.hint == "k is the number of places that count: 1 or more"


@pytest.mark.parametrize("most_exact", [-1, 17])
def test_search_has_a_limit(most_exact):
    with pytest.raises(SettingError, match=f"up to {most_exact} is not searched for"):
        rerank(*lists_of(FALLS_TO_GREED), most_exact=most_exact)


def test_qualities_are_as_many_as_patterns():
    lists, quality = lists_of(FALLS_TO_GREED)
    with pytest.raises(EnsueError, match=r"3 patterns, but quality has the shape \(2,\)"):
        rerank(lists, quality[:2])
