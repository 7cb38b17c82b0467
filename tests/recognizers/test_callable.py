"""Functions as recognizers."""

import itertools
import sys
import textwrap

import pytest
from tests.errors import coded

import ensue
from ensue.cli.app import run
from ensue.errors import RunError, SettingError, UnknownNameError
from ensue.pairs import Label, Pair, Status, Verdict, read_run

THREE = [Pair(name, f"text {name}", "", Label.ENTAILMENT) for name in "abc"]
_numbers = itertools.count()


@pytest.fixture
def function(tmp_path, monkeypatch):
    """Write a module with a function `judge` and give the recognizer that it is."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])

    def made(code, **settings):
        name = f"written_for_a_test_{next(_numbers)}"
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(code), encoding="utf-8")
        return ensue.load(f"python:{name}:judge", {"guard": False, **settings})

    return made


def test_function_may_give_labels(function):
    recognizer = function("""
        from ensue import Label
        def judge(pairs): return [Label.UNKNOWN, "Contradiction", None]
    """)
    labels = [verdict.label for verdict in recognizer.judge(THREE)]
    assert labels == [Label.UNKNOWN, Label.CONTRADICTION, None]


def test_function_may_give_objects(function):
    recognizer = function("""
        import numpy as np
        def judge(pairs):
            return [{"label": np.int64(0), "score": np.float32(0.5)} for pair in pairs]
    """, labels="0=entailment,1=unknown")  # fmt: skip
    assert recognizer.judge(THREE[:1]) == [Verdict("a", Label.ENTAILMENT, 0.5)]


def test_function_may_give_verdicts_whose_labels_need_no_map(function):
    recognizer = function("""
        from ensue import Label, Verdict
        def judge(pairs):
            return [Verdict(pair.id, Label.UNKNOWN, 2.0, 0.5) for pair in pairs[1:]] + [
                Verdict(pairs[0].id, None, status="abstained", reason="hard")]
    """, labels="0=entailment,1=unknown")  # fmt: skip
    assert recognizer.judge(THREE[:2]) == [
        Verdict("a", None, status=Status.ABSTAINED, reason="hard"),
        Verdict("b", Label.UNKNOWN, 2.0, 0.5),
    ]


def test_function_may_be_a_generator_of_numbers(function):
    recognizer = function(
        "def judge(pairs): yield from (i for i, _ in enumerate(pairs))",
        labels="0=entailment,1=unknown,2=contradiction",
    )
    assert [str(verdict.label) for verdict in recognizer.judge(THREE)] == [
        "entailment",
        "unknown",
        "contradiction",
    ]


def test_function_does_not_see_the_gold(function):
    recognizer = function("""
        def judge(pairs):
            return [{"label": None, "reason": str(pair.gold)} for pair in pairs]
    """)
    assert {verdict.reason for verdict in recognizer.judge(THREE)} == {"None"}


def test_answers_with_ids_may_come_in_another_order(function):
    recognizer = function("""
        def judge(pairs):
            return [{"pair_id": p.id, "label": "unknown", "score": ord(p.id)} for p in pairs[::-1]]
    """)
    assert [verdict.score for verdict in recognizer.judge(THREE)] == [97.0, 98.0, 99.0]


def test_function_that_raises_fails_that_pair_alone(function):
    recognizer = function("""
        def judge(pairs):
            return ["unknown" if pair.id != "b" else 1 / 0 for pair in pairs]
    """)
    verdicts = recognizer.judge(THREE)
    assert [verdict.status for verdict in verdicts] == ["decided", "failed", "decided"]
    assert verdicts[1].reason == "ZeroDivisionError: division by zero"


def test_pairs_that_are_answered_twice_or_not_at_all_fail(function):
    recognizer = function("""
        def judge(pairs):
            return [{"pair_id": name, "label": "unknown"} for name in "aab"]
    """)
    verdicts = recognizer.judge(THREE)
    assert [verdict.status for verdict in verdicts] == ["failed", "decided", "failed"]
    assert verdicts[0].reason == "the function answered this pair twice"
    assert verdicts[2].reason == "the function did not answer this pair"


def test_wrong_number_of_answers_is_an_error(function):
    recognizer = function("def judge(pairs): return ['unknown'] * (len(pairs) + 1)")
    with pytest.raises(RunError, match="judge gives 4 answers for 3 pairs"):
        recognizer.judge(THREE)


def test_answer_that_nobody_asked_is_an_error(function):
    recognizer = function("def judge(pairs): return [{'pair_id': 'x', 'label': 'unknown'}]")
    with pytest.raises(RunError, match="answers pair 'x', which it was not asked"):
        recognizer.judge(THREE)


def test_answers_of_which_only_some_have_ids_are_an_error(function):
    recognizer = function("def judge(p): return ['unknown', {'pair_id': 'b'}, 'unknown']")
    with pytest.raises(RunError, check=coded("gives-answers-pair-id")):
        recognizer.judge(THREE)


def test_function_that_gives_no_list_fails_its_pairs(function):
    verdicts = function("def judge(pairs): return None").judge(THREE)
    assert {verdict.reason for verdict in verdicts} == {
        "TypeError: 'NoneType' object is not iterable"
    }


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("python:", "'' does not name a function"),
        ("python:json", "'json' does not name a function"),
        ("python:no_such_module:judge", "cannot import 'no_such_module': ModuleNotFoundError"),
        ("python:json:no_such", "there is no 'no_such' in 'json'"),
        ("python:json:__name__", "'json:__name__' cannot be called: it is 'json'"),
    ],
)
def test_what_is_no_function_is_an_error(target, message):
    with pytest.raises(SettingError, match=message):
        ensue.load(target)


def test_module_that_breaks_on_import_is_an_error(function):
    with pytest.raises(SettingError, match=r"cannot import '.*': SyntaxError: "):
        function("def judge(:")


def test_settings_are_checked():
    with pytest.raises(SettingError, match="a batch of 0 pairs"):
        ensue.load("python:json:dumps", {"batch": 0})
    with pytest.raises(UnknownNameError, match="no setting is called 'time_limit'"):
        ensue.load("python:json:dumps", {"time_limit": 1})


def test_function_inside_something_is_found(function, tmp_path):
    (tmp_path / "with_a_class.py").write_text(
        "class Model:\n    @staticmethod\n    def judge(pairs): return ['unknown' for _ in pairs]\n"
    )
    recognizer = ensue.load("python:with_a_class:Model.judge")
    assert recognizer.judge(THREE)[0].label is Label.UNKNOWN


def test_guard_stops_a_function_whose_labels_are_in_another_order(function):
    code = "def judge(pairs): return [int(p.text != p.hypothesis) for p in pairs]"
    right = function(code, labels="0=entailment,1=not-entailment", guard=True)
    assert right.judge(THREE)[0].label is Label.NOT_ENTAILMENT
    with pytest.raises(SettingError, match="fit 0% of the obvious pairs"):
        function(code, labels="1=entailment,0=not-entailment", guard=True).judge(THREE)


def test_signature_has_the_hash_of_the_module(function):
    code = "def judge(pairs): return ['unknown'] * len(pairs)"
    one, other = function(code).signature.settings, function(code + "\n").signature.settings
    assert len(one["sha256"]) == 16
    assert one["sha256"] != other["sha256"]


def test_command_line_judges_with_a_function(function, tmp_path, examples):
    (tmp_path / "my_model.py").write_text(
        "def judge(pairs):\n    return ['yes' if p.hypothesis in p.text else 'no' for p in pairs]\n"
    )
    arguments = ["-r", "python:my_model:judge", "-s", "labels=yes=entailment,no=not-entailment"]
    assert run(["judge", str(examples), *arguments, "-o", "run.jsonl"]) == 0
    assert {verdict.label for verdict in read_run("run.jsonl").verdicts} == {"not-entailment"}
    assert run(["explain", "A dog", "A dog", *arguments]) == 0
