"""The statistics: the leaderboard, one player's averages, bests and streaks, two players against each other.

Only games that are won and not withdrawn count. Guests are in nobody's table. Partners have a game's points each; as
nobody knows which of them counted a hand, averages and bests are of the games that a player played alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import takewhile
from operator import itemgetter

from sqlalchemy import Connection, and_, case, exists, func, select

from cribboard.errors import ArgumentError
from cribboard.files import Entry
from cribboard.store.contest_tables import contest_players, contest_sums
from cribboard.store.read import AMONG, COUNTS, MACHINES, PEOPLE, RANKED, Game, PageEntry, page
from cribboard.store.schema import OF_SPAN, events, games, players, scores, seats, spans
from cribboard_core.cards import quote
from cribboard_core.events import HAND

JOINED = seats.join(scores, and_(scores.c.game == seats.c.game, scores.c.side == seats.c.side)).join(
    games, games.c.id == seats.c.game
)
RECENT = 10
STREAK = 2  # games won in a row that are worth a word
LONGEST = 100


@dataclass(frozen=True)
class LeaderboardRow:
    """A player in the leaderboard; equal players share a `place`. `points` are ACC points, `skunks` those given."""

    place: int
    player: int
    name: str
    games: int
    won: int
    points: int
    spread: int
    skunks: int
    skunked: int

    @property
    def rank(self) -> tuple[int, ...]:
        """What decides the place; higher is better."""
        return self.points, self.won, self.spread

    def entry(self) -> Entry:
        return asdict(self)


def table(
    connection: Connection, begin: datetime | None = None, end: datetime | None = None, among: str | None = None
) -> list[LeaderboardRow]:
    """The players of games won between two moments, best first: of all games, or of those ranked in `among`.

    The computer has no place there.
    """
    if among not in (None, *RANKED):
        raise ArgumentError(f"no games are ranked as {quote(among)}", f"choose one of {', '.join(RANKED)}")
    taken = func.sum(case((scores.c.lost >= 2, 1), else_=0))
    total = [func.sum(column) for column in (scores.c.won, scores.c.points, scores.c.spread, scores.c.skunks)]
    query = select(seats.c.player, func.count(), *total, taken).select_from(JOINED).where(COUNTS)
    if begin is not None:
        query = query.where(games.c.ended >= begin)
    if end is not None:
        query = query.where(games.c.ended < end)
    if among is not None:
        query = query.where(AMONG.in_([among]), seats.c.player.not_in(MACHINES))
    summed = connection.execute(query.where(seats.c.player.is_not(None)).group_by(seats.c.player)).all()
    names = {row.id: row.name for row in connection.execute(select(players))}
    lines = [LeaderboardRow(0, row[0], names[row[0]], *map(int, row[1:])) for row in summed]
    lines.sort(key=lambda line: (*(-value for value in line.rank), line.name.casefold()))
    for at, line in enumerate(lines):
        equal = at and lines[at - 1].rank == line.rank
        lines[at] = replace(line, place=lines[at - 1].place if equal else at + 1)
    return lines


@dataclass(frozen=True)
class Best(PageEntry):
    """The best hand: its points, its cards if they are known, and its game."""

    points: int
    cards: str
    starter: str
    game: int


@dataclass(frozen=True)
class Average(PageEntry):
    """The mean of `count` hands; None without any."""

    mean: float | None
    count: int


@dataclass(frozen=True)
class OnNights(PageEntry):
    """What somebody has played on closed league nights, at wooden boards, too."""

    nights: int
    games: int
    won: int


NOT_ON_NIGHTS = OnNights(0, 0, 0)


def on_nights(connection: Connection) -> dict[int, OnNights]:
    """What players have played on closed nights; those who have not are missing."""
    who, sums = contest_players.c, contest_sums.c
    query = (
        select(who.player, func.count(sums.contest.distinct()), func.sum(sums.games), func.sum(sums.won))
        .where(who.contest == sums.contest, who.entrant == sums.entrant, who.player.is_not(None), sums.games > 0)
        .group_by(who.player)
    )
    return {player: OnNights(*map(int, summed)) for player, *summed in connection.execute(query)}


@dataclass(frozen=True)
class Player(PageEntry):
    """The figures of one player. Averages are None if unknown; `streak` is games won in a row, or minus those lost.

    `among` has the games and those won of each kind that is ranked apart.

    `deals` are the averages of games of two: the hand as dealer, the hand as pone, and the crib.
    """

    id: int
    name: str
    since: datetime
    games: int
    won: int
    points: int
    spread: int
    skunks: int
    skunked: int
    hand: float | None
    crib: float | None
    pegging: float | None
    deals: Mapping[str, Average]
    best_hand: Best | None
    best_deal: int | None
    best_pegging: int | None
    streak: int
    longest: int
    among: Mapping[str, tuple[int, int]]
    on_nights: OnNights
    recent: Sequence[Game]


def player(connection: Connection, wanted: int) -> Player | None:
    """The figures of one player; None if there is no such player."""
    who = connection.execute(select(players).where(players.c.id == wanted)).one_or_none()
    if who is None:
        return None
    order = (games.c.ended, games.c.id)
    columns = (games.c.mask, games.c.sides, AMONG.label("among"), scores)
    query = select(*columns).select_from(JOINED).where(COUNTS, seats.c.player == wanted).order_by(*order)
    rows = connection.execute(query).all()
    alone = [row for row in rows if row.mask.bit_count() == row.sides]
    pegged = [row.pegged for row in alone if row.pegged is not None]
    two = [row for row in alone if row.sides == 2]
    now, longest = _streaks([bool(row.won) for row in rows])
    here = games.c.id.in_(select(seats.c.game).where(seats.c.player == wanted))
    return Player(
        id=who.id,
        name=who.name,
        since=who.since,
        games=len(rows),
        won=sum(row.won for row in rows),
        points=sum(row.points for row in rows),
        spread=sum(row.spread for row in rows),
        skunks=sum(row.skunks for row in rows),
        skunked=sum(row.lost >= 2 for row in rows),
        hand=_mean(sum(row.hand_points for row in alone), sum(row.hands for row in alone)),
        crib=_mean(sum(row.crib_points for row in alone), sum(row.cribs for row in alone)),
        pegging=_mean(sum(pegged), len(pegged)),
        deals={
            "dealer": _average((row.dealer_points, row.dealer_hands) for row in two),
            "pone": _average((row.pone_points, row.pone_hands) for row in two),
            "crib": _average((row.crib_points, row.cribs) for row in two),
        },
        best_hand=_best(connection, ((row.best_hand, row.game, row.side) for row in alone)),
        best_deal=max((row.best_deal for row in alone if row.best_deal is not None), default=None),
        best_pegging=max(pegged, default=None),
        streak=now,
        longest=longest,
        among={
            kind: (len(won), sum(won)) for kind in RANKED for won in [[row.won for row in rows if row.among == kind]]
        },
        on_nights=on_nights(connection).get(wanted, NOT_ON_NIGHTS),
        recent=page(connection, here, RECENT, lines=True),
    )


def _average(counted: Iterable[tuple[int, int]]) -> Average:
    """The mean of hands, from the points and the number of them in each game."""
    points, count = map(sum, zip((0, 0), *counted, strict=True))
    return Average(_mean(points, count), count)


def _mean(total: int, count: int) -> float | None:
    return round(total / count, 2) if count else None


def _streaks(won: list[bool]) -> tuple[int, int]:
    """The current streak, and the longest one of games won."""
    now = longest = 0
    for win in won:
        now = max(now, 0) + 1 if win else min(now, 0) - 1
        longest = max(longest, now)
    return now, longest


def _best(connection: Connection, best_hands: Iterable[tuple[int | None, int, int]]) -> Best | None:
    """The best of hands, each as its points, its game and its side."""
    known = [(points, game, side) for points, game, side in best_hands if points is not None]
    if not known:
        return None
    points, game, side = max(known, key=itemgetter(0))
    hand = and_(events.c.kind == HAND, events.c.b == 0, events.c.a == points)
    here = and_(spans.c.game == game, events.c.side == side)
    query = select(events.c.cards, events.c.starter).join(spans, OF_SPAN).where(hand, here)
    cards = connection.execute(query.order_by(events.c.rev.desc()).limit(1)).first()
    return Best(points, cards.cards if cards else "", cards.starter if cards else "", game)


@dataclass(frozen=True)
class Night:
    """A night among people: its leaderboard, who has won several games in a row, and the best hand, in any game."""

    lines: Sequence[LeaderboardRow]
    best_hand: Best | None
    best_by: str
    best_side: int | None
    streaks: Sequence[tuple[str, int]]

    def entry(self) -> Entry:
        best = self.best_hand and {
            **asdict(self.best_hand),
            "by": self.best_by or None,
            "side": (self.best_side or 0) + 1,
        }
        streaks = [{"name": name, "won": won} for name, won in self.streaks]
        return {"players": [line.entry() for line in self.lines], "best_hand": best, "streaks": streaks}


def night(connection: Connection, begin: datetime | None, end: datetime | None) -> Night:
    """The night between two moments; streaks may have started before."""
    lines = table(connection, begin, end, PEOPLE)
    machine = exists().where(seats.c.game == scores.c.game, seats.c.side == scores.c.side, seats.c.player.in_(MACHINES))
    columns = (scores.c.game, scores.c.side, scores.c.best_hand)
    query = select(*columns).join(games, games.c.id == scores.c.game).where(COUNTS, scores.c.best_hand > 0, ~machine)
    if begin is not None:
        query = query.where(games.c.ended >= begin, games.c.ended < end)
    rows = connection.execute(query.order_by(scores.c.best_hand.desc(), games.c.ended, games.c.id).limit(1)).all()
    by = _seated(connection, rows[0].game, rows[0].side) if rows else ""
    runs = [(line.name, _streak(connection, line.player)) for line in lines if line.won]
    streaks = sorted(((name, won) for name, won in runs if won >= STREAK), key=lambda run: (-run[1], run[0].casefold()))
    best = _best(connection, ((row.best_hand, row.game, row.side) for row in rows))
    return Night(lines, best, by, rows[0].side if rows else None, streaks)


def _seated(connection: Connection, game: int, side: int) -> str:
    """The names of a side's players, empty for guests."""
    query = select(players.c.name).join(seats, seats.c.player == players.c.id)
    names = connection.execute(query.where(seats.c.game == game, seats.c.side == side).order_by(seats.c.place))
    return " & ".join(names.scalars())


