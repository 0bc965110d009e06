"""What is typed at the table, read as an act, as a letter that asks, or as a mistake that is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cribboard.errors import ArgumentError, CribboardError
from cribboard.names import Names
from cribboard.playing.asked import expected
from cribboard.referee.referee import Act, Referee
from cribboard.referee.state import LETTERS, turn_of
from cribboard_core.cards import CardError, cards_text, parse_cards, quote
from cribboard_core.match import Match

HELP = """Type a card to play it, like 5H or 10S; with points behind it when you count yourselves, like 5H 2.
go        you have no card that fits             12        you count twelve (0 for nothing)
undo      take back the newest thing             muggins 4 you call four that were missed (muggins Bob 4)
C count, or the hand being counted   B whose crib   F the starter   V the cards on the table
S scores   T whose turn   L what can be played   H this help   quit ends; cribboard play goes on later
misdeal, steal Bob, penalty Bob 2, penalty Bob 2 back, set Bob 57, false Bob 110: what went wrong at the table"""


@dataclass(frozen=True)
class Typed:
    """One of these: an act, a letter (or `H`), or a word for the program (`quit`, `board`, `mine`)."""

    act: Act | None = None
    letter: str = ""
    word: str = ""


def read_line(line: str, referee: Referee) -> Typed:
    """What a line means now; raises CribboardError, which says what can be typed, when it means nothing."""
    words = line.replace(",", " ").split()
    first = words[0].lower() if words else ""
    if len(words) == 1 and (first.upper() in [*LETTERS, "H"] or first in ("?", "help")):
        return Typed(letter="H" if first in ("?", "help", "h") else first.upper())
    if first in ("quit", "q", "exit", "board", "mine") and len(words) == 1:
        return Typed(word="quit" if first in ("q", "exit") else first)
    verb = _VERBS.get(first)
    if verb is not None:
        return Typed(verb(words[1:], referee))
    return Typed(_as_expected(words, line, referee))


def seat_of(word: str, referee: Referee) -> int:
    """The seat of a name, a number or a colour."""
    setup = referee.setup
    match = Match(setup.target, setup.mask, setup.count, setup.places[0])
    place = Names(match, dict(zip(setup.places, setup.names, strict=True))).find_place(word)
    return setup.places.index(place)


def _as_expected(words: list[str], line: str, referee: Referee) -> Act:
    """Cards, points or a name, as the phase asks for."""
    phase = referee.phase
    if phase == "deal" and not words:
        return ["deal", None]
    if phase == "claim" and len(words) == 1 and words[0].isdecimal():
        return ["claim", turn_of(referee), _number(words[0])]
    if phase == "cut" and words and not _cards(line):
        return ["new", seat_of(line.strip(), referee)]
    if phase == "play":
        claimed = len(words) > 1 and words[-1].isdecimal() and bool(_cards(" ".join(words[:-1])))
        card = " ".join(words[:-1] if claimed else words)
        return ["play", turn_of(referee), _one(card, referee), *([_number(words[-1])] if claimed else [])]
    if phase == "starter":
        return ["starter", _one(line, referee)]
    if phase in ("cut", "crib", "discard") and words:
        cards = cards_text(_all(line, referee))
        return ["discard", turn_of(referee), cards] if phase == "discard" else [phase, cards]
    raise _not_now(line, referee)


def _not_now(line: str, referee: Referee) -> CribboardError:
    what = f"{quote(line.strip())} is nothing that can be done now" if line.strip() else "nothing was typed"
    return ArgumentError(what, f"type {expected(referee)}; H is help")


def _cards(text: str) -> list[int]:
    try:
        return parse_cards(text)
    except CardError:
        return []


def _all(text: str, referee: Referee) -> list[int]:
    try:
        return parse_cards(text)
    except CardError as error:
        raise ArgumentError(str(error), f"type {expected(referee)}; H is help") from error


def _one(text: str, referee: Referee) -> str:
    cards = _all(text, referee)
    if len(cards) != 1:
        what = f"{quote(text)} is {len(cards)} cards" if cards else "nothing was typed"
        raise ArgumentError(what, f"type {expected(referee)}; H is help")
    return cards_text(cards)


def _number(word: str) -> int:
    if not word.isdecimal() or len(word) > 3:
        raise ArgumentError(f"{quote(word)} is not a number of points", "type it in digits, like 12")
    return int(word)


def _need(words: list[str], example: str, *numbers: int) -> list[str]:
    """The words behind a verb, when there are so many."""
    if len(words) not in numbers:
        raise ArgumentError("that is not all, or too much", f"type it like: {example}")
    return words


def _go(words: list[str], referee: Referee) -> Act:
    _need(words, "go", 0)
    if referee.phase != "play":
        raise _not_now("go", referee)
    return ["go", turn_of(referee)]


def _muggins(words: list[str], referee: Referee) -> Act:
    """With two sides the one who can call is clear."""
    _need(words, "muggins Bob 4", 1, 2)
    round_ = referee.table.round
    if len(words) == 2:
        return ["muggins", seat_of(words[0], referee), _number(words[1])]
    if referee.setup.count > 2:
        raise ArgumentError("several can call muggins here", "say who does, like: muggins Bob 4")
    missing = round_.open_for if round_ and round_.open_for >= 0 else 0
    return ["muggins", (missing + 1) % referee.setup.players, _number(words[0])]


def _new(words: list[str], referee: Referee) -> Act:
    _need(words, "new, or new Bob for who deals", 0, 1)
    if not words and referee.phase == "cut":
        raise _not_now("new", referee)
    return ["new", seat_of(words[0], referee) if words else referee.next_dealer()]


def _penalty(words: list[str], referee: Referee) -> Act:
    _need(words, "penalty Bob 2, or penalty Bob 2 back", 2, 3)
    if words[2:] not in ([], ["back"]):
        raise ArgumentError(f"{quote(words[2])} is not back", "type it like: penalty Bob 2 back")
    return ["penalty", seat_of(words[0], referee), _number(words[1]), len(words) - 2]


def _set(words: list[str], referee: Referee) -> Act:
    _need(words, "set Bob 57, or set Bob 57 50 with the back peg", 2, 3)
    seat = seat_of(words[0], referee)
    front = _number(words[1])
    stays = referee.match.back(referee.setup.side(seat)) if referee.begun else 0
    back = _number(words[2]) if words[2:] else stays if stays < front else max(0, front - 1)
    return ["set", seat, front, back]


def _false(words: list[str], referee: Referee) -> Act:
    _need(words, "false Bob 110, with the true score", 2)
    return ["false", seat_of(words[0], referee), _number(words[1])]


def _undo(words: list[str], referee: Referee) -> Act:
    return ["undo", *_need(words, "undo", 0)]


def _deal(words: list[str], referee: Referee) -> Act:
    return ["deal", *_need(words, "deal", 0), None]


def _misdeal(words: list[str], referee: Referee) -> Act:
    return ["misdeal", *_need(words, "misdeal", 0)]


def _steal(words: list[str], referee: Referee) -> Act:
    return ["steal", seat_of(_need(words, "steal Bob", 1)[0], referee)]


_VERBS: dict[str, Callable[[list[str], Referee], Act]] = {
    "go": _go,
    "muggins": _muggins,
    "new": _new,
    "penalty": _penalty,
    "set": _set,
    "false": _false,
    "undo": _undo,
    "deal": _deal,
    "misdeal": _misdeal,
    "steal": _steal,
}
