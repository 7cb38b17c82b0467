"""Who does the shards: processes of this machine, or a Dask cluster. Both are executors of one kind."""

from ensue.engine.engines.opening import EMBEDDED, Opened, Purpose, n_cores, open_engine

__all__ = ["EMBEDDED", "Opened", "Purpose", "n_cores", "open_engine"]
