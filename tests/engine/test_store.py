"""Folders show files whole or not at all, belong to one process at a time, and say what is done."""

import errno
import fcntl
import os
import time
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from fsspec.implementations.memory import MemoryFileSystem
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.engine.job import ShardAccount
from ensue.engine.store import (
    JOURNAL,
    PLAN,
    LocalFolder,
    RemoteFolder,
    RunPlan,
    open_folder,
    read_journal,
    read_record,
)
from ensue.errors import OutputError, RunError
from ensue.pairs import Finding, Severity

PLANNED = RunPlan(
    {"job": "judge", "recognizer": {"name": "random", "seed": 0}, "reading": {}},
    "0123456789abcdef",
    256,
    ".parquet",
    "2024-05-01T12:00:00+00:00",
)


@pytest.fixture(params=["local", "remote"])
def folder(request, tmp_path):
    """A folder on disk, and one behind a URL."""
    if request.param == "local":
        (tmp_path / "run").mkdir()
        yield open_folder(tmp_path / "run")
    else:
        found = open_folder(f"memory://{tmp_path.name}/run")
        assert isinstance(found, RemoteFolder)
        yield found
        found.remove_all()


def test_folder_gives_back_what_was_written(folder):
    folder.write("b.txt", b"old")
    folder.write("b.txt", b"new")
    folder.enter(b"one\n")
    folder.enter(b"two\n")
    assert (folder.read(JOURNAL), folder.read("b.txt")) == (b"one\ntwo\n", b"new")
    with folder.open("b.txt") as file:
        assert file.read() == b"new"
    folder.remove("b.txt")
    folder.remove("b.txt")
    assert folder.read("b.txt") is None
    folder.remove(JOURNAL)
    assert (folder.names(), folder.read(JOURNAL)) == ([], None)


def test_folder_is_gone_with_everything_in_it(folder):
    folder.write("a.txt", b"")
    assert folder.is_there()
    folder.remove_all()
    folder.remove_all()
    assert not folder.is_there()
    assert folder.names() == []


def test_folder_belongs_to_one_at_a_time(folder):
    with folder.lock():
        assert folder.is_locked()
        with (
            pytest.raises(OutputError, check=coded("another-process-working")) as caught,
            folder.lock(),
        ):
            pass
        assert "wait for it" in caught.value.hint
        assert folder.is_locked()
    assert not folder.is_locked()
    with folder.lock():
        pass


def test_local_folder_is_not_locked_by_those_who_look(tmp_path):
    (tmp_path / ".lock").touch()
    with (tmp_path / ".lock").open("rb") as another:
        fcntl.flock(another, fcntl.LOCK_SH)
        assert not LocalFolder(tmp_path).is_locked()


def test_local_lock_whose_file_is_gone_is_not_taken(tmp_path, monkeypatch):
    # opened, while whoever held it removed it, and a third process made and took another
    flock = fcntl.flock

    def late(file, how):
        (tmp_path / ".lock").unlink()
        (tmp_path / ".lock").touch()
        flock(file, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with (
        pytest.raises(OutputError, check=coded("another-process-working")),
        LocalFolder(tmp_path).lock(),
    ):
        pass


def test_remote_lock_that_nobody_renews_is_nobodys(tmp_path):
    folder = RemoteFolder(f"memory://{tmp_path.name}/stale")
    folder.write(".lock", str(time.time() - 3600).encode())
    with folder.lock():
        assert folder.is_locked()
    folder.write(".lock", b"no time at all")
    assert not folder.is_locked()
    folder.remove_all()


def test_local_file_that_cannot_be_written_leaves_the_old_one(tmp_path, monkeypatch):
    folder = LocalFolder(tmp_path)
    folder.write("a.txt", b"old")

    def full(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match=r"a.txt': No space left on device"):
        folder.write("a.txt", b"new")
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("a.txt", b"old")]


