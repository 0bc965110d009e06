"""What an expert would do in the place of somebody who plays alone against the computer."""

from __future__ import annotations

from cribboard.analyst.points import odds
from cribboard.computer.levels import EXPERT
from cribboard.errors import CribboardError
from cribboard.learning import counted
from cribboard.players import computers_turn, own_act
from cribboard.referee.referee import Referee
from cribboard.referee.state import turn_of
from cribboard_core.cards import card_name, parse_cards
from cribboard_core.show import count


def hinted(referee: Referee) -> bool:
    """Whether a hint can be had now: somebody plays alone against computers, and has to discard, play or count."""
    setup = referee.setup
    alone = bool(setup.computers) and len(setup.computers) == setup.players - 1
    return alone and referee.phase in ("discard", "play", "claim") and not computers_turn(referee)


def hint(referee: Referee) -> list[str]:
    """The expert's choice in sentences; raises CribboardError when nobody may ask for it."""
    round_ = referee.table.round
    if not hinted(referee) or round_ is None:
        raise CribboardError("there is no hint here", "ask when it is your turn, alone against the computer")
    deal = round_.deal
    if referee.phase == "claim":
        _, kind, cards = round_.counted_next()
        show = count(list(cards), deal.starter, kind == "crib")
        return [f"It counts {show.points}.", *counted(show)]
    act = own_act(referee, EXPERT)
    if act[0] == "play":
        return [f"An expert plays {act[2]}."]
    thrown = parse_cards(act[2])
    kept = [card for card in sorted(deal.hands[turn_of(referee)]) if card not in thrown]
    advice = f"An expert discards {' and '.join(map(card_name, thrown))}."
    if len(kept) != 4:  # of six players each keeps five
        return [advice]
    return [f"{advice} The four that stay average {odds(kept, thrown).average:.1f} points."]
