"""Whether a drive's controller can run the firmware, and has the pins and carries the current that its settings say."""

from __future__ import annotations

import re
from dataclasses import replace

from cribboard.hardware import controllers, description, feed
from cribboard.hardware.checks import check as checked
from cribboard.hardware.checks import jobs, wrongs
from cribboard.hardware.description import Description
from cribboard.install.circuitpy import Circuitpy, InstallError
from cribboard.toml_lines import settings, values
from cribboard_fw.settings import PIN_KEYS, Settings, SettingsError

NEEDED_PINS = {"STRIP_PINS", "UNDO_PIN", "DEAL_PIN"}  # without which the firmware runs no game
POWER_KEYS = ("CURRENT_LIMIT_MA", "USB_MA", "SUPPLY_MA", "FUSE_MA")


def unfit(board: Circuitpy) -> str:
    """Why a drive's board cannot run the firmware; empty when it can, or nothing is known of it."""
    controller = controllers.known(board.board_id)
    chip = re.search(r"; .* with (\S+)$", board.said, re.MULTILINE)
    port = controllers.port_of(chip[1]) if chip else None
    found = controller.unfit if controller else ""
    return found or (controllers.unfit(port) if port else "")


def fit(board: Circuitpy) -> None:
    """Raise InstallError when a drive's board cannot run the firmware."""
    found = unfit(board)
    if found:
        raise InstallError(
            f"the drive {board.folder} belongs to a {board.board_id or 'board'} that does not fit: {found}",
            f"nothing was changed; {controllers.TAKE}",
        )


def alike(board_id: str, described: Description) -> bool:
    """Whether the described pins' names mean the same pins on this controller; True when it has not said its name."""
    names = (board_id, described.controller)
    if board_id in ("", described.controller) or all(map(controllers.is_pico, names)):
        return True
    here, there = map(controllers.known, names)
    if here is None or there is None or here.port != there.port:
        return False
    return all(here.pins.get(pin) == there.pins.get(pin, "") for _, pin in jobs(described))


def has_pins(text: str) -> bool:
    """Whether a settings.toml says itself which pins the board has."""
    return values(text).keys() >= NEEDED_PINS


def without_pins(text: str) -> str:
    """A settings.toml without the lines that name pins."""
    return "\n".join(entry.text for entry in settings(text)[0] if entry.key not in PIN_KEYS)


def other(board: Circuitpy, described: Description) -> InstallError:
    """The error for pins that belong to another controller."""
    return InstallError(
        f"the drive {board.folder} belongs to a {board.board_id}, "
        f"but the pins are described for a {described.controller}",
        f"nothing was changed. Describe your board in a copy of one of those in {description.folder()}, with\n"
        f'board = "{board.board_id}" under [controller]. `cribboard hardware check --board COPY` says which pins to\n'
        "take; then run `cribboard install --board COPY`",
    )


def check(board: Circuitpy, described: Description) -> None:
    """Raise InstallError when the drive's controller has not a described pin, or must not be wired as described."""
    name = board.board_id or described.controller
    told = wrongs(checked(replace(described, controller=name), controllers.known(name)))
    if told:
        raise InstallError(
            f"{described.name} cannot run on a {name}",
            "\n".join([*told, "nothing was changed; `cribboard hardware check --board FILE` says all that is wrong"]),
        )


def carried(text: str, board_id: str, *, strips: bool = False) -> None:
    """Raise InstallError when a settings.toml allows more current than its source, fuse and controller carry.

    With `strips` the pixels are taken to be strips, whose copper carries less than the wires of single pixels.
    """
    found, lines = judged(text, board_id)
    told = [line for line in lines if line.startswith(POWER_KEYS)]
    if strips and not told and found:
        told = feed.strip_fuse(found)
    if told:
        raise InstallError(
            "settings.toml allows more current than is safe",
            "\n".join([*told, "nothing was changed; correct settings.toml on the drive and run the command again"]),
        )


def judged(text: str, board_id: str) -> tuple[Settings | None, list[str]]:
    """The settings in a settings.toml, and a line for each that firmware or controller forbid."""
    try:
        found = Settings(text)
    except SettingsError as error:
        return None, str(error).splitlines()
    return found, [*_strange(text, board_id), *feed.overfed(found, board_id)]


def _strange(text: str, board_id: str) -> list[str]:
    """The pins in a sound settings.toml that this controller has not, a line for each setting."""
    controller = controllers.known(board_id)
    if controller is None:
        return []
    given = values(text)
    named = {key: given[key].strip('"').split() for key in PIN_KEYS if key in given}
    lacking = {key: [pin for pin in pins if pin not in controller.pins] for key, pins in named.items()}
    return [f"{key}: the {controller.title} has no {' '.join(pins)}" for key, pins in lacking.items() if pins]
