"""The choices of a board's set-up: a ready design, or what the drive says already, with what is chosen anew."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cribboard.errors import ArgumentError
from cribboard.hardware import description, ratings
from cribboard.hardware.controllers import known
from cribboard.hardware.description import Description
from cribboard.hardware.settings import as_set
from cribboard.install.circuitpy import Circuitpy
from cribboard.install.fitting import has_pins

DEFAULT = "board"
SETTINGS = "settings.toml"


@dataclass(frozen=True)
class Choices:
    """What is chosen; None stays as it is. `usb_a` and `supply_a` are amperes, and exclude each other."""

    design: str | None = None
    usb_a: float | None = None
    supply_a: float | None = None
    fuse_a: float | None = None
    order: str | None = None
    brightness: int | None = None
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
    found = _base(board, choices.design)
    if known(board.board_id) is not None:
        found = replace(found, controller=board.board_id)
    game = _changed(
        found.game,
        players=choices.players,
        teams=choices.teams,
        target=choices.target,
        commit_after_s=choices.commit_after_s,
    )
    tracks = _changed(found.tracks, pixel_order=choices.order)
    supply = _changed(found.supply, brightness=choices.brightness)
    found = replace(found, game=game, tracks=tracks, supply=supply)
    if choices.piezo is not None:
        found = replace(found, piezo="" if choices.piezo == "none" else choices.piezo)
    return _fed(found, choices)


def _base(board: Circuitpy, design: str | None) -> Description:
    if design is not None:
        return described(design)
    file = board.folder / SETTINGS
    if file.is_file() and has_pins(file.read_text(encoding="utf-8", errors="replace")):
        return as_set(described(DEFAULT), file)
    return described(DEFAULT)


def _fed(board: Description, choices: Choices) -> Description:
    """The board with the chosen source and fuse, the limit that is best for them, and wires that carry them."""
    if choices.usb_a is None and choices.supply_a is None and choices.fuse_a is None:
        return board
    kind, current = board.supply.kind, board.supply.current_a
    if choices.usb_a is not None:
        kind, current = "usb", choices.usb_a
    if choices.supply_a is not None:
        kind, current = "5v", choices.supply_a
    fed = replace(board, supply=replace(board.supply, kind=kind, current_a=current))
    fuse = choices.fuse_a or ratings.most_fuse_a(fed)
    main = 0.0 if fed.on_usb else ratings.wire_for(ratings.in_a_fault(current))
    wire = max(board.supply.wire_mm2, ratings.wire_for(fuse))
    fed = replace(fed, supply=replace(fed.supply, fuse_a=fuse, wire_mm2=wire, main_wire_mm2=main))
    limit = ratings.best_limit_ma(fed)
    if not limit:
        need = ratings.least_limit_ma(fed)
        raise ArgumentError(
            f"{current:g} A with a fuse of {fuse:g} A cannot feed {board.pixels} lights: they need {need} mA",
            "take a stronger source, or a design with fewer lights",
        )
    return replace(fed, supply=replace(fed.supply, limit_ma=limit))


def _changed(part: Any, **values: object) -> Any:
    return replace(part, **{name: value for name, value in values.items() if value is not None})
