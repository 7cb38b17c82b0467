"""The example lists, pairs and texts in a directory to work in."""

import shutil

import pytest


@pytest.fixture
def folder(root, tmp_path, monkeypatch):
    """A directory to work in, with the examples."""
    shutil.copytree(root / "examples" / "paraphrase", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path
