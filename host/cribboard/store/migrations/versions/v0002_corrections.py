"""Corrections that leave a trace, games that are withdrawn, and what each side has from a won game."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("games", sa.Column("withdrawn", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("games", sa.Column("summed", sa.Integer, nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("corrected", sa.Boolean, nullable=False, server_default=sa.false()))
    whole = ("side", "front", "won", "lost", "skunks", "points", "spread", "hands", "hand_points", "cribs")
    op.create_table(
        "scores",
        sa.Column("game", sa.Integer, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in (*whole, "crib_points")),
        *(sa.Column(name, sa.Integer) for name in ("best_hand", "pegged", "best_deal")),
        sa.PrimaryKeyConstraint("game", "side", name="pk_scores"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_scores_game"),
    )
    op.create_table(
        "corrections",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("who", sa.String(60), nullable=False),
        sa.Column("what", sa.String(20), nullable=False),
        sa.Column("game", sa.Integer),
        sa.Column("before", sa.Text, nullable=False),
        sa.Column("after", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_corrections"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_corrections_game"),
    )
