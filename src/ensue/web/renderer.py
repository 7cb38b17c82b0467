"""Pages from templates, and the menu."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from ensue import __version__
from ensue.reports import Figure, Picture, explanation_values, part_helpers
from ensue.reports.pictures import readable
from ensue.web.access import PageRequest
from ensue.web.boards import ShownBoard, board_rows
from ensue.workbench import Person, Role

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

    from ensue.pairs import Verdict
    from ensue.recognizers import Explanation

# What stands in the menu and on the first page, for whom.


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that can be done here."""

    path: str
    name: str
    what: str
    roles: tuple[Role, ...] = tuple(Role)
    """For whom; strangers see what is for everybody."""
    for_strangers: bool = False


OFFERS = (
    Offer("/try", "Try", "A text, a hypothesis, and what each recognizer says of them, with why."),
    Offer("/data", "Data", "Upload pairs and runs; statistics, audit, and every pair to look at."),
    Offer("/compare", "Compare", "Two runs or more: where they disagree, and whether they differ."),
    Offer(
        "/challenges",
        "Challenges",
        "Hidden gold, teams by invitation, a few runs each, and a leaderboard.",
    ),
    Offer(
        "/annotate",
        "Annotate",
        "Pairs or paraphrases by several judges, blind, until there is gold.",
        (Role.ORGANIZER, Role.ANNOTATOR),
    ),
    Offer(
        "/people",
        "People",
        "Who may come in, and as what.",
        (Role.ORGANIZER,),
    ),
    Offer("/audit", "Log", "Who did what, and when.", (Role.ORGANIZER,)),
)


def _for(person: Person | None) -> list[Offer]:
    return [
        each
        for each in OFFERS
        if each.for_strangers or (person is not None and person.role in each.roles)
    ]


def menu(person: Person | None) -> list[tuple[str, str]]:
    """Paths and names of what this person can do."""
    return [(each.path, each.name) for each in _for(person)]


def offers(person: Person | None) -> list[tuple[str, str, str]]:
    """The same, with what it is."""
    return [(each.path, each.name, each.what) for each in _for(person)]


def json_path(path: str) -> str:
    """Where the twin of a page is."""
    return f"{path}index.json" if path.endswith("/") else f"{path}.json"


# Pages from templates: everything is escaped, unless it was drawn by us.

_BOARD = "<!-- board -->"
"""Where a leaderboard stands in a page; nobody else can write it, since texts are escaped."""


def rendered(template: str, content: Mapping[str, Any], asked: PageRequest) -> bytes:
    """A page for the one who asks.

    Args:
        template: Its name.
        content: What it shows.
        asked: Who asks.
    """
    page = (
        environment()
        .get_template(template)
        .render(
            **content,
            asked=asked,
            visitor=asked.visitor,
            csrf=asked.csrf,
            has_accounts=asked.settings.has_accounts,
            here=asked.request.url.path,
            query=asked.request.url.query,
        )
        .encode()
    )
    for board in content.values():  # put in as bytes: it may be most of the page by far
        if isinstance(board, ShownBoard):
            page = page.replace(_BOARD.encode(), _board_part(board), 1)
    return page


@cache
def environment() -> Environment:
    """Where templates are found, and what all of them may use."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined
    from markupsafe import Markup

    def finalized(value: Any) -> Any:
        if isinstance(value, str) and not isinstance(value, Markup):
            return readable(value)
        return value

    made = Environment(
        loader=ChoiceLoader(
            [
                PackageLoader("ensue.web"),
                PrefixLoader({"reports": PackageLoader("ensue.reports")}),
            ]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=finalized,
        auto_reload=False,
    )
    made.globals.update(
        part_helpers(),
        program_version=__version__,
        svg=_picture,
        menu=menu,
        offers=offers,
        twin=json_path,
        verdict_tag=_verdict_tag,
        label_tag=_label_tag,
        explanation_body=_explanation_body,
        board_part=Markup(_BOARD),
        same=lambda names: [(name, name) for name in names],
    )
    made.filters.update(moment=_moment, percent=_percent, number=_number)
    return made


def _picture(part: Picture | Figure) -> Markup:
    """The picture as we draw it, with what a script needs to draw it again, so that it answers."""
    from jinja2.utils import htmlsafe_json_dumps
    from markupsafe import Markup

    drawn: Markup = part_helpers()["svg"](part)
    if isinstance(part, Figure):
        return drawn
    specification = htmlsafe_json_dumps(dict(part.spec), separators=(",", ":"))
    frame = Markup("<div class=\"picture\" data-specification='{}'>{}</div>")
    return frame.format(specification, drawn)


_TAGS = {"entailment": "good", "contradiction": "wrong", "not-entailment": "wrong"}


def _verdict_tag(verdict: Verdict) -> Markup:
    """A verdict in a colored frame that also says it in words."""
    if verdict.label is not None:
        return _label_tag(verdict.label.value)
    from markupsafe import Markup

    return Markup('<span class="tag unsure">{}</span> {}').format(
        verdict.status.value, verdict.reason or ""
    )


def _label_tag(label: str | None) -> Markup:
    from markupsafe import Markup

    shown = label or "no gold"
    return Markup('<span class="tag {}">{}</span>').format(_TAGS.get(shown, "unsure"), shown)


def _explanation_body(explanation: Explanation) -> Markup:
    """What a verdict rests on, as the reports show it."""
    from markupsafe import Markup

    template = environment().get_template("reports/explanation_body.html")
    return Markup(template.render(**explanation_values(explanation)))


def _board_part(board: ShownBoard) -> bytes:
    """A leaderboard, as the page of its challenge shows it to everybody."""

    def make() -> bytes:
        template = environment().get_template("challenges/board.html")
        return template.render(board=board.table, rows=board_rows(board.table)).encode()

    part: bytes = board.once("html", make)
    return part


def _moment(value: datetime | None) -> str:
    """A time, for people; always UTC, which the page says."""
    return value.strftime("%Y-%m-%d %H:%M") if value else "–"


def _percent(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{value * 100:.{digits}f} %"


def _number(value: float | None, digits: int = 4) -> str:
    return "–" if value is None else f"{value:.{digits}f}"
