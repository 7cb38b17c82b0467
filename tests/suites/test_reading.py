"""Grammars are read as the paper prints them, and every mistake has its place."""

import pytest
from tests.errors import coded

from ensue.errors import DataError
from ensue.suites import phrases, read_grammar
from ensue.suites.grammar import Category, Number, PhraseKind, PieceKind, SentenceTense, Voice


def test_snippets_of_the_paper_load_as_they_stand(paper_files):
    grammar = read_grammar(paper_files[0])
    active, passive, relative = grammar.patterns["nVnPn"]
    assert (active.category, active.voice, active.constructs) == (
        Category.VERB,
        Voice.ACTIVE,
        (),
    )
    assert (passive.voice, passive.constructs) == (Voice.PASSIVE, ("PP0",))
    assert (relative.constructs, relative.head) == (("R", "PP0"), 0)
    assert relative.pieces[-1].word == ","
    assert relative.pieces[-1].glued
    send = grammar.predicates["send"]
    assert send.roles == {"0": "Person", "1": "Object", "2": "Person"}
    assert [each.family for each in send.distributions] == ["possNpn", "nVn", "nVnPn"]
    assert grammar.subcategorization(send) == "nVnPn"


@pytest.mark.parametrize(
    "phrase",
    [
        "John sends a book",
        "John sends a book to Mary",
        "The man who sends a book to Mary",
        "John's sending of a book",
    ],
)
def test_phrases_of_the_paper_are_generated(paper, phrase):
    # examples (2a) to (2d)
    assert phrase in set(phrases(paper, "send"))


def test_phrases_have_each_argument_once(paper):
    # nVnPn has 6·5 persons in order times 3 objects in 3 patterns; nVn and possNpn 6·3 each
    assert len(list(phrases(paper, "send"))) == 3 * 6 * 5 * 3 + 2 * 6 * 3


def test_articles_are_small_in_the_middle_of_a_sentence(paper):
    assert "John sends a book to the man" in set(phrases(paper, "send"))


def test_phrase_kinds(small):
    kinds = {phrase.text: phrase.kind for phrase in small.grammar.phrases("Person")}
    assert kinds["John"] is PhraseKind.NAME
    assert kinds["the nurse"] is PhraseKind.DEFINITE
    assert kinds["a teacher"] is PhraseKind.INDEFINITE


def test_names_need_no_capitals_where_there_are_none(written):
    grammar = read_grammar(
        written('<SemArgs><SemArg id="A"><Arg>李明</Arg><Arg>milk</Arg></SemArg></SemArgs>')
    )
    name, mass = grammar.phrases("A")
    assert (name.kind, mass.kind) == (PhraseKind.NAME, PhraseKind.DEFINITE)


def test_verbs_have_tense_and_number(small):
    verbs = small.grammar.predicates["arrive"].verbs
    assert verbs[SentenceTense.PRESENT, Number.PLURAL] == "arrive"
    assert verbs[SentenceTense.PAST, Number.PLURAL] == "arrived"


def test_possessive_sticks_to_what_is_before_it(small):
    (pattern,) = small.grammar.patterns["possN"]
    assert [(piece.kind, piece.glued) for piece in pattern.pieces[:2]] == [
        (PieceKind.ARGUMENT, False),
        (PieceKind.WORD, True),
    ]


def test_types_include_others(written):
    grammar = read_grammar(
        written(
            '<SemArgs><SemArg id="A" includes="B"><Arg>a pen</Arg></SemArg>'
            '<SemArg id="B"><Arg>a cup</Arg></SemArg></SemArgs>'
        )
    )
    assert [phrase.text for phrase in grammar.phrases("A")] == ["a pen", "a cup"]


def test_several_files_make_one_grammar(paper_files):
    grammar = read_grammar(*paper_files)
    assert grammar.name == "paper.xml+families.xml"
    assert set(grammar.patterns) == {"nVnPn", "nVn", "possNpn"}
    assert grammar.digest != read_grammar(paper_files[0]).digest


