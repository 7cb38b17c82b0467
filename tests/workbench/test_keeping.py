"""Backups: everything comes back, in either kind of database, or nothing does."""

import io
import json
import stat
import zipfile

import pytest
from sqlalchemy import select
from tests.errors import coded

from ensue.errors import ConflictError, DataError, OutputError
from ensue.workbench import Role, open_workbench
from ensue.workbench.accounts import add_person, sign_in
from ensue.workbench.backups import backup, restore
from ensue.workbench.database import models
from ensue.workbench.datasets import add_dataset
from ensue.workbench.runs import add_run, read_kept_run
from ensue.workbench.uploads import Upload

PASSWORD = "correct horse battery"


@pytest.fixture
def filled(workbench, ada, bob, examples):
    """A workbench with people, pairs and a run."""
    data = add_dataset(workbench, ada, "", Upload("p.xml", io.BytesIO(examples.read_bytes())))
    add_run(workbench, ada, data.id, "mine", Upload("run.txt", io.BytesIO(b"1 TRUE 0.5\n")))
    sign_in(workbench, "bob", PASSWORD)
    return workbench


@pytest.fixture
def empty(tmp_path):
    made = open_workbench(f"sqlite:///{tmp_path / 'other.sqlite'}")
    yield made
    made.close()


def rows(workbench):
    with workbench.database.reading() as session:
        return {
            table.name: sorted(map(repr, session.execute(select(table)).all()))
            for table in models.MappedTable.metadata.sorted_tables
        }


def test_everything_comes_back(filled, empty, tmp_path):
    n = backup(filled, tmp_path / "all.zip")
    assert restore(empty, tmp_path / "all.zip") == n > 60
    assert rows(empty) == rows(filled)
    person, _ = sign_in(empty, "ada", PASSWORD)
    assert read_kept_run(empty, person, 1).verdicts[0].confidence == 0.5


def test_backup_of_sqlite_goes_into_either_kind(workbench, cheap_passwords, tmp_path):
    """The other way round is above: the source is of either kind there, and here the target."""
    source = open_workbench(f"sqlite:///{tmp_path / 'source.sqlite'}")
    add_person(source, "ada", Role.ORGANIZER, PASSWORD)
    backup(source, tmp_path / "all.zip")
    restore(workbench, tmp_path / "all.zip")
    assert rows(workbench) == rows(source)
    source.close()
    again = add_person(workbench, "eve", Role.ANNOTATOR, PASSWORD)
    assert again.id == 2  # and not one that is taken


def test_backup_is_its_owners_alone_and_replaces_nothing(filled, tmp_path):
    target = tmp_path / "all.zip"
    backup(filled, target)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    before = target.read_bytes()
    with pytest.raises(OutputError, check=coded("is-there-already")):
        backup(filled, target)
    assert target.read_bytes() == before
    assert [each.name for each in tmp_path.glob(".*")] == []


def test_workbench_that_is_not_empty_is_left_alone(filled, tmp_path):
    backup(filled, tmp_path / "all.zip")
    before = rows(filled)
    with pytest.raises(ConflictError):
        restore(filled, tmp_path / "all.zip")
    assert rows(filled) == before


@pytest.mark.parametrize("spoil", ["cut", "bytes", "text", "rows", "table", "version"])
def test_broken_backup_restores_nothing(filled, empty, tmp_path, spoil):
    target = tmp_path / "all.zip"
    backup(filled, target)
    if spoil == "cut":
        target.write_bytes(target.read_bytes()[:-200])
    elif spoil == "bytes":
        content = bytearray(target.read_bytes())
        place = content.index(b"pairs.jsonl") + 40
        content[place : place + 60] = b"\xff" * 60
        target.write_bytes(content)
    elif spoil == "text":
        target.write_text("nothing")
    else:
        _change(target, spoil)
    with pytest.raises(DataError) as caught:
        restore(empty, target)
    assert caught.value.place == str(target)
    assert not any(rows(empty).values())


def _change(target, spoil):
    with zipfile.ZipFile(target) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    if spoil == "rows":
        members["pairs.jsonl"] = members["pairs.jsonl"].split(b"\n", 1)[1]
    elif spoil == "table":
        del members["pairs.jsonl"]
    else:
        about = json.loads(members["backup.json"])
        members["backup.json"] = json.dumps({**about, "revision": "0001"}).encode()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
