"""Bad input gets a clear error with its place, the right exit code, and no file half written."""

import json

import pytest

from ensue.cli.app import run

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<entailment-corpus>\n'
PAIR = '<pair id="1" value="TRUE" task="IR">\n<t>A dog barks.</t>\n<h>A dog barks.</h>\n</pair>\n'
TAIL = "</entailment-corpus>\n"

BOMB = (
    '<?xml version="1.0"?>\n<!DOCTYPE x [\n<!ENTITY a "ha">\n'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">\n' for a, b in zip("abcdefgh", "bcdefghi"))  # noqa: B905
    + "]>\n<entailment-corpus>"
    + PAIR.replace("A dog barks.", "&i;")
    + TAIL
)


@pytest.fixture
def judged(tmp_path, capsys):
    """Write a file, judge it, and give the exit code, the message and what is left behind."""

    def judge(content, name="pairs.xml"):
        source, target = tmp_path / name, tmp_path / "run.jsonl"
        source.write_bytes(content if isinstance(content, bytes) else content.encode())
        code = run(["judge", str(source), "-r", "modified-bleu", "-o", str(target)])
        left = sorted(path.name for path in tmp_path.iterdir() if path != source)
        return code, capsys.readouterr().err, left

    return judge


@pytest.mark.parametrize(
    ("content", "messages"),
    [
        ("this is no XML\n", ["pairs.xml:1:", "not"]),
        (HEAD + PAIR + PAIR[:40], ["pairs.xml:8: the XML ends in the middle", "hint:"]),
        (
            HEAD + '<pair id="12" value="TRUE"><t>A</t></pair>' + TAIL,
            ["pairs.xml:3:", "'12' has no"],
        ),
        (
            (HEAD + PAIR + TAIL).replace("A dog", "Ça").encode("latin-1"),
            ["pairs.xml:4:", "--read encoding="],
        ),
        (BOMB, ["pairs.xml:3:", "entit"]),
        ("", ["pairs.xml", "empty"]),
    ],
    ids=["not XML", "cut off", "no hypothesis", "Latin-1", "entity bomb", "empty"],
)
def test_broken_file_is_an_error_with_its_place(judged, content, messages):
    code, shown, left = judged(content)
    assert code == 3
    for message in messages:
        assert message in shown
    assert "Traceback" not in shown
    assert left == []


def test_latin_1_is_read_where_it_is_named(tmp_path, capsys):
    source = tmp_path / "pairs.xml"
    source.write_bytes((HEAD + PAIR + TAIL).replace("A dog", "Ça").encode("latin-1"))
    assert run(["judge", str(source), "-r", "modified-bleu", "--read", "encoding=latin-1"]) == 0


def test_external_entity_is_never_fetched(judged, tmp_path):
    (tmp_path / "secret.txt").write_text("secret")
    doctype = '<!DOCTYPE x [<!ENTITY e SYSTEM "secret.txt">]>\n'
    content = doctype + "<entailment-corpus>" + PAIR.replace("A dog", "&e;") + TAIL
    code, shown, _ = judged(content)
    assert code == 3
    assert "entit" in shown


def test_empty_hypothesis_is_a_finding_and_no_silent_no(judged, tmp_path):
    code, shown, left = judged(HEAD + PAIR.replace("<h>A dog barks.</h>", "<h></h>") + TAIL)
    assert code == 0
    assert "pairs.xml:3: the hypothesis of pair '1' is empty [empty-hypothesis]" in shown
    assert left == ["run.jsonl"]
    verdict = json.loads((tmp_path / "run.jsonl").read_text().splitlines()[1])
    assert (verdict["label"], verdict["status"]) == (None, "abstained")


def test_two_pairs_with_one_id_are_refused_where_ids_matter(tmp_path, capsys):
    source, plain = tmp_path / "pairs.xml", tmp_path / "run.txt"
    source.write_text(HEAD + PAIR + PAIR + TAIL)
    plain.write_text("1 TRUE 0.5\n")
    assert run(["evaluate", str(source), str(plain)]) == 3
    message = capsys.readouterr().err
    assert f"{source}:7: two pairs have the id '1'; the first is at {source}:3" in message
    assert run(["train", str(source), "-o", str(tmp_path / "tuned")]) == 3
    assert not (tmp_path / "tuned").exists()
    assert run(["data", "audit", str(source)]) == 1
    assert "duplicate-id" in capsys.readouterr().out


