"""A challenge: hidden gold, few runs, fair ranks, and nothing scored twice."""

import io
import json
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sqlalchemy import event, select
from tests.errors import coded

from ensue.errors import (
    AccessError,
    ConflictError,
    EnsueError,
    LimitError,
    NotFoundError,
    RunError,
    SettingError,
    StorageError,
    UnknownNameError,
)
from ensue.evaluation import evaluate
from ensue.pairs import Label, Pair, Run, Verdict
from ensue.statistics.significance import cluster_spans, differing, holm, mcnemar
from ensue.workbench import (
    Limits,
    Role,
    Workbench,
    challenges as making,
    leaderboards as scoring,
    open_workbench,
)
from ensue.workbench.accounts import add_person, entries
from ensue.workbench.challenges import (
    ChallengeState,
    Rules,
    challenges_for,
    close_now,
    find_challenge,
    make_challenge,
    publish,
)
from ensue.workbench.database import models, now
from ensue.workbench.datasets import add_dataset, remove_dataset, share_dataset
from ensue.workbench.leaderboards import (
    ATTEMPTS,
    DIGITS,
    Board,
    ScoredRun,
    Worker,
    board_of,
    score,
    waiting,
)
from ensue.workbench.submissions import (
    development_pairs,
    hidden_pairs,
    invite,
    invite_to_team,
    join,
    leaderboard,
    submissions_for,
    submit,
    teams,
    withdraw,
)
from ensue.workbench.uploads import Upload

PASSWORD = "correct horse battery"


def pairs_file(n, first=0):
    lines = [
        {
            "id": str(i),
            "text": f"text {i}",
            "hypothesis": f"it {i}",
            "gold": "entailment" if i % 2 else "not-entailment",
            "task": "IR" if i % 3 else "QA",
            "meta": {"hint": "gold in disguise"},
        }
        for i in range(first, first + n)
    ]
    return Upload("pairs.jsonl", io.BytesIO("".join(json.dumps(x) + "\n" for x in lines).encode()))


def run_file(wrong, n=20, first=100):
    """A run that is wrong on the first so many pairs."""
    lines = []
    for i in range(first, first + n):
        is_yes = (i % 2 == 1) != (i - first < wrong)
        lines.append(f"{i} {'TRUE' if is_yes else 'FALSE'} {1 - (i - first) / 100}\n")
    return Upload("run.txt", io.BytesIO("".join(lines).encode()))


@pytest.fixture
def data(workbench, ada):
    made = [
        add_dataset(workbench, ada, name, pairs_file(20, first))
        for name, first in (("dev", 0), ("test", 100))
    ]
    return [each.id for each in made]


def rules(data, **others):
    whole = {
        "name": "RTE",
        "development_id": data[0],
        "test_id": data[1],
        "opens": now() - timedelta(days=1),
        "closes": now() + timedelta(days=1),
        **others,
    }
    return Rules(**whole)


@pytest.fixture
def challenge(workbench, ada, data):
    return make_challenge(workbench, ada, rules(data))


@pytest.fixture
def team(workbench, ada, bob, challenge):
    """Bob's team."""
    join(workbench, bob, invite(workbench, ada, challenge), "The Bobs")
    return bob


@pytest.fixture
def other(workbench, ada, challenge):
    """Somebody of another team."""
    cleo = add_person(workbench, "cleo", Role.PARTICIPANT, PASSWORD)
    join(workbench, cleo, invite(workbench, ada, challenge), "Others")
    return cleo


def test_gold_of_the_test_data_is_given_to_nobody(workbench, ada, team, challenge):
    with workbench.database.reading() as session:
        found = list(hidden_pairs(session, team, challenge))
        development = list(development_pairs(session, team, challenge))
    assert {pair.gold for pair in found} == {None}
    assert {json.dumps(dict(pair.meta)) for pair in found} == {"{}"}
    assert len(found) == 20
    assert None not in {pair.gold for pair in development}


