import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, strategies as st

import ensue
from ensue.claims import check_claims
from ensue.features.extraction import open_reader
from ensue.pairs import Label, Signature, Status, Verdict

SOURCE = (
    "The town of Lindow raised the legal age for riding a moped to 16 in 2019. Mayor Clara Voss"
    " said that the council had not consulted the schools. She announced a bus line that costs"
    " $5 million a year.\n\nSome parents welcomed the decision. The council may lower the fares."
)
SENTENCES = [
    "The town of Lindow raised the legal age for riding a moped to 16 in 2019.",
    "Mayor Clara Voss said that the council had not consulted the schools.",
    "She announced a bus line that costs $5 million a year.",
    "Some parents welcomed the decision.",
    "The council may lower the fares.",
]


class Saying:
    """A recognizer that says one thing of every pair."""

    signature = Signature("saying", "1")

    def __init__(self, label, status=Status.DECIDED):
        self.label, self.status = label, status
        self.pairs = []

    def judge(self, pairs):
        self.pairs += pairs
        reason = None if self.label else "no time"
        return [Verdict(pair.id, self.label, None, None, self.status, reason) for pair in pairs]


YES, NO = Saying(Label.ENTAILMENT), Saying(Label.NOT_ENTAILMENT)


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    return open_reader(cache=tmp_path_factory.mktemp("cache") / "analyses.sqlite")


@pytest.fixture(scope="module")
def shipped():
    return ensue.load("features")


def only(source, claim, recognizer, reader, **options):
    (checked,) = check_claims(source, claim, recognizer, reader, **options)
    return checked


@pytest.mark.parametrize(
    ("claim", "kind", "said", "had"),
    [
        ("The legal age for riding a moped is 18.", "number", "18", "16"),
        ("The bus line costs €5 million a year.", "unit", "€5 million", "$5 million"),
        ("Lindow raised the legal age in 2017.", "date", "2017", "2019"),
        ("The town of Wismar raised the legal age.", "name", "Wismar", "Lindow"),
        ("The council consulted the schools.", "negation", "consulted", "consulted"),
        ("All parents welcomed the decision.", "quantifier", "All parents", "Some parents"),
        ("The council lowered the fares.", "modality", "lowered", "lower"),
    ],
)
def test_claim_that_differs_is_caught_even_by_who_says_yes(reader, claim, kind, said, had):
    for recognizer in (YES, NO):
        checked = only(SOURCE, claim, recognizer, reader, best=1)
        assert not checked.supported
        assert checked.reason == f"differs from the source: {kind}"
        (found,) = checked.to_json()["support"][0]["mismatches"]
        assert claim[slice(*found["claim"])] == said
        assert SOURCE[slice(*found["source"])] == had


def test_age_of_62_is_caught_in_a_source_that_says_64(reader, shipped):
    source = "Bread is cheap. The legal age is 64. Rents rose."
    checked = only(source, "The legal age is 62.", shipped, reader)
    assert not checked.supported
    first = checked.support[0]
    assert first.passage.text == "The legal age is 64."
    assert [each.message for each in first.mismatches] == ["'62' where the text has '64'"]


def test_claim_that_follows_is_supported(reader, shipped):
    checked = only(SOURCE, "Lindow raised the legal age for riding a moped.", shipped, reader)
    assert (checked.supported, checked.reason) == (True, "follows from the source")
    assert checked.support[0].passage.text == SENTENCES[0]


def test_claim_that_does_not_follow_is_not_supported(reader):
    checked = only(SOURCE, "The town raised the age.", NO, reader)
    assert (checked.supported, checked.reason) == (False, "does not follow from the source")


@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3, unique=True))
def test_copies_are_supported_whoever_judges(reader, sentences):
    for claims in (" ".join(sentences), "\n".join(sentences)):
        checked = check_claims(SOURCE, claims, NO, reader)
        assert [each.reason for each in checked] == ["stands in the source"] * len(sentences)


@given(st.data())
def test_any_sentence_of_a_source_supports_itself(reader, data):
    subjects = ["Anna", "The old bridge", "Nobody", "Every second bus", "U.S. Steel"]
    rests = ["may not leave", "fell on 3 May 2011", "costs $5 million", "said: “No.”", "is it"]
    ends = [".", "!", "?", "…"]
    made = data.draw(
        st.lists(
            st.tuples(st.sampled_from(subjects), st.sampled_from(rests), st.sampled_from(ends)),
            min_size=1,
            max_size=5,
        )
    )
    source = " ".join(f"{subject} {rest}{end}" for subject, rest, end in made)
    assert all(each.supported for each in check_claims(source, source, NO, reader))


@pytest.mark.parametrize(
    "claim",
    [
        "Some parents welcomed the decision",
        "Some  parents\nwelcomed the decision.",
        "Some parents welcomed the decision!",
    ],
)
def test_copy_may_differ_in_spaces_and_full_stop(reader, claim):
    assert only(SOURCE, claim, NO, reader).supported


@pytest.mark.parametrize(
    "claim",
    [
        "The council may lower the fares?",
        "some parents welcomed the decision.",
        "The council had consulted the schools.",
    ],
)
def test_near_copy_is_no_copy(reader, claim):
    assert not only(SOURCE, claim, NO, reader).supported


