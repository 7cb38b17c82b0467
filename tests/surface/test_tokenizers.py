"""The tokenizers, against what they are said to do and against sacreBLEU's 13a."""

import subprocess
import sys

import pytest
from hypothesis import example, given, strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from ensue import registry
from ensue.surface import tokenize
from ensue.surface.tokenizers import CHARACTERS, MTEVAL_13A, WHITESPACE, WORDS, located_tokens

HARD = [
    *".,-5 7aB&<'%_(\n\t\0",
    *"éÉİ“\u00a0\u2003\u3000\x1c\x85\u2028\ud800",
    "&amp;",
    "&quot;",
    "&amp;lt;",
    "<skipped>",
    "-\n",
    "abcdefg",
    "abcdefgh",
    "x" * 9,
]
hard_strings = st.lists(st.sampled_from(HARD), max_size=14).map("".join)
any_strings = st.one_of(hard_strings, st.text(max_size=30))


def kernel_tokens(strings, tokenizer, lowercase):
    tokens = tokenize(strings, tokenizer, lowercase=lowercase)
    vocabulary = tokens.vocabulary()
    bounds = zip(tokens.offsets[:-1], tokens.offsets[1:], strict=True)
    return [[vocabulary[i] for i in tokens.ids[start:end]] for start, end in bounds]


@pytest.mark.parametrize(
    ("string", "expected"),
    [
        ("It rose 3.5%, to $27.5 billion.", "It rose 3.5 % , to $ 27.5 billion ."),
        ("U.S.-based", "U . S . -based"),
        ("1990-95", "1990 - 95"),
        ("well-known", "well-known"),
        ("don't", "don't"),
        ("wait...", "wait . . ."),
        ("x..5", "x . .5"),  # the second point is not paired by rule 2 and stays with the digit
        ("5...5", "5 . . .5"),
        ("5..5", "5 . . 5"),
        ("&quot;yes&quot; &amp; no", '" yes " & no'),
        ("a <skipped> b", "a b"),
        ("exam-\nple", "example"),
        ("1,000", "1,000"),
        ("", ""),
    ],
)
def test_13a_cuts_by_the_rules(string, expected):
    assert MTEVAL_13A.split(string) == expected.split()


@given(any_strings)
@example("5.,.5")
def test_13a_agrees_with_sacrebleu(string):
    assert MTEVAL_13A.split(string) == Tokenizer13a()(string).split()


@pytest.mark.data
def test_13a_agrees_with_sacrebleu_on_real_sentences(shared_data):
    reference = (shared_data / "wmt12" / "reference.en").read_text("utf-8").splitlines()
    theirs = Tokenizer13a()
    expected = [theirs(line).split() for line in reference]
    assert kernel_tokens(reference, MTEVAL_13A, False) == expected


@pytest.mark.parametrize("tokenizer", [MTEVAL_13A, WORDS, WHITESPACE, CHARACTERS])
@pytest.mark.parametrize("lowercase", [True, False])
@given(strings=st.lists(any_strings, max_size=6))
def test_kernel_cuts_as_the_plain_tokenizer_does(tokenizer, lowercase, strings):
    expected = [tokenizer.split(s.lower() if lowercase else s) for s in strings]
    assert kernel_tokens(strings, tokenizer, lowercase) == expected


def test_kernel_keeps_apart_tokens_that_share_their_first_bytes():
    strings = ["abcdefg abcdefgh abcdefghi", "abcdefg\0 abcdefg"]
    assert kernel_tokens(strings, WHITESPACE, False) == [s.split(" ") for s in strings]


def test_kernel_grows_its_table_past_many_distinct_tokens():
    words = [f"w{i}" for i in range(20_000)]
    tokens = tokenize([" ".join(words)], WHITESPACE)
    assert tokens.n_distinct == len(words)
    assert tokens.vocabulary() == words


def test_kernel_takes_a_string_of_five_megabytes():
    tokens = tokenize(["." * 5_000_000 + "5", "word " * 1_000_000], MTEVAL_13A)
    # an even run of points: its last stays with the digit
    assert tokens.lengths.tolist() == [4_999_999 + 1, 1_000_000]
    assert tokens.n_distinct == 3


def test_kernel_takes_no_strings_and_empty_strings():
    assert kernel_tokens([], MTEVAL_13A, True) == []
    assert kernel_tokens(["", "", " "], MTEVAL_13A, True) == [[], [], []]


def test_every_tokenizer_is_registered_under_its_name():
    for name in registry.names("tokenizer"):
        assert registry.find("tokenizer", name).name == name


@given(any_strings)
def test_located_tokens_are_the_tokens(string):
    located = located_tokens(string, MTEVAL_13A)
    assert [each.token for each in located] == MTEVAL_13A.split(string.lower())
    ends = [0, *(each.end for each in located)]
    assert all(end <= each.start for end, each in zip(ends, located, strict=False))


def test_located_tokens_point_at_their_characters():
    string = "Oil at $37.80 &quot;a&quot; barrel"
    places = [string[each.start : each.end] for each in located_tokens(string, MTEVAL_13A)]
    assert places == ["Oil", "at", "$", "37.80", "&quot;", "a", "&quot;", "barrel"]


def test_string_of_many_distinct_tokens_is_cut_as_a_short_one():
    words = [f"w{i}" for i in range(30_000)]  # more than the first table holds
    strings = [" ".join(words), "w7 x", " ".join(reversed(words))]
    assert kernel_tokens(strings, WHITESPACE, False) == [words, ["w7", "x"], words[::-1]]


LONG_TEXT = """
import resource
from ensue.surface import tokenize
from ensue.surface.tokenizers import WORDS

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

tokenize(["a b"], WORDS)
text = "the cat sat on the mat " * 400_000
before = peak()
tokenize([text], WORDS)
print((peak() - before) * 1024 / len(text))
"""


def test_long_text_takes_a_small_multiple_of_itself():
    found = subprocess.run(
        [sys.executable, "-c", LONG_TEXT], check=True, capture_output=True, text=True
    )
    assert float(found.stdout) < 10
