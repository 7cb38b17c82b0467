"""Train every file that ships anew, and say whether the shipped one is what training makes.

    python -m benchmarks.training [NAME…]           compare
    python -m benchmarks.training --write [NAME…]   and put what differs in its place: `make train`

Each file is made by the command that a user would call, from the public data sets in
`../shared/data`, or where `ENSUE_DATA` says. The lexicon needs WordNet's files (Debian's
`wordnet-base`) in `/usr/share/wordnet`, or where `ENSUE_WNDB` says.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
DATA = Path(os.environ.get("ENSUE_DATA", ROOT.parent / "shared" / "data"))
WNDB = Path(os.environ.get("ENSUE_WNDB", "/usr/share/wordnet"))
SOURCE = ROOT / "src" / "ensue"
METRICS = SOURCE / "translation" / "metrics" / "trained"
TOLERANCE = 1e-6
"""Weights may differ by so much from one machine's linear algebra to another's."""


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file or folder that ships and is made by a command."""

    name: str
    command: tuple[str, ...]
    """Arguments of `python -m`; `OUT` stands for where the result goes."""
    sources: tuple[Path, ...]
    home: Path


def artifacts() -> Iterator[Artifact]:
    """All that ships trained or compiled."""
    rte = tuple(DATA / "rte" / f"rte{n}_dev.xml" for n in (1, 2, 3))
    train = ("ensue.cli", "train", *map(str, rte), "-r", "features", "-o", "OUT", "-q")
    yield Artifact("features", train, rte, SOURCE / "recognizers" / "trained")
    for model, sets in (("pair", ("wmt12",)), ("abs", ("wmt15-da", "wmt16-da"))):
        folders = tuple(DATA / name for name in sets)
        for features in ("tradmt", "tradmt+lexical", "rte", "comb"):
            options = ("--model", model, "--feature-set", features, "-o", "OUT", "-q")
            command = ("ensue.cli", "mt", "train", *map(str, folders), *options)
            name = f"{model}-{features}"
            yield Artifact(name, command, folders, METRICS / name)
    nli = (DATA / "nli" / "snli_train.jsonl.gz", DATA / "nli" / "mnli_train.jsonl.gz")
    network = ("benchmarks.network", "train", "-o", "OUT")
    yield Artifact("network", network, nli, SOURCE / "neural" / "trained")
    joint = ("benchmarks.network", "joint", "-o", "OUT")
    yield Artifact("joint", joint, (*nli, *rte), SOURCE / "recognizers" / "trained_joint")
    claims = tuple((DATA / "claims").glob("*.jsonl.gz")) or (DATA / "claims",)
    decision = ("benchmarks.claims", "train", "-o", "OUT")
    yield Artifact("decision", decision, claims, SOURCE / "claims" / "decision.json")
    translation = ("benchmarks.approaches", "translation", "-o", "OUT")
    comparable = (*nli[:2], *rte, DATA / "wmt12")
    home = SOURCE / "recognizers" / "trained_translation"
    yield Artifact("translation-model", translation, comparable, home)
    lexicon = ("ensue.language.lexicon", str(WNDB), "-o", "OUT")
    yield Artifact("lexicon", lexicon, (WNDB,), SOURCE / "language/lexicon/wordnet.table")


def difference(made: Any, shipped: Any, place: str = "") -> str | None:
    """Where two JSON values differ first, numbers by more than rounding; None where nowhere."""
    if isinstance(made, dict) and isinstance(shipped, dict):
        keys = sorted(made.keys() ^ shipped.keys())
        if keys:
            return f"{place}/{keys[0]} is in one of them only"
        inner = ((key, made[key], shipped[key]) for key in made)
    elif isinstance(made, list) and isinstance(shipped, list):
        if len(made) != len(shipped):
            return f"{place} has {len(made)} entries, not {len(shipped)}"
        inner = (
            (str(i), one, other) for i, (one, other) in enumerate(zip(made, shipped, strict=True))
        )
    elif isinstance(made, float) and isinstance(shipped, int | float):
        is_near = math.isclose(made, shipped, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        return None if is_near else f"{place} is {made!r}, not {shipped!r}"
    else:
        return None if made == shipped else f"{place} is {made!r}, not {shipped!r}"
    found = (difference(one, other, f"{place}/{key}") for key, one, other in inner)
    return next((each for each in found if each), None)


def compared(made: Path, shipped: Path) -> str | None:
    """How what was made differs from what ships; hashes of files that are compared do not count."""
    if made.suffix == ".json":
        one, two = (json.loads(each.read_text("utf-8")) for each in (made, shipped))
        return difference(one, two)
    if made.is_file():
        return None if made.read_bytes() == shipped.read_bytes() else "its bytes differ"
    for path in sorted(made.rglob("*.json")):
        other = shipped / path.relative_to(made)
        if not other.exists():
            return f"{other.name} does not ship"
        one, two = (json.loads(each.read_text("utf-8")) for each in (path, other))
        for record in (one, two):
            record.pop("hashes", None)
        found = difference(one, two, path.name)
        if found:
            return found
    for path in sorted(made.rglob("*.npz")):
        with np.load(path) as one, np.load(shipped / path.relative_to(made)) as other:
            for name in sorted({*one, *other}):
                if name not in one or name not in other or one[name].shape != other[name].shape:
                    return f"{path.name}/{name} is not of one size"
                if not np.allclose(one[name], other[name], rtol=2e-3, atol=TOLERANCE):
                    return f"{path.name}/{name} differs"
    return None


def make(artifact: Artifact, folder: Path) -> Path:
    """Run the command of an artifact; where its result is."""
    out = folder / artifact.home.name
    words = [str(out) if word == "OUT" else word for word in artifact.command]
    subprocess.run([sys.executable, "-m", *words], check=True, stdout=subprocess.DEVNULL)
    return out


def replace(made: Path, home: Path) -> None:
    """Put what was made where it ships from."""
    if home.is_dir():
        shutil.rmtree(home)
        shutil.copytree(made, home)
    else:
        shutil.copyfile(made, home)


def main() -> int:
    """Train, compare, and replace where asked to; 1 where something differs."""
    known = {artifact.name: artifact for artifact in artifacts()}
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(known)}")
    parser.add_argument("--write", action="store_true", help="replace what differs")
    asked = parser.parse_args()
    unknown = set(asked.names) - set(known)
    if unknown:
        parser.error(f"nothing that ships is called {', '.join(sorted(unknown))}")
    differ = 0
    for name in asked.names or known:
        artifact = known[name]
        missing = [str(path) for path in artifact.sources if not path.exists()]
        if missing:
            print(f"{name}: not made, as {missing[0]} is not there")
            continue
        with tempfile.TemporaryDirectory() as folder:
            made = make(artifact, Path(folder))
            found = compared(made, artifact.home)
            print(f"{name}: {found or 'is what training makes'}", flush=True)
            differ += found is not None
            if found and asked.write:
                replace(made, artifact.home)
    return 1 if differ and not asked.write else 0


if __name__ == "__main__":
    sys.exit(main())
