"""People, passwords, sessions, tokens, limits and the log."""

from datetime import timedelta

import pytest
from hypothesis import given, strategies as st
from sqlalchemy import select
from tests.errors import coded

from ensue.errors import AccessError, ConflictError, LimitError, NotFoundError, SettingError
from ensue.workbench import Role, accounts as signing_in
from ensue.workbench.accounts import (
    Limiter,
    add_person,
    add_token,
    bearer,
    close_person,
    entries,
    hashed,
    is_right,
    people,
    remove_token,
    set_password,
    sign_in,
    sign_out,
    signed_in,
    the_only_person,
    tokens,
)
from ensue.workbench.database import models, now

PASSWORD = "correct horse battery"


def test_password_is_kept_as_an_argon2_hash_only(workbench, ada):
    with workbench.database.reading() as session:
        kept = session.scalars(select(models.User.password)).one()
    assert kept.startswith("$argon2id$")
    assert PASSWORD not in kept
    assert is_right(PASSWORD, kept)
    assert not is_right(PASSWORD + " ", kept)


def test_password_of_nobody_is_never_right():
    assert not is_right("nobody has this password", None)
    assert not is_right("anything", "no hash at all")
    assert hashed(PASSWORD) != hashed(PASSWORD)


@pytest.mark.parametrize("password", ["short", "x" * 201, "ada-lovelace"])
def test_password_that_is_none_is_refused(workbench, password):
    with pytest.raises(SettingError):
        add_person(workbench, "ada-lovelace", Role.ORGANIZER, password)


@pytest.mark.parametrize("name", ["", "a b", "you", "<b>", "x" * 81, "a/b"])
def test_name_that_is_none_is_refused(workbench, name):
    with pytest.raises(SettingError):
        add_person(workbench, name, Role.ORGANIZER, PASSWORD)


def test_name_is_taken_once(workbench, ada):
    with pytest.raises(ConflictError, match="'ada'"):
        add_person(workbench, "ada", Role.ANNOTATOR, PASSWORD)


def test_session_lets_its_person_in_until_it_ends(workbench, ada):
    person, secret = sign_in(workbench, "ada", PASSWORD)
    assert person == ada
    assert signed_in(workbench, secret) == ada
    assert signed_in(workbench, secret + "x") is None
    sign_out(workbench, secret)
    assert signed_in(workbench, secret) is None


def test_secret_of_a_session_is_not_in_the_database(workbench, ada):
    _, secret = sign_in(workbench, "ada", PASSWORD)
    with workbench.database.reading() as session:
        (row,) = session.scalars(select(models.Session))
    assert secret not in (row.digest,)
    assert len(row.digest) == 64


def test_session_ends_after_two_weeks(workbench, ada, monkeypatch):
    _, secret = sign_in(workbench, "ada", PASSWORD)
    later = now() + timedelta(days=14, minutes=1)
    monkeypatch.setattr(signing_in, "now", lambda: later)
    assert signed_in(workbench, secret) is None


@pytest.mark.parametrize(("name", "password"), [("ada", "wrong wrong wrong"), ("eve", PASSWORD)])
def test_wrong_name_and_wrong_password_are_told_alike(workbench, ada, name, password):
    with pytest.raises(AccessError, check=coded("nobody-name-password")):
        sign_in(workbench, name, password)


def test_new_password_signs_everybody_out(workbench, ada):
    _, secret = sign_in(workbench, "ada", PASSWORD)
    set_password(workbench, "ada", "another good one", by=ada)
    assert signed_in(workbench, secret) is None
    sign_in(workbench, "ada", "another good one")


def test_closed_account_lets_nobody_in(workbench, ada, bob):
    _, secret = sign_in(workbench, "bob", PASSWORD)
    token = add_token(workbench, bob, "laptop")
    close_person(workbench, "bob", by=ada)
    assert signed_in(workbench, secret) is None
    assert bearer(workbench, token) is None
    with pytest.raises(AccessError):
        sign_in(workbench, "bob", PASSWORD)
    with pytest.raises(NotFoundError):
        close_person(workbench, "bob", by=ada)


def test_token_lets_a_program_in_until_it_is_removed(workbench, ada, bob):
    token = add_token(workbench, bob, "laptop")
    assert bearer(workbench, token) == bob
    (row,) = tokens(workbench, bob)
    assert row.used is not None
    with pytest.raises(NotFoundError):
        remove_token(workbench, ada, row.id)
    remove_token(workbench, bob, row.id)
    assert bearer(workbench, token) is None


def test_only_person_is_the_same_each_time_and_signs_in_never(workbench):
    first, second = the_only_person(workbench), the_only_person(workbench)
    assert first == second
    assert first.is_organizer
    with pytest.raises(AccessError):
        sign_in(workbench, first.name, PASSWORD)
    assert [each.name for each in people(workbench)] == ["you"]


def test_log_says_who_did_what_and_no_secret(workbench, ada):
    token = add_token(workbench, ada, "laptop")
    sign_in(workbench, "ada", PASSWORD)
    found = entries(workbench)
    assert [each.action for each in found] == ["session.begin", "token.add", "person.add"]
    assert {each.who for each in found} == {"ada"}
    assert token not in str(found)
    assert PASSWORD not in str(found)


def test_limiter_lets_so_many_through_and_forgets():
    clock = [0.0]
    limiter = Limiter(3, 10.0, lambda: clock[0])
    for _ in range(3):
        limiter.take("a")
    with pytest.raises(LimitError) as caught:
        limiter.take("a")
    assert caught.value.hint == "try again in 10 s"
    limiter.take("b")
    clock[0] = 10.5
    limiter.take("a")


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 5)), max_size=60))
def test_limiter_never_lets_more_through_in_a_window(calls):
    clock = [0.0]
    limiter = Limiter(4, 7.0, lambda: clock[0])
    taken: dict[str, list[float]] = {}
    for key, wait in calls:
        clock[0] += wait
        try:
            limiter.take(key)
        except LimitError:
            assert sum(clock[0] - at <= 7.0 for at in taken[key]) >= 4
        else:
            taken.setdefault(key, []).append(clock[0])
            assert sum(clock[0] - at <= 7.0 for at in taken[key]) <= 4
