"""Corrections by staff. Each one is recorded: when, who, what, and what was there before."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection, and_, delete, insert, or_, select, update

from cribboard.board.messages import Corrected
from cribboard.errors import ArgumentError
from cribboard.names import MOST_CHARACTERS, check_name, check_person, key
from cribboard.store import contests
from cribboard.store.game_events import SCORE, changes, line_entries
from cribboard.store.games import ABANDON, SEAT, STAFF, WITHDRAW, Games, number_of
from cribboard.store.people import GUEST, known, seated
from cribboard.store.schema import (
    IS_ON,
    GameRow,
    boards,
    corrections,
    events,
    game_rows,
    games,
    lost,
    names,
    players,
    sat,
    seats,
    spans,
)
from cribboard.store.write import entry_of, visible
from cribboard_core.cards import quote
from cribboard_core.events import MOST_POINTS, SCORES


def forgetter(gone: Collection[str], stay: Collection[str]) -> Callable[[str], str]:
    """Replaces the names `gone` by a guest, however they are written, but not inside names that `stay`.

    Both are in the form in which names are compared.
    """

    known = {*gone, *stay}

    def forget(text: str) -> str:
        plain = key(text)
        if not any(name in plain for name in gone):
            return text
        parts, at = [], 0
        while at < len(text):
            end = next((end for end in _ends(text, at) if key(text[at:end]) in known), 0)
            parts.append(GUEST if end and key(text[at:end]) in gone else text[at : end or at + 1])
            at = end or at + 1
        return "".join(parts)

    return forget


def _ends(text: str, begin: int) -> Iterator[int]:
    """The possible ends of words or names that start here, the longest first."""
    if text[begin].isspace() or (begin and _is_word(text[begin - 1])):
        return
    for end in range(min(len(text), begin + MOST_CHARACTERS), begin, -1):
        if end == len(text) or not _is_word(text[end]):
            yield end


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def called(connection: Connection, who: Sequence[int]) -> list[str]:
    """The names of players, then all their names in the form in which names are compared."""
    by_id = {row.id: row.name for row in connection.execute(select(players).where(players.c.id.in_(who)))}
    for player in who:
        if player not in by_id:
            raise _nobody(player)
    return [*by_id.values(), *connection.execute(select(names.c.key).where(names.c.player.in_(who))).scalars()]


class Correcting:
    """One transaction's corrections, made by `who` at `now`."""

    def __init__(self, connection: Connection, who: str, now: datetime) -> None:
        self.connection = connection
        self.who = visible(who)[:60]
        self.now = now

    def rename(self, player: int, name: str) -> None:
        """Rename a player; the old name still means this player, unless somebody else gets it."""
        old, new = self._name(player), check_name(name)
        owner = known(self.connection, new)
        if owner != player:
            check_person(new)
        if owner is not None and owner != player:
            theirs = self._name(owner)
            if key(theirs) == key(new):
                raise ArgumentError(f"there is another player called {quote(theirs)}", "merge the two, or add a letter")
            self.connection.execute(update(names).where(names.c.key == key(new)).values(player=player))
        elif owner is None:
            self.connection.execute(insert(names).values(key=key(new), player=player))
        self.connection.execute(update(players).where(players.c.id == player).values(name=new))
        self._trace("rename", None, {"name": old}, {"name": new})

    def merge(self, into: int, other: int) -> None:
        """Give the games and names of player `other` to player `into`, whose name stays."""
        kept, gone = self._name(into), self._name(other)
        if into == other:
            raise ArgumentError(f"{quote(kept)} cannot be merged with the same player", "name two players")
        mine = select(seats.c.game).where(seats.c.player == into)
        met = select(seats.c.game).where(seats.c.player == other, seats.c.game.in_(mine)).limit(1)
        game = self.connection.execute(met).scalar()
        if game is not None:
            raise ArgumentError(
                f"{quote(kept)} and {quote(gone)} both sat in game {game}, so they are two players",
                "if not, correct that game's seats first",
            )
        contests.merge(self.connection, into, other, (kept, gone))
        theirs = self.connection.execute(select(seats.c.game).where(seats.c.player == other)).scalars().all()
        for table in (seats, sat):
            self.connection.execute(update(table).where(table.c.player == other).values(player=into))
        self.connection.execute(update(names).where(names.c.player == other).values(player=into))
        self.connection.execute(delete(players).where(players.c.id == other))
        self._trace("merge", None, {"names": [kept, gone], "games": list(theirs)}, {"name": kept})

    def abandon(self, game: int) -> None:
        """Mark an open game as abandoned; if it is played on after all, it is open again."""
        row = self._game(game)
        if row.winner is not None:
            raise ArgumentError(f"game {game} is won", "withdraw it, if it must not count")
        self.connection.execute(update(games).where(games.c.id == game).values(aside=STAFF))
        at = max(self.now, row.heard)  # what has happened in it comes before, though the clock was put back since
        self._trace(ABANDON, game, {"aside": row.aside}, {"aside": STAFF}, at)

    def withdraw(self, game: int, withdrawn: bool) -> None:
        """Withdraw a game from the statistics, or count it again."""
        row = self._game(game)
        self.connection.execute(update(games).where(games.c.id == game).values(withdrawn=withdrawn))
        contests.settle_game(self.connection, game)
        self._trace(WITHDRAW, game, {"withdrawn": row.withdrawn}, {"withdrawn": withdrawn})

    def score(self, game: int, rev: int, was: int, points: int) -> None:
        """Give a line of a game that is over, the event `rev` of `was` points, these points; its winner stays."""
        row = self._game(game)
        on = select(boards.c.uid).join(spans, IS_ON).where(spans.c.game == game)
        if self.connection.execute(on).first() is not None:
            raise ArgumentError(f"game {game} is on at its table", "correct the score there, so that the pegs follow")
        if not 0 <= points <= MOST_POINTS:
            raise ArgumentError(f"a score is 0 to {MOST_POINTS} points, not {points}")
        fold, _, _ = changes(self.connection, row)
        before = fold.ended()
        lines = [kept for kept in fold.counted() if (kept.rev, kept.a) == (rev, was)]
        if before is None or len(lines) != 1 or lines[0].kind not in SCORES or points == was:
            raise ArgumentError("this score cannot be corrected any more", "look at the game again")
        epoch, line = lines[0].epoch, Corrected(rev, was, points, self.who)
        fold.correct([(epoch, 0, line)])
        after = fold.ended()
        if after is None or after.winner != before.winner:
            raise ArgumentError(
                "with these points the game would have had another end", "withdraw the game, if it must not count"
            )
        trace = {"at": self.now, "who": self.who, "what": SCORE, "game": game, **line_entries(epoch, line, 0)}
        self.connection.execute(insert(corrections).values(**trace, **number_of(self.connection, game, self.now)))
        Games(self.connection, row.board, epoch, self.now).add_up(game)

    def seat(self, game: int, sitting: Mapping[int, str | None]) -> None:
        """Set who sat at some places, None for a guest; the board's host no longer changes them."""
        row = self._game(game)
        here = seats.c.game == game
        before = {seat.place: seat.player for seat in self.connection.execute(select(seats).where(here))}
        if unknown := sitting.keys() - before.keys():
            raise ArgumentError(f"nobody sat at place {min(unknown) + 1} of game {game}", "look at the game's seats")
        after = before | {
            place: None if name is None else seated(self.connection, check_name(name), self.now)
            for place, name in sitting.items()
        }
        for place in sitting:
            player = after[place]
            if player is not None and list(after.values()).count(player) > 1:
                raise ArgumentError(f"{quote(self._name(player))} already sits in game {game}", "correct both seats")
            self.connection.execute(
                update(seats).where(here, seats.c.place == place).values(player=player, corrected=True)
            )
            was, now = (None if who is None else self._name(who) for who in (before[place], player))
            self._trace(SEAT, game, {"place": place + 1, "name": was}, {"place": place + 1, "name": now})
        Games(self.connection, row.board, 0, self.now).seat_after(row)

    def erase(self, gone: Sequence[int]) -> None:
        """Erase players and their names everywhere; their games stay, as guests'."""
        for player in gone:
            self._name(player)  # there is one
        mine, others = (
            set(self.connection.execute(select(names.c.key).where(whose)).scalars())
            for whose in (names.c.player.in_(gone), names.c.player.not_in(gone))
        )
        forget = forgetter(mine, others)
        self._forget_in_corrections(forget)
        self._forget_in_events(forget)
        contests.forget_in(self.connection, forget)
        for player in gone:
            here = seats.c.player == player
            theirs = self.connection.execute(select(seats.c.game).where(here)).scalars().all()
            self.connection.execute(update(seats).where(here).values(player=None, corrected=True))
            self.connection.execute(update(sat).where(sat.c.player == player).values(player=None))
            self.connection.execute(delete(players).where(players.c.id == player))
            self._trace("erase", None, {"games": len(theirs)}, {"name": GUEST})

    def _forget_in_corrections(self, forget: Callable[[str], str]) -> None:
        for row in self.connection.execute(select(corrections)).all():
            before, after = (json.dumps(_everywhere(entry_of(text), forget)) for text in (row.before, row.after))
            if (before, after, forget(row.who)) != (row.before, row.after, row.who):
                values = {"before": before, "after": after, "who": forget(row.who)}
                self.connection.execute(update(corrections).where(corrections.c.id == row.id).values(**values))

    def _forget_in_events(self, forget: Callable[[str], str]) -> None:
        """Erase the names in all events: a player may have had another name, or sat in a game that is not here."""
        for table in (events, lost):
            key = tuple(table.primary_key.columns)
            said = select(*key, table.c.text, table.c.who).where(or_(table.c.text != "", table.c.who != ""))
            changed = []
            for *at, text, who in self.connection.execute(said):
                after = {"text": forget(text)[:500], "who": forget(who)[:60]}
                if (after["text"], after["who"]) != (text, who):
                    changed.append((at, after))
            for at, after in changed:
                here = and_(*(column == value for column, value in zip(key, at, strict=True)))
                self.connection.execute(update(table).where(here).values(**after))

    def _name(self, player: int) -> str:
        name = self.connection.execute(select(players.c.name).where(players.c.id == player)).scalar()
        if name is None:
            raise _nobody(player)
        return str(name)

    def _game(self, game: int) -> GameRow:
        for row in game_rows(self.connection, games.c.id == game):
            return row
        raise ArgumentError(f"there is no game {game}", "look at the list of games")

    def _trace(self, what: str, game: int | None, before: object, after: object, at: datetime | None = None) -> None:
        said = {"before": json.dumps(before), "after": json.dumps(after)}
        trace = {"at": at or self.now, "who": self.who, "what": what, "game": game, **said}
        self.connection.execute(insert(corrections).values(**trace, **number_of(self.connection, game, self.now)))


def _nobody(player: int) -> ArgumentError:
    return ArgumentError(f"there is no player {player}", "look at the list of players")


def _everywhere(value: object, forget: Callable[[str], str]) -> object:
    if isinstance(value, dict):
        return {name: _everywhere(item, forget) for name, item in value.items()}
    if isinstance(value, list):
        return [_everywhere(item, forget) for item in value]
    return forget(value) if isinstance(value, str) else value
