"""What is given out as files: pairs as JSONL or CSV, and whatever else is text."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import IO, Any

from fastapi import Response
from fastapi.responses import StreamingResponse

from ensue.pairs import Pair
from ensue.pairs.formats.delimited import write_csv
from ensue.pairs.formats.jsonl import write as write_jsonl
from ensue.reports.tables import harmless

_BLOCK = 1 << 16
_KINDS = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
}
"""What files are, by how their names end."""


def download(content: str | bytes, name: str) -> Response:
    """Give a file that is to be kept, and not shown."""
    made = content if isinstance(content, bytes) else content.encode()
    return Response(made, headers=_named(name), media_type=_KINDS[name.rpartition(".")[2]])


def pairs_file(pairs: Iterable[Pair], name: str) -> Response:
    """Give pairs as what the name says; CSV without formulas, JSONL to the letter.

    They are written whole before they are sent, so that no slow reader keeps the database waiting.
    """
    kind = name.rpartition(".")[2]
    file = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it is sent
    if kind == "csv":
        write_csv(map(_harmless, pairs), file)
    else:
        write_jsonl(pairs, file)
    named = {**_named(name), "content-length": str(file.tell())}
    file.seek(0)
    return StreamingResponse(_blocks(file), headers=named, media_type=_KINDS[kind])


def _harmless(pair: Pair) -> Pair:
    return replace(
        pair,
        id=harmless(pair.id),
        text=harmless(pair.text),
        hypothesis=harmless(pair.hypothesis),
        task=harmless(pair.task) if pair.task else pair.task,
    )


def _blocks(file: IO[Any]) -> Iterator[bytes]:
    with file:
        while block := file.read(_BLOCK):
            yield block


def _named(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}
