from pathlib import Path

import pytest

import ensue
from ensue.claims import check_claims
from ensue.errors import ArgumentError
from ensue.features import open_reader
from ensue.pairs import Label, Pair, Verdict, load_pairs, survey


def test_judge_gives_the_verdict_of_one_pair():
    verdict = ensue.judge("The cat sat on the mat.", "The cat sat.", "modified-bleu")
    pair = Pair("1", "The cat sat on the mat.", "The cat sat.")
    assert verdict == ensue.load("modified-bleu").judge([pair])[0]


def test_judge_asks_the_joint_recognizer_by_default():
    verdict = ensue.judge("A dog barks at night.", "A dog barks.")
    assert (
        verdict
        == ensue.load("joint").judge([Pair("1", "A dog barks at night.", "A dog barks.")])[0]
    )
    assert 0 < verdict.score < 1


def test_judge_takes_a_recognizer_or_a_directory(examples, tmp_path):
    trained = ensue.load("overlap").fit(list(ensue.read_pairs(examples)), seed=0)
    ensue.recognizers.save(trained, tmp_path / "kept")
    asked = ("A dog barks at night.", "A dog barks.")
    assert ensue.judge(*asked, trained) == ensue.judge(*asked, tmp_path / "kept")


def test_explain_gives_the_evidence_of_one_pair():
    explanation = ensue.explain("The cat sat on the mat.", "The cat sat.", "overlap")
    assert explanation.verdict == ensue.judge("The cat sat on the mat.", "The cat sat.", "overlap")
    assert explanation.evidence.spans
    assert explanation.signature.recognizer == "overlap"


PAIR = Pair("1", "A dog barks.", "A dog.")


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: ensue.judge("A", None), "hypothesis has to be a text, not None"),
        (lambda: ensue.judge(b"A", "B"), "text has to be a text, not b'A'"),
        (lambda: ensue.judge(3, "B"), "text has"),
        (lambda: ensue.judge("A", "B", None), "recognizer has"),
        (lambda: ensue.judge("A", "B", ["overlap"]), "recognizer has"),
        (lambda: ensue.explain(["A"], "B"), "text has"),
        (lambda: ensue.explain("A", "B", 7), "recognizer has"),
        (lambda: ensue.load(None), "name_or_directory has"),
        (lambda: ensue.load("overlap", ["cutoff=1"]), "settings has"),
        (lambda: ensue.load("overlap", {1: 2}), "the name of a setting has"),
        (lambda: ensue.Pair(None, "A", "B"), "id has to be a text or a number, not None"),
        (lambda: ensue.Pair(True, "A", "B"), "id has"),
        (lambda: ensue.Pair("1", "A", "B", "entailment"), "gold has to be a Label or None"),
        (lambda: ensue.Verdict("1", "entailment"), "label has to be a Label or None"),
        (lambda: ensue.read_pairs(None), "source has"),
        (lambda: ensue.read_pairs(["x.jsonl"]), "source has"),
        (lambda: ensue.read_pairs("x", labels="hf"), "labels has to be a mapping"),
        (lambda: ensue.read_pairs("x", labels={"0": "entailment"}), "labels has"),
        (lambda: ensue.read_pairs("x", columns=["text"]), "columns has"),
        (lambda: ensue.read_pairs("x", format=1), "format has"),
        (lambda: ensue.read_pairs("x", encoding=b"utf-8"), "encoding has"),
        (lambda: load_pairs(3), "source has"),
        (lambda: survey(None), "source has"),
        (lambda: ensue.read_run(None), "source has"),
        (lambda: ensue.write_pairs(None, []), "target has"),
        (lambda: ensue.write_pairs("-", [("A", "B")]), "pairs has"),
        (lambda: ensue.write_run("-", {}, []), "header has"),
        (lambda: ensue.evaluate(None, []), "gold has to be a list, each a Pair, not None"),
        (lambda: ensue.evaluate("gold.xml", []), "gold has"),
        (lambda: ensue.evaluate([PAIR, "B"], []), r"gold\[1\] has to be a Pair, not 'B'"),
        (lambda: ensue.evaluate([PAIR], ["run.jsonl"]), r"runs\[0\] has"),
        (lambda: ensue.evaluate([PAIR], [], view="2-way"), "view has"),
        (lambda: ensue.evaluate([PAIR], [], measures="accuracy"), "measures has"),
        (lambda: ensue.evaluate([PAIR], [], resampling=100), "resampling has"),
        (lambda: ensue.evaluate([PAIR], [], prior="0.5"), "prior has"),
        (lambda: ensue.check(None, "B"), "source has"),
        (lambda: ensue.check("A", 3), "claims has"),
        (lambda: ensue.check("A", "B", None), "recognizer has"),
        (lambda: ensue.check("A", "B", best="3"), "best has to be a number from 1"),
        (lambda: check_claims(None, "B", None, open_reader()), "source has"),
        (lambda: check_claims("A", ["B"], None, open_reader()), r"claims\[0\] has"),
    ],
)
def test_argument_of_another_kind_is_an_error_that_names_it(call, argument):
    with pytest.raises(ArgumentError, match=f"^{argument}") as caught:
        call()
    assert caught.value.code == "wrong-argument"


def test_long_argument_is_not_shown_as_a_whole():
    with pytest.raises(ArgumentError) as caught:
        ensue.judge(["A"] * 1000, "B")
    assert len(caught.value.message) < 100


def test_number_as_an_id_becomes_a_text():
    assert [Pair(given, "A", "B").id for given in (7, 7.5, 10**400)] == ["7", "7.5", f"{10**400}"]


def test_paths_and_labels_of_their_own_kinds_are_taken(tmp_path):
    ensue.write_pairs(tmp_path / "x.jsonl", [Pair("1", "A", "B", Label.ENTAILMENT)])
    path = Path(tmp_path / "x.jsonl")
    assert [pair.gold for pair in ensue.read_pairs(path, labels={"entailment": None})] == [None]
    assert Verdict("1", Label.ENTAILMENT).label is Label.ENTAILMENT