def test_line_of_five_megabytes_is_judged(judged):
    record = {"id": "1", "text": "word " * 1_000_000, "hypothesis": "word word"}
    code, shown, left = judged(json.dumps(record) + "\n", "pairs.jsonl")
    assert (code, left) == (0, ["run.jsonl"])
    assert "1 decided" in shown


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("99 TRUE 0.5\n", "run.txt:1:"),
        ("1 TRUE 1.7\n", "run.txt:1: confidence '1.7' of pair '1' is not a number in [0, 1]"),
        ("1 TRUE nan\n", "run.txt:1: confidence 'nan'"),
        ("1 TRUE\n1 FALSE\n", "run.txt:2: pair '1' is judged a second time"),
        ("1 MAYBE\n", "run.txt:1: unknown label 'MAYBE'"),
        ("1\n", "run.txt:1: 1 fields where 2 or 3 are due"),
        ("ranked: perhaps\n1 TRUE\n", "run.txt:1: 'ranked:' takes yes or no"),
        ("", "run.txt: the run is empty"),
        ('{"pair_id": "1", "label": "entailment", "confidence": 1.7}\n', "is not in [0, 1]"),
        ('{"pair_id": "1", "label": "entailment"', "run.txt:1: not JSON"),
        ('{"pair_id": "1", "label": "perhaps"}\n', "run.txt:1: verdict on '1'"),
        ('{"pair_id": "1", "label": null, "status": "decided"}\n', "does not go with status"),
        ('{"ensue_run": 99}\n', "run.txt:1: run format 99 is not known"),
    ],
)
def test_broken_run_is_an_error_with_its_line(tmp_path, capsys, lines, message):
    source, plain = tmp_path / "pairs.xml", tmp_path / "run.txt"
    source.write_text(HEAD + PAIR + TAIL)
    plain.write_text(lines)
    assert run(["evaluate", str(source), str(plain)]) == 3
    assert message in capsys.readouterr().err


def test_missing_pair_is_reported(tmp_path, capsys):
    source, plain = tmp_path / "pairs.xml", tmp_path / "run.txt"
    source.write_text(HEAD + PAIR + PAIR.replace('id="1"', 'id="2"') + TAIL)
    plain.write_text("1 TRUE\n")
    assert run(["evaluate", str(source), str(plain)]) == 0
    captured = capsys.readouterr()
    assert "not-judged" in captured.err
    assert "run.txt: 1 of 2 pairs are not in the run and count as unanswered: 2" in captured.err


@pytest.mark.parametrize("target", ["nowhere/run.jsonl", "file/run.jsonl", "file/run/"])
def test_unwritable_output_is_an_error(examples, tmp_path, capsys, target):
    (tmp_path / "file").touch()
    before = sorted(tmp_path.rglob("*"))
    assert run(["judge", str(examples), "-r", "modified-bleu", "-o", f"{tmp_path}/{target}"]) == 3
    assert "cannot write" in capsys.readouterr().err
    assert sorted(tmp_path.rglob("*")) == before


def test_file_that_is_not_there_is_an_error(tmp_path, capsys):
    for arguments in (["judge"], ["data", "show"], ["train", "-o", "x"]):
        assert run([*arguments, str(tmp_path / "nobody.xml")]) == 3
        assert "there is no file" in capsys.readouterr().err


def test_no_arguments_show_the_help(capsys):
    assert run([]) in (0, 2)
    captured = capsys.readouterr()
    assert "judge" in captured.out + captured.err


def test_unknown_command_exits_with_two_and_a_suggestion(capsys):
    assert run(["jugde"]) == 2
    assert "did you mean 'judge'?" in capsys.readouterr().err


def test_interrupt_inside_a_compiled_kernel_is_an_interrupt(
    monkeypatch, examples, tmp_path, capsys
):
    def interrupted(*_, **__):
        raise SystemError("returned a result with an exception set") from KeyboardInterrupt()

    monkeypatch.setattr("ensue.recognizers.bleu.ngram_statistics", interrupted)
    arguments = ["judge", str(examples), "-r", "modified-bleu", "-o", str(tmp_path / "run.jsonl")]
    assert run(arguments) == 130
    assert capsys.readouterr().err == "interrupted\n"  # nothing was done, so nothing is kept
    assert not (tmp_path / "run.jsonl.partial").exists()


