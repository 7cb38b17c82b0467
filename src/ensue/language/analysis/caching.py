"""Analyses that were made before: in this run, and on disk across runs.

The file is an SQLite database in write-ahead mode, which two processes may use at once. What is in
it can always be made again, so a damaged file is put aside and begun anew.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

from ensue.errors import DataError
from ensue.language.analysis.sentence import Sentence, sentence_from_bytes, sentence_to_bytes

_FILE = "analyses.sqlite"
_AT_ONCE = 500
"""Keys in one query."""
_WAIT = 30.0
"""Seconds to wait for another process that writes."""


def cache_file() -> Path:
    """Where analyses are kept across runs unless another file is named.

    `ENSUE_CACHE` names the directory, else it is `ensue` in the user's directory of caches. It is
    asked for here and only when the file is needed, since every program of a user shares it.
    """
    named = os.environ.get("ENSUE_CACHE")
    if named:
        return Path(named).expanduser() / _FILE
    caches = os.environ.get("XDG_CACHE_HOME")
    return (Path(caches) if caches else Path.home() / ".cache") / "ensue" / _FILE


class Analyzing(Protocol):
    """Whatever analyzes texts."""

    @property
    def signature(self) -> object:
        """What its analyses depend on."""

    def analyze(self, texts: Sequence[str]) -> list[Sentence]:
        """The analysis of each text."""


class CachedAnalyzer:
    """An analyzer that analyzes each distinct text once."""

    def __init__(self, analyzer: Analyzing, path: Path | None = None) -> None:
        """Keep the analyses in a file, or only for as long as this object lives.

        Args:
            analyzer: Makes what is not there yet.
            path: The file; its directory is made.
        """
        self._analyzer = analyzer
        self._path = path
        self._known: dict[str, Sentence] = {}
        self.n_analyzed = 0
        """Texts that had to be analyzed."""
        self.n_found = 0
        """Texts that were found on disk."""

    @property
    def signature(self) -> object:
        """That of the analyzer."""
        return self._analyzer.signature

    def analyze(self, texts: Sequence[str]) -> list[Sentence]:
        """The analysis of each text, equal ones shared."""
        wanted = [text for text in dict.fromkeys(texts) if text not in self._known]
        if wanted:
            found = self._read(wanted)
            missing = [text for text in wanted if text not in found]
            made = dict(zip(missing, self._analyzer.analyze(missing), strict=True))
            self._write(made)
            self.n_found += len(found)
            self.n_analyzed += len(made)
            self._known |= found | made
        return [self._known[text] for text in texts]

    def forget(self) -> None:
        """Keep nothing in memory."""
        self._known.clear()

    def _key(self, text: str) -> bytes:
        content = f"{self.signature}\0{text}".encode("utf-8", "surrogatepass")
        return blake2b(content, digest_size=16).digest()

    def _read(self, texts: Sequence[str]) -> dict[str, Sentence]:
        if self._path is None or not self._path.exists():
            return {}
        keys = {self._key(text): text for text in texts}
        found: dict[str, Sentence] = {}
        with self._opened() as database:
            if database is None:
                return {}
            for key, content in _rows(database, list(keys)):
                try:
                    found[keys[key]] = sentence_from_bytes(keys[key], content)
                except DataError:
                    continue  # analyzed again, and written over
        return found

    def _write(self, made: dict[str, Sentence]) -> None:
        if self._path is None or not made:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        rows = [(self._key(text), sentence_to_bytes(each)) for text, each in made.items()]
        with self._opened() as database:
            if database is not None:
                with suppress(sqlite3.OperationalError):  # it is only made again then
                    database.executemany("INSERT OR REPLACE INTO analyses VALUES (?, ?)", rows)
                    database.commit()

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection | None]:
        """The database, begun anew where it is damaged; None where it cannot be opened at all."""
        assert self._path is not None
        try:
            database = _open(self._path)
        except sqlite3.OperationalError:  # locked for too long, or not ours to write
            yield None
            return
        except sqlite3.DatabaseError:
            _put_aside(self._path)
            database = _open(self._path)
        with closing(database):
            yield database


def _open(path: Path) -> sqlite3.Connection:
    """A database with the table in it.

    Raises:
        sqlite3.DatabaseError: the file is damaged, or cannot be opened.
    """
    database = sqlite3.connect(path, timeout=_WAIT)
    try:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute(
            "CREATE TABLE IF NOT EXISTS analyses (key BLOB PRIMARY KEY, analysis BLOB)"
            " WITHOUT ROWID"
        )
        database.execute("SELECT key, analysis FROM analyses LIMIT 1").fetchone()
    except sqlite3.DatabaseError:
        database.close()
        raise
    return database


def _rows(database: sqlite3.Connection, keys: Sequence[bytes]) -> Iterator[tuple[bytes, bytes]]:
    for start in range(0, len(keys), _AT_ONCE):
        some = keys[start : start + _AT_ONCE]
        marks = ",".join("?" * len(some))
        query = f"SELECT key, analysis FROM analyses WHERE key IN ({marks})"
        try:
            yield from database.execute(query, some).fetchall()
        except sqlite3.DatabaseError:
            return


def _put_aside(path: Path) -> None:
    """Move a damaged file, and what belongs to it, out of the way."""
    for ending in ("", "-wal", "-shm"):
        part = path.with_name(path.name + ending)
        if part.is_file():
            part.replace(path.with_name(f"{path.name}.damaged{ending}"))
