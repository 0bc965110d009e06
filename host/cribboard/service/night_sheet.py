"""Results from elsewhere for a night: the spreadsheets that people have."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from unicodedata import bidirectional

from cribboard.amounts import amount
from cribboard.errors import ArgumentError
from cribboard.league.acts import Act
from cribboard.league.entry import in_words as result_in_words
from cribboard.league.rules import named_lines
from cribboard.league.state import DISPUTED, SETTLED, Leg, Match, Scores, State
from cribboard.matches import Result
from cribboard.names import key as name_key
from cribboard.results import ResultFile
from cribboard.service.night_plan import Actor, match_act
from cribboard.service.night_wish import PAIRS, PARTNERS
from cribboard.store import Store
from cribboard.store.contests import Night
from cribboard_core.cards import quote


@dataclass(frozen=True)
class SheetLine:
    """A result of a sheet: its line, in words, and whether the night has it already."""

    line: int
    text: str
    known: bool


@dataclass(frozen=True)
class Sheet:
    """What a sheet comes to: its results, what was read otherwise than it is written, and what is wrong."""

    lines: tuple[SheetLine, ...]
    notes: tuple[str, ...]
    bad: tuple[str, ...]
    acts: tuple[Act, ...] = ()


def read_sheet(night: Night, text: str, actor: Actor, key: str) -> Sheet:
    """The results of a text for a night, by the reader that `cribboard sheet` has; nothing is written.

    A result that the night has already, as often as in the text, adds nothing. With anything `bad` there are no acts.
    """
    page = ResultFile("the list")
    results: list[tuple[int, Result]] = []
    page.read(0, f"# target: {night.rules.target}")
    for number, line in enumerate(io.StringIO(text), 1):
        before = len(page.lines)
        page.read(number, line.strip())
        results += [(number, result) for _, result in page.lines[before:] if result is not None]
    before = len(page.lines)
    page.end()
    results += [(0, result) for _, result in page.lines[before:] if result is not None]
    bad = [*page.bad, *(["the list: match cards and byes are for `cribboard sheet`"] if page.played else [])]
    if not results and not bad:
        bad.append("the list has no result; write one a line, like: Ann 121 Bob 88")
    entrants = {name_key(name): entrant for entrant, name in night.names.items()}
    here, lines, acts = _Known(night), list[SheetLine](), list[Act]()
    last = max([night.contest.rounds, *(match.round for match in night.state.live())])
    for number, result in results:
        sides = [name.split(" and ") if night.contest.draw in (PAIRS, PARTNERS) else [name] for name in result.names]
        strangers = [name for side in sides for name in side if name_key(name) not in entrants]
        if strangers or len(sides) != 2:
            why = f"{quote(strangers[0])} is not on the list; add them first" if strangers else "a game has two sides"
            bad.append(f"the list, line {number}: {why}")
            continue
        if result.target != night.rules.target:
            bad.append(f"the list, line {number}: a game to {result.target}; this night plays to {night.rules.target}")
            continue
        if result.round > last:
            rounds = amount(last, "round")
            bad.append(f"the list, line {number}: a game of round {result.round}; this night has {rounds}")
            continue
        both = [tuple(entrants[name_key(name)] for name in side) for side in sides]
        scores = (result.scores[0], result.scores[1])
        known = here.has(both, scores)
        lines.append(SheetLine(number, _in_words(night, both, scores), known))
        if not known:
            acts += here.acts(both, scores, actor, result.round, key if not acts else "")
    return Sheet(tuple(lines), tuple(page.notes), tuple(bad), () if bad else tuple(acts))


class _Known:
    """What a night has, while results are added to it."""

    def __init__(self, night: Night) -> None:
        self._night = night
        self._matches = [replace(match, legs=dict(match.legs)) for match in night.state.live()]
        self._last = night.acts[-1].number if night.acts else 0
        self._had: Counter[object] = Counter(
            _result_key(match.sides, leg.scores)
            for match in self._matches
            for leg in match.legs.values()
            if leg.scores is not None
        )

    def has(self, sides: Sequence[Sequence[int]], scores: Scores) -> bool:
        """Whether it is there, once more than was asked before."""
        result = _result_key(sides, scores)
        self._had[result] -= 1
        return self._had[result] >= 0

    def acts(self, sides: Sequence[tuple[int, ...]], scores: Scores, actor: Actor, number: int, key: str) -> list[Act]:
        """The acts that add a result: to a match that is open or disputed, else to one beside the plan."""
        wanted = _people(sides)
        match = next((each for each in self._matches if _people(each.sides) == wanted and self._is_open(each)), None)
        made: list[Act] = []
        if match is None:
            number = number or max(1, self._night.state.round(self._night.rules))
            match = Match(self._last + 1, number, 0, tuple(sides))
            self._matches.append(match)
            made.append(replace(match_act(actor, number, sides, 0), key=key))
            key = ""
        one, other = scores if sorted(match.sides[0]) == sorted(sides[0]) else scores[::-1]
        leg = next((at for at, each in match.legs.items() if each.state == DISPUTED), match.next_leg())
        match.legs[leg] = Leg(state=SETTLED, scores=(one, other))
        settled = Act(
            number=0, kind="settle", match=match.number, leg=leg, score=one, other_score=other, who=actor.by, key=key
        )
        made.append(replace(settled, text="from a list"))
        self._last += len(made)
        return made

    def _is_open(self, match: Match) -> bool:
        return not match.over(self._night.rules) or any(leg.state == DISPUTED for leg in match.legs.values())


def _people(sides: Sequence[Sequence[int]]) -> object:
    return sorted(sorted(side) for side in sides)


def _in_words(night: Night, sides: Sequence[Sequence[int]], scores: Scores) -> str:
    """The result as a phone says it, like `Ann 121 \u2013 88 Bob, by 33, a skunk`."""
    one, other = (_isolated(" and ".join(night.names[who] for who in side)) for side in sides)
    won = result_in_words(("", ""), scores, named_lines(night.rules)).strip()
    return f"{one} {scores[0]} \u2013 {scores[1]} {other}, {won}"


def _isolated(name: str) -> str:
    """A name among figures: one that is read from the right must not turn them round."""
    turns = any(bidirectional(letter) in ("R", "AL") for letter in name)
    return f"\u2068{name}\u2069" if turns else name


def _result_key(sides: Sequence[Sequence[int]], scores: Sequence[int]) -> object:
    return frozenset((tuple(sorted(side)), score) for side, score in zip(sides, scores, strict=True))


def take_sheet(store: Store, number: int, text: str, actor: Actor, key: str) -> Night:
    """Add the results of a text; raises ArgumentError that lists every bad line, and then adds nothing."""

    def taken(night: Night, state: State) -> Sequence[Act]:
        if (actor.by, key) in state.keys:
            return []
        if state.closed:
            raise ArgumentError("this night is closed", "reopen it first, with a word why")
        sheet = read_sheet(night, text, actor, key)
        if sheet.bad:
            many = f"{amount(len(sheet.bad), 'line')} cannot be taken"
            raise ArgumentError(many, "; ".join(sheet.bad[:20]))
        return sheet.acts

    return store.act(number, taken)
