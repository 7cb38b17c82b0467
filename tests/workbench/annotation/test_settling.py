"""Agreement, and the data sets at the end."""

from datetime import timedelta

import pytest
from tests.errors import coded
from tests.workbench.annotation.conftest import NO, YES, judge_all, pair

from ensue.errors import AccessError, ConflictError, SettingError
from ensue.pairs import Label
from ensue.workbench.annotation.settlement import make_datasets, pair_agreement, settled_pairs
from ensue.workbench.challenges import Rules, make_challenge
from ensue.workbench.database import now
from ensue.workbench.datasets import find_dataset, kept_pairs, remove_dataset
from ensue.workbench.submissions import invite, join


def test_agreement_is_pascals_arithmetic(workbench, ada, judges, project):
    """Ten pairs, eight agreed on, each judge half yes: (0.8 - 0.5) / (1 - 0.5) = 0.6."""
    cleo, dan, _ = judges
    for i in range(10):
        pair(workbench, cleo, project, i, YES if i < 5 else NO)

    def second(asked):
        i = int(asked.content["text"][5:-1])
        return {4: NO, 5: YES}.get(i, YES if i < 5 else NO)

    judge_all(workbench, dan, project, second)
    found = pair_agreement(workbench, ada, project)
    (couple,) = found.settlement.agreement.couples
    assert couple.raw.value == pytest.approx(0.8)
    assert couple.kappa.value == pytest.approx((0.8 - 0.5) / (1 - 0.5))
    # Krippendorff: n = 20 labels, 10 of each; D_o = 4 / 20, D_e = 2 * 10 * 10 / (20 * 19)
    assert found.alpha.value == pytest.approx(1 - (4 / 20) / (200 / 380))
    assert [(x.name, x.n_judged, x.n_yes, x.n_compared, x.n_same) for x in found.judges] == [
        ("cleo", 10, 5, 10, 8),
        ("dan", 10, 5, 10, 8),
    ]
    kept, _ = settled_pairs(workbench, ada, project)
    assert tuple(found.settlement.kept) == tuple(kept)


def test_agreement_is_none_where_nothing_is_judged_twice(workbench, ada, judges, project):
    pair(workbench, judges[0], project, 1)
    found = pair_agreement(workbench, ada, project)
    assert found.settlement is None
    assert found.alpha.value is None


def test_data_sets_are_balanced_split_and_ready_for_a_challenge(
    workbench, ada, bob, judges, project
):
    cleo, dan, _ = judges
    for i in range(12):
        pair(workbench, cleo, project, i, YES if i % 3 else NO)
    judge_all(workbench, dan, project, lambda x: YES if int(x.content["text"][5:-1]) % 3 else NO)
    made = make_datasets(workbench, ada, project, {"dev": 0.5, "test": None})
    records = [find_dataset(workbench, ada, each) for each in made]
    assert [(each.name, each.n_pairs, each.n_gold) for each in records] == [
        ("dev", 4, 4),
        ("test", 4, 4),
    ]
    with workbench.database.reading() as session:
        golds = [pair.gold for each in made for pair in kept_pairs(session, each)]
    assert golds.count(Label.ENTAILMENT) == golds.count(Label.NOT_ENTAILMENT) == 4
    day = timedelta(days=1)
    challenge = make_challenge(workbench, ada, Rules("RTE", *made, now() - day, now() + day))
    with pytest.raises(AccessError, check=coded("you-judged-pairs-challenge")):
        join(workbench, cleo, invite(workbench, ada, challenge), "Judges")
    join(workbench, bob, invite(workbench, ada, challenge), "The Bobs")


def test_data_sets_may_be_unbalanced_and_removed_again(workbench, ada, judges, project):
    cleo, dan, _ = judges
    for i in range(4):
        pair(workbench, cleo, project, i)
    judge_all(workbench, dan, project, YES)
    with pytest.raises(ConflictError, match="no pairs are left for 'all'"):
        make_datasets(workbench, ada, project, {"all": 0})
    (made,) = make_datasets(workbench, ada, project, {"all": None}, balanced=False)
    assert find_dataset(workbench, ada, made).n_pairs == 4
    remove_dataset(workbench, ada, made)
    with pytest.raises(SettingError):
        make_datasets(workbench, ada, project, {})
