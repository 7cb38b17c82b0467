"""Many claims, each against sources of its own."""

import pytest
from tests.errors import coded

import ensue
from ensue.claims import (
    ClaimChecker,
    ClaimText,
    SourceText,
    check_claims,
    check_named,
    check_source,
    read_claims,
    unsupported_share,
)
from ensue.engine import RunOptions
from ensue.errors import ArgumentError, DataError
from ensue.features import open_reader
from ensue.pairs import Label, Pair, Status, Verdict, read_run, write_pairs
from ensue.statistics import wilson_interval

TOWN = "The bus line opened in 2019. It costs $5 million a year."
DEPOT = "The state bought the depot in 2018. Buses replaced the tram."
PAIRS = [
    Pair("1", TOWN, "The bus line opened in 2019.", Label.ENTAILMENT),
    Pair("2", TOWN, "It costs $6 million a year.", Label.CONTRADICTION),
    Pair("3", DEPOT, "Buses replaced the tram.", Label.ENTAILMENT),
    Pair("4", TOWN, "The bus line opened in 2018.", Label.CONTRADICTION),
]


@pytest.fixture(autouse=True)
def cache(tmp_path, use_cache):
    use_cache(tmp_path / "cache")


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    return open_reader(cache=tmp_path_factory.mktemp("cache") / "analyses.sqlite")


@pytest.fixture(scope="module")
def features():
    return ensue.load("features")


@pytest.fixture(scope="module")
def checker(features):
    return ClaimChecker(features)


class Counting:
    """A recognizer that counts what it is asked."""

    def __init__(self, recognizer):
        self.recognizer, self.signature = recognizer, recognizer.signature
        self.calls = []

    def judge(self, pairs):
        self.calls.append(len(pairs))
        return self.recognizer.judge(pairs)

    def explain(self, pair):
        return self.recognizer.explain(pair)


def test_many_rows_are_checked_as_each_by_itself(features):
    rows = [(TOWN, "It opened in 2019. It costs €5 million a year."), (DEPOT, "Who bought it?")]
    rows.append((TOWN, "The bus line opened in 2019."))
    found = ensue.check_many(iter(rows), features)
    assert [each.to_json() for each in found] == [
        ensue.check(source, claims, features).to_json() for source, claims in rows
    ]


def test_many_rows_are_asked_together_and_keep_their_ids(features):
    counting = Counting(features)
    claims = [ClaimText("The bus line opened in 2019.", id="a"), ClaimText("It is cheap.")]
    found = ensue.check_many([(TOWN, claims), (DEPOT, "Buses came."), (TOWN, claims)], counting)
    assert [[each.id for each in some] for some in found] == [["a", "2"], ["1"], ["a", "2"]]
    assert len(counting.calls) == 1
    assert ensue.check_many([], features) == []


@pytest.mark.parametrize(
    "rows", ["text", {"a": "b"}, None, ["ab"], [("a",)], [("a", 1)], [(1, "a")]]
)
def test_rows_of_another_kind_are_refused(rows, features):
    with pytest.raises(ArgumentError):
        ensue.check_many(rows, features)


def test_number_of_sentences_is_checked(features):
    with pytest.raises(ArgumentError):
        ensue.check_many([(TOWN, "It rains.")], features, best=0)


# Named documents

SOURCES = [
    SourceText(TOWN, "docs/a/town.txt"),
    SourceText(DEPOT, "docs/a/depot.txt"),
    SourceText("Trams are back.", "docs/b/depot.txt"),
]


@pytest.mark.parametrize("name", ["town", "town.txt", "a/town.txt", "docs/a/town", "./a/town.txt"])
def test_claim_is_checked_against_the_source_that_its_row_names(name, features, reader):
    claims = [ClaimText("Buses replaced the tram. The line opened in 2019.", document=name)]
    found = check_named(SOURCES, claims, features, reader)
    assert {support.passage.file for each in found for support in each.support} == {
        "docs/a/town.txt"
    }
    assert [each.id for each in found] == ["1", "2"]


def test_claim_without_a_name_is_checked_against_all_sources(features, reader):
    claims = [ClaimText("Trams are back.", id="x"), ClaimText("Buses replaced the tram.")]
    found = check_named(SOURCES, claims, features, reader)
    assert [each.id for each in found] == ["x", "2"]
    assert all(each.supported for each in found)
    together = check_claims(SOURCES, claims, features, reader)
    assert [each.to_json() for each in found] == [each.to_json() for each in together]


@pytest.mark.parametrize("name", ["church", "a", "own.txt", ""])
def test_name_of_no_source_is_an_error(name, features, reader):
    claim = ClaimText("It rains.", "c.csv", 3, document=name)
    with pytest.raises(DataError, check=coded("no-document-called")) as told:
        check_named(SOURCES, [claim], features, reader)
    assert told.value.place == "c.csv:3"


