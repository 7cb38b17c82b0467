"""The same results as table, JSON, picture and one self-contained HTML page."""

from ensue.reports.model import Cell, Column, Interval, Picture, Report, Section, Table
from ensue.reports.tables import tables_to_json, write_tables

__all__ = [
    "Cell",
    "Column",
    "Interval",
    "Picture",
    "Report",
    "Section",
    "Table",
    "tables_to_json",
    "write_tables",
]
