"""Databases for tests: an SQLite file, or one on a PostgreSQL server that the tests start."""

import os
import pwd
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import pytest

KINDS = ("sqlite", "postgresql")
ON_BOTH = pytest.mark.parametrize("database_kind", KINDS, indirect=True)
"""For tests of the web, which are content with SQLite where they are not told otherwise."""


def _programs() -> Path | None:
    """Where PostgreSQL's own programs are; Debian keeps them off the path."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((each for each in folders if (each / "initdb").exists()), None)


@pytest.fixture(scope="session")
def postgresql():
    """The URL of a PostgreSQL server of our own, which only listens on a socket.

    It is kept out of pytest's own folder, which every session that root starts closes to others,
    also to the user by whom the server is run.
    """
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed")
    with TemporaryDirectory(prefix="ensue-pg-") as named:
        folder, user = Path(named), None
        if os.getuid() == 0:  # which the server refuses to be run by
            user = "postgres" if _has_user("postgres") else "nobody"
            shutil.chown(folder, user)

        def run(program: str, *options: str) -> None:
            command = [str(programs / program), "-D", str(folder / "data"), *options]
            subprocess.run(command, check=True, user=user, capture_output=True, cwd=folder)

        run("initdb", "-U", "ensue", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off -c full_page_writes=off"
        run("pg_ctl", "-w", "-l", str(folder / "log"), "-o", options, "start")
        yield f"postgresql://ensue@/postgres?host={folder}"
        run("pg_ctl", "-m", "immediate", "stop")


def _has_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


@contextmanager
def created(server: str):
    """The URL of an empty database on a server, for as long as it is used."""
    import psycopg

    name = f"test_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield server.replace("/postgres?", f"/{name}?")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


_FORGET = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid();
DO $$ DECLARE each text; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR each IN SELECT tablename FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> 'alembic_version'
  LOOP EXECUTE format('DELETE FROM %I', each); END LOOP;
  PERFORM setval(format('%I', sequencename)::regclass, start_value, false) FROM pg_sequences;
END $$;
"""
"""Ends all connections, removes all rows, whatever refers to them, and counts from 1 again."""


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory):
    """An SQLite file with all tables and nothing in them."""
    from ensue.workbench import open_workbench

    file = tmp_path_factory.mktemp("migrated") / "workbench.sqlite"
    open_workbench(f"sqlite:///{file}").close()
    return file


@pytest.fixture(scope="session")
def migrated_url(postgresql):
    """The URL of the same on the PostgreSQL server."""
    from ensue.workbench import open_workbench

    with created(postgresql) as url:
        open_workbench(url).close()
        yield url


@pytest.fixture(params=KINDS)
def database_kind(request):
    """Each kind of database."""
    return request.param


@pytest.fixture
def empty_url(request, database_kind, tmp_path):
    """The URL of a database without any table."""
    if database_kind == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.sqlite'}"
        return
    with created(request.getfixturevalue("postgresql")) as url:
        yield url


@pytest.fixture
def database_url(request, database_kind, tmp_path):
    """The URL of a database with all tables and nothing in them.

    It is copied or emptied and not made anew: hundreds of tests ask for one.
    """
    if database_kind == "sqlite":
        file = tmp_path / "workbench.sqlite"
        shutil.copyfile(request.getfixturevalue("migrated_file"), file)
        yield f"sqlite:///{file}"
        return
    import psycopg

    url = request.getfixturevalue("migrated_url")
    yield url
    with psycopg.connect(url) as connection:
        connection.execute(_FORGET)
