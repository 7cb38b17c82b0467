"""Statements cut from sentences: by hand for each construction, laws, and those of the gold."""

import re
from collections import Counter

import pytest
from benchmarks.propositions import PARTS, read_gold, score
from hypothesis import HealthCheck, given, settings, strategies as st

import ensue
from ensue.claims import Attitude, Construction, Propositions, Reason
from ensue.errors import ArgumentError

CASES = [
    # one clause
    ("The river froze.", ["The river froze."]),
    ("Call the police.", ["Call the police."]),
    # complements
    ("Mary said that Paul left.", ["Mary said that Paul left.", "Paul left."]),
    ("Paul left, Mary said.", ["Paul left, Mary said.", "Paul left."]),
    ("Mary wants to leave.", ["Mary wants to leave."]),
    ("Mary asked who had won.", ["Mary asked who had won."]),
    (
        "Nobody doubted the claim that the well was dry.",
        ["Nobody doubted the claim that the well was dry.", "The well was dry."],
    ),
    # adverbial clauses
    ("Paul left because it rained.", ["Paul left.", "It rained."]),
    ("When the bell rang, Paul left.", ["Paul left.", "The bell rang."]),
    ("Paul ran so that he would win.", ["Paul ran so that he would win."]),
    ("Paul left to see the sea.", ["Paul left to see the sea."]),
    ("Paul is taller than Mary was.", ["Paul is taller than Mary was."]),
    # relative clauses
    ("The boy who fell cried.", ["The boy cried.", "The boy fell."]),
    ("The car that Ann bought broke.", ["The car broke.", "Ann bought the car."]),
    ("The car Ann bought broke.", ["The car broke.", "Ann bought the car."]),
    (
        "The baker, whose shop burned, wept.",
        ["The baker wept.", "The baker's shop burned."],
    ),
    (
        "The village where Ann was born has vanished.",
        ["The village has vanished.", "Ann was born in the village."],
    ),
    (
        "The chair on which she sat collapsed.",
        ["The chair collapsed.", "She sat on the chair."],
    ),
    (
        "Ingrid is a nurse who works at night.",
        ["Ingrid is a nurse.", "Ingrid works at night."],
    ),
    # where a clause says who is meant, and so stays
    ("Every boy who fell cried.", ["Every boy who fell cried."]),
    ("Farmers who use it must register.", ["Farmers who use it must register."]),
    ("She was the first woman who won.", ["She was the first woman who won."]),
    # appositions
    ("Ann Lee, a nurse, left.", ["Ann Lee left.", "Ann Lee is a nurse."]),
    ("The twins, both sailors, left.", ["The twins left.", "The twins are both sailors."]),
    ("The office in Orvik, Denmark, closed.", ["The office in Orvik, Denmark, closed."]),
    # participles
    ("Built in 1910, the bridge fell.", ["The bridge fell.", "The bridge was built in 1910."]),
    (
        "The man wearing a red hat waved.",
        ["The man waved.", "The man was wearing a red hat."],
    ),
    (
        "The boxes containing gold vanished.",
        ["The boxes vanished.", "The boxes contained gold."],
    ),
    (
        "Having lost the match, Ann went home.",
        ["Ann went home.", "Ann had lost the match."],
    ),
    ("Land belonging to Ann was sold.", ["Land was sold.", "Land belonged to Ann."]),
    # coordination
    ("Ann sang and danced.", ["Ann sang.", "Ann danced."]),
    (
        "On Monday Ann came and left.",
        ["On Monday Ann came.", "On Monday Ann left."],
    ),
    (
        "The car was stolen and burned.",
        ["The car was stolen.", "The car was burned."],
    ),
    ("Ann and Ben are happy.", ["Ann is happy.", "Ben is happy."]),
    ("Ann and Ben met.", ["Ann and Ben met."]),
    ("Ann and Ben are brothers.", ["Ann and Ben are brothers."]),
    ("Ann bought bread and milk.", ["Ann bought bread.", "Ann bought milk."]),
    ("Ann did not buy bread and milk.", ["Ann did not buy bread and milk."]),
    ("Ann bought bread or milk.", ["Ann bought bread or milk."]),
    ("Ann sang or danced.", ["Ann sang or danced."]),
    # pronouns
    ("Peter came home. He slept.", ["Peter came home.", "Peter slept."]),
    (
        "Anna Berg bought a mill. She sold it.",
        ["Anna Berg bought a mill.", "Anna Berg sold the mill."],
    ),
    ("John sold his car.", ["John sold his car."]),
    (
        "John's death shocked his wife.",
        ["John's death shocked his wife."],
    ),
    (
        "Ann and Ben sold their car.",
        ["Ann sold their car.", "Ben sold their car."],
    ),
    ("Ann and Ben have all left.", ["Ann and Ben have all left."]),
    ("The castle, once a fort, fell.", ["The castle fell.", "The castle was once a fort."]),
    (
        "The fall of prices, which has helped buyers, goes on.",
        ["The fall of prices goes on.", "The fall of prices has helped buyers."],
    ),
    ("Peter saw Paul. His car was new.", ["Peter saw Paul.", "His car was new."]),
    ("It rained.", ["It rained."]),
    (
        "Aron was born in Rome and spent his youth there.",
        ["Aron was born in Rome.", "Aron spent his youth there."],
    ),
]


