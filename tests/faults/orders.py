"""A kiosk that is killed at each command and each write of an order: python -m faults.orders --seed 1

The real service's table and the real firmware stand at the two ends of a wire, as in tests/service. An order of each
kind is given, and the kiosk dies at one moment of it after the other: before and after each byte to and from the board,
before, in the middle of and after each write to the disk, and after all. Then it starts again. The table has to be as
if the order was carried out wholly or not at all, and the order that is sent again under its key completes it once. So
it has to be on a full disk, on which no file grows, and when somebody presses a button before the kiosk is back.
"""

from __future__ import annotations

import argparse
import errno
import os
import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from faults.ends import SCRATCH
from rigs.wired import Wire
from service.room import Room

from cribboard import slots
from cribboard.service.cards_log import KeptDeal
from cribboard.service.orders import KEYLESS, OrderError
from cribboard_core.events import PEG, Refused

Told = dict[str, Any]


class Died(BaseException):
    """The kiosk ends here and now."""


def do(what: str, **fields: Any) -> Told:
    return {"do": what, **fields}


MANUAL: Told = {"counting": "manual"}
MUGGINS: Told = {**MANUAL, "muggins": True}
OVERCOUNT: Told = {**MANUAL, "overcount": True}
PLAYROOM: Told = {"playroom": True}
LIMIT: Told = {**MANUAL, "time_limit": 30}
HAND = do("hand", side=1, cards=["4C", "5D", "6H", "6S"], again=True)  # with the nine of hearts 16
NOTHING = do("hand", side=1, cards=["2C", "4D", "6H", "8S"], claim=0, again=True)
NONE = do("hand", side=2, cards=["2C", "4D", "6H", "8S"], claim=0, again=True)
NO_CRIB = do("hand", side=2, cards=["TS", "QH", "6C", "KD"], claim=0, crib=True, again=True)
CRIB = do("hand", side=2, cards=["TS", "JH", "QC", "KD"], crib=True, again=True)
NEXT = do("hand", side=1, cards=["2H", "3H", "8H", "KC"], starter="KS")  # of the next deal
CUT, LED, ACE = do("starter", card="9H"), do("play", side=1, card="7C"), do("play", side=2, card="AS")
FIFTEEN, KING = do("play", side=2, card="8S"), do("play", side=1, card="KH")
LEADS = do("play", side=2, card="KC", again=True)  # in the next deal
PILE = [CUT, LED, ACE]
COUNTED = [*PILE, HAND, CRIB]
CLAIMED = [*PILE, {**HAND, "claim": 16}, {**CRIB, "claim": 5}]
SHORT = [*PILE, {**HAND, "claim": 12}]
RIGHT = do("correct", by="staff", points=16)  # the newest score
PLAY = [(1, "7H"), (2, "8S"), (1, "KD"), (2, "6D"), (1, "5C"), (2, "QS"), (1, "2H"), (2, "AS")]


def whole(starter: str) -> list[Told]:
    """A deal of which all cards were played."""
    cards = [do("play", side=side, card=card, again=True) for side, card in PLAY]
    return [do("starter", card=starter), *cards[:4], do("go", side=2), *cards[4:]]


@dataclass(frozen=True)
class Scene:
    """A game by these rules after some orders, and the order that is disturbed; without one the time is over."""

    before: list[Told]
    order: Told | None
    rules: Told | None = None


