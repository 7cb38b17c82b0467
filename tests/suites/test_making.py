"""Directories of suites: whole or not there, the same bytes for the same seed."""

import json
from collections import Counter

import pytest
from tests.errors import coded

from ensue.errors import DataError, EnsueError, OutputError, SettingError
from ensue.pairs import load_pairs
from ensue.suites import (
    MANIFEST,
    Quota,
    SuiteSettings,
    cases as generating,
    cases as replacing,
    describe_cases,
    made_suites,
    read_manifest,
    suite_generators,
    write_suites,
)

SETTINGS = SuiteSettings(size=20)
RECORD = {
    "name": "a",
    "types": [],
    "asked": 1,
    "cases": 1,
    "near_misses": {},
    "unmet": {},
    "files": ["a"],
}


def content(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def test_the_same_seed_gives_the_same_bytes(small, tmp_path):
    for name in ("one", "other"):
        write_suites(tmp_path / name, small, SETTINGS, n_suites=2, formats=("rte", "csv"))
    assert content(tmp_path / "one") == content(tmp_path / "other")
    assert set(content(tmp_path / "one")) == {
        MANIFEST,
        *(f"suite-0{i}{ending}" for i in (1, 2) for ending in (".jsonl", ".xml", ".csv")),
    }
    write_suites(tmp_path / "third", small, SETTINGS, n_suites=2, seed=8)
    assert content(tmp_path / "third") != content(tmp_path / "one")


def test_every_format_has_the_same_cases(small, tmp_path):
    write_suites(tmp_path / "made", small, SETTINGS, n_suites=1, formats=("rte", "csv"))
    jsonl, rte, csv = (
        load_pairs(tmp_path / "made" / f"suite-01{ending}") for ending in (".jsonl", ".xml", ".csv")
    )
    for others in (rte, csv):
        assert [(p.id, p.text, p.hypothesis, p.gold) for p in others] == [
            (p.id, p.text, p.hypothesis, p.gold) for p in jsonl
        ]
    assert csv[0].meta["tags"] == jsonl[0].meta["tags"]


def test_manifest_says_how_the_suites_were_made(small, tmp_path):
    manifest = write_suites(tmp_path / "made", small, SETTINGS, n_suites=1, seed=3)
    assert read_manifest(tmp_path / "made") == manifest
    assert (manifest.seed, manifest.digest) == (3, small.grammar.digest)
    (suite,) = manifest.suites
    assert (suite.cases, suite.asked, suite.is_full) == (20, 20, True)
    assert sum(suite.near_misses.values()) == 10


def test_unmet_quotas_are_recorded(small, tmp_path):
    settings = SuiteSettings(size=10, quotas=(Quota("V-X", 2),))
    manifest = write_suites(tmp_path / "made", small, settings, n_suites=1)
    assert manifest.suites[0].unmet == {"V-X": 2}
    assert manifest.suites[0].cases == 10
    assert not manifest.is_full


def test_a_directory_that_is_there_is_kept(small, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep")
    for replace in (False, True):
        with pytest.raises(OutputError, check=coded("is-there-already")):
            write_suites(tmp_path / "mine", small, SETTINGS, replace=replace)
    assert set(content(tmp_path / "mine")) == {"notes.txt"}


def test_suites_may_be_replaced(small, tmp_path):
    write_suites(tmp_path / "made", small, SETTINGS, n_suites=2)
    with pytest.raises(OutputError, check=coded("is-there-already")):
        write_suites(tmp_path / "made", small, SETTINGS, n_suites=1)
    write_suites(tmp_path / "made", small, SETTINGS, n_suites=1, replace=True)
    assert set(content(tmp_path / "made")) == {MANIFEST, "suite-01.jsonl"}
    assert [path.name for path in tmp_path.iterdir()] == ["made"]


def test_an_empty_directory_is_filled(small, tmp_path):
    (tmp_path / "made").mkdir()
    write_suites(tmp_path / "made", small, SETTINGS, n_suites=1)
    assert MANIFEST in content(tmp_path / "made")


def test_nothing_is_left_where_generation_stops(small, tmp_path):
    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_suites(tmp_path / "made", small, SETTINGS, on_case=stop)
    assert list(tmp_path.iterdir()) == []


def test_no_case_is_in_two_suites(small, tmp_path):
    settings = SuiteSettings(size=151, quotas=(Quota("voice", 60),))
    alone = [
        (case.text, case.hypothesis)
        for _, _, generator in suite_generators(small, settings, n_suites=6, seed=1)
        for case in generator.cases()
    ]
    assert len(set(alone)) < len(alone)
    manifest = write_suites(tmp_path / "made", small, settings, n_suites=6, seed=1)
    cases = [
        case for each in manifest.suites for case in load_pairs(tmp_path / "made" / each.files[0])
    ]
    assert manifest.is_full
    assert len({(case.text, case.hypothesis) for case in cases}) == len(cases) == 6 * 151
    assert len({case.id for case in cases}) == 6 * 151


def test_suites_in_memory_are_those_that_are_written(small, tmp_path):
    settings = SuiteSettings(size=150)
    manifest = write_suites(tmp_path / "made", small, settings, n_suites=3, seed=1)
    made = made_suites(small, settings, n_suites=3, seed=1)
    assert [record for record, _ in made] == list(manifest.suites)
    for record, cases in made:
        assert cases == load_pairs(tmp_path / "made" / record.files[0])


def test_replaced_cases_leave_the_others_and_the_kinds_as_they_were(small, tmp_path):
    settings = SuiteSettings(size=150)
    manifest = write_suites(tmp_path / "made", small, settings, n_suites=6, seed=1)
    n_changed = 0
    made = suite_generators(small, settings, n_suites=6, seed=1)
    for suite, (_, _, generator) in zip(manifest.suites, made, strict=True):
        before = list(generator.cases())
        after = load_pairs(tmp_path / "made" / suite.files[0])
        assert [case.id[:-1] for case in after] == [case.id[:-1] for case in before]
        kinds = Counter(case.meta["made"] for case in after)
        assert kinds == Counter(case.meta["made"] for case in before)
        assert suite.near_misses == {kind: kinds[kind] for kind in suite.near_misses}
        n_changed += sum(one != other for one, other in zip(before, after, strict=True))
    assert 0 < n_changed < 6 * 150 / 4


def test_cases_that_cannot_be_replaced_are_left_out_and_said(paper, tmp_path, monkeypatch):
    for module in (generating, replacing):
        monkeypatch.setattr(module, "PATIENCE", 300)
    # far more cases than there are
    settings = SuiteSettings(size=3000, clauses=1, quotas=(Quota("voice", 1000),))
    manifest = write_suites(tmp_path / "made", paper, settings, n_suites=2)
    first, second = manifest.suites
    assert 0 <= second.cases < first.cases < 3000
    for suite in manifest.suites:
        cases = load_pairs(tmp_path / "made" / suite.files[0])
        assert len(cases) == suite.cases
        made = Counter(case.meta["made"] for case in cases)
        assert suite.near_misses == {kind: made[kind] for kind in suite.near_misses}
        n_voice = sum("voice" in case.meta["changes"] for case in cases)
        assert suite.unmet.get("voice", 0) == max(0, 1000 - n_voice)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"suites": [{}]}'])
def test_a_manifest_that_is_none(tmp_path, text):
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(DataError, check=coded("not-manifest-suites")):
        read_manifest(tmp_path)


def test_a_directory_without_a_manifest(tmp_path):
    with pytest.raises(DataError, match=r"there is no suites\.json in"):
        read_manifest(tmp_path)


def test_cases_are_counted(small, tmp_path):
    write_suites(tmp_path / "made", small, SETTINGS, n_suites=1)
    path = tmp_path / "made" / "suite-01.jsonl"
    composition = describe_cases(load_pairs(path), sample=3)
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert (composition.n_cases, composition.n_groups) == (20, 10)
    assert sum(counts.total() for counts in composition.made.values()) == 20
    assert len(composition.sample) == 3
    passive = sum(
        any("V-P" in entry["hypothesis"] for entry in record["meta"]["tags"]) for record in records
    )
    assert composition.tags.get("V-P", (0, 0))[1] == passive


def test_other_pairs_are_no_cases(examples):
    with pytest.raises(DataError, match=r"is no case of a suite: it has no meta\.changes"):
        describe_cases(load_pairs(examples))


def test_nothing_to_describe():
    with pytest.raises(DataError, check=coded("no-case-describe")):
        describe_cases([])


def test_a_type_named_twice_is_one_type(small, tmp_path):
    manifest = write_suites(tmp_path / "made", small, SETTINGS, n_suites=1, types=("nVn", "nVn"))
    assert manifest.suites[0].types == ("nVn",)


def test_a_quota_named_twice_is_refused(small, tmp_path):
    settings = SuiteSettings(size=20, quotas=(Quota("voice", 3), Quota("voice", 5)))
    with pytest.raises(SettingError, match="a quota for 'voice' is asked for twice"):
        write_suites(tmp_path / "made", small, settings, n_suites=1)


@pytest.mark.parametrize(
    "change",
    [
        {"suites": []},
        {"titles": None},
        {"suites": [{**RECORD, "files": []}]},
        {"suites": [{**RECORD, "near_misses": 3}]},
    ],
)
def test_damaged_manifest_is_refused(small, tmp_path, change):
    write_suites(tmp_path / "made", small, SETTINGS, n_suites=1)
    path = tmp_path / "made" / MANIFEST
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(DataError, check=coded("not-manifest-suites")):
        read_manifest(tmp_path / "made")


def test_manifest_that_is_a_directory_is_refused(tmp_path):
    (tmp_path / MANIFEST).mkdir()
    with pytest.raises(EnsueError, check=coded("directory-not-file")):
        read_manifest(tmp_path)
