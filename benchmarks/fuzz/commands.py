"""Commands on damaged files, and what is wrong with how they end."""

from __future__ import annotations

import csv
import io
import json
import shlex
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import click

from benchmarks.fuzz import damage
from benchmarks.fuzz.outcome import Ended, complaints_of_ending, run_command, strict_json
from benchmarks.fuzz.second_reading import UNCLEAR, SecondReading, flat, second_reading
from ensue import load, read_pairs, read_run
from ensue.pairs import verdict_to_json

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
PAIR_FORMATS: dict[str, tuple[str, Callable[[Sequence[damage.Row], Random], bytes]]] = {
    "rte": ("xml", damage.to_rte),
    "fracas": ("xml", damage.to_fracas),
    "jsonl": ("jsonl", damage.to_jsonl),
    "json": ("json", damage.to_json),
    "csv": ("csv", damage.to_csv),
    "tsv": ("tsv", damage.to_tsv),
    "parquet": ("parquet", damage.to_parquet),
}
ROW_FORMATS = {name: PAIR_FORMATS[name] for name in ("jsonl", "csv", "tsv", "parquet")}


# What is right, made once: `stock`.


def make_stock(folder: Path) -> None:
    """Put examples, small gold, runs, recognizers, a metric and suites into a folder."""
    shutil.copytree(EXAMPLES, folder / "examples")
    pairs = [pair for pair in read_pairs(EXAMPLES / "pairs.xml") if pair.id in GOLD_IDS]
    rows = [
        {
            "id": p.id,
            "text": p.text,
            "hypothesis": p.hypothesis,
            "gold": str(p.gold),
            "task": p.task,
        }
        for p in pairs
    ]
    (folder / "demo").mkdir()
    gold = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    (folder / "gold.jsonl").write_text(gold, "utf-8")
    for line in STOCK:
        ended = run_command(shlex.split(line), folder, limit=300)
        assert ended.code == 0, f"{line}: {ended.err}"


GOLD_IDS = frozenset(map(str, range(1, 57, 5)))
STOCK = (
    "judge gold.jsonl -r overlap -o run.jsonl --workers 1",
    "judge gold.jsonl -r modified-bleu -o other.jsonl --workers 1",
    "judge gold.jsonl -r overlap -o shards/ --workers 1",
    "judge gold.jsonl -r overlap --format plain -o run.txt --workers 1",
    "train examples/pairs.xml -r overlap-tree -o tree --workers 1",
    "train examples/pairs.xml -r overlap -o overlap --workers 1",
    "mt train examples/translation --feature-set tradmt --strength 1 -o metric --workers 1",
    "suite generate --suites 1 --size 12 -o suites --workers 1",
    "explain 'A dog barks loudly' 'A dog barks'",
    "judge examples/pairs.xml -r bleu -o demo/bleu.jsonl --workers 1",
    "judge examples/pairs.xml -r modified-bleu -o demo/modified-bleu.jsonl --workers 1",
    "judge examples/pairs.xml -r overlap -o demo/overlap.jsonl --workers 1",
)


# What a command was given and what it left.


@dataclass(frozen=True, slots=True)
class Seen:
    """A command that has ended, with all that is to be looked at."""

    folder: Path
    stock: Path
    input: str
    format: str
    content: bytes
    ended: Ended

    def second_reading(self) -> SecondReading:
        """The pairs of the input, as others read them."""
        return second_reading(self.content, self.format)

    def pairs(self) -> list[Any]:
        """The pairs of the input, as the library reads them."""
        return list(read_pairs(self.folder / self.input, needs_gold=False))


Check = Callable[[Seen], Iterator[str]]


def nothing(seen: Seen) -> Iterator[str]:  # noqa: ARG001
    """Look at nothing more."""
    yield from ()


@dataclass(frozen=True, slots=True)
class Command:
    """A command line, `{input}` and `{stock}` filled in, and what is to hold of its answer."""

    line: str
    check: Check = nothing
    answers: tuple[int, ...] = (0,)
    """The exit codes of an answer."""


