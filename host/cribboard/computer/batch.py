"""What a program asks the computer, as plain objects: which cards to discard, which card to play."""

from __future__ import annotations

import json
from collections.abc import Sequence

from cribboard.amounts import amount
from cribboard.computer import discarding, levels, playing
from cribboard.computer.playing import GO, KEPT, Seen, as_played
from cribboard.computer.tables import DEALER, PONE, check_score
from cribboard_core.cards import PIPS, CardError, card_name, check_cards, parse_card, parse_cards
from cribboard_core.pile import LIMIT
from cribboard_core.play import HIGHEST, UNSEEN, Play

Record = dict[str, object]

TARGET = 121
DEALT = (6, 5)
MOST_SAID = 40  # letters of a wrong value in a message


class AskedError(ValueError):
    """What cannot be asked; the message says why."""


def chosen(record: Record, level: str = levels.EXPERT) -> Record:
    """The answer to an object: a card when it says what was `played`, else a discard; raises ValueError."""
    return _card(record, level) if "played" in record else _discard(record, level)


def _discard(record: Record, level: str) -> Record:
    dealt = _cards(record, "hand", "deal")
    check_cards(dealt, "deal", DEALT)
    dealing = _field(record, "dealer")
    if not isinstance(dealing, bool):
        raise AskedError(f"dealer is true or false in a discard, not {_json(dealing)}")
    scores, target = _scores(record)
    if len(dealt) == DEALT[1]:
        return {"discard": _names(levels.discard_one(level, dealt, dealing)), "win": None}
    role, needs = DEALER if dealing else PONE, (target - scores[0], target - scores[1])
    thrown = levels.discard(level, dealt, role, needs)
    choice = next(choice for choice in discarding.by_points(dealt, role) if set(choice.thrown) == set(thrown))
    win = discarding.chance_of(choice, dealt, role, (needs[1], needs[0]) if dealing else needs)
    return {"discard": _names(thrown), "win": round(win, 4)}


def _card(record: Record, level: str) -> Record:
    seen = seen_in(record)
    if not seen.legal:
        answer: Record = {"card": None, "win": round(playing.after_go(seen), 4)}
        if seen.course.last != seen.seat:
            answer["restart"] = card_name(levels.card(level, playing.restarted(seen)))
        return answer
    card = levels.card(level, seen)
    rank = card >> 2
    win = next(win for other, win in playing.best_first(seen) if other >> 2 == rank)
    return {"card": card_name(card), "win": round(win, 4)}


def seen_in(record: Record) -> Seen:
    """What an object says that a player sees in the play; raises ValueError for what cannot be."""
    hand = _cards(record, "hand", "hand")
    if not hand:
        raise AskedError("the hand is empty; without a card there is nothing to choose")
    seat, dealer = _seat(_field(record, "seat"), "seat"), _seat(_field(record, "dealer"), "dealer")
    thrown = _cards(record, "thrown", "discard")
    check_cards(thrown, "discard", (2,))
    starter = parse_card(_field(record, "starter"))  # type: ignore[arg-type]  # the core refuses what is no text
    played = _played(_field(record, "played"))
    own = [card for one, card in played if one == seat and card != GO]
    if len(hand) + len(own) != KEPT:
        cards = amount(len(hand), "card")
        raise AskedError(f"seat {seat} holds {cards} and has played {len(own)}; together they are four")
    known = [*hand, *thrown, starter, *[card for _, card in played if card != GO]]
    for card in known:
        if known.count(card) > 1:
            raise CardError(f"{card_name(card)} is named twice; a pack has each card once")
    scores, target = _scores(record)
    rows = _followed(seat, dealer, [*hand, *own], (*thrown, starter), played)
    return Seen(seat, dealer, tuple(hand), tuple(thrown), rows, starter, scores, target)


def _followed(
    seat: int, dealer: int, kept: list[int], out: tuple[int, ...], played: Sequence[tuple[int, int]]
) -> tuple[tuple[int, int], ...]:
    """The same cards with the goes that the rules make of them, up to this seat's turn."""
    hands = [kept, [UNSEEN] * KEPT] if seat == 0 else [[UNSEEN] * KEPT, kept]
    game, other = Play(dealer, hands, out), 1 - seat
    for at, (one, card) in enumerate(played):
        try:
            if card == GO:
                if one == game.turn and (one == other or game.count):
                    game.go(one)  # refused when a card of mine fits
                continue
            if game.turn == other and (one == seat or game.count + PIPS[card >> 2] > LIMIT):
                game.go(other)
            game.play(one, card)
        except ValueError as error:
            raise AskedError(f"card {at + 1} of those played, {_said(card)} by seat {one}: {error}") from error
    if list(played[-1:]) == [(seat, GO)] and game.turn == other and game.count + HIGHEST > LIMIT:
        game.go(other)  # my go, and I am asked again: the other could not play either
    if game.turn == other and game.legal(seat):
        if game.count + HIGHEST <= LIMIT:
            raise AskedError(f"it is seat {other}'s turn at {game.count}, where every card fits; ask for seat {other}")
        game.go(other)
    return as_played(game.rows)


def _said(card: int) -> str:
    return "go" if card == GO else card_name(card)


def _played(value: object) -> list[tuple[int, int]]:
    if not isinstance(value, list):
        raise AskedError(f'played is a list like [[1,"5H"],[0,"TC"]], not {_json(value)}')
    course = []
    for entry in value:
        if not isinstance(entry, list) or len(entry) != 2:
            raise AskedError(f'played has {_json(entry)}, which is not a seat and a card, like [1,"5H"]')
        seat, card = entry
        course.append((_seat(seat, "seat"), GO if card is None or card == "go" else parse_card(card)))
    return course


def _scores(record: Record) -> tuple[tuple[int, int], int]:
    scores, target = record.get("scores", [0, 0]), record.get("target", TARGET)
    if type(target) is not int:
        raise AskedError(f"the target is a number, like 121, not {_json(target)}")
    if not isinstance(scores, list) or len(scores) != 2 or any(type(score) is not int for score in scores):
        raise AskedError(f"scores are my score and the other's, like [57, 63], not {_json(scores)}")
    for score in scores:
        check_score(score, target)
    return (scores[0], scores[1]), target


def _seat(value: object, what: str) -> int:
    if type(value) is not int or value not in (0, 1):
        raise AskedError(f"the {what} is 0 or 1, not {_json(value)}")
    return value


def _cards(record: Record, name: str, what: str) -> list[int]:
    value = _field(record, name)
    if isinstance(value, str):
        return parse_cards(value, what)
    if not isinstance(value, list):
        raise AskedError(f'{name} is a list of cards like ["5H","6C"], not {_json(value)}')
    cards = [parse_card(card) for card in value]
    check_cards(cards, what)
    return cards


def _field(record: Record, name: str) -> object:
    if name not in record:
        needed = (
            "hand, played, seat, dealer, starter, thrown and scores"
            if "played" in record
            else "hand, dealer and scores"
        )
        raise AskedError(f"the line lacks {name!r}; it needs {needed}")
    return record[name]


def _json(value: object) -> str:
    """The value for a message, as the line has it, cut short."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if len(text) <= MOST_SAID else text[: MOST_SAID - 3] + "..."


def _names(cards: Sequence[int]) -> list[str]:
    return [card_name(card) for card in cards]
