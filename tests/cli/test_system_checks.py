import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import pytest

from ensue import compiling
from ensue.cli import diagnostics as module
from ensue.cli.diagnostics import Health, SystemCheck, clear_analyses, system_checks
from ensue.errors import OutputError
from ensue.installation import EXTRAS, install_extra, pip_install, restore_file
from ensue.language import MODEL_PACKAGE
from ensue.neural import read_bundle


@pytest.fixture
def cache(tmp_path):
    """A file with two analyses."""
    path = tmp_path / "analyses.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE analyses (key BLOB PRIMARY KEY, analysis BLOB)")
        database.executemany("INSERT INTO analyses VALUES (?, ?)", [(b"1", b"x"), (b"2", b"y")])
        database.commit()
    return path


def the(part, **places):
    (found,) = [check for check in system_checks(**places) if check.part == part]
    return found


def test_checkup_finds_nothing_bad_where_all_is_there(tmp_path):
    assert [check for check in system_checks(cache=tmp_path / "none") if check.is_bad] == []


def test_checkup_says_how_to_install_a_model():
    found = the("model", models=["no_such_model", "nor_such"])
    assert found.health is Health.MISSING
    assert found.is_bad
    assert found.found == "neither no_such_model nor nor_such is installed"
    assert found.hint == f"run: {pip_install(MODEL_PACKAGE)}"


def test_checkup_names_packages_that_are_not_there(monkeypatch):
    declared = ["click", "no-such-package", "en-core-web-sm"]
    monkeypatch.setattr(module, "requirements", lambda extra=None: declared)
    found = the("packages")
    assert found.found == "not there: no-such-package"
    assert found.hint == f"run: {pip_install('no-such-package')}"
    assert found.is_bad


def test_checkup_sees_a_lexicon_that_is_not_there(tmp_path):
    found = the("lexicon", table=tmp_path / "none.table")
    assert (found.health, found.place) == (Health.MISSING, tmp_path / "none.table")
    assert found.hint == f"run: {restore_file(tmp_path / 'none.table')}"


def test_checkup_sees_a_damaged_lexicon(tmp_path):
    (tmp_path / "bad.table").write_bytes(b"ENSUELX0" + bytes(100))
    found = the("lexicon", table=tmp_path / "bad.table")
    assert found.health is Health.BROKEN
    assert "damaged" in found.found


def test_checkup_names_the_weights_of_the_network():
    bundle, found = read_bundle(), the("network")
    assert (found.health, found.place, found.hint) == (Health.OK, bundle.folder, None)
    assert found.found.startswith(f"weights {bundle.identity}, ")


@pytest.fixture
def network(tmp_path):
    """The folder of a network whose files are whole, though nothing could run them."""
    hashes = {}
    for name in ("network.onnx", "vocabulary.txt"):
        (tmp_path / name).write_bytes(name.encode())
        hashes[name] = sha256(name.encode()).hexdigest()
    (tmp_path / "network.json").write_text(json.dumps({"ensue_network": 1, "hashes": hashes}))
    return tmp_path


def test_checkup_does_not_open_the_network(network):
    found = the("network", network=network)
    assert (found.health, found.size) == (Health.OK, len("network.onnx") + len("vocabulary.txt"))


def test_checkup_sees_a_network_that_is_not_there(network):
    (network / "network.onnx").unlink()
    found = the("network", network=network)
    assert (found.health, found.place) == (Health.MISSING, network / "network.onnx")
    assert found.found == "the network is not there (No such file or directory)"
    assert found.hint == f"run: {restore_file(network)}"
    assert found.is_bad


def test_checkup_sees_a_damaged_network(network):
    (network / "vocabulary.txt").write_bytes(b"vocabulary-txt")
    found = the("network", network=network)
    assert (found.health, found.place) == (Health.BROKEN, network / "vocabulary.txt")
    assert found.found == "the network's file is damaged or was changed"
    assert found.hint == f"run: {restore_file(network)}"


def test_checkup_counts_the_analyses_that_are_kept(cache):
    found = the("analyses", cache=cache)
    assert found.health is Health.OK
    assert found.found.startswith("2 kept, ")
    assert found.size == cache.stat().st_size


