"""A small translation set as plain files, and metrics that were trained on it."""

import json

import pytest

from ensue.cli.app import run

REFERENCE = [
    "The cat sat on the mat.",
    "It rains in the north today.",
    "She sold the old house last week.",
    "Nobody has seen the keys since Monday.",
    "Two trains leave before noon.",
    "The soup is too hot to eat.",
]
GOOD = [
    "The cat sat on a mat.",
    "It rains in the north now.",
    "She sold the old home last week.",
    "No one has seen the keys since Monday.",
    "Two trains leave before midday.",
    "The soup is too hot for eating.",
]
BAD = [
    "mat cat the on",
    "north rain is",
    "house she week",
    "keys nobody monday",
    "noon trains two",
    "hot soup eat",
]
SYSTEMS = {"good": GOOD, "bad": BAD, "twin": GOOD, "silent": [""] * len(GOOD)}
SEGMENTS = [str(i) for i in range(1, len(REFERENCE) + 1)]


def write_lines(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def write_set(folder):
    """Files of a reference, of systems, and of a judge who always prefers the good one."""
    write_lines(folder / "ref.txt", REFERENCE)
    for system, lines in SYSTEMS.items():
        write_lines(folder / system, lines)
    said = [
        {"segment": segment, "judge": "anna", "ranks": {"good": 1, "bad": 2}}
        for segment in SEGMENTS
    ]
    write_lines(folder / "ranks.jsonl", map(json.dumps, said))


@pytest.fixture(scope="session")
def directory(root):
    """The translation set that the project ships."""
    return str(root / "examples" / "translation")


@pytest.fixture(scope="session")
def rows(root):
    """The same as rows, with its judgments."""
    folder = root / "examples" / "translation-rows"
    return [str(folder / "segments.jsonl"), "--judgments", str(folder / "judgments.jsonl")]


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A directory to work in, with the small set."""
    write_set(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def judged(small):
    """Write a file of judgments, a record a line, and give the arguments that name it."""

    def write(records, name="judgments.jsonl"):
        write_lines(small / name, map(json.dumps, records))
        return ["--judgments", name]

    return write


@pytest.fixture
def answer(capsys):
    """Run a command that has to succeed; give what it says as JSON."""

    def run_it(*arguments):
        assert run(["mt", *arguments, "--format", "json"]) == 0, capsys.readouterr().err
        return json.loads(capsys.readouterr().out)

    return run_it


@pytest.fixture
def refused(capsys):
    """Run a command that has to fail with an error; give the message."""

    def run_it(*arguments, code=3):
        assert run(["mt", *arguments]) == code
        captured = capsys.readouterr()
        assert captured.out == ""
        return captured.err

    return run_it


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """The directories of metrics trained by the command on the small set, by name."""
    folder = tmp_path_factory.mktemp("trained")
    write_set(folder)
    texts = ["--reference", str(folder / "ref.txt"), str(folder / "good"), str(folder / "bad")]
    known = [*texts, "--judgments", str(folder / "ranks.jsonl"), "--workers", "1", "-q"]
    found = {}
    for model in ("pair", "abs"):
        for features in ("tradmt", "comb"):
            target = found[f"{model}-{features}"] = str(folder / f"{model}-{features}")
            options = [
                "--model",
                model,
                "--feature-set",
                features,
                "-o",
                target,
                "--format",
                "json",
            ]
            assert run(["mt", "train", *known, *options]) == 0
    return found
