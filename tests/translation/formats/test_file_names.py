"""What the names of files say."""

from __future__ import annotations

import pytest

from ensue.translation.formats.directories import output_name, reference_name


@pytest.mark.parametrize(
    ("name", "test_set", "pair", "system"),
    [
        ("newstest2012.cs-en.cu-bojar", "newstest2012", "cs-en", "cu-bojar"),
        ("newstest2012.cs-en.uk-dan-moses", "newstest2012", "cs-en", "uk-dan-moses"),
        ("newstest2012.cs-en.a.b-c.2", "newstest2012", "cs-en", "a.b-c.2"),
        ("newstest2016.cu-moses.3383.cs-en", "newstest2016", "cs-en", "cu-moses.3383"),
        ("cs-en.sys1.sgm", "", "cs-en", "sys1"),
        ("cs-en.sys1.sgm.gz", "", "cs-en", "sys1"),
        ("mine.de-en", "", "de-en", "mine"),
        ("DAseg.newstest2016.mt-system.cs-en", "newstest2016", "cs-en", "mt-system"),
        ("mine.txt", "", "", "mine"),
        ("uk-dan.txt", "", "", "uk-dan"),
        ("de-en.txt", "", "", "de-en"),
    ],
)
def test_name_of_an_output_says_set_pair_and_system(name, test_set, pair, system):
    found = output_name(f"somewhere/{name}")
    assert (found.test_set, found.language_pair, found.system) == (test_set, pair, system)


@pytest.mark.parametrize(
    ("name", "served", "others"),
    [
        ("DAseg.newstest2016.reference.cs-en", ["cs-en", "cz-en", ""], ["de-en"]),
        ("newstest2016-ref.cs-en", ["cs-en"], ["de-en"]),
        ("newstest2016-csen-ref.en", ["cs-en"], ["de-en", "en-cs"]),
        ("reference.en", ["cs-en", "de-en", ""], ["en-cs"]),
        ("reference.txt", ["cs-en", "en-cs", ""], []),
    ],
)
def test_name_of_a_reference_says_whom_it_serves(name, served, others):
    serving = reference_name(name)
    assert all(serving.serves(pair) for pair in served)
    assert not any(serving.serves(pair) for pair in others)
