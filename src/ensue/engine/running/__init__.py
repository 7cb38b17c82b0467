"""The loop of every run: shards to workers, accounts into the journal, nothing lost or done twice."""

from ensue.engine.running.looping import stretches
from ensue.engine.running.preparing import Spread, default_size, shard_size_for
from ensue.engine.running.whole import MOST_KEYS, OnSnapshot, Outcome, run_shards

__all__ = [
    "MOST_KEYS",
    "OnSnapshot",
    "Outcome",
    "Spread",
    "default_size",
    "run_shards",
    "shard_size_for",
    "stretches",
]