def json_output(seen: Seen) -> Iterator[str]:
    """Standard output is JSON, in the strict sense."""
    try:
        seen.ended.json()
    except ValueError as error:
        yield f"no JSON on standard output: {error}"


def same_pairs(seen: Seen, found: Sequence[Any]) -> Iterator[str]:
    """The pairs are those that a second reading finds; what it does not is told."""
    second = seen.second_reading()
    ours = tuple((flat(pair.text), flat(pair.hypothesis)) for pair in found)
    if second.is_plain and ours != second.pairs:
        yield f"{len(ours)} pairs are read, and a second reading finds {len(second.pairs)}"
    told = "warning:" in seen.ended.err or "note:" in seen.ended.err
    is_known = seen.format in PAIR_FORMATS and second is not UNCLEAR
    if is_known and not second.is_plain and not told:
        yield "rows that can be read in several ways are read without a word"


def shown(seen: Seen) -> Iterator[str]:
    """`data show` counts the pairs that are there."""
    yield from json_output(seen)
    rows = seen.ended.json()["labels"]["rows"]
    n_shown = next((row["pairs"] for row in rows if row["task"] == "all"), None)
    n_shown = rows[-1]["pairs"] if n_shown is None and rows else n_shown
    pairs = seen.pairs()
    if n_shown is not None and n_shown != len(pairs):
        yield f"{n_shown} pairs are shown, {len(pairs)} are read"
    yield from same_pairs(seen, pairs)


def converted(seen: Seen) -> Iterator[str]:
    """What is written is what was read, gold and all."""
    (output,) = seen.folder.glob("out*")
    before, after = seen.pairs(), list(read_pairs(output))
    exact = output.suffix != ".xml"
    kept = [(p.id, p.text, p.hypothesis, p.gold, p.task) for p in before]
    found = [(p.id, p.text, p.hypothesis, p.gold, p.task) for p in after]
    if not exact:  # markup knows no blanks at the edges and no line breaks
        kept = [tuple(_flattened(each)) for each in kept]
        found = [tuple(_flattened(each)) for each in found]
    if kept != found:
        yield f"{len(kept)} pairs were read, {len(found)} are there again, and they differ"
    yield from same_pairs(seen, before)


def _flattened(values: Sequence[Any]) -> Iterator[Any]:
    yield from (flat(value) if isinstance(value, str) else value for value in values)


def split(seen: Seen) -> Iterator[str]:
    """Every pair is in one part."""
    parts = [pair for name in ("a.jsonl", "b.jsonl") for pair in read_pairs(seen.folder / name)]
    if sorted(pair.id for pair in parts) != sorted(pair.id for pair in seen.pairs()):
        yield "the parts together are not the whole"


def judged(seen: Seen) -> Iterator[str]:
    """A verdict for each pair, in order, as the library gives them; and again the same."""
    pairs = seen.pairs()
    if "[duplicate-id]" in seen.ended.err:
        return  # such a run is told to be of no use
    run = read_run(seen.folder / "run.jsonl")
    if [verdict.pair_id for verdict in run.verdicts] != [pair.id for pair in pairs]:
        yield f"{len(run.verdicts)} verdicts on {len(pairs)} pairs"
    yield from same_pairs(seen, pairs)
    name = seen.ended.arguments[seen.ended.arguments.index("-r") + 1]
    again = load(name).judge(pairs)
    ours = [verdict_to_json(verdict) for verdict in run.verdicts]
    if ours != [verdict_to_json(verdict) for verdict in again]:
        yield "the library gives other verdicts than the command"
    for verdict in run.verdicts:
        yield from complaints_of_verdict(verdict)


