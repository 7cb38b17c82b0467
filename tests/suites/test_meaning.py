"""What follows from what: each event of a hypothesis in one event of the text."""

import pytest

from ensue.suites.frames import NOBODY, Event, as_filler, follows, meaning_to_json, renumbered


@pytest.fixture(scope="module")
def event(small):
    """Makes an event of the small grammar from a predicate and its fillers by role."""
    entries = {entry.name: entry for entry in small.entries}
    numbers = {text: i for i, text in enumerate(small.texts)}

    def make(predicate, **roles):
        entry = entries[predicate]
        fillers = [NOBODY] * len(entry.roles)
        for name, filler in roles.items():
            role = entry.roles.index(name.removeprefix("r"))
            fillers[role] = numbers[filler] if isinstance(filler, str) else as_filler(filler)
        mask = sum(1 << i for i, filler in enumerate(fillers) if filler != NOBODY)
        return Event(entry, tuple(fillers), mask)

    return make


def test_a_part_of_an_event_follows(event):
    whole = event("read", r0="John", r1="a book", manner="quick")
    for part in (
        event("read", r0="John", r1="a book"),
        event("read", r0="John"),
        event("read", r1="a book", manner="quick"),
    ):
        assert follows([whole], [part])
        assert not follows([part], [whole])


def test_parts_of_two_events_of_one_predicate_do_not_make_one(event):
    # bare triples would let "Mary reads a book" follow from these two
    text = [event("read", r0="John", r1="a book"), event("read", r0="Mary", r1="the letter")]
    assert not follows(text, [event("read", r0="Mary", r1="a book")])
    assert follows(text, [event("read", r0="Mary", r1="the letter")])


def test_all_events_have_to_follow(event):
    reads, arrives = event("read", r0="John", r1="a book"), event("arrive", r0="Mary")
    assert follows([reads, arrives], [arrives])
    assert not follows([reads], [reads, arrives])


def test_roles_that_are_exchanged_do_not_follow(event):
    assert not follows(
        [event("visit", r0="John", r1="Mary")], [event("visit", r0="Mary", r1="John")]
    )


def test_symmetric_roles_may_be_exchanged(event):
    marries = [event("marry", r0="John", r1="Mary")]
    assert follows(marries, [event("marry", r0="Mary", r1="John")])
    assert follows(marries, [event("marry", r0="Mary")])
    assert not follows(marries, [event("marry", r0="Mary", r1="Mark")])


def test_events_as_fillers_are_compared_by_what_they_say(event):
    text = [event("arrive", r0="John", manner="quick"), event("surprise", r0=0, r1="Mary")]
    assert follows(text, [event("arrive", r0="John"), event("surprise", r0=0, r1="Mary")])
    assert follows(text, [event("surprise", r1="Mary")])
    assert not follows(text, [event("arrive", r0="Mark"), event("surprise", r0=0, r1="Mary")])
    arrives_and_reads = [*text, event("read", r0="Mark")]
    assert not follows(
        arrives_and_reads, [event("read", r0="Mark"), event("surprise", r0=0, r1="Mary")]
    )


def test_some_events_by_themselves_keep_their_links(event):
    text = [
        event("read", r0="Mark"),
        event("arrive", r0="John"),
        event("surprise", r0=1, r1="Mary"),
    ]
    kept = renumbered(text, [1, 2])
    assert kept == [text[1], event("surprise", r0=0, r1="Mary")]


def test_meaning_is_written_with_names(small, event):
    text = [event("arrive", r0="John", manner="quick"), event("surprise", r0=0, r1="Mary")]
    assert meaning_to_json(text, small) == [
        {"predicate": "arrive", "roles": {"0": "John", "manner": "quick"}},
        {"predicate": "surprise", "roles": {"0": 0, "1": "Mary"}},
    ]