def test_test_data_are_given_out_when_the_challenge_opens(workbench, ada, bob, data):
    later = make_challenge(
        workbench,
        ada,
        rules(data, opens=now() + timedelta(hours=1), closes=now() + timedelta(days=2)),
    )
    join(workbench, bob, invite(workbench, ada, later), "Early")
    with workbench.database.reading() as session, pytest.raises(AccessError):
        list(hidden_pairs(session, bob, later))
    with pytest.raises(ConflictError, match="not open yet"):
        submit(workbench, bob, later, "", run_file(0))


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"name": " "}, SettingError),
        ({"test_id": 1}, SettingError),
        ({"closes": now() - timedelta(days=2)}, SettingError),
        ({"runs_allowed": 0}, SettingError),
        ({"measures": ()}, SettingError),
        ({"measures": ("accuracy", "accuracy")}, SettingError),
        ({"measures": ("luck",)}, UnknownNameError),
        ({"test_id": 99}, NotFoundError),
    ],
)
def test_rules_that_make_no_sense_are_refused(workbench, ada, data, changes, error):
    with pytest.raises(error):
        make_challenge(workbench, ada, rules(data, **changes))
    assert challenges_for(workbench, ada) == []


def test_shared_test_data_are_refused_and_stay_unshared(workbench, ada, bob, data):
    share_dataset(workbench, ada, data[1], shared=True)
    with pytest.raises(ConflictError):
        make_challenge(workbench, ada, rules(data))
    share_dataset(workbench, ada, data[1], shared=False)
    with pytest.raises(
        ConflictError, check=coded("test-data-shared-everybody")
    ):  # who saw them knows them still
        make_challenge(workbench, ada, rules(data))
    again = add_dataset(workbench, ada, "again", pairs_file(20, 100))
    with pytest.raises(
        ConflictError, check=coded("test-data-shared-everybody")
    ):  # nor under another number
        make_challenge(workbench, ada, rules([data[0], again.id]))


def test_test_data_are_not_shared_while_they_are_needed(workbench, ada, bob, data):
    make_challenge(workbench, ada, rules(data))
    with pytest.raises(ConflictError):
        share_dataset(workbench, ada, data[1], shared=True)
    with pytest.raises(ConflictError):
        remove_dataset(workbench, ada, data[0])
    with pytest.raises(AccessError):
        make_challenge(workbench, bob, rules(data))


def test_invitation_is_good_for_one_team(workbench, ada, bob, challenge):
    code = invite(workbench, ada, challenge)
    assert join(workbench, bob, f" {code}\n", "The Bobs") == challenge
    cleo = add_person(workbench, "cleo", Role.PARTICIPANT, PASSWORD)
    with pytest.raises(NotFoundError):
        join(workbench, cleo, code, "Late")
    with pytest.raises(ConflictError):
        join(workbench, bob, invite(workbench, ada, challenge), "Again")
    with pytest.raises(ConflictError, check=coded("another-team-called")):
        join(workbench, cleo, invite(workbench, ada, challenge), "the bobs")
    with pytest.raises(AccessError):
        join(workbench, ada, invite(workbench, ada, challenge), "Mine")
    join(workbench, cleo, invite_to_team(workbench, bob, challenge), "")
    (found,) = teams(workbench, ada, challenge)
    assert (found.name, found.members) == ("The Bobs", ("bob", "cleo"))


def test_strangers_to_a_challenge_do_not_see_it(workbench, ada, bob, challenge):
    for ask in (
        lambda: find_challenge(workbench, bob, challenge),
        lambda: leaderboard(workbench, bob, challenge),
        lambda: submissions_for(workbench, bob, challenge),
        lambda: submit(workbench, bob, challenge, "", run_file(0)),
        lambda: invite(workbench, bob, challenge),
        lambda: teams(workbench, bob, challenge),
        lambda: publish(workbench, bob, challenge),
    ):
        with pytest.raises(NotFoundError):
            ask()
    assert challenges_for(workbench, bob) == []


def test_scores_are_those_of_the_library(workbench, ada, team, challenge):
    found = submit(workbench, team, challenge, "mine", run_file(5))
    gold = [
        Pair(str(i), "t", "h", Label.ENTAILMENT if i % 2 else Label.NOT_ENTAILMENT)
        for i in range(100, 120)
    ]
    verdicts = tuple(
        Verdict(
            str(i),
            Label.ENTAILMENT if (i % 2 == 1) != (i - 100 < 5) else Label.NOT_ENTAILMENT,
            confidence=1 - (i - 100) / 100,
        )
        for i in range(100, 120)
    )
    (same,) = evaluate(gold, [Run("run", verdicts)]).runs
    assert found.state == "scored"
    assert found.scores["measures"]["accuracy"]["value"] == 15 / 20
    for name in ("accuracy", "cws", "average-precision", "coverage"):
        expected = same.scores.measures[name]
        kept = found.scores["measures"][name]
        assert (kept["value"], kept["low"], kept["high"]) == (
            round(expected.value, DIGITS),
            round(expected.low, DIGITS),
            round(expected.high, DIGITS),
        )
    assert set(found.scores["tasks"]) == {"IR", "QA"}


