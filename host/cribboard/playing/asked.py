"""What the table is asked for now, and what the program does without asking."""

from __future__ import annotations

import random

from cribboard.players import dealers_act, own_act
from cribboard.referee.falls import Act
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.state import legal_cards, turn_of
from cribboard_core.aloud import number_word
from cribboard_core.cards import cards_text


def automatic(referee: Referee, chance: random.Random) -> Act | None:
    """What the program does now without being asked; nothing while somebody may still call muggins."""
    return None if waits_for_call(referee) else due(referee, chance)


def due(referee: Referee, chance: random.Random) -> Act | None:
    """What the program has to do now: deal, turn up, count, and play for the computers."""
    return dealers_act(referee, chance) or (own_act(referee) if computers_turn(referee) else None)


def computers_turn(referee: Referee) -> bool:
    """Whether a player whom the program plays has something to do."""
    return referee.phase in ("discard", "play", "claim") and turn_of(referee) in referee.setup.computers


def waits_for_call(referee: Referee) -> bool:
    """Whether the program waits for Enter, so that there is time to call muggins: people call, and people miss."""
    round_ = referee.table.round
    if round_ is None or round_.open_for < 0:
        return False
    if referee.phase == "deal":
        return not _passed_on(referee)
    return computers_turn(referee) and _may_call(referee.setup, round_.open_for)


def by_program(act: Act, setup: Setup, open_for: int) -> bool:
    """Whether an act was the program's own doing, and not let go by Enter; muggins could be called on `open_for`."""
    if act[0] == "deal":
        return open_for < 0
    if act[0] == "show" or (setup.dealt and act[0] in ("cut", "starter")):
        return True
    computers = act[0] in ("discard", "play", "claim") and act[1] in setup.computers
    return computers and not _may_call(setup, open_for)


def _may_call(setup: Setup, seat: int) -> bool:
    """Whether a person may call muggins on this seat, another person's; -1 is nobody."""
    people = [other for other in range(setup.players) if other not in setup.computers]
    return seat in people and any(setup.side(other) != setup.side(seat) for other in people)


def _passed_on(referee: Referee) -> bool:
    """Whether somebody has passed the deal on with the board's button, as Enter does it."""
    due = referee.table.due
    return due != referee.table.dealer and referee.match.dealer == referee.setup.places[due]


def question(referee: Referee) -> str:
    """What is asked for now."""
    setup, phase, seat = referee.setup, referee.phase, turn_of(referee)
    dealer = setup.names[referee.table.dealer]
    round_ = referee.table.round
    name = setup.names[seat]
    if phase == "cut":
        return f"The cards cut by {listed_names(setup)}, or who deals"
    if phase == "starter":
        return f"{dealer} deals, and turns up the starter"
    if phase == "crib":
        return f"The cards of {dealer}'s crib"
    if phase == "won":
        return "new, undo or quit"
    if round_ is None or phase == "deal":
        return "Enter for the next deal"
    if seat in setup.computers:
        return f"Enter for {name}'s {'card' if phase == 'play' else 'count'}, or muggins"
    own = len(setup.computers) == setup.players - 1
    if phase == "discard":
        due = round_.deal.to_discard(seat)
        of = f" of {cards_text(sorted(round_.deal.hands[seat]))}" if own else " (L shows them)"
        return f"{name} discards {number_word(due)}{of}"
    if phase == "claim":
        _, kind, cards = round_.counted_next()
        return f"{name} counts the {kind} {cards_text(cards)} with {cards_text([round_.deal.starter])}"
    assert round_.deal.game is not None  # noqa: S101 (the play is on)
    cards = legal_cards(referee) if own else []
    return f"{name} plays at {round_.deal.game.count}" + (f", one of {cards_text(cards)}" if cards else "")


def listed_names(setup: Setup) -> str:
    """All players, like `Ann, Bob and Cleo`."""
    return f"{', '.join(setup.names[:-1])} and {setup.names[-1]}"


def expected(referee: Referee) -> str:
    """What can be typed now, in a few words."""
    players = referee.setup.players
    if computers_turn(referee):
        return f"Enter to let {referee.setup.names[turn_of(referee)]} go on"
    return {
        "cut": f"the {players} cards cut for the deal, or the name of who deals first",
        "deal": "deal, when the next cards are dealt",
        "discard": "the cards to discard",
        "starter": "the starter, like 5H",
        "play": "a card, like 5H, or go",
        "claim": "the points, 0 for none",
        "crib": "the cards of the crib, like 5H 6C 7D 8S",
        "won": "new for the next game, or undo",
    }.get(referee.phase, "quit")
