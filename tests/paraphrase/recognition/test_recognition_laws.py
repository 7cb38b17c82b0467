"""Recognition against regular expressions, and what always holds of it."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from ensue.pairs import Label, Pair
from ensue.paraphrase.lists import ListKey, RankedLists
from ensue.paraphrase.recognition import Task, matches as searching, recognize, terms as scanning
from ensue.paraphrase.words import content_words, words_of
from ensue.surface.stemmer import stems

WORDS = ["killed", "Killing", "kill", "skilled", "told", "tell", "the", "to", "was", "dead", "Élan"]
GAPS = [" ", " ", " ", ", ", "-", ". "]

phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
sentences = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(GAPS)), max_size=7).map(
    lambda parts: "".join(word + gap for word, gap in parts)
)
golds = st.sampled_from([Label.ENTAILMENT, Label.CONTRADICTION, Label.UNKNOWN])
tasks = st.lists(st.tuples(sentences, sentences, golds), max_size=8).map(
    lambda rows: Task.of("task", [Pair(str(i), *row) for i, row in enumerate(rows)])
)
plain_lists = st.dictionaries(
    st.builds(ListKey, phrases, st.sampled_from("ab")), st.lists(phrases, max_size=5), max_size=4
)
lists = plain_lists.map(RankedLists.of)
matches = st.sampled_from(["words", "stems"])
few = settings(max_examples=25)


def stands(phrase, sentence, by_stems=False):
    """Whether a phrase stands in a sentence, by a regular expression."""
    words, those = words_of(phrase), words_of(sentence)
    if by_stems:
        words, those = stems(words), stems(those)
    pattern = r"\W+".join(map(re.escape, words))
    return re.search(rf"\b{pattern}\b", " ".join(those)) is not None


def recognized(term, paraphrases, pair, match):
    """None where the pair is not in question, else whether it is recognized, and how."""
    text, other = pair.text, pair.hypothesis
    here, there = stands(term, text), stands(term, other)
    if not here and not there:
        return None
    needed = set(stems(content_words(term) or words_of(term)))
    if all(needed <= set(stems(words_of(side))) for side in (text, other)):
        return "unigrams"
    by = match == "stems"
    for each in paraphrases:
        if content_words(each) and (
            (here and stands(each, other, by)) or (there and stands(each, text, by))
        ):
            return "patterns"
    return "nothing"


def plain_counts(ranked, task, k, match):
    rows = []
    for i, key in enumerate(ranked.keys):
        mine = ranked.paraphrases[ranked.offsets[i] : ranked.offsets[i + 1]]
        mine = list(dict.fromkeys(each.lower() for each in mine))[:k]
        row = []
        for positive in (True, False):
            pairs = [p for p in task.pairs if (p.gold is Label.ENTAILMENT) == positive]
            found = [recognized(key.term, mine, pair, match) for pair in pairs]
            row += [
                len(found) - found.count(None),
                found.count("unigrams"),
                found.count("patterns"),
            ]
        rows.append(row)
    return rows


def counts(recognition):
    c = recognition.counts
    columns = (
        *(c.positive, c.positive_by_unigrams, c.positive_by_patterns),
        *(c.negative, c.negative_by_unigrams, c.negative_by_patterns),
    )
    return [[int(column[i, 0]) for column in columns] for i in range(len(recognition.keys))]


@given(lists, tasks, st.integers(1, 6), matches)
def test_recognition_equals_regular_expressions(ranked, task, k, match):
    assert counts(recognize(ranked, [task], k=k, match=match)) == plain_counts(
        ranked, task, k, match
    )


@few
@given(lists, tasks, matches)
def test_recognition_does_not_depend_on_batches(ranked, task, match):
    expected = counts(recognize(ranked, [task], match=match))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searching, "_CELLS", 1)
        assert counts(recognize(ranked, [task], match=match)) == expected


def test_recognition_looks_patterns_up_in_batches(monkeypatch):
    # three patterns of a term with four open pairs: twelve look-ups, of which two patterns' a batch
    ranked = RankedLists.of({ListKey("killed", ""): ["dead", "told", "kin"]})
    rows = [("killed", "dead"), ("told", "killed"), ("killed", "kin"), ("killed", "")]
    pairs = [Pair(str(i), *row, Label.ENTAILMENT) for i, row in enumerate(rows)]
    whole, sizes = scanning.PhraseOccurrences.holds, []

    def noted(self, sentence, phrase):
        sizes.append(len(sentence))
        return whole(self, sentence, phrase)

    expected = counts(recognize(ranked, [Task.of("task", pairs)]))
    monkeypatch.setattr(scanning.PhraseOccurrences, "holds", noted)
    for cells, batches in ((2_000_000, [12]), (8, [8, 4]), (1, [4, 4, 4])):
        sizes.clear()
        monkeypatch.setattr(searching, "_CELLS", cells)
        assert counts(recognize(ranked, [Task.of("task", pairs)])) == expected
        assert sizes[2:] == batches  # after the stems of the term on either side


@few
@given(lists, tasks, matches)
def test_explanations_add_up_to_the_counts(ranked, task, match):
    found = recognize(ranked, [task], match=match)
    for row in found.rows():
        means = [
            (each.gold is Label.ENTAILMENT, each.by.value)
            for each in found.explain(row.key, "task")
        ]
        assert means.count((True, "unigrams")) == row.n_by_unigrams
        assert means.count((True, "patterns")) == row.n_by_patterns
        assert means.count((False, "unigrams")) == row.n_false_by_unigrams
        assert means.count((False, "patterns")) == row.n_false_by_patterns
        assert len(means) == row.n_positive + row.n_negative


@few
@given(lists, tasks, matches)
def test_more_paraphrases_never_lower_performance(ranked, task, match):
    shares = [recognize(ranked, [task], k=k, match=match).performances for k in (1, 2, 3, 5)]
    for fewer, more in pairwise(shares):
        assert not (fewer > more).any()


@few
@given(lists, tasks, matches)
def test_performance_is_a_share(ranked, task, match):
    for row in recognize(ranked, [task], match=match).rows():
        for each in (row.performance, row.by_unigrams, row.by_patterns, row.precision):
            if each.value is None:
                assert each.reason
            else:
                assert 0 <= each.low <= each.value <= each.high <= 1


@few
@given(plain_lists, tasks, matches, st.randoms())
def test_order_of_the_first_k_does_not_matter(plain, task, match, random):
    shuffled = {key: random.sample(each, len(each)) for key, each in plain.items()}
    found = [
        counts(recognize(RankedLists.of(each), [task], match=match)) for each in (plain, shuffled)
    ]
    assert found[0] == found[1]


@few
@given(plain_lists, tasks)
def test_list_of_nothing_performs_as_unigrams(plain, task):
    empty = recognize(RankedLists.of(dict.fromkeys(plain, ())), [task]).counts
    full = recognize(RankedLists.of(plain), [task]).counts
    assert (empty.recognized == full.positive_by_unigrams).all()


@few
@given(lists, tasks)
def test_stems_never_recognize_less_than_words(ranked, task):
    words, by_stems = (recognize(ranked, [task], match=each).counts for each in ("words", "stems"))
    assert (words.recognized <= by_stems.recognized).all()
    assert (words.false_alarms <= by_stems.false_alarms).all()


@few
@given(lists, tasks, tasks)
def test_tasks_do_not_meddle_with_each_other(ranked, first, second):
    other = Task("other", second.pairs)
    both = recognize(ranked, [first, other]).counts
    for j, task in enumerate((first, other)):
        alone = recognize(ranked, [task]).counts
        assert (both.recognized[:, j] == alone.recognized[:, 0]).all()
        assert (both.negative[:, j] == alone.negative[:, 0]).all()
