"""What board a drive's is to be by choice or by its settings, and whether its controller can run the firmware so.

A controller fits that has the pins and carries the current which the settings say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from cribboard.errors import ArgumentError
from cribboard.hardware import budget, controllers, description, feed, ratings
from cribboard.hardware.description import Description
from cribboard.hardware.electricity import check as checked
from cribboard.hardware.electricity import jobs
from cribboard.hardware.findings import wrongs
from cribboard.hardware.settings import as_set
from cribboard.install.circuitpy import Circuitpy, InstallError
from cribboard.toml_lines import settings, values
from cribboard_core.variants import team_choices
from cribboard_fw.settings import PIN_KEYS, Settings, SettingsError

NEEDED_PINS = {"STRIP_PINS", "UNDO_PIN", "DEAL_PIN"}  # without which the firmware runs no game
POWER_KEYS = ("CURRENT_LIMIT_MA", "USB_MA", "SUPPLY_MA", "FUSE_MA")

DEFAULT = "board"
SETTINGS = "settings.toml"

Value = TypeVar("Value")


def problem_of(board: Circuitpy) -> str:
    """Why a drive's board cannot run the firmware; empty when it can, or nothing is known of it."""
    controller = controllers.known(board.board_id)
    chip = re.search(r"; .* with (\S+)$", board.said, re.MULTILINE)
    port = controllers.port_of(chip[1]) if chip else None
    reason = controller.problem if controller else ""
    return reason or (controllers.port_problem(port) if port else "")


