"""Annotation projects: who made, sees and judges them, and the answers to choose from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import exists, func, or_, select
from sqlalchemy.orm import Session

from ensue.errors import AccessError, ConflictError, NotFoundError, SettingError, UnknownNameError
from ensue.pairs import Label, View
from ensue.workbench.accounts import Person, Role, find_person, note
from ensue.workbench.database import models
from ensue.workbench.workbench import Workbench

# What a judge may say, in the order of the keys that say it.


class ProjectKind(StrEnum):
    """What a project asks about."""

    PAIRS = "pairs"
    """Whether a hypothesis follows from a text."""
    PATTERNS = "patterns"
    """Whether a paraphrase can take the place of a term in a sentence."""


@dataclass(frozen=True, slots=True)
class AnswerChoice:
    """Something that a judge may say."""

    name: str
    title: str
    """On the button."""
    meaning: str
    """Below it."""
    key: str


STRICT, LENIENT, DIFFERENT = "strict", "lenient", "different"
"""Of patterns: the first is a strict and a lenient yes, the second a lenient one alone."""
UNSURE = "unsure"
"""An answer that is none: whatever a judge cannot decide is controversial."""

_OF_LABELS = {
    Label.ENTAILMENT: ("It follows", "A person who reads the text would say that it is so."),
    Label.NOT_ENTAILMENT: ("It does not follow", "The text does not say so, or denies it."),
    Label.CONTRADICTION: ("It is denied", "If the text is true, the hypothesis is false."),
    Label.UNKNOWN: ("It is left open", "The text neither says so nor denies it."),
}
_OF_PATTERNS = {
    STRICT: ("The same, and good English", "The meaning is the same, and the sentence is correct."),
    LENIENT: ("The same, but bad English", "The meaning is the same; the sentence is not correct."),
    DIFFERENT: ("Not the same", "The second sentence says something else, or nothing."),
}
_UNSURE = ("Cannot tell", "The organizer will look at it; it is better left out than guessed.")


def answers(kind: ProjectKind, view: View) -> tuple[AnswerChoice, ...]:
    """What a judge may say, with its keys.

    >>> [(each.key, each.name) for each in answers(ProjectKind.PAIRS, View.TWO_WAY)]
    [('1', 'entailment'), ('2', 'not-entailment'), ('3', 'unsure')]
    """
    words = (
        _OF_PATTERNS
        if kind is ProjectKind.PATTERNS
        else {x.value: _OF_LABELS[x] for x in view.labels}
    )
    offered = {**words, UNSURE: _UNSURE}
    return tuple(
        AnswerChoice(name, title, meaning, str(key))
        for key, (name, (title, meaning)) in enumerate(offered.items(), 1)
    )


def check_answer(kind: ProjectKind, view: View, name: str, *, is_final: bool = False) -> None:
    """See that a judge may say so, or an organizer where it is final.

    Raises:
        UnknownNameError: they may not.
    """
    known = {each.name for each in answers(kind, view)} - ({UNSURE} if is_final else set())
    if name not in known:
        raise UnknownNameError.of("answer", name, known)


GUIDELINES = {
    ProjectKind.PAIRS: """\
Does the hypothesis follow from the text, as people commonly read and understand it? Take it that the text is true, and use what everybody knows about language and the world.

All of the hypothesis has to follow: where a part of it cannot be had from the text, it does not follow.

What is very probable follows, even if it is not certain. What is merely possible does not.

Leave tense aside: text and hypothesis may have been written at different times.

Judge by these two alone, not by what you know of the story. If you are in doubt for long, say that you cannot tell.
""",
    ProjectKind.PATTERNS: """\
The first sentence has a term, the second a paraphrase in its place. Do both say the same, here, in this sentence?

If the meaning is the same and the second sentence is correct English, it is the same, and good English.

If the meaning is the same but something is wrong with the second sentence (an ending, a preposition, an article), it is the same, but bad English.

