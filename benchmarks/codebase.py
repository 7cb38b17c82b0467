"""Count the code itself: files, lines, imports, doubled names, and the files that commands walk.

    python -m benchmarks.codebase [SOURCE]

`SOURCE` is another checkout's `src/ensue`, to compare with; its walks are not run.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
WALKS = {
    "judge -r modified-bleu": "judge examples/pairs.xml -r modified-bleu -o {out}/run.jsonl -q",
    "judge -r features": "judge examples/pairs.xml -r features -o {out}/features.jsonl -q",
    "evaluate --by task --report": (
        "evaluate examples/pairs.xml {out}/run.jsonl --by task --report {out}/page.html -q"
    ),
    "mt score -m bleu": "mt score examples/translation -m bleu -q",
}
"""What is run, in this order: the second needs the run of the first."""

_WALKER = """
import sys
from contextlib import redirect_stdout
from io import StringIO

called = set()


def profile(frame, event, _):
    if event == "call" and "/src/ensue/" in frame.f_code.co_filename:
        called.add(frame.f_code)


from ensue.cli.app import run

sys.setprofile(profile)
with redirect_stdout(StringIO()):
    code = run(sys.argv[1:])
sys.setprofile(None)
bodies = {"<module>", "<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>", "<lambda>"}
named = {each for each in called if each.co_name not in bodies and each.co_flags & 1}
modules = sum(name == "ensue" or name.startswith("ensue.") for name in sys.modules)
print(code, len({each.co_filename for each in named}), len(named), modules)
"""


def _nodes(tree: ast.AST, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
    return (node for node in ast.walk(tree) if isinstance(node, kinds))


def _docstring_lines(tree: ast.AST) -> set[int]:
    """Lines of strings that stand alone: docstrings, also those under fields and constants."""
    return {
        line
        for node in _nodes(tree, ast.Expr)
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, node.end_lineno + 1)
    }


def _imported(tree: ast.AST, modules: set[str]) -> set[str]:
    """Modules of ours that a module imports, or imports names from."""
    found = set()
    for node in _nodes(tree, ast.ImportFrom):
        for alias in node.names:
            full = f"{node.module}.{alias.name}"
            found.add(full if full in modules else str(node.module))
    return found & modules


def counts(source: Path) -> dict[str, str]:
    """What is counted in a tree of sources, by name."""
    trees = {path: ast.parse(path.read_text("utf-8")) for path in source.rglob("*.py")}
    names = {
        ".".join(["ensue", *path.relative_to(source).with_suffix("").parts]).removesuffix(
            ".__init__"
        )
        for path in trees
    }
    n_lines = n_code = n_imports = 0
    importers: Counter[str] = Counter()
    classes: defaultdict[str, int] = defaultdict(int)
    for path, tree in trees.items():
        lines = path.read_text("utf-8").splitlines()
        prose = _docstring_lines(tree)
        n_lines += len(lines)
        n_code += sum(
            bool(line.strip()) and not line.strip().startswith("#") and number not in prose
            for number, line in enumerate(lines, 1)
        )
        n_imports += sum(
            node.end_lineno - node.lineno + 1 for node in _nodes(tree, ast.Import, ast.ImportFrom)
        )
        importers.update(_imported(tree, names))
        for node in _nodes(tree, ast.ClassDef):
            classes[node.name] += not node.name.startswith("_")
    stubs = sum(len(path.read_text("utf-8").splitlines()) for path in source.rglob("*.pyi"))
    return {
        "files": str(len(trees)),
        "lines": f"{n_lines:,}",
        "lines of code": f"{n_code:,}",
        "files per 1,000 lines of code": f"{1000 * len(trees) / n_code:.1f}",
        "modules with one importer": str(sum(n == 1 for n in importers.values())),
        "class names defined more than once": str(sum(n > 1 for n in classes.values())),
        "import lines": f"{n_imports:,} ({100 * n_imports / n_lines:.1f} %)",
        "lines of doors (`.pyi`)": f"{stubs:,}",
    }


def walks() -> dict[str, str]:
    """For each command: files and functions it passes through, and modules of ours it imports."""
    found = {}
    with tempfile.TemporaryDirectory() as out:
        for name, command in WALKS.items():
            words = command.format(out=out).split()
            done = subprocess.run(
                [sys.executable, "-c", _WALKER, *words],
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=True,
            )
            _, files, functions, modules = done.stdout.split()[-4:]
            found[name] = f"{files} files, {functions} functions, {modules} modules imported"
    return found


def main() -> None:
    """Print what is counted, one thing a line."""
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "src" / "ensue"
    for name, count in counts(source).items():
        print(f"{name:36}{count}")
    if len(sys.argv) == 1:
        for name, walk in walks().items():
            print(f"{name:36}{walk}")


if __name__ == "__main__":
    main()
