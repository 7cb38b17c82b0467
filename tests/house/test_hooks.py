"""The hook of pre-commit and the action of GitHub, by the commands that they run."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")


@pytest.fixture
def place(tmp_path, use_cache):
    """A directory with facts and two documents, of which the second is wrong in line 2."""
    use_cache(tmp_path / "cache")
    (tmp_path / "facts.txt").write_text("Bread is cheap.\nThe legal age is 64.\n")
    (tmp_path / "good.md").write_text("Bread is cheap.\n")
    (tmp_path / "bad.md").write_text("Bread is cheap.\nThe legal age is 62.\n")
    return tmp_path


def run_in(folder, *command, **environment):
    """Run a command with our own `ensue` before any other."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    known = {**os.environ, "PATH": path, **environment}
    return subprocess.run(
        command, cwd=folder, env=known, capture_output=True, text=True, check=False
    )


# pre-commit


def hook(root):
    (found,) = yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text("utf-8"))
    return found


def test_hook_is_what_pre_commit_takes(root):
    clientlib = pytest.importorskip("pre_commit.clientlib")
    (found,) = clientlib.load_manifest(str(root / ".pre-commit-hooks.yaml"))
    assert (found["id"], found["language"]) == ("ensue-check", "python")


def test_hook_names_files_and_lines(root, place):
    entry = shlex.split(hook(root)["entry"])
    arguments = ["--source", "facts.txt", "-r", "features"]
    done = run_in(place, *entry, *arguments, "good.md", "bad.md")
    assert done.returncode == 1
    assert done.stdout.startswith("bad.md:2:1: error: contradicted: '62' where the text has '64'")
    assert run_in(place, *entry, *arguments, "good.md").returncode == 0


def test_hook_takes_documents_only(root):
    files = hook(root)["files"]
    assert re.search(files, "docs/answer.md")
    assert not re.search(files, "src/model.py")


# GitHub


def action(root):
    return yaml.safe_load((root / "action.yml").read_text("utf-8"))


def steps(root):
    return {each["name"]: each for each in action(root)["runs"]["steps"]}


def environment(root, **given):
    """What the check's step sees, with the action's own values for what is not given."""
    inputs = {name: each.get("default", "") for name, each in action(root)["inputs"].items()}
    inputs.update({name.replace("_", "-"): value for name, value in given.items()})
    found = {}
    for name, value in steps(root)["Check"]["env"].items():
        (named,) = re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", value).groups()
        found[name] = inputs[named]
    return found


def check(root, place, **given):
    step = steps(root)["Check"]
    assert step["shell"] == "bash"
    # as GitHub runs it
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return run_in(place, *command, **environment(root, recognizer="features", **given))


def test_action_annotates_what_is_not_supported(root, place):
    done = check(root, place, sources="facts.txt\n", claims="good.md\nbad.md\n", sarif="x.sarif")
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error file=bad.md,line=2,endLine=2,col=1,")
    log = json.loads((place / "x.sarif").read_text("utf-8"))
    (result,) = log["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 2


def test_action_takes_a_share_and_names_as_they_are(root, place):
    (place / "$(touch hacked) a.md").write_text("Bread is cheap.\n")
    claims = "$(touch hacked) a.md\nbad.md"
    done = check(root, place, sources="facts.txt", claims=claims, fail_under="0.6")
    assert done.returncode == 0, done.stderr  # 2 of 3
    assert not (place / "hacked").exists()
    assert not list(place.glob("*.sarif"))


def test_action_fails_where_a_file_is_not_there(root, place):
    done = check(root, place, sources="facts.txt", claims="none.md", sarif="x.sarif")
    assert done.returncode == 3
    assert "there is no file 'none.md'" in done.stderr


def test_action_installs_the_checkout_that_it_is_in(root, tmp_path):
    """The step is run, but for the downloads."""
    words = steps(root)["Install"]["run"].replace(
        "pip install", "pip install --dry-run --no-deps --no-index --no-build-isolation"
    )
    done = run_in(tmp_path, "bash", "-c", words, GITHUB_ACTION_PATH=str(root))
    assert done.returncode == 0, done.stderr


def test_action_describes_all_that_it_takes_and_gives(root):
    found = action(root)
    assert found["runs"]["using"] == "composite"
    assert all(
        each["description"] for each in [*found["inputs"].values(), *found["outputs"].values()]
    )
    used = re.findall(r"inputs\.([\w-]+)", (root / "action.yml").read_text("utf-8"))
    assert set(used) == set(found["inputs"])