def complaints_of_verdict(verdict: Any) -> Iterator[str]:
    """What every verdict promises."""
    is_decided = verdict.status == "decided"
    if is_decided != (verdict.label is not None):
        yield f"status {verdict.status} with the label {verdict.label}"
    if not is_decided and not verdict.reason:
        yield f"status {verdict.status} without a reason"
    if verdict.confidence is not None and not 0 <= verdict.confidence <= 1:
        yield f"confidence {verdict.confidence}"
    if verdict.score is not None and verdict.score != verdict.score:
        yield "a score that is no number"


def evaluated(seen: Seen) -> Iterator[str]:
    """Accuracy is what counting by hand gives."""
    yield from json_output(seen)
    gold_file, run_file = seen.ended.arguments[1], seen.ended.arguments[2]
    gold = {p.id: p.gold for p in read_pairs(seen.folder / gold_file) if p.gold is not None}
    verdicts = [
        v for v in read_run(seen.folder / run_file).verdicts if v.label and v.pair_id in gold
    ]
    row = seen.ended.json()["runs"]["rows"][0]
    if row["answered"] != len(verdicts) or row["pairs"] != len(gold):
        yield f"{row['answered']} of {row['pairs']} answered, counted: {len(verdicts)} of {len(gold)}"
    two_way = {"contradiction": "not-entailment", "unknown": "not-entailment"}
    views = ({}, two_way)
    rates = [
        sum(
            view.get(v.label, str(v.label)) == view.get(gold[v.pair_id], str(gold[v.pair_id]))
            for v in verdicts
        )
        / max(1, len(verdicts))
        for view in views
    ]
    accuracy = row["accuracy"]["value"]
    if accuracy is not None and all(abs(accuracy - rate) > 1e-9 for rate in rates):
        yield f"accuracy {accuracy}, counted by hand {rates[0]}"


def rows_written(seen: Seen) -> Iterator[str]:
    """A row for each pair, with numbers that are numbers."""
    lines = (seen.folder / "out.jsonl").read_text("utf-8").splitlines()
    rows = [strict_json(line) for line in lines]
    if [str(row["id"]) for row in rows] != [pair.id for pair in seen.pairs()]:
        yield "the rows are not those of the pairs"


def scored(seen: Seen) -> Iterator[str]:
    """Scores are numbers, an output has one, and none is doubled."""
    rows = list(csv.DictReader(io.StringIO(seen.ended.out.decode("utf-8")), delimiter="\t"))
    keys = [(row["language_pair"], row["segment"], row["system"]) for row in rows]
    if len(set(keys)) != len(keys):
        yield "an output has two scores"
    for row in rows:
        value = row["score"]
        if value and not 0 <= float(value) <= 100 + 1e-9:
            yield f"BLEU {value}"
    if seen.format == "rows":
        second = [
            json.loads(line)
            for line in seen.content.decode("utf-8-sig").splitlines()
            if line.strip()
        ]
        n_outputs = sum(len(each["outputs"]) for each in second)
        if n_outputs != len(rows) and "warning:" not in seen.ended.err:
            yield f"{len(rows)} scores of {n_outputs} outputs"


def checked(seen: Seen) -> Iterator[str]:
    """Claims and passages stand where they are said to stand."""
    yield from json_output(seen)
    found = seen.ended.json()
    if found["n_claims"] != len(found["claims"]):
        yield "the number of claims is not that of the claims"
    n_supported = sum(each["supported"] for each in found["claims"])
    if found["n_supported"] != n_supported:
        yield "the number of supported claims is not theirs"
    if (seen.ended.code == 0) != (n_supported == found["n_claims"]):
        yield f"exit code {seen.ended.code} with {n_supported} of {found['n_claims']} supported"


# What is damaged, and the commands that read it.


@dataclass(frozen=True, slots=True)
class Subject:
    """A kind of input: how it is made, and who reads it."""

    name: str
    make: Callable[[Random, Path, Path], tuple[str, str, str]]
    """Writes it; gives its name, its format, and what is wrong with it."""
    commands: Sequence[Command] = field(default=())
    share: int = 1
    """How often it comes, beside the others."""


