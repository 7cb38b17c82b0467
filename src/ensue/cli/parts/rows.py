"""What commands share that write rows as one file, or as a folder of shards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ensue.cli.parts.options import file_format

if TYPE_CHECKING:
    from ensue.features.rows import FileFormat


def rows_format(output: str, named: str | None) -> FileFormat:
    """The format of rows: that of a file, or Parquet for a folder.

    Raises:
        click.UsageError: another format is named for a folder, or Parquet for standard output.
        SettingError: the file's name says no format.
    """
    from ensue.engine.delivering import is_folder
    from ensue.features.rows import FileFormat

    if not is_folder(output):
        return file_format(output, named)
    if named not in (None, FileFormat.PARQUET):
        raise click.UsageError(f"a folder of shards is of Parquet, not {named}; name a file")
    return FileFormat.PARQUET


def files_to_check(output: str) -> list[str]:
    """The output as `check_files` looks at it: a folder of shards is seen to by the run."""
    from ensue.engine.delivering import is_folder

    return [] if is_folder(output) else [output]
