"""Scores and features of translations: the same whoever does the work, and nothing lost."""

import csv
import io
import json
from dataclasses import replace

import pyarrow.parquet as pq
import pytest
from tests.errors import coded

from ensue.engine import RunOptions
from ensue.engine.job import ShardSizes
from ensue.errors import EngineError, RunError
from ensue.files import RowFormat
from ensue.translation.features import FeatureSet
from ensue.translation.jobs import (
    KnownReferences,
    OutputFeaturesJob,
    ScoreJob,
    SetSources,
    known_references,
    measure_set,
    score_set,
    segment_input,
    segment_sizes,
)

WORDS = ("the", "cat", "sat", "on", "a", "mat", "and", "nobody", "saw", "it", "left", "early")
N = 60


def sentence(i, skipped=0):
    return " ".join(
        WORDS[(i + k * (1 + i % 3)) % len(WORDS)] for k in range(4 + i % 5) if k != skipped
    )


@pytest.fixture(autouse=True)
def _alone(monkeypatch):
    """Nothing that was loaded before."""
    monkeypatch.setattr("ensue.engine.shards._loaded", [])


@pytest.fixture
def sources(tmp_path):
    folder = tmp_path / "set"
    folder.mkdir()
    for name, skipped in (("ref", -1), ("good", 2), ("bad", 0)):
        lines = "".join(f"{sentence(i, skipped)}\n" for i in range(N))
        (folder / name).write_text(lines)
    return SetSources((str(folder / "good"), str(folder / "bad")), (str(folder / "ref"),))


@pytest.fixture
def score(sources, tmp_path):
    def run(name, metrics=("bleu", "nist"), **options):
        target = tmp_path / name
        output = str(target) if "." in name else f"{target}/"
        return score_set(
            sources.open(), sources, output, metrics, options=RunOptions(**options)
        ), target

    return run


@pytest.fixture
def stopping(monkeypatch):
    """Interrupts the work of a kind after so many batches."""

    def stop(kind, batches):
        do = kind.do

        def some(self, loaded, items):
            nonlocal batches
            batches -= 1
            if batches < 0:
                raise KeyboardInterrupt
            return do(self, loaded, items)

        monkeypatch.setattr(kind, "do", some)
        return lambda: monkeypatch.setattr(kind, "do", do)

    return stop


@pytest.fixture
def poisoned(monkeypatch):
    """Makes the work of a kind fail on a segment."""

    def poison(kind, id_):
        do = kind.do

        def failing(self, loaded, items):
            if any(segment.id == id_ for segment in items):
                raise ZeroDivisionError("poison")
            return do(self, loaded, items)

        monkeypatch.setattr(kind, "do", failing)

    return poison


@pytest.mark.parametrize("name", ["a.tsv", "a.csv", "a.jsonl", "a.seg"])
def test_scores_do_not_depend_on_shards(score, name):
    found = {score(f"{size}{name}", shard_size=size)[1].read_bytes() for size in (17, 100)}
    assert len(found) == 1


def test_scores_of_workers_are_the_same(score):
    alone, here = score("alone.jsonl")
    options, there = score("options.jsonl", workers=2, shard_size=16)
    assert here.read_bytes() == there.read_bytes()
    assert options.account.n_items == N
    for one, other in zip(alone.systems, options.systems, strict=True):
        assert (one.key, one.n_outputs) == (other.key, other.n_outputs)
        assert one.means == pytest.approx(other.means, rel=1e-12)
        assert one.whole == pytest.approx(other.whole, rel=1e-12)


def test_scores_of_a_folder_are_those_of_a_file(score):
    _, file = score("a.csv")
    scored, folder = score("folder", shard_size=20)
    parts = sorted(folder.glob("part-*.parquet"))
    found = [row for part in parts for row in pq.read_table(part).to_pylist()]
    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    shown = [{**row, "bleu": str(row["bleu"]), "nist": str(row["nist"])} for row in found]
    assert shown == rows
    manifest = json.loads((folder / "_manifest.json").read_text())
    assert (manifest["kind"], manifest["rows"]) == ("scores", 2 * N)
    assert [each["name"] for each in manifest["metrics"]] == ["bleu", "nist"]
    assert scored.account.n_rows == 2 * N


def test_interrupted_scores_are_resumed_with_the_same_bytes(score, stopping):
    whole, file = score("whole.tsv", shard_size=10)
    go_on = stopping(ScoreJob, 3)
    with pytest.raises(KeyboardInterrupt):
        score("a.tsv", shard_size=10)
    go_on()
    resumed, target = score("a.tsv", resume=True)
    assert resumed.account.n_resumed == 30
    assert target.read_bytes() == file.read_bytes()
    assert resumed.systems == whole.systems


@pytest.mark.parametrize("which", ["ref", "good"])
def test_scores_of_changed_texts_are_not_resumed(score, stopping, sources, tmp_path, which):
    go_on = stopping(ScoreJob, 1)
    with pytest.raises(KeyboardInterrupt):
        score("a.tsv", shard_size=10)
    go_on()
    text = (tmp_path / "set" / which).read_text()
    (tmp_path / "set" / which).write_text(text.replace("cat", "dog"))
    with pytest.raises(RunError, match="begun with other input"):
        score("a.tsv", resume=True)


def test_scores_of_other_metrics_are_not_resumed(score, stopping):
    go_on = stopping(ScoreJob, 1)
    with pytest.raises(KeyboardInterrupt):
        score("a.tsv", shard_size=10)
    go_on()
    with pytest.raises(RunError, match="begun with metrics"):
        score("a.tsv", metrics=("bleu", "ter"), resume=True)


REFERENCES = KnownReferences(SetSources(("good",), ("ref",)), "digest")


