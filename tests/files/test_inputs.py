from __future__ import annotations

import gzip
import io
import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, strategies as st
from tests.errors import coded

from ensue.errors import DataError, OutputError
from ensue.files.inputs import decoded_lines, decoded_pieces, open_input, peeked
from ensue.files.outputs import open_output, open_text_output


@given(st.binary(max_size=50), st.integers(0, 60))
def test_peeked_file_still_begins_with_its_head(content, size):
    head, file = peeked(io.BytesIO(content), size)
    assert head == content[:size]
    assert file.read() == content


LINES = st.lists(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r\n\ufeff")),
    min_size=1,
)


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
@given(lines=LINES)
def test_decoded_lines_gives_back_what_was_encoded(codec, lines):
    content = "".join(f"{line}\n" for line in lines).encode(codec)
    found = decoded_lines(io.BytesIO(content), "x", codec)
    assert list(found) == list(enumerate(lines, 1))


def test_decoded_lines_keeps_a_last_line_without_end():
    for codec in ("utf-8", "utf-16"):
        found = decoded_lines(io.BytesIO("a\nb".encode(codec)), "x")
        assert list(found) == [(1, "a"), (2, "b")]


def test_decoded_lines_keeps_ends_when_asked():
    found = decoded_lines(io.BytesIO(b"a\r\nb\n"), "x", keep_ends=True)
    assert [line for _, line in found] == ["a\r\n", "b\n"]


def test_decoded_lines_reads_a_long_wide_line_of_any_size():
    line = "word " * 4_000_000
    file = io.BytesIO(f"a\n{line}\nb".encode("utf-16"))
    found = list(decoded_lines(file, "x"))
    assert found == [(1, "a"), (2, line), (3, "b")]


def test_decoded_pieces_names_the_line_of_a_wrong_byte():
    with pytest.raises(DataError, match=r"^x:3: byte 0xff is not utf-8"):
        list(decoded_pieces(io.BytesIO(b"a\nb\n\xff\n"), "x", "utf-8"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_file_without_the_mark_of_its_encoding_is_refused(encoding):
    with pytest.raises(DataError, match=rf"^x:1: the file is not {encoding}: ") as caught:
        list(decoded_lines(io.BytesIO("a\n".encode(f"{encoding}-le")), "x", encoding))
    assert f"without a byte-order mark it is {encoding}-le" in caught.value.hint


def test_line_that_a_codec_refuses_as_a_whole_has_its_place():
    with pytest.raises(DataError, match=r"^x:2: (byte \d+ of )?the line is not idna"):
        list(decoded_lines(io.BytesIO(b"a\n" + b"xn--" + b"\xff" * 70 + b"\n"), "x", "idna"))


@pytest.mark.parametrize("encoding", ["klingon", "base64", "rot13", "undefined"])
def test_decoded_lines_refuses_what_is_no_text_encoding(encoding):
    with pytest.raises(DataError, match=f"no encoding is called '{encoding}'"):
        list(decoded_lines(io.BytesIO(b"a"), "x", encoding))


def test_open_input_unpacks_gzip_whatever_its_name(tmp_path):
    path = tmp_path / "plain.txt"
    path.write_bytes(gzip.compress(b"hello"))
    with open_input(path) as file:
        assert file.read() == b"hello"


def test_open_output_packs_by_name_and_gives_the_same_bytes_twice(tmp_path):
    for name in ("a.gz", "b.gz"):
        with open_output(tmp_path / name) as file:
            file.write(b"hello")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"hello"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_open_output_keeps_what_was_there_when_writing_fails(tmp_path, error):
    path = tmp_path / "out.txt"
    path.write_text("before")

    def write_half():
        with open_output(path) as file:
            file.write(b"half")
            raise error

    with pytest.raises(error):
        write_half()
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_open_output_refuses_a_directory_that_is_not_there(tmp_path):
    with (
        pytest.raises(OutputError, check=coded("cannot-write")) as caught,
        open_output(tmp_path / "a/b"),
    ):
        pass
    assert "check that the directory exists" in (caught.value.hint or "")


def test_open_text_output_writes_utf_8_with_plain_line_feeds(tmp_path):
    with open_text_output(tmp_path / "x.txt") as file:
        file.write("é\n")
    assert (tmp_path / "x.txt").read_bytes() == b"\xc3\xa9\n"


def test_open_output_writes_through_a_link(tmp_path):
    (tmp_path / "real.txt").write_text("before")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    with open_output(tmp_path / "link.txt") as file:
        file.write(b"after")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "after"


def test_open_output_writes_into_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_bytes)
        with open_output(pipe) as file:
            file.write(b"through")
        assert read.result() == b"through"
    assert pipe.is_fifo()


def test_open_output_keeps_the_mode_of_a_file(tmp_path):
    path = tmp_path / "secret.txt"
    path.write_text("before")
    path.chmod(0o600)
    with open_output(path) as file:
        file.write(b"after")
    assert path.stat().st_mode & 0o777 == 0o600