def _pairs(rng: Random, folder: Path, stock: Path) -> tuple[str, str, str]:
    rows = _rows(stock / "gold.jsonl")[: rng.randint(3, 12)]
    format = rng.choice(list(PAIR_FORMATS))
    ending, write = PAIR_FORMATS[format]
    what = "as it should be"
    if rng.random() < 0.6:
        rows, what = damage.damaged_rows(rows, rng, labels=["gold"]), "odd rows"
    content = write(rows, rng)
    if what != "odd rows" or rng.random() < 0.2:
        content, of_bytes = damage.damaged_bytes(content, rng)
        what = f"{what}, {of_bytes}"
    name = f"input.{ending}"
    if content[:2] == b"\x1f\x8b" and rng.random() < 0.5:
        name += ".gz"
    (folder / name).write_bytes(content)
    return name, format, what


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in _read(path).splitlines()]


@cache
def _read(path: Path) -> str:
    return path.read_text("utf-8")


def _table_rows(path: Path) -> list[dict[str, Any]]:
    delimiter = "\t" if path.suffix == ".tsv" else ","
    return list(csv.DictReader(io.StringIO(_read(path)), delimiter=delimiter))


def _damaged_file(rng: Random, source: Path, target: Path) -> str:
    content, what = damage.damaged_bytes(source.read_bytes(), rng)
    target.write_bytes(content)
    return what


def _odd_rows(rng: Random, rows: Sequence[damage.Row], folder: Path) -> tuple[str, str, str]:
    format = rng.choice(list(ROW_FORMATS))
    ending, write = ROW_FORMATS[format]
    found, what = list(rows), "as it should be"
    if rng.random() < 0.7:
        found, what = damage.damaged_rows(rows, rng), "odd rows"
    content = write(found, rng)
    if what != "odd rows":
        content, what = damage.damaged_bytes(content, rng)
    (folder / f"input.{ending}").write_bytes(content)
    return f"input.{ending}", format, what


def _run(rng: Random, folder: Path, stock: Path) -> tuple[str, str, str]:
    drawn = rng.random()
    if drawn < 0.25:
        shutil.copytree(stock / "shards", folder / "input")
        part = rng.choice(sorted((folder / "input").iterdir()))
        return "input", "shards", f"{part.name}: {_damaged_file(rng, part, part)}"
    if drawn < 0.4:
        return "input.txt", "plain", _damaged_file(rng, stock / "run.txt", folder / "input.txt")
    if drawn < 0.7:
        return "input.jsonl", "run", _damaged_file(rng, stock / "run.jsonl", folder / "input.jsonl")
    header, *rows = _rows(stock / "run.jsonl")
    if rng.random() < 0.3:
        header = damage.damaged_rows([header], rng)[0]
    rows = damage.damaged_rows(rows, rng, labels=["label", "status"])
    (folder / "input.jsonl").write_bytes(damage.to_jsonl([header, *rows], rng))
    return "input.jsonl", "run", "odd rows"


def _directory(name: str) -> Callable[[Random, Path, Path], tuple[str, str, str]]:
    def make(rng: Random, folder: Path, stock: Path) -> tuple[str, str, str]:
        kept = stock / (rng.choice(["tree", "overlap"]) if name == "recognizer" else name)
        shutil.copytree(kept, folder / "input")
        file = rng.choice(sorted(path for path in (folder / "input").rglob("*") if path.is_file()))
        if file.suffix == ".json" and rng.random() < 0.6:
            record = damage.damaged_json(json.loads(file.read_text("utf-8")), rng)
            file.write_text(json.dumps(record), "utf-8")
            return "input", name, f"{file.name}: odd values"
        return "input", name, f"{file.name}: {_damaged_file(rng, file, file)}"

    return make


def _file(path: str) -> Callable[[Random, Path, Path], tuple[str, str, str]]:
    def make(rng: Random, folder: Path, stock: Path) -> tuple[str, str, str]:
        source = stock / path
        name = f"input{source.suffix}"
        return name, source.suffix, _damaged_file(rng, source, folder / name)

    return make


