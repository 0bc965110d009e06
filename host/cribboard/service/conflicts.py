"""Whether an order still fits what somebody else has done since its sender looked."""

from __future__ import annotations

from cribboard.service.orders import Order, OrderError
from cribboard.service.table import Mark, Table
from cribboard_core.events import DEAL, NEW, RESTORE


def check_seen(table: Table, order: Order, by: str) -> None:
    """Refuse an order whose sender did not know what somebody else has done to the same sides or deal."""
    seen, fast = order.seen, table.restraint.is_fast
    if seen is None or order.do in STEPS:
        return
    oldest = table.marks[0].rev - 1 if table.marks else table.board.standing.rev
    # What has been let go may be just what this sender has not seen.
    if not oldest <= seen <= table.board.standing.rev:
        raise meanwhile("a lot has happened")
    for mark in table.marks:
        # A phone that scores without end would else keep every other one from scoring.
        held = _collide(table, order, mark) and (mark.kind in (DEAL, NEW, RESTORE) or not fast(mark.by))
        if mark.rev > seen and mark.by != by and held:
            raise meanwhile(mark.text.rstrip("."))


def passed(table: Table, order: Order, by: str) -> Mark | None:
    """The mark of the deal that somebody else has passed since, if this order wants the same; else None."""
    since = [mark for mark in table.marks if order.seen is not None and mark.rev > order.seen and mark.kind == DEAL]
    dealer = table.board.match.dealer
    if not since or since[-1].undone or since[-1].by == by or order.values.get("place", dealer) != dealer:
        return None
    return since[-1]


def is_late(table: Table, order: Order) -> bool:
    """Whether that side has scored since, so that these waiting points come too late."""
    side, seen = order.values["side"], order.seen
    return seen is not None and any(mark.rev > seen and side in mark.sides for mark in table.marks)


def _collide(table: Table, order: Order, mark: Mark) -> bool:
    if order.do == "new" or mark.kind in (NEW, RESTORE):
        return True
    if mark.kind == DEAL:
        return order.do in ("deal", "hand", "play")  # cards are those of a deal
    if order.do == "deal":
        return False
    side, back = order.values["side"], int(order.values.get("back", False))
    touched = {side, order.values["from"]} if order.do == "muggins" else set(table.words.touched(order.do, side, back))
    return bool(mark.sides & touched)  # a call that is wrong gives its points to the other side


def meanwhile(what: str) -> OrderError:
    return OrderError("seen", f"meanwhile: {what}", "look at the score, and send it again if it is still right", 409)


STEPS = ("undo", "redo", "correct", "allow")  # which name the event that they are about
