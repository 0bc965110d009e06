"""Whether a described board can be made, and whether its electricity can work and cannot burn."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from cribboard.hardware import feed, ratings
from cribboard.hardware.controllers import TAKE, Controller
from cribboard.hardware.description import Description, DescriptionError
from cribboard.hardware.drawing import AIR_MM, TEXT_MM
from cribboard.hardware.ratings import (
    best_limit_ma,
    both_ends,
    branch_ma,
    least_limit_ma,
    most_fuse_a,
    strip_drop_mv,
    worst_ma,
)
from cribboard.hardware.seams import seams
from cribboard.hardware.shape import LEAST, PIXEL_MM, TOO_SMALL, Layout, every_hole, pieces
from cribboard_fw.settings import HEADROOM_MA

# What a check has found, in words, and as an error.


@dataclass(frozen=True)
class Finding:
    """What is wrong (or, when `wrong` is False, worth knowing), where in the description, and what to do."""

    wrong: bool
    where: str
    said: str
    advice: str


def wrongs(findings: Iterable[Finding]) -> list[str]:
    """What of it is wrong, a line each."""
    return [f"{each.where}: {each.said}; {each.advice}" for each in findings if each.wrong]


def refuse(board: str, findings: Iterable[Finding]) -> None:
    """Raise DescriptionError when any of it is wrong."""
    problems = wrongs(findings)
    if problems:
        raise DescriptionError(f"{board} cannot be made", "\n".join(problems))


# Whether a described board can be made: material between the holes and to the edge, room for strips, text and bed.

WALL_MM = 1.5  # the least between two cuts; thinner plywood or acrylic breaks when it is cut
EDGE_MM = 3.0  # the least from a cut to the edge


def mistakes(layout: Layout) -> list[Finding]:
    """What is wrong or worth knowing, each with the measure, and what to do."""
    return [*_tracks(layout), *_bed(layout), *_printer(layout), *_edges(layout), *_walls(layout)]


def _tracks(layout: Layout) -> Iterator[Finding]:
    shape = layout.description.shape
    if layout.description.tracks.count > 1 and shape.track_mm < shape.strip_mm + WALL_MM:
        said = f"a {shape.strip} strip is {shape.strip_mm:g} mm wide, and the next one needs a wall between"
        yield _wrong(f"track_mm = {shape.track_mm:g}", said, f"make it {shape.strip_mm + WALL_MM:g} or more")
    if shape.strip == "5mm" and shape.hole_mm < PIXEL_MM:
        said = f"a single pixel is {PIXEL_MM:g} mm wide"
        yield _wrong(f"hole_mm = {shape.hole_mm:g}", said, f"make it {PIXEL_MM:g} or more")
    needed = 2 * (layout.half_mm + TEXT_MM) + 3 * AIR_MM
    if shape.streets > 1 and shape.apart_mm < needed:
        said = "between two streets stand the numbers of both"
        yield _wrong(f"apart_mm = {shape.apart_mm:g}", said, f"make it {needed:g} or more")


def _bed(layout: Layout) -> Iterator[Finding]:
    board, bed = sorted(layout.size), sorted(layout.description.shape.bed_mm)
    cuts, where = seams(layout), f"bed_mm = [{bed[1]:g}, {bed[0]:g}]"
    said = f"the board is {board[1]:.1f} mm by {board[0]:.1f} mm"
    if cuts is None:
        todo = "use a denser strip, more streets, a smaller margin_mm, or a machine with a bigger bed"
        yield _wrong(where, f"{said}, and cannot be cut in parts that fit", todo)
    elif cuts:
        count = (1 + sum(seam.upright for seam in cuts)) * (1 + sum(not seam.upright for seam in cuts))
        said = f"{said}: it is cut in {count} parts with dovetails"
        yield Finding(False, f"[shape] {where}", said, "glue them on a flat table, with the back behind them")


def _printer(layout: Layout) -> Iterator[Finding]:
    width, depth = layout.description.shape.printer_mm
    if not pieces(layout):
        yield _wrong(f"printer_mm = [{width:g}, {depth:g}]", TOO_SMALL, LEAST)


def _edges(layout: Layout) -> Iterator[Finding]:
    width, height = layout.size
    corner = layout.description.shape.corner_mm
    where = f"corner_mm = {corner:g}"
    if 2 * corner > min(width, height):
        yield _wrong(where, f"the board is only {min(width, height):.1f} mm high", "make it smaller")
        return
    for what, (x, y), diameter in every_hole(layout):
        left = _to_edge(x, y, width, height, corner) - diameter / 2
        if left < EDGE_MM:
            said = f"is {left:.1f} mm from the edge, and {EDGE_MM:g} are needed"
            if left < 0:
                said = f"stands {-left:.1f} mm over the edge, and {EDGE_MM:g} are needed within it"
            yield _wrong(where, f"{what} {said}", "make it smaller, or margin_mm larger")
            return


def _to_edge(x: float, y: float, width: float, height: float, corner: float) -> float:
    """How far inside of the board a point is; negative is outside."""
    across, up = min(x, width - x), min(y, height - y)
    if across < corner and up < corner:
        return corner - math.hypot(corner - across, corner - up)
    return min(across, up)


def _walls(layout: Layout) -> Iterator[Finding]:
    """The thinnest wall, when it is too thin."""
    holes = list(every_hole(layout))
    thinnest = min(
        (math.dist(here, there) - (one + other) / 2, what, which)
        for number, (what, here, one) in enumerate(holes)
        for which, there, other in holes[:number]
    )
    wall, what, which = thinnest
    if wall < WALL_MM:
        said = f"between {which} and {what} {wall:.1f} mm are left, and {WALL_MM:g} are needed"
        if wall < 0:
            said = f"{which} and {what} overlap by {-wall:.1f} mm, and {WALL_MM:g} are needed between them"
        yield _wrong("holes", said, "make them smaller, or give them more room")


def _wrong(where: str, said: str, advice: str) -> Finding:
    return Finding(True, f"[shape] {where}", said, advice)


# Whether a board's electricity can work and cannot burn: pins, parts, fuse and wire, in plain words.


def check(board: Description, controller: Controller | None) -> list[Finding]:
    """Everything that is wrong with a board, then what is worth knowing; without a controller all but its pins."""
    findings = [*controller_problems(board, controller), *_interface(board), *_supply(board)]
    return sorted(findings, key=lambda finding: not finding.wrong)


def controller_problems(board: Description, controller: Controller | None) -> list[Finding]:
    """The findings about this controller and the pins that a board uses."""
    if controller and controller.problem:
        where = f'[controller] board = "{controller.name}"'
        return [Finding(True, where, f"it does not fit: {controller.problem}", TAKE)]
    return [*_pins(board, controller)] if controller else []


def jobs(board: Description) -> Iterator[tuple[str, str]]:
    """Every pin's name with where it is described."""
    for pin in board.tracks.pins:
        yield "[tracks] pins", pin
    for pins in board.buttons.players:
        for pin in pins:
            yield "[buttons] players", pin
    yield "[buttons] undo", board.buttons.undo
    yield "[buttons] deal", board.buttons.deal
    if board.piezo:
        yield "[piezo] pin", board.piezo


