"""Cases of files, of which no text is held, are mined to the same numbers as pairs in memory."""

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from tests.errors import coded

from ensue.cli.app import run as run_command
from ensue.errors import DataError, RunError, SettingError, UnknownNameError
from ensue.mining import ErrorKind, Settings, Wanted, mine_pairs, mine_sources
from ensue.pairs import load_pairs, read_run, write_pairs
from ensue.statistics.resampling import Resampling

QUICK = Settings(top=3, resampling=Resampling(draws=8), permutations=8)
GOLD = ["entailment", "not-entailment"]
FINE = ["entailment", "contradiction", "unknown"]

CASE = st.fixed_dictionaries(
    {
        "gold": st.sampled_from([0, 0, 1, 1, 2, None]),
        "answer": st.sampled_from([0, 0, 1, 2, None, "missing"]),
        "other": st.sampled_from([0, 1, 2, None]),
        "confidence": st.sampled_from([None, 0.25, 0.5, 1.0]),
        "tags": st.lists(st.sampled_from(["VA", "VP", "N", "R"]), max_size=3),
        "task": st.sampled_from(["QA", "IE", None]),
    }
)
CASES = st.lists(CASE, min_size=1, max_size=14)


def gold_record(i, case, labels):
    entries = [{"predicate": "see", "hypothesis": case["tags"], "text": ["VA"]}]
    return {
        "id": f"case-{i}",
        "text": f"Ann sees bird {i % 3}.",
        "hypothesis": f"Bird {i % 2} is seen.",
        "gold": None if case["gold"] is None else labels[case["gold"] % len(labels)],
        "task": case["task"],
        "meta": {"tags": entries, "length": len(case["tags"])},
    }


def verdict_record(i, answer, confidence, labels):
    if answer is None:
        return {"pair_id": f"case-{i}", "label": None, "status": "abstained"}
    label = labels[answer % len(labels)]
    return {"pair_id": f"case-{i}", "label": label, "confidence": confidence}


def write_lines(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")


def write_case_files(folder, cases, labels=GOLD, order=None):
    """Gold as JSONL and as two Parquet files of small groups of rows, and two runs, the first in
    this order."""
    write_lines(folder / "gold.jsonl", [gold_record(i, c, labels) for i, c in enumerate(cases)])
    pairs = load_pairs(folder / "gold.jsonl")
    (folder / "gold").mkdir()
    half = (len(pairs) + 1) // 2
    for name, some in (("1", pairs[:half]), ("2", pairs[half:])):
        write_pairs(folder / "whole.parquet", some)
        table = pq.read_table(folder / "whole.parquet")
        pq.write_table(table, folder / "gold" / f"{name}.parquet", row_group_size=4)
    judged = [
        verdict_record(i, case["answer"], case["confidence"], labels)
        for i, case in enumerate(cases)
        if case["answer"] != "missing"
    ]
    judged = judged if order is None else [judged[i] for i in order if i < len(judged)]
    # a run says something
    write_lines(folder / "run.jsonl", judged or [{"pair_id": "case-0", "label": None}])
    others = [verdict_record(i, case["other"], None, labels) for i, case in enumerate(cases)]
    write_lines(folder / "other.jsonl", others)


def summary(mined):
    """All that was found and is not drawn."""
    return [
        (
            mining.kind,
            mining.run,
            mining.against,
            mining.view,
            (mining.n_cases, mining.n_errors, mining.n_forms),
            (mining.n_cases_without_form, mining.n_errors_without_form),
            [(each.rank, each.form, each.n_errors, each.n_cases) for each in mining.suspects],
        )
        for mining in mined.minings
    ] + [error.message for error in mined.gaps]


def numbers(mined):
    """All numbers, with those that are drawn: the draws are the same for the same counts."""
    return [
        number
        for mining in mined.minings
        for each in mining.suspects
        for number in (
            each.suspicion.value,
            each.suspicion.low or 0,
            each.suspicion.high or 0,
            *each.measures.values(),
            each.p,
            each.q,
        )
    ]


def worst(mined, n):
    return [
        (
            suspect.form,
            case.pair.id,
            case.pair.text,
            case.pair.hypothesis,
            case.pair.gold,
            case.answer,
        )
        for mining in mined.minings
        for suspect in mining.suspects[: QUICK.top]
        for case in mining.worst_cases(suspect, n)
    ]


def assert_same(found, expected, n_worst=2):
    assert summary(found) == summary(expected)
    assert numbers(found) == pytest.approx(numbers(expected), abs=1e-12)
    assert worst(found, n_worst) == worst(expected, n_worst)
    assert [f for f in found.findings if f.code != "other-data"] == list(expected.findings)


def few_are_many(patch):
    """Make every case one too many, so that columns are read and no text is held."""
    for module in ("evaluation.gold", "mining.columns"):
        patch.setattr(f"ensue.{module}.LARGE", 0)


@pytest.fixture
def many(monkeypatch):
    few_are_many(monkeypatch)


def held(folder, runs, wanted):
    """Mined from pairs in memory."""
    read = [read_run(folder / run) for run in runs]
    return mine_pairs(load_pairs(folder / "gold.jsonl"), read, wanted)


def mined_files(folder, gold, runs, wanted):
    with pytest.MonkeyPatch.context() as patch:
        few_are_many(patch)
        return mine_sources(folder / gold, [folder / run for run in runs], wanted)


def is_minable(cases):
    return any(case["gold"] is not None for case in cases)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    CASES.filter(is_minable),
    st.sampled_from([GOLD, FINE]),
    st.sampled_from(["gold.jsonl", "gold"]),
    st.booleans(),
    st.sampled_from([None, 1, 2]),
    st.randoms(use_true_random=False),
)
def test_mining_of_files_is_that_of_pairs(cases, labels, gold, is_shuffled, support, random):
    order = random.sample(range(len(cases)), len(cases)) if is_shuffled else None
    runs = ["run.jsonl", "other.jsonl"][: random.randint(1, 2)]
    forms = random.choice([["tags"], ["tags", "task"], ["words"], ["length", "tags"]])
    wanted = Wanted(list(ErrorKind), forms, support, n_worst=2, settings=QUICK)
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_case_files(folder, cases, labels, order)
        try:
            expected = held(folder, runs, wanted)
        except DataError as error:  # no pair has a task
            with pytest.raises(type(error), match=error.message):
                mined_files(folder, gold, runs, wanted)
            return
        assert_same(mined_files(folder, gold, runs, wanted), expected)


