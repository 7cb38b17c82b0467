"""Files of strangers: kept apart, measured before they are read, and named as they were."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ensue.errors import DataError, EnsueError, LimitError
from ensue.pairs.files import open_input
from ensue.workbench.settings import Limits

_ODD = re.compile(r"[^\w.-]+")
_LONGEST = 100
_BLOCK = 1 << 20
_PARQUET = b"PAR1"


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that somebody sent."""

    name: str
    """As they call it; nothing is kept under this name."""
    content: IO[bytes]

    @property
    def shown(self) -> str:
        """The name as messages show it: no path, nothing odd."""
        last = self.name.replace("\\", "/").rpartition("/")[2]
        return _ODD.sub("_", last).strip("._-")[-_LONGEST:] or "upload"


@contextmanager
def kept(upload: Upload, limits: Limits) -> Iterator[Path]:
    """The file in a folder of its own, as long as it is read; errors name it as its sender does.

    Raises:
        LimitError: it is too large, or would be when it is unpacked.
        EnsueError: whatever its reader raises.
    """
    with tempfile.TemporaryDirectory(prefix="ensue-") as folder:
        path = Path(folder) / upload.shown
        try:
            with path.open("wb") as file:
                shutil.copyfileobj(upload.content, file, _BLOCK)
            _measure(path, limits)
            yield path
        except EnsueError as error:
            error.message = error.message.replace(f"{folder}/", "")
            error.place = error.place.replace(f"{folder}/", "") if error.place else None
            raise


def _measure(path: Path, limits: Limits) -> None:
    """See that a file stays small when it is unpacked."""
    if path.stat().st_size > limits.upload_bytes:
        raise LimitError(
            f"the file has more than {limits.upload_bytes:,} bytes",
            hint="the command line takes larger ones",
        )
    with path.open("rb") as file:
        is_parquet = file.read(len(_PARQUET)) == _PARQUET
    size = _parquet_size(path) if is_parquet else _unpacked_size(path, limits.unpacked_bytes)
    if size > limits.unpacked_bytes:
        raise LimitError(
            f"the file has more than {limits.unpacked_bytes:,} bytes when it is unpacked",
            place=str(path),
        )


def _unpacked_size(path: Path, most: int) -> int:
    size = 0
    with open_input(path) as file:
        while size <= most and (block := file.read(_BLOCK)):
            size += len(block)
    return size


def _parquet_size(path: Path) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        about = pq.read_metadata(path)
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"not a Parquet file: {error}", place=str(path)) from None
    return sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups))
