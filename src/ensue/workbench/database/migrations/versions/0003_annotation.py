"""Annotation."""

import sqlalchemy as sa
from alembic import op

from ensue.workbench.database.models import Moment

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Go from the version before to this one; the way back is a backup."""
    op.create_table(
        "projects",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("view", sa.String(length=20), nullable=False),
        sa.Column("guidelines", sa.Text(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("created", Moment(), nullable=False),
        sa.Column("n_judges", sa.Integer(), nullable=False),
        sa.Column("is_closed", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["users.id"], name=op.f("fk_projects_owner_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projects")),
    )
    with op.batch_alter_table("projects", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_projects_owner_id"), ["owner_id"], unique=False)

    op.create_table(
        "annotators",
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_annotators_project_id_projects")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_annotators_user_id_users")
        ),
        sa.PrimaryKeyConstraint("project_id", "user_id", name=op.f("pk_annotators")),
    )
    with op.batch_alter_table("annotators", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_annotators_user_id"), ["user_id"], unique=False)

    op.create_table(
        "project_data",
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("dataset_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["dataset_id"], ["datasets.id"], name=op.f("fk_project_data_dataset_id_datasets")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_project_data_project_id_projects")
        ),
        sa.PrimaryKeyConstraint("project_id", "dataset_id", name=op.f("pk_project_data")),
    )
    with op.batch_alter_table("project_data", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_project_data_dataset_id"), ["dataset_id"], unique=False
        )

    op.create_table(
        "questions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("maker_id", sa.Integer(), nullable=True),
        sa.Column("created", Moment(), nullable=False),
        sa.Column("lot", sa.Integer(), nullable=False),
        sa.Column("n_judgments", sa.Integer(), nullable=False),
        sa.Column("decision", sa.String(length=20), nullable=True),
        sa.Column("is_removed", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["maker_id"], ["users.id"], name=op.f("fk_questions_maker_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_questions_project_id_projects")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_questions")),
    )
    with op.batch_alter_table("questions", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_questions_project_id_questions_digest"),
            ["project_id", "digest"],
            unique=True,
        )
        batch_op.create_index(
            batch_op.f("ix_questions_project_id_questions_n_judgments_questions_lot"),
            ["project_id", "n_judgments", "lot"],
            unique=False,
        )

    op.create_table(
        "judgments",
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("answer", sa.String(length=20), nullable=False),
        sa.Column("remark", sa.Text(), nullable=False),
        sa.Column("created", Moment(), nullable=False),
        sa.Column("changed", Moment(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["question_id"], ["questions.id"], name=op.f("fk_judgments_question_id_questions")
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_judgments_user_id_users")),
        sa.PrimaryKeyConstraint("question_id", "user_id", name=op.f("pk_judgments")),
    )
    with op.batch_alter_table("judgments", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_judgments_user_id"), ["user_id"], unique=False)

    op.create_table(
        "leases",
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("until", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["question_id"], ["questions.id"], name=op.f("fk_leases_question_id_questions")
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_leases_user_id_users")),
        sa.PrimaryKeyConstraint("question_id", "user_id", name=op.f("pk_leases")),
    )
    with op.batch_alter_table("leases", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_leases_user_id"), ["user_id"], unique=False)
