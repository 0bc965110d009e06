"""The state of a board and its game as one object that never changes; pages get its `entry`."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NotRequired, TypedDict, cast

from cribboard.board.messages import Standing, Waiting
from cribboard.computer.tables import NEED, chance_to_win, percent, while_counting
from cribboard.errors import Busy, CribboardError, InBringUp, OtherBoard, WrongBoard
from cribboard.names import Names
from cribboard.referee.options import Options
from cribboard.referee.watched import Cards, PlayedCard
from cribboard.service.restraint import AskedEntry
from cribboard.words import Words
from cribboard_core.aloud import sentence, shapes, steps
from cribboard_core.cards import card_name
from cribboard_core.match import Match
from cribboard_core.show import Show
from cribboard_core.variants import COLOURS, NEAR_HOME


class AwayEntry(TypedDict):
    """Why a board is away, and what to do."""

    text: str
    hint: str


class BoardEntry(TypedDict):
    """The board of a table."""

    number: int
    name: str
    uid: str
    virtual: bool
    away: AwayEntry | None


class SeatEntry(TypedDict):
    """Who sits at a place; a name only if one was given."""

    place: int
    side: int
    colour: str
    name: str | None


class SideEntry(TypedDict):
    """A side; `skunked` is 1 lost, 2 skunked, 3 double-skunked."""

    side: int
    colour: str
    name: str | None
    front: int
    back: int
    won: int
    waiting: int
    waiting_by: str | None
    lead: int
    skunked: int
    warned: bool
    places: list[int]


class WinEntry(TypedDict):
    """Who has won, in words."""

    text: str
    side: int


class MatchEntry(TypedDict):
    """The match; all is None before the first game."""

    rev: int | None
    game: int | None
    target: int | None
    skunk: int | None
    double: int | None
    winner: int | None
    sides: list[SideEntry]
    dealer: SeatEntry | None
    crib: int | None
    win: WinEntry | None


class DealEntry(TypedDict):
    """Who deals next, and what is asked of the table."""

    asked: Literal["next", "who"] | None
    text: str
    next: SeatEntry
    seats: list[SeatEntry]


class StepEntry(TypedDict):
    """What undo or redo would act on: an event, or the claim of nothing of a side, which `unclaim` takes back.

    `card` is the one of the play that has pegged it.
    """

    rev: int
    text: str
    nothing: NotRequired[int]
    card: NotRequired[str]


class LastEntry(TypedDict):
    """Something that happened."""

    rev: int
    kind: str
    side: int | None
    points: int | None
    text: str


class PartEntry(TypedDict):
    """A part of a count, with the total so far."""

    name: str
    cards: list[str]
    points: int
    total: int
    text: str


class CountEntry(TypedDict):
    """A counted hand or crib."""

    crib: bool
    cards: list[str]
    starter: str
    points: int
    parts: list[PartEntry]
    text: str


class CountedEntry(CountEntry):
    """The hand that was counted last, whose it was, and what its player has claimed, if players count.

    `pegged` are the points of its side, and the `remark` says what else its claim came to. `newest` is the newest event
    when it was counted: what its claim gave to others, or one before a claim of nothing.
    """

    rev: int
    newest: int
    side: int
    claimed: int | None
    pegged: int
    remark: str


class PlayedCardEntry(TypedDict):
    """A card of the play, and what it pegged; the `remark` is like that of a counted hand.

    `at` is the rev of the newest event when it was laid.
    """

    card: str
    side: int
    points: int
    text: str
    remark: str
    at: int


class CardsEntry(TypedDict):
    """The cards of the deal; `next` is the side to play, `after_go` those after it while it may say go.

    `goes` is how many have said go since the last card, `go_at` the newest rev when the last of them did.
    """

    starter: str | None
    pile: list[PlayedCardEntry]
    played: list[PlayedCardEntry]
    running: int
    next: int | None
    after_go: list[int]
    goes: int
    go_at: int
    seen: list[str]
    nibs: bool
    counted: list[int]
    crib_counted: bool


class HouseRulesEntry(TypedDict):
    """Each house rule by its name."""

    counting: Literal["auto", "manual"]
    muggins: bool
    overcount: bool
    time_limit: int
    exact: bool
    tournament: bool
    too_many: int
    renege: bool
    misdeal: int
    forfeit: bool
    steal: bool
    nineteen: bool
    alternate: bool
    cut_each_game: bool
    five_card: bool
    playroom: bool


class RulesEntry(TypedDict):
    """The house rules: those that are not as usual in words, and whether players claim their points."""

    options: HouseRulesEntry
    words: list[str]
    manual: bool


class ClaimsEntry(TypedDict):
    """The side whose hand is to be claimed in time, and the seconds that are left."""

    side: int
    left_s: int


class PublicEntry(TypedDict):
    """What everybody sees of a game against the computer: its level and side, who plays, and how many acts it had."""

    level: str
    side: int
    phone: str
    acts: int


class TableEntry(MatchEntry):
    """A game at a table; `chances` are each side's chance to win, in percent, `open` is the side that may be called."""

    undo: StepEntry | None
    redo: StepEntry | None
    last: LastEntry | None
    count: CountedEntry | None
    deal: DealEntry | None
    chances: list[int] | None
    table: CardsEntry
    rules: RulesEntry | None
    open: int | None
    claims: ClaimsEntry | None
    computer: PublicEntry | None
    asked: AskedEntry | None


