"""Runs are written whole, go on where they stopped, and lose nothing."""

import errno
import gzip
import json
import os
import shutil
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from tests.errors import coded

import ensue
from ensue.cli.app import run
from ensue.engine import RunOptions
from ensue.errors import DataError, EngineError, EnsueError, OutputError, RunError, SettingError
from ensue.pairs import RunFormat, pairs_hash, read_pairs, read_run
from ensue.pairs.sources import ReadKeywords
from ensue.recognizers import save
from ensue.recognizers.jobs import judge_source

RESUME, RESTART = RunOptions(resume=True), RunOptions(restart=True)


def judge(source, target, recognizer="random", settings=None, *, options=None, **others):
    return judge_source(
        str(source), str(target), recognizer, settings, options=options or RunOptions(), **others
    )


def verdicts_of(source):
    return tuple(ensue.load("random").judge(list(read_pairs(source))))


def status_of(folder):
    return json.loads((folder / "_status.json").read_text())


@pytest.fixture
def stopped(here):
    """A laboratory in which three shards are done, 64 pairs each, and the fourth was interrupted."""
    here.pairs(300, {200: "interrupt"})
    with pytest.raises(KeyboardInterrupt):
        go_on(here, options=RunOptions(shard_size=64))
    return here


def go_on(lab, *, recognizer="python:lab:judge", options=RESUME, settings=None, **others):
    """Judge the pairs of a laboratory in this process."""
    chosen = {"guard": "no"} if settings is None else settings
    target = others.pop("target", lab.path / "run.jsonl")
    return judge(lab.path / "pairs.jsonl", target, recognizer, chosen, options=options, **others)


def test_run_has_every_verdict_and_a_header(source, tmp_path):
    account = judge(source, tmp_path / "run.jsonl")
    run = read_run(tmp_path / "run.jsonl")
    assert run.verdicts == verdicts_of(source)
    assert run.header.signature == ensue.load("random").signature
    assert run.header.data == {
        "name": "pairs",
        "pairs": 500,
        "pairs_hash": pairs_hash(read_pairs(source)),
        "input_digest": run.header.data["input_digest"],
        "plan_sha256": run.header.data["plan_sha256"],
    }
    assert run.header.cost["seconds"] >= 0
    assert (account.n_items, account.n_resumed, account.statuses) == (500, 0, {"decided": 500})
    assert sorted(p.name for p in tmp_path.iterdir()) == ["pairs.jsonl", "run.jsonl"]


def test_plain_run_has_every_verdict(source, tmp_path):
    judge(source, tmp_path / "run.txt", format=RunFormat.PLAIN)
    run = read_run(tmp_path / "run.txt")
    expected = verdicts_of(source)
    assert [v.label for v in run.verdicts] == [v.label for v in expected]
    assert [v.confidence for v in run.verdicts] == [v.confidence for v in expected]


def test_verdict_lines_are_the_documented_ones(source, tmp_path):
    judge(source, tmp_path / "run.jsonl")
    header, first, *_ = (tmp_path / "run.jsonl").read_text().splitlines()
    assert list(json.loads(header)) == ["ensue_run", "signature", "data", "started", "cost"]
    assert list(json.loads(first)) == [
        "pair_id",
        "label",
        "score",
        "confidence",
        "status",
        "reason",
    ]


def test_folder_says_what_is_in_it(source, tmp_path):
    judge(source, f"{tmp_path}/run/", options=RunOptions(shard_size=200))
    manifest = json.loads((tmp_path / "run" / "_manifest.json").read_text())
    assert (manifest["kind"], manifest["rows"], manifest["shard_size"]) == ("verdicts", 500, 200)
    assert [(each["file"], each["rows"]) for each in manifest["shards"]] == [
        ("part-000000.parquet", 200),
        ("part-000001.parquet", 200),
        ("part-000002.parquet", 100),
    ]
    assert manifest["statuses"] == {"decided": 500}
    assert sum(manifest["labels"].values()) == 500
    assert read_run(tmp_path / "run").verdicts == verdicts_of(source)
    names = sorted(path.name for path in (tmp_path / "run").iterdir())
    parts = [each["file"] for each in manifest["shards"]]
    assert names == ["_journal.jsonl", "_manifest.json", "_plan.json", "_status.json", *parts]


