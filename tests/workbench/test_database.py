"""The database: migrated, transactional, and clear about what is wrong."""

import threading

import pytest
from alembic import command
from sqlalchemy import inspect, select, text
from tests.errors import coded

from ensue.errors import SettingError, StorageError
from ensue.workbench import open_workbench
from ensue.workbench.database import Database, migrate, models
from ensue.workbench.database.connection import alembic_config, current_revision


def test_migrated_tables_are_those_of_the_models(workbench):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    with workbench.database.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, models.MappedTable.metadata) == []


def test_database_that_is_there_is_opened_again(database_url, workbench, ada):
    again = open_workbench(database_url)
    with again.database.reading() as session:
        assert session.scalars(select(models.User.name)).all() == ["ada"]
    again.close()


def test_two_servers_may_migrate_at_once(empty_url):
    trouble = []

    def open_it():
        database = Database(empty_url)
        try:
            migrate(database)
        except Exception as error:
            trouble.append(error)
        finally:
            database.close()

    threads = [threading.Thread(target=open_it) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert trouble == []


def test_what_was_there_is_brought_to_the_new_tables(empty_url):
    """From 0003: challenges get the labels of their gold, data sets that are shared were."""
    database = Database(empty_url)
    with database.engine.execution_options(writes=True).begin() as connection:
        command.upgrade(alembic_config(connection), "0003")
        rows = [
            "INSERT INTO users VALUES (1, 'ada', 'organizer', NULL, '2026-01-01', false)",
            *(
                "INSERT INTO datasets (id, name, owner_id, created, n_pairs, n_gold, digest,"
                f" is_shared, findings) VALUES ({i}, 'x', 1, '2026-01-01', 2, 2, 'd{i}', {shared}, '[]')"
                for i, shared in ((1, "true"), (2, "false"), (3, "false"))
            ),
            *(
                "INSERT INTO pairs (dataset_id, number, pair_id, text, hypothesis, gold, meta)"
                f" VALUES ({data}, {n}, '{n}', 't', 'h', '{gold}', '{{}}')"
                for data, golds in ((2, ("entailment", "unknown")), (3, ("not-entailment",) * 2))
                for n, gold in enumerate(golds)
            ),
            *(
                "INSERT INTO challenges (id, name, description, owner_id, created, development_id,"
                " test_id, opens, closes, runs_allowed, measures, version) VALUES"
                f" ({i}, 'x', '', 1, '2026-01-01', 1, {i}, '2026-01-01', '2026-01-02', 2, '[]', 0)"
                for i in (2, 3)
            ),
        ]
        for row in rows:
            connection.execute(text(row))
    migrate(database)
    with database.reading() as session:
        shared = session.scalars(select(models.DataSet.was_shared).order_by(models.DataSet.id))
        assert shared.all() == [True, False, False]
        views = session.scalars(select(models.Challenge.view).order_by(models.Challenge.id))
        assert views.all() == ["3-way", "2-way"]
    database.close()


def test_database_of_a_later_version_is_refused(empty_url):
    workbench = open_workbench(empty_url)
    with workbench.database.engine.execution_options(writes=True).begin() as connection:
        assert current_revision(connection) is not None
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    workbench.close()
    with pytest.raises(StorageError, check=coded("database-tables-another-version")):
        open_workbench(empty_url)


def test_transaction_that_fails_leaves_nothing_behind(workbench):
    def fail():
        with workbench.database.writing() as session:
            session.add(models.User(name="eve", role="organizer"))
            session.flush()
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError):
        fail()
    with workbench.database.reading() as session:
        assert session.scalars(select(models.User.name)).all() == []


def test_writers_wait_for_each_other(workbench, ada):
    def count():
        for _ in range(20):
            with workbench.database.writing() as session:
                row = session.scalars(select(models.User).with_for_update()).one()
                row.role = str(int(row.role) + 1)

    with workbench.database.writing() as session:
        session.scalars(select(models.User)).one().role = "0"
    threads = [threading.Thread(target=count) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    with workbench.database.reading() as session:
        assert session.scalars(select(models.User.role)).one() == "80"


def test_times_come_back_with_their_zone(workbench, ada):
    with workbench.database.reading() as session:
        created = session.scalars(select(models.User.created)).one()
    assert created.tzinfo is not None


@pytest.mark.parametrize("url", ["mysql://host/name", "nothing at all", "oracle://x"])
def test_other_databases_are_refused_with_a_hint(url):
    with pytest.raises(SettingError) as caught:
        Database(url)
    assert "sqlite:///FILE" in caught.value.hint


def test_database_that_does_not_answer_is_an_error_without_its_password():
    database = Database("postgresql://ensue:secret@127.0.0.1:9/nothing")
    with pytest.raises(StorageError) as caught, database.reading() as session:
        session.execute(text("SELECT 1"))
    database.close()
    assert "secret" not in str(caught.value)


def test_sqlite_keeps_a_write_ahead_log(tmp_path):
    workbench = open_workbench(f"sqlite:///{tmp_path / 'a' / 'b.sqlite'}")
    with workbench.database.reading() as session:
        assert session.scalar(text("PRAGMA journal_mode")) == "wal"
        assert session.scalar(text("PRAGMA foreign_keys")) == 1
    assert "users" in inspect(workbench.database.engine).get_table_names()
    workbench.close()