def _grammar(rng: Random, folder: Path, stock: Path) -> tuple[str, str, str]:
    source = (stock / "examples" / "grammar.xml").read_text("utf-8")
    if rng.random() < 0.4:
        return (
            "input.xml",
            "grammar",
            _damaged_file(rng, stock / "examples/grammar.xml", folder / "input.xml"),
        )
    (folder / "input.xml").write_text(damage.damaged_markup(source, rng), "utf-8")
    return "input.xml", "grammar", "odd elements"


def _translations(rng: Random, folder: Path, stock: Path) -> tuple[str, str, str]:
    rows = _rows(stock / "examples/translation-rows/segments.jsonl")[:8]
    if rng.random() < 0.4:
        (folder / "input.jsonl").write_bytes(damage.to_jsonl(damage.damaged_rows(rows, rng), rng))
        return "input.jsonl", "rows", "odd rows"
    flat_rows = [
        {
            "language_pair": r["language_pair"],
            "segment": r["segment"],
            "system": s,
            "output": o,
            "reference": r["references"][0],
        }
        for r in rows
        for s, o in r["outputs"].items()
    ]
    return _odd_rows(rng, flat_rows, folder)


def _translation_folder(rng: Random, folder: Path, stock: Path) -> tuple[str, str, str]:
    shutil.copytree(stock / "examples/translation", folder / "input")
    file = rng.choice(sorted(path for path in (folder / "input").rglob("*") if path.is_file()))
    what = rng.choice(["damaged", "missing", "renamed"])
    if what == "missing":
        file.unlink()
    elif what == "renamed":
        file.rename(file.with_name(rng.choice(["x", "example.xx-yy.fluent", "a.de-en", ".hidden"])))
    else:
        what = _damaged_file(rng, file, file)
    return "input", "wmt", f"{file.name}: {what}"


def _judgments(rng: Random, folder: Path, stock: Path) -> tuple[str, str, str]:
    if rng.random() < 0.4:
        rows = _rows(stock / "examples/translation-rows/judgments.jsonl")
        (folder / "input.jsonl").write_bytes(damage.to_jsonl(damage.damaged_rows(rows, rng), rng))
        return "input.jsonl", "judgments", "odd rows"
    rows = _table_rows(stock / "examples/translation/judgments.csv")
    (folder / "input.csv").write_bytes(
        damage.to_csv(damage.damaged_rows(rows, rng), rng, delimiter=",")
    )
    return "input.csv", "judgments", "odd rows"


def _lists(rng: Random, folder: Path, stock: Path) -> tuple[str, str, str]:
    return _odd_rows(rng, _table_rows(stock / "examples/paraphrase/lists.tsv")[:30], folder)


def _instances(rng: Random, folder: Path, stock: Path) -> tuple[str, str, str]:
    return _odd_rows(rng, _table_rows(stock / "examples/paraphrase/instances.csv")[:20], folder)


def _annotated(rng: Random, folder: Path, stock: Path) -> tuple[str, str, str]:
    rows = _table_rows(stock / "examples/judged.csv")
    found = damage.damaged_rows(rows, rng, labels=["author", "second"])
    (folder / "input.csv").write_bytes(damage.to_csv(found, rng, delimiter=","))
    return "input.csv", "annotated", "odd rows"