def statements(text):
    return [each.statement for each in ensue.propositions(text)]


@pytest.mark.parametrize(("text", "due"), CASES, ids=[text for text, _ in CASES])
def test_sentence_is_cut_into_statements(text, due):
    assert sorted(statements(text)) == sorted(due)


PUT = [
    ("Mary said that Paul left.", "Paul left.", [("said", "said")]),
    ("Mary thinks that Paul left.", "Paul left.", [("believed", "thinks")]),
    ("Mary knows that Paul left.", "Paul left.", [("known", "knows")]),
    ("Mary denied that Paul left.", "Paul left.", [("denied", "denied")]),
    ("Mary asked whether Paul left.", "Paul left.", [("asked", "asked")]),
    ("Did Paul leave?", "Did Paul leave?", [("asked", "?")]),
    ("Paul did not leave.", "Paul did not leave.", [("negated", "not")]),
    ("No train left.", "No train left.", [("negated", "No")]),
    ("Paul may leave.", "Paul may leave.", [("possible", "may")]),
    ("Paul must leave.", "Paul must leave.", [("necessary", "must")]),
    ("If Paul leaves, Mary will stay.", "Mary will stay.", [("conditional", "If")]),
    ("If Paul leaves, Mary will stay.", "Paul leaves.", [("conditional", "If")]),
    (
        "Mary did not say that Paul left.",
        "Paul left.",
        [("negated", "not"), ("said", "say")],
    ),
    (
        "Ann said that Mary knew that Paul left.",
        "Paul left.",
        [("said", "said"), ("known", "knew")],
    ),
    ("Paul, a baker, may leave.", "Paul is a baker.", []),
]


@pytest.mark.parametrize(("text", "statement", "due"), PUT)
def test_statement_says_what_embeds_it(text, statement, due):
    (found,) = [each for each in ensue.propositions(text) if each.statement == statement]
    shown = [(each.attitude.value, each.word) for each in found.embedding]
    assert shown == due
    for each in found.embedding:
        assert text[each.start : each.end] == each.word
        assert each.inside == any(a <= each.start and each.end <= b for a, b in found.spans)


@pytest.mark.parametrize(
    ("text", "statement", "asserted"),
    [
        ("Paul did not leave.", "Paul did not leave.", True),
        ("Mary knows that Paul left.", "Paul left.", True),
        ("Mary said that Paul left.", "Paul left.", False),
        ("Paul may leave.", "Paul may leave.", False),
    ],
)
def test_author_says_it_outright_or_not(text, statement, asserted):
    (found,) = [each for each in ensue.propositions(text) if each.statement == statement]
    assert found.is_asserted is asserted


def test_spans_and_changes_are_places():
    text = "A tall man came in. He sat down."
    first, second = ensue.propositions(text)
    assert (first.statement, second.statement) == ("A tall man came in.", "The tall man sat down.")
    (change,) = second.changes
    assert change.reason is Reason.PRONOUN
    assert second.statement[change.start : change.end] == change.words == "The tall man"
    assert text[slice(*change.replaces)] == "He"
    assert text[slice(*change.source)] == "A tall man"
    assert [text[slice(*each)] for each in second.spans] == ["sat down."]
    assert second.sentence == (20, 32)


def test_places_are_those_of_the_text_across_paragraphs():
    text = "The river froze.\n\nThe mill,\nwhich is old, closed."
    found = ensue.propositions(text)
    last = found[-1]
    assert last.statement == "The mill is old."
    assert last.construction is Construction.RELATIVE
    assert [text[slice(*each)] for each in last.spans] == ["The mill", "is old"]


def test_according_to_is_said_and_can_be_left_out():
    found = ensue.propositions("According to Ann, the plant leaked oil.")
    assert [each.statement for each in found] == [
        "According to Ann, the plant leaked oil.",
        "The plant leaked oil.",
    ]
    assert [each.attitude for each in found[1].embedding] == [Attitude.SAID]
    assert found[0].embedding == ()


# Laws

