"""What `pip install` takes and leaves: seconds, megabytes, packages, and the first commands after.

    python -m benchmarks.installation [WHEEL…]     the wheels named, else that of this checkout
    python -m benchmarks.installation --imports    and which commands load each package

Each wheel is installed into a fresh virtual environment outside of the checkout, with all that it
requires, from the index that pip is set up for: first downloaded, then installed from the files.
The commands are the examples of their help texts.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from benchmarks.startup import Seconds, show_first_verdicts
from benchmarks.timing import ROOT, data_folder
from ensue.cli.app import ensue, run

_OF_THE_ENVIRONMENT = {"pip", "setuptools"}
_SHOWN = 12
_MEGABYTE = 1e6
# Run by the environment's own Python: each package with the bytes of its files on disk.
_SIZES = """
import json, os
from importlib.metadata import distributions
def size(path):
    return os.path.getsize(path) if os.path.isfile(path) else 0
found = {
    each.metadata["Name"]: sum(size(each.locate_file(file)) for file in each.files or ())
    for each in distributions()
}
print(json.dumps(found))
"""
# The same, for one command: the packages whose modules are loaded when it ends.
_LOADED = """
import json, sys
from importlib.metadata import packages_distributions
from ensue.cli.app import run
code = run(sys.argv[2:])
tops = {name.partition(".")[0] for name in sys.modules}
names = packages_distributions()
with open(sys.argv[1], "w") as file:
    json.dump([code, sorted({each for top in tops for each in names.get(top, ())})], file)
"""
_NEEDS_MORE = 3
"""The exit code of a command that needs an extra."""


@dataclass(frozen=True, slots=True)
class Installation:
    """A fresh environment with a wheel in it, and what it took."""

    wheel: str
    ensue: Path
    """The installed command."""
    downloaded: int
    """Bytes of all wheels, ours included."""
    download: Seconds
    install: Seconds
    sizes: dict[str, int]
    """The bytes on disk of each package, compiled modules included."""


def main(wheels: Sequence[Path] = (), *, imports: bool = False) -> None:
    """Print what the installation of each wheel takes, this checkout's where none is named."""
    with ExitStack() as stack:
        made = stack.enter_context(tempfile.TemporaryDirectory(prefix="ensue-installation-"))
        named = wheels or [_built(Path(made))]
        found = [stack.enter_context(_installed(wheel)) for wheel in named]
        for installation in found:
            _show(installation)
            if imports:
                _show_commands(installation)
        show_first_verdicts([each.ensue for each in found])


def _built(folder: Path) -> Path:
    _run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    return next(folder.glob("ensue-*.whl"))


@contextmanager
def _installed(wheel: Path) -> Iterator[Installation]:
    with tempfile.TemporaryDirectory(prefix="ensue-installation-") as made:
        files, environment = Path(made, "files"), Path(made, "environment")
        venv.create(environment, with_pip=True)
        python = environment / "bin" / "python"
        pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        download = _run(*pip, "download", "--dest", files, wheel)
        install = _run(*pip, "install", "--no-index", "--find-links", files, wheel)
        sizes = json.loads(subprocess.check_output([python, "-c", _SIZES]))
        yield Installation(
            wheel.name,
            environment / "bin" / "ensue",
            sum(each.stat().st_size for each in files.iterdir()),
            download,
            install,
            {name: size for name, size in sizes.items() if name not in _OF_THE_ENVIRONMENT},
        )


def _show(installation: Installation) -> None:
    sizes = sorted(installation.sizes.items(), key=lambda each: -each[1])
    total = sum(installation.sizes.values())
    print(f"Installation of {installation.wheel}, in seconds (of a processor)")
    for name, size, (wall, busy) in (
        ("downloaded", installation.downloaded, installation.download),
        ("installed", total, installation.install),
    ):
        print(f"  {name:<11} {size / _MEGABYTE:>7.1f} MB in {wall:.1f} s ({busy:.1f})")
    print(f"  packages    {len(sizes):>5}")
    for name, size in sizes[:_SHOWN]:
        print(f"    {name:<24}  {size / _MEGABYTE:>7.1f} MB")
    rest = sum(size for _, size in sizes[_SHOWN:])
    print(f"    {f'{len(sizes[_SHOWN:])} others':<24}  {rest / _MEGABYTE:>7.1f} MB")


# Which commands load which packages.


def _show_commands(installation: Installation) -> None:
    loaded = _loaded(installation.ensue.with_name("python"))
    commands: dict[str, list[str]] = defaultdict(list)
    for command, packages in loaded.items():
        for package in packages:
            commands[package].append(command)
    print(f"Loaded by {len(loaded)} commands, each with the example of its help")
    for name in sorted(commands, key=lambda each: -installation.sizes.get(each, 0)):
        missing = sorted(set(loaded) - set(commands[name]))
        names = f"all but {', '.join(missing)}" if len(missing) < 6 else ", ".join(commands[name])
        print(f"    {name:<24}  {len(commands[name]):>2}: {names if missing else 'all'}")


def _loaded(python: Path) -> dict[str, list[str]]:
    """The packages that each command has loaded, but for those that need an extra."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="ensue-installation-") as made:
        folder = Path(made)
        _prepare(folder)
        for name, arguments in _examples(ensue):
            report = folder / f"{name}.json"
            _quiet([python, "-c", _LOADED, report, *arguments], folder)
            code, packages = json.loads(report.read_text("utf-8"))
            if code != _NEEDS_MORE:
                found[name] = packages
    return found


def _prepare(folder: Path) -> None:
    """What the examples need: the shipped files, runs on them, and RTE's sets where they are."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / "demo").mkdir()
    for name in ("bleu", "modified-bleu", "overlap"):
        made = str(folder / "demo" / f"{name}.jsonl")
        run(["judge", str(folder / "examples" / "pairs.xml"), "-r", name, "-o", made, "-q"])
    (folder / "path" / "to").mkdir(parents=True)
    (folder / "path" / "to" / "rte").symlink_to(data_folder() / "rte")


def _examples(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, list[str]]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _examples(command, (*path, name))
        elif command is not None:
            example = (command.epilog or "").removeprefix("Example: ensue ")
            yield " ".join((*path, name)), shlex.split(example)


def _quiet(command: Sequence[str | Path], folder: Path) -> None:
    """Run a command whose kernels are not compiled: what is loaded is the same."""
    environment: Mapping[str, str] = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    subprocess.run(command, capture_output=True, check=False, cwd=folder, env=environment)


def _run(*command: str | Path) -> Seconds:
    """Run a command, and say how many seconds it took."""
    before, began = os.times(), time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stderr}")
    wall, after = time.perf_counter() - began, os.times()
    busy = after.children_user + after.children_system
    return wall, busy - before.children_user - before.children_system


if __name__ == "__main__":
    named = [Path(each) for each in sys.argv[1:] if each != "--imports"]
    main(named, imports="--imports" in sys.argv)
