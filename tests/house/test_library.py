"""A program can do what the commands do: for each command a call that gives the same."""

import doctest
import importlib
import json
import re
import shlex
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.house.test_docs import LEAVES

import ensue
from ensue.cli.app import run
from ensue.reports import tables_to_json
from ensue.statistics import Resampling

PAGE = Path(__file__).parents[2] / "docs" / "library.md"
FOR_PROGRAMS_ONLY_BY_COMMAND = {"serve people", "serve backup", "mcp", "submit", "doctor"}
"""Servers and their clients, and a look at the machine: programs call the command, or HTTP."""
DRAWS = Resampling(draws=20)


def _blocks():
    return re.findall(r"```pycon\n(.*?)```", PAGE.read_text("utf-8"), re.S)


def test_examples_of_the_library_page_print_what_it_shows(checkout):
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    names: dict[str, object] = {}
    told: list[str] = []
    for number, block in enumerate(_blocks()):
        test = parser.get_doctest(block, names, f"block {number}", str(PAGE), 0)
        runner.run(test, out=told.append, clear_globs=False)
        names.update(test.globs)
    assert not told, "".join(told)


def test_every_public_name_has_an_example():
    shown = "\n".join(_blocks())
    for name in ensue.__all__:
        assert re.search(rf"\bensue\.{name}\b", shown), name


def _rows():
    """The commands of the page's table, each with the names in its call."""
    found = {}
    for line in PAGE.read_text("utf-8").splitlines():
        row = re.match(r"\| `ensue ([a-z ]+)` \| (.*) \|$", line)
        if row:
            found[row[1]] = re.findall(r"\bensue(?:\.\w+)+", row[2])
    return found


def test_page_has_a_call_for_every_command():
    rows = _rows()
    assert set(rows) == set(LEAVES)
    assert {name for name, calls in rows.items() if not calls} == FOR_PROGRAMS_ONLY_BY_COMMAND


@pytest.mark.parametrize("call", sorted({call for calls in _rows().values() for call in calls}))
def test_call_of_the_page_is_there(call):
    module, _, name = call.rpartition(".")
    assert hasattr(importlib.import_module(module), name)