SCENES = {
    "peg": Scene(PILE, do("peg", side=1, points=3)),
    "nibs": Scene([CUT], do("nibs", side=2)),
    "go": Scene(PILE, do("go", side=2)),
    "penalty": Scene(PILE, do("penalty", side=1, points=2)),
    "set a score": Scene(PILE, do("set", side=1, front=30)),
    "deal": Scene(COUNTED, do("deal")),
    "undo of a peg": Scene([*PILE, do("peg", side=1, points=3)], do("undo")),
    "undo of a card": Scene([CUT, LED, FIFTEEN], do("undo")),
    "undo of a hand": Scene(COUNTED, do("undo")),
    "undo of a deal with cards": Scene([*COUNTED, do("starter", card="KC")], do("undo")),
    "redo of a card": Scene([CUT, LED, FIFTEEN, do("undo")], do("redo")),
    "redo of a deal": Scene([*COUNTED, do("starter", card="KC"), do("undo")], do("redo")),
    "a starter": Scene([], CUT),
    "another starter": Scene([CUT], do("starter", card="9D")),
    "a starter that passes the deal": Scene(COUNTED, do("starter", card="KC")),
    "a card without points": Scene(PILE, KING),
    "a card with points": Scene([CUT, LED], FIFTEEN),
    "a card that passes the deal": Scene(COUNTED, LEADS),
    "a card taken back": Scene(PILE, do("unplay", card="AS")),
    "a go is said": Scene([CUT, LED, FIFTEEN, KING], do("say_go", card="KH", goes=1)),
    "cards cleared": Scene(COUNTED, do("clear")),
    "the second of two claims of nothing taken back": Scene([*PILE, NONE, NO_CRIB], do("unclaim", side=2), MUGGINS),
    "a hand": Scene(PILE, HAND),
    "a hand with its starter": Scene([], {**HAND, "starter": "9H"}),
    "a crib": Scene(PILE, CRIB),
    "a hand of the next deal": Scene(COUNTED, NEXT),
    "a claim": Scene(PILE, {**HAND, "claim": 16}, MANUAL),
    "a claim with its starter": Scene([], {**HAND, "starter": "9H", "claim": 16}, MANUAL),
    "a claim too low": Scene(PILE, {**HAND, "claim": 12}, MUGGINS),
    "a claim of nothing": Scene(PILE, NOTHING, MUGGINS),
    "a claim too high": Scene(PILE, {**HAND, "claim": 20}, OVERCOUNT),
    "a claim in a playroom": Scene(PILE, {**HAND, "claim": 12}, PLAYROOM),
    "nothing claimed in a playroom": Scene(PILE, {**HAND, "claim": 0}, PLAYROOM),
    "a claim that wins": Scene([*PILE, do("set", side=1, front=118)], {**HAND, "claim": 20}, OVERCOUNT),
    "a claim for the next deal": Scene(CLAIMED, {**NEXT, "claim": 9}, OVERCOUNT),
    "a card claimed": Scene([CUT, {**LED, "claim": 0}], {**FIFTEEN, "claim": 2}, MANUAL),
    "a card claimed too low": Scene([CUT, LED], {**FIFTEEN, "claim": 1}, MUGGINS),
    "a card claimed as nothing": Scene([CUT, LED], FIFTEEN, MUGGINS),
    "a card claimed too high": Scene([CUT, LED], {**FIFTEEN, "claim": 4}, OVERCOUNT),
    "a card of nothing claimed too high": Scene(PILE, {**KING, "claim": 2}, PLAYROOM),
    "a claimed card that passes the deal": Scene(CLAIMED, {**LEADS, "claim": 2}, OVERCOUNT),
    "a card that ends a claim": Scene(SHORT, {**KING, "again": True}, MUGGINS),
    "muggins": Scene(SHORT, {**do("muggins", side=2, points=4), "from": 1}, MUGGINS),
    "muggins called wrong": Scene(SHORT, {**do("muggins", side=2, points=9), "from": 1}, MUGGINS),
    "undo of a claim": Scene(SHORT, do("undo"), MUGGINS),
    "undo after a claim was told": Scene([*SHORT, do("peg", side=2, points=1)], do("undo"), MUGGINS),
    "a hand too late": Scene(whole("4C"), None, LIMIT),
    "a hand of nothing too late": Scene(whole("JC"), None, LIMIT),
    "a new game": Scene(PILE, do("new", names=["Cid", "Dee"], dealer=2, target=61)),
    "a new game with rules": Scene(COUNTED, do("new", names=["Cid", "Dee"], rules=MUGGINS)),
    "a new game with handicaps": Scene(PILE, do("new", names=["Cid", "Dee"], rules=MANUAL, start=[5, 7])),
    "names": Scene(PILE, do("names", names=["Cid", "Dee"])),
    "a corrected peg": Scene([*PILE, do("peg", side=1, points=12)], RIGHT),
    "a corrected card": Scene([CUT, LED, FIFTEEN], RIGHT),
    "a corrected claim": Scene(SHORT, RIGHT, MUGGINS),
    "a line corrected again": Scene([*PILE, do("peg", side=1, points=12), RIGHT], {**RIGHT, "points": 14}),
    "undo of a correction": Scene([*SHORT, RIGHT], do("undo"), MUGGINS),
}

MOMENTS = 10  # of an order, about
PRESS = (PEG, 1, 1, 0, 0)  # Bob's +1 and OK
PARTS = ("sides", "dealer", "crib", "target", "winner", "table", "deal", "open", "count", "claims", "rules", "chances")
STEPS = ("rev", "undo", "redo")  # of which the numbers change when somebody presses in the middle