@pytest.mark.parametrize(
    "job",
    [
        ScoreJob(REFERENCES, ShardSizes(), ("bleu",), (("bleu", "bleu|1"),), None, True),
        OutputFeaturesJob(REFERENCES, ShardSizes(), FeatureSet.TRADMT, "tradmt|1", RowFormat.CSV),
    ],
    ids=["scores", "features"],
)
def test_job_is_another_where_texts_are_read_in_another_way(job):
    changes = [{"language_pair": "de-en"}, {"encoding": "latin-1"}]
    sources = [replace(REFERENCES.sources, **each) for each in changes]
    others = [replace(job, references=replace(REFERENCES, sources=each)) for each in sources]
    assert all(other.identity != job.identity for other in others)
    elsewhere = replace(REFERENCES, sources=REFERENCES.sources.absolute())
    same = replace(job, references=elsewhere, sizes=ShardSizes(9))
    assert same.identity == job.identity


def test_scores_with_and_without_sums_are_different_jobs():
    job = ScoreJob(REFERENCES, ShardSizes(), ("bleu",), (("bleu", "bleu|1"),), None, True)
    assert replace(job, is_summed=False).identity != job.identity


def test_segment_that_cannot_be_scored_is_left_out_and_told(score, poisoned):
    poisoned(ScoreJob, "7")
    scored, target = score("a.csv")
    rows = list(csv.DictReader(io.StringIO(target.read_text())))
    assert "7" not in {row["segment"] for row in rows}
    assert len(rows) == 2 * (N - 1)
    assert scored.account.failures == (("7", "ZeroDivisionError: poison"),)
    assert {system.n_outputs for system in scored.systems} == {N - 1}


def test_judgments_are_part_of_the_input(sources, tmp_path):
    judgments = tmp_path / "ranks.jsonl"
    said = {"segment": "1", "judge": "anna", "ranks": {"good": 1, "bad": 2}}
    digests = set()
    for ranks in ({"good": 1, "bad": 2}, {"good": 2, "bad": 1}):
        judgments.write_text(json.dumps({**said, "ranks": ranks}) + "\n")
        named = replace(sources, judgments=(str(judgments),))
        digests.add(segment_input(named.open(), named).digest)
    assert len(digests) == 2


def test_moved_input_is_the_same_and_a_renamed_system_is_another(sources, tmp_path):
    before = segment_input(sources.open(), sources).digest
    (tmp_path / "set").rename(tmp_path / "moved")
    moved = replace(
        sources,
        data=tuple(str(tmp_path / "moved" / name) for name in ("good", "bad")),
        references=(str(tmp_path / "moved" / "ref"),),
    )
    assert segment_input(moved.open(), moved).digest == before
    (tmp_path / "moved" / "bad").rename(tmp_path / "moved" / "worse")
    renamed = replace(moved, data=(moved.data[0], str(tmp_path / "moved" / "worse")))
    assert segment_input(renamed.open(), renamed).digest != before


def test_worker_refuses_other_references(sources, tmp_path):
    known = known_references(sources.open(), sources)
    assert len(known.read()) == N
    path = tmp_path / "set" / "ref"
    path.write_text(path.read_text().replace("cat", "dog"))
    with pytest.raises(EngineError, check=coded("worker-reads-other-references")):
        known.read()


def test_references_of_a_stream_are_sent_along(sources):
    stream = replace(sources, judgments=("-",))
    known = known_references(sources.open(), stream)
    assert known.held == tuple(sources.open().references())
    assert known.read() == known.held
    assert segment_input(sources.open(), stream).digest is None


def test_batches_are_by_the_number_of_outputs(sources):
    sizes = segment_sizes(sources.open())
    assert sizes.least == 2048 // 2
    assert ScoreJob(REFERENCES, sizes, (), (), None, True).batch_size == sizes.least
    assert segment_input(sources.open(), sources).n_estimated == N


def test_features_of_outputs_do_not_depend_on_shards_and_workers(sources, tmp_path):
    found, means = set(), []
    for i, options in enumerate(
        [RunOptions(), RunOptions(shard_size=7), RunOptions(workers=2, shard_size=20)]
    ):
        target = tmp_path / f"{i}.csv"
        account, summary = measure_set(
            sources.open(),
            sources,
            str(target),
            FeatureSet.TRADMT,
            format=RowFormat.CSV,
            options=options,
        )
        found.add(target.read_bytes())
        means.append(summary.means.tolist())
        assert (account.n_items, account.n_rows, summary.n_outputs) == (N, 2 * N, 2 * N)
    assert len(found) == 1
    assert means[0] == pytest.approx(means[1], rel=1e-12)
    assert means[0] == pytest.approx(means[2], rel=1e-12)


def test_segment_that_cannot_be_measured_has_empty_cells(sources, tmp_path, poisoned):
    poisoned(OutputFeaturesJob, "7")
    target = tmp_path / "a.csv"
    account, summary = measure_set(
        sources.open(), sources, str(target), FeatureSet.TRADMT, format=RowFormat.CSV
    )
    rows = list(csv.reader(io.StringIO(target.read_text())))[1:]
    empty = [row for row in rows if not any(row[3:])]
    assert [row[:3] for row in empty] == [["", "7", "good"], ["", "7", "bad"]]
    assert account.failures == (("7", "ZeroDivisionError: poison"),)
    assert (summary.n_outputs, summary.n_worded) == (2 * N, 2 * (N - 1))


def test_format_is_by_the_name_of_the_file(sources, tmp_path):
    target = tmp_path / "a.csv"
    score_set(sources.open(), sources, str(target), ["bleu"], format=RowFormat.TSV)
    assert target.read_text().startswith("language_pair\t")