LAW_TEXTS = [
    *(sentence.text for sentence in read_gold("rules")),
    *(text for text, _ in CASES),
    "He said (and nobody denied it) that 5 % of the dogs, cats and birds, i.e. pets, hadn't eaten.",
    '"Go," she said; "I\'ll stay – or not."',
]


def _words(text):
    return Counter(re.findall(r"\w+", text.lower()))


@pytest.mark.parametrize("text", LAW_TEXTS)
def test_words_are_those_of_the_spans_or_changes(text):
    for each in ensue.propositions(text):
        assert each.spans == tuple(sorted(each.spans))
        assert all(0 <= start < end <= len(text) for start, end in each.spans)
        start, end = each.sentence
        assert all(start <= first and last <= end for first, last in each.spans)
        kept = list(each.statement)
        for change in each.changes:
            assert each.statement[change.start : change.end].lower() == change.words.lower()
            kept[change.start : change.end] = " " * (change.end - change.start)
        within = " ".join(text[slice(*span)] for span in each.spans)
        assert _words("".join(kept)) == _words(within)


SIMPLE = [
    "The old baker sold fresh bread to hungry sailors yesterday.",
    "Three young engineers quietly repaired the broken pump in Orvik.",
    "Snow covered the narrow roads and the fields near Dalby.",
    "Ann and her brother visited a castle and a museum in May.",
]


@pytest.mark.parametrize("text", SIMPLE)
def test_content_words_of_a_simple_sentence_are_in_some_statement(text):
    found = Counter()
    for each in statements(text):
        found |= _words(each)
    idle = {"and", "the", "a", "her"}
    assert set(_words(text)) - idle <= set(found)


def test_same_text_gives_the_same():
    text = " ".join(sentence.text for sentence in read_gold("rules"))
    assert ensue.propositions(text) == ensue.propositions(text)


ODD = st.text(
    st.one_of(
        st.sampled_from(list("abe .,;()\"'\n-?!“”")),
        st.characters(),
    ),
    max_size=60,
)
WORDS = st.lists(
    st.sampled_from(
        [
            "the",
            "a",
            "dog",
            "who",
            "that",
            "which",
            "said",
            "and",
            "or",
            "not",
            ",",
            ".",
            "(",
            ")",
            "'",
            '"',
            "by",
            "of",
            "was",
            "were",
            "sold",
            ",",
            "Ann",
            "it",
            "his",
            "if",
            "when",
            "whose",
            "where",
            "to",
            "be",
            "run",
            ";",
            "–",
            "according",
        ]
    ),
    max_size=25,
).map(" ".join)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.one_of(ODD, WORDS))
def test_no_text_is_too_odd(text):
    for each in ensue.propositions(text):
        assert each.statement.strip()
        assert each.spans
        assert all(0 <= start < end <= len(text) for start, end in each.spans)
        assert all(text[mark.start : mark.end] for mark in each.embedding)


@pytest.mark.parametrize("text", ["", "   \n", "?!", "12", "A heading", "\ud800", "\0"])
def test_text_without_a_verb_has_no_propositions(text):
    assert len(ensue.propositions(text)) == 0


def test_long_sentence_stays_one_statement():
    text = "Ann sold " + ", ".join(f"the red chair number {i}" for i in range(120)) + "."
    assert len(ensue.propositions(text)) == 1


def test_long_text_is_cut_part_by_part():
    text = "The river froze in May. The boy who fell cried.\n\n" * 400
    found = ensue.propositions(text)
    assert len(found) == 400 * 3
    last = found[-1]
    assert last.statement == "The boy fell."
    assert [text[slice(*span)] for span in last.spans] == ["The boy", "fell"]


def test_argument_has_to_be_a_text():
    with pytest.raises(ArgumentError) as caught:
        ensue.propositions(None)
    assert "text" in caught.value.message


def test_propositions_are_a_sequence_with_json():
    found = ensue.propositions("Ann Lee, a nurse, left.")
    assert isinstance(found, Propositions)
    assert len(found) == 2
    assert found[0] in found
    assert found[:1] == (found[0],)
    values = found.to_json()
    assert values["n_propositions"] == 2
    assert values["propositions"][1]["construction"] == "apposition"
    assert values["propositions"][1]["changes"][0]["words"] == "is"


# The sentences that were cut by hand


def test_gold_has_sixty_sentences_in_two_halves():
    assert [len(read_gold(part)) for part in PARTS] == [30, 30]


@pytest.mark.parametrize("part", PARTS)
def test_statements_of_the_gold_are_found(part):
    found = score(read_gold(part), ensue.propositions)
    assert found.precision > 0.8
    assert found.recall > 0.8
    assert found.n_put_alike / found.n_alike > 0.9
