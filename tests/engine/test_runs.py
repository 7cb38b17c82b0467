"""Shards cover everything once, and who does them, and how many at a time, changes no verdict."""

import gzip
import json
from concurrent.futures import Executor, Future
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

import ensue
from ensue.engine import RunOptions, run
from ensue.engine.job import Shard, ShardAccount, ShardSizes, fed_shards
from ensue.engine.output import run_cost
from ensue.engine.progress import ProgressMonitor, WorkerEvent, WorkerEventKind
from ensue.engine.run import Loop, OpenEngine, Purpose, default_size, open_engine, stretches
from ensue.engine.store import JOURNAL, LocalFolder, RunPlan, open_folder
from ensue.errors import OutputError
from ensue.features import pair_input
from ensue.pairs import Finding, Pair, RunFormat, Severity, pairs_hash, read_pairs, read_run
from ensue.pairs.formats.model import FilePart
from ensue.pairs.sources import ReadKeywords
from ensue.recognizers.jobs import JudgeJob, judge_source, merged_content, pairs_content

N_PAIRS = 530
"""More than two shards of the least size by default."""


def part(source, group, rows=3):
    return FilePart(source, "parquet", 0, rows, 1, 0, rows, group)


places = st.tuples(st.sampled_from("ab"), st.integers(0, 1))


