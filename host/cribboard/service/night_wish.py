"""How a night is to be: a wish read from a page, and what would come of it, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from cribboard.amounts import amount
from cribboard.errors import ArgumentError
from cribboard.league.plan import MOST_PLAYERS, check
from cribboard.league.rules import OWN, own_rules, preset, read_rules
from cribboard.names import check_line, check_names
from cribboard_core.cards import quote

MINUTES = 20  # for a game to 121, with looking for the table
MOST_WOODEN = 100
LEAST_ROUNDS, MOST_ROUNDS = 3, 12  # of an evening whose rules and director say none
ALL, SWISS, PAIRS, PARTNERS = "all", "swiss", "pairs", "partners"  # pairs: drawn once, then they stay


@dataclass(frozen=True)
class Wish:
    """How a night is to be: who is in, by which rules, at which tables, for how long, and who plays whom."""

    names: tuple[str, ...]
    preset: str
    boards: tuple[int, ...]
    wooden: int
    rounds: int
    draw: str
    name: str = ""
    rules: Mapping[str, object] = field(default_factory=dict)  # those of the preset, with what was chosen otherwise

    @property
    def minutes(self) -> int:
        """How long a match takes; of best of several the mean of the fewest and the most games."""
        best_of = read_rules(self.rules).best_of
        return MINUTES * (best_of // 2 + 1 + best_of) // 2

    @property
    def tables(self) -> int:
        """How many tables there are."""
        return len(self.boards) + self.wooden


def read_wish(order: Mapping[str, object], boards: Sequence[int]) -> Wish:
    """A night as a page asks for it; raises ArgumentError that says what is wrong with which value."""
    known = {"names", "preset", "own", "best_of", "boards", "wooden", "rounds", "draw", "name", "key"}
    if more := set(order) - known:
        raise ArgumentError(f"a night has no {quote(min(more))}", f"it has {', '.join(sorted(known))}")
    names = order.get("names", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names) or len(names) > MOST_PLAYERS:
        raise ArgumentError("the names are no list of names", f"send up to {MOST_PLAYERS}")
    named = str(order.get("preset", "club"))
    if named != OWN and not preset(named).night:
        raise ArgumentError(f"the rules {quote(named)} are for teams", "choose rules for an evening of players")
    worth = own_rules(order.get("own", {})) if named == OWN else preset(named).rules
    rules = {**worth, "best_of": order.get("best_of", worth.get("best_of", 1))}
    read = read_rules(rules)
    draw = order.get("draw") or (PARTNERS if read.partners else ALL)
    if draw not in (ALL, SWISS, PAIRS, PARTNERS) or (draw == PARTNERS) != read.partners:
        raise ArgumentError(
            f"who plays whom cannot be {quote(draw)}", "choose all, swiss or pairs; partners go by their rules"
        )
    chosen = order.get("boards", list(boards))
    if not isinstance(chosen, list) or any(type(each) is not int or each not in boards for each in chosen):
        raise ArgumentError(f"the tables with a board are not {quote(chosen)}", f"choose among {list(boards)}")
    wooden = whole_number(order.get("wooden", 0), "wooden tables", 0, MOST_WOODEN)
    title = order.get("name", "")
    if not isinstance(title, str):
        raise ArgumentError(f"{quote(title)} is no name for a night", "send its name")
    title = check_line("the night's name", title)
    tidy = tuple(check_names([name for name in names if name.strip()]))
    wish = Wish(tidy, named, tuple(dict.fromkeys(chosen)), wooden, 0, str(draw), title, rules)
    usual = read.rounds or MOST_ROUNDS
    if draw in (ALL, PAIRS):
        sides = len(tidy) // 2 if draw == PAIRS else len(tidy)
        usual = min(usual, max(LEAST_ROUNDS, _until_all_have_met(sides, wish.tables)))
    return replace(wish, rounds=whole_number(order.get("rounds") or usual, "rounds", 1, 60))


def _until_all_have_met(players: int, tables: int) -> int:
    """The rounds until everybody has met everybody."""
    pairs, at_once = players * (players - 1) // 2, min(tables, players // 2)
    return -(-pairs // max(1, at_once))


def whole_number(value: object, what: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ArgumentError(f"{what}: {quote(value)}", f"use a whole number from {least} to {most}")
    return value


def preview(wish: Wish, now: datetime) -> str:
    """What comes of a wish, in a sentence with the time of the house; raises ArgumentError if nothing can."""
    count, rounds = len(wish.names), wish.rounds
    check(range(count), range(wish.tables), rounds)
    if wish.draw in (PAIRS, PARTNERS) and count < 4:
        raise ArgumentError(f"{count} players make no two pairs", "partners are drawn among four or more")
    if wish.draw == PAIRS and count % 2:
        raise ArgumentError(f"{count} players leave one without a partner", "add one, or choose who waits")
    seats = 4 if wish.draw in (PAIRS, PARTNERS) else 2
    games = min(wish.tables, count // seats) * rounds
    sides = count // 2 if wish.draw == PAIRS else count
    pairs = sides * (sides - 1) // 2
    if wish.draw == PARTNERS:
        meets = "a new partner each round" if rounds < count else "partners by turns"
    elif wish.draw == SWISS:
        meets = "those who stand about equal meet"
    elif games >= pairs:
        meets = "everybody meets" if games == pairs else "everybody meets, some again"
    else:
        each, rest = divmod(games * 2, sides)
        meets = f"{amount(each, 'game')} each" if not rest else f"{each} or {each + 1} games each"
    idle = count - seats * min(wish.tables, count // seats)
    sits = f", {idle} sit{'s' * (idle == 1)} out by turns" if idle else ""
    minutes = rounds * wish.minutes
    until = now + timedelta(minutes=minutes)
    tables = amount(wish.tables, "table")
    people = f"{count} players in {sides} drawn pairs" if wish.draw == PAIRS else f"{count} players"
    parts = f"{people}, {tables}, {amount(rounds, 'round')}"
    return f"{parts}: {meets}{sits}, about {length(minutes)}, until {until:%H:%M}."


def length(minutes: int) -> str:
    """So many minutes as people say them, like `1 h 40`."""
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest:02}" if hours and rest else f"{hours} h" if hours else amount(rest, "minute")
