"""NLTK over the same files says the same, but for the quirks that `measures` names."""

import json
import math
import random
import re
import statistics
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from ensue.language import SimilarityMeasure

RECORDED = json.loads((Path(__file__).parent / "nltk_values.json").read_text("utf-8"))
LETTERS = {"noun": "n", "verb": "v", "adjective": "a", "adverb": "r"}
NLTK_NAMES = {
    "path": "path_similarity",
    "wu-palmer": "wup_similarity",
    "leacock-chodorow": "lch_similarity",
    "resnik": "res_similarity",
    "lin": "lin_similarity",
    "jiang-conrath": "jcn_similarity",
}
NUMBERS = {"n": "1", "v": "2"}
"""Parts of speech in the keys of senses."""
N_PAIRS = 500
CONTENT = {"resnik", "lin", "jiang-conrath"}


@pytest.mark.parametrize("each", RECORDED["similarities"], ids=lambda each: " ".join(each[:3]))
def test_similarity_is_as_nltk_recorded(lexicon, each):
    measure, first, second, expected = each
    pair = [lexicon.synset(first)], [lexicon.synset(second)]
    assert lexicon.synset_similarity(measure, *pair)[0] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("word", "pos", "names"), RECORDED["synsets"])
def test_synsets_are_as_nltk_recorded(lexicon, word, pos, names):
    assert [lexicon.name(synset) for synset in lexicon.synsets(word, pos)] == names


@pytest.mark.parametrize(
    ("first", "second", "nltks", "ours"),
    [
        # a person is 9 deep by the longest way, and 2 steps above each; NLTK takes the shortest
        ("nurse.n.01", "teacher.n.01", 6 / 11, 2 * 9 / (2 + 2 + 2 * 9)),
        ("car.n.01", "bicycle.n.01", 8 / 11, 2 * 9 / (2 + 2 + 2 * 9)),
        # their common ancestor is a root; NLTK takes the one above it
        ("eat.v.01", "drink.v.01", 2 / (2 + 2 + 2), 2 * 1 / (1 + 1 + 2 * 1)),
        ("walk.v.01", "run.v.01", 2 / (2 + 3 + 2), 2 * 1 / (1 + 2 + 2 * 1)),
        # a synset is as like itself as can be
        ("person.n.01", "person.n.01", None, 1),
    ],
)
def test_wu_palmer_departs_from_nltk_where_it_says(lexicon, request, first, second, nltks, ours):
    pair = [lexicon.synset(first)], [lexicon.synset(second)]
    assert lexicon.synset_similarity("wu-palmer", *pair)[0] == pytest.approx(ours)
    if nltks is not None:
        wordnet = request.getfixturevalue("nltk_wordnet")
        found = wordnet.synset(first).wup_similarity(wordnet.synset(second))
        assert found == pytest.approx(nltks)


# From here on NLTK itself


@pytest.fixture(scope="module")
def by_offset(lexicon):
    """From NLTK's synset to our number."""
    table = lexicon.table
    starts = table["synsets.starts"].tolist()
    numbers = {}
    for k, letter in enumerate("nvar"):
        for i in range(starts[k], starts[k + 1]):
            numbers[letter, int(table["synsets.offset"][i])] = i
    return lambda synset: numbers[synset.pos().replace("s", "a"), synset.offset()]


@pytest.fixture(scope="module")
def counts(wndb):
    """The counts of senses by NLTK's keys, which have no "(a)" behind the head of a satellite.

    `Lemma.count` does not find all of them.
    """
    lines = (wndb / "cntlist.rev").read_text("utf-8").splitlines()
    keys = ((re.sub(r"\((a|p|ip)\)", "", key), int(n)) for key, _, n in map(str.split, lines))
    return defaultdict(int, keys)


@pytest.fixture(scope="module")
def content(nltk_wordnet, counts):
    """NLTK's dictionary of counts, each ancestor counted once for an occurrence."""
    found = {letter: defaultdict(lambda: 1.0) for letter in "nv"}
    for letter, of_letter in found.items():
        words = {key.split("%")[0] for key in counts if key.split("%")[1][0] == NUMBERS[letter]}
        for synset in {each for word in words for each in nltk_wordnet.synsets(word, letter)}:
            own = sum(counts[lemma.key()] for lemma in synset.lemmas())
            above = {each for level in synset._iter_hypernym_lists() for each in level}
            for offset in {each.offset() for each in above if own} | {0}:
                of_letter[offset] += own
    return found


@pytest.fixture(scope="module")
def depths(lexicon, nltk_wordnet):
    """Let NLTK take the depth of a hierarchy from the synsets that are deepest here, not from all."""
    starts, offsets = lexicon.table["synsets.starts"], lexicon.table["synsets.offset"]

    def deepest(letter):
        part = slice(*starts["nv".index(letter) :][:2])
        of_part = lexicon.network.hierarchy.depths[part]
        for offset in offsets[part][of_part == of_part.max()].tolist():
            yield nltk_wordnet.synset_from_pos_and_offset(letter, offset)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nltk_wordnet, "all_synsets", deepest)
        yield


