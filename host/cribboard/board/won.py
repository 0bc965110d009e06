"""Games won by the people who sit at a board, whatever their seats: the board itself counts for its sides.

A company is those who play each other: of each side the names that its players have, as they are compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

from cribboard.board.messages import Standing
from cribboard.json_types import Json
from cribboard.names import key
from cribboard.typed import LONGEST_NAME, WORD, Unfit, as_list, as_list_of, as_text, as_whole
from cribboard_core.events import PLACES

COMPANIES = 8  # whose games are kept; those that have not played for longest go first

Side = tuple[str, ...]
Company = tuple[Side, ...]  # sorted, since seats may be swapped


def sides_of(standing: Standing, names: Mapping[int, str]) -> list[Side]:
    """Who plays for each side; a place without a name is its number, which no name can be."""
    called = [key(names[seat]) if names.get(seat) else str(seat) for seat in standing.seats]
    return [tuple(sorted(called[side :: standing.count])) for side in range(standing.count)]


@dataclass(frozen=True)
class Won:
    """The games won before a game: on the board by its sides, and by each company, the one that played last at the end.

    `shape` are the places and the number of sides with which the board counts on.
    """

    board: tuple[int, ...]
    shape: tuple[int, int]
    companies: dict[Company, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def at(cls, standing: Standing, companies: dict[Company, tuple[int, ...]]) -> Won:
        """Before the game that stands like this."""
        sides = zip(standing.sides, standing.won, strict=True)
        before = tuple(won - (side == standing.winner) for side, won in sides)
        return cls(before, (standing.mask, standing.count), companies)

    def by_side(self, standing: Standing, names: Mapping[int, str]) -> tuple[int, ...]:
        """The games that each side of this game has won, this one included."""
        if not any(names.get(seat) for seat in standing.seats):
            return standing.won
        sides = sides_of(standing, names)
        company = tuple(sorted(sides))
        won = dict(zip(company, self.companies.get(company, ()), strict=False))
        return tuple(
            won.get(who, 0) + (side == standing.winner) for who, side in zip(sides, standing.sides, strict=True)
        )

    def then(self, ended: Standing, names: Mapping[int, str], begun: Standing) -> Won:
        """Before the game `begun`, when the one before `ended` like this and these people played it.

        The board's count has the games that nobody here has heard of, too.
        """
        after = Won.at(begun, {})
        count = after.board if after.shape == self.shape else ended.won
        if (ended.mask, ended.count) != self.shape or not any(names.get(seat) for seat in ended.seats):
            return Won.at(begun, self.companies)
        sides = sides_of(ended, names)
        new = {who: max(0, now - was) for who, now, was in zip(sides, count, self.board, strict=True)}
        company = tuple(sorted(sides))
        companies = dict(self.companies)
        before = companies.pop(company, (0,) * len(company))
        companies[company] = tuple(won + new[who] for who, won in zip(company, before, strict=True))
        return Won.at(begun, dict([*companies.items()][-COMPANIES:]))

    def rename(self, meant: AbstractSet[str], after: str) -> Won:
        """Call who has one of these names otherwise; without a name their company is forgotten."""
        companies: dict[Company, tuple[int, ...]] = {}
        for company, won in self.companies.items():
            if after or meant.isdisjoint(name for side in company for name in side):
                called = [tuple(sorted(key(after) if name in meant else name for name in side)) for side in company]
                both = sorted(zip(called, won, strict=True))
                new = tuple(side for side, _ in both)
                had = companies.get(new, (0,) * len(new))
                companies[new] = tuple(one + games for one, (_, games) in zip(had, both, strict=True))
        return Won(self.board, self.shape, companies)

    def to_json(self) -> list[Any]:
        """As JSON has it."""
        return [self.board, self.shape, [*self.companies.items()]]

    @classmethod
    def read(cls, value: Json) -> Won:
        """From JSON; an error says what is wrong, and where."""
        board, shape, companies = as_list(value)
        mask, count = as_list(shape)
        won = _games(board)
        sides = as_whole(count, PLACES)
        if len(won) != sides:
            raise Unfit(f"{len(won)} of {sides} sides have won games")
        return cls(won, (as_whole(mask, (1 << PLACES) - 1), sides), dict(as_list_of("company", companies, _company)))


def _company(value: Json) -> tuple[Company, tuple[int, ...]]:
    sides, games = as_list(value)
    company = tuple(tuple(as_list_of("name", side, _name)) for side in as_list(sides))
    won = _games(games)
    if len(won) != len(company):
        raise Unfit(f"{len(won)} of {len(company)} sides have won games")
    return company, won


def _games(value: Json) -> tuple[int, ...]:
    return tuple(as_list_of("side", value, lambda games: as_whole(games, WORD)))


def _name(value: Json) -> str:
    return as_text(value, LONGEST_NAME)
