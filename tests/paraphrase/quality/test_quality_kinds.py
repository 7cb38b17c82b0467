import numpy as np
import pytest

from ensue import registry
from ensue.errors import DataError, SettingError, UndefinedError, UnknownNameError
from ensue.files import ignore_finding
from ensue.paraphrase.lists import (
    NO,
    NOT_JUDGED,
    YES,
    ListKey,
    PatternJudgments,
    RankedLists,
    Strictness,
)
from ensue.paraphrase.quality.annotation import COLUMN, INSTANCES, JUDGES, instance_quality
from ensue.paraphrase.quality.entailment import RECOGNIZER

LISTS = {ListKey("killed", "m"): ["shot dead", "died"], ListKey("to take", "m"): ["to grab"]}


@pytest.fixture
def judged():
    strict = np.array([[YES, NO], [NO, NO], [NOT_JUDGED, NOT_JUDGED]], np.int8)
    lenient = np.array([[YES, YES], [NO, YES], [NOT_JUDGED, NO]], np.int8)
    labels = {Strictness.STRICT: strict, Strictness.LENIENT: lenient}
    return RankedLists.of(
        LISTS, name="lists.tsv", judgments=PatternJudgments(("ann", "bob"), labels)
    )


def test_judges_are_strict_by_default(judged):
    assert JUDGES.make("", ignore_finding)(judged) == pytest.approx(
        [1 / 2, 0 / 2, np.nan], nan_ok=True
    )
    assert JUDGES.make("strict", ignore_finding)(judged) == pytest.approx(
        [1 / 2, 0 / 2, np.nan], nan_ok=True
    )


def test_judges_can_be_lenient(judged):
    assert JUDGES.make("lenient", ignore_finding)(judged) == pytest.approx([2 / 2, 1 / 2, 0 / 1])


def test_judges_of_another_strictness_are_unknown():
    with pytest.raises(UnknownNameError, match=r"'lenent'\nhint: did you mean 'lenient'\?"):
        JUDGES.make("lenent", ignore_finding)


def test_judges_are_missed_where_nobody_judged():
    with pytest.raises(UndefinedError, match=r"lists.tsv: nobody judged[\s\S]*hint"):
        JUDGES.make("", ignore_finding)(RankedLists.of(LISTS, name="lists.tsv"))


def test_judges_of_a_strictness_nobody_used_are_missed():
    labels = {Strictness.LENIENT: np.array([[YES]] * 3, np.int8)}
    lists = RankedLists.of(LISTS, judgments=PatternJudgments(("ann",), labels))
    with pytest.raises(UndefinedError, match=r"is strict\nhint: take judges:lenient"):
        JUDGES.make("", ignore_finding)(lists)


def test_column_gives_its_numbers_and_gaps():
    lists = RankedLists.of(LISTS, columns={"share": np.array([0.0, 1.0, np.nan])})
    assert COLUMN.make("share", ignore_finding)(lists) == pytest.approx([0, 1, np.nan], nan_ok=True)


@pytest.mark.parametrize("outside", [-0.1, 1.5])
def test_column_refuses_what_is_no_quality(outside):
    lists = RankedLists(
        "lists.tsv",
        (ListKey("killed", "m"),),
        np.array([0, 2]),
        ["shot dead", "died"],
        columns={"share": np.array([0.5, outside])},
        places=["lists.tsv:2", "lists.tsv:3"],
    )
    with pytest.raises(DataError, match=rf"lists.tsv:3: quality 'share' of 'died' is {outside}"):
        COLUMN.make("share", ignore_finding)(lists)


def test_column_of_another_name_is_unknown():
    lists = RankedLists.of(LISTS, name="lists.tsv", columns={"share": np.zeros(3)})
    with pytest.raises(UnknownNameError, match=r"lists.tsv: .*'shore'\nhint: did you mean 'share'"):
        COLUMN.make("shore", ignore_finding)(lists)
    with pytest.raises(UnknownNameError, match="these lists have none"):
        COLUMN.make("shore", ignore_finding)(RankedLists.of(LISTS))


def test_column_needs_a_name():
    with pytest.raises(SettingError, match="column:confidence"):
        COLUMN.make("", ignore_finding)


def test_instances_give_the_share_of_right_ones(make_instances):
    rows = [
        ("Killed", "shot  dead", "a", "b", True),
        ("killed", "shot dead", "c", "d", True),
        ("killed", "Shot dead", "e", "f", False),
        ("to take", "died", "g", "h", True),
    ]
    found = instance_quality(RankedLists.of(LISTS), make_instances(rows))
    assert found == pytest.approx([2 / 3, np.nan, np.nan], nan_ok=True)


def test_instances_with_exchanged_arguments_do_not_count(make_instances):
    rows = [("killed", "died", "a", "b", True), ("killed", "died", "c", "d", False)]
    instances = make_instances(rows, is_inverse=[True, False])
    assert instance_quality(RankedLists.of(LISTS), instances)[1] == 0


def test_instances_are_read_from_a_file(tmp_path):
    path = tmp_path / "judged.csv"
    path.write_text(
        "term,paraphrase,text,hypothesis,judgment\n"
        "killed,died,He was killed.,He was died.,no\n"
        "to take,to grab,She had to take it.,She had to grab it.,yes\n"
    )
    found = INSTANCES.make(str(path), ignore_finding)(RankedLists.of(LISTS))
    assert found == pytest.approx([np.nan, 0, 1], nan_ok=True)


def test_instances_tell_of_patterns_without_them(make_instances):
    findings = []
    lists = RankedLists.of(LISTS)
    instances = make_instances([("killed", "died", "a", "b", True)])
    instance_quality(lists, instances, on_finding=findings.append)
    (finding,) = findings
    assert finding.code == "no-instance"
    assert finding.message == (
        "2 patterns of 3 without a judged instance in made, and so without quality"
    )
    assert finding.details == {"n_patterns": 2}


def test_instances_for_all_patterns_are_no_finding(make_instances):
    findings = []
    rows = [("killed", "shot dead", "a", "b", True), ("killed", "died", "a", "b", True)]
    lists = RankedLists.of(LISTS).chosen_lists([0])
    instance_quality(lists, make_instances(rows), on_finding=findings.append)
    assert findings == []


def test_instances_kind_tells_what_is_found_in_the_file(tmp_path):
    findings = []
    path = tmp_path / "judged.csv"
    path.write_text(
        "term,paraphrase,text,hypothesis,judgment\n"
        "killed,died,He was killed.,He was died.,no\n"
        "to take,to grab,She had to take it.,She had to grab it.,\n"
    )
    INSTANCES.make(str(path), findings.append)(RankedLists.of(LISTS))
    assert [each.code for each in findings] == ["no-judgment", "no-instance"]


def test_instances_need_a_file():
    with pytest.raises(SettingError, match="instances:FILE"):
        INSTANCES.make("", ignore_finding)


def test_recognizer_of_another_name_is_unknown():
    with pytest.raises(UnknownNameError, match="did you mean 'overlap'"):
        RECOGNIZER.make("overlp", ignore_finding)


@pytest.mark.parametrize("kind", [JUDGES, COLUMN, INSTANCES, RECOGNIZER])
def test_quality_kinds_are_found_by_their_name(kind):
    assert registry.find("quality", kind.name) is kind
    assert kind.summary
