"""Contests in the history: nights are begun, their acts appended under the writer's lock, and read again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from functools import cached_property
from secrets import token_hex
from typing import Any

from sqlalchemy import Connection, Select, delete, func, insert, select, update

from cribboard.errors import ArgumentError
from cribboard.league.acts import Act, BoardGame
from cribboard.league.rules import Rules, read_rules
from cribboard.league.season import SeasonRow, SeasonRules, Stood, read_season, season
from cribboard.league.standings import Row, Who
from cribboard.league.state import State, fold
from cribboard.names import check_person
from cribboard.store.contest_tables import (
    LONGEST_KEY,
    LONGEST_NAME,
    LONGEST_TEXT,
    LONGEST_WHO,
    acts,
    contest_players,
    contest_sums,
    contests,
)
from cribboard.store.people import GUEST, seated
from cribboard.store.schema import games, players, scores, seats
from cribboard_core.cards import quote

NIGHT, SEASON = "night", "season"
COLUMNS = tuple(each.name for each in fields(Act))
NOT_PLACED = Stood(0, 0, 0)
MOST_ACTS = 20_000  # of one contest; a night of 200 players has 4,000


@dataclass(frozen=True)
class Contest:
    """A contest as it was begun. `boards` are the numbers of tables with a board; wooden ones come after."""

    id: int = 0
    uid: str = ""  # until it is written
    kind: str = NIGHT
    name: str = ""
    rules: str = "{}"
    preset: str = ""
    draw: str = "all"
    rounds: int = 0
    boards: tuple[int, ...] = ()
    wooden: int = 0
    minutes: int = 20
    director: str = ""
    season: int | None = None
    began: datetime | None = None
    closed: datetime | None = None

    @property
    def read(self) -> Rules:
        """The rules of a night."""
        return read_rules(json.loads(self.rules))

    @property
    def wooden_tables(self) -> tuple[int, ...]:
        """The numbers of the tables without a board: from 101, so that no board's number is among them."""
        return tuple(range(101, 101 + self.wooden))

    @property
    def tables(self) -> tuple[int, ...]:
        """The numbers of all tables."""
        return self.boards + self.wooden_tables

    def columns(self) -> dict[str, object]:
        """The columns of a row."""
        values = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "id"}
        return values | {"boards": ",".join(map(str, self.boards))}


@dataclass(frozen=True)
class Night:
    """A night as it stands: the contest, its acts, the games of the history that they name, and who is who."""

    contest: Contest
    acts: tuple[Act, ...]
    games: Mapping[int, BoardGame]
    names: Mapping[int, str]  # of entrants; an erased one is a guest
    players: Mapping[int, int | None]  # the history's, of entrants
    times: Mapping[int, datetime] = field(default_factory=dict)  # of acts

    @cached_property
    def state(self) -> State:
        """The fold of the acts; nobody changes it."""
        return fold(self.acts, self.games)

    @cached_property
    def rules(self) -> Rules:
        """How it is scored."""
        return self.contest.read

    @cached_property
    def standings(self) -> list[Row]:
        """Who stands how; nobody changes it."""
        return self.state.standings(self.rules)


Decide = Callable[["Night", State], Sequence[Act]]


def of_row(row: object) -> Contest:
    """The contest of a row."""
    values = dict(row._mapping)  # type: ignore[attr-defined]
    return Contest(**values | {"boards": tuple(int(each) for each in values["boards"].split(",") if each)})


def find(connection: Connection, number: int) -> Contest:
    """A contest; raises ArgumentError if there is none with this number."""
    row = connection.execute(select(contests).where(contests.c.id == number)).one_or_none()
    if row is None:
        raise ArgumentError(f"there is no night and no season {number}", "look at the list of nights")
    return of_row(row)


def begin(connection: Connection, contest: Contest, at: datetime) -> int:
    """Write a new contest; returns its number."""
    row = replace(contest, began=at, uid=contest.uid or token_hex(16))
    made = connection.execute(insert(contests).values(**row.columns())).inserted_primary_key
    return int(made[0]) if made else 0


def running(connection: Connection) -> int | None:
    """The number of the newest night that is not closed."""
    return connection.execute(_nights().where(contests.c.closed.is_(None)).limit(1)).scalar()


def mark(connection: Connection, number: int) -> tuple[object, ...]:
    """What changes when something happens on a night, or a game begins or is won."""
    last = connection.execute(select(func.max(acts.c.number)).where(acts.c.contest == number)).scalar()
    played = connection.execute(select(func.max(games.c.id), func.max(games.c.ended))).one()
    return number, last, *played


def newest(connection: Connection) -> int | None:
    """The number of the newest night."""
    return connection.execute(_nights().limit(1)).scalar()


