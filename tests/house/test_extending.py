"""The examples of "How to add to it" work as they stand, installed as another package."""

import re
import subprocess
import sys

import pytest

PAIRS = "A cat sleeps on the mat.\nA cat sleeps.\n\nA dog barks.\nNobody ever slept.\n"


@pytest.fixture(scope="module")
def installed(root, tmp_path_factory):
    """A folder with the module of the page, and with its entry points."""
    folder = tmp_path_factory.mktemp("site")
    page = (root / "docs" / "extending.md").read_text("utf-8")
    module = "\n\n".join(re.findall(r"```python\n(.*?)```", page, re.S))
    (folder / "my_components.py").write_text(module, "utf-8")
    described = folder / "my_components-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: my_components\nVersion: 1.0\n"
    )
    points = re.search(r"```toml\n(.*?)```", page, re.S).group(1)
    points = re.sub(r'\[project.entry-points."(.*?)"\]', r"[\1]", points).replace('"', "")
    (described / "entry_points.txt").write_text(points, "utf-8")
    (folder / "pairs.blocks").write_text(PAIRS, "utf-8")
    return folder


def _ensue(folder, *words):
    code = "import sys; from ensue.cli.app import run; sys.exit(run(sys.argv[1:]))"
    command = [sys.executable, "-c", code, *words]
    path = {"PYTHONPATH": str(folder), "PATH": "", "HOME": str(folder)}
    return subprocess.run(command, cwd=folder, env=path, capture_output=True, text=True)


def test_recognizer_and_format_of_the_page_judge_pairs(installed):
    done = _ensue(installed, "judge", "pairs.blocks", "-r", "shared-start", "-o", "run.jsonl", "-q")
    assert done.returncode == 0, done.stderr
    run = (installed / "run.jsonl").read_text("utf-8")
    assert re.findall(r'"label": "(.*?)"', run) == ["entailment", "not-entailment"]


def test_metric_of_the_page_scores_outputs(installed, root):
    data = str(root / "examples" / "translation")
    done = _ensue(installed, "mt", "score", data, "-m", "length", "--format", "csv", "-q")
    assert done.returncode == 0, done.stderr
    scores = [float(line.rpartition(",")[2]) for line in done.stdout.splitlines()[1:]]
    assert scores
    assert max(scores) <= 0
    assert min(scores) < 0
