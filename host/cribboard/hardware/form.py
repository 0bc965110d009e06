"""A form for what only a built board shows: what to measure, how, what the model expects, and room for the figure."""

from __future__ import annotations

from collections.abc import Iterator

from cribboard.hardware import ratings
from cribboard.hardware.case import Case
from cribboard.hardware.description import Description
from cribboard.hardware.ratings import budget
from cribboard.hardware.shape import Layout
from cribboard_fw.power import CONTROLLER_MA

Row = tuple[str, str, str]  # what, how, what is expected
HEAD = "| what | how to measure it | expected | measured |\n|---|---|---|---|"


def form(board: Description) -> str:
    """The form as Markdown."""
    parts = [f"# Measured on “{board.name}”", "", "Built by: ______  Date: ______  Strip, maker and reel: ______", ""]
    for title, rows in (
        ("Sheet and print", _workshop(board)),
        ("Resistance, without power", _ohms(board)),
        ("Current", _currents(board)),
        ("Voltage and heat", _volts(board)),
        ("Light", _light(board)),
        ("Sound, start and flash", _rest(board)),
    ):
        parts += [f"## {title}", "", HEAD, *(f"| {what} | {how} | {expected} | |" for what, how, expected in rows), ""]
    return "\n".join(parts)


def _workshop(board: Description) -> Iterator[Row]:
    shape, case = board.shape, Case(Layout(board))
    yield "thickness of the sheet", "calliper, four places", f"{shape.thickness_mm:g} mm"
    yield "kerf", "ten squares of the comb, pushed together", "0.1 to 0.25 mm"
    yield "a light guide on a strip", "push it on along a whole street", "by hand, no pixel under a wall"
    yield "depth inside", "calliper, between face and back", f"{case.depth:g} mm"
    yield "highest part on the back", "calliper", f"less than {case.depth - 8:g} mm below a light guide"
    yield "printing time, filament", "the printer's own figures", "those of `cribboard hardware case`"
    yield "hours of work, each step", "a watch", "an evening, a day, an evening"


def _ohms(board: Description) -> Iterator[Row]:
    ohm = ratings.STRIP_OHM if board.shape.strip_mm else ratings.wire_ohm(board.supply.wire_mm2)
    rail = ohm * board.track_m
    yield "5 V, first to last pixel of track 1", "meter, minus its leads", f"{rail:.2f} Ω, and the joints"
    yield "GND, first to last pixel of track 1", "the same", f"{rail:.2f} Ω, and the joints"
    yield "5 V to GND at the terminals", "after 30 s", "more than 100 Ω"


def _currents(board: Description) -> Iterator[Row]:
    found = budget(board)
    yield "controller alone", "strips not connected", f"{CONTROLLER_MA} mA"
    yield "all lights dark", "meter in series with the fuse; add the controller's", f"{found.idle_ma} mA"
    yield "in the middle of a game", "the mean of a minute", f"{found.game_ma} mA"
    yield "a win", "the highest reading", f"{min(found.show_ma, found.worst_ma)} mA"
    yield "the limit", "brightness 100, a win", f"no more than {found.limit_ma} mA"
    yield "inrush", "scope and 0.1 Ω, or: does a port switch off?", "a port of a computer stays on"


def _volts(board: Description) -> Iterator[Row]:
    found = budget(board)
    yield "lost in the wires to the strips", "terminal to first pixel, at a win", f"{found.drop_mv} mV a metre or less"
    yield "lost along a track", "first to last pixel, at a win, 5 V and GND", f"{found.strip_drop_mv} mV or less"
    yield "data, a one", "scope at DIN", f"more than {ratings.STRIP_HIGH_V:g} V"
    yield "a wire, after an evening", "a finger, or a thermometer", "less than 10 K above the room"
    yield "the fuse, after an evening", "the same", "less than 20 K above the room"


def _light(board: Description) -> Iterator[Row]:
    yield "light in a neighbour's hole", "a phone's camera, one pixel lit: brightest point", "less than a tenth"
    yield "light through the sheet", "a dark room, all white", "none beside the holes"
    yield "evenness", "camera, white, every hole of a street", "darkest at least 0.7 of brightest"
    yield "a glow when dark", "a dark room, a new game", "none"
    yield "colours told apart", "somebody with a colour weakness names all pegs", "all of them"


def _rest(board: Description) -> Iterator[Row]:
    if board.piezo:
        yield "loudness of a tick", "phone at 0.5 m", "heard beside talk, 50 to 65 dB"
    yield "from plug to pegs", "film it", "1.6 s"
    yield "bounce of a button", "scope, 50 presses", "less than 10 ms"
    yield "power cut while it pegs", "a relay in the USB cable, 200 times", "the score before or after, never another"
    yield "a night under power", "leave it on", "the game is still there, nothing is warm"
