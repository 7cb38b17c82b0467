from dataclasses import replace

import pytest

from ensue.errors import SettingError, UnknownNameError
from ensue.evaluation import evaluate
from ensue.evaluation.evaluator import Gate, read_gate, shortfalls
from ensue.pairs import Signature
from ensue.pairs.runs import RunHeader
from ensue.statistics.resampling import Resampling


@pytest.fixture
def evaluation(make_pairs, make_run):
    """A run with confidences that gets five of eight right, and one without that answers six."""
    scored = make_run("YYNNYNNN", [0.9, 0.8, 0.4, 0.1, 0.7, 0.3, 0.2, 0.0], name="scored")
    bare = make_run("YYYYNN.-", name="bare")
    return evaluate(make_pairs("YYYYNNNN"), [scored, bare], resampling=Resampling(draws=0))


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("0.55", Gate("accuracy", 0.55)),
        ("cws=0.6", Gate("cws", 0.6)),
        ("average-precision=1", Gate("average-precision", 1.0)),
    ],
)
def test_read_gate_takes_a_measure_or_means_accuracy(text, gate):
    assert read_gate(text) == gate


def test_read_gate_suggests_the_nearest_measure():
    with pytest.raises(UnknownNameError, match="no measure is called 'acuracy'") as error:
        read_gate("acuracy=0.5")
    assert error.value.hint == "did you mean 'accuracy'?"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("55", r"accuracy lies in \[0, 1\]"),
        ("nan", r"accuracy lies in \[0, 1\]"),
        ("much", "'much' is not a number"),
        ("cws=", "'' is not a number"),
    ],
)
def test_read_gate_refuses_what_no_measure_reaches(text, message):
    with pytest.raises(SettingError, match=message):
        read_gate(text)


def test_shortfalls_names_the_runs_below(evaluation):
    assert shortfalls(evaluation, [Gate("accuracy", 0.7)]) == [
        "scored: accuracy 0.625 is under 0.7"
    ]


def test_shortfalls_lets_a_run_pass_that_just_reaches_it(evaluation):
    assert shortfalls(evaluation, [Gate("accuracy", 5 / 8)]) == []


def test_shortfalls_counts_an_undefined_number_as_short(evaluation):
    assert shortfalls(evaluation, [Gate("cws", 0.0)]) == [
        "bare: cws is undefined: the run has no confidences"
    ]


@pytest.fixture
def of_other_data(make_pairs, make_run):
    """Two runs that are right throughout, the second of which was made for other pairs."""
    header = RunHeader(Signature("overlap", "0.1.0"), data={"pairs_hash": "0" * 64})
    good = make_run("YN", name="good")
    return evaluate(
        make_pairs("YN"),
        [good, replace(good, name="other", header=header)],
        resampling=Resampling(draws=0),
    )


def test_shortfalls_let_no_run_for_other_data_pass(of_other_data):
    (line,) = shortfalls(of_other_data, [Gate("accuracy", 0.5), Gate("coverage", 0.5)])
    assert line.startswith("other: the run was made for other pairs than the gold")


def test_shortfalls_are_none_where_there_is_no_gate(of_other_data):
    assert shortfalls(of_other_data, []) == []
