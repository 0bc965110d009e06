"""A tile game as its score-keeper sees it: it takes acts one by one, and answers each in words and as an object.

The hands are hidden from it, so that a player is believed when no play is possible. An act that breaks a rule is
refused with ArgumentError, and nothing has changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cribboard.errors import ArgumentError
from cribboard.names import check_names, key
from cribboard.tiles.board import SIZE, WAYS, Board
from cribboard.tiles.row import BONUS
from cribboard.tiles.tile import COPIES, HAND, Tile, check_supply, parse_tiles, tiles_text
from cribboard_core.cards import RANKS, quote

Act = Mapping[str, Any]
PLAYERS = range(2, 5)
JOKER_LOSES = 5


class Told:
    """What an act did: lines for people, an object for programs."""

    def __init__(self, act: str, **entry: object) -> None:
        self.entry: dict[str, object] = {"act": act, **entry}
        self.lines: list[str] = []


class Game:
    """One game. `hands` are the numbers of tiles that the players hold, `turn` is whose turn it is."""

    def __init__(
        self,
        players: Sequence[str],
        *,
        size: int = SIZE,
        copies: int = COPIES,
        joker: bool = False,
        servant: bool = False,
    ) -> None:
        if len(players) not in PLAYERS:
            raise ArgumentError(f"the tile game is for 2 to 4 players, not {len(players)}", "name each of them")
        self.players = check_names(players)
        self.board = Board(size)
        self.copies = copies
        self.joker = joker
        self.servant = servant
        self.scores = [0] * len(players)
        self.bag = 2 * len(RANKS) * copies - HAND * len(players)
        if self.bag < 0:
            raise ArgumentError(f"{copies} tiles of each sort are not enough for all hands", "take more")
        self.hands = [HAND] * len(players)
        self.turn = 0
        self.rounds = 0
        self.over = False
        self._left: list[Tile] = []
        self._passed = 0  # in a row, since the bag is empty
        self._missed = (-1, 0)  # who laid last, and how many points he did not claim

    @property
    def name(self) -> str:
        """Whose turn it is."""
        return self.players[self.turn]

    @property
    def ended(self) -> bool:
        """Whether the game is over and all left-over tiles are deducted."""
        return self.over and not any(self.hands)

    def do(self, act: Act) -> Told:
        """Carry out an act, an object with `act` and what belongs to it."""
        told = {
            "play": self._play,
            "exchange": self._exchange,
            "pass": self._exchange,
            "joker": self._joker,
            "left": self._leave,
        }[act["act"]](act)
        standing = ", ".join(f"{name} {score}" for name, score in zip(self.players, self.scores, strict=True))
        told.lines += [self._ending(), standing + "."] if self.ended else []
        scores = dict(zip(self.players, self.scores, strict=True))
        whose = None if self.over else self.name
        told.entry.update(scores=scores, turn=whose, bag=self.bag, over=self.over, ended=self.ended)
        return told

    def find_player(self, text: str) -> int:
        """The player of a name."""
        known = list(map(key, self.players))
        if key(text) not in known:
            raise ArgumentError(f"nobody here is called {quote(text)}", f"the players are {', '.join(self.players)}")
        return known.index(key(text))

    def _play(self, act: Act) -> Told:
        self._running()
        tiles = parse_tiles(act["tiles"])
        who, name = self.turn, self.name
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
        told = Told("play", player=name, at=act["at"], tiles=[str(tile) for tile in tiles], points=claim)
        if self.joker:
            told.lines.append(f"{name} claims {claim}: {self.scores[who]}.")
        else:
            told.entry["rows"] = [row.entry() for _, row in rows]
            told.entry["bonuses"] = [{"kind": kind, "points": bonus} for kind, bonus in bonuses]
            told.lines += [f"  {tiles_text(row.tiles)}: {row.aloud}." for _, row in rows]
            told.lines += [f"  Bonus for {kind}: {bonus}." for kind, bonus in bonuses]
            told.lines.append(f"{name} scores {claim}: {self.scores[who]}.")
        self._passed = 0
        self._next(told, out=not self.hands[who])
        return told

    def _exchange(self, act: Act) -> Told:
        self._running()
        number = act.get("number", 0)
        if not 0 <= number <= self.hands[self.turn]:
            raise ArgumentError(f"{number} tiles cannot be exchanged", f"{self.name} has {self.hands[self.turn]}")
        if number > self.bag:
            raise ArgumentError(
                f"the bag has {self.bag} tiles, too few to exchange {number}", "exchange fewer, or pass"
            )
        told = Told("exchange" if number else "pass", player=self.name, number=number)
        what = f"exchanges {number} tile{'' if number == 1 else 's'}" if number else "passes"
        told.lines.append(f"{self.name} {what} and misses the turn.")
        self._passed += not self.bag
        self._missed = -1, 0
        self._next(told, out=self._passed == len(self.players))
        return told

    def _joker(self, act: Act) -> Told:
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
        told = Told("joker", player=name, points=points)
        if missed:
            told.lines.append(f"{self.players[laid_by]} missed {missed}. {name} takes them: {self.scores[who]}.")
        else:
            told.lines.append(f"No points to claim. {name} is the Joker and loses {JOKER_LOSES}: {self.scores[who]}.")
        return told

    def _leave(self, act: Act) -> Told:
        who = self.find_player(act["player"])
        name, hand = self.players[who], self.hands[who]
        if not self.over:
            raise ArgumentError("the game is not over", "tiles are deducted at its end")
        if not hand:
            raise ArgumentError(f"{name} has no tiles left", "name those who have")
        tiles = parse_tiles(act["tiles"])
        if len(tiles) != hand:
            raise ArgumentError(f"{name} has {hand} tiles left, not {len(tiles)}", "write all of them")
        check_supply([*self.board.tiles.values(), *self._left, *tiles], self.copies)
        points = sum(tile.pips for tile in tiles)
        self._left += tiles
        self.scores[who] -= points
        self.hands[who] = 0
        told = Told("left", player=name, tiles=[str(tile) for tile in tiles], points=-points)
        told.lines.append(f"{name} is left with {tiles_text(tiles)} and loses {points}: {self.scores[who]}.")
        return told

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
        self.bag -= drawn

    def _next(self, told: Told, out: bool) -> None:
        """Pass the turn, or end the game when it is out."""
        self.over = out
        self.turn = (self.turn + 1) % len(self.players)
        self.rounds += not self.turn
        if self.servant and (not self.turn or out):
            who = self.players[self.scores.index(min(self.scores))]
            told.entry["servant"] = who
            told.lines.append(f"{who} is the Servant and keeps score.")
        if not out:
            bag = f"{self.bag} tile{'' if self.bag == 1 else 's'} in the bag" if self.bag else "The bag is empty"
            told.lines.append(f"{self.name}'s turn. {bag}.")
        else:
            holders = [name for name, hand in zip(self.players, self.hands, strict=True) if hand]
            told.lines.append(
                f"The game is over, with tiles left to {', '.join(holders)}: deduct them, like: left {holders[0]} KD 5L"
            )

    def _ending(self) -> str:
        best = max(self.scores)
        first = [name for name, score in zip(self.players, self.scores, strict=True) if score == best]
        return f"{first[0]} wins with {best}." if len(first) == 1 else f"{' and '.join(first)} are equal with {best}."
