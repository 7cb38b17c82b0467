"""Data sets and runs: taken in whole or not at all, seen by those they are for."""

import bz2
import gzip
import io
from datetime import date, datetime
from decimal import Decimal

import pyarrow
import pyarrow.parquet
import pytest
from sqlalchemy import insert
from sqlalchemy.exc import StatementError
from tests.errors import coded

import ensue
from ensue.errors import AccessError, DataError, EnsueError, LimitError, NotFoundError, RunError
from ensue.pairs import Label, Pair, read_pairs
from ensue.workbench import Limits, Workbench
from ensue.workbench.database import models
from ensue.workbench.datasets import (
    add_dataset,
    datasets_for,
    find_dataset,
    kept_pairs,
    remove_dataset,
    share_dataset,
)
from ensue.workbench.runs import (
    PAGE,
    Filter,
    PairOutcome,
    add_run,
    look,
    read_kept_run,
    remove_run,
    runs_over,
)
from ensue.workbench.uploads import Upload

JSONL = (
    b'{"id": "1", "text": "A dog barks.", "hypothesis": "A dog barks.", "gold": "entailment", "task": "IR"}\n'
    b'{"id": "2", "text": "A dog barks.", "hypothesis": "A cat purrs.", "gold": "not-entailment", "task": "QA"}\n'
    b'{"id": "3", "text": "100% of it_is here", "hypothesis": "It is.", "task": "QA"}\n'
)
PLAIN = b"1 TRUE 0.9\n2 TRUE 0.8\n"
OTHER = b"1 TRUE 0.9\n2 FALSE 0.8\n3 TRUE 0.1\n"


def upload(content, name="pairs.jsonl"):
    return Upload(name, io.BytesIO(content))


@pytest.fixture
def data(workbench, ada):
    return add_dataset(workbench, ada, "dogs", upload(JSONL))


def test_pairs_come_back_as_they_were_read(workbench, ada, examples):
    record = add_dataset(workbench, ada, "", upload(examples.read_bytes(), "pairs.xml"))
    assert (record.name, record.n_pairs, record.is_own) == ("pairs.xml", 56, True)
    with workbench.database.reading() as session:
        assert list(kept_pairs(session, record.id)) == list(read_pairs(examples))


@pytest.mark.parametrize(("pack", "suffix"), [(gzip.compress, ".gz"), (bz2.compress, ".bz2")])
def test_packed_pairs_are_taken_in(workbench, ada, pack, suffix):
    record = add_dataset(workbench, ada, "", upload(pack(JSONL), f"p.jsonl{suffix}"))
    assert (record.n_pairs, record.n_gold) == (3, 2)


def test_what_was_found_is_kept_without_a_path(workbench, ada):
    line = b'{"id": "1", "text": "", "hypothesis": "A dog barks."}\n'
    (finding,) = add_dataset(workbench, ada, "", upload(line)).findings
    assert "empty" in finding
    assert "/" not in finding


@pytest.mark.parametrize(
    ("content", "name", "place"),
    [
        (b'{"id": "1", "text": "a"}\n', "some.jsonl", "some.jsonl:1"),
        (b"", "some.jsonl", "some.jsonl"),
        (b"PAR1 and more", "some.parquet", "some.parquet"),
        (b'{"id": 1\n', "../../etc/some.jsonl", "some.jsonl:1"),
        (gzip.compress(JSONL)[:-9], "cut.jsonl.gz", "cut.jsonl.gz"),
    ],
)
def test_broken_file_is_told_by_its_own_name(workbench, ada, content, name, place):
    with pytest.raises(EnsueError) as caught:
        add_dataset(workbench, ada, "", upload(content, name))
    assert caught.value.place == place
    assert "/tmp" not in str(caught.value)
    assert datasets_for(workbench, ada) == []


def test_entities_in_xml_are_refused(workbench, ada):
    bomb = (
        b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
        b'<entailment-corpus><pair id="1" value="TRUE"><t>&b;</t><h>x</h></pair></entailment-corpus>'
    )
    with pytest.raises(DataError):
        add_dataset(workbench, ada, "", upload(bomb, "bomb.xml"))


def limited(workbench, **limits):
    return Workbench(workbench.database, Limits(**limits))


def test_file_that_unpacks_to_too_much_is_refused_before_it_is_read(workbench, ada):
    small = limited(workbench, unpacked_bytes=1_000_000)
    bomb = gzip.compress(b" " * 50_000_000)
    with pytest.raises(LimitError, check=coded("file-unpacked")):
        add_dataset(small, ada, "", upload(bomb, "bomb.jsonl.gz"))


