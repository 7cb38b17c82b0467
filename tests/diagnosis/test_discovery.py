"""Sets are found in folders; what is none is a finding, what is broken an error."""

import json
import shutil

import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.diagnosis import DiagnosticSet, find_sets
from ensue.diagnosis.kinds import plain_kind
from ensue.errors import DataError
from ensue.pairs import Label, Pair, write_pairs

HEAD = "gold_label\tsentence1\tsentence2\tpairID\theuristic\tsubcase\ttemplate\n"
ROW = "entailment\tA b ran .\tA b ran .\tex{}\tsubsequence\tse_adjective\ttemp1\n"


def own(n, **more):
    return [Pair(str(i), f"text {i}", "hypothesis", Label.ENTAILMENT, **more) for i in range(n)]


def test_unknown_files_are_findings(diagnostic, tmp_path, findings):
    shutil.copy(diagnostic / "hans-like.txt", tmp_path)
    write_pairs(tmp_path / "others.jsonl", own(3))
    (tmp_path / "README.md").write_text("# What this is\n")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    (tmp_path / "empty.tsv").write_text("")
    (tmp_path / "set.zip").write_bytes(b"PK\x03\x04\0\0\xff\xfe")
    (found,) = find_sets([tmp_path], on_finding=findings.append)
    assert found.kind.name == "hans"
    said = {finding.place.rpartition("/")[2]: finding for finding in findings}
    assert set(said) == {"others.jsonl", "README.md", "picture.png", "empty.tsv", "set.zip"}
    assert "unpack it" in said["set.zip"].message
    assert {finding.code for finding in findings} == {"unknown-set"}
    assert "name the file itself" in said["others.jsonl"].message


def test_file_that_is_named_is_a_set_of_pairs(tmp_path):
    write_pairs(tmp_path / "others.jsonl", own(3, task="QA"))
    (found,) = find_sets([tmp_path / "others.jsonl"])
    assert (found.kind.name, found.name, found.title) == ("pairs", "others", "others")
    assert found.phenomena() == {("task", "QA"): [0, 1, 2]}


def test_file_named_twice_is_one_set(diagnostic):
    assert len(find_sets([diagnostic / "med-like.tsv", diagnostic / "med-like.tsv"])) == 1


def test_folder_without_files_is_an_error(tmp_path):
    with pytest.raises(DataError, check=coded("no-files")) as raised:
        find_sets([tmp_path])
    assert str(tmp_path) in str(raised.value)
    assert raised.value.hint


def test_folder_without_sets_is_an_error_with_place_and_hint(tmp_path):
    (tmp_path / "README.md").write_text("# What this is\n")
    with pytest.raises(DataError, check=coded("no-diagnostic-set")) as raised:
        find_sets([tmp_path])
    assert raised.value.place == str(tmp_path)
    assert "HANS" in raised.value.hint


def test_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(DataError) as raised:
        find_sets([tmp_path / "none.tsv"])
    assert "none.tsv" in str(raised.value)


def test_set_that_breaks_off_is_an_error_with_its_line(tmp_path):
    rows = [ROW.format(i) for i in range(60)]
    rows[57] = "maybe\tA b ran .\tA b ran .\tex57\tsubsequence\tse_adjective\ttemp1\n"
    (tmp_path / "hans.tsv").write_text(HEAD + "".join(rows))
    with pytest.raises(DataError) as raised:
        find_sets([tmp_path])
    assert raised.value.place.endswith("hans.tsv:59")
    assert "'maybe'" in raised.value.message
    assert raised.value.hint


def test_set_without_gold_is_a_finding(diagnostic, tmp_path, findings):
    (tmp_path / "conj_test.tsv").write_text("Premise\tHypothesis\nHe sat and ate.\tHe sat.\n")
    shutil.copy(diagnostic / "med-like.tsv", tmp_path)
    (found,) = find_sets([tmp_path], on_finding=findings.append)
    assert found.kind.name == "med"
    assert [finding.code for finding in findings] == ["set-without-gold"]
    with pytest.raises(DataError, check=coded("no-diagnostic-set")):
        find_sets([tmp_path / "conj_test.tsv"])


def test_pairs_without_gold_are_left_out_and_counted(tmp_path):
    rows = [ROW.format(0), ROW.format(1).replace("entailment", "", 1)]
    (tmp_path / "hans.tsv").write_text(HEAD + "".join(rows))
    (found,) = find_sets([tmp_path])
    assert (len(found.pairs), found.n_without_gold) == (1, 1)


def test_ids_that_occur_twice_are_replaced(tmp_path):
    (tmp_path / "hans.tsv").write_text(HEAD + ROW.format(1) + ROW.format(1))
    (found,) = find_sets([tmp_path])
    assert [pair.id for pair in found.pairs] == ["hans-1", "hans-2"]


