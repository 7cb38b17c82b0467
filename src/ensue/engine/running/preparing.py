"""Before a run begins: how it is spread, how large its shards are, what is done already."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ensue.engine.engines import EMBEDDED, n_cores
from ensue.engine.folders import (
    JOURNAL,
    MANIFEST,
    PLAN,
    STATUS,
    Folder,
    Plan,
    is_of_run,
    read_journal,
)
from ensue.engine.model import Input, Job, ShardAccount, ShardSizes
from ensue.engine.watching import now
from ensue.errors import OutputError, SettingError

SHARE = 8
"""A worker gets at most one part in so many of its share of the items at once."""

_SHARD = re.compile(r"part-\d{6,}\.")


@dataclass(frozen=True, slots=True)
class Spread:
    """How a run is spread, and what is done with what is there already."""

    engine: str = EMBEDDED
    workers: int | None = None
    """As many as there are cores, and none for a few items, where it is not given."""
    shard_size: int | None = None
    """Items in a shard; by the number of items and workers where it is not given."""
    resume: bool = False
    restart: bool = False
    isolated: bool = False
    """Whether a few items, too, are done in another process, which may die of them."""


def prepare(
    job: Job, given: Input, folder: Folder, spread: Spread
) -> tuple[Plan, dict[int, ShardAccount]]:
    """Find out what is there, and what of it is of use; begin anew where nothing is, or so asked."""
    before = Plan.read(folder) if not spread.restart else None
    if before is None:
        _refuse_others_files(folder, spread.restart)
        clear(folder)
    if before is not None and not spread.resume:
        raise OutputError(
            f"{'a finished' if MANIFEST in folder.names() else 'an unfinished'} run is in"
            f" {folder.name!r}",
            hint="go on with --resume, begin anew with --restart, or name another output",
        )
    if spread.resume and given.digest is None:
        raise SettingError(
            "a run over standard input cannot be resumed", hint="put the pairs into a file"
        )
    size = spread.shard_size or (before.shard_size if before else default_size(job, given, spread))
    plan = Plan(dict(job.identity), given.digest or "-", size, job.suffix, now())
    if before is None:
        plan.write(folder)
        return plan, {}
    before.check(plan, folder)
    done = read_journal(folder)
    lines = b"".join(account.to_line() for account in done.values())
    folder.write(JOURNAL, lines)  # a line that was cut off would swallow the next
    return before, done


def clear(folder: Folder) -> None:
    """Remove what a run wrote, and nothing else."""
    for name in folder.names():
        if name != PLAN and _is_ours(name):
            folder.remove(name)
    folder.remove(PLAN)  # last: as long as it is there, the rest is known to be a run's


def default_size(job: Job, given: Input, spread: Spread) -> int:
    """Shards small enough to keep all workers busy, and large enough to cost nothing."""
    return shard_size_for(job.sizes, given.n_estimated, spread.workers or n_cores())


def shard_size_for(sizes: ShardSizes, n_items: int, workers: int) -> int:
    """The size of shards for so many items and workers, where nobody says."""
    wanted = -(-n_items // (SHARE * workers))
    whole = -(-wanted // sizes.least) * sizes.least
    return max(sizes.least, min(sizes.most, whole))


def _is_ours(name: str) -> bool:
    return name in (PLAN, MANIFEST, STATUS) or name.startswith(JOURNAL) or bool(_SHARD.match(name))


def _refuse_others_files(folder: Folder, restart: bool) -> None:
    """Never write among files that no run wrote; only who restarts may lose what one did."""
    names = [name for name in folder.names() if not name.startswith(".")]
    is_run = (PLAN in names and is_of_run(folder)) or all(map(_is_ours, names))
    if names and not (restart and is_run):
        raise OutputError(
            f"{folder.name!r} holds other files, {names[0]!r} among them",
            hint="name a new directory, or an empty one",
        )
