"""Small judgments and metrics, written as strings."""

import csv

import numpy as np
import pytest

from ensue.translation.systems import HumanRanking, MetricScores, OutputKey, Preferences


def _key(text):
    """`cs-en:1:A`, or `1:A` with an empty language pair."""
    *pair, segment, system = text.split(":")
    return OutputKey(pair[0] if pair else "", segment, system)


def _preferences(*comparisons):
    """`1:A > 1:B` or `1:A = 1:B`, each by one person."""
    outputs, rows = {}, []
    for comparison in comparisons:
        first, sign, second = comparison.split()
        places = [outputs.setdefault(_key(each), len(outputs)) for each in (first, second)]
        rows.append((*places, sign == "="))
    better, worse, tie = np.array(rows, np.int64).reshape(-1, 3).T
    judge = np.zeros(len(rows), np.int64)
    return Preferences(tuple(outputs), better, worse, tie == 1, ("judge",), judge)


def _scores(name="metric", /, **by_output):
    """`_1_A=0.5`: underscores for colons, since `1:A` is no name in Python."""
    values = {_key(name.strip("_").replace("_", ":")): v for name, v in by_output.items()}
    return MetricScores(name, tuple(values), np.array(list(values.values()), np.float64))


@pytest.fixture(scope="session")
def make_key():
    return _key


@pytest.fixture(scope="session")
def make_preferences():
    return _preferences


@pytest.fixture(scope="session")
def make_scores():
    return _scores


@pytest.fixture(scope="session")
def make_ranking():
    def make(segment, pair="cs-en", judge="judge", **ranks):
        return HumanRanking(pair, segment, judge, ranks)

    return make


@pytest.fixture(scope="session")
def make_noisy():
    """Preferences of segments × systems outputs, and what made them: a hidden quality."""

    def make(seed=0, n_segments=40, n_systems=4, pairs=("cs-en", "de-en"), tie=0.3):
        rng = np.random.default_rng(seed)
        keys = [
            OutputKey(pair, str(segment), f"S{system}")
            for pair in pairs
            for segment in range(n_segments)
            for system in range(n_systems)
        ]
        quality = rng.normal(size=len(keys))
        i, j = np.triu_indices(n_systems, 1)
        starts = np.arange(0, len(keys), n_systems)[:, None]
        first, second = (starts + i).ravel(), (starts + j).ravel()
        margin = quality[first] - quality[second] + rng.normal(size=len(first)) / 2
        better, worse = np.where(margin > 0, first, second), np.where(margin > 0, second, first)
        nobody = np.zeros(len(better), np.int64)
        preferences = Preferences(
            tuple(keys), better, worse, np.abs(margin) < tie, ("judge",), nobody
        )
        return preferences, MetricScores("quality", tuple(keys), quality)

    return make


@pytest.fixture(scope="session")
def wmt12_rankings(shared_data):
    """The rankings into English."""
    codes = {"Czech": "cs", "German": "de", "Spanish": "es", "French": "fr"}
    found = []
    with (shared_data / "wmt12" / "judgments.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["trglang"] == "English":
                ranks = {row[f"system{k}Id"]: int(row[f"system{k}rank"]) for k in range(1, 6)}
                ranked = {system: rank for system, rank in ranks.items() if rank > 0}
                pair = f"{codes[row['srclang']]}-en"
                found.append(HumanRanking(pair, row["srcIndex"], row["judgeId"], ranked))
    return tuple(found)


@pytest.fixture(scope="session")
def direct_assessments(shared_data):
    """By year: the human score, the output and the reference of each output."""

    def read(year):
        folder = shared_data / f"wmt{year}-da"
        found = {}
        for path in sorted(folder.glob("*.human.*")):
            pair = path.suffix[1:]
            lines = [
                (folder / path.name.replace("human", part)).read_text("utf-8").splitlines()
                for part in ("human", "mt-system", "reference")
            ]
            for i, (score, output, reference) in enumerate(zip(*lines, strict=True), 1):
                found[OutputKey(pair, str(i), "system")] = (float(score), output, reference)
        return found

    return read
