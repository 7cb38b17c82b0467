"""NIST: mteval-v13a's figures, by hand, by brute force and by its laws."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.errors import SettingError
from ensue.surface import (
    count_information,
    ngram_and_nist_statistics,
    nist_statistics,
    segment_statistics,
    tokenize_segments,
)
from ensue.surface.tokenizers import MTEVAL_13A, WHITESPACE

# the example of NLTK's documentation, there for its own scores
OUTPUTS = [
    "It is a guide to action which ensures that the military always obeys the commands of the party",
    "It is to insure the troops forever hearing the activity guidebook that party direct",
]
REFERENCES = [
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the "
    "command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
]

strings = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), max_size=12).map(" ".join)
several = st.lists(strings, min_size=1, max_size=3)
corpora = st.lists(st.tuples(strings, several), min_size=1, max_size=6)


def nist(outputs, references, order=5, **options):
    every = [reference for some in references for reference in some]
    information = count_information(every, WHITESPACE, **options)
    segments = tokenize_segments(outputs, references, WHITESPACE, **options)
    return nist_statistics(segments, information, order=order)


def split(corpus):
    return [output for output, _ in corpus], [references for _, references in corpus]


def brute_force(outputs, references, order):
    """mteval-v13a's score of each output, from its definitions."""

    def ngrams(string):
        words = string.split()
        return Counter(
            tuple(words[i : i + n]) for n in range(1, order + 1) for i in range(len(words) - n + 1)
        )

    every = [reference for some in references for reference in some]
    counts = sum(map(ngrams, every), Counter())
    counts[()] = sum(len(reference.split()) for reference in every)
    scores = []
    for output, some in zip(outputs, references, strict=True):
        most = Counter()
        for reference in some:
            most |= ngrams(reference)
        gains = [0.0] * order
        for gram, count in ngrams(output).items():
            if gram in most:
                information = math.log2(counts[gram[:-1]] / counts[gram])
                gains[len(gram) - 1] += min(count, most[gram]) * information
        t = len(output.split())
        r = sum(len(reference.split()) for reference in some) / len(some)
        ratio = t / r if r else math.inf
        beta = -math.log(0.5) / math.log(1.5) ** 2
        penalty = 1 if ratio >= 1 else 0 if t == 0 else math.exp(-beta * math.log(ratio) ** 2)
        scores.append(penalty * sum(gain / max(t - n, 1) for n, gain in enumerate(gains)))
    return scores


def test_nist_gives_the_figures_of_mteval():
    information = count_information(REFERENCES, MTEVAL_13A, lowercase=False)
    segments = tokenize_segments(OUTPUTS, [REFERENCES] * 2, MTEVAL_13A, lowercase=False)
    scores = nist_statistics(segments, information).score(5)
    assert scores.round(4).tolist() == [5.0379, 2.1139]


def test_information_worked_by_hand():
    # 7 words in all; "a" 3 times, "a b" 2 times of those, "b" 2 times, "b c" once
    information = count_information(["a b c", "a b", "a d"], WHITESPACE)
    assert information.n_words == 7
    assert information.of("a") == math.log2(7 / 3)
    assert information.of("a", "b") == math.log2(3 / 2)
    assert information.of("a", "b", "c") == math.log2(2 / 1)
    assert information.n_ngrams == 4 + 3 + 1


def test_information_of_what_no_reference_has_is_refused():
    information = count_information(["a b"], WHITESPACE)
    for words in [("b", "a"), ("x",), ("a", "x")]:
        with pytest.raises(SettingError, check=coded("references-without-field")):
            information.of(*words)


def test_information_is_the_same_from_a_stream_of_any_length():
    strings = [f"w{i % 50} w{i % 7} w{i % 11}" for i in range(3000)]
    whole = count_information(strings, WHITESPACE, order=3)
    assert count_information(iter(strings), WHITESPACE, order=3).n_ngrams == whole.n_ngrams
    counts = Counter(tuple(s.split()[:2]) for s in strings)
    words = Counter(word for s in strings for word in s.split())
    gram, count = counts.most_common(1)[0]
    count += sum(tuple(s.split()[1:]) == gram for s in strings)
    assert whole.of(*gram) == pytest.approx(math.log2(words[gram[0]] / count))


