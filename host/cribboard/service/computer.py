"""A game against the computer at a table: the program deals and plays one side at its level, and the board pegs.

It is a game of `cribboard play`, with the same referee and the same log: so it outlasts the kiosk and a board that is
pulled out, and it can be reviewed. One phone plays it; only that phone sees its cards.
"""

from __future__ import annotations

import copy
import json
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Literal, Protocol, TypedDict

from cribboard.board.client import Board
from cribboard.computer.levels import LevelError, check_level, player_name
from cribboard.errors import CribboardError, Notice, TransportError
from cribboard.files import from_json, take_lock
from cribboard.names import Names, check_person, is_computers, key, seated
from cribboard.players import GO_ON, Program, can_take_back, computers_turn, due, level_of, may_call, prompt, reason
from cribboard.playing.session import Session
from cribboard.referee.options import OptionError, Options, from_values
from cribboard.referee.outcomes import Act
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.state import legal_cards, turn_of
from cribboard.referee.watched import Cards, Counted, PlayedCard
from cribboard.referee.wording import in_words, with_names
from cribboard.service.orders import Order, OrderError
from cribboard.service.view import PublicEntry
from cribboard.slots import Slots
from cribboard.typed import DAMAGE
from cribboard.words import Words
from cribboard_core.cards import card_name, cards_text, parse_card, parse_cards
from cribboard_core.events import MOST_POINTS
from cribboard_core.variants import TARGETS

if TYPE_CHECKING:
    from filelock import BaseFileLock

NAME = "computer.json"  # which phone plays against the computer
ROOM = 4096  # bytes
PLAYER, COMPUTER = 0, 1  # seats
PAUSE_S = 1.2  # before the program does anything, so that it can be followed
CALL_S = 8.0  # the same when the computer has claimed something that may be called
AGAIN_S = 1.0  # after something has failed
LINES = 12  # that were said last
RULES = ("counting", "muggins")
OURS = (
    *("peg", "hand", "nibs", "go", "muggins", "deal", "undo", "redo"),
    *("correct", "play", "starter", "unplay", "unclaim", "clear", "say_go"),
)

ToDo = Literal["throw", "play", "count", "call", "wait", "go on", "apart", "won", "nothing"]


class ComputerEntry(TypedDict):
    """A game against the computer as one phone sees it; without `mine` another phone plays it, and no cards are here.

    `do` is what this phone has to do, `said` what was said last, `fits` the cards that may be played, `counts` the
    cards of the hand or crib that it is to count. An order has `acts` as its `seen`.
    """

    on: bool
    level: str | None
    mine: bool
    do: ToDo
    text: str
    said: list[str]
    hand: list[str]
    fits: list[str]
    pile: list[str]
    running: int
    starter: str | None
    counts: list[str]
    claims: bool
    muggins: bool
    undo: bool
    acts: int


class PlayedAt(Protocol):
    """The table at which it plays: `by` and `chosen` are whose doing the next event is, and a new game's rules."""

    board: Board
    by: str
    chosen: Options | None

    @property
    def words(self) -> Words:
        """Sentences about the current match."""

    def tell(self, kind: str, text: str) -> None:
        """Report a card to listeners that moved no peg."""


