"""The history of a house: keeps what its boards report, shows it, corrects it, exports and imports it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from time import sleep

from sqlalchemy import func, select, true

from cribboard.league.acts import Act
from cribboard.league.state import fold
from cribboard.matches import Result
from cribboard.store import contests
from cribboard.store.contests import Contest, Decide, Season
from cribboard.store.copying import backup
from cribboard.store.corrections import Correcting, called
from cribboard.store.database import Database
from cribboard.store.export import as_csv, as_json
from cribboard.store.export_reader import read
from cribboard.store.games import move
from cribboard.store.importer import Import, ImportResult, parts
from cribboard.store.jumps import Jumps, Steady
from cribboard.store.read import Correction, Game, Replay, corrected, on, page, replay, results
from cribboard.store.report import Report
from cribboard.store.schema import boards, games, players, seats, spans
from cribboard.store.statistics import LeaderboardRow, Night, OnNights, Player, Rivals, night, rivals, table, window
from cribboard.store.statistics import on_nights as of_nights
from cribboard.store.statistics import player as of_player
from cribboard.store.write import EventWriter, heard

Now = Callable[[], datetime]
STAFF = "staff"
WAY_S = 0.1  # between the parts of an import: as long as SQLite lets others who wait sleep at most


def now() -> datetime:
    """The current time, in UTC."""
    return datetime.now(UTC)


class Store:
    """The history in a database; may be used by several threads, and by several programs at once.

    Every failure raises StoreError and changes nothing, but for that of a large import. With a `steady` clock the times
    of games are corrected when the other clock jumps. `notices` are texts about how the history was opened, for the
    people who run the house.
    """

    def __init__(
        self,
        database: Database,
        clock: Now = now,
        notices: Sequence[str] = (),
        zone: tzinfo | None = None,
        steady: Steady | None = None,
    ) -> None:
        self.notices = tuple(notices)
        self._database = database
        self._now = clock
        self._zone = zone  # of the nights; None: the computer's
        self._jumps = Jumps(steady, clock()) if steady else None
        self._night: contests.Night | None = None  # the one that was read last, by any thread

    def keep(self, report: Report) -> None:
        """Write what a board has reported; all of it is on the disk when this returns.

        An event that the board no longer has, or whose rev another event has, is taken out and becomes a correction of
        its game: of two events with one rev, the one that was heard later stands.
        """
        with self._database.writing() as connection:
            at = self._now()
            if self._jumps is not None:
                self._jumps.look(connection, report.uid, at)
            EventWriter(connection, report, at).keep()

    def move(self, board: str, to: str, epoch: int, number: int) -> None:
        """Let the game that is on at a board go on at the board `to`, whose journal `epoch` has it as `number`."""
        with self._database.writing() as connection:
            move(connection, board, to, epoch, number)

    def heard(self, board: str, epoch: int) -> int:
        """The rev after which to ask a board's journal for events: all before are here, or the journal lost them."""
        with self._database.reading() as connection:
            return heard(connection, board, epoch)

    def live(self, board: str) -> Game | None:
        """The game that is on at a board, or was when the board last reported."""
        with self._database.reading() as connection:
            return on(connection, board)

    def games(
        self, limit: int = 50, before: int | None = None, player: int | None = None, *, lines: bool = False
    ) -> list[Game]:
        """Games, newest first, of a player if one is named; `before` is the last id of the previous page.

        With `lines` each has its line of scores.
        """
        here = games.c.id > 0
        if player is not None:
            here = games.c.id.in_(select(seats.c.game).where(seats.c.player == player))
        with self._database.reading() as connection:
            return page(connection, here, limit, before, lines=lines)

    def game(self, game: int, *, plain: bool = False) -> Replay | None:
        """A game event by event with the pegs after each, its gaps and corrections; None if there is no such game.

        If it is `plain`, hands have their points only, without cards.
        """
        with self._database.reading() as connection:
            return replay(connection, game, plain=plain)

    def numbers(self, game: int) -> list[tuple[str, int, int]]:
        """The numbers of a game: each with the board and the journal in which that means this game, the newest last."""
        with self._database.reading() as connection:
            query = select(spans).where(spans.c.game == game).order_by(spans.c.epoch, spans.c.number)
            return [(event.board, event.epoch, event.number) for event in connection.execute(query)]

    def leaderboard(
        self, period: str = "ever", at: datetime | None = None, among: str | None = None
    ) -> list[LeaderboardRow]:
        """The leaderboard of the night, week or season around a moment, by default now, or of all time.

        It is of all games, or `among` people, against the computer or with a corrected score.
        """
        begin, end = window(period, at or self._now(), self._zone)
        with self._database.reading() as connection:
            return table(connection, begin, end, among)

    def tonight(self) -> Night:
        """The night's leaderboard, its best hand and the streaks."""
        begin, end = window("night", self._now(), self._zone)
        with self._database.reading() as connection:
            return night(connection, begin, end)

    def results(self) -> list[Result]:
        """The results of the games that count, in the order in which they ended."""
        with self._database.reading() as connection:
            return results(connection)

    def players(self) -> list[tuple[int, str]]:
        """All players: their ids and names, sorted by name."""
        with self._database.reading() as connection:
            listed = [(event.id, event.name) for event in connection.execute(select(players))]
        return sorted(listed, key=lambda each: (each[1].casefold(), each[0]))

    def player(self, player: int) -> Player | None:
        """The figures of one player; None if there is no such player."""
        with self._database.reading() as connection:
            return of_player(connection, player)

    def on_nights(self) -> dict[int, OnNights]:
        """What players have played on closed nights, by their ids."""
        with self._database.reading() as connection:
            return of_nights(connection)

    def head_to_head(self, one: int, other: int) -> Rivals | None:
        """Two players against each other; None if one of them does not exist."""
        with self._database.reading() as connection:
            return rivals(connection, one, other)

    def corrections(self, limit: int = 100) -> list[Correction]:
        """The corrections, newest first."""
        with self._database.reading() as connection:
            return corrected(connection, true(), limit)

    def newcomers(self, period: str = "night") -> set[int]:
        """The ids of the players who were first named in the current night, week or season."""
        begin, _ = window(period, self._now(), self._zone)
        with self._database.reading() as connection:
            return {event.id for event in connection.execute(select(players)) if begin is None or event.since >= begin}

    def called(self, *who: int) -> list[str]:
        """The names of players, then all their names in the form in which names are compared."""
        with self._database.reading() as connection:
            return called(connection, who)

    def rename(self, player: int, name: str, by: str = STAFF) -> None:
        """Rename a player; the old name still means this player."""
        with self._correcting(by) as correcting:
            correcting.rename(player, name)

    def rename_all(self, names: Mapping[int, str], by: str = STAFF) -> None:
        """Rename several players: all of them or, after an error, none."""
        with self._correcting(by) as correcting:
            for player, name in names.items():
                correcting.rename(player, name)

    def merge(self, into: int, other: int, by: str = STAFF) -> None:
        """Make two players one, with the name of `into`."""
        with self._correcting(by) as correcting:
            correcting.merge(into, other)

    def erase(self, *who: int, by: str = STAFF) -> None:
        """Erase players; their games stay, as guests'."""
        with self._correcting(by) as correcting:
            correcting.erase(who)
        self._database.forget()

    def abandon(self, game: int, by: str = STAFF) -> None:
        """Mark an open game as abandoned."""
        with self._correcting(by) as correcting:
            correcting.abandon(game)

    def withdraw(self, game: int, by: str = STAFF, *, withdrawn: bool = True) -> None:
        """Withdraw a game from the statistics, or count it again."""
        with self._correcting(by) as correcting:
            correcting.withdraw(game, withdrawn)

    def correct(self, game: int, rev: int, was: int, points: int, by: str = STAFF) -> None:
        """Correct the points of an event of a game that is over: they were `was`."""
        with self._correcting(by) as correcting:
            correcting.score(game, rev, was, points)

    def seat(self, game: int, sitting: Mapping[int, str | None], by: str = STAFF) -> None:
        """Set who sat at some places, None for a guest."""
        with self._correcting(by) as correcting:
            correcting.seat(game, sitting)

    def begin_contest(self, contest: Contest, names: Sequence[str] = ()) -> int:
        """Begin a night or a season, with those who are in; returns its number. Raises ArgumentError for a name."""
        with self._database.writing() as connection:
            at = self._now()
            number = contests.begin(connection, contest, at)
            if contest.kind == contests.NIGHT:
                entered = [contests.enter(connection, number, name, at) for name in names]
                opened = [Act(number=0, kind="open"), *(Act(number=0, kind="enter", entrant=each) for each in entered)]
                contests.append(connection, number, opened, at)
            return number

    def act(self, contest: int, decide: Decide) -> contests.Night:
        """Append what `decide` makes of a night and its state, while nobody else can; returns the night after it.

        `decide` may raise ArgumentError; then nothing is changed.
        """
        with self._database.writing() as connection:
            night = contests.read(connection, contest, self._night)
            closed = night.state.closed
            new_acts = decide(night, fold(night.acts, night.games))  # of its own, which it may change
            if contests.append(connection, contest, new_acts, self._now()):
                night = contests.read(connection, contest, night)
                if any(act.kind in ("close", "reopen") for act in new_acts) or (closed and night.state.closed):
                    contests.settle_sums(connection, night, self._now())
                    night = contests.read(connection, contest, night)
        self._night = night  # now it is on the disk
        return night

    def enter(
        self, contest: int, name: str, by: Act, decide: contests.Decide = lambda night, state: ()
    ) -> contests.Night:
        """Put somebody on the list of a night; `by` is the act of it, without the entrant.

        What `decide` makes of the night then is written with it, or neither is. A `by` that came before does nothing.
        """
        with self._database.writing() as connection:
            night = contests.read(connection, contest)
            if not by.key or (by.who, by.key) not in night.state.keys:
                entrant = contests.enter(connection, contest, name, self._now())
                contests.append(connection, contest, [replace(by, entrant=entrant)], self._now())
                night = contests.read(connection, contest)
                contests.append(connection, contest, decide(night, fold(night.acts, night.games)), self._now())
                night = contests.read(connection, contest)
        self._night = night
        return night

    def contest(self, number: int) -> contests.Night:
        """A night as it stands; raises ArgumentError if there is none with this number."""
        with self._database.reading() as connection:
            self._night = night = contests.read(connection, number, self._night)
            return night

    def running_contest(self) -> int | None:
        """The number of the night that is on."""
        with self._database.reading() as connection:
            return contests.running(connection)

    def night_mark(self) -> tuple[int | None, object]:
        """The number of the night that is on, and what changes when anything happens on it or a game is won."""
        with self._database.reading() as connection:
            number = contests.running(connection)
            return number, None if number is None else contests.mark(connection, number)

    def newest_contest(self) -> int | None:
        """The number of the newest night, closed or not."""
        with self._database.reading() as connection:
            return contests.newest(connection)

    def contests(self, kind: str = "night") -> list[Contest]:
        """All nights, or seasons, the newest first."""
        with self._database.reading() as connection:
            return contests.all_of(connection, kind)

    def dismiss_contest(self, number: int) -> None:
        """Remove a night without a game; raises ArgumentError for another one."""
        with self._database.writing() as connection:
            contests.dismiss(connection, number)

    def change_season(self, number: int, name: str, rules: str) -> None:
        """Give a season another name and other rules; raises ArgumentError for a night."""
        with self._database.writing() as connection:
            contests.change_season(connection, number, name, rules)

    def dismiss_season(self, number: int) -> None:
        """Remove a season for which no night counts; raises ArgumentError for another one."""
        with self._database.writing() as connection:
            contests.dismiss_season(connection, number)

    def set_season(self, night: int, number: int | None) -> None:
        """Let a night count for a season, or for none."""
        with self._database.writing() as connection:
            contests.set_season(connection, night, number)

    def set_director(self, night: int, director: str) -> None:
        """Let another phone direct a night, where there is no PIN."""
        with self._database.writing() as connection:
            contests.set_director(connection, night, director)

    def season(self, number: int) -> Season:
        """A season: its closed nights, and who stands how; raises ArgumentError if there is none."""
        with self._database.reading() as connection:
            return contests.read_season_of(connection, number)

    def board_games(
        self, board: str, after: int, target: int, sides: Sequence[Sequence[int | None]]
    ) -> list[tuple[int, int]]:
        """Games to a target that two sides have won at a board since another one, each with the side that was first."""
        with self._database.reading() as connection:
            return contests.board_games(connection, board, after, target, sides)

    def game_sides(self, game: int, target: int) -> list[set[int | None]]:
        """The players of each side of a game to this target that is won; raises ArgumentError for another one."""
        with self._database.reading() as connection:
            return contests.sides_of(connection, game, target)

    def last_game(self) -> int:
        """The number of the newest game."""
        with self._database.reading() as connection:
            return contests.last_game(connection)

    @contextmanager
    def _correcting(self, by: str) -> Iterator[Correcting]:
        with self._database.writing() as connection:
            yield Correcting(connection, by, self._now())
        self._night = None  # names may have gone from what was written there

    def export_csv(self) -> str:
        """The games as CSV, one line for each seat."""
        with self._database.reading() as connection:
            return as_csv(connection)

    def export_json(self) -> str:
        """The whole history as JSON, for `import_json`."""
        with self._database.reading() as connection:
            return as_json(connection)

    def import_json(self, text: str) -> ImportResult:
        """Add an export; existing entries stay as they are. Raises ArgumentError for another file.

        Nothing is written before the whole file is checked. With many games others may write between: after an error
        some are here, and to import the file again brings the rest.
        """
        brought = ImportResult(0, 0, 0)
        for number, part in enumerate(parts(read(text))):
            if number:
                sleep(WAY_S)
            with self._database.writing() as connection:
                brought += Import(connection, self._now()).bring(part)
        return brought

    def backup(self, path: Path) -> None:
        """Copy the SQLite history to a file while it is in use; for PostgreSQL use pg_dump."""
        backup(self._database, path)

    @property
    def file(self) -> Path | None:
        """The SQLite file; None for a history on a server."""
        return self._database.path

    def heard_last(self) -> datetime | None:
        """When a board last reported; None if none ever has."""
        with self._database.reading() as connection:
            return connection.execute(select(func.max(boards.c.heard))).scalar()

    def close(self) -> None:
        """Close the database."""
        self._database.close()
