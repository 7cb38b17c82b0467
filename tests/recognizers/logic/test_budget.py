"""The seconds of a pair: every stage keeps them, by a clock that no load can change."""

import sys
from itertools import islice, product

import pytest

from ensue.language.lexicon import load_lexicon
from ensue.logic import Deadline, Reasoner, ReasoningOutcome, ReasoningSettings, TimeOver
from ensue.logic.proving import Budget, open_prover
from ensue.pairs import Pair, Status
from ensue.recognizers.logic import (
    ArgumentFailure,
    MeaningReader,
    evidence_of,
    shared_analyzer,
    verdict_of,
)


class CallClock:
    """A clock that goes on by a microsecond with each function that this thread calls."""

    def __init__(self):
        self.calls = 0

    def __call__(self):
        return self.calls * 1e-6

    def __enter__(self):
        sys.setprofile(self._count)
        return self

    def __exit__(self, *_):
        sys.setprofile(None)

    def _count(self, _frame, event, _argument):
        self.calls += event in ("call", "c_call")


class HandClock:
    """A clock that goes on when it is told to."""

    now = 0.0

    def __call__(self):
        return self.now


WORDS = product(
    ["old", "green", "clever", "heavy"],
    ["judge", "teacher", "doctor", "senator", "banker", "actor"],
    ["praised", "followed", "helped", "called", "thanked"],
    ["bridge", "report", "garden", "theory", "festival"],
)
LONG = " ".join(
    f"The {quality} {who} {did} an owner of the {what}, and he left because it was late."
    for quality, who, did, what in islice(WORDS, 0, None, 7)
)
"""Some 85 sentences, with pronouns, clauses, definites and words that are looked up."""
PAIR = Pair("1", LONG, "The clever teacher praised somebody who owned a garden.")


def reader(clock, seconds=1e9, steps=20_000):
    settings = ReasoningSettings(budget=Budget(seconds, steps))
    reasoner = Reasoner(load_lexicon(), open_prover("z3"), settings, clock)
    return MeaningReader(shared_analyzer(), reasoner)


def explained(seconds):
    """What comes of the long pair in so many seconds, and the seconds that it took."""
    shared_analyzer().analyze([PAIR.text, PAIR.hypothesis])  # which does not count
    clock = CallClock()
    meanings = reader(clock, seconds)
    with clock:
        (found,) = meanings.arguments([PAIR], explain=True)
        if not isinstance(found, ArgumentFailure):
            evidence_of(found, open_prover("z3"), Budget(seconds))
    return found, clock()


@pytest.fixture(scope="module")
def whole():
    """The seconds that all of it takes, words being known: what was looked up once is kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENSUE_KERNELS", "interpreted")  # a compiler calls functions, too
        explained(1e9)
        found, seconds = explained(1e9)
        assert found.outcome is not ReasoningOutcome.FAILED
        yield seconds


@pytest.mark.parametrize("share", [0.03, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97])
def test_no_stage_goes_on_for_more_than_a_tenth_after_the_deadline(whole, share):
    _, seconds = explained(share * whole)
    assert seconds < 1.1 * share * whole


@pytest.mark.parametrize(("share", "stage"), [(0.02, "reading the text"), (0.5, "proving")])
def test_what_was_at_work_is_named_with_the_setting_to_raise(whole, share, stage):
    found, _ = explained(share * whole)
    verdict = verdict_of("1", found)
    assert (verdict.status, verdict.label) == (Status.BUDGET_EXHAUSTED, None)
    assert verdict.reason.endswith(f" s were over while {stage} (a larger 'seconds' gives it more)")


def test_what_was_read_before_counts_for_each_pair_with_it():
    clock = HandClock()
    meanings = reader(clock, seconds=1.0)
    first, second = (
        Pair("1", "A dog barks.", "A dog barks."),
        Pair("2", "A dog barks.", "It rains."),
    )
    list(meanings.arguments([first]))
    key = ("A dog barks.",), True
    known = meanings._known[key]
    meanings._known[key] = type(known)(known.meaning, 2.0)  # as if it had taken two seconds
    (found,) = meanings.arguments([second])
    assert found.outcome is ReasoningOutcome.EXHAUSTED


def test_text_that_takes_too_long_is_read_once_for_all_of_its_pairs(monkeypatch):
    clock = HandClock()
    meanings = reader(clock, seconds=1.0)
    asked = []

    def slow(sentence, *, asserted, deadline):
        asked.append(asserted)
        clock.now += 2
        deadline.check()

    monkeypatch.setattr(meanings._reasoner, "meaning", slow)
    pairs = [Pair(str(i), "A dog barks.", f"Dog {i} barks.") for i in range(3)]
    found = list(meanings.arguments(pairs))
    assert [each.outcome for each in found] == [ReasoningOutcome.EXHAUSTED] * 3
    assert asked == [True]
    list(meanings.arguments(pairs))  # a machine may have been busy, so it is tried again
    assert asked == [True, True]


def test_deadline_is_over_when_its_clock_says_so():
    clock = HandClock()
    deadline = Deadline(1.0, stage="proving", clock=clock)
    clock.now = 1.0
    deadline.check()
    deadline.charge(0.5)
    with pytest.raises(TimeOver) as over:
        deadline.check()
    assert over.value.stage == "proving"
    assert deadline.within(10.0).left == deadline.left == -0.5


def test_compiling_a_kernel_costs_a_pair_nothing(monkeypatch):
    clock, compiled = HandClock(), 0.0
    monkeypatch.setattr("ensue.logic.deadline.compile_seconds", lambda: compiled)
    deadline = Deadline(1.0, clock=clock)
    clock.now, compiled = 5.0, 4.5
    deadline.check()
    assert deadline.left == 0.5
    clock.now = 6.0
    with pytest.raises(TimeOver):
        deadline.check()
