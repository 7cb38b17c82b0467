"""What is found of claims, put together: statuses, parts, probabilities, and the model that weighs."""

import json
import math
import random

import numpy as np
import pytest
from hypothesis import given, strategies as st

import ensue
from ensue.claims import (
    KIND_COLUMNS,
    ClaimModel,
    ClaimStatus,
    ClaimText,
    KindGate,
    SourceText,
    check_documents,
    claim_columns,
    claim_evidence,
    kind_shape,
)
from ensue.claims.decision import idle_reason, read_model, shipped_decision
from ensue.claims.documents import CopiedWords, PassageRanking, read_documents
from ensue.features import find_mismatches, open_reader
from ensue.statistics import LinearModel

SOURCE = (
    "Clara Voss was born in Lindow in 1950. The town lies on a river. She taught physics there."
    " Many visitors come in summer. The state bought the bus depot for $5 million in 2018."
)


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    return open_reader(cache=tmp_path_factory.mktemp("cache") / "analyses.sqlite")


@pytest.fixture(scope="module")
def joint():
    return ensue.load("joint")


def row(source, *claims):
    return [SourceText(source)], [ClaimText(each, is_one=True) for each in claims]


def test_each_claim_has_one_of_four_statuses(reader, joint):
    claims = (
        "Clara Voss was born in Lindow.",
        "The state bought the bus depot for $7 million.",
        "Penguins cannot fly.",
        "Who bought the bus depot?",
    )
    (found,) = check_documents([row(SOURCE, *claims)], joint, reader)
    assert [each.status for each in found] == list(ClaimStatus)
    assert [each.probability is None for each in found] == [False, False, False, True]
    assert found[0].probability > 0.5 > max(found[1].probability, found[2].probability)
    assert found[3].reason == "a question"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Who sold the depot?", "a question"),
        ("“Is it true?”", "a question"),
        ("Hello!", "a greeting"),
        ("Thank you very much.", "a greeting"),
        ("I'm sorry, but I can't help with that.", "a refusal"),
        ("As an AI language model, I cannot answer this.", "a refusal"),
        ("I don’t have enough information.", "a refusal"),
        ("Please let me know if you need more.", "an offer"),
        ("Hello is a greeting.", ""),
        ("The minister was sorry for the delay.", ""),
        ("Thanks to the dam, the valley is dry.", ""),
        ("I cannot swim.", ""),
        ("The question is who sold the depot.", ""),
    ],
)
def test_what_claims_nothing_is_seen(text, reason):
    assert idle_reason(text) == reason


def test_a_question_that_stands_in_the_source_is_supported(reader, joint):
    (found,) = check_documents([row("Who is it? It is Anna.", "Who is it?")], joint, reader)
    assert found[0].status is ClaimStatus.SUPPORTED


def test_parts_are_propositions_with_their_best_passages(reader, joint):
    claim = "Clara Voss, who was born in Lindow, was a famous singer."
    (found,) = check_documents([row(SOURCE, claim)], joint, reader)
    parts = {each.proposition.statement: each for each in found[0].parts}
    assert parts["Clara Voss was born in Lindow."].supported
    assert not parts["Clara Voss was a famous singer."].supported
    assert not found[0].supported
    for each in found[0].parts:
        for start, end in each.proposition.spans:
            assert claim[start:end] in claim


def test_sentences_that_stand_apart_are_read_together_and_keep_their_places(reader, joint):
    claim = "The bus depot in Lindow on a river was bought for $5 million."
    (each,) = claim_evidence([row(SOURCE, claim)], joint, reader)
    passage = each.cover.passage
    assert len(passage.spans) > 1
    for start, end in passage.spans:
        at = passage.text.index(SOURCE[start:end])
        assert passage.place((at, at + 5)) == (start, start + 5)


def test_rows_do_not_disturb_one_another(reader, joint):
    rows = [
        row(SOURCE, "Clara Voss was born in 1950.", "The depot was sold in 2018."),
        row("The depot was never sold.", "The depot was sold in 2018."),
        row("", "The depot was sold in 2018."),
    ]
    together = check_documents(rows, joint, reader)
    alone = [check_documents([each], joint, reader)[0] for each in rows]
    assert [[each.to_json() for each in some] for some in together] == [
        [each.to_json() for each in some] for some in alone
    ]


def test_checked_claims_count_show_and_write_themselves():
    found = ensue.check(SOURCE, "Clara Voss was born in Rome. Hello! <b>It</b> rains.", "features")
    assert sum(found.counts.values()) == len(found) == 3
    assert found.counts[ClaimStatus.NOTHING_TO_CHECK] == 1
    assert not found.is_supported
    assert found[0] in found[:1]
    record = found.to_json()
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    assert record["counts"]["nothing-to-check"] == 1
    assert "&lt;b&gt;It" in found._repr_html_()


def test_nothing_to_check_is_no_failure():
    found = ensue.check(SOURCE, "Hello! Who was born in Lindow?", "features")
    assert found.is_supported
    assert not any(each.supported for each in found)


