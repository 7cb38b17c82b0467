"""Judged patterns as ranked lists: for agreement, for scores, and to take away."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from ensue.errors import SettingError, UndefinedError
from ensue.statistics import Resampling
from ensue.workbench.accounts import Person
from ensue.workbench.annotation.judgments import QuestionJudgments, QuestionStatus, gathered
from ensue.workbench.annotation.projects import DIFFERENT, LENIENT, STRICT, ProjectKind, owned
from ensue.workbench.workbench import Workbench

if TYPE_CHECKING:
    from ensue.paraphrase import PatternAgreement, RankedLists

_DRAWS = 1000


def judged_lists(workbench: Workbench, person: Person, project_id: int) -> RankedLists:
    """The lists that were imported, with a column for each judge and strictness.

    Patterns that the review removed are left out; whoever cannot tell gave no label.

    Raises:
        NotFoundError: there is no such project for them.
        AccessError: somebody else made it.
        SettingError: it is a project of pairs.
    """
    found = _found(workbench, person, project_id)
    places = [
        (each.content["term"], method, rank, each)
        for each in found
        for method, rank in each.content["lists"]
    ]
    return _lists(places, f"project {project_id}")


def judged_lines(workbench: Workbench, person: Person, project_id: int) -> str:
    """The same as JSONL, which `ensue paraphrase score` reads.

    Raises:
        NotFoundError: there is no such project for them.
        AccessError: somebody else made it.
        SettingError: it is a project of pairs.
    """
    from ensue.paraphrase.formats import write_lists

    lists = judged_lists(workbench, person, project_id)
    with TemporaryDirectory(prefix="ensue-") as folder:
        path = Path(folder) / "lists.jsonl"
        write_lists(path, lists)
        return path.read_text("utf-8")


def pattern_agreement(
    workbench: Workbench, person: Person, project_id: int
) -> PatternAgreement | None:
    """Agreement so far, each question once, whatever lists it stands in; None where there is none.

    Raises:
        NotFoundError: there is no such project for them.
        AccessError: somebody else made it.
        SettingError: it is a project of pairs.
    """
    from ensue.paraphrase import judge_agreement

    found = _found(workbench, person, project_id)
    places = [(each.content["term"], "", i, each) for i, each in enumerate(found)]
    try:
        return judge_agreement(
            _lists(places, f"project {project_id}"), resampling=Resampling(draws=_DRAWS)
        )
    except UndefinedError:
        return None


def _found(workbench: Workbench, person: Person, project_id: int) -> list[QuestionJudgments]:
    with workbench.database.reading() as session:
        project = owned(session, person, project_id)
        if project.kind != ProjectKind.PATTERNS:
            raise SettingError("this project is about pairs, and not about patterns")
        found = gathered(session, project, person)
    return [each for each in found if each.standing is not QuestionStatus.REMOVED]


def _lists(places: Sequence[tuple[str, str, int, QuestionJudgments]], name: str) -> RankedLists:
    from ensue.paraphrase import (
        NO,
        NOT_JUDGED,
        YES,
        ListKey,
        PatternJudgments,
        RankedLists,
        Strictness,
    )

    ordered: dict[ListKey, list[tuple[int, QuestionJudgments]]] = {}
    for term, method, rank, each in places:
        ordered.setdefault(ListKey(term, method), []).append((rank, each))
    for members in ordered.values():
        members.sort(key=lambda member: (member[0], member[1].id))
    patterns = [each for members in ordered.values() for _, each in members]
    judges = sorted({said.judge for each in patterns for said in each.said})
    column = {judge: j for j, judge in enumerate(judges)}
    labels = {
        strictness: np.full((len(patterns), len(judges)), NOT_JUDGED, np.int8)
        for strictness in Strictness
    }
    codes = {
        STRICT: {Strictness.STRICT: YES, Strictness.LENIENT: YES},
        LENIENT: {Strictness.STRICT: NO, Strictness.LENIENT: YES},
        DIFFERENT: {Strictness.STRICT: NO, Strictness.LENIENT: NO},
    }
    for i, each in enumerate(patterns):
        for said in each.said:
            for strictness, code in codes.get(said.answer, {}).items():
                labels[strictness][i, column[said.judge]] = code
    sizes = [len(members) for members in ordered.values()]
    return RankedLists(
        name,
        tuple(ordered),
        np.cumsum([0, *sizes]).astype(np.int64),
        [each.content["paraphrase"] for each in patterns],
        PatternJudgments(tuple(judges), labels) if judges else None,
        sentences=[each.content["sentence"] for each in patterns],
    )