def test_too_many_bytes_and_too_many_pairs_are_refused(workbench, ada):
    with pytest.raises(LimitError, check=coded("file-more-than-bytes")):
        add_dataset(limited(workbench, upload_bytes=10), ada, "", upload(JSONL))
    with pytest.raises(LimitError, match="more than 2 pairs"):
        add_dataset(limited(workbench, pairs=2), ada, "", upload(JSONL))


@pytest.mark.parametrize("name", ["../../x.jsonl", "C:\\x\\x.jsonl", "/etc/x.jsonl", "x.jsonl"])
def test_names_of_uploads_lead_nowhere(name):
    assert Upload(name, io.BytesIO()).shown == "x.jsonl"


@pytest.mark.parametrize("name", ["", "..", "///", "...\n"])
def test_upload_without_a_name_has_one(name):
    assert Upload(name, io.BytesIO()).shown == "upload"


def test_characters_that_databases_refuse_are_replaced(workbench, ada):
    odd = b'{"id": "1", "text": "a\\u0000b", "hypothesis": "c"}\n'
    record = add_dataset(workbench, ada, "", upload(odd))
    with workbench.database.reading() as session:
        (pair,) = kept_pairs(session, record.id)
    assert pair.text == "a\ufffdb"


def test_data_is_its_owners_until_it_is_shared(workbench, ada, bob, data):
    assert datasets_for(workbench, bob) == []
    with pytest.raises(NotFoundError):
        find_dataset(workbench, bob, data.id)
    with pytest.raises(NotFoundError):
        look(workbench, bob, data.id, Filter())
    with pytest.raises(NotFoundError):
        add_run(workbench, bob, data.id, "", upload(PLAIN, "run.txt"))
    share_dataset(workbench, ada, data.id, shared=True)
    assert not find_dataset(workbench, bob, data.id).is_own
    with pytest.raises(AccessError):
        remove_dataset(workbench, bob, data.id)
    with pytest.raises(AccessError):
        share_dataset(workbench, bob, data.id, shared=False)


def test_removed_data_is_gone_with_its_runs(workbench, ada, data):
    run = add_run(workbench, ada, data.id, "", upload(PLAIN, "run.txt"))
    remove_dataset(workbench, ada, data.id)
    assert datasets_for(workbench, ada) == []
    with pytest.raises(NotFoundError):
        read_kept_run(workbench, ada, run.id)


def test_run_comes_back_as_it_was_read(workbench, ada, data, tmp_path):
    record = add_run(workbench, ada, data.id, "mine", upload(PLAIN, "run.txt"))
    (tmp_path / "run.txt").write_bytes(PLAIN)
    assert record.n_verdicts == 2
    for _ in range(2):  # the second time it is remembered
        run = read_kept_run(workbench, ada, record.id)
        assert run.verdicts == ensue.read_run(tmp_path / "run.txt").verdicts
        assert run.name == "mine"


@pytest.mark.parametrize(
    ("content", "said", "place"),
    [
        (b"1 TRUE\n7 TRUE\n", "no pair '7'", "run.txt:2"),
        (b"1 TRUE\n1 FALSE\n", "second time", "run.txt:2"),
        (b"1 MAYBE\n", "MAYBE", "run.txt:1"),
        (b"", "empty", "run.txt"),
    ],
)
def test_run_that_is_wrong_is_told_by_its_line(workbench, ada, data, content, said, place):
    with pytest.raises(EnsueError, match=said) as caught:
        add_run(workbench, ada, data.id, "", upload(content, "run.txt"))
    assert caught.value.place == place
    assert isinstance(caught.value, RunError | DataError)
    assert runs_over(workbench, ada, data.id) == []


def test_run_is_removed_by_its_owner_alone(workbench, ada, bob, data):
    share_dataset(workbench, ada, data.id, shared=True)
    run = add_run(workbench, bob, data.id, "", upload(PLAIN, "run.txt"))
    with pytest.raises(AccessError):
        remove_run(workbench, ada, run.id)
    remove_run(workbench, bob, run.id)
    assert runs_over(workbench, ada, data.id) == []


def test_run_that_replaces_another_is_not_taken_for_it(workbench, ada, data):
    """SQLite gives the number of the one that was removed to the next one."""
    first = add_run(workbench, ada, data.id, "run", upload(PLAIN, "run.txt"))
    read_kept_run(workbench, ada, first.id)
    remove_run(workbench, ada, first.id)
    second = add_run(workbench, ada, data.id, "run", upload(OTHER, "run.txt"))
    labels = [each.label for each in read_kept_run(workbench, ada, second.id).verdicts]
    assert labels == [Label.ENTAILMENT, Label.NOT_ENTAILMENT, Label.ENTAILMENT]


