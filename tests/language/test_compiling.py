"""From WordNet's files to the table, and what may be wrong with either."""

import pytest
from tests.errors import coded

from ensue.errors import DataError, OutputError
from ensue.language import read_lexicon
from ensue.language.lexicon.compiler import main, write_lexicon
from ensue.language.lexicon.lexicon import LICENSE, TABLE


@pytest.fixture
def table(write_wndb, tmp_path):
    """A tiny table that may be damaged."""
    write_lexicon(write_wndb(), tmp_path / "tiny.table")
    return tmp_path / "tiny.table"


def test_words_are_in_lower_case_with_spaces(tiny):
    assert tiny.words(tiny.synset("dog.n.01")) == ("dog", "domestic dog")
    assert tiny.words(tiny.synset("fast.a.01")) == ("fast",)


def test_senses_and_counts_are_kept(tiny):
    assert [tiny.name(i) for i in tiny.synsets("dog", "noun")] == ["dog.n.01", "land.n.01"]
    assert tiny.counts("dog", "noun").tolist() == [2, 0]
    assert tiny.counts("rapid", "adjective").tolist() == [7]


def test_relations_are_kept(tiny):
    assert tiny.hypernyms("rex", "noun") == {
        "dog": 1, "domestic dog": 1, "animal": 2, "beast": 2, "entity": 3
    }  # fmt: skip
    assert tiny.antonyms("walk", "verb") == ("rest",)
    assert [lemma.word for lemma in tiny.derivations("rapid", "adjective")] == ["rapidly"]
    assert [lemma.word for lemma in tiny.derivations("walk", "verb")] == ["cat"]
    assert tiny.holonyms("town") == {"land": 1, "dog": 1}
    assert tiny.instances("animal") == ("rex",)
    assert tiny.lemmas("kine", "noun") == ("cat", "animal")


@pytest.mark.parametrize(
    ("original", "other", "pos", "expected"),
    [
        ("rex", "animal", "noun", True),
        ("animal", "rex", "noun", False),
        ("town", "land", "noun", True),
        ("land", "town", "noun", False),
        ("paw", "puppy", "noun", False),
        ("paw", "domestic dog", "noun", False),  # it is part of a dog, but no place
        ("limp", "move", "verb", True),
        ("snore", "sleep", "verb", True),
        ("snore", "rest", "verb", True),
        ("rest", "sleep", "verb", True),
        ("sleep", "snore", "verb", False),
        ("rapid", "fast", "adjective", True),
        ("rapid", "hasty", "adjective", False),  # both are near fast; one step is all
    ],
)
def test_generality_follows_its_relations(tiny, original, other, pos, expected):
    assert tiny.says_no_more(original, other, pos) is expected


def test_compiling_twice_makes_the_same_bytes(table, write_wndb, tmp_path):
    write_lexicon(write_wndb(), tmp_path / "again.table")
    assert table.read_bytes() == (tmp_path / "again.table").read_bytes()


def test_a_table_that_is_compiled_again_stays_as_it_is_for_those_who_have_it(
    table, write_wndb, tmp_path
):
    before = read_lexicon(table)
    write_lexicon(write_wndb(noun_exc="", verb_exc="went walk\n"), table)
    assert before.lemmas("kine", "noun") == ("cat", "animal")
    assert read_lexicon(table).lemmas("kine", "noun") == ()


@pytest.mark.slow
def test_the_shipped_table_is_what_wordnets_files_make(wndb, uncollected, tmp_path):
    write_lexicon(wndb, tmp_path / "wordnet.table")
    assert (tmp_path / "wordnet.table").read_bytes() == TABLE.read_bytes()
    assert (tmp_path / LICENSE).read_bytes() == TABLE.with_name(LICENSE).read_bytes()


def test_command_writes_the_table_and_the_license(write_wndb, tmp_path, capsys):
    file = tmp_path / "made.table"
    assert main([str(write_wndb()), "-o", str(file)]) == 0
    assert f"wrote {file}" in capsys.readouterr().err
    assert read_lexicon(file).table.about == {"source": "WordNet", "version": "3.0"}
    assert (tmp_path / LICENSE).read_text() == (
        "You may use this tiny WordNet.\nWordNet 3.0 Copyright 2006 by nobody.\n"
    )


def test_command_says_which_file_is_missing(write_wndb, tmp_path, capsys):
    (write_wndb() / "verb.exc").unlink()
    assert main([str(tmp_path), "-o", str(tmp_path / "made.table")]) == 3
    shown = capsys.readouterr().err
    assert "cannot read WordNet's file 'verb.exc': No such file or directory" in shown
    assert "hint: name a directory with data.*" in shown


def test_a_table_that_cannot_be_written_is_an_error(write_wndb, tmp_path):
    with pytest.raises(OutputError, match="cannot write the table: No such file or directory"):
        write_lexicon(write_wndb(), tmp_path / "nowhere" / "made.table")


