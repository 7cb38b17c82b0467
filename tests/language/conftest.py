"""Fixtures: the shipped lexicon, a tiny one, and WordNet's own files with NLTK over them."""

import gc
import os
import shutil
import warnings
from pathlib import Path

import pytest

from ensue.language import load_lexicon, read_lexicon
from ensue.language.lexicon.compiler import write_lexicon

LEXICOGRAPHER_FILES = [
    "adj.all",
    "adj.pert",
    "adv.all",
    "noun.Tops",
    "noun.act",
    "noun.animal",
    "noun.artifact",
    "noun.attribute",
    "noun.body",
    "noun.cognition",
    "noun.communication",
    "noun.event",
    "noun.feeling",
    "noun.food",
    "noun.group",
    "noun.location",
    "noun.motive",
    "noun.object",
    "noun.person",
    "noun.phenomenon",
    "noun.plant",
    "noun.possession",
    "noun.process",
    "noun.quantity",
    "noun.relation",
    "noun.shape",
    "noun.state",
    "noun.substance",
    "noun.time",
    "verb.body",
    "verb.change",
    "verb.cognition",
    "verb.communication",
    "verb.competition",
    "verb.consumption",
    "verb.contact",
    "verb.creation",
    "verb.emotion",
    "verb.motion",
    "verb.perception",
    "verb.possession",
    "verb.social",
    "verb.stative",
    "verb.weather",
    "adj.ppl",
]

NOTICE = "  1 You may use this tiny WordNet.  \n  2 WordNet 3.0 Copyright 2006 by nobody.  \n"

TINY = {
    # entity ─ animal ┬ dog (twice in the texts) ─ puppy
    #                 └ cat (once), which is also a pet;  entity ─ pet;  Rex is a dog
    "data.noun": """\
00000001 03 n 01 entity 0 000 | all
00000002 05 n 02 animal 0 beast 0 001 @ 00000001 n 0000 | moves
00000003 05 n 02 dog 0 Domestic_Dog 0 001 @ 00000002 n 0000 | barks
00000004 05 n 01 puppy 0 001 @ 00000003 n 0000 | young
00000005 05 n 01 cat 0 003 @ 00000002 n 0000 @ 00000006 n 0000 + 00000002 v 0101 | purrs
00000006 05 n 01 pet 0 001 @ 00000001 n 0000 | at home
00000007 05 n 01 Rex 0 001 @i 00000003 n 0000 | a dog
00000008 15 n 01 Town 0 002 @i 00000001 n 0000 #p 00000009 n 0000 | a place
00000009 15 n 02 Land 0 dog 1 001 @i 00000001 n 0000 | a place, and the second sense of dog
00000010 08 n 01 paw 0 002 @ 00000001 n 0000 #p 00000003 n 0000 | no place
""",
    "index.noun": """\
entity n 1 0 1 0 00000001
animal n 1 0 1 0 00000002
beast n 1 0 1 0 00000002
dog n 2 1 @ 2 1 00000003 00000009
domestic_dog n 1 0 1 0 00000003
puppy n 1 0 1 0 00000004
cat n 1 0 1 0 00000005
pet n 1 0 1 0 00000006
rex n 1 0 1 0 00000007
town n 1 0 1 0 00000008
land n 1 0 1 0 00000009
paw n 1 0 1 0 00000010
""",
    # move ─ walk ─ limp;  rest ─ sleep;  snore entails sleep
    "data.verb": """\
00000001 38 v 01 move 0 000 01 + 02 00 | move
00000002 38 v 01 walk 0 002 @ 00000001 v 0000 ! 00000004 v 0101 01 + 02 00 | walk
00000003 38 v 01 limp 0 001 @ 00000002 v 0000 00 | limp
00000004 29 v 01 rest 0 002 ! 00000002 v 0101 > 00000005 v 0000 00 | rest
00000005 29 v 01 sleep 0 001 @ 00000004 v 0000 00 | sleep
00000006 29 v 01 snore 0 001 * 00000005 v 0000 00 | snore
""",
    "index.verb": "".join(
        f"{word} v 1 0 1 0 {number:08}\n"
        for number, word in enumerate(["move", "walk", "limp", "rest", "sleep", "snore"], 1)
    ),
    "data.adj": """\
00000001 00 a 01 fast(p) 0 002 & 00000002 a 0000 & 00000003 a 0000 | fast
00000002 00 s 01 rapid 0 001 & 00000001 a 0000 | rapid
00000003 00 s 01 hasty 0 001 & 00000001 a 0000 | hasty
""",
    "index.adj": """\
fast a 1 0 1 0 00000001
rapid a 1 0 1 0 00000002
hasty a 1 0 1 0 00000003
""",
    "data.adv": "00000001 02 r 01 rapidly 0 001 \\ 00000002 a 0101 | rapidly\n",
    "index.adv": "rapidly r 1 0 1 0 00000001\n",
    "noun.exc": "kine cat animal\n",
    "verb.exc": "",
    "adj.exc": "",
    "adv.exc": "",
    "cntlist.rev": "dog%1:05:00:: 1 2\ncat%1:05:00:: 1 1\nrapid%5:00:00:fast:00 1 7\ngone%1:05:00:: 1 9\n",
}