class Table(Room):
    """The table of a scene, at the moment before its order."""

    def __init__(self, folder: Path, scene: Scene) -> None:
        super().__init__(folder)
        self.scene = scene
        self.do("new", names=["Ann", "Bob"], dealer=2, rules=scene.rules or {})
        for order in scene.before:
            self.do(**self.aimed(order))
            self.now += 10
        self.board.poll()
        self.order = self.aimed(scene.order) if scene.order else None
        self.entry()  # the pages look, so the time begins

    def aimed(self, order: Told) -> Told:
        """An order with the number of the event that it is about."""
        if order["do"] == "correct":
            return {**order, "rev": self.table.lines()["lines"][0]["rev"]}
        step = self.entry()[order["do"]] if order["do"] in ("undo", "redo") else None
        return {**order, "rev": step["rev"]} if step else order

    def give(self, key: str = "k" * 20) -> None:
        """Give the order, or let the time pass."""
        if self.order is None:
            self.now += 40
            self.carrier.tick()
        else:
            self.do(key=key, **self.order)

    def dies(self, meanwhile: bool) -> None:
        """It was killed; it starts again, perhaps after somebody has pressed."""
        self.restart(killed=True, meanwhile=self.press if meanwhile else lambda: None)
        self.carrier.tick()

    def press(self) -> None:
        """Somebody presses a button, which does nothing after a win."""
        with suppress(Refused):
            self.firmware.keeper.do(PRESS)

    def hear(self) -> None:
        """The kiosk hears the button."""
        self.press()
        self.board.poll()

    def look(self, numbers: bool = True) -> Told:
        """What players see, with the numbers of events or without."""
        self.board.poll()
        entry = self.entry()
        shown = {part: entry[part] for part in (*PARTS, *(STEPS if numbers else ()))}
        if numbers:
            return {**shown, "cards": self.table.deal.now, "lines": self.table.lines()}
        laid = {pile: [_without(card, "at") for card in shown["table"][pile]] for pile in ("pile", "played")}
        count = shown["count"] and _without(shown["count"], "rev", "newest")
        return {**shown, "count": count, "table": {**_without(shown["table"], "go_at"), **laid}}

    def walk(self) -> list[Told]:
        """What undo leaves, one after the other, and what redo brings back."""
        seen = []
        for way in ("undo", "redo"):
            for _ in range(6):
                step = self.entry()[way]
                if step is None:
                    break
                try:
                    self.do(way, by="staff", rev=step["rev"])
                except OrderError as error:
                    seen.append({"refused": error.code})
                    break
                seen.append(self.look())
        return seen

    def leave(self) -> None:
        self.board._sender.ledger.close()


ORIGINALS = Wire.write, Wire.read, slots._write, KeptDeal._put, Path.replace