@pytest.fixture(scope="module")
def sampled(nltk_wordnet):
    """Random words of a part of speech."""
    names = {pos: sorted(nltk_wordnet.all_lemma_names(LETTERS[pos])) for pos in LETTERS}
    return lambda pos, n, seed=1: random.Random(seed).sample(names[pos], min(n, len(names[pos])))


@pytest.fixture(scope="module")
def pairs_of(nltk_wordnet, sampled):
    """Pairs of nouns' and of verbs' synsets, half at random, half with a hypernym in common."""
    found = {}
    for pos in ("noun", "verb"):
        words = sampled(pos, 2 * N_PAIRS, seed=2)
        synsets = [nltk_wordnet.synsets(word, LETTERS[pos])[0] for word in words]
        near = [each.hypernyms()[0].hyponyms()[0] if each.hypernyms() else each for each in synsets]
        found[pos] = [
            *zip(synsets[:N_PAIRS], synsets[N_PAIRS:], strict=True),
            *zip(synsets[:N_PAIRS], near, strict=False),
        ]
    return found


@pytest.mark.parametrize("pos", LETTERS)
def test_synsets_and_counts_of_words(lexicon, sampled, nltk_wordnet, by_offset, counts, pos):
    for word in sampled(pos, 1000):
        if pos == "noun" and (word.endswith("ss") or len(word) <= 2):
            continue  # NLTK takes off an "s" that WordNet leaves there
        expected = dict.fromkeys(nltk_wordnet.synsets(word, LETTERS[pos]))
        assert lexicon.synsets(word, pos).tolist() == [by_offset(each) for each in expected], word
        lemmas = {lemma.replace(" ", "_") for lemma in lexicon.lemmas(word, pos)}
        assert lexicon.counts(word, pos).tolist() == [
            sum(counts[each.key()] for each in synset.lemmas() if each.name().lower() in lemmas)
            for synset in expected
        ], word


def test_inflected_forms(lexicon, sampled, nltk_wordnet, by_offset):
    endings = {"n": ["s", "es"], "v": ["s", "ed", "ing"], "a": ["er", "est"]}
    n_found = 0
    for pos, letter in [("noun", "n"), ("verb", "v"), ("adjective", "a")]:
        forms = [word + ending for word in sampled(pos, 400) for ending in endings[letter]]
        forms += sorted(nltk_wordnet._exception_map[letter])[::5]
        for form in forms:
            if form.endswith("ss"):
                continue
            expected = dict.fromkeys(nltk_wordnet.synsets(form, letter))
            found = lexicon.synsets(form, pos).tolist()
            if expected or "_" not in form:  # we also inflect within a collocation
                assert found == [by_offset(each) for each in expected], form
                n_found += bool(expected)
    assert n_found > 1500


@pytest.mark.parametrize("pos", ["noun", "verb"])
def test_ancestors_with_distances(lexicon, sampled, nltk_wordnet, by_offset, pos):
    reach = lexicon.network.hierarchy.reach
    for word in sampled(pos, 1000):
        for synset in nltk_wordnet.synsets(word, LETTERS[pos]):
            number = by_offset(synset)
            row = slice(reach.offsets[number], reach.offsets[number + 1])
            found = dict(zip(reach.synsets[row].tolist(), reach.steps[row].tolist(), strict=True))
            expected = synset._shortest_hypernym_paths(False)
            assert found == {by_offset(each): steps for each, steps in expected.items()}
            longest = max(len(path) for path in synset.hypernym_paths())
            assert lexicon.network.hierarchy.depths[number] == longest - 1


@pytest.mark.parametrize(
    ("relation", "pos", "ask"),
    [
        ("hypernym", "noun", "hypernyms"),
        ("instance hypernym", "noun", "instance_hypernyms"),
        ("part holonym", "noun", "part_holonyms"),
        ("member holonym", "noun", "member_holonyms"),
        ("substance holonym", "noun", "substance_holonyms"),
        ("entailment", "verb", "entailments"),
        ("cause", "verb", "causes"),
        ("similar", "adjective", "similar_tos"),
    ],
)
def test_relations_of_synsets(lexicon, sampled, nltk_wordnet, by_offset, relation, pos, ask):
    n_found = 0
    for word in sampled(pos, 1500):
        for synset in nltk_wordnet.synsets(word, LETTERS[pos]):
            expected = sorted(by_offset(each) for each in getattr(synset, ask)())
            assert sorted(lexicon.related(by_offset(synset), relation).tolist()) == expected
            n_found += len(expected)
    assert n_found > 20


@pytest.mark.parametrize("pos", LETTERS)
@pytest.mark.parametrize(
    ("relation", "ask"),
    [
        ("antonym", "antonyms"),
        ("derivation", "derivationally_related_forms"),
        ("pertainym", "pertainyms"),
    ],
)
def test_relations_of_words(lexicon, sampled, nltk_wordnet, by_offset, pos, relation, ask):
    for word in sampled(pos, 500, seed=3):
        for synset in nltk_wordnet.synsets(word, LETTERS[pos]):
            expected = {
                by_offset(to.synset()) for of in synset.lemmas() for to in getattr(of, ask)()
            }
            assert set(lexicon.related(by_offset(synset), relation).tolist()) == expected


