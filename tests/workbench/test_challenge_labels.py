"""In which labels runs are compared, and how many pairs they answer."""

import io
import json

import pytest
from tests.errors import coded
from tests.workbench.test_challenges import pairs_file, rules

from ensue.errors import RunError, SettingError
from ensue.pairs import View
from ensue.workbench.challenges import find_challenge, make_challenge
from ensue.workbench.datasets import add_dataset
from ensue.workbench.submissions import invite, join, leaderboard, submissions_for, submit
from ensue.workbench.uploads import Upload

LABELS = ("entailment", "contradiction", "unknown")


def fine_pairs(first, n=60):
    lines = [
        {"id": str(i), "text": f"t {i}", "hypothesis": "h", "gold": LABELS[i % 3]}
        for i in range(first, first + n)
    ]
    return Upload("p.jsonl", io.BytesIO("".join(json.dumps(x) + "\n" for x in lines).encode()))


def fine_run(say):
    lines = [json.dumps({"pair_id": str(i), "label": say(LABELS[i % 3])}) for i in range(60)]
    return Upload("run.jsonl", io.BytesIO("\n".join(lines).encode()))


def coarse(label):
    return label if label == "entailment" else "not-entailment"


@pytest.fixture
def fine(workbench, ada):
    """Development and test data with three labels."""
    return [add_dataset(workbench, ada, "", fine_pairs(first)).id for first in (100, 0)]


def test_runs_of_one_board_are_compared_in_one_view(workbench, ada, bob, fine):
    made = make_challenge(workbench, ada, rules(fine))
    assert find_challenge(workbench, ada, made).view is View.THREE_WAY
    join(workbench, bob, invite(workbench, ada, made), "The Bobs")
    with pytest.raises(RunError, check=coded("challenge-tells-contradiction-unknown")) as refused:
        submit(workbench, bob, made, "", fine_run(coarse))
    assert refused.value.place == "run.jsonl:2"  # gold of the first is entailment
    assert submissions_for(workbench, bob, made) == []
    whole = submit(workbench, bob, made, "", fine_run(str))
    assert whole.scores["measures"]["accuracy"]["value"] == 1.0


def test_challenge_may_be_coarser_than_its_gold(workbench, ada, bob, fine):
    made = make_challenge(workbench, ada, rules(fine, view=View.TWO_WAY, measures=("accuracy",)))
    join(workbench, bob, invite(workbench, ada, made), "The Bobs")
    submit(workbench, bob, made, "", fine_run(coarse))
    submit(workbench, bob, made, "", fine_run(lambda x: "unknown" if x == "contradiction" else x))
    _, board = leaderboard(workbench, bob, made)
    assert [(entry.rank, entry.measures["accuracy"]["value"]) for entry in board.entries] == [
        (1, 1.0),
        (1, 1.0),
    ]


def test_challenge_is_not_finer_than_its_gold(workbench, ada):
    data = [add_dataset(workbench, ada, "", pairs_file(20, first)).id for first in (0, 100)]
    with pytest.raises(SettingError, check=coded("gold-test-data-not")):
        make_challenge(workbench, ada, rules(data, view=View.THREE_WAY))


def test_run_answers_enough_pairs_to_tell_none_of_them(workbench, ada, bob, fine):
    made = make_challenge(workbench, ada, rules(fine))
    join(workbench, bob, invite(workbench, ada, made), "The Bobs")
    lines = fine_run(str).content.read().splitlines()
    few = Upload("run.jsonl", io.BytesIO(b"\n".join(lines[:29])))
    with pytest.raises(RunError, match="it answers 29 of 60 pairs") as refused:
        submit(workbench, bob, made, "", few)
    assert refused.value.hint.startswith("at least 30 are needed")
    assert submissions_for(workbench, bob, made) == []
    enough = Upload("run.jsonl", io.BytesIO(b"\n".join(lines[:30])))
    assert submit(workbench, bob, made, "", enough).state == "scored"
