"""From judgments to gold: the organizer's decisions, agreement, data sets and ranked lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from ensue.corpora import Annotations, Funnel, Settlement, Size, balance_pairs, settle, split_pairs
from ensue.errors import ConflictError, SettingError, UndefinedError
from ensue.pairs import Label, Pair, View
from ensue.statistics import NO_LABEL, Estimate, Resampling, krippendorff_alpha
from ensue.workbench.accounts import Person, note
from ensue.workbench.annotation.judgments import (
    JudgeAnswer,
    QuestionJudgments,
    QuestionStatus,
    counts,
    gathered,
    judged_of,
)
from ensue.workbench.annotation.projects import (
    DIFFERENT,
    LENIENT,
    STRICT,
    UNSURE,
    ProjectKind,
    check_answer,
    check_kind,
    made_by,
    owned,
    question_of,
)
from ensue.workbench.database import models
from ensue.workbench.datasets import new_dataset
from ensue.workbench.workbench import Workbench

if TYPE_CHECKING:
    from ensue.paraphrase import PatternAgreement, RankedLists

# The organizer's part: deciding where judges disagree, and removing what is controversial.


def review(
    workbench: Workbench,
    person: Person,
    project_id: int,
    standing: QuestionStatus | None = None,
    *,
    page: int = 1,
    size: int = 50,
) -> tuple[list[QuestionJudgments], dict[QuestionStatus, int]]:
    """Questions with what everybody says of them, and how many are how far.

    Raises:
        NotFoundError: there is no such project for them.
        AccessError: somebody else made it.
    """
    with workbench.database.reading() as session:
        project = owned(session, person, project_id)
        found = gathered(session, project, person, standing=standing, page=page, size=size)
        return found, counts(session, project)


def decide(
    workbench: Workbench, person: Person, question_id: int, answer: str | None, *, version: int
) -> int:
    """Say what holds where judges disagree, None for nothing; gives the project's number.

    Args:
        workbench: Where.
        person: Who.
        question_id: Of what.
        answer: The name of an answer.
        version: Of the question as one saw it.

    Raises:
        NotFoundError: there is no such question for them.
        AccessError: somebody else made its project.
        ConflictError: it lacks judgments, judges agree, or somebody judged it meanwhile.
        SettingError: what is said of patterns is not decided, but counted.
        UnknownNameError: nobody may answer so.
    """
    with workbench.database.writing() as session:
        row, project = _held(session, person, question_id, version)
        if project.kind == ProjectKind.PATTERNS:
            raise SettingError(
                "patterns-keep-all-judgments",
                "patterns keep all their judgments",
                hint="the share of yes is what is scored",
            )
        if answer is not None:
            check_answer(ProjectKind.PAIRS, View(project.view), answer, is_final=True)
        standing = _standing_of(session, project, row)
        if standing not in (QuestionStatus.DISPUTED, QuestionStatus.DECIDED):
            raise ConflictError(
                "question-nothing-decide",
                f"this question is {standing.value}: there is nothing to decide",
            )
        row.decision = answer
        row.version += 1
        note(session, person, "question.decide", f"question {row.id}", version=row.version)
        return project.id


def set_removed(
    workbench: Workbench,
    person: Person,
    question_id: int,
    *,
    removed: bool,
    version: int,
    reason: str = "",
) -> int:
    """Leave a question out of what is made of its project, or take it back; gives that one's number.

    Raises:
        NotFoundError: there is no such question for them.
        AccessError: somebody else made its project.
        ConflictError: somebody judged it meanwhile.
    """
    with workbench.database.writing() as session:
        row, project = _held(session, person, question_id, version)
        row.is_removed = removed
        row.reason = reason.strip()[:2000] if removed else ""
        row.version += 1
        note(session, person, "question.remove", f"question {row.id}", removed=removed)
        return project.id


def _held(
    session: Session, person: Person, question_id: int, version: int
) -> tuple[models.Question, models.Project]:
    row, project = question_of(session, person, question_id)
    project = made_by(session, person, project.id)
    session.refresh(row)
    if row.version != version:
        raise ConflictError(
            "somebody-judged-changed-meanwhile",
            "somebody judged or changed it meanwhile",
            hint="look at it again, then decide",
        )
    return row, project


def _standing_of(session: Session, project: models.Project, row: models.Question) -> QuestionStatus:
    query = select(models.Judgment.answer).where(models.Judgment.question_id == row.id)
    said = tuple(JudgeAnswer("", answer, "") for answer in session.scalars(query))
    return judged_of(project, row, said).standing


# From judgments to gold: agreement as it comes, and data sets at the end.

_ORDER = ("first judge", "second judge", "third judge")
_DRAWS = 1000


@dataclass(frozen=True, slots=True)
class JudgeRecord:
    """How one judge stands to the others."""

    name: str
    n_judged: int
    n_unsure: int
    n_yes: int
    """With the first of the answers: entailment."""
    n_compared: int
    """Answers of others to the same questions."""
    n_same: int
    """Of these, equal to this judge's."""


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """How far the judges of pairs agree, and what is left of the pairs."""

    judges: tuple[JudgeRecord, ...]
    columns: tuple[str, ...]
    """The names of the judges' places in `settlement`: whoever made a pair is the first."""
    settlement: Settlement | None
    """None where no pair has two judgments."""
    alpha: Estimate
    """Krippendorff's, over all judgments by whoever gave them."""
    n_unsure: int
    """Pairs of which a judge cannot tell; `settlement` measures agreement on all others."""
    draws: int = _DRAWS