@given(
    made=st.lists(st.lists(places, max_size=2), max_size=60),
    is_counted=st.booleans(),
    slots=st.integers(1, 4),
)
def test_stretches_have_every_shard_once_in_order(made, is_counted, slots):
    shards = [
        Shard(i, parts=tuple(part(*place) for place in each)) if each else Shard(i, items=("x",))
        for i, each in enumerate(made)
    ]
    found = list(stretches(iter(shards), len(shards) if is_counted else None, slots))
    assert [shard for stretch in found for shard in stretch] == shards
    for stretch in found:
        assert stretch
        assert len(stretch) == 1 or len({shard.place for shard in stretch}) == 1
        # an eighth of a worker's share at most, so that the last ones end at about the same time
        n_left = len(shards) - stretch[0].number
        assert len(stretch) <= max(1, n_left // (8 * slots))
        assert is_counted or len(stretch) == 1


def lengths(n, slots):
    shards = [Shard(i, parts=(part("a", 0),)) for i in range(n)]
    return [len(stretch) for stretch in stretches(shards, n, slots)]


def test_stretches_by_arithmetic():
    # ⌊64 ÷ 8⌋ = 8, ⌊56 ÷ 8⌋ = 7, ⌊49 ÷ 8⌋ = 6, ⌊43 ÷ 8⌋ = 5, …
    assert lengths(64, 1)[:5] == [8, 7, 6, 5, 4]
    assert lengths(64, 2)[:5] == [4, 3, 3, 3, 3]  # ⌊64 ÷ 16⌋, ⌊60 ÷ 16⌋, ⌊57 ÷ 16⌋, …
    assert lengths(2000, 1)[:3] == [32, 32, 32]  # not 250


def done(number, **others):
    return ShardAccount(number, f"part-{number:06d}.jsonl", 4, 4, 9, "first", 1.0, **others)


class Idle(Executor):
    """Says at once that nothing was done."""

    def submit(self, function, /, *arguments):
        future = Future()
        future.set_result([])
        return future


def test_trouble_with_a_shard_that_a_worker_told_of_ends_the_run(tmp_path):
    def full(account):
        raise OutputError("no-room", "no room for the journal")

    folder = LocalFolder(tmp_path)
    journal = run.Journal(folder, full, {})
    loop = Loop("x", None, journal, ProgressMonitor(folder, "x", "embedded"))
    loop.on_event(WorkerEvent("worker 0", WorkerEventKind.DONE, 0, done(0)))
    with pytest.raises(OutputError, match="no room for the journal"):
        loop.do([Shard(1, items=())], OpenEngine(Idle(), lambda: 1), 2)


def test_journal_enter_a_shard_again_that_another_worker_wrote(tmp_path):
    folder = LocalFolder(tmp_path)
    journal = run.Journal(folder, None, {})
    journal.add(done(0))
    journal.complete(done(0, keys=b"the keys"))
    assert len(folder.read(JOURNAL).splitlines()) == 1  # nothing new but the keys
    journal.complete(replace(done(0), sha256="second"))
    lines = [json.loads(line)["sha256"] for line in folder.read(JOURNAL).splitlines()]
    assert lines == ["first", "second"]
    assert [each.sha256 for each in journal.ordered()] == ["second"]


def test_journal_keep_the_keys_of_so_many_items_only(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "MOST_KEYS", 8)
    journal = run.Journal(LocalFolder(tmp_path), None, {})
    for number in range(3):
        journal.add(done(number, keys=b"the keys"))
    assert [each.keys for each in journal.ordered()] == [b"the keys", b"the keys", b""]


def test_journal_keep_so_many_findings_only(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "_MOST_FINDINGS", 2)
    journal = run.Journal(LocalFolder(tmp_path), None, {})
    found = (Finding("odd", Severity.WARNING, "odd"),)
    for number in range(3):
        journal.add(done(number, findings=found, n_findings=1))
    assert [each.findings for each in journal.ordered()] == [found, found, ()]
    assert sum(each.n_findings for each in journal.ordered()) == 3


def test_cost_is_of_what_was_done_since_the_run_was_resumed(tmp_path):
    accounts = (done(0, figures={"texts": 5}), done(1, figures={"texts": 7}))
    last = ProgressMonitor(LocalFolder(tmp_path), "x", "embedded").snapshot()
    plan = RunPlan({}, "digest", 4, ".jsonl", "")
    cost = run_cost(run.RunAccount(plan, accounts, frozenset({0}), last, 2.0), "pairs")
    told = [cost[name] for name in ("pairs", "pairs_per_second", "worker_seconds", "texts")]
    assert told == [4, 4 / 2.0, 1.0, 7]


@pytest.mark.parametrize("isolated", [False, True])
def test_few_items_are_done_in_this_process_unless_that_may_die_of_them(isolated, tmp_path):
    purpose = Purpose("x", Sized(ShardSizes()), LocalFolder(tmp_path), (), 10)
    with open_engine(RunOptions(isolated=isolated), purpose, lambda _: None) as opened:
        assert opened.isolated == isolated


class Guessed:
    """An input of so many items."""

    def __init__(self, n_estimated):
        self.n_estimated = n_estimated


class Sized:
    """A job whose shards have such sizes."""

    def __init__(self, sizes):
        self.sizes = sizes


@given(
    n=st.integers(0, 10**10),
    workers=st.integers(1, 1000),
    least=st.sampled_from([1, 7, 256]),
    times=st.integers(1, 64),
)
def test_default_size_is_a_multiple_within_its_bounds(n, workers, least, times):
    sizes = ShardSizes(least=least, most=least * times)
    size = default_size(Sized(sizes), Guessed(n), RunOptions(workers=workers))
    assert least <= size <= least * times
    assert size % least == 0
    if size > least:  # each worker gets about eight, and not many more than that
        assert (size - least) * 8 * workers < n


def test_default_size_by_arithmetic():
    sizes = ShardSizes(least=256, most=16_384)
    # 100,000 ÷ (8·2) = 6,250 → ⌈6,250 ÷ 256⌉ = 25 → 25·256
    assert default_size(Sized(sizes), Guessed(100_000), RunOptions(workers=2)) == 25 * 256
    assert default_size(Sized(sizes), Guessed(500), RunOptions(workers=2)) == 256
    assert default_size(Sized(sizes), Guessed(10**8), RunOptions(workers=2)) == 16_384


@given(n=st.integers(0, 40), size=st.integers(1, 50))
def test_fed_shards_have_every_item_once_in_order(n, size):
    shards = list(fed_shards(iter(range(n)), size))
    assert [item for shard in shards for item in shard.items] == list(range(n))
    assert [shard.number for shard in shards] == list(range(len(shards)))
    assert all(shard.n_items == size for shard in shards[:-1])


@given(
    texts=st.lists(st.text(max_size=3), max_size=20), cuts=st.lists(st.integers(0, 20), max_size=4)
)
def test_hash_of_the_pairs_is_merged_from_any_shards(texts, cuts):
    pairs = [Pair(str(i), text, "h") for i, text in enumerate(texts)]
    edges = [0, *sorted(min(cut, len(pairs)) for cut in cuts), len(pairs)]
    states = [pairs_content(pairs[a:b]) for a, b in pairwise(edges)]
    assert merged_content(json.loads(json.dumps(states))).hexdigest() == pairs_hash(pairs)


def test_stream_is_looked_into_before_it_is_cut(tmp_path, monkeypatch):
    def surveyed(n):
        lines = "".join(f'{{"id": "{i}", "text": "a", "hypothesis": "b"}}\n' for i in range(n))
        with gzip.open(tmp_path / "pairs.jsonl.gz", "wt") as file:
            file.write(lines)
        with (tmp_path / "pairs.jsonl.gz").open("rb") as raw:
            monkeypatch.setattr("sys.stdin", type("Input", (), {"buffer": raw})())
            given = pair_input("-", ReadKeywords(), on_finding=lambda _: None)
            n_fed = sum(shard.n_items for shard in given.shards(256))
        return given.digest, given.n_estimated, n_fed

    assert surveyed(900) == (None, 900, 900)  # few enough for one process
    assert surveyed(1100) == (None, 200_000, 1100)  # nobody knows how many will come


@pytest.fixture(scope="module")
def pairs():
    """Pairs of words, some of them shared."""
    return [
        Pair(f"p{i}", f"the {i % 13} old boats left port {i % 7}", f"boats {i % 5} left {i % 7}")
        for i in range(N_PAIRS)
    ]


@pytest.fixture(scope="module")
def sources(pairs, tmp_path_factory):
    """The same pairs in every kind of file that workers read themselves, or are fed from."""
    folder = tmp_path_factory.mktemp("sources")
    names = ["pairs.parquet", "pairs.jsonl", "pairs.csv", "pairs.xml", "pairs.jsonl.gz"]
    for name in names:
        ensue.write_pairs(folder / name, pairs)
    split = folder / "split"
    split.mkdir()
    ensue.write_pairs(split / "a.jsonl", pairs[:100])
    ensue.write_pairs(split / "b.parquet", pairs[100:])
    return {**{name: str(folder / name) for name in names}, "split": str(split)}


@pytest.fixture(scope="module")
def expected(pairs):
    """What a recognizer says without any engine."""
    return {name: ensue.load(name).judge(pairs) for name in ("random", "modified-bleu")}


def lines_of(source, folder, name, sizes):
    """The verdict lines for each size of shards."""
    found = set()
    for size in sizes:
        target = folder / f"{name}-{size}.jsonl"
        judge_source(source, str(target), name, options=RunOptions(shard_size=size), batch_size=50)
        found.add(target.read_bytes().partition(b"\n")[2])
    return found


@pytest.mark.parametrize(
    "source", ["pairs.parquet", "pairs.jsonl", "pairs.csv", "pairs.xml", "pairs.jsonl.gz", "split"]
)
def test_verdicts_are_the_same_for_any_shards(source, sources, expected, tmp_path):
    for name, sizes in (("random", (64, 256, None)), ("modified-bleu", (33, None))):
        assert len(lines_of(sources[source], tmp_path, name, sizes)) == 1
        assert list(read_run(tmp_path / f"{name}-None.jsonl").verdicts) == expected[name]


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "csv", "xml"])
def test_verdicts_are_the_same_for_the_smallest_shards(kind, pairs, expected, tmp_path):
    source = tmp_path / f"pairs.{kind}"
    ensue.write_pairs(source, pairs[:20])
    assert len(lines_of(str(source), tmp_path, "random", (1, 7, None))) == 1
    assert list(read_run(tmp_path / "random-1.jsonl").verdicts) == expected["random"][:20]


