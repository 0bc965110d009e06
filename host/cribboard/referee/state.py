"""The state of a refereed game as one object for programs, and whose turn it is to do what."""

from __future__ import annotations

from collections.abc import Sequence

from cribboard.referee.outcomes import Act
from cribboard.referee.referee import Referee
from cribboard.referee.round import Round
from cribboard.referee.timer import Timer
from cribboard_core.cards import card_name
from cribboard_core.pile import LIMIT
from cribboard_core.play import HIGHEST, UNSEEN, Play

TO_DO = {
    "discard": "discard",
    "play": "play",
    "claim": "count",
    "show": "count",
    "hand": "lay the hand open",
    "crib": "turn the crib over",
}


def state(referee: Referee) -> dict[str, object]:
    """Everything about a game that all players may see, without hands: seats count from 0, cards are named."""
    setup, table, match = referee.setup, referee.table, referee.match
    round_ = table.round if referee.begun else None
    game = round_.deal.game if round_ else None
    turn = turn_of(referee)
    return {
        "phase": referee.phase,
        "names": list(setup.names),
        "sides": [setup.side(seat) for seat in range(setup.players)],
        "target": setup.target,
        "dealt": setup.dealt,
        "options": setup.options.to_json(),
        "deal": table.deals,
        "dealer": table.dealer if table.dealer >= 0 else None,
        "turn": turn if turn >= 0 else None,
        "count": game.count if game else 0,
        "table": [card_name(card) for card in game.pile] if game else [],
        "played": [[card_name(row[1]) for row in game.rows if row[0] == seat] for seat in range(setup.players)]
        if game
        else [],
        "held": [len(hand) for hand in game.hands] if game else [],
        "starter": card_name(round_.deal.starter) if round_ and round_.deal.starter >= 0 else None,
        "counting": list(_counting(round_)) if round_ and referee.phase in ("show", "claim", "crib") else None,
        "open": round_.open_for if round_ and round_.open_for >= 0 and referee.phase != "won" else None,
        "may": may(referee),
        "scores": [match.front(side) for side in match.sides] if referee.begun else [],
        "backs": [match.back(side) for side in match.sides] if referee.begun else [],
        "wins": [referee.winners.count(side) for side in match.sides],
        "winner": match.winner if referee.begun and match.winner >= 0 else None,
        "undo": referee.newest() or None,
        "said": referee.said,
        "rev": match.rev,
    }


def may(referee: Referee) -> list[str]:
    """The names of the acts that can be done now, the one that is due first."""
    phase = referee.phase
    cuts = ["cut", "new"]
    acts = {"cut": cuts, "won": cuts if referee.setup.options.cut_each_game else ["new"], "left": []}.get(
        phase, [phase]
    )
    if phase not in ("cut", "won", "left"):
        acts += _beside(referee)
    if referee.begun:
        acts += ["false"] if any(referee.pegs.scores) else []
        acts += ["set"]
    return acts + (["undo"] if referee.undoable() and phase != "left" else [])


def _beside(referee: Referee) -> list[str]:
    """What can be done as well while a game is on."""
    phase, options, round_ = referee.phase, referee.setup.options, referee.table.round
    own_cards = not referee.setup.dealt
    also = {
        "go": phase == "play" and can_say_go(referee),
        "timeout": phase == "claim" and options.time_limit,
        "crib": phase in ("show", "claim") and round_ and not round_.deal.crib,  # it may be laid open before its turn
        "muggins": round_ and round_.open_for >= 0,
        "misdeal": phase == "starter" and own_cards,
        "dealer": phase in ("starter", "play", "hand", "show", "claim", "crib") and own_cards,
        "dead_card": phase == "play" and own_cards,
        "dead": round_ and any(map(round_.may_be_dead, range(referee.setup.players))),
        "steal": phase in ("deal", "starter") and own_cards and options.steal,
        "penalty": True,
    }
    return [name for name, can in also.items() if can]


def can_say_go(referee: Referee) -> bool:
    """Whether the seat whose turn it is may have nothing that fits."""
    game = referee.table.round.deal.game if referee.table.round else None
    return game is not None and may_say_go(game)


def may_say_go(game: Play) -> bool:
    """The same in a play that is on."""
    return UNSEEN in game.hands[game.turn] and game.count + HIGHEST > LIMIT and not game.legal(game.turn)


def turn_of(referee: Referee) -> int:
    """The seat that has something to do, -1 when it is everybody or nobody."""
    if referee.phase not in TO_DO:
        return -1
    deal = referee.table.round.deal if referee.table.round else None
    assert deal is not None  # noqa: S101 (the phases are those of a round)
    if referee.phase == "discard":
        return next(seat for seat in _clockwise(referee) if deal.to_discard(seat))
    return deal.turn


def overdue(referee: Referee, timer: Timer) -> Act | None:
    """The act that ends a player's time to claim; None while there is some left, or where nobody has to hurry.

    The time for a crib runs while its cards are laid open, too.
    """
    round_, limit_s, seat = referee.table.round, referee.setup.options.time_limit, turn_of(referee)
    if referee.phase not in ("claim", "crib") or not limit_s or seat in referee.setup.computers or round_ is None:
        return None
    count = referee.table.deals, seat, round_.deal.shows_crib
    left_s = timer.left_s(count, limit_s)
    return ["timeout", seat] if not left_s and referee.phase == "claim" else None


def legal_cards(referee: Referee) -> list[int]:
    """The known cards of the seat to play that fit."""
    game = referee.table.round.deal.game if referee.table.round else None
    return sorted(game.legal(game.turn)) if game and referee.phase == "play" else []


def _clockwise(referee: Referee) -> list[int]:
    players = referee.setup.players
    return [(referee.table.dealer + 1 + step) % players for step in range(players)]


def _counting(round_: Round) -> tuple[int, str, list[str]]:
    seat, kind, cards = round_.counted_next()
    return seat, kind, [card_name(card) for card in cards]


def turned_over(game: Play) -> list[Sequence[int]]:
    """The rows of the cards of the count that ended last, when none has been laid since; empty before."""
    ends = [at for at, row in enumerate(game.rows) if row[5]]
    return list(game.rows[ends[-2] + 1 if ends[1:] else 0 :])