class IdleEntry(TypedDict):
    """Since when nobody has touched anything; `dim` is whether the board's lights are off for it."""

    since: str
    dim: bool


class StateEntry(TableEntry):
    """All that a page shows of a table; `version` goes up with each change."""

    board: BoardEntry
    version: int
    idle: IdleEntry


class NewsEntry(LastEntry):
    """Something that happened, for listeners: `full` has the cards in words, `win` how the game ended by it.

    `full` is empty where it is said with the event before.
    """

    full: str
    win: str


class NoticeEntry(TypedDict):
    """Words for all pages of a table."""

    text: str


class ScoredEntry(TypedDict):
    """A line of the game that is on, with its points as they are corrected."""

    rev: int
    side: int
    points: int
    text: str


class LinesEntry(TypedDict):
    """The lines of the game that is on, newest first; none if its beginning is not known any more."""

    lines: list[ScoredEntry]


class OutcomeEntry(TypedDict):
    """What came of an order; `kept` is whether the history has it, None without one."""

    rev: int
    text: str
    version: int
    kept: bool | None


class AnswerEntry(TypedDict):
    """The answer to an earlier order; no `rev` when it has not counted."""

    rev: int | None
    text: str
    version: int


def no_game(table: CardsEntry) -> TableEntry:
    """A table without a game."""
    return {
        "rev": None,
        "game": None,
        "target": None,
        "skunk": None,
        "double": None,
        "winner": None,
        "sides": [],
        "dealer": None,
        "crib": None,
        "win": None,
        "undo": None,
        "redo": None,
        "last": None,
        "count": None,
        "deal": None,
        "chances": None,
        "table": table,
        "rules": None,
        "open": None,
        "claims": None,
        "computer": None,
        "asked": None,
    }


@dataclass(frozen=True)
class View:
    """A snapshot. Without a `standing` the board has never answered; `leds` is the length of its tracks.

    The time to claim a hand ends at `ends_s` by `clock`, so that it runs although nothing else changes.
    """

    version: int = 0
    standing: Standing | None = None
    waiting: Mapping[int, Waiting] = field(default_factory=dict)  # in front of a side's peg
    names: Mapping[int, str] = field(default_factory=dict)
    tracks: int = 0
    leds: int = 0
    uid: str = ""
    away: bool = True
    state: StateEntry | None = None
    ends_s: float = 0.0
    clock: Callable[[], float] = time.monotonic

    def entry(self) -> StateEntry:
        """The view for JSON, with the seconds that are left now; do not change it."""
        state = self.state
        assert state is not None  # noqa: S101 (a service makes it before anybody asks)
        claims = state["claims"]
        if claims is None:
            return state
        return {**state, "claims": {**claims, "left_s": seconds_to(self.ends_s, self.clock)}}