def _nights() -> Select[Any]:
    """The numbers of all nights, the newest first: imported ones have higher numbers than newer ones of this house."""
    newest_first = contests.c.began.desc(), contests.c.id.desc()
    return select(contests.c.id).where(contests.c.kind == NIGHT).order_by(*newest_first)


def all_of(connection: Connection, kind: str) -> list[Contest]:
    """All contests of a kind, the newest first."""
    rows = connection.execute(
        select(contests).where(contests.c.kind == kind).order_by(contests.c.began.desc(), contests.c.id.desc())
    )
    return [of_row(row) for row in rows]


def change_season(connection: Connection, number: int, name: str, rules: str) -> None:
    """Give a season another name and other rules; raises ArgumentError for a night."""
    _need_season(connection, number)
    connection.execute(update(contests).where(contests.c.id == number).values(name=name, rules=rules))


def dismiss_season(connection: Connection, number: int) -> None:
    """Remove a season for which no night counts; raises ArgumentError for another one."""
    _need_season(connection, number)
    if connection.execute(select(contests.c.id).where(contests.c.season == number).limit(1)).first():
        raise ArgumentError("nights count for this season", "let them count for another one first, or for none")
    connection.execute(delete(contests).where(contests.c.id == number))


def _need_season(connection: Connection, number: int) -> None:
    if find(connection, number).kind != SEASON:
        raise ArgumentError(f"number {number} is no season", "look at the list of seasons")


def set_season(connection: Connection, night: int, number: int | None) -> None:
    """Let a night count for a season, or for none; raises ArgumentError if one of them is something else."""
    if number is not None:
        _need_season(connection, number)
    if find(connection, night).kind != NIGHT:
        raise ArgumentError(f"number {night} is no night", "look at the list of nights")
    connection.execute(update(contests).where(contests.c.id == night).values(season=number))


def set_director(connection: Connection, night: int, director: str) -> None:
    """Let another phone direct a night."""
    connection.execute(update(contests).where(contests.c.id == night).values(director=director[:LONGEST_WHO]))


def read(connection: Connection, number: int, known: Night | None = None) -> Night:
    """A night as it stands; raises ArgumentError.

    `known` is how it stood before, if it is this one: acts are only appended, so the new ones are read. If nothing has
    changed it is returned, with what was worked out from it.
    """
    contest = find(connection, number)
    if contest.kind != NIGHT:
        raise ArgumentError(f"number {number} is a season, no night", "look at the list of nights")
    named = select(contest_players.c.entrant, contest_players.c.player, players.c.name)
    named = named.outerjoin(players, players.c.id == contest_players.c.player)
    listed = named.where(contest_players.c.contest == number).order_by(contest_players.c.entrant)
    who = connection.execute(listed).all()
    names = {row.entrant: row.name or GUEST for row in who}
    players_of = {row.entrant: row.player for row in who}
    reported = select(acts.c.number, acts.c.game).where(acts.c.contest == number, acts.c.game.is_not(None))
    game_of = {row.number: row.game for row in connection.execute(reported)}
    if known is not None and (
        known.contest.uid != contest.uid
        or not names.items() >= known.names.items()
        or not game_of.items() >= {act.number: act.game for act in known.acts if act.game is not None}.items()
    ):
        # Another night; or somebody was renamed or erased: what they wrote may have changed, too; or a game was two.
        known = None
    done = known.acts if known is not None else ()
    columns = select(acts.c.at, *(acts.c[name] for name in COLUMNS)).order_by(acts.c.number)
    fresh = columns.where(acts.c.contest == number, acts.c.number > (done[-1].number if done else 0))
    rows = connection.execute(fresh).all()
    night_acts = (*done, *(Act(**dict(zip(COLUMNS, row[1:], strict=True))) for row in rows))
    played = _games(connection, {act.game for act in night_acts if act.game is not None and act.kind == "report"})
    before = known.times if known is not None else {}
    night = Night(contest, night_acts, played, names, players_of, {**before, **{row.number: row.at for row in rows}})
    return known if known is not None and known == night else night


def _games(connection: Connection, numbers: Iterable[int]) -> dict[int, BoardGame]:
    """Games of the history as they stand."""
    wanted = list(numbers)
    if not wanted:
        return {}
    rows = connection.execute(select(games).where(games.c.id.in_(wanted))).all()
    fronts = {
        (row.game, row.side): row.front for row in connection.execute(select(scores).where(scores.c.game.in_(wanted)))
    }
    by_number = {}
    for row in rows:
        both = fronts.get((row.id, 0)), fronts.get((row.id, 1))
        won = row.winner is not None and not row.withdrawn and row.sides == 2
        known = (both[0], both[1]) if won and both[0] is not None and both[1] is not None else None
        by_number[row.id] = BoardGame(known, (row.skunk, row.double_skunk))
    return by_number


