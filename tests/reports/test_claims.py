"""What is not supported, by file and line: SARIF, lines of a compiler, annotations of a workflow."""

import json

import jsonschema
import pytest
from hypothesis import given, strategies as st

import ensue
from ensue.claims import ClaimText, SourceText, check_claims
from ensue.claims.support import CheckedClaims
from ensue.cli.app import run
from ensue.features import open_reader
from ensue.reports import MarkedSegment, checked_to_sarif, marked_claim, marked_source
from ensue.reports.claims import FilePlaces

# The part of OASIS' schema of SARIF 2.1.0 that is used, object by object: the same names, kinds and
# bounds, and no names besides.


def _object(needed, **properties):
    return {
        "type": "object",
        "additionalProperties": False,
        "required": needed,
        "properties": properties,
    }


def _array(items, least=0):
    return {"type": "array", "items": items, "uniqueItems": True, "minItems": least}


TEXT = {"type": "string"}
FROM_ONE = {"type": "integer", "minimum": 1}
BAG = {"type": "object"}
MESSAGE = _object(["text"], text=TEXT)
REGION = {
    **_object(
        [],
        startLine=FROM_ONE,
        startColumn=FROM_ONE,
        endLine=FROM_ONE,
        endColumn=FROM_ONE,
        charOffset={"type": "integer", "minimum": -1},
        charLength={"type": "integer", "minimum": 0},
    ),
    "anyOf": [{"required": ["startLine"]}, {"required": ["charOffset"]}],
}
ARTIFACT = _object([], uri={"type": "string", "format": "uri-reference"})
LOCATION = _object(
    [],
    physicalLocation=_object(["artifactLocation"], artifactLocation=ARTIFACT, region=REGION),
    message=MESSAGE,
)
RESULT = _object(
    ["message"],
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": -1},
    level={"enum": ["none", "note", "warning", "error"]},
    message=MESSAGE,
    locations=_array(LOCATION),
    relatedLocations=_array(LOCATION),
    partialFingerprints={"type": "object", "additionalProperties": TEXT},
    properties=BAG,
)
RULE = _object(["id"], id=TEXT, shortDescription=MESSAGE)
DRIVER = _object(["name"], name=TEXT, version=TEXT, rules=_array(RULE))
RUN = _object(
    ["tool"],
    tool=_object(["driver"], driver=DRIVER),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    results={"type": "array", "items": RESULT},
    properties=BAG,
)
SARIF = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    **_object(
        ["version", "runs"],
        **{"$schema": {"type": "string", "format": "uri"}},
        version={"enum": ["2.1.0"]},
        runs={"type": "array", "items": RUN},
    ),
}

SOURCE = SourceText("Bread is cheap.\nThe legal age is 64.", "facts/a b.txt")
ANSWER = ClaimText(
    "Bread is cheap.\r\n\r\nThe legal\nage is 62. Cats sleep in the church.\n", "answer.md"
)
ROW = ClaimText("The legal age is 65.", "rows.csv", 7, "r1", True)


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """Four claims, of which one is supported."""
    reader = open_reader(cache=tmp_path_factory.mktemp("cache") / "analyses.sqlite")
    judge = ensue.load("features")
    found = check_claims([SOURCE], [ANSWER, ROW], judge, reader)
    return CheckedClaims(tuple(found), judge.signature)


@pytest.fixture(scope="module")
def log(checked):
    return checked_to_sarif(checked, [SOURCE, ANSWER, ROW])


def test_log_is_valid_by_the_schema(log):
    jsonschema.Draft202012Validator.check_schema(SARIF)
    jsonschema.validate(log, SARIF)
    assert json.loads(json.dumps(log)) == log