def test_local_file_may_be_written_by_two_at_once(tmp_path, monkeypatch):
    folder, fsync = LocalFolder(tmp_path), os.fsync

    def meanwhile(handle):
        monkeypatch.setattr(os, "fsync", fsync)
        folder.write("a.txt", b"the other's")
        fsync(handle)

    monkeypatch.setattr(os, "fsync", meanwhile)
    folder.write("a.txt", b"mine")
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("a.txt", b"mine")]


def test_remote_file_may_be_written_by_two_at_once(tmp_path, monkeypatch):
    folder, move = RemoteFolder(f"memory://{tmp_path.name}/two"), MemoryFileSystem.mv

    def meanwhile(*arguments):
        monkeypatch.setattr(MemoryFileSystem, "mv", move)
        folder.write("a.txt", b"the other's")
        move(*arguments)

    monkeypatch.setattr(MemoryFileSystem, "mv", meanwhile)
    folder.write("a.txt", b"mine")
    assert (folder.names(), folder.read("a.txt")) == (["a.txt"], b"mine")
    folder.remove_all()


def test_local_folder_keeps_its_plan_while_it_is_removed(tmp_path, monkeypatch):
    folder = LocalFolder(tmp_path / "run")
    folder.path.mkdir()
    for name in (PLAN, JOURNAL, "part-000000.parquet", "part-000001.parquet"):
        folder.write(name, b"")
    unlink = Path.unlink

    def killed(path):
        if path.name == "part-000001.parquet":
            raise KeyboardInterrupt
        unlink(path)

    monkeypatch.setattr(Path, "unlink", killed)
    with pytest.raises(KeyboardInterrupt):
        folder.remove_all()
    assert folder.names() == [PLAN, "part-000001.parquet"]


def test_local_lock_clears_away_what_killed_writers_left(tmp_path):
    (tmp_path / ".tmp-1-part-000000.parquet").write_bytes(b"half")
    with LocalFolder(tmp_path).lock():
        assert LocalFolder(tmp_path).names() == [".lock"]
        (tmp_path / ".tmp-2-part-000000.parquet").write_bytes(b"half")
    assert list(tmp_path.iterdir()) == []


def test_local_lock_leaves_no_folder_that_nothing_came_of(tmp_path):
    with LocalFolder(tmp_path / "new").lock():
        pass
    assert list(tmp_path.iterdir()) == []
    with LocalFolder(tmp_path / "new").lock():
        (tmp_path / "new" / "a.txt").touch()
    assert [each.name for each in (tmp_path / "new").iterdir()] == ["a.txt"]


def test_scheme_that_no_package_knows_is_refused():
    with pytest.raises(OutputError, match="nobody://x") as caught:
        open_folder("nobody://x")
    assert "fsspec" in caught.value.hint


def test_plan_reads_back(folder):
    assert RunPlan.read(folder) is None
    PLANNED.write(folder)
    assert RunPlan.read(folder) == PLANNED
    PLANNED.check(replace(PLANNED, started="another time"), folder)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"job": {**PLANNED.job, "job": "score"}}, "job 'judge', not 'score'"),
        (
            {"job": {**PLANNED.job, "recognizer": {"name": "random", "seed": 1}}},
            "recognizer.seed 0, not 1",
        ),
        (
            {"job": {**PLANNED.job, "recognizer": {"name": "bleu"}}},
            "recognizer.name 'random', not 'bleu'",
        ),
        (
            {"job": {**PLANNED.job, "reading": {"encoding": "latin-1"}}},
            "reading.encoding None, not 'latin-1'",
        ),
        ({"input": "fedcba9876543210"}, "other input: 0123456789ab, not fedcba987654"),
        ({"shard_size": 1024}, "shards of 256, not 1,024"),
        ({"suffix": ".jsonl"}, "files in .parquet, not .jsonl"),
    ],
)
def test_other_plan_is_refused_with_the_reason(folder, changes, said):
    with pytest.raises(RunError) as caught:
        PLANNED.check(replace(PLANNED, **changes), folder)
    assert f"the run that is there was begun with {said}" in caught.value.message
    assert caught.value.place == folder.name
    assert "--restart" in caught.value.hint


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"\xff\xfe", b"{}", b'{"ensue_plan": 2}', b'{"ensue_plan": 1}']
)
def test_broken_plan_is_refused_with_its_place(tmp_path, content):
    (tmp_path / PLAN).write_bytes(content)
    with pytest.raises(RunError) as caught:
        RunPlan.read(LocalFolder(tmp_path))
    assert caught.value.place == f"{tmp_path}/{PLAN}"
    assert "--restart" in caught.value.hint


