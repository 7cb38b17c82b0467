"""A workbench in an empty database of each kind, and people in it."""

import pytest

from ensue.workbench import Role, open_workbench
from ensue.workbench.accounts import add_person

PASSWORD = "correct horse battery"


@pytest.fixture
def workbench(database_url, cheap_passwords):
    """An empty workbench."""
    made = open_workbench(database_url)
    yield made
    made.close()


@pytest.fixture
def ada(workbench):
    """An organizer."""
    return add_person(workbench, "ada", Role.ORGANIZER, PASSWORD)


@pytest.fixture
def bob(workbench):
    """A participant."""
    return add_person(workbench, "bob", Role.PARTICIPANT, PASSWORD)