def rewired(board: Description, controller: Controller) -> Description | None:
    """The same board on this controller's own pins; None when it has too few."""
    pins = controller.free()
    if len(pins) < len(list(jobs(board))):
        return None
    free = iter(pins)
    tracks = replace(board.tracks, pins=tuple(next(free) for _ in board.tracks.pins))
    players = tuple(tuple(next(free) for _ in three) for three in board.buttons.players)
    buttons = replace(board.buttons, players=players, undo=next(free), deal=next(free))
    piezo = next(free) if board.piezo else ""
    return replace(board, controller=controller.name, tracks=tracks, piezo=piezo, buttons=buttons)


def pin_lines(board: Description) -> list[str]:
    """The lines of a board.toml that say which pins are used."""
    players = ", ".join("[" + ", ".join(f'"{pin}"' for pin in pins) + "]" for pins in board.buttons.players)
    return [
        f'[controller] board = "{board.controller}"',
        "[tracks] pins = [" + ", ".join(f'"{pin}"' for pin in board.tracks.pins) + "]",
        f"[buttons] players = [{players}]",
        f'[buttons] undo = "{board.buttons.undo}", deal = "{board.buttons.deal}"',
        *([f'[piezo] pin = "{board.piezo}"'] if board.piezo else []),
    ]


