"""The real data: what is in them, all accounted for."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations
from statistics import correlation, mean

import pytest

from ensue.translation.formats.judgments import read_judgments
from ensue.translation.formats.sets import open_set
from ensue.translation.systems import AssessmentKind

pytestmark = pytest.mark.data


def n_left_out(findings) -> Counter[str]:
    counts: Counter[str] = Counter()
    for each in findings:
        counts[each.code] += each.details.get("n_judgments", 0)
    return counts


def test_wmt12_has_its_rankings_and_preferences(shared_data, findings):
    opened = open_set([str(shared_data / "wmt12")], on_finding=findings.append)
    rankings = opened.judgments.rankings
    decided = sum(a != b for each in rankings for a, b in combinations(each.ranks.values(), 2))
    assert sum(len(systems) for systems in opened.systems.values()) == 49
    assert opened.n_segments == 4 * 3003
    assert len(rankings) == 5257 - 13  # 13 of the 5,257 rows into English rank nothing
    assert decided == 44_345
    counts = n_left_out(findings)
    assert counts == {"empty-output": 0, "blank-judgment": 26, "pair-not-at-hand": 7069}
    assert len(rankings) + 26 + 7069 == 12_339
    assert sum(1 for _ in opened.references()) == 3003


@pytest.mark.parametrize(
    ("name", "n_pairs", "n_each"), [("wmt15-da", 4, 500), ("wmt16-da", 6, 560)]
)
def test_direct_assessments_are_all_there(shared_data, name, n_pairs, n_each):
    opened = open_set([str(shared_data / name)])
    counts = Counter(each.language_pair for each in opened.judgments.assessments)
    assert (len(counts), set(counts.values())) == (n_pairs, {n_each})
    assert {each.key for each in opened.judgments.assessments} == {
        segment.output_keys()[0] for segment in opened.segments()
    }


def test_two_years_of_direct_assessment_do_not_mix(shared_data):
    opened = open_set([str(shared_data / "wmt15-da"), str(shared_data / "wmt16-da")])
    keys = [each.key for each in opened.judgments.assessments]
    assert len(keys) == len(set(keys)) == 4 * 500 + 6 * 560


@pytest.mark.parametrize(
    ("name", "n_ranked", "n_scored", "n_phrases", "n_accepted", "n_lines"),
    [("wmt07", 4125, 4102, 6232, 0, 14_459), ("wmt08", 5017, 0, 5383, 5386, 15_786)],
)
def test_old_campaigns_are_accounted_for_by_kind(
    shared_data, findings, name, n_ranked, n_scored, n_phrases, n_accepted, n_lines
):
    path = shared_data / "wmt-judgments" / f"{name}.csv"
    found = read_judgments(path, on_finding=findings.append)
    phrases = read_judgments(path, constituents=True)
    assert len(found.rankings) == n_ranked
    assert len({each.place for each in found.assessments}) == n_scored
    assert len(phrases.rankings) == n_phrases
    assert n_left_out(findings)["other-judgment-type"] == n_phrases + n_accepted
    assert n_ranked + n_scored + n_phrases + n_accepted == n_lines


@pytest.fixture(scope="module")
def means(shared_data):
    """Each system's mean in WMT07 by pair and test set: rank, adequacy and fluency."""
    found = read_judgments(shared_data / "wmt-judgments" / "wmt07.csv")
    values = defaultdict(lambda: defaultdict(list))
    for each in found.rankings:
        for system, rank in each.ranks.items():
            key = (each.language_pair, each.segment.partition(":")[0], system)
            values[key]["rank"].append(rank)
    for each in found.assessments:
        key = (each.language_pair, each.segment.partition(":")[0], each.system)
        values[key][each.kind].append(each.score)
    return [{what: mean(given) for what, given in each.items()} for each in values.values()]


def test_ranks_of_2007_go_with_adequacy_when_one_is_best(means):
    ranks = [each["rank"] for each in means]
    adequacy = [each[AssessmentKind.ADEQUACY] for each in means]
    assert len(means) == 88
    assert correlation(ranks, adequacy) == pytest.approx(-0.86, abs=0.005)


def test_first_scale_of_2007_is_mostly_the_higher_one(means):
    higher = sum(each[AssessmentKind.ADEQUACY] > each[AssessmentKind.FLUENCY] for each in means)
    assert higher == 84


def test_segments_of_the_paper_have_its_gold_ranks(shared_data):
    found = read_judgments(shared_data / "wmt-judgments" / "wmt08.csv").rankings
    ranks = {
        (segment, system): {
            each.ranks[system]
            for each in found
            if (each.language_pair, each.segment) == ("fr-en", f"newstest2008:{segment + 1}")
        }
        for segment, system in ((1357, "lium-systran"), (686, "rbmt4"))
    }
    assert ranks == {(1357, "lium-systran"): {1}, (686, "rbmt4"): {5}}  # Table 3, column Gold
