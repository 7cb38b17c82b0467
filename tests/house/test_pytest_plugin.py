"""The fixture `ensue` of pytest, in sessions of its own."""

import subprocess
import sys

import pytest

from ensue.pytest_plugin import _marked

ANSWERS = """
SOURCE = "The bus line opened in 2019. It costs $5 million a year. Bread is cheap."

def test_supported(ensue):
    found = ensue.supported(SOURCE, "The bus line opened in 2019.")
    assert [each.supported for each in found] == [True]
    assert ensue.supported(["Bread is cheap.", SOURCE], "Bread is cheap.").is_supported

def test_unsupported(ensue):
    ensue.supported(SOURCE, "Bread is cheap. It costs $6 million a year.")

def test_entailed(ensue):
    assert ensue.entails("A dog barks loudly.", "A dog barks.").label == "entailment"

def test_not_entailed(ensue):
    ensue.entails("The age is 64.", "The age is 62.")
"""
LOADED = """
import sys
def pytest_sessionfinish(session):
    print("\\nloaded:", *sorted(each for each in sys.modules if each.split(".")[0] in {names}))
"""
HEAVY = ("ensue", "numpy", "spacy", "scipy", "onnxruntime", "numba", "lazy_loader", "sklearn")


@pytest.fixture
def session(tmp_path):
    """Run pytest over a file, in a process of its own."""

    def run(test, *arguments, conftest=""):
        (tmp_path / "test_it.py").write_text(test)
        (tmp_path / "conftest.py").write_text(conftest)
        (tmp_path / "pytest.ini").write_text("[pytest]\nensue_recognizer = features\n")
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.stdout

    return run


def test_failure_shows_claim_source_and_what_differs(session):
    said = session(ANSWERS)
    lines = [line.removeprefix("E").strip() for line in said.splitlines()]
    assert "2 failed, 2 passed" in said
    assert "AssertionError: 1 of 2 claims is not supported" in lines
    assert "claim   It costs [$6 million] a year. (answer 16–43)" in lines
    assert "source  It costs [$5 million] a year. (source 29–56)" in lines
    # the claim begins at 16, and what differs at 9 in it; the passage at 29
    place = "(answer 25–35, source 38–48)"
    assert f"number: '$6 million' where the text has '$5 million' {place}" in lines
    assert "text        The age is [64]." in lines
    assert "hypothesis  The age is [62]." in lines
    assert "number: '62' where the text has '64'" in lines
    assert "pytest_plugin.py" not in said  # the traceback ends in the test


def test_session_that_does_not_use_it_loads_nothing(session):
    said = session("def test_it():\n    pass\n", conftest=LOADED.format(names=HEAVY))
    assert "loaded: ensue ensue.pytest_plugin\n" in said
    assert "1 passed" in said


def test_fixture_is_listed_with_what_it_does(session):
    said = session("def test_it():\n    pass\n", "--fixtures")
    assert "ensue [session scope]" in said
    assert "Assertions about what follows from a text." in said


def test_long_text_is_cut_around_what_differs():
    text = "a " * 500
    assert _marked(text, []) == text[:400].rstrip("…") + "…" or len(_marked(text, [])) <= 402
    marked = _marked(text, [(600, 601)])
    assert "[a]" in marked
    assert marked.startswith("…")
    assert marked.endswith("…")
    assert len(marked) < 300


def test_marks_keep_the_words():
    assert _marked("It costs $5.", [(9, 11), (0, 2), (9, 11)]) == "[It] costs [$5]."
