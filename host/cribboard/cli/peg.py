"""The commands that move pegs: what was scored, and what went wrong."""

from __future__ import annotations

from collections.abc import Sequence

import click

from cribboard.board.commands import back_peg
from cribboard.cli.count import CRIB, FIVE_CARD, STARTER, count_typed, say_show, show_entry
from cribboard.cli.options import POINTS, BoardChoice, IntRange, colours, on_board
from cribboard.cli.output import note
from cribboard.cli.table import Table, at_table
from cribboard.errors import CribboardError
from cribboard.files import ensure_folder, home
from cribboard.referee.shown import a_hand
from cribboard.referee.watched import Cards, Counted
from cribboard.service.acts import shown_with
from cribboard.service.cards_log import KeptDeal
from cribboard_core.cards import card_name, cards_text
from cribboard_core.show import Show
from cribboard_core.variants import TARGETS

SIDE_ARGUMENT = click.argument("side", shell_complete=colours)
POINTS_ARGUMENT = click.argument("points", metavar="N", type=POINTS)


@click.command()
@SIDE_ARGUMENT
@POINTS_ARGUMENT
@on_board
def peg(side: str, points: int, where: BoardChoice, as_json: bool) -> None:
    """Peg N points for SIDE."""
    with at_table(where, as_json) as table:
        table.score("peg", table.names.find_side(side), points)


@click.command()
@SIDE_ARGUMENT
@click.argument("cards", nargs=-1, required=True)
@STARTER
@CRIB
@FIVE_CARD
@click.option(
    "--claim", metavar="N", type=IntRange(min=0), help="The points that the player claims; a wrong claim pegs nothing."
)
@click.option("--again", is_flag=True, help="Peg it although its cards were already counted in this deal.")
@on_board
def hand(
    side: str,
    cards: Sequence[str],
    starter: str | None,
    crib: bool,
    five_card: bool,
    claim: int | None,
    again: bool,
    where: BoardChoice,
    as_json: bool,
) -> None:
    """Count SIDE's hand or crib of CARDS, and peg it.

    The board counts the cards, too, and pegs nothing if its count differs. A hand with a card that was already counted
    in this deal, here or on a phone, pegs nothing without --again.
    """
    if starter is None:
        raise click.UsageError("No starter; add it like: --starter 5D")
    show = count_typed(" ".join(cards), starter, crib, five_card)
    if claim is not None and claim != show.points:
        what = "crib" if crib else "hand"
        raise CribboardError(
            f"the {what} counts {show.points}, not {claim}; nothing is pegged",
            "`cribboard count` says why; peg the right count with the same command without --claim",
        )
    with at_table(where, as_json) as table:
        place = table.names.find_side(side)
        if five_card:
            table.board.need("3", "hands of three cards")
        deal = _deal(table)
        if not again:
            _check_counted(table, deal.now, place, show)
        args = (cards_text(show.hand).replace(" ", ""), card_name(show.starter), int(crib), show.points)
        rev = table.board.send("hand", place, *args)
        shown = [a_hand(Counted(rev, place, crib, tuple(show.hand), show.starter))]
        for event in table.board.events(rev - 1):
            deal.heard(event, shown if event.rev == rev else ())
        if not as_json:
            say_show(show)
        table.tell([rev, "hand", place, show.points, int(crib), 0], more={"count": show_entry(show)})
        if crib:
            _check_deal(table, place, "the crib is the dealer's")


@click.command()
@SIDE_ARGUMENT
@on_board
def nibs(side: str, where: BoardChoice, as_json: bool) -> None:
    """Peg 2 for a jack turned up; SIDE is the dealer's.

    For another side it pegs, too, but says so: perhaps nobody passed the deal on the board.
    """
    with at_table(where, as_json) as table:
        place = table.names.find_side(side)
        table.score("nibs", place, 2)
        _check_deal(table, place, "nibs are the dealer's")


@click.command()
@SIDE_ARGUMENT
@on_board
def go(side: str, where: BoardChoice, as_json: bool) -> None:
    """Peg 1 for a go or the last card."""
    with at_table(where, as_json) as table:
        table.score("go", table.names.find_side(side), 1)


