"""Whether a board's electricity can work and cannot burn: pins, parts, fuse and wire, in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cribboard.hardware import ratings
from cribboard.hardware.budget import Budget, branch_ma, budget
from cribboard.hardware.controllers import Controller
from cribboard.hardware.description import Description
from cribboard.hardware.finding import Finding


def check(board: Description, controller: Controller) -> list[Finding]:
    """Everything that is wrong with a board, then what is worth knowing."""
    found = [*unfit(board, controller), *_interface(board), *_supply(board, budget(board))]
    return sorted(found, key=lambda finding: not finding.wrong)


def unfit(board: Description, controller: Controller) -> list[Finding]:
    """What this controller and the pins that a board takes of it come to."""
    return [*_chip(controller), *_pins(board, controller)]


def jobs(board: Description) -> Iterator[tuple[str, str, bool]]:
    """Every pin's name with where it is described, and whether it is a button's."""
    for pin in board.tracks.pins:
        yield "[tracks] pins", pin, False
    for pins in board.buttons.players:
        for pin in pins:
            yield "[buttons] players", pin, True
    yield "[buttons] undo", board.buttons.undo, True
    yield "[buttons] deal", board.buttons.deal, True
    if board.piezo:
        yield "[piezo] pin", board.piezo, False


def rewired(board: Description, controller: Controller) -> Description | None:
    """The same board on this controller's own pins; None when it has too few.

    Strips choose first, for they are the choosier ones.
    """
    taken: list[str] = []

    def take(button: bool) -> str:
        pin = next(pin for pin in controller.free(button) if pin not in taken)
        taken.append(pin)
        return pin

    try:
        tracks = replace(board.tracks, pins=tuple(take(False) for _ in board.tracks.pins))
        piezo = take(False) if board.piezo else ""
        players = tuple(tuple(take(True) for _ in pins) for pins in board.buttons.players)
        buttons = replace(board.buttons, players=players, undo=take(True), deal=take(True))
    except StopIteration:
        return None
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


def _chip(controller: Controller) -> Iterator[Finding]:
    where = f'[controller] board = "{controller.name}"'
    if controller.missing:
        said = f"its CircuitPython has no {', '.join(controller.missing)}, which the firmware needs"
        yield Finding(True, where, said, "take another board, such as raspberry_pi_pico")
    if not controller.nvm_bytes:
        yield Finding(True, where, "it has no memory for the score", "take another board, such as raspberry_pi_pico")
    elif not controller.promises:
        said = "the promise that a power cut costs no point holds for the RP2040 and the RP2350 only"
        yield Finding(False, where, said, "everything else works; nobody has tried this firmware on that chip yet")


def _pins(board: Description, controller: Controller) -> Iterator[Finding]:
    chips: dict[str, str] = {}
    strange = [pin for _, pin, _ in jobs(board) if pin not in controller.pins]
    wrong = bool(strange)
    if strange:
        said = f"the {controller.title} has no {' '.join(strange)}"
        yield Finding(True, "pins", said, "take the names that are on its drawing, as CircuitPython writes them")
    for where, pin, button in jobs(board):
        if pin in strange:
            continue
        at = f"{where}: {pin}"
        fault, doubt, chip = controller.fault(pin, button), controller.doubt(pin, button), controller.pins[pin]
        if fault:
            wrong = True
            yield Finding(True, at, fault, "take another pin")
        elif doubt:
            yield Finding(False, at, doubt, "try it before you solder, or take another pin")
        if chip in chips:
            wrong = True
            yield Finding(True, at, f"it is the same pin as {chips[chip]}", "everything needs a pin of its own")
        chips.setdefault(chip, pin)
    if wrong:
        yield _other_pins(board, controller)


def _other_pins(board: Description, controller: Controller) -> Finding:
    found = rewired(board, controller)
    if found:
        return Finding(False, "pins", f"these would do on the {controller.title}", "\n".join(pin_lines(found)))
    wanted, free = len(list(jobs(board))), len(controller.free(True))
    said = f"{wanted} pins are needed, and the {controller.title} has {free} that can be used"
    advice = "give some players no buttons ([]; the host pegs for them), build fewer tracks, or take a bigger board"
    return Finding(True, "pins", said, advice + "; the firmware knows no port expander")


def _interface(board: Description) -> Iterator[Finding]:
    parts = board.interface
    least, most = ratings.DATA_OHM
    if parts.shifter not in ratings.SHIFTERS:
        wanted = f"the strips want {ratings.STRIP_HIGH_V:g} V for a one, and a pin gives {ratings.PIN_V:g} V"
        said = ratings.NO_SHIFTERS.get(parts.shifter, wanted)
        yield Finding(
            True, f'[interface] shifter = "{parts.shifter}"', said, f"take a {' or a '.join(ratings.SHIFTERS)}"
        )
    if not least <= parts.data_ohm <= most:
        said = "without it the first pixel takes spikes" if parts.data_ohm < least else "the edges become too slow"
        advice = f"take {least} to {most} Ω in each data line; 330 is usual"
        yield Finding(True, f"[interface] data_ohm = {parts.data_ohm}", said, advice)
    where = f"[interface] capacitor_uf = {parts.capacitor_uf}"
    least, most = ratings.CAPACITOR_UF
    if not least <= parts.capacitor_uf <= most:
        said = (
            "too small for the rush when a strip is switched on"
            if parts.capacitor_uf < least
            else "the rush into it is too big"
        )
        yield Finding(True, where, said, f"take {least} to {most} µF at each strip's input; 1000 is usual")
    elif board.supply.kind == "usb":
        said = f"USB allows {ratings.USB_CAPACITOR_UF} µF at the moment of plugging in; most ports bear more"
        yield Finding(False, where, said, "if a port switches off when you plug the board in, take 100 µF")


def _supply(board: Description, budget: Budget) -> Iterator[Finding]:
    supply, usb = board.supply, board.supply.kind == "usb"
    best = f"set limit_ma = {budget.best_limit_ma}" if budget.best_limit_ma else "take a stronger supply and its fuse"
    limit = f"[supply] limit_ma = {supply.limit_ma}"
    if supply.limit_ma < budget.least_limit_ma:
        said = f"the dark pixels and the controller take {budget.idle_ma} mA, and a game 100 more"
        yield Finding(True, limit, said, f"allow {budget.least_limit_ma} or more, if the supply can give it")
    load = ratings.PORT_LOAD if usb else ratings.SUPPLY_LOAD
    if budget.worst_ma > supply.current_a * 1000 * load:
        said = f"more than {load:.0%} of the {supply.current_a:g} A that the supply gives"
        yield Finding(True, limit, said, best)
    if usb and supply.current_a * 1000 > ratings.PLUG_MA and board.controller.startswith("raspberry_pi_pico"):
        said = f"a Micro-USB plug carries {ratings.PLUG_MA / 1000:g} A"
        yield Finding(True, f"[supply] current_a = {supply.current_a:g}", said, 'take kind = "5v", a supply of its own')
    yield from _fuse(board, budget)
    if usb:
        said = "CircuitPython tells the computer that it takes 100 mA; few ports mind that the board takes more"
        yield Finding(
            False, '[supply] kind = "usb"', said, "use a port of the computer itself or a hub with a supply of its own"
        )


def _fuse(board: Description, budget: Budget) -> Iterator[Finding]:
    supply = board.supply
    fuse, wire = f"[supply] fuse_a = {supply.fuse_a:g}", f"[supply] wire_mm2 = {supply.wire_mm2:g}"
    worst = branch_ma(board, budget.worst_ma)
    carries = ratings.ampacity(supply.wire_mm2)
    needed = ratings.fuse_for(worst / 1000)
    if supply.current_a > ratings.WIRES[-1][1]:
        said = "so much melts any wire here when something is wrong"
        yield Finding(True, f"[supply] current_a = {supply.current_a:g}", said, "take a supply of 20 A or less")
    if worst > supply.fuse_a * 1000 * ratings.FUSE_LOAD:
        carried = f"{supply.fuse_a * ratings.FUSE_LOAD:g} A"
        said = f"it carries {carried} for long, and up to {worst / 1000:g} A may go through it"
        yield Finding(True, fuse, said, f"take {needed:g} A, or a lower limit_ma")
    elif supply.fuse_a > ratings.FUSES_A[-1]:
        yield Finding(True, fuse, "it guards nothing here", f"take {needed:g} A")
    if supply.fuse_a > carries:
        said = f"the wire carries {carries:g} A: it burns before the fuse does" if carries else "too thin for 5 V wires"
        size = ratings.wire_for(supply.fuse_a)
        yield Finding(True, wire, said, f"take {size:g} mm² (AWG {ratings.awg(size)}) or more, or a smaller fuse")
    elif supply.kind == "usb" and supply.current_a > carries:
        said = f"before the fuse the port gives {supply.current_a:g} A, and the wire carries {carries:g}"
        size = ratings.wire_for(supply.current_a)
        yield Finding(True, wire, said, f"take {size:g} mm² (AWG {ratings.awg(size)}) or more")
    if supply.kind == "5v":
        yield from _main(board, budget)
    if supply.kind == "5v" and supply.fuse_a > supply.current_a:
        said = f"the supply gives {supply.current_a:g} A, too little to blow it"
        yield Finding(True, fuse, said, f"take {needed:g} A, and a supply that gives as much or more")


def _main(board: Description, budget: Budget) -> Iterator[Finding]:
    """The fuse at a supply of its own, and the wires to and from it, which nothing but that supply limits."""
    supply = board.supply
    fuse = f"[supply] main_fuse_a = {supply.main_fuse_a:g}"
    needed = ratings.fuse_for(budget.worst_ma / 1000)
    carries = ratings.ampacity(supply.main_wire_mm2)
    if not supply.main_fuse_a:
        yield Finding(True, fuse, "nothing guards the wires before the other fuses", f"take {needed:g} A")
    elif budget.worst_ma > supply.main_fuse_a * 1000 * ratings.FUSE_LOAD:
        carried = f"{supply.main_fuse_a * ratings.FUSE_LOAD:g} A"
        said = f"it carries {carried} for long, and the whole board may take {budget.worst_ma / 1000:g} A"
        yield Finding(True, fuse, said, f"take {needed:g} A, or a lower limit_ma")
    elif supply.main_fuse_a > supply.current_a:
        said = f"the supply gives {supply.current_a:g} A, too little to blow it"
        yield Finding(True, fuse, said, f"take {needed:g} A, and a supply that gives as much or more")
    if supply.current_a > carries and supply.current_a <= ratings.WIRES[-1][1]:
        size = ratings.wire_for(supply.current_a)
        said = f"it carries {carries:g} A, and the supply gives {supply.current_a:g}" if carries else "too thin"
        where = f"[supply] main_wire_mm2 = {supply.main_wire_mm2:g}"
        yield Finding(True, where, said, f"take {size:g} mm² (AWG {ratings.awg(size)}) or more")
