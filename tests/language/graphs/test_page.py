"""The page on language shows graphs as they are."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "language.md"
ROWS = re.findall(r"^\| [^|]+ \| ([A-Z][^|]+\.) \| (`[^|]+`) \|$", PAGE.read_text("utf-8"), re.M)


def test_page_has_examples():
    assert len(ROWS) > 20


@pytest.mark.parametrize(("text", "edges"), ROWS, ids=[text for text, _ in ROWS])
def test_example_of_the_page_has_the_edges_that_it_shows(read, text, edges):
    assert read(text).edges == set(re.findall(r"`([^`]+)`", edges))
