"""What holds of every table as text, whatever the width."""

import re

from ensue.reports import Interval, shown_cell
from ensue.reports.model import shown_heading
from ensue.reports.text import table_lines, text_cells

WIDTHS = (40, 60, 80, 100, 120, 200)
LEFT_OUT = "left out at this width: "
LONGEST_WORD = 32
"""Longer words may be broken, and signatures."""


def text_of(table, width):
    return [line.text for line in table_lines(table, width, option="--format csv")]


def check_widths(table):
    """See that the table keeps to widths, breaks no number or word, and says what it leaves out."""
    for width in WIDTHS:
        lines = text_of(table, width)
        assert max(map(text_cells, lines)) <= width, "\n".join(lines)
        said = " ".join(" ".join(lines).split()).partition(LEFT_OUT)[2]
        fields = {field for line in lines for field in re.split(r"\s{2,}", line.strip())}
        words = {word for line in lines for word in line.split()}
        for i, column in enumerate(table.columns if table.rows else ()):
            heading = shown_heading(column)
            if heading in said:
                continue  # it is named among those that are left out
            assert set(heading.split()) <= words, (width, heading, lines)
            for row in table.rows:
                _check_cell(row[i], shown_cell(row[i], column), fields, words)
        if said:
            assert "--format csv or COLUMNS=" in said, said
            wide = int(re.search(r"COLUMNS=(\d+)", said)[1])
            assert LEFT_OUT not in " ".join(text_of(table, wide))


def _check_cell(cell, shown, fields, words):
    if isinstance(cell, str):
        whole = [word for word in shown.split() if text_cells(word) <= LONGEST_WORD]
        assert {word for word in whole if "|" not in word} <= words, shown
    elif isinstance(cell, Interval) and " [" in shown:
        number, interval = shown.split(" [")
        assert shown in fields or {number, f"[{interval}"} <= fields, (shown, fields)
    else:
        assert shown in fields, (shown, fields)
