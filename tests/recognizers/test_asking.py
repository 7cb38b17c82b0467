import ensue
from ensue.pairs import Pair


def test_judge_gives_the_verdict_of_one_pair():
    verdict = ensue.judge("The cat sat on the mat.", "The cat sat.", "modified-bleu")
    pair = Pair("1", "The cat sat on the mat.", "The cat sat.")
    assert verdict == ensue.load("modified-bleu").judge([pair])[0]


def test_judge_asks_the_recognizer_on_features_by_default():
    verdict = ensue.judge("A dog barks at night.", "A dog barks.")
    assert (
        verdict
        == ensue.load("features").judge([Pair("1", "A dog barks at night.", "A dog barks.")])[0]
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
