"""From matches to METEOR's score: by hand, against NLTK, by law and on human scores."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, strategies as st
from nltk.translate.meteor_score import single_meteor_score
from tests.errors import coded

from ensue.errors import SettingError
from ensue.translation.features.word_matches import MatchScorer, match_statistics

FIRST_METEOR = MatchScorer(alpha=0.9, beta=3, gamma=0.5, delta=0.5, weights=(1, 1, 1))
"""Banerjee & Lavie 2005, where all words and all matches count the same."""
NO_SYNONYMS = SimpleNamespace(synsets=lambda word: [])

INVENTED = ["wug", "wugs", "blick", "dax", "fep", "zib", "toma", "kiki"]
invented = st.permutations(INVENTED).flatmap(
    lambda order: st.integers(0, len(order)).map(lambda n: order[:n])
)
sentences = st.lists(
    st.sampled_from(["the", "car", "cars", "auto", "bought", "purchased", ",", "of", "red"]),
    max_size=12,
)


def scored(output, *references, scorer=None):
    return (scorer or MatchScorer()).score(match_statistics([output], [references]))[0]


def test_score_of_moved_words_by_hand():
    # on the mat | sat | the cat: three chunks of six matches, and nothing is missed
    score = scored("on the mat sat the cat", "the cat sat on the mat")
    assert score == pytest.approx(1 - 0.6 * (3 / 6) ** 0.2)


def test_score_of_an_added_word_by_hand():
    # the cat | sat on the mat; "was" is too much
    score = scored("the cat was sat on the mat", "the cat sat on the mat", scorer=FIRST_METEOR)
    mean = 10 * (6 / 7) * 1 / (1 + 9 * 6 / 7)
    assert score == pytest.approx(mean * (1 - 0.5 * (2 / 6) ** 3))


def test_precision_and_recall_by_hand():
    found = match_statistics(["He purchased cars ."], [["He bought the red car ."]])
    # content: purchased by synonym, 0.8, cars by stem, 0.6; function: he and the period
    precision = (0.75 * (0.8 + 0.6) + 0.25 * 2) / (0.75 * 2 + 0.25 * 2)
    recall = (0.75 * (0.8 + 0.6) + 0.25 * 2) / (0.75 * 3 + 0.25 * 3)
    scorer = MatchScorer()
    assert scorer.precision(found)[0] == pytest.approx(precision)
    assert scorer.recall(found)[0] == pytest.approx(recall)
    mean = precision * recall / (0.85 * precision + 0.15 * recall)
    assert scorer.mean(found)[0] == pytest.approx(mean)
    # he purchased | cars .
    assert scorer.penalty(found)[0] == pytest.approx(0.6 * (2 / 4) ** 0.2)


def test_corpus_is_scored_by_summed_statistics():
    found = match_statistics(["dax fep", "zib"], [["dax"], ["zib toma"]])
    total = found.summed()
    # two of three words of the outputs, two of three of the references, one chunk each
    assert (total.matches[0], total.chunks[0]) == (2, 2)
    assert MatchScorer().score(total)[0] == pytest.approx(2 / 3 * (1 - 0.6 * (2 / 2) ** 0.2))


def test_corpus_of_identical_strings_scores_one():
    found = match_statistics(["dax fep", "zib"], [["dax fep"], ["zib"]])
    assert MatchScorer().score(found.summed())[0] == 1


def test_best_reference_counts():
    found = match_statistics(
        ["dax fep", "zib"], [["toma", "dax zib kiki", "dax fep zib"], ["kiki"]]
    )
    assert found.reference_length.tolist() == [3, 1]
    assert found.matches.tolist() == [2, 0]


def test_first_of_equal_references_counts():
    found = match_statistics(["dax"], [["toma kiki", "toma"]])
    assert found.reference_length.tolist() == [2]


@pytest.mark.parametrize(("output", "reference"), [("", "dax"), ("dax", ""), ("", ""), ("x", "y")])
def test_score_of_nothing_in_common_is_zero(output, reference):
    assert scored(output, reference) == 0


@given(invented, invented)
def test_score_is_nltks_where_no_word_is_twice(output, reference):
    forms = {"wug", "wugs"}  # of both, NLTK has the exact ones first, METEOR the fewest chunks
    output, reference = (
        [word for word in side if word not in forms or word == next(w for w in side if w in forms)]
        for side in (output, reference)
    )
    if output == reference:
        return  # NLTK takes something away even then
    theirs = single_meteor_score(reference, output, wordnet=NO_SYNONYMS, alpha=0.9, beta=3)
    ours = scored(" ".join(output), " ".join(reference), scorer=FIRST_METEOR)
    assert ours == pytest.approx(theirs)


@given(sentences, sentences)
def test_identical_strings_score_most(output, reference):
    score = scored(" ".join(output), " ".join(reference))
    assert 0 <= score <= 1
    if reference:
        assert scored(" ".join(reference), " ".join(reference)) == 1


@given(sentences, st.data())
def test_another_order_changes_only_chunks(words, data):
    moved = data.draw(st.permutations(words))
    one, other = (match_statistics([" ".join(w)], [[" ".join(words)]]) for w in (words, moved))
    assert other.covered.tolist() == one.covered.tolist()
    assert other.chunks[0] >= one.chunks[0]
    assert other.output_words.tolist() == one.output_words.tolist()
    assert other.matches.tolist() == one.matches.tolist()


@given(sentences, sentences)
def test_more_stages_never_cover_less(output, reference):
    found = match_statistics([" ".join(output)], [[" ".join(reference)]])
    assert (np.diff(found.covered[0]) >= 0).all()
    assert found.matches[0] == found.covered[0, -1]


@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=5))
def test_statistics_are_the_same_in_every_batch(pairs):
    outputs = [" ".join(output) for output, _ in pairs]
    references = [[" ".join(reference)] for _, reference in pairs]
    together = MatchScorer().score(match_statistics(outputs, references))
    alone = [scored(output, *several) for output, several in zip(outputs, references, strict=True)]
    assert together.tolist() == alone


def test_statistics_of_no_outputs_are_none():
    assert len(match_statistics([], [])) == 0


@pytest.mark.parametrize(
    ("references", "message"),
    [
        ([["a"]], "2 outputs cannot be matched with the references of 1"),
        ([["a"], []], r"output 1 has no list of references but \[\]"),
        (["a", "b"], "output 0 has no list of references but 'a'"),
    ],
)
def test_references_are_for_each_output(references, message):
    with pytest.raises(SettingError, match=message):
        match_statistics(["a", "b"], references)


def test_beam_is_wide_enough_for_something():
    with pytest.raises(SettingError, match="a beam of 0 holds nothing"):
        match_statistics(["a"], [["a"]], width=0)


@pytest.mark.parametrize(
    "settings", [{"alpha": 1.1}, {"gamma": -1}, {"weights": (1, 1)}, {"weights": (1, 2, 1)}]
)
def test_scorer_wants_shares(settings):
    with pytest.raises(SettingError, check=coded("not-score-all-beta")):
        MatchScorer(**settings)


def test_scorer_wants_a_power():
    with pytest.raises(SettingError, match="beta 0 is no power"):
        MatchScorer(beta=0)


@pytest.mark.data
def test_score_follows_human_scores(shared_data):
    folder, found = shared_data / "wmt16-da", []
    for file in sorted(folder.glob("*.human.*")):
        outputs, references = (
            (folder / file.name.replace("human", name)).read_text("utf-8").splitlines()
            for name in ("mt-system", "reference")
        )
        human = np.loadtxt(file)
        statistics = match_statistics(outputs, [[reference] for reference in references])
        found.append(np.corrcoef(MatchScorer().score(statistics), human)[0, 1])
    assert len(found) == 6
    assert np.mean(found) > 0.54