def test_xml_given_as_a_run_is_said(examples, capsys):
    assert run(["evaluate", str(examples), str(examples)]) == 3
    assert "this is XML, not a run" in capsys.readouterr().err


def test_bug_exits_with_seventy(monkeypatch, examples, capsys):
    def broken(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr("ensue.recognizers.storage.registry.find", broken)
    assert run(["judge", str(examples)]) == 70
    assert "this is a bug in ensue" in capsys.readouterr().err


@pytest.mark.parametrize("seed", ["-1", "5000000000", "one"])
def test_seed_that_is_none_exits_with_two(examples, tmp_path, seed):
    tuned = str(tmp_path / "tuned")
    assert run(["train", str(examples), "-r", "overlap-tree", "-o", tuned, "--seed", seed]) == 2


@pytest.mark.parametrize("pair_id", ["a b", "{1", "ranked:1"])
def test_plain_run_refuses_an_id_that_it_cannot_hold(tmp_path, capsys, pair_id):
    source, target = tmp_path / "pairs.jsonl", tmp_path / "run.txt"
    source.write_text(json.dumps({"id": pair_id, "text": "a b", "hypothesis": "a"}) + "\n")
    arguments = ["judge", str(source), "-r", "modified-bleu", "-o", str(target)]
    assert run([*arguments, "--format", "plain"]) == 3
    assert f"the plain format cannot hold the id {pair_id!r}" in capsys.readouterr().err
    assert not target.exists()


@pytest.mark.parametrize(
    "lines",
    [
        '{"pair_id": "1", "label": "entailment", "score": 1' + "0" * 400 + "}",
        '{"pair_id": "1", "label": "entailment", "score": NaN}',
        '{"pair_id": "1", "label": "entailment", "score": Infinity}',
        '{"pair_id": "1", "label": "entailment", "score": ' + "9" * 5000 + "}",
        "{" * 3 + "[" * 100_000,
        '{"ensue_run": 1, "signature": "modified-bleu"}',
        '{"ensue_run": 1, "signature": {}}',
        '{"ensue_run": 1, "signature": {"recognizer": "x", "version": "1"}, "data": [1]}',
    ],
    ids=["overflow", "nan", "infinity", "digits", "deep", "signature", "empty", "data"],
)
def test_run_with_odd_values_is_an_error_and_no_bug(tmp_path, capsys, lines):
    source, target = tmp_path / "pairs.xml", tmp_path / "run.jsonl"
    source.write_text(HEAD + PAIR + TAIL)
    target.write_text(lines + "\n")
    assert run(["evaluate", str(source), str(target)]) == 3
    assert "run.jsonl:1:" in capsys.readouterr().err


def test_wrong_wide_encoding_is_an_error_and_no_bug(tmp_path, capsys):
    source = tmp_path / "pairs.jsonl"
    source.write_text('{"id": "1", "text": "a b", "hypothesis": "a"}\n')
    arguments = ["judge", str(source), "-r", "modified-bleu", "-o", str(tmp_path / "run.jsonl")]
    assert run([*arguments, "--read", "encoding=utf-16"]) == 3
    assert f"{source}:1: the file is not utf-16" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["judge", "{}", "-r", "overlap"],
        ["judge", "{pairs}", "-r", "{}"],
        ["judge", "{pairs}", "-r", "overlap", "-o", "{}"],
        ["explain", "a", "b", "-r", "{}"],
        ["evaluate", "{pairs}", "{}"],
        ["mt", "score", "{}", "-m", "bleu"],
        ["mt", "rank", "{pairs}", "-m", "{}"],
        ["mt", "evaluate", "{pairs}", "--judgments", "{}", "-m", "bleu"],
        ["suite", "describe", "{}"],
        ["status", "{}"],
        ["paraphrase", "recognize", "{pairs}", "-t", "{}"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("name", ["x" * 5000, "a\0b"], ids=["too long", "NUL"])
def test_name_that_no_file_can_have_is_an_error(
    name, arguments, examples, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    assert run([each.format(name, pairs=examples) for each in arguments]) == 3
    assert len(capsys.readouterr().err) < 7_000
    assert list(tmp_path.iterdir()) == []


def test_long_label_is_not_told_whole(tmp_path, capsys):
    source = tmp_path / "pairs.xml"
    source.write_text(HEAD + PAIR.replace("TRUE", "maybe " * 10_000) + TAIL, "utf-8")
    assert run(["data", "show", str(source)]) == 3
    assert len(capsys.readouterr().err) < 5_000


def test_folder_of_a_run_that_never_began_is_not_left(tmp_path, capsys):
    source, target = tmp_path / "pairs.csv", tmp_path / "shards"
    source.write_text('id,text,hypothesis\n1,a,b\n2,"a,b\n', "utf-8")
    arguments = ["judge", str(source), "-r", "overlap", "-o", f"{target}/"]
    assert run(arguments) == 3
    assert not target.exists()
    source.write_text("id,text,hypothesis\n1,a,b\n", "utf-8")
    assert run(arguments) == 0


NESTED = "[" * 100_000


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ({"signature": 1.5}, "not a recognizer"),
        ({"signature": {"recognizer": ["overlap"], "version": "1"}}, "not a recognizer"),
        (
            {"signature": {"recognizer": "overlap", "version": "1", "cutoff": 10**400}},
            "a number is too large",
        ),
        (
            {"signature": {"recognizer": "overlap", "version": "1", "score_range": [None, 1]}},
            "is no range",
        ),
        (NESTED, "not a recognizer"),
    ],
)
def test_damaged_recognizer_is_refused_with_its_place(damage, message, tmp_path, capsys):
    record = {"ensue_recognizer": 1, "hashes": {}}
    content = damage if isinstance(damage, str) else json.dumps({**record, **damage})
    (tmp_path / "recognizer.json").write_text(content, "utf-8")
    assert run(["explain", "a", "b", "-r", str(tmp_path)]) == 3
    shown = capsys.readouterr().err
    assert "recognizer.json: " in shown
    assert message in shown


@pytest.mark.parametrize("name", ["_plan.json", "_status.json", "_journal.jsonl", "_manifest.json"])
@pytest.mark.parametrize("command", ["status", "evaluate"])
def test_nested_record_of_a_run_is_no_bug(command, name, examples, tmp_path):
    target = tmp_path / "shards"
    assert run(["judge", str(examples), "-r", "overlap", "-o", f"{target}/", "-q"]) == 0
    (target / name).write_text(NESTED, "utf-8")
    gold = [str(examples)] if command == "evaluate" else []
    assert run([command, *gold, str(target)]) in (0, 1, 3)


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record["titles"].update({"nVn": ["a"]}),
        lambda record: record["suites"][0].update({"types": [{}]}),
        lambda record: record["suites"][0].update({"cases": None}),
        lambda record: record.update({"suites": json.loads("[" * 90 + "]" * 90)}),
    ],
)
def test_damaged_manifest_of_suites_is_refused(change, root, tmp_path, capsys):
    grammar = str(root / "examples" / "grammar.xml")
    made = ["suite", "generate", "--grammar", grammar, "--suites", "1", "--size", "4"]
    assert run([*made, "-o", str(tmp_path / "suites"), "-q"]) in (0, 1)
    path = tmp_path / "suites" / "suites.json"
    record = json.loads(path.read_text("utf-8"))
    change(record)
    path.write_text(json.dumps(record), "utf-8")
    assert run(["suite", "describe", str(tmp_path / "suites")]) == 3
    assert "suites.json: not a manifest of suites" in capsys.readouterr().err


def test_half_a_character_is_told_as_json_escapes_it(capsysbinary):
    assert run(["explain", "a \ud800", "a", "-r", "overlap", "--format", "json"]) == 0
    assert json.loads(capsysbinary.readouterr().out)["text"] == "a \ud800"


def test_order_by_a_metric_without_probabilities_writes_nothing(root, capsys):
    data = str(root / "examples" / "translation-rows" / "segments.jsonl")
    assert run(["mt", "rank", data, "-m", "bleu", "--segments"]) == 3
    assert capsys.readouterr().out == ""
