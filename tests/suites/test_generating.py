"""Cases: balanced, distinct, near misses of hypotheses that follow, the same for the same seed."""

import re
from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings, strategies as st
from tests.errors import coded

from ensue.errors import SettingError
from ensue.pairs import Label
from ensue.suites import (
    NearMiss,
    Quota,
    SentenceTense,
    SuiteGenerator,
    SuiteSettings,
    make_repertoire,
    read_grammar,
    suite_generators,
)
from ensue.suites.plan import type_combinations


def generate(repertoire, size=400, seed="0", **others):
    made = SuiteSettings(size=size, **others)
    generator = SuiteGenerator(repertoire, repertoire.entries, made, name="s01", seed=seed)
    return list(generator.cases()), generator


@pytest.fixture(scope="module")
def cases(english):
    return generate(english, 3000)[0]


def test_half_are_entailments_in_groups_of_two(cases):
    groups = defaultdict(list)
    for case in cases:
        groups[case.meta["group"]].append(case)
    assert len(groups) == 1500
    for group in groups.values():
        assert {case.gold for case in group} == {Label.ENTAILMENT, Label.NOT_ENTAILMENT}
        assert len({case.text for case in group}) == 1


def test_cases_are_distinct(cases):
    assert len({(case.text, case.hypothesis) for case in cases}) == len(cases)
    assert len({case.id for case in cases}) == len(cases)
    assert all(case.text != case.hypothesis for case in cases)


def test_near_misses_are_of_every_kind_alike(cases):
    kinds = Counter(case.meta["made"] for case in cases if case.gold is not Label.ENTAILMENT)
    assert set(kinds) == set(NearMiss)
    assert max(kinds.values()) - min(kinds.values()) <= 10


def test_texts_have_up_to_three_clauses_and_each_number_often(cases):
    counts = Counter(case.meta["clauses"] for case in cases)
    assert set(counts) == {1, 2, 3}
    assert min(counts.values()) > len(cases) / 4


def test_tags_are_category_voice_and_one_construct(cases):
    tag = re.compile(r"V-[AP](-(R|C|PP[01]|Adv))?|N(-(Poss|PP[01]|C|S))?")
    for case in cases:
        for entry in case.meta["tags"]:
            assert entry["text"] or entry["hypothesis"]
            assert all(map(tag.fullmatch, [*entry["text"], *entry["hypothesis"]])), case


def test_entailments_range_over_every_change(cases):
    changes = Counter(
        change for case in cases if case.gold is Label.ENTAILMENT for change in case.meta["changes"]
    )
    assert set(changes) == {
        "alternation",
        "argument-omitted",
        "category",
        "clause-omitted",
        "coordination",
        "embedding",
        "order",
        "relativization",
        "voice",
    }
    assert min(changes.values()) >= 10


def test_both_sides_share_the_tense_unless_asked_otherwise(small):
    same, _ = generate(small)
    of_present, of_past = (
        re.compile(r"\b(is|are|arrives?|visits?)\b"),
        re.compile(r"\b(was|were)\b"),
    )
    for case in same:
        wrong = of_past if case.meta["tense"] == "present" else of_present
        assert not wrong.search(f"{case.text} {case.hypothesis}"), case
    only, _ = generate(small, tenses=(SentenceTense.PAST,))
    assert {case.meta["tense"] for case in only} == {"past"}
    assert not any(re.search(r"\b(is|are)\b", case.text + case.hypothesis) for case in only)
    mixed, _ = generate(small, mixed_tenses=True)
    assert any(
        re.search(r"\b(was|were)\b", case.text) and re.search(r"\b(is|are)\b", case.hypothesis)
        for case in mixed
    )


def test_the_same_seed_gives_the_same_cases(small):
    assert generate(small, 100)[0] == generate(small, 100)[0]
    assert generate(small, 100)[0] != generate(small, 100, seed="1")[0]


def test_an_odd_size_ends_in_half_a_group(small):
    cases, _ = generate(small, 7)
    assert len(cases) == 7


def test_fewer_cases_than_asked_for_are_all_that_there_are(paper):
    cases, generator = generate(paper, 100_000, clauses=1)
    assert 0 < len(cases) < 100_000
    assert generator.n_cases == len(cases)


def test_symmetric_predicates_are_not_swapped(small):
    cases, _ = generate(small, 1000, near_misses=(NearMiss.ROLES_SWAPPED,))
    assert not any(
        {event["predicate"] for event in case.meta["events"]["hypothesis"]} == {"marry"}
        for case in cases
        if case.gold is not Label.ENTAILMENT
    )


