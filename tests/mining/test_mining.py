import numpy as np
import pytest

from ensue.errors import SettingError, UndefinedError
from ensue.mining import ErrorKind, Settings, SuspicionMeasure, find_forms, forms_of, mine
from ensue.pairs import Label, Pair
from ensue.statistics.resampling import Resampling

YES, NO = Label.ENTAILMENT, Label.NOT_ENTAILMENT
QUICK = Settings(resampling=Resampling(draws=0), permutations=0)


@pytest.fixture
def mined(judge, make_case):
    """VP/VA fails three times of four, VA/N once of three; one case has no answer."""
    tags = [("VP", "VA")] * 4 + [("VA", "N")] * 3 + [("VP", "VA")]
    answers = [NO, NO, NO, YES, NO, YES, YES, None]
    pairs = [make_case(i, tags=[tag]) for i, tag in enumerate(tags)]
    (judged,) = judge(pairs, answers)
    return mine(judged, find_forms(pairs), ErrorKind.FALSE_NEGATIVES)


def test_suspects_come_in_order_with_their_numbers(mined):
    first, second = mined.suspects
    assert (first.rank, first.form, first.n_errors, first.n_cases) == (1, "VP/VA", 3, 4)
    assert (second.rank, second.form, second.n_errors, second.n_cases) == (2, "VA/N", 1, 3)
    assert first.suspicion.value == pytest.approx(3 / 4)
    assert first.measures[SuspicionMeasure.LN_ERRORS] == pytest.approx(3 / 4 * np.log(3))
    assert first.measures[SuspicionMeasure.ERRORS] == pytest.approx(9 / 4)


def test_cases_without_an_answer_are_outside(mined):
    assert (mined.n_cases, mined.n_errors) == (7, 4)


def test_suspects_have_intervals_and_p(mined):
    first = mined.suspects[0]
    assert first.suspicion.low < 3 / 4 < first.suspicion.high <= 1
    # hypergeometric: 3 or 4 of the 4 errors among the 4 of 7 cases: (4·3 + 1)/35
    assert first.p == pytest.approx(13 / 35, abs=0.04)
    assert first.p <= first.q <= 1


def test_unanswered_cases_are_mined_where_asked(judge, make_case):
    pairs = [make_case(i, tags=[("VA", "N" if i < 2 else "VA")]) for i in range(6)]
    (judged,) = judge(pairs, [None, None, NO, NO, YES, YES])
    found = mine(judged, find_forms(pairs), ErrorKind.UNANSWERED, settings=QUICK)
    assert (found.n_cases, found.n_errors) == (6, 2)
    assert [suspect.form for suspect in found.suspects] == ["VA/N"]
    assert found.worst_cases(found.suspects[0], 1)[0].answer is None


def test_against_finds_what_only_one_run_gets_wrong(judge, make_case):
    # both fail on VA/N, only the first on VP/VA
    tags = [("VA", "N")] * 4 + [("VP", "VA")] * 4 + [("VA", "VA")] * 4
    pairs = [make_case(i, tags=[tag]) for i, tag in enumerate(tags)]
    first, second = judge(pairs, [NO] * 8 + [YES] * 4, [NO] * 4 + [YES] * 8)
    found = mine(first, find_forms(pairs), ErrorKind.ALL, against=second, settings=QUICK)
    assert found.against == "run1"
    assert [suspect.form for suspect in found.suspects] == ["VP/VA"]
    assert (found.n_cases, found.n_errors) == (12, 4)


def test_worst_cases_are_those_with_nobody_else_to_blame(judge, make_case):
    pairs = [
        make_case(0, tags=[("VP", "VA"), ("VA", "N")]),
        make_case(1, tags=[("VP", "VA")]),
        make_case(2, tags=[("VA", "N")]),
        make_case(3, tags=[("VA", "VA")]),
    ]
    (judged,) = judge(pairs, [NO, NO, YES, YES])
    found = mine(judged, find_forms(pairs), settings=QUICK)
    worst = found.worst_cases(found.suspects[0], 5)
    assert found.suspects[0].form == "VP/VA"
    assert [each.pair.id for each in worst] == ["1", "0"]
    assert worst[0].share == 1
    assert worst[0].answer is NO
    assert 0.5 < worst[1].share < 1


