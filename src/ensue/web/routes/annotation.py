"""Annotate: projects, what they ask, judging blind, and the organizer's review."""

from __future__ import annotations

from typing import Annotated

from fastapi import Form, Query, Response, UploadFile
from fastapi.responses import RedirectResponse

from ensue.pairs import View
from ensue.reports import agreement_tables
from ensue.reports.paraphrase import judge_tables
from ensue.statistics import Resampling
from ensue.web.access import MOST, Asking, Id, PageNumber, Title, Who, uploaded
from ensue.web.pages import Content, Done, Pages, download, pairs_file
from ensue.workbench.annotation import (
    ProjectKind,
    ProjectPlan,
    ProjectRecord,
    QuestionStatus,
    add_annotator,
    annotators,
    answers,
    decide,
    find_project,
    find_question,
    given_by,
    import_pairs,
    import_patterns,
    judge,
    judged_lines,
    make_datasets,
    make_pair,
    make_project,
    n_changes,
    next_question,
    pair_agreement,
    pattern_agreement,
    projects_for,
    remove_annotator,
    review,
    set_closed,
    set_guidelines,
    set_removed,
    settled_pairs,
)

PAGES = Pages("annotate")

_SHOWN = 50
"""Questions on a page."""

Name = Annotated[str, Form(max_length=80)]
Long = Annotated[str, Form(max_length=100_000)]
Version = Annotated[int, Form(ge=0, le=MOST)]


@PAGES.page("/annotate", "annotate/list.html", who=Who.SIGNED_IN)
def projects(asked: Asking) -> Content:
    """Show the projects that one made or judges in."""
    return {
        "projects": projects_for(asked.workbench, asked.person),
        "may_make": asked.person.is_organizer,
        "kinds": list(ProjectKind),
        "views": list(View),
    }


@PAGES.action("/annotate", who=Who.ORGANIZER)
def new_project(
    asked: Asking,
    name: Title,
    kind: Annotated[ProjectKind, Form()] = ProjectKind.PAIRS,
    judges: Annotated[int, Form(ge=1, le=100)] = 2,
    view: Annotated[View, Form()] = View.TWO_WAY,
    guidelines: Long = "",
) -> Done:
    """Make a project."""
    plan = ProjectPlan(name, kind, judges, view, guidelines)
    number = make_project(asked.workbench, asked.person, plan)
    return Done(f"/annotate/{number}", {"project": number})


@PAGES.page("/annotate/{project_id:int}", "annotate/show.html", who=Who.SIGNED_IN)
def project(asked: Asking, project_id: Id) -> Content:
    """Show a project: to its judges what to do, to its organizer how it stands."""
    record = find_project(asked.workbench, asked.person, project_id)
    content: dict[str, object] = {
        "project": record,
        "answers": answers(record.kind, record.view),
    }
    if record.is_own:
        content |= _standing(asked, record)
    return content


def _standing(asked: Asking, record: ProjectRecord) -> dict[str, object]:
    workbench, person = asked.workbench, asked.person
    changes = n_changes(workbench, person, record.id)  # before the rest, so that none is missed
    _, counts = review(workbench, person, record.id, size=1)
    content: dict[str, object] = {
        "changes": changes,
        "counts": counts,
        "people": annotators(workbench, person, record.id),
    }
    if record.kind is ProjectKind.PATTERNS:
        found = pattern_agreement(workbench, person, record.id)
        return content | {"tables": judge_tables(found, every=False) if found else []}
    agreement = pair_agreement(workbench, person, record.id)
    tables = (
        agreement_tables(
            agreement.settlement,
            agreement.columns,
            resampling=Resampling(draws=agreement.draws, seed=0),
        )
        if agreement.settlement
        else []
    )
    return content | {
        "tables": tables,
        "judges": agreement.judges,
        "alpha": agreement.alpha,
        "n_unsure": agreement.n_unsure,
        "n_settled": counts[QuestionStatus.AGREED] + counts[QuestionStatus.DECIDED],
    }


@PAGES.file("/annotate/{project_id:int}/changes", who=Who.SIGNED_IN)
def changed(
    asked: Asking, project_id: Id, seen: Annotated[int, Query(ge=0, le=2**53)] = 0
) -> Response:
    """Send a page that asks every few seconds to how the project stands, if that is news."""
    if n_changes(asked.workbench, asked.person, project_id) == seen:
        return Response(status_code=204)
    return RedirectResponse(f"/annotate/{project_id}", status_code=303)


