"""Paraphrase patterns to judge: each in a sentence with its term, and with the paraphrase put in.

So Shima & Mitamura (2011, section 3.1) had theirs judged, "so that contextual information could help
annotators to make consistent judgments".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.orm import Session

from ensue.errors import DataError
from ensue.pairs import Finding
from ensue.pairs.files import filled_lines
from ensue.workbench.accounts.people import Person
from ensue.workbench.annotating.answers import Kind
from ensue.workbench.annotating.questions import ROWS, Imported, NewQuestion, add_all, taking
from ensue.workbench.database import models
from ensue.workbench.database.types import writable_text
from ensue.workbench.datasets.uploads import Upload, kept
from ensue.workbench.workbench import Workbench

if TYPE_CHECKING:
    from ensue.paraphrase import RankedLists

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
    from ensue.paraphrase.reading import read_lists

    findings: list[Finding] = []
    with kept(upload, workbench.limits, most_lines=_MOST_LINES) as path:
        lists = read_lists(path, on_finding=findings.append)
    new, n_without = _questions(lists, _lines(workbench, sentences))
    if not new:
        raise DataError(
            "no pattern has a sentence with its term in it",
            place=upload.shown,
            hint="add a column `sentence`, or upload sentences, one a line",
        )
    with workbench.database.writing() as session:
        project = taking(session, person, project_id, Kind.PATTERNS)
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
    from ensue.paraphrase.qualities.sentences import holds_term, sentences_for

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
        asked = _question(term, paraphrase, sentence)
        new.setdefault(asked.digest, asked).content["lists"].append([method, rank])
    return list(new.values()), n_without


def _question(term: str, paraphrase: str, sentence: str) -> NewQuestion:
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
