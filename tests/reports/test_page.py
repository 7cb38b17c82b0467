import re
from html.parser import HTMLParser

import pytest
from tests.errors import coded

from ensue.errors import OutputError
from ensue.reports import Column, Interval, Report, Section, Table
from ensue.reports.page import render_page, write_page
from ensue.reports.pictures import accuracy_picture

TABLE = Table(
    "runs",
    "Runs",
    [Column("run"), Column("accuracy", digits=1, percent=True)],
    [["<img src=x>", Interval(0.538, 0.501, 0.573)]],
    notes=["a note"],
)
PICTURE = accuracy_picture({"run": Interval(0.5, 0.4, 0.6)}, caption="a caption")
REPORT = Report(
    "Runs & more",
    [Section("First", "One.\n\nTwo.", [TABLE]), Section("Second", "", [PICTURE])],
    signature="ensue evaluate gold.xml run.jsonl",
)


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.words, self.links = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.links += [value for name, value in attributes if name in ("src", "href", "xlink:href")]

    def handle_data(self, data):
        if data.strip():
            self.words.append(data.strip())


@pytest.fixture(scope="module")
def page():
    return Page(render_page(REPORT))


def test_render_page_shows_title_words_numbers_notes_and_signature(page):
    wanted = {"Runs & more", "One.", "Two.", "53.8 [50.1, 57.3]", "a note", "a caption"}
    assert wanted | {"ensue evaluate gold.xml run.jsonl", "accuracy %"} <= set(page.words)


def test_render_page_escapes_what_data_say(page):
    assert "<img src=x>" in page.words
    assert "img" not in page.tags


def test_render_page_holds_the_picture_inside(page):
    assert page.tags.count("svg") == 1


def test_render_page_needs_no_script_and_no_other_file(page):
    assert not {"script", "link", "img", "iframe", "object", "embed"} & set(page.tags)
    assert all(link.startswith("#") for link in page.links)


def test_render_page_asks_no_host_for_anything():
    text = render_page(REPORT)
    hosts = set(re.findall(r"https?://[^\"'\s)]+", text))
    assert hosts <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert not re.search(r"url\(|@import", text)


def test_render_page_is_dark_where_the_reader_wants_it():
    assert "prefers-color-scheme: dark" in render_page(REPORT)


def test_render_page_sets_numbers_flush_right():
    assert '<td class="number">53.8 [50.1, 57.3]</td>' in render_page(REPORT)


def test_render_page_is_the_same_every_time():
    assert render_page(REPORT) == render_page(REPORT)


def test_write_page_writes_a_whole_page(tmp_path):
    write_page(tmp_path / "report.html", REPORT)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert text.rstrip().endswith("</html>")


def test_write_page_explains_an_unwritable_place(tmp_path):
    with pytest.raises(OutputError, check=coded("cannot-write")):
        write_page(tmp_path / "absent" / "report.html", REPORT)


@pytest.mark.parametrize("name", ["x.pdf", "x", "-", "x.html.gz"])
def test_write_page_refuses_a_name_that_is_no_page(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutputError, match=f"cannot write a page to '{name}'") as error:
        write_page(name, REPORT)
    assert error.value.hint == "name a file that ends in .html or .htm"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["x.htm", "x.HTML"])
def test_write_page_takes_either_end_in_either_case(name, tmp_path):
    write_page(tmp_path / name, REPORT)
    assert (tmp_path / name).exists()


def test_render_page_can_be_written_whatever_the_data_say():
    report = Report("a\ud800\0b", [Section("First", "\udc00One.", [])])
    assert "ab" in Page(render_page(report)).words
    assert render_page(report).encode("utf-8")


def test_pages_of_reports_and_of_explanations_are_framed_alike():
    page = render_page(REPORT)
    assert page.startswith("<!doctype html>")
    assert "<p>How to get these numbers again</p>" in page
    assert "prefers-color-scheme: dark" in page
