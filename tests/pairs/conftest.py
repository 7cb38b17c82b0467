from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

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
