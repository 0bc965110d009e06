"""What must survive this program: tags, the command on its way and what it is for, keys, names, how the match stood.

A file a board. It is forced to the disk before a command is sent, in room that is its own, so that a full disk stops no
command. A lock keeps a second program from using the same tags: each guest of the program that holds the board has a
place of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from cribboard.board.messages import Event, Known, Standing, is_plain
from cribboard.board.won import Company, Won
from cribboard.errors import Busy, CribboardError, Notice
from cribboard.files import Entry, ensure_folder, from_json, read_file, take_lock
from cribboard.json_types import Json
from cribboard.names import key, people
from cribboard.slots import Slots, newest
from cribboard.typed import (
    DAMAGE,
    LONGEST_NAME,
    WORD,
    Unfit,
    as_field,
    as_list,
    as_list_of,
    as_named,
    as_numbered,
    as_object,
    as_string,
    as_text,
    as_whole,
    optional,
    placed,
)
from cribboard_core.events import COMMANDS, PLACES, RESTORE
from cribboard_core.wire import encode

if TYPE_CHECKING:
    from filelock import BaseFileLock

NAME = "ledger.json"
FORMAT = 3
NAMED = 8  # games of which the names are kept, for undo and redo
WON = 3  # games of which is kept what was won before them, for undo and redo
KEYS = 256  # newest keyed commands whose answers are kept
KEY = re.compile("[A-Za-z0-9_+-]{1,48}")
ROOM, GUESTS_ROOM = 65536, 16384  # bytes; a full house needs 50,000, a guest gives no keys
HOLDER = range(1)  # the place of whoever holds the board
GUESTS = range(1, 33)  # those of other programs, which it lets in

Names = dict[int, str]  # by place
Answer = tuple[int, str]  # the rev that a command made, 0 when that is not known any more, and what was said of it


@dataclass(frozen=True)
class Pending:
    """A command that was sent, or was about to be, and whose answer is not known."""

    op: str
    args: list[Any]
    session: int
    id: int
    rev: int  # of the match that it was meant for
    names: Names | None = None  # given with a new game
    key: str = ""  # whoever asked for it may ask again

    @property
    def sound(self) -> bool:
        """Whether a board would answer this command; a damaged file may hold anything."""
        numbers = (self.session, self.id, self.rev)
        if self.op not in COMMANDS or not isinstance(self.args, list) or not is_plain([*self.args, *numbers]):
            return False
        if any(type(number) is not int for number in numbers):
            return False
        if self.key and (not isinstance(self.key, str) or not KEY.fullmatch(self.key)):
            return False
        encode([self.op, self.session, self.id, *self.args])
        return 1 <= self.session <= 0xFFFF and 1 <= self.id <= 255


@dataclass(frozen=True)
class Left:
    """The game on a board that has gone, as this host has noted it: who plays it, and who of them has won how often.

    `answers` are those to keyed commands, so that none of them counts again elsewhere. A command of which nobody knows
    whether it counted is not in the `standing`.
    """

    standing: Standing
    names: Names
    companies: dict[Company, tuple[int, ...]]
    answers: dict[str, Answer]


class Ledger:
    """The file of the board `uid` in `folder`, at the first place that is free, held for this program until closed.

    A guest that has left nothing unsettled knows nothing of the match; the names of games are in the holder's file.
    Unless a program `must_keep`, what no disk takes stays in its memory, and `unwritten` is why.
    """

    def __init__(self, folder: Path, uid: str, places: range = HOLDER, *, must_keep: bool = True) -> None:
        self._folder = folder
        self._must_keep = must_keep
        self.uid = uid
        self.place, self.path, self._lock = _taken(folder, uid, places, must_keep)
        self._slots = Slots(self.path, GUESTS_ROOM if self.place else ROOM)
        self._renamed = False  # a name is no longer in use, so it stays in no part of the file
        self.epoch = -1
        self.session = 0
        self.last_id = 0
        self.pending: Pending | None = None
        self.act: Json = None  # what the caller does with that command, and perhaps with others
        self.standing: Standing | None = None
        self.events: tuple[Event, ...] = ()  # the newest events up to there, as far as they were heard
        self.query = 0  # the number of the newest query that is noted
        self.games: dict[int, Names] = {}  # by the rev that began the game
        self.won: dict[int, Won] = {}  # before the game, by the same
        self.answers: dict[str, Answer] = {}  # to keyed commands, the oldest first
        self.broken = ""  # why the file could not be read, if it was set aside
        self._theirs: dict[int, Names] = {}  # the holder's names, for a guest
        try:
            self._load()
        except BaseException:
            self.close()
            raise

    @property
    def unwritten(self) -> CribboardError | None:
        """Why the newest notes are not on the disk, None when they are."""
        return self._slots.unwritten

    @property
    def known(self) -> Known | None:
        """How the board stood when it was heard last, if it was."""
        return Known(self.standing, self.events) if self.standing else None

    def names(self, game: int) -> Names:
        """The names in a game: those given with it, else those of the game that was noted last."""
        if self.place:
            holder = _noted(_path(self._folder, self.uid, 0))
            if holder.epoch == self.epoch:
                self._theirs = holder.games
                # a name that the holder has taken away stays in no part of this file either
                self._renamed |= any(self.games.get(game, called) != called for game, called in holder.games.items())
                self.games |= holder.games
                self.won |= holder.won
        last = self.standing.game if self.standing else 0
        return self.games.get(game, self.games.get(last, {}))

    @property
    def left(self) -> Left | None:
        """The game that was on when the board was heard last; None if it never was."""
        if self.standing is None:
            return None
        game = self.standing.game
        won = self.won.get(game, Won.at(self.standing, {}))
        return Left(self.standing, dict(self.names(game)), won.companies, dict(self.answers))

    def name(self, game: int, names: Names) -> None:
        """Keep the names of a game; those that were undone stay, for redo."""
        self.games.pop(game, None)
        self.games[game] = names
        if len(self.games) > NAMED:
            del self.games[next(iter(self.games))]

    def begin(self, before: Standing, now: Standing) -> None:
        """Keep what was won before the game that is on, when another one was `before`."""
        game, names = now.game, self.names(before.game)
        if game not in self.won:
            earlier = self.won.get(before.game)
            self.won[game] = earlier.then(before, names, now) if earlier else Won.at(now, {})
            if len(self.won) > WON:
                del self.won[next(iter(self.won))]

    def take_over(self, game: int, left: Left) -> None:
        """Keep of a game that another board has left to this one, under a number of this one, what goes with it."""
        self.won[game] = Won.at(left.standing, left.companies)
        answers = {asked: (game, text) for asked, (_, text) in left.answers.items()} | self.answers
        self.answers = dict([*answers.items()][-KEYS:])

    def games_won(self, standing: Standing) -> tuple[int, ...]:
        """The games won by the people of each side, this one included; the board's count when nobody has a name."""
        names = self.names(standing.game)  # a guest learns from it what the holder has noted
        return self.won.get(standing.game, Won.at(standing, {})).by_side(standing, names)

    def adopt(self, game: int, begun: Event | None, last: int) -> None:
        """Keep the names that another program has given to a game, else those of the people who played the `last` one.

        It notes them with its command that has `begun` the game, before it sends that, and by the game's number
        afterwards.
        """
        tag = (begun.session, begun.id) if begun else (0, 0)
        for place in {*HOLDER, *GUESTS} - {self.place}:
            other = _noted(_path(self._folder, self.uid, place))
            names = other.names if other.tag == tag else other.games.get(game) if other.epoch == self.epoch else None
            if names:
                self.name(game, names)
        if game not in self.games and not (begun and begun.kind == RESTORE):
            self.name(game, people(self.names(last)))

    def look(self, known: Known) -> None:
        """Look for the names of a game that began while this program was not there."""
        game = known.standing.game
        if game not in self.games:
            self.adopt(game, known.event(game), self.standing.game if self.standing else game)
        self.begin(self.standing or known.standing, known.standing)

    def rename(self, before: Collection[str], after: str) -> bool:
        """Call who has one of these names otherwise in all games, or no longer; gives whether anybody has."""
        saved = self._rename(before, after)
        if not self.place:
            for place in GUESTS:
                if _path(self._folder, self.uid, place).exists():
                    with suppress(Busy), closing(Ledger(self._folder, self.uid, range(place, place + 1))) as guest:
                        if guest._rename(before, after):
                            guest.save()
        return saved

    def _rename(self, before: Collection[str], after: str) -> bool:
        meant = {key(name) for name in before}
        known = [self.games, {0: self.pending.names or {}} if self.pending else {}]
        used = {key(name) for games in known for names in games.values() for name in names.values()}
        used.update(name for won in self.won.values() for company in won.companies for side in company for name in side)
        if meant.isdisjoint(used):
            return False
        self.won = {game: won.rename(meant, after) for game, won in self.won.items()}
        self.games = {game: _renamed(names, meant, after) for game, names in self.games.items()}
        if self.pending and self.pending.names:
            self.pending = replace(self.pending, names=_renamed(self.pending.names, meant, after))
        self.answers = {asked: (rev, "") for asked, (rev, _) in self.answers.items()}  # what was said has the name
        self._renamed = True
        return True

    def answer(self, asked: str, rev: int, text: str = "") -> None:
        """Keep what a command of this key came to."""
        self.answers[asked] = (rev, text)
        if len(self.answers) > KEYS:
            del self.answers[next(iter(self.answers))]

    def stand(self, known: Known, *, new_journal: bool = False) -> None:
        """How the match stands now, with `new_journal` in another one, whose numbers begin again."""
        standing = known.standing
        names = self.names(-1 if new_journal else standing.game)
        if new_journal:
            last = self.won.get(self.standing.game if self.standing else 0)
            self.games.clear()
            self.won = {standing.game: Won.at(standing, last.companies if last else {})}
        self.look(known)
        if standing.game not in self.games:
            self.name(standing.game, names)
        self.standing, self.events = standing, known.events

    def save(self) -> None:
        """Put it on the disk; when this returns a power cut of the host cannot lose it."""
        text = json.dumps(
            {
                "format": FORMAT,
                "uid": self.uid,
                "epoch": self.epoch,
                "session": self.session,
                "id": self.last_id,
                "pending": asdict(self.pending) if self.pending else None,
                "act": self.act,
                "query": self.query,
                "names": {game: names for game, names in self.games.items() if self._theirs.get(game) != names},
                "won": {game: won.to_json() for game, won in self.won.items()},
                "answers": self.answers,
                "state": self.standing.fields() if self.standing else None,
                "events": [event.fields() for event in self.events],
            }
        )
        if self._must_keep:
            self._slots.write(text + "\n", wipe=self._renamed)
        elif not self._lacks_folder():
            self._slots.keep(text + "\n", wipe=self._renamed)
        self._renamed = self._renamed and self.unwritten is not None

    def _lacks_folder(self) -> bool:
        """Whether there is still no room for the file's folder, which then is why nothing is written."""
        try:
            ensure_folder(self.path.parent)
        except CribboardError as error:
            self._slots.unwritten = error
            return True
        return False

    def close(self) -> None:
        """Let other programs have it, without a name that is no longer in use."""
        if self._renamed and self._lock is not None:
            with suppress(CribboardError):
                self.save()
        if self._lock is not None:
            self._lock.release()

    def _load(self) -> None:
        text = self._slots.read()
        if text is None:
            return
        try:
            self._read(from_json(text))
        except DAMAGE as error:
            aside = self.path.with_name("ledger.broken")
            self.broken = Notice(
                f"the notes about this board cannot be read ({placed(error)}); they are now {aside}, "
                "and new ones are started",
                "the kiosk's notes about this board cannot be read, and new ones are started",
            )
            with suppress(OSError):
                self.path.replace(aside)

    def _read(self, value: Json) -> None:
        data = as_object(value)
        if (data["format"], data["uid"]) != (FORMAT, self.uid):
            raise Unfit("they are another board's or another version's")
        pending = as_field(data, "pending", optional, _pending)
        standing = as_field(data, "state", optional, lambda fields: Standing.read(as_list(fields)))
        events = as_list_of("event", data["events"], lambda fields: Event.read(as_list(fields)))
        games, won = _games(data), _won(data)
        answers = as_field(data, "answers", as_named, _answer)
        epoch, session = as_field(data, "epoch", as_whole, WORD, -1), as_field(data, "session", as_whole, 0xFFFF)
        last_id, query = (as_field(data, name, as_whole, WORD) for name in ("id", "query"))
        self.epoch, self.session, self.last_id, self.query = epoch, session, last_id, query
        self.pending, self.games, self.won, self.answers = pending, games, won, answers
        self.act = cast("Json", data.get("act"))
        if self.place and pending is None:
            self.epoch = -1  # much may have happened since
        else:
            self.standing, self.events = standing, tuple(events)


