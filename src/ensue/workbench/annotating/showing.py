"""Questions as a judge sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ensue.workbench.annotating.answers import Kind
from ensue.workbench.database import models

if TYPE_CHECKING:
    from ensue.paraphrase.qualities.sentences import Piece


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, as a judge sees it: nothing of who made it, and of what others say."""

    id: int
    project_id: int
    content: dict[str, Any]
    """`text` and `hypothesis`, or `term`, `paraphrase`, `sentence`, `replaced` and its `pieces`."""
    answer: str | None
    """Their own, where they gave one."""
    remark: str
    version: int
    """Of their judgment; 0 where there is none."""
    is_decided: bool
    """Whether the organizer decided already."""


def asked_as(project: models.Project, row: models.Question, said: models.Judgment | None) -> Asked:
    """A question, with the judgment of whoever asks."""
    return Asked(
        id=row.id,
        project_id=project.id,
        content=_shown(project, row),
        answer=said.answer if said else None,
        remark=said.remark if said else "",
        version=said.version if said else 0,
        is_decided=row.decision is not None or row.is_removed,
    )


def _shown(project: models.Project, row: models.Question) -> dict[str, Any]:
    """What a judge may read: neither ids nor tasks, methods nor ranks."""
    if project.kind == Kind.PAIRS:
        return {name: row.content[name] for name in ("text", "hypothesis")}
    shown = {name: row.content[name] for name in ("term", "paraphrase", "sentence")}
    pieces = _pieces(row.content)
    return {**shown, "replaced": "".join(each.there for each in pieces), "pieces": pieces}


def _pieces(content: dict[str, Any]) -> list[Piece]:
    from ensue.paraphrase.qualities.sentences import replaced_pieces

    return replaced_pieces(content["sentence"], content["term"], content["paraphrase"])


def sides(project: models.Project, row: models.Question) -> tuple[str, str]:
    """The two texts that a judge compares."""
    content = row.content
    if project.kind == Kind.PAIRS:
        return content["text"], content["hypothesis"]
    return content["sentence"], "".join(each.there for each in _pieces(content))