def test_name_of_several_sources_is_an_error(features, reader):
    claim = ClaimText("It rains.", "c.csv", 3, document="depot.txt")
    with pytest.raises(DataError, check=coded("several-documents-called")) as told:
        check_named(SOURCES, [claim], features, reader)
    assert told.value.place == "c.csv:3"


def test_rows_say_which_document_they_are_about(tmp_path):
    table = tmp_path / "claims.csv"
    table.write_text("claim,about\nIt rains., town \nIt snows.,depot\n")
    found = read_claims(table, document_column="about")
    assert [(each.text, each.document) for each in found] == [
        ("It rains.", "town"),
        ("It snows.", "depot"),
    ]
    table.write_text("claim,about\nIt rains.,\n")
    with pytest.raises(DataError, check=coded("row-without-field")):
        read_claims(table, document_column="about")
    text = tmp_path / "claims.txt"
    text.write_text("It rains.")
    with pytest.raises(DataError, check=coded("claims-no-columns")):
        read_claims(text, document_column="about")


# Pairs as a run


def test_checker_says_of_a_pair_what_check_says_of_its_claim(checker, features):
    verdicts = checker.judge(PAIRS)
    for pair, verdict in zip(PAIRS, verdicts, strict=True):
        (one,) = ensue.check(pair.text, pair.hypothesis, features)
        label = {"supported": "entailment", "contradicted": "contradiction"}.get(one.status)
        assert (verdict.pair_id, verdict.label, verdict.reason) == (
            pair.id,
            label or "unknown",
            one.reason,
        )
        assert verdict.score == one.probability
    assert [each.label for each in verdicts] == [each.gold for each in PAIRS]


def test_checker_does_not_depend_on_how_pairs_are_put_together(checker):
    assert checker.judge(PAIRS) == [checker.judge([pair])[0] for pair in PAIRS]


def test_hypothesis_of_several_sentences_is_one_claim(checker):
    (verdict,) = checker.judge(
        [Pair("1", TOWN, "The bus line opened in 2019. It costs $9 million.")]
    )
    assert verdict.label is not Label.ENTAILMENT


@pytest.mark.parametrize(
    ("text", "hypothesis", "side"), [("…", "It rains.", "text"), (TOWN, "", "hypothesis")]
)
def test_pair_without_words_on_a_side_is_abstained_from(text, hypothesis, side, checker):
    first, second = checker.judge([Pair("1", text, hypothesis), PAIRS[0]])
    assert (first.status, first.reason) == (Status.ABSTAINED, f"the {side} has no words")
    assert second.label is Label.ENTAILMENT


def test_claim_that_the_recognizer_cannot_judge_is_no_decision(features):
    class Failing(Counting):
        def judge(self, pairs):
            return [Verdict(p.id, None, status=Status.FAILED, reason="no time") for p in pairs]

    (verdict,) = ClaimChecker(Failing(features)).judge([Pair("1", TOWN, "Trams are back.")])
    assert (verdict.status, verdict.reason) == (Status.FAILED, "no time")


def test_explanation_has_passages_and_what_differs(checker):
    found = checker.explain(PAIRS[1])
    assert found.verdict == checker.judge([PAIRS[1]])[0]
    stretches = {
        (span.kind, getattr(PAIRS[1], span.side.value)[span.start : span.end])
        for span in found.evidence.spans
    }
    assert ("number", "$6 million") in stretches
    assert ("number", "$5 million") in stretches
    assert ("passage", "It costs $5 million a year.") in stretches


def test_signature_has_the_recipe(checker, features):
    assert str(checker.signature).startswith("check|best:3|decision:rules|judge:features|")
    assert checker.signature.settings["judge_cutoff"] == features.signature.cutoff


@pytest.mark.parametrize("workers", [None, 2])
def test_run_of_pairs_is_what_the_checker_says(workers, checker, tmp_path):
    source, target = tmp_path / "pairs.jsonl", tmp_path / "run.jsonl"
    write_pairs(source, PAIRS)
    options = RunOptions(workers=workers, shard_size=2)
    account = check_source(str(source), str(target), "features", options=options)
    found = read_run(target)
    assert found.verdicts == tuple(checker.judge(PAIRS))
    assert found.header.signature == checker.signature
    assert account.labels == {"entailment": 2, "contradiction": 2}


def test_run_of_pairs_goes_on(checker, tmp_path):
    source, target = tmp_path / "pairs.jsonl", tmp_path / "run.jsonl"
    write_pairs(source, PAIRS)
    check_source(str(source), str(target), "features")
    again = check_source(str(source), str(target), "features", options=RunOptions(resume=True))
    assert again.is_finished_before
    with pytest.raises(ensue.EnsueError):  # another number of sentences is another run
        check_source(str(source), str(target), "features", best=1)


def test_share_of_unsupported_claims_has_wilsons_interval():
    share = unsupported_share(3, 4)
    assert share.value == 1 / 4
    assert (share.low, share.high) == wilson_interval(1, 4)
    assert unsupported_share(0, 0).value is None
