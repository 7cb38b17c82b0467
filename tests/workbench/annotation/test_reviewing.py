"""The organizer's decisions and light review."""

import pytest
from tests.errors import coded
from tests.workbench.annotation.conftest import NO, YES, judge_all, pair, upload

from ensue.errors import ConflictError
from ensue.pairs import Label
from ensue.workbench.annotation.judgments import QuestionStatus, judge, next_question
from ensue.workbench.annotation.projects import UNSURE, add_annotator, set_closed
from ensue.workbench.annotation.questions import import_pairs
from ensue.workbench.annotation.settlement import (
    decide,
    pair_agreement,
    review,
    set_removed,
    settled_pairs,
)


def test_disagreement_is_discarded_unless_the_organizer_decides(workbench, ada, judges, project):
    cleo, dan, _ = judges
    number = pair(workbench, cleo, project, 1)
    judge(workbench, dan, number, NO)
    assert settled_pairs(workbench, ada, project)[0] == []
    (found,), counts = review(workbench, ada, project, QuestionStatus.DISPUTED)
    assert counts[QuestionStatus.DISPUTED] == 1
    decide(workbench, ada, number, NO, version=found.version)
    (kept,), _ = settled_pairs(workbench, ada, project)
    assert (kept.gold, kept.meta) == (Label.NOT_ENTAILMENT, {"decided": True})
    with pytest.raises(ConflictError, check=coded("organizer-decided")):
        judge(workbench, dan, number, YES, version=1)
    (found,), _ = review(workbench, ada, project, QuestionStatus.DECIDED)
    decide(workbench, ada, number, None, version=found.version)
    assert settled_pairs(workbench, ada, project)[0] == []


def test_organizer_does_not_decide_on_what_was_not_seen(workbench, ada, judges, project):
    cleo, dan, _ = judges
    number = pair(workbench, cleo, project, 1)
    judge(workbench, dan, number, NO)
    (found,), _ = review(workbench, ada, project)
    judge(workbench, dan, number, YES, version=1)
    for act in (
        lambda: decide(workbench, ada, number, NO, version=found.version),
        lambda: set_removed(workbench, ada, number, removed=True, version=found.version),
    ):
        with pytest.raises(ConflictError, check=coded("somebody-judged-changed-meanwhile")):
            act()
    with pytest.raises(ConflictError, check=coded("question-nothing-decide")):
        decide(workbench, ada, number, NO, version=found.version + 1)


def test_light_review_removes_and_takes_back(workbench, ada, judges, project):
    cleo, dan, eve = judges
    number = pair(workbench, cleo, project, 1)
    judge(workbench, dan, number, YES)
    (found,), _ = review(workbench, ada, project)
    set_removed(workbench, ada, number, removed=True, version=found.version, reason="vague")
    kept, (discarded,) = settled_pairs(workbench, ada, project)
    assert (kept, discarded.meta["discarded"]) == ([], "review: vague")
    funnel = pair_agreement(workbench, ada, project).settlement.funnel
    assert (funnel.created, funnel.judged, funnel.agreed, funnel.kept) == (1, 1, 1, 0)
    assert next_question(workbench, eve, project) is None
    (found,), _ = review(workbench, ada, project, QuestionStatus.REMOVED)
    set_removed(workbench, ada, number, removed=False, version=found.version)
    assert len(settled_pairs(workbench, ada, project)[0]) == 1


def test_organizer_who_judges_is_as_blind_as_others(workbench, ada, judges, project):
    cleo, dan, _ = judges
    add_annotator(workbench, ada, project, ada.name)
    first, second = pair(workbench, cleo, project, 1), pair(workbench, cleo, project, 2)
    found, counts = review(workbench, ada, project)
    assert [(each.said, each.is_blind) for each in found] == [((), True)] * 2
    assert counts[QuestionStatus.OPEN] == 2
    assert [pair.meta["labels"] for pair in settled_pairs(workbench, ada, project)[1]] == [{}, {}]
    judge(workbench, ada, first, NO)
    judge(workbench, dan, second, YES)
    found, _ = review(workbench, ada, project)
    assert [each.answers for each in found] == [(YES, NO), (YES, YES)]
    assert not any(each.is_blind for each in found)


def test_organizer_who_judges_no_more_sees_everything(workbench, ada, judges, project):
    add_annotator(workbench, ada, project, ada.name)
    pair(workbench, judges[0], project, 1)
    set_closed(workbench, ada, project, closed=True)
    (found,), _ = review(workbench, ada, project)
    assert found.answers == (YES,)


def test_whoever_cannot_tell_agrees_with_nobody(workbench, ada, judges, project):
    import_pairs(workbench, ada, project, upload(None))
    for each in judges[:2]:
        judge_all(workbench, each, project, UNSURE)
    kept, (discarded,) = settled_pairs(workbench, ada, project)
    assert (kept, discarded.meta["discarded"]) == ([], "cannot tell")
    assert review(workbench, ada, project)[1][QuestionStatus.DISPUTED] == 1
    assert pair_agreement(workbench, ada, project).n_unsure == 1
