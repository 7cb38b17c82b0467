"""Recognizers by name and in directories, whole and broken."""

import json

import pytest
from tests.errors import coded

import ensue
from ensue.errors import DataError, OutputError, SettingError, UnknownNameError
from ensue.recognizers import save


@pytest.fixture
def kept(pairs, tmp_path):
    save(ensue.load("overlap", {"idf": True}).fit(pairs, seed=0, name="made"), tmp_path / "kept")
    return tmp_path / "kept"


def test_load_suggests_the_nearest_name():
    with pytest.raises(UnknownNameError, match="no recognizer is called 'modifed-bleu'") as caught:
        ensue.load("modifed-bleu")
    assert caught.value.hint == "did you mean 'modified-bleu'?"


def test_load_refuses_a_directory_without_a_recognizer(tmp_path):
    with pytest.raises(DataError, match=r"there is no recognizer\.json"):
        ensue.load(tmp_path)


def test_load_refuses_settings_for_a_kept_recognizer(kept):
    with pytest.raises(SettingError, check=coded("trained-recognizer-keeps-settings")):
        ensue.load(kept, {"stem": True})


def test_load_sees_changed_arrays(kept):
    (kept / "arrays.npz").write_bytes(b"other")
    with pytest.raises(DataError, check=coded("not-file-written")):
        ensue.load(kept)


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"ensue_recognizer": 1}'])
def test_load_refuses_a_broken_record(kept, content):
    (kept / "recognizer.json").write_text(content)
    with pytest.raises(DataError, check=coded("not-recognizer")):
        ensue.load(kept)


def test_load_refuses_another_version_of_the_format(kept):
    record = json.loads((kept / "recognizer.json").read_text())
    (kept / "recognizer.json").write_text(json.dumps(record | {"ensue_recognizer": 99}))
    with pytest.raises(DataError, match="format 99 is not known"):
        ensue.load(kept)


def test_record_says_what_it_was_tuned_on(kept, pairs):
    tuned_on = json.loads((kept / "recognizer.json").read_text())["signature"]["tuned_on"]
    assert (tuned_on["name"], tuned_on["pairs"]) == ("made", len(pairs))
    assert len(tuned_on["sha256"]) == 64


def test_save_refuses_an_unwritable_place(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, check=coded("cannot-make")):
        save(ensue.load("bleu"), tmp_path / "file" / "kept")
