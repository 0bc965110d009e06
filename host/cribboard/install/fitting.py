"""Whether the pins that the drive's settings name are those of its controller, as far as anybody knows them here."""

from __future__ import annotations

from cribboard.hardware import board_toml, controllers
from cribboard.hardware.description import Description
from cribboard.hardware.finding import wrongs
from cribboard.hardware.safety import jobs, unfit
from cribboard.install.circuitpy import Circuitpy, InstallError
from cribboard.toml_lines import settings, values
from cribboard_fw.settings import PIN_KEYS

NEEDED_PINS = {"STRIP_PINS", "UNDO_PIN", "DEAL_PIN"}  # without which the firmware runs no game


def alike(board_id: str, described: Description) -> bool:
    """Whether the described pins' names mean the same pins on this controller; True when it has not said its name."""
    names = (board_id, described.controller)
    if board_id in ("", described.controller) or all(map(controllers.is_pico, names)):
        return True
    here, there = map(controllers.known, names)
    if here is None or there is None or here.port != there.port:
        return False
    return all(here.pins.get(pin) == there.pins.get(pin, "") for _, pin, _ in jobs(described))


def has_pins(text: str) -> bool:
    """Whether a settings.toml says itself which pins the board has."""
    return values(text).keys() >= NEEDED_PINS


def without_pins(text: str) -> str:
    """A settings.toml without the lines that name pins."""
    return "\n".join(entry.text for entry in settings(text)[0] if entry.key not in PIN_KEYS)


def other(board: Circuitpy, described: Description) -> InstallError:
    """What is said when the pins would be another controller's."""
    return InstallError(
        f"the drive {board.folder} is of a {board.board_id}, and the pins are described for a {described.controller}",
        f"nothing was changed. Describe your board in a copy of one of those in {board_toml.folder()}, with\n"
        f'board = "{board.board_id}" under [controller]. `cribboard hardware check --board COPY` says which pins to\n'
        "take; then give `cribboard install --board COPY`",
    )


def check(board: Circuitpy, described: Description) -> None:
    """Raise InstallError when a described pin is not there, or has a job of its own."""
    name = board.board_id or described.controller
    controller = controllers.known(name)
    told = wrongs(unfit(described, controller)) if controller else []
    if told:
        raise InstallError(
            f"{described.name} cannot be played on a {name}",
            "\n".join([*told, "nothing was changed; `cribboard hardware check --board FILE` says which pins would do"]),
        )


def strange(text: str, board_id: str) -> list[str]:
    """The pins in a sound settings.toml that this controller has not, a line for each setting."""
    controller = controllers.known(board_id)
    if controller is None:
        return []
    given = values(text)
    named = {key: given[key].strip('"').split() for key in PIN_KEYS if key in given}
    lacking = {key: [pin for pin in pins if pin not in controller.pins] for key, pins in named.items()}
    return [f"{key}: the {controller.title} has no {' '.join(pins)}" for key, pins in lacking.items() if pins]