def pair_agreement(workbench: Workbench, person: Person, project_id: int) -> PairAgreement:
    """Agreement so far.

    Raises:
        NotFoundError: there is no such project for them.
        AccessError: somebody else made it.
        SettingError: it is a project of patterns.
    """
    project, found = _gathered(workbench, person, project_id, ProjectKind.PAIRS)
    view, columns = View(project.view), _columns(project.n_judges)
    return PairAgreement(
        judges=_judges(found, view),
        columns=columns,
        settlement=_settlement(found, columns),
        alpha=_alpha(found, view),
        n_unsure=sum(UNSURE in each.answers for each in found),
    )


def settled_pairs(
    workbench: Workbench, person: Person, project_id: int
) -> tuple[list[Pair], list[Pair]]:
    """The pairs with the gold that was agreed or decided on, and those that were discarded.

    `meta.discarded` of the latter says why, `meta.labels` what the judges say; a pair whose gold
    the organizer decided has `meta.decided`.

    Raises:
        NotFoundError: there is no such project for them.
        AccessError: somebody else made it.
        SettingError: it is a project of patterns.
    """
    _, found = _gathered(workbench, person, project_id, ProjectKind.PAIRS)
    return _settled(found)


def make_datasets(
    workbench: Workbench,
    person: Person,
    project_id: int,
    parts: Mapping[str, Size],
    *,
    balanced: bool = True,
    seed: int = 0,
) -> list[int]:
    """Make data sets of the pairs that are settled, and give their numbers.

    Args:
        workbench: Where.
        person: Who.
        project_id: Of which project.
        parts: Names of data sets, with a count of pairs, a share, or None for the rest.
        balanced: Whether each task gives as many pairs of each label.
        seed: Of the lots.

    Raises:
        NotFoundError: there is no such project for them.
        AccessError: somebody else made it.
        SettingError: it is a project of patterns, or the sizes make no sense.
        ConflictError: a part would be empty.
    """
    if not parts:
        raise SettingError("say-data-sets-called", "say what the data sets are to be called")
    kept, _ = settled_pairs(workbench, person, project_id)
    chosen = balance_pairs(kept, seed=seed) if balanced else kept
    cut = split_pairs(chosen, list(parts.values()), seed=seed)
    for name, pairs in zip(parts, cut, strict=True):
        if not pairs:
            raise ConflictError(
                "no-pairs-left",
                f"no pairs are left for {name!r}",
                hint=f"{len(kept)} are settled, {len(chosen)} of them balanced"
                if balanced
                else f"{len(kept)} are settled",
            )
    with workbench.database.writing() as session:
        project = made_by(session, person, project_id)
        made = [
            new_dataset(session, person, name, pairs)
            for name, pairs in zip(parts, cut, strict=True)
        ]
        session.add_all(
            models.ProjectData(project_id=project.id, dataset_id=row.id) for row in made
        )
        note(session, person, "project.data", f"project {project.id}", data=[x.id for x in made])
        return [row.id for row in made]


def _gathered(
    workbench: Workbench, person: Person, project_id: int, kind: ProjectKind
) -> tuple[models.Project, list[QuestionJudgments]]:
    with workbench.database.reading() as session:
        project = owned(session, person, project_id)
        check_kind(project, kind)
        return project, gathered(session, project, person)


def _columns(n_judges: int) -> tuple[str, ...]:
    return (*_ORDER, *(f"judge {i}" for i in range(len(_ORDER) + 1, n_judges + 1)))[:n_judges]


def _places(answers: Sequence[str], n_judges: int) -> tuple[Label | None, ...]:
    """What stands in each judge's place; a judge too many can break an agreement, not make one."""
    labels: list[Label | None] = [Label(each) for each in answers[:n_judges]]
    labels += [None] * (n_judges - len(labels))
    differing = [each for each in answers[n_judges:] if each != answers[0]]
    if differing:
        labels[-1] = Label(differing[0])
    return tuple(labels)


