"""One sentence about a refereed game for each letter that asks."""

from __future__ import annotations

from cribboard.referee.referee import Referee
from cribboard.referee.state import TO_DO, legal_cards, turn_of, turned_over
from cribboard.referee.wording import listed, spoken
from cribboard_core.aloud import number_word
from cribboard_core.pile import LIMIT

LETTERS = "CBFVSTL"


def answer(referee: Referee, letter: str) -> str:
    """The sentence for one of the letters C B F V S T L."""
    return _ANSWERS[letter.upper()](referee)


def _count(referee: Referee) -> str:
    round_ = referee.table.round
    if referee.phase == "play" and round_ and round_.deal.game:
        count = round_.deal.game.count
        return f"The count is {number_word(count) if count else 'nought'}."
    if referee.phase in ("show", "claim", "crib") and round_:
        seat, kind, cards = round_.counted_next()
        what = f"{referee.setup.names[seat]}'s {kind} is counted"
        return f"{what}: {listed(cards)}." if cards else f"{what}; its cards are not known yet."
    return "Nothing is being counted."


def _crib(referee: Referee) -> str:
    if referee.table.dealer < 0:
        return "Nobody has the crib yet."
    names, other = referee.setup.names, referee.board_dealer
    shown = f", although the board shows {names[other]}'s" if other >= 0 else ""
    return f"The crib is {names[referee.table.dealer]}'s{shown}."


def _starter(referee: Referee) -> str:
    round_ = referee.table.round
    if round_ is None or round_.deal.starter < 0:
        return "No starter has been turned up."
    return f"The starter is the {spoken(round_.deal.starter)}."


def _on_table(referee: Referee) -> str:
    game = referee.table.round.deal.game if referee.table.round and referee.phase == "play" else None
    if game is None or not game.rows:
        return "No cards are on the table."
    if game.pile:
        return f"On the table: {listed(game.pile)}; {number_word(game.count)}."
    turned = turned_over(game)
    before = f"{listed([row[1] for row in turned])}; {number_word(turned[-1][2])}"
    return f"The count starts again; turned over: {before}."


def _scores(referee: Referee) -> str:
    setup, match = referee.setup, referee.match
    if not referee.begun:
        return "No game has started." if referee.phase == "cut" else "The board has started another game."
    scores = ", ".join(f"{setup.side_name(side)} {match.front(side)}" for side in match.sides)
    return f"{scores}; the game is to {setup.target}."


def _turn(referee: Referee) -> str:
    names = referee.setup.names
    seat = turn_of(referee)
    if seat >= 0:
        return f"It is {names[seat]}'s turn to {TO_DO[referee.phase]}."
    return {
        "cut": "Everybody cuts a card for the deal.",
        "deal": "The next deal is due.",
        "starter": f"{names[referee.table.dealer]} turns the starter up.",
        "won": "The game is won.",
    }.get(referee.phase, "The board has started another game.")


def _legal(referee: Referee) -> str:
    seat = turn_of(referee)
    round_ = referee.table.round
    if seat in referee.setup.computers:
        return f"The program knows what {referee.setup.names[seat]} holds."
    if referee.phase == "discard" and round_:
        return f"{referee.setup.names[seat]} holds {listed(sorted(round_.deal.hands[seat]))}."
    if referee.phase != "play":
        return "It is not time to play a card."
    name = referee.setup.names[seat]
    cards = legal_cards(referee)
    if cards:
        return f"{name} can play {listed(cards)}."
    game = round_.deal.game if round_ else None
    room = LIMIT - (game.count if game else 0)
    if room >= 10:
        return f"{name} can play any card."
    return f"{name} can play a card that counts {number_word(room)} or less, or says go."


_ANSWERS = {"C": _count, "B": _crib, "F": _starter, "V": _on_table, "S": _scores, "T": _turn, "L": _legal}