def test_schema_refuses_what_is_broken(log):
    for broken in (
        {**log, "version": "2.0.0"},
        {**log, "extra": 1},
        {**log, "runs": [{**log["runs"][0], "results": [{"ruleId": "x"}]}]},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(broken, SARIF)


def test_every_unsupported_claim_is_a_result_with_its_rule(log, checked):
    (said,) = log["runs"]
    rules = [rule["id"] for rule in said["tool"]["driver"]["rules"]]
    results = said["results"]
    assert len(results) == len([each for each in checked if not each.supported]) == 3
    assert all(rules[each["ruleIndex"]] == each["ruleId"] for each in results)
    levels = {"contradicted": "error", "not-found": "warning"}
    assert [each["level"] for each in results] == [levels[each["ruleId"]] for each in results]
    assert results[0]["message"]["text"] == (
        "contradicted: '62' where the text has '64': The legal age is 62."
    )


def test_regions_are_lines_and_columns_of_the_files(log):
    first, second, row = (each["locations"][0] for each in log["runs"][0]["results"])
    place = first["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "answer.md"
    region = place["region"]
    assert ANSWER.text[region["charOffset"] :][: region["charLength"]] == "The legal\nage is 62."
    assert (region["startLine"], region["startColumn"]) == (3, 1)
    assert (region["endLine"], region["endColumn"]) == (4, len("age is 62.") + 1)
    assert second["physicalLocation"]["region"]["startColumn"] == len("age is 62. ") + 1
    assert row["physicalLocation"]["region"] == {"startLine": 7}


def test_passage_and_what_differs_there_are_related(log):
    passage, differing = log["runs"][0]["results"][0]["relatedLocations"]
    assert passage["physicalLocation"]["artifactLocation"]["uri"] == "facts/a%20b.txt"
    region = differing["physicalLocation"]["region"]
    assert SOURCE.text[region["charOffset"] :][: region["charLength"]] == "64"
    assert (region["startLine"], region["startColumn"]) == (2, len("The legal age is ") + 1)
    assert differing["message"]["text"] == "number: '62' where the text has '64'"


def test_fingerprints_tell_claims_apart(log):
    found = [each["partialFingerprints"]["claim/v1"] for each in log["runs"][0]["results"]]
    assert len(set(found)) == len(found)


@given(st.text("ab\n\r", max_size=30), st.data())
def test_place_is_the_line_and_the_column(text, data):
    places = FilePlaces([SourceText(text, "a")])
    offset = data.draw(st.integers(0, len(text)))
    before = text[:offset].split("\n")
    assert places.place("a", offset) == (len(before), len(before[-1]) + 1)


@pytest.fixture
def files(tmp_path, monkeypatch, use_cache):
    use_cache(tmp_path / "cache")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "facts.txt").write_text("Bread is cheap.\nThe legal age is 64.")
    (tmp_path / "a,b.md").write_text("Bread is cheap.\n\nThe legal age is 100 % 62.\n")
    (tmp_path / "c.md").write_text("Bread is cheap.\nThe legal age is 62.\n")
    return ["check", "--source", "facts.txt", "-r", "features", "-q"]


def test_lines_are_those_of_a_compiler(files, capsys):
    assert run([*files, "c.md", "--format", "lines"]) == 1
    said = "c.md:2:1: error: contradicted: '62' where the text has '64': The legal age is 62.\n"
    assert capsys.readouterr().out == said


def test_annotations_are_commands_of_a_workflow(files, capsys):
    assert run([*files, "a,b.md", "c.md", "--format", "github"]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert "file=a%2Cb.md,line=3,endLine=3,col=1,title=claim " in first
    assert "100 %25 62" in first
    assert second == (
        "::error file=c.md,line=2,endLine=2,col=1,title=claim contradicted"
        "::contradicted: '62' where the text has '64': The legal age is 62."
    )


def test_sarif_is_written_by_the_end_of_the_name(files, tmp_path):
    assert run([*files, "c.md", "-o", "found.sarif"]) == 1
    log = json.loads((tmp_path / "found.sarif").read_text("utf-8"))
    jsonschema.validate(log, SARIF)
    assert len(log["runs"][0]["results"]) == 1


def test_nothing_is_said_where_all_is_supported(files, tmp_path, capsys):
    (tmp_path / "c.md").write_text("Bread is cheap.")
    assert run([*files, "c.md", "--format", "lines"]) == 0
    assert capsys.readouterr().out == ""


# The whole source, marked


def test_source_is_cut_where_passages_and_what_differs_begin_and_end(checked):
    segments = marked_source(SOURCE.text, checked)
    assert "".join(each.text for each in segments) == SOURCE.text
    copy = next(each for each in segments if each.text == "Bread is cheap.")
    assert (copy.claims[0], copy.differing) == (1, ())
    said = next(each for each in segments if each.text == "64")
    numbers = {1 + i for i, each in enumerate(checked) if "legal" in each.claim.text}
    assert numbers <= set(said.claims)
    assert set(said.differing) == numbers
    assert all(set(each.differing) <= set(each.claims) for each in segments)


def test_claim_is_cut_where_it_differs(checked):
    wrong = next(each for each in checked if "62" in each.claim.text)
    assert marked_claim(wrong) == [
        MarkedSegment("The legal age is "),
        MarkedSegment("62", differing=(1,)),
        MarkedSegment("."),
    ]
