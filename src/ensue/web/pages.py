"""Pages from templates with their menu, their `.json` twins, and files to download."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import datetime
from enum import Enum
from functools import cache, wraps
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from fastapi import APIRouter, Depends, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, StreamingResponse
from pydantic import BaseModel

from ensue import __version__
from ensue.files import RowFormat
from ensue.pairs import Pair, Signature, Verdict, verdict_to_json
from ensue.pairs.formats import write_jsonl, write_table
from ensue.recognizers import Explanation
from ensue.reports import (
    Figure,
    Picture,
    Report,
    Table,
    explanation_values,
    harmless,
    part_helpers,
    tables_to_json,
)
from ensue.reports.pictures import readable
from ensue.web.access import CSRF_COOKIE, Asking, PageRequest, Who
from ensue.web.boards import ShownBoard, board_rows
from ensue.workbench import Person, Role
from ensue.workbench.database import MappedTable as Row

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


def _offered(person: Person | None) -> list[Offer]:
    return [
        each
        for each in OFFERS
        if each.for_strangers or (person is not None and person.role in each.roles)
    ]


def menu(person: Person | None) -> list[tuple[str, str]]:
    """Paths and names of what this person can do."""
    return [(each.path, each.name) for each in _offered(person)]


def offers(person: Person | None) -> list[tuple[str, str, str]]:
    """The same, with what it is."""
    return [(each.path, each.name, each.what) for each in _offered(person)]


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


# What a page shows, in values that JSON can hold.


def to_json(value: Any) -> Any:
    """The same in values that JSON can hold: tables as rows, pictures as specifications.

    Raises:
        TypeError: a value is of a kind that pages do not show.
    """
    if value is None or isinstance(value, str | bool | int):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, Mapping):
        return {_key(key): to_json(each) for key, each in value.items()}
    if isinstance(value, Sequence | Set) and not isinstance(value, bytes):
        return [to_json(each) for each in value]
    if isinstance(value, Path):
        return str(value)
    return _object(value)


def _key(key: Any) -> str:
    if isinstance(key, Enum):
        return str(key.value)
    return "" if key is None else str(key)


def _object(value: Any) -> Any:
    if isinstance(value, Table):
        return {"title": value.title, **tables_to_json([value])[value.name]}
    if isinstance(value, Picture):
        return {"title": value.title, "caption": value.caption, "specification": dict(value.spec)}
    if isinstance(value, Figure):
        return {"title": value.title, "caption": value.caption, "svg": value.svg}
    if isinstance(value, Report):
        return {
            "title": value.title,
            "signature": value.signature,
            "sections": [to_json(each) for each in value.sections],
        }
    if isinstance(value, ShownBoard):
        return value.once("json", lambda: to_json(value.table))
    if isinstance(value, Explanation):
        return value.to_json()
    if isinstance(value, Verdict):
        return verdict_to_json(value)
    if isinstance(value, Signature):
        return value.to_json()
    if isinstance(value, Pair) or (is_dataclass(value) and not isinstance(value, type)):
        return {each.name: to_json(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Row):
        raise TypeError(f"{type(value).__name__}: a row of the database is not for showing")
    raise TypeError(f"{type(value).__name__} cannot be shown")


# Pages and what is done on them: one function for the page and for its `.json` twin.

Content = Mapping[str, Any]
"""What a page shows, by name: values that JSON can hold, and tables, pictures and explanations."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a form did: where to look next, and the same for programs."""

    location: str
    """A path of ours."""
    content: Content = field(default_factory=dict)
    cookies: Mapping[str, str | None] = field(default_factory=dict)
    """Cookies to set; None takes one away."""


@dataclass(frozen=True, slots=True)
class OneTimePage:
    """A page after a form, where there is something to see only once."""

    template: str
    content: Content


