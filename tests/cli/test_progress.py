"""What is seen of a run while it goes on."""

import io
import json
from dataclasses import replace

import pytest

from ensue.cli import messages as progress
from ensue.cli.app import run
from ensue.cli.messages import (
    Display,
    Lines,
    ProgressListener,
    RunDisplay,
    n_bytes_of,
    progress_listener,
    tell_account,
    told_lines,
)
from ensue.engine.job import ShardAccount
from ensue.engine.progress import RunState, Snapshot, WorkerState
from ensue.engine.run import RunAccount
from ensue.engine.store import RunPlan
from ensue.reports.progress import progress_line, status_tables, worker_lines

SNAPSHOT = Snapshot(
    state=RunState.RUNNING,
    what="pairs with bleu",
    engine="embedded",
    n_items=20_000,
    n_done=12_288,
    n_resumed=0,
    n_shards=27,
    shards_done=12,
    rate=6479.03,
    seconds=30.5,
    remaining=3725.4,
    counts={"status": {"decided": 12_000, "failed": 3}},
    figures={},
    deaths=1,
    workers=(
        WorkerState("worker 0", 77, 13, 5, 6144, 3200.0, 1),
        WorkerState("worker 1", None, 12, 0, 0, 0.0, 0),
    ),
)


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def on_terminal(monkeypatch):
    """Puts a terminal in place of standard error; when a test asks, as pytest resets it before."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")

    def put(patience=0.0):
        made = Terminal()
        monkeypatch.setattr("sys.stderr", made)
        monkeypatch.setattr(progress, "PATIENCE", patience)
        return made

    return put


def test_progress_line_has_what_matters():
    assert progress_line(SNAPSHOT) == (
        "12,288 of 20,000, 6,479/s, 1:02:05 left, 12 of 27 shards, 3 failed, 1 process died"
    )


def test_progress_line_leaves_out_what_is_not_known():
    unknown = replace(
        SNAPSHOT, n_items=None, n_shards=None, rate=None, remaining=None, counts={}, deaths=0
    )
    assert progress_line(unknown) == "12,288, 12 shards"


def test_worker_lines_tell_what_each_does():
    assert worker_lines(SNAPSHOT) == [
        "worker 0 (process 77): shard 13, 6,144 done, 3,200/s, 1 process died",
        "worker 1 (starting): shard 12, 0 done, 0.0/s",
    ]


def test_who_looks_on_depends_on_the_terminal(on_terminal):
    assert type(progress_listener("judging", None, quiet=False, verbose=False)) is ProgressListener
    assert type(progress_listener("judging", None, quiet=False, verbose=True)) is Lines
    on_terminal()
    assert type(progress_listener("judging", None, quiet=False, verbose=False)) is Display
    assert type(progress_listener("judging", None, quiet=True, verbose=False)) is ProgressListener


def test_lines_come_every_half_minute(capsys):
    lines = Lines("judging")
    for seconds in (0.0, 29.0, 30.0, 32.0, 58.0, 60.5, 62.0):
        lines(replace(SNAPSHOT, seconds=seconds))
    assert capsys.readouterr().err == f"judging: {progress_line(SNAPSHOT)}\n" * 2


def test_display_shows_the_run_and_takes_it_away(on_terminal):
    terminal = on_terminal()
    display = Display("judging", verbose=True)
    display(SNAPSHOT)
    display.close()
    shown = terminal.getvalue()
    assert "judging" in shown
    assert "61%" in shown
    assert "1:02:05 left" in shown
    assert "worker 1 (starting)" in shown


def test_display_shows_nothing_of_what_is_quick(on_terminal):
    terminal = on_terminal(patience=2.0)
    display = Display("judging")
    display.survey(100)
    display(SNAPSHOT)
    display.close()
    assert terminal.getvalue() == ""


def test_display_shows_how_much_of_the_input_was_looked_through(on_terminal, tmp_path):
    terminal = on_terminal()
    (tmp_path / "pairs.jsonl").write_text("x" * 4000)
    display = Display("judging", str(tmp_path / "pairs.jsonl"))
    display.survey(1000)
    display.close()
    assert "1.0 kB of 4.0 kB" in terminal.getvalue()
    assert not display.has_kept


def test_size_of_what_is_not_local_is_unknown(tmp_path):
    assert n_bytes_of(None) is None
    assert n_bytes_of(str(tmp_path / "no.jsonl")) is None


@pytest.fixture
def judge(examples, tmp_path):
    """Judge the shipped pairs with more options."""

    def called(*options):
        target = str(tmp_path / "run.jsonl")
        return run(["judge", str(examples), "-r", "modified-bleu", "-o", target, *options])

    return called


def test_judge_logs_to_a_file(judge, tmp_path, capsys):
    log = tmp_path / "log.jsonl"
    assert judge("--log", str(log), "-q") == 0
    events = [json.loads(line)["event"] for line in log.read_text().splitlines()]
    assert (events[0], events[-1]) == ("run-begun", "run-finished")
    assert capsys.readouterr().err == ""


def test_judge_logs_to_standard_error(judge, capsys):
    assert judge("--log", "-", "-q") == 0
    assert "info: run begun: pairs with modified-bleu" in capsys.readouterr().err


def test_judge_refuses_a_log_that_cannot_be_written_before_any_work(judge, tmp_path, capsys):
    assert judge("--log", str(tmp_path / "no" / "log")) == 3
    assert "cannot write" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_judge_refuses_a_log_over_its_output(judge, tmp_path, capsys):
    assert judge("--log", str(tmp_path / "run.jsonl")) == 3
    assert "is written by the same command" in capsys.readouterr().err


def test_quiet_and_verbose_exclude_each_other(judge, capsys):
    assert judge("-q", "-v") == 2
    assert "exclude each other" in capsys.readouterr().err


@pytest.mark.parametrize("is_begun", [True, False])
def test_interruption_says_how_to_go_on_once_there_is_something(is_begun, capsys):
    def interrupted(display):
        with display.run("judging", "run.jsonl") as seen:
            if is_begun:
                seen(SNAPSHOT)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted(RunDisplay(False, False, None))
    assert ("go on with --resume" in capsys.readouterr().err) is is_begun


def test_names_with_control_characters_do_not_reach_the_terminal():
    from ensue.engine import RunStatus

    bad = replace(SNAPSHOT, what="red\x1b[31m", reason="line\nbreak")
    (table, _) = status_tables(RunStatus("place\x1b[2J", bad))
    shown = json.dumps([table.title, table.rows])
    assert "\\u001b" not in shown
    assert "line break" in shown


def run_of(n_items, n_resumed=0, *, seconds=0.0, deaths=0):
    """The account of a run, some of it done before."""
    sizes = (n_resumed, n_items - n_resumed)
    shards = tuple(ShardAccount(i, f"{i}", n, n, 0, "", 0.0) for i, n in enumerate(sizes))
    last = Snapshot(RunState.FINISHED, "x", deaths=deaths)
    return RunAccount(RunPlan({}, "", 1, "", ""), shards, frozenset({0}), last, seconds)


@pytest.mark.parametrize(
    ("n_resumed", "verbose", "line"),
    [
        (0, False, "measured 12 pairs"),
        (5, False, "measured 12 pairs, 5 pairs of them before"),
        (0, True, "measured 12 pairs in 2.0 s"),
        (5, True, "measured 12 pairs, 5 pairs of them before, in 2.0 s"),
    ],
)
def test_account_says_what_was_done_before(n_resumed, verbose, line, capsys):
    account = run_of(12, n_resumed, seconds=2.0)
    tell_account(account, "measured 12 pairs", "pairs", RunDisplay(False, verbose, None))
    assert capsys.readouterr().err == f"{line}\n"


@pytest.mark.parametrize(
    ("deaths", "line"),
    [
        (1, "1 process died and was started again"),
        (2, "2 processes died and were started again"),
    ],
)
def test_account_counts_deaths(deaths, line):
    account = run_of(1, deaths=deaths)
    assert list(told_lines(account, "pairs", verbose=False)) == [line]