def test_part_of_a_sentence_is_no_copy(reader):
    source = "Nobody says that Anna left. It is false that\nBoris left."
    for claim in ("Anna left.", "Boris left."):
        assert not only(source, claim, NO, reader).supported


def test_support_prefers_what_holds_and_shows_few(reader):
    checked = only(SOURCE, "The council may lower fares.", YES, reader, best=2)
    assert checked.support[0].holds
    assert checked.support[0].passage.text == SENTENCES[4]
    assert len(checked.support) <= 4


def test_denial_outweighs_a_yes_to_less_of_the_claim(reader):
    source = "The council had not consulted the farmers. Some farmers may sue the council."
    checked = only(source, "The council consulted the farmers.", YES, reader)
    assert (checked.supported, checked.reason) == (False, "differs from the source: negation")
    assert checked.support[0].passage.text == "The council had not consulted the farmers."
    assert checked.support[0].coverage == 1.0
    assert checked.support[-1].holds


def test_stretch_that_meets_more_and_differs_outweighs_a_yes_to_a_part_of_it(reader):
    source = "The line was opened in 1901. It was not electrified until 1936."
    checked = only(source, "The line was electrified in 1901.", YES, reader)
    assert (checked.supported, checked.reason) == (False, "differs from the source: date")
    assert checked.support[0].passage.text == source


def test_denial_of_something_else_does_not_outweigh_a_yes(reader):
    source = "Sales rose in May. Sales did not rise in June."
    checked = only(source, "Sales rose in May.", YES, reader)
    assert checked.supported
    assert only(source, "In May sales rose.", YES, reader).supported


def test_pronoun_is_read_with_the_sentence_before(reader):
    judge = Saying(Label.ENTAILMENT)
    checked = only(SOURCE, "Clara Voss announced a bus line.", judge, reader, best=1)
    assert f"{SENTENCES[1]} {SENTENCES[2]}" in [pair.text for pair in judge.pairs]
    assert checked.supported


def test_pronouns_are_read_with_the_last_sentence_that_has_none(reader):
    source = (
        "Bread is cheap. Clara Voss was born in Lindow. She moved to Wismar. There she taught"
        " physics. She died in 1934."
    )
    judge = Saying(Label.ENTAILMENT)
    assert only(source, "Clara Voss died in 1934.", judge, reader).supported
    assert source[source.index("Clara") :] in [pair.text for pair in judge.pairs]


def test_pronouns_are_not_followed_for_ever(reader):
    source = "Clara Voss was born." + " She then laughed." * 9 + " She died of fever in 1934."
    judge = Saying(Label.ENTAILMENT)
    only(source, "The fever of 1934 killed a woman.", judge, reader, best=1)
    assert max(pair.text.count(".") for pair in judge.pairs) == 5


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("The legal retirement age is 64. It was raised from 62 in 2023.", "The legal age is 62."),
        ("Clara Voss was born in Oslo. She moved to Rome in 1891.", "Clara Voss was born in Rome."),
    ],
)
def test_sentence_that_differs_outweighs_a_yes_to_it_and_the_next(reader, source, claim):
    checked = only(source, claim, YES, reader)
    assert not checked.supported
    assert source.startswith(checked.support[0].passage.text + " ")
    assert checked.reason.startswith("differs from the source: ")


def test_near_sentences_are_tried_together(reader):
    judge = Saying(Label.NOT_ENTAILMENT)
    only(SOURCE, "Parents welcomed lower fares.", judge, reader, best=2)
    assert f"{SENTENCES[3]} {SENTENCES[4]}" in [pair.text for pair in judge.pairs]


def test_empty_source_supports_nothing(reader):
    checked = only("", "Anna left.", YES, reader)
    assert (checked.supported, checked.reason) == (False, "the source has no sentence")
    assert checked.support == ()


def test_no_claims_are_checked_to_nothing(reader):
    assert check_claims(SOURCE, " \n", YES, reader) == []


def test_undecided_claim_is_not_supported_and_says_why(reader):
    judge = Saying(None, Status.BUDGET_EXHAUSTED)
    checked = only(SOURCE, "The town raised the age.", judge, reader)
    assert (checked.supported, checked.reason) == (False, "no time")


def test_each_sentence_of_a_large_source_is_not_judged_for_each_claim(reader):
    source = " ".join(f"The dog of house number {i} barked." for i in range(300))
    judge = Saying(Label.ENTAILMENT)
    checked = check_claims(source, "House number 17 has a dog. Cats sleep.", judge, reader)
    assert checked[0].support[0].passage.text == "The dog of house number 17 barked."
    assert len(judge.pairs) <= 2 * 5


def test_checked_claim_is_strict_json(reader, shipped):
    for each in check_claims(SOURCE, "The age is 18. Anna left.", shipped, reader):
        assert json.loads(json.dumps(each.to_json(), allow_nan=False)) == each.to_json()


def test_threads_check_as_one_does():
    reader, recognizer = open_reader(), ensue.load("features")
    sources = [f"{SOURCE} That was on page {page}." for page in range(16)]
    claims = "Lindow raised the age to 16. The council had consulted the schools."

    def check(source):
        return check_claims(source, claims, recognizer, reader)

    with ThreadPoolExecutor(8) as pool:
        by_threads = list(pool.map(check, sources))
    assert by_threads == [check(source) for source in sources]
