"""The image's steps, without Docker: what they copy, install, set and run is there."""

import json
import os
import re
import shlex
import subprocess
import sys
from fnmatch import fnmatch

import pytest

from ensue.caches import VARIABLE
from ensue.cli.app import ensue
from ensue.cli.workbench import HOME
from ensue.installation import declared_extras


@pytest.fixture
def instructions(root):
    """The instructions of the file, each with what follows it."""
    text = re.sub(r"\\\n", " ", (root / "Dockerfile").read_text("utf-8"))
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [tuple(line.split(" ", 1)) for line in lines]


def of(instructions, name):
    return [rest for each, rest in instructions if each == name]


def test_wheel_is_built_of_what_is_copied(instructions, root, tmp_path):
    copied = [shlex.split(each) for each in of(instructions, "COPY")]
    here = [each for each in copied if not each[0].startswith("--from")]
    allowed = (root / ".dockerignore").read_text("utf-8").splitlines()
    for *sources, target in here:
        for source in sources:
            assert f"!{source}" in allowed
            place = tmp_path / target / ("" if target == source else source)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(root / source)
    build = next(each for each in of(instructions, "RUN") if "pip wheel" in each)
    words = shlex.split(build.replace("/wheels", str(tmp_path / "wheels")))
    command = [sys.executable, *words[1:-1], "--no-build-isolation", words[-1]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "wheels").iterdir()
    assert fnmatch(wheel.name, "ensue-*.whl")


def test_extras_are_declared(instructions):
    install = next(each for each in of(instructions, "RUN") if "pip install" in each)
    (named,) = re.findall(r"\[([\w,]+)\]", install)
    assert set(named.split(",")) <= set(declared_extras())


def test_folders_are_those_that_the_program_looks_for(instructions, tmp_path):
    (said,) = of(instructions, "ENV")
    known = dict(each.split("=") for each in said.split())
    assert set(known) == {VARIABLE, HOME}
    made = next(each for each in of(instructions, "RUN") if "install -d" in each)
    assert all(f'"${name}"' in made for name in known)
    assert of(instructions, "VOLUME") == [known[HOME]]


def test_nothing_runs_as_root(instructions):
    names = [name for name, _ in instructions]
    assert names.index("USER") < names.index("ENTRYPOINT")
    (user,) = of(instructions, "USER")
    assert f"--create-home {user}" in "\n".join(of(instructions, "RUN"))


def test_commands_are_those_of_the_command_line(instructions):
    command = next(each for each in of(instructions, "RUN") if each.startswith("ensue "))
    name, *options = shlex.split(command)[1:]
    found = ensue.get_command(None, name)
    known = {option for each in found.params for option in each.opts}
    assert set(options) <= known
    (port,) = of(instructions, "EXPOSE")
    serve = ensue.get_command(None, "serve")
    assert int(port) == next(each.default for each in serve.params if each.name == "port")


def test_image_begins_with_our_command(instructions):
    entry, arguments = (json.loads(of(instructions, name)[0]) for name in ("ENTRYPOINT", "CMD"))
    path = f"{os.path.dirname(sys.executable)}{os.pathsep}{os.environ['PATH']}"  # noqa: PTH120
    done = subprocess.run(
        [*entry, *arguments],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert "Usage: ensue" in done.stdout