@pytest.mark.parametrize("content", [b"this is no database at all", bytes(5000)])
def test_checkup_sees_damaged_analyses(content, tmp_path):
    (tmp_path / "bad.sqlite").write_bytes(content)
    found = the("analyses", cache=tmp_path / "bad.sqlite")
    assert found.health is Health.BROKEN
    assert found.is_bad
    assert "ensue doctor --clear-cache" in found.hint


def test_checkup_sees_analyses_that_are_damaged_in_the_middle(cache):
    with closing(sqlite3.connect(cache)) as database:
        rows = [(f"{i:05}".encode(), bytes(400)) for i in range(500)]
        database.executemany("INSERT INTO analyses VALUES (?, ?)", rows)
        database.commit()
    content = bytearray(cache.read_bytes())
    content[60_000:70_000] = b"\xff" * 10_000
    cache.write_bytes(content)
    assert the("analyses", cache=cache).health is Health.BROKEN


def test_checkup_says_where_no_analyses_can_be_kept(tmp_path):
    (tmp_path / "file").touch()
    found = the("analyses", cache=tmp_path / "file" / "analyses.sqlite")
    assert (found.health, found.is_bad) == (Health.MISSING, False)
    assert found.found == "none can be kept here, so each run analyzes anew"
    assert found.hint == "set ENSUE_CACHE to a directory that you may write to"


def test_checkup_does_not_wait_for_many_analyses(cache, monkeypatch):
    with closing(sqlite3.connect(cache)) as database:
        rows = [(f"{i:05}".encode(), bytes(400)) for i in range(5000)]
        database.executemany("INSERT INTO analyses VALUES (?, ?)", rows)
        database.commit()
    monkeypatch.setattr(module, "_PATIENCE", -1.0)
    assert the("analyses", cache=cache).found.startswith("many kept, ")


def test_checkup_asks_for_a_place_for_kernels_where_none_can_be_written(monkeypatch):
    monkeypatch.setattr(compiling, "kernel_store", lambda: None)
    found = the("kernels")
    assert found.health is Health.MISSING
    assert not found.is_bad
    assert "ENSUE_CACHE" in found.hint


def test_checkup_says_which_kernels_are_kept_where_and_why(tmp_path, monkeypatch):
    monkeypatch.setenv("ENSUE_CACHE", str(tmp_path))
    found = the("kernels")
    assert found.found == "none compiled yet; ENSUE_CACHE names it"
    assert "ensue doctor --compile" in found.hint
    place = found.place
    assert place.parent == tmp_path / "kernels"
    (place / "scan.1.nbc").write_bytes(bytes(2000))
    for name in ("surface.scanner.scan_strings", "surface.ter._move", "mining.kernels.deal"):
        (place / f"ensue.{name}.kept").touch()
    found = the("kernels")
    assert found.found == "3 compiled (mining 1, surface 2), 2.0 kB; ENSUE_CACHE names it"
    assert (found.size, found.hint) == (2000, None)


def test_checkup_says_what_each_extra_brings():
    parts = {check.part: check for check in system_checks() if check.part.startswith("ensue[")}
    assert parts.keys() == {f"ensue[{name}]" for name in EXTRAS}
    assert all(parts[f"ensue[{name}]"].found.startswith(EXTRAS[name]) for name in EXTRAS)
    assert parts["ensue[web]"].health is Health.OK
    assert f"fastapi {version('fastapi')}" in parts["ensue[web]"].found


def test_checkup_does_not_need_extras(monkeypatch):
    monkeypatch.setattr(module, "missing_packages", lambda extra: ["uvicorn"])
    found = the("ensue[web]")
    assert (found.health, found.is_bad) == (Health.MISSING, False)
    assert found.found == f"{EXTRAS['web']}; not there: uvicorn"
    assert found.hint == f"optional; run: {install_extra('web')}"


def test_broken_is_bad_even_where_it_is_not_needed():
    check = SystemCheck("x", Health.BROKEN, "", needed=False)
    assert check.is_bad
    assert not replace(check, health=Health.OK).is_bad


def test_clear_analyses_removes_the_file_and_what_was_put_aside(cache):
    beside = Path(f"{cache}.damaged")
    beside.write_bytes(bytes(10))
    size = cache.stat().st_size
    assert clear_analyses(cache) == size + 10
    assert list(cache.parent.iterdir()) == []
    assert clear_analyses(cache) == 0


def test_clear_analyses_says_what_it_cannot_remove(cache, monkeypatch):
    def refuse(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(OutputError, match="Permission denied"):
        clear_analyses(cache)
