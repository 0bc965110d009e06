"""The tables of contests: nights of people, what happened in them, who is in them, and the sums of closed ones."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, String, Table, Text

from cribboard.store.schema import Moment, metadata

LONGEST_NAME, LONGEST_TEXT, LONGEST_WHO, LONGEST_KEY = 70, 200, 60, 40

contests = Table(
    "contests",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("uid", String(32), nullable=False),  # by which an import knows it
    Column("kind", String(8), nullable=False),  # night or season
    Column("name", String(LONGEST_NAME), nullable=False),
    Column("rules", Text, nullable=False),  # JSON
    Column("preset", String(40), nullable=False),  # the name of the rules, empty for others
    Column("draw", String(8), nullable=False),  # all, swiss, pairs or partners
    Column("rounds", Integer, nullable=False),
    Column("boards", String(200), nullable=False),  # numbers of tables that have one
    Column("wooden", Integer, nullable=False),  # how many other tables there are
    Column("minutes", Integer, nullable=False),  # for a round
    Column("director", String(LONGEST_WHO), nullable=False),  # a phone, where there is no PIN
    Column("season", Integer, ForeignKey("contests.id")),
    Column("began", Moment, nullable=False),
    Column("closed", Moment),
    Index(None, "uid", unique=True),
    Index(None, "season"),
)

acts = Table(
    "acts",
    metadata,
    Column("contest", Integer, ForeignKey("contests.id"), primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("source", String(8), nullable=False),
    Column("who", String(LONGEST_WHO), nullable=False),
    Column("key", String(LONGEST_KEY), nullable=False),
    Column("entrant", Integer),
    Column("match", Integer),
    Column("leg", Integer, nullable=False),
    Column("game", Integer, ForeignKey("games.id"), index=True),
    Column("side", Integer),
    Column("score", Integer),
    Column("other_score", Integer),
    Column("round", Integer),
    Column("table", Integer),
    Column("home", Integer),
    Column("home_partner", Integer),
    Column("away", Integer),
    Column("away_partner", Integer),
    Column("first", Integer),
    Column("points", BigInteger),
    Column("text", String(LONGEST_TEXT), nullable=False),
)

contest_players = Table(  # names stand only here, by their players
    "contest_players",
    metadata,
    Column("contest", Integer, ForeignKey("contests.id"), primary_key=True, autoincrement=False),
    Column("entrant", Integer, primary_key=True, autoincrement=False),
    Column("player", Integer, ForeignKey("players.id", ondelete="SET NULL"), index=True),  # none: erased
)

contest_sums = Table(  # of closed nights: made of their acts, and can be made again
    "contest_sums",
    metadata,
    Column("contest", Integer, ForeignKey("contests.id"), primary_key=True, autoincrement=False),
    Column("entrant", Integer, primary_key=True, autoincrement=False),
    Column("place", Integer, nullable=False),
    Column("points", BigInteger, nullable=False),
    Column("games", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("skunks", Integer, nullable=False),
    Column("spread", Integer, nullable=False),
)
