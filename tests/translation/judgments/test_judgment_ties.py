"""The share of ties for first place."""

import pytest
from hypothesis import given, strategies as st

from ensue.errors import SettingError, UndefinedError
from ensue.translation.judgments import TieUnit, tie_share


def test_tie_share_of_rankings_is_about_the_first_place(ranked):
    judgments = ranked(
        ("1", "ada", {"u": 1, "v": 1, "w": 2}),
        ("2", "ada", {"u": 1, "v": 2, "w": 2}),
        ("3", "ada", {"u": 3, "v": 3}),
    )
    found = tie_share(judgments.rankings, TieUnit.RANKING)
    assert (found.n_tied, found.n, found.share.value) == (2, 3, 2 / 3)


def test_tie_share_of_segments_averages_the_ranks(ranked):
    # u: (1 + 2) / 2, v: (2 + 1) / 2, w: 3
    judgments = ranked(("1", "ada", {"u": 1, "v": 2, "w": 3}), ("1", "ben", {"u": 2, "v": 1}))
    assert tie_share(judgments.rankings, TieUnit.RANKING).n_tied == 0
    assert tie_share(judgments.rankings, TieUnit.SEGMENT).n_tied == 1


def test_tie_share_sees_equal_means_of_different_numbers_of_ranks(ranked):
    # u: 7 / 3, v: 14 / 6
    ranks = [("u", 2), ("u", 2), ("u", 3), *[("v", 2)] * 4, *[("v", 3)] * 2]
    judgments = ranked(*(("1", "ada", {system: rank}) for system, rank in ranks))
    assert tie_share(judgments.rankings, TieUnit.SEGMENT).n_tied == 1


def test_tie_share_leaves_out_what_has_too_few_outputs(ranked):
    judgments = ranked(("1", "ada", {"u": 1}), ("2", "ada", {"u": 1, "v": 1}))
    found = tie_share(judgments.rankings, TieUnit.RANKING)
    assert (found.n, found.n_tied, found.n_left_out) == (1, 1, 1)


def test_tie_share_of_single_outputs_is_undefined(ranked):
    with pytest.raises(UndefinedError, match="no segment has 2 outputs or more"):
        tie_share(ranked(("1", "ada", {"u": 1})).rankings)


def test_tie_share_refuses_a_level_that_is_none(ranked):
    with pytest.raises(SettingError, match=r"level 95 is not between 0 and 1"):
        tie_share(ranked(("1", "ada", {"u": 1, "v": 2})).rankings, level=95)


@given(data=st.data())
def test_tie_share_does_not_depend_on_names(any_rankings, renamed, data):
    judgments = data.draw(any_rankings.filter(lambda j: any(len(r.ranks) > 1 for r in j.rankings)))
    for unit in TieUnit:
        found = tie_share(judgments.rankings, unit)
        assert tie_share(renamed(judgments).rankings, unit) == found


@pytest.mark.data
def test_tie_share_of_wmt07_rankings_is_the_paper_s_almost_30_percent(wmt07):
    found = tie_share(wmt07.rankings, TieUnit.RANKING)
    assert (found.n_tied, found.n, found.n_left_out) == (1_169, 4_076, 49)
    into_english = [each for each in wmt07.rankings if each.language_pair.endswith("-en")]
    found = tie_share(into_english, TieUnit.RANKING)
    assert (found.n_tied, found.n) == (574, 1_944)
    assert found.share.value == pytest.approx(0.2953, abs=5e-5)


@pytest.mark.data
def test_tie_share_of_wmt07_segments_is_below_the_paper_s(wmt07):
    found = tie_share(wmt07.rankings)
    assert (found.n_tied, found.n) == (628, 2_408)
