"""A command without an answer, whose event is ruined before its host comes back: it does not count twice unsaid."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
from faults.cable import BoardPort
from faults.ends import SCRATCH, Firmware, Told, seated
from faults.pipes import Rates

from cribboard.errors import CommandError
from cribboard.sim.flash import PowerCut
from cribboard_core.events import DEAL, PEG
from cribboard_core.journal import PAGE
from cribboard_core.records import SLOT, place
from cribboard_fw.entry import Entry
from cribboard_fw.hosts import Hosts, Way
from cribboard_fw.links import PortLink

Event = tuple[int, ...]

POINTS, OWN = 7, 20  # of the command, and of its side's buttons
PEGGED = ("peg", 0, POINTS)
OTHERS = [
    ("deal", -1),
    ("undo", 3),
    ("hand", 0, "5H5C5SJD", "5D", 0, 29),
    ("penalty", 1, 1, 0),
    ("muggins", 0, 2, 1),
    ("set", 0, 9, 4),
    ("new", 3, 121, 3, 2, 0, -1, -1),
    ("restore", 3, 121, 3, 2, 0, 91, 61, "09040300", [0, 0]),
]
LATER = {
    "a score of each side": ((PEG, 0, OWN, 0, 0), (PEG, 1, 3, 0, 0)),
    "a score of its own side": ((PEG, 0, OWN, 0, 0),),
    "a score of the other side": ((PEG, 1, 3, 0, 0),),
    "the deal": ((DEAL, 1, 0, 0, 0),),
    "nothing": (),
}
RUINS = (
    "two bits",
    "a torn record",
    "an erased record",
    "its page erased",
    "its page zero",
    "the first page",
    "both snapshots",
)
UNSURE = ("may have counted, for the board can't read what came meanwhile; look at the score", "may or may not have")


def ruin(memory: bytearray, at: int, what: str) -> None:
    """Ruin the record at a place, or a page."""
    page = at // PAGE * PAGE
    if what == "two bits":
        memory[at + 3] ^= 9
    elif what == "a torn record":
        memory[at + 4 : at + SLOT] = b"\xff" * (SLOT - 4)
    elif what == "an erased record":
        memory[at : at + SLOT] = b"\xff" * SLOT
    elif what in ("the first page", "both snapshots"):
        pages = 1 if what == "the first page" else 2
        memory[: pages * PAGE] = bytes(pages * PAGE)
    else:
        memory[page : page + PAGE] = (b"\xff" if "erased" in what else b"\0") * PAGE


class SecondPort(Firmware):
    """A board at which a program may come by another port, with a newer session."""

    def boot(self, port: BoardPort) -> None:
        super().boot(port)
        self.hosts = Hosts(self.keeper)
        app = SimpleNamespace(entry=Entry(self.match, lambda *_: None), keeper=self.keeper, link=self.link, choose=None)
        app.entry.owner = [0] * len(app.entry.owner)  # type: ignore[assignment]
        self.link = PortLink(app, port, 0, self.hosts)  # type: ignore[arg-type]

    def unheard(self, event: Event) -> None:
        on_event, self.keeper.on_event = self.keeper.on_event, None
        session = (self.hosts.newest.session + 1) & 0xFFFF or 1
        assert event[0] == PEG
        self.hosts.command(["peg", session, 1, *event[1:3]], Way())
        self.keeper.on_event = on_event


def came_to(
    before: int,
    later: str,
    what: str,
    ending: str,
    *,
    erased: bool = False,
    command: tuple[object, ...] = PEGGED,
    kind: type[Firmware] = Firmware,
) -> str:
    """What the host says of the command, held against the board's score if it is a peg, else it counts but once."""
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        cable, firmware, host = seated(Rates(), 1, Path(folder), kind())
        for _ in range(before):
            host.do("peg", 1, 1)

        def cut(told: Told) -> None:
            firmware.applied.append(told)
            if told[2]:
                firmware.on_applied = firmware.applied.append
                raise PowerCut

        def meanwhile() -> None:
            """The board starts, somebody presses its buttons, its flash is ruined, and it starts again."""
            alone = kind(firmware.flash)
            alone.boot(None)  # type: ignore[arg-type]
            at = place(alone.keeper.journal.log.kept[-1])
            for event in LATER[later]:
                alone.unheard(event)
            if erased:
                alone.keeper.journal.roll(alone.match)
                at = place(alone.keeper.journal.log.kept[-1 - len(LATER[later])])
            ruin(firmware.flash.memory, at, what)
            firmware.on_power_cut = lambda: cable.strike("restart")
            cable.strike("restart")
            if ending == "kill":
                cable.strike("kill")

        firmware.on_applied, firmware.on_power_cut = cut, meanwhile
        said = ""

        def send() -> None:
            nonlocal said
            op, *args = command
            try:
                host.board.command(op, *args, key="hand")  # type: ignore[arg-type]
                said = "ok"
            except CommandError as error:
                said = error.code

        host.guard(send)
        answered = host.board.answer("hand")
        if not said:
            said = next(note for note in host.notes if "the last command" in note)
            said = "unknown" if any(unsure in said for unsure in UNSURE) else "ok" if "and counts" in said else "lost"
            assert (answered is not None) == (said != "lost"), said
        if said == "unknown":
            assert answered == (0, "")
        made = sum(1 for told in firmware.applied[before:] if told[2])
        counted = host.board.standing.front(0) % OWN  # what the buttons made may be lost, too
        host.board.close()
    if command != PEGGED:
        assert made == 1, f"it counted {made} times, and the host says {said}"
        return said
    assert counted <= POINTS, f"it counted twice, and the host says {said}"
    assert said == "unknown" or (said == "ok") == (counted == POINTS), f"{counted}, and the host says {said}"
    return said


@pytest.mark.parametrize("ending", ["restart", "kill"])
@pytest.mark.parametrize("erased", [False, True])
@pytest.mark.parametrize("later", list(LATER))
def test_a_command_whose_event_is_ruined_before_its_answer_counts_once_or_nobody_can_tell(
    later: str, erased: bool, ending: str
) -> None:
    places = (1,) if erased else (1, 20)  # in the middle and at the end of a page
    came = Counter(came_to(before, later, what, ending, erased=erased) for before in places for what in RUINS)
    assert came["ok"] and (came["unknown"] or later == "nothing" or erased), came


@pytest.mark.parametrize("ending", ["restart", "kill"])
@pytest.mark.parametrize("command", OTHERS, ids=[str(op) for op, *_ in OTHERS])
def test_so_does_every_other_command(command: tuple[object, ...], ending: str) -> None:
    said = came_to(3, "a score of each side", "two bits", ending, command=command)
    assert said == "unknown"


@pytest.mark.parametrize("ending", ["restart", "kill"])
def test_so_does_one_where_another_program_scored_by_a_second_port_meanwhile(ending: str) -> None:
    said = [came_to(3, "a score of each side", what, ending, kind=SecondPort) for what in RUINS[:2]]
    assert said == ["unknown", "unknown"]
