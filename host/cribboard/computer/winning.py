"""The chance to win: from the scores before a deal, and through the order in which a deal counts.

Only what each side still needs matters, so games to 61, 91, 121 and 241 have one table. A skunk counts no more than a
game.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from operator import mul

from cribboard.analyst.points import KEYS, RANKS, rank_points
from cribboard.computer.tables import DEALER, MOST_POINTS, NEED, PONE, ROLES, Chances, convolved, tables, ways


class ScoreError(ValueError):
    """Scores that no running game can have."""


def chance_to_win(mine: int, theirs: int, dealing: bool, target: int = 121) -> float:
    """My chance with these scores before a deal, mine or theirs; raises ScoreError."""
    for score in (mine, theirs):
        check_score(score, target)
    if dealing:
        return tables().chances[target - mine][target - theirs]
    return 1.0 - tables().chances[target - theirs][target - mine]


def check_score(score: int, target: int) -> None:
    """Refuse a score that ends the game, or a game that is too long."""
    if not 1 <= target <= NEED:
        raise ScoreError(f"a game to {target} is not in the tables; the target is 1 to {NEED}")
    if not 0 <= score < target:
        raise ScoreError(f"a score of {score} is not one of a running game to {target}; it is 0 to {target - 1}")


def percent(chance: float) -> int:
    """A chance of a running game as people read it: 1 to 99."""
    return min(99, max(1, round(100 * chance)))


def after_deal(role: int, mine: int, theirs: int) -> float:
    """My chance behind a deal of this role of mine, by what both need; 0 or less is a win for whoever has it."""
    if mine <= 0:
        return 1.0
    if theirs <= 0:
        return 0.0
    win = tables().chances
    return win[mine][theirs] if role == PONE else 1.0 - win[theirs][mine]


def after_pone(needs: tuple[int, int], shown: Chances) -> float:
    """The dealer's chance when he and the crib will show so much and pone has counted; `needs` are pone's, dealer's."""
    pone, dealer = needs
    row = tables().chances[pone]
    most = min(dealer, len(shown))
    goes_on: float = sum(map(mul, shown[:most], row[dealer : dealer - most : -1]))
    return 1.0 - goes_on


def through_show(needs: tuple[int, int], pones: Chances, dealers: Chances) -> float:
    """The dealer's chance before the show: pone counts first."""
    pone, dealer = needs
    return sum([share * after_pone((pone - at, dealer), dealers) for at, share in enumerate(pones[:pone]) if share])


def while_counting(needs: tuple[int, int], hand_too: bool) -> float:
    """The dealer's chance after pone has counted, whatever the cards: the crib is to come, and perhaps his hand."""
    crib = _any_crib()
    return after_pone(needs, convolved(tables().showing_any(DEALER), crib) if hand_too else crib)


@cache
def _any_crib() -> Chances:
    """The chances of what a crib counts, of all that both usually throw."""
    by_rank, found = rank_points(), [0.0] * (MOST_POINTS + 1)
    pones, dealers = [
        [(KEYS[low] + KEYS[high], share * ways((low, high))) for low, high, share in tables().throwing(role)]
        for role in ROLES
    ]
    for (pair, share), (other, as_often), rank in product(pones, dealers, RANKS):
        found[by_rank[pair + other + KEYS[rank]]] += share * as_often
    total = sum(found)
    return tuple(share / total for share in found)


def through_deal(needs: tuple[int, int], pegs: tuple[Chances, Chances], pones: Chances, dealers: Chances) -> float:
    """The dealer's chance before the play, by what pone and dealer peg, then pone shows, then dealer and crib."""
    pone_out, dealer_out = sum(pegs[PONE][needs[PONE] :]), sum(pegs[DEALER][needs[DEALER] :])
    both = pone_out * dealer_out
    won = dealer_out - both / 2
    rest = (1 - pone_out) * (1 - dealer_out)
    if rest <= 0:
        return won
    mine = _of_rest(pegs[PONE][: needs[PONE]], pone_out)
    his = _of_rest(pegs[DEALER][: needs[DEALER]], dealer_out)
    return won + rest * through_show(needs, convolved(mine, pones), convolved(his, dealers))


def _of_rest(chances: Chances, out: float) -> Chances:
    return tuple(share / (1 - out) for share in chances) if out else chances
