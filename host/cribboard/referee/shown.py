"""What an order shows at a table that only watches, as JSON: made here, and read with its place in every error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple
from functools import partial
from typing import Any, TypeVar

from cribboard.json_types import Json
from cribboard.referee.watched import Cards, Claim, Correction, Counted, Item, PlayedCard
from cribboard.typed import (
    DAMAGE,
    WORD,
    Unfit,
    as_field,
    as_list,
    as_list_of,
    as_object,
    as_string,
    as_truth,
    as_whole,
    optional,
    placed,
)
from cribboard_core.cards import PACK_SIZE, card_name, parse_card, parse_cards, quote
from cribboard_core.events import KINDS, PLACES

Record = list[Any]  # as JSON: what it is, then the rest
Shown = list[Any]  # as JSON: what an order shows, like a card or a hand; the functions below make it


def a_card(laid: PlayedCard) -> Shown:
    """A card of the play."""
    return ["card", card_name(laid.card), laid.side, laid.points, laid.key, _claim_entry(laid.claim)]


def a_hand(hand: Counted) -> Shown:
    """A hand or crib that is counted."""
    cards = " ".join(map(card_name, hand.cards))
    return ["hand", hand.side, hand.crib, cards, card_name(hand.starter), hand.key, _claim_entry(hand.claim)]


def a_starter(card: int) -> Shown:
    """The card that was turned up, -1 for none."""
    return ["starter", *([card_name(card)] if card >= 0 else ())]


def a_card_back(card: int, key: str) -> Shown:
    """The last card, which is taken back by the order with this key."""
    return ["back", card_name(card), key]


def a_claim_back(hand: Counted, key: str) -> Shown:
    """A claim of nothing for a hand or crib, which is taken back by the order with this key."""
    return ["uncount", hand.key, key]


def no_cards(key: str) -> Shown:
    """Cards that are cleared away by the order with this key."""
    return ["clear", key]


def other_cards(cards: Cards) -> Shown:
    """The cards of a game that came from another board."""
    return ["moved", to_json(asdict(cards))]


def a_correction(line: Correction) -> Shown:
    """Other points for a line."""
    return ["line", *to_json(astuple(line))]


def to_json(value: Any) -> Any:
    """The same with lists for tuples."""
    if isinstance(value, dict):
        return {name: to_json(item) for name, item in value.items()}
    return [to_json(item) for item in value] if isinstance(value, (list, tuple)) else value


def correction_in(shown: Sequence[Shown]) -> Correction | None:
    """The correction that is shown; None without one."""
    return next((correction_of(fields) for what, *fields in shown if what == "line"), None)


def correction_of(fields: list[Any]) -> Correction:
    """The correction with these fields."""
    rev, kind, side, b, was, points, who = fields
    return Correction(rev, kind, side, b, was, points, tuple((by, own) for by, own in who))


def more_of(key: str) -> Shown:
    """Another event of the order with this key."""
    return ["more", key]


def hand_in(shown: Sequence[Shown]) -> Counted | None:
    """The hand that is counted by what is shown; None without one."""
    return next((counted_of(fields, 0, 0) for what, *fields in shown if what == "hand"), None)


def _claim_entry(claim: Claim | None) -> list[Any] | None:
    return [claim.points, claim.missed, claim.callable] if claim else None


def claim_of(entry: list[Any] | None) -> Claim | None:
    """The claim with these fields, if there is one."""
    return Claim(*entry) if entry else None


def counted_of(fields: list[Any], rev: int, at: int) -> Counted:
    """The hand or crib with these fields, with the event `rev` or without one, when `at` was the newest."""
    side, crib, cards, starter, key, claim = fields
    known = tuple(parse_cards(cards))
    return Counted(rev, side, crib, known, parse_card(starter), key, claim_of(claim), at if claim else 0)


def as_record(value: Json) -> Record:
    """A record of a file; an error says what in it is wrong."""
    record = as_list(value)
    what, *fields = record
    if what == "event":
        rev, kind, *numbers = fields[:5]
        as_whole(rev, WORD)
        _check_kind(kind)
        side, a, b = numbers
        for number in (side, a, b):
            as_whole(number, WORD, -1)
        as_list_of("item", fields[5:], as_shown)
    elif what == "shown":
        as_whole(fields[0], WORD)
        as_list_of("item", fields[1:], as_shown)
    elif what != "missed" or fields:
        raise Unfit(f"{quote(what)} is neither event, shown nor missed")
    return record


def as_shown(value: Json) -> Shown:
    """What an order shows, from JSON; an error says what in it is wrong."""
    shown = as_list(value)
    what, *fields = shown
    if not isinstance(what, str) or what not in _SHOWN:
        raise Unfit(f"{quote(what)} is nothing that an order shows")
    if what == "starter" and not fields:
        return shown
    readers = _SHOWN[what]
    if len(fields) != len(readers):
        raise Unfit(f"it has {len(fields)} values instead of {len(readers)}", what)
    for at, (read, field) in enumerate(zip(readers, fields, strict=True), 1):
        in_part(f"{what} {at}", read, field)
    return shown


def cards_of(value: Json) -> Cards:
    """Cards from JSON; an error says what in them is wrong."""
    entry = as_object(value)
    whole = partial(as_field, entry)

    def rows(name: str, read: Callable[[Json], Read]) -> tuple[Read, ...]:
        return tuple(whole(name, lambda items: as_list_of("item", items, read)))

    return Cards(
        starter=whole("starter", _as_card, -1),
        pile=rows("pile", _as_played),
        played=rows("played", _as_played),
        counted=rows("counted", _as_counted),
        nibs=whole("nibs", as_whole, WORD),
        begun=whole("begun", as_whole, WORD),
        last=whole("last", optional, _as_counted),
        points=whole("points", as_whole, WORD),
        open=whole("open", optional, _as_item),
        before=rows("before", _as_item),
        pegged=rows("pegged", _as_side),
    )


Read = TypeVar("Read")


def in_part(where: str, read: Callable[[Json], Read], value: Json) -> Read:
    """What `read` makes of a part; an error says which part."""
    try:
        return read(value)
    except DAMAGE as error:
        raise placed(error, where) from error


def _as_card(value: Json, least: int = 0) -> int:
    return as_whole(value, PACK_SIZE - 1, least)


def _as_side(value: Json) -> int:
    return as_whole(value, PLACES - 1)


def _as_rev(value: Json) -> int:
    return as_whole(value, WORD)


def _check_kind(value: Json) -> None:
    if value not in KINDS:
        raise Unfit(f"{quote(value)} is no kind of event")


def _as_card_name(value: Json) -> int:
    return parse_card(as_string(value))


def _as_claim(value: Json) -> Claim | None:
    """Of what an order shows."""
    if value is None:
        return None
    points, missed, callable_ = as_list(value)
    return Claim(as_whole(points, WORD), as_whole(missed, WORD), as_truth(callable_))


def _as_claim_entry(value: Json) -> Claim:
    """Of cards that were known."""
    entry = as_object(value)
    points, missed = as_field(entry, "points", as_whole, WORD), as_field(entry, "missed", as_whole, WORD)
    return Claim(points, missed, as_field(entry, "callable", as_truth))


def _as_item(value: Json) -> Item:
    return _as_counted(value) if "crib" in as_object(value) else _as_played(value)


def _as_played(value: Json) -> PlayedCard:
    field = partial(as_field, as_object(value))
    return PlayedCard(
        card=field("card", _as_card),
        side=field("side", _as_side),
        points=field("points", _as_rev),
        text=field("text", as_string),
        rev=field("rev", _as_rev),
        total=field("total", _as_rev),
        key=field("key", as_string),
        claim=field("claim", optional, _as_claim_entry),
        at=field("at", _as_rev),
        made=field("made", as_string),
    )


def _as_counted(value: Json) -> Counted:
    field = partial(as_field, as_object(value))
    return Counted(
        rev=field("rev", _as_rev),
        side=field("side", _as_side),
        crib=field("crib", as_truth),
        cards=tuple(field("cards", lambda cards: as_list_of("card", cards, _as_card))),
        starter=field("starter", _as_card, -1),
        key=field("key", as_string),
        claim=field("claim", optional, _as_claim_entry),
        at=field("at", _as_rev),
        right=field("right", as_whole, WORD, -1),
    )


def _as_who(value: Json) -> list[tuple[str, int]]:
    return as_list_of("phone", value, _as_phone)


def _as_phone(value: Json) -> tuple[str, int]:
    by, own = as_list(value)
    return as_string(by), as_whole(own, PLACES - 1, -1)


_CORRECTION = (_as_rev, _check_kind, _as_side, _as_rev, _as_rev, _as_rev, _as_who)
_SHOWN: dict[str, tuple[Callable[[Json], object], ...]] = {
    "card": (_as_card_name, _as_side, _as_rev, as_string, _as_claim),
    "hand": (_as_side, as_truth, lambda cards: parse_cards(as_string(cards)), _as_card_name, as_string, _as_claim),
    "starter": (_as_card_name,),
    "back": (_as_card_name, as_string),
    "uncount": (as_string, as_string),
    "clear": (as_string,),
    "moved": (cards_of,),
    "line": _CORRECTION,
    "more": (as_string,),
}
