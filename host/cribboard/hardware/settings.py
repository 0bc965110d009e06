"""The firmware's settings.toml from a description, with the comments and the other lines of the file that there was."""

from __future__ import annotations

from cribboard import toml_lines
from cribboard.drive import drive_files
from cribboard.hardware import controllers
from cribboard.hardware.description import Description, DescriptionError
from cribboard.hardware.finding import refuse
from cribboard.hardware.safety import check
from cribboard_fw.settings import BUTTON_KEYS, Settings, SettingsError


def values(description: Description) -> dict[str, str | int]:
    """What the description says, by the keys of the settings."""
    players = [*description.buttons.players, *[()] * len(BUTTON_KEYS)]
    return {
        "STRIP_PINS": " ".join(description.tracks.pins),
        "LEDS_PER_TRACK": description.tracks.leds,
        "PIXEL_ORDER": description.tracks.pixel_order,
        **{key: " ".join(pins) for key, pins in zip(BUTTON_KEYS, players, strict=False)},
        "UNDO_PIN": description.buttons.undo,
        "DEAL_PIN": description.buttons.deal,
        "PIEZO_PIN": description.piezo,
        "BRIGHTNESS": description.supply.brightness,
        "CURRENT_LIMIT_MA": description.supply.limit_ma,
        "USB_MA": description.supply.current_ma if description.on_usb else 0,
        "SUPPLY_MA": 0 if description.on_usb else description.supply.current_ma,
        "FUSE_MA": description.supply.fuse_ma,
        "PLAYERS": description.game.players,
        "TEAMS": description.game.teams,
        "TARGET": description.game.target,
    }


def settings_toml(description: Description, text: str | None = None) -> str:
    """A settings.toml (the project's, if none is given) with the description's values; its other lines stay.

    Raises DescriptionError when the board must not be built so, or the firmware cannot run with them.
    """
    refuse(description.name, check(description, controllers.known(description.controller)))
    text = drive_files().settings.read_text(encoding="utf-8") if text is None else text
    missing = {key: _said(value) for key, value in values(description).items()}
    top, rest = toml_lines.settings(text.removeprefix(toml_lines.MARK))
    lines = [entry.given(missing.pop(entry.key)) if entry.key in missing else entry.text for entry in top]
    lines += [f"{key} = {value}" for key, value in missing.items()]
    made = "\n".join([*lines, *rest]) + "\n"
    try:
        Settings(made)
    except SettingsError as error:
        raise DescriptionError(f"the firmware cannot run with these settings: {error}", "change board.toml") from error
    return made


def _said(value: str | int) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
