"""A workbench in an empty database of each kind, and people in it."""

import os
import pwd
import shutil
import subprocess
from pathlib import Path

import pytest

from ensue.workbench import Role, open_workbench
from ensue.workbench.accounts.people import add_person

PASSWORD = "correct horse battery"


def _programs() -> Path | None:
    """Where PostgreSQL's own programs are; Debian keeps them off the path."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((each for each in folders if (each / "initdb").exists()), None)


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory):
    """The URL of a PostgreSQL server of our own, which only listens on a socket."""
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed")
    folder = tmp_path_factory.mktemp("pg")
    user = pwd.getpwuid(os.getuid()).pw_name
    if os.getuid() == 0:  # which the server refuses to be run by
        user = "postgres" if _has_user("postgres") else "nobody"
        for each in (folder, *folder.parents[:3]):
            if each != Path("/tmp"):
                each.chmod(0o755)
        shutil.chown(folder, user)

    def run(*command: str) -> None:
        subprocess.run(
            [str(programs / command[0]), *command[1:]],
            check=True,
            user=user if os.getuid() == 0 else None,
            capture_output=True,
            cwd=folder,
        )

    data = str(folder / "data")
    run("initdb", "-D", data, "-U", "ensue", "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
    run("pg_ctl", "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
    yield f"postgresql://ensue@/postgres?host={folder}"
    run("pg_ctl", "-D", data, "-m", "immediate", "stop")


def _has_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request, tmp_path):
    """The URL of an empty database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'workbench.sqlite'}"
        return
    server = request.getfixturevalue("postgresql")
    import psycopg

    name = f"test_{os.getpid()}_{abs(hash(tmp_path))}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield server.replace("/postgres?", f"/{name}?")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def workbench(database_url, cheap_passwords):
    """An empty workbench."""
    made = open_workbench(database_url)
    yield made
    made.close()


@pytest.fixture
def ada(workbench):
    """An organizer."""
    return add_person(workbench, "ada", Role.ORGANIZER, PASSWORD)


@pytest.fixture
def bob(workbench):
    """A participant."""
    return add_person(workbench, "bob", Role.PARTICIPANT, PASSWORD)
