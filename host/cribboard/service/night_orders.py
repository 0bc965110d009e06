"""Orders of players and the director on a night: who may give which, and each carried out once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cribboard.errors import ArgumentError
from cribboard.league.acts import Act
from cribboard.league.state import State
from cribboard.service.night_director import DirectorOrder
from cribboard.service.night_plan import Actor
from cribboard.service.night_player import PlayerOrder
from cribboard.service.orders import KEY, OrderError
from cribboard.store import Store
from cribboard.store.contests import Decide, Night
from cribboard_core.cards import quote

PLAYERS = ("claim", "release", "report", "agree", "wrong")
DIRECTS = (
    "settle",
    "walkover",
    "strike",
    "swap",
    "enter",
    "leave",
    "return",
    "give",
    "move",
    "pin",
    "more",
    "again",
    "attach",
    "adjust",
    "note",
    "close",
    "reopen",
)

WHEN_CLOSED = ("note", "close", "reopen")


def do(store: Store, number: int, actor: Actor, order: Mapping[str, object]) -> Night:
    """Carry out what a page asks for; raises OrderError or ArgumentError, and then changes nothing.

    An order that has come before does nothing: its answer was lost on the way, so the page sends it again.
    """
    what = order.get("do")
    if what not in PLAYERS + DIRECTS:
        raise OrderError("order", f"there is no {quote(what)} on a night", f"there are {', '.join(PLAYERS + DIRECTS)}")
    if what in DIRECTS and not actor.director:
        raise OrderError("staff", "only the director may do this", "ask whoever runs the night", 403)
    if not actor.by:
        raise OrderError("join", "this device has not joined the night", "scan its code on the screen", 403)
    key = order.get("key")
    if not isinstance(key, str) or not KEY.fullmatch(key):
        raise OrderError("order", f"the key {quote(key)} is not valid", "draw 16 to 40 new letters, digits, - and _")

    def open_still(night: Night, state: State) -> None:
        if state.closed and what not in WHEN_CLOSED:
            raise OrderError("closed", "this night is closed", "the director can reopen it, with a word why", 409)

    def once(decide: Decide) -> Night:
        def decided(night: Night, state: State) -> Sequence[Act]:
            if (actor.by, key) in state.keys:
                return []
            open_still(night, state)
            acts = decide(night, state)
            return [replace(acts[0], key=key), *acts[1:]] if acts else acts

        return store.act(number, decided)

    if what in PLAYERS:
        return once(getattr(PlayerOrder(actor, order), str(what)))
    directed = DirectorOrder(actor, order)
    if what == "attach":
        game = order.get("game")
        if type(game) is not int:
            raise ArgumentError(f"{quote(game)} is no number of a game", "the page History has it")
        sides = store.game_sides(game, store.contest(number).rules.target)
        return once(lambda night, state: directed.attach(night, state, game, sides))
    if what == "enter":
        name = order.get("name")
        if not isinstance(name, str):
            raise ArgumentError(f"{quote(name)} is no name", "write one")

        def planned_in(night: Night, state: State) -> Sequence[Act]:
            open_still(night, state)
            return directed.planned_in(night, state)

        return store.enter(number, name, replace(directed.act("enter"), key=key), planned_in)
    return once(directed.return_ if what == "return" else getattr(directed, str(what)))