def _streak(connection: Connection, wanted: int) -> int:
    """How many games a player has won in a row, up to now."""
    query = select(scores.c.won).select_from(JOINED).where(COUNTS, AMONG == PEOPLE, seats.c.player == wanted)
    newest = connection.execute(query.order_by(games.c.ended.desc(), games.c.id.desc()).limit(LONGEST)).scalars()
    return sum(1 for _ in takewhile(bool, newest))


@dataclass(frozen=True)
class Rivals(PageEntry):
    """Two players on different sides; in larger games others may have won. `games` are the newest ones."""

    players: tuple[int, int]
    names: tuple[str, str]
    played: int
    won: tuple[int, int]
    skunks: tuple[int, int]
    spread: int  # by which the first leads in the games that one of them won
    games: Sequence[Game]


def rivals(connection: Connection, one: int, other: int) -> Rivals | None:
    """Two players against each other; None if one of them does not exist."""
    who = {row.id: row.name for row in connection.execute(select(players).where(players.c.id.in_((one, other))))}
    if len(who) < 2:
        return None
    mine, theirs = seats.alias(), seats.alias()
    my, their = scores.alias(), scores.alias()
    met = and_(mine.c.game == theirs.c.game, mine.c.side != theirs.c.side)
    joined = (
        mine.join(theirs, met)
        .join(my, and_(my.c.game == mine.c.game, my.c.side == mine.c.side))
        .join(their, and_(their.c.game == theirs.c.game, their.c.side == theirs.c.side))
        .join(games, games.c.id == mine.c.game)
    )
    columns = (games.c.id, my.c.won, my.c.front, my.c.lost, their.c.won, their.c.front, their.c.lost)
    them = and_(mine.c.player == one, theirs.c.player == other)
    query = select(*columns).select_from(joined).where(COUNTS, them).order_by(games.c.ended, games.c.id)
    rows = connection.execute(query).all()
    decided = [row for row in rows if row[1] or row[4]]
    return Rivals(
        players=(one, other),
        names=(who[one], who[other]),
        played=len(rows),
        won=(sum(row[1] for row in rows), sum(row[4] for row in rows)),
        skunks=(sum(row[1] and row[6] >= 2 for row in rows), sum(row[4] and row[3] >= 2 for row in rows)),
        spread=sum(row[2] - row[5] for row in decided),
        games=page(connection, games.c.id.in_([row[0] for row in rows[-1000:]]), RECENT, lines=True),
    )