def test_record_that_is_not_there_is_none(folder):
    assert read_record(folder, "_status.json") is None


words = st.text(max_size=8)
counts = st.dictionaries(words, st.dictionaries(words, st.integers(0, 9), max_size=2), max_size=2)
findings = st.builds(
    Finding,
    words,
    st.sampled_from(Severity),
    words,
    place=st.none() | words,
    pair_ids=st.lists(words, max_size=2).map(tuple),
)


@st.composite
def accounts(draw):
    """A finished shard with its content."""
    number, content = draw(st.integers(0, 9)), draw(st.binary(max_size=20))
    return content, ShardAccount(
        number=number,
        file=f"part-{number:06d}.txt",
        n_items=draw(st.integers(0, 9)),
        n_rows=draw(st.integers(0, 9)),
        n_bytes=len(content),
        sha256=sha256(content).hexdigest(),
        seconds=draw(st.floats(0, 1e6)),
        counts=draw(counts),
        figures=draw(st.dictionaries(words, st.integers(0, 9), max_size=2)),
        summary=draw(st.none() | st.lists(st.integers(0, 2**130), max_size=2)),
        blamed=draw(st.lists(st.tuples(words, words), max_size=2).map(tuple)),
        findings=draw(st.lists(findings, max_size=2).map(tuple)),
        n_findings=draw(st.integers(0, 9)),
    )


@given(shards=st.lists(accounts(), max_size=4, unique_by=lambda each: each[1].number))
def test_journal_reads_back(shards):
    folder = RemoteFolder("memory://journal-that-reads-back")
    folder.remove_all()
    for content, account in shards:
        folder.write(account.file, content)
        folder.enter(account.to_line())
    assert read_journal(folder) == {account.number: account for _, account in shards}


@given(shards=st.lists(accounts(), min_size=1, max_size=4), data=st.data())
def test_journal_that_was_cut_off_has_the_shards_before(shards, data):
    folder = RemoteFolder("memory://journal-that-was-cut-off")
    folder.remove_all()
    shards = [
        (content, replace(account, number=i, file=f"part-{i:06d}.txt"))
        for i, (content, account) in enumerate(shards)
    ]
    for content, account in shards:
        folder.write(account.file, content)
    lines = [account.to_line() for _, account in shards]
    cut = data.draw(st.integers(0, sum(map(len, lines))))
    folder.write(JOURNAL, b"".join(lines)[:cut])
    n_whole = sum(sum(map(len, lines[: i + 1])) - 1 <= cut for i in range(len(lines)))
    assert read_journal(folder) == {account.number: account for _, account in shards[:n_whole]}


@pytest.mark.parametrize("spoiled", [None, b"", b"other", b"this one!"])
def test_shard_that_is_not_as_it_was_written_is_not_done(folder, spoiled):
    account = ShardAccount(0, "part-000000.txt", 1, 1, 8, sha256(b"this one").hexdigest(), 0.1)
    folder.write(account.file, b"this one")
    folder.enter(account.to_line())
    assert read_journal(folder) == {0: account}
    folder.remove(account.file)
    if spoiled is not None:
        folder.write(account.file, spoiled)
    assert read_journal(folder) == {}


@pytest.mark.parametrize("line", [b"{}", b"[]", b"7", b'{"number": 0}', b"\xff", b"null"])
def test_line_of_a_journal_that_is_no_account_is_passed_over(folder, line):
    account = ShardAccount(0, "part-000000.txt", 1, 1, 0, sha256().hexdigest(), 0.1)
    folder.write(account.file, b"")
    folder.write(JOURNAL, line + b"\n" + account.to_line())
    assert read_journal(folder) == {0: account}
