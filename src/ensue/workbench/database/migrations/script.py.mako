"""${message}."""

from alembic import op
import sqlalchemy as sa

from ensue.workbench.database.models import Moment

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    """Go from the version before to this one; the way back is a backup."""
    ${upgrades if upgrades else "pass"}
