"""Data sets of the hub by name: local Parquet in a hub's layout, since no hub is in reach."""

import json
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.errors import coded

import ensue
from ensue.claims import read_claims
from ensue.cli.app import run
from ensue.errors import DataError, LabelError
from ensue.files import hub_file
from ensue.files.hub import HubName, hub_names
from ensue.installation import install_extra
from ensue.pairs import Label, label_preset, read_run

TEXTS = ["A dog barks.", "It rains in Lindow.", "Tea grows."]
HYPOTHESES = ["A dog barks.", "It does not rain.", "Cats sleep."]
GOLD = [Label.ENTAILMENT, Label.CONTRADICTION, Label.UNKNOWN]
ORDER = ["contradiction", "entailment", "neutral"]
"""Another order than SNLI's."""
NUMBERS = [1, 0, 2]


@pytest.fixture
def hub(tmp_path, monkeypatch, use_cache):
    """A folder that stands for the hub; nothing else is in reach."""
    datasets = pytest.importorskip("datasets")
    use_cache(tmp_path / "cache")
    hub_file.__wrapped__.cache_clear()  # the same names are other files in each test
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "datasets")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    (tmp_path / "hub").mkdir()
    monkeypatch.chdir(tmp_path / "hub")
    return tmp_path / "hub"


def written(folder, columns, *, split="validation", names=None):
    """Write a split as the hub has it, with the names of its labels or without."""
    kinds = {c: {"dtype": "string", "_type": "Value"} for c in columns}
    kinds["label"] = (
        {"names": names, "_type": "ClassLabel"} if names else {"dtype": "int64", "_type": "Value"}
    )
    table = pa.table(columns).replace_schema_metadata(
        {"huggingface": json.dumps({"info": {"features": kinds}})}
    )
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, folder / f"{split}-00000-of-00001.parquet")


@pytest.fixture
def named(hub):
    """A data set with two splits whose labels have names, in an order of their own."""
    columns = {"premise": TEXTS, "hypothesis": HYPOTHESES, "label": NUMBERS}
    for split in ("train", "validation"):
        written(hub / "acme" / "nli" / "data", columns, split=split, names=ORDER)
    return "hf:acme/nli/validation"


@pytest.mark.parametrize(
    ("text", "hypothesis"),
    [
        ("premise", "hypothesis"),
        ("sentence1", "sentence2"),
        ("doc", "claim"),
        ("document", "claim"),
        ("context", "answer"),
    ],
)
def test_columns_are_recognized_and_labels_read_by_their_names(text, hypothesis, hub):
    columns = {text: TEXTS, hypothesis: HYPOTHESES, "label": NUMBERS}
    written(hub / "acme" / "set" / "data", columns, names=ORDER)
    found = list(ensue.read_pairs("hf:acme/set/validation"))
    assert [(each.text, each.hypothesis, each.gold) for each in found] == list(
        zip(TEXTS, HYPOTHESES, GOLD, strict=True)
    )
    assert [each.id for each in found] == ["1", "2", "3"]


def test_numbers_without_names_are_not_guessed(hub):
    columns = {"premise": TEXTS, "hypothesis": HYPOTHESES, "label": [0, 2, 1]}
    written(hub / "acme" / "bare" / "data", columns)
    with pytest.raises(LabelError, check=coded("unknown-label-known")) as told:
        list(ensue.read_pairs("hf:acme/bare/validation"))
    assert "--label hf, where 0 is entailment, 2 contradiction, 1 unknown" in told.value.hint
    found = ensue.read_pairs("hf:acme/bare/validation", labels=label_preset("hf"))
    assert [each.gold for each in found] == GOLD


def test_configuration_is_named_before_the_split(hub):
    folder = hub / "acme" / "several"
    columns = {"premise": TEXTS, "hypothesis": HYPOTHESES, "label": NUMBERS}
    written(folder / "hard", columns, names=ORDER, split="test")
    easy = {name: cells[:1] for name, cells in columns.items()}
    written(folder / "easy", easy, names=ORDER, split="test")
    said = "".join(
        f"- config_name: {name}\n  data_files:\n  - split: test\n    path: {name}/test-*\n"
        for name in ("hard", "easy")
    )
    (folder / "README.md").write_text(f"---\nconfigs:\n{said}---\n")
    assert len(list(ensue.read_pairs("hf:acme/several/hard/test"))) == 3
    assert len(list(ensue.read_pairs("hf:acme/several/easy/test"))) == 1
    with pytest.raises(DataError, check=coded("cannot-load-hub-dataset")):
        hub_file("hf:acme/several/test")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_commands_take_its_name_for_a_file(workers, named, tmp_path, capsys):
    target = str(tmp_path / "run.jsonl")
    assert run(["judge", named, "-r", "overlap", "-o", target, "--workers", workers]) == 0
    assert read_run(target).header.data["name"] == "nli-validation"
    assert run(["evaluate", named, target, "--table", "runs"]) == 0
    assert run(["data", "show", named]) == 0
    assert "Pairs of nli-validation by task and gold" in capsys.readouterr().out


def test_claims_are_read_from_it(hub):
    written(hub / "acme" / "claims" / "data", {"claim": HYPOTHESES, "label": NUMBERS})
    found = read_claims("hf:acme/claims/validation")
    assert [(each.text, each.line) for each in found] == list(
        zip(HYPOTHESES, (1, 2, 3), strict=True)
    )


def test_part_of_a_split_is_a_split(named):
    assert len(list(ensue.read_pairs(f"{named}[:2]"))) == 2


def test_file_is_made_once_and_says_what_it_holds(named, tmp_path):
    path = hub_file(named)
    assert path.startswith(str(tmp_path / "cache" / "hub" / "nli-validation-"))
    made = {each.name for each in (tmp_path / "cache" / "hub").iterdir()}
    assert len(made) == 1
    assert hub_file(named) == path


def test_nothing_of_the_package_is_said(named, capfd):
    hub_file(named)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("hf:acme/nli/tset", "cannot-load-hub-dataset"),
        ("hf:other/elsewhere/test", "hub-out-of-reach"),
        ("hf:", "hub-name-incomplete"),
        ("hf:acme", "hub-name-incomplete"),
        ("hf:a//b", "hub-name-incomplete"),
        ("hf:a/b/c/d/e", "hub-name-incomplete"),
    ],
)
def test_what_is_not_there_is_an_error_with_a_hint(name, code, named):
    with pytest.raises(DataError, check=coded(code)) as told:
        list(ensue.read_pairs(name))
    assert told.value.hint


def test_error_says_which_package_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(DataError, check=coded("needs-package-not-installed")) as told:
        list(ensue.read_pairs("hf:nobody/has-this/test"))
    assert told.value.hint == f"run: {install_extra('hf')}"


def test_folder_of_this_machine_comes_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert hub_names("hf:a/b/c") == [HubName("a/b", None, "c"), HubName("a", "b", "c")]
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert hub_names("hf:a/b/c") == [HubName("a/b", None, "c")]
    assert hub_names("hf:a/b/c/d") == [HubName("a/b", "c", "d")]
    assert hub_names("hf:./a/b/c") == [HubName("./a/b", None, "c")]
    assert hub_names("hf:a/x/c") == [HubName("a/x", None, "c"), HubName("a", "x", "c")]
    assert hub_names(f"hf:{tmp_path}/a/b/c") == [HubName(f"{tmp_path}/a/b", None, "c")]
