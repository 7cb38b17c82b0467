"""Questions for judges: pairs and patterns, made or imported, and as a judge sees them.

So Shima & Mitamura (2011, section 3.1) had theirs judged, "so that contextual information could help
annotators to make consistent judgments".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from ensue.errors import ConflictError, DataError, LabelError, LimitError, SettingError
from ensue.files import filled_lines
from ensue.pairs import Finding, Pair, View
from ensue.workbench.accounts import Person, note
from ensue.workbench.annotation.projects import (
    ProjectKind,
    check_answer,
    check_kind,
    check_open,
    open_to,
    seen,
)
from ensue.workbench.database import models
from ensue.workbench.database.models import writable_text
from ensue.workbench.datasets import uploaded_pairs
from ensue.workbench.uploads import Upload, kept
from ensue.workbench.workbench import Workbench

if TYPE_CHECKING:
    from ensue.paraphrase import RankedLists
    from ensue.paraphrase.quality import SubstitutedSpan

# What judges are asked, each thing once.

ROWS = 1000
"""That one statement writes, or asks for."""
_TOLD = 20
"""Findings that are told."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an import."""

    n_added: int
    n_known: int
    """Asked before, and left as they are."""
    n_judged: int
    """With gold, which is the first judgment."""
    n_without: int
    """Patterns for whose term there is no sentence."""
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NewQuestion:
    """A question that is to be asked."""

    content: dict[str, Any]
    words: tuple[str, ...]
    """What a judge reads."""
    answer: str | None = None
    """Of whoever brings it."""

    @property
    def digest(self) -> str:
        """Of what a judge reads."""
        return sha256("\x1f".join(self.words).encode()).hexdigest()


def taking(session: Session, person: Person, project_id: int, kind: ProjectKind) -> models.Project:
    """The row of an open project of a kind, held until the transaction ends.

    Raises:
        NotFoundError: there is none, or it is not for them.
        ConflictError: it is closed.
        SettingError: it is of the other kind.
    """
    seen(session, person, project_id)
    row = models.held(session, models.Project, project_id)
    check_open(row)
    check_kind(row, kind)
    return row


def add_all(
    session: Session,
    project: models.Project,
    person: Person,
    new: Sequence[NewQuestion],
    most: int,
    findings: Sequence[Finding],
) -> Imported:
    """Add what an import brings, in a transaction that goes on.

    Raises:
        LimitError: there would be more than `most`.
    """
    added = add_questions(session, project, person, new, most)
    note(session, person, "question.import", f"project {project.id}", questions=len(added))
    n_judged = sum(each.answer is not None for each in added.values())
    told = tuple(f"{each.severity.value}: {each.message}" for each in findings[:_TOLD])
    return Imported(len(added), len(new) - len(added), n_judged, 0, told)


def add_questions(
    session: Session,
    project: models.Project,
    person: Person,
    new: Iterable[NewQuestion],
    most: int,
) -> dict[int, NewQuestion]:
    """Add the questions that are not asked yet, with the answers they bring, by their numbers.

    Raises:
        LimitError: there would be more than `most`.
    """
    here = models.Question.project_id == project.id
    known = set(session.scalars(select(models.Question.digest).where(here)))
    fresh: dict[str, NewQuestion] = {}
    for each in new:
        if each.digest not in known:
            fresh.setdefault(each.digest, each)
    if len(known) + len(fresh) > most:
        raise LimitError(
            "project-questions",
            f"the project would have {len(known) + len(fresh):,} questions",
            hint=f"at most {most:,} are kept here",
        )
    return _inserted(session, project, person, list(fresh.values()))