If the second sentence says more, less or something else, or makes no sense, it is not the same.
""",
}
"""What judges are told where the organizer says nothing else, after Dagan, Glickman & Magnini (2005, section 2.2) and Shima & Mitamura (2011, section 3.1)."""


# The rows of projects that somebody may see, made, or judges in.


def seen(session: Session, person: Person, project_id: int) -> models.Project:
    """The row of a project that somebody may see.

    Raises:
        NotFoundError: there is none, or it is not for them.
    """
    row = session.get(models.Project, project_id)
    if row is None or not (row.owner_id == person.id or is_annotator(session, person, project_id)):
        raise NotFoundError("no-project", f"there is no project {project_id}")
    return row


def question_of(
    session: Session, person: Person, question_id: int
) -> tuple[models.Question, models.Project]:
    """The row of a question and of its project, which somebody may see.

    Raises:
        NotFoundError: there is none, or it is not for them; in the same words.
    """
    row = session.get(models.Question, question_id)
    if row is not None:
        try:
            return row, seen(session, person, row.project_id)
        except NotFoundError:
            pass
    raise NotFoundError("no-question", f"there is no question {question_id}")


def owned(session: Session, person: Person, project_id: int) -> models.Project:
    """The row of a project that somebody made.

    Raises:
        NotFoundError: there is none, or it is not for them.
        AccessError: they judge in it, and somebody else made it.
    """
    row = seen(session, person, project_id)
    if row.owner_id != person.id:
        raise AccessError("whoever-made-project", "this is for whoever made the project")
    return row


def made_by(session: Session, person: Person, project_id: int) -> models.Project:
    """The same, held until the transaction ends.

    Raises:
        NotFoundError: there is none, or it is not for them.
        AccessError: they judge in it, and somebody else made it.
    """
    return models.held(session, models.Project, owned(session, person, project_id).id)


def open_to(session: Session, person: Person, project_id: int) -> models.Project:
    """The row of a project in which somebody may judge now, held until the transaction ends.

    Raises:
        NotFoundError: there is none, or it is not for them.
        AccessError: they do not judge in it.
        ConflictError: it is closed.
    """
    seen(session, person, project_id)
    if not is_annotator(session, person, project_id):
        raise AccessError(
            "you-not-judge", "you do not judge here", hint="add yourself to the judges first"
        )
    row = models.held(session, models.Project, project_id)
    check_open(row)
    return row


def check_open(row: models.Project) -> None:
    """See that a project takes questions and judgments.

    Raises:
        ConflictError: it is closed.
    """
    if row.is_closed:
        raise ConflictError(
            "project-closed", "the project is closed", hint="whoever made it can open it again"
        )


def check_kind(row: models.Project, kind: ProjectKind) -> None:
    """See that a project asks about pairs, or about patterns.

    Raises:
        SettingError: it asks about the others.
    """
    if row.kind != kind:
        raise SettingError("project-not", f"this project is about {row.kind}, and not about {kind}")


def is_annotator(session: Session, person: Person, project_id: int) -> bool:
    """Whether somebody judges in a project."""
    return session.get(models.Annotator, (project_id, person.id)) is not None


def knows_gold(session: Session, person: Person, dataset_id: int) -> bool:
    """Whether somebody judged pairs of the project that a data set was made of."""
    query = (
        select(models.Judgment.question_id)
        .join(models.Question, models.Question.id == models.Judgment.question_id)
        .join(
            models.ProjectData,
            models.ProjectData.project_id == models.Question.project_id,
        )
        .where(models.ProjectData.dataset_id == dataset_id, models.Judgment.user_id == person.id)
    )
    return bool(session.scalar(select(exists(query))))


# Projects: made by an organizer, given to annotators, closed at the end.

_MOST_JUDGES = 20


@dataclass(frozen=True, slots=True)
class ProjectPlan:
    """What an organizer decides."""

    name: str
    kind: ProjectKind = ProjectKind.PAIRS
    n_judges: int = 2
    """For each question; who made a pair is one of them."""
    view: View = View.TWO_WAY
    guidelines: str = ""
    """Ours where it is empty."""


@dataclass(frozen=True, slots=True)
class ProjectRecord:
    """A project, as somebody sees it."""

    id: int
    name: str
    kind: ProjectKind
    view: View
    n_judges: int
    guidelines: str
    version: int
    """Of the guidelines."""
    owner: str
    created: datetime
    is_closed: bool
    n_questions: int
    n_done: int
    """Questions with all their judgments."""
    n_mine: int
    """Judgments by the one who asks."""
    is_own: bool
    is_annotator: bool


def make_project(workbench: Workbench, person: Person, plan: ProjectPlan) -> int:
    """Make a project, and give its number.

    Raises:
        AccessError: they are no organizer.
        SettingError: the plan makes no sense.
    """
    if not person.is_organizer:
        raise AccessError("projects-made-organizers", "projects are made by organizers")
    if not plan.name.strip():
        raise SettingError("project-needs-name", "a project needs a name")
    if not 1 <= plan.n_judges <= _MOST_JUDGES:
        raise SettingError(
            "question-judges",
            f"a question has 1 to {_MOST_JUDGES} judges",
            hint="PASCAL had two, DIMPLE two or three",
        )
    with workbench.database.writing() as session:
        row = models.Project(
            name=plan.name.strip()[:120],
            kind=plan.kind.value,
            view=plan.view.value,
            guidelines=plan.guidelines.strip() or GUIDELINES[plan.kind],
            owner_id=person.id,
            n_judges=plan.n_judges,
        )
        session.add(row)
        session.flush()
        note(session, person, "project.make", f"project {row.id}", kind=row.kind)
        return row.id


def projects_for(workbench: Workbench, person: Person) -> list[ProjectRecord]:
    """The projects that somebody made or judges in, the latest first."""
    theirs = select(models.Annotator.project_id).where(models.Annotator.user_id == person.id)
    query = (
        select(models.Project)
        .where(or_(models.Project.owner_id == person.id, models.Project.id.in_(theirs)))
        .order_by(models.Project.id.desc())
    )
    with workbench.database.reading() as session:
        return [_record(session, row, person) for row in session.scalars(query).all()]


def find_project(workbench: Workbench, person: Person, project_id: int) -> ProjectRecord:
    """A project that somebody may see.

    Raises:
        NotFoundError: there is none, or it is not for them.
    """
    with workbench.database.reading() as session:
        return _record(session, seen(session, person, project_id), person)


def n_changes(workbench: Workbench, person: Person, project_id: int) -> int:
    """How often something was asked, judged, decided or removed in a project; it only grows.

    Raises:
        NotFoundError: there is no such project for them.
        AccessError: somebody else made it.
    """
    changes = func.count() + func.coalesce(func.sum(models.Question.version), 0)
    query = select(changes).where(models.Question.project_id == project_id)
    with workbench.database.reading() as session:
        owned(session, person, project_id)
        return int(session.scalar(query) or 0)


def annotators(workbench: Workbench, person: Person, project_id: int) -> list[str]:
    """Who judges in a project, by name.

    Raises:
        NotFoundError: there is no such project for them.
        AccessError: somebody else made it.
    """
    query = (
        select(models.User.name)
        .join(models.Annotator, models.Annotator.user_id == models.User.id)
        .where(models.Annotator.project_id == project_id)
        .order_by(models.User.name)
    )
    with workbench.database.reading() as session:
        owned(session, person, project_id)
        return list(session.scalars(query))


def add_annotator(workbench: Workbench, person: Person, project_id: int, name: str) -> None:
    """Let somebody judge in a project.

    Raises:
        NotFoundError: there is no such project for them, or nobody is called so.
        AccessError: somebody else made the project.
        ConflictError: participants may not, who would know the gold of a challenge.
    """
    with workbench.database.writing() as session:
        made_by(session, person, project_id)
        judge = find_person(session, name)
        if judge.role is Role.PARTICIPANT:
            raise ConflictError(
                "take-part-challenges-gold",
                f"{name!r} is here to take part in challenges, whose gold judges may come to know",
                hint="judges are annotators or organizers",
            )
        if not is_annotator(session, judge, project_id):
            session.add(models.Annotator(project_id=project_id, user_id=judge.id))
            note(session, person, "project.annotator", f"project {project_id}", user=judge.id)


def remove_annotator(workbench: Workbench, person: Person, project_id: int, name: str) -> None:
    """Let somebody judge no more; what they judged stays.

    Raises:
        NotFoundError: there is no such project for them, or nobody of this name judges in it.
        AccessError: somebody else made the project.
    """
    with workbench.database.writing() as session:
        made_by(session, person, project_id)
        row = session.scalar(
            select(models.Annotator)
            .join(models.User, models.User.id == models.Annotator.user_id)
            .where(models.Annotator.project_id == project_id, models.User.name == name)
        )
        if row is None:
            raise NotFoundError("not-judge", f"{name!r} does not judge here")
        session.delete(row)
        note(session, person, "project.annotator_gone", f"project {project_id}", user=row.user_id)


def set_guidelines(
    workbench: Workbench, person: Person, project_id: int, guidelines: str, version: int
) -> None:
    """Tell judges something else from now on.

    Raises:
        NotFoundError: there is no such project for them.
        AccessError: somebody else made it.
        ConflictError: they were changed since `version`.
        SettingError: there are none.
    """
    if not guidelines.strip():
        raise SettingError("judges-need-guidelines", "judges need guidelines")
    with workbench.database.writing() as session:
        row = made_by(session, person, project_id)
        if row.version != version:
            raise ConflictError(
                "guidelines-changed-meanwhile",
                "the guidelines were changed meanwhile",
                hint="open the page again, and compare",
            )
        row.guidelines, row.version = guidelines.strip(), version + 1
        note(session, person, "project.guidelines", f"project {row.id}", version=row.version)


def set_closed(workbench: Workbench, person: Person, project_id: int, *, closed: bool) -> None:
    """Take no more judgments, or take them again.

    Raises:
        NotFoundError: there is no such project for them.
        AccessError: somebody else made it.
    """
    with workbench.database.writing() as session:
        row = made_by(session, person, project_id)
        row.is_closed = closed
        note(session, person, "project.close", f"project {row.id}", closed=closed)


def _record(session: Session, row: models.Project, person: Person) -> ProjectRecord:
    here = models.Question.project_id == row.id
    done = models.Question.n_judgments >= row.n_judges
    mine = (
        select(func.count())
        .select_from(models.Judgment)
        .join(models.Question, models.Question.id == models.Judgment.question_id)
        .where(here, models.Judgment.user_id == person.id)
    )
    return models.record_of(
        ProjectRecord,
        row,
        kind=ProjectKind(row.kind),
        view=View(row.view),
        owner=session.get_one(models.User, row.owner_id).name,
        n_questions=session.scalar(select(func.count()).where(here)) or 0,
        n_done=session.scalar(select(func.count()).where(here, done)) or 0,
        n_mine=session.scalar(mine) or 0,
        is_own=row.owner_id == person.id,
        is_annotator=is_annotator(session, person, row.id),
    )
