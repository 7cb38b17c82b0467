"""Agreement among judges of patterns: by hand, against kappa.py and NLTK, and what is undefined."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.errors import SettingError, UndefinedError
from ensue.paraphrase.evaluation import judge_agreement
from ensue.paraphrase.lists import (
    ListKey,
    PatternJudgments,
    RankedLists,
    Strictness,
    contradictions,
    pattern_numbers,
)
from ensue.statistics.agreement import annotator_agreement, krippendorff_alpha
from ensue.statistics.resampling import Resampling

STRICT, LENIENT = Strictness.STRICT, Strictness.LENIENT


def lists_of(strict=None, lenient=None, per_term: int = 2) -> RankedLists:
    """Lists of different paraphrases, some for each term, with these labels of judges a, b, c."""
    given = {STRICT: strict, LENIENT: lenient}
    labels = {key: np.array(each, np.int8) for key, each in given.items() if each is not None}
    n_patterns, n_judges = next(iter(labels.values())).shape
    patterns = [f"p{i}" for i in range(n_patterns)]
    lists = {
        ListKey(f"t{start}", "m"): patterns[start : start + per_term]
        for start in range(0, n_patterns, per_term)
    }
    return RankedLists.of(lists, judgments=PatternJudgments(tuple("abcdefg"[:n_judges]), labels))


def strict_agreement(labels, draws=0):
    (found,) = judge_agreement(lists_of(labels), resampling=Resampling(draws)).by_strictness
    return found


LABELS = st.integers(2, 4).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 1), min_size=n, max_size=n), min_size=1, max_size=20)
)
GAPPY = st.integers(2, 4).flatmap(
    lambda n: st.lists(
        st.lists(st.integers(-1, 1), min_size=n, max_size=n), min_size=1, max_size=20
    ).filter(lambda rows: max(map(max, rows)) >= 0)
)


def test_couple_agreement_by_hand_on_what_both_judged():
    # both judged the first four: agree on three; a says yes to 2/4, b to 3/4
    # expected 2/4 * 3/4 + 2/4 * 1/4 = 1/2
    labels = [[1, 1], [1, 1], [0, 1], [0, 0], [1, -1], [-1, 0]]
    (couple,) = strict_agreement(labels).couples
    assert (couple.first, couple.second, couple.n_patterns) == ("a", "b", 4)
    assert couple.raw.value == pytest.approx(3 / 4)
    assert couple.kappa.value == pytest.approx((3 / 4 - 1 / 2) / (1 - 1 / 2))


def test_fleiss_kappa_is_over_patterns_that_all_judged():
    # votes (2, 1) and (3, 0): couples that agree 1/3 and 1, mean 2/3
    # 5 of 6 labels are yes: expected 25/36 + 1/36; the third pattern lacks a label
    found = strict_agreement([[1, 1, 0], [1, 1, 1], [0, 1, -1]])
    assert (found.n_patterns, found.n_by_all) == (3, 2)
    assert found.raw.value == pytest.approx(1 / 2)
    assert found.fleiss.value == pytest.approx((2 / 3 - 26 / 36) / (1 - 26 / 36))


def test_share_of_yes_is_over_what_a_judge_judged():
    first, second = strict_agreement([[1, 0], [1, -1], [0, -1]]).judges
    assert (first.n_patterns, first.yes.value) == (3, pytest.approx(2 / 3))
    assert (second.n_patterns, second.yes.value) == (1, 0)


@given(LABELS)
def test_agreement_equals_that_of_annotators_on_complete_labels(rows):
    found = strict_agreement(rows)
    expected = annotator_agreement(np.array(rows), resampling=Resampling(draws=0))
    assert found.raw.value == pytest.approx(expected.raw.value)
    assert found.fleiss.value == maybe(expected.fleiss.value)
    for ours, theirs in zip(found.couples, expected.couples, strict=True):
        assert ours.raw.value == pytest.approx(theirs.raw.value)
        assert ours.kappa.value == maybe(theirs.kappa.value)


@given(GAPPY)
def test_alpha_of_judges_is_krippendorffs(rows):
    assert strict_agreement(rows).alpha.value == maybe(
        krippendorff_alpha(np.array(rows), resampling=Resampling(draws=0)).value
    )


@given(GAPPY)
def test_agreement_never_hands_out_nan(rows):
    found = strict_agreement(rows, draws=20)
    estimates = [found.raw, found.fleiss, found.alpha]
    estimates += [each for couple in found.couples for each in (couple.raw, couple.kappa)]
    estimates += [each for judge in found.judges for each in (judge.yes, judge.with_self)]
    for estimate in estimates:
        numbers = [x for x in (estimate.value, estimate.low, estimate.high) if x is not None]
        assert np.isfinite(numbers).all()
        assert (estimate.value is None) == (estimate.reason is not None)


def maybe(value):
    return None if value is None else pytest.approx(value)


def test_strictnesses_are_measured_apart():
    strict, lenient = judge_agreement(
        lists_of([[1, 0], [0, 1]], [[1, 1], [0, 0]]), resampling=Resampling(draws=0)
    ).by_strictness
    assert (strict.strictness, strict.raw.value) == (STRICT, 0)
    assert (lenient.strictness, lenient.raw.value) == (LENIENT, 1)


def test_judge_without_a_label_of_a_strictness_leaves_the_agreement_of_others():
    # c judges leniently only: strictly, a and b agree on one of two, and no couple has c
    strict, lenient = judge_agreement(
        lists_of([[1, 1, -1], [0, 1, -1]], [[1, 1, 1], [0, 1, 1]]), resampling=Resampling(draws=0)
    ).by_strictness
    assert (strict.n_by_all, strict.raw.value) == (2, 1 / 2)
    assert strict == strict_agreement([[1, 1], [0, 1]])
    assert [judge.judge for judge in lenient.judges] == ["a", "b", "c"]


def test_only_judge_of_a_strictness_agrees_with_nobody():
    strict, _ = judge_agreement(
        lists_of([[1, -1], [0, -1]], [[1, 1], [0, 1]]), resampling=Resampling(draws=0)
    ).by_strictness
    assert strict.raw.reason == strict.fleiss.reason == "there is one judge only"


def test_strictness_without_a_label_is_not_measured():
    (found,) = judge_agreement(
        lists_of([[-1, -1]], [[1, 1]]), resampling=Resampling(draws=0)
    ).by_strictness
    assert found.strictness is LENIENT


def test_strict_of_lenient_by_hand():
    # a: lenient yes three times, strict with it once; b: twice, twice; unjudged labels do not count
    lenient = [[1, 1], [1, 1], [1, 0], [1, -1]]
    strict = [[1, 1], [0, 1], [0, 1], [-1, 1]]
    together, first, second = judge_agreement(
        lists_of(strict, lenient), resampling=Resampling(draws=0)
    ).strict_of_lenient
    assert (first.judge, first.n_lenient, first.strict.value) == ("a", 3, pytest.approx(1 / 3))
    assert (second.n_lenient, second.strict.value) == (2, 1)
    assert (together.judge, together.n_lenient) == (None, 5)
    assert together.strict.value == pytest.approx(3 / 5)
    assert (first.n_strict_only, second.n_strict_only, together.n_strict_only) == (0, 1, 1)


def test_strict_of_lenient_needs_both():
    assert (
        judge_agreement(lists_of([[1, 0]]), resampling=Resampling(draws=0)).strict_of_lenient == ()
    )


def test_strict_of_lenient_without_a_lenient_yes_is_undefined():
    together, *_ = judge_agreement(
        lists_of([[0, 0]], [[0, 0]]), resampling=Resampling(draws=0)
    ).strict_of_lenient
    assert together.strict.value is None
    assert "lenient yes" in together.strict.reason


def repeated() -> RankedLists:
    """One pattern in three lists, another in two; judge a is of two minds, b is not."""
    lists = {
        ListKey("killed", "x"): ["shot dead", "slain"],
        ListKey("killed", "y"): ["Shot  dead", "slain"],
        ListKey("Killed", "z"): ["shot dead", "murdered"],
    }
    labels = np.array([[1, 1], [0, 0], [1, 1], [0, 0], [0, -1], [1, 1]], np.int8)
    return RankedLists.of(lists, judgments=PatternJudgments(("a", "b"), {STRICT: labels}))


def test_pattern_numbers_are_equal_for_the_same_term_and_paraphrase():
    assert pattern_numbers(repeated()).tolist() == [0, 1, 0, 1, 0, 2]


def test_agreement_with_self_counts_every_two_of_a_pattern():
    # a on "shot dead": yes, yes, no: one of three couples agrees; on "slain" no, no: one of one
    # b on either: one of one
    (found,) = judge_agreement(repeated(), resampling=Resampling(draws=0)).by_strictness
    first, second = found.judges
    assert (first.n_repeats, first.with_self.value) == (4, pytest.approx(2 / 4))
    assert (second.n_repeats, second.with_self.value) == (2, 1)


def test_contradictions_name_the_judge_and_the_first_of_either_label():
    (found,) = contradictions(repeated())
    assert (found.judge, found.strictness, found.yes, found.no) == ("a", STRICT, 0, 4)


def test_contradictions_of_lists_without_repeats_or_judges_are_none():
    assert contradictions(lists_of([[1, 0], [0, 1]])) == []
    assert contradictions(RankedLists.of({ListKey("a", ""): ["b", "b"]})) == []


def test_agreement_with_self_without_repeats_is_undefined():
    judge, _ = strict_agreement([[1, 0], [0, 1]]).judges
    assert judge.with_self.value is None
    assert "twice" in judge.with_self.reason


def test_one_judge_agrees_with_nobody():
    found = strict_agreement([[1], [0]])
    assert found.couples == ()
    assert {found.raw.reason, found.fleiss.reason, found.alpha.reason} == {
        "there is one judge only"
    }


def test_judges_who_never_meet_have_no_agreement():
    found = strict_agreement([[1, -1], [-1, 0]])
    assert found.n_by_all == 0
    assert found.fleiss.reason == found.raw.reason == "no pattern was judged by all"
    (couple,) = found.couples
    assert couple.kappa.reason == couple.raw.reason == "no pattern was judged by both"


def test_kappa_of_one_label_throughout_is_undefined():
    found = strict_agreement([[1, 1], [1, 1]])
    (couple,) = found.couples
    assert couple.raw.value == 1
    assert couple.kappa.value is None
    assert "chance is 1" in couple.kappa.reason
    assert "chance is 1" in found.fleiss.reason


def test_lists_that_nobody_judged_have_no_agreement():
    with pytest.raises(UndefinedError, check=coded("nobody-judged-lists")) as caught:
        judge_agreement(RankedLists.of({ListKey("a", ""): ["b"]}, name="mine.tsv"))
    assert "NAME.strict" in caught.value.hint


def test_labels_that_are_all_missing_have_no_agreement():
    with pytest.raises(UndefinedError, check=coded("nobody-judged-pattern")):
        judge_agreement(lists_of([[-1, -1]]))


def test_agreement_refuses_a_negative_number_of_draws():
    with pytest.raises(SettingError, check=coded("draws-cannot-made")):
        judge_agreement(lists_of([[1, 0]]), resampling=Resampling(draws=-1))


def test_terms_without_labels_are_not_resampled():
    labels = [[1, 1], [0, 1], [-1, -1], [-1, -1], [1, 0], [0, 0]]
    assert judge_agreement(lists_of(labels), resampling=Resampling(draws=10)).n_terms == 2


def test_one_term_gives_no_interval():
    found = strict_agreement([[1, 1], [0, 1]], draws=50)
    assert found.raw.value == pytest.approx(1 / 2)
    assert (found.raw.low, found.raw.high) == (None, None)


def test_intervals_are_over_terms():
    # each term's patterns are copies, so that its raw agreement is 1 or 0: the drawn shares are
    # multiples of 1/4, and the interval of 4 terms of which 2 agree goes from 0 to 1
    labels = [[1, 1]] * 10 + [[0, 1]] * 10 + [[0, 0]] * 10 + [[1, 0]] * 10
    found = judge_agreement(lists_of(labels, per_term=10), resampling=Resampling(draws=2000))
    raw = found.by_strictness[0].raw
    assert (found.n_terms, raw.value, raw.low, raw.high) == (4, 0.5, 0.0, 1.0)


def test_intervals_repeat_with_the_seed():
    lists = lists_of(np.random.default_rng(1).integers(-1, 2, (40, 3)))
    assert judge_agreement(lists, resampling=Resampling(draws=100, seed=4)) == judge_agreement(
        lists, resampling=Resampling(draws=100, seed=4)
    )