@PAGES.action("/annotate/{project_id:int}/people", who=Who.SIGNED_IN)
def new_annotator(asked: Asking, project_id: Id, name: Name) -> Done:
    """Let somebody judge."""
    add_annotator(asked.workbench, asked.person, project_id, name.strip())
    return Done(f"/annotate/{project_id}#people")


@PAGES.action("/annotate/{project_id:int}/people/remove", who=Who.SIGNED_IN)
def take_annotator_away(asked: Asking, project_id: Id, name: Name) -> Done:
    """Let somebody judge no more."""
    remove_annotator(asked.workbench, asked.person, project_id, name)
    return Done(f"/annotate/{project_id}#people")


@PAGES.action("/annotate/{project_id:int}/guidelines", who=Who.SIGNED_IN)
def new_guidelines(asked: Asking, project_id: Id, guidelines: Long, version: Version) -> Done:
    """Tell judges something else."""
    set_guidelines(asked.workbench, asked.person, project_id, guidelines, version)
    return Done(f"/annotate/{project_id}")


@PAGES.action("/annotate/{project_id:int}/close", who=Who.SIGNED_IN)
def close_project(asked: Asking, project_id: Id, closed: Annotated[bool, Form()] = True) -> Done:
    """Take no more judgments, or take them again."""
    set_closed(asked.workbench, asked.person, project_id, closed=closed)
    return Done(f"/annotate/{project_id}")


@PAGES.action("/annotate/{project_id:int}/pairs", who=Who.SIGNED_IN)
def new_pair(
    asked: Asking,
    project_id: Id,
    text: Long,
    hypothesis: Long,
    answer: Annotated[str, Form(max_length=20)],
    task: Title = "",
) -> Done:
    """Make a pair, and judge it first."""
    number = make_pair(
        asked.workbench,
        asked.person,
        project_id,
        text=text,
        hypothesis=hypothesis,
        answer=answer,
        task=task,
    )
    return Done(f"/annotate/{project_id}/make", {"question": number})


@PAGES.page("/annotate/{project_id:int}/make", "annotate/make.html", who=Who.SIGNED_IN)
def making(asked: Asking, project_id: Id) -> Content:
    """Show a form for pairs, and what one made last."""
    record = find_project(asked.workbench, asked.person, project_id)
    return {
        "project": record,
        "answers": answers(record.kind, record.view)[:-1],
        "given": given_by(asked.workbench, asked.person, project_id, size=5),
    }


@PAGES.action("/annotate/{project_id:int}/import", who=Who.SIGNED_IN)
def import_file(
    asked: Asking, project_id: Id, file: UploadFile, sentences: UploadFile | None = None
) -> Done:
    """Ask about the pairs, or the patterns, of a file."""
    record = find_project(asked.workbench, asked.person, project_id)
    if record.kind is ProjectKind.PAIRS:
        made = import_pairs(asked.workbench, asked.person, project_id, uploaded(file))
    else:
        given = sentences if sentences is not None and sentences.filename else None
        beside = uploaded(given) if given else None
        made = import_patterns(asked.workbench, asked.person, project_id, uploaded(file), beside)
    return Done(f"/annotate/{project_id}#questions", {"imported": made})


@PAGES.page("/annotate/{project_id:int}/next", "annotate/judge.html", who=Who.SIGNED_IN)
def next_to_judge(asked: Asking, project_id: Id) -> Content:
    """Show what one is to judge next."""
    record = find_project(asked.workbench, asked.person, project_id)
    return {
        "project": record,
        "question": next_question(asked.workbench, asked.person, project_id),
        "answers": answers(record.kind, record.view),
        "last": given_by(asked.workbench, asked.person, project_id, size=1),
    }


@PAGES.page("/annotate/questions/{question_id:int}", "annotate/judge.html", who=Who.SIGNED_IN)
def one_question(asked: Asking, question_id: Id) -> Content:
    """Show a question with one's own judgment, to change it."""
    question = find_question(asked.workbench, asked.person, question_id)
    record = find_project(asked.workbench, asked.person, question.project_id)
    return {
        "project": record,
        "question": question,
        "answers": answers(record.kind, record.view),
        "last": [],
    }


@PAGES.action("/annotate/questions/{question_id:int}/judgment", who=Who.SIGNED_IN)
def keep_judgment(
    asked: Asking,
    question_id: Id,
    answer: Annotated[str, Form(max_length=20)],
    version: Version = 0,
    remark: Annotated[str, Form(max_length=2000)] = "",
) -> Done:
    """Keep a judgment; the same one again changes nothing."""
    kept = judge(asked.workbench, asked.person, question_id, answer, version=version, remark=remark)
    return Done(f"/annotate/{kept.project_id}/next", {"judgment": kept})


