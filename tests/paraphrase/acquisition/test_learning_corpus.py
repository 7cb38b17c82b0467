"""Plain text as sentences, and as numbers on disk."""

import gzip
import io
import sys
from contextlib import contextmanager

import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.errors import DataError, OutputError
from ensue.paraphrase.acquisition import methods as corpus_module
from ensue.paraphrase.acquisition.methods import (
    END,
    CorpusVocabulary,
    sentences,
    spooled,
    text_blocks,
)


@contextmanager
def corpus_of(tmp_path, text, **options):
    path = tmp_path / "corpus.txt"
    path.write_text(text, "utf-8")
    with spooled([path], **options) as corpus:
        yield corpus


def read_back(corpus):
    """The sentences of a corpus as lists of words."""
    words = corpus.vocabulary.words()
    found = []
    for block in corpus.blocks():
        assert block[0] == block[-1] == END
        sentence = []
        for id in block[1:].tolist():
            if id == END:
                found.append(sentence)
                sentence = []
            else:
                sentence.append(words[id])
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rained. We left.", ["It rained.", "We left."]),
        ("Did it rain? Yes! Good.", ["Did it rain?", "Yes!", "Good."]),
        ('"It rained." She left.', ['"It rained."', "She left."]),
        ("It rose by 3.5 per cent. 40 men left.", ["It rose by 3.5 per cent.", "40 men left."]),
        ("Mr. Hill met Dr. Ng in St. Ives.", ["Mr. Hill met Dr. Ng in St. Ives."]),
        ("J. R. Hill is in the U.S. Army.", ["J. R. Hill is in the U.S. Army."]),
        ("one line\nanother line", ["one line", "another line"]),
        ("it ended. and went on", ["it ended. and went on"]),
        ("  \n\n \n", []),
        ("“It rained.” ‘Yes.’", ['"It rained."', "'Yes.'"]),
    ],
)
def test_sentences_end_where_the_rule_ends_them(text, expected):
    assert sentences(text) == expected


def test_corpus_gives_back_its_tokens_in_lower_case(tmp_path):
    with corpus_of(
        tmp_path, "The dog's tail, it wagged. He didn't see.\nA so-called end"
    ) as corpus:
        assert read_back(corpus) == [
            ["the", "dog's", "tail", ",", "it", "wagged", "."],
            ["he", "didn't", "see", "."],
            ["a", "so-called", "end"],
        ]
        assert (corpus.n_sentences, corpus.n_tokens) == (3, 14)


def test_corpus_can_be_gone_through_twice(tmp_path):
    with corpus_of(tmp_path, "one two\nthree") as corpus:
        assert read_back(corpus) == read_back(corpus) == [["one", "two"], ["three"]]


def test_corpus_numbers_on_from_a_given_vocabulary(tmp_path):
    vocabulary = CorpusVocabulary()
    ids, _ = vocabulary.ids(["two"])
    with corpus_of(tmp_path, "one two", vocabulary=vocabulary) as corpus:
        (block,) = corpus.blocks()
        assert block.tolist() == [END, 1, ids[0], END]
        assert corpus.vocabulary.words() == ["two", "one"]


lines = st.lists(st.lists(st.sampled_from("abcde"), max_size=6).map(" ".join), max_size=8)


@given(lines, st.integers(1, 12))
def test_corpus_is_the_same_in_any_blocks(tmp_path_factory, lines, block):
    folder = tmp_path_factory.mktemp("blocks")
    with corpus_of(folder, "\n".join(lines), block=block) as corpus:
        assert read_back(corpus) == [line.split() for line in lines if line]
        assert corpus.n_tokens == sum(len(line.split()) for line in lines)


def test_corpus_reads_several_files_and_gzip(tmp_path):
    (tmp_path / "a.txt").write_text("one two", "utf-8")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(b"three\nfour"))
    with spooled([tmp_path / "a.txt", tmp_path / "b.txt.gz"]) as corpus:
        assert read_back(corpus) == [["one", "two"], ["three"], ["four"]]


def test_corpus_reads_standard_input(monkeypatch):
    class Stdin:
        buffer = io.BytesIO(b"one two\nthree")

    monkeypatch.setattr(sys, "stdin", Stdin)
    with spooled(["-"]) as corpus:
        assert read_back(corpus) == read_back(corpus) == [["one", "two"], ["three"]]


def test_corpus_reads_the_encoding_that_is_named(tmp_path):
    (tmp_path / "c.txt").write_bytes("Café".encode("latin-1"))
    with spooled([tmp_path / "c.txt"], encoding="latin-1") as corpus:
        assert read_back(corpus) == [["café"]]


def test_corpus_says_where_its_encoding_breaks(tmp_path):
    path = tmp_path / "c.txt"
    path.write_bytes(b"fine\n" + "Café".encode("latin-1"))
    with (
        pytest.raises(DataError, match=r"byte 4 of the line is not utf-8") as raised,
        spooled([path]),
    ):
        pass
    assert raised.value.place == f"{path}:2"


def test_corpus_says_that_a_file_is_not_there(tmp_path):
    with pytest.raises(DataError, check=coded("no-file")), spooled([tmp_path / "none.txt"]):
        pass


def test_corpus_says_that_the_disk_is_full(tmp_path, monkeypatch):
    class Full(io.BytesIO):
        def write(self, data):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(corpus_module.tempfile, "TemporaryFile", Full)
    with pytest.raises(OutputError, match="No space left on device"), corpus_of(tmp_path, "a"):
        pass


def test_corpus_without_text_has_no_blocks(tmp_path):
    with corpus_of(tmp_path, "\n \n") as corpus:
        assert list(corpus.blocks()) == []
        assert (corpus.n_sentences, corpus.n_tokens) == (0, 0)


def test_text_blocks_tell_of_all_lines(tmp_path):
    (tmp_path / "c.txt").write_text("one\n\ntwo. Three\n", "utf-8")
    told = []
    blocks = list(text_blocks([tmp_path / "c.txt"], block=1, progress=told.append))
    assert blocks == [["one"], ["two.", "Three"]]
    assert sum(told) == 3
