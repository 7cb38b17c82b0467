"""Plain text and SGML, one file a system: lockstep, references, and what is refused."""

from __future__ import annotations

import gzip
import tracemalloc

import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.errors import DataError, SettingError
from ensue.translation.formats.segment_files import segment_file
from ensue.translation.formats.sets import open_set

SGML = """<refset setid="s" srclang="any" trglang="en">
<doc docid="one"><hl><seg id="1">Tea &amp; cake</seg></hl>
<p><seg id="2">A &lt;b&gt;
  word</seg> <seg id="3"></seg></p></doc></refset>
"""


def test_plain_files_are_read_side_by_side(written):
    ours = written("x.de-en.ours", "a b\nc\n")
    theirs = written("x.de-en.theirs", "a\n\n")
    opened = open_set([ours, theirs], references=[written("ref", "a b\nc d\n")])
    first, second = opened.segments()
    assert (first.language_pair, first.id, first.references) == ("de-en", "1", ("a b",))
    assert dict(first.outputs) == {"ours": "a b", "theirs": "a"}
    assert dict(second.outputs) == {"ours": "c", "theirs": ""}
    assert opened.systems == {"de-en": ("ours", "theirs")}
    assert opened.n_segments == 2


def test_segments_can_be_asked_for_again(written):
    opened = open_set([written("ours", "a\nb\n")], references=[written("ref", "c\nd\n")])
    assert list(opened.segments()) == list(opened.segments())


def test_several_references_are_several(written):
    references = [written("ref1", "a\nb\n"), written("ref2", "c\nd\n")]
    opened = open_set([written("ours", "x\ny\n")], references=references)
    assert list(opened.references()) == [("a", "c"), ("b", "d")]
    assert [segment.references for segment in opened.segments()] == [("a", "c"), ("b", "d")]


def test_pairs_that_share_a_reference_give_it_once(written):
    outputs = [written("x.de-en.ours", "a\n"), written("x.fr-en.ours", "b\n")]
    opened = open_set(outputs, references=[written("ref.en", "c\n")])
    assert opened.language_pairs == ("de-en", "fr-en")
    assert list(opened.references()) == [("c",)]
    assert len(list(opened.segments())) == 2


def test_reference_with_a_pair_serves_that_pair_alone(written):
    outputs = [written("x.de-en.ours", "a\n"), written("x.fr-en.ours", "b\nc\n")]
    references = [written("x-ref.de-en", "d\n"), written("x-ref.fr-en", "e\nf\n")]
    opened = open_set(outputs, references=references)
    assert [segment.references for segment in opened.segments()] == [("d",), ("e",), ("f",)]


def test_source_goes_along(written):
    opened = open_set(
        [written("ours", "a\n")], references=[written("ref", "b\n")], source=written("src", "c\n")
    )
    assert next(opened.segments()).source == "c"


def test_language_pair_is_given_to_names_without_one(written):
    opened = open_set(
        [written("ours", "a\n")], references=[written("ref", "b\n")], language_pair="de-en"
    )
    assert opened.systems == {"de-en": ("ours",)}


def test_sgml_gives_its_segments_in_order(written):
    file = segment_file(written("cs-en.ours.sgm", SGML))
    assert list(file.located_texts()) == [(2, "Tea & cake"), (3, "A <b> word"), (4, "")]


def test_sgml_that_is_not_closed_is_refused(written):
    file = segment_file(written("cs-en.ours.sgm", '<seg id="1">a</seg>\n<seg id="2">b\n'))
    with pytest.raises(DataError, match=r"ours\.sgm:2: this <seg> is not closed"):
        list(file.texts())


def test_packed_files_and_marks_are_read(written):
    ours = written("ours.gz", gzip.compress("é\n".encode()))
    opened = open_set([ours], references=[written("ref", b"\xef\xbb\xbfb\r\n")])
    segment = next(opened.segments())
    assert (segment.references, dict(segment.outputs)) == (("b",), {"ours": "é"})


