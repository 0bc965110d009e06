"""The command that keeps score of the tile game, in a dialogue of plain lines."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import click

from cribboard.amounts import amount
from cribboard.cli.options import JSON, IntRange
from cribboard.cli.output import emit, note, refuse, say
from cribboard.cli.prompt import PLAIN, Asked, Prompt, among, line_by_line, set_plain, stays_plain
from cribboard.errors import ArgumentError, CribboardError
from cribboard.names import key
from cribboard.tiles import (
    ACROSS,
    COPIES,
    SHADES,
    SIZE,
    WAYS,
    Act,
    Game,
    Log,
    Row,
    Tile,
    parse_tiles,
    square_name,
    tiles_text,
)
from cribboard_core.cards import quote

WORDS = ("exchange", "pass", "joker", "left", "count", "board", "rows", "scores", "undo", "plain", "help", "end")
HELP = """\
G7 across 5L 5D JL   lay tiles from G7 to the right; down lays them downwards
G7 5L                lay one tile
... for 12           at the end of a play: the points that the player claims
exchange 3, pass     no play is possible
joker Bob            Bob claims what the last player missed
left Ann KD 5L       at the end: the tiles that Ann still has
count 5 5 5 J        what a row counts
board, rows, scores  show the board, as a drawing or in words, and the scores (or: state)
undo                 take back the last line
plain, plain off     from now on no bar; bring it back
end                  leave; to resume the game: cribboard tiles"""


@click.command()
@click.argument("players", nargs=-1)
@click.option("--draw", metavar="TILES", help="The tile that each player drew, in order: the lowest plays first.")
@click.option("--joker", is_flag=True, help="Players claim points; the first to call Joker takes what was missed.")
@click.option("--servant", is_flag=True, help="After each round name the player who is last and keeps score.")
@click.option("--solitaire", is_flag=True, help="Play the light tiles against the dark ones, alone.")
@click.option("--size", type=IntRange(5, 26), default=SIZE, show_default=True, help="Squares along a side.")
@click.option("--copies", type=IntRange(1, 20), default=COPIES, show_default=True, help="Tiles of each rank and shade.")
@click.option("--count", "row", metavar="TILES", help="Only count a row of tiles.")
@PLAIN
@JSON
def tiles(
    players: Sequence[str],
    draw: str | None,
    joker: bool,
    servant: bool,
    solitaire: bool,
    size: int,
    copies: int,
    row: str | None,
    plain: bool | None,
    as_json: bool,
) -> None:
    """Keep score of the tile game, for a table with real tiles.

    Name PLAYERS in the order of play to start a game; without names the last game is resumed. The first player starts
    or, with --draw, the one with the lowest tile. With --solitaire you play alone, the light tiles against the dark
    ones: put each shade into a bag of its own; light plays first.

    Write a tile as its rank and L (light) or D (dark), and a square as its column's letter and its line's number. Each
    line of standard input is a play, like

    \b
      G7 across 5L 5D JL
      H6 down 7D
      exchange 3
      help

    \b
      cribboard tiles --count "5 5 5 J"

    With --json each line is answered by an object: act, player, what was typed (at, way, tiles, claim, number, players
    and the like), points, rows (tiles, points, bonus, parts and aloud of
    each), bonuses, scores, turn, bag, over, ended and text, or error. The exit status is 1 when a line was refused.
    """
    if row is not None:
        _count(row, as_json)
        return
    if draw is not None:
        players = _lowest_first(players, parse_tiles(draw, shades=False))
    if solitaire:
        if players or joker or servant:
            raise ArgumentError("a solitaire has no players", "leave out the names, --draw, --joker and --servant")
        players = [shade.title() for shade in SHADES.values()]
    with Log() as log:
        prompt = None if as_json or line_by_line(plain) else Prompt()
        keeper = Keeper(log, as_json, prompt)
        if players:
            game = log.begin(
                players=list(players), size=size, copies=copies, joker=joker, servant=servant, solitaire=solitaire
            )
            keeper.tell("new", [f"New tile game: {', '.join(game.players)}. {game.name} plays first."], bag=game.bag)
        elif log.game is None:
            raise click.UsageError("No game to resume; start one like: cribboard tiles Ann Bob")
        else:
            keeper.tell("scores", keeper.standing(log.game))
        sys.exit(keeper.run())


def _lowest_first(players: Sequence[str], drawn: Sequence[Tile]) -> list[str]:
    """The players from the one on who has drawn the lowest tile; an ace is low."""
    if len(drawn) != len(players) or not drawn:
        raise ArgumentError(
            f"--draw has {amount(len(drawn), 'tile')} for {len(players)} players", "each draws one, in order"
        )
    ranks = [tile.rank for tile in drawn]
    lowest = min(ranks)
    if ranks.count(lowest) > 1:
        raise ArgumentError(f"{tiles_text(drawn)} is a tie for the lowest tile", "draw again")
    first = ranks.index(lowest)
    return [*players[first:], *players[:first]]


class Keeper:
    """The dialogue with the table, line by line."""

    def __init__(self, log: Log, as_json: bool, prompt: Prompt | None = None) -> None:
        self._log = log
        self._as_json = as_json
        self._prompt = prompt

    def run(self) -> int:
        """Answer the lines of standard input until its end; 1 when one was refused by a game nobody watches."""
        if sys.stdin is None:
            raise ArgumentError("standard input is closed", "send it the plays, one per line")
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="backslashreplace")
        talking = sys.stdin.isatty()
        refused = False
        while True:
            line = self._line(talking)
            words = line.split()
            if words:
                words[0] = words[0].lower()
            if not line or words in (["end"], ["quit"]):
                return int(refused and not talking)
            try:
                if words:
                    self._answer(words)
            except CribboardError as error:
                refused = True
                refuse(error, self._as_json)

    def _line(self, talking: bool) -> str:
        """The next line, empty at the end of all."""
        if self._prompt is not None:
            game = self._log.game
            bar = " ".join(self.standing(game)) if game else ""
            words = [*WORDS, *WAYS, *(game.players if game else ())]
            line = self._prompt.line(Asked(bar=bar, completed=among(words), mark=f"{self._turn()}> "))
            return "" if line is None else f"{line}\n"
        if talking:
            click.echo(f"{self._turn()}> ", nl=False, err=True)
        return sys.stdin.readline()

    def tell(self, act: str, lines: Sequence[str], **entry: object) -> None:
        """Say what happened."""
        if self._as_json:
            emit({"act": act, **entry, "text": " ".join(line.strip() for line in lines)})
            return
        for line in lines:
            say(line)

    def standing(self, game: Game) -> list[str]:
        """How the game stands."""
        scores = ", ".join(f"{name} {score}" for name, score in zip(game.players, game.scores, strict=True))
        if game.ended:
            return [f"{scores}. The game is over."]
        rest = "The game is over; deduct the tiles that are left." if game.over else f"{game.name}'s turn."
        return [f"{scores}. {rest}"]

    def _answer(self, words: Sequence[str]) -> None:
        looks: dict[str, Callable[[Game], list[str]]] = {
            "board": lambda game: game.board.drawing(),
            "rows": _rows,
            "scores": self.standing,
            "state": self.standing,
        }
        verb, *rest = words
        if verb in ("help", "h", "?"):
            note(HELP)
        elif not self._as_json and (reply := set_plain(" ".join(words))):
            say(reply)
            if stays_plain() and self._prompt is not None:
                self._prompt.close()
                self._prompt = None
        elif verb == "count":
            _count(" ".join(rest), self._as_json)
        elif verb == "undo" and not rest:
            self._undo()
        elif verb in looks and not rest:
            self.tell(verb, looks[verb](self._log.playing))
        else:
            done = self._log.do(parse_act(words, self._log.playing.players))
            entry = {name: value for name, value in done.entry.items() if name != "act"}
            self.tell(str(done.entry["act"]), done.lines, **entry)

    def _undo(self) -> None:
        last = self._log.undo()
        game = self._log.playing
        self.tell("undo", [f"Undid: {said(last)}. {self.standing(game)[0]}"], scores=_scores(game))

    def _turn(self) -> str:
        game = self._log.game
        return "" if game is None or game.over else game.name


def parse_act(words: Sequence[str], players: Sequence[str]) -> dict[str, object]:
    """Read a line of the dialogue as an act of the game."""
    verb, *rest = words
    if verb == "pass" and not rest:
        return {"act": "pass"}
    if verb == "exchange" and len(rest) == 1 and rest[0].isascii() and rest[0].isdecimal():
        return {"act": "exchange", "number": int(rest[0][:3])}
    if verb == "joker" and rest:
        return {"act": "joker", "player": " ".join(rest)}
    if verb == "left" and len(rest) > 1:
        names = list(map(key, players))  # a name may be several words
        ends = next((at for at in range(len(rest), 0, -1) if key(" ".join(rest[:at])) in names), 1)
        return {"act": "left", "player": " ".join(rest[:ends]), "tiles": " ".join(rest[ends:])}
    if verb in ("pass", "exchange", "joker", "left"):
        raise _not_understood(words)
    return _parse_play(verb, rest)


def said(act: Act) -> str:
    """An act as it was typed."""
    given = {name: value for name, value in act.items() if name != "act"}
    if act["act"] == "play":
        claim = f" for {given['claim']}" if "claim" in given else ""
        return f"{given['at']} {given['way']} {given['tiles']}{claim}"
    return " ".join(str(word) for word in (act["act"], *(given["players"] if "players" in given else given.values())))


def _parse_play(square: str, rest: Sequence[str]) -> dict[str, object]:
    words = list(rest)
    act: dict[str, object] = {"act": "play", "at": square.upper(), "way": "across"}
    if words and words[0].lower() in WAYS:
        act["way"] = words.pop(0).lower()
    if len(words) > 2 and words[-2].lower() == "for" and words[-1].isascii() and words[-1].isdecimal():
        act["claim"] = int(words.pop()[:4])
        words.pop()
    if not words:
        raise _not_understood([square, *rest])
    return {**act, "tiles": " ".join(words)}


def _not_understood(words: Sequence[str]) -> ArgumentError:
    return ArgumentError(f"{quote(' '.join(words))} is not understood", "type help to see what you can type")


def _count(text: str, as_json: bool) -> None:
    row = Row(parse_tiles(text, shades=False))
    if as_json:
        emit(row.entry())
        return
    width = max(len(name) for name, _, _ in row.parts)
    for name, points, named in row.parts:
        say(f"  {points:2}  {name:<{width}}  {named}")
    say(f"{row.aloud[0].upper()}{row.aloud[1:]}.")
    if row.bonus:
        say(f"Bonus for five of one shade: {row.bonus}.")
    say(f"{amount(row.points + row.bonus, 'point')}.")


def _rows(game: Game) -> list[str]:
    """The rows in words, for people who do not see the board."""
    return [
        f"{square_name(start)} {'across' if way == ACROSS else 'down'}: {tiles_text(laid)}"
        for start, way, laid in game.board.all_rows()
    ] or ["The board is empty."]


def _scores(game: Game) -> dict[str, int]:
    return dict(zip(game.players, game.scores, strict=True))
