"""A recorded play counted again, from the hands and the cards in the order in which they were laid down."""

from __future__ import annotations

from cribboard_core.cards import card_name, parse_card, parse_cards, quote
from cribboard_core.pile import PlayError
from cribboard_core.play import Play


def replay(record: dict[str, object]) -> dict[str, list[list[int | str]] | list[int]]:
    """Count a recorded play: {"players": 2, "dealer": 0, "hands": [["5C", ...], ...], "plays": [[1, "5C"], ...]}.

    Seats count from 0; the plays may stop early. Returns {"plays": [[seat, card, count, points, bonus, reset], ...],
    "pegged": [points of each seat]}. Raises PlayError, CardError or VariantError, all of them ValueError.
    """
    if not isinstance(record, dict):
        raise PlayError("a play is an object with players, dealer, hands and plays")
    for key in ("players", "dealer", "hands", "plays"):
        if key not in record:
            raise PlayError(f"the play lacks {key!r}; it needs players, dealer, hands and plays")
    players, dealer, hands, moves = record["players"], record["dealer"], record["hands"], record["plays"]
    if not isinstance(hands, list) or not isinstance(moves, list):
        raise PlayError("hands is a list of hands like ['5C', ...], plays a list of moves like [1, '5C']")
    if players != len(hands):
        raise PlayError(f"there are {len(hands)} hands for {players!r} players; each player has one")
    play = Play(_number(dealer, "dealer"), [_read_hand(hand) for hand in hands])
    for at, move in enumerate(moves):
        if not isinstance(move, (list, tuple)) or len(move) != 2:
            raise PlayError(f"play {at + 1} is not a seat and a card, like [1, '5C']")
        try:
            play.play(_number(move[0], "seat"), parse_card(move[1]))
        except ValueError as error:
            wrong = f"play {at + 1}: {error}"
        else:
            continue
        raise PlayError(wrong)
    return {"plays": [_named(row) for row in play.rows], "pegged": list(play.pegged)}


def _number(value: object, what: str) -> int:
    if type(value) is not int:
        raise PlayError(f"a {what} is a number from 0, not {quote(value)}")
    return value


def _read_hand(value: object) -> list[int]:
    """A hand as one text or as a list of names."""
    if isinstance(value, str):
        return parse_cards(value)
    if not isinstance(value, (list, tuple)):
        raise PlayError(f"a hand is a list of cards like ['5C', '5D'], not {quote(value)}")
    return [parse_card(name) for name in value]


def _named(row: tuple[int, int, int, int, int, int]) -> list[int | str]:
    seat, card, count, points, bonus, reset = row
    return [seat, card_name(card), count, points, bonus, reset]