def test_cases_without_a_form_are_counted(judge, make_case):
    pairs = [make_case(0, tags=[("VA", "N")]), make_case(1), make_case(2), make_case(3)]
    (judged,) = judge(pairs, [NO, NO, YES, YES])
    found = mine(judged, find_forms(pairs), settings=QUICK)
    assert (found.n_cases_without_form, found.n_errors_without_form) == (3, 1)
    assert found.n_forms == 1


def test_measure_decides_the_order(judge):
    pairs = [Pair(str(i), "t", "h", YES) for i in range(30)]
    # a: 2 of 2 wrong; b: 14 of 28
    (judged,) = judge(pairs, [NO] * 16 + [YES] * 14)
    forms = forms_of([["a"]] * 2 + [["b"]] * 28)

    def first(measure):
        settings = Settings(measure=measure, resampling=Resampling(draws=0), permutations=0)
        return mine(judged, forms, settings=settings).suspects[0].form

    assert {measure: first(measure) for measure in SuspicionMeasure} == {
        SuspicionMeasure.SUSPICION: "a",  # 1 against 1/2
        SuspicionMeasure.CASES: "b",  # 2 against 14
        SuspicionMeasure.LN_CASES: "b",  # ln 2 against ln 28 / 2
        SuspicionMeasure.ERRORS: "b",  # 2 against 7
        SuspicionMeasure.LN_ERRORS: "b",  # ln 2 = 0.69 against ln 14 / 2 = 1.32
    }


def test_only_the_first_suspects_get_intervals(judge):
    pairs = [Pair(str(i), "t", "h", YES) for i in range(9)]
    (judged,) = judge(pairs, [NO, NO, NO, NO, YES, YES, YES, YES, YES])
    forms = forms_of([["a"], ["a"], ["b"], ["c"], ["a"], ["b"], ["c"], ["c"], ["c"]])
    found = mine(
        judged, forms, settings=Settings(top=1, resampling=Resampling(draws=50), permutations=50)
    )
    assert [suspect.suspicion.low is None for suspect in found.suspects] == [False, True, True]
    assert all(suspect.p is not None for suspect in found.suspects)


def test_same_seed_gives_the_same(mined, judge):
    again = mine(
        mined.cases.judged,
        mined.cases.forms,
        ErrorKind.FALSE_NEGATIVES,
        settings=Settings(resampling=Resampling(seed=0)),
    )
    assert again.suspects == mined.suspects


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Settings(permutations=-1), "-1 permutations cannot be made"),
        (Settings(top=0), "the first 0 make no sense"),
    ],
)
def test_settings_that_make_no_sense_are_refused(mined, settings, message):
    with pytest.raises(SettingError, match=message):
        mine(mined.cases.judged, mined.cases.forms, settings=settings)


def test_forms_of_other_pairs_are_refused(mined):
    with pytest.raises(SettingError, match="forms of 1 cases do not go with 8 pairs"):
        mine(mined.cases.judged, forms_of([["a"]]))


def test_runs_on_other_pairs_are_refused(mined, judge):
    (other,) = judge([Pair("x", "t", "h", YES)], [YES])
    with pytest.raises(SettingError, match="run0 and run0 are not runs on the same pairs"):
        mine(mined.cases.judged, mined.cases.forms, against=other)


def test_errors_without_any_form_are_nothing_to_mine(judge, make_case):
    pairs = [make_case(0), make_case(1, tags=[("VA", "N")])]
    (judged,) = judge(pairs, [NO, YES])
    with pytest.raises(UndefinedError, match="no case among the wrong answers has a form"):
        mine(judged, find_forms(pairs))
