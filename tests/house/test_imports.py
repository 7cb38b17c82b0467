"""Imports between the rooms go one way."""

import ast
import importlib
from pathlib import Path
from types import ModuleType

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "ensue"

MAY_KNOW = {
    "files": set(),
    "statistics": set(),
    "engine": {"files"},
    "pairs": {"files", "statistics"},
    "surface": {"pairs"},
    "language": {"surface"},
    "alignment": {"surface", "language"},
    "features": {"files", "engine", "pairs", "language", "alignment"},
    "logic": {"surface", "language"},
    "neural": {"files", "pairs", "surface", "language"},
    "suites": {"files", "engine", "pairs", "language"},
    "evaluation": {"files", "statistics", "pairs"},
}
MAY_KNOW["corpora"] = {"files", "statistics", "pairs", "surface", "evaluation"}
MAY_KNOW["mining"] = MAY_KNOW["corpora"] | {"language"}
MAY_KNOW["recognizers"] = MAY_KNOW["features"] | {
    "statistics",
    "surface",
    "features",
    "logic",
    "neural",
}
MAY_KNOW["claims"] = {
    *("files", "statistics", "engine", "pairs", "language", "features", "logic", "recognizers"),
}
MAY_KNOW["translation"] = MAY_KNOW["recognizers"] | {"recognizers", "evaluation"}
MAY_KNOW["paraphrase"] = MAY_KNOW["recognizers"] | {"recognizers", "evaluation"}
MAY_KNOW["diagnosis"] = {"files", "statistics", "engine", "pairs", "evaluation", "recognizers"}
MAY_KNOW["reproduce"] = set(MAY_KNOW) - {"engine", "claims", "diagnosis"}
MAY_KNOW["reports"] = set(MAY_KNOW)
MAY_KNOW["workbench"] = set(MAY_KNOW) - {
    *("reports", "reproduce", "translation", "suites", "diagnosis"),
}
MAY_KNOW["web"] = set(MAY_KNOW) - {
    *("reproduce", "translation", "paraphrase", "suites", "claims", "diagnosis"),
}
MAY_KNOW["cli"] = set(MAY_KNOW)
"""Each room and the rooms that it may import from; `OUTSIDE` is for all."""

OUTSIDE = {
    "caches",
    "compiling",
    "concurrency",
    "errors",
    "installation",
    "progress",
    "registry",
}


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


def _imported(path: Path) -> set[str]:
    return {
        node.module
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("ensue.")
    }


@pytest.mark.parametrize("room", MAY_KNOW)
def test_rooms_are_entered_by_their_doors(room):
    for path in (SOURCE / room).rglob("*.py"):
        for module in _imported(path):
            inside = module.split(".")[1:]
            if inside[0] != room and inside[0] not in OUTSIDE:
                assert SOURCE.joinpath(*inside).is_dir(), f"{path} imports {module}"


def test_doors_export_what_their_stubs_say():
    for stub in SOURCE.rglob("__init__.pyi"):
        name = ".".join(["ensue", *stub.parent.relative_to(SOURCE).parts])
        door = importlib.import_module(name)
        for exported in door.__all__:
            assert not isinstance(getattr(door, exported), ModuleType), f"{name}.{exported}"


def test_one_class_name_is_one_class():
    homes: dict[str, list[str]] = {}
    for path in SOURCE.rglob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(str(path.relative_to(SOURCE)))
    assert not {name: paths for name, paths in homes.items() if len(paths) > 1}


def test_modules_are_subjects_of_readable_size():
    paths = list(SOURCE.rglob("*.py"))
    assert len(paths) <= 400
    for path in paths:
        assert len(path.read_text("utf-8").splitlines()) <= 600, path


def test_modules_outside_the_rooms_know_none():
    for name in OUTSIDE:
        assert rooms_known(SOURCE / f"{name}.py") == set()


def test_imports_are_found_where_they_are(tmp_path):
    module = tmp_path / "module.py"
    module.write_text("def f():\n    from ensue.pairs.model import Label\n    import ensue.cli\n")
    assert rooms_known(module) == {"pairs", "cli"}