NOUN = "00000001 03 n 01 entity 0 000 | all\n"
ADVERB = "00000001 02 r 01 rapidly 0 000 | rapidly\n"
LONELY = "00000001 00 s 01 fast 0 000 | near nothing\n"
CIRCLE = """\
00000001 03 n 01 entity 0 001 @ 00000002 n 0000 | all
00000002 03 n 01 thing 0 001 @ 00000001 n 0000 | all
"""


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"data_adv": "00000001 02 r 02 rapidly\n"},
            "data.adv:3: not a line of a WordNet database",
        ),
        ({"data_adv": "00000001 02 r 01 rapidly 0 x | y\n"}, "hint: the format is described"),
        ({"index_adv": "rapidly r 2 0 2 0 00000001\n"}, "2 synsets are announced, 1 are there"),
        ({"index_adv": "rapidly r 1 0 1 0 00000009\n"}, "a synset at 9 that is no adverb"),
        (
            {"index_adv": "", "data_adv": ADVERB},
            "'rapidly' is in the synset at 1, but not in the index",
        ),
        (
            {"index_adv": "rapidly r 1 0 1 0 00000001\nfastly r 1 0 1 0 00000001\n"},
            "words, the index has",
        ),
        (
            {"data_adv": "00000001 02 r 01 rapidly 0 001 \\ 00000002 a 0109 | x\n"},
            "hint: pertainym",
        ),
        (
            {"data_adv": "00000001 02 r 01 rapidly 0 001 \\ 00000002 a 0001 | x\n"},
            "points from or to",
        ),
        (
            {"data_adj": LONELY, "index_adj": "fast a 1 0 1 0 00000001\n", "data_adv": ADVERB},
            "at 1 is near no adjective",
        ),
        ({"cntlist_rev": "dog%1:05:00:: 1 65536\n"}, "65536 of a kind are more than"),
        ({"data_adv": ADVERB.replace(" r ", " x ")}, "'x' is no part of speech"),
        ({"cntlist_rev": "dog%1:05:00::\n"}, "cntlist.rev:1"),
        ({"noun_exc": "\n"}, None),
    ],
)
def test_files_that_make_no_sense_are_an_error(write_wndb, tmp_path, changes, message):
    directory = write_wndb(**changes)
    if message is None:
        write_lexicon(directory, tmp_path / "made.table")
        return
    with pytest.raises(DataError) as raised:
        write_lexicon(directory, tmp_path / "made.table")
    assert message in str(raised.value)


def test_hypernyms_in_a_circle_are_an_error(write_wndb, tmp_path):
    index = "entity n 1 0 1 0 00000001\nthing n 1 0 1 0 00000002\n"
    directory = write_wndb(
        data_noun=CIRCLE, index_noun=index, data_adv="", index_adv="", cntlist_rev=""
    )
    with pytest.raises(DataError, check=coded("hypernyms-run-circle")):
        write_lexicon(directory, tmp_path / "made.table")


def test_a_database_without_a_notice_is_an_error(write_wndb, tmp_path):
    directory = write_wndb()
    (directory / "data.noun").write_text(NOUN)
    with pytest.raises(DataError, check=coded("no-copyright-notice-head")):
        write_lexicon(directory, tmp_path / "made.table")


def test_a_file_that_is_not_text_is_an_error(write_wndb, tmp_path):
    directory = write_wndb()
    (directory / "noun.exc").write_bytes(b"\xff\n")
    with pytest.raises(DataError, match=r"noun.exc: not UTF-8"):
        write_lexicon(directory, tmp_path / "made.table")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data[:-1], "its checksum is another"),
        (lambda data: data[:-9] + b"?" + data[-8:], "its checksum is another"),
        (lambda data: b"X" + data[1:], "it does not begin with 'ENSUELX2'"),
        (lambda data: data[:12], "the table is damaged"),
        (lambda data: data[:20], "the table is damaged"),
        (lambda data: data[:16] + b"[" + data[17:], "the table is damaged"),
        (lambda data: data.replace(b'"sections"', b'"elections"'), "its checksum is another"),
        (lambda data: data.replace(b"senses.rank", b"senses.sank"), "its checksum is another"),
        (lambda data: b"", "cannot map the table"),
    ],
)
def test_a_damaged_table_is_an_error(table, damage, message):
    table.write_bytes(damage(table.read_bytes()))
    with pytest.raises(DataError) as raised:
        read_lexicon(table)
    assert message in str(raised.value)
    assert "hint: compile it again: python -m ensue.language.lexicon" in str(raised.value)


def test_a_table_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(DataError, match="cannot map the table: No such file"):
        read_lexicon(tmp_path / "none.table")
