"""Each kind of mismatch: pairs that show it, and pairs that nearly do."""

import pytest
from hypothesis import given, strategies as st

from ensue.features import DIFFERENCES, MismatchKind, differences, find_mismatches
from ensue.features.extraction import open_reader

SHOWN = [
    ("number", "The legal age is 64.", "The legal age is 62.", "62", "64"),
    ("number", "The storm killed 12 people.", "The storm killed 20 people.", "20", "12"),
    (
        "number",
        "Sales rose by 7.5 percent.",
        "Sales rose by 8 percent.",
        "8 percent",
        "7.5 percent",
    ),
    (
        "unit",
        "The deal costs $5 million.",
        "The deal costs €5 million.",
        "€5 million",
        "$5 million",
    ),
    (
        "unit",
        "The trail is 10 miles long.",
        "The trail is 10 kilometers long.",
        "10 kilometers",
        "10 miles",
    ),
    (
        "unit",
        "The bag weighs 20 pounds.",
        "The bag weighs 20 kilograms.",
        "20 kilograms",
        "20 pounds",
    ),
    ("date", "The war ended in 1945.", "The war ended in 1944.", "1944", "1945"),
    (
        "date",
        "The parliament met on 3 March.",
        "The parliament met on 5 March.",
        "5 March",
        "3 March",
    ),
    ("date", "The trial began on Monday.", "The trial began on Friday.", "Friday", "Monday"),
    (
        "name",
        "Marie Curie won the prize.",
        "Lise Meitner won the prize.",
        "Lise Meitner",
        "Marie Curie",
    ),
    ("name", "The factory is in Berlin.", "The factory is in Hamburg.", "Hamburg", "Berlin"),
    (
        "name",
        "She won the prize in 1911.",
        "Marie Curie won the prize in 1911.",
        "Marie Curie",
        None,
    ),
    (
        "roles",
        "The railway was sold to the state.",
        "The state sold the railway.",
        "state",
        "state",
    ),
    ("roles", "The guard chased the thief.", "The thief chased the dog.", "thief", "thief"),
    ("roles", "The bank lent the farmer money.", "The bank borrowed money.", "bank", "bank"),
    ("negation", "The minister did not resign.", "The minister resigned.", "resigned", "resign"),
    ("negation", "The minister resigned.", "The minister did not resign.", "resign", "resigned"),
    (
        "negation",
        "The board failed to approve the budget.",
        "The board approved the budget.",
        "approved",
        "approve",
    ),
    ("opposite", "Sales increased in June.", "Sales decreased in June.", "decreased", "increased"),
    ("opposite", "The team won the final.", "The team lost the final.", "lost", "won"),
    ("opposite", "The soup is hot.", "The soup is cold.", "cold", "hot"),
    ("modality", "The bank may raise rates.", "The bank raised rates.", "raised", "raise"),
    ("modality", "The firm plans to open a store.", "The firm opened a store.", "opened", "open"),
    ("modality", "The bank will raise rates.", "The bank raised rates.", "raised", "raise"),
    (
        "quantifier",
        "Some students passed the test.",
        "All students passed the test.",
        "All students",
        "Some students",
    ),
    ("quantifier", "Few members voted.", "Many members voted.", "Many members", "Few members"),
    ("quantifier", "Someone left the room.", "Everyone left the room.", "Everyone", "Someone"),
]

NEAR = [
    ("number", "The storm killed 25 people.", "The storm killed more than 20 people."),
    ("number", "The city has two million inhabitants.", "The city has 2,000,000 inhabitants."),
    ("unit", "The trail is 5 miles long.", "The trail is 8 km long."),
    ("unit", "The deal is worth $5 million.", "The deal is worth 5 million dollars."),
    ("date", "The war ended on 8 May 1945.", "The war ended in 1945."),
    ("date", "The treaty was signed in 1992.", "The treaty was signed in the 1990s."),
    ("name", "Marie Curie won the Nobel Prize.", "Curie won the Nobel Prize."),
    ("name", "Fans cheered the Chicago Bulls.", "Fans cheered in Chicago."),
    ("roles", "The thief was chased by the guard.", "The guard chased the thief."),
    ("roles", "The firm sold the mill to the city.", "The city bought the mill from the firm."),
    ("negation", "The board managed to approve the budget.", "The board approved the budget."),
    ("negation", "The team did not lose the final.", "The team won the final."),
    ("opposite", "Sales increased in June.", "Sales rose in June."),
    ("opposite", "The team did not lose the final.", "The team won the final."),
    ("modality", "The bank raised rates.", "The bank may raise rates."),
    ("modality", "The police know that the firm lost money.", "The firm lost money."),
    ("quantifier", "All students passed the test.", "Some students passed the test."),
    ("quantifier", "The students passed the test.", "All the students passed the test."),
]

