"""Shards cover everything once, and who does them, and how many at a time, changes no verdict."""

import gzip
import json
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ensue
from ensue.engine import RunFormat, Spread, judge_source
from ensue.engine.folders import open_folder
from ensue.engine.inputs import fed, survey_pairs
from ensue.engine.jobs.judging import JudgeJob, merged_content, pairs_content
from ensue.engine.model import Shard, ShardSizes
from ensue.engine.running import default_size, stretches
from ensue.errors import OutputError
from ensue.pairs import Pair, pairs_hash, read_pairs, read_run
from ensue.pairs.parts import Part
from ensue.pairs.reading import Reading

N_PAIRS = 530
"""More than two shards of the least size by default."""


def part(source, group, rows=3):
    return Part(source, "parquet", 0, rows, 1, 0, rows, group)


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
        assert len(stretch) <= max(1, len(shards) // (8 * slots))
        assert is_counted or len(stretch) == 1


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
    size = default_size(Sized(sizes), Guessed(n), Spread(workers=workers))
    assert least <= size <= least * times
    assert size % least == 0
    if size > least:  # each worker gets about eight, and not many more than that
        assert (size - least) * 8 * workers < n


def test_default_size_by_hand():
    sizes = ShardSizes(least=256, most=16_384)
    # 100,000 ÷ (8·2) = 6,250 → ⌈6,250 ÷ 256⌉ = 25 → 25·256
    assert default_size(Sized(sizes), Guessed(100_000), Spread(workers=2)) == 25 * 256
    assert default_size(Sized(sizes), Guessed(500), Spread(workers=2)) == 256
    assert default_size(Sized(sizes), Guessed(10**8), Spread(workers=2)) == 16_384


@given(n=st.integers(0, 40), size=st.integers(1, 50))
def test_fed_shards_have_every_item_once_in_order(n, size):
    shards = list(fed(iter(range(n)), size))
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


def test_stream_is_looked_into_before_it_is_spread(tmp_path, monkeypatch):
    def surveyed(n):
        lines = "".join(f'{{"id": "{i}", "text": "a", "hypothesis": "b"}}\n' for i in range(n))
        with gzip.open(tmp_path / "pairs.jsonl.gz", "wt") as file:
            file.write(lines)
        with (tmp_path / "pairs.jsonl.gz").open("rb") as raw:
            monkeypatch.setattr("sys.stdin", type("Input", (), {"buffer": raw})())
            given = survey_pairs("-", Reading(), on_finding=lambda _: None)
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
        judge_source(source, str(target), name, spread=Spread(shard_size=size), batch_size=50)
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
    spread = Spread(workers=workers, shard_size=size)
    told = []
    account = judge_source(
        sources[source],
        f"{tmp_path}/run/",
        "modified-bleu",
        spread=spread,
        batch_size=50,
        on_snapshot=told.append,
    )
    assert list(read_run(tmp_path / "run").verdicts) == expected["modified-bleu"]
    assert (account.n_items, account.deaths, account.failures) == (N_PAIRS, 0, ())
    assert told[-1].n_done == N_PAIRS
    assert len(told[-1].workers) <= workers


def test_verdicts_are_the_same_on_standard_output(sources, tmp_path, capfdbinary, mark):
    judge_source(sources["pairs.jsonl"], str(tmp_path / "run.jsonl"), "random")
    spread = Spread(workers=2, shard_size=64)
    judge_source(sources["pairs.jsonl"], "-", "random", spread=spread)
    header, *lines = capfdbinary.readouterr().out.splitlines()
    assert json.loads(header)["signature"]["recognizer"] == "random"
    assert lines == (tmp_path / "run.jsonl").read_bytes().splitlines()[1:]
    judge_source(sources["pairs.xml"], "-", "random", format=RunFormat.PLAIN)
    judge_source(sources["pairs.xml"], str(tmp_path / "run.txt"), "random", format=RunFormat.PLAIN)
    assert capfdbinary.readouterr().out == (tmp_path / "run.txt").read_bytes()


def test_features_say_the_same_for_any_shards(examples, tmp_path, mark):
    pairs = list(read_pairs(examples))
    alone = ensue.load("features").judge(pairs)
    spread = Spread(workers=1, shard_size=25)
    target = str(tmp_path / "run.jsonl")
    account = judge_source(str(examples), target, "features", spread=spread, batch_size=10)
    found = read_run(target).verdicts
    assert [each.label for each in found] == [each.label for each in alone]
    assert [each.score for each in found] == pytest.approx([each.score for each in alone], abs=1e-6)
    assert account.figures["texts"] > 0


def test_run_goes_to_a_folder_behind_a_url(sources, expected, tmp_path):
    url = f"memory://{tmp_path.name}/run"
    account = judge_source(sources["pairs.xml"], url, "random", spread=Spread(shard_size=100))
    assert account.n_items == N_PAIRS
    assert list(read_run(url).verdicts) == expected["random"]
    with pytest.raises(OutputError, match="a finished run is in"):
        judge_source(sources["pairs.xml"], url, "random")
    again = judge_source(sources["pairs.xml"], url, "random", spread=Spread(resume=True))
    assert again.is_finished_before
    with open_folder(url).lock(), pytest.raises(OutputError, match="another process is working"):
        judge_source(sources["pairs.xml"], url, "random", spread=Spread(restart=True))


def test_job_is_the_same_whatever_the_batches(tmp_path):
    signature = ensue.load("random").signature
    job = JudgeJob("random", (), signature, RunFormat.JSONL, Reading())
    assert replace(job, batch_size=7).identity == job.identity
    assert replace(job, reading=Reading(encoding="latin-1")).identity != job.identity