PERIODS = ("night", "week", "season", "ever")
MORNING = 6  # o'clock, local time: a night ends then, and so does every longer period


def window(period: str, at: datetime, zone: tzinfo | None = None) -> tuple[datetime | None, datetime | None]:
    """The start and end of the night, week or season (a quarter) around a moment; None, None for ever."""
    if period not in PERIODS:
        raise ArgumentError(f"there is no period {quote(period)}", f"choose one of {', '.join(PERIODS)}")
    if period == "ever":
        return None, None
    day = (at.astimezone(zone) - timedelta(hours=MORNING)).replace(hour=0, minute=0, second=0, microsecond=0)
    # Days are added without a zone: where the clock changes, one has 23 or 25 hours.
    day = day.replace(tzinfo=None)
    if period == "night":
        begin, end = day, day + timedelta(days=1)
    elif period == "week":
        begin = day - timedelta(days=day.weekday())
        end = begin + timedelta(days=7)
    else:
        begin = day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
        end = (begin + timedelta(days=95)).replace(day=1)
    return _morning(begin, zone), _morning(end, zone)


def _morning(day: datetime, zone: tzinfo | None) -> datetime:
    morning = day.replace(hour=MORNING)
    return (morning.astimezone() if zone is None else morning.replace(tzinfo=zone)).astimezone(UTC)
