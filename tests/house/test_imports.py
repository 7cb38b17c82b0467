"""Imports between the rooms go one way."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "ensue"

MAY_KNOW = {
    "pairs": set(),
    "surface": {"pairs"},
    "language": {"surface"},
    "alignment": {"surface", "language"},
    "features": {"language", "alignment"},
    "logic": {"surface", "language"},
    "recognizers": {"pairs", "surface", "language", "alignment", "features", "logic"},
    "evaluation": {"pairs"},
    "corpora": {"pairs", "surface", "evaluation"},
    "translation": {
        "pairs",
        "surface",
        "language",
        "features",
        "recognizers",
        "evaluation",
    },
    "paraphrase": {"pairs", "surface", "language", "recognizers", "evaluation"},
    "mining": {"pairs", "surface", "language", "evaluation"},
    "suites": {"pairs", "language"},
    "engine": {"pairs", "language", "features", "recognizers", "suites", "translation"},
    "reproduce": {
        "pairs",
        "surface",
        "features",
        "recognizers",
        "evaluation",
        "corpora",
        "mining",
        "suites",
        "translation",
        "paraphrase",
    },
    "reports": {
        "pairs",
        "surface",
        "language",
        "features",
        "engine",
        "recognizers",
        "evaluation",
        "corpora",
        "mining",
        "suites",
        "translation",
        "paraphrase",
        "reproduce",
    },
}
MAY_KNOW["workbench"] = {
    "pairs",
    "features",
    "engine",
    "recognizers",
    "evaluation",
    "corpora",
    "paraphrase",
}
MAY_KNOW["web"] = {
    "pairs",
    "recognizers",
    "evaluation",
    "corpora",
    "mining",
    "reports",
    "workbench",
}
MAY_KNOW["cli"] = set(MAY_KNOW)
"""Each room and the rooms that it may import from; `OUTSIDE` is for all."""

OUTSIDE = {"compiling", "errors", "registry"}


def rooms_known(path: Path) -> set[str]:
    """The rooms of `ensue` that a module imports from, anywhere in it."""
    known = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "ensue":
            names = [f"ensue.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        known |= {name.split(".")[1] for name in names if name.startswith("ensue.")}
    return {room for room in known if (SOURCE / room).is_dir()}


def test_every_room_is_in_the_plan():
    rooms = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists()}
    assert rooms == set(MAY_KNOW)


def test_plan_goes_one_way():
    for room, known in MAY_KNOW.items():
        assert all(room not in MAY_KNOW[other] for other in known), room


@pytest.mark.parametrize("room", MAY_KNOW)
def test_room_knows_only_rooms_before_it(room):
    for path in (SOURCE / room).rglob("*.py"):
        assert rooms_known(path) - {room} <= MAY_KNOW[room], path


def test_modules_outside_the_rooms_know_none():
    for name in OUTSIDE:
        assert rooms_known(SOURCE / f"{name}.py") == set()


def test_imports_are_found_where_they_are(tmp_path):
    module = tmp_path / "module.py"
    module.write_text("def f():\n    from ensue.pairs.labels import Label\n    import ensue.cli\n")
    assert rooms_known(module) == {"pairs", "cli"}