WRONG = {
    "<Grammar>\n<Const id='a' type='V-A'><NP id='0'/> <Vreb/></Const></Grammar>": (
        ":2: <Const>: no element 'Vreb' belongs here",
        "did you mean 'Verb'?",
    ),
    "<Grammar>\n<Const id='a' typ='V-A'/></Grammar>": (
        ":2: <Const>: no attribute 'typ' belongs here",
        "did you mean 'type'?",
    ),
    "<Const type='V-A'><NP id='0'/> <Verb/></Const>": (":1: <Const>: has no attribute 'id'", None),
    "<Const id='a' type='X-A'><NP id='0'/> <Verb/></Const>": (
        ":1: <Const>: the type 'X-A' makes no sense",
        None,
    ),
    "<Const id='a' type='V'><NP id='0'/> <Verb/></Const>": (
        ":1: <Const>: the type 'V' needs one voice",
        None,
    ),
    "<Const id='a' type='N-A'><NP id='0'/> <Noun/></Const>": (
        ":1: <Const>: the type 'N-A' needs no voice",
        None,
    ),
    "<Const id='a' type='V-A'/>": (":1: <Const>: the pattern is empty", None),
    "<Const id='a' type='V-A'><NP id='0'/></Const>": (
        ":1: <Const>: a V pattern has <Verb/> or <PPVerb/> once",
        None,
    ),
    "<Const id='a' type='V-A'><NP id='0'/> <Verb/> <NP id='0'/></Const>": (
        ":1: <Const>: an <NP> is there twice",
        None,
    ),
    "<Const id='a' type='V-A'><NP id='x'/> <Verb/></Const>": (
        ":1: <NP>: id='x' is no id",
        "a digit from 0 to 9",
    ),
    "<Const id='a' type='V-R1-A' relPro='1'><NP id='0'/> who <Verb/> <NP id='1'/></Const>": (
        ':1: <Const>: <NP id="1"/> is not its first element',
        None,
    ),
    "<Const id='a' type='V-A'><NP id='0'/> <RelPro/> <Verb/></Const>": (
        ":1: <Const>: <RelPro/> needs the attribute relPro",
        None,
    ),
    "<Set pred='go'><Parts/></Set>": (":1: <Set>: has 0 <Dists>", None),
    "<Set pred='go'>\n<Parts><Verb/></Parts><Dists/></Set>": (":2: <Verb>: is empty", None),
    "<Set pred='go'><Parts><Arg n='00' id='A'/></Parts><Dists/></Set>": (
        ":1: <Arg>: '00' is no role",
        None,
    ),
    "<Set pred='go'><Parts/><Dists>\n<Dist constfam='a' dist='0'/></Dists></Set>": (
        ":2: <Dist>: 'go' has no role '0'",
        None,
    ),
    "<Set pred='go' symmetric='01'><Parts/><Dists/></Set>": (
        ":1: <Set>: symmetric='01' does not name two roles",
        None,
    ),
    "<Set pred='go'><Parts/><Dists/></Set>\n<Set pred='go'><Parts/><Dists/></Set>": (
        ":2: the predicate 'go' is there twice",
        None,
    ),
    "<SemArgs><SemArg id='A' human='maybe'/></SemArgs>": (
        ":1: <SemArg>: human='maybe' makes no sense",
        "yes or no",
    ),
    "<pairs/>": (":1: <pairs>: this is no grammar", None),
}


@pytest.mark.parametrize("text", WRONG)
def test_mistakes_have_their_place(written, text):
    message, hint = WRONG[text]
    path = written(text)
    with pytest.raises(DataError) as caught:
        read_grammar(path)
    assert f"{caught.value}".startswith(f"{path}{message}")
    assert hint is None or caught.value.hint == hint


def test_grammar_cut_off_in_the_middle(written, small_text):
    path = written(small_text[: len(small_text) // 2])
    with pytest.raises(DataError, match=r"grammar\.xml:\d+: .*the XML ends in the middle"):
        read_grammar(path)


def test_fragment_cut_off_in_the_middle(written, paper_files):
    text = paper_files[0].read_text("utf-8")
    with pytest.raises(DataError, match=r"grammar\.xml:\d+: "):
        read_grammar(written(text[: len(text) // 2]))


def test_empty_grammar(written):
    with pytest.raises(DataError, check=coded("file-empty")):
        read_grammar(written(""))