def test_nist_worked_by_hand():
    # reference "a b a c": a 2 of 4 words, b and c 1 of 4; "a b" 1 of 2. Output "a b": both words
    # and the pair match, half as long as the reference
    found = nist(["a b"], [["a b a c"]], order=2)
    assert found.gains.tolist() == [[math.log2(4 / 2) + math.log2(4 / 1), math.log2(2 / 1)]]
    assert found.precisions().tolist() == [[3 / 2, 1 / 1]]
    penalty = math.exp(math.log(0.5) * (math.log(2 / 4) / math.log(2 / 3)) ** 2)
    assert found.penalty()[0] == pytest.approx(penalty)
    assert found.score(2)[0] == pytest.approx(penalty * (3 / 2 + 1))


def test_penalty_is_half_for_two_thirds_of_the_length():
    found = nist(["a b"], [["a b c"]])
    assert found.penalty()[0] == pytest.approx(0.5)


def test_penalty_is_by_the_mean_length_of_references():
    found = nist(["a b c", "a b c"], [["a b", "a b c d"], ["a b c d", "a b c d e"]])
    assert found.reference_length.tolist() == [3, 4.5]
    assert found.penalty().tolist() == [1, pytest.approx(0.5)]


def test_empty_output_scores_zero():
    found = nist(["", ""], [["a b"], [""]])
    assert found.penalty().tolist() == [0, 0]
    assert found.score().tolist() == [0, 0]


def test_output_for_an_empty_reference_scores_zero_without_a_penalty():
    found = nist(["a b"], [[""]])
    assert (found.penalty().tolist(), found.score().tolist()) == ([1], [0])


@given(corpora, st.integers(1, 10))
def test_nist_equals_brute_force(corpus, order):
    outputs, references = split(corpus)
    found = nist(outputs, references, order)
    np.testing.assert_allclose(
        found.score(order), brute_force(outputs, references, order), rtol=0, atol=1e-9
    )


@given(corpora)
def test_nist_statistics_of_a_corpus_are_sums(corpus):
    outputs, references = split(corpus)
    found = nist(outputs, references)
    summed = found.summed()
    assert summed.gains[0].tolist() == pytest.approx(found.gains.sum(axis=0).tolist())
    assert summed.output_length[0] == sum(len(output.split()) for output in outputs)
    assert summed.reference_length[0] == pytest.approx(found.reference_length.sum())


@given(corpora)
def test_order_of_references_does_not_matter_for_nist(corpus):
    outputs, references = split(corpus)
    turned = [list(reversed(each)) for each in references]
    assert nist(outputs, references).score().tolist() == nist(outputs, turned).score().tolist()


@given(corpora)
def test_identity_gains_most(corpus):
    references = [some[0] for _, some in corpus]
    outputs, single = [output for output, _ in corpus], [[reference] for reference in references]
    information = count_information(references, WHITESPACE)

    def gains(strings):
        segments = tokenize_segments(strings, single, WHITESPACE)
        return nist_statistics(segments, information).gains

    assert (gains(references) >= gains(outputs) - 1e-9).all()


@given(corpora)
def test_bleu_statistics_beside_nist_are_those_of_bleu(corpus):
    outputs, references = split(corpus)
    segments = tokenize_segments(outputs, references, WHITESPACE)
    information = count_information([each for some in references for each in some], WHITESPACE)
    ngrams, _ = ngram_and_nist_statistics(segments, information, order=4)
    assert ngrams.matches.tolist() == segment_statistics(segments).matches.tolist()


def test_information_of_other_references_is_refused():
    segments = tokenize_segments(["x", "a b"], [["y"], ["a b"]], WHITESPACE)
    for others in (["a c b"], ["c d"]):
        with pytest.raises(SettingError, match="the references of output 1 are not among those"):
            nist_statistics(segments, count_information(others, WHITESPACE))


def test_information_cut_otherwise_is_refused():
    segments = tokenize_segments(["a"], [["a"]], WHITESPACE)
    for information in (
        count_information(["a"], MTEVAL_13A),
        count_information(["a"], WHITESPACE, lowercase=False),
    ):
        with pytest.raises(SettingError, check=coded("segments-cut-not-go")):
            nist_statistics(segments, information)


@pytest.mark.parametrize("order", [0, 11])
def test_information_of_other_orders_is_refused(order):
    with pytest.raises(SettingError, match=f"order {order} have no information"):
        count_information(["a"], WHITESPACE, order=order)


def test_score_of_an_order_without_statistics_is_refused():
    with pytest.raises(SettingError, match="no statistics of order 6"):
        nist(["a"], [["a"]], order=5).score(6)
    information = count_information(["a"], WHITESPACE, order=2)
    with pytest.raises(SettingError, match="no information of n-grams of order 3"):
        nist_statistics(tokenize_segments(["a"], [["a"]], WHITESPACE), information, order=3)
