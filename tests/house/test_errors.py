"""Every error has a stable code beside its words."""

import ast
import pickle
import re
from pathlib import Path

from ensue import errors

SOURCE = Path(__file__).parents[2] / "src" / "ensue"
KINDS = {name for name in vars(errors) if name.endswith("Error")}


def _raised():
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Name) and called.id in KINDS and node.args:
                yield path, node


def test_code_is_a_few_words_in_lower_case():
    for path, node in _raised():
        code = node.args[0]
        if isinstance(code, ast.Constant):
            assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", code.value), f"{path}:{node.lineno}"
        else:  # handed on from another error
            assert ast.unparse(code).endswith("code"), f"{path}:{node.lineno}"


def test_error_is_told_with_place_and_hint_and_known_by_its_code():
    error = errors.DataError("no-hypothesis", "pair '12' has none", place="a.xml:14", hint="add it")
    assert str(error) == "a.xml:14: pair '12' has none\nhint: add it"
    assert (error.code, error.message) == ("no-hypothesis", "pair '12' has none")


def test_error_reaches_another_process():
    error = pickle.loads(pickle.dumps(errors.RunError("broken-header", "broken", place="run:1")))
    assert (error.code, error.message, error.place) == ("broken-header", "broken", "run:1")
