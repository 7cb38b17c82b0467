"""The templates of pages, with what all of them may use."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from ensue.reports.pictures import theme
from ensue.reports.pictures.drawing import readable

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def environment() -> Environment:
    """Where templates are found; what they show is escaped, and can be written to any file."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    def finalized(value: Any) -> Any:
        if isinstance(value, str) and not isinstance(value, Markup):
            return readable(value)  # half characters cannot be written to any file
        return value

    made = Environment(
        loader=PackageLoader("ensue.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=finalized,
    )
    made.globals["theme"] = theme
    return made
