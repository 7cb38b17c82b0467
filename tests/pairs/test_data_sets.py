"""Real data sets: the counts that their makers publish."""

from __future__ import annotations

from collections import Counter

import pytest

from ensue.pairs import Label, load_pairs, read_pairs, read_part, survey, write_pairs

E, N, C, U = Label.ENTAILMENT, Label.NOT_ENTAILMENT, Label.CONTRADICTION, Label.UNKNOWN

pytestmark = pytest.mark.data


@pytest.mark.parametrize(
    ("name", "golds"),
    [
        ("rte/rte1_dev.xml", {E: 283, N: 284}),
        ("rte/rte1_test.xml", {E: 400, N: 400}),
        ("rte/rte2_dev.xml", {E: 400, N: 400}),
        ("rte/rte3_dev.xml", {E: 412, N: 388}),
        ("fracas/fracas.xml", {E: 203, C: 33, U: 98, None: 12}),
        ("sick/SICK_train.txt", {E: 1299, C: 665, U: 2536}),
        ("sick/SICK_trial.txt", {E: 144, C: 74, U: 282}),
        ("msrpc/msr_paraphrase_train.txt", {E: 2753, N: 1323}),
    ],
)
def test_data_set_has_its_published_counts(shared_data, name, golds):
    assert Counter(pair.gold for pair in load_pairs(shared_data / name)) == golds


def test_rte1_has_the_seven_settings(shared_data):
    tasks = {pair.task for pair in read_pairs(shared_data / "rte/rte1_test.xml")}
    assert tasks == {"CD", "IE", "IR", "MT", "PP", "QA", "RC"}


def test_fracas_findings_are_its_undef_answers_and_missing_questions(shared_data, findings):
    list(read_pairs(shared_data / "fracas/fracas.xml", on_finding=findings.append))
    assert Counter(finding.code for finding in findings) == {"no-gold": 12, "empty-hypothesis": 4}


def test_fracas_premises_are_distributed_as_its_introduction_says(shared_data):
    pairs = read_pairs(shared_data / "fracas/fracas.xml")
    counts = Counter(len(pair.meta["premises"]) for pair in pairs)
    assert counts == {1: 192, 2: 122, 3: 29, 4: 2, 5: 1}


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet", ".xml", ".tsv"])
def test_data_set_survives_conversion(shared_data, tmp_path, suffix):
    pairs = load_pairs(shared_data / "rte/rte3_dev.xml")
    write_pairs(tmp_path / f"x{suffix}", pairs)
    assert load_pairs(tmp_path / f"x{suffix}") == pairs


@pytest.mark.parametrize("name", ["sick/SICK_train.txt", "msrpc/msr_paraphrase_train.txt"])
def test_data_set_in_parts_is_the_whole(shared_data, name):
    surveyed = survey(shared_data / name)
    parts = [part for shard in surveyed.parts(1000) for part in shard]
    pairs = load_pairs(shared_data / name)
    assert surveyed.n_rows == len(pairs)
    assert [pair for part in parts for pair in read_part(part)] == pairs