def seconds_to(end_s: float, clock: Callable[[], float]) -> int:
    """The whole seconds that are left to a moment of a clock, 0 when it has passed."""
    return max(0, math.ceil(end_s - clock()))


def away_words(error: CribboardError, virtual: bool) -> tuple[str, str]:
    """What is wrong with a board that is away, and what to do, in words for the table; staff get the error itself."""
    if isinstance(error, Busy):
        return "another program is using the board", "the staff page says what to do"
    if isinstance(error, OtherBoard):
        return "another board is plugged in here", (
            "plug in the board that has the game (its score is kept), or ask the staff to move the game here"
        )
    if isinstance(error, InBringUp):
        return "the board is trying its lights and buttons", "to play, cut its power and switch it on again"
    if isinstance(error, WrongBoard):
        return "the board and the kiosk do not understand each other", "the staff page says what to do"
    if virtual:
        return "the virtual board has stopped", "it restarts automatically"
    return "the board does not answer", "plug it in; if it is plugged in already, the staff page says more"


def board_entry(number: int, name: str, uid: str, virtual: bool, away: CribboardError | None) -> BoardEntry:
    """The board for JSON: its table's number and name, and why it is away."""
    gone: AwayEntry | None = None
    if away is not None:
        text, hint = away_words(away, virtual)
        gone = {"text": text, "hint": hint}
    return {"number": number, "name": name, "uid": uid, "virtual": virtual, "away": gone}


def match_entry(
    match: Match,
    names: Names,
    waiting: Mapping[int, Waiting],
    whose: Callable[[int], str],
    games_won: Mapping[int, int],
) -> MatchEntry:
    """The match for JSON: pegs, dealer and winner."""
    words = Words(match, names, games_won)
    won = match.winner
    return {
        "rev": match.rev,
        "game": match.game,
        "target": match.target,
        "skunk": match.skunk,
        "double": match.double,
        "winner": won + 1 if won >= 0 else None,
        "sides": [_side(match, names, side, waiting.get(side), whose, games_won[side]) for side in match.sides],
        "dealer": _player(match, names, match.dealer),
        "crib": match.crib_side + 1,
        "win": {"text": words.win(), "side": won + 1} if won >= 0 else None,
    }


def chances_entry(match: Match, cards: Cards) -> list[int] | None:
    """Each side's chance to win in percent, by the scores and the deal, whatever the cards; None if unknown."""
    running = max(map(match.front, match.sides)) < match.target
    if len(match.seats) != 2 or not running or match.target > NEED or cards.doubtful(2):
        return None
    dealer = match.side_of(match.next_seat()) if cards.over else match.crib_side
    pone = match.sides[1 - match.index(dealer)]
    needs = match.target - match.front(pone), match.target - match.front(dealer)
    if cards.hands(pone, False) and not cards.over:
        chance = while_counting(needs, not cards.hands(dealer, False))
    else:
        chance = chance_to_win(match.front(dealer), match.front(pone), True, match.target)
    dealers = percent(chance)
    return [dealers if side == dealer else 100 - dealers for side in match.sides]


def deal_entry(match: Match, names: Names, cards: Cards) -> DealEntry:
    """Who deals next, and what is `asked` in the words of `text`: "next" after the crib, "who" when nobody can know."""
    place = match.next_seat()
    asked: Literal["next", "who"] | None = None
    text = ""
    if match.winner < 0 and cards.doubtful(len(match.seats)):
        asked, text = "who", "Who deals?"
    elif match.winner < 0 and cards.over:
        asked, text = "next", f"Next deal: {names.player(place, start=True)} deals."
    seats = [_player(match, names, seat) for seat in match.seats]
    return {"asked": asked, "text": text, "next": _player(match, names, place), "seats": seats}


