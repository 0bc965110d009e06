"""Contests: nights of people, what happened in them, who is in them, and the sums of closed ones."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "contests",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("uid", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("name", sa.String(70), nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("preset", sa.String(40), nullable=False),
        sa.Column("draw", sa.String(8), nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("boards", sa.String(200), nullable=False),
        sa.Column("wooden", sa.Integer, nullable=False),
        sa.Column("minutes", sa.Integer, nullable=False),
        sa.Column("director", sa.String(60), nullable=False),
        sa.Column("season", sa.Integer),
        sa.Column("began", sa.BigInteger, nullable=False),
        sa.Column("closed", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_contests"),
        sa.ForeignKeyConstraint(["season"], ["contests.id"], name="fk_contests_season"),
    )
    op.create_index("ix_contests_uid", "contests", ["uid"], unique=True)
    op.create_index("ix_contests_season", "contests", ["season"])
    before = ("entrant", "match")
    after = ("side", "score", "other_score", "round", "table", "home", "home_partner", "away", "away_partner", "first")
    op.create_table(
        "acts",
        sa.Column("contest", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("source", sa.String(8), nullable=False),
        sa.Column("who", sa.String(60), nullable=False),
        sa.Column("key", sa.String(40), nullable=False),
        *(sa.Column(name, sa.Integer) for name in before),
        sa.Column("leg", sa.Integer, nullable=False),
        sa.Column("game", sa.Integer),
        *(sa.Column(name, sa.Integer) for name in after),
        sa.Column("points", sa.BigInteger),
        sa.Column("text", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("contest", "number", name="pk_acts"),
        sa.ForeignKeyConstraint(["contest"], ["contests.id"], name="fk_acts_contest"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_acts_game"),
    )
    op.create_index("ix_acts_game", "acts", ["game"])
    op.create_table(
        "contest_players",
        sa.Column("contest", sa.Integer, nullable=False),
        sa.Column("entrant", sa.Integer, nullable=False),
        sa.Column("player", sa.Integer),
        sa.PrimaryKeyConstraint("contest", "entrant", name="pk_contest_players"),
        sa.ForeignKeyConstraint(["contest"], ["contests.id"], name="fk_contest_players_contest"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_contest_players_player", ondelete="SET NULL"),
    )
    op.create_index("ix_contest_players_player", "contest_players", ["player"])
    counted = ("games", "won", "skunks", "spread")
    op.create_table(
        "contest_sums",
        sa.Column("contest", sa.Integer, nullable=False),
        sa.Column("entrant", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("points", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in counted),
        sa.PrimaryKeyConstraint("contest", "entrant", name="pk_contest_sums"),
        sa.ForeignKeyConstraint(["contest"], ["contests.id"], name="fk_contest_sums_contest"),
    )
