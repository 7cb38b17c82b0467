"""Every page, as a browser sees it: quiet, in both themes, on a phone, and without scripts."""

import re
from pathlib import Path

import pytest
from docs.make_pictures import THEMES
from docs.workbench_stage import PAGES, look_at, window
from tests.web.browser.watching import watched

from ensue.web import create_app
from ensue.web.pages import json_path, menu
from ensue.workbench import Person, Role, open_workbench

CONTRAST = (Path(__file__).parent / "contrast.js").read_text("utf-8")
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def windows(chrome, address, filled):
    """Everybody's window, which keeps scripts and styles from one page to the next."""
    opened = {}

    def window_of(who, **options):
        key = who, *options
        if key not in opened:
            opened[key] = window(chrome, address, filled[1].get(who), **options)
        return opened[key]

    yield window_of
    for each in opened.values():
        each.close()


@pytest.fixture
def glance(windows, address):
    """Open a page in a tab of whoever it is for; trouble in it fails the test."""
    opened = []

    def open_page(page, **options):
        found = windows(page.who, **options).new_page()
        found.set_default_timeout(120_000)  # recognizers are loaded while a page waits
        opened.append((found, watched(found, address)))
        look_at(found, page)
        return found

    yield open_page
    for found, trouble in opened:
        found.close()
        assert trouble == []


@pytest.mark.parametrize("name", PAGES)
def test_page_is_quiet_and_can_be_read_in_both_themes(glance, name):
    """Trouble is looked for by the fixture: complaints, failures, requests to others."""
    found = glance(PAGES[name])
    assert found.get_by_role("heading", level=1).is_visible()
    ids = found.evaluate("[...document.querySelectorAll('[id]')].map((each) => each.id)")
    assert [each for each in set(ids) if ids.count(each) > 1] == []
    assert all(found.locator("button:visible").all_inner_texts())
    for theme in THEMES:
        found.emulate_media(color_scheme=theme)
        assert found.evaluate(CONTRAST) == [], theme


@pytest.mark.parametrize("name", PAGES)
def test_page_fits_a_phone_and_needs_no_script(glance, name):
    """Only tables and pictures move sideways, each by itself."""
    found = glance(PAGES[name], viewport=PHONE, java_script_enabled=False)
    assert found.get_by_role("heading", level=1).is_visible()
    assert found.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_every_page_is_among_them(tmp_path):
    """A page that is added to the workbench is added to the pictures, and so to these tests."""
    workbench = open_workbench(f"sqlite:///{tmp_path / 'workbench.sqlite'}")
    paths = create_app(workbench).openapi()["paths"]
    workbench.close()
    opened = [page.path.partition("?")[0] for page in PAGES.values()]
    pages = [path for path in paths if json_path(path) in paths]
    missing = [path for path in pages if not any(_is_like(path, each) for each in opened)]
    assert missing == []
    assert len(pages) > 10


def _is_like(described, path):
    pattern = re.sub(r"\{\w+_id\}", r"\\d+", described)
    return re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", pattern), path)


def test_every_entry_of_the_menu_is_among_them():
    paths = {page.path.partition("?")[0] for page in PAGES.values()}
    for role in Role:
        assert {path for path, _ in menu(Person(1, "somebody", role))} <= paths


def test_trouble_is_found_where_there_is_some(chrome):
    """What the tests above rest on: each kind of it is seen."""
    context = chrome.new_context()
    found = context.new_page()
    policy = "default-src 'none'; style-src 'self'; img-src *; script-src 'self'"
    body = (
        "<p style='color: red'>x</p><img src='http://elsewhere.example/x.png'>"
        "<link rel=stylesheet href=/none.css>"
    )

    def answer(route):
        if route.request.is_navigation_request():
            headers = {"content-security-policy": policy, "content-type": "text/html"}
            route.fulfill(body=body, headers=headers)
        elif route.request.url.endswith(".css"):
            route.fulfill(status=404)
        else:
            route.abort()

    context.route("**", answer)
    trouble = watched(found, "http://here.example")
    found.goto("http://here.example/")
    context.close()
    said = "\n".join(trouble)
    assert "Content Security Policy" in said
    assert "asked http://elsewhere.example/x.png" in said
    assert "failed: http://elsewhere.example/x.png" in said
    assert "404 for http://here.example/none.css" in said


def test_faint_text_is_found(chrome):
    context = chrome.new_context()
    found = context.new_page()
    found.set_content("<p style='color: #999; background: #fff'>faint</p><p>plain</p>")
    assert [text for _, text, _, _ in found.evaluate(CONTRAST)] == ["faint"]
    context.close()
