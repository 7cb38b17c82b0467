import pytest

from ensue.errors import UndefinedError
from ensue.mining import ErrorKind, population
from ensue.mining.suspicion import check_contrast
from ensue.pairs import Label, Pair

YES, NO, CON = Label.ENTAILMENT, Label.NOT_ENTAILMENT, Label.CONTRADICTION


def chosen(judged, kind, against=None):
    found = population(judged, kind, against)
    return "".join(
        "x" if error else "o" if case else "."
        for case, error in zip(found.cases, found.errors, strict=True)
    )


@pytest.fixture
def judged(judge):
    """Right, wrong and no answer, on entailments and on others."""
    pairs = [Pair(str(i), "t", "h", gold) for i, gold in enumerate([YES, YES, YES, NO, NO, NO])]
    return judge(pairs, [YES, NO, None, NO, YES, None], [YES, YES, YES, None, YES, NO])


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("fn", "ox...."), ("fp", "...ox."), ("all", "ox.ox."), ("unanswered", "ooxoox")],
)
def test_errors_are_among_their_cases(judged, kind, expected):
    assert chosen(judged[0], ErrorKind(kind)) == expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("fn", "ox...."), ("fp", "....o."), ("all", "ox..o."), ("unanswered", "ooxoox")],
)
def test_against_counts_what_the_other_run_gets_right(judged, kind, expected):
    assert chosen(judged[0], ErrorKind(kind), judged[1]) == expected


def test_a_wrong_kind_of_no_is_neither_false_positive_nor_false_negative(judge):
    pairs = [Pair("1", "t", "h", Label.UNKNOWN), Pair("2", "t", "h", YES)]
    (judged,) = judge(pairs, [CON, CON])
    assert chosen(judged, ErrorKind.FALSE_POSITIVES) == "o."
    assert chosen(judged, ErrorKind.FALSE_NEGATIVES) == ".x"
    assert chosen(judged, ErrorKind.ALL) == "xx"


@pytest.mark.parametrize(
    ("answers", "kind", "message"),
    [
        (
            [YES, YES],
            "fn",
            "run0: nothing to mine: no false negatives among 2 answered entailments",
        ),
        ([NO, NO], "all", "run0: nothing to mine: all 2 answered cases are wrong answers"),
        ([None, None], "all", "run0: nothing to mine: there are no answered cases"),
        ([YES, YES], "fp", "run0: nothing to mine: there are no answered non-entailments"),
        ([YES, YES], "unanswered", "nothing to mine: no unanswered cases among 2 cases"),
    ],
)
def test_nothing_to_mine_is_said(judge, answers, kind, message):
    (judged,) = judge([Pair("1", "t", "h", YES), Pair("2", "t", "h", YES)], answers)
    found = population(judged, ErrorKind(kind))
    with pytest.raises(UndefinedError) as raised:
        check_contrast(found.kind, int(found.cases.sum()), int(found.errors.sum()), judged.name)
    assert raised.value.message.startswith(message) or message in raised.value.message
    assert raised.value.hint