def our_similarities(lexicon, by_offset, measure, pairs):
    first, second = zip(*[(by_offset(a), by_offset(b)) for a, b in pairs], strict=True)
    return lexicon.synset_similarity(measure, first, second).tolist()


def root_is_nearest(synset):
    """Whether the ancestor furthest from a synset is its nearest root."""
    ways = synset._shortest_hypernym_paths(False)
    roots = [steps for each, steps in ways.items() if not each.hypernyms()]
    return max(ways.values()) == min(roots)


@pytest.mark.parametrize("pos", ["noun", "verb"])
@pytest.mark.parametrize("measure", ["path", "leacock-chodorow"])
def test_shortest_ways(lexicon, pairs_of, nltk_wordnet, depths, by_offset, measure, pos):
    pairs = pairs_of[pos]
    agreeing = []
    for (a, b), found in zip(
        pairs, our_similarities(lexicon, by_offset, measure, pairs), strict=True
    ):
        expected = getattr(a, NLTK_NAMES[measure])(b)
        if pos == "noun" or (root_is_nearest(a) and root_is_nearest(b)):
            assert found == pytest.approx(expected, rel=1e-12), (a, b)
        else:  # NLTK's common root of verbs is further away
            assert found >= expected
        agreeing.append(found == pytest.approx(expected, rel=1e-12))
    assert statistics.mean(agreeing) > 0.98


def wu_palmer(a, b):
    """By NLTK's own parts: the longest way for choice and depth, straight ways, the best of several.

    None for verbs without a common ancestor.
    """
    up, other = (each._shortest_hypernym_paths(False) for each in (a, b))
    depths = {each: each.max_depth() + 1 for each in a.lowest_common_hypernyms(b)}
    scores = [2 * d / (up[each] + other[each] + 2 * d) for each, d in depths.items()]
    return max(scores, default=None)


@pytest.mark.parametrize("pos", ["noun", "verb"])
def test_wu_palmer(lexicon, pairs_of, nltk_wordnet, by_offset, pos):
    pairs = pairs_of[pos]
    agreeing = []
    for (a, b), found in zip(
        pairs, our_similarities(lexicon, by_offset, "wu-palmer", pairs), strict=True
    ):
        expected = wu_palmer(a, b)
        if expected is None:  # verbs without a common ancestor
            up = [min(map(len, each.hypernym_paths())) for each in (a, b)]
            expected = 2 / (up[0] + up[1] + 2)
        assert found == pytest.approx(expected, rel=1e-12), (a, b)
        agreeing.append(found == pytest.approx(a.wup_similarity(b), rel=1e-12))
    assert statistics.mean(agreeing) > {"noun": 0.95, "verb": 0.85}[pos]


@pytest.mark.parametrize("pos", ["noun", "verb"])
@pytest.mark.parametrize("measure", sorted(CONTENT))
def test_information_content(lexicon, pairs_of, nltk_wordnet, by_offset, content, measure, pos):
    pairs = pairs_of[pos]
    for (a, b), found in zip(
        pairs, our_similarities(lexicon, by_offset, measure, pairs), strict=True
    ):
        expected = getattr(a, NLTK_NAMES[measure])(b, content)
        assert found == pytest.approx(math.inf if expected == 1e300 else expected, rel=1e-7)


def test_similarity_of_words_is_that_of_their_most_alike_senses(lexicon, sampled, nltk_wordnet):
    words = sampled("noun", 400, seed=4)
    found = lexicon.similarity("path", words[:200], words[200:], "noun")
    for a, b, score in zip(words[:200], words[200:], found, strict=True):
        senses = [nltk_wordnet.synsets(word, "n") for word in (a, b)]
        if any(word.endswith("ss") or len(word) <= 2 for word in (a, b)):
            continue
        best = max(one.path_similarity(other) for one in senses[0] for other in senses[1])
        assert score == pytest.approx(best, rel=1e-12)


def test_recorded_values_are_nltks(nltk_wordnet, depths, content):
    for measure, first, second, expected in RECORDED["similarities"]:
        more = [content] if measure in CONTENT else []
        ask = getattr(nltk_wordnet.synset(first), NLTK_NAMES[measure])
        assert ask(nltk_wordnet.synset(second), *more) == pytest.approx(expected, rel=1e-12)
    assert {each[0] for each in RECORDED["similarities"]} == set(SimilarityMeasure)
    for word, pos, names in RECORDED["synsets"]:
        found = [synset.name() for synset in nltk_wordnet.synsets(word, LETTERS[pos])]
        assert found == names


def test_no_score_is_nan_for_two_nouns_or_two_verbs(lexicon):
    rng = np.random.default_rng(1)
    starts = lexicon.table["synsets.starts"]
    for start, end in ((starts[0], starts[1]), (starts[1], starts[2])):
        first, second = rng.integers(start, end, (2, 20_000))
        for measure in SimilarityMeasure:
            assert not np.isnan(lexicon.synset_similarity(measure, first, second)).any()
