"""Whether an order's cards and claim can be: whose turn it is, what lies elsewhere, what was counted, what stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cribboard.errors import ArgumentError
from cribboard.referee.watched import Cards, PlayedCard
from cribboard.referee.wording import in_words, spoken
from cribboard.service.orders import REFUSED, Order, OrderError
from cribboard.service.table import Table
from cribboard_core.cards import CardError
from cribboard_core.events import HAND, PEG, PENALTY
from cribboard_core.show import count


def check_side(table: Table, side: int) -> None:
    """Refuse cards and points of a side that does not play, and after the game is won."""
    match = table.board.match
    if side not in match.sides:
        raise OrderError("side", f"no side {side + 1} plays here", "", 409)
    if match.winner >= 0:
        raise OrderError("over", "the game is won", REFUSED["over"][1], 409)


def check_claim(table: Table, order: Order) -> None:
    """Refuse points that a player says where the kiosk counts, and cards without them where the players do."""
    claims = "claim" in order.values
    if claims and not table.options.manual:
        raise OrderError("claim", "the kiosk counts here", "enter the cards without points", 409)
    if not claims and table.options.manual and order.do == "hand":
        raise OrderError("claim", "the players count here", "say what the hand is worth", 409)


def counted(table: Table, order: Order, cards: Cards) -> Order:
    """A hand's order with its starter and points; refused if all hands of that side were counted in this deal."""
    side, crib = order.values["side"], order.values.get("crib", False)
    starter = order.values.get("starter", cards.starter)
    if starter < 0:
        raise ArgumentError("there is no starter yet", "name the card that was turned up")
    most = 1 if crib else len(table.names.members(side))
    options = table.options
    stands = (options.tournament or options.muggins) and any(
        (hand.side, hand.crib) == (side, crib) and hand.claim for hand in cards.counted
    )
    if cards.hands(side, crib) >= most and (stands or not order.again):
        what = "crib" if crib else "hand"
        whose = table.names.first(side)
        raise OrderError(
            "stands" if stands else "counted",
            f"{whose}'s {what} was already counted in this deal",
            "its claim stands" if stands else "count it again only if it is another one",
            409,
        )
    if cards.starter not in (-1, starter) and not order.again:
        raise OrderError(
            "starter",
            f"the starter is the {spoken(cards.starter)}, not the {spoken(starter)}",
            "use another one only if that was wrong",
            409,
        )
    _check_pack(table, order, cards, starter)
    try:
        points = count(order.values["cards"], starter, crib).points
    except CardError as error:
        raise ArgumentError(in_words(str(error), ())) from error
    if not order.again:
        _check_turn(table, side, crib, order.values["cards"], cards)
    return replace(order, values={**order.values, "starter": starter, "crib": crib, "points": points})


def _check_turn(table: Table, side: int, crib: bool, hand: Sequence[int], cards: Cards) -> None:
    """Ask about a hand that is not counted in turn, or does not have the cards that its player has laid."""
    names = table.names
    due = table.counts_next(cards)
    if due is not None and due != (side, crib):
        what = "crib" if due[1] else "hand"
        said = f"{names.first(due[0])}'s {what} is counted next"
        raise OrderError("turn", said, "count this one only if that was counted already", 409)
    laid = [one.card for one in cards.played if one.side == side and not crib and len(names.members(side)) == 1]
    for card in laid:
        if card not in hand:
            said = f"{names.first(side)} has played the {spoken(card)}, which is not in this hand"
            raise OrderError("against", said, "count it only if the wrong card was tapped in the play", 409)


def _check_pack(table: Table, order: Order, cards: Cards, starter: int) -> None:
    """Refuse a hand with a card that is elsewhere in this deal."""
    side, crib = order.values["side"], order.values.get("crib", False)
    hand = list(cards.elsewhere(side, crib, order.again))
    cut = list(cards.elsewhere(-1, True, order.again))
    for card, there in [*((card, hand) for card in order.values["cards"]), (starter, cut)]:
        for other, whose, where in there:
            if other == card:
                name = table.names.first(whose)
                said = f"{name} has played the {spoken(card)}"
                if where != "play":
                    said = f"the {spoken(card)} is in {name}'s {where}, which was counted in this deal"
                raise OrderError("cards", said, "a pack has each card once; look again, or undo the other", 409)


def is_ahead(table: Table, order: Order) -> bool:
    """Whether a hand is of the next deal: its side's hands were counted, and it has another starter."""
    side, cards = order.values["side"], table.deal.now
    other = order.values.get("starter", cards.starter) != cards.starter
    counted = cards.hands(side, False) >= len(table.names.members(side))
    return table.passes and other and counted and not order.values.get("crib") and not order.again


def is_cut(table: Table, card: int) -> bool:
    """Whether this starter is of the next deal: it is another one, or all hands of this deal were counted."""
    match, cards, members = table.board.match, table.deal.now, table.names.members
    late = any(cards.hands(side, False) < len(members(side)) for side in match.sides)
    return card >= 0 and (card != cards.starter or not late)


def came_with_cards(table: Table, side: int) -> bool:
    """Whether the newest points of a side were claimed with their cards."""
    marks = table.marks
    cards = table.deal.now
    claimed = [one.at for one in (*cards.before, *cards.claimed) if one.side == side]
    pegged = [mark.rev for mark in marks if side in mark.sides and mark.kind in (PEG, HAND) and not mark.undone]
    return bool(claimed) and max(claimed) >= max(pegged, default=0)


def check_stands(table: Table, order: Order) -> None:
    """Refuse to take back what a tournament lets nobody mend, or what that has given to the others."""
    rev, cards = order.values["rev"], table.deal.now
    short = [one for one in (*cards.before, *cards.claimed) if one.claim and one.claim.missed and one.rev]
    given = any(mark.rev == rev and mark.kind == PENALTY for mark in table.marks)
    stands = any(rev == one.rev or (given and one.rev < rev <= one.at) for one in short)
    if table.options.tournament and stands:
        raise OrderError("stands", "too little was claimed, and that stands", "a tournament is on", 409)


def check_card(table: Table, laid: PlayedCard) -> None:
    """Refuse to take back a card that was claimed too low in a tournament; one without a number is a slip."""
    options, claim = table.options, laid.claim
    announced = claim and (claim.points or not options.muggins)  # phones do not tell nothing from no number then
    if options.tournament and claim and claim.missed and announced:
        raise OrderError("stands", "too little was claimed, and that stands", "a tournament is on", 409)
