"""Nobody gets more than their share: whoever comes twice, at once, or under another name."""

import io
import threading
from datetime import timedelta

import pytest
from sqlalchemy import func, select
from tests.errors import coded
from tests.web.world import open_challenge, pairs_file, run_file

from ensue.errors import ConflictError, EnsueError, LimitError, NotFoundError, SettingError
from ensue.workbench import Limits, Role, Workbench, leaderboards as scoring
from ensue.workbench.accounts import add_person, add_token, sign_in
from ensue.workbench.challenges import close_now, publish
from ensue.workbench.database import models, now
from ensue.workbench.datasets import add_dataset, share_dataset
from ensue.workbench.submissions import (
    invite,
    invite_to_team,
    join,
    leaderboard,
    submissions_for,
    submit,
    teams,
    withdraw,
)
from ensue.workbench.trials import RecognizerTrial, keep_trial
from ensue.workbench.uploads import Upload

PASSWORD = "correct horse battery"


@pytest.fixture
def challenge(workbench, ada):
    """One with three runs a team."""
    for first in (0, 100):
        add_dataset(workbench, ada, "", pairs_file(first, is_hidden=first > 0))
    return open_challenge(workbench, ada, 1, 2, runs_allowed=3)


@pytest.fixture
def team(workbench, ada, bob, challenge):
    """Two people of one team."""
    join(workbench, bob, invite(workbench, ada, challenge), "The Bobs")
    cleo = add_person(workbench, "cleo", Role.PARTICIPANT, PASSWORD)
    join(workbench, cleo, invite_to_team(workbench, bob, challenge), "")
    return bob, cleo


def at_once(*functions):
    """What each gives or raises, when all are called at the same moment."""
    barrier = threading.Barrier(len(functions))
    found = [None] * len(functions)

    def call(i):
        barrier.wait(30)
        try:
            found[i] = functions[i]()
        except EnsueError as error:
            found[i] = error

    threads = [threading.Thread(target=call, args=(i,)) for i in range(len(functions))]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return found


def count(workbench, table):
    with workbench.database.reading() as session:
        return session.scalar(select(func.count()).select_from(table))


def kinds(found):
    return sorted(type(each).__name__ for each in found if isinstance(each, EnsueError))


def test_two_of_one_team_have_no_more_runs_than_one(workbench, ada, team, challenge):
    found = at_once(
        *(
            lambda who=who, wrong=wrong: submit(workbench, who, challenge, "", run_file(100, wrong))
            for wrong, who in enumerate([*team, *team, *team])
        )
    )
    assert kinds(found) == ["RateError"] * 3
    runs = submissions_for(workbench, ada, challenge)
    assert [each.number for each in runs] == [1, 2, 3]
    version, board = leaderboard(workbench, ada, challenge)
    assert (version, len(board.entries)) == (3, 3)


def test_one_file_is_one_run_however_often_it_is_sent(workbench, team, challenge):
    send = [
        lambda who=who: submit(workbench, who, challenge, "", run_file(100)) for who in [*team] * 3
    ]
    assert kinds(at_once(*send)) == ["ConflictError"] * 5
    assert count(workbench, models.Submission) == 1


def test_runs_that_were_withdrawn_or_failed_count(workbench, team, challenge, monkeypatch):
    bob, _ = team
    first = submit(workbench, bob, challenge, "", run_file(100, 1))
    withdraw(workbench, bob, first.id)

    def fail(*_):
        raise SettingError("no", "no")

    with monkeypatch.context() as broken:
        broken.setattr(scoring, "measured", fail)
        assert submit(workbench, bob, challenge, "", run_file(100, 2)).state == "failed"
    submit(workbench, bob, challenge, "", run_file(100, 3))
    with pytest.raises(LimitError, match="3 of 3 runs"):
        submit(workbench, bob, challenge, "", run_file(100, 4))


@pytest.mark.parametrize("is_over", [False, True])
def test_last_run_that_is_sent_again_is_told_to_be_there(workbench, ada, team, challenge, is_over):
    """Also after the end: whoever got no answer has to learn what became of their run."""
    bob, _ = team
    for wrong in range(3):
        submit(workbench, bob, challenge, "", run_file(100, wrong))
    if is_over:
        close_now(workbench, ada, challenge)
    with pytest.raises(ConflictError, match="your run 3 again") as told:
        submit(workbench, bob, challenge, "", run_file(100, 2))
    assert told.value.hint == "it is there, and was not counted once more"


def test_nobody_makes_two_teams_at_once(workbench, ada, bob, challenge):
    codes = [invite(workbench, ada, challenge) for _ in range(4)]
    found = at_once(
        *(lambda i=i: join(workbench, bob, codes[i], f"Team {i}") for i in range(len(codes)))
    )
    assert kinds(found) == ["ConflictError"] * 3
    assert len(teams(workbench, ada, challenge)) == 1


