"""A board's events say which game they belong to: what undo and redo lead to is not followed here any more."""

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    with op.batch_alter_table("boards") as boards:
        for name in ("number", "earlier", "undone", "kind"):
            boards.drop_column(name)
