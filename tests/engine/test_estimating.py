"""What a run will take."""

import bz2
import gzip
import json
import lzma
import random
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from ensue.engine import RunFormat, RunOptions
from ensue.engine.estimate import (
    Count,
    Peak,
    RunEstimate,
    RunSample,
    count_pairs,
    estimate_judging,
    memory_growth,
    peak_memory,
)
from ensue.engine.job import ShardSizes
from ensue.errors import SettingError
from ensue.pairs.surveys import survey
from ensue.recognizers.jobs import judge_source
from ensue.reports.progress import estimate_tables

SAMPLE = RunSample(
    n_items=1000,
    n_places=8,
    survey=0.001,
    feeding=0.0,
    start=5.0,
    item=0.01,
    low=0.008,
    high=0.012,
    busy=1.0,
    driver_memory=100,
    worker_memory=1000,
    n_in_memory=50,
    item_memory=2.0,
    output=150.0,
    texts=2.0,
    analyzed=1.5,
    cache=600.0,
)
ESTIMATE = RunEstimate(
    what="pairs with bleu",
    sample=SAMPLE,
    n_items=10_000,
    is_counted=True,
    workers=2,
    shard_size=500,
    sizes=ShardSizes(),
    is_joined=True,
    cache_limit=5_000_000,
)


def test_cost_is_by_the_formula():
    cost = ESTIMATE.cost()
    # looking through the input, start, the work of two, half of the last shard
    assert cost.seconds == pytest.approx(10_000 * 0.001 + 5 + 10_000 * 0.01 / 2 + 500 * 0.01 / 2)
    assert cost.low == pytest.approx(10 + 5 + 10_000 * 0.008 / 2 + 500 * 0.008 / 2)
    assert cost.high == pytest.approx(10 + 5 + 10_000 * 0.012 / 2 + 500 * 0.012 / 2)
    # the driver, 20 shards, the keys; each worker with 450 items more than were seen
    assert cost.memory == 100 + 20 * 2048 + 8 * 10_000 + 2 * (1000 + 450 * 2)
    assert (cost.output, cost.working) == (10_000 * 150, 2 * 10_000 * 150)
    assert cost.cache == 5_000_000  # and not 10,000 · 600


def test_cost_of_one_worker_waits_for_no_other():
    assert ESTIMATE.cost(workers=1).seconds == pytest.approx(10 + 5 + 10_000 * 0.01)


def test_cost_is_bounded_by_a_driver_that_reads_for_all():
    slow = replace(ESTIMATE, sample=replace(SAMPLE, feeding=0.002))
    seconds = slow.cost(workers=64).seconds
    assert seconds == pytest.approx(10 + 5 + 10_000 * 0.002 + 500 * 0.01 / 2)


def test_cost_of_a_folder_needs_no_second_place():
    cost = replace(ESTIMATE, is_joined=False).cost()
    assert cost.working == cost.output


sizes = st.integers(1, 10**10)
workers = st.integers(1, 1000)


@given(sizes, sizes, workers)
def test_cost_grows_with_items(one, other, w):
    few, many = (ESTIMATE.cost(n, w) for n in sorted((one, other)))
    assert few.seconds <= many.seconds
    assert few.memory <= many.memory
    assert few.output <= many.output
    assert few.cache <= many.cache


@given(sizes, workers)
def test_cost_lies_between_low_and_high(n, w):
    cost = ESTIMATE.cost(n, w)
    assert cost.low <= cost.seconds <= cost.high


@given(sizes, st.integers(2, 500))
def test_cost_of_twice_the_workers_is_less_time_and_more_memory(n, w):
    one, two = ESTIMATE.cost(n, w), ESTIMATE.cost(n, 2 * w)
    assert two.seconds <= one.seconds
    assert two.memory > one.memory


def test_peak_memory_sees_what_was_held():
    before = peak_memory()
    held = b"\1" * (before + (64 << 20))
    assert peak_memory() >= len(held)


