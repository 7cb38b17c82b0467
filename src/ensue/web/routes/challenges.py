"""Challenges: make one, join by invitation, hand runs in, see the leaderboard."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Form, Query, Response, UploadFile
from fastapi.responses import HTMLResponse

from ensue.errors import SettingError
from ensue.evaluation import MEASURES
from ensue.pairs import Pair, View
from ensue.reports import render_page, table_to_csv
from ensue.web.access import MOST, Asking, Id, Title, Who, uploaded
from ensue.web.boards import Boards, board_report, board_table
from ensue.web.pages import Content, Done, OneTimePage, Pages, download, pairs_file
from ensue.workbench import (
    MEASURES as USUAL,
    WAITING,
    Rules,
    challenges_for,
    close_now,
    datasets_for,
    development_pairs,
    find_challenge,
    hidden_pairs,
    invite,
    invite_to_team,
    join,
    leaderboard,
    least_answered,
    make_challenge,
    publish,
    submissions_for,
    submit,
    teams,
    withdraw,
)

PAGES = Pages("challenges")

Moment = Annotated[str, Form(max_length=40)]


@PAGES.page("/challenges", "challenges/list.html", who=Who.SIGNED_IN)
def all_challenges(asked: Asking) -> Content:
    """Show the challenges that one made, takes part in, or that are published."""
    content: dict[str, object] = {"challenges": challenges_for(asked.workbench, asked.person)}
    if asked.person.is_organizer:
        own = [each for each in datasets_for(asked.workbench, asked.person) if each.is_own]
        content["datasets"] = [each for each in own if each.n_gold == each.n_pairs]
        content["measures"] = [each.name for each in MEASURES]
        content["usual"] = list(USUAL)
    return content


@PAGES.action("/challenges", who=Who.ORGANIZER)
def new_challenge(
    asked: Asking,
    name: Title,
    development: Annotated[int, Form(ge=1, le=MOST)],
    test: Annotated[int, Form(ge=1, le=MOST)],
    opens: Moment,
    closes: Moment,
    description: Annotated[str, Form(max_length=20_000)] = "",
    runs_allowed: Annotated[int, Form(ge=1, le=1000)] = 2,
    measures: Annotated[str, Form(max_length=500)] = " ".join(USUAL),
    view: Annotated[View | None, Form()] = None,
) -> Done:
    """Make a challenge from two data sets."""
    rules = Rules(
        name=name,
        development_id=development,
        test_id=test,
        opens=_moment(opens),
        closes=_moment(closes),
        description=description,
        runs_allowed=runs_allowed,
        measures=tuple(measures.replace(",", " ").split()),
        view=view,
    )
    challenge_id = make_challenge(asked.workbench, asked.person, rules)
    return Done(f"/challenges/{challenge_id}", {"id": challenge_id})


def _moment(text: str) -> datetime:
    """A time as a browser sends it; UTC, unless it says otherwise."""
    try:
        found = datetime.fromisoformat(text.strip())
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise SettingError(
            "no-time", f"{text!r} is no time", hint="e.g. 2026-11-30T12:00, in UTC"
        ) from None


@PAGES.page("/challenges/join", "challenges/join.html", who=Who.SIGNED_IN)
def joining(asked: Asking, code: Annotated[str, Query(max_length=100)] = "") -> Content:  # noqa: ARG001 - as all pages
    """Ask for an invitation."""
    return {"code": code}


@PAGES.action("/challenges/join", who=Who.SIGNED_IN)
def take_part(
    asked: Asking,
    code: Annotated[str, Form(max_length=100)],
    team: Annotated[str, Form(max_length=80)] = "",
) -> Done:
    """Join by an invitation."""
    challenge_id = join(asked.workbench, asked.person, code, team)
    return Done(f"/challenges/{challenge_id}", {"id": challenge_id})


@PAGES.page("/challenges/{challenge_id:int}", "challenges/show.html", who=Who.SIGNED_IN)
def challenge(asked: Asking, challenge_id: Id) -> Content:
    """Show the rules, the leaderboard, and one's own runs."""
    record = find_challenge(asked.workbench, asked.person, challenge_id)
    boards: Boards = asked.request.app.state.boards
    board = boards.of(record, lambda: leaderboard(asked.workbench, asked.person, challenge_id))
    runs = submissions_for(asked.workbench, asked.person, challenge_id)
    return {
        "challenge": record,
        "version": board.version,
        "board": board,
        "runs": runs,
        "least": least_answered(record.n_test),
        "is_waiting": any(each.state == WAITING for each in runs),
        "teams": teams(asked.workbench, asked.person, challenge_id) if record.is_own else [],
    }