def _pins(board: Description, controller: Controller) -> Iterator[Finding]:
    chips: dict[str, str] = {}
    strange = [pin for _, pin in jobs(board) if pin not in controller.pins]
    wrong = bool(strange)
    if strange:
        said = f"the {controller.title} has no {' '.join(strange)}"
        yield Finding(True, "pins", said, "use the names on its drawing, as CircuitPython writes them")
    for where, pin in jobs(board):
        if pin in strange:
            continue
        at = f"{where}: {pin}"
        fault, doubt, chip = controller.fault(pin), controller.doubt(pin), controller.pins[pin]
        if fault:
            wrong = True
            yield Finding(True, at, fault, "use another pin")
        elif doubt:
            yield Finding(False, at, doubt, "try it before you solder, or use another pin")
        if chip in chips:
            wrong = True
            yield Finding(True, at, f"it is the same pin as {chips[chip]}", "everything needs a pin of its own")
        chips.setdefault(chip, pin)
    if wrong:
        yield _other_pins(board, controller)


def _other_pins(board: Description, controller: Controller) -> Finding:
    assigned = rewired(board, controller)
    if assigned:
        return Finding(False, "pins", f"these would do on the {controller.title}", "\n".join(pin_lines(assigned)))
    wanted, free = len(list(jobs(board))), len(controller.free())
    said = f"{wanted} pins are needed, and the {controller.title} has {free} that can be used"
    advice = "give some players no buttons ([]; the host pegs for them), build fewer tracks, or use a bigger board"
    return Finding(True, "pins", said, advice + "; the firmware knows no port expander")


def _interface(board: Description) -> Iterator[Finding]:
    parts = board.interface
    shifter = f'[interface] shifter = "{parts.shifter}"'
    least, most = ratings.DATA_OHM
    if parts.shifter not in ratings.SHIFTERS:
        wanted = f"the strips want {ratings.STRIP_HIGH_V:g} V for a one, and a pin gives {ratings.PIN_V:g} V"
        said = ratings.NO_SHIFTERS.get(parts.shifter, wanted)
        yield Finding(True, shifter, said, f"use a {' or a '.join(ratings.SHIFTERS)}")
    if not least <= parts.data_ohm <= most:
        said = "without it the first pixel takes spikes" if parts.data_ohm < least else "the edges become too slow"
        advice = f"use {least} to {most} Ω in each data line; 330 is usual"
        yield Finding(True, f"[interface] data_ohm = {parts.data_ohm}", said, advice)
    where = f"[interface] capacitor_uf = {parts.capacitor_uf}"
    least, most = ratings.CAPACITOR_UF
    if not least <= parts.capacitor_uf <= most:
        said = (
            "too small for the inrush when a strip is switched on"
            if parts.capacitor_uf < least
            else "its inrush current is too high"
        )
        yield Finding(True, where, said, f"use {least} to {most} µF at each strip's input; 1000 is usual")
    elif board.on_usb:
        said = f"USB allows {ratings.USB_CAPACITOR_UF} µF at the moment of plugging in; most ports bear more"
        yield Finding(False, where, said, "if a port switches off when you plug the board in, use 100 µF")


def _supply(board: Description) -> Iterator[Finding]:
    supply, most = board.supply, best_limit_ma(board)
    limit = f"[supply] limit_ma = {supply.limit_ma}"
    if supply.limit_ma < least_limit_ma(board):
        idle = least_limit_ma(board) - HEADROOM_MA
        said = f"the dark pixels and the controller take {idle} mA, and a game {HEADROOM_MA} more"
        yield Finding(True, limit, said, f"allow {least_limit_ma(board)} or more, if the supply can give it")
    if worst_ma(board) > supply.current_ma * ratings.SOURCE_LOAD:
        said = f"more than {ratings.SOURCE_LOAD:.0%} of the {supply.current_a:g} A that the supply gives"
        yield Finding(True, limit, said, f"set limit_ma = {most}" if most else "use a stronger supply and its fuse")
    yield from _usb(board) if board.on_usb else _own(board)
    yield from _fuse(board)
    yield from _track(board)


def _usb(board: Description) -> Iterator[Finding]:
    supply = board.supply
    fuse, current = f"[supply] fuse_a = {supply.fuse_a:g}", f"[supply] current_a = {supply.current_a:g}"
    for is_fuse, said, todo in feed.overloaded(board.controller, supply.current_a, supply.fuse_a):
        yield Finding(True, fuse if is_fuse else current, said, todo)
    said = "CircuitPython tells the computer that it takes 100 mA; few ports mind that the board takes more"
    todo = "use a port of the computer itself or a hub with a supply of its own"
    yield Finding(False, '[supply] kind = "usb"', said, todo)
    if supply.current_a <= supply.fuse_a:
        said = f"a port of {supply.current_a:g} A never blows it and has to protect itself"
        todo = f"leave it in: it is for chargers, which give up to {feed.USB_MOST_A:g} A"
        yield Finding(False, fuse, said, todo)


