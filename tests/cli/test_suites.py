import json

import pytest

from ensue.cli.app import run
from ensue.cli.suites import ALSO
from ensue.pairs import load_pairs
from ensue.suites import FORMATS, read_manifest

GENERATE = ["suite", "generate", "--suites", "2", "--size", "40"]


@pytest.fixture(scope="module")
def suites(tmp_path_factory):
    directory = tmp_path_factory.mktemp("made") / "suites"
    assert run([*GENERATE, "--format", "rte", "-q", "-o", str(directory)]) == 0
    return directory


def test_choices_are_those_of_the_library():
    assert set(ALSO) == set(FORMATS) - {"jsonl"}


def test_generate_prints_what_it_made(tmp_path, capsys):
    assert run([*GENERATE, "-o", str(tmp_path / "made")]) == 0
    first, second = read_manifest(tmp_path / "made").suites
    assert (first.name, first.cases, second.name, second.cases) == ("suite-01", 40, "suite-02", 40)
    assert first.types != second.types
    shown = capsys.readouterr().out
    assert "suite-01" in shown
    assert "suite-02" in shown


def test_generated_suites_can_be_judged_and_mined(suites, tmp_path, capsys):
    gold, verdicts = str(suites / "suite-01.jsonl"), str(tmp_path / "run.jsonl")
    assert run(["judge", gold, "-r", "modified-bleu", "-o", verdicts, "-q"]) == 0
    assert (
        run(["evaluate", gold, verdicts, "--by", "group", "--draws", "0", "--format", "json"]) == 0
    )
    (row,) = json.loads(capsys.readouterr().out)["groups"]["rows"]
    assert (row["groups"], row["with_entailment"]) == (20, 20)
    assert run(["mine", gold, verdicts, "--draws", "0", "-s", "permutations=0"]) == 0
    assert "Suspects" in capsys.readouterr().out


def test_rte_is_readable(suites):
    assert len(load_pairs(suites / "suite-01.xml")) == 40


def test_describe_a_directory_and_a_file(suites, capsys):
    assert run(["suite", "describe", str(suites), "--format", "json", "--sample", "2"]) == 0
    tables = json.loads(capsys.readouterr().out)
    assert set(tables) == {"suites", "composition", "tags", "tag_pairs", "sample"}
    assert tables["composition"]["rows"][-1]["cases"] == 80
    assert len(tables["sample"]["rows"]) == 2
    assert run(["suite", "describe", str(suites / "suite-02.jsonl"), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["composition"]["rows"][-1]["cases"] == 40


def test_describe_a_grammar(capsys):
    assert run(["suite", "describe", "--format", "json"]) == 0
    tables = json.loads(capsys.readouterr().out)
    assert set(tables) == {"families", "types", "phrases"}
    assert len(tables["phrases"]["rows"]) >= 3 * 10


def test_describe_wants_one_thing(suites, capsys):
    assert run(["suite", "describe", str(suites), "--grammar", "english"]) == 2
    assert "either suites or a grammar" in capsys.readouterr().err


def test_too_few_cases_are_written_and_said(tmp_path, capsys):
    grammar = tmp_path / "tiny.xml"
    grammar.write_text(
        '<Const id="nVn" type="V-A"><NP id="0"/> <Verb/> <NP id="1"/></Const>'
        '<Const id="nVn" type="V-P"><NP id="1"/> is <PPVerb/> by <NP id="0"/></Const>'
        '<Set pred="see"><Parts><Verb>sees</Verb><PPVerb>seen</PPVerb>'
        '<Arg n="0" id="P"/><Arg n="1" id="P"/></Parts>'
        '<Dists><Dist constfam="nVn" dist="01"/></Dists></Set>'
        '<SemArgs><SemArg id="P"><Arg>John</Arg><Arg>Mary</Arg></SemArg></SemArgs>'
    )
    target = tmp_path / "made"
    arguments = ["--grammar", str(grammar), "-s", "clauses=1", "-s", "near-misses=roles-swapped"]
    command = ["suite", "generate", *arguments, "--suites", "1", "--size", "100"]
    assert run([*command, "-o", str(target)]) == 1
    # John and Mary in both orders and both voices: each text with the other voice, true, and
    # the two of this hypothesis swapped, false
    assert len(load_pairs(target / "suite-01.jsonl")) == 8
    assert "suite-01: only 8 distinct cases were found of 100" in capsys.readouterr().err


def test_unmet_quotas_are_said(tmp_path, capsys):
    command = ["suite", "generate", "--suites", "1", "--size", "10", "--type", "nV"]
    assert run([*command, "--quota", "V-P-PP1=4", "-o", str(tmp_path / "made")]) == 1
    assert "the quota of 'V-P-PP1' lacks 4 cases" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--quota", "V-P"], 2, "'V-P' is not FORM=N"),
        (["--quota", "V-P=50"], 3, "a quota of 50 for 'V-P' is more than the suite's 40"),
        (["--type", "nVnn"], 0, ""),
        (["--type", "nVx"], 3, "no subcategorization type is called 'nVx'"),
        (["-s", "clauses=4"], 2, "clauses: 4 is not in the range 1<=x<=3"),
        (["-s", "tenses=future"], 3, "no tense is called 'future'"),
        (["-s", "claus=2"], 2, "no setting is called 'claus'; did you mean 'clauses'?"),
        (["--grammar", "missing.xml"], 3, "there is no file 'missing.xml'"),
    ],
)
def test_bad_options(tmp_path, capsys, arguments, code, message):
    target = tmp_path / "made"
    assert run([*GENERATE, *arguments, "-o", str(target)]) == code
    assert message in capsys.readouterr().err
    assert target.exists() == (code == 0)