def test_other_recognizers_have_no_probability(reader):
    assert shipped_decision(ensue.load("features")) is None
    (found,) = check_documents([row(SOURCE, "Clara Voss sang.")], ensue.load("features"), reader)
    assert (found[0].probability, found[0].parts) == (None, ())


# The model.


def small_model():
    names = (*KIND_COLUMNS, "yes")
    one = LinearModel(names, np.array([*[0.0] * 5, 2.0]), np.zeros(6), 0.5, 1.0)
    other = LinearModel(names, np.array([*[0.0] * 5, 4.0]), np.zeros(6), -0.5, 1.0)
    gate = KindGate(np.zeros(8), np.ones(8), np.zeros((9, 2)))
    return ClaimModel({"one": one, "other": other}, gate, "joint", {"claims": 2})


def test_probability_is_the_mean_of_the_kinds_log_odds():
    # gates of 1/2: log odds (0.5 + 2x)/2 + (-0.5 + 4x)/2 = 3x, of x = 1: 3
    chance = small_model().probability({**dict.fromkeys(KIND_COLUMNS, 1.0), "yes": 1.0})
    assert chance == pytest.approx(1 / (1 + math.exp(-3)))


def test_gate_shares_add_up_to_one():
    gate = KindGate(np.zeros(8), np.ones(8), np.arange(18, dtype=float).reshape(9, 2) / 10)
    shares = gate.shares(np.array([[1.0, 2.0, 0.1, 0.2, 0.3], [5.0, 3.0, 0.4, 0.5, 0.6]]))
    assert np.allclose(shares.sum(axis=1), 1)
    assert np.allclose(kind_shape(np.array([[2.0, 3.0, 0.5]])), [[2, 3, 4, 9, 6, 0.5]])


def test_model_is_the_same_when_written_and_read():
    model = small_model()
    again = read_model(json.dumps(model.to_json()))
    assert again.to_json() == model.to_json()


def test_shipped_model_has_the_columns_that_are_measured(reader, joint):
    model = shipped_decision(joint)
    (each,) = claim_evidence([row(SOURCE, "Clara Voss sang in 1950.")], joint, reader)
    assert set(claim_columns(each)) == set(model.names)


# Search.

WORDS = ["age", "bus", "council", "depot", "fare", "law", "line", "school", "state", "town"]


@given(st.lists(st.frozensets(st.sampled_from(WORDS), min_size=1), min_size=1, max_size=8),
       st.frozensets(st.sampled_from(WORDS), min_size=1))  # fmt: skip
def test_few_sentences_cover_what_can_be_covered(sentences, words):
    ranking = PassageRanking(sentences)
    found = ranking.covering(words, len(sentences))
    assert len(set(found)) == len(found)
    covered = frozenset().union(*(sentences[each] for each in found)) & words
    assert covered == frozenset().union(*sentences) & words
    assert ranking.covering(words, 1) == found[:1]


@given(st.lists(st.sampled_from(WORDS), max_size=12), st.lists(st.sampled_from(WORDS), max_size=8))
def test_copied_shares_are_those_of_counting(source, claim):
    shares = CopiedWords([" ".join(source)]).shares(" ".join(claim))
    for n, share in enumerate(shares, 1):
        known = {tuple(source[i : i + n]) for i in range(len(source) - n + 1)}
        runs = [tuple(claim[i : i + n]) for i in range(len(claim) - n + 1)]
        assert share == pytest.approx(sum(run in known for run in runs) / max(len(runs), 1))


# Minimal pairs and real sentences.


@pytest.fixture(scope="module")
def minimal(root, reader, joint):
    lines = (root / "benchmarks" / "minimal_claims.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    asked = [row(each["text"], each["hypothesis"]) for each in rows]
    found = [claim for (claim,) in check_documents(asked, joint, reader)]
    return [
        each.supported == (gold["gold"] == "entailment")
        for gold, each in zip(rows, found, strict=True)
    ]


def test_nineteen_of_twenty_minimal_pairs_are_decided_rightly(minimal):
    pairs = [one and other for one, other in zip(minimal[::2], minimal[1::2], strict=True)]
    assert len(pairs) == 150
    assert sum(pairs) >= 0.95 * len(pairs)


@pytest.mark.data
def test_real_sentences_do_not_differ_from_themselves(shared_data, reader):
    import gzip

    with gzip.open(shared_data / "claims" / "qags_sentences_dev.jsonl.gz", "rt") as file:
        texts = sorted({json.loads(line)["text"] for line in file})
    documents = read_documents(random.Random(0).sample(texts, 90), reader)
    sentences = [each.text for document in documents for each in document.passages]
    sentences = [each for each in sentences if len(each.split()) > 3][:1000]
    assert len(sentences) == 1000
    compared = reader.compare([(each, each) for each in sentences])
    assert [each for each in compared if find_mismatches(each)] == []
    asked = [row(each, each) for each in sentences[:100]]
    checked = check_documents(asked, ensue.load("features"), reader)
    assert all(claim.supported for (claim,) in checked)