def made_up(n=300, seed=0):
    """Passives fail more often than the others."""
    rng = np.random.default_rng(seed)
    cases = []
    for _ in range(n):
        tags = rng.choice(["VA", "VP", "N", "R"], size=rng.integers(0, 4)).tolist()
        gold = int(rng.integers(2))
        wrong = rng.random() < (0.7 if "VP" in tags else 0.2)
        cases.append(
            {
                "gold": gold,
                "answer": None if rng.random() < 0.1 else gold ^ int(wrong),
                "other": gold,
                "confidence": round(float(rng.random()), 1),
                "tags": tags,
                "task": "QA",
            }
        )
    return cases


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_case_files(tmp_path, made_up())
    return tmp_path


def write_run_folder(lines, folder):
    """The verdicts of a file as shards of 100, and their manifest."""
    folder.mkdir()
    records = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
    names = ("pair_id", "label", "score", "confidence", "status", "reason")
    kinds = [pa.float64() if name in ("score", "confidence") else pa.string() for name in names]
    shards = []
    for k, start in enumerate(range(0, len(records), 100)):
        some = records[start : start + 100]
        rows = [{"status": "decided" if each["label"] else "abstained"} | each for each in some]
        columns = [
            pa.array([row.get(name) for row in rows], kind)
            for name, kind in zip(names, kinds, strict=True)
        ]
        path = folder / f"part-{k:06d}.parquet"
        pq.write_table(pa.table(columns, names=list(names)), path)
        size = path.stat().st_size
        shards.append({"file": path.name, "rows": len(some), "bytes": size, "sha256": ""})
    manifest = {
        "ensue_run": 1,
        "ensue_folder": 1,
        "kind": "verdicts",
        "signature": {"recognizer": "made-up", "version": "1", "settings": {}},
        "data": {"name": "gold", "pairs": len(records)},
        "shards": shards,
    }
    (folder / "_manifest.json").write_text(json.dumps(manifest), "utf-8")