def test_interrupted_run_leaves_no_run_but_what_is_done(stopped):
    assert not (stopped.path / "run.jsonl").exists()
    shards = sorted((stopped.path / "run.jsonl.partial").glob("part-*"))
    assert [len(shard.read_bytes().splitlines()) for shard in shards] == [64] * 3


def test_interrupted_run_leaves_an_older_run_as_it_was(stopped):
    shutil.rmtree(stopped.path / "run.jsonl.partial")
    (stopped.path / "run.jsonl").write_text("older")
    with pytest.raises(KeyboardInterrupt):
        go_on(stopped, options=RunOptions(restart=True))
    assert (stopped.path / "run.jsonl").read_text() == "older"


def test_resumed_run_loses_nothing_and_repeats_nothing(stopped):
    stopped.open_gate()
    account = go_on(stopped)
    assert (account.n_items, account.n_resumed) == (300, 3 * 64)
    run = read_run(stopped.path / "run.jsonl")
    assert [verdict.pair_id for verdict in run.verdicts] == [f"p{i}" for i in range(300)]
    assert run.header.data["pairs_hash"] == pairs_hash(read_pairs(stopped.path / "pairs.jsonl"))
    assert run.header.cost["pairs"] == 300 - 3 * 64  # of the rest alone
    assert not (stopped.path / "run.jsonl.partial").exists()


def test_run_may_be_interrupted_again_after_its_journal_was_cut_off(stopped):
    journal = stopped.path / "run.jsonl.partial" / "_journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-40])  # in the line of the third shard
    with pytest.raises(KeyboardInterrupt):
        go_on(stopped)
    assert [json.loads(line)["number"] for line in stopped.journal(journal.parent)] == [0, 1, 2]
    stopped.open_gate()
    assert go_on(stopped).n_resumed == 3 * 64


def test_interrupt_inside_a_kernel_is_an_interrupt(here, monkeypatch):
    def interrupted(self, loaded, items):
        raise SystemError("a kernel returned a result with an exception set") from (
            KeyboardInterrupt()
        )

    monkeypatch.setattr("ensue.recognizers.jobs.JudgeJob.do", interrupted)
    here.pairs(10)
    seen = []
    with pytest.raises(SystemError):
        go_on(here, options=RunOptions(), on_snapshot=seen.append)
    assert seen[-1].state == "interrupted"
    assert not (here.path / "run.jsonl.partial").exists()  # nothing was done


@pytest.mark.parametrize(
    ("error", "state", "reason"),
    [
        (KeyboardInterrupt(), "interrupted", None),
        (OSError(errno.ENOSPC, "No space left on device"), "failed", "No space left on device"),
    ],
)
def test_run_that_is_not_put_together_says_so(source, tmp_path, monkeypatch, error, state, reason):
    def failing(job, folder, accounts, target):
        target.write(b"half")
        raise error

    with monkeypatch.context() as patch:
        patch.setattr("ensue.engine.output._join", failing)
        with pytest.raises((KeyboardInterrupt, OutputError)):
            judge(source, tmp_path / "run.jsonl")
    status = status_of(tmp_path / "run.jsonl.partial")
    assert (status["state"], status["n_done"]) == (state, 500)
    assert reason in status["reason"] if reason else status["reason"] is None
    assert judge(source, tmp_path / "run.jsonl", options=RESUME).n_resumed == 500
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pairs.jsonl", "run.jsonl"]


def test_run_clears_away_what_was_half_put_together(source, tmp_path):
    half, other = tmp_path / ".run.jsonl.k3_0abcd", tmp_path / ".run.jsonl.swp"
    half.write_text("what a process left that was killed")
    other.write_text("mine")
    judge(source, tmp_path / "run.jsonl")
    assert not half.exists()
    assert other.read_text() == "mine"


def test_run_that_is_fed_is_resumed(here):
    here.pairs(50, {35: "interrupt"})
    packed = here.path / "pairs.jsonl.gz"
    packed.write_bytes(gzip.compress((here.path / "pairs.jsonl").read_bytes(), mtime=0))
    target, chosen = here.path / "run.jsonl", {"guard": "no"}
    with pytest.raises(KeyboardInterrupt):
        judge(packed, target, "python:lab:judge", chosen, options=RunOptions(shard_size=10))
    here.open_gate()
    account = judge(packed, target, "python:lab:judge", chosen, options=RESUME)
    assert (account.n_items, account.n_resumed) == (50, 30)
    assert [each.pair_id for each in read_run(target).verdicts] == [f"p{i}" for i in range(50)]


