"""The tables of the history, as the newest migration leaves them, and the rows of games."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    and_,
    false,
    select,
)

from cribboard.typed import as_whole

BEGIN = datetime(1970, 1, 1, tzinfo=UTC)
AFTER = 4_102_444_800_000  # 2100, in milliseconds


class Moment(TypeDecorator[datetime]):
    """A moment as milliseconds since 1970, so that both databases sort it alike and none loses the zone."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        return None if value is None else milliseconds(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        return None if value is None else moment_at(value)


def milliseconds(at: datetime) -> int:
    """Milliseconds since 1970."""
    return (at - BEGIN) // timedelta(milliseconds=1)


def moment_at(milliseconds: int) -> datetime:
    """The moment so many milliseconds after 1970."""
    return BEGIN + timedelta(milliseconds=milliseconds)


def as_moment(value: object) -> datetime:
    """A moment of a file from outside, in milliseconds since 1970."""
    return moment_at(as_whole(value, AFTER))


metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

players = Table(
    "players",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(20), nullable=False),
    Column("since", Moment, nullable=False),
)

names = Table(  # in the form in which they are compared; a player who was renamed or merged has several
    "names",
    metadata,
    Column("key", String(400), primary_key=True),
    Column("player", Integer, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
)

games = Table(
    "games",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("board", String(32), nullable=False),
    Column("target", Integer, nullable=False),
    Column("mask", Integer, nullable=False),
    Column("sides", Integer, nullable=False),
    Column("skunk", Integer, nullable=False),
    Column("double_skunk", Integer, nullable=False),
    Column("dealer", Integer),  # of the first deal, if known
    Column("began", Moment, nullable=False),
    Column("heard", Moment, nullable=False),
    Column("ended", Moment),
    Column("winner", Integer),  # a place
    Column("pegs", String(24), nullable=False),
    Column("whole", Boolean, nullable=False),  # no event is missing
    Column("aside", String(8)),  # why it is not played on: next, staff or unplayed
    Column("withdrawn", Boolean, nullable=False, server_default=false()),
    Column("summed", Integer, nullable=False, server_default="0"),  # which program's sums its scores are
    Index(None, "ended"),
    Index(None, "board", "heard"),
)

spans = Table(  # which game a board means by its number
    "spans",
    metadata,
    Column("board", String(32), primary_key=True),
    Column("epoch", BigInteger, primary_key=True, autoincrement=False),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("game", Integer, ForeignKey("games.id"), index=True),  # none: nobody knows yet how it was set up
    Column("won", String(66)),  # the games won at its start, side by side, once the board has said so
    Column("setup", String(20)),  # and how its game was set up
    Column("named", Moment),  # when it was last said who plays, if not with an event
    Column("moved", Boolean, nullable=False, server_default=false()),  # people let its game go on on this board
)

sat = Table(  # who was said to play in a span
    "sat",
    metadata,
    Column("board", String(32), primary_key=True),
    Column("epoch", BigInteger, primary_key=True, autoincrement=False),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("player", Integer, ForeignKey("players.id"), index=True),  # none: a guest
)

boards = Table(  # where each board stood when it was heard last
    "boards",
    metadata,
    Column("uid", String(32), primary_key=True),
    Column("epoch", BigInteger, nullable=False),
    Column("rev", BigInteger, nullable=False),
    Column("number", BigInteger, nullable=False),  # of the game that is on: the span tells which that is
    Column("heard", Moment, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("board", String(32), primary_key=True),
    Column("epoch", BigInteger, primary_key=True, autoincrement=False),
    Column("rev", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", Integer, nullable=False),  # 0: it was not heard, but the board stood so after it
    Column("side", Integer, nullable=False),
    Column("a", Integer, nullable=False),
    Column("b", Integer, nullable=False),
    Column("c", Integer, nullable=False),
    Column("session", Integer, nullable=False),
    Column("command", Integer, nullable=False),
    Column("at", Moment, nullable=False),
    Column("cards", String(12), nullable=False),
    Column("starter", String(2), nullable=False),
    Column("who", String(60), nullable=False),
    Column("text", String(500), nullable=False),
    Column("number", BigInteger),  # of the game that is on after it, as the board says: the span tells which that is
    Column("pegs", String(24)),  # from here: as the board stood after it
    Column("dealer", Integer),
    Column("winner", Integer),
    Column("stood", Moment),  # when the board said that last
    Column("since", Moment, nullable=False, server_default="0"),  # when the board was first heard to have the event
    Column("seen", Moment, nullable=False, server_default="0"),  # and when last
    Index(None, "board", "epoch", "number", "rev"),
)

lost = Table(  # what was heard of journals that have lost it since: events, how they stood, and where they ended
    "lost",
    metadata,
    Column("id", Integer, primary_key=True),
    *(Column(column.name, column.type, nullable=column.nullable) for column in events.c),
    Column("until", Moment, nullable=False),  # what was heard of these numbers before this is lost, too
    Column("correction", Integer, ForeignKey("corrections.id")),  # by which an event was taken out of the history
    Index(None, "board", "epoch", "until"),
)

OF_SPAN = and_(spans.c.board == events.c.board, spans.c.epoch == events.c.epoch, spans.c.number == events.c.number)
IS_ON = and_(spans.c.board == boards.c.uid, spans.c.epoch == boards.c.epoch, spans.c.number == boards.c.number)

seats = Table(
    "seats",
    metadata,
    Column("game", Integer, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("side", Integer, nullable=False),
    Column("player", Integer, ForeignKey("players.id"), index=True),  # none: a guest
    Column("corrected", Boolean, nullable=False, server_default=false()),
)

scores = Table(  # what each side has from a game that is won: made of its events, and can be made again
    "scores",
    metadata,
    Column("game", Integer, ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("side", Integer, primary_key=True, autoincrement=False),
    Column("front", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("lost", Integer, nullable=False),  # 0 not, 1 lost, 2 skunked, 3 double-skunked
    Column("skunks", Integer, nullable=False),  # given
    Column("points", Integer, nullable=False),  # ACC
    Column("spread", Integer, nullable=False),
    Column("hands", Integer, nullable=False),
    Column("hand_points", Integer, nullable=False),
    Column("dealer_hands", Integer, nullable=False, server_default="0"),  # of them, where the dealer is known
    Column("dealer_points", Integer, nullable=False, server_default="0"),
    Column("pone_hands", Integer, nullable=False, server_default="0"),
    Column("pone_points", Integer, nullable=False, server_default="0"),
    Column("best_hand", Integer),
    Column("cribs", Integer, nullable=False),
    Column("crib_points", Integer, nullable=False),
    Column("pegged", Integer),  # in the play; none: not known
    Column("best_deal", Integer),  # pegged in the play of one deal; none: not known
    Column("corrected", Boolean, nullable=False, server_default=false()),  # a score of the game was set
)

corrections = Table(
    "corrections",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("who", String(60), nullable=False),
    Column("what", String(20), nullable=False),
    Column("game", Integer, ForeignKey("games.id")),
    Column("before", Text, nullable=False),  # JSON
    Column("after", Text, nullable=False),
    Column("board", String(32)),  # the number by which it finds its game, which may turn out to be another one
    Column("epoch", BigInteger),
    Column("number", BigInteger),
)


@dataclass(frozen=True, kw_only=True)
class GameRow:
    """A row of `games`."""

    id: int = 0  # until it is written
    board: str
    target: int
    mask: int
    sides: int
    skunk: int
    double_skunk: int
    dealer: int | None
    began: datetime
    heard: datetime
    ended: datetime | None = None
    winner: int | None = None
    pegs: str
    whole: bool = True
    aside: str | None = None
    withdrawn: bool = False
    summed: int = 0

    def columns(self) -> dict[str, object]:
        """The columns of a new row."""
        return {name: value for name, value in vars(self).items() if name != "id"}


def game_rows(
    connection: Connection,
    *where: ColumnElement[bool],
    order: tuple[ColumnElement[object], ...] = (),
    most: int | None = None,
) -> list[GameRow]:
    """Games, by default in no order."""
    query = select(games).where(*where).order_by(*order).limit(most)
    return [GameRow(**row._asdict()) for row in connection.execute(query)]
