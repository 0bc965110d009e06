"""Runs the migrations on the connection, and in the transaction, that it is handed."""

from alembic import context

from cribboard.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
context.run_migrations()