def test_batch_in_the_making_is_no_growth_of_memory():
    """Shards below a batch grow by what they hold meanwhile; only what is kept after them counts."""
    warming = [Peak(4, 4, 1_000, False), Peak(16, 20, 90_000, False)]
    measured = [Peak(50, 70, 100_000, False), Peak(50, 120, 100_050, False)]
    assert memory_growth([*warming, *measured], 2) == (120, 50 / 50)


def test_memory_grows_with_shards_beyond_a_batch():
    peaks = [Peak(4, 4, 500, False), Peak(64, 68, 1_000, True), Peak(256, 324, 1_960, True)]
    assert memory_growth(peaks, 1) == (256, 960 / 192)


def test_estimate_measures_a_whole_small_input_and_writes_nothing(source, tmp_path, monkeypatch):
    monkeypatch.setenv("ENSUE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    there = sorted(tmp_path.iterdir())
    target = str(tmp_path / "run.jsonl")
    found = estimate_judging(str(source), target, "modified-bleu", spread=RunOptions(workers=2))
    assert sorted(tmp_path.iterdir()) == there
    assert (found.n_items, found.is_counted, found.workers) == (500, True, 2)
    sample = found.sample
    assert 0 < sample.low <= sample.item <= sample.high < sample.start
    assert sample.worker_memory > 20 << 20
    assert 0 < sample.busy <= 1
    assert (sample.n_places, sample.texts, sample.feeding) == (2, 0, 0)
    judge_source(str(source), target, "modified-bleu")
    written = (tmp_path / "run.jsonl").stat().st_size
    assert found.cost().output == pytest.approx(written, rel=0.05)


def test_estimate_goes_on_where_a_pair_fails_and_says_so(tmp_path, monkeypatch):
    (tmp_path / "touchy.py").write_text(
        "def judge(pairs):\n"
        "    if any('poison' in pair.text for pair in pairs):\n"
        "        raise ValueError('not that')\n"
        "    return ['entailment'] * len(pairs)\n"
    )
    pairs = tmp_path / "pairs.csv"
    rows = [f"{i},{'poison' if i == 30 else 'water'} is here,water" for i in range(40)]
    pairs.write_text("\n".join(["id,text,hypothesis", *rows]) + "\n")
    monkeypatch.syspath_prepend(tmp_path)
    told = []
    found = estimate_judging(
        str(pairs),
        "-",
        "python:touchy:judge",
        {"guard": "no"},
        format=RunFormat.PLAIN,
        on_finding=told.append,
    )
    assert found.sample.n_items > 20
    assert found.sample.n_failed == 1
    (finding,) = told
    assert finding.code == "sample-failed"
    assert finding.message.startswith(f"1 of {found.sample.n_tried} pairs that were tried failed")
    assert finding.message.endswith("ValueError: not that")


def test_estimate_counts_a_short_file_that_it_has_to_read(root):
    found = estimate_judging(str(root / "examples" / "pairs.xml"), "-", "modified-bleu")
    assert (found.n_items, found.is_counted) == (56, True)
    assert found.sample.feeding > 0


def test_estimate_guesses_what_it_cannot_count(source, monkeypatch):
    monkeypatch.setattr("ensue.engine.estimate.count_pairs", lambda _: Count(10, False))
    packed = source.with_name("pairs.jsonl.gz")
    packed.write_bytes(gzip.compress(source.read_bytes()))
    found = estimate_judging(str(packed), "-", "modified-bleu")
    assert not found.is_counted
    assert found.n_items == 500  # all that the sample has seen, and not ten


LINES = [
    json.dumps(
        {
            "id": f"p{i}",
            "text": " ".join(f"word{draw.randrange(3000)}" for _ in range(draw.randrange(4, 20))),
            "hypothesis": f"word{i % 9} is",
        }
    )
    + "\n"
    for draw in [random.Random(0)]
    for i in range(20_000)
]


@pytest.fixture
def long_file(tmp_path, monkeypatch):
    """Write twenty thousand pairs to a file, of which a few thousand are read to guess them."""
    monkeypatch.setattr("ensue.engine.estimate._PAIRS", 8_000)

    def write(name, pack):
        (tmp_path / name).write_bytes(pack("".join(LINES).encode()))
        return str(tmp_path / name)

    return write


@pytest.mark.parametrize(
    ("suffix", "pack"),
    [
        (".gz", gzip.compress),
        (".bz2", lambda content: bz2.compress(content, 1)),
        (".xz", lambda content: lzma.compress(content, preset=0)),
    ],
)
def test_count_of_a_packed_file_is_a_good_guess(long_file, suffix, pack):
    count = count_pairs(survey(long_file(f"pairs.jsonl{suffix}", pack)))
    assert not count.is_exact
    assert count.n_pairs == pytest.approx(20_000, rel=0.1)


def test_count_of_text_in_wide_characters_is_a_good_guess(long_file):
    wide = long_file("pairs.jsonl", lambda content: content.decode().encode("utf-16"))
    count = count_pairs(survey(wide))
    assert not count.is_exact
    assert count.n_pairs == pytest.approx(20_000, rel=0.1)


def test_count_of_a_file_that_is_read_to_its_end_is_exact(tmp_path):
    (tmp_path / "pairs.jsonl.gz").write_bytes(gzip.compress("".join(LINES[:5000]).encode()))
    assert count_pairs(survey(str(tmp_path))) == Count(5000, is_exact=True)


def test_count_of_many_files_takes_some_for_all(tmp_path, monkeypatch):
    monkeypatch.setattr("ensue.engine.estimate._FILES", 2)
    for i in range(5):
        lines = LINES[1000 * i : 1000 * (i + 1)]
        (tmp_path / f"{i}.jsonl.gz").write_bytes(gzip.compress("".join(lines).encode()))
    (tmp_path / "5.jsonl").write_text("".join(LINES[5000:5700]), "utf-8")
    count = count_pairs(survey(str(tmp_path)))
    assert not count.is_exact
    assert count.n_pairs == pytest.approx(5 * 1000 + 700, rel=0.02)


def test_cost_of_a_guessed_number_is_less_sure():
    cost = replace(ESTIMATE, is_counted=False).cost()
    assert cost.seconds == ESTIMATE.cost().seconds
    # three quarters of 10,000 and five quarters of them, by the faster and the slower half
    assert cost.low == pytest.approx(7.5 + 5 + 7_500 * 0.008 / 2 + 500 * 0.008 / 2)
    assert cost.high == pytest.approx(12.5 + 5 + 12_500 * 0.012 / 2 + 500 * 0.012 / 2)


def test_cost_of_a_guessed_number_is_not_below_the_sample():
    guessed = replace(ESTIMATE, n_items=1100, is_counted=False, sample=replace(SAMPLE, survey=0.0))
    # 1,000 were sampled, more than three quarters of 1,100
    assert guessed.cost(workers=1).low == pytest.approx(5 + 1000 * 0.008)


def test_cost_of_another_number_is_as_sure_as_ever():
    guessed = replace(ESTIMATE, is_counted=False)
    assert guessed.cost(1_000_000) == ESTIMATE.cost(1_000_000)


def test_estimate_tables_say_what_the_whole_takes():
    sample, whole, scaling = estimate_tables(ESTIMATE)
    assert whole.rows[0][:2] == ["10,000", "1.1 min"]  # 10 + 5 + 50 + 2.5 s
    assert [row[0] for row in whole.rows[1:]] == [f"{10**k:,}" for k in (6, 7, 8, 9)]
    assert [row[0] for row in scaling.rows] == [1, 2, 4, 8, 16, 32, 64]
    assert scaling.rows[1][2] == "1.1 min"
    assert sample.notes == []


def test_estimate_tables_say_where_the_machine_was_busy():
    busy = replace(ESTIMATE, sample=replace(SAMPLE, busy=0.4))
    (note,) = estimate_tables(busy)[0].notes
    assert "computed in 40% of its time" in note


def test_estimate_of_standard_input_is_refused():
    with pytest.raises(SettingError, match="standard input"):
        estimate_judging("-", "-", "modified-bleu")


def test_estimate_of_nothing_is_refused(tmp_path):
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text("\n")
    with pytest.raises(SettingError, match="nothing to take a sample of"):
        estimate_judging(str(pairs), "-", "modified-bleu")
