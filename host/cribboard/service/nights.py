"""A night begun at the kiosk, and what goes on by itself: games that boards have won, and calls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from functools import partial

from cribboard.errors import ArgumentError
from cribboard.league.acts import BOARD, Act
from cribboard.league.state import State
from cribboard.service.night_plan import Actor, is_decided, next_round, planned
from cribboard.service.night_view import EVENING
from cribboard.service.night_wish import SWISS, Wish, preview
from cribboard.store import Store
from cribboard.store.contests import Contest, Night


def begin(store: Store, wish: Wish, actor: Actor, now: datetime, director: str = "") -> Night:
    """Begin a night and draw it; raises ArgumentError if that cannot be, or if another night is on."""
    preview(wish, now)
    if (on := store.running_contest()) is not None:
        began = (store.contest(on).contest.began or now).astimezone()
        since = f"{began:%H:%M}" if now - began < EVENING else f"{began.day} {began:%B %Y}"  # one that was reopened
        raise ArgumentError(f"another night is on, since {since}", "close it first")
    contest = Contest(
        name=wish.name,
        rules=json.dumps(dict(wish.rules)),
        preset=wish.preset,
        draw=wish.draw,
        rounds=wish.rounds,
        boards=wish.boards,
        wooden=wish.wooden,
        minutes=wish.minutes,
        director=director,
    )
    number = store.begin_contest(contest, wish.names)
    store.act(number, lambda night, state: planned(night, state, 1, actor))
    return tick(store, number, {})


def tick(store: Store, number: int, uids: Mapping[int, str]) -> Night:
    """Take in the games that boards have won, and call what can begin; `uids` are the boards of the tables."""
    night = store.contest(number)
    for decide in (partial(_won, store, uids=uids), partial(_calls, store)):  # a win frees a table for the next call
        if night.contest.closed is None and decide(night, night.state):
            night = store.act(number, decide)
    return night


def _won(store: Store, night: Night, state: State, *, uids: Mapping[int, str]) -> list[Act]:
    """The games that were won at the boards of called matches, by those who play there."""
    taken = {leg.board[0] for match in state.matches.values() for leg in match.legs.values() if leg.board}
    reports = []
    for match in state.live():
        uid = uids.get(match.table, "")
        if not uid or not match.called or match.is_bye or match.over(night.rules):
            continue
        players = [[night.players.get(who) for who in side] for side in match.sides]
        leg = match.next_leg()
        for game, side in store.board_games(uid, _marked(night, match.number), night.rules.target, players):
            if game not in taken and leg <= night.rules.best_of:
                taken.add(game)
                number = match.number
                reports.append(Act(number=0, kind="report", source=BOARD, match=number, leg=leg, game=game, side=side))
                leg += 1
    return reports


def _marked(night: Night, match: int) -> int:
    """The newest game of the history when a match was called: the match's games come after it."""
    return next((act.game or 0 for act in reversed(night.acts) if act.kind == "call" and act.match == match), 0)


def _calls(store: Store, night: Night, state: State) -> list[Act]:
    """What can begin now; of a Swiss night that has played a round also the next one."""
    contest = night.contest
    rules = night.rules
    live = [match for match in state.live() if not match.is_bye and match.round <= contest.rounds]
    if contest.draw == SWISS and not state.closed and live and all(is_decided(match, rules) for match in live):
        last = max(match.round for match in live)
        if last < contest.rounds and len(state.here) > 1:
            return next_round(night, state, last + 1, Actor("", True))
    # Games that these two played at that board before the call are theirs alone: the mark tells them from the match's.
    mark = store.last_game()
    due = state.due(rules, contest.tables)
    return [Act(number=0, kind="call", match=match, table=table, game=mark or None) for match, table in due]
