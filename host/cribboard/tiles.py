"""Tile games: tiles, rows counted as crib hands, the board, the score-keeper, who takes acts one by one, and its file.

The hands are hidden from it, so that a player is believed when no play is possible. An act that breaks a rule is
refused with ArgumentError, and nothing has changed. However the program ends, the next one resumes the game.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cribboard.errors import ArgumentError, CribboardError
from cribboard.files import append_line, ensure_folder, home, read_lines, take_lock
from cribboard.names import check_names, key
from cribboard_core.aloud import number_word, sentence, shapes
from cribboard_core.cards import PIPS, RANKS, quote
from cribboard_core.show import Show, by_rank, runs, sets

SHADES = {"L": "light", "D": "dark"}
COPIES = 4  # of each rank and shade: two packs, 104 tiles
HAND = 5
SIX, NINE = 5, 8  # one tile, turned

_TILE = re.compile(r"(10|[A2-9TJQK])([LD]?)", re.IGNORECASE)


@dataclass(frozen=True)
class Tile:
    """`rank` is 0 to 12 for A to K, `shade` L or D, or nothing where it is not known."""

    rank: int
    shade: str = ""

    def __str__(self) -> str:
        return RANKS[self.rank] + self.shade

    @property
    def pips(self) -> int:
        """What it counts in a fifteen, and against its holder at the end."""
        return PIPS[self.rank]

    @property
    def sort(self) -> str:
        """What it is in the bag, where a nine is a six."""
        return f"{'6/9' if self.rank in (SIX, NINE) else RANKS[self.rank]} {SHADES.get(self.shade, '')}".rstrip()


def parse_tiles(text: str, shades: bool = True) -> list[Tile]:
    """Read tiles, with blanks or commas between them or nothing; with `shades` each must have one."""
    tiles: list[Tile] = []
    for word in text.replace(",", " ").split():
        at = 0
        while at < len(word):
            match = _TILE.match(word, at)
            if not match:
                raise ArgumentError(
                    f"{quote(word[at:])} is not a tile", "write a rank A 2-9 T J Q K and L or D, like 5L"
                )
            rank = match[1].upper().replace("10", "T")
            if shades and not match[2]:
                raise ArgumentError(
                    f"the {rank} has no shade", f"write {rank}L for a light one, {rank}D for a dark one"
                )
            tiles.append(Tile(RANKS.index(rank), match[2].upper()))
            at = match.end()
    return tiles


def tiles_text(tiles: Iterable[Tile]) -> str:
    """Their names with blanks between them."""
    return " ".join(map(str, tiles))


def check_supply(tiles: Iterable[Tile], copies: int) -> None:
    """Refuse more tiles of a sort than there are."""
    for sort, number in Counter(tile.sort for tile in tiles).items():
        most = copies * 2 if sort.startswith("6/9") else copies
        if number > most:
            raise ArgumentError(f"that makes {number} of {sort}", f"there are only {most}; look at the tiles again")


ALIKE = "five alike"
ALIKE_POINTS = 20  # ten pairs; five cards of a rank are in no pack, so the core has no name for them
BONUS = 10


class Row:
    """A counted row. Raises ArgumentError with the rule that it breaks."""

    def __init__(self, tiles: Sequence[Tile]) -> None:
        self.tiles = tuple(tiles)
        text = tiles_text(tiles)
        if len(tiles) < 2:
            raise ArgumentError(f"{text or 'nothing'} is not a row", "a row has two to five tiles")
        if len(tiles) > HAND:
            raise ArgumentError(f"{text} is a row of {len(tiles)} tiles", "no row may have more than five")
        self._show = self._counted()
        scoring = {card >> 2 for _, _, cards in self._show.parts for card in cards}
        idle = [tile for tile in tiles if tile.rank not in scoring]
        if idle:
            which = "no tile takes" if len(idle) == len(tiles) else f"the {idle[0]} does not take"
            raise ArgumentError(
                f"in the row {text} {which} part in any fifteen, pair or run", "every tile of a row must score"
            )

    @property
    def points(self) -> int:
        """What it counts, without a bonus."""
        return self._show.points

    @property
    def bonus(self) -> int:
        """Ten for five tiles of one shade."""
        shades = {tile.shade for tile in self.tiles}
        return BONUS if len(self.tiles) == HAND and len(shades) == 1 and shades <= set(SHADES) else 0

    @property
    def aloud(self) -> str:
        """The count in words, like `fifteen two, and a pair for four`."""
        if self._show.parts[-1][0] != ALIKE:
            return sentence(self._show)
        said = [f"fifteen {number_word(2 * number)}" for number in range(1, len(self._show.parts))]
        return ", ".join([*said, f"{'and ' if said else ''}{ALIKE} for {number_word(self.points)}"])

    @property
    def parts(self) -> list[tuple[str, int, str]]:
        """What it is made of: name, points, tiles."""
        if self._show.parts[-1][0] == ALIKE:
            return [(name, points, self._text(cards)) for name, points, cards in self._show.parts]
        return [(name, points, self._text(cards)) for name, points, cards in shapes(self._show)]

    def entry(self) -> dict[str, object]:
        """As an object for JSON."""
        parts = [{"kind": name, "points": points, "tiles": text.split()} for name, points, text in self.parts]
        own = {"tiles": [str(tile) for tile in self.tiles], "points": self.points, "bonus": self.bonus}
        return {**own, "parts": parts, "aloud": self.aloud}

    def _counted(self) -> Show:
        """Counted by the core, for which tiles are cards whose suit is how many of the rank came before."""
        self._cards: dict[int, Tile] = {}
        cards: list[int] = []
        for tile in sorted(self.tiles, key=lambda tile: tile.rank):
            before = sum(card >> 2 == tile.rank for card in cards)
            cards.append(tile.rank * 4 + min(before, 3))
            self._cards[cards[-1]] = tile
        groups = by_rank(cards)
        alike = len(groups[0]) == HAND
        same = [(ALIKE, ALIKE_POINTS, tuple(cards))] if alike else sets(groups)
        return Show(tuple(cards), -1, False, cards, [same, runs(groups), [], []])

    def _text(self, cards: Sequence[int]) -> str:
        return tiles_text(self._cards[card] for card in cards)


Square = tuple[int, int]  # column and line, from 0
SIZE = 13
ACROSS, DOWN = (1, 0), (0, 1)
WAYS = {"across": ACROSS, "down": DOWN}


def square_name(square: Square) -> str:
    """`G7`: the column's letter, the line's number."""
    return f"{chr(ord('A') + square[0])}{square[1] + 1}"


class Board:
    """Tiles on a square board; what is laid stays."""

    def __init__(self, size: int = SIZE) -> None:
        self.size = size
        self.tiles: dict[Square, Tile] = {}

    def parse_square(self, text: str) -> Square:
        """Read a square like `G7`."""
        match = re.fullmatch(r"([A-Za-z])([1-9][0-9]?)", text)
        square = (ord(match[1].upper()) - ord("A"), int(match[2]) - 1) if match else (-1, -1)
        if not self._has(square):
            last = square_name((self.size - 1, self.size - 1))
            raise ArgumentError(f"{quote(text)} is not a square", f"squares are A1 to {last}, like G7")
        return square

    def squares(self, start: Square, way: Square, tiles: Sequence[Tile]) -> dict[Square, Tile]:
        """Where tiles come to lie, from the first square on in a straight line; squares that are taken are passed."""
        if not 1 <= len(tiles) <= HAND:
            raise ArgumentError(f"{len(tiles)} tiles are laid", "a play is one to five tiles")
        if start in self.tiles:
            raise ArgumentError(
                f"{square_name(start)} already has the {self.tiles[start]}", "name the first empty square of the play"
            )
        placed: dict[Square, Tile] = {}
        at = start
        for tile in tiles:
            while at in self.tiles:
                at = _step(at, way)
            if not self._has(at):
                raise ArgumentError(
                    f"{tiles_text(tiles)} at {square_name(start)} ends beyond the board", "start elsewhere"
                )
            placed[at] = tile
            at = _step(at, way)
        return placed

    def rows(self, placed: Mapping[Square, Tile]) -> list[tuple[Square, Row]]:
        """The rows that a play makes or extends, with the squares where they begin; raises for the first bad one."""
        if not self.tiles and len(placed) < 2:
            raise ArgumentError("one tile is laid", "the first play is a row of two to five tiles")
        after = {**self.tiles, **placed}
        by_start: dict[tuple[Square, str], Row] = {}
        for square in placed:
            for name, way in WAYS.items():
                line = _line(after, square, way)
                if len(line) > 1 and (line[0], name) not in by_start:
                    by_start[line[0], name] = _row([after[on] for on in line], f"{square_name(line[0])} {name}")
        if self.tiles and not any(self._beside(square) for square in placed):
            raise ArgumentError(
                f"{tiles_text(placed.values())} at {square_name(next(iter(placed)))} touches no tile on the board",
                "every play after the first must join tiles that lie there",
            )
        return [(start, row) for (start, _), row in by_start.items()]

    def all_rows(self) -> list[tuple[Square, Square, list[Tile]]]:
        """All rows on the board: where they begin, which way they go, their tiles; those across first."""
        rows = []
        for way in (ACROSS, DOWN):
            for square in sorted(self.tiles, key=lambda square: square[::-1]):
                if _step(square, way, -1) not in self.tiles and _step(square, way) in self.tiles:
                    rows.append((square, way, [self.tiles[on] for on in _line(self.tiles, square, way)]))
        return rows

    def drawing(self) -> list[str]:
        """The part of the board that has tiles, with the columns' letters and the lines' numbers."""
        if not self.tiles:
            return ["The board is empty."]
        columns = range(min(x for x, _ in self.tiles), max(x for x, _ in self.tiles) + 1)
        lines = range(min(y for _, y in self.tiles), max(y for _, y in self.tiles) + 1)
        drawn = ["   " + "".join(f"  {square_name((x, 0))[0]}" for x in columns)]
        drawn += [f"{y + 1:>3}" + "".join(f" {self.tiles.get((x, y), ' .')!s:>2}" for x in columns) for y in lines]
        return drawn

    def _has(self, square: Square) -> bool:
        return all(0 <= at < self.size for at in square)

    def _beside(self, square: Square) -> bool:
        return any(_step(square, way, by) in self.tiles for way in (ACROSS, DOWN) for by in (1, -1))


def _step(square: Square, way: Square, by: int = 1) -> Square:
    return square[0] + way[0] * by, square[1] + way[1] * by


def _row(tiles: Sequence[Tile], where: str) -> Row:
    try:
        return Row(tiles)
    except ArgumentError as error:
        raise ArgumentError(f"{where}: {error.message}", error.hint) from error


def _line(tiles: Mapping[Square, Tile], square: Square, way: Square) -> list[Square]:
    """The squares of the unbroken row through one."""
    while _step(square, way, -1) in tiles:
        square = _step(square, way, -1)
    line = [square]
    while _step(line[-1], way) in tiles:
        line.append(_step(line[-1], way))
    return line


Act = Mapping[str, Any]
PLAYERS = range(2, 5)
JOKER_LOSES = 5


class Event:
    """What an act did: lines for people, an object for programs."""

    def __init__(self, act: str, **entry: object) -> None:
        self.entry: dict[str, object] = {"act": act, **entry}
        self.lines: list[str] = []


class Game:
    """One game. `hands` are the numbers of tiles that the players hold, `turn` is whose turn it is.

    In a solitaire the players are the shades, light and dark: each has a bag of its own, and lays its own tiles only.
    """

    def __init__(
        self,
        players: Sequence[str],
        *,
        size: int = SIZE,
        copies: int = COPIES,
        joker: bool = False,
        servant: bool = False,
        solitaire: bool = False,
    ) -> None:
        if len(players) not in PLAYERS:
            raise ArgumentError(f"the tile game is for 2 to 4 players, not {len(players)}", "name each of them")
        self.players = check_names(players)
        self.board = Board(size)
        self.copies = copies
        self.joker = joker
        self.servant = servant
        self.scores = [0] * len(players)
        self.shades = tuple(SHADES) if solitaire else ()
        tiles = 2 * len(RANKS) * copies - HAND * len(players)
        self.bags = [tiles // 2] * 2 if solitaire else [tiles]
        if tiles < 0:
            raise ArgumentError(f"{copies} tiles of each sort are not enough for all hands", "take more")
        self.hands = [HAND] * len(players)
        self.turn = 0
        self.rounds = 0
        self.over = False
        self._left: list[Tile] = []
        self._passed = 0  # in a row, since the bag is empty
        self._missed = (-1, 0)  # who laid last, and how many points they did not claim

    @property
    def name(self) -> str:
        """Whose turn it is."""
        return self.players[self.turn]

    @property
    def bag(self) -> int:
        """How many tiles are in the bag from which the player whose turn it is draws."""
        return self.bags[self.turn % len(self.bags)]

    @property
    def ended(self) -> bool:
        """Whether the game is over and all left-over tiles are deducted."""
        return self.over and not any(self.hands)

    def do(self, act: Act) -> Event:
        """Carry out an act, an object with `act` and what belongs to it."""
        event = {
            "play": self._play,
            "exchange": self._exchange,
            "pass": self._exchange,
            "joker": self._joker,
            "left": self._leave,
        }[act["act"]](act)
        standing = ", ".join(f"{name} {score}" for name, score in zip(self.players, self.scores, strict=True))
        event.lines += [self._ending(), standing + "."] if self.ended else []
        scores = dict(zip(self.players, self.scores, strict=True))
        whose = None if self.over else self.name
        event.entry.update(scores=scores, turn=whose, bag=self.bag, over=self.over, ended=self.ended)
        return event

    def find_player(self, text: str) -> int:
        """The player of a name."""
        known = list(map(key, self.players))
        if key(text) not in known:
            raise ArgumentError(f"nobody here is called {quote(text)}", f"the players are {', '.join(self.players)}")
        return known.index(key(text))

    def _play(self, act: Act) -> Event:
        self._running()
        tiles = parse_tiles(act["tiles"])
        who, name = self.turn, self.name
        self._check_shade(who, tiles)
        if len(tiles) > self.hands[who]:
            raise ArgumentError(f"{name} has only {self.hands[who]} tiles, not {len(tiles)}", "look at the tiles again")
        start = self.board.parse_square(act["at"])
        placed = self.board.squares(start, WAYS[act.get("way", "across")], tiles)
        rows = self.board.rows(placed)
        check_supply([*self.board.tiles.values(), *tiles], self.copies)
        bonuses = [] if self.board.tiles else [("the first play", BONUS)]
        bonuses += [("all five tiles in one turn", BONUS)] if len(tiles) == HAND else []
        bonuses += [("five of one shade", row.bonus) for _, row in rows if row.bonus]
        points = sum(row.points for _, row in rows) + sum(bonus for _, bonus in bonuses)
        claim = self._claim(act.get("claim"), points)
        self.board.tiles.update(placed)
        self.scores[who] += claim
        self._missed = who, points - claim
        self.hands[who] -= len(tiles)
        self._draw(who)
        event = Event("play", player=name, at=act["at"], tiles=[str(tile) for tile in tiles], points=claim)
        if self.joker:
            event.lines.append(f"{name} claims {claim}: {self.scores[who]}.")
        else:
            event.entry["rows"] = [row.entry() for _, row in rows]
            event.entry["bonuses"] = [{"kind": kind, "points": bonus} for kind, bonus in bonuses]
            event.lines += [f"  {tiles_text(row.tiles)}: {row.aloud}." for _, row in rows]
            event.lines += [f"  Bonus for {kind}: {bonus}." for kind, bonus in bonuses]
            event.lines.append(f"{name} scores {claim}, now at {self.scores[who]}.")
        self._passed = 0
        self._next(event, out=not self.hands[who])
        return event

    def _exchange(self, act: Act) -> Event:
        self._running()
        number = act.get("number", 0)
        if not 0 <= number <= self.hands[self.turn]:
            raise ArgumentError(f"{number} tiles cannot be exchanged", f"{self.name} has {self.hands[self.turn]}")
        if number > self.bag:
            raise ArgumentError(
                f"the bag has {self.bag} tiles, too few to exchange {number}", "exchange fewer, or pass"
            )
        event = Event("exchange" if number else "pass", player=self.name, number=number)
        what = f"exchanges {number} tile{'' if number == 1 else 's'}" if number else "passes"
        event.lines.append(f"{self.name} {what} and misses the turn.")
        self._passed += not self.bag
        self._missed = -1, 0
        self._next(event, out=self._passed == len(self.players))
        return event

    def _joker(self, act: Act) -> Event:
        """The first shout takes what was missed; one too early, too late or in vain costs points."""
        who = self.find_player(act["player"])
        if not self.joker:
            raise ArgumentError("Joker is not played", "start the game with --joker")
        if self.ended:
            raise ArgumentError("the game is over", "start another")
        laid_by, missed = self._missed
        name = self.players[who]
        if laid_by == who:
            raise ArgumentError(f"the last play was {name}'s own", "another player calls Joker")
        points = missed or -JOKER_LOSES
        self.scores[who] += points
        self._missed = laid_by, 0
        event = Event("joker", player=name, points=points)
        if missed:
            event.lines.append(f"{self.players[laid_by]} missed {missed}. {name} takes them: {self.scores[who]}.")
        else:
            event.lines.append(f"No points to claim. {name} is the Joker and loses {JOKER_LOSES}: {self.scores[who]}.")
        return event

    def _leave(self, act: Act) -> Event:
        who = self.find_player(act["player"])
        name, hand = self.players[who], self.hands[who]
        if not self.over:
            raise ArgumentError("the game is not over", "tiles are deducted at its end")
        if not hand:
            raise ArgumentError(f"{name} has no tiles left", "name those who have")
        tiles = parse_tiles(act["tiles"])
        if len(tiles) != hand:
            raise ArgumentError(f"{name} has {hand} tiles left, not {len(tiles)}", "write all of them")
        self._check_shade(who, tiles)
        check_supply([*self.board.tiles.values(), *self._left, *tiles], self.copies)
        points = sum(tile.pips for tile in tiles)
        self._left += tiles
        self.scores[who] -= points
        self.hands[who] = 0
        event = Event("left", player=name, tiles=[str(tile) for tile in tiles], points=-points)
        event.lines.append(f"{name} is left with {tiles_text(tiles)} and loses {points}: {self.scores[who]}.")
        return event

    def _check_shade(self, who: int, tiles: Sequence[Tile]) -> None:
        """Refuse tiles of the other shade in a solitaire."""
        wrong = [tile for tile in tiles if self.shades and tile.shade != self.shades[who]]
        if wrong:
            other = SHADES[wrong[0].shade]
            raise ArgumentError(
                f"the {wrong[0]} is {other}", f"{self.players[who]} has the {SHADES[self.shades[who]]} tiles only"
            )

    def _running(self) -> None:
        if self.over:
            raise ArgumentError("the game is over", "deduct the tiles that are left, like: left Ann KD 5L")

    def _claim(self, claim: int | None, points: int) -> int:
        """What is recorded of a play that counts `points`."""
        if claim is None and self.joker:
            raise ArgumentError("the play has no claim", "with Joker say its points, like: G7 across 5L 5D for 12")
        if claim is None:
            return points
        if claim > points or (claim < points and not self.joker):
            said = "fewer than that" if self.joker else str(points)
            raise ArgumentError(f"the play counts {said}, not {claim}; nothing is recorded", "count it again")
        return claim

    def _draw(self, who: int) -> None:
        drawn = min(HAND - self.hands[who], self.bag)
        self.hands[who] += drawn
        self.bags[who % len(self.bags)] -= drawn

    def _next(self, event: Event, out: bool) -> None:
        """Pass the turn, or end the game when it is out."""
        self.over = out
        self.turn = (self.turn + 1) % len(self.players)
        self.rounds += not self.turn
        if self.servant and (not self.turn or out):
            who = self.players[self.scores.index(min(self.scores))]
            event.entry["servant"] = who
            event.lines.append(f"{who} is the Servant and keeps score.")
        if not out:
            bag = f"{self.bag} tile{'' if self.bag == 1 else 's'} in the bag" if self.bag else "The bag is empty"
            event.lines.append(f"{self.name}'s turn. {bag}.")
        else:
            holders = [name for name, hand in zip(self.players, self.hands, strict=True) if hand]
            event.lines.append(
                f"The game is over, with tiles left to {', '.join(holders)}: deduct them, like: left {holders[0]} KD 5L"
            )

    def _ending(self) -> str:
        best = max(self.scores)
        first = [name for name, score in zip(self.players, self.scores, strict=True) if score == best]
        return f"{first[0]} wins with {best}." if len(first) == 1 else f"{' and '.join(first)} are equal with {best}."


def games_file() -> Path:
    """Where they are."""
    return home() / "tiles.jsonl"


class Log:
    """The newest game of the file, played again act by act; held for this program until closed."""

    def __init__(self) -> None:
        self.path = games_file()
        self.game: Game | None = None
        ensure_folder(self.path.parent)
        self._lock = take_lock(self.path.with_suffix(".lock"), "another `cribboard tiles` keeps score")
        try:
            self._load()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let another program have the file."""
        self._lock.release()

    @property
    def playing(self) -> Game:
        """The game, which must be there."""
        if self.game is None:
            raise ArgumentError("there is no game", "start one like: cribboard tiles Ann Bob")
        return self.game

    def begin(self, **options: object) -> Game:
        """Begin a game; the one before can be brought back with undo."""
        self.game = Game(**options)  # type: ignore[arg-type]
        self._add({"act": "new", **options})
        return self.game

    def do(self, act: Act) -> Event:
        """Have the game do something, and write it down."""
        event = self.playing.do(act)
        self._add(act)
        return event

    def undo(self) -> Act:
        """Take the last act back; gives it. The first game stays: without one nothing could be typed."""
        if [act for act in self._acts if act.get("act") == "new"] == self._acts[-1:]:
            raise ArgumentError("there is nothing to undo", "nothing has been played")
        append_line(self.path, {"act": "undo"})
        last = self._acts.pop()
        self.game = self._replayed()
        return last

    def _load(self) -> None:
        self._acts: list[Act] = []
        for _, entry in read_lines(self.path):
            if entry.get("act") != "undo":
                self._acts.append(entry)
            elif self._acts:
                self._acts.pop()
        self.game = self._replayed()

    def _add(self, act: Act) -> None:
        try:
            append_line(self.path, act)
        except CribboardError:
            self.game = self._replayed()  # what is not on the disk has not happened
            raise
        self._acts.append(act)

    def _replayed(self) -> Game | None:
        begun = [at for at, act in enumerate(self._acts) if act.get("act") == "new"]
        if not begun:
            return None
        try:
            new, *acts = self._acts[begun[-1] :]
            game = Game(**{name: value for name, value in new.items() if name != "act"})
            for act in acts:
                game.do(act)
        except (ArgumentError, KeyError, TypeError, AttributeError) as error:
            raise CribboardError(
                f"{self.path} cannot be replayed: {error}", "move the file away, and start a new game"
            ) from error
        return game
