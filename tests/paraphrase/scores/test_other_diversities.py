"""D by a dictionary and by a column."""

import numpy as np
import pytest
from tests.errors import coded

from ensue import registry
from ensue.errors import DataError, EnsueError, SettingError, UnknownNameError
from ensue.paraphrase.lists import ListKey, RankedLists, require_range
from ensue.paraphrase.scores.measures import COLUMN, DICTIONARY, read_dictionary
from ensue.paraphrase.words import pattern_words


def one_list(paraphrases, columns=None):
    return RankedLists.of({ListKey("killed", "a"): paraphrases}, name="few.tsv", columns=columns)


def by(kind, argument, lists):
    return kind.make(argument)(lists, pattern_words(lists)).tolist()


def test_dictionary_gives_most_to_words_that_wordnet_lacks():
    lists = one_list(["offed", "murdered", "zorblaxed", "in the", "killed zorp"])
    # murdered is a form of murder; zorblaxed is no word; no content; killed was seen
    assert by(DICTIONARY, "", lists)[1:] == [2, 3, 1, 1]


def test_dictionary_keeps_the_histories_of_algorithm_1():
    # killed zorp is D = 1 and adds nothing; zorp then is new; then it was seen; its stem alone is no bar
    lists = one_list(["killed zorp", "zorp", "zorp", "zorps"])
    assert by(DICTIONARY, "", lists) == [1, 3, 1, 3]


def test_dictionary_may_be_a_file(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("Zorp\n\nice-cold\nnaïve\n", "utf-8")
    lists = one_list(["zorp", "murdered", "ice", "cold", "NAÏVE", "zorp murdered"])
    assert by(DICTIONARY, str(path), lists) == [2, 3, 2, 2, 2, 1]


def test_dictionary_looks_only_at_content_words(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("shot\n", "utf-8")
    assert by(DICTIONARY, str(path), one_list(["the shot by X"])) == [2]


def test_dictionary_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(DataError, check=coded("no-file")):
        DICTIONARY.make(str(tmp_path / "none.txt"))


def test_dictionary_without_a_word_is_an_error(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text(" \n--\n", "utf-8")
    with pytest.raises(DataError, check=coded("dictionary-no-word")) as caught:
        read_dictionary(str(path))
    assert caught.value.place == str(path)
    assert caught.value.hint == "give it a word a line"


def test_dictionary_in_another_encoding_is_an_error(tmp_path):
    path = tmp_path / "words.txt"
    path.write_bytes("na\xefve\n".encode("latin-1"))
    with pytest.raises(DataError, match="is not utf-8"):
        read_dictionary(str(path))


def test_column_gives_its_numbers():
    lists = one_list(["shot", "slain", "hit"], {"novelty": np.array([0.0, 1.5, 3.0])})
    assert by(COLUMN, "novelty", lists) == [0.0, 1.5, 3.0]


def test_column_keeps_empty_cells_empty():
    lists = one_list(["shot", "slain"], {"novelty": np.array([1.0, np.nan])})
    assert np.isnan(by(COLUMN, "novelty", lists)[1])


def test_column_that_is_not_there_is_named_beside_those_that_are():
    lists = one_list(["shot"], {"novelty": np.ones(1), "confidence": np.ones(1)})
    with pytest.raises(UnknownNameError, match="no column of numbers is called 'novel'") as caught:
        by(COLUMN, "novel", lists)
    assert (caught.value.place, caught.value.hint) == ("few.tsv", "did you mean 'novelty'?")
    with pytest.raises(UnknownNameError) as caught:
        by(COLUMN, "xyz", lists)
    assert caught.value.hint == "known are: confidence, novelty"


def test_lists_without_columns_say_so():
    with pytest.raises(UnknownNameError) as caught:
        by(COLUMN, "novelty", one_list(["shot"]))
    assert caught.value.hint == "these lists have none at all"


@pytest.mark.parametrize("value", [-0.5, 3.5])
def test_column_out_of_range_is_an_error_with_its_place(value):
    lists = RankedLists(
        "few.tsv",
        (ListKey("killed", "a"),),
        np.array([0, 2]),
        ["shot", "slain"],
        columns={"novelty": np.array([1.0, value])},
        places=["few.tsv:2", "few.tsv:3"],
    )
    with pytest.raises(
        DataError, match=rf"diversity 'novelty' of 'slain' is {value}, which is not in \[0, 3\]"
    ) as caught:
        by(COLUMN, "novelty", lists)
    assert caught.value.place == "few.tsv:3"


def test_column_needs_a_name():
    with pytest.raises(SettingError, check=coded("diversity-column-needs-name")):
        COLUMN.make("")


def test_numbers_of_another_length_are_an_error():
    with pytest.raises(EnsueError, match=r"1 patterns, but D has the shape \(2,\)"):
        require_range(np.ones(2), 3.0, "D", one_list(["shot"]))


@pytest.mark.parametrize("name", ["column", "dictionary"])
def test_diversity_is_registered_under_its_name(name):
    assert registry.find("diversity", name).name == name
