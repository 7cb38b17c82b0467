"""A recognizer that proves, opened once."""

import pytest

import ensue


@pytest.fixture(scope="session")
def logic():
    return ensue.load("logic")
