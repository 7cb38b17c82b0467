"""Grammars that are not like ours: roles with gaps, few forms of a verb, shared families, odd words."""

import pytest

from ensue.errors import DataError, SettingError, UnknownNameError
from ensue.pairs import Label
from ensue.suites import (
    NearMiss,
    SentenceTense,
    SuiteSettings,
    check_grammar,
    make_repertoire,
    phrases,
    read_grammar,
    suite_generators,
)

TRANSITIVE = """
<Const id="nVn" type="V-A"><NP id="0"/> <Verb/> <NP id="1"/></Const>
<Const id="nVn" type="V-P"><NP id="1"/> <Be/> <PPVerb/> by <NP id="0"/></Const>
<Const id="nVn" type="V-P"><NP id="1"/> <Be/> <PPVerb/></Const>
"""
STRINGS = """
<SemArgs>
  <SemArg id="Person" human="yes">
    <Arg>John</Arg> <Arg>Mary</Arg> <Arg>Tom</Arg> <Arg>the pilot</Arg> <Arg>the nurse</Arg>
  </SemArg>
  <SemArg id="Thing"> <Arg>a fork</Arg> <Arg>the car</Arg> <Arg>the radio</Arg> </SemArg>
</SemArgs>
"""


def a_set(name, roles, dist, *, verbs="", participle="seen", attributes=""):
    arguments = "".join(f'<Arg n="{n}" id="{kind}"/>' for n, kind in roles.items())
    return f"""
<Set pred="{name}" {attributes}>
  <Parts>{verbs or f"<Verb>{name}s</Verb>"} <PPVerb>{participle}</PPVerb> {arguments}</Parts>
  <Dists><Dist constfam="nVn" dist="{dist}"/></Dists>
</Set>"""


SEE = a_set("see", {"0": "Person", "1": "Thing"}, "01")


class SomeWords:
    """A dictionary that knows two things."""

    def is_as_general(self, first, second, pos):
        known = {("car", "vehicle"), ("whisper", "say")}
        return [pair in known for pair in zip(first, second, strict=True)]


@pytest.fixture
def ready(written, unread):
    """Makes a grammar of these parts ready."""

    def make(*parts, dictionary=unread):
        grammar = read_grammar(written("<Grammar>" + "".join(parts) + "</Grammar>"))
        check_grammar(grammar)
        return make_repertoire(grammar, dictionary)

    return make


def cases_of(repertoire, size=300, **settings):
    ((_, _, generator),) = suite_generators(
        repertoire, SuiteSettings(size=size, **settings), n_suites=1, seed=7
    )
    return list(generator.cases())


def test_predicates_are_exchanged_role_by_role(ready):
    send = a_set("send", {"0": "Person", "1": "Person", "2": "Thing"}, "02", participle="sent")
    see = a_set("see", {"0": "Person", "2": "Thing"}, "02")
    cases = cases_of(
        ready(TRANSITIVE, send, see, STRINGS),
        near_misses=(NearMiss.PREDICATE_EXCHANGED,),
        clauses=1,
    )
    assert len(cases) > 50
    for case in cases:
        (text,), (hypothesis,) = case.meta["events"]["text"], case.meta["events"]["hypothesis"]
        assert "2" in hypothesis["roles"]
        assert hypothesis["roles"].items() <= text["roles"].items()


def test_events_fill_only_roles_that_take_them(ready):
    nominal = """
<Const id="nV" type="V-A"><NP id="0"/> <Verb/></Const>
<Const id="possN" type="N-Poss"><NP id="0"/>'s <Noun/></Const>
<Set pred="arrive">
  <Parts> <Verb>arrives</Verb> <Noun>arrival</Noun> <Arg n="0" id="Person"/> </Parts>
  <Dists> <Dist constfam="nV" dist="0"/> <Dist constfam="possN" dist="0"/> </Dists>
</Set>
<SemArgs><SemArg id="Event" nominal="yes"/></SemArgs>"""
    surprise = a_set("surprise", {"0": "Event", "1": "Person"}, "01", participle="surprised")
    hit = a_set("hit", {"0": "Person", "1": "Person"}, "01", participle="hit")
    cases = cases_of(ready(TRANSITIVE, nominal, surprise, hit, STRINGS), clauses=2)
    events = [event for case in cases for event in case.meta["events"]["hypothesis"]]
    assert any(isinstance(event["roles"].get("0"), int) for event in events)
    assert not any(
        isinstance(filler, int)
        for event in events
        if event["predicate"] == "hit"
        for filler in event["roles"].values()
    )


def is_said(case, *, more_general):
    """Whether the text says each event of the hypothesis, in the same or more general words."""

    def says(text, hypothesis):
        return text == hypothesis or (text, hypothesis) in more_general

    return all(
        any(
            says(outer["predicate"], inner["predicate"])
            and all(
                role in outer["roles"] and says(outer["roles"][role], filler)
                for role, filler in inner["roles"].items()
            )
            for outer in case.meta["events"]["text"]
        )
        for inner in case.meta["events"]["hypothesis"]
    )


