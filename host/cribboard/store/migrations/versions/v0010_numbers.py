"""Numbers: by which number of which board a correction finds its game, and how a game of a number was set up."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("spans", sa.Column("setup", sa.String(20)))
    op.add_column("corrections", sa.Column("board", sa.String(32)))
    op.add_column("corrections", sa.Column("epoch", sa.BigInteger))
    op.add_column("corrections", sa.Column("number", sa.BigInteger))
