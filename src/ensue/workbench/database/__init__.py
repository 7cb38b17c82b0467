"""What the workbench keeps, and where."""

from ensue.workbench.database.database import Database
from ensue.workbench.database.migrating import migrate
from ensue.workbench.database.types import now

__all__ = ["Database", "migrate", "now"]
