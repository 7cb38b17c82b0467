import numpy as np
import pytest

from ensue.errors import UndefinedError
from ensue.files import ignore_finding
from ensue.paraphrase.lists import ListKey, RankedLists
from ensue.paraphrase.quality.entailment import RECOGNIZER, Combination, Grade, recognizer_quality


@pytest.fixture
def lists():
    return RankedLists(
        "lists.tsv",
        (ListKey("killed", "m"), ListKey("to take", "m")),
        np.array([0, 2, 3]),
        ["shot dead", "born", "to grab"],
        sentences=["Two were killed.", "Two were killed.", "She had to take it."],
        places=["lists.tsv:2", "lists.tsv:3", "lists.tsv:4"],
    )


def _knows_dying(text, hypothesis):
    """Two words that mean the same: the one way for sure, the other less so."""
    if "shot dead" in hypothesis:
        return 0.6  # killed → shot dead
    return 1.0 if "shot dead" in text else 0.2


def test_recognizer_quality_judges_both_ways(told, lists):
    found = recognizer_quality(lists, told(_knows_dying))
    assert found == pytest.approx([0.6 * 1.0, 0.2 * 0.2, 0.2 * 0.2])


def test_recognizer_quality_asks_about_replaced_sentences(told, lists):
    asked = []
    recognizer_quality(lists, told(lambda *_: 0.5, asked=asked))
    assert asked == [
        ("Two were killed.", "Two were shot dead."),
        ("Two were killed.", "Two were born."),
        ("She had to take it.", "She had to grab it."),
        ("Two were shot dead.", "Two were killed."),
        ("Two were born.", "Two were killed."),
        ("She had to grab it.", "She had to take it."),
    ]


def test_recognizer_quality_can_be_hard_and_one_way(told, lists):
    found = recognizer_quality(
        lists, told(_knows_dying), grade=Grade.HARD, combine=Combination.FORWARD
    )
    assert found.tolist() == [1, 0, 0]


def test_recognizer_quality_is_the_mean_over_sentences(told, lists):
    sentences = ["One was killed.", "A skilled man.", "Ten were killed.", "I have to take it."]
    sure = {"One": 1.0, "Ten": 0.5, "I": 0.0}
    judging = told(lambda text, _: sure[text.split()[0]])
    found = recognizer_quality(lists, judging, sentences, combine=Combination.MEAN)
    assert found == pytest.approx([(1.0 + 0.5) / 2, (1.0 + 0.5) / 2, 0.0])
    found = recognizer_quality(lists, judging, sentences, combine=Combination.MEAN, most=1)
    assert found == pytest.approx([1.0, 1.0, 0.0])


def test_recognizer_quality_has_a_gap_and_a_finding_where_no_sentence_holds_the_term(told, lists):
    findings = []
    sentences = ["A skilled man had to take it."]
    found = recognizer_quality(lists, told(lambda *_: 1.0), sentences, on_finding=findings.append)
    assert found == pytest.approx([np.nan, np.nan, 1], nan_ok=True)
    (finding,) = findings
    assert finding.code == "no-sentence"
    assert finding.place == "lists.tsv:2"
    assert finding.details == {"term": "killed", "n_patterns": 2}


def test_recognizer_quality_finds_sentences_of_the_lists_without_the_term(told, lists):
    findings = []
    wrong = RankedLists(
        "lists.tsv", lists.keys, lists.offsets, lists.paraphrases, sentences=[None, "Skilled!", "x"]
    )
    found = recognizer_quality(wrong, told(lambda *_: 1.0), on_finding=findings.append)
    assert np.isnan(found).all()
    assert [each.details["n_patterns"] for each in findings] == [2, 1]


def test_recognizer_quality_leaves_out_what_is_not_decided(told, lists):
    findings = []
    sentences = ["One was killed.", "Ten were killed."]
    judging = told(lambda text, _: None if text.startswith("Ten") else 0.9)
    found = recognizer_quality(
        lists.chosen_lists([0]), judging, sentences, on_finding=findings.append
    )
    assert found == pytest.approx([0.9 * 0.9] * 2)
    (finding,) = findings
    assert finding.code == "undecided"
    assert finding.details == {"n_sentences": 2, "n_patterns": 0}


def test_recognizer_quality_has_a_gap_where_nothing_is_decided(told, lists):
    findings = []
    judging = told(lambda text, hypothesis: None if "born" in text + hypothesis else 1.0)
    found = recognizer_quality(lists, judging, on_finding=findings.append)
    assert found == pytest.approx([1, np.nan, 1], nan_ok=True)
    assert findings[0].details == {"n_sentences": 1, "n_patterns": 1}
    assert findings[0].place == "lists.tsv:3"


def test_recognizer_quality_needs_sentences(told):
    lists = RankedLists.of({ListKey("killed", "m"): ["died"]}, name="lists.tsv")
    with pytest.raises(
        UndefinedError, match=r"lists.tsv: these lists bring no sentences[\s\S]*hint"
    ):
        recognizer_quality(lists, told(lambda *_: 1.0))


def test_recognizer_quality_of_no_patterns_is_empty(told):
    lists = RankedLists.of({ListKey("killed", "m"): []})
    assert recognizer_quality(lists, told(lambda *_: 1.0), ["One was killed."]).size == 0


def test_recognizer_kind_takes_a_name(lists):
    found = RECOGNIZER.make("overlap", ignore_finding)(lists)
    assert ((found >= 0) & (found <= 1)).all()
    # two of three words, two of four; the cutoff of overlap is 0.643, and so 1/2
    forward, backward = (1 - (0.643 - 2 / 4) / 0.643) / 2, (1 + (2 / 3 - 0.643) / (1 - 0.643)) / 2
    assert found[0] == pytest.approx(forward * backward)


def test_recognizer_kind_is_the_default_one_where_none_is_named(lists):
    found = RECOGNIZER.make("", ignore_finding)(lists)
    assert found.tolist() == recognizer_quality(lists, "joint").tolist()


def test_recognizer_kind_tells_which_patterns_get_no_quality(lists):
    findings = []
    wrong = RankedLists(
        "lists.tsv", lists.keys, lists.offsets, lists.paraphrases, sentences=[None, None, None]
    )
    RECOGNIZER.make("overlap", findings.append)(wrong)
    assert [(each.code, each.details["term"]) for each in findings] == [
        ("no-sentence", "killed"),
        ("no-sentence", "to take"),
    ]