def _path(folder: Path, uid: str, place: int) -> Path:
    return (folder / uid / "guests" / str(place) if place else folder / uid) / NAME


def noted_names(folder: Path, uid: str, epoch: int, game: int) -> Names:
    """The names in a game of a board's journal, as they are noted."""
    noted = _noted(_path(folder, uid, 0))
    return noted.games.get(game, {}) if noted.epoch == epoch else {}


def unsettled(folder: Path, uid: str, places: range = GUESTS) -> list[int]:
    """The places where a command has been left without an answer."""
    return [place for place in places if _noted(_path(folder, uid, place)).tag != _Noted().tag]


def _taken(folder: Path, uid: str, places: range, must_keep: bool) -> tuple[int, Path, BaseFileLock | None]:
    """The first free place, one with something to settle before others, its file, and a lock that keeps it.

    Where no lock can be made none is needed by a program that need not keep anything: it holds the board's port.
    """
    first = unsettled(folder, uid, places)
    order = [*first, *(place for place in places if place not in first)]
    for place in order:
        path = _path(folder, uid, place)
        try:
            ensure_folder(path.parent)
            return place, path, take_lock(path.with_name("lock"), "another cribboard program is using this board")
        except Busy:
            if place == order[-1]:
                raise
        except CribboardError:
            if must_keep:
                raise
            return place, path, None
    raise AssertionError("no places")


