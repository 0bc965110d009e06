"""Who plays, where, for how much and by which options: what does not change while a game is refereed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from cribboard.referee.options import OLDER, Options, from_values
from cribboard_core.cards import quote
from cribboard_core.events import NEW, PLACES, new_event
from cribboard_core.sizes import deal_sizes, side_count, side_of_seat
from cribboard_core.variants import skunk_lines

FORMAT = 1


@dataclass(frozen=True)
class Setup:
    """Seats count from 0 clockwise, places are those of the board; a side is named by the place of its first seat.

    `dealt` says that the program deals the cards, `computers` are the seats that it plays itself, `levels` how well (as
    well as it can where that is not said), `starts` the points
    at which the sides begin, in their order, and `best_of` how many games a match has at most, 0 when there is none.
    """

    names: tuple[str, ...]
    places: tuple[int, ...]
    teams: int = 0
    target: int = 121
    options: Options = field(default_factory=Options)
    dealt: bool = False
    computers: tuple[int, ...] = ()
    starts: tuple[int, ...] = ()
    best_of: int = 0
    levels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for text in (*self.names, *self.levels):
            if not isinstance(text, str) or not text.isprintable():
                raise ValueError(f"{quote(text)} is not text that can be shown")
        for number in (*self.places, *self.starts, *self.computers, self.teams, self.target, self.best_of):
            if type(number) is not int:
                raise ValueError(f"{quote(number)} is not a whole number")
        if not set(self.computers) <= set(range(self.players)):
            raise ValueError(f"the computer cannot play the seats {self.computers} of {self.players}")
        side_count(self.players, self.teams)
        skunk_lines(self.target)
        if len(self.names) != self.players or list(self.places) != sorted(set(self.places) & set(range(PLACES))):
            raise ValueError(f"{len(self.names)} names for the places {self.places}; each has one, in their order")
        starts = self.starts or (0,) * self.count
        if len(starts) != self.count or min(starts) < 0 or max(starts) >= self.target:
            raise ValueError(f"the starts {self.starts} are not one for each side, from 0 to below {self.target}")
        if self.best_of and self.count != 2:
            raise ValueError(f"a match is between two sides, not {self.count}")
        if self.best_of < 0 or (self.best_of and self.best_of % 2 == 0):
            raise ValueError(f"a best-of-{self.best_of} match may never be decided; use an odd number")
        deal_sizes(self.players, self.options.five_card)
        if self.options.five_card and self.computers:
            raise ValueError("the computer does not play five-card cribbage; leave out --computer")

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.places)

    @property
    def can_review(self) -> bool:
        """Whether the choices of a game can be judged: two play the usual game with cards that the program deals."""
        return self.players == 2 and self.dealt and not self.options.five_card

    @property
    def count(self) -> int:
        """How many sides score."""
        return side_count(self.players, self.teams)

    @property
    def mask(self) -> int:
        """The places as the board has them."""
        return sum(1 << place for place in self.places)

    @property
    def sides(self) -> tuple[int, ...]:
        """The places that name the sides."""
        return self.places[: self.count]

    def side(self, seat: int) -> int:
        """The side that scores for a seat."""
        return self.places[side_of_seat(seat, self.count)]

    def side_name(self, side: int) -> str:
        """Who plays for a side, like `Ann and Cleo`."""
        return " and ".join([name for seat, name in enumerate(self.names) if self.side(seat) == side])

    def new(self, dealer: int) -> tuple[int, ...]:
        """The event of a game in which this seat deals first."""
        return new_event(self.target, self.mask, self.count, self.places[dealer], *skunk_lines(self.target))

    def new_command(self, dealer: int) -> tuple[int | str, ...]:
        """The command for it without the rev, which the board asks for; the skunk lines are the board's own."""
        return ("new", self.target, self.mask, self.count, self.places[dealer], -1, -1)

    def to_json(self) -> dict[str, object]:
        """As JSON has it."""
        return {"format": FORMAT, **asdict(self), "options": self.options.to_json()}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Setup:
        """From JSON; raises ValueError, TypeError or KeyError for what is none."""
        values = dict(data)
        if values.pop("format") != FORMAT:
            raise ValueError(f"format {data['format']!r}; this program reads format {FORMAT}")
        for name in ("names", "places", "computers", "starts", "levels"):
            values[name] = tuple(values.get(name, ()))
        options = dict(values["options"])
        if options.get("tournament"):
            options = {"too_many": OLDER, **options}  # the one ruling that earlier programs knew
        return cls(**{**values, "options": from_values(options)})


def same_new(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether two events begin the same game, whatever its skunk lines."""
    return one[0] == other[0] == NEW and (one[1], one[3]) == (other[1], other[3])
