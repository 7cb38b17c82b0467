"""Audits: each finding by its code, and the anomaly of the challenge."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import pytest
from scipy.stats import binom

from ensue.corpora import (
    audit_datasets,
    hypothesis_baseline,
    overlap_baseline,
    overlap_bins,
    read_dataset,
)
from ensue.errors import UndefinedError
from ensue.pairs import Label, Pair, Severity, write_pairs

E, N, C, U = Label.ENTAILMENT, Label.NOT_ENTAILMENT, Label.CONTRADICTION, Label.UNKNOWN


def found(audit, code):
    return [(f.severity, f.place, f.message) for f in audit.findings if f.code == code]


def audited(*datasets):
    return audit_datasets(datasets, baselines=False)


def test_audit_finds_a_doubled_id(dataset):
    audit = audited(dataset([Pair("1", "a", "b"), Pair("1", "c", "d")]))
    message = "two pairs have the id '1'; the first is at x.xml:1"
    assert found(audit, "duplicate-id") == [(Severity.ERROR, "x.xml:2", message)]
    assert audit.n_errors == 1


@pytest.mark.parametrize("side", ["text", "hypothesis"])
def test_audit_finds_an_empty_side(dataset, side):
    audit = audited(dataset([replace(Pair("1", "a", "b"), **{side: " "})]))
    message = f"the {side} of pair '1' is empty"
    assert found(audit, f"empty-{side}") == [(Severity.ERROR, "x.xml:1", message)]


def test_audit_finds_identical_pairs_whatever_case_and_blanks(dataset):
    audit = audited(dataset([Pair("1", "A  dog", "b", E), Pair("2", "a dog", "B", E)]))
    message = "pair '2' has the text and hypothesis of pair '1' at x.xml:1"
    assert found(audit, "identical-pair") == [(Severity.WARNING, "x.xml:2", message)]


def test_audit_finds_identical_pairs_with_different_gold(dataset):
    audit = audited(dataset([Pair("1", "a", "b", E), Pair("2", "a", "b", N)]))
    message = "pair '2' is not-entailment, and the same pair '1' at x.xml:1 is entailment"
    expected = [(Severity.ERROR, "x.xml:2", message)]
    assert found(audit, "identical-pair-different-gold") == expected
    assert found(audit, "identical-pair") == []


def test_audit_compares_gold_in_the_coarser_view(dataset):
    audit = audited(dataset([Pair("1", "a", "b", U), Pair("2", "a", "b", N)]))
    assert found(audit, "identical-pair-different-gold") == []


def test_audit_finds_pairs_shared_between_files(dataset):
    one = dataset([Pair("1", "a", "b", E), Pair("2", "c", "d", E)], "dev.xml")
    other = dataset([Pair("9", "x", "y", E), Pair("8", "C", "d", E)], "test.xml")
    message = "pair '8' is also '2' at dev.xml:2"
    expected = [(Severity.ERROR, "test.xml:2", message)]
    assert found(audited(one, other), "shared-between-files") == expected


def test_audit_counts_pairs_without_gold(dataset):
    audit = audited(dataset([Pair("1", "a", "b", E), Pair("2", "c", "d")]))
    message = "1 of 2 pairs have no gold"
    assert found(audit, "no-gold") == [(Severity.WARNING, "x.xml", message)]


def test_audit_finds_a_file_without_pairs(dataset):
    assert found(audited(dataset([])), "no-pairs")[0][0] is Severity.ERROR


def test_audit_finds_imbalance_over_all_and_by_task(dataset):
    def some(task, gold, n):
        return [Pair(f"{task}{gold}{i}", f"{task}{gold}{i}", "h", gold, task) for i in range(n)]

    pairs = [*some("QA", E, 20), *some("IE", E, 10), *some("IE", N, 10)]
    messages = [message for *_, message in found(audited(dataset(pairs)), "imbalance")]
    assert messages == [
        "30 of 40 pairs are entailment (75.0%)",
        "in task QA: 20 of 20 pairs are entailment (100.0%)",
    ]


def test_audit_says_when_there_is_too_little_for_a_baseline(dataset):
    audit = audit_datasets([dataset([Pair("1", "a", "b", E), Pair("2", "c", "d", N)])])
    assert found(audit, "no-baseline")[0][0] is Severity.NOTE
    assert audit.profiles[0].baselines == ()


def test_audit_puts_errors_first(dataset):
    pairs = [Pair("1", "a", "b"), Pair("1", "a", "b"), Pair("2", "", "d")]
    severities = [finding.severity for finding in audited(dataset(pairs)).findings]
    assert severities == sorted(severities, key=list(Severity).index)


def test_overlap_bins_hold_every_pair_once():
    hypotheses = ["x y z u v", "a y z u v", "a b z u v", "a b c u v", "a b c d v", "a b c d"]
    pairs = [Pair(h, "a b c d", h, E) for h in hypotheses]
    assert [each.n_pairs for each in overlap_bins(pairs)] == [1] * 6
    assert [each.low for each in overlap_bins(pairs)] == [0, 0.2, 0.4, 0.6, 0.8, 1]


def test_overlap_bins_leave_out_pairs_without_gold_or_words():
    assert sum(b.n_pairs for b in overlap_bins([Pair("1", "a", "a"), Pair("2", "a", ".", E)])) == 0


def test_overlap_bin_p_value_is_exact():
    # 8 pairs of full overlap, none entailed; 8 of none, all entailed: the rate of all is 1/2
    pairs = [Pair(f"n{i}", f"a{i}", f"a{i}", N) for i in range(8)]
    pairs += [Pair(f"e{i}", f"a{i}", f"b{i}", E) for i in range(8)]
    full = overlap_bins(pairs)[-1]
    assert full.p_value == pytest.approx(2 * binom.cdf(0, 8, 0.5)) == pytest.approx(2 / 2**8)


def test_audit_finds_fewer_entailments_at_full_overlap(dataset):
    pairs = [Pair(f"n{i}", f"a{i}", f"a{i}", N) for i in range(8)]
    pairs += [Pair(f"e{i}", f"a{i}", f"b{i}", E) for i in range(8)]
    ((severity, _, message),) = found(audited(dataset(pairs)), "overlap-anomaly")
    assert severity is Severity.WARNING
    assert "0 of 8 pairs are entailed (0.0%), of all pairs 50.0%" in message


def test_audit_is_content_with_more_entailments_at_full_overlap(dataset):
    pairs = [Pair(f"e{i}", f"a{i}", f"a{i}", E) for i in range(8)]
    pairs += [Pair(f"n{i}", f"a{i}", f"b{i}", N) for i in range(8)]
    assert found(audited(dataset(pairs)), "overlap-anomaly") == []


def telling(n: int) -> list[Pair]:
    """Pairs whose hypotheses give their labels away."""
    told = {E: "someone speaks", N: "nobody speaks"}
    return [
        Pair(f"{gold}{i}", f"text {i}", f"{told[gold]} {i}", gold)
        for gold in told
        for i in range(n)
    ]


def test_hypothesis_baseline_sees_labels_that_are_given_away(dataset):
    pairs = telling(20)
    assert hypothesis_baseline(pairs).accuracy == 1
    assert hypothesis_baseline(pairs).chance == 0.5
    audit = audit_datasets([dataset(pairs)])
    assert found(audit, "hypothesis-only")[0][0] is Severity.WARNING


def test_hypothesis_baseline_keeps_equal_hypotheses_in_one_fold():
    # each hypothesis has one label and occurs often: seen in training, it would be told
    pairs = [
        Pair(f"{i}-{j}", f"text {i} {j}", f"w{i}", E if i % 2 else N)
        for i in range(10)
        for j in range(10)
    ]
    assert hypothesis_baseline(pairs).accuracy <= 0.6


@pytest.mark.parametrize("side", ["text", "hypothesis"])
def test_audit_of_one_long_side_takes_little_memory(tmp_path, side):
    pairs = telling(150)
    pairs[0] = replace(pairs[0], **{side: ("w" * 999 + " ") * 1000})
    write_pairs(tmp_path / "x.jsonl", pairs)
    data = read_dataset(tmp_path / "x.jsonl")
    tracemalloc.start()
    audit = audit_datasets([data])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [each.n_pairs for each in audit.profiles[0].baselines] == [300, 300]
    assert peak < 200_000_000


def test_overlap_baseline_sees_overlap():
    pairs = [Pair(f"e{i}", f"a b {i}", f"a b {i}", E) for i in range(20)]
    pairs += [Pair(f"n{i}", f"a b {i}", f"x y {i}", N) for i in range(20)]
    baseline = overlap_baseline(pairs)
    assert baseline.accuracy == baseline.low == baseline.high == 1
    assert baseline.p_value == pytest.approx(0.5**40)


def test_baselines_repeat_with_their_seed():
    pairs = telling(20)
    assert hypothesis_baseline(pairs, seed=3) == hypothesis_baseline(pairs, seed=3)


@pytest.mark.parametrize("baseline", [hypothesis_baseline, overlap_baseline])
def test_baseline_of_one_label_is_undefined(baseline):
    with pytest.raises(UndefinedError, match="needs 5 pairs of each of two labels"):
        baseline([Pair(str(i), "a", f"b {i}", E) for i in range(20)])


@pytest.mark.data
def test_rte1_test_has_the_anomaly_of_the_challenge(shared_data):
    data = read_dataset(shared_data / "rte" / "rte1_test.xml")
    full = overlap_bins(data.pairs)[-1]
    assert (full.n_entailed, full.n_pairs) == (21, 67)
    assert [f.code for f in audited(data).findings] == ["identical-pair", "overlap-anomaly"]


@pytest.mark.data
def test_fracas_audit_finds_its_double_readings(shared_data):
    audit = audited(read_dataset(shared_data / "fracas" / "fracas.xml"))
    assert len(found(audit, "identical-pair-different-gold")) == 5
    assert len(found(audit, "empty-hypothesis")) == 4
