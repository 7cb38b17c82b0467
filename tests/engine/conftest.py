"""A file of pairs to judge."""

import json

import pytest


@pytest.fixture
def source(tmp_path):
    """Five hundred pairs in JSONL."""
    lines = [
        json.dumps({"id": f"p{i}", "text": f"word{i} is here today", "hypothesis": f"word{i} is"})
        for i in range(500)
    ]
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
