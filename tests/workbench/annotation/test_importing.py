"""Pairs from files."""

import io

import pytest
from tests.errors import coded
from tests.workbench.annotation.conftest import LISTS, NO, YES, judge_all, upload

from ensue.errors import DataError, LimitError, SettingError
from ensue.pairs import Label
from ensue.workbench import Limits, Workbench
from ensue.workbench.annotation.projects import find_project
from ensue.workbench.annotation.questions import import_pairs, import_patterns, make_pair
from ensue.workbench.annotation.settlement import settled_pairs
from ensue.workbench.uploads import Upload


def test_gold_of_an_import_is_the_first_judgment(workbench, ada, judges, project):
    made = import_pairs(workbench, judges[0], project, upload(YES, NO, None))
    assert (made.n_added, made.n_judged) == (3, 2)
    assert judge_all(workbench, judges[0], project, YES) == 1
    assert judge_all(workbench, judges[1], project, YES) == 3
    kept, discarded = settled_pairs(workbench, ada, project)
    assert [(pair.id, pair.gold, pair.task) for pair in kept] == [
        ("p0", Label.ENTAILMENT, "IE"),
        ("p2", Label.ENTAILMENT, "IE"),
    ]
    assert discarded[0].meta["discarded"] == "disagreement"


def test_pairs_are_imported_once(workbench, ada, project):
    import_pairs(workbench, ada, project, upload(None, None))
    again = import_pairs(workbench, ada, project, upload(None, None, None))
    assert (again.n_added, again.n_known) == (1, 2)


def test_ids_that_come_twice_are_told_apart(workbench, ada, judges, project):
    import_pairs(workbench, ada, project, upload(YES))
    other = b'{"id": "p0", "text": "other", "hypothesis": "H", "gold": "entailment"}'
    import_pairs(workbench, ada, project, Upload("p.jsonl", io.BytesIO(other)))
    judge_all(workbench, judges[0], project, YES)
    kept, _ = settled_pairs(workbench, ada, project)
    assert [pair.id for pair in kept] == ["p0", "p0-q2"]


def test_import_that_cannot_be_read_adds_nothing(workbench, ada, project):
    with pytest.raises(DataError):
        import_pairs(workbench, ada, project, Upload("p.jsonl", io.BytesIO(b"{")))
    with pytest.raises(DataError, check=coded("no-pairs-file")):
        import_pairs(workbench, ada, project, Upload("p.jsonl", io.BytesIO(b"\n")))
    small = Workbench(workbench.database, Limits(pairs=2, text=5))
    with pytest.raises(LimitError, match="more than 2 pairs"):
        import_pairs(small, ada, project, upload(None, None, None))
    with pytest.raises(SettingError, match="about pairs"):
        import_patterns(workbench, ada, project, Upload("l.tsv", io.BytesIO(LISTS.encode())))
    assert find_project(workbench, ada, project).n_questions == 0


@pytest.mark.parametrize(("text", "error"), [("", SettingError), ("x" * 6, LimitError)])
def test_pair_without_a_side_or_too_long_is_refused(workbench, judges, project, text, error):
    small = Workbench(workbench.database, Limits(text=5))
    with pytest.raises(error):
        make_pair(small, judges[0], project, text=text, hypothesis="h", answer=YES)


def test_project_has_so_many_questions_and_no_more(workbench, ada, project):
    small = Workbench(workbench.database, Limits(pairs=2))
    import_pairs(small, ada, project, upload(None, None))
    other = b'{"id": "x", "text": "other", "hypothesis": "H"}'
    with pytest.raises(LimitError, match="would have 3 questions"):
        import_pairs(small, ada, project, Upload("p.jsonl", io.BytesIO(other)))