@pytest.mark.parametrize(
    ("source", "workers", "size"),
    [("pairs.parquet", 2, 64), ("pairs.csv", 1, None), ("pairs.xml", 2, 7), ("split", 2, 256)],
)
def test_verdicts_are_the_same_for_any_workers(
    source, workers, size, sources, expected, tmp_path, mark
):
    options = RunOptions(workers=workers, shard_size=size)
    told = []
    account = judge_source(
        sources[source],
        f"{tmp_path}/run/",
        "modified-bleu",
        options=options,
        batch_size=50,
        on_snapshot=told.append,
    )
    assert list(read_run(tmp_path / "run").verdicts) == expected["modified-bleu"]
    assert (account.n_items, account.deaths, account.failures) == (N_PAIRS, 0, ())
    assert told[-1].n_done == N_PAIRS
    assert len(told[-1].workers) <= workers


def test_verdicts_are_the_same_on_standard_output(sources, tmp_path, capfdbinary, mark):
    judge_source(sources["pairs.jsonl"], str(tmp_path / "run.jsonl"), "random")
    options = RunOptions(workers=2, shard_size=64)
    judge_source(sources["pairs.jsonl"], "-", "random", options=options)
    header, *lines = capfdbinary.readouterr().out.splitlines()
    assert json.loads(header)["signature"]["recognizer"] == "random"
    assert lines == (tmp_path / "run.jsonl").read_bytes().splitlines()[1:]
    judge_source(sources["pairs.xml"], "-", "random", format=RunFormat.PLAIN)
    judge_source(sources["pairs.xml"], str(tmp_path / "run.txt"), "random", format=RunFormat.PLAIN)
    assert capfdbinary.readouterr().out == (tmp_path / "run.txt").read_bytes()