def test_only_the_near_misses_that_are_asked_for(small):
    cases, generator = generate(small, 100, near_misses=(NearMiss.ARGUMENT_ADDED,))
    assert {case.meta["made"] for case in cases} == {"restated", "argument-added"}
    assert generator.near_misses[NearMiss.ARGUMENT_ADDED] == 50


def test_what_is_new_is_mentioned_once(cases):
    for case in cases:
        for sentence in (case.text, case.hypothesis):
            new = re.findall(r"\b[Aa]n? \w+", sentence)
            assert len({phrase.lower() for phrase in new}) == len(new), sentence


def test_what_a_relative_clause_marks_off_is_mentioned_once(cases):
    for case in cases:
        for noun in re.findall(r"\b[Tt]he (\w+) (?:who|whom|that|(?:\w+ )?which) ", case.text):
            assert len(re.findall(rf"\bthe {noun}\b", case.text, re.IGNORECASE)) == 1, case.text


def test_sentences_are_well_formed(cases):
    for case in cases:
        for sentence in (case.text, case.hypothesis):
            assert re.fullmatch(r"[A-Z][A-Za-z',\- ]*[a-z']\.", sentence), sentence
            assert not re.search(r"  | ,|,,|'s's|\ba [aeiou]|\ban [^aeiou]", sentence), sentence


def test_quotas_are_met_and_said_where_they_are_not(small):
    cases, generator = generate(small, 200, quotas=(Quota("V-P/V-A", 60), Quota("voice", 90)))
    with_pair = sum(
        "V-P" in entry["hypothesis"] and "V-A" in entry["text"]
        for case in cases
        for entry in case.meta["tags"]
    )
    assert with_pair >= 60
    assert sum("voice" in case.meta["changes"] for case in cases) >= 90
    assert generator.quotas.lacking == {}
    cases, generator = generate(small, 20, quotas=(Quota("V-X", 5),))
    assert generator.quotas.lacking == {"V-X": 5}
    assert len(cases) == 20


def test_a_quota_larger_than_the_suite_is_refused(small):
    with pytest.raises(SettingError, match="a quota of 30 for 'V-P' is more than the suite's 20"):
        generate(small, 20, quotas=(Quota("V-P", 30),))


def test_no_sentence_can_be_made_of_relative_clauses_alone(written, unread):
    grammar = read_grammar(
        written(
            '<Const id="a" type="V-R0-A" relPro="0"><NP id="0"/> who <Verb/></Const>'
            '<Set pred="go"><Parts><Verb>goes</Verb><Arg n="0" id="P"/></Parts>'
            '<Dists><Dist constfam="a" dist="0"/></Dists></Set>'
            '<SemArgs><SemArg id="P"><Arg>John</Arg></SemArg></SemArgs>'
        )
    )
    with pytest.raises(SettingError, check=coded("no-sentence-made-grammar")):
        generate(make_repertoire(grammar, unread))


@pytest.mark.parametrize("settings", [{"size": 0}, {"clauses": 0}, {"near_misses": ()}])
def test_settings_that_make_no_sense(settings):
    with pytest.raises(SettingError):
        SuiteSettings(**settings)


def test_each_suite_has_another_combination_of_types(english):
    chosen = type_combinations(english.subcategorizations, 10, 7)
    assert len(set(chosen)) == 10
    assert all(len(types) == 3 for types in chosen)
    uses = Counter(name for types in chosen for name in types)
    assert max(uses.values()) - min(uses.values()) <= 1


@given(st.integers(1, 6), st.integers(1, 30), st.integers(0, 5))
@settings(deadline=None, max_examples=30)
def test_combinations_use_every_type_alike(n_types, n_suites, seed):
    types = [f"t{i}" for i in range(n_types)]
    uses = Counter(name for chosen in type_combinations(types, n_suites, seed) for name in chosen)
    assert sum(uses.values()) == n_suites * min(3, n_types)
    assert max(uses.values()) - min(uses.get(name, 0) for name in types) <= 2


def test_group_is_made_with_the_near_miss_that_is_asked_for(small):
    _, generator = generate(small, 10)
    for kind in (NearMiss.FILLER_EXCHANGED, NearMiss.ARGUMENT_ADDED):
        found = [generator.group("g", kind) for _ in range(50)]
        made = {case.meta["made"] for group in found if group for case in group}
        assert made == {"restated", kind.value}


def test_predicates_of_a_suite_are_of_its_types(english):
    names = {entry.name: entry for entry in english.entries}
    (_, types, generator), *_ = suite_generators(
        english, SuiteSettings(size=200), n_suites=1, seed=3
    )
    for case in generator.cases():
        for event in case.meta["events"]["text"]:
            entry = names[event["predicate"]]
            assert entry.subcategorization in types or entry.takes_events
