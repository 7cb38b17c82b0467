"""A cache of analyses: in memory within a run, and on disk across runs.

The file is an SQLite database in write-ahead mode, which two processes may use at once. What is in
it can always be made again: a damaged file is put aside and begun anew, one that cannot be written is
done without, and one that grows too large loses some of its analyses.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

from ensue.caches import cache_folder, wanted_folder
from ensue.concurrency import no_fork
from ensue.errors import DataError
from ensue.language.analyzer import Sentence, sentence_from_bytes, sentence_to_bytes

_FILE = "analyses.sqlite"
_AT_ONCE = 500
"""Keys in one query."""
_WAIT = 30.0
"""Seconds to wait for another process that writes."""
REMEMBERED = 20_000
"""Analyses kept in memory."""
LARGEST_FILE = 2 << 30
"""Bytes of analyses on disk: over three million sentences."""
_counts = {"texts": 0, "analyzed": 0, "found": 0}
_SLICE = 4
"""Of a file that is too large, the analyses whose keys begin with so many of 256 bytes go."""


def cache_file() -> Path:
    """Where analyses are kept across runs unless another file is named.

    It is asked for here and only when the file is needed, since every program of a user shares it.
    """
    found = cache_folder()
    return (found.path if found else wanted_folder()) / _FILE


def analysis_counts() -> dict[str, int]:
    """How many texts this process asked for, analyzed, and found on disk; the rest was in memory."""
    return dict(_counts)


class TextAnalyzer(Protocol):
    """Whatever analyzes texts."""

    @property
    def signature(self) -> object:
        """What its analyses depend on."""

    def analyze(self, texts: Sequence[str]) -> list[Sentence]:
        """The analysis of each text."""


class CachedAnalyzer:
    """An analyzer that analyzes each distinct text once."""

    def __init__(
        self,
        analyzer: TextAnalyzer,
        path: Path | None = None,
        *,
        remembered: int = REMEMBERED,
        largest_file: int = LARGEST_FILE,
    ) -> None:
        """Keep the analyses in memory, and in a file across runs.

        Args:
            analyzer: Makes what is not there yet.
            path: The file; its directory is made. None for memory alone.
            remembered: How many are kept in memory; those that were not asked for the longest go.
            largest_file: Bytes that the file may hold; beyond them some go, whichever.
        """
        self._analyzer = analyzer
        self._path = path
        self._known: dict[str, Sentence] = {}
        self._lock = threading.Lock()
        """Of what is known and counted; nobody holds it while texts are read or analyzed."""
        self._remembered = remembered
        self._largest_file = largest_file
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
        distinct = list(dict.fromkeys(texts))
        with no_fork, self._lock:
            _counts["texts"] += len(texts)
            kept = {text: self._known[text] for text in distinct if text in self._known}
        wanted = [text for text in distinct if text not in kept]
        found = self._read(wanted) if wanted else {}
        missing = [text for text in wanted if text not in found]
        made = dict(zip(missing, self._analyzer.analyze(missing), strict=True)) if missing else {}
        self._write(made)
        asked = kept | found | made
        with no_fork, self._lock:
            self._keep(asked, n_found=len(found), n_made=len(made))
        return [asked[text] for text in texts]

    def _keep(self, asked: dict[str, Sentence], *, n_found: int, n_made: int) -> None:
        """Keep what was asked for last, and count."""
        known = self._known
        for text in asked:
            known.pop(text, None)
        known |= asked  # last in, so that they go last
        for text in list(known)[: max(len(known) - self._remembered, 0)]:
            del known[text]
        self.n_found += n_found
        self.n_analyzed += n_made
        _counts["found"] += n_found
        _counts["analyzed"] += n_made

    def forget(self) -> None:
        """Keep nothing in memory."""
        with no_fork, self._lock:
            self._known.clear()

    def _key(self, text: str) -> bytes:
        content = f"{self.signature}\0{text}".encode("utf-8", "surrogatepass")
        return blake2b(content, digest_size=16).digest()

    @no_fork
    def _read(self, texts: Sequence[str]) -> dict[str, Sentence]:
        keys = {self._key(text): text for text in texts}
        found: dict[str, Sentence] = {}
        with self._opened(make=False) as database:
            for key, content in _rows(database, list(keys)) if database else ():
                try:
                    found[keys[key]] = sentence_from_bytes(keys[key], content)
                except DataError:
                    continue  # analyzed again, and written over
        return found

    @no_fork
    def _write(self, made: dict[str, Sentence]) -> None:
        if self._path is None or not made:
            return
        rows = [(self._key(text), sentence_to_bytes(each)) for text, each in made.items()]
        try:
            self._insert(rows)
        except sqlite3.DatabaseError:  # what could be opened is damaged further in
            with suppress(sqlite3.DatabaseError, OSError):  # it is only made again then
                _put_aside(self._path)
                self._insert(rows)

    def _insert(self, rows: Sequence[tuple[bytes, bytes]]) -> None:
        """Write analyses, as far as anything can be written.

        Raises:
            sqlite3.DatabaseError: the file is damaged.
        """
        with self._opened(make=True) as database:
            if database is None:
                return
            with suppress(sqlite3.OperationalError):  # locked for too long, or a full disk
                database.executemany("INSERT OR REPLACE INTO analyses VALUES (?, ?)", rows)
                database.commit()
                if _used(database) > self._largest_file:
                    _drop_slice(database, rows[-1][0][0])

    @contextmanager
    def _opened(self, *, make: bool) -> Iterator[sqlite3.Connection | None]:
        """The database, begun anew where it is damaged; None where it cannot be opened at all."""
        database = None
        if self._path is not None:
            with suppress(OSError, sqlite3.OperationalError):  # locked, or not ours to write
                database = _open_or_begin_anew(self._path, make=make)
        if database is None:
            yield None
            return
        with closing(database):
            yield database


def _open_or_begin_anew(path: Path, *, make: bool) -> sqlite3.Connection | None:
    """The database of a file; None where there is none and none is to be made.

    Raises:
        OSError: its directory cannot be made, or it cannot be moved.
        sqlite3.OperationalError: it cannot be opened.
    """
    if make:
        path.parent.mkdir(parents=True, exist_ok=True)
    elif not path.exists():
        return None
    try:
        return _open(path)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        _put_aside(path)
        return _open(path)


def _used(database: sqlite3.Connection) -> int:
    """How many bytes a database holds, without what was emptied and will be filled again."""
    size, pages, free = (
        database.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_size", "page_count", "freelist_count")
    )
    return int(size * (pages - free))


def _drop_slice(database: sqlite3.Connection, byte: int) -> None:
    """Remove a small part of all analyses: those with keys near one, which are as good as random."""
    low = byte - byte % _SLICE
    high = bytes([low + _SLICE]) if low + _SLICE < 256 else b"\xff" * 17
    database.execute("DELETE FROM analyses WHERE key >= ? AND key < ?", (bytes([low]), high))
    database.commit()


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