def test_tasks_have_the_values_of_the_library():
    gold = [
        Pair(
            str(i),
            "t",
            "h",
            Label.ENTAILMENT if i % 2 else Label.NOT_ENTAILMENT,
            "IR" if i % 3 else "QA",
        )
        for i in range(30)
    ]
    run = Run("run", tuple(Verdict(str(i), Label.ENTAILMENT, confidence=i / 30) for i in range(30)))
    for measures in (["accuracy", "cws"], ["cws", "accuracy"]):
        found, _ = scoring.measured(gold, run, measures)
        (same,) = evaluate(gold, [run], by_task=True, measures=measures).runs
        assert found["tasks"] == {
            task: round(each.measures[measures[0]].value, DIGITS)
            for task, each in same.by_task.items()
        }


def test_team_has_so_many_runs_and_no_more(workbench, ada, team, challenge):
    first = submit(workbench, team, challenge, "", run_file(1))
    with pytest.raises(ConflictError, match="run 1 again"):
        submit(workbench, team, challenge, "", run_file(1))
    with pytest.raises(RunError):
        submit(workbench, team, challenge, "", Upload("r", io.BytesIO(b"1 TRUE\n")))
    submit(workbench, team, challenge, "", run_file(2))
    withdraw(workbench, team, first.id)
    with pytest.raises(LimitError, match="2 of 2 runs"):
        submit(workbench, team, challenge, "", run_file(3))


