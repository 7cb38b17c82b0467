import re
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.errors import DataError, SettingError, UnknownNameError
from ensue.mining import find_forms, form_kinds, forms_of, with_pairs_of_forms
from ensue.pairs import Pair

NAMES = st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), max_size=20)


def pair(i=1, text="a b", hypothesis="b", task=None, **meta):
    return Pair(str(i), text, hypothesis, task=task, meta=meta)


def names(forms):
    return [sorted(forms.of(case)) for case in range(forms.n_cases)]


def test_tags_of_one_predicate_make_forms_hypothesis_first():
    tags = [
        {"predicate": "send", "text": ["VA", "R"], "hypothesis": ["VP"]},
        {"predicate": "meet", "text": ["N"], "hypothesis": ["VA", "N"]},
    ]
    # and none across predicates, as VP/N would be
    assert names(find_forms([pair(tags=tags)])) == [["N/N", "VA/N", "VP/R", "VP/VA"]]


def test_lemmas_are_words_in_their_base_forms():
    pairs = [pair(1, "John sent books", "He sends a book"), pair(2, "Mary sends it", "It is sent")]
    assert names(find_forms(pairs, ["lemmas"])) == [
        ["H:a", "H:book", "H:he", "H:send", "T:book", "T:john", "T:send"],
        ["H:be", "H:it", "H:send", "T:it", "T:mary", "T:send"],
    ]


def test_tags_of_the_papers_example():
    # T: John's sending of a book to Mary was fast. H: John sent a book.
    tags = [{"predicate": "send", "text": ["N-Poss", "N-PP0"], "hypothesis": ["VA"]}]
    assert names(find_forms([pair(tags=tags)])) == [["VA/N-PP0", "VA/N-Poss"]]


def test_entries_of_one_predicate_are_taken_together():
    tags = [
        {"predicate": "send", "text": ["VA"], "hypothesis": []},
        {"predicate": "send", "text": ["N"], "hypothesis": ["VP"]},
    ]
    assert names(find_forms([pair(tags=tags)])) == [["VP/N", "VP/VA"]]


def test_a_predicate_on_one_side_has_no_form():
    tags = [{"predicate": "send", "text": ["VA"]}]
    assert names(find_forms([pair(tags=tags), pair(2)])) == [[], []]


def test_words_carry_their_side():
    found = find_forms([pair(text="The dog, the cat.", hypothesis="The cat")], ["words"])
    assert names(found) == [["H:cat", "H:the", "T:cat", "T:dog", "T:the"]]


@given(st.lists(st.tuples(st.text("aB é.", max_size=9), st.text("aB é.", max_size=9)), max_size=8))
def test_words_agree_with_a_plain_reading(sides):
    pairs = [pair(i, text=text, hypothesis=claim) for i, (text, claim) in enumerate(sides)]
    plain = [
        sorted(
            {f"H:{word}" for word in re.findall(r"\w+", claim.lower())}
            | {f"T:{word}" for word in re.findall(r"\w+", text.lower())}
        )
        for text, claim in sides
    ]
    assert names(find_forms(pairs, ["words"])) == plain


def test_task_and_columns_are_forms():
    pairs = [pair(1, task="QA", level=2, made=["swap", "passive"]), pair(2, level=None)]
    assert names(find_forms(pairs, ["task", "level", "made"])) == [
        ["level=2", "made=passive", "made=swap", "task=QA"],
        [],
    ]


@pytest.mark.parametrize(
    ("meta", "kind", "error", "message"),
    [
        ({}, "tags", DataError, "no pair has tags"),
        ({}, "task", DataError, "no pair has a task"),
        ({"level": 1}, "levle", UnknownNameError, "did you mean 'level'?"),
        ({"level": {"a": 1}}, "level", DataError, "pair '1' has {'a': 1} in the column 'level'"),
        ({"tags": "VA"}, "tags", DataError, "pair '1' has tags that make no sense: 'VA'"),
        ({"tags": ["VA"]}, "tags", DataError, "make no sense: 'VA'"),
        ({"tags": [{"text": ["VA"]}]}, "tags", DataError, "meta.tags"),
        ({"tags": [{"predicate": "p", "text": "VA"}]}, "tags", DataError, "make no sense"),
        ({"tags": [{"predicate": "p", "text": ["V/A"]}]}, "tags", DataError, "make no sense"),
        ({"tags": [{"predicate": "p", "text": [""]}]}, "tags", DataError, "make no sense"),
    ],
)
def test_forms_that_are_not_there_are_an_error(meta, kind, error, message):
    with pytest.raises(error) as raised:
        find_forms([pair(**meta)], [kind])
    assert message in str(raised.value)