def test_features_say_the_same_for_any_shards(examples, tmp_path, mark):
    pairs = list(read_pairs(examples))
    alone = ensue.load("features").judge(pairs)
    options = RunOptions(workers=1, shard_size=25)
    target = str(tmp_path / "run.jsonl")
    account = judge_source(str(examples), target, "features", options=options, batch_size=10)
    found = read_run(target).verdicts
    assert [each.label for each in found] == [each.label for each in alone]
    assert [each.score for each in found] == pytest.approx([each.score for each in alone], abs=1e-6)
    assert account.figures["texts"] > 0


def test_run_goes_to_a_folder_behind_a_url(sources, expected, tmp_path):
    url = f"memory://{tmp_path.name}/run"
    account = judge_source(sources["pairs.xml"], url, "random", options=RunOptions(shard_size=100))
    assert account.n_items == N_PAIRS
    assert list(read_run(url).verdicts) == expected["random"]
    with pytest.raises(OutputError, match="a finished run is in"):
        judge_source(sources["pairs.xml"], url, "random")
    again = judge_source(sources["pairs.xml"], url, "random", options=RunOptions(resume=True))
    assert again.is_finished_before
    with (
        open_folder(url).lock(),
        pytest.raises(OutputError, check=coded("another-process-working")),
    ):
        judge_source(sources["pairs.xml"], url, "random", options=RunOptions(restart=True))


def test_job_is_the_same_whatever_the_batches(tmp_path):
    signature = ensue.load("random").signature
    job = JudgeJob("random", (), signature, RunFormat.JSONL, ReadKeywords())
    assert replace(job, batch_size=7).identity == job.identity
    assert replace(job, reading=ReadKeywords(encoding="latin-1")).identity != job.identity