def _own(board: Description) -> Iterator[Finding]:
    """What a supply of its own must be, and the wires from it to the fuses, which nothing else limits."""
    supply = board.supply
    current, wire = f"[supply] current_a = {supply.current_a:g}", f"[supply] main_wire_mm2 = {supply.main_wire_mm2:g}"
    if supply.current_a > ratings.SUPPLY_MOST_A:
        said = "this much sets a wire on fire before anything stops it"
        todo = f"use one of {ratings.SUPPLY_MOST_A:g} A or less marked {ratings.marks(ratings.SUPPLY_MOST_A)}"
        yield Finding(True, current, said, todo)
        return
    gives, carries = ratings.in_a_fault(supply.current_a), ratings.ampacity(supply.main_wire_mm2)
    if gives > carries:
        said = f"it carries {carries:g} A, and in a fault the supply gives {gives:g}" if carries else "too thin"
        yield Finding(True, wire, said, _thicker(gives))
    for fuse_a in (supply.fuse_a, ratings.CONTROLLER_FUSE_A):
        said = feed.unblown(supply.current_a, fuse_a)
        if said:
            own = fuse_a == supply.fuse_a
            where = f"[supply] fuse_a = {fuse_a:g}" if own else f"{current}: the controller's fuse of {fuse_a:g} A"
            yield Finding(True, where, said, _smaller(board) if own else "use a stronger supply")
            return


def _fuse(board: Description) -> Iterator[Finding]:
    supply, branch_a = board.supply, branch_ma(worst_ma(board)) / 1000
    fuse, wire = f"[supply] fuse_a = {supply.fuse_a:g}", f"[supply] wire_mm2 = {supply.wire_mm2:g}"
    if branch_a > supply.fuse_a * ratings.FUSE_LOAD:
        carried = f"{supply.fuse_a * ratings.FUSE_LOAD:g} A"
        said = f"it carries {carried} continuously, and up to {branch_a:g} A may flow through it"
        needed = ratings.fuse_for(branch_a)
        fits = branch_a <= needed * ratings.FUSE_LOAD and needed <= most_fuse_a(board)
        todo = f"use {needed:g} A, or a lower limit_ma" if fits else _smaller(board)
        yield Finding(True, fuse, said, todo)
    carries = ratings.ampacity(supply.wire_mm2)
    if supply.fuse_a > carries:
        said = f"the wire carries {carries:g} A: it burns before the fuse does" if carries else "too thin for 5 V wires"
        yield Finding(True, wire, said, f"{_thicker(supply.fuse_a)}, or a smaller fuse")
    if supply.wire_mm2 > ratings.STRIP_MM2 >= ratings.wire_for(supply.fuse_a):
        said = "so thick a wire cannot be soldered to the pads of a strip or the legs of a pixel"
        yield Finding(True, wire, said, f"use {ratings.wire_for(supply.fuse_a):g} to {ratings.STRIP_MM2:g} mm²")


def _track(board: Description) -> Iterator[Finding]:
    """What a strip's own copper bears, or the wires from pixel to pixel."""
    supply, most = board.supply, feed.STRIP_A
    if board.shape.strip_mm and supply.fuse_a > most:
        said = f"the copper of a strip is assumed to carry {most:g} A"
        yield Finding(True, f"[supply] fuse_a = {supply.fuse_a:g}", said, _smaller(board))
    lost = strip_drop_mv(board, both_ends(board))
    if lost > ratings.STRIP_DROP_MV:
        said = f"with all light in the middle of a track {lost} mV are lost on the {board.track_m:.2f} m of it"
        todo = f"set limit_ma = {best_limit_ma(board)}" if best_limit_ma(board) else "use a denser strip"
        yield Finding(True, f"[supply] limit_ma = {supply.limit_ma}", said, todo)


def _smaller(board: Description) -> str:
    """What fuse and limit to take."""
    fuse, limit = most_fuse_a(board), best_limit_ma(board)
    if not limit:
        return "use a stronger supply"
    return f"set limit_ma = {limit}" if fuse == board.supply.fuse_a else f"use {fuse:g} A, and limit_ma = {limit}"


def _thicker(amperes: float) -> str:
    size = ratings.wire_for(amperes)
    return f"use {size:g} mm² (AWG {ratings.awg(size)}) or more"
