"""Files that were made to do harm: bombs, entities, names that lead elsewhere."""

import bz2
import gzip
import io
import lzma
import os
import tempfile
import zipfile
from functools import cache

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.web.conftest import Browser

from ensue.web import create_app
from ensue.workbench import Limits, Workbench

LINE = b'{"id": "1", "text": "a", "hypothesis": "b", "gold": "entailment"}\n'
PAIR = '<entailment-corpus><pair id="1" value="TRUE"><t>{}</t><h>x</h></pair></entailment-corpus>'
JSON = {"accept": "application/json"}

LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
ENTITIES = {
    "laughs": f'<!DOCTYPE x [<!ENTITY l0 "ha">{LAUGHS}]>' + PAIR.format("&l9;"),
    "quadratic": f'<!DOCTYPE x [<!ENTITY a "{"a" * 50_000}">]>' + PAIR.format("&a;" * 50_000),
    "file": '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + PAIR.format("&a;"),
    "address": '<!DOCTYPE x [<!ENTITY a SYSTEM "http://127.0.0.1:9/">]>' + PAIR.format("&a;"),
    "parameter": '<!DOCTYPE x [<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;]>' + PAIR.format("x"),
}


def packed_by_lz4(content):
    file = pa.BufferOutputStream()
    with pa.CompressedOutputStream(file, "lz4") as stream:
        stream.write(content)
    return file.getvalue().to_pybytes()


PACKINGS = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": lambda content: pa.compress(content, "zstd", asbytes=True),
    "lz4": packed_by_lz4,
}


@pytest.fixture
def bob(workbench):
    """Somebody of a workbench that takes one megabyte, unpacked."""
    small = Workbench(workbench.database, Limits(unpacked_bytes=1 << 20, line_bytes=1 << 16))
    return Browser(create_app(small), follow_redirects=False).sign_in("bob")


def sent(client, name, content, path="/data"):
    return client.send_form(path, files={"file": (name, content)}, headers=JSON)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("name", ENTITIES)
def test_entities_are_refused_and_nothing_is_opened_for_them(bob, name, encoding):
    found = sent(bob, "p.xml", ENTITIES[name].encode(encoding))
    assert found.status_code == 422
    assert "which is refused" in found.json()["error"]
    assert "root:" not in found.text
    assert bob.get("/data.json").json() == {"datasets": []}


def test_document_type_of_another_place_is_not_opened(bob):
    named = '<!DOCTYPE x SYSTEM "file:///etc/passwd">' + PAIR.format("caf&eacute;")
    assert sent(bob, "p.xml", named.encode()).status_code == 200
    assert "café" in bob.get("/data/1/pairs.json").text


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("name", ["p.jsonl", "p.csv", "p.xml", "p"])
def test_bomb_of_every_packing_is_refused(bob, packing, name):
    bomb = PACKINGS[packing](LINE + b" " * (8 << 20))
    assert len(bomb) < 100_000
    found = sent(bob, f"{name}.{packing}", bomb)
    assert found.status_code == 413
    assert "when it is unpacked" in found.json()["error"]


@pytest.mark.parametrize("packing", PACKINGS)
def test_bomb_in_a_bomb_is_not_unpacked(bob, packing):
    bomb = gzip.compress(PACKINGS[packing](LINE + b" " * (8 << 20)))
    assert sent(bob, f"p.jsonl.{packing}.gz", bomb).status_code in (413, 422)


def test_zip_is_no_format(bob):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../p.jsonl", LINE + b" " * (8 << 20))
    assert sent(bob, "p.jsonl.zip", file.getvalue()).status_code == 422


@pytest.mark.parametrize("packing", PACKINGS)
def test_packed_run_that_grows_is_refused(bob, packing):
    sent(bob, "p.jsonl", LINE)
    found = sent(bob, "run", PACKINGS[packing](b"1 TRUE\n" + b"\n" * (8 << 20)), "/data/1/runs")
    assert found.status_code == 413


def test_run_of_too_many_lines_is_refused_before_it_is_read(workbench):
    small = Workbench(workbench.database, Limits(pairs=50))
    bob = Browser(create_app(small), follow_redirects=False).sign_in("bob")
    sent(bob, "p.jsonl", LINE)
    lines = b"".join(b"%d TRUE\n" % i for i in range(151))
    found = sent(bob, "run.txt", lines, "/data/1/runs")
    assert (found.status_code, found.json()["error"]) == (
        413,
        "the file has more than 150 lines when it is unpacked",
    )


