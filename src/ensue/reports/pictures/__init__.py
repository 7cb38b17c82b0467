"""Pictures: Vega-Lite specifications with their data inside, and what they become on disk."""

from ensue.reports.pictures.curves import (
    Line,
    cutoff_picture,
    reliability_picture,
    risk_coverage_picture,
)
from ensue.reports.pictures.dots import accuracy_picture, confusion_picture, group_picture
from ensue.reports.pictures.rendering import (
    PICTURE_SUFFIXES,
    check_picture_path,
    render,
    write_picture,
)

__all__ = [
    "PICTURE_SUFFIXES",
    "Line",
    "accuracy_picture",
    "check_picture_path",
    "confusion_picture",
    "cutoff_picture",
    "group_picture",
    "reliability_picture",
    "render",
    "risk_coverage_picture",
    "write_picture",
]
