"""A shard is done whatever happens to its process, and only those items fail that are to blame."""

import math
import signal
from array import array
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.engine import shards
from ensue.engine.job import Job, Shard, ShardSizes
from ensue.engine.processes import Stopped, WorkerDied
from ensue.engine.progress import RunState, Snapshot
from ensue.engine.run import RunAccount
from ensue.engine.shards import MOST_FAILED, IsolatedWorker, do_shard
from ensue.engine.store import RunPlan
from ensue.errors import DataError, EngineError, LimitError
from ensue.pairs import Finding, Severity


class Death(BaseException):
    """What stands for the end of a process."""


@dataclass
class Trial(Job):
    """A job that writes items as they are but for those that it stumbles over."""

    batch_size: int = 4
    poison: tuple = ()
    raising: tuple = ()
    error: BaseException = field(default_factory=lambda: ValueError("odd"))
    suffix = ".txt"
    sizes = ShardSizes()

    def do(self, loaded, items):
        if set(items) & set(self.poison):
            raise Death
        if set(items) & set(self.raising):
            raise self.error
        return [f"{item} done" for item in items]

    def failed(self, item, reason):
        return f"{item} failed"

    def key(self, item):
        return str(item)

    def write(self, results):
        return "\n".join(results).encode()

    def counts(self, results):
        return {"end": {"done": sum(each.endswith("done") for each in results)}}


@dataclass
class Mortal:
    """Stands for a process: calls here, and dies of poison or when it is told to."""

    strikes: list = field(default_factory=list)
    """For each call in turn, whether something outside ends the process."""
    n_calls: int = 0

    def call(self, function, *arguments, on_note=lambda _: None):
        self.n_calls += 1
        struck = self.strikes.pop(0) if self.strikes else False
        try:
            found = function(*arguments, on_note)
        except Death:
            raise WorkerDied("its process exited with 9") from None
        if struck:
            raise WorkerDied("its process was killed by SIGKILL")
        return found


@dataclass
class Kept:
    """Stands for a folder."""

    files: dict = field(default_factory=dict)

    def write(self, name, content):
        self.files[name] = content.decode()


@pytest.fixture(autouse=True)
def _nothing_loaded():
    yield
    shards._loaded.clear()


def isolated(trial, process, is_stopped=lambda: False):
    deaths = []
    folder = Kept()
    report = SimpleNamespace(
        on_batch=lambda span: None, on_death=deaths.append, is_stopped=is_stopped
    )
    return (
        IsolatedWorker(process, trial, folder, report),
        folder,
        deaths,
    )


def ends(folder):
    return folder.files["part-000000.txt"].splitlines()


def shard_of(n):
    return Shard(0, items=tuple(range(n)))


@given(
    n=st.integers(1, 40),
    batch_size=st.integers(1, 16),
    poison=st.sets(st.integers(0, 39), max_size=4),
    raising=st.sets(st.integers(0, 39), max_size=4),
)
def test_exactly_those_items_fail_that_are_to_blame(n, batch_size, poison, raising):
    trial = Trial(batch_size, tuple(poison), tuple(raising))
    worker, folder, deaths = isolated(trial, Mortal())
    account = worker.do(shard_of(n))
    guilty = {i for i in poison | raising if i < n}
    assert ends(folder) == [f"{i} {'failed' if i in guilty else 'done'}" for i in range(n)]
    assert [key for key, _ in account.blamed] == [str(i) for i in sorted(guilty)]
    reasons = dict(account.blamed)
    assert all(reasons[str(i)] == "its process exited with 9" for i in poison if i < n)
    assert all(reasons[str(i)] == "ValueError: odd" for i in raising - poison if i < n)
    assert (account.n_items, account.n_rows) == (n, n)
    # to die in the shard, again in the batch, in one half at each step, and once alone
    steps = math.ceil(math.log2(batch_size)) + 3
    assert len(deaths) <= steps * len([i for i in poison if i < n])


@given(
    n=st.integers(6, 40),
    batch_size=st.integers(1, 16),
    poison=st.integers(0, 39),
    strikes=st.lists(st.booleans(), max_size=8).filter(lambda each: sum(each) <= 2),
)
def test_strike_from_outside_is_blamed_on_no_item(n, batch_size, poison, strikes):
    worker, folder, _ = isolated(Trial(batch_size, (poison,)), Mortal(strikes))
    account = worker.do(shard_of(n))
    guilty = [poison] if poison < n else []
    assert [key for key, _ in account.blamed] == list(map(str, guilty))
    assert len(ends(folder)) == n


def test_shard_whose_process_is_killed_again_and_again_is_given_up():
    worker, _, deaths = isolated(Trial(), Mortal([True, False] * 9))
    with pytest.raises(EngineError, match=r"shard 0 died 4 times.* killed by SIGKILL") as caught:
        worker.do(shard_of(8))
    assert "memory" in caught.value.hint
    assert len(deaths) == 4


def test_batch_that_only_dies_as_a_whole_is_blamed_on_no_item():
    class Heavy(Trial):
        def do(self, loaded, items):
            if len(items) == 4:
                raise Death
            return super().do(loaded, items)

    worker, _, _ = isolated(Heavy(), Mortal())
    with pytest.raises(EngineError, check=coded("worker-shard-died-times")):
        worker.do(shard_of(8))


