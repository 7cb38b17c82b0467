"""The pool: what a plain loop gives, in any number of processes, of which none is left."""

import gc
import math
import operator
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from tests.engine.conftest import until

from ensue.engine.processes import Pool
from ensue.errors import DataError, EngineError
from ensue.pairs import load_pairs

SOURCE = Path(__file__).parents[2] / "src" / "ensue"

DYING = """
import os
import time
from pathlib import Path

def die_once(path):
    if not Path(path).exists():
        Path(path).touch()
        os._exit(9)
    return "alive"

def tell_and_sleep(path):
    Path(path + ".new").write_text(str(os.getpid()))
    Path(path + ".new").rename(path)
    time.sleep(600)
"""


@pytest.fixture(scope="module")
def pool():
    with Pool(2) as opened:
        yield opened


@pytest.fixture
def dying(tmp_path, monkeypatch):
    """A module that workers find only where this process finds it."""
    (tmp_path / "dying_workers.py").write_text(DYING)
    monkeypatch.syspath_prepend(tmp_path)
    import dying_workers

    yield dying_workers
    del sys.modules["dying_workers"]


def is_alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def one(pool, *call):
    (result,) = pool.in_order([call])
    return result


@given(st.lists(st.tuples(st.integers(), st.integers()), max_size=20))
def test_pool_gives_what_a_loop_gives(pool, numbers):
    found = list(pool.in_order((operator.mul, a, b) for a, b in numbers))
    assert found == [a * b for a, b in numbers]


def test_results_come_in_the_order_of_calls_whatever_they_take(pool):
    sizes = [3000, 3, 2000, 4, 1000, 5]
    assert list(pool.in_order((math.factorial, n) for n in sizes)) == [
        math.factorial(n) for n in sizes
    ]


def test_calls_are_made_by_other_processes(pool):
    processes = set(pool.in_order([(os.getpid,)] * 20))
    assert 1 <= len(processes) <= pool.n
    assert os.getpid() not in processes


def test_few_calls_are_taken_ahead(pool):
    taken = []

    def calls():
        for i in range(100):
            taken.append(i)
            yield operator.neg, i

    results = pool.in_order(calls())
    assert next(results) == 0
    assert len(taken) == 2 * pool.n + 1
    assert list(results) == [-i for i in range(1, 100)]


def test_taking_a_call_may_make_calls(pool):
    def calls():
        for i in range(12):
            yield operator.add, one(pool, operator.mul, i, i), 1

    assert list(pool.in_order(calls())) == [i * i + 1 for i in range(12)]


def test_error_of_ours_arrives_with_its_place(pool, tmp_path):
    missing = str(tmp_path / "none.jsonl")
    with pytest.raises(DataError) as there:
        one(pool, load_pairs, missing)
    with pytest.raises(DataError) as here:
        load_pairs(missing)
    assert str(there.value) == str(here.value)


def test_error_of_another_kind_arrives_as_text(pool):
    with pytest.raises(RuntimeError, match="ZeroDivisionError: integer division"):
        one(pool, operator.floordiv, 1, 0)


def test_error_ends_the_calls_and_not_the_pool(pool):
    calls = [(operator.floordiv, 6, n) for n in (1, 2, 0, 3)]
    results = pool.in_order(calls)
    assert [next(results), next(results)] == [6, 3]
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        next(results)
    assert one(pool, operator.floordiv, 6, 3) == 2


def test_call_whose_process_dies_is_made_again(pool, dying, tmp_path):
    assert one(pool, dying.die_once, str(tmp_path / "died")) == "alive"
    assert (tmp_path / "died").exists()


def test_call_that_always_ends_its_process_is_an_error(pool):
    with pytest.raises(EngineError, match=r"died twice .*: its process exited with 3") as found:
        one(pool, os._exit, 3)
    assert found.value.hint == "is there enough memory? fewer --workers need less"
    assert one(pool, operator.neg, 1) == -1


def test_process_that_was_killed_meanwhile_is_replaced():
    with Pool(1) as pool:
        first = one(pool, os.getpid)
        os.kill(first, 9)
        assert one(pool, os.getpid) != first


def test_calls_that_nobody_waits_for_are_dropped(dying, tmp_path):
    with Pool(2) as pool:
        results = pool.in_order(
            [(operator.neg, 1), *[(dying.tell_and_sleep, str(tmp_path / f"{i}")) for i in range(9)]]
        )
        assert next(results) == -1
        until(lambda: (tmp_path / "0").exists() and (tmp_path / "1").exists(), "both calls")
        results.close()
        assert not any(is_alive(int((tmp_path / name).read_text())) for name in "01")
        assert one(pool, operator.neg, 2) == -2
        assert not (tmp_path / "2").exists()


def test_closing_ends_what_is_being_done(dying, tmp_path):
    pool = Pool(1)
    sleeping = (dying.tell_and_sleep, str(tmp_path / "0"))
    results = pool.in_order([(operator.neg, 1), sleeping, sleeping])
    assert next(results) == -1
    until((tmp_path / "0").exists, "the call")
    pool.close()
    assert not is_alive(int((tmp_path / "0").read_text()))


def test_pool_leaves_no_process_when_it_is_closed():
    with Pool(2) as pool:
        processes = set(pool.in_order([(os.getpid,)] * 20))
    assert processes
    assert not any(map(is_alive, processes))


def test_pool_leaves_no_process_when_nobody_has_it():
    pool = Pool(1)
    process = one(pool, os.getpid)
    assert is_alive(process)
    del pool
    gc.collect()
    assert not is_alive(process)


def test_pool_leaves_no_process_when_the_interpreter_ends():
    code = (
        "import os; from ensue.engine.processes import Pool; pool = Pool(1);"
        " print(*pool.in_order([(os.getpid,)]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert not is_alive(int(done.stdout))


def test_no_process_is_started_before_the_first_call():
    with Pool(2) as pool:
        assert list(pool.in_order([])) == []
        assert pool._processes._all == []
        one(pool, os.getpid)
        assert [process.n_started for process in pool._processes._all] == [1]


def test_no_room_but_the_engine_spreads_work():
    spreading = re.compile(
        r"^ *(from|import) (multiprocessing|concurrent|dask|distributed)\b", re.M
    )
    found = {path for path in SOURCE.rglob("*.py") if spreading.search(path.read_text("utf-8"))}
    assert SOURCE / "engine" / "processes.py" in found
    assert [path for path in found if not path.is_relative_to(SOURCE / "engine")] == []
