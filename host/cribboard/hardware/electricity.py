"""Checks that a board's electricity can work and cannot burn: pins, parts, fuse and wire, in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cribboard.hardware import feed, ratings
from cribboard.hardware.budget import (
    best_limit_ma,
    both_ends,
    branch_ma,
    least_limit_ma,
    most_fuse_a,
    strip_drop_mv,
    worst_ma,
)
from cribboard.hardware.controllers import TAKE, Controller
from cribboard.hardware.description import Description
from cribboard.hardware.findings import Finding
from cribboard_fw.settings import HEADROOM_MA


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
        chips.setdefault(chip, f"{pin} of {where}")
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
        usual = ratings.USB_USUAL_UF if board.on_usb else ratings.USUAL_UF
        yield Finding(True, where, said, f"use {least} to {most} µF at each strip's input; {usual} is usual")
    elif board.on_usb and parts.capacitor_uf > ratings.USB_USUAL_UF:
        said = f"USB allows {ratings.USB_CAPACITOR_UF} µF at the moment of plugging in; most ports bear more"
        yield Finding(False, where, said, f"use {ratings.USB_USUAL_UF} µF: a port may switch off when you plug more in")


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
    opens = supply.fuse_a * feed.FUSE_OPENS
    if supply.current_a < opens:
        said = f"a port of {supply.current_a:g} A never blows it, which takes {opens:g} A, and has to protect itself"
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
        yield Finding(True, wire, said, _thicker(supply.fuse_a))
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