def tables(capsys, *arguments):
    assert run_command(["mine", *arguments, "--draws", "50", "-s", "permutations=50"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("is_many", [False, True])
def test_mine_gives_the_same_for_a_folder_as_for_lines(folder, capsys, monkeypatch, is_many):
    write_run_folder(folder / "run.jsonl", folder / "run")
    options = ["--errors", "all", "--errors", "unanswered", "--format", "json"]
    expected = tables(capsys, "gold.jsonl", "run.jsonl", *options)
    if is_many:
        few_are_many(monkeypatch)
    (folder / "run.jsonl").unlink()
    os.rename(folder / "run", folder / "run.jsonl")  # noqa: PTH104 - runs go by their names
    assert tables(capsys, "gold", "run.jsonl", *options) == expected
    assert len(expected["all_cases"]["rows"]) > 3


def test_mine_writes_the_same_page_of_many_cases(folder, monkeypatch):
    arguments = ["mine", "gold.jsonl", "run.jsonl", "--draws", "20", "-s", "permutations=20"]
    assert run_command([*arguments, "--report", "held.html", "-o", "held.txt"]) == 0
    few_are_many(monkeypatch)
    assert run_command([*arguments, "--report", "large.html", "-o", "large.txt"]) == 0
    for name in ("html", "txt"):
        held, large = (folder / f"{way}.{name}" for way in ("held", "large"))
        assert large.read_text("utf-8") == held.read_text("utf-8")


def test_intervals_and_p_of_other_seeds_are_near(folder):
    runs = [folder / "run.jsonl"]
    wanted = [
        Wanted(
            [ErrorKind.ALL],
            settings=Settings(resampling=Resampling(draws=1000, seed=seed), permutations=1000),
        )
        for seed in (0, 1)
    ]
    first = mine_sources(folder / "gold.jsonl", runs, wanted[0]).minings[0]
    second = mine_sources(folder / "gold", runs, wanted[1]).minings[0]
    for one, two in zip(first.suspects, second.suspects, strict=True):
        assert two.suspicion.low == pytest.approx(one.suspicion.low, abs=0.03)
        assert two.suspicion.high == pytest.approx(one.suspicion.high, abs=0.03)
        assert two.p == pytest.approx(one.p, abs=0.06)


@pytest.mark.usefixtures("many")
def test_worst_cases_that_were_not_read_are_refused(folder):
    wanted = Wanted([ErrorKind.ALL], n_worst=1, settings=QUICK)
    mined = mine_sources(folder / "gold", [folder / "run.jsonl"], wanted)
    (mining,) = mined.minings
    assert len(mining.worst_cases(mining.suspects[0], 1)) == 1
    with pytest.raises(SettingError, match=r"2 worst cases of '.*' have not been read"):
        mining.worst_cases(mining.suspects[0], 2)
    with pytest.raises(SettingError, match=r"1 worst cases of '.*' have not been read"):
        mining.worst_cases(mining.suspects[3], 1)


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("forms.MOST", "there are more than 3 different sets of forms"),
        ("forms.MOST_FORMS", "there are more than 3 forms in different sets"),
    ],
)
def test_too_many_sets_of_forms_are_refused(folder, monkeypatch, limit, message):
    monkeypatch.setattr(f"ensue.mining.{limit}", 3)
    wanted = Wanted([ErrorKind.ALL], settings=QUICK)
    with pytest.raises(SettingError) as raised:
        mine_sources(folder / "gold", [folder / "run.jsonl"], wanted)
    assert raised.value.message == message
    assert "tags or a column, not words" in raised.value.hint


@pytest.mark.parametrize("gold", ["gold.jsonl", "gold"])
@pytest.mark.parametrize(
    ("forms", "kind", "message"),
    [
        (["tags", "tags"], SettingError, "two kinds of forms have a form of one name"),
        ([], SettingError, "there are no forms to mine"),
        (["lenght"], UnknownNameError, "no kind of forms or column is called 'lenght'"),
    ],
)
def test_forms_that_are_not_there_are_refused(folder, gold, forms, kind, message):
    wanted = Wanted([ErrorKind.ALL], forms, settings=QUICK)
    for mined in (mine_sources, lambda *of: mined_files(folder, gold, ["run.jsonl"], of[-1])):
        with pytest.raises(kind) as raised:
            mined(folder / gold, [folder / "run.jsonl"], wanted)
        assert raised.value.message == message
    if kind is UnknownNameError:
        assert raised.value.hint == "did you mean 'length'?"


@pytest.mark.usefixtures("many")
def test_gold_without_labels_is_refused(tmp_path):
    write_case_files(tmp_path, [case | {"gold": None} for case in made_up(9)])
    for gold in ("gold.jsonl", "gold"):
        with pytest.raises(DataError, check=coded("no-pair-gold")):
            mine_sources(tmp_path / gold, [tmp_path / "run.jsonl"], Wanted([ErrorKind.ALL]))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"pair_id": "case-300", "label": "entailment"}', "pair 'case-300' is not in the gold"),
        ('{"pair_id": "case-7", "label": "entailment"}', "pair 'case-7' is judged a second time"),
    ],
)
def test_runs_that_do_not_fit_the_gold_are_refused(folder, line, message):
    with (folder / "run.jsonl").open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    with pytest.raises(RunError, match=message) as raised:
        mine_sources(folder / "gold", [folder / "run.jsonl"], Wanted([ErrorKind.ALL]))
    assert raised.value.place.endswith("run.jsonl:301")


def test_mine_takes_many_cases_from_standard_input(folder, capsys, monkeypatch):
    options = ["run.jsonl", "--errors", "all", "--format", "json"]
    expected = tables(capsys, "gold.jsonl", *options)
    few_are_many(monkeypatch)
    with (folder / "gold.jsonl").open(encoding="utf-8") as file:
        monkeypatch.setattr("sys.stdin", file)
        assert tables(capsys, "-", *options) == expected
