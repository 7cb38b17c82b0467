"""Events told from two sides, roles that differ, and what is denied until a term."""

import pytest

from ensue.features import EventComparison, MismatchKind, find_mismatches
from ensue.features.events import frames
from ensue.features.extraction import open_reader
from ensue.pairs import read_pairs

TURNED = [
    ("The firm sold the mill to the city.", "The city bought the mill from the firm."),
    ("The bank lent the farmer a cart.", "The farmer borrowed a cart from the bank."),
    ("The teacher gave the boy a prize.", "The boy received a prize from the teacher."),
    ("Denmark lost the final to Norway.", "Norway won the final against Denmark."),
    ("Denmark lost to Norway.", "Norway defeated Denmark."),
    ("The nun taught the girl a song.", "The girl learned a song from the nun."),
    ("The widow owns the house.", "The house belongs to the widow."),
    ("The war preceded the famine.", "The famine followed the war."),
    ("Adams was the predecessor of Jefferson.", "Jefferson was the successor of Adams."),
    ("Anna is a parent of Boris.", "Boris is a child of Anna."),
    ("Anna is the wife of Boris.", "Boris is the husband of Anna."),
    ("Anna is the employer of Boris.", "Boris is an employee of Anna."),
]
"""Each scene from its two sides."""

WRONG = [
    ("The firm sold the mill to the city.", "The firm bought the mill from the city."),
    ("The city bought the mill from the firm.", "The city sold the mill to the firm."),
    ("The bank lent the farmer a cart.", "The bank borrowed a cart from the farmer."),
    ("The farmer borrowed a cart from the bank.", "The farmer lent a cart to the bank."),
    ("The teacher gave the boy a prize.", "The teacher received a prize from the boy."),
    ("The boy received a prize from the teacher.", "The boy gave the teacher a prize."),
    ("Denmark lost the final to Norway.", "Denmark won the final against Norway."),
    ("Norway defeated Denmark.", "Norway lost to Denmark."),
    ("The nun taught the girl a song.", "The nun learned a song from the girl."),
    ("The girl learned a song from the nun.", "The girl taught the nun a song."),
    ("The dog belongs to the widow.", "The dog owns the widow."),
    ("The war preceded the famine.", "The war followed the famine."),
    ("Adams was the predecessor of Jefferson.", "Adams was the successor of Jefferson."),
    ("Anna is a parent of Boris.", "Boris is a parent of Anna."),
    ("Anna is Boris's mother.", "Anna is Boris's child."),
    ("Anna is the wife of Boris.", "Boris is the wife of Anna."),
    ("Anna is the employer of Boris.", "Anna is an employee of Boris."),
]
"""Each scene with its roles exchanged."""

CHANGED = [
    ("The dog chased the cat.", "The cat chased the dog."),
    ("The cat was chased by the dog.", "The cat chased the dog."),
    ("The man who hired the woman left.", "The woman hired the man."),
    ("The dog that the cat chased barked.", "The dog chased the cat."),
    ("The dog chased by the cat barked.", "The dog chased the cat."),
    ("The boy wants to help the girl.", "The girl wants to help the boy."),
    ("The boys chased and caught the dog.", "The dog caught the boys."),
    ("The girl was seen by the boy and the man.", "The girl saw the man."),
    ("Mary was given a book by the teacher.", "Mary gave the teacher a book."),
]

ALIKE = [
    ("The cat was chased by the dog.", "The dog chased the cat."),
    ("The dog that the cat chased barked.", "The cat chased the dog."),
    ("The dog chased by the cat barked.", "The cat chased the dog."),
    ("The girl was seen by the boy and the man.", "The man saw the girl."),
    ("The dog chased the cat, and the cat chased the dog.", "The cat chased the dog."),
    ("Mary was given a book by the teacher.", "The teacher gave Mary a book."),
    ("The teacher gave Mary a book.", "The teacher gave a book to Mary."),
    ("Anna met Boris.", "Boris met Anna."),
    ("Anna married Boris.", "Boris married Anna."),
    ("Anna and Boris quarrelled.", "Boris and Anna quarrelled."),
    ("The sun melted the ice.", "The ice melted."),
    ("The ice melted.", "The sun melted the ice."),
    ("The shop sold the book.", "The book sold well."),
    ("A man in red hit a man in blue.", "A man was hit by a man."),
    ("Scott injured his ankle.", "Scott was injured."),
]
"""Pairs of which none has exchanged roles, whatever else is to be said of them."""


@pytest.fixture(scope="module")
def events(tmp_path_factory):
    reader = open_reader(cache=tmp_path_factory.mktemp("cache") / "analyses.sqlite")

    def compared(text, hypothesis):
        return EventComparison(reader.compare([(text, hypothesis)])[0])

    return compared


@pytest.fixture(scope="module")
def kinds(events):
    def found(text, hypothesis):
        both = events(text, hypothesis)
        return [each.kind for each in find_mismatches(both.pair, both)]

    return found