SUBJECTS = (
    Subject(
        "pairs",
        _pairs,
        (
            Command("data show {input} --format json", shown),
            Command("data convert {input} -o out.jsonl", converted),
            Command("data convert {input} -o out.csv", converted),
            Command("data convert {input} -o out.tsv", converted),
            Command("data convert {input} -o out.parquet", converted),
            Command("data convert {input} -o out.xml", converted),
            Command("data split {input} --part a.jsonl=50% --part b.jsonl=rest", split),
            Command("data audit {input} --no-baselines --format json", json_output, (0, 1)),
            Command("judge {input} -r modified-bleu -o run.jsonl --workers 1", judged),
            Command("judge {input} -r overlap -o run.jsonl --workers 1", judged),
            Command("judge {input} -r features -o run.jsonl --workers 1", judged),
            Command("judge {input} -r overlap -o shards/ --workers 1"),
            Command("judge - -r overlap -o run.jsonl --workers 1 < {input}"),
            Command("evaluate {input} {stock}/run.jsonl --draws 0 --format json", evaluated),
            Command(
                "evaluate {input} {stock}/shards --draws 20 --by task --format json", json_output
            ),
            Command("cutoff {input} {stock}/run.jsonl --draws 0 --format json", json_output),
            Command(
                "mine {input} {stock}/run.jsonl --forms words --draws 0 -s permutations=0 --format json",
                json_output,
            ),
            Command("validate {input} -r overlap --folds 2 -o run.jsonl --workers 1"),
            Command("train {input} -r modified-bleu -o trained --workers 1"),
            Command("features {input} -o out.jsonl --workers 1", rows_written),
            Command("explain --pairs {input} --id 6 -r overlap --format json", json_output),
            Command("ablate {input} -s strength=1 --format json --workers 1", json_output),
            Command(
                "paraphrase recognize {stock}/examples/paraphrase/lists.tsv -t {input} --draws 0 --format json",
                json_output,
            ),
        ),
        share=10,
    ),
    Subject(
        "annotators",
        _annotated,
        (
            Command(
                "data agreement {input} --annotator author --annotator second --draws 20 --kept kept.jsonl --discarded gone.jsonl --format json",
                json_output,
            ),
        ),
    ),
    Subject(
        "runs",
        _run,
        (
            Command("evaluate {stock}/gold.jsonl {input} --draws 0 --format json", evaluated),
            Command(
                "evaluate {stock}/gold.jsonl {input} {stock}/other.jsonl --draws 10 --format json",
                json_output,
            ),
            Command("cutoff {stock}/gold.jsonl {input} --draws 0 --format json", json_output),
            Command(
                "mine {stock}/gold.jsonl {input} --forms task --draws 0 -s permutations=10 --format json",
                json_output,
            ),
            Command(
                "power --runs {stock}/gold.jsonl {input} {stock}/other.jsonl --format json",
                json_output,
            ),
            Command("status {input} --format json", json_output, (0, 1)),
        ),
        share=4,
    ),
    Subject(
        "recognizers",
        _directory("recognizer"),
        (
            Command("judge {stock}/gold.jsonl -r {input} -o run.jsonl --workers 1"),
            Command(
                "explain 'A dog barks loudly' 'A dog barks' -r {input} --format json", json_output
            ),
            Command("train {stock}/gold.jsonl -r {input} -o again --workers 1"),
        ),
    ),
    Subject(
        "grammars",
        _grammar,
        (
            Command("suite describe --grammar {input} --format json", json_output),
            Command(
                "suite generate --grammar {input} --suites 1 --size 8 -o out --workers 1",
                nothing,
                (0, 1),
            ),
        ),
        share=2,
    ),
    Subject(
        "suites",
        _directory("suites"),
        (Command("suite describe {input} --format json", json_output),),
    ),
    Subject(
        "translations",
        _translations,
        (
            Command("mt score {input} -m bleu --workers 1", scored),
            Command(
                "mt rank {input} -m bleu --method basic --draws 10 --format json --workers 1",
                json_output,
            ),
            Command("mt features {input} --feature-set tradmt -o out.jsonl --workers 1"),
        ),
        share=2,
    ),
    Subject(
        "translation folders",
        _translation_folder,
        (
            Command("mt score {input} -m bleu --workers 1", scored),
            Command(
                "mt evaluate {input} -m bleu --draws 10 -s permutations=10 --format json --workers 1",
                json_output,
            ),
            Command("mt train {input} --feature-set tradmt --strength 1 -o out --workers 1"),
        ),
    ),
    Subject(
        "judgments of translations",
        _judgments,
        (
            Command(
                "mt evaluate {stock}/examples/translation-rows/segments.jsonl --judgments {input} -m bleu --draws 10 -s permutations=10 --format json --workers 1",
                json_output,
            ),
            Command(
                "mt rank {stock}/examples/translation-rows/segments.jsonl --judgments {input} -m bleu --draws 10 --format json --workers 1",
                json_output,
            ),
        ),
    ),
    Subject(
        "metrics",
        _directory("metric"),
        (Command("mt score {stock}/examples/translation -m {input} --workers 1"),),
    ),
    Subject(
        "lists of paraphrases",
        _lists,
        (
            Command("paraphrase score {input} -k 1 -k 3 --draws 10 --format json", json_output),
            Command("paraphrase score {input} --rerank -o out.tsv"),
            Command("paraphrase judge {input} -r overlap -o out.jsonl"),
            Command(
                "paraphrase recognize {input} -t {stock}/examples/paraphrase/pairs.jsonl --draws 0 --format json",
                json_output,
            ),
            Command(
                "paraphrase correlate {input} -t {stock}/examples/paraphrase/pairs.jsonl --draws 10 --format json",
                json_output,
            ),
        ),
        share=2,
    ),
    Subject(
        "judged applications of rules",
        _instances,
        (Command("paraphrase validate {input} -r overlap --draws 10 --format json", json_output),),
    ),
    Subject(
        "corpora",
        _file("examples/paraphrase/corpus.txt"),
        (Command("paraphrase learn {input} --terms killed,left -o out.tsv"),),
    ),
    Subject(
        "sources",
        _file("examples/source.txt"),
        (
            Command(
                "check --source {input} --claims {stock}/examples/claims.txt --format json --workers 1",
                checked,
                (0, 1),
            ),
        ),
    ),
    Subject(
        "claims",
        _file("examples/claims.txt"),
        (
            Command(
                "check --source {stock}/examples/source.txt --claims {input} --format json --workers 1",
                checked,
                (0, 1),
            ),
        ),
    ),
)


