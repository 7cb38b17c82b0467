"""Generate suites into a directory: what `ensue suite generate` calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ensue.engine.delivering import partial_folder
from ensue.engine.folders import Folder
from ensue.engine.jobs.suites import SuiteInput, read_suite_table, suite_job
from ensue.engine.model import ShardAccount
from ensue.engine.running import OnSnapshot, Spread, run_shards
from ensue.engine.runs.accounts import RunAccount, run_account
from ensue.errors import DataError, EngineError, OutputError, RunError, SettingError
from ensue.pairs.outputs import new_directory
from ensue.suites import MANIFEST, Manifest, Repertoire, SuiteSettings, read_manifest
from ensue.suites.making import Finishing, check_replaceable
from ensue.suites.planning import MadeSuite, SuitePlan, plan_suites


def generate_suites(
    target: str,
    repertoire: Repertoire,
    settings: SuiteSettings,
    *,
    n_suites: int = 10,
    seed: int = 7,
    types: Sequence[str] = (),
    formats: Iterable[str] = (),
    spread: Spread | None = None,
    on_snapshot: OnSnapshot | None = None,
) -> tuple[Manifest, RunAccount | None]:
    """Generate suites, which any number of workers may do, into a directory that appears whole.

    Until then what is done is kept in `TARGET.partial`. The bytes are those of `write_suites`.

    Args:
        target: The directory.
        repertoire: What sentences are made of.
        settings: What cases are like.
        n_suites: How many suites.
        seed: The same gives the same bytes.
        types: Combine these subcategorization types only.
        formats: `rte` and `csv`, beside `jsonl`, which is always written.
        spread: Who generates, and what becomes of what is there.
        on_snapshot: Is told where the run stands.

    Returns:
        What the suites say of themselves, and what it took; None where they were there already.

    Raises:
        OutputError: the directory cannot be written, is there already, or holds other files.
        RunError: the unfinished run was begun with other settings.
        SettingError: no sentence can be made.
        EngineError: workers cannot be had, or do not live.
    """
    spread, place = spread or Spread(), str(Path(target))
    finishing = Finishing(repertoire, settings, seed, tuple(dict.fromkeys(["jsonl", *formats])))
    plans = plan_suites(repertoire, n_suites=n_suites, seed=seed, types=types)
    folder = partial_folder(place)
    there = _there(place, spread, finishing, plans, folder)
    if there is not None:
        return there, None
    job = suite_job(repertoire, settings)
    given = SuiteInput(tuple(plans), seed)
    with folder.lock():
        try:
            outcome = run_shards(
                job, given, folder, spread, what=given.name, on_snapshot=on_snapshot
            )
        except (SettingError, DataError):
            folder.remove_all()  # which would come up again
            raise
        account = run_account(outcome)
        _refuse_failed(account)
        if spread.restart:
            check_replaceable(place)  # once more: it may have taken hours
        with new_directory(place, replace=MANIFEST if spread.restart else None) as directory:
            manifest = finishing.write(directory, plans, lambda: _made(folder, outcome.accounts))
        folder.remove_all()
    return manifest, account


def _there(
    target: str, spread: Spread, finishing: Finishing, plans: Sequence[SuitePlan], folder: Folder
) -> Manifest | None:
    """The finished suites, where they are there and wanted.

    Raises:
        OutputError: something is there that is not to be replaced.
        RunError: suites are there, and others are to be resumed.
    """
    path = Path(target)
    if not path.exists() or (path.is_dir() and not any(path.iterdir())):
        return None
    is_suites = (path / MANIFEST).is_file()
    if spread.restart and is_suites:
        check_replaceable(path)
        return None
    if spread.resume and is_suites and not folder.is_there():
        found = read_manifest(path)
        wanted = finishing.manifest(found.suites)
        said = [(each.name, each.types, each.files) for each in found.suites]
        if found == wanted and said == [(p.name, p.types, finishing.files(p)) for p in plans]:
            return found
        raise RunError(
            "there is no unfinished run to resume, and the suites that are there are others",
            place=target,
            hint="make them anew with --restart, or name another directory",
        )
    raise OutputError(
        f"{target!r} is there already",
        hint="name a new directory" + ", or use --restart" * (is_suites and not spread.restart),
    )


def _refuse_failed(account: RunAccount) -> None:
    if account.failures:
        (name, reason), *_ = account.failures
        n = len(account.failures)
        others = f" and {n - 1:,} more" if n > 1 else ""
        raise EngineError(
            f"the suite {name!r}{others} could not be made: {reason}",
            hint="begin anew with --restart",
        )


def _made(folder: Folder, accounts: Sequence[ShardAccount]) -> Iterator[MadeSuite]:
    for account in accounts:
        try:
            file = folder.open(account.file)
        except OSError as error:
            raise OutputError(
                f"a shard cannot be read: {error.strerror or error}",
                place=f"{folder.name}/{account.file}",
                hint="make it again with --resume",
            ) from None
        with file:
            yield from read_suite_table(file)
