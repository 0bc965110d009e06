"""The players: each has a name, and earlier names still mean the same player."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, insert, select

from cribboard.errors import ArgumentError
from cribboard.names import check_name, key
from cribboard.store.schema import names, players

GUEST = "a guest"  # as whom pages show a player who was erased, also on a night that is on


def known(connection: Connection, name: str) -> int | None:
    """The id of the player with this name, or None."""
    return connection.execute(select(names.c.player).where(names.c.key == key(name))).scalar()


def seated(connection: Connection, name: str | None, now: datetime) -> int | None:
    """The id of the player with a name, made if need be; None (a guest) for an invalid or an erased one."""
    try:
        tidy = check_name(name or "")
    except ArgumentError:
        return None
    player = known(connection, tidy)
    if player is None and tidy != GUEST:
        made = connection.execute(insert(players).values(name=tidy, since=now)).inserted_primary_key
        player = int(made[0]) if made else 0
        connection.execute(insert(names).values(key=key(tidy), player=player))
    return player
