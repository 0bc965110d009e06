"""The firmware's settings.toml from a description, with the comments and the other lines of the file that there was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cribboard import toml_lines
from cribboard.drive import drive_files
from cribboard.files import read_file
from cribboard.hardware import controllers
from cribboard.hardware.description import Description, DescriptionError, Game
from cribboard.hardware.electricity import check
from cribboard.hardware.findings import refuse
from cribboard_fw import settings
from cribboard_fw.settings import BUTTON_KEYS, Settings, SettingsError


def values(description: Description) -> dict[str, str | int]:
    """What the description says, by the keys of the settings."""
    players = [*description.buttons.players, *[()] * len(BUTTON_KEYS)]
    commit = description.game.commit_after_s
    return {
        "STRIP_PINS": " ".join(description.tracks.pins),
        "LEDS_PER_TRACK": description.tracks.leds,
        "PIXEL_ORDER": description.tracks.pixel_order,
        **{key: " ".join(pins) for key, pins in zip(BUTTON_KEYS, players, strict=False)},
        "UNDO_PIN": description.buttons.undo,
        "DEAL_PIN": description.buttons.deal,
        "PIEZO_PIN": description.piezo,
        "BRIGHTNESS": description.supply.brightness,
        "STRONG_PEGS": int(description.supply.strong_pegs),
        "CURRENT_LIMIT_MA": description.supply.limit_ma,
        "USB_MA": description.supply.current_ma if description.on_usb else 0,
        "SUPPLY_MA": 0 if description.on_usb else description.supply.current_ma,
        "FUSE_MA": description.supply.fuse_ma,
        "PLAYERS": description.game.players,
        "TEAMS": description.game.teams,
        "TARGET": description.game.target,
        **({} if commit is None else {"COMMIT_AFTER_S": commit}),
    }


def settings_toml(description: Description, text: str | None = None) -> str:
    """A settings.toml (the project's, if none is given) with the description's values; its other lines stay.

    Raises DescriptionError when the board must not be built so, or the firmware cannot run with them.
    """
    refuse(description.name, check(description, controllers.known(description.controller)))
    mine = text is not None
    text = drive_files().settings.read_text(encoding="utf-8") if text is None else text
    missing = {key: _said(value) for key, value in values(description).items()}
    top, rest = toml_lines.settings(text.removeprefix(toml_lines.MARK))
    lines = [entry.given(missing.pop(entry.key)) if entry.key in missing else entry.text for entry in top]
    lines += [f"{key} = {value}" for key, value in missing.items()]
    made = "\n".join([*lines, *rest]) + "\n"
    try:
        Settings(made)
    except SettingsError as error:
        hint = "correct these lines of your settings.toml" if mine else "change board.toml"
        raise DescriptionError(f"the firmware cannot run with these settings: {error}", hint) from error
    return made


def _said(value: str | int) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def as_set(board: Description, file: Path) -> Description:
    """The board with the pins, lights, supply and limit of this settings.toml; raises DescriptionError."""
    try:
        parsed = settings.load(read_file(file).decode("utf-8-sig"))
    except OSError as error:
        raise DescriptionError(
            f"{file} cannot be read: {error.strerror}", "name the settings.toml of a board"
        ) from error
    except ValueError as error:  # no text, or settings that no board can have
        raise DescriptionError(
            f"{file}: {error}", "the board shows one light in ten in red until you correct it"
        ) from error
    players = tuple(tuple(pins or ()) for pins in parsed.buttons)
    return replace(
        board,
        game=Game(parsed.players, parsed.teams, parsed.target, parsed.commit_s or None),
        tracks=replace(
            board.tracks,
            count=len(parsed.strip_pins),
            leds=parsed.leds,
            pixel_order=parsed.pixel_order,
            pins=tuple(parsed.strip_pins),
        ),
        buttons=replace(board.buttons, players=players, undo=parsed.undo_pin, deal=parsed.deal_pin),
        piezo=parsed.piezo_pin or "",
        supply=replace(
            board.supply,
            kind="5v" if parsed.supply_ma else "usb",
            current_a=(parsed.supply_ma or parsed.usb_ma) / 1000,
            fuse_a=parsed.fuse_ma / 1000,
            brightness=parsed.brightness,
            strong_pegs=bool(parsed.strong_pegs),
            limit_ma=parsed.limit_ma,
        ),
    )
