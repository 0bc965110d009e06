"""What a deal needs to know of its table: who sits where, on how many sides, and how many cards go where."""

from __future__ import annotations

from cribboard_core.variants import VariantError, check_players, team_choices

# players: cards dealt to each, to the dealer, discarded by each, by the dealer, put into the crib from the pack
_DEALS = {2: (6, 6, 2, 2, 0), 3: (5, 5, 1, 1, 1), 4: (5, 5, 1, 1, 0), 5: (5, 4, 1, 0, 0), 6: (6, 5, 1, 0, 0)}
_FIVE_CARDS = (5, 5, 2, 2, 0)  # five-card cribbage, for two
FIVE_CARD_SIZES = (3, 4)  # its hand and crib


class DealSizes:
    """How many cards go where in one deal."""

    def __init__(
        self, players: int, dealt: int, dealer_dealt: int, to_crib: int, dealer_to_crib: int, from_pack: int
    ) -> None:
        self.players = players
        self.dealt = dealt
        self.dealer_dealt = dealer_dealt
        self.to_crib = to_crib
        self.dealer_to_crib = dealer_to_crib
        self.from_pack = from_pack
        self.hand = dealt - to_crib
        self.crib = (players - 1) * to_crib + dealer_to_crib + from_pack


def deal_sizes(players: int, five_card: bool = False) -> DealSizes:
    """The deal for 2 to 6 players; five-card cribbage is for two."""
    check_players(players)
    if five_card and players != 2:
        raise VariantError(f"five-card cribbage is for 2 players, not {players}")
    return DealSizes(players, *(_FIVE_CARDS if five_card else _DEALS[players]))


def side_count(players: int, teams: int = 0) -> int:
    """How many sides score: every player with singles (teams 0), else the teams."""
    if teams not in team_choices(players):
        choices = " or ".join([str(number) for number in team_choices(players)])
        raise VariantError(f"{players} players cannot make {teams!r} teams; choose {choices} (0 is singles)")
    return teams or players


def side_of_seat(seat: int, sides: int) -> int:
    """The side, counted from 0, of the seat-th player: partners sit alternately."""
    return seat % sides
