"""The tables, a module a subject; whoever imports one knows them all."""

from ensue.workbench.database.models.accounts import AuditEntry, Session, Token, User
from ensue.workbench.database.models.annotating import (
    Annotator,
    Judgment,
    Lease,
    Project,
    ProjectData,
    Question,
)
from ensue.workbench.database.models.challenges import (
    Challenge,
    Invitation,
    Member,
    Submission,
    Team,
)
from ensue.workbench.database.models.datasets import DataSet, StoredPair, StoredRun, Trial
from ensue.workbench.database.models.table import Table

__all__ = [
    "Annotator",
    "AuditEntry",
    "Challenge",
    "DataSet",
    "Invitation",
    "Judgment",
    "Lease",
    "Member",
    "Project",
    "ProjectData",
    "Question",
    "Session",
    "StoredPair",
    "StoredRun",
    "Submission",
    "Table",
    "Team",
    "Token",
    "Trial",
    "User",
]
