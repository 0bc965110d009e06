"""The first schema: games, their events and sums, who plays, and what staff corrected."""

import sqlalchemy as sa
from alembic import op

revision = "0007"  # lower ones were never released
down_revision = None


def upgrade() -> None:
    op.create_table(
        "players",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(20), nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
    )
    op.create_table(
        "names",
        sa.Column("key", sa.String(400), nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_names"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_names_player", ondelete="CASCADE"),
    )
    op.create_index("ix_names_player", "names", ["player"])
    op.create_table(
        "games",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("board", sa.String(32), nullable=False),
        sa.Column("target", sa.Integer, nullable=False),
        sa.Column("mask", sa.Integer, nullable=False),
        sa.Column("sides", sa.Integer, nullable=False),
        sa.Column("skunk", sa.Integer, nullable=False),
        sa.Column("double_skunk", sa.Integer, nullable=False),
        sa.Column("dealer", sa.Integer),
        sa.Column("began", sa.BigInteger, nullable=False),
        sa.Column("heard", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger),
        sa.Column("winner", sa.Integer),
        sa.Column("pegs", sa.String(24), nullable=False),
        sa.Column("whole", sa.Boolean, nullable=False),
        sa.Column("aside", sa.String(8)),
        sa.Column("withdrawn", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("summed", sa.Integer, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
    )
    op.create_index("ix_games_ended", "games", ["ended"])
    op.create_index("ix_games_board_heard", "games", ["board", "heard"])
    op.create_table(
        "spans",
        sa.Column("board", sa.String(32), nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("game", sa.Integer),
        sa.Column("won", sa.String(66)),
        sa.Column("named", sa.BigInteger),
        sa.Column("moved", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("board", "epoch", "number", name="pk_spans"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_spans_game"),
    )
    op.create_index("ix_spans_game", "spans", ["game"])
    op.create_table(
        "sat",
        sa.Column("board", sa.String(32), nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("player", sa.Integer),
        sa.PrimaryKeyConstraint("board", "epoch", "number", "place", name="pk_sat"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_sat_player"),
    )
    op.create_index("ix_sat_player", "sat", ["player"])
    op.create_table(
        "boards",
        sa.Column("uid", sa.String(32), nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("rev", sa.BigInteger, nullable=False),
        sa.Column("game", sa.Integer),
        sa.Column("standing", sa.Text, nullable=False),
        sa.Column("heard", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("uid", name="pk_boards"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_boards_game"),
    )
    op.create_table(
        "events",
        sa.Column("board", sa.String(32), nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("rev", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("kind", "side", "a", "b", "c")),
        sa.Column("session", sa.Integer, nullable=False),
        sa.Column("command", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("cards", sa.String(12), nullable=False),
        sa.Column("starter", sa.String(2), nullable=False),
        sa.Column("who", sa.String(60), nullable=False),
        sa.Column("text", sa.String(500), nullable=False),
        sa.Column("number", sa.BigInteger),
        sa.Column("pegs", sa.String(24)),
        sa.Column("dealer", sa.Integer),
        sa.Column("winner", sa.Integer),
        sa.PrimaryKeyConstraint("board", "epoch", "rev", name="pk_events"),
    )
    op.create_index("ix_events_board_epoch_number_rev", "events", ["board", "epoch", "number", "rev"])
    op.create_table(
        "seats",
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("side", sa.Integer, nullable=False),
        sa.Column("player", sa.Integer),
        sa.Column("corrected", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("game", "place", name="pk_seats"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_seats_game"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_seats_player"),
    )
    op.create_index("ix_seats_player", "seats", ["player"])
    counted = ("side", "front", "won", "lost", "skunks", "points", "spread", "hands", "hand_points")
    roles = ("dealer_hands", "dealer_points", "pone_hands", "pone_points")
    op.create_table(
        "scores",
        sa.Column("game", sa.Integer, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in counted),
        *(sa.Column(name, sa.Integer, nullable=False, server_default="0") for name in roles),
        sa.Column("best_hand", sa.Integer),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("cribs", "crib_points")),
        *(sa.Column(name, sa.Integer) for name in ("pegged", "best_deal")),
        sa.Column("corrected", sa.Boolean, nullable=False, server_default=sa.false()),
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