TEXTS = sorted({text for _, text, *_ in SHOWN} | {each for _, *pair in NEAR for each in pair})


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    return open_reader(cache=tmp_path_factory.mktemp("cache") / "analyses.sqlite")


@pytest.fixture(scope="module")
def found(reader):
    def find(text, hypothesis):
        return find_mismatches(reader.compare([(text, hypothesis)])[0])

    return find


@pytest.mark.parametrize(("kind", "text", "hypothesis", "said", "had"), SHOWN)
def test_mismatch_is_found_where_it_is(found, kind, text, hypothesis, said, had):
    (mismatch,) = found(text, hypothesis)
    assert mismatch.kind == kind
    assert hypothesis[slice(*mismatch.hypothesis)] == said
    assert (mismatch.text and text[slice(*mismatch.text)]) == had


@pytest.mark.parametrize(("kind", "text", "hypothesis"), NEAR)
def test_near_miss_is_no_mismatch(found, kind, text, hypothesis):
    assert kind in list(MismatchKind)
    assert found(text, hypothesis) == []


def test_every_kind_is_shown_three_times_and_nearly_twice():
    for kind in MismatchKind:
        assert sum(each[0] == kind for each in SHOWN) == 3
        assert sum(each[0] == kind for each in NEAR) == 2


def test_message_says_both_sides(found):
    (mismatch,) = found("The legal age is 64.", "The legal age is 62.")
    assert mismatch.message == "'62' where the text has '64'"


@pytest.mark.parametrize(
    ("text", "hypothesis", "side"),
    [
        ("The minister did not resign.", "The minister resigned.", "text"),
        ("The minister resigned.", "The minister did not resign.", "hypothesis"),
        ("The board failed to pay.", "The board paid.", "text"),
    ],
)
def test_message_says_who_denies(found, text, hypothesis, side):
    (mismatch,) = found(text, hypothesis)
    assert mismatch.message == f"denied by the {side} only"


@pytest.mark.parametrize(
    ("text", "hedge"),
    [
        ("The bank may raise rates.", "in the text only possible"),
        ("The bank must raise rates.", "in the text only required"),
        ("If prices rise, the bank raises rates.", "in the text only so under a condition"),
        ("Analysts think that the bank raised rates.", "in the text only believed"),
        ("The bank denied that it had raised rates.", "in the text denied by somebody"),
    ],
)
def test_message_says_how_the_text_hedges(found, text, hedge):
    assert hedge in [each.message for each in found(text, "The bank raised rates.")]


def test_what_had_to_be_done_was_done(found):
    assert found("The families had to leave.", "The families left.") == []
    for text in ("The families have to leave.", "The families were required to leave."):
        assert [each.kind for each in found(text, "The families left.")] == ["modality"]


def test_name_in_the_place_of_a_pronoun_is_not_in_the_text(found):
    (mismatch,) = found("She shared the prize with Pierre Curie.", "Marie Curie shared the prize.")
    assert mismatch.text is None


