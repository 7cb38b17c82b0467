"""The way in: terms and files to ranked lists, with findings."""

import gzip

import numpy as np
import pytest

from ensue.errors import DataError, SettingError, UnknownNameError
from ensue.paraphrase.acquisition.methods import AcquisitionMethod, learn
from ensue.paraphrase.lists import ListKey

TEXT = "\n".join(
    f"a{i} b{i} {verb} c{i} d{i}" for i in range(3) for verb in ("killed", "slew", "shot dead")
)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text(TEXT, "utf-8")
    return path


def test_lists_hold_paraphrases_with_their_columns(path):
    learned = learn([path], ["killed", "slew"], most=1)
    lists = learned.lists
    assert lists.keys == (ListKey("killed", "pd"), ListKey("slew", "pd"))
    assert list(lists.paraphrases) == ["shot dead", "killed"]
    assert {name: column.tolist() for name, column in lists.columns.items()} == {
        "confidence": [3.0, 3.0],
        "n_contexts": [3.0, 3.0],
        "n_occurrences": [3.0, 3.0],
    }
    assert lists.name == str(path)
    assert (learned.n_sentences, learned.n_tokens, learned.findings) == (9, 9 * 5 + 3, ())


def test_terms_keep_their_spelling_and_count_once(path):
    learned = learn([path], ["Shot  dead", "slew", "shot dead"])
    assert learned.lists.keys == (ListKey("Shot  dead", "pd"), ListKey("slew", "pd"))
    assert learned.n_term_occurrences == (3, 3)


def test_terms_that_the_corpus_lacks_are_found(path):
    learned = learn([path], ["drowned", "killed"])
    assert np.diff(learned.lists.offsets).tolist() == [0, 2]
    (finding,) = learned.findings
    assert (finding.code, finding.message) == ("term-not-there", "the corpus has no 'drowned'")


def test_terms_without_paraphrases_are_found(path):
    learned = learn([path], ["a1"])
    assert [finding.code for finding in learned.findings] == ["no-paraphrase"]
    assert learned.findings[0].message == "'a1' occurs 3 times, but no paraphrase of it was found"


def test_several_files_are_one_corpus(path, tmp_path):
    lines = TEXT.splitlines()
    (tmp_path / "first.txt").write_text("\n".join(lines[:4]), "utf-8")
    (tmp_path / "second.gz").write_bytes(gzip.compress("\n".join(lines[4:]).encode()))
    parts = learn([tmp_path / "first.txt", tmp_path / "second.gz"], ["killed"])
    whole = learn([path], ["killed"], block=7)
    assert list(parts.lists.paraphrases) == list(whole.lists.paraphrases) == ["shot dead", "slew"]
    assert parts.n_tokens == whole.n_tokens


def test_empty_corpus_gives_empty_lists(tmp_path):
    (tmp_path / "empty.txt").write_text("", "utf-8")
    for method in AcquisitionMethod:
        learned = learn([tmp_path / "empty.txt"], ["killed"], method=method)
        assert learned.lists.n_patterns == 0
        assert [finding.code for finding in learned.findings] == ["term-not-there"]


def test_wrong_encoding_is_an_error_with_its_place(tmp_path):
    (tmp_path / "latin.txt").write_bytes(b"fine\nCaf\xe9")
    for method in AcquisitionMethod:
        with pytest.raises(DataError, match="is not utf-8") as raised:
            learn([tmp_path / "latin.txt"], ["killed"], method=method)
        assert str(raised.value.place).endswith("latin.txt:2")


@pytest.mark.parametrize(
    ("terms", "options", "message"),
    [
        ([], {}, "there is no term to learn paraphrases of"),
        (["killed", " "], {}, "the term ' ' has no word"),
        (["killed", "!"], {}, "the term '!' has no word"),
        (["killed"], {"most": 0}, "most is 0"),
        (["killed"], {"least": -1}, "least is -1"),
    ],
)
def test_settings_that_make_no_sense_are_errors(path, terms, options, message):
    with pytest.raises(SettingError, match=message):
        learn([path], terms, **options)


def test_unknown_method_is_an_error_with_a_hint(path):
    with pytest.raises(UnknownNameError, match="did you mean 'ngrams'"):
        learn([path], ["killed"], method="ngram")


def test_noun_phrase_lists_are_called_br(tmp_path):
    pairs = (("teacher", "pupil"), ("mayor", "driver"), ("cook", "guest"), ("boss", "nurse"))
    verbs = ("praised", "has praised")
    text = "\n".join(f"The {a} {verb} the {b}." for verb in verbs for a, b in pairs)
    (tmp_path / "c.txt").write_text(f"{text}\nThe cat left a box.", "utf-8")
    learned = learn([tmp_path / "c.txt"], ["praised"], method="noun-phrases")
    assert learned.lists.columns["n_contexts"].tolist() == [2 * 4]
    assert learned.lists.keys == (ListKey("praised", "br"),)
    assert list(learned.lists.paraphrases) == ["has praised"]


@pytest.mark.data
def test_learning_from_references_finds_something(shared_data):
    learned = learn([shared_data / "wmt12" / "reference.en"], ["said"], least=1)
    assert learned.n_sentences >= 3003
    assert learned.lists.n_patterns == 10