@pytest.mark.parametrize("name", ["p.jsonl", "p.csv", "p.tsv", "p"])
def test_line_that_grows_in_memory_is_refused(bob, name):
    """A list of lists takes twenty times what it has on disk."""
    content = b'{"id": "1", "text": "a", "hypothesis": "b", "x": [' + b"[]," * 50_000
    found = sent(bob, name, content)
    assert "a line of more than" in found.json()["error"]


@pytest.mark.parametrize("content", [b"[" * 60_000, b'{"a":' * 10_000])
def test_deep_lines_are_refused(bob, content):
    assert sent(bob, "p.jsonl", content + b"\n").status_code == 422
    sent(bob, "p.jsonl", LINE)
    assert sent(bob, "run.jsonl", content + b"\n", "/data/1/runs").status_code == 422


def parquet(n, **columns):
    """A file of so many rows, some of them with other columns."""
    file = io.BytesIO()
    whole = {"id": [str(i) for i in range(n)], "text": ["a"] * n, "hypothesis": ["b"] * n}
    pq.write_table(pa.table({**whole, **columns}), file, compression="zstd")
    return file.getvalue()


def repeated(size, n):
    """A word that is written once, and stands in every row."""
    return pa.DictionaryArray.from_arrays(pa.array([0] * n, pa.int32()), ["x" * size])


PARQUET = {
    "long": lambda: parquet(1, text=["x" * (300 << 20)]),
    "repeated": lambda: parquet(4000, text=repeated(100_000, 4000)),
    "beside": lambda: parquet(4000, note=repeated(100_000, 4000)),
    "nested": lambda: parquet(1, note=pa.array([[[]] * 5_000_000])),
}


@cache
def bombs(kind):
    return PARQUET[kind]()


@pytest.mark.parametrize("packing", ["", ".gz"])
@pytest.mark.parametrize("kind", PARQUET)
def test_parquet_that_grows_is_refused_by_a_process_of_its_own(bob, kind, packing):
    bomb = bombs(kind)
    assert len(bomb) < 1_000_000
    found = sent(bob, f"p.parquet{packing}", gzip.compress(bomb) if packing else bomb)
    assert found.status_code == 413, found.text


def test_parquet_is_taken_in_and_broken_one_is_told(bob):
    assert sent(bob, "p.parquet", parquet(3)).json()["dataset"]["n_pairs"] == 3
    found = sent(bob, "p.parquet", parquet(3)[:-20])
    assert (found.status_code, found.json()["place"]) == (422, "p.parquet")


NAMES = [
    "../../../x.jsonl",
    "/etc/cron.d/x.jsonl",
    "..\\..\\x.jsonl",
    "C:\\Windows\\x.jsonl",
    "\\\\host\\share\\x.jsonl",
    "CON.jsonl",
    "x" * 300 + ".jsonl",
    "\U0001d4b3" * 300 + ".jsonl",
    "<script>alert(1)</script>.jsonl",
    "a\x00b.jsonl",
    "a\nb\r\nc.jsonl",
    "~/x.jsonl",
    "$(id).jsonl",
    "https://example.org/x.jsonl",
    "s3::x.jsonl",
    ".jsonl",
    "*.jsonl",
    "-",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_lead_nowhere(bob, name, tmp_path, monkeypatch):
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    made = []
    original = os.open

    def spy(path, flags, *others, **more):
        if flags & os.O_CREAT:
            made.append(str(path))
        return original(path, flags, *others, **more)

    monkeypatch.setattr(os, "open", spy)
    token = bob.send_form("/account/tokens", {"name": "t"}, headers=JSON).json()["made"]
    body = (
        b'--x\r\ncontent-disposition: form-data; name="file"; filename="'
        + name.replace('"', "").replace("\r", "%0D").replace("\n", "%0A").encode()
        + b'"\r\n\r\n'
        + LINE
        + b"\r\n--x--\r\n"
    )
    found = bob.post(
        "/data",
        content=body,
        headers={
            "authorization": f"Bearer {token}",
            "content-type": "multipart/form-data; boundary=x",
        },
    )
    assert found.status_code in (200, 400, 422), found.text
    if found.status_code == 200:
        shown = found.json()["dataset"]["name"]
        assert "/" not in shown
        assert "\\" not in shown
        assert "<" not in shown
        assert len(shown.encode()) <= 100
    assert all(each.startswith(str(folder)) for each in made)
    assert list(folder.iterdir()) == []