def test_encoding_is_for_all_files(written):
    opened = open_set(
        [written("ours", b"\xe9\n")], references=[written("ref", b"\xe8\n")], encoding="latin-1"
    )
    assert next(opened.segments()).references == ("è",)


@given(st.lists(st.text(st.characters(exclude_characters="\n\r\0\ufeff", codec="utf-8"))))
def test_lines_come_back_as_they_were(tmp_path_factory, texts):
    path = tmp_path_factory.mktemp("lines") / "ours"
    path.write_text("".join(f"{text}\n" for text in texts), "utf-8", newline="")
    assert list(segment_file(path).texts()) == texts


def test_long_files_are_not_held(written):
    line = "word " * 50 + "\n"
    ours, reference = written("ours", line * 20_000), written("ref", line * 20_000)
    opened = open_set([ours], references=[reference])
    tracemalloc.start()
    n_segments = sum(1 for _ in opened.segments())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert n_segments == 20_000
    assert peak < 20_000 * len(line) / 4  # a quarter of one file


def test_line_counts_that_differ_are_refused(written):
    ours, reference = written("ours", "a\nb\n"), written("ref", "a\nb\nc\n")
    with pytest.raises(DataError, match=r"ours:3: 2 segments here, 3 in '.*ref'") as caught:
        open_set([ours], references=[reference])
    assert "is a line missing" in caught.value.hint


def test_file_that_changes_in_between_is_refused(written):
    ours = written("ours", "a\nb\n")
    opened = open_set([ours], references=[written("ref", "a\nb\n")])
    written("ours", "a\n")
    with pytest.raises(DataError, check=coded("files-changed-while-use")):
        list(opened.segments())


def test_two_files_of_one_system_are_refused(written):
    outputs = [written("one/ours", "a\n"), written("two/ours", "a\n")]
    with pytest.raises(DataError, match="two files are of the system 'ours'"):
        open_set(outputs, references=[written("ref", "a\n")])


@pytest.mark.parametrize("name", ["ours", "cs-en.ours.sgm"])
def test_empty_file_is_refused(written, name):
    with pytest.raises(DataError, match=f"{name}: the file is empty"):
        open_set([written(name, "")], references=[written("ref", "a\n")])


def test_output_of_empty_lines_is_fine(written, findings):
    opened = open_set(
        [written("ours", "\n\n")], references=[written("ref", "a\nb\n")], on_finding=findings.append
    )
    assert [dict(segment.outputs) for segment in opened.segments()] == [{"ours": ""}] * 2
    assert [(each.code, each.details["n_empty"]) for each in findings] == [("empty-output", 2)]


def test_empty_reference_line_is_reported(written, findings):
    reference = written("ref", "a\n\n")
    open_set([written("ours", "a\nb\n")], references=[reference], on_finding=findings.append)
    assert [(each.code, each.place) for each in findings] == [("empty-reference", f"{reference}:2")]


def test_pair_without_reference_is_refused(written):
    with pytest.raises(DataError, match="no reference is for the language pair 'de-en'"):
        open_set([written("x.de-en.ours", "a\n")], references=[written("x-ref.fr-en", "a\n")])


def test_plain_text_without_reference_is_refused(written):
    with pytest.raises(DataError, check=coded("plain-text-needs-reference")):
        open_set([written("ours", "a\n")])


def test_reference_without_outputs_is_refused(written):
    with pytest.raises(SettingError, check=coded("references-sources-go-plain")):
        open_set([], references=[written("ref", "a\n")])


def test_standard_input_is_refused_for_plain_text(written):
    with pytest.raises(DataError, check=coded("segments-plain-text-cannot")):
        open_set(["-"], references=[written("ref", "a\n")])


def test_nothing_to_open_is_refused():
    with pytest.raises(SettingError, check=coded("nothing-open")):
        open_set([])
