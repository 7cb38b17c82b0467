"""Paraphrase patterns, strict and lenient."""

import io

import pytest
from tests.errors import coded
from tests.workbench.annotation.conftest import LISTS, judge_all

from ensue.errors import DataError, SettingError
from ensue.workbench.annotation.judgments import QuestionStatus
from ensue.workbench.annotation.questions import import_patterns
from ensue.workbench.annotation.settlement import (
    decide,
    judged_lists,
    pattern_agreement,
    review,
    set_removed,
    settled_pairs,
)
from ensue.workbench.uploads import Upload


def import_lists(workbench, ada, patterns, text=LISTS, sentences="We met him.\n"):
    return import_patterns(
        workbench,
        ada,
        patterns,
        Upload("lists.tsv", io.BytesIO(text.encode())),
        Upload("s.txt", io.BytesIO(sentences.encode())) if sentences else None,
    )


def test_patterns_are_asked_in_their_sentences_once(workbench, ada, judges, patterns):
    made = import_lists(workbench, ada, patterns)
    assert (made.n_added, made.n_without) == (3, 0)
    seen = []
    judge_all(workbench, judges[0], patterns, lambda x: seen.append(x.content) or "strict")
    assert {(each["sentence"], each["replaced"]) for each in seen} == {
        ("Two were killed.", "Two were shot and killed."),
        ("Two were killed.", "Two were attacked."),
        ("We met him.", "We visited him."),
    }
    assert all(
        set(each) == {"term", "paraphrase", "sentence", "replaced", "pieces"} for each in seen
    )


def test_patterns_without_a_sentence_are_counted(workbench, ada, patterns):
    assert import_lists(workbench, ada, patterns, sentences=None).n_without == 1
    with pytest.raises(DataError, check=coded("no-pattern-sentence-term")):
        import_lists(workbench, ada, patterns, "term\tparaphrase\nrun\tjog\n", "A dog.\n")


def test_strict_and_lenient_labels_come_of_one_answer(workbench, ada, judges, patterns, tmp_path):
    from ensue.paraphrase import ListKey, Strictness
    from ensue.paraphrase.formats.lists import read_lists, write_lists

    import_lists(workbench, ada, patterns)
    said = {"shot and killed": "lenient", "attacked": "different", "visited": "strict"}
    judge_all(workbench, judges[0], patterns, lambda x: said[x.content["paraphrase"]])
    judge_all(workbench, judges[1], patterns, "strict")
    write_lists(tmp_path / "judged.tsv", judged_lists(workbench, ada, patterns))
    lists = read_lists(tmp_path / "judged.tsv")
    assert lists.keys == (
        ListKey("killed", "PD"),
        ListKey("killed", "BR"),
        ListKey("met", "BR"),
    )
    assert list(lists.paraphrases) == ["shot and killed", "attacked", "attacked", "visited"]
    assert lists.judgments.judges == ("cleo", "dan")
    assert lists.judgments.shares(Strictness.STRICT).tolist() == [0.5, 0.5, 0.5, 1.0]
    assert lists.judgments.shares(Strictness.LENIENT).tolist() == [1.0, 0.5, 0.5, 1.0]
    found = pattern_agreement(workbench, ada, patterns)
    by = {each.strictness: each for each in found.by_strictness}
    assert by[Strictness.STRICT].n_by_all == 3
    assert by[Strictness.STRICT].raw.value == pytest.approx(1 / 3)
    assert by[Strictness.LENIENT].raw.value == pytest.approx(2 / 3)


def test_pattern_that_another_list_has_joins_it(workbench, ada, judges, patterns):
    import_lists(workbench, ada, patterns)
    judge_all(workbench, judges[0], patterns, "strict")
    more = "term\tmethod\trank\tparaphrase\tsentence\nkilled\tBCB\t1\tattacked\tTwo were killed.\n"
    made = import_lists(workbench, ada, patterns, more, None)
    assert (made.n_added, made.n_known) == (0, 1)
    keys = [(key.term, key.method) for key in judged_lists(workbench, ada, patterns).keys]
    assert ("killed", "BCB") in keys


def test_patterns_have_no_decisions_and_no_gold(workbench, ada, judges, patterns):
    import_lists(workbench, ada, patterns)
    assert pattern_agreement(workbench, ada, patterns) is None
    for each, answer in zip(judges, ("strict", "different"), strict=False):
        judge_all(workbench, each, patterns, answer)
    found, _ = review(workbench, ada, patterns, QuestionStatus.DISPUTED)
    with pytest.raises(SettingError, check=coded("patterns-keep-all-judgments")):
        decide(workbench, ada, found[0].id, "strict", version=found[0].version)
    with pytest.raises(SettingError, match="about patterns"):
        settled_pairs(workbench, ada, patterns)
    set_removed(workbench, ada, found[0].id, removed=True, version=found[0].version)
    assert judged_lists(workbench, ada, patterns).n_patterns == 4 - len(found[0].content["lists"])