def _player(match: Match, names: Names, place: int) -> SeatEntry:
    return {
        "place": place + 1,
        "side": match.side_of(place) + 1,
        "colour": COLOURS[place],
        "name": names.player(place) if names.has(place) else None,
    }


def _side(
    match: Match, names: Names, side: int, waiting: Waiting | None, whose: Callable[[int], str], games_won: int
) -> SideEntry:
    front = match.front(side)
    others = max(match.front(other) for other in match.sides if other != side)
    near = match.winner < 0 and others >= match.target - NEAR_HOME
    return {
        "side": side + 1,
        "colour": COLOURS[side],
        "name": names.given(side) or None,
        "front": front,
        "back": match.back(side),
        "won": games_won,
        "waiting": waiting.points if waiting else 0,
        "waiting_by": whose(waiting.owner) if waiting and waiting.points else None,
        "lead": front - others,
        "skunked": match.skunked(side),
        "warned": near and front < others and front < max(match.skunk, match.double),
        "places": [place + 1 for place in names.members(side)],
    }


def rules_entry(options: Options) -> RulesEntry:
    """The house rules for JSON."""
    house_rules = cast("HouseRulesEntry", options.to_json())
    return {"options": house_rules, "words": options.in_words(), "manual": options.manual}


def count_entry(show: Show, nineteen: bool = False) -> CountEntry:
    """A counted hand for JSON, part by part as a player says it."""
    named = shapes(show)
    parts: list[PartEntry] = []
    before = 0
    for text, total, cards in steps(show):
        if total == before:
            break  # nothing
        name = named[0][0]
        left = total - before
        while left:
            left -= named.pop(0)[1]
        parts.append({"name": name, "cards": _cards(cards), "points": total - before, "total": total, "text": text})
        before = total
    return {
        "crib": show.crib,
        "cards": _cards(show.hand),
        "starter": card_name(show.starter),
        "points": show.points,
        "parts": parts,
        "text": sentence(show, nineteen),
    }


def table_entry(
    cards: Cards,
    due: int = -1,
    remarks: Callable[[PlayedCard], str] = lambda laid: "",
    after_go: Iterable[int] = (),
    goes: Sequence[int] = (),
) -> CardsEntry:
    """The cards of the deal for JSON, and what is to be said of claims.

    The side `due` is to play, and those `after_go` after it, after `goes`, each with the newest rev when it was said.
    """

    def played(pile: Iterable[PlayedCard]) -> list[PlayedCardEntry]:
        return [
            {
                "card": card_name(one.card),
                "side": one.side + 1,
                "points": one.points,
                "text": "" if one == cards.open else one.text,
                "remark": "" if one == cards.open else remarks(one),
                "at": one.at,
            }
            for one in pile
        ]

    return {
        "starter": card_name(cards.starter) if cards.starter >= 0 else None,
        "pile": played(cards.pile),
        "played": played(cards.played),
        "running": cards.running,
        "next": due + 1 or None,
        "after_go": [side + 1 for side in after_go],
        "goes": len(goes),
        "go_at": goes[-1] if goes else 0,
        "seen": _cards(cards.seen),
        "nibs": bool(cards.nibs),
        "counted": [hand.side + 1 for hand in cards.counted if not hand.crib],
        "crib_counted": any(hand.crib for hand in cards.counted),
    }


def idle_entry(since: datetime, dim: bool) -> IdleEntry:
    """For JSON, since when nobody has touched anything."""
    return {"since": since.isoformat(timespec="seconds").replace("+00:00", "Z"), "dim": dim}


def _cards(cards: Iterable[int]) -> list[str]:
    return [card_name(card) for card in cards]
