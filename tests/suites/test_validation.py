"""A grammar in which something cannot be used is refused, with file, line and element."""

import re

import pytest

from ensue.errors import DataError
from ensue.suites import check_grammar, read_grammar


def refused(written, text):
    path = written(text)
    with pytest.raises(DataError) as caught:
        check_grammar(read_grammar(path))
    return str(caught.value)


def test_unknown_family(written, small_text):
    text = small_text.replace('<Dist constfam="nV" dist="0"/>', '<Dist constfam="nv" dist="0"/>', 1)
    message = refused(written, text)
    assert re.search(r"grammar\.xml:20: <Dist>: no family is called 'nv'", message)
    assert "known are: eVn, nV, nVn, possN, possNpn" in message


def test_distribution_of_the_wrong_length(written, small_text):
    text = small_text.replace('<Dist constfam="nVn" dist="01"/>', '<Dist constfam="nVn" dist="0"/>')
    message = refused(written, text)
    assert "<Dist>: dist of 'read' is of length 1, and the family 'nVn' has 2 <NP>" in message
    assert "(and 2 more: " in message


def test_fill_of_the_wrong_length(written, small_text):
    message = refused(written, small_text.replace(' fill="of"', ""))
    assert "<Dist>: fill of 'read' is of length 0, and the family 'possNpn' has 1 <PP>" in message


def test_type_nobody_realizes(written, small_text):
    empty = small_text.replace('<SemArg id="Event" nominal="yes"/>', '<SemArg id="Event"/>')
    assert "<SemArg>: nobody realizes the type 'Event'" in refused(written, empty)
    missing = small_text.replace('<SemArg id="Event" nominal="yes"/>', "")
    assert "<Set>: nobody realizes the type 'Event' of 'surprise'" in refused(written, missing)


def test_type_that_includes_itself(written, small_text):
    text = small_text.replace('<SemArg id="Document"', '<SemArg id="Document" includes="Speed"')
    text = text.replace('<SemArg id="Speed">', '<SemArg id="Speed" includes="Document">')
    assert "the type 'Document' includes itself" in refused(written, text)


def test_pattern_that_can_never_be_used(written, small_text):
    added = '<Const id="nVP" type="V-A"><NP id="0"/> <Verb/></Const></Grammar>'
    message = refused(written, small_text.replace("</Grammar>", added))
    assert "<Const>: the pattern 'nVP' V-A can never be used" in message
    assert "no <Dist> names its family" in message


def test_predicate_without_the_word_of_a_pattern(written, small_text):
    message = refused(written, small_text.replace("<PPVerb>visited</PPVerb>", ""))
    assert "<Dist>: 'visit' lacks a <PPVerb>, which the pattern V-P at " in message


def test_predicate_without_a_plural(written, small_text):
    message = refused(written, small_text.replace('<Verb number="plural">visit</Verb>', ""))
    assert "<Dist>: 'visit' has no plural, and its subject may be one" in message


def test_manner_without_an_adverb(written, small_text):
    message = refused(written, small_text.replace('<Arg adverb="slowly">', "<Arg>"))
    assert "the manner 'slow' of 'arrive' has no adverb" in message


def test_verb_without_a_subject(written, small_text):
    added = '<Const id="nV" type="V-A">there <Verb/> <NP id="0"/></Const></Grammar>'
    message = refused(written, small_text.replace("</Grammar>", added))
    assert "the verb of 'nV' V-A has no <NP> before it" in message


def test_family_without_a_pattern(written, small_text):
    message = refused(
        written, small_text.replace("</Grammar>", '<Family id="x" name="y"/></Grammar>')
    )
    assert "<Family>: no family is called 'x'" in message
