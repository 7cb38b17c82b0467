from .job import (
    Input as Input,
    Job as Job,
    PairInput as PairInput,
    Shard as Shard,
    ShardAccount as ShardAccount,
    ShardSizes as ShardSizes,
    fed_shards as fed_shards,
    survey_pairs as survey_pairs,
)
from .log import LogFormat as LogFormat, logging_to as logging_to
from .output import (
    RowAssembly as RowAssembly,
    RunAccount as RunAccount,
    RunFormat as RunFormat,
    ShardOpener as ShardOpener,
    encoded_verdicts as encoded_verdicts,
    is_folder as is_folder,
    join_tables as join_tables,
    join_texts as join_texts,
    n_doubled as n_doubled,
    partial_folder as partial_folder,
    plan_digest as plan_digest,
    run_account as run_account,
    run_cost as run_cost,
    run_to_output as run_to_output,
)
from .pool import Pool as Pool
from .progress import (
    RunState as RunState,
    RunStatus as RunStatus,
    Snapshot as Snapshot,
    now as now,
    run_status as run_status,
)
from .run import (
    OnSnapshot as OnSnapshot,
    RunOptions as RunOptions,
    RunOutcome as RunOutcome,
    n_cores as n_cores,
    run_shards as run_shards,
)
from .shards import let_go as let_go
from .store import Folder as Folder
