"""The whole life of a challenge by clicks: made, joined, four runs, a tie, withdrawn, published."""

import csv
import json

import pytest
from docs.workbench_stage import press
from tests.web.browser.watching import watched


@pytest.fixture
def download(tmp_path):
    """Click on a link that gives a file, and read it."""

    def click(tab, name):
        with tab.expect_download() as begun:
            tab.get_by_role("link", name=name).click()
        target = tmp_path / begun.value.suggested_filename
        begun.value.save_as(target)
        return target

    return click


def board(tab):
    """Ranks, teams and runs, as they stand on the page."""
    rows = tab.get_by_role("region", name="Leaderboard").locator("tbody tr").all()
    return [tuple(cell.inner_text() for cell in row.locator("td").all()[:3]) for row in rows]


def hand_in(tab, path, name, content):
    """Upload a run on a challenge's page."""
    tab.goto(path)
    file = {"name": f"{name}.txt", "mimeType": "text/plain", "buffer": content.encode()}
    tab.get_by_label("A run on the test data").set_input_files(file)
    tab.get_by_label("Name").fill(name)
    press(tab, "Hand it in")


def test_life_of_a_challenge(life, chrome, download):
    ada = life.organizer
    bob, cleo = (
        life.team("bob", "Northern Lights"),
        life.team("cleo", "Paper Planes", scripts=False),
    )
    given = [json.loads(line) for line in download(bob, "test").read_text().splitlines()]
    assert len(given) == 20
    assert {pair["gold"] for pair in given} == {None}

    hand_in(bob, life.path, "typo", life.run(4).replace("105 ", "777 "))
    assert bob.get_by_role("alert").inner_text().split("\n\n")[1] == "at typo.txt:6"
    for tab, name, wrong in ((bob, "a", 4), (cleo, "b", 4), (bob, "c", 9), (cleo, "d", 0)):
        hand_in(tab, life.path, name, life.run(wrong))
    bob.goto(life.path)
    assert board(bob) == [
        ("1", "Paper Planes", "d"),
        ("2", "Northern Lights", "a"),
        ("2", "Paper Planes", "b"),
        ("4", "Northern Lights", "c"),
    ]
    cleo.goto(life.path)
    assert "Your team has handed in all of its 2 runs" in cleo.locator("#runs").inner_text()
    assert cleo.get_by_role("button", name="Hand it in").count() == 0
    press(cleo, "Withdraw", row="d cleo")
    assert [row[0] for row in board(cleo)] == ["1", "1", "3"]

    ada.goto(life.path)
    press(ada, "Close it now")
    bob.goto(life.path)
    assert bob.get_by_role("button", name="Hand it in").count() == 0
    press(ada, "Publish the board")
    bob.reload()
    assert bob.get_by_text("published").is_visible()
    assert bob.get_by_role("button", name="Withdraw").count() == 0

    rows = list(csv.DictReader(download(bob, "CSV").read_text().splitlines()))
    assert [(row["rank"], row["run"]) for row in rows] == [("1", "a"), ("1", "b"), ("3", "c")]
    link = bob.get_by_role("link", name="this page as JSON").get_attribute("href")
    twin = bob.request.get(link).json()
    assert [row["rank"] for row in twin["board"]["rows"]] == [1, 1, 3]
    alone = chrome.new_context(offline=True)
    page = alone.new_page()
    trouble = watched(page, "file://")
    page.goto(download(bob, "a page of its own").as_uri())
    assert page.get_by_role("heading", name="Leaderboard").is_visible()
    assert page.get_by_role("cell", name="Northern Lights").count() == 2
    assert trouble == []
    alone.close()


def test_same_run_twice_is_refused_and_costs_nothing(life):
    bob = life.team("bob", "Northern Lights")
    hand_in(bob, life.path, "a", life.run(4))
    hand_in(bob, life.path, "again", life.run(4))
    assert "this is your run 1 again" in bob.get_by_role("alert").inner_text()
    hand_in(bob, life.path, "b", life.run(5))
    assert len(board(bob)) == 2


def test_form_is_not_sent_by_a_second_click(tab):
    ada = tab("ada")
    ada.goto("/challenges/1")
    ada.evaluate("""
        window.sent = 0;
        addEventListener("submit", (event) => { sent += 1; event.preventDefault(); });
    """)
    button = ada.get_by_role("button", name="Invite a team")
    button.click()
    button.dispatch_event("click")  # Playwright itself does not click what looks disabled
    assert ada.evaluate("sent") == 1
    assert button.get_attribute("aria-disabled") == "true"
    assert ada.evaluate("document.activeElement.textContent") == "Invite a team"
