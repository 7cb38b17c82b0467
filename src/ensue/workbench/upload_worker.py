"""A process of its own that reads a Parquet file, and may take so much memory and no more.

`python -m ensue.workbench.upload_worker FILE LIMITS` says on standard output, as JSON, what is
wrong with the file; where it ends in another way, the file was too much for it.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

from ensue.errors import EnsueError, LimitError
from ensue.pairs import read_located_pairs
from ensue.workbench.uploads import within
from ensue.workbench.workbench import Limits

_LEAST = 256 << 20
"""Bytes that it may take, however low the limits are."""
_TAKEN = Path("/proc/self/statm")


def bound_memory(limits: Limits) -> None:
    """Let this process take what the file may have when it is unpacked, and as much for reading it.

    Where the system does not tell what a process takes already, there is no bound.
    """
    if _TAKEN.exists():
        taken = int(_TAKEN.read_text().split()[0]) * resource.getpagesize()
        most = taken + max(_LEAST, 2 * limits.unpacked_bytes)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def main(path: str, limits: str) -> None:
    """Read the file, keep nothing of it, and say what is wrong with it."""
    import pyarrow.parquet  # noqa: F401 - what it takes itself is not the file's

    bounds = Limits(**json.loads(limits))
    bound_memory(bounds)
    told: dict[str, object] = {"error": None}
    try:
        for _ in within(read_located_pairs(path), bounds):
            pass
    except EnsueError as error:
        if isinstance(error.__context__, MemoryError):
            raise  # its reader takes the file for broken, and it was too much
        told = {
            "code": error.code,
            "error": error.message,
            "place": error.place,
            "hint": error.hint,
        }
        told["is_limit"] = isinstance(error, LimitError)
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
