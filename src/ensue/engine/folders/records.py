"""The records of a run: its plan, the journal of finished shards, its manifest."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ensue.engine.folders.places import JOURNAL, PLAN, Folder, digest
from ensue.engine.model import ShardAccount
from ensue.errors import RunError

STATUS = "_status.json"
MANIFEST = "_manifest.json"
_VERSION = 1
_HINT = "begin anew with --restart, or name another output"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is done with what: two runs of the same plan have the same output."""

    job: Mapping[str, Any] = field(hash=False)
    """The job's identity."""
    input: str
    """The digest of the input."""
    shard_size: int
    suffix: str
    """Of the shards' files."""
    started: str
    """When it was begun, as an ISO 8601 time."""

    def write(self, folder: Folder) -> None:
        """Write it, before anything is done."""
        write_record(folder, PLAN, {"ensue_plan": _VERSION, **asdict(self)})

    def check(self, wanted: Plan, folder: Folder) -> None:
        """See that what was begun is what is wanted now.

        Raises:
            RunError: another job, other settings, other input or other shards; it says which.
        """
        for what, before, now in _differences(self, wanted):
            raise RunError(
                f"the run that is there was begun with {what} {before}, not {now}",
                place=folder.name,
                hint=_HINT,
            )

    @classmethod
    def read(cls, folder: Folder) -> Plan | None:
        """The plan of a folder; None where there is none.

        Raises:
            RunError: it is broken, or of another version.
        """
        record = read_record(folder, PLAN)
        if record is None:
            return None
        try:
            if record.pop("ensue_plan") != _VERSION:
                raise ValueError("another version")
            return cls(**record)
        except (KeyError, TypeError, ValueError) as error:
            raise RunError(
                f"not the plan of a run: {error}", place=f"{folder.name}/{PLAN}", hint=_HINT
            ) from None


def is_of_run(folder: Folder) -> bool:
    """Whether the plan in a folder is one of ours, even if it is broken."""
    if STATUS in folder.names():
        return True
    return b'"ensue_plan"' in (folder.read(PLAN) or b"")


def _differences(before: Plan, now: Plan) -> list[tuple[str, str, str]]:
    """What differs, the most telling first."""
    found = []
    keys = [*before.job, *(key for key in now.job if key not in before.job)]
    for key in keys:
        old, new = before.job.get(key), now.job.get(key)
        if json.dumps(old, sort_keys=True) != json.dumps(new, sort_keys=True):
            found.append(_told(key, old, new))
    if before.input != now.input:
        found.append(
            ("other input:", before.input[:12], f"{now.input[:12]} (it has changed since)")
        )
    if before.shard_size != now.shard_size:
        found.append(("shards of", f"{before.shard_size:,}", f"{now.shard_size:,}"))
    if before.suffix != now.suffix:
        found.append(("files in", before.suffix, now.suffix))
    return found


def _told(name: str, old: Any, new: Any) -> tuple[str, str, str]:
    """What something is called, and its two values; of two objects, the first that differs."""
    if isinstance(old, dict) and isinstance(new, dict):
        key = next(key for key in {**old, **new} if old.get(key) != new.get(key))
        return _told(f"{name}.{key}", old.get(key), new.get(key))
    return name, repr(old), repr(new)


def read_journal(folder: Folder) -> dict[int, ShardAccount]:
    """The finished shards whose files are as they were written; a line that was cut off is none."""
    found: dict[int, ShardAccount] = {}
    for line in (folder.read(JOURNAL) or b"").splitlines():
        try:
            account = ShardAccount.from_json(json.loads(line))
        except (KeyError, TypeError, ValueError):
            continue
        found[account.number] = account
    return {
        number: account
        for number, account in found.items()
        if digest(folder, account.file) == (account.n_bytes, account.sha256)
    }


def write_journal(folder: Folder, account: ShardAccount) -> None:
    """Add a finished shard."""
    folder.enter(account.to_line())


def read_record(folder: Folder, name: str) -> dict[str, Any] | None:
    """A JSON object; None where there is no such file.

    Raises:
        RunError: it is no JSON object.
    """
    content = folder.read(name)
    if content is None:
        return None
    try:
        record = json.loads(content)
        if not isinstance(record, dict):
            raise ValueError("no object")
    except ValueError as error:
        raise RunError(f"broken: {error}", place=f"{folder.name}/{name}", hint=_HINT) from None
    return record


def write_record(folder: Folder, name: str, record: Mapping[str, Any]) -> None:
    """Write a JSON object, whole or not at all."""
    folder.write(name, (json.dumps(record, indent=1, ensure_ascii=False) + "\n").encode())
