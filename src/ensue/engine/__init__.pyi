from .job import (
    Counts as Counts,
    Input as Input,
    Job as Job,
    Shard as Shard,
    ShardAccount as ShardAccount,
    ShardSizes as ShardSizes,
    fed_shards as fed_shards,
)
from .output import (
    is_folder as is_folder,
    n_doubled as n_doubled,
    open_shard as open_shard,
    partial_folder as partial_folder,
    plan_digest as plan_digest,
    row_facts as row_facts,
    run_cost as run_cost,
    run_to_output as run_to_output,
)
from .processes import Pool as Pool
from .progress import (
    LogFormat as LogFormat,
    RunState as RunState,
    Snapshot as Snapshot,
    logging_to as logging_to,
    now as now,
)
from .run import (
    OnSnapshot as OnSnapshot,
    RunAccount as RunAccount,
    RunOptions as RunOptions,
    n_cores as n_cores,
    run_shards as run_shards,
)
from .status import RunStatus as RunStatus, run_status as run_status
from .store import Folder as Folder