def test_resume_without_an_unfinished_run_begins(source, tmp_path):
    assert judge(source, tmp_path / "run.jsonl", options=RESUME).n_resumed == 0


@pytest.mark.parametrize("name", ["run.jsonl", "run/"])
def test_resume_of_a_finished_run_does_nothing(source, tmp_path, name):
    target = f"{tmp_path}/{name}"
    judge(source, target)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.*")}
    account = judge(source, target, options=RESUME)
    assert (account.n_items, account.n_resumed) == (500, 500)
    assert account.is_finished_before
    kept = [path for path in before if path.name not in ("_journal.jsonl", "_status.json")]
    assert len(kept) == (2 if name == "run.jsonl" else 1 + 2 + 2)  # the manifest, too
    assert all(path.stat().st_mtime_ns == before[path] for path in kept)
    assert read_run(target).verdicts == verdicts_of(source)


@pytest.mark.parametrize("format", [RunFormat.PLAIN, RunFormat.JSONL])
def test_resume_refuses_a_finished_run_of_another_task(source, tmp_path, format):
    target = tmp_path / "run.jsonl"
    judge(source, target, settings={"seed": 1}, format=format)
    before = target.read_bytes()
    with pytest.raises(RunError, check=coded("no-unfinished-run-resume-not-say")):
        judge(source, target, options=RESUME)
    assert target.read_bytes() == before
    assert judge(source, target, options=RESTART).n_resumed == 0


def test_resume_refuses_a_finished_run_over_other_pairs(source, tmp_path):
    judge(source, tmp_path / "run.jsonl")
    source.write_text(source.read_text().replace("word7 is here", "word8 is here"))
    with pytest.raises(RunError, check=coded("no-unfinished-run-resume-not-say")):
        judge(source, tmp_path / "run.jsonl", options=RESUME)


def test_renamed_files_are_other_pairs_where_ids_are_made_of_names(tmp_path):
    (tmp_path / "many").mkdir()
    for name in ("a", "b"):
        (tmp_path / "many" / f"{name}.csv").write_text("text,hypothesis\nx y,x\n")
    judge(tmp_path / "many", tmp_path / "run.jsonl")
    assert judge(tmp_path / "many", tmp_path / "run.jsonl", options=RESUME).is_finished_before
    (tmp_path / "many" / "b.csv").rename(tmp_path / "many" / "c.csv")  # b:1 is c:1 now
    with pytest.raises(RunError, check=coded("no-unfinished-run-resume-not-say")):
        judge(tmp_path / "many", tmp_path / "run.jsonl", options=RESUME)


@pytest.mark.parametrize("name", ["run.jsonl", "run/"])
def test_run_is_not_overwritten_unasked(here, name):
    target = f"{here.path}/{name}"
    here.pairs(30, {15: "interrupt"})
    with pytest.raises(KeyboardInterrupt):
        go_on(here, target=target, options=RunOptions(shard_size=10))
    with pytest.raises(OutputError, match="an unfinished run is in") as caught:
        go_on(here, target=target, options=RunOptions())
    assert "--resume" in caught.value.hint
    here.open_gate()
    assert go_on(here, target=target, options=RESTART).n_resumed == 0


def test_finished_folder_is_not_overwritten_unasked(source, tmp_path):
    judge(source, f"{tmp_path}/run/")
    with pytest.raises(OutputError, match="a finished run is in"):
        judge(source, tmp_path / "run")
    account = judge(source, tmp_path / "run", settings={"seed": 1}, options=RESTART)
    assert account.n_resumed == 0
    assert read_run(tmp_path / "run").header.signature.settings["seed"] == 1