@PAGES.action("/challenges/{challenge_id:int}/invite", who=Who.SIGNED_IN)
def new_invitation(asked: Asking, challenge_id: Id) -> OneTimePage:
    """Invite a team, as the organizer; or somebody into one's own."""
    record = find_challenge(asked.workbench, asked.person, challenge_id)
    invited = invite if record.is_own else invite_to_team
    code = invited(asked.workbench, asked.person, challenge_id)
    return OneTimePage("challenges/invited.html", {"challenge": record, "code": code})


@PAGES.action("/challenges/{challenge_id:int}/runs", who=Who.SIGNED_IN)
def hand_in(asked: Asking, challenge_id: Id, file: UploadFile, name: Title = "") -> Done:
    """Hand a run in."""
    record = submit(asked.workbench, asked.person, challenge_id, name, uploaded(file))
    asked.request.app.state.worker.tell()
    return Done(f"/challenges/{challenge_id}#runs", {"submission": record})


@PAGES.action("/challenges/{challenge_id:int}/runs/{run_id:int}/withdraw", who=Who.SIGNED_IN)
def take_back(asked: Asking, challenge_id: Id, run_id: Id) -> Done:
    """Take a run off the board."""
    withdraw(asked.workbench, asked.person, run_id)
    return Done(f"/challenges/{challenge_id}#runs")


@PAGES.action("/challenges/{challenge_id:int}/close", who=Who.ORGANIZER)
def end_challenge(asked: Asking, challenge_id: Id) -> Done:
    """Take no more runs."""
    close_now(asked.workbench, asked.person, challenge_id)
    return Done(f"/challenges/{challenge_id}")


@PAGES.action("/challenges/{challenge_id:int}/publish", who=Who.ORGANIZER)
def publish_challenge(asked: Asking, challenge_id: Id) -> Done:
    """Freeze the board, and let everybody who signs in see it."""
    publish(asked.workbench, asked.person, challenge_id)
    return Done(f"/challenges/{challenge_id}")


@PAGES.file("/challenges/{challenge_id:int}/development.jsonl", who=Who.SIGNED_IN)
def development_file(asked: Asking, challenge_id: Id) -> Response:
    """Give the development data, with gold."""
    with asked.workbench.database.reading() as session:
        pairs = development_pairs(session, asked.person, challenge_id)
        return pairs_file(pairs, "development.jsonl")


@PAGES.file("/challenges/{challenge_id:int}/test.jsonl", who=Who.SIGNED_IN)
def test_file(asked: Asking, challenge_id: Id) -> Response:
    """Give the test data, without gold."""
    return pairs_file(_hidden(asked, challenge_id), "test.jsonl")


@PAGES.file("/challenges/{challenge_id:int}/example.jsonl", who=Who.SIGNED_IN)
def example_file(asked: Asking, challenge_id: Id) -> Response:
    """Give a run that says yes to everything, to start from."""
    lines = [
        json.dumps({"pair_id": pair.id, "label": "entailment", "score": 0.5, "confidence": 0.0})
        for pair in _hidden(asked, challenge_id)
    ]
    return download("\n".join(lines) + "\n", "example.jsonl")


@PAGES.file("/challenges/{challenge_id:int}/board.csv", who=Who.SIGNED_IN)
def board_file(asked: Asking, challenge_id: Id) -> Response:
    """Give the leaderboard as CSV."""
    _, board = leaderboard(asked.workbench, asked.person, challenge_id)
    return download(table_to_csv(board_table(board), guarded=True), "board.csv")


@PAGES.file("/challenges/{challenge_id:int}/board.html", who=Who.SIGNED_IN)
def board_page(asked: Asking, challenge_id: Id) -> Response:
    """Give the leaderboard as a page that stands alone."""
    record = find_challenge(asked.workbench, asked.person, challenge_id)
    _, board = leaderboard(asked.workbench, asked.person, challenge_id)
    page = render_page(board_report(record, board))
    named = {"content-disposition": 'attachment; filename="board.html"'}
    return HTMLResponse(page, headers=named)


def _hidden(asked: Asking, challenge_id: Id) -> list[Pair]:
    with asked.workbench.database.reading() as session:
        return list(hidden_pairs(session, asked.person, challenge_id))
