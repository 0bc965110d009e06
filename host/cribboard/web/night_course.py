"""The course of a night: orders carried out, what boards have won taken in, calls that phones follow."""

from __future__ import annotations

import asyncio

from cribboard.json_types import JsonObject
from cribboard.league.state import Match
from cribboard.service import night_orders, nights
from cribboard.service.night_plan import Actor
from cribboard.service.orders import OrderError
from cribboard.store import Store
from cribboard.store.contests import Night
from cribboard.web.kiosk import Kiosk
from cribboard.web.night_reader import NightReader
from cribboard.web.problem import Problem

TICK_S, AWAY_S = 1.0, 10.0


class NightCourse:
    """Moves the night that is on forward."""

    def __init__(self, kiosk: Kiosk, reader: NightReader) -> None:
        self._kiosk, self._reader = kiosk, reader
        self._mark: object = None  # of what the watch has seen
        self._called: dict[int, int] = {}  # the newest call of each night that phones have followed

    async def watch(self) -> None:
        """While a night is on, take in what boards have won and call what can begin."""
        while True:
            await asyncio.sleep(TICK_S)
            try:
                on, mark = await self._kiosk.history(lambda store: store.night_mark())
                if on is not None and mark != self._mark:
                    await self.tick(on)
                    self._mark = mark
            except Problem:
                await asyncio.sleep(AWAY_S)  # phones keep what they have to say

    async def do(self, number: int, actor: Actor, body: JsonObject) -> Night:
        """Carry out what a page asks for; raises OrderError if that cannot be."""
        refused: list[OrderError] = []

        def done(store: Store) -> Night | None:
            try:
                return night_orders.do(store, number, actor, body)
            except OrderError as error:
                refused.append(error)
                return None

        night = await self._kiosk.history(done)
        if night is None:
            raise refused[0]
        return night

    async def tick(self, number: int) -> Night:
        """Take in what boards have won, call what can begin, and let phones follow."""
        uids = {table: service.view.uid for table, service in self._kiosk.tables.services.items()}
        night = await self._kiosk.history(lambda store: nights.tick(store, number, uids))
        self._reader.forget()
        await self.follow(night)
        return night

    async def follow(self, night: Night) -> None:
        """Move each phone to the table to which its player is called, past its lock: once for a call or a claim."""
        done = self._called.get(night.contest.id, 0)
        fresh = [act for act in night.acts if act.kind in ("call", "move", "claim") and act.number > done]
        if not fresh:
            return
        self._called[night.contest.id] = fresh[-1].number
        state, services = night.state, self._kiosk.tables.services
        named = {act.match for act in fresh}
        claimed = {act.entrant or 0 for act in fresh if act.kind == "claim"}  # a phone that has come after its call
        for match in state.live():
            if not match.called or match.over(night.rules) or match.table not in services:
                continue
            for who in match.players if match.number in named else claimed.intersection(match.players):
                await self.bring(night, match, who)

    async def bring(self, night: Night, match: Match, who: int) -> None:
        """Move a player's phone to the table of their match, if it is somewhere else."""
        number = _number(night.state.entrants[who].phone)
        phone = self._kiosk.phones.find(number)
        if phone is not None and phone.state == "seated" and phone.table != match.table:
            side = match.side_of(who) or 0
            call_to = self._kiosk.phones.call_to
            await asyncio.to_thread(call_to, number, match.table, night.names[who], side + 1)


def _number(phone: str) -> int:
    number = phone.removeprefix("phone ")
    return int(number) if number.isdecimal() else 0
