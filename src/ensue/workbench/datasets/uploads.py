"""Files of strangers: kept apart, measured before they are read, and named as they were."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ensue.errors import EnsueError
from ensue.workbench.datasets.weighing import weigh
from ensue.workbench.settings import Limits

_ODD = re.compile(r"[^\w.-]+")
_LONGEST = 100
"""Bytes of a name."""
_HEADING = 100
"""Lines of a run that are no verdicts."""
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that somebody sent."""

    name: str
    """As they call it; nothing is kept under this name."""
    content: IO[bytes]

    @property
    def shown(self) -> str:
        """The name as messages show it: no path, nothing odd, no longer than file systems take."""
        last = self.name.replace("\\", "/").rpartition("/")[2]
        cut = _ODD.sub("_", last).encode()[-_LONGEST:].decode(errors="ignore")
        return cut.strip("._-") or "upload"


@contextmanager
def kept(upload: Upload, limits: Limits, *, most_lines: int | None = None) -> Iterator[Path]:
    """The file in a folder of its own, as long as it is read; errors name it as its sender does.

    Args:
        upload: The file.
        limits: What is too much.
        most_lines: How many lines it may have; any number where it is None.

    Raises:
        LimitError: it is too large, or would be when it is unpacked.
        EnsueError: whatever its reader raises.
    """
    with tempfile.TemporaryDirectory(prefix="ensue-") as folder:
        path = Path(folder) / upload.shown
        try:
            with path.open("wb") as file:
                shutil.copyfileobj(upload.content, file, _BLOCK)
            weigh(path, limits, most_lines=most_lines)
            yield path
        except EnsueError as error:
            error.message = error.message.replace(f"{folder}/", "")
            error.place = error.place.replace(f"{folder}/", "") if error.place else None
            error.hint = error.hint.replace(f"{folder}/", "") if error.hint else None
            raise


def kept_run(upload: Upload, limits: Limits) -> AbstractContextManager[Path]:
    """The same for a run, each line of which is a verdict or a word about them.

    Raises:
        LimitError: as `kept`, and where there are more lines than a data set may have pairs.
    """
    return kept(upload, limits, most_lines=limits.pairs + _HEADING)
