"""What may be done now: each act that `may` names is done in whole random games, and every other is refused."""

from __future__ import annotations

import pickle
import random

import pytest
from referee.tables import NAMES, Table

from cribboard.referee.cards import ACTS
from cribboard.referee.options import read_options
from cribboard.referee.outcomes import Act
from cribboard.referee.pegs import pack_match
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.state import legal_cards, may, turn_of
from cribboard_core.cards import PACK_SIZE, card_name, cards_text, pips
from cribboard_core.match import Match

ALL = [*ACTS, "undo"]
RULES = "counting=manual muggins=on overcount=on time_limit=30 steal=on misdeal=2"
STRICT = "tournament=on forfeit=on"


def table_of(options: str, players: int, dealt: bool) -> Referee:
    places = tuple(range(players))
    setup = Setup(NAMES[:players], places, 0, 61, read_options(options.split()), dealt)
    return Referee(setup, pack_match(Match(61, setup.mask, setup.count)))


def out_of_pack(referee: Referee) -> list[int]:
    """The cards that nobody has shown yet, played or dead."""
    round_ = referee.table.round
    if round_ is None:
        return list(range(PACK_SIZE))
    shown = [round_.deal.starter, *[card for hand in round_.deal.kept for card in hand]]
    return [card for card in range(PACK_SIZE) if card not in shown]


def good(referee: Referee, name: str, chance: random.Random) -> Act:
    """An act of this name whose parts fit the table, if it can be done at all."""
    players, turn, round_ = referee.setup.players, max(0, turn_of(referee)), referee.table.round
    deal = round_.deal if round_ else None
    unseen = out_of_pack(referee)
    chance.shuffle(unseen)
    if name == "cut":
        return referee.again("cut") or ["cut", cards_text([4 * rank for rank in range(players)])]
    if name == "new":
        return ["new", chance.randrange(players)]
    if name == "deal":
        whole = chance.sample(range(PACK_SIZE), PACK_SIZE)
        return referee.again("deal") or ["deal", cards_text(whole) if referee.setup.dealt else None]
    if name == "dealer":
        return ["dealer", (referee.table.dealer + 1) % players]
    if name == "dead":
        alive = [seat for seat in range(players) if round_ and round_.may_be_dead(seat)]
        return ["dead", chance.choice(alive or list(range(players)))]
    if name == "dead_card":
        return ["dead_card", turn, card_name(unseen[0])]
    if name == "steal":
        dealer = referee.table.due if referee.phase == "deal" else referee.table.dealer
        return ["steal", (dealer + 1) % players]
    if name == "penalty":
        return ["penalty", chance.randrange(players), chance.randrange(1, 4), chance.randrange(2)]
    if name in ("false", "set"):
        side = referee.match.winner if referee.phase == "won" else -1
        scores = referee.pegs.scores
        seat = side if side >= 0 else scores.index(max(scores))
        front = max(0, scores[seat] - 1) if seat < len(scores) else 0
        return [name, seat, front] if name == "false" else [name, seat, front, 0]
    if name == "discard":
        due = deal.to_discard(turn) if deal else 0
        return ["discard", turn, cards_text(sorted(deal.hands[turn])[:due] if deal and due > 0 else unseen[:1])]
    if name == "starter":
        pack = deal.pack if deal and deal.pack else unseen
        return referee.again("starter") or ["starter", card_name(chance.choice(pack))]
    if name == "play":
        count = deal.game.count if deal and deal.game else 0
        fits = legal_cards(referee) or [card for card in unseen if count + pips(card) <= 31]
        if not fits:  # all four aces are on the table, say
            return ["go", turn]
        return ["play", turn, card_name(chance.choice(fits)), *([chance.randrange(3)] * referee.setup.options.manual)]
    if name == "crib":
        hidden = [card for card in unseen if not deal or all(card not in hand for hand in deal.kept)]
        return ["crib", cards_text(hidden[: deal.sizes.crib if deal else 4])]
    if name == "claim":
        return ["claim", turn, chance.randrange(13)]
    if name == "muggins":
        return ["muggins", ((round_.open_for if round_ else 0) + 1) % players, 1]
    return [name, turn] if name in ("go", "timeout") else [name]


def tries(referee: Referee, name: str, chance: random.Random) -> list[Act]:
    """Ways to do what cannot be done now, for every seat."""
    act = good(referee, name, chance)
    if ACTS.get(name, ("",))[:1] != ("seat",):
        return [act]
    return [[name, seat, *act[2:]] for seat in range(referee.setup.players)]


def refused(referee: Referee, act: Act) -> bool:
    try:
        referee.act(act)
    except ValueError:
        return True
    return False


def check(referee: Referee, chance: random.Random, copied: bool) -> None:
    """Each act that is not named is refused; on copies of the table, each that is named is done."""
    named = may(referee)
    assert len(set(named)) == len(named)
    stands = pickle.dumps(referee) if copied else b""  # a copy from it takes a third of what deepcopy does
    for name in named if copied else ():
        act = good(referee, name, chance)
        assert not refused(pickle.loads(stands), act), (referee.phase, act)
    for name in ALL:
        if name not in named:
            for act in tries(referee, name, chance):
                assert refused(referee, act), (referee.phase, act)


@pytest.mark.unmeasured
@pytest.mark.parametrize("dealt", [False, True])
@pytest.mark.parametrize(("options", "players"), [("", 2), (RULES, 2), (RULES, 3), ("steal=on", 4), (STRICT, 2)])
def test_what_may_be_done_is_done_and_all_else_refused(options: str, players: int, dealt: bool) -> None:
    chance = random.Random(players)
    referee = table_of(options, players, dealt)
    met, seen = set(), set()
    for _ in range(400):
        named = may(referee)
        check(referee, chance, (*named,) not in seen or chance.random() < 0.05)
        met.add(referee.phase)
        seen.add((*named,))
        name = named[0] if chance.random() < 0.9 else chance.choice(named)
        if name not in ("undo", "set", "false") or chance.random() < 0.2:
            referee.act(good(referee, name, chance))
    counted = "claim" if referee.setup.options.manual else "show"
    assert met == {"cut", "deal", "starter", "play", counted, "won", "discard" if dealt else "crib"}


def test_what_stands_in_a_tournament_cannot_be_undone() -> None:
    table = Table("counting=manual tournament=on")
    table.deal()
    table.lay("5C", "TD 0")
    assert "undo" not in may(table.referee)
    table.refused("undo")


def test_nothing_may_be_done_at_a_board_that_has_begun_another_game() -> None:
    table = Table()
    table.deal()
    table.act("set", 0, 5, 0)
    table.act("board", *table.referee.pegs.events[0].event)
    assert (table.referee.phase, may(table.referee)) == ("left", [])
    for act in (["set", 0, 7, 0], ["false", 0, 1], ["new", 0], ["undo"]):
        assert table.refused(*act) == "the board has started another game"