@pytest.fixture
def checkout(root, tmp_path, monkeypatch):
    """A directory with the examples and two runs of theirs."""
    shutil.copytree(root / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for name in ("overlap", "modified-bleu"):
        assert run(["judge", "examples/pairs.xml", "-r", name, "-o", f"{name}.jsonl", "-q"]) == 0
    return tmp_path


@dataclass(frozen=True)
class Same:
    """A command, and a call that gives what the command prints as JSON."""

    command: str
    call: Callable[[], object]


def _pairs():
    return list(ensue.read_pairs("examples/pairs.xml"))


def _json(tables):
    return tables_to_json(tables)


def _explained():
    return ensue.explain("A dog barks loudly", "A dog barks", "overlap").to_json()


def _checked():
    from ensue.claims import read_claims, read_sources

    sources = read_sources(["examples/source.txt"])
    return ensue.check(sources, read_claims("examples/claims.txt"), "overlap").to_json()


def _cut():
    found = ensue.propositions("Ada Lind, the owner, may have left.")
    rows = [{"file": None, **each.to_json()} for each in found]
    return {"propositions": rows, "n_propositions": len(found)}


def _ablated():
    from ensue.recognizers import ablate
    from ensue.reports import ablation_tables

    found = ablate(ensue.load("features", {"strength": 1}), _pairs(), seed=0)
    return _json(ablation_tables(found, trained_on="pairs", judged=None))


def _evaluated():
    from ensue.reports import evaluation_tables

    runs = [ensue.read_run("overlap.jsonl"), ensue.read_run("modified-bleu.jsonl")]
    return _json(evaluation_tables(ensue.evaluate(_pairs(), runs, resampling=DRAWS), every=True))


def _cutoffs():
    from ensue.evaluation import source_cutoffs
    from ensue.reports import CutoffStudy, cutoff_tables

    cutoffs, _ = source_cutoffs("examples/pairs.xml", "overlap.jsonl")
    return _json(cutoff_tables(CutoffStudy.of(cutoffs), every=True))


def _power():
    from ensue.reports import power_tables

    return _json(power_tables(0.2, difference=0.02, n_pairs=800))


def _described():
    from ensue.reports import grammar_tables
    from ensue.suites import check_grammar, make_repertoire, read_grammar

    grammar = read_grammar("examples/grammar.xml")
    check_grammar(grammar)
    return _json(grammar_tables(make_repertoire(grammar), seed=0))


def _mined():
    from ensue.mining import ErrorKind, Settings, Wanted, mine_pairs
    from ensue.reports import mining_tables

    wanted = Wanted(
        [ErrorKind("fn"), ErrorKind("fp")],
        ["words"],
        n_worst=3,
        settings=Settings(top=10, resampling=DRAWS, permutations=20),
    )
    mined = mine_pairs(_pairs(), [ensue.read_run("overlap.jsonl")], wanted)
    unmined = [error.message for error in mined.gaps]
    return _json(mining_tables(mined.minings, n_worst=3, every=True, unmined=unmined))


def _shown():
    from ensue.corpora import data_statistics
    from ensue.reports import statistics_tables

    return _json(statistics_tables("pairs", data_statistics(_pairs())))


def _audited():
    from ensue.corpora import audit_datasets, read_dataset
    from ensue.reports import audit_tables

    return _json(audit_tables(audit_datasets([read_dataset("examples/pairs.xml")], seed=0)))


def _agreed():
    from ensue.corpora import annotations_from_columns, read_dataset, settle
    from ensue.reports import agreement_tables

    judged = annotations_from_columns(
        read_dataset("examples/judged.csv"), ["author", "second"], None
    )
    settled = settle(judged, votes=None, removed=set(), resampling=DRAWS)
    return _json(agreement_tables(settled, judged.annotators, resampling=DRAWS))


def _translations():
    from ensue.translation.formats import open_set

    return open_set(["examples/translation"])


def _ranked():
    from ensue.reports.translation import rank_tables
    from ensue.translation import SystemMethod, rank

    return _json(
        rank_tables(rank(_translations(), "bleu", SystemMethod("basic"), resampling=DRAWS))
    )


def _meta_evaluated():
    from ensue.reports.translation import metric_tables
    from ensue.translation import evaluate
    from ensue.translation.evaluation import EvaluationSettings

    settings = EvaluationSettings(n_worst=5, resampling=DRAWS, permutations=20)
    found = evaluate(_translations(), ["bleu"], settings=settings)
    return _json(metric_tables(found.metrics, found.judges, every=True))


def _weighed():
    from ensue.reports.translation import weight_tables
    from ensue.translation import study_weights
    from ensue.translation.metrics import ModelKind

    return _json(weight_tables(study_weights(_translations(), ModelKind("pair"), resampling=DRAWS)))


def _lists():
    from ensue.paraphrase.formats import read_lists

    return read_lists("examples/paraphrase/lists.tsv")


def _task():
    from ensue.paraphrase.recognition import Task

    return Task.of("pairs", list(ensue.read_pairs("examples/paraphrase/pairs.jsonl")))


def _scored_lists():
    from ensue.paraphrase import evaluate_lists
    from ensue.reports.paraphrase import judge_tables, score_tables

    found = evaluate_lists(_lists(), resampling=DRAWS)
    tables = score_tables(found.scores, found.curves, every=True, patterns=False)
    return _json([*tables, *judge_tables(found.agreement, every=True)])


def _recognized():
    from ensue.paraphrase.recognition import RecognitionSummary, recognize
    from ensue.reports.paraphrase import recognition_tables

    summary = RecognitionSummary.of(recognize(_lists(), [_task()], k=10), DRAWS)
    return _json(recognition_tables(summary, every=True, pairs=False))


def _correlated():
    from ensue.paraphrase import correlate
    from ensue.reports.paraphrase import correlation_tables

    return _json(correlation_tables(correlate(_lists(), [_task()], resampling=DRAWS), every=True))


def _validated():
    from ensue.paraphrase.formats import read_instances
    from ensue.paraphrase.quality import automatic_agreement
    from ensue.reports.paraphrase import validation_tables

    instances = read_instances("examples/paraphrase/instances.csv")
    found = automatic_agreement(instances, "overlap", resampling=DRAWS)
    return _json(validation_tables([found], resampling=DRAWS, every=True))


def _status():
    from ensue.engine import run_status

    return run_status("overlap.jsonl").to_json()


def _listed():
    from ensue.reports import components_table

    return _json([components_table("recognizer", "recognizers")])


def _diagnosed():
    from ensue.diagnosis import diagnose_sources
    from ensue.reports import diagnosis_tables

    return _json(
        diagnosis_tables(
            diagnose_sources(["examples/diagnostic"], "overlap", resampling=DRAWS), every=True
        )
    )


PRINTED = [
    Same("explain 'A dog barks loudly' 'A dog barks' -r overlap", _explained),
    Same("check --source examples/source.txt --claims examples/claims.txt -r overlap", _checked),
    Same("propositions 'Ada Lind, the owner, may have left.'", _cut),
    Same("ablate examples/pairs.xml -s strength=1", _ablated),
    Same("evaluate examples/pairs.xml overlap.jsonl modified-bleu.jsonl --draws 20", _evaluated),
    Same("cutoff examples/pairs.xml overlap.jsonl", _cutoffs),
    Same("power --difference 2 --disagreement 0.2 --size 800", _power),
    Same("suite describe --grammar examples/grammar.xml", _described),
    Same("suite judge examples/diagnostic -r overlap --draws 20", _diagnosed),
    Same(
        "mine examples/pairs.xml overlap.jsonl --forms words --draws 20 -s permutations=20", _mined
    ),
    Same("data show examples/pairs.xml", _shown),
    Same("data audit examples/pairs.xml", _audited),
    Same(
        "data agreement examples/judged.csv --annotator author --annotator second --draws 20",
        _agreed,
    ),
    Same("mt rank examples/translation -m bleu --method basic --draws 20", _ranked),
    Same("mt evaluate examples/translation -m bleu --draws 20 -s permutations=20", _meta_evaluated),
    Same("mt weights examples/translation --draws 20", _weighed),
    Same("paraphrase score examples/paraphrase/lists.tsv --draws 20", _scored_lists),
    Same(
        "paraphrase recognize examples/paraphrase/lists.tsv"
        " -t examples/paraphrase/pairs.jsonl --draws 20",
        _recognized,
    ),
    Same(
        "paraphrase correlate examples/paraphrase/lists.tsv"
        " -t examples/paraphrase/pairs.jsonl --draws 20",
        _correlated,
    ),
    Same("paraphrase validate examples/paraphrase/instances.csv -r overlap --draws 20", _validated),
    Same("status overlap.jsonl", _status),
    Same("list recognizers", _listed),
]


@pytest.mark.parametrize("same", PRINTED, ids=lambda same: same.command.split(" -")[0])
def test_call_gives_what_the_command_prints(same, checkout, capsysbinary):
    code = run([*shlex.split(same.command), "--format", "json"])
    printed = capsysbinary.readouterr()
    assert code in (0, 1), printed.err
    assert json.loads(printed.out) == json.loads(json.dumps(same.call()))


def _judge():
    from ensue.recognizers import judge_source

    judge_source("examples/pairs.xml", "made-by-call", "overlap")


def _validate():
    from ensue.recognizers import judge_held_out, write_held_out

    pairs = _pairs()
    verdicts, signature = judge_held_out(ensue.load("overlap"), pairs, folds=3, name="pairs")
    write_held_out("made-by-call", signature, pairs, verdicts, "pairs")


def _train():
    from ensue.recognizers import save

    save(ensue.load("modified-bleu").fit(_pairs(), seed=0, name="pairs"), "made-by-call")


def _measure():
    from ensue.features import measure_source
    from ensue.files import RowFormat

    measure_source("examples/pairs.xml", "made-by-call", format=RowFormat.CSV)


def _generate():
    from ensue.suites import SuiteSettings, generate_suites, make_repertoire, read_grammar

    repertoire = make_repertoire(read_grammar("examples/grammar.xml"))
    generate_suites("made-by-call", repertoire, SuiteSettings(size=8), n_suites=1)


def _convert():
    ensue.write_pairs("made-by-call", ensue.read_pairs("examples/pairs.xml"), format="csv")


def _split():
    from ensue.corpora import split_pairs

    first, _ = split_pairs(_pairs(), [0.4, None], seed=0)
    ensue.write_pairs("made-by-call.csv", first)
    Path("made-by-call.csv").rename("made-by-call")


def _sources():
    from ensue.translation import SetSources

    return SetSources(("examples/translation",), (), (), None, None)


def _score():
    from ensue.translation import score_set

    score_set(_translations(), _sources(), "made-by-call", ["bleu"], format="tsv")


def _mt_features():
    from ensue.files import RowFormat
    from ensue.translation import measure_set
    from ensue.translation.features import FeatureSet

    measure_set(
        _translations(), _sources(), "made-by-call", FeatureSet("tradmt"), format=RowFormat.CSV
    )


def _mt_train():
    from ensue.translation import train_metric
    from ensue.translation.features import FeatureSet
    from ensue.translation.metrics import ModelKind, save_metric

    metric = train_metric(_translations(), ModelKind("pair"), FeatureSet("tradmt"), strength=1.0)
    save_metric(metric, "made-by-call")


def _paraphrase_judge():
    from dataclasses import replace

    from ensue.paraphrase.formats import write_lists
    from ensue.paraphrase.quality import recognizer_quality

    lists = _lists()
    quality = recognizer_quality(lists, ensue.load("overlap"))
    with_quality = replace(lists, columns={**lists.columns, "quality": quality})
    write_lists("made-by-call", with_quality, "tsv")


def _learn():
    from ensue.paraphrase.acquisition import learn
    from ensue.paraphrase.formats import write_lists

    write_lists("made-by-call", learn(["examples/paraphrase/corpus.txt"], ["killed"]).lists, "tsv")


WRITTEN = {
    "judge examples/pairs.xml -r overlap -o made-by-command -q": _judge,
    "validate examples/pairs.xml -r overlap --folds 3 -o made-by-command -q": _validate,
    "train examples/pairs.xml -r modified-bleu -o made-by-command -q": _train,
    "features examples/pairs.xml --format csv -o made-by-command -q": _measure,
    "suite generate --grammar examples/grammar.xml --suites 1 --size 8 -o made-by-command -q": _generate,
    "data convert examples/pairs.xml --format csv -o made-by-command": _convert,
    "data split examples/pairs.xml --part made-by-command.csv=40% --part rest.csv=rest": _split,
    "mt score examples/translation -m bleu --format tsv -o made-by-command -q": _score,
    "mt features examples/translation --feature-set tradmt --format csv -o made-by-command -q": _mt_features,
    "mt train examples/translation --feature-set tradmt --strength 1 -o made-by-command -q": _mt_train,
    "paraphrase judge examples/paraphrase/lists.tsv -r overlap --format tsv -o made-by-command": (
        _paraphrase_judge
    ),
    "paraphrase learn examples/paraphrase/corpus.txt --terms killed --format tsv -o made-by-command": _learn,
}


def _content(name):
    """What stands in a file or in those of a folder, without when it was made and how long it took."""
    path = next(each for each in (Path(name), Path(f"{name}.csv")) if each.exists())
    files = [path] if path.is_file() else sorted(each for each in path.rglob("*"))
    text = "\n".join(each.read_text("utf-8") for each in files)
    text = re.sub(r'"started": "[^"]*"|"cost": \{[^}]*\}', "", text)
    return text.replace(name, "output")


@pytest.mark.parametrize("command", WRITTEN, ids=lambda command: command.split(" -")[0])
def test_call_writes_what_the_command_writes(command, checkout, capsys):
    assert run(shlex.split(command)) in (0, 1), capsys.readouterr().err
    WRITTEN[command]()
    assert _content("made-by-call") == _content("made-by-command")


def test_every_command_is_held_to_a_call():
    held = [*(same.command for same in PRINTED), *WRITTEN]
    lacking = {
        name for name in LEAVES if not any(command.startswith(f"{name} ") for command in held)
    }
    assert lacking == FOR_PROGRAMS_ONLY_BY_COMMAND | {"reproduce"}  # which needs data
