from __future__ import annotations

import pytest
from tests.errors import coded

from ensue.corpora import annotations_from_columns, annotations_from_files, settle
from ensue.corpora.agreement import read_ids
from ensue.errors import DataError, LabelError, SettingError, UndefinedError, UnknownNameError
from ensue.pairs import Label, Pair, View

E, N, C, U = Label.ENTAILMENT, Label.NOT_ENTAILMENT, Label.CONTRADICTION, Label.UNKNOWN


def judged(*rows):
    """Pairs whose gold is the first label, and a column `second` the other."""
    return [
        Pair(str(i), f"t{i}", f"h{i}", gold, meta={"second": second})
        for i, (gold, second) in enumerate(rows, 1)
    ]


@pytest.fixture
def challenge(dataset):
    """100 pairs: 80 agreed on, both labels balanced."""
    rows = [(E, "true")] * 40 + [(N, "false")] * 40 + [(E, "false")] * 10 + [(N, "true")] * 10
    return annotations_from_columns(dataset(judged(*rows)), ["gold", "second"])


def test_settle_gives_the_funnel_of_the_challenge(challenge):
    # the challenge lost 20 % to disagreement and 13 % of the created pairs to review
    removed = [pair.id for pair in challenge.pairs[:13]]
    funnel = settle(challenge, removed=removed).funnel
    assert (funnel.created, funnel.judged, funnel.agreed, funnel.kept) == (100, 100, 80, 67)


def test_settle_gives_the_kappa_of_the_challenge(challenge):
    agreement = settle(challenge).agreement
    assert agreement.raw.value == 0.8
    assert agreement.couples[0].kappa.value == pytest.approx((0.8 - 0.5) / (1 - 0.5))
    assert agreement.fleiss.value == pytest.approx(0.6)


def test_settle_makes_the_agreed_label_gold(dataset):
    pairs = dataset(judged((E, "true"), (N, "false"), (E, "false")))
    settlement = settle(annotations_from_columns(pairs, ["gold", "second"]))
    assert [(pair.id, pair.gold) for pair in settlement.kept] == [("1", E), ("2", N)]


def test_settle_says_why_pairs_are_discarded(dataset):
    pairs = dataset(judged((E, "true"), (E, "false"), (None, "true"), (E, "true")))
    settlement = settle(annotations_from_columns(pairs, ["gold", "second"]), removed={"4"})
    assert [(pair.id, pair.gold, pair.meta["discarded"]) for pair in settlement.discarded] == [
        ("2", None, "disagreement"),
        ("3", None, "not judged"),
        ("4", None, "review"),
    ]
    assert settlement.discarded[0].meta["labels"] == {
        "gold": "entailment",
        "second": "not-entailment",
    }


def test_settle_compares_in_the_coarser_view(dataset):
    pairs = dataset(judged((U, "false"), (E, "true"), (C, "false")))
    settlement = settle(annotations_from_columns(pairs, ["gold", "second"]))
    assert settlement.view is View.TWO_WAY
    assert [pair.gold for pair in settlement.kept] == [N, E, N]


def test_settle_keeps_three_ways_where_all_annotators_have_them(dataset):
    pairs = dataset(judged((U, "neutral"), (E, "entailment"), (C, "neutral")))
    settlement = settle(annotations_from_columns(pairs, ["gold", "second"]))
    assert [pair.gold for pair in settlement.kept] == [U, E]


def test_settle_by_majority(dataset):
    pairs = [
        Pair("1", "t", "h", E, meta={"b": "yes", "c": "no"}),
        Pair("2", "t2", "h", N, meta={"b": "no", "c": "no"}),
    ]
    annotations = annotations_from_columns(dataset(pairs), ["gold", "b", "c"])
    assert len(settle(annotations).kept) == 1
    assert [pair.gold for pair in settle(annotations, votes=2).kept] == [E, N]


@pytest.mark.parametrize("votes", [0, 1, 3])
def test_settle_refuses_votes_that_do_not_decide(challenge, votes):
    with pytest.raises(SettingError, match=f"{votes} votes of 2 annotators do not decide"):
        settle(challenge, votes=votes)


def test_settle_refuses_one_annotator(dataset):
    annotations = annotations_from_columns(dataset(judged((E, "true"))), ["gold"])
    with pytest.raises(SettingError, check=coded("agreement-needs-two-annotators")):
        settle(annotations)


def test_settle_without_a_pair_that_all_judged_is_undefined(dataset):
    annotations = annotations_from_columns(dataset(judged((None, "true"))), ["gold", "second"])
    with pytest.raises(UndefinedError, check=coded("no-agreement-without-pairs")):
        settle(annotations)


def test_columns_refuse_an_annotator_who_is_not_there(dataset):
    with pytest.raises(UnknownNameError, match="no annotator is called 'secnd'"):
        annotations_from_columns(dataset(judged((E, "true"))), ["gold", "secnd"])


def test_columns_refuse_an_unknown_label_with_its_place(dataset):
    with pytest.raises(LabelError, match=r"x.xml:1: unknown label 'perhaps'"):
        annotations_from_columns(dataset(judged((E, "perhaps"))), ["gold", "second"])


def test_columns_map_labels_when_told(dataset):
    pairs = dataset(judged((E, "perhaps")))
    annotations = annotations_from_columns(pairs, ["gold", "second"], {"perhaps": U})
    assert annotations.labels == ((E, U),)


def test_columns_refuse_a_doubled_id(dataset):
    pairs = dataset([*judged((E, "true")), *judged((E, "true"))])
    with pytest.raises(DataError, match=r"x.xml:2: two pairs have the id '1'; .* x.xml:1"):
        annotations_from_columns(pairs, ["gold", "second"])


def test_files_are_joined_by_id(dataset):
    one = dataset([Pair("1", "a", "b", E), Pair("2", "c", "d", E)], "one.xml")
    other = dataset([Pair("2", "c", "d", N), Pair("3", "e", "f", N)], "other.xml")
    annotations = annotations_from_files([one, other], ["one", "other"])
    assert [pair.id for pair in annotations.pairs] == ["1", "2", "3"]
    assert annotations.labels == ((E, None), (E, N), (None, N))


def test_files_refuse_one_id_for_two_pairs(dataset):
    one = dataset([Pair("1", "a", "b", E)], "one.xml")
    other = dataset([Pair("1", "a", "c", E)], "other.xml")
    with pytest.raises(DataError, match=r"other.xml:1: the id '1' stands for another .* one.xml:1"):
        annotations_from_files([one, other], ["one", "other"])


def test_read_ids_skips_blank_lines():
    assert read_ids(iter([(1, " 7 "), (2, "")]), "ids", {"7", "8"}) == {"7"}


def test_read_ids_refuses_an_id_that_no_pair_has():
    with pytest.raises(DataError, match=r"ids:2: no pair has the id '9'"):
        read_ids(iter([(1, "7"), (2, "9")]), "ids", {"7", "8"})