def test_a_kind_named_twice_is_an_error():
    with pytest.raises(SettingError, check=coded("two-kinds-forms-form")):
        find_forms([pair()], ["words", "words"])


def test_no_kind_is_an_error():
    with pytest.raises(SettingError, check=coded("no-forms-mine")):
        find_forms([pair()], [])


def test_two_forms_together_need_their_support():
    forms = with_pairs_of_forms(forms_of([["a", "b"], ["a", "b", "c"], ["c"]]), 2)
    assert names(forms) == [["a", "a + b", "b"], ["a", "a + b", "b", "c"], ["c"]]


@given(NAMES, st.integers(1, 4))
def test_pairs_of_forms_agree_with_a_plain_count(cases, support):
    forms = forms_of(cases)
    sets = [sorted(set(case)) for case in cases]
    counts = Counter(both for case in sets for both in combinations(case, 2))
    plain = [
        sorted(
            [*case, *(f"{a} + {b}" for a, b in combinations(case, 2) if counts[a, b] >= support)]
        )
        for case in sets
    ]
    assert names(with_pairs_of_forms(forms, support)) == plain


def test_a_support_of_nothing_is_refused():
    with pytest.raises(SettingError, match="a support of 0 makes no sense"):
        with_pairs_of_forms(forms_of([["a"]]), 0)


def test_too_many_pairs_of_forms_are_refused(monkeypatch):
    monkeypatch.setattr("ensue.mining.forms._MOST", 2)
    with pytest.raises(SettingError, match="3 times two forms occur together") as raised:
        with_pairs_of_forms(forms_of([["a", "b", "c"]]), 1)
    assert raised.value.hint == "ask for more support than 1"


@given(NAMES, st.data())
def test_a_subset_keeps_the_forms_of_its_cases(cases, data):
    chosen = np.array([data.draw(st.booleans()) for _ in cases], dtype=bool)
    forms = forms_of(cases)
    assert names(forms.subset(chosen)) == [
        each for each, keep in zip(names(forms), chosen, strict=True) if keep
    ]


@given(NAMES)
def test_cases_with_a_form_are_those_that_have_it(cases):
    forms = forms_of(cases)
    for i, name in enumerate(forms.names):
        assert forms.cases_with(i).tolist() == [k for k, case in enumerate(cases) if name in case]
        assert forms.counts()[i] == len(forms.cases_with(i))


@given(
    st.lists(st.sets(st.sampled_from("abcde"), max_size=4), min_size=1, max_size=12),
    st.lists(st.integers(1, 3), min_size=12, max_size=12),
    st.integers(1, 4),
)
def test_two_forms_together_count_each_case_as_often_as_it_stands_for(cases, times, support):
    times = np.array(times[: len(cases)])
    forms = forms_of(sorted(case) for case in cases)
    repeated = np.repeat(np.arange(len(cases)), times)
    found = with_pairs_of_forms(forms, support, times)
    expected = with_pairs_of_forms(forms.take(repeated), support)
    assert [found.of(i) for i in repeated] == [expected.of(i) for i in range(len(repeated))]


def test_forms_are_taken_in_any_order():
    forms = forms_of([["a", "b"], [], ["c"]])
    taken = forms.take(np.array([2, 0, 1, 0]))
    assert [taken.of(i) for i in range(4)] == [("c",), ("a", "b"), (), ("a", "b")]


def test_kinds_are_what_pairs_have_to_make_forms_of():
    tags = [{"predicate": "send", "text": ["VA"], "hypothesis": ["VP"]}]
    pairs = [pair(i, task="QA", tags=tags, clauses=i % 2, changes=["voice"]) for i in range(5)]
    assert form_kinds(pairs) == ["tags", "task", "clauses", "changes", "words", "lemmas"]


def test_columns_of_names_and_of_objects_are_no_kinds():
    pairs = [pair(i, group=i // 2, source=f"line {i}", events={"a": 1}) for i in range(6)]
    assert form_kinds(pairs) == ["words", "lemmas"]