def enter(connection: Connection, number: int, name: str, at: datetime) -> int:
    """Put a name on the list; returns the entrant's number. Raises ArgumentError if it is none, or is there already."""
    tidy = check_person(name)
    player = seated(connection, tidy, at)
    here = connection.execute(select(contest_players).where(contest_players.c.contest == number)).all()
    if any(row.player == player for row in here):
        raise ArgumentError(f"{quote(tidy)} is on the list already", "add a letter, like: Ann B")
    entrant = max((row.entrant for row in here), default=0) + 1
    connection.execute(insert(contest_players).values(contest=number, entrant=entrant, player=player))
    return entrant


def append(connection: Connection, number: int, new_acts: Sequence[Act], at: datetime) -> list[Act]:
    """Append acts, each numbered; one whose device has already sent its key is not written again."""
    last = connection.execute(select(func.max(acts.c.number)).where(acts.c.contest == number)).scalar() or 0
    if last + len(new_acts) > MOST_ACTS:
        raise ArgumentError(f"more than {MOST_ACTS} things have happened on this night", "close it, and begin another")
    written = []
    for act in new_acts:
        same = (acts.c.contest == number) & (acts.c.who == act.who) & (acts.c.key == act.key)
        if act.key and connection.execute(select(acts.c.number).where(same)).first():
            continue
        last += 1
        row = replace(
            act, number=last, text=act.text[:LONGEST_TEXT], who=act.who[:LONGEST_WHO], key=act.key[:LONGEST_KEY]
        )
        connection.execute(insert(acts).values(contest=number, at=at, **vars(row)))
        written.append(row)
    return written


def settle_sums(connection: Connection, night: Night, at: datetime) -> None:
    """Keep the sums of a night that was closed, or forget those of one that was reopened."""
    here = contest_sums.c.contest == night.contest.id
    connection.execute(delete(contest_sums).where(here))
    closed = night.state.closed
    connection.execute(update(contests).where(contests.c.id == night.contest.id).values(closed=at if closed else None))
    if not closed:
        return
    rows = [
        {
            "contest": night.contest.id,
            "entrant": row.who,
            **{name: getattr(row, name) for name in ("place", "points", "games", "won", "skunks", "spread")},
        }
        for row in night.standings
    ]
    if rows:
        connection.execute(insert(contest_sums), rows)


def settle_game(connection: Connection, game: int) -> None:
    """Keep the sums of closed nights as they stand after a change of a game that they have from a board."""
    of_it = contests.c.id.in_(select(acts.c.contest).where(acts.c.game == game)) & contests.c.closed.is_not(None)
    for night, closed in connection.execute(select(contests.c.id, contests.c.closed).where(of_it)).all():
        settle_sums(connection, read(connection, night), closed)


def dismiss(connection: Connection, number: int) -> None:
    """Remove a night without a game; raises ArgumentError for another one."""
    night = read(connection, number)
    if any(leg.said for match in night.state.matches.values() for leg in match.legs.values()):
        raise ArgumentError("games were played on this night", "close it instead; it stays in the list")
    for table in (acts, contest_players, contest_sums):
        connection.execute(delete(table).where(table.c.contest == number))
    connection.execute(delete(contests).where(contests.c.id == number))


@dataclass(frozen=True)
class Season:
    """A season: its rules, its closed nights in order, and who stands how; names are those of players."""

    contest: Contest
    rules: SeasonRules
    nights: list[tuple[int, str, datetime | None]]
    rows: list[SeasonRow]
    names: Mapping[Who, str]


def read_season_of(connection: Connection, number: int) -> Season:
    """A season with its table; raises ArgumentError."""
    contest = find(connection, number)
    if contest.kind != SEASON:
        raise ArgumentError(f"number {number} is a night, no season", "look at the list of seasons")
    of_it = (contests.c.season == number) & contests.c.closed.is_not(None)
    night_rows = connection.execute(select(contests).where(of_it).order_by(contests.c.began, contests.c.id)).all()
    nights = _stood(connection, {row.id: row.draw for row in night_rows})
    known = connection.execute(select(players.c.id, players.c.name)).all()
    names: dict[Who, str] = {row.id: row.name for row in known}
    rules = read_season(json.loads(contest.rules))
    listed = [(row.id, row.name, row.began) for row in night_rows]
    return Season(contest, rules, listed, season(rules, nights), names)


