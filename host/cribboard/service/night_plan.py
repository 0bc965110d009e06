"""Who plays whom: the acts that plan the rounds of a night, again from any round on."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from cribboard.league.acts import PHONE, STAFF, Act
from cribboard.league.partners import partners
from cribboard.league.plan import Pair, Pairing, Past, makeup, plan
from cribboard.league.rules import Rules
from cribboard.league.state import DISPUTED, Match, State
from cribboard.league.swiss import swiss
from cribboard.service.night_wish import PAIRS, PARTNERS, SWISS
from cribboard.store.contests import Night

CHANCE: Callable[[], Random] = lambda: Random(secrets.randbits(64))  # noqa: E731, S311 (a draw is no secret)


@dataclass(frozen=True)
class Actor:
    """Who does something: a device as the history names it, and whether it directs the night."""

    by: str
    director: bool

    @property
    def source(self) -> str:
        """Where what it does comes from."""
        return STAFF if self.director else PHONE


def planned(night: Night, state: State, first: int, actor: Actor, *, keep: bool = True) -> list[Act]:
    """The acts that plan the rounds from one on: what was to come is withdrawn, what was played stays.

    `keep` those who were to play each other together, as far as that is fair.
    """
    acts = [Act(number=0, kind="plan", source=actor.source, who=actor.by, round=first)]
    if len(state.here) < 2:
        return acts
    sides = sides_here(night, state)
    matches = [match for match in state.live() if match.round < first and not match.is_bye]
    if first <= night.contest.rounds:
        for number, row in enumerate(_drawn(night, state, sides, matches[:], first, keep), first):
            matches += row
            acts += _round_acts(actor, state, number, row)
    # Rounds beside the plan, for those who had played less: by now these may be others.
    last = max(first - 1, night.contest.rounds)
    for number in sorted({match.round for match in state.live() if match.round > last}):
        row = one_more(night, sides, matches, number)
        matches += row
        acts += [match_act(actor, number, match.sides, match.table) for match in row]
    return acts


def next_round(night: Night, state: State, number: int, actor: Actor) -> list[Act]:
    """The acts that draw one more round of a Swiss night, when the one before is over."""
    acts = []
    for match in state.live():
        if match.round == number:  # a bye of a round whose matches were all struck
            match.void = "planned again"
            struck = Act(number=0, kind="correct", source=actor.source, who=actor.by, match=match.number)
            acts.append(replace(struck, text=match.void))
    before = [match for match in state.live() if match.round < number and not match.is_bye]
    drawn = _drawn(night, state, sides_here(night, state), before, number, keep=True)
    return acts + [act for row in drawn for act in _round_acts(actor, state, number, row)]


def _round_acts(actor: Actor, state: State, number: int, row: Sequence[Match]) -> list[Act]:
    busy = {who for match in row for who in match.players}
    byes = [match_act(actor, number, ((who,),), 0) for who in state.here if who not in busy]
    return [match_act(actor, number, match.sides, match.table) for match in row] + byes


def one_more(night: Night, sides: Mapping[int, Sequence[int]], played: Sequence[Match], number: int) -> list[Match]:
    """A round for those who have played fewer of these matches than others, all if they are equal; it may be empty."""
    games = Counter(who for match in played for who in match.players)
    if len(sides) < 2:
        return []
    pairs = makeup({who: games[who] for who in sides}, CHANCE())
    drawn: list[Sequence[Sequence[int]]] = [(sides[one], sides[other]) for one, other in pairs]
    tables = night.contest.tables
    if night.contest.draw == PARTNERS:  # one alone has no partner: the side of a match is drawn, too
        least = [who for pair in pairs for who in pair]
        fours = partners(least, len(tables), 1, CHANCE(), past_fours(played, number)) if len(least) > 3 else [[]]
        drawn = [*fours[0]]
    return [Match(0, number, tables[at % len(tables)], tuple(map(tuple, each))) for at, each in enumerate(drawn)]


def _drawn(
    night: Night,
    state: State,
    sides: Mapping[int, Sequence[int]],
    before: Sequence[Match],
    first: int,
    keep: bool,
) -> list[list[Match]]:
    """The matches of the rounds from one on, as far as they can be known."""
    contest = night.contest
    rows: list[list[tuple[Sequence[Sequence[int]], int]]]
    if contest.draw == PARTNERS:
        many, past = contest.rounds - first + 1, past_fours(before, first)
        rounds = partners(state.here, len(contest.tables), many, CHANCE(), past)
        rows = [[*zip(fours, contest.tables, strict=False)] for fours in rounds]
    else:
        if len(sides) < 2:
            return []
        if contest.draw == SWISS:
            # Who plays next depends on this round's results: the following ones are drawn when it is over.
            if not all(is_decided(match, night.rules) for match in before):
                return []
            pairings = [_swiss(night, state, before)]
        else:
            after = [match for match in state.live() if match.round >= first and not match.is_bye and keep]
            pairings = _paired(night, state, sides, before, after, first)
        rows = [[((sides[each.pair[0]], sides[each.pair[1]]), each.table) for each in row] for row in pairings]
    return [
        [Match(0, number, table, tuple(map(tuple, sides))) for sides, table in row]
        for number, row in enumerate(rows, first)
    ]


def match_act(actor: Actor, number: int, sides: Sequence[Sequence[int]], table: int) -> Act:
    """The act that makes a match of a round; with one side it is a bye."""
    home = (*sides[0], None)[:2]
    away = (*sides[1], None)[:2] if len(sides) > 1 else (None, None)
    act = Act(number=0, kind="match", source=actor.source, who=actor.by, round=number, table=table, first=0)
    return replace(act, home=home[0], home_partner=home[1], away=away[0], away_partner=away[1])


def sides_here(night: Night, state: State) -> dict[int, tuple[int, ...]]:
    """Who can play, by the first of each side: the drawn pairs on a night of pairs, else everybody alone.

    Those who have no partner yet are drawn each time this is asked.
    """
    return _drawn_pairs(state) if night.contest.draw == PAIRS else {who: (who,) for who in state.here}


def _drawn_pairs(state: State) -> dict[int, tuple[int, ...]]:
    """The drawn pairs by the first of each: as they were last, and of those who have no partner here new ones."""
    pairs: dict[int, tuple[int, ...]] = {}
    alone = [*state.here]
    for match in reversed(state.matches.values()):
        for side in match.sides:
            if len(side) == 2 and {*side} <= {*alone}:
                pairs[side[0]] = side
                alone = [who for who in alone if who not in side]
    CHANCE().shuffle(alone)
    together = dict(sorted(pairs.items()))
    return together | {one: (one, other) for one, other in zip(alone[::2], alone[1::2], strict=False)}


def _paired(
    night: Night,
    state: State,
    sides: Mapping[int, Sequence[int]],
    before: Sequence[Match],
    after: Sequence[Match],
    first: int,
) -> list[list[Pairing]]:
    contest = night.contest
    on_boards = Counter(who for match in before if match.table in contest.boards for who in match.players)
    past = Past(tuple(map(tuple, _rounds(before, range(1, first)))), on_boards)
    to_come = range(first, contest.rounds + 1)
    drawn = _rounds(after, to_come) if after else ()
    pins = {name: state.pins[who] for name, side in sides.items() for who in side if who in state.pins}
    tables, boards = contest.tables, contest.boards
    return plan(list(sides), tables, len(to_come), CHANCE(), boards=boards, past=past, pins=pins, drawn=drawn)


def _rounds(matches: Sequence[Match], numbers: Sequence[int]) -> list[list[Pair]]:
    """The pairs of these rounds, whoever deals first in front; of a drawn pair the first stands for both."""
    rounds: dict[int, list[Pair]] = {number: [] for number in numbers}
    for match in matches:
        if match.round in rounds:
            one, other = match.sides[0][0], match.sides[1][0]
            rounds[match.round].append((one, other) if match.first == 0 else (other, one))
    return list(rounds.values())


def _swiss(night: Night, state: State, before: Sequence[Match]) -> list[Pairing]:
    met = {frozenset(match.players) for match in before}
    byes = Counter(match.players[0] for match in state.live() if match.is_bye)
    order = [int(row.who) for row in state.standings(night.rules) if row.who in state.here]
    if not before:
        CHANCE().shuffle(order)
    pairs, _ = swiss(order, met, byes)
    return [Pairing(pair, table) for pair, table in zip(pairs, night.contest.tables, strict=False)]


def past_fours(before: Sequence[Match], first: int) -> list[list[tuple[tuple[int, int], tuple[int, int]]]]:
    rounds: list[list[tuple[tuple[int, int], tuple[int, int]]]] = [[] for _ in range(first - 1)]
    for match in before:
        if all(len(side) == 2 for side in match.sides):
            one, other = match.sides
            rounds[match.round - 1].append(((one[0], one[1]), (other[0], other[1])))
    return rounds


def first_to_plan(state: State) -> int:
    """The first round that can be planned again: the one after those of which a match has begun."""
    return max((match.round for match in state.live() if begun(match)), default=0) + 1


def is_decided(match: Match, rules: Rules) -> bool:
    """Whether a match has been played to its end, and nobody quarrels about it."""
    return match.over(rules) and not any(leg.state == DISPUTED for leg in match.legs.values())


def begun(match: Match) -> bool:
    """Whether a match was called, or anybody has said anything of it."""
    return not match.is_bye and (match.called or any(leg.said for leg in match.legs.values()))