def test_limit_holds_however_many_submit_at_once(workbench, ada, team, challenge):
    told = []

    def hand_in(wrong):
        try:
            told.append(submit(workbench, team, challenge, "", run_file(wrong)).number)
        except EnsueError as error:
            told.append(type(error).__name__)

    threads = [threading.Thread(target=hand_in, args=(k,)) for k in range(6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(map(str, told)) == ["1", "2"] + ["RateError"] * 4
    assert len(submissions_for(workbench, team, challenge)) == 2
    _, board = leaderboard(workbench, team, challenge)
    assert len(board.entries) == 2


def test_equal_results_share_a_rank_and_a_withdrawal_ranks_anew(
    workbench, ada, team, other, challenge
):
    submit(workbench, team, challenge, "a", run_file(4))
    submit(workbench, other, challenge, "b", run_file(4))
    submit(workbench, team, challenge, "c", run_file(9))
    best = submit(workbench, other, challenge, "d", run_file(0))

    def ranks():
        _, board = leaderboard(workbench, team, challenge)
        return [(each.rank, each.name) for each in board.entries]

    assert ranks() == [(1, "d"), (2, "a"), (2, "b"), (4, "c")]
    with pytest.raises(AccessError):
        withdraw(workbench, team, best.id)
    withdraw(workbench, other, best.id)
    assert ranks() == [(1, "a"), (1, "b"), (3, "c")]
    with pytest.raises(ConflictError):
        withdraw(workbench, other, best.id)


def test_teams_see_their_own_runs_and_the_organizer_all(workbench, ada, team, other, challenge):
    submit(workbench, team, challenge, "a", run_file(4))
    submit(workbench, other, challenge, "b", run_file(5))
    assert [each.name for each in submissions_for(workbench, team, challenge)] == ["a"]
    assert [each.name for each in submissions_for(workbench, ada, challenge)] == ["a", "b"]


@pytest.fixture
def statements(workbench):
    """How many statements something takes."""
    seen = []
    event.listen(workbench.database.engine, "before_cursor_execute", lambda *_: seen.append(1))

    def count(ask):
        before = len(seen)
        ask()
        return len(seen) - before

    return count


def test_what_is_shown_takes_as_many_queries_however_much_there_is(
    workbench, ada, team, other, challenge, data, statements
):
    def asked():
        return [
            statements(lambda: submissions_for(workbench, ada, challenge)),
            statements(lambda: teams(workbench, ada, challenge)),
            statements(lambda: challenges_for(workbench, ada)),
        ]

    submit(workbench, team, challenge, "a", run_file(4))
    few = asked()
    submit(workbench, other, challenge, "b", run_file(5))
    dan = add_person(workbench, "dan", Role.PARTICIPANT, PASSWORD)
    join(workbench, dan, invite(workbench, ada, challenge), "Third")
    make_challenge(workbench, ada, rules(data, name="another"))
    assert asked() == few
    assert [(each.name, each.n_runs) for each in teams(workbench, ada, challenge)] == [
        ("Others", 1),
        ("The Bobs", 1),
        ("Third", 0),
    ]


def test_challenges_are_shown_with_whose_they_are(workbench, ada, team, challenge, data):
    later = make_challenge(workbench, ada, rules(data, name="later"))
    found = challenges_for(workbench, ada)
    assert [each.id for each in found] == [later, challenge]
    assert {(each.owner, each.is_own, each.team) for each in found} == {("ada", True, None)}
    (own,) = challenges_for(workbench, team)
    assert (own.id, own.owner, own.is_own, own.team) == (challenge, "ada", False, "The Bobs")
    assert (own.n_development, own.n_test, own.version) == (20, 20, 0)


def test_version_of_a_challenge_is_that_of_its_board(workbench, ada, team, challenge):
    run = submit(workbench, team, challenge, "a", run_file(4))
    assert find_challenge(workbench, team, challenge).version == 1
    withdraw(workbench, team, run.id)
    assert find_challenge(workbench, team, challenge).version == 2
    assert leaderboard(workbench, team, challenge) == (2, Board(making.MEASURES, (), ()))


def test_published_board_is_frozen_and_for_everybody(workbench, ada, team, challenge):
    run = submit(workbench, team, challenge, "a", run_file(4))
    with pytest.raises(ConflictError, match="is open"):
        publish(workbench, ada, challenge)
    close_now(workbench, ada, challenge)
    with pytest.raises(ConflictError, match="closed"):
        submit(workbench, team, challenge, "", run_file(1))
    with pytest.raises(AccessError):
        publish(workbench, team, challenge)
    publish(workbench, ada, challenge)
    with pytest.raises(ConflictError, check=coded("challenge-published-board-frozen")):
        withdraw(workbench, team, run.id)
    stranger = add_person(workbench, "dan", Role.ANNOTATOR, PASSWORD)
    assert find_challenge(workbench, stranger, challenge).state is ChallengeState.PUBLISHED
    assert len(leaderboard(workbench, stranger, challenge)[1].entries) == 1
    assert submissions_for(workbench, stranger, challenge) == []


def test_large_run_waits_for_a_worker_and_is_scored_once(workbench, ada, team, challenge):
    slow = Workbench(workbench.database, Limits(at_once=5))
    run = submit(slow, team, challenge, "", run_file(3))
    assert run.state == "waiting"
    close_now(workbench, ada, challenge)
    with pytest.raises(ConflictError, check=coded("run-not-scored-yet")):
        publish(workbench, ada, challenge)
    worker = Worker(slow, every=0.05)
    worker.start()
    for _ in range(200):
        (found,) = submissions_for(workbench, team, challenge)
        if found.state == "scored":
            break
        threading.Event().wait(0.05)
    worker.end()
    assert found.state == "scored"
    assert leaderboard(workbench, team, challenge)[0] == 1
    assert not score(workbench, run.id)


def test_run_whose_worker_died_is_taken_up_again(workbench, ada, team, challenge, database_url):
    slow = Workbench(workbench.database, Limits(at_once=5))
    run = submit(slow, team, challenge, "", run_file(3))
    dying = (
        "import os, sys; from ensue.workbench import open_workbench;"
        "from ensue.workbench import leaderboards as scoring;"
        "scoring.measured = lambda *_: os.kill(os.getpid(), 9);"
        "scoring.score(open_workbench(sys.argv[1]), int(sys.argv[2]))"
    )
    ended = subprocess.run([sys.executable, "-c", dying, database_url, str(run.id)])
    assert ended.returncode == -signal.SIGKILL
    assert waiting(workbench) == [run.id]
    assert score(workbench, run.id)
    with workbench.database.reading() as session:
        assert session.scalars(select(models.Submission.state)).all() == ["scored"]
        assert session.scalars(select(models.Submission.attempts)).all() == [2]


def test_two_servers_do_not_score_one_run_twice(workbench, ada, team, challenge, monkeypatch):
    """The second begins while the first is at it, sees it wait, and leaves it alone."""
    slow = Workbench(workbench.database, Limits(at_once=5))
    run = submit(slow, team, challenge, "", run_file(3))
    begun, ended, measured = threading.Event(), threading.Event(), []

    def measure(*arguments):
        measured.append(arguments)
        begun.set()
        ended.wait(30)
        return original(*arguments)

    original = scoring.measured
    monkeypatch.setattr(scoring, "measured", measure)
    first = Worker(slow, every=0.01)
    first.start()
    assert begun.wait(30)
    other = open_workbench(workbench.database.url.render_as_string(hide_password=False))
    assert waiting(other) == [run.id]
    assert not score(other, run.id)
    ended.set()
    first.end()
    assert not score(other, run.id)
    other.close()
    assert len(measured) == 1
    assert leaderboard(workbench, team, challenge)[0] == 1
    told = [each.subject for each in entries(workbench) if each.action == "submission.score"]
    assert told == [f"submission {run.id}"]


def test_run_that_kills_whoever_scores_it_is_given_up(workbench, ada, team, challenge, monkeypatch):
    slow = Workbench(workbench.database, Limits(at_once=5))
    run = submit(slow, team, challenge, "", run_file(3))

    def die(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(scoring, "measured", die)
    for _ in range(ATTEMPTS):
        with pytest.raises(KeyboardInterrupt):
            score(workbench, run.id)
    assert not score(workbench, run.id)
    (found,) = submissions_for(workbench, team, challenge)
    assert found.state == "failed"


def test_bug_in_one_run_keeps_no_other_waiting(workbench, ada, team, challenge, monkeypatch):
    slow = Workbench(workbench.database, Limits(at_once=5))
    first, second = (submit(slow, team, challenge, "", run_file(wrong)) for wrong in (3, 4))
    original = scoring.unpacked_run
    calls = []

    def unpack(content, name):
        calls.append(content)
        if len(calls) == 1:
            raise RuntimeError("a bug")
        return original(content, name)

    monkeypatch.setattr(scoring, "unpacked_run", unpack)
    Worker(slow)._score_all()
    states = {each.id: each.state for each in submissions_for(workbench, team, challenge)}
    assert states == {first.id: "waiting", second.id: "scored"}
    Worker(slow)._score_all()
    assert waiting(workbench) == []


def test_database_that_fails_meanwhile_fails_no_run(workbench, ada, team, challenge, monkeypatch):
    slow = Workbench(workbench.database, Limits(at_once=5))
    run = submit(slow, team, challenge, "", run_file(3))

    def fail(*_):
        raise StorageError("no-answer", "the database does not answer")

    with monkeypatch.context() as broken:
        broken.setattr(scoring, "kept_pairs", fail)
        with pytest.raises(StorageError):
            score(workbench, run.id)
    assert waiting(workbench) == [run.id]
    assert score(workbench, run.id)


def test_state_follows_the_clock(workbench, ada, challenge, monkeypatch):
    assert find_challenge(workbench, ada, challenge).state is ChallengeState.OPEN
    later = now() + timedelta(days=3)
    monkeypatch.setattr(making, "now", lambda: later)
    assert find_challenge(workbench, ada, challenge).state is ChallengeState.CLOSED


@given(st.integers(1, 7), st.integers(1, 60), st.integers(0, 2**32 - 1))
def test_many_runs_are_compared_as_a_few_are(n, n_pairs, seed):
    rng = np.random.default_rng(seed)
    right = rng.random((n, n_pairs)) < rng.random((n, 1))
    found = differing(right)
    chosen = [(i, j) for i in range(n) for j in range(i + 1, n)]
    p = [
        mcnemar(int((right[i] & ~right[j]).sum()), int((right[j] & ~right[i]).sum()))
        for i, j in chosen
    ]
    for (i, j), corrected in zip(chosen, holm(p), strict=True):
        assert found[i, j] == found[j, i] == (corrected <= 0.05)
    spans = cluster_spans(found)
    assert sorted({k for first, last in spans for k in range(first, last)}) == list(range(n))
    for first, last in spans:
        assert not found[first:last, first:last].any()
        assert first == 0 or found[first - 1 : last, first - 1 : last].any()
        assert last == n or found[first : last + 1, first : last + 1].any()


@given(st.lists(st.integers(0, 4), min_size=1, max_size=8))
def test_ranks_count_those_who_are_better(values):
    runs = [
        ScoredRun(
            i,
            "t",
            str(i),
            "",
            {"measures": {"accuracy": {"value": v}}, "tasks": {}},
            np.zeros(3, np.bool_),
        )
        for i, v in enumerate(values)
    ]
    for entry in board_of(runs, ["accuracy"]).entries:
        assert entry.rank == 1 + sum(other > values[entry.id] for other in values)
        assert entry.clusters == (1,)


@given(st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_runs_are_in_every_cluster_that_holds_their_place(n, seed):
    rng = np.random.default_rng(seed)
    right = rng.random((n, 200)) < np.linspace(0.9, 0.2, n)[:, None]
    scores = [{"measures": {"accuracy": {"value": float(n - i)}}, "tasks": {}} for i in range(n)]
    runs = [ScoredRun(i, "t", str(i), "", scores[i], right[i]) for i in range(n)]
    board = board_of(runs, ["accuracy"])
    spans = cluster_spans(differing(right))
    for place, entry in enumerate(board.entries):
        assert entry.clusters == tuple(
            k for k, (first, last) in enumerate(spans, 1) if first <= place < last
        )
    assert Board.from_json(json.loads(json.dumps(board.to_json()))) == board


def test_undefined_measures_are_last():
    def run(i, value):
        scores = {"measures": {"cws": {"value": value}}, "tasks": {}}
        return ScoredRun(i, "t", str(i), "", scores, np.zeros(3, np.bool_))

    board = board_of([run(1, None), run(2, 0.1)], ["cws"])
    assert [each.id for each in board.entries] == [2, 1]


def test_pairs_in_both_data_sets_are_refused(workbench, ada, data):
    both = add_dataset(workbench, ada, "both", pairs_file(20, 110))
    with pytest.raises(ConflictError, match="of the test data 10 stand among the development"):
        make_challenge(workbench, ada, rules([both.id, data[1]]))


def test_hidden_pairs_are_not_given_out_under_another_number(workbench, ada, data, challenge):
    again = add_dataset(workbench, ada, "again", pairs_file(20, 100))
    with pytest.raises(ConflictError, check=coded("test-data-challenge-not")):
        share_dataset(workbench, ada, again.id, shared=True)
    further = add_dataset(workbench, ada, "further", pairs_file(20, 200))
    with pytest.raises(ConflictError, check=coded("development-data-test-data")):
        make_challenge(workbench, ada, rules([again.id, further.id]))


def test_pairs_that_others_share_keep_nobody_from_a_challenge(workbench, ada, bob, data):
    copy = add_dataset(workbench, bob, "guessed", pairs_file(20, 100))
    share_dataset(workbench, bob, copy.id, shared=True)
    assert make_challenge(workbench, ada, rules(data))


def test_development_data_of_another_challenge_are_no_test_data(workbench, ada, data, challenge):
    again = add_dataset(workbench, ada, "again", pairs_file(20))
    with pytest.raises(ConflictError, check=coded("test-data-development-data")):
        make_challenge(workbench, ada, rules([data[1], again.id]))


def test_run_that_is_scored_while_it_is_withdrawn_leaves_the_board(
    workbench, team, challenge, monkeypatch
):
    """The scorer is through between the moment the row is read and the one it is held."""
    patient = Workbench(workbench.database, Limits(at_once=0))
    waits = submit(patient, team, challenge, "", run_file(1))
    held = models.held

    def late(session, table, number):
        if workbench.database.file is None:  # SQLite has one writer at a time, and no such moment
            monkeypatch.setattr(models, "held", held)
            assert score(workbench, waits.id)
        return held(session, table, number)

    monkeypatch.setattr(models, "held", late)
    withdraw(workbench, team, waits.id)
    assert leaderboard(workbench, team, challenge)[1].entries == ()


def test_many_runs_are_scored_at_once_without_running_out_of_connections(workbench, ada, data, bob):
    made = make_challenge(workbench, ada, rules(data, runs_allowed=40, measures=("accuracy",)))
    join(workbench, bob, invite(workbench, ada, made), "The Bobs")
    patient = Workbench(workbench.database, Limits(at_once=0))
    waiting = [
        submit(patient, bob, made, "", Upload("r.txt", io.BytesIO(run_bytes(i)))).id
        for i in range(35)
    ]
    with ThreadPoolExecutor(35) as threads:
        assert all(threads.map(lambda each: score(workbench, each), waiting))


def run_bytes(i):
    """A run that differs from others in a confidence."""
    return run_file(3).content.read().replace(b" 1.0", f" 0.{900 + i}".encode())
