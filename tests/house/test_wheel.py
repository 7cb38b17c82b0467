"""The built wheel works alone."""

import os
import subprocess
import sys
import venv
from importlib.metadata import PathDistribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement


def needed_for(lines, extras, known):
    """Find the distributions of some requirements, with those that they require themselves."""
    for requirement in map(Requirement, lines or ()):
        marker = requirement.marker
        if marker is not None and not any(marker.evaluate({"extra": each}) for each in extras):
            continue
        found = distribution(requirement.name)
        key = found.name, frozenset(requirement.extras)
        if key not in known:
            known[key] = found
            needed_for(found.requires, {"", *requirement.extras}, known)
    return known


@pytest.mark.slow
def test_wheel_runs_with_nothing_but_what_it_declares(root, tmp_path):
    """In an environment with links to what it needs, which a package index would take minutes for."""

    # not compiled, which would take a minute; that kernels are is tested elsewhere
    bare = {**os.environ, "PYTHONPATH": "", "NUMBA_DISABLE_JIT": "1"}

    def run(*command):
        words = [str(part) for part in command]
        done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, env=bare)
        assert done.returncode == 0, done.stderr
        return done.stdout

    build = ["-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path / "dist", root]
    run(sys.executable, *build)
    (wheel,) = (tmp_path / "dist").glob("ensue-*.whl")
    venv.create(tmp_path / "alone")
    alone = tmp_path / "alone" / "bin"
    pip = [sys.executable, "-m", "pip", "--python", alone / "python"]
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", wheel)
    (site,) = (tmp_path / "alone" / "lib").glob("python*/site-packages")
    (metadata,) = site.glob("ensue-*.dist-info")
    needed = needed_for(PathDistribution(metadata).requires, {""}, {})
    for each in needed.values():
        _link(each, site)
    names = {name for name, _ in needed}
    assert "numpy" in names
    assert "pytest" not in names
    assert "Recognize, evaluate and diagnose textual entailment" in run(alone / "ensue", "--help")
    pair = "A dog barks at night.", "A dog barks."
    assert "verdict: entailment" in run(alone / "ensue", "explain", *pair)
    assert "verdict: entailment" in run(alone / "ensue", "explain", *pair, "-r", "logic")
    assert "modified-bleu" in run(alone / "ensue", "list", "recognizers")
    pairs = root / "examples" / "pairs.xml"
    run(alone / "ensue", "judge", pairs, "-r", "overlap", "-o", "run.jsonl")
    run(alone / "ensue", "evaluate", pairs, "run.jsonl", "--report", "report.html")
    assert (tmp_path / "report.html").read_text("utf-8").count("<svg") > 1


def _link(found, site):
    """Link what a distribution brings to the top of another environment."""
    for file in found.files or ():
        top = Path(file).parts[0]
        source, target = Path(found.locate_file(top)), site / top
        if top not in ("..", "__pycache__") and not target.exists() and source.exists():
            target.symlink_to(source)
