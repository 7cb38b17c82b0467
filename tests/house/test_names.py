"""The public names, and that importing them costs nothing before they are used."""

import importlib
import subprocess
import sys

import pytest

import ensue

PUBLIC = [
    "EnsueError",
    "Finding",
    "Label",
    "Pair",
    "Run",
    "Signature",
    "Status",
    "Verdict",
    "View",
    "check",
    "check_many",
    "evaluate",
    "explain",
    "judge",
    "load",
    "propositions",
    "read_pairs",
    "read_run",
    "write_pairs",
    "write_run",
]

ROOMS = [
    "pairs",
    "surface",
    "language",
    "alignment",
    "features",
    "logic",
    "recognizers",
    "evaluation",
    "corpora",
    "mining",
    "suites",
    "diagnosis",
    "translation",
    "paraphrase",
    "engine",
    "reproduce",
    "reports",
    "workbench",
    "web",
    "cli",
]

HEAVY = [
    "numpy",
    "scipy",
    "numba",
    "sklearn",
    "pyarrow",
    "rich",
    "vl_convert",
    "jinja2",
    "z3",
    "sqlalchemy",
    "fastapi",
]

MOST_MODULES = 150
"""That `ensue mt score -m bleu` may load of our own."""


def test_public_names_are_these():
    assert ensue.__all__ == ["__version__", *PUBLIC]


@pytest.mark.parametrize("name", PUBLIC)
def test_public_name_is_there(name):
    assert getattr(ensue, name) is not None
    assert name in dir(ensue)


def test_other_names_are_not():
    with pytest.raises(AttributeError, match="module 'ensue' has no attribute 'guess'"):
        _ = ensue.guess


@pytest.mark.parametrize("room", ROOMS)
def test_names_of_a_room_are_there(room):
    module = importlib.import_module(f"ensue.{room}")
    assert len(module.__all__) == len(set(module.__all__))
    for name in module.__all__:
        assert hasattr(module, name), name


def loaded_by(code: str) -> set[str]:
    return set(HEAVY) & set(modules_of(code))


def modules_of(code):
    """Every module that a program has loaded at its end."""
    shown = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules, file=sys.stderr)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return shown.stderr.split()


def test_importing_ensue_loads_nothing_heavy():
    assert loaded_by("import ensue") == set()


def test_help_loads_nothing_heavy():
    assert loaded_by("from ensue.cli.app import run; run(['--help'])") == set()


def test_reading_pairs_loads_no_more_than_it_needs(examples):
    code = f"import ensue; list(ensue.read_pairs({str(examples)!r}))"
    assert loaded_by(code) <= {"numpy"}


def test_metric_on_words_loads_few_of_our_modules(root):
    data = root / "examples" / "translation"
    output = data / "system-outputs" / "de-en" / "example.de-en.literal"
    command = ["mt", "score", "--reference", data / "reference.en", output, "-m", "bleu", "-q"]
    code = f"from ensue.cli.app import run; assert run({list(map(str, command))!r}) == 0"
    ours = [name for name in modules_of(code) if name.split(".")[0] == "ensue"]
    assert len(ours) <= MOST_MODULES