def test_one_invitation_is_for_one_of_those_who_come_at_once(workbench, ada, challenge):
    code = invite(workbench, ada, challenge)
    people = [add_person(workbench, f"p{i}", Role.PARTICIPANT, PASSWORD) for i in range(4)]
    found = at_once(
        *(lambda each=each: join(workbench, each, code, f"Team {each.name}") for each in people)
    )
    assert kinds(found) == ["NotFoundError"] * 3
    assert len(teams(workbench, ada, challenge)) == 1


def test_teams_of_one_name_are_not_made_at_once(workbench, ada, challenge):
    people = [add_person(workbench, f"p{i}", Role.PARTICIPANT, PASSWORD) for i in range(4)]
    codes = [invite(workbench, ada, challenge) for _ in people]
    names = ["Best", "best", "BEST", "bEST"]
    found = at_once(*(lambda i=i: join(workbench, people[i], codes[i], names[i]) for i in range(4)))
    assert kinds(found) == ["ConflictError"] * 3


def test_test_data_are_not_shared_while_a_challenge_is_made_of_them(workbench, ada):
    for first in range(0, 1000, 100):
        add_dataset(workbench, ada, "", pairs_file(first))
    for test in range(2, 11):
        at_once(
            lambda test=test: open_challenge(workbench, ada, 1, test),
            lambda test=test: share_dataset(workbench, ada, test, shared=True),
        )
    with workbench.database.reading() as session:
        query = select(models.DataSet.is_shared).join(
            models.Challenge, models.Challenge.test_id == models.DataSet.id
        )
        assert not any(session.scalars(query))


def test_hidden_gold_is_not_given_out_by_another_challenge(workbench, ada, challenge):
    add_dataset(workbench, ada, "", pairs_file(200))
    with pytest.raises(ConflictError, check=coded("development-data-test-data")):
        open_challenge(workbench, ada, 2, 3)
    with pytest.raises(ConflictError, check=coded("test-data-development-data")):
        open_challenge(workbench, ada, 3, 1)
    close_now(workbench, ada, challenge)
    publish(workbench, ada, challenge)
    assert open_challenge(workbench, ada, 2, 3) == 2


def test_ids_of_test_data_are_not_told_before_the_challenge_opens(workbench, ada, bob, challenge):
    with workbench.database.writing() as session:
        session.get_one(models.Challenge, challenge).opens = now() + timedelta(hours=1)
    join(workbench, bob, invite(workbench, ada, challenge), "Early")
    for pair_id in ("p100", "nobody"):
        run = Upload("run.txt", io.BytesIO(f"{pair_id} TRUE\n".encode()))
        with pytest.raises(ConflictError, match="not open yet"):
            submit(workbench, bob, challenge, "", run)


def test_what_two_do_at_once_is_done_once(workbench, ada):
    """Where one database waits for the other and the other does not, nobody gets a bug."""
    trial = RecognizerTrial(("overlap",), "A dog barks.", "A dog barks.")
    for functions in (
        [lambda: add_person(workbench, "eve", Role.ANNOTATOR, PASSWORD)] * 4,
        [lambda: keep_trial(workbench, ada, trial)] * 4,
    ):
        found = at_once(*functions)
        assert set(kinds(found)) <= {"ConflictError"}
        assert len(kinds(found)) < 4
    assert count(workbench, models.StoredTrial) == 1
    assert count(workbench, models.User) == 2


def test_names_with_null_characters_are_no_bug(workbench, ada, team, challenge):
    """SQLite keeps them and PostgreSQL does not; whoever sends them is told so."""
    bob, _ = team
    found = at_once(
        lambda: add_dataset(workbench, ada, "a\x00b", pairs_file(300)),
        lambda: submit(workbench, bob, challenge, "a\x00b", run_file(100)),
        lambda: add_token(workbench, ada, "a\x00b"),
        lambda: add_dataset(workbench, ada, "\ud800", pairs_file(400)),
    )
    is_strict = workbench.database.file is None
    assert kinds(found) == ["SettingError"] * (4 if is_strict else 1)
    with pytest.raises(EnsueError):
        sign_in(workbench, "a\x00b", PASSWORD)


def test_ids_that_cannot_be_kept_are_refused(workbench, ada):
    line = '{{"id": "{}", "text": "a", "hypothesis": "b"}}\n'
    for odd in ("x" * 300, "a\\u0000b"):
        upload = Upload("p.jsonl", io.BytesIO(line.format(odd).encode()))
        with pytest.raises(EnsueError, check=coded("id-cannot-kept")):
            add_dataset(workbench, ada, "", upload)
    assert count(workbench, models.DataSet) == 0


def test_limits_hold_for_programs_as_for_people(workbench, ada, challenge):
    """A run that waits counts as one that is scored does."""
    slow = Workbench(workbench.database, Limits(at_once=1))
    dan = add_person(workbench, "dan", Role.PARTICIPANT, PASSWORD)
    join(workbench, dan, invite(workbench, ada, challenge), "Dans")
    for wrong in range(3):
        assert submit(slow, dan, challenge, "", run_file(100, wrong)).state == "waiting"
    with pytest.raises(LimitError):
        submit(slow, dan, challenge, "", run_file(100, 4))
    with pytest.raises(NotFoundError):
        join(workbench, dan, "invitation_guess", "Others")
