"""An explanation for people: in the terminal, as a page, as a picture and in a notebook."""

from ensue.reports.contents.explanation.page import (
    EXPLANATION_SUFFIXES,
    check_explanation_path,
    explanation_fragment,
    explanation_html,
    explanation_values,
    write_explanation_file,
)
from ensue.reports.contents.explanation.printing import write_explanation

__all__ = [
    "EXPLANATION_SUFFIXES",
    "check_explanation_path",
    "explanation_fragment",
    "explanation_html",
    "explanation_values",
    "write_explanation",
    "write_explanation_file",
]