def _settlement(found: Sequence[QuestionJudgments], columns: tuple[str, ...]) -> Settlement | None:
    """What comes of the judgments, were no decisions made."""
    sure = [each for each in found if UNSURE not in each.answers]
    annotations = Annotations(
        columns,
        tuple(pairs_of(sure)),
        tuple(_places(each.answers, len(columns)) for each in sure),
    )
    removed = {
        pair.id
        for pair, each in zip(annotations.pairs, sure, strict=True)
        if each.standing is QuestionStatus.REMOVED
    }
    try:
        made = settle(annotations, removed=removed, resampling=Resampling(draws=_DRAWS))
    except (SettingError, UndefinedError):  # one judge a pair, or none that has them all
        return None
    n_unsure = len(found) - len(sure)
    n_judged = sum(len(x.said) >= len(columns) for x in found) - made.funnel.judged
    funnel = made.funnel
    return replace(
        made,
        funnel=Funnel(
            funnel.created + n_unsure, funnel.judged + n_judged, funnel.agreed, funnel.kept
        ),
    )


def _settled(found: Sequence[QuestionJudgments]) -> tuple[list[Pair], list[Pair]]:
    kept, discarded = [], []
    for each, pair in zip(found, pairs_of(found), strict=True):
        if each.standing is QuestionStatus.AGREED:
            kept.append(replace(pair, gold=Label(each.answers[0])))
        elif each.standing is QuestionStatus.DECIDED:
            gold = Label(each.decision or "")
            kept.append(replace(pair, gold=gold, meta={**pair.meta, "decided": True}))
        else:
            discarded.append(_discarded(pair, each))
    return kept, discarded


def _discarded(pair: Pair, each: QuestionJudgments) -> Pair:
    reason = {
        QuestionStatus.OPEN: "not judged",
        QuestionStatus.REMOVED: f"review: {each.reason}" if each.reason else "review",
    }.get(each.standing, "cannot tell" if UNSURE in each.answers else "disagreement")
    labels = {said.judge: said.answer for said in each.said}
    return replace(pair, meta={**pair.meta, "discarded": reason, "labels": labels})


def pairs_of(found: Sequence[QuestionJudgments]) -> list[Pair]:
    """The pairs of questions, without gold; ids are those that they came with, each once."""
    pairs: list[Pair] = []
    used: set[str] = set()
    for each in found:
        given = each.content["pair_id"] or f"q{each.id}"
        pair_id = given if given not in used else f"{given}-q{each.id}"
        used.add(pair_id)
        content = each.content
        pairs.append(Pair(pair_id, content["text"], content["hypothesis"], task=content["task"]))
    return pairs


def _judges(found: Sequence[QuestionJudgments], view: View) -> tuple[JudgeRecord, ...]:
    yes = view.labels[0].value
    records: dict[str, list[int]] = {}
    for each in found:
        for said in each.said:
            others = [x.answer for x in each.said if x.judge != said.judge]
            counted = [
                1,
                said.answer == UNSURE,
                said.answer == yes,
                len(others),
                others.count(said.answer),
            ]
            record = records.setdefault(said.judge, [0] * len(counted))
            for i, n in enumerate(counted):
                record[i] += n
    return tuple(JudgeRecord(name, *counts) for name, counts in sorted(records.items()))


def _alpha(found: Sequence[QuestionJudgments], view: View) -> Estimate:
    names = sorted({said.judge for each in found for said in each.said})
    if len(names) < 2:
        return Estimate(None, reason="fewer than two people have judged")
    column = {name: j for j, name in enumerate(names)}
    code = {label.value: i for i, label in enumerate(view.labels)}
    codes = np.full((len(found), len(names)), NO_LABEL, np.int64)
    for i, each in enumerate(found):
        for said in each.said:
            codes[i, column[said.judge]] = code.get(said.answer, NO_LABEL)
    return krippendorff_alpha(codes, resampling=Resampling(draws=_DRAWS))


# Judged patterns as ranked lists: for agreement, for scores, and to take away.


def judged_lists(workbench: Workbench, person: Person, project_id: int) -> RankedLists:
    """The lists that were imported, with a column for each judge and strictness.

    Patterns that the review removed are left out; whoever cannot tell gave no label.

    Raises:
        NotFoundError: there is no such project for them.
        AccessError: somebody else made it.
        SettingError: it is a project of pairs.
    """
    found = _patterns(workbench, person, project_id)
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

    found = _patterns(workbench, person, project_id)
    places = [(each.content["term"], "", i, each) for i, each in enumerate(found)]
    try:
        return judge_agreement(
            _lists(places, f"project {project_id}"), resampling=Resampling(draws=_DRAWS)
        )
    except UndefinedError:
        return None


def _patterns(workbench: Workbench, person: Person, project_id: int) -> list[QuestionJudgments]:
    _, found = _gathered(workbench, person, project_id, ProjectKind.PATTERNS)
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