def test_resume_is_refused_with_the_reason(stopped):
    pairs = stopped.path / "pairs.jsonl"
    before = {path: path.read_bytes() for path in stopped.path.rglob("*.jsonl")}
    began = "the run that is there was begun with"

    def refused(match, **options):
        with pytest.raises(RunError, match=match) as caught:
            go_on(stopped, **options)
        assert caught.value.place == str(stopped.path / "run.jsonl.partial")
        assert "--restart" in caught.value.hint

    refused(
        f"{began} signature.recognizer 'python', not 'random'", recognizer="random", settings={}
    )
    refused(f"{began} signature.*batch", settings={"guard": "no", "batch": "7"})
    refused(f"{began} reading.*latin-1", reading=ReadKeywords(encoding="latin-1"))
    refused(f"{began} shards of 64, not 50", options=replace(RESUME, shard_size=50))
    refused(f"{began} files in .jsonl, not .plain", format=RunFormat.PLAIN)
    content = pairs.read_bytes()
    pairs.write_bytes(content.replace(b"word 7 is", b"word 8 is"))
    refused(f"{began} other input")
    pairs.write_bytes(content)
    (stopped.path / "lab.py").write_text((stopped.path / "lab.py").read_text() + "# changed\n")
    refused(f"{began} signature.*sha256")
    assert before == {path: path.read_bytes() for path in stopped.path.rglob("*.jsonl")}


def test_resume_refuses_a_folder_with_one_more_file(here):
    here.pairs(30, {15: "interrupt"})
    folder = here.path / "many"
    folder.mkdir()
    (here.path / "pairs.jsonl").rename(folder / "a.jsonl")
    target, options = here.path / "run.jsonl", RunOptions(shard_size=10)
    with pytest.raises(KeyboardInterrupt):
        judge(folder, target, "python:lab:judge", {"guard": "no"}, options=options)
    here.open_gate()
    (folder / "b.jsonl").write_text('{"id": "x", "text": "word 1", "hypothesis": ""}\n')
    with pytest.raises(RunError, match="other input"):
        judge(folder, target, "python:lab:judge", {"guard": "no"}, options=RESUME)
    (folder / "b.jsonl").unlink()
    folder.rename(here.path / "moved")  # the same files elsewhere are the same input
    account = judge(
        here.path / "moved", target, "python:lab:judge", {"guard": "no"}, options=RESUME
    )
    assert (account.n_items, account.n_resumed) == (30, 10)


@pytest.mark.parametrize("options", [RunOptions(), RESUME, RESTART])
@pytest.mark.parametrize("plan", [None, "{}"])
def test_folder_with_other_files_is_never_touched(source, tmp_path, options, plan):
    folder = tmp_path / "mine"
    folder.mkdir()
    names = ["_journal.jsonl", "notes.txt", "part-000000.parquet", *(["_plan.json"] * bool(plan))]
    for name in names:
        (folder / name).write_text(plan if name == "_plan.json" else "mine")
    before = {path: path.read_text() for path in folder.iterdir()}
    said = "holds other files, '_journal|_plan.json: not the plan of a run"
    with pytest.raises(EnsueError, match=said):
        judge(source, folder, options=options)
    assert before == {path: path.read_text() for path in folder.iterdir()}


def test_plan_that_cannot_be_read_just_now_costs_nothing(stopped, monkeypatch):
    shards = {path: path.read_bytes() for path in stopped.path.rglob("part-*")}
    read_bytes = Path.read_bytes

    def unlucky(path):
        if path.name == "_plan.json":
            raise OSError(errno.EIO, "Input/output error")
        return read_bytes(path)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", unlucky)
        with pytest.raises(OutputError, match=r"cannot read .*_plan.json': Input/output error"):
            go_on(stopped)
    assert shards == {path: path.read_bytes() for path in stopped.path.rglob("part-*")}
    stopped.open_gate()
    assert go_on(stopped).n_resumed == 3 * 64


def test_restart_leaves_what_no_run_wrote(source, tmp_path):
    judge(source, f"{tmp_path}/run/")
    (tmp_path / "run" / "notes.txt").write_text("mine")
    (tmp_path / "run" / "part-of-me.txt").write_text("mine")
    judge(source, tmp_path / "run", options=RESTART)
    assert (tmp_path / "run" / "notes.txt").read_text() == "mine"
    assert (tmp_path / "run" / "part-of-me.txt").read_text() == "mine"


def test_restart_takes_a_run_that_has_lost_its_plan(source, tmp_path):
    judge(source, f"{tmp_path}/run/", options=RunOptions(shard_size=200))
    (tmp_path / "run" / "_plan.json").unlink()
    with pytest.raises(OutputError, check=coded("holds-other-files-among")):
        judge(source, tmp_path / "run", options=RESUME)
    judge(source, tmp_path / "run", options=RESTART)
    assert read_run(tmp_path / "run").verdicts == verdicts_of(source)
    assert len(list((tmp_path / "run").glob("part-*"))) == 2  # none of the three of before


