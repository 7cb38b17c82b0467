"""Nothing but keys: they reach what there is, and use it."""

import pytest
from docs.workbench_stage import PASSWORD

MOST = 60
"""Presses of the tabulator after which something cannot be reached."""


def go_to(tab, name):
    """Press the tabulator until something of this name has the focus."""
    for _ in range(MOST):
        tab.keyboard.press("Tab")
        focused = tab.evaluate(
            "() => { const it = document.activeElement;"
            " return (it.labels?.[0] ?? it).innerText.trim(); }"
        )
        if focused == name:
            return
    pytest.fail(f"{name} cannot be reached")


def press(tab, key):
    """Press a key that leads to another page."""
    with tab.expect_navigation():
        tab.keyboard.press(key)


def write(tab, name, text):
    """Go to a field and write into it."""
    go_to(tab, name)
    tab.keyboard.type(text)


def test_somebody_signs_in(tab):
    found = tab()
    found.goto("/sign-in?next=/data")
    found.locator("#field-name:focus").wait_for()  # the first field has it, once it is drawn
    found.keyboard.type("bob")
    write(found, "Password", PASSWORD)
    press(found, "Enter")
    assert found.get_by_role("heading", name="Data").is_visible()


def test_first_key_leads_past_the_menu(tab):
    found = tab("bob")
    found.goto("/try")
    found.keyboard.press("Tab")
    found.keyboard.press("Enter")
    write(found, "Text", "A dog barks.")
    assert found.get_by_label("Text", exact=True).input_value() == "A dog barks."


def test_pair_is_tried(tab):
    found = tab("bob")
    found.goto("/try")
    write(found, "Text", "A dog barks at night.")
    write(found, "Hypothesis", "A dog barks.")
    go_to(found, "joint")
    found.keyboard.press("Space")
    go_to(found, "overlap")
    found.keyboard.press("Space")
    go_to(found, "Try it")
    press(found, "Enter")
    table = found.get_by_role("region", name="Why overlap says so")
    assert table.get_by_text("entailment", exact=True).first.is_visible()
    assert found.get_by_role("region", name="Why joint says so").count() == 0


def test_focus_can_be_seen(tab):
    found = tab("bob")
    found.goto("/data")
    for _ in range(12):
        found.keyboard.press("Tab")
        outline = found.evaluate("getComputedStyle(document.activeElement).outlineWidth")
        assert outline != "0px"


def test_run_is_handed_in(tab, life, tmp_path):
    """The file is chosen in the system's own window, which Playwright stands in for."""
    found = life.team("bob", "Keys")
    run = tmp_path / "run.txt"
    run.write_text(life.run(3))
    found.goto(life.path)
    with found.expect_file_chooser() as chooser:
        go_to(found, "A run on the test data")
        found.keyboard.press("Enter")
    chooser.value.set_files(run)
    write(found, "Name", "by keys")
    go_to(found, "Hand it in")
    press(found, "Enter")
    assert "by keys" in found.get_by_role("region", name="Runs").inner_text()