def _stood(connection: Connection, draws: Mapping[int, str]) -> list[dict[Who, Stood]]:
    """How players stood at the end of each night; who was erased keeps a place, who has not played has none.

    `draws` are the nights, each with how it was drawn: drawn pairs take one place for two.
    """
    night, place, points = contest_sums.c.contest, contest_sums.c.place, contest_sums.c.points
    here, placed = night.in_(draws), (contest_sums.c.games > 0) | (points != 0)
    counted = select(night, place, func.count()).where(here, placed).group_by(night, place).order_by(night, place)
    taken: dict[tuple[int, int], tuple[int, int]] = {}  # the place among those that have one, and how many share it
    first = dict.fromkeys(draws, 1)
    for of, at, many in connection.execute(counted):
        taken[of, at] = first[of], (many + 1) // 2 if draws[of] == "pairs" else many
        first[of] += taken[of, at][1]
    same = (contest_players.c.contest == night) & (contest_players.c.entrant == contest_sums.c.entrant)
    player = contest_players.c.player
    sums = select(night, player, place, points, placed).join(contest_players, same).where(here, player.is_not(None))
    stood: dict[int, dict[Who, Stood]] = {of: {} for of in draws}
    for of, who, at, total, has_one in connection.execute(sums):
        stood[of][who] = Stood(*taken[of, at], total) if has_one else NOT_PLACED
    return list(stood.values())


def board_games(
    connection: Connection, board: str, after: int, target: int, sides: Sequence[Sequence[int | None]]
) -> list[tuple[int, int]]:
    """Games to this target that two have won at a board since another one: each with the match's side that is its 0."""
    won = (games.c.board == board) & (games.c.id > after) & games.c.winner.is_not(None) & (games.c.sides == 2)
    matching = []
    for row in connection.execute(select(games.c.id).where(won, games.c.target == target).order_by(games.c.id)).all():
        sat: dict[int, set[int | None]] = {}
        for seat in connection.execute(select(seats.c.side, seats.c.player).where(seats.c.game == row.id)):
            sat.setdefault(seat.side, set()).add(seat.player)
        wanted = [set(side) for side in sides]
        if (
            None not in wanted[0] | wanted[1]
            and sat.get(0) in wanted
            and sat.get(1) == wanted[1 - wanted.index(sat[0])]
        ):
            matching.append((row.id, wanted.index(sat[0])))
    return matching


def sides_of(connection: Connection, game: int, target: int) -> list[set[int | None]]:
    """The players of each side of a game, None for one without a name; raises ArgumentError.

    It is refused unless one of two sides has won it, to this target.
    """
    row = connection.execute(select(games).where(games.c.id == game)).one_or_none()
    if row is None:
        raise ArgumentError(f"there is no game {game}", "the page History lists them")
    if row.winner is None or row.sides != 2:
        raise ArgumentError(f"game {game} is not won by one of two sides", "choose a game that is over")
    if row.target != target:
        raise ArgumentError(
            f"game {game} was to {row.target}, and this night plays to {target}",
            "let the two play again, or type a result",
        )
    sides: list[set[int | None]] = [set(), set()]
    for seat in connection.execute(select(seats.c.side, seats.c.player).where(seats.c.game == game)):
        sides[seat.side].add(seat.player)
    return sides


def last_game(connection: Connection) -> int:
    """The number of the newest game of the history."""
    return connection.execute(select(func.max(games.c.id))).scalar() or 0


def merge(connection: Connection, into: int, other: int, names: tuple[str, str]) -> None:
    """Give what a player has played in contests to another; raises ArgumentError if both were in one."""
    mine = select(contest_players.c.contest).where(contest_players.c.player == into)
    theirs = select(contest_players.c.contest).where(contest_players.c.player == other)
    both = select(contests.c.began).where(contests.c.id.in_(mine), contests.c.id.in_(theirs))
    met = connection.execute(both.limit(1)).scalar()
    if met is not None:
        day = met.astimezone()
        raise ArgumentError(
            f"{quote(names[0])} and {quote(names[1])} were both in the night of {day.day} {day:%B %Y}, so they are two",
            "if not, look at that night first",
        )
    here = contest_players.c.player == other
    connection.execute(update(contest_players).where(here).values(player=into))


def forget_in(connection: Connection, forget: Callable[[str], str]) -> None:
    """Take the names of erased players out of what was written in contests; who they were goes with their row."""
    said = select(acts.c.contest, acts.c.number, acts.c.text, acts.c.who).where(
        (acts.c.text != "") | (acts.c.who != "")
    )
    for row in connection.execute(said).all():
        new = {"text": forget(row.text)[:LONGEST_TEXT], "who": forget(row.who)[:LONGEST_WHO]}
        if (new["text"], new["who"]) != (row.text, row.who):
            at = (acts.c.contest == row.contest) & (acts.c.number == row.number)
            connection.execute(update(acts).where(at).values(**new))
    for contest in connection.execute(select(contests.c.id, contests.c.name)).all():
        if forget(contest.name) != contest.name:
            at = contests.c.id == contest.id
            connection.execute(update(contests).where(at).values(name=forget(contest.name)[:LONGEST_NAME]))
