"""Evaluation of ten million verdicts from folders of Parquet, against reading them.

Reading is: the columns that are needed (of the gold: id, gold, task; of the verdicts: all six) read
batch by batch into Arrow arrays, and nothing more. Evaluation is `evaluate_sources` with all
intervals. Each is done in a process of its own with one thread, in turn; ratios are
medians of five. Beside it, once each: the same by task, with cutoffs, and of a run whose shards are in
another order. Memory is the peak of such a process.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa

N_PAIRS = 10_000_000
SIZES = (1_000_000, N_PAIRS)
"""Of which the memory is shown."""
SHARD = 250_000
REPEATS = 5
ALLOWED = 6.0
"""Times what reading takes."""

GOLD_COLUMNS = ("id", "gold", "task")
TASKS = ("CD", "IE", "IR", "MT", "PP", "QA", "RC")
WORKS = ("read", "evaluate", "by-task", "cutoffs", "reordered")
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


def main() -> None:
    """Print seconds, their ratios and peak memory; end with 1 where it takes too long."""
    with tempfile.TemporaryDirectory(prefix="ensue-benchmark-") as name:
        folders = {n: _written(Path(name) / str(n), n) for n in SIZES}
        _measured("cutoffs", folders[SIZES[0]])  # kernels are compiled now
        ratio = _show_ratio(folders[N_PAIRS])
        _show_memory(folders)
    if ratio > ALLOWED:
        sys.exit(f"evaluation takes more than {ALLOWED:g} times what reading takes")


def _show_ratio(folder: Path) -> float:
    found = [[_measured(work, folder) for work in WORKS[:2]] for _ in range(REPEATS)]
    print(f"Evaluating {N_PAIRS:,} verdicts, one thread, medians of {REPEATS}")
    print(f"  {'':<9}  {'read':>8}  {'evaluate':>8}  {'ratio':>8}")
    ratios = {}
    for what in ("seconds", "cpu"):
        both = [[one[what] for one in pair] for pair in found]
        ratios[what] = statistics.median(evaluate / read for read, evaluate in both)
        read, evaluate = (statistics.median(column) for column in zip(*both, strict=True))
        print(f"  {what:<9}  {read:>8.2f}  {evaluate:>8.2f}  {ratios[what]:>8.2f}")
    return ratios["seconds"]


def _show_memory(folders: dict[int, Path]) -> None:
    sizes = "".join(f"  {f's at {n:,}':>15}  {f'MB at {n:,}':>16}" for n in folders)
    print(f"  {'':<9}{sizes}")
    for work in WORKS:
        found = [_measured(work, folder) for folder in folders.values()]
        cells = "".join(f"  {one['seconds']:>15.2f}  {one['megabytes']:>16,.0f}" for one in found)
        print(f"  {work:<9}{cells}")


def _measured(work: str, folder: Path) -> dict[str, float]:
    """What some work takes in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.evaluation_scale", work, str(folder)],
        env={**os.environ, **ONE_THREAD},
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _work(work: str, folder: Path) -> None:
    """Do it, and print seconds and peak memory."""
    import resource
    import time

    import pyarrow as pa

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    doing = {
        "read": _read,
        "evaluate": _evaluate,
        "by-task": lambda own: _evaluate(own, by_task=True),
        "cutoffs": lambda own: _evaluate(own, cutoffs=True),
        "reordered": lambda own: _evaluate(own, run="reordered"),
    }[work]
    if work != "read":  # importing is neither reading nor evaluating
        from ensue.evaluation import evaluate_sources  # noqa: F401
    began, worked = time.perf_counter(), time.process_time()
    doing(folder)
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    cpu = time.process_time() - worked
    print(json.dumps({"seconds": seconds, "cpu": cpu, "megabytes": peak}))


