"""Write the reference pages from the code, and run the examples of the other pages again.

A block fenced as `console` holds commands, each after `$ `, with what they print. Everything is run
in a directory with the project's `examples`, and with `rte` where the RTE data sets are at hand; a
line `…` stands for lines left out. `python docs/make_docs.py` writes what it finds.
"""

from __future__ import annotations

import ast
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

import click

from ensue import errors, registry
from ensue.cli.app import ensue, run

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent
DATA = Path(os.environ.get("ENSUE_DATA", ROOT.parent / "shared" / "data")) / "rte"
NOTE = "<!-- made by docs/make_docs.py; run `make docs` after a change -->"
WIDTH = 100


def commands(
    command: click.Command, name: str, parent: click.Context | None = None
) -> Iterator[tuple[str, str]]:
    """A command with its help text, and every command in it."""
    context = command.make_context(name, [], parent=parent, resilient_parsing=True)
    context.terminal_width = WIDTH
    yield context.command_path, command.get_help(context)
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            if found is not None:
                yield from commands(found, inner, context)


SHARED = """\
Standard output is data, standard error is talk. Options that commands share mean the same in all of
them:

| option | says |
| --- | --- |
| `-r`, `--recognizer` | what judges: a name, the directory of a trained one, a program or a function |
| `-s`, `--set NAME=VALUE` | a setting of the recognizer; where a command has settings of its own, its help lists them |
| `--read NAME=VALUE` | how files are read: `text=COLUMN`, `label:NAME=LABEL`, `format=csv`, `encoding=latin-1` |
| `-o`, `--output` | where the result goes; `-` is standard output |
| `--format` | how it is written; the end of the output's name says it where the option does not |
| `--table`, `--plot`, `--report` | one table alone; a picture; one page with all of it |
| `--draws`, `--seed` | how often numbers are resampled for their intervals, and from which seed |
| `--workers`, `--engine`, `--shard-size` | who does a large run, and in what portions |
| `--resume`, `--restart` | go on with an unfinished run, or forget it |
| `-q`, `-v`, `--log` | how much is told, and where |

Exit codes: 0 done; 1 done, and the answer is no; 2 used wrongly; 3 an error that is told with its
place and a hint; 70 a bug. An option that a command no longer has says what does the same."""


def cli_page() -> str:
    """The page of the command line."""
    parts = ["# The command line", NOTE, SHARED]
    for name, text in commands(ensue, "ensue"):
        parts += [f"## `{name}`", f"```text\n{text}\n```"]
    return "\n\n".join(parts) + "\n"


def components_page() -> str:
    """The page of all registered components."""
    parts = [
        "# Components",
        NOTE,
        "Each is found by name through an entry point; a package of your own can add to them.",
    ]
    for kind, group in registry.GROUPS.items():
        rows = [
            f"| `{name}` | {registry.find(kind, name).summary} |" for name in registry.names(kind)
        ]
        parts.append(f"## {group.partition('.')[2].capitalize()} (`{group}`)")
        parts.append("\n".join(["| name | what it is |", "| --- | --- |", *rows]))
    return "\n\n".join(parts) + "\n"


def _wording(node: ast.expr) -> str | None:
    """A message as it stands in the code, `…` for what is filled in; None where it is a variable."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(v.value) if isinstance(v, ast.Constant) else "…" for v in node.values)
    if isinstance(node, ast.IfExp):
        return _wording(node.body)
    return None


def error_wordings() -> list[tuple[str, str, str]]:
    """Code, class and wording of every error that is raised, sorted."""
    kinds = {name for name in vars(errors) if name.endswith("Error")}
    found = set()
    for path in (ROOT / "src" / "ensue").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            is_ours = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if not is_ours or node.func.id not in kinds or len(node.args) < 2:
                continue
            code, wording = node.args[0], _wording(node.args[1])
            if isinstance(code, ast.Constant) and wording is not None:
                found.add((str(code.value), node.func.id, wording))
    return sorted(found)


def errors_page() -> str:
    """The page of all errors by their codes."""
    rows = [
        f"| `{code}` | {kind} | {wording.replace('|', chr(92) + '|').replace('<', '&lt;')} |"
        for code, kind, wording in error_wordings()
    ]
    parts = [
        "# Errors",
        NOTE,
        "Every expected failure is an `EnsueError` with a code that stays the same, a message, its"
        " place and a hint: `error.code`, `error.message`, `error.place`, `error.hint`. The"
        " workbench's JSON has them as `code`, `error`, `place` and `hint`. `…` stands for what is"
        " filled in.",
        "\n".join(["| code | class | message |", "| --- | --- | --- |", *rows]),
    ]
    return "\n\n".join(parts) + "\n"


def features_page() -> str:
    """The page of the features, group by group."""
    from ensue.features import FEATURES, GROUPS, TERMS

    parts = [
        "# The features",
        NOTE,
        f"What `ensue` measures on an aligned pair: {len(FEATURES)} features in the {len(GROUPS)}"
        " groups of Table 1 of Padó et al. (2009), with the paper's counts. The paper names the"
        " groups; the definitions are ours, made so that each can be worked by hand.",
        "\n".join(
            ["| word | means |", "| --- | --- |"]
            + [f"| {term} | {meaning} |" for term, meaning in TERMS.items()]
        ),
        "`ensue features --list` prints this, `ensue features PAIRS -o FILE` measures them, and"
        " `ensue ablate PAIRS` says what each group is worth.",
    ]
    for group in GROUPS:
        rows = [
            f"| `{each.name}` | {each.range} | {each.definition} | {each.example[0]}"
            f" → {each.example[1]} |"
            for each in group.features
        ]
        parts.append(f"## {group.title} ({len(group.features)})")
        head = ["| feature | range | definition | is above 0 for |", "| --- | --- | --- | --- |"]
        parts.append("\n".join([*head, *rows]))
    return "\n\n".join(parts) + "\n"


PAGES = {
    "cli.md": cli_page,
    "components.md": components_page,
    "errors.md": errors_page,
    "features.md": features_page,
}
"""Each page and the function that makes it."""


_BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_UNREPEATABLE = {
    re.compile(r"in \d+\.\d s"): "in 0.0 s",
    re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00"): "2026-01-01T12:00:00+00:00",
}
"""What is never the same twice, and what stands for it."""


def pages_with_examples() -> list[Path]:
    """The README and every page that is written by hand."""
    return [ROOT / "README.md", *(p for p in sorted(FOLDER.glob("*.md")) if p.name not in PAGES)]


def with_examples_run(text: str, folder: Path) -> str:
    """A page's text with the output of every command as it is now."""
    return _BLOCK.sub(lambda block: _block_run(block.group(), folder), text)