class _Noted(NamedTuple):
    """What another program has noted of names and games won: by game, and with the command of a tag on its way."""

    epoch: int = -1
    games: dict[int, Names] = {}  # noqa: RUF012 (nobody changes it)
    tag: tuple[int, int] = (-1, -1)
    names: Names = {}  # noqa: RUF012
    won: dict[int, Won] = {}  # noqa: RUF012


def _noted(path: Path) -> _Noted:
    """From a file that may not be there."""
    try:
        data = as_object(from_json(newest(read_file(path))))
        pending = as_field(data, "pending", optional, _pending)
        tag, names = ((pending.session, pending.id), pending.names or {}) if pending else (_Noted().tag, _Noted().names)
        return _Noted(as_field(data, "epoch", as_whole, WORD, -1), _games(data), tag, names, _won(data))
    except (OSError, *DAMAGE):
        return _Noted()


def _pending(value: Json) -> Pending:
    entry = as_object(value)
    pending = Pending(**{**entry, "names": as_field(entry, "names", optional, _names)})  # type: ignore[arg-type]
    if not pending.sound:
        raise Unfit("it is no command")
    return pending


def _answer(value: Json) -> Answer:
    rev, text = as_list(value)
    return as_whole(rev, WORD), as_string(text)


def _games(data: Entry) -> dict[int, Names]:
    return as_field(data, "names", as_numbered, WORD, _names)


def _won(data: Entry) -> dict[int, Won]:
    return as_field(data, "won", as_numbered, WORD, Won.read)


def _renamed(names: Names, meant: Collection[str], after: str) -> Names:
    given = {place: after if key(name) in meant else name for place, name in names.items()}
    return {place: name for place, name in given.items() if name}


def _names(value: Json) -> Names:
    return as_numbered(value, PLACES - 1, lambda name: as_text(name, LONGEST_NAME))