@pytest.mark.parametrize(
    ("text", "hypothesis", "said"),
    [
        ("Denmark defeated Norway.", "Norway defeated Denmark.", ["Norway", "Denmark"]),
        ("Norway was defeated by Denmark.", "Norway defeated Denmark.", ["Norway", "Denmark"]),
        ("Denmark bought a fleet from Norway.", "Norway purchased a fleet.", ["Norway"]),
        ("Denmark defeated Norway and Sweden.", "Norway defeated Sweden.", ["Norway"]),
        ("Denmark defeated Norway and Sweden.", "Denmark defeated Sweden.", []),
        ("Norway was defeated by Denmark.", "Denmark defeated Norway.", []),
        ("Foreign Minister Anna Lindh met envoys.", "Anna Lindh met envoys.", []),
        ("Denmark has an army. Norway's army has tanks.", "Norway has an army.", []),
        ("Denmark defeated Norway, and Norway defeated Chad.", "Norway defeated Chad.", []),
    ],
)
def test_name_in_the_place_of_another_is_a_mismatch(found, text, hypothesis, said):
    assert [hypothesis[slice(*each.hypothesis)] for each in found(text, hypothesis)] == said


def test_value_of_another_deed_is_a_mismatch(found):
    text = "The storm killed 12 people and injured 20 people."
    (mismatch,) = found(text, "The storm killed 20 people.")
    assert text[slice(*mismatch.text)] == "12"
    assert found(text, "The storm injured 20 people.") == []


def test_date_of_another_deed_is_a_mismatch(found):
    text = "The firm was founded in 1950 and sold in 1980."
    (mismatch,) = found(text, "The firm was sold in 1950.")
    assert text[slice(*mismatch.text)] == "1980"
    assert found(text, "The firm was sold in 1980.") == []


def test_one_of_several_places_bears_a_value_out(found):
    text = "The disease starts around the age of 50 and in some around the age of 60."
    assert found(text, text) == []


def test_value_that_the_text_leaves_open_is_a_mismatch(found):
    (mismatch,) = found("The storm killed more than 20 people.", "The storm killed 25 people.")
    assert mismatch.message == "'25' where the text has 'more than 20'"


def test_value_without_a_rival_is_not_in_the_text(found):
    (mismatch,) = found("The storm killed people.", "The storm killed 25 people.")
    assert (mismatch.text, mismatch.message) == (None, "'25' is not in the text")


def test_nobody_is_one_mismatch(found):
    assert [each.kind for each in found("Nobody was hurt.", "Somebody was hurt.")] == ["negation"]


def test_all_of_a_number_is_compared_as_the_number(found):
    assert found("Four men were released.", "All four men were released.") == []


def test_mismatches_come_in_the_order_of_the_hypothesis(found):
    text = "Some guests may arrive in Rome in 1994."
    kinds = [each.kind for each in found(text, "All guests arrived in Oslo in 1995.")]
    assert kinds == ["quantifier", "modality", "name", "date"]


@given(st.sampled_from(TEXTS), st.sampled_from(TEXTS))
def test_nothing_differs_from_itself(found, one, other):
    for text in (one, f"{one} {other}"):
        assert found(text, text) == []


@given(st.sampled_from(TEXTS), st.sampled_from(TEXTS))
def test_places_are_inside_their_sides(found, text, hypothesis):
    for each in found(text, hypothesis):
        assert 0 <= each.hypothesis[0] < each.hypothesis[1] <= len(hypothesis)
        assert each.text is None or 0 <= each.text[0] < each.text[1] <= len(text)


@pytest.mark.parametrize(("text", "hypothesis"), [("", ""), ("?", "12"), ("\0", "\ud800 1995")])
def test_odd_texts_are_compared(found, text, hypothesis):
    assert all(each.text is None for each in found(text, hypothesis))


def test_differences_are_the_mismatches_as_ones_and_zeros(reader):
    pairs = [
        ("The storm killed 12 people.", "The storm killed 20 people."),
        ("The storm killed people.", "The storm killed 20 people."),
        ("The town sold the depot to the state.", "The state bought the depot."),
        ("The storm killed 12 people.", "The storm killed 12 people."),
    ]
    rows = differences(reader.compare(pairs))
    named = [{name for name, value in zip(DIFFERENCES, row, strict=True) if value} for row in rows]
    assert named[:3] == [{"differs.number"}, {"lacks.number"}, {"borne-out"}]
    assert not {name for name in named[3] if name != "borne-out"}
