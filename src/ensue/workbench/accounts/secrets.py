"""Secrets that are shown once: made at random, kept as a digest."""

from __future__ import annotations

import secrets
from hashlib import sha256


def new_secret(kind: str) -> str:
    """A secret that nobody can guess, with its kind before it."""
    return f"{kind}_{secrets.token_urlsafe(32)}"


def digest_of(secret: str) -> str:
    """What is kept of it; there is nothing to guess, so that a quick hash is as good as a slow one."""
    return sha256(secret.encode()).hexdigest()