# Options with odd values, on the examples of the commands' help.

ODD_VALUES = (
    "", " ", "-", "--", "0", "-1", "1", "1e9", "99999999999999999999", "nan", "inf", "=", "a=b",
    "=x", "x=", "a=b=c", "é👍", "top:0", "top:x", "all", "nowhere", "nowhere/at/all.csv", ".", "/",
    "out.", ".html", "x.html", "x.svg", "\x00", "a\nb", "label:x=entailment", "label:=none",
    "encoding=utf-99", "encoding=utf-16", "encoding=rot13", "encoding=idna", "format=csv", "text=nowhere", "cutoff=nan", "order=0",
    "order=10000", "strength=-1", "seconds=0", "command:", "command:nowhere", "python:", "python:os:nothing",
    "python:os:getcwd", "x" * 5000, "%s", "{}", "*", "**", "~", "http://", "file:///nowhere", "memory://x", "s3://",
)  # fmt: skip
"""What may stand behind an option."""
LEFT_OUT = ("serve", "serve backup", "serve people", "submit", "reproduce")
"""Commands that serve, ask other machines, or need data."""


@cache
def _examples() -> dict[str, tuple[list[str], list[click.Option]]]:
    """Every command, with the arguments of its example and its options."""
    from ensue.cli.app import ensue

    return dict(_leaves(ensue, ()))