def needs_data(text: str) -> bool:
    """Whether a page's examples need the RTE data sets."""
    return any("$ ensue" in block and " rte" in block for block in _BLOCK.findall(text))


def prepare(folder: Path) -> None:
    """Put what the examples need into an empty directory."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    if DATA.is_dir():
        (folder / "rte").symlink_to(DATA)


def _block_run(block: str, folder: Path) -> str:
    parts = re.split(r"^(?=\$ )", block, flags=re.MULTILINE)
    return "".join(_command_run(part, folder) if part.startswith("$ ") else part for part in parts)


def _command_run(part: str, folder: Path) -> str:
    lines = part.splitlines()
    n = 1
    while lines[n - 1].endswith("\\"):
        n += 1
    command = "\n".join([lines[0].removeprefix("$ "), *lines[1:n]])
    ours, _, others = command.partition(" | ")
    shown = _printed_here(ours, others, folder) if _is_plain(ours) else _printed(command, folder)
    for changing, fixed in _UNREPEATABLE.items():
        shown = changing.sub(fixed, shown)
    return "\n".join([*lines[:n], *_elided(shown.splitlines(), lines[n:])]) + "\n"


_SET = {"NO_COLOR": "1", "COLUMNS": "120"}
"""How wide and how colored everything is printed."""
_SHELL = set("|&;<>()$`*?~#\n")
"""What a shell takes for more than a character of a word, outside quotes."""


_COMPILED = re.compile(r"^compiling kernels, .*\n", re.MULTILINE)
"""Said where no run before this one had so much work: it tells of the machine, not of the example."""


def _is_plain(command: str) -> bool:
    """Whether a command is one of ours, with nothing in it that needs a shell."""
    bare = re.sub(r"'[^']*'|\"[^\"$`]*\"", "", command.replace("\\\n", " "))
    return bare.startswith("ensue ") and not _SHELL & set(bare)


def _printed_here(command: str, others: str, folder: Path) -> str:
    """What one of our commands prints, in this process: a new one takes a second to begin.

    What it is piped to, if there is anything, a shell does.
    """
    talk = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    data = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) if others else talk
    before = {name: os.environ.get(name) for name in _SET}
    os.environ.update(_SET)
    try:
        with chdir(folder), redirect_stdout(data), redirect_stderr(talk):
            run(shlex.split(command)[1:])
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
    shown = _COMPILED.sub("", talk.buffer.getvalue().decode())
    return shown + _printed(others, folder, data.buffer.getvalue().decode()) if others else shown


def _printed(command: str, folder: Path, given: str = "") -> str:
    """What a shell prints that is given something to read."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env={**os.environ, **_SET, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        input=given,
        text=True,
    )
    return _COMPILED.sub("", done.stdout)


def _elided(shown: list[str], before: list[str]) -> list[str]:
    if "…" not in before:
        return shown
    first, last = before.index("…"), len(before) - 1 - before.index("…")
    return [*shown[:first], "…", *(shown[-last:] if last else [])]


def main() -> None:
    """Write every page that has changed."""
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), encoding="utf-8")
    for path in pages_with_examples():
        with tempfile.TemporaryDirectory() as folder:
            prepare(Path(folder))
            text = path.read_text("utf-8")
            path.write_text(with_examples_run(text, Path(folder)), encoding="utf-8")


if __name__ == "__main__":
    main()
