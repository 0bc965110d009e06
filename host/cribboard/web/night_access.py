"""Who may begin a night, who directs it, and what nobody may do to a match that is played."""

from __future__ import annotations

from cribboard.store.contests import Contest
from cribboard.web.identity import Visitor
from cribboard.web.kiosk import Kiosk
from cribboard.web.problem import Problem


def phone_of(visitor: Visitor) -> str:
    """The visitor's phone as acts name it; empty for a device that has joined nothing."""
    return f"phone {visitor.phone}" if visitor.phone else ""


def may_begin(kiosk: Kiosk, visitor: Visitor) -> bool:
    """Staff may; where there is no PIN, any phone that has joined."""
    return visitor.role == "staff" or (not kiosk.keys.now.pin and visitor.phone > 0)


def need_begin(kiosk: Kiosk, visitor: Visitor) -> None:
    """Raise Problem for whoever may not begin a night."""
    if not may_begin(kiosk, visitor):
        visitor.need_staff()


def directs(kiosk: Kiosk, visitor: Visitor, contest: Contest) -> bool:
    """Whether somebody directs a night: staff, or where there is no PIN the phone that has begun it."""
    mine = bool(contest.director) and contest.director == phone_of(visitor) and not kiosk.keys.now.pin
    return visitor.role == "staff" or mine


def need_director(kiosk: Kiosk, visitor: Visitor, contest: Contest | None) -> None:
    """Raise Problem for whoever does not direct a night; without one, for all but staff."""
    if contest is None or not directs(kiosk, visitor, contest):
        visitor.need_staff()


def need_no_match(played: bool) -> None:
    """Raise Problem for other names where a match is `played`: by both names the night finds its game."""
    if played:
        raise Problem(
            409,
            "match",
            "this is a league match, whose names stay until the night has its result",
            "the director can correct a name",
        )
