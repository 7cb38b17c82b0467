"""The example lists, pairs and texts in a directory to work in, and commands run there."""

import json
import shutil

import pytest

from ensue.cli.app import run


@pytest.fixture
def folder(root, tmp_path, monkeypatch):
    """A directory to work in, with the examples."""
    shutil.copytree(root / "examples" / "paraphrase", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def answering(capsys):
    """Give a function that runs a command with some options and gives its tables."""

    def of_command(command, *options):
        def run_it(*arguments):
            code = run(["paraphrase", command, *arguments, *options, "--format", "json"])
            captured = capsys.readouterr()
            assert code == 0, captured.err
            assert "NaN" not in captured.out
            return json.loads(captured.out)

        return run_it

    return of_command


@pytest.fixture
def refusing(capsys):
    """Give a function that runs a command which has to fail, and gives the message."""

    def of_command(*command):
        def run_it(*arguments, code=3):
            assert run(["paraphrase", *command, *arguments]) == code
            captured = capsys.readouterr()
            assert captured.out == ""
            assert "Traceback" not in captured.err
            return captured.err

        return run_it

    return of_command
