"""What help a visitor gets: none in a tournament, no counts where players count, and chances to win afterwards."""

from __future__ import annotations

from collections.abc import Callable

from cribboard.files import Entry
from cribboard.service.service import Service
from cribboard.service.view import RulesEntry
from cribboard.store import Store
from cribboard.web.identity import Visitor
from cribboard.web.kiosk import Kiosk
from cribboard.web.problem import Problem


def rules_of(kiosk: Kiosk, visitor: Visitor) -> RulesEntry | None:
    """The house rules of the game that is on at a phone's table; None without one, or when nobody touches it."""
    service = kiosk.tables.services.get(visitor.board or 0)
    return _rules_in_use(service) if service is not None else None


def is_tournament(kiosk: Kiosk, visitor: Visitor) -> bool:
    """Whether a tournament is on at a phone's table or, if it is no table's own device, at any that is in use."""
    if _is_tournament(rules_of(kiosk, visitor)):
        return True
    services = [] if visitor.here or visitor.role == "staff" else kiosk.tables.services.values()
    return any(_is_tournament(_rules_in_use(one)) for one in services)


def need_no_tournament(kiosk: Kiosk, visitor: Visitor) -> None:
    """Raise Problem for a phone that gets no help, since a tournament is on."""
    if is_tournament(kiosk, visitor):
        raise Problem(409, "tournament", "a tournament is on", "try again when its game is over")


def need_no_counting(kiosk: Kiosk, visitor: Visitor) -> None:
    """Raise Problem for a phone that gets no counts: by its table's rules or, without a game, in a tournament."""
    rules = rules_of(kiosk, visitor)
    if rules is None:
        need_no_tournament(kiosk, visitor)
    elif rules["manual"]:
        raise Problem(409, "counting", "the players count at this table", "say what the hand is worth")


async def replay(kiosk: Kiosk, visitor: Visitor, which: Callable[[Store], int | None]) -> Entry | None:
    """A game from the history, None for none; a game that is on shows no more than its rules let everybody see.

    With muggins a hand that was counted right is shown like one that was not. In a tournament there are no chances
    to win, which phones do not see of other games either while it is on.
    """

    def ask(store: Store) -> Entry | None:
        game = which(store)
        rules = _rules_of_game(kiosk, store, game)
        shown = store.game(game, plain=rules is not None and rules["options"]["muggins"]) if game else None
        if shown is None:
            return None
        return shown.entry(odds=not (_is_tournament(rules) or is_tournament(kiosk, visitor)))

    return await kiosk.history(ask)


def _rules_of_game(kiosk: Kiosk, store: Store, game: int | None) -> RulesEntry | None:
    """The house rules of a game, if it is on at one of the tables."""
    for service in kiosk.tables.services.values():
        rules = _rules_on(service)
        live = store.live(service.view.uid) if rules is not None and rules["words"] else None
        if live is not None and live.id == game:
            return rules
    return None


def _rules_on(service: Service) -> RulesEntry | None:
    """The house rules of the game that is on at a table; None without one."""
    state = service.view.entry()
    return state["rules"] if not state["winner"] else None


def _rules_in_use(service: Service) -> RulesEntry | None:
    """The same, but None when nobody has touched the table for so long that its lights are off."""
    return None if service.view.entry()["idle"]["dim"] else _rules_on(service)


def _is_tournament(rules: RulesEntry | None) -> bool:
    return rules is not None and rules["options"]["tournament"]
