"""Places, persons and other names."""

import pytest

ON = [
    ("compatibility.place-match", "Anna lives in Paris.", "Anna lives in France."),
    ("compatibility.place-match", "Anna lives in Paris.", "Anna lives in Paris."),
    (
        "compatibility.place-match",
        "The fair takes place in Berlin.",
        "The fair takes place in Germany.",
    ),
    ("compatibility.place-match", "Boris flew to New York.", "Boris went to New York."),
    ("compatibility.place-mismatch", "Anna lives in Paris.", "Anna lives in London."),
    (
        "compatibility.place-mismatch",
        "The fair takes place in Berlin.",
        "The fair takes place in Chicago.",
    ),
    ("compatibility.place-mismatch", "Boris flew to Spain.", "Boris flew to Brazil."),
    ("compatibility.place-mismatch", "Anna was born in Italy.", "Anna was born in Russia."),
    ("compatibility.person-mismatch", "Anna Bell met Boris Stone.", "Anna Bell met Clara Wood."),
    ("compatibility.person-mismatch", "Barack Obama visited Paris.", "George Bush visited Paris."),
    (
        "compatibility.person-mismatch",
        "Albert Einstein wrote the letter.",
        "Isaac Newton wrote the letter.",
    ),
    (
        "compatibility.person-mismatch",
        "The prize went to Marie Curie.",
        "The prize went to Charles Darwin.",
    ),
    ("compatibility.name-mismatch", "Anna works for Siemens.", "Anna works for Toyota."),
    ("compatibility.name-mismatch", "Microsoft sold the company.", "Google sold the company."),
    ("compatibility.name-mismatch", "The Senate rejected the law.", "NATO rejected the law."),
    ("compatibility.name-mismatch", "Boris works for the BBC.", "Boris works for CNN."),
]

OFF = [
    ("compatibility.place-match", "Anna lives in Paris.", "Anna lives in London."),
    ("compatibility.place-match", "Anna lives in France.", "Anna lives in Paris."),
    ("compatibility.place-match", "Anna met Boris.", "Anna met Boris."),
    ("compatibility.place-mismatch", "Anna lives in Paris.", "Anna lives in France."),
    ("compatibility.place-mismatch", "Anna lives abroad.", "Anna lives in London."),
    ("compatibility.place-mismatch", "Anna lives in London.", "Anna lives in London."),
    ("compatibility.person-mismatch", "Barack Obama visited Paris.", "Obama visited Paris."),
    ("compatibility.person-mismatch", "The president visited Paris.", "George Bush visited Paris."),
    (
        "compatibility.person-mismatch",
        "Barack Obama visited Paris.",
        "Barack Obama visited London.",
    ),
    ("compatibility.name-mismatch", "Anna works for Siemens.", "Anna works for Siemens."),
    ("compatibility.name-mismatch", "Anna works for a bank.", "Anna works for Toyota."),
    ("compatibility.name-mismatch", "Anna lives in Paris.", "Anna lives in London."),
]


@pytest.mark.parametrize(("name", "text", "hypothesis"), ON)
def test_compatibility_switches_on(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 1


@pytest.mark.parametrize(("name", "text", "hypothesis"), OFF)
def test_compatibility_stays_off_at_a_near_miss(value, name, text, hypothesis):
    assert value(name, text, hypothesis) == 0


def test_compatibility_is_tried_often_enough(untried):
    assert untried("compatibility", ON, OFF) == []