def test_worker_that_dies_of_everything_is_given_up_soon():
    process = Mortal()
    worker, _, deaths = isolated(Trial(1024, tuple(range(2000))), process)
    with pytest.raises(EngineError, match=r"every item .* alone; .* exited with 9"):
        worker.do(shard_of(2000))
    assert (
        process.n_calls == len(deaths) == 1 + 1 + 10 + 1 + 5
    )  # 2¹⁰ pairs halved, then five others


def test_worker_that_dies_before_its_first_batch_is_given_up():
    class Unloadable(Trial):
        def load(self):
            raise Death

    process = Mortal()
    worker, _, _ = isolated(Unloadable(), process)
    with pytest.raises(EngineError, check=coded("worker-shard-died-times")):
        worker.do(shard_of(8))
    assert process.n_calls == 4


def test_too_many_items_to_blame_are_given_up():
    poison = tuple(range(1, 2 * MOST_FAILED + 4, 2))
    worker, _, _ = isolated(Trial(4, poison), Mortal())
    with pytest.raises(EngineError, match=f"more than {MOST_FAILED} items of shard 0"):
        worker.do(shard_of(300))


def test_death_at_the_end_of_a_run_is_no_death():
    worker, _, deaths = isolated(Trial(), Mortal([True]), is_stopped=lambda: True)
    with pytest.raises(Stopped):
        worker.do(shard_of(8))
    assert deaths == []


def told(trial, n=8):
    spans = []
    return do_shard(trial, Kept(), shard_of(n), {}, spans.append), spans


def test_shard_is_told_of_batch_by_batch():
    account, spans = told(Trial(3))
    assert spans == [(0, 3), (3, 6), (6, 8)]
    assert account.counts == {"end": {"done": 8}}
    assert array("q", account.keys).tolist() == [hash(str(i)) for i in range(8)]


def test_item_that_leaves_the_program_fails_alone():
    account, _ = told(Trial(raising=(5,), error=SystemExit("enough")))
    assert account.blamed == (("5", "SystemExit: enough"),)


def interrupts():
    """Ctrl-C, as it comes from Python and from a compiled kernel."""
    inside = SystemError("a kernel returned a result with an exception set")
    inside.__cause__ = KeyboardInterrupt()
    return [KeyboardInterrupt(), inside]


@pytest.mark.parametrize("error", interrupts(), ids=["plain", "kernel"])
def test_interrupt_of_the_driver_is_blamed_on_no_item(error):
    with pytest.raises(type(error)):
        told(Trial(raising=(5,), error=error))


@pytest.mark.parametrize("error", interrupts(), ids=["plain", "kernel"])
def test_interrupt_in_a_worker_is_the_items_own(error):
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as worker do
    try:
        account, _ = told(Trial(raising=(5,), error=error))
    except KeyboardInterrupt:
        pytest.fail("it would end the process")
    finally:
        signal.signal(signal.SIGINT, before)
    ((key, reason),) = account.blamed
    assert (key, reason.partition(":")[0]) == ("5", type(error).__name__)


def test_account_has_the_figures_of_its_own_shard():
    class Counting(Trial):
        n_texts = 100

        def do(self, loaded, items):
            self.n_texts += len(items)
            return super().do(loaded, items)

        def figures(self):
            return {"texts": self.n_texts}

    trial = Counting()
    assert [told(trial, n)[0].figures for n in (8, 3)] == [{"texts": 8}, {"texts": 3}]


def run_of(*shards):
    plan = RunPlan({}, "digest", 8, ".txt", "")
    return RunAccount(plan, shards, frozenset(), Snapshot(RunState.FINISHED, "x"), 1.0)


def test_findings_of_a_shard_are_counted_and_the_first_ones_told():
    class Finicky(Trial):
        def items(self, shard, on_finding):
            for i in range(25):
                on_finding(Finding(f"odd-{i}", Severity.WARNING, "odd"))
            return shard.items

    account, _ = told(Finicky())
    codes = [f"odd-{i}" for i in range(20)]
    assert ([each.code for each in account.findings], account.n_findings) == (codes, 25)
    *first, more = run_of(account, account).findings
    assert [each.code for each in first] == codes * 2
    assert (more.code, more.message) == ("more", "10 more findings like these")
    assert run_of(told(Trial())[0]).findings == ()


def test_account_counts_the_items_that_were_read():
    class Blank(Trial):
        def items(self, shard, on_finding):
            return shard.items[1:]

    assert told(Blank())[0].n_items == 7


def test_expected_failures_end_the_shard():
    with pytest.raises(DataError, match="broken"):
        told(Trial(raising=(5,), error=DataError("broken", "broken")))


def test_item_that_is_too_much_is_blamed_alone():
    account, _ = told(Trial(raising=(5,), error=LimitError("much", "too much", hint="less")))
    assert account.blamed == (("5", "too much"),)


def test_exceptions_that_are_the_rule_end_the_shard():
    with pytest.raises(ValueError, match="odd"):
        told(Trial(raising=tuple(range(MOST_FAILED + 1))), MOST_FAILED + 1)


def test_lost_result_ends_the_shard():
    class Losing(Trial):
        def do(self, loaded, items):
            return super().do(loaded, items)[1:]

    with pytest.raises(EngineError, match="4 items got 3 results"):
        told(Losing())