class Moments:
    """Counts the moments of an order at which a kiosk may die, and lets it die at one of them."""

    def __init__(self, number: int = -1) -> None:
        self.number = number
        self.names: list[str] = []
        self.dead = False

    def pass_by(self, name: str) -> None:
        """One of them; whoever is dead does nothing more."""
        if not self.dead:
            self.dead = len(self.names) == self.number
            self.names.append(name)
        if self.dead:
            raise Died

    @contextmanager
    def watching(self, full: bool) -> Iterator[None]:
        """While an order is carried out, on a disk that is `full` or has room."""
        real_write, real_read, real_slot, real_put, real_replace = ORIGINALS

        def write(wire: Wire, data: bytes) -> None:
            self.pass_by("before a frame")
            real_write(wire, data)
            self.pass_by("after a frame")

        def read(wire: Wire) -> bytes:
            data: bytes = real_read(wire)
            self.pass_by("after an answer")
            return data

        def slot(file: Any, at: int, data: bytes) -> None:
            self.pass_by("before a slot")
            real_slot(file, at, data[: len(data) // 2])
            self.pass_by("in a slot")
            real_slot(file, at, data)
            self.pass_by("after a slot")

        def put(deal: KeptDeal, path: Path, how: str, lines: Any) -> None:
            self.pass_by("before a line")
            if full:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            size = path.stat().st_size if how == "a" and path.exists() else 0
            real_put(deal, path, how, lines)
            data = path.read_bytes()
            if self.number == len(self.names):
                path.write_bytes(data[: size + (len(data) - size) // 2])
            self.pass_by("in a line")
            self.pass_by("after a line")

        def replace(path: Path, target: Any) -> Any:
            self.pass_by("before a file")
            if full:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            done = real_replace(path, target)
            self.pass_by("after a file")
            return done

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Wire, "write", write)
            patch.setattr(Wire, "read", read)
            patch.setattr(slots, "_write", slot)
            patch.setattr(KeptDeal, "_put", put)
            patch.setattr(Path, "replace", replace)
            yield


class Search:
    """Kills in one scene after the other; `wrong` are those that left a wrong table."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tables = 0
        self.figures: Counter[str] = Counter()
        self.wrong: list[str] = []

    @contextmanager
    def at(self, scene: Scene) -> Iterator[Table]:
        """A table of the scene."""
        self._tables += 1
        folder = self._folder / str(self._tables)
        folder.mkdir()
        with ExitStack() as stack:
            stack.callback(shutil.rmtree, folder)
            table = Table(folder, scene)
            stack.callback(table.leave)
            yield table

    def seen(self, scene: Scene, *what: Callable[[Table], None], numbers: bool = True) -> Told:
        """How the table stands after this."""
        with self.at(scene) as table:
            for one in what:
                one(table)
            return table.look(numbers)

    def scene(self, name: str, full: bool, pressed: bool, chosen: Callable[[int], bool] = lambda number: True) -> None:
        """Kill at the chosen moments of an order."""
        scene = SCENES[name]
        if pressed:
            fit = [
                self.seen(scene, *what, numbers=False)
                for what in ((Table.hear,), (Table.give, Table.hear), (Table.hear, refusable))
            ]
        else:
            fit = [self.seen(scene), self.seen(scene, Table.give)]
        with self.at(scene) as table:
            table.give()
            after = table.walk()
        moments = Moments()
        with self.at(scene) as table, moments.watching(full):
            table.give()
            moments.pass_by("after all")
        for number in range(len(moments.names)):
            if chosen(number):
                self.kill(scene, name, number, full, pressed, fit, after)

    def kill(
        self, scene: Scene, name: str, number: int, full: bool, pressed: bool, fit: list[Told], after: list[Told]
    ) -> None:
        """Kill at one moment, and look."""
        moments = Moments(number)
        with self.at(scene) as table:
            try:
                with moments.watching(full):
                    table.give()
                    moments.pass_by("after all")
            except Died:
                pass
            table.dies(pressed)
            self.figures["kills"] += 1
            where = f"{name}{', full disk' * full}{', pressed' * pressed}, {moments.names[-1]} ({number})"
            shown = table.look(not pressed)
            if shown not in fit:
                self.wrong.append(f"{where}: {differs(shown, fit)}")
                return
            self.figures["carried out"] += shown == fit[1]
            if scene.order is None or scene.order["do"] in KEYLESS:
                return
            refusable(table)
            shown = table.look(not pressed)
            if shown not in fit[1:]:
                self.wrong.append(f"{where}, sent again: {differs(shown, fit[1:])}")
                return
            if not pressed and (shown := table.walk()) != after:
                at = next((at for at, (one, other) in enumerate(zip(shown, after, strict=False)) if one != other), -1)
                self.wrong.append(f"{where}, step {at} of undo and redo: {differs(shown[at], after[at : at + 1])}")


def _without(entry: Told, *numbers: str) -> Told:
    """It without these numbers of events."""
    return {name: value for name, value in entry.items() if name not in numbers}


def refusable(table: Table) -> None:
    """The order, which may be refused: after a press it may no longer be right."""
    with suppress(OrderError):
        table.give()


def differs(shown: Told, fit: list[Told]) -> str:
    """What of a table is neither so nor so."""
    near = min(fit, key=lambda one: sum(shown.get(part) != one.get(part) for part in one))
    parts = [part for part in near if shown.get(part) != near[part]]
    return "; ".join(f"{part} {shown.get(part)!r} and not {near[part]!r}" for part in parts)


def main() -> int:
    parser = argparse.ArgumentParser(description="A kiosk that is killed at each command and each write of an order.")
    parser.add_argument("--kills", type=int, default=0, help="so many, drawn from all; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="print every wrong table, not one a scene")
    parser.add_argument("--scene", help="only this one")
    asked = parser.parse_args()
    began, chance = time.monotonic(), random.Random(asked.seed)
    cases = [(name, full, pressed) for name in SCENES for full in (False, True) for pressed in (False, True)]
    cases = [case for case in cases if asked.scene in (None, case[0])]
    share = asked.kills / len(cases) / MOMENTS if asked.kills else 1.0
    with tempfile.TemporaryDirectory(prefix="orders", dir=SCRATCH) as folder:
        search = Search(Path(folder))
        for name, full, pressed in cases:
            search.scene(name, full, pressed, lambda _: chance.random() < share)
    for what, count in sorted(search.figures.items()):
        print(f"{count:>7} {what}")
    printed = set()
    for text in search.wrong:
        if asked.verbose or text.split(",")[0] not in printed:
            print(text if asked.verbose else text[:400])
        printed.add(text.split(",")[0])
    print(f"wrong: {len(search.wrong)} of {search.figures['kills']} in {time.monotonic() - began:.0f} s")
    return bool(search.wrong)


if __name__ == "__main__":
    raise SystemExit(main())