def _leaves(
    group: click.Group, path: tuple[str, ...]
) -> Iterator[tuple[str, tuple[list[str], list[click.Option]]]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        whole = " ".join((*path, name))
        if isinstance(command, click.Group):
            yield from _leaves(command, (*path, name))
        elif command is not None and whole not in LEFT_OUT:
            arguments = shlex.split((command.epilog or "").removeprefix("Example: ensue "))
            options = [each for each in command.params if isinstance(each, click.Option)]
            yield whole, (arguments, options)


def option_case(number: int, rng: Random, folder: Path, stock: Path, limit: float) -> Result:
    """Run the example of a command with an odd value for one of its options."""
    name = rng.choice(list(_examples()))
    arguments, options = _examples()[name]
    option = rng.choice(
        [
            each
            for each in options
            if "--watch" not in each.opts and "--clear-cache" not in each.opts
        ]
    )
    value = rng.choice(ODD_VALUES)
    odd = [rng.choice(option.opts)]
    if not option.is_flag:
        odd += [value] * option.nargs
    for kept in ("examples", "demo"):
        (folder / kept).symlink_to(stock / kept)
    ended = run_command([*arguments, *odd], folder, limit=limit)
    complaints = list(complaints_of_ending(ended, ["nowhere", "example", "'"]))
    end = complaints_end(ended, complaints)
    return Result(
        number,
        "options",
        f"ensue {shlex.join([*arguments, *odd])[:400]}",
        end,
        tuple(complaints),
        ended.seconds,
        ended.err,
    )


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a case."""

    number: int
    subject: str
    what: str
    """The command or call, and what is wrong with what it was given."""
    end: str
    """How it ended, in the words of `ENDS`."""
    complaints: tuple[str, ...]
    seconds: float
    told: str = ""


def command_case(number: int, rng: Random, folder: Path, stock: Path, limit: float) -> Result:
    """Make a damaged input, run a command on it, and look at what it leaves."""
    subject = rng.choice([each for each in SUBJECTS for _ in range(each.share)])
    name, format, what = subject.make(rng, folder, stock)
    command = rng.choice(subject.commands)
    line, _, redirected = command.line.format(input=name, stock=stock).partition(" < ")
    content = _content(folder / name)
    given = content if redirected else b""
    arguments = shlex.split(line)
    ended = run_command(arguments, folder, limit=limit, given=given)
    seen = Seen(folder, stock, name, format, content, ended)
    known = [Path(name).stem, "standard input", "<stdin>", "-:"]
    complaints = [*complaints_of_ending(ended, known), *_complaints_of_files(seen, command)]
    if not complaints and ended.code in (0, 1):
        complaints += _checked(command, seen)
    shown_line = command.line.replace("{stock}/", "")
    end = complaints_end(ended, complaints)
    return Result(
        number,
        subject.name,
        f"ensue {shown_line} ({format}: {what})",
        end,
        tuple(complaints),
        ended.seconds,
        ended.err,
    )


def complaints_end(ended: Ended, complaints: Sequence[str]) -> str:
    """How a command ended, in words."""
    from benchmarks.fuzz.outcome import ENDS

    if ended.code is None:
        return "TIME LIMIT"
    return "DEFECT" if complaints else ENDS[ended.code]


def _checked(command: Command, seen: Seen) -> Iterator[str]:
    if seen.ended.code not in command.answers:
        yield f"exit code {seen.ended.code}"
        return
    try:
        yield from command.check(seen)
    except Exception as error:  # what is left cannot even be looked at
        yield f"the answer cannot be read: {type(error).__name__}: {error}"


def _complaints_of_files(seen: Seen, command: Command) -> Iterator[str]:  # noqa: ARG001
    """The input is what it was, and where there is no answer, there is no file."""
    if _content(seen.folder / seen.input) != seen.content:
        yield "the input was changed"
    left = [path.name for path in seen.folder.iterdir() if path.name != Path(seen.input).parts[0]]
    if left and not seen.ended.is_answer and seen.ended.code is not None:
        yield f"there is no answer, and {', '.join(sorted(left))} is left"


def _content(path: Path) -> bytes:
    """A file's bytes, or those of all files of a folder."""
    if path.is_dir():
        return b"\0".join(each.read_bytes() for each in sorted(path.rglob("*")) if each.is_file())
    return path.read_bytes()