class Opponent:
    """The computer at one open board. `tick` it; a thought is made in a thread of its own, which calls `wake`."""

    def __init__(
        self,
        table: PlayedAt,
        chance: random.Random | None = None,
        clock: Callable[[], float] = time.monotonic,
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        self._table = table
        self._chance = chance or random.SystemRandom()
        self._clock = clock
        self._wake = wake
        self._program = Program(self._chance, clock)
        self._lines: deque[str] = deque(maxlen=LINES)
        self._session: Session | None = None
        self._lock: BaseFileLock | None = None
        self._thought: Future[Act | None] | None = None
        self._seen = -1  # how many acts there were when the pause began
        self._due = 0.0
        self._slots = Slots(table.board.folder / NAME, ROOM)
        self._by = self._read()

    @property
    def on(self) -> bool:
        """Whether a game against the computer is on, or over and still there."""
        return bool(self._by)

    @property
    def unwritten(self) -> CribboardError | None:
        """Why the game is in memory alone, None when it is on the disk."""
        return self._slots.unwritten or (self._session.unwritten if self._session is not None else None)

    def keep_again(self) -> None:
        """Write what could not be written, if there is anything."""
        self._slots.keep_again()
        if self._session is not None:
            self._session.keep_again()

    @property
    def referee(self) -> Referee | None:
        """The game's referee; None without a game."""
        return self._session.referee if self._session is not None else None

    def close(self) -> None:
        """The board is closed; the game is kept."""
        if self._session is not None:
            self._session.close()
        if self._lock is not None:
            self._lock.release()
        self._session = self._lock = self._thought = None

    def tick(self) -> bool:
        """Take in what the board did, and do what the program has to do; returns whether anything has changed."""
        if not self._by or self._table.board.away is not None:
            return False
        try:
            return self._resume() if self._session is None else self._step(self._session)
        except TransportError:
            self.close()
        except Exception as error:  # a fault of the computer must not stop the table
            self._end()
            public = "the game against the computer has ended, for something in the kiosk has failed"
            self._table.board.on_notice(Notice(f"the game against the computer has ended: {error}", public))
        return True

    def check(self, order: Order, by: str = "") -> bool:
        """Whether this orders another game like this one; raises OrderError for what the game does by itself.

        Whoever ends somebody else's game by a new one is asked first.
        """
        if not self._by:
            return False
        if order.do in OURS:
            raise OrderError(
                "computer",
                "a game against the computer is on, and pegs its own points",
                "play it on its own page, and take back there; Stop there ends it",
                409,
            )
        won = self.referee is not None and self.referee.phase == "won"
        if order.do == "new" and not (won or order.again or by in ("", self._by)):
            raise OrderError("against", f"{self._player()} is playing the computer", "a new game ends that one", 409)
        return won and order.do == "new" and not order.values

    def begin(self, order: Mapping[str, object], by: str, name: str) -> None:
        """Begin a game; raises OrderError. The one that is on at the board ends, as with any new game."""
        level, target = order.get("begin"), order.get("target", 121)
        if self._by not in ("", by) and not (self.referee and self.referee.phase == "won"):
            raise OrderError("computer", "another phone plays against the computer", "stop that game first", 409)
        try:
            rules = {rule: order[rule] for rule in RULES if rule in order}
            options = from_values(rules)
            level = check_level(level)
        except (LevelError, OptionError, TypeError) as error:
            raise OrderError("computer", str(error), "choose a level and house rules on the page") from error
        if type(target) is not int or target not in TARGETS or order.keys() - {"begin", "target", *RULES}:
            raise OrderError("computer", "this does not begin a game", "send begin with a level, and target and rules")
        self._end()
        board = self._table.board
        self._lock = _held(board)
        self._note(by)
        match = board.match
        places, _ = seated(match, 2, None)
        machine = player_name(level)
        mine = _name(name, Names(match, board.names).player(places[PLAYER], start=True))
        setup = Setup((mine, machine), places, 0, target, options, True, (COMPUTER,), (), 0, (level,))
        self._lines.clear()
        self._session = Session.begin(board, setup, board.folder, must_keep=False)

    def do(self, order: Mapping[str, object], by: str) -> None:
        """What the phone does; raises OrderError for what the rules or the moment do not allow."""
        if order == {"stop": True}:
            self._end()
            return
        session = self._session
        if session is None or by != self._by:
            raise OrderError("computer", "this phone is not playing the computer", "begin one", 409)
        session.hear()
        what = {name: value for name, value in order.items() if name != "seen"}
        if order.get("seen") != len(session.referee.acts):
            raise OrderError("seen", "something has happened meanwhile", "look again, then decide", 409)
        try:
            self._done(session, what)
        except TransportError:
            self.close()  # what was not pegged is pegged when the game is resumed
            raise
        except CribboardError:
            raise
        except ValueError as error:
            said = in_words(with_names(str(error), session.referee.setup), session.referee.setup.names)
            raise OrderError("rules", said, "", 409) from error

    def _player(self) -> str:
        """Who plays, by name."""
        return self._session.referee.setup.names[PLAYER] if self._session is not None else "somebody"

    def again(self) -> tuple[int, str]:
        """Another game like the one that is won; returns the rev, and what was said."""
        assert self._session is not None  # noqa: S101 (it is won)
        self._act(self._session, ["new", self._session.referee.next_dealer()])
        return self._table.board.standing.rev, self._lines[-1]

    def public(self) -> PublicEntry | None:
        """What everybody sees of it."""
        referee = self.referee
        if referee is None:
            return None
        side = referee.setup.side(COMPUTER) + 1
        level = level_of(referee.setup, COMPUTER)
        return {"level": level, "side": side, "phone": self._by, "acts": len(referee.acts)}

    def cards(self) -> tuple[Cards, int] | None:
        """The cards that everybody sees, and the side to play, -1 for none; None without a game."""
        referee = self.referee
        return (_cards(referee), _side_to_play(referee)) if referee is not None else None

    def entry(self, by: str) -> ComputerEntry:
        """The game as a phone sees it."""
        entry: ComputerEntry = {
            "on": self.on,
            "level": None,
            "mine": bool(by) and by == self._by,
            "do": "wait" if self.on else "nothing",
            "text": "The board is away; the game waits." if self.on else "",
            "said": [],
            "hand": [],
            "fits": [],
            "pile": [],
            "running": 0,
            "starter": None,
            "counts": [],
            "claims": False,
            "muggins": False,
            "undo": False,
            "acts": 0,
        }
        session = self._session
        if session is None:
            return entry
        referee = session.referee
        entry["level"], entry["acts"] = level_of(referee.setup, COMPUTER), len(referee.acts)
        if not entry["mine"]:
            entry["text"] = "Another phone plays against the computer."
            return entry
        entry["do"], entry["text"] = self._to_do(session)
        entry |= _seen(referee)
        options = referee.setup.options
        entry |= {"said": list(self._lines), "claims": options.manual, "muggins": may_call(referee, PLAYER)}
        entry["undo"] = can_take_back(referee, self._program.held) and not session.mismatch
        return entry

    def _read(self) -> str:
        try:
            text = self._slots.read()
            if text is not None:
                return str(from_json(text)["by"])
            self._note("")
        except DAMAGE:
            self._table.board.on_notice(
                Notice(
                    f"{self._slots.path} cannot be read, so no game against the computer goes on here; begin another",
                    "the kiosk's note of the game against the computer cannot be read; begin another",
                )
            )
            self._note("")
        return ""

    def _note(self, by: str) -> None:
        self._slots.keep(json.dumps({"by": by}))
        self._by = by

    def _end(self) -> None:
        """There is no game against the computer any more; the board keeps its score."""
        self.close()
        self._program.held = False
        if self._by:
            self._note("")

    def _resume(self) -> bool:
        if self._clock() < self._due:
            return False
        self._due = self._clock() + AGAIN_S
        board = self._table.board
        self._lock = self._lock or _held(board)
        self._session = Session.resume(board, board.folder, must_keep=False)
        if self._session is None or COMPUTER not in self._session.referee.setup.computers:
            self._end()
        else:
            self._lines.extend(_words(self._session.referee, self._session.referee.said))
        return True

    def _step(self, session: Session) -> bool:
        before = len(session.referee.acts), session.mismatch
        session.hear()
        referee = session.referee
        if referee.phase == "left":
            self._end()
            return True
        waits = session.mismatch or self._program.held or referee.phase == "won"
        act = None if waits else self._next(referee)
        if act is not None:
            self._act(session, act)
        return (len(referee.acts), session.mismatch) != before

    def _next(self, referee: Referee) -> Act | None:
        """What the program does now, after its pause; the computer thinks meanwhile, over a copy of the game."""
        if self._seen != len(referee.acts):
            pause = CALL_S if may_call(referee, PLAYER) else PAUSE_S
            self._seen, self._due, self._thought = len(referee.acts), self._clock() + pause, None
        if computers_turn(referee) and self._thought is None:
            self._thought = self._think(copy.deepcopy(referee))
        if self._clock() < self._due:
            return None
        if self._thought is None:
            return due(referee, self._chance)
        return self._thought.result() if self._thought.done() else None

    def _think(self, referee: Referee) -> Future[Act | None]:
        thought: Future[Act | None] = Future()

        def think() -> None:
            try:
                thought.set_result(due(referee, self._chance))
            except Exception as error:  # `tick` says it
                thought.set_exception(error)
            self._wake()

        threading.Thread(target=think, name="computer", daemon=True).start()
        return thought

    def _done(self, session: Session, what: Mapping[str, object]) -> None:
        match what:
            case {"throw": list(cards), **rest} if not rest:
                thrown = parse_cards(" ".join(map(str, cards)), "crib", (2,))
                self._answered(session, ["discard", PLAYER, cards_text(thrown)])
            case {"play": str(card), **rest} if rest.keys() <= {"claim"}:
                claim = [_points(rest["claim"])] if "claim" in rest else []
                self._answered(session, ["play", PLAYER, card_name(parse_card(card)), *claim])
            case {"count": points, **rest} if not rest:
                self._answered(session, ["claim", PLAYER, _points(points)])
            case {"muggins": points, **rest} if not rest:
                self._answered(session, ["muggins", PLAYER, _points(points)])
            case {"go on": True, **rest} if not rest:
                self._answered(session, GO_ON)
                self._due = 0.0
            case {"undo": True, **rest} if not rest:
                self._answered(session, ["undo"])
            case {"again": True, **rest} if not rest and session.referee.phase == "won":
                self.again()
            case {"score": "board" | "mine" as whose, **rest} if not rest and session.mismatch:
                if whose == "board":
                    session.take_board()
                else:
                    session.give_board()
            case _:
                raise OrderError("computer", "that cannot be done now", "look at the page again")

    def _answered(self, session: Session, act: Act) -> None:
        """What the player answers."""
        self._program.do(session.referee, act, lambda one: self._act(session, one))

    def _act(self, session: Session, act: Act) -> None:
        """Have the referee do an act, the board peg it, and say it."""
        referee, table = session.referee, self._table
        why, before = reason(referee, act), table.board.standing.rev
        with self._named(referee.setup):
            outcomes = session.act(act)
        said = _words(referee, [outcome.text for outcome in outcomes if outcome.text])
        self._lines.extend([*said, *([why] if why else [])])
        # What has moved a peg is reported with the board's event.
        if act[0] in ("play", "starter") and said and table.board.standing.rev == before:
            table.tell(act[0], " ".join(said))

    @contextmanager
    def _named(self, setup: Setup) -> Iterator[None]:
        """What is pegged is the computer game's doing, and a game that begins has its rules."""
        table = self._table
        table.by, table.chosen = "the computer's game", setup.options
        try:
            yield
        finally:
            table.by, table.chosen = "", None

    def _to_do(self, session: Session) -> tuple[ToDo, str]:
        referee = session.referee
        if session.mismatch:
            return "apart", f"{session.mismatch[:1].upper()}{session.mismatch[1:]}."
        match prompt(referee, self._program.held, PLAYER).what:
            case "won":
                return "won", self._table.words.win()
            case "go on":
                return "go on", "Taken back. Go on when you are ready."
            case "throw":
                whose = "your" if referee.table.dealer == PLAYER else "the computer's"
                return "throw", f"Choose two cards for {whose} crib."
            case "count":
                assert referee.table.round is not None  # noqa: S101 (a hand is counted)
                return "count", f"Count your {referee.table.round.counted_next()[1]}."
            case "play":
                return "play", "Play a card."
            case "call":
                return "call", "Has the computer missed anything? Call it now, or go on."
            case _:
                return "wait", "The computer is thinking." if turn_of(referee) == COMPUTER else "One moment."


def _held(board: Board) -> BaseFileLock:
    return take_lock(board.folder / "play.lock", "another program referees a game at this board")


def _name(given: str, otherwise: str) -> str:
    """What the player is called; never like the computer."""
    with suppress(CribboardError):
        if key(name := check_person(given)) != "computer":
            return name
    return "Guest" if is_computers(otherwise) else otherwise


def _points(value: object) -> int:
    if type(value) is not int or not 0 <= value <= MOST_POINTS:
        raise OrderError("order", f"points are a whole number from 0 to {MOST_POINTS}", "send another number")
    return value


def _words(referee: Referee, texts: list[str]) -> list[str]:
    return [in_words(text, referee.setup.names) for text in texts]


def _seen(referee: Referee) -> ComputerEntry:
    """The cards that the player sees: the own ones, and those on the table."""
    cards: dict[str, object] = {}
    round_ = referee.table.round
    if round_ is not None:
        deal, game = round_.deal, round_.deal.game
        own = game.hands[PLAYER] if game else deal.hands[PLAYER]
        mine = referee.phase == "play" and turn_of(referee) == PLAYER
        cards["hand"] = [card_name(card) for card in sorted(own)]
        cards["fits"] = [card_name(card) for card in legal_cards(referee)] if mine else []
        cards["pile"] = [card_name(card) for card in game.pile] if game else []
        cards["running"] = game.count if game else 0
        cards["starter"] = card_name(deal.starter) if deal.starter >= 0 else None
        if referee.phase == "claim" and turn_of(referee) == PLAYER:
            cards["counts"] = [card_name(card) for card in sorted(round_.counted_next()[2])]
    return cards  # type: ignore[return-value]


def _cards(referee: Referee) -> Cards:
    """The cards on the table as the pages show them."""
    round_ = referee.table.round
    if round_ is None:
        return Cards()
    deal, game, side = round_.deal, round_.deal.game, referee.setup.side
    rows = game.rows if game else []
    hidden = referee.setup.options.muggins
    laid = tuple(PlayedCard(row[1], side(row[0]), 0 if hidden else row[3], total=row[2]) for row in rows)
    pile = laid[len(laid) - len(game.pile) :] if game else ()
    shown = [seat for seat in (1 - deal.dealer, deal.dealer) if game and deal.has_shown(seat)]
    counted = tuple(Counted(0, side(seat), False, tuple(deal.kept[seat]), deal.starter) for seat in shown)
    return Cards(starter=deal.starter, pile=pile, played=laid, counted=counted)


def _side_to_play(referee: Referee) -> int:
    return referee.setup.side(turn_of(referee)) if referee.phase == "play" else -1