def write_wndb(directory, **changes):
    """Write a tiny database; `changes` has the text of files, their names with _ for the dot."""
    changed = {name.replace("_", "."): text for name, text in changes.items()}
    for name, text in {**TINY, **changed}.items():
        (directory / name).write_text((NOTICE if name.startswith("data.") else "") + text)
    return directory


@pytest.fixture(name="write_wndb")
def _write_wndb(tmp_path):
    """What writes the tiny database, or a changed one, to a new directory."""
    return lambda **changes: write_wndb(tmp_path, **changes)


@pytest.fixture(scope="session")
def lexicon():
    """The shipped lexicon."""
    return load_lexicon()


@pytest.fixture(scope="session")
def tiny(tmp_path_factory):
    """A lexicon of a few words, to work things out by hand."""
    directory = write_wndb(tmp_path_factory.mktemp("tiny"))
    write_lexicon(directory, directory / "tiny.table")
    return read_lexicon(directory / "tiny.table")


@pytest.fixture(scope="session")
def wndb() -> Path:
    """WordNet's own files: where ENSUE_WNDB says, or where Debian puts them."""
    directory = Path(os.environ.get("ENSUE_WNDB", "/usr/share/wordnet"))
    if not (directory / "data.noun").is_file():
        pytest.skip(f"no WordNet files in {directory}; name them with ENSUE_WNDB")
    return directory


@pytest.fixture(scope="module")
def uncollected():
    """No garbage collection: it would look through all synsets again and again."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(scope="module")
def nltk_wordnet(wndb, uncollected, tmp_path_factory):
    """NLTK's reader over the same files, with the file of names that some packages leave out."""
    reader = pytest.importorskip("nltk.corpus.reader.wordnet")
    import nltk.data

    class Reader(reader.WordNetCorpusReader):
        def map_wn(self, version="wordnet"):
            return None  # a map from another version, which needs NLTK's own copy of WordNet

    directory = tmp_path_factory.mktemp("wndb")
    for path in wndb.iterdir():
        if path.is_file():
            shutil.copy(path, directory)  # NLTK follows no links out of a directory
    numbers = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}
    lines = [
        f"{i:02}\t{name}\t{numbers[name.split('.')[0]]}\n"
        for i, name in enumerate(LEXICOGRAPHER_FILES)
    ]
    (directory / "lexnames").write_text("".join(lines))
    nltk.data.path.append(str(directory))  # NLTK reads in these directories only
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wordnet = Reader(str(directory), omw_reader=None)
        yield wordnet
    for file in wordnet._data_file_map.values():
        file.close()
    nltk.data.path.remove(str(directory))
