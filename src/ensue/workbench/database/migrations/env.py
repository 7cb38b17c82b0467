"""What Alembic runs: the steps, on the connection that it is given."""

from alembic import context

from ensue.workbench.database.models import Table

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Table.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
