"""Pairs to judge: made here with a first judgment, or imported with or without one."""

from __future__ import annotations

from ensue.errors import ConflictError, LabelError, LimitError, SettingError
from ensue.pairs import Pair, View
from ensue.workbench.accounts.auditing import note
from ensue.workbench.accounts.people import Person
from ensue.workbench.annotating.answers import Kind, check_answer
from ensue.workbench.annotating.finding import open_to
from ensue.workbench.annotating.questions import (
    Imported,
    NewQuestion,
    add_all,
    add_questions,
    taking,
)
from ensue.workbench.database.types import writable_text
from ensue.workbench.datasets.storing import uploaded_pairs
from ensue.workbench.datasets.uploads import Upload
from ensue.workbench.workbench import Workbench


def make_pair(
    workbench: Workbench,
    person: Person,
    project_id: int,
    *,
    text: str,
    hypothesis: str,
    answer: str,
    task: str = "",
) -> int:
    """Make a pair and judge it first, as PASCAL's annotators did; gives the question's number.

    Raises:
        NotFoundError: there is no such project for them.
        AccessError: they do not judge in it.
        ConflictError: it is closed, or the pair was made before.
        SettingError: it is a project of patterns, or a side is empty.
        LimitError: a side is too long.
        UnknownNameError: nobody may answer so.
    """
    text, hypothesis = text.strip(), hypothesis.strip()
    _check_sides(workbench, text, hypothesis)
    pair = Pair("", text, hypothesis, task=" ".join(task.split())[:120] or None)
    with workbench.database.writing() as session:
        open_to(session, person, project_id)
        project = taking(session, person, project_id, Kind.PAIRS)
        check_answer(Kind.PAIRS, View(project.view), answer, is_final=True)
        new = [_question(pair, answer)]
        added = add_questions(session, project, person, new, workbench.limits.pairs)
        if not added:
            raise ConflictError("this pair was made before", hint="make another")
        (number,) = added
        note(session, person, "question.make", f"question {number}", project=project.id)
        return number


def _check_sides(workbench: Workbench, text: str, hypothesis: str) -> None:
    if not text or not hypothesis:
        raise SettingError("a pair needs a text and a hypothesis")
    limits = workbench.limits
    if len(text) > limits.text or len(hypothesis) > limits.hypothesis:
        raise LimitError(
            "this pair is too long",
            hint=f"a text has {limits.text:,} characters, a hypothesis {limits.hypothesis:,}",
        )


def import_pairs(workbench: Workbench, person: Person, project_id: int, upload: Upload) -> Imported:
    """Ask about the pairs of a file; gold in it is the judgment of whoever imports it.

    Raises:
        NotFoundError: there is no such project for them.
        ConflictError: it is closed.
        SettingError: it is a project of patterns.
        DataError: the file cannot be read, or holds no pairs.
        LimitError: it is too large.
    """
    pairs, findings = uploaded_pairs(upload, workbench.limits)
    with workbench.database.writing() as session:
        project = taking(session, person, project_id, Kind.PAIRS)
        view = View(project.view)
        new = [_question(pair, _answer(pair, view, upload.shown)) for pair in pairs]
        return add_all(session, project, person, new, workbench.limits.pairs, findings)


def _answer(pair: Pair, view: View, name: str) -> str | None:
    try:
        return view.of(pair.gold).value if pair.gold else None
    except LabelError as error:
        raise LabelError(
            error.message, place=f"{name}, pair {pair.id!r}", hint="make a 2-way project for it"
        ) from None


def _question(pair: Pair, answer: str | None) -> NewQuestion:
    text, hypothesis = writable_text(pair.text), writable_text(pair.hypothesis)
    content = {
        "pair_id": writable_text(pair.id[:200]),
        "text": text,
        "hypothesis": hypothesis,
        "task": writable_text(pair.task[:120]) if pair.task else None,
    }
    return NewQuestion(content, (text, hypothesis), answer)