@click.command()
@SIDE_ARGUMENT
@POINTS_ARGUMENT
@click.option("--back", is_flag=True, help="Move SIDE back N instead, at most to the start.")
@on_board
def penalty(side: str, points: int, back: bool, where: BoardChoice, as_json: bool) -> None:
    """Penalize SIDE: every other side pegs N."""
    with at_table(where, as_json) as table:
        table.score("penalty", table.names.find_side(side), points, int(back))


@click.command()
@SIDE_ARGUMENT
@POINTS_ARGUMENT
@click.option(
    "--from", "missed_by", metavar="SIDE", shell_complete=colours, required=True, help="The side that missed them."
)
@on_board
def muggins(side: str, points: int, missed_by: str, where: BoardChoice, as_json: bool) -> None:
    """SIDE takes N points that another side missed."""
    with at_table(where, as_json) as table:
        names = table.names
        table.score("muggins", names.find_side(side), points, names.find_side(missed_by))


@click.command("false-claim")
@SIDE_ARGUMENT
@click.argument("true_score", type=IntRange(0, 240))
@on_board
def false_claim(side: str, true_score: int, where: BoardChoice, as_json: bool) -> None:
    """Correct a false claim of game by SIDE.

    SIDE goes back to TRUE_SCORE, and every other side pegs the difference.
    """
    with at_table(where, as_json) as table:
        table.score("false", table.names.find_side(side), true_score)


@click.command("set-score")
@SIDE_ARGUMENT
@click.argument("front", type=IntRange(0, TARGETS[-1]))
@click.option(
    "--back",
    metavar="HOLE",
    type=IntRange(0, TARGETS[-1]),
    help="The hole of the back peg (default: where it is, or just behind).",
)
@on_board
def set_score(side: str, front: int, back: int | None, where: BoardChoice, as_json: bool) -> None:
    """Put SIDE's front peg into hole FRONT, to repair a score."""
    with at_table(where, as_json) as table:
        place = table.names.find_side(side)
        table.score("set", place, front, back_peg(table.board.match, place, front, back))


def _check_deal(table: Table, side: int, rule: str) -> None:
    """Remark, once it is pegged, what a slip may be; the deal on the board is only as right as those who pass it."""
    match = table.board.match
    if side != match.crib_side:
        deals = f"on the board {table.names.player(match.dealer)} deals"
        note(f"{rule}, and {deals}; `cribboard undo` or `cribboard next-deal --dealer` corrects it")


def _deal(table: Table) -> KeptDeal:
    """The known cards of this deal, as the program that has the board keeps them."""
    board = table.board
    events, lost = board.events(), board.losses > 0
    rev, keep = board.standing.rev, not board.guest
    folder = ensure_folder(home() / "boards" / board.hello.uid)  # a guest has one of its own
    shown = lambda event: shown_with(board, event)  # noqa: E731
    deal = KeptDeal(folder, board.hello.epoch, rev, events, shown=shown, lost=lost, keep=keep)
    if deal.broken:
        note(deal.broken)
    return deal


def _check_counted(table: Table, known: Cards, side: int, show: Show) -> None:
    """Refuse a hand that was counted, or a card of it, in this deal; where nobody passes the deal, its crib ends it."""
    what = "crib" if show.crib else "hand"
    mine = [hand for hand in known.counted if (hand.side, hand.crib) == (side, show.crib)]
    if known.over:
        same = [hand for hand in known.counted if set(hand.cards) == set(show.hand)]
        used = [(card, hand.side, "crib" if hand.crib else "hand") for hand in same for card in hand.cards]
    else:
        used = [place for place in known.elsewhere(side, show.crib, False) if place[0] in show.hand]
    if used:
        _, whose, where = used[0]
        cards = cards_text([card for card, *place in used if place == [whose, where]])
        verb = f"{'were' if ' ' in cards else 'was'} already {'played' if where == 'play' else 'counted'} in this deal"
        said = f"{cards} {verb}, by {table.names.name(whose)}" + (" in the crib" if where == "crib" else "")
    elif not known.over and any(not hand.cards for hand in mine):
        said = f"a {what} of {table.names.name(side)} was already counted in this deal"
    else:
        return
    raise CribboardError(
        f"{said}; nothing is pegged",
        "look at the cards; if it is another hand, pass the deal with `cribboard next-deal`, or add --again",
    )
