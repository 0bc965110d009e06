"""The board that a settings.toml makes of a described one: what lies on the drive is what the wires must fit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cribboard.hardware.description import Description, DescriptionError
from cribboard_fw import settings


def as_set(board: Description, file: Path) -> Description:
    """The board with the pins, lights, supply and limit of this settings.toml; raises DescriptionError."""
    try:
        found = settings.load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise DescriptionError(
            f"{file} cannot be read: {error.strerror}", "name the settings.toml of a board"
        ) from error
    except ValueError as error:  # no text, or settings that no board can have
        raise DescriptionError(
            f"{file}: {error}", "the board shows one light in ten in red until you correct it"
        ) from error
    players = tuple(tuple(pins or ()) for pins in found.buttons)
    return replace(
        board,
        tracks=replace(board.tracks, count=len(found.strip_pins), leds=found.leds, pins=tuple(found.strip_pins)),
        buttons=replace(board.buttons, players=players, undo=found.undo_pin, deal=found.deal_pin),
        piezo=found.piezo_pin or "",
        supply=replace(
            board.supply,
            kind="5v" if found.supply_ma else "usb",
            current_a=(found.supply_ma or found.usb_ma) / 1000,
            fuse_a=found.fuse_ma / 1000,
            brightness=found.brightness,
            limit_ma=found.limit_ma,
        ),
    )
