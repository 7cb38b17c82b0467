from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from time import process_time

import pytest

from ensue.pairs import Finding


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str, bytes | str], Path]:
    """Write a small file and give its path."""

    def write(name: str, content: bytes | str) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture
def findings() -> list[Finding]:
    return []


@pytest.fixture
def within() -> Callable[[float], AbstractContextManager[None]]:
    """Hold a block to so many seconds of the processor, which tells linear from quadratic."""

    @contextmanager
    def limit(seconds: float) -> Iterator[None]:
        begin = process_time()
        yield
        assert process_time() - begin < seconds

    return limit