def test_a_directory_is_not_overwritten(suites, capsys):
    assert run([*GENERATE, "-o", str(suites)]) == 3
    assert "--restart" in capsys.readouterr().err
    assert run([*GENERATE, "-q", "--format", "rte", "--restart", "-o", str(suites)]) == 0


def test_finished_suites_are_not_made_again(suites, capsys):
    before = (suites / "suites.json").read_bytes()
    assert run([*GENERATE, "--format", "rte", "--resume", "-o", str(suites)]) == 0
    assert f"nothing to do, the suites are in {suites}" in capsys.readouterr().err
    assert (suites / "suites.json").read_bytes() == before
    assert run([*GENERATE, "--resume", "-o", str(suites)]) == 3
    assert "the suites that are there are others" in capsys.readouterr().err


def test_generate_writes_to_no_url(capsys):
    assert run([*GENERATE, "-o", "s3://bucket/suites"]) == 2
    assert "not to a URL" in capsys.readouterr().err


def test_a_grammar_cut_off_in_the_middle(tmp_path, capsys, small_grammar):
    path = tmp_path / "cut.xml"
    path.write_text(small_grammar[: len(small_grammar) // 2])
    assert run([*GENERATE, "--grammar", str(path), "-o", str(tmp_path / "made")]) == 3
    assert "cut.xml:" in capsys.readouterr().err
    assert not (tmp_path / "made").exists()


@pytest.fixture
def small_grammar():
    return (
        '<Grammar>\n<Const id="nV" type="V-A"><NP id="0"/> <Verb/></Const>\n'
        '<Set pred="go"><Parts><Verb>goes</Verb></Parts>\n<Dists/></Set>\n</Grammar>\n'
    )


def test_describe_of_rte_xml_says_what_to_describe(suites, capsys):
    assert run(["suite", "describe", str(suites / "suite-01.xml")]) == 3
    assert "its meta.changes or meta.tags are no lists" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["suite-02.jsonl", "suite-01.xml", "suites.json"])
def test_describe_does_not_write_over_the_suites(suites, name, capsys):
    before = (suites / name).read_bytes()
    assert run(["suite", "describe", str(suites), "-o", str(suites / name)]) == 3
    assert "by the same command" in capsys.readouterr().err
    assert (suites / name).read_bytes() == before


def test_describe_refuses_other_golds(tmp_path, capsys):
    meta = {
        "group": 1,
        "made": "x",
        "changes": [],
        "clauses": 1,
        "subcategorization": [],
        "tags": [],
    }
    case = {"id": "1", "text": "a", "hypothesis": "b", "gold": "contradiction", "meta": meta}
    (tmp_path / "odd.jsonl").write_text(json.dumps(case) + "\n")
    assert run(["suite", "describe", str(tmp_path / "odd.jsonl")]) == 3
    assert "it has no gold of entailment or not-entailment" in capsys.readouterr().err


def test_generate_does_not_take_standard_output_for_a_directory(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run([*GENERATE, "-o", "-"]) == 2
    assert "standard output" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_generate_speaks_of_restart_only_where_it_helps(tmp_path, capsys):
    (tmp_path / "file").touch()
    assert run([*GENERATE, "-o", str(tmp_path / "file")]) == 3
    assert "--restart" not in capsys.readouterr().err


def test_restart_refuses_to_take_other_files_away(suites, capsys):
    notes = suites / "notes.txt"
    notes.write_text("mine")
    try:
        assert run([*GENERATE, "--restart", "-o", str(suites)]) == 3
        assert notes.read_text() == "mine"
    finally:
        notes.unlink()
    message = capsys.readouterr().err
    assert "holds other files than suites, 'notes.txt' among them" in message
    assert "hint: take away what is to be kept" in message


def test_restart_refuses_suites_that_do_not_say_what_is_theirs(tmp_path, capsys):
    target = tmp_path / "made"
    target.mkdir()
    (target / "suites.json").write_text("{}")
    assert run([*GENERATE, "--restart", "-o", str(target)]) == 3
    message = capsys.readouterr().err
    assert "suites.json: not a manifest of suites" in message
    assert "hint: take away what is to be kept" in message
    assert (target / "suites.json").read_text() == "{}"


# `ensue suite judge`.

JUDGE = ["suite", "judge", "-r", "overlap", "--draws", "50"]


@pytest.fixture
def diagnostic(root):
    return root / "examples" / "diagnostic"


def test_judge_shows_one_table_of_all_sets(diagnostic, capsys):
    assert run([*JUDGE, str(diagnostic), "--table", "sets"]) == 0
    shown, told = capsys.readouterr()
    for title in ("HANS", "MED", "MoNLI", "GQNLI", "ConjNLI", "Breaking NLI", "FraCaS", "SICK"):
        assert title in shown
    assert "found HANS: 12 pairs in" in told
    assert "BERT (base) on MNLI" in " ".join(shown.split())


def test_judge_gives_programs_everything(diagnostic, capsys):
    assert run([*JUDGE, str(diagnostic / "hans-like.txt"), "--format", "json", "-q"]) == 0
    shown, told = capsys.readouterr()
    tables = json.loads(shown)
    assert set(tables) == {"sets", "phenomena", "published"}
    (row,) = tables["sets"]["rows"]
    assert (row["set"], row["pairs"], row["2-way"]["value"]) == ("HANS", 12, 5 / 12)
    assert row["3-way"]["value"] is None
    assert "gold is 2-way" in row["reason"]
    published = {each["phenomenon"]: each for each in tables["published"]["rows"]}
    assert published[None]["published"] == 0.5668
    assert published[None]["same"] is False
    assert "BlackboxNLP" in published[None]["source"]
    assert told == ""


def test_judge_shows_phenomena_where_asked(diagnostic, capsys):
    assert run([*JUDGE, str(diagnostic / "ax-like.tsv"), "-q"]) == 0
    assert "Upward monotone" not in capsys.readouterr().out
    assert run([*JUDGE, str(diagnostic / "ax-like.tsv"), "-q", "--by", "phenomenon"]) == 0
    assert "Upward monotone" in capsys.readouterr().out


def test_judge_keeps_runs_that_evaluate_and_mine_take(diagnostic, tmp_path, capsys):
    kept = tmp_path / "kept"
    assert run([*JUDGE, str(diagnostic / "hans-like.txt"), "-o", str(kept), "-q"]) == 0
    gold, verdicts = str(kept / "hans-like.pairs.jsonl"), str(kept / "hans-like.run.jsonl")
    assert run(["evaluate", gold, verdicts, "--by", "task", "--draws", "0"]) == 0
    assert "lexical_overlap" in capsys.readouterr().out
    mine = ["mine", gold, verdicts, "--forms", "phenomena", "--errors", "all"]
    assert run([*mine, "--draws", "0", "-s", "permutations=0"]) == 0
    assert "subcase:" in capsys.readouterr().out


def test_judge_resumes(diagnostic, tmp_path, capsys):
    kept = tmp_path / "kept"
    command = [*JUDGE, str(diagnostic), "-o", str(kept), "--format", "json", "-q"]
    assert run(command) == 0
    first = capsys.readouterr().out
    stamps = {path.name: path.stat().st_mtime_ns for path in kept.glob("*.run.jsonl")}
    (kept / "med-like.run.jsonl").unlink()  # as if it had been interrupted before
    assert run([*command, "--resume"]) == 0
    assert capsys.readouterr().out == first
    after = {path.name: path.stat().st_mtime_ns for path in kept.glob("*.run.jsonl")}
    assert {name for name in stamps if stamps[name] != after[name]} == {"med-like.run.jsonl"}


def test_judge_draws_a_sample(diagnostic, capsys):
    command = [*JUDGE, str(diagnostic / "med-like.tsv"), "--sample", "4", "--format", "json"]
    assert run(command) == 0
    shown, told = capsys.readouterr()
    (row,) = json.loads(shown)["sets"]["rows"]
    assert row["pairs"] <= 4
    assert "of 8 pairs in" in told


def test_judge_writes_a_page(diagnostic, tmp_path):
    page = tmp_path / "page.html"
    assert run([*JUDGE, str(diagnostic), "--report", str(page), "-q"]) == 0
    text = page.read_text("utf-8")
    assert text.count("<h2") >= 11  # the sets, each of nine, what was published
    assert "McCoy, Min &amp; Linzen 2020" in text
    assert "<script" not in text


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nowhere"], 3, "nowhere"),
        (["empty"], 3, "there are no files in 'empty'"),
        (["bare"], 3, "there is no diagnostic set"),
        (["broken.tsv"], 3, "broken.tsv"),
        (["hans-like.txt", "-r", "overlapp"], 3, "did you mean 'overlap'?"),
        (["hans-like.txt", "--resume"], 2, "need --output"),
        (["hans-like.txt", "-o", "-"], 2, "a directory"),
        ([], 2, "SETS"),
    ],
)
def test_judge_says_what_is_wrong(diagnostic, tmp_path, monkeypatch, capsys, arguments, code, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "notes.txt").write_text("nothing here\n")
    (tmp_path / "broken.tsv").write_text("heuristic\tsubcase\nx\ty\n")
    (tmp_path / "hans-like.txt").write_bytes((diagnostic / "hans-like.txt").read_bytes())
    assert run([*JUDGE, *arguments, "-q"]) == code
    told = capsys.readouterr().err
    assert said in told
    assert code == 2 or "hint:" in told or "nowhere" in told
