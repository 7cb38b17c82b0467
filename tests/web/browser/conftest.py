"""A server as a process, a browser, and windows of people who are signed in."""

import json
import shutil
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import pytest
from docs.workbench_stage import PASSWORD, PEOPLE, chromium, fill, press, served, window
from tests.web.browser.watching import watched

from ensue.workbench import open_workbench
from ensue.workbench.accounts import sign_in
from ensue.workbench.workbench import default_url


@pytest.fixture(scope="session")
def filled(tmp_path_factory):
    """The URL of a workbench with people, data, runs and challenges, and everybody's session."""
    if shutil.which("chromium") is None:
        pytest.skip("Chromium is not installed")
    folder = tmp_path_factory.mktemp("stage")
    workbench = open_workbench(default_url(folder))
    fill(workbench, folder)
    secrets = {name: sign_in(workbench, name, PASSWORD)[1] for name in PEOPLE}
    workbench.close()
    return default_url(folder), secrets


@pytest.fixture(scope="session")
def address(filled):
    """Where the server is."""
    with served("--database", filled[0]) as found:
        yield found


@pytest.fixture(scope="module")
def chrome():
    """The browser; no longer than a module, for as long as it runs no other event loop does."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if shutil.which("chromium") is None:
        pytest.skip("Chromium is not installed")
    with playwright.sync_playwright() as running, chromium(running) as browser:
        yield browser


@pytest.fixture
def tab(chrome, address, filled):
    """Open a tab of somebody by name, of a stranger by an empty one; trouble in it fails the test."""
    opened = []

    def open_tab(who="", **options):
        context = window(chrome, address, filled[1].get(who), **options)
        found = context.new_page()
        found.set_default_timeout(120_000)  # recognizers are loaded while a page waits
        opened.append((context, watched(found, address)))
        return found

    yield open_tab
    for context, _ in opened:
        context.close()
    for _, trouble in opened:
        assert trouble == []


class Life:
    """A challenge that an organizer made by clicks, on 20 pairs with ids from 100."""

    def __init__(self, tab, path):
        self._tab, self.path = tab, path
        self.organizer = None

    def team(self, who, name, *, scripts=True):
        """The tab of somebody who joined with a team of their own."""
        self.organizer.goto(self.path)
        press(self.organizer, "Invite a team")
        code = self.organizer.locator("code").inner_text()
        found = self._tab(who, java_script_enabled=scripts)
        found.goto("/challenges/join")
        found.get_by_label("Invitation").fill(code)
        found.get_by_label("What your team is called").fill(name)
        press(found, "Join")
        assert found.url.endswith(self.path)
        return found

    def run(self, wrong):
        """A run in the plain format whose first verdicts are wrong."""
        lines = []
        for i in range(20):
            is_yes = (i % 2 == 1) != (i < wrong)
            lines.append(f"{100 + i} {'TRUE' if is_yes else 'FALSE'} {1 - i / 100}\n")
        return "".join(lines)


def _pairs(first):
    lines = []
    for i in range(first, first + 20):
        gold = "entailment" if i % 2 else "not-entailment"
        lines.append({"id": str(i), "text": f"text {i}", "hypothesis": f"it {i}", "gold": gold})
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


@pytest.fixture
def life(tab):
    """A challenge that has just been made, and is open."""
    ada = tab("ada")
    numbers = []
    for name, first in (("dev", 0), ("gold", 100)):
        ada.goto("/data")
        file = {"name": f"{name}.jsonl", "mimeType": "text/plain", "buffer": _pairs(first)}
        ada.get_by_label("File").set_input_files(file)
        press(ada, "Upload")
        numbers.append(ada.url.rpartition("/")[2])
    ada.goto("/challenges")
    ada.get_by_label("Name").fill("RTE")
    ada.get_by_label("Development data").select_option(numbers[0])
    ada.get_by_label("Test data").select_option(numbers[1])
    for name, days in (("Opens", -1), ("Closes", 1)):
        moment = datetime.now(UTC) + timedelta(days=days)
        ada.get_by_label(name).fill(f"{moment:%Y-%m-%dT%H:%M}")
    press(ada, "Make it")
    made = Life(tab, urlsplit(ada.url).path)
    made.organizer = ada
    return made
