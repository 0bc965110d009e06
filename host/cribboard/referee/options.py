"""The house's options: each with its name, its default, what it may be, and one sentence that says what it does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from cribboard_core.cards import quote

SWITCH = {"off": False, "on": True}
COUNTING = {"auto": "auto", "manual": "manual"}
IN_FORCE, OLDER = 2025, 2004  # the American Cribbage Congress's books
BOOKS = {str(year): year for year in (IN_FORCE, OLDER)}
SECONDS = {"0": 0, **{str(seconds): seconds for seconds in range(15, 91)}}


class OptionError(ValueError):
    """An unknown option, or a value that it cannot have."""


def _option(default: Any, allowed: Mapping[str, object], says: str) -> Any:
    return field(default=default, metadata={"allowed": allowed, "says": says})


@dataclass(frozen=True)
class Options:
    """What this house plays."""

    counting: str = _option("auto", COUNTING, "auto: the program counts; manual: players claim, and it compares")
    muggins: bool = _option(False, SWITCH, "an opponent who calls points that you missed pegs them")
    overcount: bool = _option(False, SWITCH, "points that you overclaim go to every opposing side")
    time_limit: int = _option(
        0, SECONDS, "seconds to claim a hand (15 to 90, 0 for no limit); then half of it goes to the others"
    )
    exact: bool = _option(False, SWITCH, "you must peg out exactly: points past the target are not pegged")
    tournament: bool = _option(
        False, SWITCH, "a claim that is too low stands, and too many cards are judged by the book"
    )
    too_many: int = _option(
        IN_FORCE, BOOKS, "the book by which a tournament judges a hand with too many cards, found after the starter"
    )
    renege: bool = _option(False, SWITCH, "a card held back at a go gives two points to every opposing side")
    misdeal: int = _option(0, {"0": 0, "2": 2}, "points that every opposing side pegs for a misdeal")
    forfeit: bool = _option(False, SWITCH, "a misdeal passes the deal to the next player")
    steal: bool = _option(False, SWITCH, "a player who deals out of turn unnoticed keeps the deal and the crib")
    nineteen: bool = _option(False, SWITCH, "a hand without points is called nineteen")
    alternate: bool = _option(False, SWITCH, "the next player, not the loser, deals first in the next game")
    cut_each_game: bool = _option(False, SWITCH, "the players cut for the deal before every game")
    five_card: bool = _option(
        False,
        SWITCH,
        "two players get five cards and keep three; the player not dealing begins with three; the play ends at a go",
    )
    playroom: bool = _option(
        False, SWITCH, "players claim; points that they miss or overclaim go to every opposing side without a call"
    )

    def __post_init__(self) -> None:
        for option in fields(self):
            value = getattr(self, option.name)
            if value not in option.metadata["allowed"].values() or type(value) is not type(option.default):
                raise OptionError(f"{option.name} cannot be {quote(value)}; it is {allowed(option.name)}")
        for name in ("muggins", "overcount", "time_limit"):
            if getattr(self, name) and not self.manual:
                raise OptionError(f"{name} applies to points that players claim; it also needs counting=manual")
        if self.too_many != IN_FORCE and not self.tournament:
            raise OptionError("too_many is a ruling for tournaments; it also needs tournament=on")
        if self.playroom and (self.muggins or self.overcount):
            raise OptionError("playroom already includes muggins and overcount; leave those off")

        if self.alternate and self.cut_each_game:
            raise OptionError("alternate and cut_each_game each say who deals first in the next game; choose one")

    @property
    def manual(self) -> bool:
        """Whether players claim their points."""
        return self.counting == "manual" or self.playroom

    def to_json(self) -> dict[str, object]:
        """All of them by name."""
        return asdict(self)

    def changed(self) -> str:
        """Those that are not as usual, like `counting=manual muggins=on`; empty when all are."""
        mine = {option.name: word(getattr(self, option.name)) for option in fields(self)}
        return " ".join(f"{option.name}={mine[option.name]}" for option in fields(self) if not _usual(self, option))

    def in_words(self) -> list[str]:
        """Those that are not as usual, in a few words each, as a table shows them."""
        counting = "playroom" if self.playroom else "players count" if self.manual else ""
        said = [
            counting,
            "muggins" if self.muggins else "",
            "overcount" if self.overcount else "",
            f"{self.time_limit} seconds to count" if self.time_limit else "",
            *[name for name in ("tournament", "renege", "forfeit", "steal") if getattr(self, name)],
            "exact peg-out" if self.exact else "",
            "nineteen for nothing" if self.nineteen else "",
            "the deal alternates" if self.alternate else "",
            "a cut before every game" if self.cut_each_game else "",
            "five-card cribbage" if self.five_card else "",
            "two for a misdeal" if self.misdeal else "",
            f"too many cards as in {self.too_many}" if self.too_many != IN_FORCE else "",
        ]
        return [words for words in said if words]


def _usual(options: Options, option: Any) -> bool:
    return bool(getattr(options, option.name) == option.default)


def word(value: object) -> str:
    """A value as it is typed."""
    return {False: "off", True: "on"}[value] if isinstance(value, bool) else str(value)


def allowed(name: str) -> str:
    """The values of an option in words."""
    values = next(option.metadata["allowed"] for option in fields(Options) if option.name == name)
    return "0 or 15 to 90" if values is SECONDS else " or ".join(values)


def table() -> list[tuple[str, str, str, str]]:
    """Name, default, allowed values and sentence of each."""
    return [
        (option.name, word(option.default), allowed(option.name), option.metadata["says"]) for option in fields(Options)
    ]


def read_options(words: Iterable[str]) -> Options:
    """From words like `muggins=on`; raises OptionError for one that cannot be."""
    known = {option.name: option.metadata["allowed"] for option in fields(Options)}
    values: dict[str, Any] = {}
    for given in words:
        name, _, value = given.partition("=")
        name = name.strip().replace("-", "_")
        _check_name(name, known)
        if value.strip() not in known[name]:
            raise OptionError(f"{name} cannot be {quote(value)}; it is {allowed(name)}, like {name}={_example(name)}")
        values[name] = known[name][value.strip()]
    return Options(**values)


def from_values(values: Mapping[str, Any]) -> Options:
    """From values by name, as `to_json` gives them; the others are as usual. OptionError is for what cannot be."""
    for name in values:
        _check_name(name, [option.name for option in fields(Options)])
    return Options(**values)


def _check_name(name: str, known: Iterable[str]) -> None:
    if name not in known:
        raise OptionError(f"there is no option {quote(name)}; the options are {', '.join(known)}")


def _example(name: str) -> str:
    return "30" if name == "time_limit" else allowed(name).split(" or ")[-1]