def test_published_curriculum_is_one_set_with_a_part_for_each_folder(tmp_path):
    for task, label in (("negation", "contradiction"), ("lexical", "not-entailed")):
        folder = tmp_path / "tasks" / task
        folder.mkdir(parents=True)
        row = {"premise": f"a {task}", "hypothesis": "b", "gold_label": label, "idx": 0}
        (folder / "val.jsonl").write_text(json.dumps(row) + "\n")
    (found,) = find_sets([tmp_path])
    assert found.kind.name == "curriculum"
    assert found.phenomena() == {("set", "lexical"): [0], ("set", "negation"): [1]}
    assert [pair.gold for pair in found.pairs] == [Label.NOT_ENTAILMENT, Label.CONTRADICTION]
    assert len({pair.id for pair in found.pairs}) == 2


def test_generated_suites_are_one_set(tmp_path):
    folder = tmp_path / "suites"
    folder.mkdir()
    for name in ("one", "two"):
        meta = [{"group": name, "made": made, "changes": ["voice"]} for made in ("restated", "x")]
        pairs = [
            Pair(f"{name}{i}", "t", f"h{i}", Label.ENTAILMENT, meta=m) for i, m in enumerate(meta)
        ]
        write_pairs(folder / f"{name}.jsonl", pairs)
    files = [{"files": [f"{name}.jsonl", f"{name}.csv"]} for name in ("one", "two")]
    (folder / "suites.json").write_text(json.dumps({"suites": files}))
    (folder / "one.csv").write_text("the same as CSV, which is not read twice\n")
    (found,) = find_sets([folder])
    assert (found.kind.name, len(found.pairs)) == ("suite", 4)
    assert found.phenomena()["hypothesis", "restated"] == [0, 2]


def test_two_sets_of_a_kind_have_titles_of_their_own(diagnostic, tmp_path):
    for name in ("trial", "test"):
        shutil.copy(diagnostic / "sick-like.txt", tmp_path / f"SICK_{name}.txt")
    found = find_sets([tmp_path])
    assert [each.name for each in found] == ["sick-test", "sick-trial"]
    assert [each.title for each in found] == ["SICK, test", "SICK, trial"]


def test_what_was_judged_before_is_not_found_again(diagnostic, tmp_path, findings):
    shutil.copy(diagnostic / "med-like.tsv", tmp_path)
    before = tmp_path / "before"
    before.mkdir()
    shutil.copy(diagnostic / "med-like.tsv", before)
    (before / "diagnosis.json").write_text("{}")
    assert len(find_sets([tmp_path], on_finding=findings.append)) == 1
    assert [finding.code for finding in findings] == ["judged-before"]


def test_link_that_leads_back_ends(diagnostic, tmp_path):
    shutil.copy(diagnostic / "med-like.tsv", tmp_path)
    (tmp_path / "again").symlink_to(tmp_path)
    assert len(find_sets([tmp_path])) == 1


@given(
    groups=st.lists(st.one_of(st.none(), st.integers(0, 5)), min_size=1, max_size=30),
    n=st.integers(1, 30),
    seed=st.integers(0, 3),
)
def test_sample_keeps_groups_whole_and_the_order(groups, n, seed):
    pairs = tuple(
        Pair(str(i), "t", "h", Label.ENTAILMENT, meta={} if g is None else {"group": str(g)})
        for i, g in enumerate(groups)
    )
    found = DiagnosticSet(plain_kind("x"), "x", "x", ("x",), pairs, 0, len(pairs))
    kept = found.sampled(n, seed)
    assert len(kept.pairs) <= max(n, 0)
    assert kept.n_pairs == len(pairs)
    ids = [int(pair.id) for pair in kept.pairs]
    assert ids == sorted(ids)
    chosen = {groups[i] for i in ids} - {None}
    assert {i for i, g in enumerate(groups) if g in chosen} <= set(ids)
    assert kept.pairs == found.sampled(n, seed).pairs


@pytest.mark.data
def test_real_sets_are_found(shared_data, findings):
    """FraCaS without its 12 problems of no answer, one premise in 183; SICK's trial pairs."""
    found = find_sets(
        [shared_data / "fracas", shared_data / "sick" / "SICK_trial.txt"],
        on_finding=findings.append,
    )
    fracas, sick = found
    assert (fracas.name, len(fracas.pairs), fracas.n_without_gold) == ("fracas", 334, 12)
    assert len(fracas.phenomena()["premises", "one"]) == 183
    assert (sick.name, len(sick.pairs)) == ("sick-trial", 500)


@pytest.mark.data
def test_sets_of_curriculum_are_one(shared_data, tmp_path):
    for name in ("boolean", "negation"):
        source = shared_data / "nli" / "phenomena" / f"{name}.jsonl.gz"
        (tmp_path / source.name).symlink_to(source)
    (found,) = find_sets([tmp_path])
    assert found.kind.name == "curriculum"
    assert set(found.phenomena()) == {("set", "boolean"), ("set", "negation")}
