"""A workbench in the browser: a stranger, people who signed in, and programs with tokens."""

import pytest
from starlette.testclient import TestClient

from ensue.web import WebSettings, create_app
from ensue.web.access import CSRF_COOKIE
from ensue.workbench import Role, open_workbench
from ensue.workbench.accounts import add_person

PASSWORD = "correct horse battery"
PEOPLE = {"ada": Role.ORGANIZER, "bob": Role.PARTICIPANT, "cleo": Role.ANNOTATOR}


class Browser(TestClient):
    """A client that sends the field that our forms have."""

    def send_form(self, path, data=None, **others):
        """Send a form as a page of ours does."""
        if CSRF_COOKIE not in self.cookies:
            self.get("/sign-in")
        return self.post(path, data={**(data or {}), "csrf": self.cookies[CSRF_COOKIE]}, **others)

    def sign_in(self, name):
        """Sign in."""
        found = self.send_form("/sign-in", {"name": name, "password": PASSWORD})
        assert found.status_code == 303, found.text
        return self


@pytest.fixture
def database_kind(request):
    """SQLite: what pages ask of a database, the tests of the workbench ask of both kinds."""
    return getattr(request, "param", "sqlite")


@pytest.fixture
def workbench(database_url, cheap_passwords):
    """A workbench with one person of each role."""
    made = open_workbench(database_url)
    for name, role in PEOPLE.items():
        add_person(made, name, role, PASSWORD)
    yield made
    made.close()


@pytest.fixture(scope="session")
def routed(migrated_file):
    """An application whose routes are prepared, as its first request does: that takes a while."""
    workbench = open_workbench(f"sqlite:///{migrated_file}")
    made = create_app(workbench, WebSettings(has_accounts=True))
    TestClient(made).get("/health")
    workbench.close()
    return made


@pytest.fixture
def app(workbench, routed):
    """The application, with accounts, over the workbench of this test alone."""
    routed.state = create_app(workbench, WebSettings(has_accounts=True)).state
    return routed


@pytest.fixture
def stranger(app):
    """Somebody who is not signed in."""
    return Browser(app, follow_redirects=False)


@pytest.fixture
def browser(app):
    """Somebody who is, by name."""
    return lambda name: Browser(app, follow_redirects=False).sign_in(name)