class Pages:
    """The pages of one subject."""

    def __init__(self, subject: str) -> None:
        self.router = APIRouter(tags=[subject])

    def page(self, path: str, template: str, *, who: Who) -> Callable[..., Any]:
        """Show what a function returns at a path, and as JSON at its twin.

        The function has an argument `asked: Asking` beside those of its path and its query.
        """

        def html(content: Content, asked: PageRequest) -> Response:
            return with_cookies(HTMLResponse(rendered(template, content, asked)), asked)

        def json(content: Content, asked: PageRequest) -> Response:  # noqa: ARG001 - as the page
            return JSONResponse(to_json(content))

        def decorate(function: Callable[..., Content]) -> Callable[..., Content]:
            twin = f"{function.__name__}_json"
            self._add(json_path(path), function, json, who=who, name=twin)
            self._add(path, function, html, who=who, response_class=HTMLResponse)
            return function

        return decorate

    def action(self, path: str, *, who: Who) -> Callable[..., Any]:
        """Do what a form sent to a path asks; programs get JSON, browsers are sent on."""
        return lambda function: self._add(path, function, _answer, who=who, methods=["POST"])

    def call(self, path: str, answer: type[BaseModel], *, who: Who) -> Callable[..., Any]:
        """Answer programs that post JSON, in JSON; `answer` describes it."""

        def json(content: Content, asked: PageRequest) -> Response:  # noqa: ARG001 - as others
            return JSONResponse(to_json(content))

        options = {"methods": ["POST"], "response_model": answer}
        return lambda function: self._add(path, function, json, who=who, **options)

    def file(self, path: str, *, who: Who) -> Callable[..., Any]:
        """Give what a function returns, a `Response` of its own, e.g. a file to download."""
        return lambda function: self._add(path, function, lambda made, _: made, who=who)

    def _add(
        self,
        path: str,
        function: Callable[..., Any],
        answer: Callable[[Any, PageRequest], Response],
        *,
        who: Who,
        **options: Any,
    ) -> Callable[..., Any]:
        """Answer requests to a path with what is made of what a function returns."""

        @wraps(function)
        def answered(*arguments: Any, asked: PageRequest, **others: Any) -> Response:
            return answer(function(*arguments, asked=asked, **others), asked)

        named = {"methods": ["GET"], "name": function.__name__, **options}
        self.router.add_api_route(path, answered, **named, **_for(who))
        return function


def _for(who: Who) -> dict[str, Any]:
    """What keeps others out, before anything of what they sent is looked at."""

    def check(asked: Asking) -> None:
        asked.require(who)

    return {"dependencies": [Depends(check)], "openapi_extra": {"x-who": who.value}}


def _answer(done: Done | OneTimePage, asked: PageRequest) -> Response:
    if asked.is_program or wants_json(asked.request.headers.get("accept", "")):
        return JSONResponse(to_json(done.content))
    if isinstance(done, OneTimePage):
        return with_cookies(HTMLResponse(rendered(done.template, done.content, asked)), asked)
    response = RedirectResponse(done.location, status_code=303)
    for name, value in done.cookies.items():
        set_cookie(response, asked, name, value)
    return response


def wants_json(accept: str) -> bool:
    """Whether a request would rather have JSON than a page."""
    return "application/json" in accept and "text/html" not in accept


def with_cookies(response: Response, asked: PageRequest) -> Response:
    """Give a browser what its forms have to say, if it has it not yet."""
    if CSRF_COOKIE not in asked.request.cookies:
        set_cookie(response, asked, CSRF_COOKIE, asked.csrf)
    return response


def set_cookie(response: Response, asked: PageRequest, name: str, value: str | None) -> None:
    """Set a cookie that no script reads and no other site sends, or take it away."""
    if value is None:
        response.delete_cookie(name, path="/")
        return
    response.set_cookie(
        name,
        value,
        path="/",
        httponly=True,
        samesite="lax",
        secure=asked.settings.is_secure,
        max_age=14 * 24 * 3600,
    )


# What is given out as files: pairs as JSONL or CSV, and whatever else is text.

_BLOCK = 1 << 16
_KINDS = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
}
"""What files are, by how their names end."""


def download(content: str | bytes, name: str) -> Response:
    """Give a file that is to be kept, and not shown."""
    made = content if isinstance(content, bytes) else content.encode()
    return Response(made, headers=_named(name), media_type=_KINDS[name.rpartition(".")[2]])


def pairs_file(pairs: Iterable[Pair], name: str) -> Response:
    """Give pairs as what the name says; CSV without formulas, JSONL to the letter.

    They are written whole before they are sent, so that no slow reader keeps the database waiting.
    """
    kind = name.rpartition(".")[2]
    file = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it is sent
    if kind == "csv":
        write_table(map(_harmless, pairs), file, format=RowFormat.CSV)
    else:
        write_jsonl(pairs, file)
    named = {**_named(name), "content-length": str(file.tell())}
    file.seek(0)
    return StreamingResponse(_blocks(file), headers=named, media_type=_KINDS[kind])


def _harmless(pair: Pair) -> Pair:
    return replace(
        pair,
        id=harmless(pair.id),
        text=harmless(pair.text),
        hypothesis=harmless(pair.hypothesis),
        task=harmless(pair.task) if pair.task else pair.task,
    )


def _blocks(file: IO[Any]) -> Iterator[bytes]:
    with file:
        while block := file.read(_BLOCK):
            yield block


def _named(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}
