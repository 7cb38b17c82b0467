"""How verbs are used: sentence frames, and objects that become subjects."""

import numpy as np
import pytest

from ensue.errors import DataError, SettingError
from ensue.language import read_lexicon
from ensue.language.lexicon.compiler import write_lexicon
from ensue.language.lexicon.derivation import common
from ensue.language.lexicon.vocabulary import read_table, write_table

VERBS = """\
00000001 38 v 02 move 0 go 0 000 02 + 01 00 + 08 02 | both words; only the second with an object
00000002 38 v 01 go 1 000 01 + 22 01 | go
"""
INDEX = "move v 1 0 1 0 00000001\ngo v 2 0 1 0 00000001 00000002\n"
REST = {"data_noun": "00000001 03 n 01 cat 0 000 | x\n", "index_noun": "cat n 1 0 1 0 00000001\n"}


@pytest.fixture
def compile_verbs(write_wndb, tmp_path):
    def compiled(verbs, index=INDEX):
        directory = write_wndb(data_verb=verbs, index_verb=index, cntlist_rev="", **REST)
        write_lexicon(directory, tmp_path / "verbs.table")
        return read_lexicon(tmp_path / "verbs.table")

    return compiled


def test_frames_are_of_the_synset_or_of_one_word(compile_verbs):
    made = compile_verbs(VERBS)
    assert made.frames("move") == {1}
    assert made.frames("go") == {1, 8, 22}


def test_frames_may_be_of_the_first_senses_alone(compile_verbs):
    assert compile_verbs(VERBS).frames("go", senses=1) == {1, 8}


def test_frames_are_those_of_the_base_form(lexicon):
    assert lexicon.frames("Boiled") == lexicon.frames("boil") == {1, 2, 8, 11, 22}


def test_frames_of_an_unknown_verb_are_none(lexicon):
    assert lexicon.frames("xyzzy") == frozenset()


def test_frames_of_no_senses_are_an_error(lexicon):
    with pytest.raises(SettingError, match="the first 0 senses make no sense"):
        lexicon.frames("go", senses=0)


@pytest.mark.parametrize(
    "frames",
    ["", "02 + 01 00", "01 + 01", "01 - 01 00", "01 + 36 00", "01 + 00 00", "01 + 01 03", "x"],
)
def test_frames_that_make_no_sense_are_an_error(compile_verbs, frames):
    with pytest.raises(DataError, match=r"data.verb:3: not a line of a WordNet database"):
        compile_verbs(f"00000001 38 v 02 move 0 go 0 000 {frames} | move\n")


def test_a_table_without_frames_is_an_older_one(write_wndb, tmp_path):
    file = tmp_path / "old.table"
    write_lexicon(write_wndb(), file)
    table = read_table(file)
    arrays = {name: each for name, each in table.arrays.items() if not name.startswith("frames.")}
    write_table(file, table.about, arrays)
    with pytest.raises(DataError) as raised:
        read_lexicon(file)
    assert "the table is older than the lexicon: it has no 'frames.senses'" in str(raised.value)
    assert "hint: compile it again" in str(raised.value)


def test_common_senses_are_a_tenth_as_frequent_as_the_first():
    # one more is added to each count: 30, then 30 / 10 = 3 is enough
    assert common(np.array([29, 2, 1])) == [True, True, False]


@pytest.mark.parametrize(
    "verb",
    [
        "boil",
        "freeze",
        "melt",
        "break",
        "open",
        "close",
        "sink",
        "dry",
        "burn",
        "grow",
        "bend",
        "shatter",
        "tear",
        "ring",
        "explode",
        "cool",
        "thicken",
        "widen",
        "move",
        "shrink",
        "swing",
        "rotate",
        "ripen",
        "harden",
    ],
)
def test_verb_alternates(lexicon, verb):
    assert lexicon.alternates(verb)


@pytest.mark.parametrize(
    "verb",
    [
        "eat",
        "read",
        "write",
        "sing",
        "paint",
        "watch",
        "hear",
        "kick",
        "hit",
        "build",
        "buy",
        "sell",
        "teach",
        "visit",
        "wear",
        "discuss",
        "photograph",
        "climb",
        "sew",
        "clean",
        "sweep",
        "kill",
        "destroy",
        "wash",
        "push",
        "carry",
        "like",
        "run",
        "dance",
        "laugh",
        "jump",
        "xyzzy",
    ],
)
def test_verb_does_not_alternate(lexicon, verb):
    assert not lexicon.alternates(verb)


def test_alternation_is_that_of_one_lemma(lexicon):
    # to fell makes fall, and "fell" is a form of both; but neither has both uses
    assert not lexicon.alternates("fell")
