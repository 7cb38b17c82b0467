"""Minimal claims with their answers, written before the code that gives them; half are supported."""

import pytest

import ensue
from ensue.claims import check_claims
from ensue.features.extraction import open_reader

CLAIMS = [
    # who did it to whom
    ("The dog chased the cat.", "The cat chased the dog.", "roles"),
    ("The dog chased the cat.", "A dog chased a cat.", ""),
    ("The teacher praised the student.", "The student praised the teacher.", "roles"),
    ("The general who betrayed the king fled.", "The king betrayed the general.", "roles"),
    ("The general who betrayed the king fled.", "The general betrayed the king.", ""),
    ("The nurse helped the doctor and the guard.", "The guard helped the nurse.", "roles"),
    ("The nurse helped the doctor and the guard.", "The nurse helped the guard.", ""),
    ("The lawyer persuaded the judge to free the thief.", "The thief freed the judge.", "roles"),
    ("The teacher gave the boy the book.", "The teacher gave the book to the boy.", ""),
    ("The teacher gave the boy the book.", "The boy gave the teacher the book.", "roles"),
    ("Denmark defeated Norway.", "Norway defeated Denmark.", "roles"),
    ("The minister met the ambassador.", "The ambassador met the minister.", ""),
    ("Anna married Boris in 1990.", "Boris married Anna in 1990.", ""),
    # voice
    ("The cat was chased by the dog.", "The dog chased the cat.", ""),
    ("The cat was chased by the dog.", "The cat chased the dog.", "roles"),
    ("The storm destroyed the bridge.", "The bridge was destroyed by the storm.", ""),
    ("The soldiers guarded the prisoners.", "The soldiers were guarded by the prisoners.", "roles"),
    ("The bridge, built by the monks, collapsed.", "The monks built the bridge.", ""),
    # until
    ("The line was not electrified until 1936.", "The line was electrified in 1936.", ""),
    ("The line was not electrified until 1936.", "The line was electrified in 1930.", "date"),
    ("The line was not electrified until 1936.", "The line was never electrified.", "negation"),
    ("The line was not electrified until 1936.", "The line was electrified.", ""),
    ("The line was not electrified until 1936.", "The line was electrified before 1936.", "date"),
    ("The museum did not open until May 2004.", "The museum opened in May 2004.", ""),
    ("The museum did not open before 2004.", "The museum opened in 2003.", "date"),
    ("The road was finished only in 1958.", "The road was finished in 1958.", ""),
    ("The line operated until 1936.", "The line operated after 1936.", "date"),
    # conversives
    ("The railway was sold to the state.", "The state bought the railway.", ""),
    ("The railway was sold to the state.", "The state sold the railway.", "roles"),
    ("The firm sold the mill to the city.", "The city bought the mill from the firm.", ""),
    ("The firm sold the mill to the city.", "The firm bought the mill from the city.", "roles"),
    ("The bank lent the farmer the money.", "The farmer borrowed the money from the bank.", ""),
    ("The bank lent the farmer the money.", "The bank borrowed the money.", "roles"),
    ("The boy received a book from the teacher.", "The teacher gave the boy a book.", ""),
    ("Anna is the mother of Boris.", "Boris is a child of Anna.", ""),
    ("Anna is the mother of Boris.", "Anna is a child of Boris.", "roles"),
    ("The war preceded the famine.", "The famine followed the war.", ""),
    ("The war preceded the famine.", "The famine preceded the war.", "roles"),
    # negation
    ("The council did not approve the plan.", "The council approved the plan.", "negation"),
    ("The council did not approve the plan.", "The plan was not approved by the council.", ""),
    ("The board managed to sell the mill.", "The board sold the mill.", ""),
    ("The board failed to sell the mill.", "The board sold the mill.", "negation"),
    # numbers and dates
    ("The tower is 86 meters high.", "The tower is 68 meters high.", "number"),
    ("The storm killed 25 people.", "The storm killed more than 20 people.", ""),
    ("The storm killed 25 people.", "The storm killed more than 30 people.", "number"),
    ("The treaty was signed on 3 May 1992.", "The treaty was signed in 1992.", ""),
    ("The treaty was signed on 3 May 1992.", "The treaty was signed in June 1992.", "date"),
    ("The mill was sold to the city in 1951.", "The city bought the mill in 1951.", ""),
    ("The mill was sold to the city in 1951.", "The city bought the mill in 1961.", "date"),
    ("The firm built two bridges in 1912.", "Two bridges were built by the firm in 1912.", ""),
]
"""A source, a claim, and in what they differ; nothing where the claim is supported."""


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    reader = open_reader(cache=tmp_path_factory.mktemp("cache") / "analyses.sqlite")
    recognizer = ensue.load("features")

    def check(source, claim):
        (found,) = check_claims(source, claim, recognizer, reader)
        return found

    return check


@pytest.mark.parametrize(("source", "claim", "kind"), CLAIMS)
def test_claim_is_judged_rightly_and_for_its_reason(checked, source, claim, kind):
    found = checked(source, claim)
    assert found.supported == (not kind), found.reason
    if kind:
        assert kind in {each.kind for each in found.support[0].mismatches}


def test_half_of_the_claims_are_supported():
    assert len(CLAIMS) >= 40
    assert sum(not kind for *_, kind in CLAIMS) * 2 == len(CLAIMS)
