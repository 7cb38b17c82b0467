"""Files that a URL names, read through fsspec."""

from __future__ import annotations

import gzip

import fsspec
import pytest
from fsspec.registry import known_implementations
from tests.errors import coded

from ensue.errors import DataError, OutputError
from ensue.files.inputs import shown_name
from ensue.files.outputs import check_outputs, new_directory, open_output
from ensue.installation import pip_install
from ensue.pairs import Pair, expand, read_pairs, read_part, survey, write_pairs

PAIRS = [Pair(str(i), f"Text {i}.", f"Hypothesis {i}.") for i in range(9)]


@pytest.fixture
def memory(tmp_path):
    """Put files of pairs into memory, under names that no other test has."""
    system = fsspec.filesystem("memory")
    root = f"/{tmp_path.name}"

    def put(name: str, pairs, damage=lambda content: content) -> str:
        write_pairs(tmp_path / name, pairs)
        system.pipe(f"{root}/{name}", damage((tmp_path / name).read_bytes()))
        return f"memory:/{root}/{name}"

    yield put
    if system.exists(root):
        system.rm(root, recursive=True)


@pytest.mark.parametrize(
    "suffix", [".jsonl", ".csv", ".parquet", ".xml", ".jsonl.gz", ".parquet.gz"]
)
def test_pairs_of_a_url_are_read(memory, suffix):
    assert list(read_pairs(memory(f"x{suffix}", PAIRS))) == PAIRS


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".tsv", ".parquet"])
def test_parts_of_a_url_are_the_whole(memory, suffix):
    url = memory(f"x{suffix}", PAIRS)
    surveyed = survey(url, grid=2)
    assert surveyed.n_rows == 9
    assert surveyed.bytes == fsspec.filesystem("memory").size(url)
    parts = [part for shard in surveyed.parts(4) for part in shard]
    assert [pair for part in parts for pair in read_part(part)] == PAIRS


def test_digest_of_a_url_changes_with_its_content(memory):
    url = memory("x.jsonl", PAIRS)
    before = survey(url).digest
    assert survey(url).digest == before
    memory("x.jsonl", PAIRS[:-1])
    assert survey(url).digest != before


def test_folder_and_glob_of_a_url_stand_for_their_files(memory):
    urls = [memory(name, PAIRS[i : i + 1]) for i, name in enumerate(["a.csv", "b.jsonl", "_c.csv"])]
    folder = urls[0].rpartition("/")[0]
    files = [url.replace("memory://", "memory:///") for url in urls]
    assert (
        expand(folder)
        == expand(f"{folder}/")
        == [url.replace(":////", ":///") for url in files[:2]]
    )
    assert [pair.id for pair in read_pairs(f"{folder}/*.csv")] == ["2", "0"]
    assert [pair.id for pair in read_pairs(f"{folder}/b*")] == ["1"]


def test_url_of_nothing_is_refused(memory):
    url = memory("a.csv", PAIRS)
    with pytest.raises(DataError, match=r"there is no file 'memory://.*nope.csv'"):
        list(read_pairs(url.replace("a.csv", "nope.csv")))
    with pytest.raises(DataError, check=coded("no-files")):
        list(read_pairs(url.replace("a.csv", "nope*")))


def test_broken_file_of_a_url_is_refused_with_its_name(memory):
    url = memory("x.jsonl.gz", PAIRS, lambda content: content[:-10])
    with pytest.raises(DataError, match="broken gzip file") as caught:
        list(read_pairs(url))
    assert caught.value.place == url


def test_url_whose_package_is_missing_says_which(monkeypatch):
    known = {"class": "no_such_package.FileSystem", "err": "Install it"}
    monkeypatch.setitem(known_implementations, "elsewhere", known)
    with pytest.raises(
        DataError, match=r"elsewhere:// needs the package 'no_such_package', which is not installed"
    ) as caught:
        list(read_pairs("elsewhere://bucket/x.jsonl"))
    assert caught.value.hint == f"run: {pip_install('no_such_package')}"


def test_url_of_an_unknown_kind_is_refused():
    with pytest.raises(DataError, match="cannot reach 'klingon://x': Protocol not known"):
        list(read_pairs("klingon://x"))


def test_whatever_a_file_system_raises_becomes_an_error(memory, monkeypatch):
    url = memory("x.jsonl", PAIRS)
    system = type(fsspec.filesystem("memory"))

    def refused(*args, **kwargs):
        raise RuntimeError("no credentials")

    monkeypatch.setattr(system, "isfile", refused)
    with pytest.raises(DataError, match=r"cannot reach 'memory://.*': no credentials"):
        list(read_pairs(url))


def test_trouble_while_a_url_is_read_becomes_an_error(memory, monkeypatch):
    url = memory("x.jsonl", PAIRS)

    class Dropping:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def seekable(self):
            return False

        def read(self, size):
            raise RuntimeError("connection lost")

    system = type(fsspec.filesystem("memory"))
    monkeypatch.setattr(system, "open", lambda *args, **kwargs: Dropping())
    with pytest.raises(DataError, match="cannot read: connection lost") as caught:
        list(read_pairs(url))
    assert caught.value.place == url


def test_file_inside_of_a_file_is_read(tmp_path):
    import zipfile

    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("x.jsonl", '{"id": "1", "text": "a", "hypothesis": "b"}\n')
    assert [pair.id for pair in read_pairs(f"zip://x.jsonl::{tmp_path}/x.zip")] == ["1"]


def test_shown_name_hides_the_password_of_a_url():
    assert shown_name("sftp://ann:secret@host/x.csv") == "sftp://ann:…@host/x.csv"
    assert shown_name("s3://bucket/a:b@c.csv") == "s3://bucket/a:b@c.csv"


def test_url_is_not_written_as_a_file():
    with pytest.raises(OutputError, match=r"cannot write 'memory://x.jsonl': it is a URL"):
        write_pairs("memory://x.jsonl", PAIRS)
    with pytest.raises(OutputError, check=coded("cannot-write-url")), open_output("s3://bucket/x"):
        pass
    with (
        pytest.raises(OutputError, check=coded("cannot-write-url")),
        new_directory("s3://bucket/x"),
    ):
        pass


def test_url_is_no_local_path_to_check_outputs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s3:" / "bucket").mkdir(parents=True)
    check_outputs(["s3://bucket", "out.csv"], ["s3://bucket/x.csv"])
    with pytest.raises(OutputError, match="is read by the same command"):
        check_outputs(["s3://bucket/x.csv"], ["s3://bucket/x.csv"])
    with pytest.raises(OutputError, match="is written by the same command"):
        check_outputs(["s3://bucket/x.csv", "s3://bucket/x.csv"])


def test_gzip_of_a_url_is_not_located(memory):
    url = memory("x.jsonl.gz", PAIRS, lambda content: gzip.compress(gzip.decompress(content)))
    assert not survey(url).is_located