@pytest.mark.parametrize(("one", "other"), TURNED)
def test_event_told_from_the_other_side_is_borne_out(events, kinds, one, other):
    for text, hypothesis in ((one, other), (other, one)):
        assert kinds(text, hypothesis) == []
        assert events(text, hypothesis).bears_out()


@pytest.mark.parametrize(("text", "hypothesis"), WRONG)
def test_exchanged_sides_of_a_scene_are_roles_that_differ(events, kinds, text, hypothesis):
    assert MismatchKind.ROLES in kinds(text, hypothesis)
    assert not events(text, hypothesis).bears_out()


def test_every_scene_is_told_from_both_sides():
    told = {frame.scene for frame in frames().values()}
    sides = " ".join(each for pair in TURNED for each in pair)
    assert len(told) == 10
    for word in ("sold", "lent", "gave", "lost", "taught", "owns", "preceded", "parent", "wife"):
        assert word in sides


@pytest.mark.parametrize(
    ("text", "hypothesis", "kind"),
    [
        ("The firm did not sell the mill to the city.", "The city bought the mill.", "negation"),
        ("The firm may sell the mill to the city.", "The city bought the mill.", "modality"),
        ("The teacher did not give the boy a prize.", "The boy received a prize.", "negation"),
        ("The team won the final.", "The team lost the final.", "opposite"),
    ],
)
def test_event_told_from_the_other_side_is_denied_and_hedged_as_any(kinds, text, hypothesis, kind):
    assert kinds(text, hypothesis) == [kind]


def test_son_is_more_than_a_child(events):
    assert not events("Anna is the mother of Boris.", "Boris is the son of Anna.").bears_out()


@pytest.mark.parametrize(("text", "hypothesis"), CHANGED)
def test_exchanged_roles_are_found(kinds, text, hypothesis):
    assert MismatchKind.ROLES in kinds(text, hypothesis)


@pytest.mark.parametrize(("text", "hypothesis"), ALIKE)
def test_roles_that_are_not_exchanged_are_not_reported(events, text, hypothesis):
    assert events(text, hypothesis).changes == []


def test_role_is_told_with_both_places(events):
    text, hypothesis = "The railway was sold to the state.", "The state sold the railway."
    both = events(text, hypothesis)
    (found,) = find_mismatches(both.pair, both)
    assert found.message == "'state' is the seller, in the text the buyer"
    assert hypothesis[slice(*found.hypothesis)] == text[slice(*found.text)] == "state"


def test_no_text_differs_from_itself_in_roles(events):
    texts = {
        side for pair in read_pairs("examples/pairs.xml") for side in (pair.text, pair.hypothesis)
    }
    assert len(texts) > 80
    assert [text for text in sorted(texts) if events(text, text).changes] == []


LINE = "The line was not electrified until 1936."


@pytest.mark.parametrize(
    ("text", "hypothesis"),
    [
        (LINE, "The line was electrified in 1936."),
        (LINE, "The line was electrified."),
        (LINE, "The line was electrified in the 1930s."),
        (LINE, "The line was electrified before 1940."),
        (LINE, "The line was electrified after 1930."),
        (LINE, "The line was not electrified in 1930."),
        (LINE, "The line was not electrified before 1936."),
        ("The line was electrified in 1936.", LINE),
        ("The line wasn't electrified till May 1936.", "The line was electrified in 1936."),
        (
            "It was not until 1936 that the line was electrified.",
            "The line was electrified in 1936.",
        ),
        ("No trains ran until 1936.", "Trains ran in 1936."),
        ("The museum did not open before 2004.", "The museum opened."),
        ("The museum did not open before 2004.", "The museum opened after 2003."),
        ("The museum did not open earlier than 2004.", "The museum opened."),
        ("The road was not finished until after the war.", "The road was finished after the war."),
        ("The road was not built until the king died.", "The road was built after the king died."),
        ("The mill was not sold to the city until 1951.", "The city bought the mill in 1951."),
    ],
)
def test_what_is_denied_until_a_term_holds_from_then_on(events, kinds, text, hypothesis):
    assert kinds(text, hypothesis) == []
    assert events(text, hypothesis).bears_out()


@pytest.mark.parametrize(
    ("text", "hypothesis", "kind"),
    [
        (LINE, "The line was electrified in 1930.", "date"),
        (LINE, "The line was electrified before 1936.", "date"),
        (LINE, "The line was electrified after 1940.", "date"),
        (LINE, "The line was not electrified in 1940.", "date"),
        (LINE, "The line was never electrified.", "negation"),
        ("The line was electrified in 1930.", LINE, "date"),
        ("The museum did not open before 2004.", "The museum opened in 2003.", "date"),
        ("The bank will not raise rates until June.", "The bank raised rates.", "modality"),
        ("The vicar did not apologize before his death.", "The vicar apologized.", "negation"),
        (
            "The road was not built until after the war.",
            "The road was built before the war.",
            "negation",
        ),
        (
            "The road was built only after the war.",
            "The road was built before the war.",
            "opposite",
        ),
    ],
)
def test_what_is_denied_until_a_term_did_not_hold_before(kinds, text, hypothesis, kind):
    assert kinds(text, hypothesis) == [kind]
