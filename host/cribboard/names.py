"""What people call a side: its number, its colour, or the name that it was given.

A name is text from anybody and is shown to everybody, so it is short, visible and cannot be taken for anything else.
Names belong to places at the table. With teams each partner may have one, and any of them means the side.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from cribboard.amounts import amount
from cribboard.errors import ArgumentError
from cribboard_core.cards import quote
from cribboard_core.events import PLACES
from cribboard_core.match import Match
from cribboard_core.sizes import side_count
from cribboard_core.variants import COLOURS, VariantError

MOST_CHARACTERS = 20
MOST_OF_TITLE = 40  # the name of a night, a season, a pub
# They join or part the letters of a script, or signs into one (a family, a flag): without them it reads the same.
JOINERS = {0x200C: None, 0x200D: None}
# Behind a sign or below a key cap they choose only whether it has colours.
COLOURED = re.compile(r"(?<=\W)[\ufe0e\ufe0f]|[\ufe0e\ufe0f](?=\u20e3)")
# Letters and marks that show nothing although Unicode calls them printable (its Default_Ignorable_Code_Point).
INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")


def check_names(names: Sequence[str]) -> list[str]:
    """The names of people, tidied, or ArgumentError for the first that cannot be one."""
    tidy = [check_person(name) for name in names]
    _check_apart(tidy)
    return tidy


def _check_apart(names: Sequence[str]) -> None:
    taken: set[str] = set()
    for name in names:
        if key(name) in taken:
            raise ArgumentError(f"two sides cannot both be called {quote(name)}", "capitals make no difference")
        taken.add(key(name))


def check_person(name: str) -> str:
    """A person's name as `check_name` has it; raises ArgumentError also for one of the computer's."""
    tidy = check_name(name)
    if is_computers(tidy):
        raise ArgumentError(f"the name {quote(tidy)} is the computer's", "choose another name")
    return tidy


def is_computers(name: str) -> bool:
    """Whether the history knows the computer by such a name, at whatever level."""
    return key(name).startswith("computer (")


def check_name(name: str) -> str:
    """The name in its composed form, without blanks around it; raises ArgumentError for what cannot be a name."""
    new = compose(name).strip()
    if not new:
        raise ArgumentError("a name is empty", "give it a letter at least")
    if len(new) > MOST_CHARACTERS:
        raise ArgumentError(f"the name {quote(new)} has {len(new)} characters", f"use at most {MOST_CHARACTERS}")
    _check_visible("the name", new)
    if unicodedata.combining(new[0]):
        raise ArgumentError(
            f"the name {quote(new)} begins with a mark that belongs on a letter", "put a letter before it"
        )
    if new.startswith("-"):
        raise ArgumentError(f"the name {quote(new)} begins like an option", "begin it with a letter")
    _check_confusion(new)
    return new


def check_line(what: str, line: str, most: int = MOST_OF_TITLE) -> str:
    """A line of text in its composed form, with one blank between its words; raises ArgumentError, also if it is long.

    `what` it is, such as "the note"; it may be empty.
    """
    new = compose(line).strip()
    if len(new) > most:
        raise ArgumentError(f"{what} {quote(new)} has {len(new)} characters", f"use up to {most} letters")
    _check_visible(what, new)
    return " ".join(new.split())


def _check_visible(what: str, text: str) -> None:
    seen = "".join([char for char in text if char.isprintable() and not _is_invisible(char)])
    if seen != COLOURED.sub("", text):
        raise ArgumentError(f"{what} {quote(seen)} has an invisible character", "leave it out, or take another sign")


def compose(text: str) -> str:
    """The text in its composed form, without what only joins its letters or signs."""
    return unicodedata.normalize("NFC", text.translate(JOINERS))


def _check_confusion(name: str) -> None:
    known = key(name)
    if all(char.isnumeric() or char in "+-.,_ " for char in known):
        raise ArgumentError(f"the name {quote(name)} is a number", "sides have numbers already; add a letter")
    if known in COLOURS:
        raise ArgumentError(f"the name {quote(name)} is a colour", "sides have colours already; take another word")


def key(name: str) -> str:
    """The form in which names are compared: without case and without differences that cannot be seen."""
    seen = COLOURED.sub("", compose(name))
    # Twice, since folding can leave what is to be composed again (Unicode's compatibility caseless matching).
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", seen).casefold()).strip()


def _is_invisible(char: str) -> bool:
    return char in INVISIBLE or "\ufe00" <= char <= "\ufe0f" or "\U000e0000" <= char <= "\U000e0fff"


class Names:
    """The words for the sides of a match, both ways. `given` has the names by place."""

    def __init__(self, match: Match, given: Mapping[int, str]) -> None:
        self._match = match
        self._given = {place: name for place, name in given.items() if 0 <= place < PLACES}

    def members(self, side: int) -> list[int]:
        """The places that play for a side."""
        return [place for place in self._match.seats if self._match.side_of(place) == side]

    def given(self, side: int) -> str:
        """The name of a side, of partners joined with `and`; empty when it has none."""
        return " and ".join([self._given[place] for place in self.members(side) if place in self._given])

    def name(self, side: int) -> str:
        """What a side is called inside a sentence: its name, else its colour."""
        return self.given(side) or COLOURS[side]

    def first(self, side: int) -> str:
        """What it is called at the start of a sentence; a name keeps its own letters."""
        return self.given(side) or COLOURS[side].capitalize()

    def player(self, place: int, *, start: bool = False) -> str:
        """What one player is called, inside a sentence or at its start: the own name, else the colour."""
        return self._given.get(place) or (COLOURS[place].capitalize() if start else COLOURS[place])

    def has(self, place: int) -> bool:
        """Whether a player was given a name."""
        return place in self._given

    def several(self, side: int) -> bool:
        """Whether the name is of more than one, for the verb."""
        return sum(place in self._given for place in self.members(side)) > 1

    def label(self, side: int) -> str:
        """Number, colour and name, like `1 orange (Ann)`."""
        given = self.given(side)
        return f"{side + 1} {COLOURS[side]}" + (f" ({given})" if given else "")

    def find_side(self, text: str) -> int:
        """The side that a number, a colour or a name means; partners mean their side."""
        return self._match.side_of(self.find_place(text))

    def find_place(self, text: str) -> int:
        """The place that a number, a colour or a name means; raises ArgumentError when nobody plays there."""
        wanted = key(text)
        place = _place(wanted)
        if place < 0:
            place = next((at for at, name in self._given.items() if key(name) == wanted), -1)
        if place < 0 and wanted:  # partners are called together what each is called
            place = next((side for side in self._match.sides if key(self.given(side)) == wanted), -1)
        if place in self._match.seats:
            return place
        sides = ", ".join([self.label(side) for side in self._match.sides])
        what = f"nobody plays at {place + 1} {COLOURS[place]}" if place >= 0 else f"there is no side {quote(text)}"
        raise ArgumentError(what, f"the sides are {sides}")


def _place(wanted: str) -> int:
    if wanted in COLOURS:
        return COLOURS.index(wanted)
    return int(wanted) - 1 if len(wanted) == 1 and wanted in "123456" else -1


def seated(match: Match, players: int, teams: int | None) -> tuple[tuple[int, ...], int]:
    """The places that play, and how many sides they are: as before where nothing else was said."""
    players = players or len(match.seats)
    as_before = players == len(match.seats)
    seats = match.seats if as_before else tuple(range(players))
    try:
        return seats, side_count(players, teams if teams is not None else teams_of(match) if as_before else 0)
    except VariantError as error:
        raise ArgumentError(str(error)) from error


def teams_of(match: Match) -> int:
    """The number of teams, 0 for singles."""
    return 0 if len(match.sides) == len(match.seats) else len(match.sides)


def people(names: Mapping[int, str]) -> dict[int, str]:
    """The names without the computer's, whose seat in the next game is anybody's."""
    return {place: name for place, name in names.items() if not is_computers(name)}


def called(
    given: Sequence[str | None], seats: Sequence[int], sides: int, before: Mapping[int, str] | None = None
) -> dict[int, str]:
    """Names by place: one for each player, or one for each side; where None is given it stays as `before`."""
    if len(given) not in (len(seats), sides):
        raise ArgumentError(
            f"there are {len(seats)} players, but {amount(len(given), 'name')}",
            "give each player a name, or leave all out",
        )
    kept = before or {}
    for seat, name in zip(seats, given, strict=False):
        if name is not None and is_computers(kept.get(seat, "")):
            raise ArgumentError(f"{quote(kept[seat])} keeps its name", "start a new game to play without the computer")
    names = {seat: kept.get(seat) if name is None else name for seat, name in zip(seats, given, strict=False)}
    by_place = {seat: name for seat, name in names.items() if name}
    _check_apart(list(by_place.values()))
    return by_place
