"""Losses: when each event was heard first and last, and what was heard of journals that have lost it since."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("events", sa.Column("stood", sa.BigInteger))
    op.add_column("events", sa.Column("since", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("events", sa.Column("seen", sa.BigInteger, nullable=False, server_default="0"))
    op.execute("UPDATE events SET since = at, seen = at")
    op.execute("UPDATE events SET stood = at WHERE pegs IS NOT NULL")
    numbers = ("kind", "side", "a", "b", "c", "session", "command")
    texts = {"cards": 12, "starter": 2, "who": 60, "text": 500}
    op.create_table(
        "lost",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("board", sa.String(32), nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("rev", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in numbers),
        sa.Column("at", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.String(most), nullable=False) for name, most in texts.items()),
        sa.Column("number", sa.BigInteger),
        sa.Column("pegs", sa.String(24)),
        sa.Column("dealer", sa.Integer),
        sa.Column("winner", sa.Integer),
        sa.Column("stood", sa.BigInteger),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("correction", sa.Integer),
        sa.PrimaryKeyConstraint("id", name="pk_lost"),
        sa.ForeignKeyConstraint(["correction"], ["corrections.id"], name="fk_lost_correction"),
    )
    op.create_index("ix_lost_board_epoch_until", "lost", ["board", "epoch", "until"])
