"""What the package declares, and the commands that its hints name."""

import shlex
import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path

import pytest

from ensue import installation
from ensue.cli.app import run
from ensue.installation import (
    EXTRAS,
    declared_extras,
    install_again,
    install_extra,
    pip_install,
    requirements,
    restore_file,
)

SOURCE = Path(installation.__file__).parent


@pytest.fixture
def own_pip(monkeypatch):
    """The path's first `pip` is that of the Python that runs."""
    own = str(Path(sys.executable).with_name("pip"))
    monkeypatch.setattr(installation.shutil, "which", lambda name: own)


@pytest.fixture
def no_checkout(monkeypatch):
    """Installed from a wheel."""
    monkeypatch.setattr(installation, "checkout", lambda: None)


def test_every_extra_is_described():
    assert sorted(EXTRAS) == sorted(declared_extras())


def test_prover_comes_without_an_extra():
    assert "z3-solver" in requirements()
    assert "logic" not in declared_extras()


def test_requirements_are_those_of_all_or_of_an_extra():
    assert "psycopg" in requirements("postgresql")
    assert "psycopg" not in requirements()
    n_extra = sum(len(requirements(extra)) for extra in declared_extras())
    assert len(requirements()) + n_extra == len(requires("ensue"))


def test_extra_is_installed_by_name_where_there_is_no_checkout(own_pip, no_checkout):
    assert install_extra("web") == "pip install 'ensue[web]'"


def test_extra_of_a_checkout_is_installed_from_it(own_pip, root):
    assert install_extra("web") == f"pip install -e '{root}[web]'"
    assert install_again() == f"pip install -e {root}"


def test_pip_of_another_python_is_not_named(monkeypatch):
    monkeypatch.setattr(installation.shutil, "which", lambda name: "/elsewhere/bin/pip")
    assert pip_install("x") == f"{shlex.quote(sys.executable)} -m pip install x"
    monkeypatch.setattr(installation.shutil, "which", lambda name: None)
    assert pip_install("x") == f"{shlex.quote(sys.executable)} -m pip install x"


def test_wheel_is_installed_again_from_where_it_came(own_pip, no_checkout, monkeypatch):
    monkeypatch.setattr(installation, "distribution", lambda name: _Wheel())
    assert install_again() == "pip install --force-reinstall file:///ensue-1-py3-none-any.whl"
    assert restore_file(Path("/x/wordnet.table")) == install_again()


class _Wheel:
    def read_text(self, name):
        assert name == "direct_url.json"
        return '{"url": "file:///ensue-1-py3-none-any.whl", "archive_info": {}}'


def test_file_of_a_checkout_is_restored_by_git(root):
    assert restore_file(SOURCE / "x.table") == f"git -C {root} restore {SOURCE / 'x.table'}"


def test_extra_is_installed_by_the_command_of_its_hint():
    """The command is run, but for the download."""
    words = shlex.split(install_extra("sacrebleu"))
    at = words.index("install") + 1
    dry = [*words[:at], "--dry-run", "--no-deps", "--no-index", "--no-build-isolation"]
    done = subprocess.run([*dry, *words[at:]], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "does not provide the extra" not in done.stderr


@pytest.fixture
def without(monkeypatch):
    """Let a package not be installed."""

    def leave_out(package):
        known = installation.installed_version
        monkeypatch.setattr(
            installation, "installed_version", lambda name: None if name == package else known(name)
        )

    return leave_out


@pytest.mark.parametrize("package", requirements("web"))
def test_workbench_says_how_to_install_what_it_needs(package, without, tmp_path, capsys):
    without(package)
    assert run(["serve", "--home", str(tmp_path)]) == 3
    said = capsys.readouterr().err
    assert f"the workbench needs packages that are not there: {package}\n" in said
    assert f"hint: run: {install_extra('web')}" in said


def test_database_says_how_to_install_what_it_needs(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert run(["serve", "--database", "postgresql://ensue@127.0.0.1:9/nothing"]) == 3
    assert f"hint: run: {install_extra('postgresql')}" in capsys.readouterr().err


def test_hints_name_no_installation_of_their_own():
    """Commands come from one place, where it is known how ensue is installed."""
    for path in SOURCE.rglob("*.py"):
        if path.name != "installation.py":
            assert "pip install" not in path.read_text("utf-8"), path
