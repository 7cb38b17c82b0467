from .accounts import (
    Limiter as Limiter,
    Person as Person,
    Role as Role,
    add_person as add_person,
    add_token as add_token,
    bearer as bearer,
    check_known as check_known,
    close_person as close_person,
    entries as entries,
    people as people,
    remove_token as remove_token,
    set_password as set_password,
    sign_in as sign_in,
    sign_out as sign_out,
    signed_in as signed_in,
    the_only_person as the_only_person,
    tokens as tokens,
)
from .backups import backup as backup, restore as restore
from .challenges import (
    MEASURES as MEASURES,
    ChallengeRecord as ChallengeRecord,
    Rules as Rules,
    challenges_for as challenges_for,
    close_now as close_now,
    find_challenge as find_challenge,
    make_challenge as make_challenge,
    publish as publish,
)
from .datasets import (
    add_dataset as add_dataset,
    datasets_for as datasets_for,
    find_dataset as find_dataset,
    kept_pairs as kept_pairs,
    remove_dataset as remove_dataset,
    share_dataset as share_dataset,
)
from .leaderboards import (
    WAITING as WAITING,
    Board as Board,
    BoardEntry as BoardEntry,
    Worker as Worker,
    least_answered as least_answered,
)
from .runs import (
    NO_GOLD as NO_GOLD,
    Filter as Filter,
    PairOutcome as PairOutcome,
    RunRecord as RunRecord,
    add_run as add_run,
    kept_file as kept_file,
    look as look,
    read_kept_run as read_kept_run,
    remove_run as remove_run,
    runs_over as runs_over,
)
from .submissions import (
    development_pairs as development_pairs,
    hidden_pairs as hidden_pairs,
    invite as invite,
    invite_to_team as invite_to_team,
    join as join,
    leaderboard as leaderboard,
    submissions_for as submissions_for,
    submit as submit,
    teams as teams,
    withdraw as withdraw,
)
from .trials import (
    RecognizerTrial as RecognizerTrial,
    check_trial as check_trial,
    checked as checked,
    explanations as explanations,
    find_trial as find_trial,
    judged as judged,
    keep_trial as keep_trial,
    offered as offered,
)
from .uploads import Upload as Upload
from .workbench import (
    Limits as Limits,
    Workbench as Workbench,
    default_url as default_url,
    open_workbench as open_workbench,
)