def _inserted(
    session: Session, project: models.Project, person: Person, new: Sequence[NewQuestion]
) -> dict[int, NewQuestion]:
    added: dict[int, NewQuestion] = {}
    statement = insert(models.Question).returning(models.Question.id, sort_by_parameter_order=True)
    for i in range(0, len(new), ROWS):
        batch = new[i : i + ROWS]
        ids = session.scalars(statement, [_row(project, person, each) for each in batch]).all()
        added.update(zip(ids, batch, strict=True))
    said = [
        {"question_id": number, "user_id": person.id, "answer": each.answer}
        for number, each in added.items()
        if each.answer is not None
    ]
    for i in range(0, len(said), ROWS):
        session.execute(insert(models.Judgment), said[i : i + ROWS])
    return added


def _row(project: models.Project, person: Person, new: NewQuestion) -> dict[str, Any]:
    is_judged = new.answer is not None
    return {
        "project_id": project.id,
        "digest": new.digest,
        "content": new.content,
        "maker_id": person.id if is_judged else None,
        "lot": int(new.digest[:7], 16),
        "n_judgments": int(is_judged),
    }


# Questions as a judge sees them.


@dataclass(frozen=True, slots=True)
class ShownQuestion:
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


def asked_as(
    project: models.Project, row: models.Question, said: models.Judgment | None
) -> ShownQuestion:
    """A question, with the judgment of whoever asks."""
    return ShownQuestion(
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
    if project.kind == ProjectKind.PAIRS:
        return {name: row.content[name] for name in ("text", "hypothesis")}
    shown = {name: row.content[name] for name in ("term", "paraphrase", "sentence")}
    pieces = _pieces(row.content)
    return {**shown, "replaced": "".join(each.there for each in pieces), "pieces": pieces}


def _pieces(content: dict[str, Any]) -> list[SubstitutedSpan]:
    from ensue.paraphrase.quality import replaced_pieces

    return replaced_pieces(content["sentence"], content["term"], content["paraphrase"])


def sides(project: models.Project, row: models.Question) -> tuple[str, str]:
    """The two texts that a judge compares."""
    content = row.content
    if project.kind == ProjectKind.PAIRS:
        return content["text"], content["hypothesis"]
    return content["sentence"], "".join(each.there for each in _pieces(content))


# Pairs to judge: made here with a first judgment, or imported with or without one.


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
        project = taking(session, person, project_id, ProjectKind.PAIRS)
        check_answer(ProjectKind.PAIRS, View(project.view), answer, is_final=True)
        new = [_pair_question(pair, answer)]
        added = add_questions(session, project, person, new, workbench.limits.pairs)
        if not added:
            raise ConflictError(
                "pair-made-before", "this pair was made before", hint="make another"
            )
        (number,) = added
        note(session, person, "question.make", f"question {number}", project=project.id)
        return number


def _check_sides(workbench: Workbench, text: str, hypothesis: str) -> None:
    if not text or not hypothesis:
        raise SettingError("pair-needs-text-hypothesis", "a pair needs a text and a hypothesis")
    limits = workbench.limits
    if len(text) > limits.text or len(hypothesis) > limits.hypothesis:
        raise LimitError(
            "pair-too-long",
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
        project = taking(session, person, project_id, ProjectKind.PAIRS)
        view = View(project.view)
        new = [_pair_question(pair, _answer(pair, view, upload.shown)) for pair in pairs]
        return add_all(session, project, person, new, workbench.limits.pairs, findings)


def _answer(pair: Pair, view: View, name: str) -> str | None:
    try:
        return view.of(pair.gold).value if pair.gold else None
    except LabelError as error:
        raise LabelError(
            error.code,
            error.message,
            place=f"{name}, pair {pair.id!r}",
            hint="make a 2-way project for it",
        ) from None


def _pair_question(pair: Pair, answer: str | None) -> NewQuestion:
    text, hypothesis = writable_text(pair.text), writable_text(pair.hypothesis)
    content = {
        "pair_id": writable_text(pair.id[:200]),
        "text": text,
        "hypothesis": hypothesis,
        "task": writable_text(pair.task[:120]) if pair.task else None,
    }
    return NewQuestion(content, (text, hypothesis), answer)


# Paraphrase patterns to judge: each in a sentence with its term, and with the paraphrase put
# in.

_MOST_LINES = 1_000_000


def import_patterns(
    workbench: Workbench,
    person: Person,
    project_id: int,
    upload: Upload,
    sentences: Upload | None = None,
) -> Imported:
    """Ask about the patterns of ranked lists.

    A pattern that several lists have in one sentence is asked once. Which method found it, at which
    rank, and what others said of it no judge is told.

    Args:
        workbench: Where.
        person: Who.
        project_id: In which project.
        upload: Lists, as `ensue paraphrase score` reads them; sentences may stand beside patterns.
        sentences: A sentence a line, for the terms that have none there; the first with a term in
            it is taken.

    Raises:
        NotFoundError: there is no such project for them.
        ConflictError: it is closed.
        SettingError: it is a project of pairs.
        DataError: a file cannot be read, or no pattern has a sentence.
        LimitError: a file is too large.
    """
    from ensue.paraphrase.formats import read_lists

    findings: list[Finding] = []
    with kept(upload, workbench.limits, most_lines=_MOST_LINES) as path:
        lists = read_lists(path, on_finding=findings.append)
    new, n_without = _questions(lists, _lines(workbench, sentences))
    if not new:
        raise DataError(
            "no-pattern-sentence-term",
            "no pattern has a sentence with its term in it",
            place=upload.shown,
            hint="add a column `sentence`, or upload sentences, one a line",
        )
    with workbench.database.writing() as session:
        project = taking(session, person, project_id, ProjectKind.PATTERNS)
        _join_lists(session, project, new)
        made = add_all(session, project, person, new, workbench.limits.pairs, findings)
        return Imported(made.n_added, made.n_known, 0, n_without, made.findings)


def _lines(workbench: Workbench, upload: Upload | None) -> list[str]:
    if upload is None:
        return []
    with kept(upload, workbench.limits, most_lines=_MOST_LINES) as path:
        return list(filled_lines([path]))


def _questions(lists: RankedLists, lines: list[str]) -> tuple[list[NewQuestion], int]:
    """Each pattern with its sentence, and how many have none."""
    from ensue.paraphrase.quality import holds_term, sentences_for

    found = sentences_for(lists.terms, lines, 1)
    new: dict[str, NewQuestion] = {}
    n_without = 0
    places = zip(lists.list_of.tolist(), lists.ranks.tolist(), lists.paraphrases, strict=True)
    for i, (k, rank, paraphrase) in enumerate(places):
        term, method = lists.keys[k].term, lists.keys[k].method
        given = lists.sentences[i] if lists.sentences is not None else None
        is_given = given is not None and holds_term(given, term)
        sentence = given if is_given else next(iter(found[term]), None)
        if sentence is None:
            n_without += 1
            continue
        asked = _pattern_question(term, paraphrase, sentence)
        new.setdefault(asked.digest, asked).content["lists"].append([method, rank])
    return list(new.values()), n_without


def _pattern_question(term: str, paraphrase: str, sentence: str) -> NewQuestion:
    words = tuple(writable_text(" ".join(each.split())) for each in (term, paraphrase, sentence))
    names = ("term", "paraphrase", "sentence")
    return NewQuestion({**dict(zip(names, words, strict=True)), "lists": []}, words)


def _join_lists(session: Session, project: models.Project, new: list[NewQuestion]) -> None:
    """Note with questions that are asked already in which further lists they stand."""
    by_digest = {each.digest: each for each in new}
    digests = list(by_digest)
    for i in range(0, len(digests), ROWS):
        rows = session.scalars(
            select(models.Question).where(
                models.Question.project_id == project.id,
                models.Question.digest.in_(digests[i : i + ROWS]),
            )
        )
        for row in rows.all():
            known = row.content["lists"]
            further = [x for x in by_digest[row.digest].content["lists"] if x not in known]
            if further:
                row.content = {**row.content, "lists": [*known, *further]}