def test_columns_beside_pairs_are_kept_as_far_as_json_goes(workbench, ada, tmp_path):
    columns = {
        "id": ["1"],
        "text": ["a"],
        "hypothesis": ["b"],
        "at": [datetime(2026, 11, 17, 12, 0)],
        "price": [Decimal("1.50")],
        "odd": [float("nan")],
        "parts": [[date(2026, 1, 2)]],
    }
    pyarrow.parquet.write_table(pyarrow.table(columns), tmp_path / "p.parquet")
    content = (tmp_path / "p.parquet").read_bytes()
    record = add_dataset(workbench, ada, "", upload(content, "p.parquet"))
    with workbench.database.reading() as session:
        (pair,) = kept_pairs(session, record.id)
    assert pair.meta["at"] == "2026-11-17 12:00:00"
    assert pair.meta["price"] == "1.50"
    assert pair.meta["odd"] == "nan"
    assert pair.meta["parts"] == ["2026-01-02"]


def test_words_are_found_whatever_their_case(workbench, ada):
    line = '{"id": "1", "text": "Über die ÉTÉ.", "hypothesis": "x"}\n'
    record = add_dataset(workbench, ada, "", upload(line.encode()))
    for words in ("über", "ÜBER", "été"):
        assert look(workbench, ada, record.id, Filter(words=words)).n_found == 1


def test_runs_that_differ_in_finer_labels_alone_do_not_disagree(workbench, ada, data):
    fine = b'{"pair_id": "2", "label": "contradiction"}\n'
    runs = [
        add_run(workbench, ada, data.id, "", upload(content, name)).id
        for content, name in ((fine, "fine.jsonl"), (b"2 FALSE\n", "coarse.txt"))
    ]
    wanted = Filter(outcome=PairOutcome.DISPUTED)
    assert look(workbench, ada, data.id, wanted, runs).rows == ()


def test_what_a_database_refuses_is_not_told_with_its_values(workbench, ada):
    statement = insert(models.User).values(name="SECRET", role=object())
    with pytest.raises(StatementError) as caught, workbench.database.writing() as session:
        session.execute(statement)
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        (Filter(), ["1", "2", "3"]),
        (Filter(gold="entailment"), ["1"]),
        (Filter(gold="none"), ["3"]),
        (Filter(task="QA"), ["2", "3"]),
        (Filter(words="DOG purrs"), ["2"]),
        (Filter(words="100%"), ["3"]),
        (Filter(words="t_i"), ["3"]),
        (Filter(words="%"), ["3"]),
        (Filter(words="unicorn"), []),
        (Filter(page=2), []),
        (Filter(outcome=PairOutcome.WRONG), ["2"]),
        (Filter(outcome=PairOutcome.RIGHT), ["1"]),
        (Filter(outcome=PairOutcome.UNANSWERED), ["3"]),
        (Filter(outcome=PairOutcome.DISPUTED), ["2"]),
        (Filter(outcome=PairOutcome.WRONG, task="IR"), []),
    ],
)
def test_pairs_are_found_by_what_is_asked(workbench, ada, data, wanted, ids):
    runs = [
        add_run(workbench, ada, data.id, name, upload(content, "run.txt")).id
        for name, content in (("plain", PLAIN), ("other", OTHER))
    ]
    found = look(workbench, ada, data.id, wanted, runs)
    assert [row.pair.id for row in found.rows] == ids
    assert found.tasks == ("IR", "QA")
    if wanted.page == 1:
        assert found.n_found == len(ids)


def test_verdicts_stand_beside_gold(workbench, ada, data):
    run = add_run(workbench, ada, data.id, "", upload(PLAIN, "run.txt"))
    rows = look(workbench, ada, data.id, Filter(), [run.id]).rows
    assert [row.right for row in rows] == [(True,), (False,), (None,)]
    assert rows[0].verdicts[0].label is Label.ENTAILMENT


def test_pages_have_every_pair_once(workbench, ada):
    lines = "".join(
        f'{{"id": "{i}", "text": "text {i}", "hypothesis": "it"}}\n' for i in range(2 * PAGE + 7)
    )
    record = add_dataset(workbench, ada, "", upload(lines.encode()))
    pages = [look(workbench, ada, record.id, Filter(page=k)) for k in (1, 2, 3)]
    assert [page.has_more for page in pages] == [True, True, False]
    found = [row.pair for page in pages for row in page.rows]
    assert found == [Pair(str(i), f"text {i}", "it") for i in range(2 * PAGE + 7)]


def test_pairs_are_found_by_their_ids(workbench, ada, data):
    found = look(workbench, ada, data.id, Filter(ids=("3", "1", "0\x00")))
    assert [row.pair.id for row in found.rows] == ["1", "3"]
