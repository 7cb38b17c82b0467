"""`--workers`: how many processes a command may have, and that they end with it."""

import operator

import click
import pytest

from ensue.cli.app import run
from ensue.cli.options import open_pool, with_pool, workers_option
from ensue.recognizers import load


def test_pool_has_as_many_processes_as_asked_for():
    with open_pool(3) as pool:
        assert pool.n == 3


def test_one_worker_is_no_pool():
    with open_pool(1) as pool:
        assert pool is None


def test_pool_has_as_many_processes_as_cores_where_nothing_is_said(monkeypatch):
    monkeypatch.setattr("ensue.engine.n_cores", lambda: 5)
    with open_pool(None) as pool:
        assert pool.n == 5


def test_pool_of_a_command_ends_with_it():
    found = []

    @click.command()
    @workers_option
    def command(pool):
        found.append(pool)
        found.extend(pool.in_order([(operator.neg, 1)]))

    command.main(["--workers", "2"], standalone_mode=False)
    pool, result = found
    assert result == -1
    with pytest.raises(RuntimeError, match="after shutdown"):
        list(pool.in_order([(operator.neg, 1)]))


def test_recognizer_without_use_for_a_pool_stays_as_it_is():
    recognizer = load("overlap")
    with open_pool(2) as pool:
        assert with_pool(recognizer, pool) is recognizer


@pytest.mark.parametrize("command", [["train"], ["ablate"], ["check"], ["mt", "rank"]])
def test_workers_are_at_least_one(command, capsys):
    assert run([*command, "--workers", "0"]) == 2
    assert "0 is not in the range x>=1" in capsys.readouterr().err


def test_jobs_are_not_known_any_more(examples, tmp_path, capsys):
    assert run(["train", str(examples), "-o", str(tmp_path / "kept"), "--jobs", "2"]) == 2
    assert "No such option '--jobs'" in capsys.readouterr().err