def _read(folder: Path) -> None:
    import pyarrow.parquet as pq

    for name, columns in (("gold", list(GOLD_COLUMNS)), ("run", None)):
        for file in sorted((folder / name).glob("*.parquet")):
            for batch in pq.ParquetFile(file).iter_batches(batch_size=131_072, columns=columns):
                assert len(batch)


def _evaluate(
    folder: Path, *, by_task: bool = False, cutoffs: bool = False, run: str = "run"
) -> None:
    from ensue.evaluation import evaluate_sources

    found = evaluate_sources(
        folder / "gold", [folder / run], by_task=by_task, cutoffs=cutoffs
    ).runs[0]
    measures = found.scores.measures
    assert measures["accuracy"].low is not None
    assert measures["cws"].low is not None


def _written(folder: Path, n: int) -> Path:
    """Gold and a run of n pairs, and the same run with its shards in another order."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    for name in ("gold", "run", "reordered"):
        (folder / name).mkdir(parents=True)
    shards = []
    for k, start in enumerate(range(0, n, SHARD)):
        size = min(SHARD, n - start)
        ids = pa.array([f"pair-{i:07d}" for i in range(start, start + size)])
        is_yes = rng.random(size) < 0.5
        pq.write_table(_gold(ids, is_yes, rng), folder / "gold" / f"{k:06d}.parquet")
        file = folder / "run" / f"part-{k:06d}.parquet"
        pq.write_table(_verdicts(ids, is_yes, rng), file)
        shards.append(_shard(file, size))
    _write_manifest(folder / "run", shards, n)
    for shard in shards:
        os.link(folder / "run" / str(shard["file"]), folder / "reordered" / str(shard["file"]))
    _write_manifest(folder / "reordered", shards[::-1], n)
    return folder


def _gold(ids: pa.Array, is_yes: np.ndarray, rng: np.random.Generator) -> pa.Table:
    import pyarrow as pa

    sides = [f"sentence number {i} says something of itself" for i in range(len(ids))]
    return pa.table(
        {
            "id": ids,
            "text": sides,
            "hypothesis": sides,
            "gold": np.where(is_yes, "entailment", "not-entailment"),
            "task": np.array(TASKS)[rng.integers(0, len(TASKS), len(ids))],
        }
    )


def _verdicts(ids: pa.Array, is_yes: np.ndarray, rng: np.random.Generator) -> pa.Table:
    """Scores like those of an overlap: most are continuous, some tie, and a few pairs fail."""
    import pyarrow as pa

    n = len(ids)
    score = np.clip(rng.normal(0.45 + 0.1 * is_yes, 0.2), 0, 1)
    score = np.where(rng.random(n) < 0.1, np.round(score, 2), score)
    failed = rng.random(n) < 0.001
    confidence = np.abs(score - 0.5) * 2
    label = np.where(score > 0.5, "entailment", "not-entailment").astype(object)
    return pa.table(
        {
            "pair_id": ids,
            "label": pa.array(label, pa.string(), mask=failed),
            "score": pa.array(score, mask=failed),
            "confidence": pa.array(confidence, mask=failed),
            "status": np.where(failed, "failed", "decided"),
            "reason": pa.array(np.where(failed, "no words", None), pa.string()),
        }
    )


def _shard(file: Path, n_rows: int) -> dict[str, object]:
    content = file.read_bytes()
    digest = sha256(content).hexdigest()
    return {"file": file.name, "rows": n_rows, "bytes": len(content), "sha256": digest}


def _write_manifest(folder: Path, shards: list[dict[str, object]], n: int) -> None:
    about = {
        "ensue_run": 1,
        "ensue_folder": 1,
        "kind": "verdicts",
        "signature": {"recognizer": "simulated", "version": "0", "settings": {}},
        "data": {"name": "simulated", "pairs": n},
        "started": None,
        "cost": None,
        "shard_size": SHARD,
        "shards": shards,
    }
    (folder / "_manifest.json").write_text(json.dumps(about), "utf-8")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        _work(sys.argv[1], Path(sys.argv[2]))
    else:
        main()
