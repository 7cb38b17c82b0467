"""What Alembic runs: the steps, on the connection that it is given."""

from alembic import context

from ensue.workbench.database.models import MappedTable

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=MappedTable.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
