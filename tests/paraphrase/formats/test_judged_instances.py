"""Instance-based judgments: three layouts, shares of right instances, lists of rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.errors import DataError, LabelError, SettingError
from ensue.paraphrase.formats.instances import (
    INVERSE,
    MOST_RIGHT,
    STRAIGHT,
    UNDECIDED,
    Instances,
    argument_order,
    instance_shares,
    lists_of_instances,
    read_instances,
)
from ensue.paraphrase.lists import ListKey

ZEICHNER = ",rule_lhs,rule_rhs,lhs,rhs,judgment,confidence\n"


@pytest.fixture
def read(tmp_path):
    """Write a text to a file of that name, read it, and keep the findings."""

    def call(text: str, name: str = "rules.txt"):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        findings = []
        return read_instances(path, on_finding=findings.append), findings

    return call


def made(*rows: tuple[str, str, bool], confidence=None, inverse=None) -> Instances:
    """Instances of these terms, paraphrases and judgments."""
    n = len(rows)
    return Instances(
        "made",
        [term for term, _, _ in rows],
        [paraphrase for _, paraphrase, _ in rows],
        [f"{term} {i}" for i, (term, _, _) in enumerate(rows)],
        [f"{paraphrase} {i}" for i, (_, paraphrase, _) in enumerate(rows)],
        np.array([right for _, _, right in rows], np.bool_),
        np.ones(n) if confidence is None else np.array(confidence, float),
        np.zeros(n, np.bool_) if inverse is None else np.array(inverse, np.bool_),
        [f"made:{i}" for i in range(n)],
    )


def test_zeichners_layout_is_read(read, tmp_path):
    found, findings = read(
        ZEICHNER + "0,tap,open,Monks tap a keg,Monks open a keg,Yes,0.9\n"
        '1,tap,be tapped by@R@,"Monks tap a keg","A keg be tapped by Monks",no,1.0\n'
    )
    assert findings == []
    assert list(found.terms) == ["tap", "tap"]
    assert list(found.paraphrases) == ["open", "be tapped by"]
    assert found.texts[0] == "Monks tap a keg"
    assert found.hypotheses[0] == "Monks open a keg"
    assert found.is_right.tolist() == [True, False]
    assert found.confidence.tolist() == [0.9, 1]
    assert found.is_inverse.tolist() == [False, True]
    assert found.places[1] == f"{tmp_path / 'rules.txt'}:3"


def test_triples_entail_from_the_second_to_the_first(read, tmp_path):
    found, findings = read(
        "bird, lives on, an island\tthe owl, nests on, the island\ty\n"
        "bird, lives on, an island\tislands, are avoided by, owls\tn\n"
    )
    assert findings == []
    assert list(found.terms) == ["nests on", "are avoided by"]
    assert list(found.paraphrases) == ["lives on", "lives on"]
    assert found.texts[0] == "the owl nests on the island"
    assert found.hypotheses[0] == "bird lives on an island"
    assert found.is_right.tolist() == [True, False]
    assert found.is_inverse.tolist() == [False, True]
    assert found.confidence.tolist() == [1, 1]
    assert found.places[0] == f"{tmp_path / 'rules.txt'}:1"


@pytest.mark.parametrize(
    ("question", "answer", "order"),
    [
        (("bird", "eats", "worms"), ("owls", "hunt", "the worm"), STRAIGHT),
        (("bird", "eats", "worms"), ("a worm", "feeds", "owls"), INVERSE),
        # in both places; the second is all of it
        (("bird", "eats", "bugs"), ("little bugs", "are not", "bugs"), STRAIGHT),
        (("unit", "measures", "mass"), ("mass", "is given in", "mass units"), INVERSE),
        # the types decide where the second argument is like both alike, or like none
        (("unit", "measures", "mass"), ("mass unit", "gives", "mass number"), STRAIGHT),
        (("unit", "measures", "mass"), ("mass number", "has", "mass unit"), INVERSE),
        (("bird", "eats", "worms"), ("a bird", "likes", "trees"), STRAIGHT),
        (("bird", "eats", "worms"), ("trees", "attract", "a bird"), INVERSE),
        # and decide nothing where it is not
        (("worm", "eats", "little worms"), ("worms", "eat", "little worms"), STRAIGHT),
        (("bird", "eats", "mass"), ("owls", "like", "trees"), UNDECIDED),
        (("bird", "eats", "worms"), ("worms", "eat", "worms"), UNDECIDED),
        # words without content count where there is nothing else
        (("bird", "sees", "it"), ("it", "is seen by", "owls"), INVERSE),
    ],
)
def test_argument_order_is_told_by_the_words_of_arguments(question, answer, order):
    assert argument_order(question, answer) == order


def test_undecided_order_is_a_finding_and_taken_to_stay(read):
    found, (finding,) = read("bird, eats, worms\towls, like, trees\tn\n")
    assert found.is_inverse.tolist() == [False]
    assert (finding.code, finding.details["n_instances"]) == ("argument-order", 1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "own.tsv",
            "term\tparaphrase\ttext\thypothesis\tjudgment\ntap\topen\tTap it\tOpen it\t1\n",
        ),
        ("own.csv", "judgment,term,paraphrase,text,hypothesis\ny,tap,open,Tap it,Open it\n"),
        (
            "own.jsonl",
            '{"term": "tap", "paraphrase": "open", "text": "Tap it", "hypothesis": "Open it",'
            ' "judgment": true}\n',
        ),
    ],
)
def test_own_columns_are_read(read, name, text):
    found, _ = read(text, name)
    assert (found.terms[0], found.paraphrases[0]) == ("tap", "open")
    assert (found.texts[0], found.hypotheses[0]) == ("Tap it", "Open it")
    assert found.is_right.tolist() == [True]
    assert found.confidence.tolist() == [1]


def test_instance_without_a_judgment_is_left_out_with_a_finding(read):
    found, (finding,) = read(ZEICHNER + "0,a,b,a it,b it,,1\n1,a,c,a it,c it,Yes,\n")
    assert list(found.paraphrases) == ["c"]
    assert found.confidence.tolist() == [1]
    assert finding.code == "no-judgment"
    assert finding.place.endswith("rules.txt:2")


def test_missing_column_of_instances_is_refused(read):
    with pytest.raises(DataError, match="no column is called 'rhs'"):
        read(",rule_lhs,rule_rhs,lhs,judgment\n0,a,b,c,Yes\n")


def test_judgment_that_is_none_is_refused(read):
    with pytest.raises(LabelError, match="'Perhaps'") as caught:
        read(ZEICHNER + "0,a,b,a it,b it,Perhaps,1\n")
    assert caught.value.place.endswith("rules.txt:2")


def test_negative_confidence_is_refused(read):
    with pytest.raises(DataError, match="negative: '-1'") as caught:
        read(ZEICHNER + "0,a,b,a it,b it,Yes,-1\n")
    assert caught.value.place.endswith("rules.txt:2")


def test_row_of_another_kind_among_triples_is_refused(read):
    with pytest.raises(DataError, check=coded("no-row-triples")) as caught:
        read("bird, eats, worms\towls, hunt, worms\ty\nbird, eats\towls, hunt, worms\ty\n")
    assert caught.value.place.endswith("rules.txt:2")


def test_empty_file_of_instances_is_refused(read):
    with pytest.raises(DataError, check=coded("file-empty")):
        read("")


def test_header_without_instances_is_refused(read):
    with pytest.raises(DataError, check=coded("file-holds-no-instances")):
        read(ZEICHNER)


def test_share_of_a_rule_is_that_of_its_right_instances():
    shares = instance_shares(
        made(
            ("Tap", "open", True), ("tap", " Open", True), ("tap", "open", False), ("a", "b", False)
        )
    )
    assert list(shares) == [("tap", "open"), ("a", "b")]
    assert shares["tap", "open"].share == pytest.approx(2 / 3)
    assert shares["tap", "open"].n_instances == 3
    assert shares["tap", "open"].sentence == "Tap 0"
    assert shares["a", "b"].share == 0


def test_rule_is_right_where_four_of_five_instances_are():
    rows = (
        [("a", "b", True)] * 4 + [("a", "b", False)] + [("a", "c", True)] * 3 + [("a", "c", False)]
    )
    shares = instance_shares(made(*rows), right_from=MOST_RIGHT)
    assert shares["a", "b"].share == 1
    assert shares["a", "c"].share == 0


def test_shares_can_be_weighted_by_confidence():
    instances = made(("a", "b", True), ("a", "b", False), confidence=[0.9, 0.6])
    shares = instance_shares(instances, weighted=True)
    assert shares["a", "b"].share == pytest.approx(0.9 / (0.9 + 0.6))


def test_rule_whose_instances_weigh_nothing_has_no_share():
    assert instance_shares(made(("a", "b", True), confidence=[0]), weighted=True) == {}


def test_inverse_instances_count_only_where_asked():
    instances = made(("a", "b", True), ("a", "b", False), inverse=[False, True])
    assert instance_shares(instances)["a", "b"].share == 1
    assert instance_shares(instances, with_inverse=True)["a", "b"].share == 0.5


@pytest.mark.parametrize("share", [0, -0.1, 1.1])
def test_share_from_which_a_rule_is_right_must_be_one(share):
    with pytest.raises(SettingError, check=coded("share-not-above-most")):
        instance_shares(made(("a", "b", True)), right_from=share)


def test_lists_of_instances_rank_by_number_and_alphabet():
    lists = lists_of_instances(
        made(
            ("a", "z", False),
            ("a", "y", True),
            ("b", "x", True),
            ("a", "z", True),
            ("a", "c", True),
        ),
        method="rules",
    )
    assert lists.keys == (ListKey("a", "rules"), ListKey("b", "rules"))
    assert list(lists.paraphrases) == ["z", "c", "y", "x"]
    assert lists.offsets.tolist() == [0, 3, 4]
    assert lists.columns["quality"].tolist() == [0.5, 1, 1, 1]
    assert lists.columns["n_instances"].tolist() == [2, 1, 1, 1]
    assert lists.sentences == ["a 0", "a 4", "a 1", "b 2"]


def test_lists_of_instances_leave_out_terms_with_few_paraphrases():
    lists = lists_of_instances(made(("a", "z", False), ("a", "y", True), ("b", "x", True)), least=2)
    assert lists.terms == ("a",)


def test_lists_of_no_instances_are_empty():
    lists = lists_of_instances(made())
    assert (len(lists), lists.n_patterns) == (0, 0)


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.booleans()), max_size=20)
)
def test_lists_of_instances_hold_every_rule_once(rows):
    lists = lists_of_instances(made(*rows))
    terms = [lists.keys[k].term for k in lists.list_of]
    patterns = list(zip(terms, lists.paraphrases, strict=True))
    assert sorted(patterns) == sorted({(term, paraphrase) for term, paraphrase, _ in rows})
    assert lists.columns["n_instances"].sum() == len(rows)
    assert lists.columns["quality"] @ lists.columns["n_instances"] == pytest.approx(
        sum(right for _, _, right in rows)
    )


def test_chosen_instances_keep_their_places():
    found = made(("a", "b", True), ("c", "d", False)).chosen(np.array([1]))
    assert (len(found), found.terms[0], found.places[0]) == (1, "c", "made:1")
    assert found.is_right.tolist() == [False]


def test_example_of_instances_is_read(root):
    found = read_instances(root / "examples" / "paraphrase" / "instances.csv")
    assert (len(found), int(found.is_inverse.sum())) == (30, 2)


@pytest.mark.data
def test_rules_of_zeichner_are_read_whole(shared_data):
    found = read_instances(shared_data / "paraphrase-rules" / "zeichner.txt")
    assert (len(found), int(found.is_right.sum())) == (6567, 2447)
    assert int(found.is_inverse.sum()) == 188
    assert (found.confidence.min(), found.confidence.max()) == (0.7001, 1)
    assert not any("@" in paraphrase for paraphrase in found.paraphrases)


@pytest.mark.data
def test_triples_of_levy_and_dagan_are_read_whole(shared_data):
    findings = []
    path = shared_data / "paraphrase-rules" / "daganlevy.txt"
    found = read_instances(path, on_finding=findings.append)
    assert (len(found), int(found.is_right.sum())) == (16371, 3147)
    assert int(found.is_inverse.sum()) == 6019
    assert [finding.details["n_instances"] for finding in findings] == [16]