def fit(board: Circuitpy) -> None:
    """Raise InstallError when a drive's board cannot run the firmware."""
    reason = problem_of(board)
    if reason:
        raise InstallError(
            f"the drive {board.folder} belongs to a {board.board_id or 'board'} that does not fit: {reason}",
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


def is_set_up(board: Circuitpy) -> bool:
    """Whether there are settings on a drive that say which pins the board has."""
    file = board.folder / SETTINGS
    return file.is_file() and has_pins(file.read_text(encoding="utf-8", errors="replace"))


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
    problems = wrongs(checked(replace(described, controller=name), controllers.known(name)))
    if problems:
        raise InstallError(
            f"{described.name} cannot run on a {name}",
            "\n".join(
                [*problems, "nothing was changed; `cribboard hardware check --board FILE` says all that is wrong"]
            ),
        )


def carried(text: str, board_id: str, *, strips: bool = False) -> None:
    """Raise InstallError when a settings.toml allows more current than its source, fuse and controller carry.

    With `strips` the pixels are taken to be strips, whose copper carries less than the wires of single pixels.
    """
    parsed, lines = judged(text, board_id)
    unsafe = [line for line in lines if line.startswith(POWER_KEYS)]
    if strips and not unsafe and parsed:
        unsafe = feed.strip_fuse(parsed)
    if unsafe:
        raise InstallError(
            "settings.toml allows more current than is safe",
            "\n".join([*unsafe, "nothing was changed; correct settings.toml on the drive and run the command again"]),
        )


def judged(text: str, board_id: str) -> tuple[Settings | None, list[str]]:
    """The settings in a settings.toml, and a line for each that firmware or controller forbid."""
    try:
        parsed = Settings(text)
    except SettingsError as error:
        return None, str(error).splitlines()
    return parsed, [*_strange(text, board_id), *feed.overfed(parsed, board_id)]


def plays(text: str, board_id: str) -> bool:
    """Whether a board with this settings.toml plays."""
    return has_pins(text) and not judged(text, board_id)[1]


def _strange(text: str, board_id: str) -> list[str]:
    """The pins in a sound settings.toml that this controller has not, a line for each setting."""
    controller = controllers.known(board_id)
    if controller is None:
        return []
    given = values(text)
    named = {key: given[key].strip('"').split() for key in PIN_KEYS if key in given}
    lacking = {key: [pin for pin in pins if pin not in controller.pins] for key, pins in named.items()}
    return [f"{key}: the {controller.title} has no {' '.join(pins)}" for key, pins in lacking.items() if pins]


@dataclass(frozen=True)
class Choices:
    """What is chosen; None stays as it is. `usb_a` and `supply_a` are amperes; they and `phone` exclude each other."""

    design: str | None = None
    usb_a: float | None = None
    supply_a: float | None = None
    phone: bool | None = None
    fuse_a: float | None = None
    order: str | None = None
    brightness: int | None = None
    strong_pegs: bool | None = None
    players: int | None = None
    teams: int | None = None
    target: int | None = None
    commit_after_s: int | None = None
    piezo: str | None = None


def designs() -> dict[str, Path]:
    """The ready designs by their names: the default first."""
    at = description.folder()
    return {DEFAULT: at / "board.toml", **{path.stem: path for path in sorted((at / "boards").glob("*.toml"))}}


def described(name: str) -> Description:
    """A ready design, or the description in a file; raises ArgumentError for a name that is neither."""
    ready = designs()
    if name in ready:
        return description.load(ready[name])
    if name.endswith(".toml"):
        return description.load(Path(name))
    raise ArgumentError(
        f"there is no design {name!r}", f"take one of {', '.join(ready)}, or the board.toml of your own board"
    )


def chosen(board: Circuitpy, choices: Choices) -> Description:
    """What the board is to be: the design, or what stands on its drive, with what was chosen.

    A source that was chosen gets the fuse and the current limit that suit it, unless a fuse was chosen, too.
    """
    design = _base(board, choices.design)
    if controllers.known(board.board_id) is not None:
        design = replace(design, controller=board.board_id)
    players = _or(choices.players, design.game.players)
    possible = team_choices(players)
    game = replace(
        design.game,
        players=players,
        teams=_or(choices.teams, design.game.teams if design.game.teams in possible else 0),
        target=_or(choices.target, design.game.target),
        commit_after_s=_or(choices.commit_after_s, design.game.commit_after_s),
    )
    if game.teams not in possible:
        raise ArgumentError(
            f"{players} players cannot be {game.teams} teams", f"take {' or '.join(map(str, possible))} (0: no teams)"
        )
    tracks = replace(design.tracks, pixel_order=_or(choices.order, design.tracks.pixel_order))
    supply = replace(
        design.supply,
        brightness=_or(choices.brightness, design.supply.brightness),
        strong_pegs=_or(choices.strong_pegs, design.supply.strong_pegs),
    )
    design = replace(design, game=game, tracks=tracks, supply=supply)
    if choices.piezo is not None:
        design = replace(design, piezo="" if choices.piezo == "none" else choices.piezo)
    return _fed(design, choices)


def _base(board: Circuitpy, design: str | None) -> Description:
    if design is not None or not is_set_up(board):
        return described(design or DEFAULT)
    likely = [_wired(as_set(described(name), board.folder / SETTINGS)) for name in designs()]
    # strips, as the default has, carry least: single pixels are taken for likely only when no strip could be
    sound = (one for one in likely if not wrongs(checked(one, controllers.known(one.controller))))
    return replace(next(sound, likely[0]), name="the board of this drive")


def _wired(board: Description) -> Description:
    """The board with wires that carry what its source and fuse let through."""
    supply = board.supply
    main = 0.0 if board.on_usb else max(supply.main_wire_mm2, ratings.wire_for(ratings.in_a_fault(supply.current_a)))
    wire = max(supply.wire_mm2, ratings.wire_for(supply.fuse_a))
    return replace(board, supply=replace(supply, wire_mm2=wire, main_wire_mm2=main))


def _fed(board: Description, choices: Choices) -> Description:
    """The board with the chosen source and fuse, the limit that is best for them, and wires that carry them."""
    if choices.phone:
        return _at_a_phone(board, choices.fuse_a)
    if choices.usb_a is None and choices.supply_a is None and choices.fuse_a is None:
        return board
    kind, current = board.supply.kind, board.supply.current_a
    if choices.usb_a is not None:
        kind, current = "usb", choices.usb_a
    if choices.supply_a is not None:
        kind, current = "5v", choices.supply_a
    fed = replace(board, supply=replace(board.supply, kind=kind, current_a=current))
    fuse = choices.fuse_a or budget.most_fuse_a(fed)
    fed = _wired(replace(fed, supply=replace(fed.supply, fuse_a=fuse)))
    limit = budget.best_limit_ma(fed)
    if not limit:
        need = budget.least_limit_ma(fed)
        raise ArgumentError(
            f"{current:g} A with a fuse of {fuse:g} A cannot feed {board.pixels} lights: they need {need} mA",
            "take a stronger source, or a design with fewer lights",
        )
    return replace(fed, supply=replace(fed.supply, limit_ma=limit))


def _at_a_phone(board: Description, fuse_a: float | None) -> Description:
    """The board with the limit for a phone; its fuse stays, unless one was chosen."""
    if not board.on_usb:
        raise ArgumentError(
            "the strips of this board have a supply of their own, so it takes next to nothing from a phone",
            "leave it as it is; if you have moved the strips to USB, first run `cribboard setup --usb 0.5`",
        )
    supply = replace(board.supply, current_a=feed.PHONE_MA / 1000, fuse_a=fuse_a or board.supply.fuse_a)
    fed = _wired(replace(board, supply=supply))
    limit = budget.phone_limit_ma(fed)
    if not limit:
        need, fuse = budget.least_limit_ma(fed), fed.supply.fuse_a
        raise ArgumentError(
            f"a phone gives {feed.PHONE_MA} mA or less, which with a fuse of {fuse:g} A cannot feed {board.pixels} "
            f"lights: they need a limit of {need} mA",
            "take a stronger source, or a design with fewer lights",
        )
    return replace(fed, supply=replace(fed.supply, limit_ma=limit))


def _or(chosen: Value | None, own: Value) -> Value:
    return own if chosen is None else chosen
