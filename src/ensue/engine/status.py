"""The status of a run as read from outside: from its folder, or from the file that it became."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, replace
from typing import Any

from ensue.engine.progress import RunState, Snapshot, snapshot_from_json
from ensue.engine.store import (
    JOURNAL,
    MANIFEST,
    STATUS,
    Folder,
    RunPlan,
    open_folder,
    read_record,
)
from ensue.errors import EnsueError, OutputError, RunError
from ensue.files import (
    file_system,
    is_file,
    is_url,
    open_input,
    reachable,
    without_password,
)

_NO_RUN = "name the folder or the file that was given to --output"
_BROKEN = "begin it anew with the command that made it, and --restart"
_FIGURES = ("texts", "analyzed", "found")


@dataclass(frozen=True, slots=True)
class RunStatus:
    """What is known of a run by what it wrote."""

    place: str
    """The folder, or the file, that says so."""
    snapshot: Snapshot

    @property
    def state(self) -> RunState:
        """What it is doing, or how it ended."""
        return self.snapshot.state

    @property
    def is_well(self) -> bool:
        """Whether it runs or is finished."""
        return self.state in (RunState.RUNNING, RunState.FINISHED)

    @property
    def hint(self) -> str | None:
        """How to go on; None where nothing is to be done."""
        return None if self.is_well else "go on with the same command and --resume"

    def to_json(self) -> dict[str, Any]:
        """The place and all of the snapshot, in values that JSON can hold."""
        return {"place": self.place, **asdict(self.snapshot), "hint": self.hint}


def run_status(target: str) -> RunStatus:
    """Find out where a run stands, also while another process writes it.

    Args:
        target: The folder of a run, or the file that a run becomes or has become; or a URL.

    Raises:
        RunError: there is no run, it cannot be read, or what it wrote is broken.
        DataError: its URL cannot be reached, or no installed package knows such URLs.
    """
    with _looking(target):
        return _status_of(target)


@contextmanager
def _looking(target: str) -> Iterator[None]:
    """Raise errors of writing as errors of reading, with a hint for the reader."""
    try:
        with reachable(target) if is_url(target) else nullcontext():
            if is_url(target):
                file_system(target)  # says which package is missing
            yield
    except OutputError as error:
        raise RunError(error.code, error.message, place=error.place, hint="try again") from None
    except OSError as error:
        raise RunError(
            "cannot-read",
            f"cannot read: {error.strerror or error}",
            place=without_password(target),
            hint="check the name, and that you may read there",
        ) from None


def _status_of(target: str) -> RunStatus:
    for name in (target, f"{target.rstrip('/')}.partial"):
        folder = open_folder(name)
        snapshot = _snapshot(folder)
        if snapshot is not None:
            return RunStatus(folder.name, snapshot)
    if "://" not in target and is_file(target):
        return RunStatus(target, _finished_file(target))
    is_there = open_folder(target).is_there()
    raise RunError(
        "no-run-folder",
        "there is no run in this folder" if is_there else "there is no such run",
        place=without_password(target),
        hint=_NO_RUN,
    )


def _snapshot(folder: Folder) -> Snapshot | None:
    """What the status says, where nothing that is there says otherwise; None where there is no run."""
    is_locked = folder.is_locked()  # first: what ends meanwhile has written all by then
    try:
        manifest = read_record(folder, MANIFEST)
        status = read_record(folder, STATUS)
        plan = RunPlan.read(folder)
    except RunError as error:  # its own hint is for the writer
        raise RunError(error.code, error.message, place=error.place, hint=_BROKEN) from None
    if plan is None and manifest is None:
        return None  # or it has become a file this moment
    if status is not None:
        found = _as_written(status, folder)
    else:
        found = _of_manifest(manifest) if manifest else _just_begun(plan)
    if is_locked:
        return replace(found, state=RunState.RUNNING, reason=None)
    if manifest:
        return replace(found, state=RunState.FINISHED, reason=None)
    if found.state in (RunState.RUNNING, RunState.FINISHED):  # or it was not put together any more
        return _killed(found, folder)
    return found


def _killed(found: Snapshot, folder: Folder) -> Snapshot:
    """A run whose last status is older than what it kept, and counts what is lost."""
    kept: dict[int, int] = {}
    for line in (folder.read(JOURNAL) or b"").splitlines():
        with suppress(
            KeyError, TypeError, ValueError, RecursionError
        ):  # a line that was cut off is no shard
            record = json.loads(line)
            kept[record["number"]] = int(record["n_items"])
    return replace(
        found,
        state=RunState.KILLED,
        n_done=sum(kept.values()),
        shards_done=len(kept),
        remaining=None,
    )


def _as_written(status: Mapping[str, Any], folder: Folder) -> Snapshot:
    try:
        return snapshot_from_json(status)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise RunError(
            "not-status-run",
            f"not the status of a run: {error}",
            place=f"{folder.name}/{STATUS}",
            hint="another version of ensue wrote it; use that one",
        ) from None


def _of_manifest(manifest: Mapping[str, Any]) -> Snapshot:
    counts = {"status": manifest.get("statuses", {}), "label": manifest.get("labels", {})}
    shards = manifest.get("shards", [])
    found = _of_record(manifest, sum(int(each.get("rows", 0)) for each in shards))
    return replace(
        found,
        counts={kind: dict(n) for kind, n in counts.items() if n},
        n_shards=len(shards),
        shards_done=len(shards),
        updated=manifest.get("finished") or "",
    )


def _finished_file(target: str) -> Snapshot:
    """What the first line says, where it is the header of a run."""
    with suppress(EnsueError, ValueError, RecursionError, TypeError, AttributeError):
        with open_input(target) as file:
            header = json.loads(file.readline())
        if "ensue_run" in header:
            return _of_record(header, int(header["data"].get("pairs") or 0))
    raise RunError(
        "file-not-say-made", "the file does not say how it was made", place=target, hint=_NO_RUN
    )


def _of_record(record: Mapping[str, Any], n_items: int) -> Snapshot:
    """What a header or a manifest says of a finished run."""
    data, cost = record.get("data") or {}, record.get("cost") or {}
    recognizer = (record.get("signature") or {}).get("recognizer")
    return Snapshot(
        state=RunState.FINISHED,
        what=" with ".join(str(each) for each in (data.get("name"), recognizer) if each),
        engine=str(cost.get("engine") or ""),
        n_items=n_items,
        n_done=n_items,
        n_resumed=max(n_items - int(cost.get("pairs", n_items)), 0),
        rate=cost.get("pairs_per_second"),
        seconds=float(cost.get("seconds") or 0.0),
        figures={name: int(cost[name]) for name in _FIGURES if name in cost},
        deaths=int(cost.get("deaths") or 0),
        started=record.get("started") or "",
    )


def _just_begun(plan: RunPlan | None) -> Snapshot:
    """A run that has a plan and nothing else."""
    assert plan is not None
    what = str(plan.job.get("job", ""))
    return Snapshot(RunState.RUNNING, what, started=plan.started, updated=plan.started)