@PAGES.page("/annotate/{project_id:int}/mine", "annotate/mine.html", who=Who.SIGNED_IN)
def own_judgments(asked: Asking, project_id: Id, page: PageNumber = 1) -> Content:
    """Show what one judged, to look again."""
    found = given_by(asked.workbench, asked.person, project_id, page=page, size=_SHOWN + 1)
    return {
        "project": find_project(asked.workbench, asked.person, project_id),
        "given": found[:_SHOWN],
        "page": page,
        "has_more": len(found) > _SHOWN,
    }


@PAGES.page("/annotate/{project_id:int}/review", "annotate/review.html", who=Who.SIGNED_IN)
def review_page(
    asked: Asking, project_id: Id, standing: QuestionStatus | None = None, page: PageNumber = 1
) -> Content:
    """Show questions with what everybody says of them, to decide and to remove."""
    record = find_project(asked.workbench, asked.person, project_id)
    found, counts = review(
        asked.workbench, asked.person, project_id, standing, page=page, size=_SHOWN
    )
    n_found = counts[standing] if standing else sum(counts.values())
    return {
        "project": record,
        "questions": found,
        "counts": counts,
        "standing": standing,
        "answers": answers(record.kind, record.view)[:-1],
        "page": page,
        "has_more": page * _SHOWN < n_found,
    }


@PAGES.action("/annotate/questions/{question_id:int}/decision", who=Who.SIGNED_IN)
def keep_decision(
    asked: Asking,
    question_id: Id,
    version: Version,
    answer: Annotated[str, Form(max_length=20)] = "",
) -> Done:
    """Decide where judges disagree."""
    number = decide(asked.workbench, asked.person, question_id, answer or None, version=version)
    return Done(f"/annotate/{number}/review?standing=disputed")


@PAGES.action("/annotate/questions/{question_id:int}/remove", who=Who.SIGNED_IN)
def remove_question(
    asked: Asking,
    question_id: Id,
    version: Version,
    removed: Annotated[bool, Form()] = True,
    reason: Annotated[str, Form(max_length=2000)] = "",
    standing: Annotated[QuestionStatus | None, Form()] = None,
) -> Done:
    """Leave a question out, or take it back."""
    number = set_removed(
        asked.workbench,
        asked.person,
        question_id,
        removed=removed,
        version=version,
        reason=reason,
    )
    again = f"?standing={standing.value}" if standing else ""
    return Done(f"/annotate/{number}/review{again}")


@PAGES.action("/annotate/{project_id:int}/data", who=Who.SIGNED_IN)
def new_data(
    asked: Asking,
    project_id: Id,
    name: Title,
    development: Annotated[int, Form(ge=0, le=99)] = 0,
    balanced: Annotated[bool, Form()] = False,
    seed: Annotated[int, Form(ge=0, le=MOST)] = 0,
) -> Done:
    """Make data sets of what is settled: one, or a development and a test set."""
    name = name.strip()
    parts: dict[str, float | None] = (
        {f"{name} development": development / 100, f"{name} test": None}
        if development
        else {name: None}
    )
    made = make_datasets(
        asked.workbench, asked.person, project_id, parts, balanced=balanced, seed=seed
    )
    return Done(f"/data/{made[-1]}", {"datasets": made})


@PAGES.file("/annotate/{project_id:int}/settled.jsonl", who=Who.SIGNED_IN)
def settled_file(asked: Asking, project_id: Id) -> Response:
    """Give the pairs that are settled, with gold."""
    kept, _ = settled_pairs(asked.workbench, asked.person, project_id)
    return pairs_file(kept, "settled.jsonl")


@PAGES.file("/annotate/{project_id:int}/discarded.jsonl", who=Who.SIGNED_IN)
def discarded_file(asked: Asking, project_id: Id) -> Response:
    """Give the pairs that are not, with why and with what the judges say."""
    _, discarded = settled_pairs(asked.workbench, asked.person, project_id)
    return pairs_file(discarded, "discarded.jsonl")


@PAGES.file("/annotate/{project_id:int}/lists.jsonl", who=Who.SIGNED_IN)
def lists_file(asked: Asking, project_id: Id) -> Response:
    """Give ranked lists with a column for each judge and strictness."""
    return download(judged_lines(asked.workbench, asked.person, project_id), "lists.jsonl")