@pytest.mark.parametrize("n_removed", [0, 3, 6])
def test_restart_takes_a_run_that_was_killed_while_it_was_removed(
    source, tmp_path, monkeypatch, n_removed
):
    unlink, removed = Path.unlink, []

    def killed(path, missing_ok=False):
        if "run.jsonl.partial" in path.parts and path.name != ".lock" and path.exists():
            if len(removed) == n_removed:
                raise KeyboardInterrupt
            removed.append(path)
        unlink(path, missing_ok=missing_ok)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", killed)
        with pytest.raises(KeyboardInterrupt):
            judge(source, tmp_path / "run.jsonl", options=RunOptions(shard_size=100))
    assert len(list((tmp_path / "run.jsonl.partial").iterdir())) == 8 - n_removed
    judge(source, tmp_path / "run.jsonl", options=RESTART)
    assert read_run(tmp_path / "run.jsonl").verdicts == verdicts_of(source)
    assert not (tmp_path / "run.jsonl.partial").exists()


def test_resume_refuses_what_is_not_an_unfinished_run(source, tmp_path):
    (tmp_path / "run.jsonl.partial").write_text("something else\n")
    with pytest.raises(OutputError, check=coded("cannot-write")):
        judge(source, tmp_path / "run.jsonl", options=RESUME)
    assert (tmp_path / "run.jsonl.partial").read_text() == "something else\n"


def test_resume_refuses_standard_input(tmp_path, monkeypatch):
    line = b'{"id": "1", "text": "a", "hypothesis": "b"}\n'
    (tmp_path / "input").write_bytes(line)
    with (tmp_path / "input").open("rb") as raw:
        monkeypatch.setattr("sys.stdin", type("Input", (), {"buffer": raw})())
        with pytest.raises(SettingError, check=coded("run-over-standard-input")):
            judge("-", tmp_path / "run.jsonl", options=RESUME)
    assert [path.name for path in tmp_path.iterdir()] == ["input"]


def test_doubled_ids_are_a_finding(source, tmp_path):
    source.write_text(source.read_text() + source.read_text().splitlines()[3] + "\n")
    account = judge(source, tmp_path / "run.jsonl")
    (finding,) = account.findings
    assert finding.code == "duplicate-id"
    assert finding.message.startswith("1 pairs have the id of an earlier pair")


@pytest.mark.parametrize("module", ["run", "output"])
def test_ids_of_very_many_pairs_are_not_compared(source, tmp_path, monkeypatch, module):
    source.write_text(source.read_text() + source.read_text().splitlines()[3] + "\n")
    monkeypatch.setattr(f"ensue.engine.{module}.MOST_KEYS", 100)
    assert judge(source, tmp_path / "run.jsonl").findings == ()


@pytest.mark.parametrize("workers", [None, 1])
def test_broken_pairs_leave_nothing_behind(source, tmp_path, workers, mark):
    source.write_text(source.read_text() + '{"id": "cut')
    with pytest.raises(DataError) as caught:
        judge(source, tmp_path / "run.jsonl", options=RunOptions(workers=workers))
    assert caught.value.place == f"{source}:501"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["pairs.jsonl"]


@pytest.mark.parametrize("name", ["pairs.jsonl", "pairs.csv", "pairs.parquet"])
def test_input_that_loses_pairs_meanwhile_is_refused(source, tmp_path, name):
    pairs = list(read_pairs(source))
    ensue.write_pairs(tmp_path / name, pairs)

    def shorten(snapshot):
        if snapshot.n_done == 0:
            ensue.write_pairs(tmp_path / name, pairs[:400])

    with pytest.raises(DataError, check=coded("file-changed-since-looked")) as caught:
        judge(tmp_path / name, tmp_path / "run.jsonl", on_snapshot=shorten)
    assert name in caught.value.place
    assert not (tmp_path / "run.jsonl").exists()


def test_blank_lines_are_no_pairs(source, tmp_path):
    lines = source.read_text().splitlines()
    source.write_text("\n\n".join(lines[:400]) + "\n" * 700 + "\n".join(lines[400:]) + "\n\n")
    account = judge(source, tmp_path / "run.jsonl", options=RunOptions(shard_size=64))
    assert (account.n_items, account.n_rows) == (500, 500)
    assert read_run(tmp_path / "run.jsonl").verdicts == verdicts_of(source)