@pytest.mark.parametrize("attributes", ["", 'implies="say"'])
def test_no_near_miss_is_said_elsewhere_in_the_text_in_other_words(ready, attributes):
    # "the car was seen, and the vehicle was whispered" says that the vehicle was seen
    roles = {"0": "Person", "1": "Thing"}
    whisper = "shout" if attributes else "whisper"
    repertoire = ready(
        TRANSITIVE,
        a_set(whisper, roles, "01", participle="whispered", attributes=attributes),
        a_set("say", roles, "01", participle="said"),
        SEE,
        STRINGS.replace("the radio", "the vehicle").replace("a fork", "the fork"),
        dictionary=SomeWords(),
    )
    cases = cases_of(repertoire, size=2000)
    more_general = {("the car", "the vehicle"), (whisper, "say")}
    for case in cases:
        is_yes = case.gold is Label.ENTAILMENT
        assert is_said(case, more_general=more_general) == is_yes, (case.text, case.hypothesis)


def test_verb_with_plural_forms_only(ready):
    repertoire = ready(
        '<Const id="gV" type="V-A"><NP id="0"/> <Verb/></Const>',
        '<Set pred="meet"><Parts><Verb number="plural">meet</Verb>',
        '<Verb tense="past" number="plural">met</Verb><Arg n="0" id="Group"/></Parts>',
        '<Dists><Dist constfam="gV" dist="0"/></Dists></Set>',
        '<SemArgs><SemArg id="Group"><Arg number="plural">the guests</Arg></SemArg></SemArgs>',
    )
    assert list(phrases(repertoire, "meet")) == ["The guests meet"]
    assert list(phrases(repertoire, "meet", SentenceTense.PAST)) == ["The guests met"]


def test_verb_lacks_the_singular_of_a_subject(ready):
    verbs = '<Verb number="plural">see</Verb>'
    with pytest.raises(DataError, match="'see' has no singular, and its subject may be one"):
        ready(TRANSITIVE, a_set("see", {"0": "Person", "1": "Thing"}, "01", verbs=verbs), STRINGS)


def test_past_alone_is_enough_for_a_plural_subject(ready):
    verbs = '<Verb tense="past">saw</Verb>'
    strings = STRINGS.replace("<Arg>Tom</Arg>", '<Arg number="plural">the guests</Arg>')
    repertoire = ready(
        TRANSITIVE, a_set("see", {"0": "Person", "1": "Thing"}, "01", verbs=verbs), strings
    )
    assert "The guests saw a fork" in set(phrases(repertoire, "see"))
    assert {case.meta["tense"] for case in cases_of(repertoire)} == {"past"}
    with pytest.raises(SettingError, match="no sentence can be made in the present"):
        cases_of(repertoire, tenses=(SentenceTense.PRESENT,))
    with pytest.raises(UnknownNameError, match="no tense of 'see' is called 'present'"):
        next(phrases(repertoire, "see", SentenceTense.PRESENT))


def test_predicate_without_a_finite_verb_has_every_tense(ready):
    repertoire = ready(
        TRANSITIVE,
        '<Const id="nB" type="V-P"><NP id="0"/> <Be/> <PPVerb/></Const>',
        '<Set pred="bear"><Parts><PPVerb>born</PPVerb><Arg n="0" id="Person"/></Parts>',
        '<Dists><Dist constfam="nB" dist="0"/></Dists></Set>',
        SEE,
        STRINGS,
    )
    assert repertoire.tenses == {SentenceTense.PRESENT}
    assert "John is born" in set(phrases(repertoire, "bear"))


def test_phrases_of_an_unknown_predicate(small):
    with pytest.raises(UnknownNameError, match="no predicate is called 'raed'"):
        next(phrases(small, "raed"))


@pytest.mark.parametrize("stuck", ["'s dog", ", alas,"])
def test_an_argument_with_something_stuck_to_it_is_neither_left_out_nor_modified(ready, stuck):
    roles = {"0": "Person", "1": "Person"}
    repertoire = ready(
        f'<Const id="nVn" type="V-A"><NP id="0"/>{stuck} <Verb/> <NP id="1"/></Const>',
        '<Const id="nVn" type="V-R0-A" relPro="0"><NP id="0"/> <RelPro/> <Verb/> <NP id="1"/></Const>',
        a_set("see", roles, "01"),
        a_set("hit", roles, "01"),
        STRINGS,
    )
    for case in cases_of(repertoire):
        for side, said in (("text", case.text), ("hypothesis", case.hypothesis)):
            for event in case.meta["events"][side]:
                assert all(f.lower() in said.lower() for f in event["roles"].values()), said


def test_one_string_is_not_two_things(ready):
    strings = STRINGS.replace("</SemArgs>", "")
    animals = '<SemArg id="Animal"><Arg>the cat</Arg> <Arg>the pilot</Arg></SemArg></SemArgs>'
    message = "'the pilot' of the type 'Animal' is something else in 'Person'"
    with pytest.raises(DataError, match=message):
        ready(TRANSITIVE, SEE, strings, animals)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "<Verb>sees</Verb>",
            "<Verb>sees</Verb><Verb>looks</Verb>",
            "<Verb>: the singular of the present",
        ),
        (
            '<Arg n="1" id="Thing"/>',
            '<Arg n="1" id="Thing"/><Arg n="1" id="Person"/>',
            "<Arg>: the role '1'",
        ),
    ],
)
def test_what_is_there_twice_in_parts_is_refused(ready, old, new, message):
    with pytest.raises(DataError, match=f"{message} is there twice"):
        ready(TRANSITIVE, SEE.replace(old, new), STRINGS)


def test_another_document_is_no_grammar(written):
    path = written('<entailment-corpus><pair id="1"/></entailment-corpus>')
    with pytest.raises(DataError, match="<entailment-corpus>: this is no grammar"):
        read_grammar(path)
