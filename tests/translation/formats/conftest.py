from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ensue.pairs import Finding


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str, bytes | str], str]:
    """Write a small file, in directories that may not be there yet, and give its path."""

    def write(name: str, content: bytes | str) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    return write


@pytest.fixture
def findings() -> list[Finding]:
    return []