def test_long_work_is_kept_where_the_input_breaks_off(here, monkeypatch):
    here.pairs(30)
    lines = (here.path / "pairs.jsonl").read_text()
    (here.path / "pairs.jsonl").write_text(lines + '{"id": "cut')
    monkeypatch.setattr("ensue.engine.output._WORTH", 0.0)
    with pytest.raises(DataError):
        go_on(here, options=RunOptions(shard_size=10))
    assert len(here.journal("run.jsonl.partial")) == 3


@pytest.mark.parametrize("target", ["run.jsonl", "run/"])
@pytest.mark.parametrize("part", ["footer", "page"])
def test_damaged_file_among_good_ones_is_named(here, target, part):
    here.pairs(90)
    pairs = list(read_pairs(here.path / "pairs.jsonl"))
    for i in range(3):
        (here.path / "many").mkdir(exist_ok=True)
        ensue.write_pairs(here.path / "many" / f"{i}.parquet", pairs[30 * i : 30 * i + 30])
    damaged = here.path / "many" / "1.parquet"
    content = damaged.read_bytes()
    third = len(content) // 3
    broken = {
        "footer": content[:-9] + b"\xff" + content[-8:],
        "page": content[:4] + b"\xff" * third + content[4 + third :],
    }
    damaged.write_bytes(broken[part])
    with pytest.raises(DataError) as caught:
        judge(here.path / "many", f"{here.path}/{target}", options=RunOptions(shard_size=30))
    assert str(damaged) in str(caught.value)
    assert not (here.path / "run.jsonl").exists()
    assert not (here.path / "run" / "_manifest.json").exists()
    damaged.write_bytes(content)
    judge(here.path / "many", f"{here.path}/{target}", options=RESTART)
    assert len(read_run(f"{here.path}/{target}").verdicts) == 90


@pytest.mark.parametrize("name", ["-", "pipe"])
def test_parquet_is_not_written_to_a_stream(source, tmp_path, name):
    os.mkfifo(tmp_path / "pipe")
    output = name if name == "-" else tmp_path / name
    with pytest.raises(SettingError, check=coded("parquet-cannot-written-stream")):
        judge(source, output, format=RunFormat.PARQUET)


@pytest.mark.parametrize("name", ["memory://x", "memory://x/"])
def test_memory_is_no_place_for_the_output_of_a_command(source, name, capsys):
    assert run(["judge", str(source), "-r", "random", "-o", name]) == 2
    assert "memory:// ends with this process" in capsys.readouterr().err


def test_unwritable_output_is_said(source, tmp_path):
    with pytest.raises(OutputError, check=coded("cannot-write")):
        judge(source, tmp_path / "nowhere" / "run.jsonl")
    assert not (tmp_path / "nowhere").exists()


def test_run_goes_into_a_pipe_and_leaves_nothing_beside_it(source, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    heard = []
    reader = threading.Thread(target=lambda: heard.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    judge(source, tmp_path / "pipe")
    reader.join()
    assert len(heard[0].splitlines()) == 1 + 500
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pairs.jsonl", "pipe"]


@pytest.mark.parametrize("some", [slice(1, None), slice(None, None, -1)], ids=["lost", "mixed up"])
def test_recognizer_that_does_not_answer_pair_by_pair_is_an_error(here, monkeypatch, some):
    from ensue.recognizers import jobs as judging

    class Careless:
        signature = ensue.load("random").signature

        def judge(self, pairs):
            return ensue.load("random").judge(pairs)[some]

    monkeypatch.setattr(judging, "load", lambda *_: Careless())
    here.pairs(10)
    with pytest.raises(EngineError, check=coded("not-give-each-pair")):
        go_on(here, recognizer="random", settings={}, options=RunOptions())


def test_recognizer_that_was_trained_anew_is_loaded_anew(examples, tmp_path):
    pairs = list(read_pairs(examples))
    sizes = []
    for chosen in (pairs[:10], pairs[10:40]):
        trained = ensue.load("overlap").fit(chosen, seed=0, name="some")
        save(trained, tmp_path / "tuned")
        judge(
            examples,
            tmp_path / "run.jsonl",
            str(tmp_path / "tuned"),
            options=RunOptions(restart=True),
        )
        sizes.append(read_run(tmp_path / "run.jsonl").header.signature.tuned_on["pairs"])
    assert sizes == [10, 30]
