"""A recognizer that proves, opened once."""

import pytest

import ensue


@pytest.fixture(scope="session")
def logic():
    pytest.importorskip("z3", reason="the logic extra is not installed")
    return ensue.load("logic")
