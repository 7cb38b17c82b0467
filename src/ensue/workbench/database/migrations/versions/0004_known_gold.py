"""Data whose gold may be known, and the labels of a challenge."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_HAS = "SELECT 1 FROM pairs WHERE pairs.dataset_id = challenges.test_id AND pairs.gold"
_VIEW = f"""
    UPDATE challenges SET view = CASE
        WHEN EXISTS ({_HAS} IN ('contradiction', 'unknown'))
            AND NOT EXISTS ({_HAS} = 'not-entailment')
        THEN '3-way' ELSE '2-way' END
"""


def upgrade() -> None:
    """Go from the version before to this one; the way back is a backup."""
    # with defaults, since a table that others refer to cannot be made anew in SQLite
    op.add_column(
        "datasets",
        sa.Column("was_shared", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.execute("UPDATE datasets SET was_shared = is_shared")
    op.add_column(
        "challenges",
        sa.Column("view", sa.String(length=20), nullable=False, server_default="2-way"),
    )
    op.execute(_VIEW)
