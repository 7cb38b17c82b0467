"""How many of something, in words."""

from __future__ import annotations


def counted(n: int, unit: str) -> str:
    """A number with its unit in the singular or plural.

    >>> counted(1, "pattern"), counted(2_000, "label")
    ('1 pattern', '2,000 labels')
    """
    return f"{n:,} {unit}{'' if n == 1 else 's'}"
